package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"sync"
	"time"
)

const (
	batch = 100 // mails asked of the queue at once
	// idle is how often Run looks for mails that became due by themselves.
	idle = time.Minute
	// grace is how long the mail under way may go on when the program stops.
	// Cut off at once, it would often be delivered without our knowing it.
	grace = 10 * time.Second
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

// Health is how the way out is doing.
type Health struct {
	Err   error     // why mails are not sent, but stay in the queue; nil once one has been answered for again
	Since time.Time // when the first failure of this row happened
	Sent  time.Time // when a mail was last taken over, as of the end of a Flush; zero before the first
}

// Sender sends what is due. Make one with New.
type Sender struct {
	queue     Queue
	transport Transport
	clock     Clock
	log       *slog.Logger

	flushing sync.Mutex      // held by the one Flush at work
	untold   *settlement     // what the queue could not take down yet; nil when it knows everything. Guarded by flushing
	refused  map[string]bool // addresses refused for good since a mail was sent. Guarded by flushing
	putOff   map[string]bool // and those refused for now

	mu     sync.Mutex // guards health
	health Health
}

// settlement is what became of an attempt.
type settlement struct {
	item   Item
	result Result
}

// New returns a Sender that takes mails from queue and sends them by transport.
func New(queue Queue, transport Transport, clock Clock, log *slog.Logger) *Sender {
	return &Sender{queue: queue, transport: transport, clock: clock, log: log, refused: map[string]bool{}, putOff: map[string]bool{}}
}

// Health tells how sending goes.
func (s *Sender) Health() Health {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.health
}

// Run sends what is due, again whenever wake gets a value and every minute,
// until ctx is done. While the way out is blocked it waits longer and longer,
// and wake does not shorten that.
func (s *Sender) Run(ctx context.Context, wake <-chan struct{}) {
	failures := 0
	for {
		_, _, _, err := s.Flush(ctx)
		if ctx.Err() != nil {
			return
		}
		pause, woken := idle, wake
		if err != nil {
			failures++
			pause, woken = backoff(failures), nil
			s.log.Error("sending stopped early", "transport", s.transport.Name(), "err", nameless(err.Error()), "again_in", pause)
		} else {
			failures = 0
		}
		select {
		case <-ctx.Done():
			return
		case <-s.clock.After(pause):
		case _, open := <-woken:
			if !open {
				wake = nil
			}
		}
	}
}

// Flush sends all that is due over one connection and tells how many mails
// were sent, put off and given up. A mail that is refused does not stop the
// others, and a lost connection is opened anew. The error says why mails were
// left in the queue untried: the transport does not open, two connections in a
// row broke before they carried anything, one address after another was refused
// for good, the queue failed, or ctx is done.
func (s *Sender) Flush(ctx context.Context) (sent, retried, failed int, err error) {
	s.flushing.Lock()
	defer s.flushing.Unlock()

	work, stop := s.withGrace(ctx)
	defer stop()
	f := flush{Sender: s, work: work, offered: map[int64]bool{}}
	err = f.all(ctx)
	f.hangUp()
	if ctx.Err() == nil {
		s.note(cmp.Or(err, f.allPutOff), f.answered, f.lastSent)
	}
	return f.sent, f.retried, f.failed, err
}

// withGrace returns a context that outlives ctx by the grace period.
func (s *Sender) withGrace(ctx context.Context) (context.Context, context.CancelFunc) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-s.clock.After(grace):
			cancel()
		case <-work.Done():
		}
	})
	return work, func() { stop(); cancel() }
}

// note keeps the health. A Flush that had nothing to send, or whose only mail
// met a broken connection, does not show that the way out is open.
func (s *Sender) note(err error, answered bool, sent time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !sent.IsZero() {
		s.health.Sent = sent
	}
	switch {
	case err == nil && answered:
		s.health.Err, s.health.Since = nil, time.Time{}
	case err == nil:
	case s.health.Err == nil || s.health.Sent.After(s.health.Since):
		s.health.Err, s.health.Since = err, s.clock.Now()
	default:
		s.health.Err = err
	}
}

// flush is one Flush at work.
type flush struct {
	*Sender
	work context.Context // of the mail under way; outlives a stop by the grace period

	session  Session // nil when none is open
	carried  bool    // this session has answered for a mail
	broken   bool    // the session before it broke without having done so
	answered bool    // some session of this Flush has answered for a mail

	lastSent  time.Time
	allPutOff error // the way out refuses all for now; nil when it does not

	offered               map[int64]bool // mails already tried in this Flush
	sent, retried, failed int
}

func (f *flush) all(ctx context.Context) error {
	// The queue may not have been able to write: sent again, the mail would arrive
	// twice.
	if f.untold != nil {
		if err := f.settle(ctx, *f.untold); err != nil {
			return err
		}
	}
	for {
		items, err := f.queue.Due(ctx, f.clock.Now(), batch)
		if err != nil {
			return fmt.Errorf("look for mails to send: %w", err)
		}
		tried := 0
		for _, item := range items {
			// No mail is tried twice in one Flush, whatever the queue says: a
			// queue that forgets results must not flood a player's mailbox.
			if f.offered[item.ID] {
				continue
			}
			f.offered[item.ID] = true
			tried++
			if err := f.try(ctx, item); err != nil {
				return err
			}
		}
		if tried == 0 {
			return nil
		}
	}
}

