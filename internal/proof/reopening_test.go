package proof

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/rules"
)

// reopen opens a round again: with kept it is decided at once, with more orders.
func (m *match) reopen(round int, kept bool, more ...rules.Order) {
	m.Helper()
	void, after := slices.Clone(m.doc.Steps[round:]), m.doc.Steps[round-1].Hash
	if m.branch++; !kept {
		m.seeds = m.branch
	}
	at := m.at(round)
	r := Reopening{Branch: m.branch, Round: round, Kept: kept, Next: at.Seed.Commitment(), Reason: "a mail was late", At: "2026-12-07T08:00:00Z", Void: void}
	in := rules.Inputs{Joins: void[0].Joins, Leaves: void[0].Leaves}
	if kept {
		var was []rules.Order
		for _, o := range void[0].Orders {
			was = append(was, rules.Order{Seat: o.Seat, Slot: o.Slot, Orders: o.Orders})
		}
		in.Orders = slices.Clone(was)
		for _, o := range more {
			if i := slices.IndexFunc(in.Orders, func(p rules.Order) bool { return p.Seat == o.Seat && p.Slot == o.Slot }); i >= 0 {
				in.Orders[i] = o
			} else {
				in.Orders = append(in.Orders, o)
			}
		}
		slices.SortStableFunc(in.Orders, func(a, b rules.Order) int { return strings.Compare(string(a.Seat), string(b.Seat)) })
		var err error
		if r.Added, err = Additions(at, was, in.Orders); err != nil {
			m.Fatal(err)
		}
	}
	var err error
	if r.Hash, err = r.Seal(m.doc.Game.ID, after, m.hash); err != nil {
		m.Fatal(err)
	}
	m.doc.Steps, m.doc.Reopened = m.doc.Steps[:round:round], append(m.doc.Reopened, r)
	m.tables = m.tables[:round:round]
	m.table, m.hash = m.tables[round-1], r.Hash
	if kept {
		m.close(in)
	}
}

// reopened is a league of three in which round 2 was decided again for orders seen too
// late, and round 1 opened then for new ones, twice, and all played anew.
func reopened(t testing.TB) *match {
	t.Helper()
	s := dice.Seed{6}.Stream("orders", "")
	m := league(t, "liga", 3, 0, s)
	one := func(seat game.SeatID) rules.Order { return rules.Order{Seat: seat, Slot: "moves", Orders: moves(s)} }
	m.close(rules.Inputs{Orders: []rules.Order{one("s1")}, Joins: []game.Seat{{ID: "s4", Name: "Late"}}, Leaves: []game.Leave{{Seat: "s3"}}})
	m.close(rules.Inputs{Orders: []rules.Order{one("s1"), one("s4")}})
	m.reopen(2, true, one("s2"), one("s4"))
	m.reopen(1, false)
	m.close(rules.Inputs{Orders: []rules.Order{one("s1"), one("s2")}})
	m.reopen(1, false)
	m.close(rules.Inputs{Orders: []rules.Order{one("s2")}})
	m.close(rules.Inputs{})
	return m
}

// reopenedSale is the same of a game with secrets.
func reopenedSale(t testing.TB) *match {
	t.Helper()
	m := sale(t, 2)
	m.reopen(2, true, rules.Order{Seat: "s3", Slot: "bid", Orders: json.RawMessage(`{"bid":70199}`)})
	m.reopen(2, false)
	m.close(rules.Inputs{})
	return m
}

func TestReopenedGamesHold(t *testing.T) {
	m := reopened(t)
	if v := check(t, m.public()); v.Difference != nil || v.Rounds != 2 || v.Void != 4 || v.Sealed != 0 {
		t.Errorf("%+v, %v", v, v.Difference)
	}
	// Whoever knows the secret finds the same, also while a round is open again.
	m.reopen(2, false)
	d := m.own()
	d.Game.Secret = m.secret.String()
	if v := check(t, d); v.Difference != nil || v.Rounds != 1 || v.Void != 5 {
		t.Errorf("by the secret: %+v, %v", v, v.Difference)
	}
	sealed := reopenedSale(t)
	if v := check(t, sealed.public()); v.Difference != nil || v.Rounds != 2 || v.Void != 2 || v.Sealed != 2 {
		t.Errorf("sealed: %+v, %v", v, v.Difference)
	}
	sealed.end()
	if v := check(t, sealed.public()); v.Difference != nil || v.Sealed != 0 {
		t.Errorf("opened: %+v, %v", v, v.Difference)
	}
}

