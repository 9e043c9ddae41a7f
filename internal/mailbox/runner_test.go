package mailbox

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// script is a source of which each step is what the test says.
type script struct {
	polls  chan chan error // a poll has begun; its result is to be sent
	waits  chan chan error // a wait has begun; the same
	closed chan none
}

func newScript() *script {
	return &script{polls: make(chan chan error), waits: make(chan chan error), closed: make(chan none)}
}

func (s *script) step(ctx context.Context, steps chan chan error) error {
	result := make(chan error)
	select {
	case steps <- result:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *script) Poll(ctx context.Context, _ Deliver) (int, error) { return 1, s.step(ctx, s.polls) }
func (s *script) Wait(ctx context.Context) error                   { return s.step(ctx, s.waits) }
func (s *script) Close() error                                     { close(s.closed); return nil }

// running runs a script; the channel tells how it ended.
func running(t *testing.T) (s *script, r *Runner, c *clock, stop context.CancelFunc, done <-chan error) {
	t.Helper()
	s, c = newScript(), newClock()
	r = NewRunner(s, (&taker{}).deliver, c.clock(), slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	return s, r, c, stop, ended
}

func ask1(t *testing.T, r *Runner) <-chan error {
	t.Helper()
	answer := make(chan error, 1)
	go func() { answer <- r.PollNow(t.Context()) }()
	return answer
}

func TestRunnerPollsAndWaits(t *testing.T) {
	s, r, c, stop, done := running(t)
	begin := c.time()
	poll := within(t, "a poll", s.polls)
	c.set(begin.Add(time.Minute)) // the poll takes a minute: it is complete as of its beginning
	if diff := cmp.Diff(Health{}, r.Health()); diff != "" {
		t.Errorf("health before the first poll (-want +got):\n%s", diff)
	}
	poll <- nil
	wait := within(t, "a wait", s.waits)
	if diff := cmp.Diff(Health{Complete: begin}, r.Health()); diff != "" {
		t.Errorf("health (-want +got):\n%s", diff)
	}
	wait <- nil
	within(t, "a poll", s.polls) <- nil
	within(t, "a wait", s.waits)
	if got := r.Health().Complete; !got.Equal(begin.Add(time.Minute)) {
		t.Errorf("complete as of %v", got)
	}
	stop()
	if err := within(t, "the end", done); !errors.Is(err, context.Canceled) {
		t.Errorf("run: %v", err)
	}
	within(t, "the closing of the source", s.closed)
	if err := r.PollNow(t.Context()); err == nil {
		t.Error("a stopped runner polled")
	}
}

func TestRunnerPausesLongerAndLonger(t *testing.T) {
	s, r, c, _, _ := running(t)
	bad := errors.New("no route to host")
	for i, pause := range []time.Duration{5, 10, 20, 40, 80, 160, 300, 300} {
		within(t, "a poll", s.polls) <- bad
		c.wait(t, pause*time.Second)
		if h := r.Health(); !errors.Is(h.Err, bad) || h.Failures != i+1 || !h.Complete.IsZero() {
			t.Errorf("health %+v after %d failures", h, i+1)
		}
		c.ring(pause * time.Second)
	}
	// A complete poll sets all back; a lost wait is a failure as well.
	within(t, "a poll", s.polls) <- nil
	wait := within(t, "a wait", s.waits)
	if h := r.Health(); h.Err != nil || h.Failures != 0 {
		t.Errorf("health %+v after a complete poll", h)
	}
	wait <- bad
	c.wait(t, 5*time.Second)
	if h := r.Health(); !errors.Is(h.Err, bad) || h.Failures != 1 || h.Complete.IsZero() {
		t.Errorf("health %+v after a lost wait", h)
	}
	// Connections that are lost after each complete poll are not made anew every few seconds.
	for _, pause := range []time.Duration{5, 10, 20} {
		c.ring(pause * time.Second)
		within(t, "a poll", s.polls) <- nil
		within(t, "a wait", s.waits) <- bad
		c.wait(t, 2*pause*time.Second)
	}
	c.ring(40 * time.Second)
	within(t, "a poll", s.polls) <- nil
	within(t, "a wait", s.waits) <- nil
	within(t, "a poll", s.polls) <- bad
	c.wait(t, 5*time.Second)
}

func TestPollNow(t *testing.T) {
	bad := errors.New("no route to host")
	t.Run("ends a wait", func(t *testing.T) {
		s, r, _, _, _ := running(t)
		within(t, "a poll", s.polls) <- nil
		within(t, "a wait", s.waits)
		answer := ask1(t, r)
		within(t, "a poll", s.polls) <- nil
		if err := within(t, "the answer", answer); err != nil {
			t.Error(err)
		}
	})
	t.Run("ends a pause, and tells of a failure", func(t *testing.T) {
		s, r, c, _, _ := running(t)
		within(t, "a poll", s.polls) <- bad
		c.wait(t, firstPause)
		answer := ask1(t, r)
		within(t, "a poll", s.polls) <- bad
		if err := within(t, "the answer", answer); !errors.Is(err, bad) {
			t.Errorf("answer %v", err)
		}
		c.wait(t, 2*firstPause)
	})
	t.Run("a poll under way does not count", func(t *testing.T) {
		s, r, _, _, _ := running(t)
		poll := within(t, "a poll", s.polls)
		answer := ask1(t, r)
		poll <- bad
		// The poll that began before the question failed; the question is about the next.
		within(t, "the next poll", s.polls) <- nil
		if err := within(t, "the answer", answer); err != nil {
			t.Errorf("answer %v", err)
		}
	})
	t.Run("many at once", func(t *testing.T) {
		s, r, _, _, _ := running(t)
		within(t, "a poll", s.polls) <- nil
		within(t, "a wait", s.waits)
		var answers []<-chan error
		for range 10 {
			answers = append(answers, ask1(t, r))
		}
		// Whoever asks too late for one poll has the next.
		answered := make(chan none)
		go func() {
			defer close(answered)
			for _, a := range answers {
				if err := <-a; err != nil {
					t.Error(err)
				}
			}
		}()
		for open := true; open; {
			select {
			case poll := <-s.polls:
				poll <- nil
			case <-s.waits:
			case <-answered:
				open = false
			case <-time.After(patience):
				t.Fatal("not all were answered")
			}
		}
	})
	t.Run("gives up with its context", func(t *testing.T) {
		s, r, _, _, _ := running(t)
		within(t, "a poll", s.polls)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.PollNow(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("answer %v", err)
		}
	})
	t.Run("is answered when the runner stops", func(t *testing.T) {
		s, r, _, stop, done := running(t)
		within(t, "a poll", s.polls) <- nil
		within(t, "a wait", s.waits)
		answer := ask1(t, r)
		within(t, "a poll", s.polls)
		stop()
		within(t, "the end", done)
		if err := within(t, "the answer", answer); err == nil {
			t.Error("a poll cut short counted as complete")
		}
	})
}

func TestRunnerEndsWithItsSource(t *testing.T) {
	s, _, _, _, done := running(t)
	within(t, "a poll", s.polls) <- nil
	within(t, "a wait", s.waits) <- ErrClosed
	if err := within(t, "the end", done); !errors.Is(err, ErrClosed) {
		t.Errorf("run: %v", err)
	}
}

// A daemon at work: mail is taken in as it comes, over a lost connection and on request.
func TestRunnerReadsAMailbox(t *testing.T) {
	config := office(t)
	network := newNetwork()
	config.Dial = network.dial
	source, d := open(t, config), sitDown(t, config)
	c := newClock()
	taken := make(chan string, 10)
	r := NewRunner(source, func(_ context.Context, batch []Mail) error {
		for _, m := range batch {
			taken <- string(m.Raw)
		}
		return nil
	}, c.clock(), slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()

	want := mails(3)
	d.put(t, "INBOX", want[0])
	if got := within(t, "the first mail", taken); got != want[0] {
		t.Errorf("got %q", got)
	}
	if err := r.PollNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	network.bytes.Store(0) // with the next word of the server the line is cut
	d.put(t, "INBOX", want[1])
	c.wait(t, firstPause)
	c.ring(firstPause)
	if got := within(t, "the second mail", taken); got != want[1] {
		t.Errorf("got %q", got)
	}
	d.put(t, "INBOX", want[2])
	if err := r.PollNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := within(t, "the third mail", taken); got != want[2] {
		t.Errorf("got %q", got)
	}
	if h := r.Health(); h.Err != nil || h.Complete.IsZero() {
		t.Errorf("health %+v", h)
	}
	stop()
	if err := within(t, "the end", done); !errors.Is(err, context.Canceled) {
		t.Errorf("run: %v", err)
	}
}
