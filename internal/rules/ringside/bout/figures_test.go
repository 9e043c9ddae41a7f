package bout

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringpost/internal/dice"
)

// plain is the plan of the rulings' sanity figures: no tactics, its weights, the
// default feet.
type plain struct{ punch, expect Weights }

func (p *plain) Mix(int) Mix                           { return Mix{Punch: p.punch, Expect: p.expect} }
func (*plain) Tactic(Role, *Situation, Tactics) Tactic { return Open }
func (*plain) Counter(*Situation) bool                 { return true }
func uniform() [2]Plan                                 { return [2]Plan{&plain{}, &plain{}} }
func byRatings(a, b Fighter) [2]Plan {
	return [2]Plan{&plain{a.Ratings(), b.Ratings()}, &plain{b.Ratings(), a.Ratings()}}
}

// mean gathers a figure's mean and its standard error.
type mean struct{ n, sum, squares float64 }

func (m *mean) add(x float64)  { m.n++; m.sum += x; m.squares += x * x }
func (m *mean) value() float64 { return m.sum / m.n }
func (m *mean) deviation() float64 {
	return math.Sqrt(max(m.squares/m.n-m.value()*m.value(), 0))
}

// near compares a mean with a figure of the rulings that was itself sampled in so
// many fights, and then rounded: within three standard errors of the difference.
func near(t *testing.T, what string, m *mean, want, fights, rounding float64) {
	t.Helper()
	tolerance := 3*m.deviation()*math.Sqrt(1/m.n+1/fights) + rounding/2
	if math.Abs(m.value()-want) > tolerance {
		t.Errorf("%s: %.4f, the rulings say %g within %.4f", what, m.value(), want, tolerance)
	}
	t.Logf("%s: %.4f (rulings: %g)", what, m.value(), want)
}

func one0(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// TestRS40_SanityFigures fights 20,000 bouts of ten rounds between fighters as they
// are rolled, by the rulings' reference settings.
func TestRS40_SanityFigures(t *testing.T) {
	const bouts = 20_000
	var hits, damage, downs, counters, ko, tko, decision, draw, thrownDice mean
	most := 0
	seed := dice.Seed{40}
	for i := range bouts {
		roll := seed.Stream("fighters", fmt.Sprint(i))
		b, err := Begin(StandardTerms(10), [2]Corner{{Fighter: Roll(roll)}, {Fighter: Roll(roll)}})
		if err != nil {
			t.Fatal(err)
		}
		counted := &counter{Stream: seed.Stream("bout", fmt.Sprint(i))}
		b.Box(10, uniform(), counted, nil)
		most = max(most, counted.n)
		thrownDice.add(float64(counted.n))
		n := b.Downs(First) + b.Downs(Second)
		if b.Result.Method == KO {
			n++ // that punch knocked down, too
		}
		downs.add(float64(n))
		for _, c := range b.Cards {
			all := c.Hits[0] + c.Hits[1]
			hits.add(float64(all))
			counters.add(float64(c.Counters[0] + c.Counters[1]))
			if all > 0 {
				damage.add(float64(c.Damage[0]+c.Damage[1]) / float64(all))
			}
		}
		ko.add(one0(b.Result.Method == KO))
		tko.add(one0(b.Result.Method == TKO))
		decision.add(one0(b.Result.Method == Decision))
		draw.add(one0(b.Result.Method == Draw))
		if b.Result.Method == TKO && b.Result.Winner == Neither || b.Result.Method == KO && b.Result.Winner == Neither {
			t.Fatal("both were knocked out")
		}
	}
	near(t, "hits a round", &hits, 9.2, 3000*6.7, 0.1)
	near(t, "damage a hit", &damage, 3.9, 3000*6.7, 0.1)
	near(t, "knockdowns a fight", &downs, 2.5, 3000, 0.1)
	near(t, "counterpunches landed a round", &counters, 0.9, 3000*6.7, 0.1)
	near(t, "KO", &ko, 0.575, 200_000, 0.001)
	near(t, "TKO", &tko, 0.313, 200_000, 0.001)
	near(t, "decision", &decision, 0.088, 200_000, 0.001)
	near(t, "draw", &draw, 0.024, 200_000, 0.001)
	near(t, "dice", &thrownDice, 440, 3000, 10)
	if most > 800 {
		t.Errorf("a bout took %d dice, the rulings say at most some 750", most)
	}
}

// TestRS40_AliAgainstBobick, with uniform weights and with the default ones.
func TestRS40_AliAgainstBobick(t *testing.T) {
	const bouts = 10_000
	a, b := ali().Fighter, bobick().Fighter
	for name, plans := range map[string][2]Plan{"uniform": uniform(), "by ratings": byRatings(a, b)} {
		var wins, rounds mean
		seed := dice.Seed{41}
		for i := range bouts {
			f, err := Begin(StandardTerms(10), [2]Corner{{Fighter: a}, {Fighter: b}})
			if err != nil {
				t.Fatal(err)
			}
			f.Box(10, plans, seed.Stream("bout", fmt.Sprint(i)), nil)
			wins.add(one0(f.Result.Winner == First))
			rounds.add(float64(f.Result.Round))
		}
		near(t, "Ali wins, "+name, &wins, 0.96, 2000, 0.01)
		if name == "uniform" {
			near(t, "rounds", &rounds, 3.85, 2000, 0.01)
		}
	}
}

// counter counts dice.
type counter struct {
	Stream interface{ Uniform(int) int }
	n      int
}

func (c *counter) Uniform(n int) int {
	c.n++
	return c.Stream.Uniform(n)
}

// TestRS01_ShareOnTheRopes: what the ring's default size was chosen by.
func TestRS01_ShareOnTheRopes(t *testing.T) {
	for size, want := range map[int]struct{ ropes, pinned [2]float64 }{
		6:  {[2]float64{0.20, 0.34}, [2]float64{0.05, 0.08}},
		8:  {[2]float64{0.10, 0.19}, [2]float64{0.02, 0.04}},
		10: {[2]float64{0.05, 0.11}, [2]float64{0.01, 0.03}},
	} {
		var ropes, pinned mean
		for i := range 1500 {
			seed := dice.Seed{byte(size)}
			roll := seed.Stream("fighters", fmt.Sprint(i))
			terms := StandardTerms(10)
			terms.Ring = size
			b, err := Begin(terms, [2]Corner{{Fighter: Roll(roll)}, {Fighter: Roll(roll)}})
			if err != nil {
				t.Fatal(err)
			}
			var log Log
			b.Box(10, uniform(), seed.Stream("bout", fmt.Sprint(i)), &log)
			j := newJudge(b)
			for _, e := range log {
				if err := j.step(e); err != nil {
					t.Fatal(err)
				}
				if e.Kind == TurnBegins {
					ropes.add(one0(j.ropes(e.By.Other())))
					pinned.add(one0(j.pinned[e.By.Other()]))
				}
			}
		}
		in := func(what string, got float64, bounds [2]float64) {
			if got < bounds[0] || got > bounds[1] {
				t.Errorf("in a ring of %d, %s: %.3f, want %v", size, what, got, bounds)
			}
		}
		in("on the ropes", ropes.value(), want.ropes)
		in("pinned", pinned.value(), want.pinned)
	}
}

// TestG1_Golden pins the order of dice: Ali against Bobick from a known seed, as in
// testdata/ringside. With UPDATE set it writes the file anew.
func TestG1_Golden(t *testing.T) {
	b, err := Begin(StandardTerms(10), [2]Corner{{Fighter: ali().Fighter}, {Fighter: bobick().Fighter}})
	if err != nil {
		t.Fatal(err)
	}
	seed := dice.Seed{1, 9, 7, 8}
	plans := [2]Plan{
		&erratic{dice: seed.Stream("plan", "1"), eager: 30, rounds: map[int]Mix{}},
		&erratic{dice: seed.Stream("plan", "2"), eager: 30, rounds: map[int]Mix{}},
	}
	var log Log
	b.Box(10, plans, seed.Stream("bout", "b1"), &log)
	text, err := log.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.NewReplacer(" T", "\nT", " R", "\n\nR", " L", "\nL", " W", "\nW").Replace(string(text)) + "\n"
	file := filepath.Join("..", "..", "..", "..", "testdata", "ringside", "ali-bobick.txt")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the bout is another:\n%s", got)
	}
}

