package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
)

// outgoing is a mail to send that differs from others in cause, kind and time only.
func outgoing(cause, kind string, minute int) Outgoing {
	return Outgoing{Cause: cause, Kind: kind, Game: "liga", Round: 1, Seat: "s1", To: "m@players.example", MessageID: cause + "@liga.example",
		Subject: "Zug", Lang: "de", Head: "head of " + cause, Foot: "foot", Automatic: "auto-replied", Created: noon.Add(time.Duration(minute) * time.Minute)}
}

func (b *box) post(all ...Outgoing) {
	b.Helper()
	b.write(func(tx *Tx) error {
		for _, o := range all {
			if fresh, err := tx.AddOutgoing(o); err != nil || !fresh {
				return fmt.Errorf("%s: fresh is %v: %w", o.Cause, fresh, err)
			}
		}
		return nil
	})
}

// due names the causes of the mails to send at a minute after noon.
func (b *box) due(minute, limit int) string {
	b.Helper()
	var out []string
	b.read(func(tx *Tx) error {
		all, err := tx.OutgoingDue(noon.Add(time.Duration(minute)*time.Minute), limit)
		for _, o := range all {
			out = append(out, o.Cause)
		}
		return err
	})
	return strings.Join(out, " ")
}

// Nothing is told twice: a second mail of the same cause is not entered and
// changes nothing, whatever it says.
func TestACauseIsToldOnce(t *testing.T) {
	b := newBox(t)
	b.post(outgoing("answer/1", "receipt", 0))
	b.write(func(tx *Tx) error {
		again := outgoing("answer/1", "receipt", 5)
		again.Head, again.To, again.MessageID = "something else", "other@players.example", "other@liga.example"
		fresh, err := tx.AddOutgoing(again)
		if fresh {
			t.Error("it was entered twice")
		}
		return err
	})
	b.read(func(tx *Tx) error {
		rows, err := tx.OutgoingRows("")
		if err != nil {
			return err
		}
		if len(rows) != 1 || rows[0].To != "m@players.example" {
			t.Errorf("rows: %+v", rows)
		}
		id, err := tx.OutgoingOf("answer/1")
		if id != "answer/1@liga.example" {
			t.Errorf("its Message-ID is %q", id)
		}
		return err
	})
	// Two causes never share a Message-ID: a mailbox would show one of them only.
	same := outgoing("answer/2", "receipt", 0)
	same.MessageID = "answer/1@liga.example"
	if err := b.Write(t.Context(), func(tx *Tx) error { _, err := tx.AddOutgoing(same); return err }); err == nil {
		t.Error("two mails have one Message-ID")
	}
}

func TestAMailComesBackAsItWasEntered(t *testing.T) {
	b := newBox(t)
	want := outgoing("report/1", "report", 0)
	want.Deadline, want.ReplyTo, want.InReplyTo, want.Refs = noon.Add(time.Hour), "gm+x@liga.example", "a@b", "c@d a@b"
	b.write(func(tx *Tx) (err error) {
		want.BodyID, err = tx.AddBody("the shared body")
		return err
	})
	b.post(want)
	want.ID, want.State, want.Due, want.Body = 1, MailQueued, want.Created, "the shared body"
	b.read(func(tx *Tx) error {
		got, err := tx.Outgoing(1)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		return err
	})
	b.write(func(tx *Tx) error {
		again, err := tx.AddBody("the shared body")
		if again != want.BodyID {
			t.Error("one body was kept twice")
		}
		return err
	})
}

// Answers go before reports, then the oldest first, and nothing before its time.
func TestWhatIsSentFirst(t *testing.T) {
	b := newBox(t)
	b.post(outgoing("r1", "report", 0), outgoing("start", "start", 0), outgoing("a1", "receipt", 0), outgoing("n1", "notice", 0), outgoing("a2", "answer", 9))
	for _, c := range []struct {
		minute, limit int
		want          string
	}{
		{-1, 10, ""}, {0, 10, "a1 n1 r1 start"}, {9, 10, "a1 n1 a2 r1 start"}, {9, 2, "a1 n1"},
	} {
		if got := b.due(c.minute, c.limit); got != c.want {
			t.Errorf("at minute %d, %d of: %s, want %s", c.minute, c.limit, got, c.want)
		}
	}
}

