package ringside

import (
	"reflect"
	"slices"
	"testing"

	"ringpost/internal/game"
)

func (r Report) bouts() []BoutView {
	var out []BoutView
	for _, w := range r.Weeks {
		for _, c := range w.Cards {
			out = append(out, c.Bouts...)
		}
	}
	return out
}

// TestShortReport: in a game of many, a manager reads of the classes of his fighters,
// in the words of the whole report; title bouts and the main bout of each are told in
// full. Whoever asks for a report gets all of it.
func TestShortReport(t *testing.T) {
	c := newCampaign(t, 30, 9, everything())
	c.play(t, 5, false)
	st := c.steps[len(c.steps)-1]
	whole := reportViews(st, game.Audience{})
	if len(whole) != 1 || whole[0].Template != "report" {
		t.Fatalf("the public gets %+v", whole)
	}
	all := map[string]BoutView{}
	for _, v := range whole[0].Data().(Report).bouts() {
		if all[v.Booking.ID] = v; !v.Cancelled && len(v.Tale.Rounds) != len(v.Cards) {
			t.Errorf("%s is not told in full", v.Booking.ID)
		}
	}
	told := map[string]bool{}
	for _, m := range st.After.Managers {
		want := []string{"own", "news"}
		var classes []Class
		for _, f := range append(st.Before.stable(m.Seat), st.After.stable(m.Seat)...) {
			if !slices.Contains(classes, f.Class) {
				classes, want = append(classes, f.Class), append(want, "division")
			}
		}
		var got []string
		for _, v := range reportViews(st, game.Audience{Seat: m.Seat}) {
			got = append(got, v.Template)
			if v.Template != "division" {
				continue
			}
			r := v.Data().(Report)
			if !slices.Contains(classes, r.Class) {
				t.Errorf("%s reads of the class %s", m.Name, r.Class)
			}
			full := 0
			for _, b := range r.bouts() {
				told[b.Booking.ID] = true
				wanted := all[b.Booking.ID]
				if b.Tale.Rounds == nil {
					wanted.Tale.Rounds = nil
				}
				full += flag(b.Tale.Rounds != nil && !b.Booking.Title)
				if !reflect.DeepEqual(b, wanted) || b.Booking.Class != r.Class || b.Booking.Title && b.Tale.Rounds == nil && !b.Cancelled {
					t.Errorf("%s is told otherwise in the whole report", b.Booking.ID)
				}
			}
			if full > 1 {
				t.Errorf("the class %s has %d main bouts", r.Class, full)
			}
			for _, x := range r.Table.Classes {
				if x.Class != r.Class {
					t.Errorf("the ranking of %s in the class %s", x.Class, r.Class)
				}
			}
		}
		if want = append(want, "rest"); !slices.Equal(got, want) {
			t.Errorf("%s reads %v, want %v", m.Name, got, want)
		}
	}
	if len(told) != len(all) || len(all) < 30 {
		t.Errorf("%d of %d bouts are told to somebody", len(told), len(all))
	}
	if got := classesOf(st, "s999"); !slices.Equal(got, st.After.Settings.Classes) {
		t.Errorf("who has no fighter reads of %v", got)
	}
}
