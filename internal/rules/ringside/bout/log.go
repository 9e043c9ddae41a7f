package bout

// Kind is what a logged step is.
type Kind uint8

// The kinds. Beside each stand the fields of Event that it fills.
const (
	RoundBegins     Kind = iota // N: the round. Both stand on the squares of a start.
	Initiative                  // By: who attacks, Neither on a tie; Both: the dice
	TurnBegins                  // By: who attacks; N: the turn
	Declared                    // By, Tactic: in force from now on
	Attack                      // By, Die; Need: what it must exceed to hit
	Blow                        // By, Punch, Guard; Both: the dice of the two; N: damage; Left: the other's endurance
	Tired                       // By; N: his hits in this round; Left: his endurance (Punching Fatigue)
	KnockdownRoll               // By: who struck, Die; Need: what it must not exceed to knock down
	Count                       // By: who struck, Die; N: the count, 10 is out. Otherwise both stand on the squares of a start.
	CounterRoll                 // By: who tries, Die; Need: what it must not exceed
	CounterDeclined             // By
	Counterpunch                // By, Die; Need: what it must exceed to hit
	ClinchEnds                  // By: who missed
	Moved                       // By, From, To, one square or none; Die: 0 when none was thrown
	Pinned                      // By: who cannot move (RS-8)
	Freed                       // By: who has left the ropes
	Bell                        // N: the round; Both: what each caused, as it is scored
	Rested                      // Both: the endurance of the two
	Ended                       // By: the winner, or Neither; N: the method, as in Methods

	kinds = iota
)

// Event is one step of a bout. Which of its fields count says its kind.
type Event struct {
	Kind         Kind
	By           Side
	Tactic       Tactic
	Punch, Guard Punch
	From, To     Square
	N            int16
	Die, Need    int16
	Both         [2]int16
	Left         int16
}

// Log is the course of a bout, step by step: every die, every choice that told.
type Log []Event

// Methods lists the ways a bout can end; an Ended event holds an index to it.
func Methods() []Method { return []Method{KO, TKO, Decision, Draw} }
