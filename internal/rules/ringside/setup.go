package ringside

import (
	"fmt"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// Setup rolls everybody's stable and books the first cards (RSC-1, RSC-23).
func (r Rules) Setup(settings game.Settings, seats []game.Seat, dice game.RoundDice) (State, []game.Event[Event], error) {
	terms, err := termsOf(settings)
	if err != nil {
		return State{}, nil, fmt.Errorf("setting up the campaign: %w", err)
	}
	roster, err := rosterOf(settings)
	if err != nil {
		return State{}, nil, fmt.Errorf("setting up the campaign: %w", err)
	}
	if least := r.About().MinSeats; len(seats) < least {
		return State{}, nil, fmt.Errorf("setting up the campaign: %d managers, but it takes %d", len(seats), least)
	}
	s := State{Version: Version, Settings: terms, Houses: make([]Money, len(Arenas())), Managers: []Manager{}, Fighters: []Fighter{}, Card: []Booking{}}
	for _, c := range terms.Classes {
		s.Titles = append(s.Titles, Title{Class: c})
	}
	t := newTurn(s, game.Inputs[Orders]{}, dice)
	for _, seat := range seats {
		if t.state.manager(seat.ID) >= 0 {
			return State{}, nil, fmt.Errorf("setting up the campaign: seat %s comes twice", seat.ID)
		}
		t.enter(seat)
	}
	if err := t.deal(roster); err != nil {
		return State{}, nil, fmt.Errorf("setting up the campaign: %w", err)
	}
	for _, seat := range seats {
		t.fill(seat.ID)
	}
	t.state.rank()
	for i := range t.state.Fighters {
		t.state.Fighters[i].LastRank = t.state.Fighters[i].Rank // nobody has moved yet
	}
	t.bookings()
	t.state.Card = t.next
	t.tellMoney()
	t.state.Round = 1
	return t.state, t.events, nil
}

// enter seats a manager, his stable still empty, and gives him his money.
func (t *turn) enter(seat game.Seat) {
	t.state.Managers = append(t.state.Managers, Manager{Seat: seat.ID, Name: seat.Name, Joined: t.state.Round})
	t.names().add(seat.Name)
	t.emit(EventJoined, Event{Seat: seat.ID, Name: seat.Name})
	t.pay(BankAccount, Account(seat.ID), t.state.Settings.Money, ForStart)
}

// deal shuffles the roster and gives every manager one after another of it, as far
// as it goes and the stables hold them.
func (t *turn) deal(roster []bout.Named) error {
	if len(roster) == 0 {
		return nil
	}
	for _, f := range roster {
		if t.names().has(f.Name) {
			return fmt.Errorf("setting %s: a manager is called %s as well, or his name looks the same: give him another one", keyRoster, f.Name)
		}
	}
	order := make([]int, len(roster))
	for i := range order {
		order[i] = i
	}
	lot := t.stream("roster", "")
	game.Shuffle(lot, order)
	t.emit(EventLots, Event{Lots: &Lots{Dice: lot.throws}})
	managers := len(t.state.Managers)
	for i, n := range order[:min(len(order), managers*t.state.Settings.Stable)] {
		f := roster[n]
		t.create(newcomer{manager: t.state.Managers[i%managers].Seat, class: t.state.Settings.Classes[0], name: f.Name, ratings: &f.Fighter})
	}
	return nil
}

// fill rolls fighters until a stable is complete: one in each class as far as they
// go, so that every manager has the same ones.
func (t *turn) fill(seat game.SeatID) {
	classes := t.state.Settings.Classes
	for n := len(t.state.stable(seat)); n < t.state.Settings.Stable; n++ {
		t.create(newcomer{manager: seat, class: classes[n%len(classes)]})
	}
}

// newcomer is a fighter to create.
type newcomer struct {
	manager game.SeatID
	class   Class
	name    string        // "": by dice
	ratings *bout.Fighter // nil: rolled
}

// create makes a fighter: his ratings (RSC-1), his first cut (RSC-15), his lot.
func (t *turn) create(n newcomer) {
	t.state.Created++
	id := fighterID(t.state.Created)
	f := Fighter{ID: id, Name: n.name, Manager: n.manager, Class: n.class, Since: t.state.Round}
	s := t.stream("fighter", string(id))
	if n.ratings != nil {
		f.Fighter, f.Historical = *n.ratings, true
	} else {
		f.Fighter = bout.Roll(s)
	}
	f.Cut = firstCut(s.Uniform(20))
	f.Lot = s.Uniform(lots)
	told := Newcomer{Class: f.Class, Ratings: f.Fighter, Cut: f.Cut, Lot: f.Lot, Historical: f.Historical, Dice: s.throws}
	if f.Name == "" {
		s := t.stream("name", string(id))
		f.Name = t.names().draw(s)
		told.NameDice = s.throws
	}
	t.names().add(f.Name)
	t.state.Fighters = append(t.state.Fighters, f)
	t.emitOf(&f, EventFighter, Event{Newcomer: &told})
}

// lots is how many lots there are to draw.
const lots = 10000

// Bounds of a cut, in percent (RSC-15).
const (
	leastCut = 10
	mostCut  = 30
)

func firstCut(die int) int { return 10 + die }

// nextCut is the cut after every tenth bout (RSC-15).
func nextCut(die int, r Record) int {
	return min(max(firstCut(die)+r.Losses-r.Wins, leastCut), mostCut)
}
