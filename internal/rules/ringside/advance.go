package ringside

import (
	"fmt"

	"ringpost/internal/game"
)

// Advance closes the open turn: the steps in the order of RSC-22.
func (Rules) Advance(s State, in game.Inputs[Orders], dice game.RoundDice) (State, []game.Event[Event], error) {
	if s.Version != Version {
		return State{}, nil, fmt.Errorf("closing turn %d: the state is of version %d of the rules, known is %d", s.Round, s.Version, Version)
	}
	t := newTurn(s, in, dice)
	t.plans()
	t.misses()

	t.retirements()
	t.sales()
	if err := t.joins(); err != nil {
		return State{}, nil, fmt.Errorf("closing turn %d: %w", s.Round, err)
	}
	t.bookings()
	t.placeBets()
	if err := t.cards(); err != nil {
		return State{}, nil, fmt.Errorf("closing turn %d: %w", s.Round, err)
	}
	t.titles()
	t.exits()
	t.lapses()
	t.state.rank()
	t.newCuts()

	t.tellMoney()
	t.state.Card = t.next
	t.state.Round++
	return t.state, t.events, nil
}

// turn is a turn being closed.
type turn struct {
	state  State // becomes the next one
	in     game.Inputs[Orders]
	dice   game.RoundDice
	events []game.Event[Event]

	book    nameBook // see names
	wishes  map[game.SeatID][]Wish
	fresh   map[FighterID]bool    // plans that came for this turn
	leaving map[game.SeatID]Leave // managers who go once the cards are fought
	next    []Booking             // the card that this turn's report publishes
	entries []Entry

	booked *diary            // for the next cards
	boxed  map[FighterID]int // bouts fought in this turn
	fought []fought          // for the titles
}

func newTurn(s State, in game.Inputs[Orders], dice game.RoundDice) *turn {
	t := &turn{
		state: s.clone(), in: in, dice: dice,
		wishes: map[game.SeatID][]Wish{}, fresh: map[FighterID]bool{}, leaving: map[game.SeatID]Leave{},
		next: []Booking{}, boxed: map[FighterID]int{},
	}
	for _, o := range in.Orders {
		if o.Slot == ManagerSlot {
			t.wishes[o.Seat] = o.Orders.Lines
		}
	}
	return t
}

// plans makes those that came the standing ones of their fighters (G-11).
func (t *turn) plans() {
	for _, o := range t.in.Orders {
		id, ok := planOf(o.Slot)
		if !ok || o.Orders.Plan == nil {
			continue
		}
		if i := t.state.fighter(id); i >= 0 && t.state.Fighters[i].Manager == o.Seat {
			t.state.Fighters[i].Plan, t.fresh[id] = o.Orders.Plan, true
		}
	}
}

// names are made when the first new one is wanted. Those of managers who join with
// this turn are taken already (G-13).
func (t *turn) names() nameBook {
	if t.book == nil {
		t.book = t.state.names()
		for _, seat := range t.in.Joins {
			t.book.add(seat.Name)
		}
	}
	return t.book
}

// each goes through the lines of a kind, manager by manager in order of entry. Who
// is about to leave has none.
func (t *turn) each(do Verb, f func(seat game.SeatID, w Wish)) {
	for _, m := range t.state.Managers {
		if _, leaves := t.leaving[m.Seat]; leaves {
			continue
		}
		for _, w := range t.wishes[m.Seat] {
			if w.Do == do {
				f(m.Seat, w)
			}
		}
	}
}

// own is a fighter of a seat's stable; nil when he is no longer there.
func (t *turn) own(seat game.SeatID, id FighterID) *Fighter {
	if f := t.fighter(id); f != nil && f.Manager == seat {
		return f
	}
	return nil
}

func (t *turn) fighter(id FighterID) *Fighter {
	if i := t.state.fighter(id); i >= 0 {
		return &t.state.Fighters[i]
	}
	return nil
}

func (t *turn) manager(seat game.SeatID) *Manager {
	if i := t.state.manager(seat); i >= 0 {
		return &t.state.Managers[i]
	}
	return nil
}

func (t *turn) emit(code string, e Event, to ...game.SeatID) {
	t.events = append(t.events, game.Event[Event]{Code: code, For: to, Data: e})
}

// emitOf is emit for something that happened to one fighter.
func (t *turn) emitOf(f *Fighter, code string, e Event, to ...game.SeatID) {
	e.Fighter, e.Name, e.Seat = f.ID, f.Name, f.Manager
	t.emit(code, e, to...)
}

// stream is `ringside/<turn>/<purpose>/<subject>`.
func (t *turn) stream(purpose, subject string) *thrown {
	return &thrown{dice: t.dice, purpose: fmt.Sprintf("ringside/%d/%s", t.state.Round, purpose), subject: subject}
}

// thrown is a stream that keeps its throws for the events. It is opened at its
// first throw: most lots need none.
type thrown struct {
	dice             game.Dice
	purpose, subject string
	from             game.Stream
	throws           []int
}

func (s *thrown) Uniform(n int) int {
	if s.from == nil {
		s.from = s.dice.Stream(s.purpose, s.subject)
	}
	d := s.from.Uniform(n)
	s.throws = append(s.throws, d)
	return d
}
