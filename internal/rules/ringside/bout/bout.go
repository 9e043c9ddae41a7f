package bout

import (
	"errors"
	"fmt"
	"slices"

	"ringpost/internal/game"
)

// Side is one of the two fighters of a bout.
type Side uint8

// The sides.
const (
	First Side = iota
	Second
	Neither // no winner, or nobody in particular
)

// Other is the opponent.
func (s Side) Other() Side { return 1 - s }

// Scoring is how the rounds of a bout are scored.
type Scoring string

// The ways to score.
const (
	ByRounds  Scoring = "rounds" // RS-38
	TenPoint  Scoring = "10"     // RS-39
	FivePoint Scoring = "5"
)

// MaxRounds is the longest bout.
const MaxRounds = 15

// Terms are what is agreed before a bout.
type Terms struct {
	Ring     int     `json:"ring"`   // squares along a side: 6, 8 or 10 (RS-1)
	Rounds   int     `json:"rounds"` // scheduled, 1 to MaxRounds
	Scoring  Scoring `json:"scoring"`
	Advanced bool    `json:"advanced"` // RS-36
	Chart    Chart   `json:"chart"`
}

// StandardTerms are those where nothing else is agreed.
func StandardTerms(rounds int) Terms {
	return Terms{Ring: 8, Rounds: rounds, Scoring: ByRounds, Advanced: true, Chart: StandardChart()}
}

func (t Terms) check() error {
	switch {
	case t.Ring != 6 && t.Ring != 8 && t.Ring != 10:
		return fmt.Errorf("a ring of %d squares: want 6, 8 or 10", t.Ring)
	case t.Rounds < 1 || t.Rounds > MaxRounds:
		return fmt.Errorf("%d rounds: want 1 to %d", t.Rounds, MaxRounds)
	case t.Scoring != ByRounds && t.Scoring != TenPoint && t.Scoring != FivePoint:
		return fmt.Errorf("scoring %q: want %s, %s or %s", t.Scoring, ByRounds, TenPoint, FivePoint)
	case t.Chart.Cells == [Punches][Punches]int8{}:
		return errors.New("there is no punching chart: take the standard one")
	}
	for _, row := range t.Chart.Cells {
		for _, cell := range row {
			if cell < MinCell || cell > MaxCell {
				return fmt.Errorf("a chart with %d in a cell: want %d to %d", cell, MinCell, MaxCell)
			}
		}
	}
	return nil
}

// Corner is a fighter as he comes to a bout.
type Corner struct {
	Fighter
	// Carried is endurance still lost from his bout before (RSC-18).
	Carried int `json:"carried,omitempty"`
}

// Start is the endurance a fighter begins with, and never exceeds (RS-37). Below
// 1 he gets no licence (RSC-18).
func (c Corner) Start(rounds int) int { return c.Endurance + 7*rounds - c.Carried }

// Method is how a bout was decided.
type Method string

// The methods.
const (
	Undecided Method = "" // it goes on
	KO        Method = "ko"
	TKO       Method = "tko"
	Decision  Method = "decision"
	Draw      Method = "draw"
)

// Result is how a bout ended.
type Result struct {
	Method Method `json:"method"`
	Winner Side   `json:"winner"` // Neither after a draw
	Round  int    `json:"round"`  // in which it ended
	Turn   int    `json:"turn"`   // of that round
}

// Card is what happened in a boxing round, by side.
type Card struct {
	Hits     [2]int `json:"hits"`     // landed, counterpunches too
	Counters [2]int `json:"counters"` // counterpunches landed
	Damage   [2]int `json:"damage"`   // caused
	Score    [2]int `json:"score"`    // the same with punches that knocked down twice (RS-38)
	Downs    [2]int `json:"downs"`    // knockdowns scored, a knock-out not among them
	// Points are as the bout is scored: 1 for a round won, or those of the 10- or
	// 5-point must. A round that a knock-out cut short has none.
	Points [2]int `json:"points"`
}

// Bout is a bout between two of its rounds. It can be stored and gone on with.
type Bout struct {
	Terms     Terms     `json:"terms"`
	Corners   [2]Corner `json:"corners"`
	Endurance [2]int    `json:"endurance"`
	Cards     []Card    `json:"cards"` // a round each
	Result    Result    `json:"result"`
}

// Begin makes a bout that is about to start. It is an error when the terms or
// ratings are out of bounds, or a fighter has no licence (RSC-18).
func Begin(t Terms, corners [2]Corner) (*Bout, error) {
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("beginning a bout: %w", err)
	}
	b := &Bout{Terms: t, Corners: corners, Cards: make([]Card, 0, t.Rounds), Result: Result{Winner: Neither}}
	for i, c := range corners {
		if err := c.Check(); err != nil {
			return nil, fmt.Errorf("beginning a bout: fighter %d: %w", i+1, err)
		}
		b.Endurance[i] = c.Start(t.Rounds)
		if c.Carried < 0 || b.Endurance[i] < 1 {
			return nil, fmt.Errorf("beginning a bout: fighter %d would start with endurance %d, %d carried over", i+1, b.Endurance[i], c.Carried)
		}
	}
	return b, nil
}

// Over reports whether the bout is decided.
func (b *Bout) Over() bool { return b.Result.Method != Undecided }

// Box fights at most so many rounds; it ends early when the bout is over. All dice
// come from the one stream. With a log it tells every step; nil tells nothing.
func (b *Bout) Box(rounds int, plans [2]Plan, dice game.Stream, log *Log) {
	if b.Over() {
		return
	}
	if log != nil {
		*log = slices.Grow(*log, eventsARound*min(rounds, b.Terms.Rounds-len(b.Cards)))
	}
	m := newMachine(b, plans, dice, log)
	for range rounds {
		m.boxRound()
		b.Endurance = [2]int{m.side[First].endurance, m.side[Second].endurance}
		if b.Over() {
			return
		}
	}
}

// eventsARound is what a round between fighters of middling ratings comes to.
const eventsARound = 110

// Downs are the knockdowns that a side has scored in the bout, a knock-out not
// among them (RSC-4).
func (b *Bout) Downs(s Side) int {
	n := 0
	for _, c := range b.Cards {
		n += c.Downs[s]
	}
	return n
}

// Points are the totals of the scorecards.
func (b *Bout) Points() [2]int {
	var sum [2]int
	for _, c := range b.Cards {
		sum[First] += c.Points[First]
		sum[Second] += c.Points[Second]
	}
	return sum
}
