package bout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// script throws what it is told to, and notes the dice it was asked for. Small dice,
// which part squares, may be left out at the end: they show 1.
type script struct {
	t      testing.TB
	throws []int
	sides  []int
}

func (s *script) Uniform(n int) int {
	s.t.Helper()
	s.sides = append(s.sides, n)
	if len(s.throws) == 0 && n < 10 {
		return 1
	}
	if len(s.throws) == 0 {
		s.t.Fatalf("a die of %d sides more than the case has; thrown were dice of %v", n, s.sides)
	}
	got := s.throws[0]
	s.throws = s.throws[1:]
	if got < 1 || got > n {
		s.t.Fatalf("the case throws %d with a die of %d sides", got, n)
	}
	return got
}

// puppet fights as it is told to.
type puppet struct {
	mix     Mix
	wishes  map[Role][]Tactic // the first legal one is declared
	refuses bool              // counterpunches

	asked []string // what it was asked, and what it saw
	legal map[Role]Tactics
	saw   Situation
}

func (p *puppet) Mix(int) Mix { return p.mix }

func (p *puppet) Tactic(r Role, s *Situation, legal Tactics) Tactic {
	p.asked = append(p.asked, fmt.Sprintf("%s of %s", [...]string{"attack", "defence"}[r], names(legal)))
	p.legal[r], p.saw = legal, *s
	for _, w := range p.wishes[r] {
		if legal.Has(w) {
			return w
		}
	}
	return Open
}

func (p *puppet) Counter(s *Situation) bool {
	p.saw = *s
	return !p.refuses
}

func names(set Tactics) string {
	var out []string
	for t, name := range []string{"open", "cover", "backpedal", "clinch", "rush"} {
		if set.Has(Tactic(t)) {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// only are weights that leave no choice; such a die has one side, and shows 1.
func only(p Punch) Weights {
	var w Weights
	w[p] = 1
	return w
}

// stage is a round that begins as a case needs it. The fighters have agility 50,
// counterpunch 20, every punch 2, and throw and expect uppercuts only: chart -1,
// damage 1. Both retreat straight back and follow where they can stay.
type stage struct {
	*machine
	t     testing.TB
	log   Log
	cast  *script
	plans [2]*puppet
}

func newStage(t testing.TB) *stage {
	t.Helper()
	return stageOn(t, StandardTerms(10))
}

func stageOn(t testing.TB, terms Terms) *stage {
	t.Helper()
	f := Fighter{Agility: 50, Punches: [Punches]int{2, 2, 2, 2, 2, 2}, Counter: 20, Endurance: 10}
	b, err := Begin(terms, [2]Corner{{Fighter: f}, {Fighter: f}})
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, cast: &script{t: t}}
	var plans [2]Plan
	for i := range plans {
		s.plans[i] = &puppet{
			mix:    Mix{Punch: only(Uppercut), Expect: only(Uppercut), Defence: StraightFeet, Attack: StayFeet},
			wishes: map[Role][]Tactic{}, legal: map[Role]Tactics{},
		}
		plans[i] = s.plans[i]
	}
	s.machine = newMachine(b, plans, s.cast, &s.log)
	s.beginRound()
	s.log = nil
	return s
}

// punching makes both throw and expect other punches.
func (s *stage) punching(by Side, throws, expects Punch) *stage {
	m := Mix{Punch: only(throws), Expect: only(expects)}
	s.side[by].punch, s.side[by].expect = newTable(m.Punch), newTable(m.Expect)
	return s
}

// at puts the first fighter on one square and the second on another.
func (s *stage) at(first, second Square) *stage {
	s.side[First].at, s.side[Second].at = first, second
	return s
}

// wishing lets a fighter declare tactics in a role, the first that is legal.
func (s *stage) wishing(by Side, r Role, wishes ...Tactic) *stage {
	s.plans[by].wishes[r] = wishes
	return s
}

// play plays one turn with these dice and no others; it gives the next attacker.
func (s *stage) play(attacker Side, dice ...int) Side {
	s.t.Helper()
	s.cast.throws, s.cast.sides = dice, nil
	next := s.oneTurn(attacker)
	if len(s.cast.throws) > 0 {
		s.t.Fatalf("the dice %v were not thrown; thrown were dice of %v", s.cast.throws, s.cast.sides)
	}
	return next
}

// told is the log since it was told last.
func (s *stage) told() string {
	text, err := s.log.MarshalText()
	if err != nil {
		s.t.Fatal(err)
	}
	s.log = nil
	return string(text)
}

// tells checks the log since it was told last.
func (s *stage) tells(want string) {
	s.t.Helper()
	if diff := cmp.Diff(strings.Fields(want), strings.Fields(s.told())); diff != "" {
		s.t.Errorf("the log differs (-want +got):\n%s", diff)
	}
}

// count counts the events of a kind.
func (l Log) count(k Kind) int {
	n := 0
	for _, e := range l {
		if e.Kind == k {
			n++
		}
	}
	return n
}

// last finds the last event of a kind.
func (l Log) last(t testing.TB, k Kind) Event {
	t.Helper()
	for _, e := range slices.Backward(l) {
		if e.Kind == k {
			return e
		}
	}
	t.Fatalf("nothing of kind %d was told", k)
	return Event{}
}

func check[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Dice that hit and miss an agility of 50, and fail to knock down or to counter.
const (
	hits   = 60
	misses = 50
	one    = 1 // a die of one side
	no     = 99
)
