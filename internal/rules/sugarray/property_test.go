package sugarray

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ringpost/internal/dice"
	"ringpost/internal/game"
)

// states draws a league in any state it can come into: played for some rounds,
// people coming and going.
func states(t *rapid.T, tb testing.TB) *league {
	settings := game.Settings{
		keySeason:           fmt.Sprint(rapid.IntRange(1, 6).Draw(t, "season")),
		keyNMRLimit:         fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "limit")),
		keyChampionTraining: rapid.SampledFrom([]string{"start", "end"}).Draw(t, "ban"),
	}
	l := newLeague(tb, rapid.IntRange(2, 24).Draw(t, "boxers"), byte(rapid.IntRange(0, 255).Draw(t, "seed")), settings)
	l.play(tb, rapid.IntRange(0, 12).Draw(t, "rounds"), rapid.Bool().Draw(t, "traffic"))
	return l
}

// TestRoundKeepsItsPromises closes rounds of all kinds of leagues.
func TestRoundKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := states(r, t)
		in := l.inputs(rapid.Bool().Draw(r, "more traffic"))
		before, orders := encode(t, l.state), encode(t, in)
		st := l.close(t, in)

		if encode(t, st.Before) != before || encode(t, in) != orders {
			r.Fatal("closing changed its input")
		}
		again, events, err := New().Advance(st.Before, in, l.dice(st.Round))
		if err != nil {
			r.Fatal(err)
		}
		if encode(t, again) != encode(t, st.After) || encode(t, events) != encode(t, st.Events) {
			r.Fatal("the same close twice differs")
		}
		for _, err := range []error{
			checkState(st.After), checkCard(st.After), checkTransfers(st), checkReplay(st), checkDice(st, l.dice(st.Round)), checkStored(st.After),
		} {
			if err != nil {
				r.Fatal(err)
			}
		}
	})
}

func checkState(s State) error {
	champions := 0
	for _, b := range s.Boxers {
		switch {
		case b.Technique < 0 || b.Condition < 1: // SR-10
			return fmt.Errorf("%s has (%d,%d)", b.Name, b.Technique, b.Condition)
		case b.League == NoLeague && b.Seat != s.Title.Champion:
			return fmt.Errorf("%s stands above the leagues without a title", b.Name)
		case b.League < NoLeague || b.League > BottomLeague:
			return fmt.Errorf("%s is in league %d", b.Name, b.League)
		case len(b.Past) > PastFights:
			return fmt.Errorf("%s remembers %d fights", b.Name, len(b.Past))
		}
		if b.League == NoLeague {
			champions++
		}
	}
	if s.Title.Champion != "" && champions != 1 || champions > 1 {
		return fmt.Errorf("%d champions, the title with %q", champions, s.Title.Champion)
	}
	return nil
}

// checkStored: a state comes back from its JSON as it was.
func checkStored(s State) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	var back State
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&back); err != nil {
		return err
	}
	if diff := cmp.Diff(s, back); diff != "" {
		return fmt.Errorf("stored and read again:\n%s", diff)
	}
	return nil
}

// checkCard: a perfect matching. Everybody boxes once, in his league, against a
// dummy only where a league is odd; challengers are not in league 1's draw.
func checkCard(s State) error {
	bouts := map[game.SeatID]int{}
	dummies, sizes := map[int]int{}, map[int]int{}
	for i, p := range s.Card.Bouts {
		if p.League == NoLeague && (i > 0 || p.B == "") {
			return fmt.Errorf("a title bout in place %d: %+v", i, p)
		}
		for _, seat := range []game.SeatID{p.A, p.B} {
			if seat == "" {
				dummies[p.League]++
				continue
			}
			b, ok := s.boxer(seat)
			if !ok {
				return fmt.Errorf("%s boxes and is not in the game", seat)
			}
			if bouts[seat]++; bouts[seat] > 1 {
				return fmt.Errorf("%s boxes twice", b.Name)
			}
			if p.League == NoLeague {
				if b.League > TopLeague {
					return fmt.Errorf("%s of league %d boxes for the title", b.Name, b.League)
				}
				continue
			}
			if sizes[p.League]++; b.League != p.League {
				return fmt.Errorf("%s of league %d boxes in league %d", b.Name, b.League, p.League)
			}
		}
	}
	for _, b := range s.Boxers {
		if idle := s.Card.Idle && b.Seat == s.Title.Champion; (bouts[b.Seat] == 0) != idle {
			return fmt.Errorf("%s has %d bouts", b.Name, bouts[b.Seat])
		}
	}
	for league, n := range sizes {
		if dummies[league] != n%2 {
			return fmt.Errorf("league %d has %d boxers and %d dummies", league, n, dummies[league])
		}
	}
	return nil
}

