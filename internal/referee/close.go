package referee

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/proof"
	"ringpost/internal/rules"
	"ringpost/internal/schedule"
	"ringpost/internal/store"
)

// Closed says what a close did.
type Closed struct {
	Game  string    `json:"game"`
	Round int       `json:"round"`
	NMR   int       `json:"nmr"` // duties that nobody met
	Mails int       `json:"mails"`
	Next  time.Time `json:"next"` // the next deadline, zero when there is none
	Ended bool      `json:"ended"`
}

// CloseDue closes the open round of every running game whose deadline has come.
// All mail that arrived before must have been taken in. A game that cannot be
// closed does not hold up the others: the game master is told.
func (d *Desk) CloseDue(ctx context.Context) ([]Closed, error) {
	due, err := d.DueNow(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking for deadlines: %w", err)
	}
	var out []Closed
	for _, g := range due {
		c, err := d.Close(ctx, g.ID, g.Round)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			d.log.Error("round cannot be closed", "game", g.ID, "round", g.Round, "error", err)
			d.tell(ctx, "stuck", g.ID, g.Round, err.Error())
			continue
		}
		out = append(out, c)
	}
	return out, nil
}

// Tell alerts the game master of something outside any mail or round: "outage"
// or "postponed".
func (d *Desk) Tell(ctx context.Context, code, gameID string, round int, detail string) {
	d.tell(ctx, code, gameID, round, detail)
}

func (d *Desk) tell(ctx context.Context, code, gameID string, round int, detail string) {
	err := d.store.Write(ctx, func(tx *store.Tx) error {
		return d.newHandling(tx, d.now()).alert(code, gameID, round, "", "", detail)
	})
	if err != nil {
		d.log.Error("alert cannot be queued", "code", code, "game", gameID, "error", err)
	}
}

// Close closes the given round of a game, deadline or not; round 0 means the
// open one. A round that is closed already is left as it is.
func (d *Desk) Close(ctx context.Context, id string, round int) (c Closed, err error) {
	err = d.store.Write(ctx, func(tx *store.Tx) error {
		s, err := d.sit(tx, id)
		if err != nil {
			return err
		}
		if s.State != store.GameRunning {
			return fmt.Errorf("game %s is %s: no round of it can be closed: %w", id, s.State, ErrState)
		}
		if round != 0 && round != s.Round {
			return fmt.Errorf("round %d of %s is not the open one, which is %d: %w", round, id, s.Round, ErrState)
		}
		c, err = d.advance(tx, s, d.now())
		return err
	})
	if err != nil {
		return c, err
	}
	d.log.Info("round closed", "game", c.Game, "round", c.Round, "nmr", c.NMR, "mails", c.Mails)
	return c, nil
}

// advance makes the next step of a game and queues its reports, all in the
// caller's transaction.
func (d *Desk) advance(tx *store.Tx, s *sitting, now time.Time) (Closed, error) {
	until := time.Time{}
	if s.closedFor(now) {
		until = s.until(s.Round)
	}
	in, missed, err := d.inputs(tx, s, until)
	if err != nil {
		return Closed{}, err
	}
	secret := dice.Secret(s.Secret)
	at := proof.Chain{Previous: s.step.Hash, Game: s.ID, Branch: s.Branch, Round: s.Round,
		Seed: secret.Seed(s.ID, s.Branch, s.Round), Next: secret.Seed(s.ID, s.Branch, s.Round+1).Commitment(), Salter: proof.SecretSalts(secret)}
	if s.step.Round == s.Round {
		at.Step = s.step.Step + 1
	}
	made, err := proof.Advance(s.table, in, at)
	if err != nil {
		return Closed{}, err
	}
	closed := Closed{Game: s.ID, Round: s.Round, NMR: missed}
	err = d.finish(tx, s, made, at, now, &closed)
	return closed, err
}

