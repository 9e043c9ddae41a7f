package bout

import (
	"fmt"
	"strings"
)

// Punch is one of the six punches. What is anticipated is a punch, too.
type Punch uint8

// The punches, in the order of the rulebook's chart.
const (
	Uppercut Punch = iota
	RightJab
	RightHook
	Combination
	LeftJab
	LeftHook

	// Punches is how many there are.
	Punches = 6
)

// AllPunches lists the punches in the chart's order.
func AllPunches() [Punches]Punch {
	return [Punches]Punch{Uppercut, RightJab, RightHook, Combination, LeftJab, LeftHook}
}

// Code is the rulebook's abbreviation in capitals: UC, RJ, RH, CO, LJ, LH.
func (p Punch) Code() string {
	return [Punches]string{"UC", "RJ", "RH", "CO", "LJ", "LH"}[p]
}

// String is Code.
func (p Punch) String() string { return p.Code() }

// Hook reports whether a clinch bars the punch (RS-30).
func (p Punch) Hook() bool { return p == RightHook || p == LeftHook }

// FindPunch finds a punch by its code, in capitals or not.
func FindPunch(code string) (Punch, bool) {
	for _, p := range AllPunches() {
		if strings.EqualFold(code, p.Code()) {
			return p, true
		}
	}
	return 0, false
}

// MaxWeight is the largest weight of a punch in a plan.
const MaxWeight = 9

// Weights are a mixed strategy: the chances of the six punches, in the chart's
// order, in proportion to numbers from 0 to MaxWeight. All zero is the same as
// all equal.
type Weights [Punches]uint8

// String gives the weights as players write them: "UC3 RJ1 RH2 CO3 LJ1 LH2".
func (w Weights) String() string {
	var b strings.Builder
	for _, p := range AllPunches() {
		if p > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s%d", p.Code(), w[p])
	}
	return b.String()
}

// MarshalText is String, for JSON.
func (w Weights) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads what MarshalText writes, and nothing else.
func (w *Weights) UnmarshalText(text []byte) error {
	fields := strings.Split(string(text), " ")
	if len(fields) != Punches {
		return fmt.Errorf("reading the weights %q: want six of them, as in %q", text, Weights{})
	}
	for _, p := range AllPunches() {
		digit, ok := strings.CutPrefix(fields[p], p.Code())
		if !ok || len(digit) != 1 || digit[0] < '0' || digit[0] > '9' {
			return fmt.Errorf("reading the weights %q: %q is not %s and a digit", text, fields[p], p.Code())
		}
		w[p] = digit[0] - '0'
	}
	return nil
}

// table is a mixed strategy made ready for drawing: cumulated weights, with the
// hooks and without.
type table struct {
	all, bare [Punches]int
}

func newTable(w Weights) table {
	var t table
	all, bare := 0, 0
	for p, n := range w {
		all += int(n)
		if !Punch(p).Hook() {
			bare += int(n)
		}
		t.all[p], t.bare[p] = all, bare
	}
	if all == 0 {
		t.all = [Punches]int{1, 2, 3, 4, 5, 6}
	}
	if bare == 0 { // RS-35
		t.bare = [Punches]int{1, 2, 2, 3, 4, 4}
	}
	return t
}
