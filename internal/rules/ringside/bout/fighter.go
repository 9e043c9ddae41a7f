package bout

import (
	"fmt"

	"ringpost/internal/game"
)

// Fighter is a fighter's ratings. They may be above what can be rolled: those of
// historical fighters are.
type Fighter struct {
	Agility   int          `json:"agility"`   // 1 to 99; rolled 41 to 60
	Punches   [Punches]int `json:"punches"`   // 1 to 9; rolled 1 to 4
	Counter   int          `json:"counter"`   // 0 to 99; rolled 11 to 30
	Endurance int          `json:"endurance"` // 0 to 99, before the rounds' share; rolled 1 to 20
}

// Check says which rating is out of bounds; nil when none is.
func (f Fighter) Check() error {
	bounds := func(what string, n, least, most int) error {
		if n < least || n > most {
			return fmt.Errorf("%s %d: want %d to %d", what, n, least, most)
		}
		return nil
	}
	if err := bounds("agility", f.Agility, 1, 99); err != nil {
		return err
	}
	for p, n := range f.Punches {
		if err := bounds(Punch(p).Code(), n, 1, 9); err != nil {
			return err
		}
	}
	if err := bounds("counterpunch", f.Counter, 0, 99); err != nil {
		return err
	}
	return bounds("endurance", f.Endurance, 0, 99)
}

// Ratings gives the punches' ratings as weights: what a fighter throws, and what
// is expected of him, where a plan says nothing (rulings 3.5).
func (f Fighter) Ratings() Weights {
	var w Weights
	for p, n := range f.Punches {
		w[p] = uint8(n)
	}
	return w
}

// Roll makes a new fighter (RSC-1). Its dice: agility d20; a d4 for each punch in
// the chart's order, a 4 thrown once more at once; endurance d20; counterpunch d20.
func Roll(dice game.Stream) Fighter {
	f := Fighter{Agility: 40 + dice.Uniform(20)}
	for p := range f.Punches {
		f.Punches[p] = dice.Uniform(4)
		if f.Punches[p] == 4 {
			f.Punches[p] = dice.Uniform(4)
		}
	}
	f.Endurance = dice.Uniform(20)
	f.Counter = 10 + dice.Uniform(20)
	return f
}
