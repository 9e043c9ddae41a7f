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
	"ringpost/internal/report"
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
	// Paused is set when nobody is left in the game: it waits for the game master.
	Paused bool `json:"paused"`
}

// together is how many games are closed in one transaction: committing costs as
// much as closing a small game, and mail waits while a transaction runs.
const together = 16

// CloseDue is CloseDueAt for this moment.
func (d *Desk) CloseDue(ctx context.Context) ([]Closed, error) { return d.CloseDueAt(ctx, d.now()) }

// CloseDueAt closes the open round of every running game whose deadline had come by
// a moment; all mail that had arrived by then must have been taken in (G-3). A game
// that cannot be closed does not hold up the others: the game master is told.
func (d *Desk) CloseDueAt(ctx context.Context, moment time.Time) ([]Closed, error) {
	due, err := d.dueAt(ctx, moment)
	if err != nil {
		return nil, fmt.Errorf("looking for deadlines: %w", err)
	}
	var out []Closed
	for games := range slices.Chunk(due, together) {
		closed, failed := d.closeTogether(ctx, games)
		out = append(out, closed...)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		for _, f := range failed {
			d.log.Error("round cannot be closed", "game", f.ID, "round", f.Round, "error", f.err)
			d.tell(ctx, report.Alert{Code: "stuck", Game: f.ID, Round: f.Round, Detail: f.err.Error()})
		}
	}
	return out, nil
}

// failure is a game that could not be closed.
type failure struct {
	store.Game
	err error
}

// closeTogether closes games in one transaction, each for itself: one that fails
// leaves the others closed. While the reports of one are worded the next is
// decided.
func (d *Desk) closeTogether(ctx context.Context, games []store.Game) (closed []Closed, failed []failure) {
	err := d.store.Write(ctx, func(tx *store.Tx) error {
		closed, failed = nil, nil
		apart := func(g store.Game, f func() error) bool {
			err := tx.Savepoint(f)
			if err != nil {
				failed = append(failed, failure{g, err})
			}
			return err == nil
		}
		var decided *turn
		keep := func() {
			if t := decided; t != nil && apart(t.before.Game, func() error { return t.keep(tx) }) {
				closed = append(closed, t.closed)
			}
			decided = nil
		}
		for _, g := range games {
			var t *turn
			apart(g, func() (err error) {
				t, err = d.decideOpen(tx, g.ID, g.Round)
				return err
			})
			keep()
			decided = t
		}
		keep()
		return nil
	})
	if err != nil && ctx.Err() == nil && len(games) > 1 {
		// All was undone. One by one it shows whose fault it is.
		d.log.Error("games cannot be closed together", "games", len(games), "error", err)
		closed, failed = nil, nil
		for _, g := range games {
			c, f := d.closeTogether(ctx, []store.Game{g})
			closed, failed = append(closed, c...), append(failed, f...)
		}
		return closed, failed
	}
	if err != nil {
		return nil, []failure{{games[0], err}}
	}
	for _, c := range closed {
		d.logClosed(c)
	}
	return closed, failed
}

func (d *Desk) logClosed(c Closed) {
	d.log.Info("round closed", "game", c.Game, "round", c.Round, "nmr", c.NMR, "mails", c.Mails)
}

// Postponed tells the game master that a round that is due waits for the mailbox.
func (d *Desk) Postponed(ctx context.Context, gameID string, round int, why string) {
	d.tell(ctx, report.Alert{Code: "postponed", Game: gameID, Round: round, Detail: why})
}

// tell alerts the game master of something outside any mail.
func (d *Desk) tell(ctx context.Context, a report.Alert) {
	err := d.store.Write(ctx, func(tx *store.Tx) error { return d.alert(tx, a, d.now()) })
	if err != nil {
		d.log.Error("alert cannot be queued", "code", a.Code, "game", a.Game, "error", err)
	}
}

// Close closes the given round of a game, deadline or not; round 0 means the
// open one. A round that is closed already is left as it is.
func (d *Desk) Close(ctx context.Context, id string, round int) (c Closed, err error) {
	err = d.store.Write(ctx, func(tx *store.Tx) error {
		t, err := d.decideOpen(tx, id, round)
		if err != nil {
			return err
		}
		err = t.keep(tx)
		c = t.closed
		return err
	})
	if err != nil {
		return c, err
	}
	d.logClosed(c)
	return c, nil
}

