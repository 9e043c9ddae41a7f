package referee

import (
	"fmt"

	"ringpost/internal/store"
)

// haste is how mails are handled as long as nothing goes wrong, which is nearly
// always: without a savepoint for each, and their answers worded beside the
// transaction, which takes as long as all the rest.
type haste struct {
	drafts []*draft // in the order of their letters
}

// draft is an answer that is being worded.
type draft struct {
	mail   mail
	letter int64
	done   chan struct{} // closed when out and err are there
	out    store.Outgoing
	err    error
}

func newHaste() *haste { return &haste{} }

// stumble is the error of a single letter that was handled in haste.
type stumble struct {
	letter int64
	err    error
}

// Error implements error.
func (s *stumble) Error() string { return fmt.Sprintf("mail %d: %v", s.letter, s.err) }

// Unwrap gives what went wrong.
func (s *stumble) Unwrap() error { return s.err }

// post words a mail and queues it: at once, or in haste when the others are done.
func (c *correspondence) post(m mail, word func(*mail) error) error {
	worded := func() (o store.Outgoing, err error) {
		if err := word(&m); err != nil {
			return o, err
		}
		return c.outgoing(m, c.at)
	}
	if c.haste == nil {
		o, err := worded()
		if err != nil {
			return err
		}
		return c.enqueue(c.tx, o)
	}
	d := &draft{mail: m, letter: c.letter.ID, done: make(chan struct{})}
	c.haste.drafts = append(c.haste.drafts, d)
	go func() {
		defer close(d.done)
		d.err = guarded(func() (err error) {
			d.out, err = worded()
			return err
		})
	}()
	return nil
}

// settle queues the answers that are being worded.
func (h *handling) settle() error {
	if h.haste == nil {
		return nil
	}
	for _, d := range h.haste.drafts {
		<-d.done
		err := d.err
		if err == nil {
			err = h.enqueue(h.tx, d.out)
		}
		if err != nil {
			return &stumble{letter: d.letter, err: err}
		}
	}
	h.haste.drafts = nil
	return nil
}

// settleFor makes sure that the answers to a seat stand in the queue.
func (h *handling) settleFor(m *mail) error {
	if h.haste == nil {
		return nil
	}
	for _, d := range h.haste.drafts {
		if d.mail.game == m.game && d.mail.seat == m.seat {
			return h.settle()
		}
	}
	return nil
}

// wait returns when nothing is being worded any more.
func (h *haste) wait() {
	if h == nil {
		return
	}
	for _, d := range h.drafts {
		<-d.done
	}
}

// guarded runs f and makes an error of a panic.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}