// The marks of sending: the attempt before it is made, the result once.
func TestMarksOfSending(t *testing.T) {
	b := newBox(t)
	ctx := t.Context()
	b.post(outgoing("a", "receipt", 0), outgoing("b", "receipt", 0), outgoing("c", "receipt", 0))
	b.must(b.MarkAttempt(ctx, 1, noon.Add(time.Minute)))
	b.must(b.MarkResult(ctx, 1, MailQueued, "451 later", noon.Add(30*time.Minute)))
	if got := b.due(29, 9); got != "b c" {
		t.Errorf("due while one waits: %s", got)
	}
	if got := b.due(30, 9); got != "a b c" {
		t.Errorf("due afterwards: %s", got)
	}
	b.must(b.MarkAttempt(ctx, 1, noon.Add(30*time.Minute)))
	b.must(b.MarkResult(ctx, 1, MailSent, "250 ok", noon.Add(30*time.Minute)))
	b.must(b.MarkResult(ctx, 1, MailFailed, "550 no", noon.Add(31*time.Minute))) // too late: it is sent
	b.read(func(tx *Tx) error {
		o, err := tx.Outgoing(1)
		if o.State != MailSent || o.Attempts != 2 || o.Answer != "250 ok" || !o.Tried.Equal(noon.Add(30*time.Minute)) {
			t.Errorf("it is %+v", o)
		}
		return err
	})
	wantNotFound(t, "an attempt on a sent mail", b.MarkAttempt(ctx, 1, noon))
	b.write(func(tx *Tx) error { return tx.SetOutgoing(2, MailDropped, noon) })
	wantNotFound(t, "an attempt on a dropped mail", b.MarkAttempt(ctx, 2, noon))
	b.post(outgoing("d", "report", 90), outgoing("e", "report", 90))
	for id, state := range map[int64]string{4: MailSent, 5: MailQueued} { // dropped while they are under way
		b.must(b.MarkAttempt(ctx, id, noon))
		b.write(func(tx *Tx) error { return tx.SetOutgoing(id, MailDropped, noon) })
		b.must(b.MarkResult(ctx, id, state, "", noon))
		b.read(func(tx *Tx) error {
			o, err := tx.Outgoing(id)
			if want := map[string]string{MailSent: MailSent, MailQueued: MailDropped}[state]; o.State != want {
				t.Errorf("dropped, and then %s: it is %s, want %s", state, o.State, want)
			}
			return err
		})
	}
	if got := b.due(60, 9); got != "c" {
		t.Errorf("due at last: %s", got)
	}
	b.write(func(tx *Tx) error { return tx.SetOutgoing(2, MailQueued, noon.Add(time.Hour)) })
	b.read(func(tx *Tx) error {
		next, err := tx.NextOutgoing()
		if !next.Equal(noon) {
			t.Errorf("the next is due at %s", next)
		}
		return err
	})
	if got := b.due(60, 9); got != "b c" {
		t.Errorf("due when one was queued again: %s", got)
	}
	wantNotFound(t, "a mail of no number", b.Write(ctx, func(tx *Tx) error { return tx.SetOutgoing(99, MailDropped, noon) }))
}

