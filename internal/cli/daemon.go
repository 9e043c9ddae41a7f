package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ringpost/internal/mailbox"
	"ringpost/internal/outbox"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// daemon keeps a data folder's games going: mails in, deadlines, mails out.
type daemon struct {
	*office
	keeper *keeper         // nil when all may be sent
	runner *mailbox.Runner // nil when mails come by `mail in` only
	sender *outbox.Sender
	wake   chan struct{} // mails may be waiting
	clock  clock
	began  time.Time
	chores time.Time // when they were last done
	before *polling  // a poll before a close that is not over; nil when there is none
	failed time.Time // when such a poll last failed; zero after one that did not
	outage map[referee.Way]referee.Outage
	told   time.Time            // when the game master was last told of an outage, or that was tried
	stuck  map[string]time.Time // games that were due and could not be closed, and when that was tried
}

// polling is a poll that was asked for.
type polling struct {
	since time.Time // it began then or later
	over  chan error
}

// newDaemon wires one up; keeper and source may be nil.
func newDaemon(o *office, keeper *keeper, source mailbox.Source, transport outbox.Transport, clock clock) *daemon {
	d := &daemon{office: o, keeper: keeper, wake: make(chan struct{}, 1), clock: clock, began: clock.Now(), stuck: map[string]time.Time{},
		outage: make(map[referee.Way]referee.Outage)}
	d.sender = outbox.New(queue{o, keeper}, transport, clock, o.log)
	if source != nil {
		d.runner = mailbox.NewRunner(source, d.deliver, mailbox.Clock{Now: clock.Now, After: clock.After}, o.log)
	}
	return d
}

// deliver stores and handles a batch of mails.
func (d *daemon) deliver(ctx context.Context, batch []mailbox.Mail) error {
	in := make([]referee.Incoming, len(batch))
	for i, m := range batch {
		in[i] = referee.Incoming{
			Place:    store.Place{Mailbox: m.Mailbox, UIDValidity: m.UIDValidity, UID: m.UID, Name: m.Name},
			Received: m.Received, Size: m.Size, Raw: m.Raw, Fault: m.Fault,
		}
	}
	if _, err := d.desk.Receive(ctx, in); err != nil {
		return err
	}
	// Before the mails are put away: they may be in the database of nobody.
	if err := d.store.There(); err != nil {
		return err
	}
	d.nudge()
	return nil
}

// nudge tells the sender to look into the outbox.
func (d *daemon) nudge() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// The daemon's rhythm. Commands beside it change the database without telling
// it, so it looks again every so often.
const (
	lookAgain   = 2 * time.Second
	choresEvery = 5 * time.Minute
	// A mailbox that cannot be read is tried at its own pace; a close that waits
	// for it asks no more often than this.
	askAgain = 30 * time.Second
	// A game that could not be closed is tried at this pace: each time the mailbox is
	// read before.
	closeAgain = time.Minute
	// While a poll before a close takes its time, the rest goes on.
	pollWait = 20 * time.Second
	longPoll = 10 * time.Minute // is told
)

// run works until ctx ends, or the mailbox must not be read any more.
func (d *daemon) run(ctx context.Context, beat func() error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := d.desk.Recover(ctx); err != nil {
		return err
	}
	for _, w := range []referee.Way{referee.Reading, referee.Sending} {
		o, err := d.desk.Outage(ctx, w)
		if err != nil {
			return err
		}
		d.outage[w] = o
	}
	done := make(chan struct{}, 2)
	go func() {
		d.sender.Run(ctx, d.wake)
		done <- struct{}{}
	}()
	if d.runner != nil {
		go func() {
			if err := d.runner.Run(ctx); errors.Is(err, mailbox.ErrStop) {
				cancel(err)
			}
			done <- struct{}{}
		}()
	} else {
		done <- struct{}{}
	}
	if gone := d.attend(ctx, beat); gone != nil {
		cancel(gone)
	}
	<-done
	<-done
	if why := context.Cause(ctx); errors.Is(why, mailbox.ErrStop) || errors.Is(why, store.ErrGone) {
		if err := beat(); err != nil { // the last one says why
			d.log.Error("heartbeat", "error", err)
		}
		return why
	}
	return nil
}