// TestEveryRulingHasATest: RS-1 to RS-40 each by name.
func TestEveryRulingHasATest(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no tests", err)
	}
	all := ""
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	for n := 1; n <= 40; n++ {
		if !strings.Contains(all, fmt.Sprintf("\nfunc TestRS%02d_", n)) {
			t.Errorf("ruling RS-%d has no test", n)
		}
	}
}

func TestRSC01_Roll(t *testing.T) {
	seed := dice.Seed{2}
	var fours mean
	for i := range 5000 {
		f := Roll(seed.Stream("roll", fmt.Sprint(i)))
		if f.Check() != nil || f.Agility < 41 || f.Agility > 60 || f.Counter < 11 || f.Counter > 30 || f.Endurance < 1 || f.Endurance > 20 {
			t.Fatalf("rolled %+v", f)
		}
		for _, n := range f.Punches {
			if n < 1 || n > 4 {
				t.Fatalf("rolled %+v", f)
			}
			fours.add(one0(n == 4))
		}
	}
	near(t, "punches of 4", &fours, 1.0/16, math.Inf(1), 0)
	s := &script{t: t, throws: []int{20, 1, 2, 3, 4, 4, 4, 1, 1, 20, 1}}
	want := Fighter{Agility: 60, Punches: [Punches]int{1, 2, 3, 4, 1, 1}, Endurance: 20, Counter: 11}
	check(t, "rolled", Roll(s), want)
}

func TestABoutAllocatesNextToNothing(t *testing.T) {
	plans := uniform()
	stream := dice.Seed{3}.Stream("bout", "b1")
	terms, corners := StandardTerms(10), [2]Corner{{Fighter: ali().Fighter}, {Fighter: ali().Fighter}}
	n := testing.AllocsPerRun(100, func() {
		b, err := Begin(terms, corners)
		if err != nil {
			t.Fatal(err)
		}
		b.Box(10, plans, stream, nil)
	})
	if n > 3 { // the bout, its cards, the machine
		t.Errorf("a bout allocates %v times", n)
	}
}

// BenchmarkBox fights ten rounds between fighters as they are rolled.
func BenchmarkBox(b *testing.B) {
	seed := dice.Seed{40}
	for _, told := range []bool{false, true} {
		b.Run(map[bool]string{false: "quiet", true: "told"}[told], func(b *testing.B) {
			b.ReportAllocs()
			roll := seed.Stream("fighters", "")
			plans := uniform()
			var corners [512][2]Corner
			for i := range corners {
				corners[i] = [2]Corner{{Fighter: Roll(roll)}, {Fighter: Roll(roll)}}
			}
			i := 0
			for b.Loop() {
				f, err := Begin(StandardTerms(10), corners[i%len(corners)])
				if err != nil {
					b.Fatal(err)
				}
				var log *Log
				if told {
					log = new(Log)
				}
				f.Box(10, plans, seed.Stream("bout", fmt.Sprint(i)), log)
				i++
			}
		})
	}
}
