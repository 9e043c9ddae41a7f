package bout

// Role says on which side of Step I a fighter stands.
type Role uint8

// The roles.
const (
	Attacker Role = iota
	Defender
)

// Tactic is what a fighter declares at the start of Step I.
type Tactic uint8

// The tactics.
const (
	Open      Tactic = iota // none; always legal, for either role
	Cover                   // D: RS-28
	Backpedal               // D, advanced: RS-29
	Clinch                  // D, advanced: RS-30
	Rush                    // A, advanced: RS-33
)

// Advanced reports whether a tactic belongs to the advanced rules (RS-36).
func (t Tactic) Advanced() bool { return t >= Backpedal }

// Tactics is a set of tactics.
type Tactics uint8

func setOf(all ...Tactic) Tactics {
	var s Tactics
	for _, t := range all {
		s |= 1 << t
	}
	return s
}

// Has reports whether a tactic is in the set.
func (s Tactics) Has(t Tactic) bool { return s&(1<<t) != 0 }

// DefenceFeet says where a defender likes to go after a miss (RS-11).
type DefenceFeet uint8

// The ways to retreat.
const (
	MiddleFeet   DefenceFeet = iota // nearest the ring's centre
	CircleFeet                      // sideways rather than back
	StraightFeet                    // back rather than sideways
)

// AttackFeet says from where an attacker likes to face the defender (RS-11).
type AttackFeet uint8

// The ways to follow.
const (
	RopesFeet  AttackFeet = iota // where straight back is the shortest way to the ropes
	CentreFeet                   // nearest the ring's centre
	StayFeet                     // where he stands, if he may
)

// Mix is how a fighter fights in a boxing round whatever happens in it.
type Mix struct {
	Punch, Expect Weights
	Defence       DefenceFeet
	Attack        AttackFeet
}

// Situation is what a fighter sees when he decides.
type Situation struct {
	Round int // from 1
	Turn  int // 1 to 18
	Own   Standing
	Other Standing
	Lead  int // rounds won more than lost so far, as the bout is scored
	// Damage is caused more than taken in this round, as the round is scored:
	// punches that knocked down count double (RS-38).
	Damage int
}

// Standing is how one of the two stands.
type Standing struct {
	Endurance int
	Hits      int // he has landed in this round
	Downs     int // he has suffered in this round
	Ropes     bool
}

// Plan decides for a fighter. A plan may keep what it is told for the time of the
// call only.
type Plan interface {
	// Mix is asked once a boxing round, at its beginning.
	Mix(round int) Mix
	// Tactic is asked at every Step I. A tactic that is not among the legal ones
	// counts as Open.
	Tactic(Role, *Situation, Tactics) Tactic
	// Counter is asked whether to try a counterpunch when one may be tried (RS-26).
	Counter(*Situation) bool
}
