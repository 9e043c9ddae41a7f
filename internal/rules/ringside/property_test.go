package ringside

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/audit"
	"ringpost/internal/rules/ringside/bout"
)

// campaigns draws a campaign in any state it can come into: played for some turns,
// people coming and going.
func campaigns(t *rapid.T, tb testing.TB) *campaign {
	onOff := func(key string) string { return rapid.SampledFrom([]string{"on", "off"}).Draw(t, key) }
	settings := game.Settings{
		keyStable:   fmt.Sprint(rapid.IntRange(1, 5).Draw(t, "stable")),
		keyDefence:  fmt.Sprint(rapid.IntRange(2, 6).Draw(t, "defence")),
		keyNMRLimit: fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "limit")),
		keyMoney:    fmt.Sprint(rapid.IntRange(0, 500).Draw(t, "money")),
		keyRent:     fmt.Sprint(rapid.IntRange(0, 50).Draw(t, "rent")),
		keyClasses:  rapid.SampledFrom([]string{"heavy", "light", "heavy,middle", "heavy,light-heavy,middle,welter,light"}).Draw(t, "classes"),
		keyFight:    rapid.SampledFrom([]string{"whole", "rounds:1", "rounds:4", "rounds:9"}).Draw(t, "fight mode"),
		keyRematch:  fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "rematch")),
		keyScoring:  rapid.SampledFrom([]string{"rounds", "10", "5"}).Draw(t, "scoring"),
		keySales:    onOff(keySales), keyBets: onOff(keyBets), keyAdvanced: onOff(keyAdvanced),
	}
	c := newCampaign(tb, rapid.IntRange(2, 8).Draw(t, "managers"), byte(rapid.IntRange(0, 255).Draw(t, "seed")), settings)
	c.play(tb, rapid.IntRange(0, 8).Draw(t, "turns"), rapid.Bool().Draw(t, "traffic"))
	return c
}

// TestATurnKeepsItsPromises closes turns of all kinds of campaigns.
func TestATurnKeepsItsPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := campaigns(r, t)
		in := c.inputs(t, rapid.Bool().Draw(r, "more traffic"))
		before, orders := encode(t, c.state), encode(t, in)
		st := c.close(t, in)
		if encode(t, st.Before) != before || encode(t, in) != orders {
			r.Fatal("closing changed its input")
		}
		again, events, err := New().Advance(st.Before, in, c.dice(st.Round))
		if err != nil {
			r.Fatal(err)
		}
		if encode(t, again) != encode(t, st.After) || encode(t, events) != encode(t, st.Events) {
			r.Fatal("the same close twice differs")
		}
		a := audited(c)
		for _, st := range c.steps {
			if err := a.Follow([]byte(encode(t, NewExport(st)))); err != nil {
				r.Fatal(err)
			}
		}
		if err := checkState(st.After); err != nil {
			r.Fatal(err)
		}
	})
}

// audited is an audit of a campaign's public figures.
func audited(c *campaign) *audit.Audit {
	s := c.state.Settings
	return audit.New(audit.Terms{Defence: s.Defence, Rematch: s.Rematch, Parts: s.Parts, Rent: int(s.Rent / 100), Money: int(s.Money / 100)})
}

// checkState: what of a state no figures show is in order, and it comes back from its
// JSON as it was.
func checkState(s State) error {
	if s.Sum() != 0 {
		return fmt.Errorf("the ledgers sum to %d", s.Sum())
	}
	for _, f := range s.Fighters {
		if f.Going != "" || f.Leaving {
			return fmt.Errorf("%s is on his way between two turns", f.Name)
		}
	}
	goOn := 0
	for _, k := range s.Card {
		u, ok := s.unfinished(k.ID)
		if goOn += flag(ok); ok != (k.Fought > 0) || ok && (len(u.Bout.Cards) != k.Fought || u.Bout.Over()) {
			return fmt.Errorf("%s goes on: %v, after %d rounds", k.ID, ok, k.Fought)
		}
	}
	if goOn != len(s.Unfinished) {
		return fmt.Errorf("%d bouts are unfinished, %d on the card", len(s.Unfinished), goOn)
	}
	for _, stake := range s.Stakes {
		if _, ok := s.unfinished(stake.Bout); !ok || s.manager(stake.Seat) < 0 {
			return fmt.Errorf("the stake %+v waits for nothing", stake)
		}
	}
	return checkStored(s)
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
	if again, err := json.Marshal(back); err != nil || !bytes.Equal(again, text) {
		return fmt.Errorf("stored and read again: %v\n%s", err, again)
	}
	return nil
}