// try makes one attempt at item. Its error ends the Flush.
func (f *flush) try(ctx context.Context, item Item) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if f.session == nil {
		session, err := f.transport.Open(ctx)
		if err != nil {
			return fmt.Errorf("open %s: %w", f.transport.Name(), err)
		}
		f.session, f.carried = session, false
	}
	switch err := f.queue.Attempt(ctx, item.ID, f.clock.Now()); {
	case errors.Is(err, ErrWithdrawn):
		return nil
	case err != nil:
		return fmt.Errorf("note the attempt at mail %d, which is not sent: %w", item.ID, err)
	}
	sendErr := f.session.Send(f.work, item)
	if err := f.settle(ctx, settlement{item, outcome(item, f.clock.Now(), sendErr)}); err != nil {
		return err
	}
	if err := f.keepSession(sendErr); err != nil {
		return err
	}
	return f.refusals(item, sendErr)
}

// refusals counts the addresses that are refused in a row. For now, each mail is
// put off by itself; for good, its error ends the Flush.
func (f *flush) refusals(item Item, sendErr error) error {
	var refusal *Refusal
	switch {
	case sendErr == nil:
		clear(f.refused)
		clear(f.putOff)
		f.allPutOff = nil
	case !errors.As(sendErr, &refusal):
	case refusal.Permanent:
		if f.refused[item.To] = true; len(f.refused) >= mostRefused {
			return fmt.Errorf("%s has refused %d addresses in a row, each for good: %s", f.transport.Name(), len(f.refused), refusal.Answer)
		}
	default:
		if f.putOff[item.To] = true; len(f.putOff) >= mostRefused {
			f.allPutOff = fmt.Errorf("%s has put off %d addresses in a row: %s", f.transport.Name(), len(f.putOff), refusal.Answer)
		}
	}
	return nil
}

// settle tells the queue what became of an attempt, whatever becomes of us: what
// happened, happened.
func (f *flush) settle(ctx context.Context, s settlement) error {
	f.untold = &s
	if err := f.queue.Settle(context.WithoutCancel(ctx), s.item.ID, s.result); err != nil {
		return fmt.Errorf("note that mail %d is %s: %w", s.item.ID, s.result.State, err)
	}
	f.untold = nil
	f.offered[s.item.ID] = true
	f.count(s.item, s.result)
	return nil
}

// keepSession decides whether the session can carry the next mail.
func (f *flush) keepSession(sendErr error) error {
	var refusal *Refusal
	if sendErr == nil || errors.As(sendErr, &refusal) && !refusal.Closing {
		f.carried, f.answered = true, true
		return nil
	}
	f.session.Close() // it is broken; how it closes tells nothing new
	f.session = nil
	// Servers that take so many mails a connection end it after them, so a
	// connection that did its work may be followed by another. Two that did
	// nothing show that the trouble is not with one mail.
	if !f.carried && f.broken {
		return fmt.Errorf("two connections in a row to %s came to nothing: %w", f.transport.Name(), sendErr)
	}
	f.broken = !f.carried
	return nil
}

// hangUp ends the session. Every mail is settled by then, so that a bad end
// harms nothing.
func (f *flush) hangUp() {
	if f.session == nil {
		return
	}
	if err := f.session.Close(); err != nil {
		f.log.Debug("the session ended badly", "transport", f.transport.Name(), "err", err)
	}
}

func (f *flush) count(item Item, r Result) {
	level := slog.LevelInfo
	switch r.State {
	case Sent:
		f.sent++
		f.lastSent = r.At
	case Retry:
		f.retried++
		level = slog.LevelWarn
	case Failed:
		f.failed++
		level = slog.LevelError
	}
	// No address stands here, nor in the answer: logs outlive a person's wish to be
	// forgotten, and the sender's holds a reply token.
	attrs := []slog.Attr{
		slog.String("state", string(r.State)), slog.Int64("mail", item.ID), slog.String("message_id", item.MessageID),
		slog.String("game", item.Game), slog.String("kind", item.Kind), slog.Int("attempt", item.Attempts+1),
	}
	if r.State != Sent {
		attrs = append(attrs, slog.String("answer", nameless(r.Answer)), slog.Bool("ambiguous", r.Ambiguous))
	}
	if r.State == Retry {
		attrs = append(attrs, slog.Time("next", r.Next))
	}
	f.log.LogAttrs(f.work, level, "outgoing mail", attrs...)
}

// nameless takes mail addresses out of a text.
func nameless(text string) string { return mailAddress.ReplaceAllString(text, "[address]") }

var mailAddress = regexp.MustCompile(`[^\s<>()"',;:]+@[^\s<>()"',;:]+`)

// outcome turns what Send returned into what the queue is told.
func outcome(item Item, now time.Time, sendErr error) Result {
	if sendErr == nil {
		return Result{State: Sent, At: now}
	}
	r := Result{At: now, Answer: oneLine(sendErr.Error()), Ambiguous: item.Doubtful || errors.Is(sendErr, ErrAmbiguous)}
	var refusal *Refusal
	if errors.As(sendErr, &refusal) {
		r.Answer = oneLine(refusal.Answer)
		if refusal.Permanent && !item.Persistent {
			r.State = Failed
			return r
		}
	}
	attempts := item.Attempts + 1
	pause, again := Pause(attempts)
	if !again {
		r.State = Failed
		r.Answer = oneLine(fmt.Sprintf("given up after %d attempts: %s", attempts, r.Answer))
		return r
	}
	r.State, r.Next = Retry, now.Add(pause)
	return r
}