// A receipt that has certainly not been sent may be replaced by a newer one to the same
// seat and round, and about all that it is about; that then stands for all the mails
// of both.
func TestReplacedReceipts(t *testing.T) {
	covering := func(cause string, minute int, also ...int) Outgoing {
		o := outgoing(cause, "receipt", minute)
		o.Slots = []string{"a", "b"}
		for _, m := range append(also, minute) {
			o.Covers = append(o.Covers, noon.Add(time.Duration(m)*time.Minute))
		}
		return o
	}
	b := newBox(t)
	otherSeat, otherRound, otherKind, whole := covering("seat", 0), covering("round", 0), covering("kind", 0), outgoing("whole", "receipt", 0)
	otherSeat.Seat, otherRound.Round, otherKind.Kind = "s2", 2, "answer"
	fewer, more, other, none := covering("fewer", 0), covering("more", 0), covering("other", 0), covering("none", 0)
	fewer.Slots, more.Slots, other.Slots, none.Slots = []string{"b"}, []string{"a", "b", "c"}, []string{"c"}, nil
	b.post(covering("unknown", 0), covering("sent", 0), covering("second", 3, 1), covering("first", 2), otherSeat, otherRound, otherKind, whole,
		covering("declined", 4), covering("under way", 0), fewer, more, other, none)
	b.must(b.MarkAttempt(t.Context(), 1, noon))
	b.must(b.MarkDoubt(t.Context(), 1, "no answer", noon.Add(time.Hour)))
	b.must(b.MarkAttempt(t.Context(), 2, noon))
	b.must(b.MarkResult(t.Context(), 2, MailSent, "250 ok", noon))
	b.must(b.MarkAttempt(t.Context(), 9, noon)) // the first time nobody knows, the second time it is refused
	b.must(b.MarkDoubt(t.Context(), 9, "no answer", noon))
	b.must(b.MarkAttempt(t.Context(), 9, noon))
	b.must(b.MarkResult(t.Context(), 9, MailQueued, "451 later", noon))
	b.must(b.MarkAttempt(t.Context(), 10, noon))
	b.write(func(tx *Tx) error {
		covers, err := tx.Replaced(covering("new", 9))
		var minutes []int
		for _, c := range covers {
			minutes = append(minutes, int(c.Sub(noon)/time.Minute))
		}
		if diff := cmp.Diff([]int{0, 1, 2, 3, 4}, minutes); diff != "" {
			t.Errorf("it covers:\n%s", diff)
		}
		return err
	})
	if got := b.due(59, 99); got != "seat round kind whole under way more other none" {
		t.Errorf("left to send: %s", got)
	}
	if got := b.due(60, 99); got != "unknown seat round kind whole under way more other none" {
		t.Errorf("left to send an hour later: %s", got)
	}
	if n := b.number(`SELECT count(*) FROM outbox WHERE state = 'dropped' AND answer LIKE 'replaced by new@%'`); n != 4 {
		t.Errorf("%d say by what they were replaced", n)
	}
}

// Of a reminder that has certainly not been sent the next one tells, once, whether
// the round was closed meanwhile or not.
func TestUnsentReminders(t *testing.T) {
	reminder := func(cause, seat string, round int) Outgoing {
		o := outgoing(cause, "reminder", 0)
		o.Seat, o.Round = game.SeatID(seat), round
		return o
	}
	b := newBox(t)
	b.post(reminder("r1", "s1", 1), reminder("r1 of another", "s2", 1), outgoing("report", "report", 0), reminder("under way", "s1", 2))
	b.must(b.MarkAttempt(t.Context(), 4, noon))
	b.write(func(tx *Tx) error { return tx.TakeBackReminders("liga") })
	if got := b.due(0, 99); got != "under way report" {
		t.Errorf("left to send after the close: %s", got)
	}
	b.post(reminder("r3", "s1", 3))
	unsent := func(cause string) (rounds []int) {
		b.write(func(tx *Tx) (err error) {
			rounds, err = tx.RemindersUnsent(reminder(cause, "s1", 4))
			return err
		})
		return rounds
	}
	if diff := cmp.Diff([]int{1}, unsent("r3")); diff != "" { // its own is no other
		t.Errorf("unsent:\n%s", diff)
	}
	if diff := cmp.Diff([]int{3}, unsent("r4")); diff != "" {
		t.Errorf("unsent:\n%s", diff)
	}
	if got := unsent("r5"); len(got) > 0 {
		t.Errorf("told again of rounds %v", got)
	}
	if got := b.due(0, 99); got != "under way report" {
		t.Errorf("left to send: %s", got)
	}
}