// While orders are sealed it shows all the same that a decision made again went by them.
func TestFrozenOrdersAreKnownByTheirSeals(t *testing.T) {
	m := reopenedSale(t)
	d := m.public()
	void, again := d.Reopened[0].Void[0], d.Reopened[1].Void[0]
	if len(void.Orders) == 0 || len(again.Orders) < len(void.Orders) {
		t.Fatalf("%d orders, then %d", len(void.Orders), len(again.Orders))
	}
	same := 0
	for _, o := range again.Orders {
		if o.Salt != "" || o.Orders != nil {
			t.Error("an order is open")
		}
		if slices.ContainsFunc(void.Orders, func(p SealedOrder) bool { return p.key() == o.key() }) {
			same++
		}
	}
	if same+len(d.Reopened[0].Added) != len(again.Orders) {
		t.Errorf("%d of %d seals are the same, %d were added", same, len(again.Orders), len(d.Reopened[0].Added))
	}
}

// Whoever knows how all is hashed can hash it again. What the game master claims then
// still does not fit: the orders that were on file, the dice that were announced.
func TestAForgedReopeningIsFound(t *testing.T) {
	for name, f := range map[string]struct {
		forge func(*Document)
		in    []string
	}{
		"a frozen order dropped": {func(d *Document) { d.Steps[2].Orders = d.Steps[2].Orders[1:] }, []string{"input"}},
		"a frozen order changed": {func(d *Document) { d.Steps[2].Orders[0].Orders = moves(dice.Seed{1}.Stream("x", "")) }, []string{"input"}},
		"an order slipped in": {func(d *Document) {
			o := d.Steps[2].Orders[0]
			o.Seat = "s3"
			d.Steps[2].Orders = append(d.Steps[2].Orders, o)
		}, []string{"input"}},
		"an added order changed": {func(d *Document) { d.Steps[2].Orders[1].Orders = moves(dice.Seed{1}.Stream("x", "")) }, []string{"input"}},
		"somebody entered":       {func(d *Document) { d.Steps[2].Joins = []game.Seat{{ID: "s9", Name: "Nine"}} }, []string{"input"}},
		"somebody left":          {func(d *Document) { d.Steps[2].Leaves = []game.Leave{{Seat: "s2"}} }, []string{"input"}},
		"other dice": {func(d *Document) {
			d.Steps[2].Seed = dice.Seed{3}.String()
			d.Reopened[0].Next = dice.Seed{3}.Commitment()
		}, []string{"commitment"}},
		"other dice than announced": {func(d *Document) { d.Steps[2].Seed = dice.Seed{3}.String() }, []string{"commitment"}},
		"no longer by its own dice": {func(d *Document) { d.Reopened[0].Kept = false }, []string{"commitment"}},
		"new orders by known dice":  {func(d *Document) { d.Reopened[0].Kept, d.Reopened[0].Added = false, nil }, []string{"commitment"}},
		"the void step is gone":     {func(d *Document) { d.Reopened[0].Void = nil }, []string{"order"}},
		"the void step is another":  {func(d *Document) { d.Reopened[0].Void[0].Orders = nil }, []string{"events", "input", "state"}},
		"the reopening is gone":     {func(d *Document) { d.Reopened = nil }, []string{"order"}},
		"it was not decided again":  {func(d *Document) { d.Steps = d.Steps[:2] }, []string{"order"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := dice.Seed{6}.Stream("orders", "")
			m := league(t, "liga", 3, 0, s)
			one := func(seat game.SeatID) rules.Order { return rules.Order{Seat: seat, Slot: "moves", Orders: moves(s)} }
			m.close(rules.Inputs{Orders: []rules.Order{one("s1")}})
			m.close(rules.Inputs{Orders: []rules.Order{one("s1")}})
			m.reopen(2, true, one("s2"))
			d := throughJSON(t, m.public())
			if v := check(t, d); v.Difference != nil {
				t.Fatalf("untouched: %s", v.Difference)
			}
			f.forge(&d)
			rehash(t, &d)
			v := check(t, d)
			if v.Difference == nil || !slices.Contains(f.in, v.Difference.In) {
				t.Errorf("found %v", v.Difference)
			}
		})
	}
}