// attend closes rounds when they are due, until ctx ends or the database is gone.
func (d *daemon) attend(ctx context.Context, beat func() error) error {
	var deadline, heartbeat complaint
	for {
		if err := d.store.There(); errors.Is(err, store.ErrGone) {
			return err
		}
		if err := d.tick(ctx); ctx.Err() == nil {
			d.complain("deadline", &deadline, err)
		}
		d.complain("heartbeat", &heartbeat, beat())
		pause := lookAgain
		if due, err := d.desk.NextDeadline(ctx); err == nil && !due.IsZero() {
			if left := due.Sub(d.clock.Now()); left > 0 && left < pause {
				pause = left
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-d.clock.After(pause):
		}
	}
}

// complaint is an error that was logged last, and when.
type complaint struct {
	text string
	at   time.Time
}

// complain logs what goes wrong again and again once an hour: on a full disk the log
// needs room, too.
func (d *daemon) complain(what string, last *complaint, err error) {
	if err == nil {
		*last = complaint{}
		return
	}
	if now := d.clock.Now(); err.Error() != last.text || now.Sub(last.at).Abs() >= saidAgain {
		*last = complaint{err.Error(), now}
		d.log.Error(what, "error", err)
	}
}

// tick closes what is due, after a complete poll of the mailbox begun after the
// deadline (G-3). A mailbox that cannot be read postpones the close.
func (d *daemon) tick(ctx context.Context) error {
	d.nudge()
	if now := d.clock.Now(); now.Sub(d.chores) >= choresEvery || now.Before(d.chores) {
		d.chores = now
		if err := d.desk.Chores(ctx); err != nil {
			return err
		}
	}
	if err := errors.Join(d.watchMailbox(ctx), d.watchSending(ctx)); err != nil {
		d.log.Error("outage", "error", err)
	}
	if err := d.keeper.say(ctx); err != nil {
		return err
	}
	due, err := d.desk.DueNow(ctx)
	due = slices.DeleteFunc(due, func(g store.Game) bool {
		since := d.clock.Now().Sub(d.stuck[g.ID])
		return since >= 0 && since < closeAgain
	})
	if err != nil || len(due) == 0 {
		return err
	}
	moment := d.clock.Now()
	if d.runner != nil {
		var over bool
		if moment, over, err = d.poll(ctx); err != nil {
			for _, g := range due {
				d.desk.Postponed(ctx, g.ID, g.Round, err.Error())
			}
			return fmt.Errorf("reading the mailbox before the close: %w", err)
		}
		if !over {
			return nil
		}
	}
	closed, err := d.desk.CloseDueAt(ctx, moment)
	if err != nil {
		return err
	}
	for _, g := range due {
		if !g.Due.After(moment) && !slices.ContainsFunc(closed, func(c referee.Closed) bool { return c.Game == g.ID }) {
			d.stuck[g.ID] = d.clock.Now()
		}
	}
	d.nudge()
	return nil
}

// poll reads the mailbox before a close. When that is over, all that had arrived at
// the moment has been taken in.
func (d *daemon) poll(ctx context.Context) (moment time.Time, over bool, err error) {
	if d.before == nil {
		if d.waitsForMailbox() {
			return moment, false, nil
		}
		d.before = &polling{d.clock.Now(), make(chan error, 1)}
		go func(p *polling) { p.over <- d.runner.PollNow(ctx) }(d.before)
	}
	select {
	case err := <-d.before.over:
		moment, d.before, d.failed = d.before.since, nil, time.Time{}
		if err != nil {
			d.failed = d.clock.Now()
		}
		return moment, err == nil, err
	case <-d.clock.After(pollWait):
	case <-ctx.Done():
		return moment, false, nil
	}
	if took := d.clock.Now().Sub(d.before.since); took >= longPoll {
		return moment, false, fmt.Errorf("the mailbox has not been read to its end for %v, and is read on", took.Round(time.Minute))
	}
	return moment, false, nil
}

// waitsForMailbox tells whether a close has to wait: the mailbox could not be
// read, and still cannot.
func (d *daemon) waitsForMailbox() bool {
	if d.failed.IsZero() || d.runner.Health().Err == nil {
		return false
	}
	since := d.clock.Now().Sub(d.failed)
	return since >= 0 && since < askAgain
}

// watchMailbox tells the game master of a mailbox that has been out of reach for
// an hour, each day anew, and when it can be read again.
func (d *daemon) watchMailbox(ctx context.Context) error {
	if d.runner == nil {
		return nil
	}
	h := d.runner.Health()
	last := h.Complete
	if last.IsZero() {
		last = d.began
	}
	if h.Err != nil && d.clock.Now().Sub(last) > referee.OutageTold {
		err := d.blocked(ctx, referee.Reading, referee.Outage{Since: last, Why: h.Err.Error()})
		if now := d.clock.Now(); now.Sub(d.told).Abs() >= choresEvery {
			d.told = now
			d.desk.OutOfReach(ctx, referee.Outage{Since: d.outage[referee.Reading].Since, Why: h.Err.Error()})
		}
		return err
	}
	return d.open(ctx, referee.Reading, h.Complete)
}

// watchSending tells the game master when mails go out again after an hour or more
// without: before, no mail could.
func (d *daemon) watchSending(ctx context.Context) error {
	h := d.sender.Health()
	err := d.open(ctx, referee.Sending, h.Sent) // also if it is blocked anew
	if h.Err != nil {
		err = errors.Join(err, d.blocked(ctx, referee.Sending, referee.Outage{Since: h.Since, Why: h.Err.Error()}))
	}
	return err
}

// blocked notes that an outage has begun, unless it is known. On a full disk it is
// known to this process only.
func (d *daemon) blocked(ctx context.Context, w referee.Way, o referee.Outage) error {
	if !d.outage[w].Since.IsZero() {
		return nil
	}
	d.outage[w] = o
	return d.desk.Blocked(ctx, w, o)
}

// open ends an outage, if there is one and the way was seen to be open since.
func (d *daemon) open(ctx context.Context, w referee.Way, seen time.Time) error {
	o := d.outage[w]
	if o.Since.IsZero() || !seen.After(o.Since) {
		return nil
	}
	if err := d.desk.Unblocked(ctx, w, o, seen); err != nil {
		return err
	}
	d.log.Info("outage over", "way", w, "since", o.Since)
	d.outage[w] = referee.Outage{}
	return nil
}

// heartbeat is what `ringpost health` reads.
type heartbeat struct {
	At      time.Time `json:"at"`
	PID     int       `json:"pid"`
	Mailbox string    `json:"mailbox"` // what keeps it from being read, "" when nothing does
	Outbox  string    `json:"outbox"`
	Silent  string    `json:"silent"` // why nothing is sent, "" when mails are
	Muted   bool      `json:"muted"`  // because the operator wants it so
}

const heartbeatName = "serve.json"

// beatTo writes the heartbeat into the data folder, and how far it has come.
func (d *daemon) beatTo(dir string) func() error {
	return func() error {
		// Not with the server's context: the last beat comes after its end.
		ctx := context.Background()
		if err := d.keeper.file(ctx); err != nil {
			return err
		}
		h := heartbeat{At: time.Now().UTC(), PID: os.Getpid()}
		if d.runner != nil {
			if err := d.runner.Health().Err; err != nil {
				h.Mailbox = err.Error()
			}
		}
		if err := d.sender.Health().Err; err != nil {
			h.Outbox = err.Error()
		}
		leave, why, err := d.keeper.leave(ctx)
		if err != nil {
			return err
		}
		if leave == toNobody {
			h.Silent, h.Muted = why, d.keeper.muted
		}
		b, err := json.Marshal(h)
		if err != nil {
			return err
		}
		return replaceFile(filepath.Join(dir, heartbeatName), b)
	}
}
