package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
)

// A sparring is counted once, whichever way it comes again.
func TestSparrings(t *testing.T) {
	b := newBox(t)
	b.seated("liga", 2)
	var letter int64
	b.write(func(tx *Tx) (err error) {
		letter, _, err = tx.StoreLetter(Letter{Received: noon, Content: "a"}, Place{UID: 1}, noon)
		return err
	})
	first := Sparring{ID: 1, Game: "liga", Round: 3, Seat: "s1", N: 1, Letter: letter, Line: 2, Subject: "Kid", Slips: []byte(`[{"slot":"x"}]`), Fought: noon}
	second, other, later := first, first, first
	second.ID, second.N, second.Line, second.Fought = 2, 2, 4, noon.Add(time.Minute)
	other.ID, other.Seat, other.Line = 3, "s2", 5
	later.ID, later.Round, later.Line = 4, 4, 6
	for _, s := range []Sparring{first, second, other, later} {
		b.write(func(tx *Tx) error { return tx.AddSparring(s) })
	}
	for name, change := range map[string]func(*Sparring){
		"the same number":           func(s *Sparring) { s.Line = 9 },
		"the same line of a letter": func(s *Sparring) { s.N = 9 },
	} {
		again := first
		change(&again)
		if err := b.Write(t.Context(), func(tx *Tx) error { return tx.AddSparring(again) }); err == nil {
			t.Errorf("%s was entered twice", name)
		}
	}
	b.read(func(tx *Tx) error {
		for seat, want := range map[string]int{"s1": 2, "s2": 1} {
			if n, err := tx.Sparrings("liga", 0, 3, game.SeatID(seat)); err != nil || n != want {
				t.Errorf("%s: %d, %v", seat, n, err)
			}
		}
		all, err := tx.SparringsIn("liga")
		if diff := cmp.Diff([]Sparring{first, second, other, later}, all); diff != "" || err != nil {
			t.Errorf("listed: %v %s", err, diff)
		}
		got, err := tx.SparringFor(letter, 4)
		if diff := cmp.Diff(second, got); diff != "" || err != nil {
			t.Errorf("by its line: %v %s", err, diff)
		}
		got, err = tx.Sparring(4)
		if diff := cmp.Diff(later, got); diff != "" || err != nil {
			t.Errorf("by its number: %v %s", err, diff)
		}
		return nil
	})
	wantNotFound(t, "a sparring of no line", b.Read(t.Context(), func(tx *Tx) error { _, err := tx.SparringFor(letter, 7); return err }))
	wantNotFound(t, "a sparring of no number", b.Read(t.Context(), func(tx *Tx) error { _, err := tx.Sparring(99); return err }))
}
