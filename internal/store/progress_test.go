package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestProgressOnlyRises(t *testing.T) {
	b := newBox(t)
	progress := func() (p uint64) {
		t.Helper()
		b.read(func(tx *Tx) (err error) { p, err = tx.Progress(); return err })
		return p
	}
	last := progress()
	if last != 0 {
		t.Errorf("an empty database has come to %d", last)
	}
	for what, step := range map[string]func(*Tx) error{
		"a mail taken in": func(tx *Tx) error {
			_, _, err := tx.StoreLetter(Letter{Received: noon, Source: "test", Content: "x", Raw: []byte("x")}, Place{Mailbox: "test", UID: 1}, noon)
			return err
		},
		"a mail queued":     func(tx *Tx) error { _, err := tx.AddOutgoing(outgoing("answer/1", "receipt", 0)); return err },
		"what is noted":     func(tx *Tx) error { return tx.AddProgress(1) },
		"what is noted too": func(tx *Tx) error { return tx.AddProgress(1000) },
	} {
		b.write(step)
		now := progress()
		if now <= last {
			t.Errorf("%s: from %d to %d", what, last, now)
		}
		last = now
	}
	// The same mail again is nothing new.
	b.write(func(tx *Tx) error {
		_, _, err := tx.StoreLetter(Letter{Received: noon, Source: "test", Content: "x", Raw: []byte("x")}, Place{Mailbox: "test", UID: 1}, noon)
		return err
	})
	if now := progress(); now != last {
		t.Errorf("from %d to %d by nothing", last, now)
	}
}

func TestLedgerKnowsPlaces(t *testing.T) {
	b := newBox(t)
	b.read(func(tx *Tx) error {
		at, err := tx.LastStored()
		if !at.IsZero() {
			t.Errorf("the newest letter of none was stored at %v", at)
		}
		return err
	})
	for i, content := range []string{"x", "y"} {
		b.write(func(tx *Tx) error {
			_, _, err := tx.StoreLetter(Letter{Received: noon, Source: "test", Content: content, Raw: []byte("x")},
				Place{Mailbox: "imap://a", UIDValidity: 7, UID: uint32(3 + i)}, noon.Add(time.Duration(i)*time.Hour))
			return err
		})
	}
	for _, test := range []struct {
		mailbox  string
		validity uint32
		want     []uint32
	}{{"imap://a", 7, []uint32{3, 4}}, {"imap://b", 7, nil}, {"imap://a", 8, nil}} {
		b.read(func(tx *Tx) error {
			got, err := tx.InLedger(test.mailbox, test.validity, []uint32{1, 3, 4, 5})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s %d (-want +got):\n%s", test.mailbox, test.validity, diff)
			}
			return err
		})
	}
	b.read(func(tx *Tx) error {
		at, err := tx.LastStored()
		if !at.Equal(noon.Add(time.Hour)) {
			t.Errorf("the newest letter was stored at %v", at)
		}
		return err
	})
}

func TestAlertsAndDropping(t *testing.T) {
	b := newBox(t)
	b.post(outgoing("answer/1", "receipt", 0), outgoing("alert/1", "alert", 0), outgoing("alert/2", "alert", 9), outgoing("answer/2", "answer", 0))
	b.write(func(tx *Tx) error {
		alerts, err := tx.AlertsDue(noon, 10)
		if len(alerts) != 1 || alerts[0].Cause != "alert/1" {
			t.Errorf("alerts due: %+v", alerts)
		}
		if err != nil {
			return err
		}
		if err := tx.SetOutgoing(1, MailSent, noon); err != nil {
			return err
		}
		n, err := tx.DropQueued("they had been sent")
		if n != 3 {
			t.Errorf("%d mails dropped, want 3", n)
		}
		return err
	})
	if due := b.due(60, 10); due != "" {
		t.Errorf("still due: %s", due)
	}
	b.read(func(tx *Tx) error {
		sent, err := tx.OutgoingRows(MailSent)
		if len(sent) != 1 {
			t.Errorf("%d mails are sent, want the one that was", len(sent))
		}
		return err
	})
}
