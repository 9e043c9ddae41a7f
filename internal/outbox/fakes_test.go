package outbox_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"ringpost/internal/outbox"
)

var start = time.Date(2026, 11, 27, 20, 0, 0, 0, time.UTC)

var discard = slog.New(slog.DiscardHandler)

// clock stands still until it is moved. Whoever waits on it shows in waits.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	waits chan wait
}

type wait struct {
	pause time.Duration
	fire  chan time.Time
}

func newClock() *clock { return &clock{now: start, waits: make(chan wait, 100)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	w := wait{d, make(chan time.Time, 1)}
	c.waits <- w
	return w.fire
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// queued is a mail as the queue keeps it.
type queued struct {
	item outbox.Item
	due  time.Time
	last outbox.Result
}

// queue is a Queue in memory that writes down what is asked of it, in the
// journal it shares with the transport.
type queue struct {
	mu      sync.Mutex
	mails   []*queued
	journal *[]string

	dueErr, attemptErr, settleErr error
	forgetful                     bool   // loses every result
	onDue                         func() // called before each Due
}

func newQueue(n int) *queue {
	q := &queue{journal: new([]string)}
	for range n {
		q.add()
	}
	return q
}

func (q *queue) add() *queued {
	q.mu.Lock()
	defer q.mu.Unlock()
	id := int64(len(q.mails) + 1)
	m := &queued{due: start, item: outbox.Item{
		ID: id, From: fmt.Sprintf("gm+b%d@ringpost.test", id), To: fmt.Sprintf("player%d@example.org", id),
		Raw:       fmt.Appendf(nil, "Message-ID: <%d@ringpost.test>\r\nSubject: mail %d\r\n\r\n.dot\r\n.\r\nlast\r\n", id, id),
		MessageID: fmt.Sprintf("%d@ringpost.test", id), Game: "liga-nord", Kind: "report",
	}}
	q.mails = append(q.mails, m)
	return m
}

func (q *queue) write(format string, args ...any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	*q.journal = append(*q.journal, fmt.Sprintf(format, args...))
}

// entries returns the journal and begins a new one.
func (q *queue) entries() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	entries := slices.Clone(*q.journal)
	*q.journal = nil
	return entries
}

func (q *queue) result(id int64) outbox.Result {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.mails[id-1].last
}

func (q *queue) Due(_ context.Context, now time.Time, limit int) ([]outbox.Item, error) {
	if q.onDue != nil {
		q.onDue()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var items []outbox.Item
	for _, m := range q.mails {
		if open := m.last.State == "" || m.last.State == outbox.Retry; open && !m.due.After(now) && len(items) < limit {
			items = append(items, m.item)
		}
	}
	return items, q.dueErr
}

func (q *queue) Attempt(ctx context.Context, id int64, now time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.write("attempt %d", id)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.attemptErr != nil {
		return q.attemptErr
	}
	q.mails[id-1].item.Attempts++
	return nil
}

func (q *queue) Settle(ctx context.Context, id int64, r outbox.Result) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.write("settle %d %s", id, r.State)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.settleErr != nil {
		return q.settleErr
	}
	if q.forgetful {
		return nil
	}
	m := q.mails[id-1]
	m.last, m.item.Doubtful = r, r.Ambiguous
	if r.State == outbox.Retry {
		m.due = r.Next
	}
	return nil
}

// transport writes into the queue's journal and answers as told.
type transport struct {
	queue *queue
	open  func() error                                   // nil: always opens
	send  func(ctx context.Context, i outbox.Item) error // nil: takes everything
	sent  []outbox.Item
}

func (tr *transport) Name() string { return "fake" }

func (tr *transport) Open(context.Context) (outbox.Session, error) {
	tr.queue.write("open")
	if tr.open != nil {
		if err := tr.open(); err != nil {
			return nil, err
		}
	}
	return session{tr}, nil
}

type session struct{ *transport }

func (s session) Send(ctx context.Context, i outbox.Item) error {
	s.queue.write("send %d", i.ID)
	s.transport.sent = append(s.transport.sent, i)
	if s.send == nil {
		return nil
	}
	return s.send(ctx, i)
}

func (s session) Close() error {
	s.queue.write("close")
	return nil
}

// rig is a Sender with everything around it.
type rig struct {
	*outbox.Sender
	queue     *queue
	transport *transport
	clock     *clock
}

func newRig(mails int) *rig {
	q := newQueue(mails)
	r := &rig{queue: q, transport: &transport{queue: q}, clock: newClock()}
	r.Sender = outbox.New(q, r.transport, r.clock, discard)
	return r
}

// flush runs Flush and checks what it returns.
func flush(t *testing.T, s *outbox.Sender, sent, retried, failed int) error {
	t.Helper()
	gotSent, gotRetried, gotFailed, err := s.Flush(t.Context())
	if gotSent != sent || gotRetried != retried || gotFailed != failed {
		t.Errorf("sent %d, retried %d, failed %d; want %d, %d, %d (%v)",
			gotSent, gotRetried, gotFailed, sent, retried, failed, err)
	}
	return err
}
