package bout

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ringpost/internal/dice"
	"ringpost/internal/game"
)

// erratic is a plan that chooses by dice of its own, legal tactics and others.
type erratic struct {
	dice   game.Stream
	eager  int // how many of a hundred times it declares something
	rounds map[int]Mix
}

func (p *erratic) Mix(round int) Mix {
	if m, ok := p.rounds[round]; ok {
		return m
	}
	var m Mix
	for i := range m.Punch {
		m.Punch[i] = uint8(p.dice.Uniform(MaxWeight+1) - 1)
		m.Expect[i] = uint8(p.dice.Uniform(MaxWeight+1) - 1)
	}
	m.Defence, m.Attack = DefenceFeet(p.dice.Uniform(3)-1), AttackFeet(p.dice.Uniform(3)-1)
	p.rounds[round] = m
	return m
}

func (p *erratic) Tactic(Role, *Situation, Tactics) Tactic {
	if p.dice.Uniform(100) > p.eager {
		return Open
	}
	return Tactic(p.dice.Uniform(5) - 1)
}

func (p *erratic) Counter(*Situation) bool { return p.dice.Uniform(100) > p.eager/2 }

// thrown notes what a stream throws.
type thrown struct {
	game.Stream
	dice []int
}

func (s *thrown) Uniform(n int) int {
	got := s.Stream.Uniform(n)
	s.dice = append(s.dice, got)
	return got
}

// match is a bout with all that decides it.
type match struct {
	terms   Terms
	corners [2]Corner
	seed    dice.Seed
	eager   [2]int
}

func matches() *rapid.Generator[match] {
	return rapid.Custom(func(t *rapid.T) match {
		m := match{
			terms: Terms{
				Ring:     rapid.SampledFrom([]int{6, 8, 10}).Draw(t, "ring"),
				Rounds:   rapid.IntRange(1, MaxRounds).Draw(t, "rounds"),
				Scoring:  rapid.SampledFrom([]Scoring{ByRounds, TenPoint, FivePoint}).Draw(t, "scoring"),
				Advanced: rapid.Bool().Draw(t, "advanced"),
				Chart:    StandardChart(),
			},
			seed: dice.Seed{byte(rapid.IntRange(0, 255).Draw(t, "seed")), byte(rapid.IntRange(0, 255).Draw(t, "seed"))},
		}
		for i := range m.corners {
			c := &m.corners[i]
			c.Fighter = Roll(m.seed.Stream("roll", fmt.Sprint(i)))
			if rapid.Bool().Draw(t, "any ratings") {
				c.Agility = rapid.IntRange(1, 99).Draw(t, "agility")
				c.Counter = rapid.IntRange(0, 99).Draw(t, "counterpunch")
				c.Endurance = rapid.IntRange(0, 40).Draw(t, "endurance")
				for p := range c.Punches {
					c.Punches[p] = rapid.IntRange(1, 9).Draw(t, "punch")
				}
			}
			c.Carried = rapid.IntRange(0, c.Endurance+7*m.terms.Rounds-1).Draw(t, "carried")
			if rapid.Bool().Draw(t, "fresh") {
				c.Carried = 0
			}
			m.eager[i] = rapid.SampledFrom([]int{0, 10, 50, 100}).Draw(t, "eager")
		}
		return m
	})
}

// plans makes the plans of a match; the same ones each time.
func (m match) plans() [2]Plan {
	var p [2]Plan
	for i := range p {
		p[i] = &erratic{dice: m.seed.Stream("plan", fmt.Sprint(i)), eager: m.eager[i], rounds: map[int]Mix{}}
	}
	return p
}

func (m match) begin(t *rapid.T) *Bout {
	b, err := Begin(m.terms, m.corners)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (m match) stream() game.Stream { return m.seed.Stream("bout", "b1") }

// TestEveryStepKeepsTheRules: the judge agrees with each step of random bouts, and
// every die that was thrown stands in the log, in its order.
func TestEveryStepKeepsTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := matches().Draw(t, "match")
		b := m.begin(t)
		var log Log
		dice := &thrown{Stream: m.stream()}
		b.Box(m.terms.Rounds, m.plans(), dice, &log)
		j := newJudge(b)
		if err := j.follow(log); err != nil {
			t.Fatal(err)
		}
		switch {
		case !b.Over() || j.result != b.Result:
			t.Fatalf("it ended with %+v, the log says %+v", b.Result, j.result)
		case j.end != b.Endurance:
			t.Fatalf("endurance %v, the log says %v", b.Endurance, j.end)
		case j.points != b.Points():
			t.Fatalf("points %v, the log says %v", b.Points(), j.points)
		case !slices.Equal(j.dice, dice.dice):
			t.Fatalf("thrown were %v, the log has %v", dice.dice, j.dice)
		case b.Result.Method == TKO && b.Endurance[b.Result.Winner.Other()] > -25:
			t.Fatalf("stopped with endurance %d", b.Endurance[b.Result.Winner.Other()])
		case b.Result.Method != TKO && min(b.Endurance[0], b.Endurance[1]) <= -25:
			t.Fatalf("on with endurance %v", b.Endurance)
		}
		checkCards(t, b, log)
	})
}

