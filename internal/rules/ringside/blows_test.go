package ringside

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

func courseOf(x told) Course {
	return course(x.log, [2]string{x.Corners[0].Name, x.Corners[1].Name}, [2]int{x.Corners[0].Start, x.Corners[1].Start}, 8, x.Cards)
}

// TestCourseIsTheLog: blow by blow, nothing of a bout is left out and nothing added.
func TestCourseIsTheLog(t *testing.T) {
	for n := range 600 {
		x := aBout(t, n)
		all, c := witnesses(x), courseOf(x)
		if len(c.Rounds) != len(all) {
			t.Fatalf("bout %d: %d of %d rounds", n, len(c.Rounds), len(all))
		}
		dice := 0
		for i, r := range c.Rounds {
			w := all[i]
			got := witness{left: r.Begin}
			turns := map[int]int{}
			side := func(name string) int { return slices.Index(r.Names[:], name) }
			note := func(notes []Note) {
				for _, n := range notes {
					if n.Code == "tired" {
						got.left[side(n.By)] = n.Left
					}
					dice += flag(n.Code == "returned")
				}
			}
			for _, m := range r.Moments {
				var from, to int
				if k, _ := fmt.Sscanf(m.Turn, "%d-%d", &from, &to); k == 1 {
					to = from
				}
				for turn := from; turn <= to && turn > 0; turn++ {
					turns[turn]++
				}
				if b := m.Blow; b != nil {
					dice += 1 + flag(b.Down != "") + flag(strings.Contains(b.Counter, "/"))
				}
				switch m.Kind {
				case "first":
					dice += 2 * (1 + strings.Count(m.Dice, ","))
				case "blow":
					by := side(m.By)
					got.hits[by]++
					got.damage[by] += m.Blow.Damage
					got.left[1-by] = m.Blow.Left
					note(m.Notes)
				case "miss":
					misses, wide := 0, 0
					for _, miss := range m.Misses {
						wide += miss.wide() + len(" 37")*strings.Count(strings.TrimSpace(miss.Dice), " ")
					}
					if wide > missesColumn && from < to {
						t.Errorf("bout %d: turns %s take %d columns", n, m.Turn, wide)
					}
					for _, miss := range m.Misses {
						misses += len(strings.Fields(miss.Dice))
						note(miss.Notes)
					}
					if dice += misses; to-from+1 != misses {
						t.Fatalf("bout %d, round %d: turns %s hold %d misses", n, i+1, m.Turn, misses)
					}
				case "down":
					got.downs[1-side(m.To)]++
					dice++
				case "out":
					dice++
				case "stopped":
					if m.Left > -25 || got.left[side(m.To)] != m.Left {
						t.Fatalf("bout %d: stopped with %+v", n, m)
					}
				}
			}
			if r.Begin != w.came || got.left != w.left || got.hits != w.hits || got.damage != w.damage || got.downs != w.downs || r.Full != w.bell {
				t.Fatalf("bout %d, round %d: told %+v, want %+v", n, i+1, got, w)
			}
			if r.Full && r.Points != w.points || r.Doubled != (w.downs != [2]int{}) {
				t.Fatalf("bout %d, round %d: scored %v, want %v", n, i+1, r.Points, w.points)
			}
			extra := 0 // turns that a count took (RS-14)
			for _, m := range r.Moments {
				extra += flag(m.Extra)
			}
			if len(turns)+extra != w.turn && !(w.ended && !w.bell) && len(turns)+extra != bout.Turns {
				t.Fatalf("bout %d, round %d: %d turns and %d for counts are told of %d", n, i+1, len(turns), extra, w.turn)
			}
			for turn, times := range turns {
				if times != 1 {
					t.Fatalf("bout %d, round %d: turn %d is told %d times", n, i+1, turn, times)
				}
			}
		}
		// Every die but those that parted squares and chose punches.
		want := 0
		for _, e := range x.log {
			switch e.Kind {
			case bout.Initiative:
				want += 2
			case bout.Attack, bout.KnockdownRoll, bout.Count, bout.CounterRoll, bout.Counterpunch:
				want++
			}
		}
		if dice != want {
			t.Fatalf("bout %d: %d of %d dice are told", n, dice, want)
		}
	}
}

// TestCourseFits: in the columns of a mail, and a bout of twelve rounds on four pages.
func TestCourseFits(t *testing.T) {
	w := loadWords(t)
	moments, rounds := 0, 0
	for n := range 200 {
		x := aBout(t, n)
		c := courseOf(x)
		for _, r := range c.Rounds {
			rounds++
			moments += len(r.Moments)
		}
		for _, lang := range languages() {
			if n < 40 {
				render(t, w, lang, game.View{Template: "spar", Data: func() any {
					return Spar{Names: [2]string{"Kid Thunder", "Iron Mike"}, Bout: withTale(x.Bout), Course: c}
				}})
			}
		}
	}
	if most := 16; moments > most*rounds {
		t.Errorf("%d lines for %d rounds, at most %d a round", moments, rounds, most)
	}
}

func withTale(b Bout) BoutView {
	v := boutView(b)
	v.Tale = newTeller().tell(&b)
	return v
}

// TestCourseNamesBoth: their lines can be told apart, whatever they are called.
func TestCourseNamesBoth(t *testing.T) {
	x := aBout(t, 1)
	for _, names := range [][2]string{
		{"Kid Thunder", "Iron Mike"}, {"Joe Miller", "Jim Miller"}, {"Maximilian Hammerschlag", "Maximilian Hammerschmid"},
		{strings.Repeat("W", game.MaxName), strings.Repeat("W", game.MaxName-1) + "X"}, {"Zoë", "O'Hara"},
	} {
		c := course(x.log, names, [2]int{50, 50}, 8, x.Cards)
		got := c.Rounds[0].Names
		if got[0] == got[1] || c.Width > nameColumn || len([]rune(got[0])) > nameColumn || len([]rune(got[1])) > nameColumn {
			t.Errorf("%q are told as %q", names, got)
		}
	}
}