// inputs are what the open round closes with: the orders that count, who enters
// and who leaves. missed counts the duties that nobody met.
func (d *Desk) inputs(tx *store.Tx, s *sitting, until time.Time) (in rules.Inputs, missed int, err error) {
	counting, err := tx.Counting(s.ID, s.Branch, s.Round, until)
	if err != nil {
		return in, 0, err
	}
	for _, o := range counting {
		if x, ok := s.seat(o.Seat); ok && inPlay(x) {
			in.Orders = append(in.Orders, rules.Order{Seat: o.Seat, Slot: o.Slot, Orders: o.Orders})
		}
	}
	for _, x := range s.seats {
		switch x.State {
		case store.SeatWaiting:
			in.Joins = append(in.Joins, x.Seat)
		case store.SeatLeaving:
			in.Leaves = append(in.Leaves, game.Leave{Seat: x.ID})
		case store.SeatRemoved:
			in.Leaves = append(in.Leaves, game.Leave{Seat: x.ID, Now: true})
		}
	}
	for _, duty := range s.table.Due().Duties {
		if x, ok := s.seat(duty.Seat); ok && !inPlay(x) {
			continue // taken out by the game master
		}
		if !slices.ContainsFunc(in.Orders, func(o rules.Order) bool { return o.Seat == duty.Seat && o.Slot == duty.Slot }) {
			missed++
		}
	}
	return in, missed, nil
}

// finish stores a step, moves game and seats on and queues the reports.
func (d *Desk) finish(tx *store.Tx, s *sitting, made proof.Made, at proof.Chain, now time.Time, closed *Closed) error {
	inputs, err := json.Marshal(made.Inputs)
	if err != nil {
		return fmt.Errorf("storing inputs: %w", err)
	}
	events, err := json.Marshal(made.Events)
	if err != nil {
		return fmt.Errorf("storing events: %w", err)
	}
	step := store.Step{Game: s.ID, Branch: at.Branch, Round: at.Round, Step: at.Step, Deadline: s.Due,
		Seed: at.Seed.String(), Next: at.Next, Inputs: inputs, Events: events, State: made.State,
		Hash: made.Hash, Closed: now}
	if err := tx.AddStep(step); err != nil {
		return err
	}
	due := made.Table.Due()
	told := d.moveSeats(s, due)
	for i, x := range s.seats {
		if x.State == told[i] {
			continue
		}
		if err := tx.SetSeatState(s.ID, x.ID, told[i]); err != nil {
			return err
		}
	}
	after := *s
	after.table, after.step = made.Table, step
	after.seats = slices.Clone(s.seats)
	for i := range after.seats {
		after.seats[i].State = told[i]
	}
	after.Round, after.Opened, after.State = due.Round, now, store.GameRunning
	after.Due = time.Time{}
	if due.Over {
		after.State = store.GameEnded
	} else if err := after.nextDeadline(now); err != nil {
		return err
	}
	if err := tx.MoveGame(after.Game); err != nil {
		return err
	}
	closed.Next, closed.Ended = after.Due, due.Over
	return d.report(tx, s, &after, made, now, closed)
}

// moveSeats gives each seat's state after a step: in play is who the ruleset
// says takes part.
func (d *Desk) moveSeats(s *sitting, due game.Due) []string {
	out := make([]string, len(s.seats))
	for i, x := range s.seats {
		switch {
		case slices.Contains(due.Seats, x.ID):
			out[i] = store.SeatPlaying
		default:
			out[i] = store.SeatLeft
		}
	}
	return out
}

// nextDeadline sets the open round's deadline: the first after both now and the
// last deadline, so that an outage costs no round.
func (s *sitting) nextDeadline(now time.Time) error {
	s.Due = time.Time{}
	if s.Deadline == "" {
		return nil
	}
	cal, err := schedule.Parse(s.Deadline, s.TZ)
	if err != nil {
		return fmt.Errorf("game %s: %w", s.ID, err)
	}
	after := now
	if s.step.Deadline.After(after) { // closed early by hand
		after = s.step.Deadline
	}
	s.Due = cal.Next(after)
	return nil
}

// stepEvents reads the events of a stored step.
func stepEvents(step store.Step) ([]rules.Event, error) {
	var events []rules.Event
	if err := json.Unmarshal(step.Events, &events); err != nil {
		return nil, fmt.Errorf("reading the events of round %d of %s: %w", step.Round, step.Game, err)
	}
	return events, nil
}
