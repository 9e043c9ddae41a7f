package postoffice

import (
	"errors"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"
)

func TestMemoryIsBounded(t *testing.T) {
	temporary := func(t *testing.T, err error) {
		t.Helper()
		var refused *smtp.SMTPError
		if !errors.As(err, &refused) || !refused.Temporary() {
			t.Errorf("got %v, want a refusal for a time", err)
		}
	}
	t.Run("INBOX full of mails", func(t *testing.T) {
		o, _ := open(t, limits{accounts: 3, folders: 3, mails: 3, bytes: 1 << 20, mail: 1 << 10})
		for range 3 {
			mustSend(t, o, "", text, "gm@pbem.test")
		}
		temporary(t, send(o, "", text, "gm@pbem.test"))
		mustSend(t, o, "", text, "anna@players.test") // another's mailbox has room
		c, _ := client(t, o, "gm")
		if n := count(t, c, "INBOX"); n != 3 {
			t.Errorf("INBOX holds %d mails, want 3", n)
		}
	})
	t.Run("INBOX full of bytes", func(t *testing.T) {
		o, _ := open(t, tiny)
		big := text + strings.Repeat(strings.Repeat("x", 70)+"\r\n", 25)
		for range 3 {
			mustSend(t, o, "", big, "gm@pbem.test")
		}
		temporary(t, send(o, "", big, "gm@pbem.test"))
	})
	t.Run("mail too large", func(t *testing.T) {
		o, _ := open(t, tiny)
		err := send(o, "", text+strings.Repeat(strings.Repeat("x", 70)+"\r\n", 100), "gm@pbem.test")
		var refused *smtp.SMTPError
		if !errors.As(err, &refused) || refused.Temporary() {
			t.Errorf("got %v, want a final refusal", err)
		}
	})
	t.Run("other folders drop the oldest", func(t *testing.T) {
		o, _ := open(t, tiny)
		c, _ := client(t, o, "gm")
		if err := c.Create("Processed", nil).Wait(); err != nil {
			t.Fatal(err)
		}
		for range 25 {
			mustSend(t, o, "", text, "gm@pbem.test")
			if err := c.Noop().Wait(); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Move(everything, "Processed").Wait(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Select("Processed", nil).Wait(); err != nil {
			t.Fatal(err)
		}
		kept := fetch(t, c, everything)
		if len(kept) == 0 || len(kept) > tiny.mails || kept[len(kept)-1].UID != 25 {
			t.Errorf("%d mails are kept, the last is %v", len(kept), kept[len(kept)-1].UID)
		}
	})
	t.Run("folders", func(t *testing.T) {
		o, _ := open(t, tiny)
		c, _ := client(t, o, "gm")
		for _, step := range []struct {
			do func() error
			ok bool
		}{
			{c.Create("A", nil).Wait, true},
			{c.Create("B", nil).Wait, true},
			{c.Create("C", nil).Wait, false},
			{c.Delete("A").Wait, true},
			{c.Create("C", nil).Wait, true},
		} {
			if err := step.do(); (err == nil) != step.ok {
				t.Errorf("got %v, want success %v", err, step.ok)
			}
		}
	})
	t.Run("mailboxes", func(t *testing.T) {
		o, _ := open(t, tiny)
		for _, to := range []string{"a@players.test", "b@players.test", "c@players.test"} {
			mustSend(t, o, "", text, to)
		}
		temporary(t, send(o, "", text, "d@players.test"))
		mustSend(t, o, "", text, "gm@pbem.test") // there is always room for the game master's own
	})
}