// TestNamesChangeNothing: other names give the same turn but for the names.
func TestNamesChangeNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := campaigns(r, t)
		in := c.inputs(t, true)
		one := c.close(t, in)
		renamed := one.Before.clone()
		for i := range renamed.Fighters {
			renamed.Fighters[i].Name = fmt.Sprintf("Boxer %c%d", 'A'+rune(i%20), i)
		}
		for i := range renamed.Managers {
			renamed.Managers[i].Name = fmt.Sprintf("Manager %c%d", 'A'+rune(i%20), i)
		}
		after, _, err := New().Advance(renamed, in, c.dice(one.Round))
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(encode(t, nameless(one.After)), encode(t, nameless(after))); diff != "" {
			r.Fatal(diff)
		}
	})
}

func nameless(s State) State {
	s = s.clone()
	for i := range s.Managers {
		s.Managers[i].Name = ""
	}
	for i := range s.Fighters {
		f := &s.Fighters[i]
		f.Name = ""
		f.Past = slices.Clone(f.Past)
		for j := range f.Past {
			f.Past[j].Opponent = ""
		}
	}
	return s
}

// TestOneMoreManagerMovesNoOtherDie: a newcomer changes nothing in the bouts of the
// turn in which he enters, nor do their order and another's orders (G-1).
func TestOneMoreManagerMovesNoOtherDie(t *testing.T) {
	c := newCampaign(t, 6, 8, everything())
	c.play(t, 6, false)
	in := c.inputs(t, false)
	alone := c.close(t, in)
	in.Joins = []game.Seat{{ID: "s99", Name: "Neuling"}}
	_, events, err := New().Advance(alone.Before, in, c.dice(alone.Round))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(logs(alone.Events), logs(events)); diff != "" || len(logs(events)) < 5 {
		t.Error(diff)
	}
	turned := alone.Before.clone()
	slices.Reverse(turned.Card)
	_, events, err = New().Advance(turned, in, c.dice(alone.Round))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(logs(alone.Events), logs(events)); diff != "" {
		t.Error(diff)
	}
}

// logs are the bouts of a turn, step by step.
func logs(events []event) map[string]string {
	out := map[string]string{}
	for _, e := range events {
		if e.Code == EventLog {
			text, err := e.Data.Log.Log.MarshalText()
			if err != nil {
				panic(err)
			}
			out[e.Data.Log.Bout] = string(text)
		}
	}
	return out
}

