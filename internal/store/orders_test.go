package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
)

// G-3 and G-7: of each slot the last good orders count, else the last provisional
// ones; they stand in the order of entry and slot.
func TestG3Counting(t *testing.T) {
	for _, c := range []struct {
		name  string
		in    []revision
		until int // minutes after noon; 0: for ever
		want  string
	}{
		{"nothing", nil, 0, ""},
		{"one", []revision{{seat: "s1", slot: "m", text: "a"}}, 0, "s1/m=a"},
		{"the last", []revision{{seat: "s1", slot: "m", minute: 1, text: "a"}, {seat: "s1", slot: "m", minute: 2, text: "b"}}, 0, "s1/m=b"},
		{"the last to arrive, not to be read", []revision{{seat: "s1", slot: "m", minute: 2, text: "a"}, {seat: "s1", slot: "m", minute: 1, text: "b"}}, 0, "s1/m=a"},
		{"of the same moment the last to be read", []revision{{seat: "s1", slot: "m", text: "a"}, {seat: "s1", slot: "m", text: "b"}}, 0, "s1/m=b"},
		{"provisional", []revision{{seat: "s1", slot: "m", provisional: true, text: "a"}}, 0, "s1/m=a?"},
		{"the last provisional", []revision{{seat: "s1", slot: "m", minute: 1, provisional: true, text: "a"}, {seat: "s1", slot: "m", minute: 2, provisional: true, text: "b"}}, 0, "s1/m=b?"},
		{"good before provisional", []revision{{seat: "s1", slot: "m", minute: 1, text: "a"}, {seat: "s1", slot: "m", minute: 2, provisional: true, text: "b"}}, 0, "s1/m=a"},
		{"good after provisional", []revision{{seat: "s1", slot: "m", minute: 1, provisional: true, text: "a"}, {seat: "s1", slot: "m", minute: 2, text: "b"}}, 0, "s1/m=b"},
		{"slots by themselves", []revision{{seat: "s1", slot: "n", minute: 2, text: "a"}, {seat: "s1", slot: "m", minute: 1, provisional: true, text: "b"}}, 0, "s1/m=b? s1/n=a"},
		{"order of entry, not of names", []revision{{seat: "s10", slot: "m", text: "j"}, {seat: "s2", slot: "m", text: "b"}, {seat: "s1", slot: "m", text: "a"}}, 0, "s1/m=a s2/m=b s10/m=j"},
		{"until", []revision{{seat: "s1", slot: "m", minute: 5, text: "a"}, {seat: "s1", slot: "m", minute: 6, text: "b"}}, 5, "s1/m=a"},
		{"until, with nothing before", []revision{{seat: "s1", slot: "m", minute: 6, text: "b"}}, 5, ""},
		{"a good one too late", []revision{{seat: "s1", slot: "m", minute: 5, provisional: true, text: "a"}, {seat: "s1", slot: "m", minute: 6, text: "b"}}, 5, "s1/m=a?"},
		{"other rounds and branches", []revision{{seat: "s1", slot: "m", round: 2, text: "a"}, {seat: "s1", slot: "m", branch: 1, text: "b"}, {seat: "s2", slot: "m", text: "c"}}, 0, "s2/m=c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			b.seated("liga", 10)
			b.seated("other", 10)
			b.enter("liga", c.in...)
			b.enter("other", revision{seat: "s1", slot: "m", minute: 3, text: "another game"})
			var until time.Time
			if c.until > 0 {
				until = noon.Add(time.Duration(c.until) * time.Minute)
			}
			b.read(func(tx *Tx) error {
				all, err := tx.Counting("liga", 0, 1, until)
				if err != nil {
					return err
				}
				if diff := cmp.Diff(c.want, written(all)); diff != "" {
					t.Errorf("counting:\n%s", diff)
				}
				var bySeat []Orders
				for n := range 10 {
					one, err := tx.CountingOf(game.SeatID(fmt.Sprint("s", n+1)), "liga", 0, 1, until)
					if err != nil {
						return err
					}
					bySeat = append(bySeat, one...)
				}
				if diff := cmp.Diff(all, bySeat); diff != "" {
					t.Errorf("seat by seat:\n%s", diff)
				}
				return nil
			})
		})
	}
}

// written shows orders as the tables do.
func written(all []Orders) string {
	var out []string
	for _, o := range all {
		text := fmt.Sprintf("%s/%s=%s", o.Seat, o.Slot, strings.Trim(string(o.Orders), `"`))
		if o.Provisional {
			text += "?"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// A step is entered once: that is what makes a second close harmless.
func TestAStepIsEnteredOnce(t *testing.T) {
	b := newBox(t)
	b.seated("liga", 1)
	step := Step{Game: "liga", Round: 1, Deadline: noon, Seed: "aa", Next: "bb", Inputs: []byte("{}"), Events: []byte("[]"), State: []byte("{}"), Hash: "cc", Closed: noon}
	b.write(func(tx *Tx) error { return tx.AddStep(step) })
	other := step
	other.Hash = "dd"
	if err := b.Write(t.Context(), func(tx *Tx) error { return tx.AddStep(other) }); err == nil {
		t.Error("a round was closed twice")
	}
	for _, s := range []Step{{Round: 1, Step: 1}, {Round: 3}, {Round: 1, Branch: 1}} {
		next := step
		next.Round, next.Step, next.Branch, next.Deadline = s.Round, s.Step, s.Branch, time.Time{}
		b.write(func(tx *Tx) error { return tx.AddStep(next) })
	}
	b.read(func(tx *Tx) error {
		first, err := tx.StepBefore("liga", 0, 1, 1)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(step, first); diff != "" {
			t.Errorf("it comes back as another:\n%s", diff)
		}
		last, err := tx.LastStep("liga", 0)
		if err != nil || last.Round != 3 || !last.Deadline.IsZero() {
			t.Errorf("the last step: %+v %v", last, err)
		}
		if s, err := tx.StepOf("liga", 0, 1); err != nil || s.Step != 1 {
			t.Errorf("round 1 ends with %+v %v", s, err)
		}
		if s, err := tx.StepBefore("liga", 0, 3, 0); err != nil || s.Round != 1 || s.Step != 1 {
			t.Errorf("before round 3 came %+v %v", s, err)
		}
		if all, err := tx.Steps("liga", 0); err != nil || len(all) != 3 {
			t.Errorf("%d steps, %v", len(all), err)
		}
		return nil
	})
	for name, ask := range map[string]func(*Tx) error{
		"before the first": func(tx *Tx) error { _, err := tx.StepBefore("liga", 0, 1, 0); return err },
		"of no round":      func(tx *Tx) error { _, err := tx.StepOf("liga", 0, 2); return err },
		"of no game":       func(tx *Tx) error { _, err := tx.LastStep("nord", 0); return err },
	} {
		wantNotFound(t, name, b.Read(t.Context(), ask))
	}
}