// checkTransfers: what a winner gains the loser gives, unless he had nothing or
// is a dummy.
func checkTransfers(st step) error {
	paid := map[game.SeatID]Transfer{}
	for _, e := range st.Events {
		if e.Code == EventTransfer {
			paid[e.Data.Seat] = *e.Data.Transfer
		}
	}
	for _, e := range st.Events {
		f := e.Data.Fight
		if f == nil || f.First.Seat == "" || f.Second.Seat == "" {
			continue
		}
		won, lost := paid[f.First.Seat], paid[f.Second.Seat]
		switch {
		case f.Code == CodeDraw:
			if won != (Transfer{}) || lost != (Transfer{}) {
				return fmt.Errorf("a draw paid %+v and %+v", won, lost)
			}
		case f.Code == CodeKO:
			if won != (Transfer{Technique: 1}) || lost.Technique != -1 && f.Second.Technique > 0 || lost.Condition != 0 {
				return fmt.Errorf("a knock-out paid %+v and %+v", won, lost)
			}
		default:
			if won != (Transfer{Condition: 1}) || lost.Condition != -1 && f.Second.Condition > 1 || lost.Technique != 0 {
				return fmt.Errorf("a win on points paid %+v and %+v", won, lost)
			}
		}
	}
	return nil
}

// checkReplay: the events alone tell how every boxer got from before to after.
func checkReplay(st step) error {
	for _, b := range st.After.Boxers {
		v := b.values()
		from, ok := st.Before.boxer(b.Seat)
		if ok {
			v = from.values()
		}
		for _, e := range st.Events {
			if e.Data.Seat == b.Seat {
				if e.Code == EventJoined {
					v = Values(*e.Data.Entry)
				}
				v.apply(e)
			}
		}
		if v != b.values() {
			return fmt.Errorf("%s is %+v, his events say %+v", b.Name, b.values(), v)
		}
	}
	return nil
}

// checkDice: whoever knows the seed throws the same dice as the events tell,
// from the streams that the package comment names.
func checkDice(st step, d game.Dice) error {
	for _, lot := range NewExport(st).Lots {
		if len(lot.Dice) == 0 {
			continue
		}
		purpose, subject := lot.Stream, ""
		if i := len("dummy/"); len(lot.Stream) > i && lot.Stream[:i] == "dummy/" {
			purpose, subject = "dummy", lot.Stream[i:]
		} else if i := len("draw/"); len(lot.Stream) > i && lot.Stream[:i] == "draw/" {
			purpose, subject = "draw", lot.Stream[i:]
		}
		s := &thrown{dice: d, purpose: fmt.Sprintf("sugarray/%d/%s", st.Round, purpose), subject: subject}
		switch purpose {
		case "dummy":
			for _, e := range st.Events {
				if f := e.Data.Fight; f != nil && f.First.Seat+f.Second.Seat == game.SeatID(subject) {
					dummyOrders(f.First.Technique, s)
				}
			}
		case "draw":
			game.Shuffle(s, slices.Clone(lot.Order))
		default:
			continue // a lot's sides are not told: equals of league 1
		}
		if !slices.Equal(s.throws, lot.Dice) {
			return fmt.Errorf("%s threw %v, told are %v", lot.Stream, s.throws, lot.Dice)
		}
	}
	for _, b := range NewExport(st).Boxers {
		if b.Die == 0 {
			continue
		}
		if die := d.Stream(fmt.Sprintf("sugarray/%d/training", st.Round), string(b.Seat)).Uniform(5); die != b.Die {
			return fmt.Errorf("%s trained with a %d, told is %d", b.Name, die, b.Die)
		}
	}
	return nil
}