// rehash seals and hashes anew a document with one reopening of its round 2.
func rehash(t *testing.T, d *Document) {
	t.Helper()
	seal := func(s *Step) {
		for j, o := range s.Orders {
			raw, err := json.Marshal(rules.Order{Seat: o.Seat, Slot: o.Slot, Orders: o.Orders})
			if err != nil {
				t.Fatal(err)
			}
			s.Orders[j].Seal = sealOf(o.Salt, raw)
		}
	}
	chain := func(s *Step, previous string) {
		seal(s)
		at := Chain{Previous: previous, Game: d.Game.ID, Branch: s.Branch, Round: s.Round, Step: s.Step, Next: s.Next}
		at.Seed, _ = dice.ParseSeed(s.Seed)
		var err error
		if s.Hash, err = hash(at, nil, *s); err != nil {
			t.Fatal(err)
		}
	}
	if len(d.Steps) < 3 || len(d.Reopened) == 0 || len(d.Reopened[0].Void) == 0 {
		return
	}
	r, before := &d.Reopened[0], d.Steps[1].Hash
	chain(&r.Void[0], before)
	var err error
	if r.Hash, err = r.Seal(d.Game.ID, before, r.Void[0].Hash); err != nil {
		t.Fatal(err)
	}
	chain(&d.Steps[2], r.Hash)
}

// What was frozen cannot be lost by a decision made again.
func TestAdditionsLoseNothing(t *testing.T) {
	m := small(t)
	one := rules.Order{Seat: "s1", Slot: "moves", Orders: json.RawMessage(`{"a":1}`)}
	if _, err := Additions(m.at(1), []rules.Order{one}, nil); err == nil {
		t.Error("an order may be lost")
	}
	got, err := Additions(m.at(1), []rules.Order{one}, []rules.Order{one})
	if err != nil || len(got) != 0 {
		t.Errorf("added %v (%v)", got, err)
	}
}

// A league of any size holds, however often its rounds are opened again; and what is
// decided again by the same orders comes to the same state.
func TestAnyReopeningHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s := dice.Seed{byte(rapid.IntRange(0, 255).Draw(r, "seed"))}.Stream("orders", "")
		m := league(t, "liga", rapid.IntRange(2, 5).Draw(r, "boxers"), rapid.IntRange(1, 3).Draw(r, "rounds"), s)
		void := 0
		for range rapid.IntRange(1, 4).Draw(r, "reopenings") {
			last := len(m.doc.Steps) - 1
			if last > 0 && m.doc.Steps[last].Branch == m.branch && rapid.Bool().Draw(r, "kept") {
				before := m.doc.Steps[last]
				m.reopen(last, true)
				if string(before.State.Value) != string(m.doc.Steps[last].State.Value) {
					r.Fatal("the same orders and dice come to another state")
				}
				void++
				continue
			}
			if last == 0 {
				break
			}
			round := rapid.IntRange(1, last).Draw(r, "round")
			void += last - round + 1
			m.reopen(round, false)
			for range rapid.IntRange(0, 2).Draw(r, "closed") {
				m.close(rules.Inputs{})
			}
		}
		if rapid.Bool().Draw(r, "ended") {
			m.end()
		}
		if v := check(t, m.public()); v.Difference != nil || v.Void != void || v.Rounds != len(m.doc.Steps)-1 {
			r.Fatalf("%+v, %v; %d steps are void", v, v.Difference, void)
		}
	})
}
