package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/rules"
)

// match is a game played into a document, as the referee does it, without a
// store.
type match struct {
	testing.TB
	rules  rules.Ruleset
	secret dice.Secret
	table  rules.Table
	hash   string
	doc    Document // with everything open

	tables []rules.Table // after each step that counts
	branch int
	seeds  int // the branch in the seeds' names
}

func find(name string) (rules.Ruleset, error) {
	if name == (auction{}).About().Name {
		return rules.Adapt(auction{}), nil
	}
	return rules.Find(name)
}

func begin(t testing.TB, ruleset, id string, settings game.Settings, seats ...game.Seat) *match {
	t.Helper()
	r, err := find(ruleset)
	if err != nil {
		t.Fatal(err)
	}
	m := &match{TB: t, rules: r, secret: dice.Secret{7, 11}}
	m.doc = Document{Format: Format, Game: Game{ID: id, Title: "A game", Ruleset: ruleset, Settings: settings, State: "running", Sealed: m.secret.Commitment()}}
	at := m.at(0)
	made, err := Setup(r, settings, seats, at)
	m.add(at, made, err)
	return m
}

func (m *match) at(round int) Chain {
	at := AtKept(m.secret, m.doc.Game.ID, m.branch, m.seeds, round)
	at.Previous = m.hash
	return at
}

// close ends the open round.
func (m *match) close(in rules.Inputs) {
	m.Helper()
	at := m.at(len(m.doc.Steps))
	made, err := Advance(m.table, in, at)
	m.add(at, made, err)
}

func (m *match) add(at Chain, made Made, err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
	s, err := Open(at, made.Inputs, made.Events, made.State)
	if err != nil {
		m.Fatal(err)
	}
	var before json.RawMessage
	if n := len(m.doc.Steps); n > 0 {
		before = m.doc.Steps[n-1].State.Value
	}
	s.Branch, s.Round, s.Seed, s.Next, s.Hash = at.Branch, at.Round, at.Seed.String(), at.Next, made.Hash
	if !m.rules.About().Open {
		s.SealedSeed = m.secret.Sealed(at.Game, at.Seeds, at.Round).String()
	}
	s.Deadline, s.Closed = "2026-12-06T19:00:00Z", "2026-12-06T19:00:07Z"
	if s.Summary, err = Summary(made.Table, at.Round, before, made.Events); err != nil {
		m.Fatal(err)
	}
	m.doc.Steps = append(m.doc.Steps, s)
	m.table, m.hash, m.tables = made.Table, made.Hash, append(m.tables, made.Table)
}

// public is the document as everybody may read it.
func (m *match) public() Document {
	d := m.doc
	public := func(steps []Step) (out []Step) {
		for _, s := range steps {
			out = append(out, s.Public(m.rules.About().Open || d.Game.Secret != ""))
		}
		return out
	}
	d.Steps, d.Reopened = public(d.Steps), slices.Clone(d.Reopened)
	for i := range d.Reopened {
		d.Reopened[i].Void = public(d.Reopened[i].Void)
	}
	return d
}

func (m *match) end() { m.doc.Game.State, m.doc.Game.Secret = "ended", m.secret.String() }

// own is the game master's own document.
func (m *match) own() Document {
	d := m.doc
	d.Persons = []Person{{Seat: "s1", Name: "Müller", State: "playing", Addresses: []string{"m@players.example"}, Lang: "de", TimeZone: "Europe/Berlin"}}
	d.Pending = []Pending{{Round: len(m.doc.Steps), Seat: "s1", Slot: "moves", Orders: json.RawMessage(`{"pairs":["1/1","1/1","1/1","1/1","1/1"]}`)}}
	return d
}