// TestNamesChangeNothing: other names give the same round but for the names,
// what is sorted by them, and the movements shown, which follow the sorting.
func TestNamesChangeNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := states(r, t)
		in := l.inputs(true)
		one := l.close(t, in)
		renamed := one.Before.clone()
		for i := range renamed.Boxers {
			renamed.Boxers[i].Name = fmt.Sprintf("%c%d", 'Z'-rune(i%20), i)
		}
		after, _, err := New().Advance(renamed, in, l.dice(one.Round))
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(nameless(one.After), nameless(after)); diff != "" {
			r.Fatal(diff)
		}
	})
}

func nameless(s State) State {
	s = s.clone()
	for i := range s.Boxers {
		b := &s.Boxers[i]
		b.Name, b.LastPlace, b.SeasonPlace = "", 0, 0
		b.Past = slices.Clone(b.Past)
		for j := range b.Past {
			b.Past[j].Opponent = ""
		}
	}
	return s
}

// TestOneMoreBoxerMovesNoOtherDie: a newcomer changes nothing in the fights and
// training of the round in which he enters (G-1).
func TestOneMoreBoxerMovesNoOtherDie(t *testing.T) {
	l := newLeague(t, 11, 8, nil)
	l.play(t, 6, false)
	in := l.inputs(false)
	alone := l.close(t, in)
	in.Joins = []game.Seat{{ID: "s99", Name: "Neuling"}}
	_, events, err := New().Advance(alone.Before, in, l.dice(alone.Round))
	if err != nil {
		t.Fatal(err)
	}
	told := func(events []event) (out []event) {
		for _, e := range events {
			if e.Code == EventFight || e.Code == EventTraining || e.Code == EventTransfer || e.Code == EventMove {
				out = append(out, e)
			}
		}
		return out
	}
	if diff := cmp.Diff(told(alone.Events), told(events)); diff != "" {
		t.Error(diff)
	}
}

// TestSoak plays ten years of a league of thirty, and its state stays as large
// as its boxers are many.
func TestSoak(t *testing.T) {
	l := newLeague(t, 30, 9, game.Settings{keyNMRLimit: "2"})
	for range 200 {
		st := l.close(t, l.inputs(true))
		l.steps = nil
		for _, err := range []error{checkState(st.After), checkCard(st.After), checkReplay(st)} {
			if err != nil {
				t.Fatalf("round %d: %v", st.Round, err)
			}
		}
		if size := len(encode(t, st.After)); size > 1600*len(st.After.Boxers)+500 {
			t.Fatalf("round %d: a state of %d bytes for %d boxers", st.Round, size, len(st.After.Boxers))
		}
	}
	if l.state.Round != 201 || len(l.state.Boxers) == 0 {
		t.Fatalf("round %d, %d boxers", l.state.Round, len(l.state.Boxers))
	}
}

// TestSR31HowTheDummyFights: the shares that the ruling gives for (10,20), each
// of 5,000 fights, within three standard errors; and never more than one point
// of condition lost to fatigue.
func TestSR31HowTheDummyFights(t *testing.T) {
	const fights = 5000
	shares := func(orders [BoxingRounds]Pair) (points, ko, lost float64) {
		seed := dice.Seed{31}
		for i := range fights {
			dummy := Corner{10, 20, dummyOrders(10, seed.Stream("sugarray/1/dummy", fmt.Sprint(i)))}
			for _, p := range dummy.Orders {
				if f := Fatigue(p, 10); f > 4 || Loss(f) > 1 {
					t.Fatalf("the dummy tires by %d with %v", f, p)
				}
			}
			b := Box(dummy, Corner{10, 20, orders})
			switch {
			case b.Outcome == FirstWins && b.KO:
				ko++
			case b.Outcome == FirstWins:
				points++
			case b.Outcome == SecondWins:
				lost++
			}
		}
		return points / fights, ko / fights, lost / fights
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if sigma := math.Sqrt(want * (1 - want) / fights); math.Abs(got-want) > 3*sigma+0.005 { // the ruling rounds
			t.Errorf("%s: %.3f, the ruling says %.2f", what, got, want)
		}
	}
	points, ko, _ := shares([BoxingRounds]Pair{})
	near("on points over an NMR", points, 0.56)
	near("by knock-out over an NMR", ko, 0.44)
	points, ko, lost := shares(pairs(t, "2/2 2/2 2/2 2/2 2/2"))
	near("over a steady 2/2", points+ko, 0.31)
	near("beaten by a steady 2/2", lost, 0.57)
}
