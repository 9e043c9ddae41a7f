package bout

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRS37_Endurance(t *testing.T) {
	f := Fighter{Agility: 50, Punches: [Punches]int{1, 1, 1, 1, 1, 1}, Endurance: 12}
	for _, tt := range []struct{ rounds, carried, want int }{{10, 0, 82}, {15, 0, 117}, {1, 0, 19}, {10, 30, 52}, {3, 32, 1}} {
		b, err := Begin(StandardTerms(tt.rounds), [2]Corner{{Fighter: f}, {Fighter: f, Carried: tt.carried}})
		if err != nil {
			t.Fatal(err)
		}
		check(t, fmt.Sprintf("start of %d rounds, %d carried over", tt.rounds, tt.carried), b.Endurance[Second], tt.want)
	}
	if _, err := Begin(StandardTerms(3), [2]Corner{{Fighter: f}, {Fighter: f, Carried: 33}}); err == nil { // RSC-18
		t.Error("a fighter with endurance 0 gets a licence")
	}

	s := newStage(t)
	s.side[First].endurance, s.side[Second].endurance = 75, -24
	s.endRound()
	s.tells("L1.0.0 Z80.-14") // to the start's 80 at most
	// After the last bell nobody rests.
	s.round, s.bout.Cards = 10, make([]Card, 9)
	s.side[First].endurance = 40
	s.endRound()
	s.tells("L10.0.0 W0.3")
	check(t, "endurance at the end", s.side[First].endurance, 40)
}

// TestRS37_CarriedOverIsACeiling: what was lost before the bout cannot be rested.
func TestRS37_CarriedOverIsACeiling(t *testing.T) {
	f := Fighter{Agility: 99, Punches: [Punches]int{1, 1, 1, 1, 1, 1}, Endurance: 10}
	b, err := Begin(StandardTerms(3), [2]Corner{{Fighter: f, Carried: 20}, {Fighter: f}})
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t)
	m := newMachine(b, [2]Plan{s.plans[0], s.plans[1]}, s.cast, nil)
	m.beginRound()
	m.side[First].endurance = 9
	m.endRound()
	check(t, "endurance after a rest", m.side[First].endurance, 11)
}

func TestRS38_RoundScore(t *testing.T) {
	for _, tt := range []struct {
		caused, want [2]int
	}{{[2]int{5, 4}, [2]int{1, 0}}, {[2]int{4, 5}, [2]int{0, 1}}, {[2]int{5, 5}, [2]int{0, 0}}, {[2]int{}, [2]int{}}} {
		check(t, fmt.Sprint("points for ", tt.caused), ByRounds.score(tt.caused), tt.want)
	}

	// A punch that knocks down counts double, for this only.
	s := newStage(t)
	s.side[First].ratings[Uppercut] = 5
	s.play(First, hits, one, one, 4, 1)
	check(t, "score", s.card.Score, [2]int{8, 0})
	check(t, "damage", s.card.Damage, [2]int{4, 0})
	check(t, "endurance", s.side[Second].endurance, 76)
	// Fatigue is nobody's damage.
	s.card.Hits[First] = 5
	s.play(First, hits, one, one, no, no)
	check(t, "endurance", s.side[First].endurance, 79)
	check(t, "score of the other", s.card.Score[Second], 0)
}

func TestRS39_Must(t *testing.T) {
	for _, tt := range []struct{ ahead, ten, five int }{
		{0, 10, 5}, {1, 10, 5}, {2, 9, 4}, {20, 9, 4}, {21, 8, 3}, {40, 8, 3}, {41, 7, 2}, {60, 7, 2}, {61, 6, 1}, {200, 6, 1},
	} {
		name := fmt.Sprintf("points when %d behind", tt.ahead)
		check(t, name, TenPoint.score([2]int{tt.ahead + 7, 7}), [2]int{10, tt.ten})
		check(t, name, TenPoint.score([2]int{7, tt.ahead + 7}), [2]int{tt.ten, 10})
		check(t, name, FivePoint.score([2]int{tt.ahead + 7, 7}), [2]int{5, tt.five})
	}
}

func TestDecisions(t *testing.T) {
	cards := func(s Scoring, caused ...[2]int) *Bout {
		b := &Bout{Terms: Terms{Scoring: s}}
		for _, c := range caused {
			b.Cards = append(b.Cards, Card{Points: s.score(c)})
		}
		b.decide(18)
		return b
	}
	first, second := Result{Decision, First, 3, 18}, Result{Decision, Second, 3, 18}
	draw := Result{Draw, Neither, 3, 18}
	for _, tt := range []struct {
		name   string
		caused [][2]int
		want   map[Scoring]Result
	}{
		{"two rounds to one", [][2]int{{5, 4}, {5, 4}, {4, 5}}, map[Scoring]Result{ByRounds: first, TenPoint: draw, FivePoint: draw}},
		{"one far against two by little", [][2]int{{50, 9}, {4, 6}, {4, 6}}, map[Scoring]Result{ByRounds: second, TenPoint: first, FivePoint: first}},
		{"one each and an even one", [][2]int{{9, 4}, {4, 9}, {4, 4}}, map[Scoring]Result{ByRounds: draw, TenPoint: draw, FivePoint: draw}},
		{"even ones and one", [][2]int{{4, 4}, {4, 9}, {4, 4}}, map[Scoring]Result{ByRounds: second, TenPoint: second, FivePoint: second}},
	} {
		for s, want := range tt.want {
			check(t, tt.name+" by "+string(s), cards(s, tt.caused...).Result, want)
		}
	}
}

func TestBeginRefuses(t *testing.T) {
	good := Fighter{Agility: 50, Punches: [Punches]int{1, 1, 1, 1, 1, 1}, Counter: 20, Endurance: 5}
	for _, tt := range []struct {
		name   string
		change func(*Terms, *Corner)
		want   string
	}{
		{"no rounds", func(t *Terms, _ *Corner) { t.Rounds = 0 }, "0 rounds: want 1 to 15"},
		{"sixteen rounds", func(t *Terms, _ *Corner) { t.Rounds = 16 }, "16 rounds: want 1 to 15"},
		{"an unknown scoring", func(t *Terms, _ *Corner) { t.Scoring = "7" }, `scoring "7": want rounds, 10 or 5`},
		{"no chart", func(t *Terms, _ *Corner) { t.Chart = Chart{} }, "there is no punching chart: take the standard one"},
		{"a chart that heals", func(t *Terms, _ *Corner) { t.Chart.Cells[2][3] = -2 }, "a chart with -2 in a cell: want -1 to 9"},
		{"no agility", func(_ *Terms, c *Corner) { c.Agility = 0 }, "fighter 2: agility 0: want 1 to 99"},
		{"a punch too strong", func(_ *Terms, c *Corner) { c.Punches[LeftJab] = 10 }, "fighter 2: LJ 10: want 1 to 9"},
		{"a counterpunch too good", func(_ *Terms, c *Corner) { c.Counter = 100 }, "fighter 2: counterpunch 100: want 0 to 99"},
		{"negative endurance", func(_ *Terms, c *Corner) { c.Fighter.Endurance = -1 }, "fighter 2: endurance -1: want 0 to 99"},
		{"negative damage carried over", func(_ *Terms, c *Corner) { c.Carried = -1 }, "fighter 2 would start with endurance 76, -1 carried over"},
	} {
		terms, c := StandardTerms(10), Corner{Fighter: good}
		tt.change(&terms, &c)
		_, err := Begin(terms, [2]Corner{{Fighter: good}, c})
		if diff := cmp.Diff("beginning a bout: "+tt.want, fmt.Sprint(err)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