// check verifies a document after it has been to JSON and back.
func check(t testing.TB, d Document) Verdict {
	t.Helper()
	v, err := Verify(throughJSON(t, d), find)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func throughJSON(t testing.TB, d Document) Document {
	t.Helper()
	back, err := Parse(encode(t, d))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func encode(t testing.TB, d any) []byte {
	t.Helper()
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// league plays a Sugar-Ray league in which boxers miss moves, come and go; the
// orders are drawn from s.
func league(t testing.TB, id string, boxers, rounds int, s game.Stream) *match {
	t.Helper()
	var seats []game.Seat
	for n := range boxers {
		seat := game.Seat{ID: game.SeatID(fmt.Sprint("s", n+1)), Name: fmt.Sprint("Boxer ", n+1)}
		if n == 0 {
			seat.Traits = game.Settings{"league": "1", "technique": "14", "record": "5/1/0"}
		}
		seats = append(seats, seat)
	}
	m := begin(t, "sugarray", id, game.Settings{"season": "3", "nmr_limit": "2"}, seats...)
	next := boxers + 1
	for range rounds {
		due := m.table.Due()
		var in rules.Inputs
		for _, d := range due.Duties {
			if s.Uniform(5) > 1 {
				in.Orders = append(in.Orders, rules.Order{Seat: d.Seat, Slot: d.Slot, Orders: moves(s)})
			}
		}
		if s.Uniform(2) == 1 {
			in.Joins = append(in.Joins, game.Seat{ID: game.SeatID(fmt.Sprint("s", next)), Name: fmt.Sprint("Late ", next)})
			next++
		}
		if len(due.Seats) > 3 && s.Uniform(2) == 1 {
			in.Leaves = append(in.Leaves, game.Leave{Seat: due.Seats[s.Uniform(len(due.Seats))-1], Now: s.Uniform(2) == 1})
		}
		m.close(in)
	}
	return m
}

// small is a league of three and one round in which one misses his moves, one
// leaves and one joins.
func small(t testing.TB) *match {
	t.Helper()
	s := dice.Seed{6}.Stream("orders", "")
	m := league(t, "liga", 3, 0, s)
	m.close(rules.Inputs{
		Orders: []rules.Order{{Seat: "s1", Slot: "moves", Orders: moves(s)}, {Seat: "s3", Slot: "moves", Orders: moves(s)}},
		Joins:  []game.Seat{{ID: "s4", Name: "Late", Traits: game.Settings{"league": "2"}}},
		Leaves: []game.Leave{{Seat: "s3"}, {Seat: "s2", Now: true}},
	})
	return m
}

func moves(s game.Stream) json.RawMessage {
	var pairs [5]string
	for i := range pairs {
		pairs[i] = fmt.Sprintf("%d/%d", s.Uniform(6)-1, s.Uniform(6)-1)
	}
	training := []string{"T", "K"}[s.Uniform(2)-1]
	b, err := json.Marshal(map[string]any{"pairs": pairs, "training": training})
	if err != nil {
		panic(err)
	}
	return b
}

// auction is a game with secrets, as small as can be: each round everybody bids
// for a card that only he knows beforehand, and the highest bid scores it. What
// was bid and dealt is nobody else's until the end.
type auction struct{}

type (
	auctionState struct {
		Round int            `json:"round"`
		Seats []auctionSeat  `json:"seats"`
		Dealt []auctionEvent `json:"dealt"`
	}
	auctionSeat struct {
		Seat  game.SeatID `json:"seat"`
		Score int         `json:"score"`
	}
	auctionOrders struct {
		Bid int `json:"bid"`
	}
	auctionEvent struct {
		Seat   game.SeatID `json:"seat"`
		Figure int         `json:"figure"` // the card dealt, the bid, the score won
	}
)

func (auction) About() game.About {
	return game.About{Name: "auction", Version: 1, Schema: 1, MinSeats: 1}
}

func (a auction) Setup(_ game.Settings, seats []game.Seat, d game.RoundDice) (auctionState, []game.Event[auctionEvent], error) {
	s := auctionState{Round: 1}
	for _, x := range seats {
		s.Seats = append(s.Seats, auctionSeat{Seat: x.ID})
	}
	s, events := a.deal(s, d)
	return s, events, nil
}

func (auction) deal(s auctionState, d game.RoundDice) (auctionState, []game.Event[auctionEvent]) {
	s.Dealt = nil
	var events []game.Event[auctionEvent]
	for _, x := range s.Seats {
		e := auctionEvent{x.Seat, 100 + d.Sealed().Stream("deal", string(x.Seat)).Uniform(100)}
		s.Dealt = append(s.Dealt, e)
		events = append(events, game.Event[auctionEvent]{Code: "dealt", For: []game.SeatID{x.Seat}, Data: e})
	}
	return s, events
}

func (auction) Owner(auctionState, string) (game.SeatID, bool) { return "", false }

func (auction) Slots(auctionState, game.SeatID, game.Block) []string { return nil }

func (auction) Read(auctionState, game.SeatID, game.Block) ([]game.Slip[auctionOrders], []game.Issue) {
	return nil, nil
}

func (auction) Explain(auctionState, game.SeatID, []game.Slip[auctionOrders]) game.View {
	return game.View{}
}

func (auction) Due(s auctionState) game.Due {
	due := game.Due{Round: s.Round, Over: s.Round > 3}
	for _, x := range s.Seats {
		due.Seats = append(due.Seats, x.Seat)
		due.Duties = append(due.Duties, game.Duty{Seat: x.Seat, Kind: "bid", Slot: "bid"})
	}
	return due
}

func (a auction) Advance(s auctionState, in game.Inputs[auctionOrders], d game.RoundDice) (auctionState, []game.Event[auctionEvent], error) {
	if s.Round > 3 {
		return s, nil, errors.New("the auction is over")
	}
	var events []game.Event[auctionEvent]
	best := -1
	s.Seats = append([]auctionSeat(nil), s.Seats...)
	for i, x := range s.Seats {
		for _, o := range in.Orders {
			if o.Seat == x.Seat {
				events = append(events, game.Event[auctionEvent]{Code: "bid", For: []game.SeatID{x.Seat}, Data: auctionEvent{x.Seat, o.Orders.Bid}})
				if best < 0 || o.Orders.Bid > events[best].Data.Figure {
					best = len(events) - 1
					s.Seats[i].Score += o.Orders.Bid % 10
				}
			}
		}
	}
	if best >= 0 {
		events = append(events, game.Event[auctionEvent]{Code: "sold", Data: auctionEvent{Seat: events[best].Data.Seat}})
	}
	s, dealt := a.deal(s, d)
	s.Round++
	return s, append(events, dealt...), nil
}

func (auction) Answer(s auctionState, q game.Query[auctionState, auctionEvent], _ game.Audience) ([]game.View, []game.Issue) {
	return []game.View{{Data: func() any { return map[string]int{"round": q.Step.Round, "seats": len(s.Seats)} }}}, nil
}

func (auction) Spar(game.Settings, []game.Block, game.Dice) (game.View, []game.Issue) {
	return game.View{}, nil
}

// sale plays an auction of three seats for some rounds; the second misses the
// first.
func sale(t testing.TB, rounds int) *match {
	t.Helper()
	m := begin(t, "auction", "sale", game.Settings{}, game.Seat{ID: "s1", Name: "Ada"}, game.Seat{ID: "s2", Name: "Ben"}, game.Seat{ID: "s3", Name: "Cy"})
	for round := range rounds {
		var in rules.Inputs
		for n, seat := range []game.SeatID{"s1", "s2", "s3"} {
			if round == 0 && n == 1 {
				continue
			}
			in.Orders = append(in.Orders, rules.Order{Seat: seat, Slot: "bid", Orders: json.RawMessage(fmt.Sprintf(`{"bid":%d}`, 70001+100*round+n))})
		}
		m.close(in)
	}
	return m
}