// TestSoak plays five years of a campaign of thirty managers and a hundred and
// twenty fighters, from mails, and its state stays as large as these are many.
func TestSoak(t *testing.T) {
	t.Parallel()
	c := newCampaign(t, 30, 9, everything())
	if len(c.state.Fighters) != 120 {
		t.Fatalf("%d fighters", len(c.state.Fighters))
	}
	a := audited(c)
	if err := a.Follow([]byte(encode(t, NewExport(c.steps[0])))); err != nil {
		t.Fatal(err)
	}
	happened := map[string]int{}
	for range 60 {
		st := c.close(t, c.inputs(t, true))
		c.steps = nil
		if err := a.Follow([]byte(encode(t, NewExport(st)))); err != nil {
			t.Fatal(err)
		}
		for _, e := range st.Events {
			happened[e.Code]++
		}
		if size := len(encode(t, st.After)); size > 2500*len(st.After.Fighters)+2000 {
			t.Fatalf("turn %d: a state of %d bytes for %d fighters", st.Round, size, len(st.After.Fighters))
		}
	}
	for _, code := range []string{EventMissed, EventRetired, EventFighter, EventSold, EventOffered, EventJoined, EventBooked, EventChallenge, EventLots,
		EventBout, EventLog, EventPlan, EventCancelled, EventBet, EventTitle, EventLeft, EventCut, EventRefused, EventMoney} {
		if happened[code] == 0 {
			t.Errorf("%s never happened", code)
		}
	}
	if happened[EventBout] < 1500 {
		t.Errorf("%d bouts only", happened[EventBout])
	}
}

// TestTheAuditFindsWhatIsWrong: a figure changed in a turn's summary does not pass.
func TestTheAuditFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := newCampaign(t, 8, 4, everything())
	c.play(t, 12, true)
	last := c.steps[len(c.steps)-1]
	for name, spoil := range map[string]func(*Export){
		"cash":             func(x *Export) { x.Managers[0].Cash++ },
		"the bank":         func(x *Export) { x.Bank-- },
		"POP earned":       func(x *Export) { x.Fighters[3].Earned++ },
		"POP":              func(x *Export) { x.Fighters[3].Pop++ },
		"a rank":           func(x *Export) { x.Fighters[3].Rank++ },
		"a record":         func(x *Export) { x.Fighters[3].Record.Wins++ },
		"a rating":         func(x *Export) { x.Fighters[3].Ratings.Counter++ },
		"a cut":            func(x *Export) { x.Fighters[3].Cut++ },
		"winnings":         func(x *Export) { x.Fighters[3].Purses++ },
		"a manager":        func(x *Export) { x.Fighters[3].Manager = "s77" },
		"a champion":       func(x *Export) { x.Titles[0].Champion = "f77" },
		"a purse":          func(x *Export) { x.Bouts[0].Corners[0].Purse++ },
		"a share of it":    func(x *Export) { x.Bouts[0].Corners[1].Cut-- },
		"a winner":         func(x *Export) { x.Bouts[0].Result.Winner = 1 - x.Bouts[0].Result.Winner },
		"endurance":        func(x *Export) { x.Bouts[0].Corners[0].End++ },
		"POP of a bout":    func(x *Export) { x.Bouts[0].Corners[0].Pop++ },
		"a bout gone":      func(x *Export) { x.Bouts = x.Bouts[1:] },
		"an entry gone":    func(x *Export) { x.Entries = x.Entries[1:] },
		"an entry twice":   func(x *Export) { x.Entries = append(x.Entries, x.Entries[0]) },
		"an amount":        func(x *Export) { x.Entries[0].Amount++ },
		"one side of it":   func(x *Export) { x.Entries[0].To = BankAccount },
		"an arena":         func(x *Export) { x.Next[0].Arena = TheBest },
		"rounds":           func(x *Export) { x.Next[0].Rounds = 16 },
		"another class":    func(x *Export) { x.Next[0].Class = "featherweight" },
		"a bout in two":    func(x *Export) { x.Next = append(x.Next, x.Next[0]) },
		"nobody's fighter": func(x *Export) { x.Next[0].Fighters[0] = "f999" },
	} {
		a := audited(c)
		for _, st := range c.steps[:len(c.steps)-1] {
			if err := a.Follow([]byte(encode(t, NewExport(st)))); err != nil {
				t.Fatal(err)
			}
		}
		var x Export
		if err := json.Unmarshal([]byte(encode(t, NewExport(last))), &x); err != nil {
			t.Fatal(err)
		}
		spoil(&x)
		if a.Follow([]byte(encode(t, x))) == nil {
			t.Errorf("%s: not found", name)
		}
	}
}

