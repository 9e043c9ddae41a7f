package sugarray

import (
	"encoding/json"
	"fmt"
	"testing"

	"ringpost/internal/dice"
	"ringpost/internal/game"
)

// league plays rounds by real dice; its players' choices come from a stream of
// their own.
type league struct {
	state   State
	secret  dice.Secret
	players game.Stream
	steps   []step
	seats   int
}

func newLeague(tb testing.TB, boxers int, seed byte, settings game.Settings) *league {
	tb.Helper()
	l := &league{secret: dice.Secret{seed}}
	l.players = dice.Seed{seed, 1}.Stream("players", "")
	var seats []game.Seat
	for range boxers {
		seats = append(seats, l.newSeat())
	}
	state, events, err := New().Setup(settings, seats, l.dice(0))
	if err != nil {
		tb.Fatal(err)
	}
	l.state = state
	l.steps = append(l.steps, step{After: state, Events: events})
	return l
}

func (l *league) newSeat() game.Seat {
	l.seats++
	return game.Seat{ID: game.SeatID(fmt.Sprintf("s%d", l.seats)), Name: boxerName(l.seats)}
}

// boxerName gives names of many shapes, all different.
func boxerName(n int) string {
	names := []string{"Müller", "Maier", "Ali", "Zoë", "Özil", "Schmeling", "O'Hara", "Jean-Luc", "Ferenc", "Łukasz", "Frazier", "Ingemar Johansson Gbg."}
	name := names[(n-1)%len(names)]
	if n > len(names) {
		name = fmt.Sprintf("%.17s %d", name, (n-1)/len(names)+1)
	}
	return name
}

func (l *league) dice(round int) game.RoundDice { return l.secret.Round("liga-nord", 0, round) }

// inputs are a round's letters: of twenty boxers one forgets, one sends no
// training; now and then somebody comes or goes.
func (l *league) inputs(traffic bool) game.Inputs[Orders] {
	var in game.Inputs[Orders]
	for _, b := range l.state.Boxers {
		chance := l.players.Uniform(20)
		if chance == 1 {
			continue
		}
		o := game.Order[Orders]{Seat: b.Seat, Slot: Slot}
		o.Orders.Pairs = dummyOrders(b.Technique, l.players)
		if chance == 3 { // somebody bold
			o.Orders.Pairs[1] = Pair{Offence: 9, Defence: 2}
		}
		o.Orders.Training = []Training{TrainTech, TrainCond}[l.players.Uniform(2)-1]
		if chance == 2 {
			o.Orders.Training = NoTraining
		}
		in.Orders = append(in.Orders, o)
		if traffic && l.players.Uniform(60) == 1 {
			in.Leaves = append(in.Leaves, game.Leave{Seat: b.Seat, Now: l.players.Uniform(2) == 1})
		}
	}
	for traffic && l.players.Uniform(2) == 1 {
		in.Joins = append(in.Joins, l.newSeat())
	}
	return in
}

// close plays a round.
func (l *league) close(tb testing.TB, in game.Inputs[Orders]) step {
	tb.Helper()
	after, events, err := New().Advance(l.state, in, l.dice(l.state.Round))
	if err != nil {
		tb.Fatal(err)
	}
	st := step{Round: l.state.Round, Before: l.state, After: after, Events: events}
	l.steps = append(l.steps, st)
	l.state = after
	return st
}

func (l *league) play(tb testing.TB, rounds int, traffic bool) {
	tb.Helper()
	for range rounds {
		l.close(tb, l.inputs(traffic))
	}
}

func encode(tb testing.TB, v any) string {
	tb.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}
