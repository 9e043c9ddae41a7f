package ringside

import (
	"strings"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/plan"
)

// The slots of a seat (G-3): a plan a fighter, and a manager's lines, which are one.
const (
	ManagerSlot = "manager"
	planPrefix  = "plan/"
)

func planSlot(id FighterID) string { return planPrefix + string(id) }

// planOf is the fighter whose plan a slot holds.
func planOf(slot string) (FighterID, bool) {
	id, ok := strings.CutPrefix(slot, planPrefix)
	return FighterID(id), ok
}

// Orders are what a slot holds: a fighter's plan, or a manager's lines.
type Orders struct {
	Plan  *plan.Plan `json:"plan,omitempty"`
	Lines []Wish     `json:"lines,omitempty"`
}

// Verb says what a manager's line wants.
type Verb string

// The verbs; beside each stand the fields of Wish that it fills.
const (
	WantBout    Verb = "bout"    // Own, Other, Proposal
	WantOpen    Verb = "open"    // Own, Least
	WantRest    Verb = "rest"    // Own
	WantRetire  Verb = "retire"  // Own
	WantNew     Verb = "new"     // Name, Class
	WantOffer   Verb = "offer"   // Own, Money
	WantBuy     Verb = "buy"     // Other, Money
	WantTrade   Verb = "trade"   // Own, Other
	WantBet     Verb = "bet"     // Other: on whom; Money, With
	WantReserve Verb = "reserve" // Own, Week, Arena
)

// Wish is a manager's line.
type Wish struct {
	Do    Verb        `json:"do"`
	Own   FighterID   `json:"own,omitempty"`
	Other FighterID   `json:"other,omitempty"`
	With  game.SeatID `json:"with,omitempty"` // the manager to bet against; "" the bank
	Name  string      `json:"name,omitempty"`
	Class Class       `json:"class,omitempty"`
	Least Pop         `json:"least,omitempty"` // POP of an opponent
	Money Money       `json:"money,omitempty"`
	Proposal
}
