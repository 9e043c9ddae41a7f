package outbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ringpost/internal/outbox"
)

func TestAttemptIsWrittenBeforeItIsMade(t *testing.T) {
	r := newRig(2)
	if err := flush(t, r.Sender, 2, 0, 0); err != nil {
		t.Fatal(err)
	}
	want := []string{"open", "attempt 1", "send 1", "settle 1 sent", "attempt 2", "send 2", "settle 2 sent", "close"}
	if diff := cmp.Diff(want, r.queue.entries()); diff != "" {
		t.Errorf("order of things (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(outbox.Result{State: outbox.Sent, At: start}, r.queue.result(1)); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
}

func TestNothingDueOpensNothing(t *testing.T) {
	r := newRig(1)
	r.queue.mails[0].due = start.Add(time.Second)
	if err := flush(t, r.Sender, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	if got := r.queue.entries(); len(got) != 0 {
		t.Errorf("something happened: %q", got)
	}
}

func TestRefusalsDoNotStopTheRest(t *testing.T) {
	r := newRig(4)
	r.transport.send = func(_ context.Context, i outbox.Item) error {
		switch i.ID {
		case 1:
			return &outbox.Refusal{Permanent: true, Answer: "550 5.1.1 no\r\nsuch\tuser"}
		case 2:
			return &outbox.Refusal{Answer: "451 later " + strings.Repeat("ü", 400)}
		}
		return nil
	}
	if err := flush(t, r.Sender, 2, 1, 1); err != nil {
		t.Fatal(err)
	}
	want := outbox.Result{State: outbox.Failed, At: start, Answer: "550 5.1.1 no such user"}
	if diff := cmp.Diff(want, r.queue.result(1)); diff != "" {
		t.Errorf("permanent (-want +got):\n%s", diff)
	}
	want = outbox.Result{State: outbox.Retry, At: start, Next: start.Add(time.Minute), Answer: "451 later " + strings.Repeat("ü", 145)}
	if diff := cmp.Diff(want, r.queue.result(2)); diff != "" {
		t.Errorf("temporary (-want +got):\n%s", diff)
	}
	if got := count(r.queue.entries(), "open"); got != 1 {
		t.Errorf("%d connections, want 1", got)
	}
}

func TestLostConnectionIsOpenedAnew(t *testing.T) {
	r := newRig(4)
	r.transport.send = func(_ context.Context, i outbox.Item) error {
		if i.ID == 2 {
			return fmt.Errorf("connection reset (%w)", outbox.ErrAmbiguous)
		}
		return nil
	}
	if err := flush(t, r.Sender, 3, 1, 0); err != nil {
		t.Fatal(err)
	}
	got := r.queue.result(2)
	if got.State != outbox.Retry || !got.Ambiguous || !got.Next.Equal(start.Add(time.Minute)) || got.Answer == "" {
		t.Errorf("the mail on the lost connection: %+v", got)
	}
	want := []string{"open", "attempt 1", "send 1", "settle 1 sent", "attempt 2", "send 2", "settle 2 retry", "close",
		"open", "attempt 3", "send 3", "settle 3 sent", "attempt 4", "send 4", "settle 4 sent", "close"}
	if diff := cmp.Diff(want, r.queue.entries()); diff != "" {
		t.Errorf("order of things (-want +got):\n%s", diff)
	}
}

func TestClosingRefusalReconnects(t *testing.T) {
	r := newRig(3)
	r.transport.send = func(_ context.Context, i outbox.Item) error {
		if i.ID == 2 {
			return &outbox.Refusal{Closing: true, Answer: "421 too many mails"}
		}
		return nil
	}
	if err := flush(t, r.Sender, 2, 1, 0); err != nil {
		t.Fatal(err)
	}
	if got := count(r.queue.entries(), "open"); got != 2 {
		t.Errorf("%d connections, want 2", got)
	}
	if got := r.queue.result(2); got.Ambiguous || got.Answer != "421 too many mails" {
		t.Errorf("result: %+v", got)
	}
}

func TestTwoUselessConnectionsEndTheFlush(t *testing.T) {
	r := newRig(5)
	broken := errors.New("broken pipe")
	r.transport.send = func(context.Context, outbox.Item) error { return broken }
	if err := flush(t, r.Sender, 0, 2, 0); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if got := r.queue.mails[2].item.Attempts; got != 0 {
		t.Errorf("mail 3 has %d attempts although none was made", got)
	}
	if health := r.Health(); !errors.Is(health.Err, broken) || !health.Since.Equal(start) {
		t.Errorf("health %+v", health)
	}
}

// TestWayOutThatRefusesAll: a relay that takes no mail of ours uses up a few, not
// the queue, and shows in the health. The news of it is not used up.
func TestWayOutThatRefusesAll(t *testing.T) {
	r := newRig(8)
	r.queue.mails[1].item.Persistent = true
	closed := true
	r.transport.send = func(context.Context, outbox.Item) error {
		if closed {
			return &outbox.Refusal{Permanent: true, Answer: "554 5.7.1 Relay access denied"}
		}
		return nil
	}
	if err := flush(t, r.Sender, 0, 1, 2); err == nil || !strings.Contains(err.Error(), "554 5.7.1 Relay access denied") {
		t.Errorf("error %v", err)
	}
	if got := r.queue.result(2); got.State != outbox.Retry || !got.Next.Equal(start.Add(time.Minute)) {
		t.Errorf("the news: %+v", got)
	}
	if err := flush(t, r.Sender, 0, 0, 1); err == nil {
		t.Error("the next one is not the last to be tried")
	}
	if health := r.Health(); health.Err == nil || !health.Since.Equal(start) {
		t.Errorf("health %+v", health)
	}
	closed = false
	r.clock.advance(time.Minute)
	if err := flush(t, r.Sender, 5, 0, 0); err != nil {
		t.Fatal(err)
	}
	if health := r.Health(); health != (outbox.Health{Sent: r.clock.Now()}) {
		t.Errorf("health %+v after mails went out", health)
	}

	// One address that is refused however often holds up no other.
	r = newRig(9)
	for _, m := range r.queue.mails[:6] {
		m.item.To, m.item.Persistent = "boss@example.org", true
	}
	r.transport.send = func(_ context.Context, i outbox.Item) error {
		if i.To == "boss@example.org" {
			return &outbox.Refusal{Permanent: true, Answer: "550 5.1.1 unknown"}
		}
		return nil
	}
	if err := flush(t, r.Sender, 3, 6, 0); err != nil {
		t.Errorf("error %v", err)
	}

	// A mail that goes out shows that the others were refused for what they are.
	r = newRig(9)
	r.transport.send = func(_ context.Context, i outbox.Item) error {
		if i.ID%3 != 0 {
			return &outbox.Refusal{Permanent: true, Answer: "550 5.1.1 unknown"}
		}
		return nil
	}
	if err := flush(t, r.Sender, 3, 0, 6); err != nil {
		t.Errorf("error %v", err)
	}
}

// TestWayOutThatPutsAllOff: a relay that takes nothing for now shows in the health,
// though each mail is tried at its own time and none is held up.
func TestWayOutThatPutsAllOff(t *testing.T) {
	r := newRig(5)
	later := true
	r.transport.send = func(_ context.Context, i outbox.Item) error {
		if later || i.ID == 1 {
			return &outbox.Refusal{Answer: "450 4.7.1 try again later"}
		}
		return nil
	}
	if err := flush(t, r.Sender, 0, 5, 0); err != nil {
		t.Fatal(err)
	}
	if health := r.Health(); health.Err == nil || !strings.Contains(health.Err.Error(), "450 4.7.1") || !health.Since.Equal(start) || !health.Sent.IsZero() {
		t.Errorf("health %+v", health)
	}
	later = false
	r.clock.advance(time.Minute)
	if err := flush(t, r.Sender, 4, 1, 0); err != nil {
		t.Fatal(err)
	}
	if health := r.Health(); health != (outbox.Health{Sent: r.clock.Now()}) {
		t.Errorf("health %+v after mails went out", health)
	}
	// One mailbox that is full shows nothing, however often it is tried.
	for range 5 {
		r.clock.advance(6 * time.Hour)
		if err := flush(t, r.Sender, 0, 1, 0); err != nil || r.Health().Err != nil {
			t.Errorf("%v, health %+v", err, r.Health())
		}
	}
}

// TestFailureAfterMailsWentOut: the row of failures begins after them.
func TestFailureAfterMailsWentOut(t *testing.T) {
	r := newRig(2)
	down := errors.New("connection refused")
	r.transport.open = func() error { return down }
	if err := flush(t, r.Sender, 0, 0, 0); err == nil {
		t.Fatal("no error")
	}
	r.clock.advance(2 * time.Hour)
	went := false
	r.transport.open = nil
	r.transport.send = func(context.Context, outbox.Item) error {
		if !went {
			went = true
			return nil
		}
		r.transport.open = func() error { return down }
		return errors.New("broken pipe")
	}
	r.queue.add()
	if err := flush(t, r.Sender, 1, 1, 0); err == nil {
		t.Fatal("no error")
	}
	if health := r.Health(); health.Err == nil || !health.Since.Equal(start.Add(2*time.Hour)) || !health.Sent.Equal(health.Since) {
		t.Errorf("health %+v, want the row to begin after the mail that went out", health)
	}
}

// TestLogNamesNobody: servers repeat addresses in their answers.
func TestLogNamesNobody(t *testing.T) {
	r := newRig(5)
	var log bytes.Buffer
	r.Sender = outbox.New(r.queue, r.transport, r.clock, slog.New(slog.NewTextHandler(&log, nil)))
	r.transport.send = func(_ context.Context, i outbox.Item) error {
		answer := fmt.Sprintf("5.1.1 <%s>: unknown in mailto:%s,%q; see it@mx.example.org", i.To, i.To, i.To)
		switch i.ID {
		case 1:
			return errors.New("550 " + answer)
		case 2:
			return &outbox.Refusal{Answer: "450 " + answer}
		}
		return &outbox.Refusal{Permanent: true, Answer: "550 " + answer}
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { r.Run(ctx, nil); close(done) }()
	<-r.clock.waits // after the flush has stopped early
	stop()
	<-done
	for _, m := range r.queue.mails {
		log := strings.ReplaceAll(log.String(), m.item.MessageID, "")
		if strings.Contains(log, m.item.To) || strings.Contains(log, "it@") {
			t.Fatalf("the log names somebody:\n%s", log)
		}
	}
	for _, want := range []string{"state=failed", "state=retry", "sending stopped early", "unknown"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %s:\n%s", want, &log)
		}
	}
}

// TestServerThatEndsConnections is a server that ends each connection after
// two mails: the queue empties all the same.
func TestServerThatEndsConnections(t *testing.T) {
	r := newRig(30)
	taken := 0
	r.transport.open = func() error { taken = 0; return nil }
	r.transport.send = func(context.Context, outbox.Item) error {
		if taken++; taken > 2 {
			return &outbox.Refusal{Closing: true, Answer: "421 enough"}
		}
		return nil
	}
	if err := flush(t, r.Sender, 20, 10, 0); err != nil {
		t.Fatal(err)
	}
	r.clock.advance(time.Minute)
	if err := flush(t, r.Sender, 7, 3, 0); err != nil {
		t.Fatal(err)
	}
}

func TestTransportThatDoesNotOpen(t *testing.T) {
	r := newRig(2)
	down := errors.New("connection refused")
	r.transport.open = func() error { return down }
	for range 3 {
		if err := flush(t, r.Sender, 0, 0, 0); !errors.Is(err, down) || !strings.Contains(err.Error(), "fake") {
			t.Errorf("error %v", err)
		}
		r.clock.advance(time.Hour)
	}
	for _, m := range r.queue.mails {
		if m.item.Attempts != 0 || m.last.State != "" {
			t.Errorf("mail %d is blamed for it: %+v", m.item.ID, m)
		}
	}
	if health := r.Health(); !errors.Is(health.Err, down) || !health.Since.Equal(start) {
		t.Errorf("health %+v, want the first failure's time", health)
	}
	r.transport.open = nil
	if err := flush(t, r.Sender, 2, 0, 0); err != nil {
		t.Fatal(err)
	}
	if health := r.Health(); health != (outbox.Health{Sent: r.clock.Now()}) {
		t.Errorf("health %+v after a mail went out", health)
	}
}

// TestNothingToSendProvesNothing: a Flush without mails says nothing of a way
// out that was found blocked.
func TestNothingToSendProvesNothing(t *testing.T) {
	r := newRig(1)
	down := errors.New("connection refused")
	r.transport.open = func() error { return down }
	if err := flush(t, r.Sender, 0, 0, 0); err == nil {
		t.Fatal("no error")
	}
	r.queue.mails[0].due = start.Add(time.Hour)
	if err := flush(t, r.Sender, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	if health := r.Health(); !errors.Is(health.Err, down) {
		t.Errorf("health %+v", health)
	}
}

func TestNothingIsSentWhatCannotBeWritten(t *testing.T) {
	r := newRig(2)
	full := errors.New("disk full")
	r.queue.attemptErr = full
	if err := flush(t, r.Sender, 0, 0, 0); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	if len(r.transport.sent) != 0 {
		t.Errorf("sent %v", r.transport.sent)
	}

	r.queue.attemptErr, r.queue.dueErr = nil, full
	if err := flush(t, r.Sender, 0, 0, 0); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

// TestCrashAfterSending is a process that dies between Attempt and Settle: the
// next one sends the mail again, octet for octet.
func TestCrashAfterSending(t *testing.T) {
	r := newRig(1)
	r.queue.settleErr = errors.New("killed")
	if err := flush(t, r.Sender, 0, 0, 0); !errors.Is(err, r.queue.settleErr) {
		t.Fatalf("error %v", err)
	}
	if got := r.queue.mails[0].item.Attempts; got != 1 {
		t.Fatalf("%d attempts are written, want 1", got)
	}

	r.queue.settleErr = nil
	next := newRig(0)
	next.Sender = outbox.New(r.queue, r.transport, r.clock, discard)
	if err := flush(t, next.Sender, 1, 0, 0); err != nil {
		t.Fatal(err)
	}
	first, second := r.transport.sent[0], r.transport.sent[1]
	if first.MessageID != second.MessageID || !bytes.Equal(first.Raw, second.Raw) || second.Attempts != 1 {
		t.Errorf("first %+v, then %+v", first, second)
	}
}

// TestFullDiskAfterSending is a queue that cannot take down for a while what became
// of a mail: it is told later, and the mail is not sent again.
func TestFullDiskAfterSending(t *testing.T) {
	r := newRig(2)
	r.queue.settleErr = errors.New("disk full")
	for range 2 {
		if err := flush(t, r.Sender, 0, 0, 0); !errors.Is(err, r.queue.settleErr) {
			t.Fatalf("error %v", err)
		}
	}
	r.queue.settleErr = nil
	if err := flush(t, r.Sender, 2, 0, 0); err != nil {
		t.Fatal(err)
	}
	want := []string{"open", "attempt 1", "send 1", "settle 1 sent", "close", "settle 1 sent",
		"settle 1 sent", "open", "attempt 2", "send 2", "settle 2 sent", "close"}
	if diff := cmp.Diff(want, r.queue.entries()); diff != "" {
		t.Error(diff)
	}
}

// TestDoubtStays: that a server refuses a mail for now does not tell whether it took the
// mail over when it gave no answer.
func TestDoubtStays(t *testing.T) {
	r := newRig(2)
	answers := map[int64][]error{1: {outbox.ErrAmbiguous, &outbox.Refusal{Answer: "451 later"}, &outbox.Refusal{Answer: "550 no", Permanent: true}},
		2: {&outbox.Refusal{Answer: "451 later"}, &outbox.Refusal{Answer: "451 later"}, nil}}
	for attempt := range 3 {
		r.transport.send = func(_ context.Context, i outbox.Item) error { return answers[i.ID][attempt] }
		if _, _, _, err := r.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		for id, want := range map[int64]bool{1: true, 2: false} {
			if got := r.queue.result(id); got.Ambiguous != want {
				t.Errorf("mail %d after attempt %d: %+v", id, attempt+1, got)
			}
		}
		r.clock.advance(time.Hour)
	}
}

func TestForgetfulQueueDoesNotFlood(t *testing.T) {
	r := newRig(3)
	r.queue.forgetful = true
	if err := flush(t, r.Sender, 3, 0, 0); err != nil {
		t.Fatal(err)
	}
	if got := len(r.transport.sent); got != 3 {
		t.Errorf("%d mails left the house, want 3", got)
	}
}

func TestMoreThanABatch(t *testing.T) {
	r := newRig(250)
	asked := 0
	r.queue.onDue = func() {
		if asked++; asked == 2 {
			r.queue.add() // a receipt that comes in meanwhile
		}
	}
	if err := flush(t, r.Sender, 251, 0, 0); err != nil {
		t.Fatal(err)
	}
	if got := count(r.queue.entries(), "open"); got != 1 {
		t.Errorf("%d connections, want 1", got)
	}
}

func TestGivenUp(t *testing.T) {
	r := newRig(1)
	r.transport.send = func(context.Context, outbox.Item) error { return &outbox.Refusal{Answer: "451 later"} }
	attempts := 0
	for r.queue.result(1).State != outbox.Failed {
		if attempts++; attempts > 100 {
			t.Fatal("never given up")
		}
		if r.queue.result(1).State == outbox.Retry {
			r.clock.advance(r.queue.result(1).Next.Sub(r.clock.Now()))
		}
		if _, _, _, err := r.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	got := r.queue.result(1)
	if want := fmt.Sprintf("given up after %d attempts: 451 later", attempts); got.Answer != want {
		t.Errorf("answer %q, want %q", got.Answer, want)
	}
	if tried := got.At.Sub(start); tried < 4*24*time.Hour || tried > 5*24*time.Hour {
		t.Errorf("given up after %s, want 4 to 5 days", tried)
	}
}

// TestStoppingLetsTheMailUnderWayEnd: a stop spares the mail under way, and no
// other is begun.
func TestStoppingLetsTheMailUnderWayEnd(t *testing.T) {
	r := newRig(2)
	ctx, stop := context.WithCancel(t.Context())
	r.transport.send = func(ctx context.Context, i outbox.Item) error {
		stop()
		return ctx.Err()
	}
	sent, retried, failed, err := r.Flush(ctx)
	if sent != 1 || retried != 0 || failed != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("sent %d, retried %d, failed %d, %v", sent, retried, failed, err)
	}
	if got := r.queue.result(1).State; got != outbox.Sent {
		t.Errorf("mail 1 is %q", got)
	}
	if got := r.queue.mails[1].item.Attempts; got != 0 {
		t.Errorf("mail 2 was begun")
	}
	if health := r.Health(); health.Err != nil {
		t.Errorf("our own stop counts as %v", health.Err)
	}
}

// TestStoppingDoesNotWaitForEver: after the grace period the mail under way
// is cut off, and that is written down.
func TestStoppingDoesNotWaitForEver(t *testing.T) {
	r := newRig(1)
	ctx, stop := context.WithCancel(t.Context())
	r.transport.send = func(ctx context.Context, i outbox.Item) error {
		stop()
		grace := <-r.clock.waits
		grace.fire <- start
		<-ctx.Done()
		return fmt.Errorf("cut off (%w)", outbox.ErrAmbiguous)
	}
	if _, retried, _, _ := r.Flush(ctx); retried != 1 {
		t.Errorf("retried %d, want 1", retried)
	}
	if got := r.queue.result(1); got.State != outbox.Retry || !got.Ambiguous {
		t.Errorf("result %+v", got)
	}
}

func TestRunWakesAndWaits(t *testing.T) {
	r := newRig(1)
	ctx, stop := context.WithCancel(t.Context())
	wake, ended := make(chan struct{}), make(chan struct{})
	go func() { r.Run(ctx, wake); close(ended) }()

	first := <-r.clock.waits
	if got := r.queue.result(1).State; got != outbox.Sent {
		t.Errorf("mail 1 is %q before the first wait", got)
	}
	r.queue.add()
	wake <- struct{}{}
	second := <-r.clock.waits
	if got := r.queue.result(2).State; got != outbox.Sent {
		t.Errorf("mail 2 is %q after waking", got)
	}
	r.queue.add()
	second.fire <- start
	third := <-r.clock.waits
	if got := r.queue.result(3).State; got != outbox.Sent {
		t.Errorf("mail 3 is %q after a minute", got)
	}
	close(wake)
	<-r.clock.waits // a closed channel wakes once, and no more
	for _, w := range []wait{first, second, third} {
		if w.pause != time.Minute {
			t.Errorf("a wait of %s, want 1m", w.pause)
		}
	}
	stop()
	<-ended
}

func TestRunBacksOff(t *testing.T) {
	r := newRig(1)
	down := errors.New("connection refused")
	open := false
	r.transport.open = func() error {
		if open {
			return nil
		}
		return down
	}
	ctx, stop := context.WithCancel(t.Context())
	wake, ended := make(chan struct{}, 1), make(chan struct{})
	wake <- struct{}{}
	go func() { r.Run(ctx, wake); close(ended) }()

	var pauses []time.Duration
	for i := range 7 {
		w := <-r.clock.waits
		pauses = append(pauses, w.pause)
		if len(wake) != 1 {
			t.Fatalf("pause %d was cut short", i)
		}
		open = i == 6
		w.fire <- start
	}
	want := []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 15 * time.Minute, 15 * time.Minute}
	if diff := cmp.Diff(want, pauses); diff != "" {
		t.Errorf("pauses (-want +got):\n%s", diff)
	}
	<-r.clock.waits
	if got := r.queue.result(1).State; got != outbox.Sent {
		t.Errorf("mail 1 is %q once the way is open", got)
	}
	stop()
	<-ended
}

func TestPause(t *testing.T) {
	for _, tc := range []struct {
		attempts int
		want     time.Duration
		again    bool
	}{
		{1, time.Minute, true}, {2, 5 * time.Minute, true}, {3, 15 * time.Minute, true}, {4, time.Hour, true},
		{5, 3 * time.Hour, true}, {6, 6 * time.Hour, true}, {7, 6 * time.Hour, true}, {24, 6 * time.Hour, true},
		{25, 0, false}, {1 << 40, 0, false},
	} {
		if got, again := outbox.Pause(tc.attempts); got != tc.want || again != tc.again {
			t.Errorf("after %d attempts: %s, %t; want %s, %t", tc.attempts, got, again, tc.want, tc.again)
		}
	}
}

// TestWhateverHappens sends through a transport that does anything it may.
func TestWhateverHappens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRig(rapid.IntRange(0, 12).Draw(t, "mails"))
		kind := rapid.SampledFrom([]error{
			nil, nil, &outbox.Refusal{Answer: "451"}, &outbox.Refusal{Permanent: true, Answer: "550"},
			&outbox.Refusal{Closing: true, Answer: "421"}, errors.New("reset"), outbox.ErrAmbiguous,
		})
		r.transport.send = func(context.Context, outbox.Item) error { return kind.Draw(t, "answer") }
		r.transport.open = func() error {
			if rapid.IntRange(0, 9).Draw(t, "open") == 0 {
				return errors.New("refused")
			}
			return nil
		}
		sent, retried, failed, err := r.Flush(context.Background())

		step := map[int64]string{}
		open := 0
		for _, entry := range r.queue.entries() {
			var what, state string
			var id int64
			fmt.Sscanf(entry, "%s %d %s", &what, &id, &state)
			switch was := step[id]; what {
			case "open":
				open++
			case "attempt":
				if was != "" {
					t.Fatalf("mail %d is tried twice in one Flush", id)
				}
				step[id] = what
			case "send":
				if was != "attempt" {
					t.Fatalf("mail %d is sent after %q", id, was)
				}
				step[id] = what
			case "settle":
				if was != "send" {
					t.Fatalf("mail %d is settled after %q", id, was)
				}
				step[id] = what
			}
		}
		settled := map[outbox.State]int{}
		untouched := 0
		for _, m := range r.queue.mails {
			switch step[m.item.ID] {
			case "settle":
				settled[m.last.State]++
			case "":
				untouched++
			default:
				t.Fatalf("mail %d is left at %q", m.item.ID, step[m.item.ID])
			}
		}
		if settled[outbox.Sent] != sent || settled[outbox.Retry] != retried || settled[outbox.Failed] != failed {
			t.Fatalf("counted %d, %d, %d; the queue knows %v", sent, retried, failed, settled)
		}
		if untouched > 0 && err == nil {
			t.Fatalf("%d mails are untouched and nobody says why", untouched)
		}
		if len(r.queue.mails) == 0 && open > 0 {
			t.Fatal("a connection for nothing")
		}
	})
}

func count(entries []string, what string) int {
	n := 0
	for _, entry := range entries {
		if entry == what {
			n++
		}
	}
	return n
}
