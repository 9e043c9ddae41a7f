package sugarray

import (
	"fmt"

	"ringpost/internal/game"
)

// Advance closes the open round: the steps in their order. Entries and exits
// come after the fights, the next card last, so that whoever is on it is there.
func (Rules) Advance(s State, in game.Inputs[Orders], dice game.RoundDice) (State, []game.Event[Event], error) {
	if s.Version != Version {
		return State{}, nil, fmt.Errorf("closing round %d: the state is of version %d of the rules, known is %d", s.Round, s.Version, Version)
	}
	t := newTurn(s, in, dice)
	t.removals()
	t.fights()
	t.transfers()
	t.training()
	t.moves()
	t.misses()
	t.exits()
	if err := t.entries(); err != nil {
		return State{}, nil, fmt.Errorf("closing round %d: %w", s.Round, err)
	}
	t.draw()
	t.state.Round++
	return t.state, t.events, nil
}

// turn is a round being closed.
type turn struct {
	state  State // becomes the next one
	in     game.Inputs[Orders]
	dice   game.Dice
	events []game.Event[Event]

	index    map[game.SeatID]int // of state.Boxers, until exits
	orders   map[game.SeatID]Orders
	champion game.SeatID // at the start of the round (SR-17)
	bouts    []bout
}

// bout is a fight of the round with its boxers' places in state.Boxers.
type bout struct {
	*Fight
	first, second int // -1 for the dummy
}

func newTurn(s State, in game.Inputs[Orders], dice game.Dice) *turn {
	t := &turn{
		state: s.clone(), in: in, dice: dice,
		orders:   make(map[game.SeatID]Orders, len(in.Orders)),
		champion: s.Title.Champion,
	}
	for _, o := range in.Orders {
		t.orders[o.Seat] = o.Orders
	}
	places := s.places()
	for i := range t.state.Boxers {
		b := &t.state.Boxers[i]
		b.LastPlace = places[b.Seat]
		if (s.Round-1)%s.Settings.Season == 0 { // a season begins
			b.SeasonPlace = b.LastPlace
		}
	}
	t.reindex()
	return t
}

func (t *turn) reindex() {
	t.index = make(map[game.SeatID]int, len(t.state.Boxers))
	for i, b := range t.state.Boxers {
		t.index[b.Seat] = i
	}
}

// find is the place of a seat among the boxers, -1 for the dummy and for one
// who is gone.
func (t *turn) find(seat game.SeatID) int {
	if i, ok := t.index[seat]; ok {
		return i
	}
	return -1
}

func (t *turn) emit(code string, e Event) {
	t.events = append(t.events, game.Event[Event]{Code: code, Data: e})
}

// emitOf is emit for something that happened to one boxer.
func (t *turn) emitOf(b *Boxer, code string, e Event) {
	e.Seat, e.Name = b.Seat, b.Name
	t.emit(code, e)
}

// stream is `sugarray/<round>/<purpose>/<subject>`.
func (t *turn) stream(purpose, subject string) *thrown {
	return &thrown{dice: t.dice, purpose: fmt.Sprintf("sugarray/%d/%s", t.state.Round, purpose), subject: subject}
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
