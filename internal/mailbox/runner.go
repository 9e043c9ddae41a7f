package mailbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Health says how a source is doing.
type Health struct {
	Complete time.Time // when the newest complete poll began: all mail there at that moment is delivered; zero before the first
	Err      error     // what went wrong since the newest complete poll, nil if nothing
	Failures int       // how often in a row
}

// Runner keeps a source going: it polls, waits for new mail, polls again; after a failure it pauses, longer each
// time, 5 seconds to 5 minutes, or as long as the server wishes; after a refused login 1 to 30 minutes.
type Runner struct {
	source  Source
	deliver Deliver
	clock   Clock
	logger  *slog.Logger
	asks    chan chan error // each wants the result of a poll that begins after it is received
	stopped chan struct{}

	mu     sync.Mutex
	health Health
}

// NewRunner readies a runner. A nil logger means slog.Default().
func NewRunner(source Source, deliver Deliver, clock Clock, logger *slog.Logger) *Runner {
	if logger == nil {
		logger = slog.Default()
	}
	return &Runner{
		source: source, deliver: deliver, clock: clock.orSystem(), logger: logger,
		asks: make(chan chan error), stopped: make(chan struct{}),
	}
}

// Health can be asked for at any time.
func (r *Runner) Health() Health {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.health
}

var errStopped = errors.New("the mailbox is no longer read")

// PollNow has a poll made that begins after the call and looks everywhere, and returns when that poll is
// complete, or its error. It ends waiting and pausing at once, but for a pause that the server has asked for: then
// it returns what the server said. It works while Run does.
func (r *Runner) PollNow(ctx context.Context) error {
	answer := make(chan error, 1)
	select {
	case r.asks <- answer:
	case <-r.stopped:
		return errStopped
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run works until ctx ends, or the source is closed or must not be read any more, and then closes the source. It
// runs once.
func (r *Runner) Run(ctx context.Context) error {
	defer close(r.stopped)
	defer r.source.Close()
	var asked []chan error
	answer := func(err error) {
		for _, a := range asked {
			a <- err
		}
		asked = nil
	}
	lost := 0 // connections lost while waiting, in a row
	for {
		began := r.clock.Now()
		n, err := r.poll(ctx, len(asked) > 0)
		answer(err)
		if over := ended(ctx, err); over != nil {
			r.stopping(over)
			return over
		}
		if n > 0 {
			r.logger.Info("mail taken in", "mails", n)
		}
		if err == nil {
			r.complete(began)
			asked, err = r.wait(ctx)
			if over := ended(ctx, err); over != nil {
				answer(over)
				return over
			}
			if lost++; err == nil {
				lost = 0
			}
		}
		if err != nil && len(asked) == 0 {
			asked = r.pause(ctx, err, lost)
			if ctx.Err() != nil {
				answer(ctx.Err())
				return ctx.Err()
			}
		}
		asked = append(asked, r.alsoAsked()...)
	}
}

func (r *Runner) poll(ctx context.Context, everywhere bool) (int, error) {
	if s, ok := r.source.(Thorough); ok && everywhere {
		return s.PollAll(ctx, r.deliver)
	}
	return r.source.Poll(ctx, r.deliver)
}

// ended gives the error Run ends with, nil if it goes on.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, ErrClosed) || errors.Is(err, ErrStop) {
		return err
	}
	return nil
}

// stopping keeps why a source must not be read any more.
func (r *Runner) stopping(why error) {
	if errors.Is(why, ErrStop) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.health.Err = why
	}
}

func (r *Runner) complete(began time.Time) {
	r.mu.Lock()
	failures := r.health.Failures
	r.health = Health{Complete: began}
	r.mu.Unlock()
	if failures > 0 {
		r.logger.Info("mailbox read again", "failures", failures)
	}
}

// wait returns when there may be mail, or somebody asks for a poll.
func (r *Runner) wait(ctx context.Context) (asked []chan error, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- r.source.Wait(ctx) }()
	select {
	case err := <-done:
		return nil, err
	case a := <-r.asks:
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			return []chan error{a}, err
		}
		return []chan error{a}, nil
	}
}

// pause waits after a failure, the longer the more there were in a row, of polls or of connections between them.
func (r *Runner) pause(ctx context.Context, err error, lost int) (asked []chan error) {
	r.mu.Lock()
	r.health.Err = err
	r.health.Failures++
	pause := pauseAfter(err, max(r.health.Failures, lost))
	r.mu.Unlock()
	r.logger.Warn("mailbox not read", "err", err, "again_in", pause)
	over := r.clock.After(pause)
	for {
		select {
		case <-over:
			return nil
		case a := <-r.asks:
			if !throttled(err) {
				return []chan error{a}
			}
			a <- fmt.Errorf("the server wants to be left alone for now: %w", err)
		case <-ctx.Done():
			return nil
		}
	}
}

// alsoAsked collects who else waits for the poll that comes now.
func (r *Runner) alsoAsked() (asked []chan error) {
	for {
		select {
		case a := <-r.asks:
			asked = append(asked, a)
		default:
			return asked
		}
	}
}
