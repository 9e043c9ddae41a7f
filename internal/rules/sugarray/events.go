package sugarray

import "ringpost/internal/game"

// The codes of events, in the order in which a round brings them.
const (
	EventRemoved    = "removed"    // Leave: taken out before the fights (SR-34)
	EventFight      = "fight"      // Fight
	EventTransfer   = "transfer"   // Transfer
	EventTraining   = "training"   // Drill: every boxer's die (SR-13)
	EventMissed     = "missed"     // Missed: an NMR was counted
	EventMove       = "move"       // Move
	EventTitle      = "title"      // TitleNews
	EventLeft       = "left"       // Leave
	EventJoined     = "joined"     // Entry
	EventChallenger = "challenger" // Lot, and Bouts: the title bout
	EventDraw       = "draw"       // Lot, and Bouts: those of a league
	EventIdle       = "idle"       // Seat: the champion, who has no bout next (SR-25)
)

// Event is what happened; which part is set is said by the event's code. Seat
// and Name tell to whom, where it happened to one boxer. Everything in
// Sugar-Ray is public once the round is closed.
type Event struct {
	Seat game.SeatID `json:"seat,omitempty"`
	Name string      `json:"name,omitempty"`

	Fight    *Fight     `json:"fight,omitempty"`
	Transfer *Transfer  `json:"transfer,omitempty"`
	Drill    *Drill     `json:"drill,omitempty"`
	Missed   *Missed    `json:"missed,omitempty"`
	Move     *Move      `json:"move,omitempty"`
	Title    *TitleNews `json:"title,omitempty"`
	Leave    *Leave     `json:"leave,omitempty"`
	Entry    *Entry     `json:"entry,omitempty"`
	Lot      *Lot       `json:"lot,omitempty"`
	Bouts    []Pairing  `json:"bouts,omitempty"`
}

// DummyName is the name of the imaginary opponent (SR-29); no boxer may bear it.
const DummyName = "Dummy"

// Result codes of a fight (SR-37).
const (
	CodePoints = "PS"
	CodeKO     = "KO"
	CodeDraw   = "U"
)

// Fight is a bout that was boxed. First is the winner; of a draw the
// alphabetically first (SR-36).
type Fight struct {
	League int    `json:"league"`           // 1 to 4; 0: for the title
	Vacant bool   `json:"vacant,omitempty"` // the title at stake had no holder (SR-26)
	First  Side   `json:"first"`
	Second Side   `json:"second"`
	Rounds int    `json:"rounds"` // boxing rounds begun, 1 to 5
	Code   string `json:"code"`
	// KO also marks the draw in which both went down, Fatigue a knock-out that
	// came before the blows.
	KO      bool `json:"ko,omitempty"`
	Fatigue bool `json:"fatigue,omitempty"`
}

// Side is one boxer of a fight, with his values before it.
type Side struct {
	Seat       game.SeatID        `json:"seat,omitempty"` // "" for the dummy
	Name       string             `json:"name"`
	Technique  int64              `json:"technique"`
	Condition  int64              `json:"condition"`
	Orders     [BoxingRounds]Pair `json:"orders"`
	NMR        bool               `json:"nmr,omitempty"`
	Conditions []int64            `json:"conditions"`     // at the end of each round begun; below 1 is KO
	Dice       []int              `json:"dice,omitempty"` // the dummy's throws: f, o in turns (SR-31)
}

// Transfer is what a decided fight changed for one boxer. A figure is 0 where
// the loser had nothing left to give (SR-10).
type Transfer struct {
	Technique int64 `json:"technique,omitempty"`
	Condition int64 `json:"condition,omitempty"`
}

// Drill is a boxer's training. The die is thrown whatever he ordered (SR-13).
type Drill struct {
	Choice Training `json:"choice,omitempty"`
	Die    int      `json:"die"`
	Gain   int64    `json:"gain,omitempty"` // in what he chose
	// Why says why nothing was trained: one of the codes below, "" otherwise.
	Why string `json:"why,omitempty"`
}

// Why a boxer did not train.
const (
	WhyNMR      = "nmr"      // SR-15
	WhyNone     = "none"     // no training ordered (SR-14)
	WhyChampion = "champion" // SR-17
)

// Missed counts NMRs in a row, this one included.
type Missed struct {
	Count int `json:"count"`
	Limit int `json:"limit"` // 0: never costs the place
}

// Move is a change of league; 0 is the champion's place.
type Move struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// TitleNews says what became of the title.
type TitleNews struct {
	Code     string      `json:"code"`
	Champion game.SeatID `json:"champion,omitempty"` // now
	Before   game.SeatID `json:"before,omitempty"`
	// Rival is the champion's opponent, or the loser of a bout for a vacant
	// title; "" for the dummy.
	Rival    game.SeatID `json:"rival,omitempty"`
	Defences int         `json:"defences,omitempty"` // in this reign
}

// What may become of the title.
const (
	TitleWon      = "won"      // the challenger took it
	TitleDefended = "defended" // a draw is enough (SR-21)
	TitleFilled   = "filled"   // it was vacant and has a holder now (SR-26)
	TitleOpen     = "open"     // it was vacant and stays so: a draw, or the dummy won
	TitleLost     = "lost"     // the champion lost to the dummy (SR-30, SR-34)
	TitleIdle     = "idle"     // nobody to challenge the champion (SR-25)
	TitleVacated  = "vacated"  // the champion left the game (SR-27)
)

// Leave says why a boxer left.
type Leave struct {
	Reason string `json:"reason"`
	Count  int    `json:"count,omitempty"` // NMRs in a row
	League int    `json:"league"`
}

// Reasons to leave.
const (
	LeftWish = "wish"
	LeftGM   = "gm"
	LeftNMR  = "nmr"
)

// Entry is what a boxer starts with.
type Entry struct {
	League    int   `json:"league"`
	Technique int64 `json:"technique"`
	Condition int64 `json:"condition"`
}

// Lot is a decision by dice: between the candidates, or an order of them.
type Lot struct {
	League int `json:"league"`
	// Order is the league as shuffled, or the longest-serving boxers chosen.
	Order []game.SeatID `json:"order"`
	Dice  []int         `json:"dice,omitempty"`
}

// outcome of a fight for one of its sides.
func (f *Fight) result(first bool) string {
	switch {
	case f.Code == CodeDraw:
		return Tied
	case first:
		return Won
	}
	return Lost
}

// of returns the sides of a fight as a seat sees them, ok when it boxed in it.
func (f *Fight) of(seat game.SeatID) (own, other Side, result string, ok bool) {
	switch {
	case seat == "":
		return
	case f.First.Seat == seat:
		return f.First, f.Second, f.result(true), true
	case f.Second.Seat == seat:
		return f.Second, f.First, f.result(false), true
	}
	return
}
