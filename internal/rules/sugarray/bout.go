package sugarray

import (
	"fmt"
	"strconv"
	"strings"
)

// BoxingRounds is the length of a bout.
const BoxingRounds = 5

// MaxFigure is the largest number an order may hold (SR-2). With it every sum
// of a bout stays far inside 64 bits.
const MaxFigure = 999_999_999

// Pair is what a boxer does in one boxing round. As text it is "2/3".
type Pair struct {
	Offence, Defence int64 // 0 to MaxFigure
}

// String gives the pair as players write it.
func (p Pair) String() string {
	return strconv.FormatInt(p.Offence, 10) + "/" + strconv.FormatInt(p.Defence, 10)
}

// MarshalText is String, for JSON.
func (p Pair) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (p *Pair) UnmarshalText(text []byte) error {
	o, d, ok := strings.Cut(string(text), "/")
	if !ok {
		return fmt.Errorf("reading the pair %q: no slash", text)
	}
	var err error
	if p.Offence, err = figure(o); err == nil {
		p.Defence, err = figure(d)
	}
	if err != nil {
		return fmt.Errorf("reading the pair %q: %w", text, err)
	}
	return nil
}

var errLarge = fmt.Errorf("a number is above %d", MaxFigure)

// figure reads digits and nothing else: no sign, no decimals (SR-2).
func figure(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil {
		return 0, err
	}
	if n > MaxFigure {
		return 0, errLarge
	}
	return int64(n), nil
}

// Corner is a boxer as he climbs into the ring.
type Corner struct {
	Technique, Condition int64
	Orders               [BoxingRounds]Pair
}

// Outcome says who won a bout.
type Outcome int

// The outcomes, by the order in which the corners were given.
const (
	Drawn Outcome = iota
	FirstWins
	SecondWins
)

// Bout is the course of a fight.
type Bout struct {
	Rounds     int                    // boxing rounds begun, 1 to 5
	Conditions [2][BoxingRounds]int64 // at the end of each round begun; below 1 is knocked out
	Outcome    Outcome
	KO         bool // it ended by knock-out, of one or of both
	Fatigue    bool // the knock-out came from fatigue, before any blow (SR-5)
}

// Fatigue is what an order costs: loss only where it is above zero.
func Fatigue(p Pair, technique int64) int64 {
	return 3*p.Offence + 2*p.Defence - technique
}

// Loss is the condition that fatigue takes, after the rulebook's table. From 14
// on the table is a straight line, and so it goes on beyond 45 (SR-1).
func Loss(fatigue int64) int64 {
	switch {
	case fatigue <= 0:
		return 0
	case fatigue >= 14:
		return 2*fatigue - 20
	}
	return [...]int64{0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7}[fatigue]
}

// Box fights a bout: five rounds, unless a knock-out ends it (SR-4 to SR-8).
func Box(first, second Corner) Bout {
	var b Bout
	a, z := first.Condition, second.Condition
	for r := range BoxingRounds {
		p, q := first.Orders[r], second.Orders[r]
		b.Rounds = r + 1
		a -= Loss(Fatigue(p, first.Technique))
		z -= Loss(Fatigue(q, second.Technique))
		b.Fatigue = a < 1 || z < 1
		if !b.Fatigue { // whoever is knocked out neither strikes nor is struck (SR-5)
			a -= blow(q, p)
			z -= blow(p, q)
		}
		b.Conditions[0][r], b.Conditions[1][r] = a, z
		if a < 1 || z < 1 {
			b.KO = true
			b.Outcome = higher(a, z, a < 1 && z < 1)
			return b
		}
	}
	b.Outcome = higher(OffenceSum(first.Orders), OffenceSum(second.Orders), false)
	return b
}

// blow is what a blow takes from the condition of the boxer who is struck.
func blow(striker, struck Pair) int64 {
	return 2 * max(striker.Offence-struck.Defence, 0)
}

func higher(a, z int64, even bool) Outcome {
	switch {
	case even || a == z:
		return Drawn
	case a > z:
		return FirstWins
	}
	return SecondWins
}

// OffenceSum decides on points: all five rounds as ordered, whether the blows
// landed or not (SR-8).
func OffenceSum(orders [BoxingRounds]Pair) int64 {
	var sum int64
	for _, p := range orders {
		sum += p.Offence
	}
	return sum
}