// decideOpen makes the next step of a game whose open round is the given one, or
// with 0 whichever it is.
func (d *Desk) decideOpen(tx *store.Tx, id string, round int) (*turn, error) {
	s, err := d.sit(tx, id)
	if err != nil {
		return nil, err
	}
	if s.State != store.GameRunning {
		return nil, fmt.Errorf("game %s is %s: no round of it can be closed", id, s.State)
	}
	if round != 0 && round != s.Round {
		return nil, fmt.Errorf("round %d of %s is not the open one, which is %d", round, id, s.Round)
	}
	now, until := d.now(), time.Time{}
	if s.closedFor(now) {
		until = s.until(s.Round)
	}
	in, missed, err := d.inputs(tx, s, until)
	if err != nil {
		return nil, err
	}
	at := s.next()
	made, err := proof.Advance(s.table, in, at)
	if err != nil {
		return nil, err
	}
	return d.decide(tx, s, made, at, now, missed)
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

// turn is a step that is made, while its reports are worded and before it is
// kept. Making it only reads.
type turn struct {
	*Desk
	before, after *sitting
	reports       *reporting
	now           time.Time
	closed        Closed
}

// decide moves game and seats on by a step that was made and begins to word the
// reports on it. missed counts the duties that nobody met.
func (d *Desk) decide(tx *store.Tx, s *sitting, made proof.Made, at proof.Chain, now time.Time, missed int) (*turn, error) {
	after, err := s.moved(made, at, now)
	if err != nil {
		return nil, err
	}
	t := &turn{Desk: d, before: s, after: after, now: now,
		closed: Closed{Game: s.ID, Round: at.Round, NMR: missed, Next: after.Due, Ended: after.State == store.GameEnded, Paused: after.State == store.GamePaused}}
	t.reports, err = d.word(tx, s, after, made)
	return t, err
}

// moved is the game after a step that was made.
func (s *sitting) moved(made proof.Made, at proof.Chain, now time.Time) (*sitting, error) {
	inputs, err := json.Marshal(made.Inputs)
	if err != nil {
		return nil, fmt.Errorf("storing inputs: %w", err)
	}
	events, err := json.Marshal(made.Events)
	if err != nil {
		return nil, fmt.Errorf("storing events: %w", err)
	}
	due := made.Table.Due()
	after := *s
	after.table = made.Table
	after.step = store.Step{Game: s.ID, Branch: at.Branch, Round: at.Round, Step: at.Step, Deadline: s.Due,
		Seed: at.Seed.String(), Next: at.Next, Inputs: inputs, Events: events, State: made.State,
		Hash: made.Hash, Closed: now}
	after.seats = movedSeats(s.seats, due)
	after.Round, after.Opened, after.State = due.Round, now, store.GameRunning
	after.Due = time.Time{}
	switch {
	case due.Over:
		after.State = store.GameEnded
	case len(due.Seats) == 0:
		// Rounds of nobody would be closed for ever. To end the game would reveal its
		// secret and cannot be undone (G-2): that is the game master's to decide.
		after.State = store.GamePaused
	default:
		if err := after.nextDeadline(now); err != nil {
			return nil, err
		}
	}
	return &after, nil
}

// next is the place of the game's next step.
func (s *sitting) next() proof.Chain {
	at := proof.AtKept(dice.Secret(s.Secret), s.ID, s.Branch, s.on.Seeds, s.Round)
	at.Previous = s.tip()
	if s.step.Round == s.Round {
		at.Step = s.step.Step + 1
	}
	return at
}

// keep stores the step, moves game and seats on and queues the reports.
func (t *turn) keep(tx *store.Tx) error {
	if err := tx.AddStep(t.after.step); err != nil {
		return err
	}
	for i, x := range t.after.seats {
		if x.State == t.before.seats[i].State {
			continue
		}
		if err := tx.SetSeatState(t.before.ID, x.ID, x.State); err != nil {
			return err
		}
	}
	if err := tx.MoveGame(t.after.Game); err != nil {
		return err
	}
	if t.after.Round != t.before.Round || t.after.State != store.GameRunning {
		if err := tx.TakeBackReminders(t.before.ID); err != nil {
			return err
		}
	}
	sent, err := t.reports.send(tx, t.now)
	t.closed.Mails = sent
	if err == nil && t.closed.Paused {
		err = t.alert(tx, report.Alert{Code: "empty", Game: t.closed.Game, Round: t.closed.Round}, t.now)
	}
	return err
}

// movedSeats are the seats after a step: in play is who the ruleset says takes
// part.
func movedSeats(seats []store.Seat, due game.Due) []store.Seat {
	out := slices.Clone(seats)
	for i := range out {
		out[i].State = store.SeatLeft
		if slices.Contains(due.Seats, out[i].ID) {
			out[i].State = store.SeatPlaying
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