// TestNothingHiddenIsTold: what one manager sent is in nobody else's views, and the
// dice that chose punches in nobody's.
func TestNothingHiddenIsTold(t *testing.T) {
	c := newCampaign(t, 6, 5, everything())
	c.play(t, 3, false)
	b := c.state.Card[0]
	f := c.state.Fighters[c.state.fighter(b.Fighters[0])]
	text := "NAME " + f.Name + "\nSCHLAG UC7 RJ0 RH8 CO9 LJ0 LH6\nV WENN KOND<=17 UND TREFFER>=3 : DECKEN\n"
	in := game.Inputs[Orders]{Orders: c.read(t, f.Manager, text)}
	st := c.close(t, in)
	for _, m := range st.After.Managers {
		told := ""
		for _, v := range answers(t, st, m.Seat) {
			told += encode(t, v.Data())
		}
		secret := strings.Contains(told, "UC7 RJ0 RH8 CO9 LJ0 LH6") || strings.Contains(told, "TREFFER>=3")
		if secret != (m.Seat == f.Manager) {
			t.Errorf("%s sees the plan of %s: %v", m.Name, f.Name, secret)
		}
	}
	own, _ := ownPart(st, f.Manager)
	if len(own.Bouts) == 0 {
		t.Fatal("no bout is told")
	}
	for _, e := range own.Bouts[0].Log {
		if e.Kind == bout.Blow && e.Both != [2]int16{} {
			t.Errorf("the dice of %+v are told", e)
		}
	}
}

// TestG2_TheOpenSeedTellsNoBlow: what is not everybody's follows from the sealed
// seed alone, what is everybody's dice from the other.
func TestG2_TheOpenSeedTellsNoBlow(t *testing.T) {
	c := newCampaign(t, 6, 8, everything())
	c.play(t, 3, false)
	in := c.inputs(t, false)
	right := c.secret.Round("ringside-1", 0, c.state.Round)
	advance := func(d dice.Round) []event {
		_, events, err := New().Advance(c.state, in, d)
		if err != nil {
			t.Fatal(err)
		}
		return events
	}
	lots := func(events []event) (all []Lots) {
		for _, e := range events {
			if e.Code == EventLots {
				all = append(all, *e.Data.Lots)
			}
		}
		return all
	}
	events := advance(right)
	open := advance(dice.Round{Open: dice.Seed{1}, Hidden: right.Hidden})
	hidden := advance(dice.Round{Open: right.Open, Hidden: dice.Seed{1}})
	if len(logs(events)) < 3 || len(lots(events)) == 0 {
		t.Fatalf("%d bouts, %d lots", len(logs(events)), len(lots(events)))
	}
	if diff := cmp.Diff(logs(events), logs(open)); diff != "" {
		t.Errorf("bouts hang on the open seed:\n%s", diff)
	}
	if diff := cmp.Diff(lots(events), lots(hidden)); diff != "" {
		t.Errorf("lots hang on the sealed seed:\n%s", diff)
	}
	for id, log := range logs(events) {
		if log == logs(hidden)[id] {
			t.Errorf("%s does not hang on the sealed seed", id)
		}
	}
	if cmp.Equal(lots(events), lots(open)) {
		t.Error("lots do not hang on the open seed")
	}
}

// BenchmarkTurn closes a turn of a thousand fighters.
func BenchmarkTurn(b *testing.B) {
	c := newCampaign(b, 125, 1, game.Settings{keyStable: "8", keyMoney: "2000", keySales: "on", keyBets: "on", keyRent: "20"})
	c.play(b, 2, false)
	in := c.inputs(b, false)
	for b.Loop() {
		after, _, err := New().Advance(c.state, in, c.dice(c.state.Round))
		if err != nil {
			b.Fatal(err)
		}
		if len(after.Fighters) < 900 {
			b.Fatal("too few fighters")
		}
	}
	b.ReportMetric(float64(len(c.state.Card)), "bouts")
}
