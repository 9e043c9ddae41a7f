package store

import (
	"errors"
	"testing"
	"time"
)

func wantNotFound(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("%s: %v, want ErrNotFound", what, err)
	}
}

// A mail is one letter however often it comes: by its place in the mailbox, or by
// its content. The same place means the same mail, since servers never give a UID
// twice.
func TestTheSameMailIsOneLetter(t *testing.T) {
	inbox := Place{Mailbox: "INBOX", UIDValidity: 7, UID: 1}
	for _, c := range []struct {
		name    string
		place   Place
		content string
		fresh   bool
	}{
		{"again", inbox, "a", false},
		{"under another UID", Place{Mailbox: "INBOX", UIDValidity: 7, UID: 2}, "a", false},
		{"after UIDVALIDITY changed", Place{Mailbox: "INBOX", UIDValidity: 8, UID: 1}, "a", false},
		{"in another folder", Place{Mailbox: "Junk", UIDValidity: 7, UID: 1}, "a", false},
		{"from a file", Place{Name: "1.eml"}, "a", false},
		{"the same place with other content", inbox, "b", false},
		{"another mail", Place{Mailbox: "INBOX", UIDValidity: 7, UID: 3}, "b", true},
		{"another mail after UIDVALIDITY changed", Place{Mailbox: "INBOX", UIDValidity: 8, UID: 1}, "b", true},
		{"another mail in another folder", Place{Mailbox: "Junk", UIDValidity: 7, UID: 1}, "b", true},
		{"another mail of another name", Place{Mailbox: "INBOX", UIDValidity: 7, UID: 1, Name: "x"}, "b", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			var first, second int64
			b.write(func(tx *Tx) (err error) {
				var fresh bool
				first, fresh, err = tx.StoreLetter(Letter{Received: noon, Source: "INBOX", Content: "a", Raw: []byte("first")}, inbox, noon)
				if !fresh {
					t.Error("the first mail is not fresh")
				}
				return err
			})
			b.write(func(tx *Tx) (err error) {
				var fresh bool
				second, fresh, err = tx.StoreLetter(Letter{Received: noon.Add(time.Hour), Source: "INBOX", Content: c.content, Raw: []byte("second")}, c.place, noon)
				if fresh != c.fresh || (second == first) == c.fresh {
					t.Errorf("fresh is %v, it is letter %d after %d", fresh, second, first)
				}
				return err
			})
			b.read(func(tx *Tx) error {
				l, err := tx.Letter(first)
				if err == nil && (string(l.Raw) != "first" || !l.Received.Equal(noon)) {
					t.Errorf("the first letter was changed: %+v", l)
				}
				return err
			})
		})
	}
}

// Unhandled letters are those without an outcome, in the order of arrival.
func TestUnhandledInTheOrderOfArrival(t *testing.T) {
	b := newBox(t)
	ids := map[string]int64{}
	b.write(func(tx *Tx) error {
		for i, c := range []struct {
			content string
			minute  int
		}{{"late", 9}, {"done", 1}, {"early", 2}, {"also early", 2}} {
			id, _, err := tx.StoreLetter(Letter{Received: noon.Add(time.Duration(c.minute) * time.Minute), Source: "INBOX", Content: c.content},
				Place{Mailbox: "INBOX", UID: uint32(i + 1)}, noon)
			if err != nil {
				return err
			}
			ids[c.content] = id
		}
		return tx.AddOutcome(Outcome{Letter: ids["done"], Result: "taken", Reason: "taken", Detail: "{}", Handled: noon})
	})
	b.read(func(tx *Tx) error {
		got, err := tx.Unhandled(2)
		if err != nil {
			return err
		}
		if len(got) != 2 || got[0].ID != ids["early"] || got[1].ID != ids["also early"] {
			t.Errorf("unhandled: %+v", got)
		}
		all, err := tx.Unhandled(10)
		if len(all) != 3 || all[2].ID != ids["late"] {
			t.Errorf("all unhandled: %+v", all)
		}
		return err
	})
	wantNotFound(t, "a letter", b.Read(t.Context(), func(tx *Tx) error { _, err := tx.Letter(99); return err }))
}

// Counts begin anew with each stretch of time, and each bucket has its own.
func TestCountsByStretch(t *testing.T) {
	b := newBox(t)
	for _, c := range []struct {
		bucket string
		at     time.Time
		of     time.Duration
		want   int
	}{
		{"a", noon, time.Hour, 1},
		{"a", noon.Add(59 * time.Minute), time.Hour, 2},
		{"b", noon, time.Hour, 1},
		{"a", noon.Add(time.Hour), time.Hour, 1},
		{"a", noon.Add(time.Hour).Add(-time.Millisecond), time.Hour, 3},
		{"day", noon, 24 * time.Hour, 1},
		{"day", noon.Add(12*time.Hour - time.Millisecond), 24 * time.Hour, 2},
		{"day", noon.Add(12 * time.Hour), 24 * time.Hour, 1},
	} {
		b.write(func(tx *Tx) error {
			n, err := tx.Count(c.bucket, c.at, c.of)
			if n != c.want {
				t.Errorf("%s at %s: %d, want %d", c.bucket, c.at, n, c.want)
			}
			return err
		})
	}
}

// Codes wait by address until they are used, void or old.
func TestHeldByAddress(t *testing.T) {
	b := newBox(t)
	b.write(func(tx *Tx) error {
		id, _, err := tx.StoreLetter(Letter{Received: noon, Content: "a"}, Place{UID: 1}, noon)
		if err != nil {
			return err
		}
		for _, h := range []Held{
			{Code: "one", Address: "a@x.example", Purpose: "sender", Expires: noon.Add(time.Hour)},
			{Code: "two", Address: "a@x.example", Purpose: "join", Expires: noon.Add(2 * time.Hour)},
			{Code: "three", Address: "b@x.example", Purpose: "sender", Expires: noon.Add(time.Hour)},
		} {
			h.Letter = id
			if err := tx.AddHeld(h); err != nil {
				return err
			}
		}
		waiting, err := tx.HeldFor("a@x.example")
		if err != nil {
			return err
		}
		if len(waiting) != 2 || waiting[0].Code != "one" || waiting[1].Purpose != "join" || waiting[0].Letter != id {
			t.Errorf("waiting: %+v", waiting)
		}
		for _, c := range []struct {
			at   time.Time
			want int
		}{{noon.Add(time.Hour - time.Millisecond), 0}, {noon.Add(time.Hour), 2}, {noon.Add(2 * time.Hour), 3}} {
			old, err := tx.HeldExpired(c.at)
			if err != nil {
				return err
			}
			if len(old) != c.want {
				t.Errorf("%d have expired at %s, want %d", len(old), c.at, c.want)
			}
		}
		if err := tx.SetHeld(waiting[0].ID, HeldVoid, 5); err != nil {
			return err
		}
		waiting, err = tx.HeldFor("a@x.example")
		if len(waiting) != 1 || waiting[0].Code != "two" {
			t.Errorf("waiting after one is void: %+v", waiting)
		}
		return err
	})
}