// checkCards holds the scorecards to the log.
func checkCards(t *rapid.T, b *Bout, log Log) {
	var cards []Card
	down := -1
	for _, e := range log {
		switch c := len(cards) - 1; e.Kind {
		case RoundBegins:
			cards = append(cards, Card{})
		case Blow:
			cards[c].Hits[e.By]++
			cards[c].Damage[e.By] += int(e.N)
			cards[c].Score[e.By] += int(e.N)
			down = int(e.N)
		case Counterpunch:
			if e.Die > e.Need {
				cards[c].Counters[e.By]++
			}
		case Count:
			if e.N < 10 {
				cards[c].Downs[e.By]++
				cards[c].Score[e.By] += down
			}
		case Bell:
			cards[c].Points = b.Terms.Scoring.score(cards[c].Score)
		}
	}
	if diff := cmp.Diff(cards, b.Cards); diff != "" {
		t.Fatalf("the cards differ from the log:\n%s", diff)
	}
	for _, s := range []Side{First, Second} {
		n := 0
		for _, c := range cards {
			n += c.Downs[s]
		}
		if b.Downs(s) != n {
			t.Fatalf("knockdowns %d, want %d", b.Downs(s), n)
		}
	}
}

// TestTheSameSeedGivesTheSameBout, told or not, at once or in parts, stored between
// or not.
func TestTheSameSeedGivesTheSameBout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := matches().Draw(t, "match")
		var log, parts Log
		whole, quiet, bit := m.begin(t), m.begin(t), m.begin(t)
		whole.Box(m.terms.Rounds, m.plans(), m.stream(), &log)
		quiet.Box(m.terms.Rounds, m.plans(), m.stream(), nil)
		if diff := cmp.Diff(whole, quiet); diff != "" {
			t.Fatalf("untold it is another bout:\n%s", diff)
		}
		plans, stream := m.plans(), m.stream()
		for !bit.Over() {
			bit.Box(rapid.IntRange(1, 4).Draw(t, "rounds"), plans, stream, &parts)
			stored, err := json.Marshal(bit)
			if err != nil {
				t.Fatal(err)
			}
			bit = &Bout{}
			if err := json.Unmarshal(stored, bit); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(whole, bit); diff != "" {
			t.Fatalf("in parts it is another bout:\n%s", diff)
		}
		if !slices.Equal(log, parts) {
			t.Fatalf("in parts it is told otherwise:\n%s", cmp.Diff(log, parts))
		}
		// Once it is over, nothing more happens.
		bit.Box(3, plans, stream, &parts)
		if diff := cmp.Diff(whole, bit); diff != "" || len(parts) != len(log) {
			t.Fatalf("it went on after the end:\n%s", diff)
		}
		text, err := log.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back Log
		if err := back.UnmarshalText(text); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(log, back) {
			t.Fatalf("written and read again it is another log:\n%s", cmp.Diff(log, back))
		}
	})
}

// TestABoutEnds, with fighters who hardly miss, hardly hurt and always counter.
func TestABoutEnds(t *testing.T) {
	f := Fighter{Agility: 1, Punches: [Punches]int{1, 1, 1, 1, 1, 1}, Counter: 99, Endurance: 99}
	b, err := Begin(StandardTerms(MaxRounds), [2]Corner{{Fighter: f}, {Fighter: f}})
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t)
	dice := &thrown{Stream: dice.Seed{1}.Stream("bout", "long")}
	b.Box(MaxRounds, [2]Plan{s.plans[0], s.plans[1]}, dice, nil)
	if !b.Over() || len(dice.dice) > 100_000 {
		t.Errorf("%+v after %d dice", b.Result, len(dice.dice))
	}
}

func FuzzLog(f *testing.F) {
	f.Add("R1 I2.30.70 T2.1 D1.4 A2.41.40 B2.UC.CO.1.2.8.-2 F2.6.50 K2.18.18 C2.3.7 S1.20.20 N1 P1.60.50 E1 M1.33.44.0 X1 Y1 L1.5.4 Z80.75 W0.3")
	f.Add("B1.UC.UC.1.1.1")
	f.Add("M1.3a.44.0 Q1")
	f.Fuzz(func(t *testing.T, s string) {
		var log, again Log
		if err := log.UnmarshalText([]byte(s)); err != nil {
			return
		}
		text, err := log.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalText(text); err != nil {
			t.Fatalf("%q is written as %q: %v", s, text, err)
		}
		if diff := cmp.Diff(log, again); diff != "" {
			t.Errorf("%q is written as %q, which is another log:\n%s", s, text, diff)
		}
	})
}

func TestReadingALogNamesTheEvent(t *testing.T) {
	for text, want := range map[string]string{
		"R1 Q1":              `reading a bout's log: event 2, "Q1": no kind has the letter Q`,
		"R1 I3.1.1":          `reading a bout's log: event 2, "I3.1.1": "3" is not a number from 0 to 2`,
		"R":                  `reading a bout's log: event 1, "R": "" is not a number from -1000 to 1000`,
		"R1.2":               `reading a bout's log: event 1, "R1.2": "2" is too much`,
		"B1.XX.UC.1.1.1.1":   `reading a bout's log: event 1, "B1.XX.UC.1.1.1.1": "XX" is no punch`,
		"M1.33.4x.0":         `reading a bout's log: event 1, "M1.33.4x.0": "4x" is no square`,
		"D1.0":               `reading a bout's log: event 1, "D1.0": "0" is not a number from 1 to 4`,
		"R1 R2 R3 A1.50.x":   `reading a bout's log: event 4, "A1.50.x": "x" is not a number from -1000 to 1000`,
		"T1.99999999999 R1":  `reading a bout's log: event 1, "T1.99999999999": "99999999999" is not a number from -1000 to 1000`,
		"I1.1.1 F1.6.5.4 R1": `reading a bout's log: event 2, "F1.6.5.4": "4" is too much`,
	} {
		if err := new(Log).UnmarshalText([]byte(text)); fmt.Sprint(err) != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
