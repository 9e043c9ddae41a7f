package ringside

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/rules/ringside/bout"
	"ringpost/internal/rules/ringside/plan"
	"ringpost/templates"
)

// told is a bout fought for a test: what everybody sees of it, and what happened.
type told struct {
	Bout
	log bout.Log
}

// aBout fights a bout between fighters and plans of all kinds, over any distance, by
// any scoring, for a title or not.
func aBout(tb testing.TB, n int) told {
	tb.Helper()
	s := dice.Seed{byte(n), byte(n >> 8), byte(n >> 16), 7}.Stream("bouts", "")
	var men [2]partner
	for i := range men {
		men[i] = partner{name: [2]string{"Kid Thunder", "Iron Mike"}[i], Fighter: bout.Roll(s)}
		if s.Uniform(4) == 1 { // a born fighter
			men[i].Agility, men[i].Counter = 30+s.Uniform(40), s.Uniform(60)
		}
		men[i].plan = readPlan(tb, wildPlan(men[i].name, s))
	}
	terms := bout.StandardTerms([]int{3, 3, 4, 5, 6, 8, 10, 12, 15}[s.Uniform(9)-1])
	terms.Scoring = []bout.Scoring{bout.ByRounds, bout.TenPoint, bout.FivePoint}[s.Uniform(3)-1]
	var log bout.Log
	x, _ := fight(men, terms, s, &log)
	b := Booking{ID: fmt.Sprint("f1-f", n), Class: Heavy, Rounds: terms.Rounds, Advanced: true, Title: s.Uniform(4) == 1,
		Fighters: [2]FighterID{"f1", "f2"}, Pop: [2]Pop{Pop(s.Uniform(20)), Pop(s.Uniform(20))}}
	b.Vacant = b.Title && s.Uniform(2) == 1
	out := told{Bout: Bout{Booking: b, Result: x.Result, Cards: x.Cards, Rounds: watch(log), Words: s.Uniform(wordsDie)}, log: log}
	for i, m := range men {
		out.Corners[i] = Corner{Fighter: b.Fighters[i], Name: m.name, Ratings: m.Fighter, Start: bout.Corner{Fighter: m.Fighter}.Start(terms.Rounds),
			End: x.Endurance[i], Result: resultOf(x.Result, bout.Side(i))}
	}
	return out
}

func readPlan(tb testing.TB, text string) plan.Plan {
	tb.Helper()
	parsed := orders.Parse(orders.Lines(text))
	p, issues, _ := plan.Read(parsed.Blocks[0].Statements, plan.Context{Advanced: true, Rounds: bout.MaxRounds})
	if len(issues) > 0 {
		tb.Fatalf("%v in\n%s", issues, text)
	}
	return p
}

// wildPlan uses every tactic often.
func wildPlan(name string, s game.Stream) string {
	d := func(n int) int { return s.Uniform(n) - 1 }
	text := "NAME " + name + "\n"
	text += fmt.Sprintf("SCHLAG UC%d RJ%d RH%d CO%d LJ%d LH%d\n", 1+d(9), d(10), d(10), d(10), d(10), d(10))
	for _, line := range []string{
		"V WENN AMSEIL : KLAMMERN", "V WENN ZUG>9 : KLAMMERN", "V WENN KOND<=5 : DECKEN", "V WENN SCHADEN>=5 : ZURÜCK", "V WENN ZUG<9 : DECKEN",
		"A WENN GKOND<=0 : STURM", "A WENN SCHADEN<0 : STURM", "V WENN TREFFER>=5 : KONTER NEIN",
	} {
		if d(6) == 0 {
			text += line + "\n"
		}
	}
	return text + "ENDE\n"
}

// witness is what a log shows of a boxing round, counted without the code that
// tells it.
type witness struct {
	n, scheduled      int
	hits, damage      [2]int
	counters          [2]int
	downs             [2]int // knockdowns scored, survived
	falls             []bout.Event
	turns             []int // in which the falls were
	pinned            [2]int
	did               map[bout.Tactic][2]int
	came, left        [2]int
	points            [2]int
	bell              bool
	ended             bool
	method            bout.Method
	winner            bout.Side
	turn              int
	lastPunch         bout.Punch
	totalWas, totalIs [2]int
}

// witnesses reads a log.
func witnesses(x told) []witness {
	var all []witness
	left := [2]int{x.Corners[0].Start, x.Corners[1].Start}
	var total [2]int
	for _, e := range x.log {
		if e.Kind == bout.RoundBegins {
			all = append(all, witness{n: int(e.N), scheduled: x.Booking.Rounds, did: map[bout.Tactic][2]int{}, came: left, totalWas: total, totalIs: total})
			continue
		}
		w := &all[len(all)-1]
		switch by := e.By; e.Kind {
		case bout.TurnBegins:
			w.turn = int(e.N)
		case bout.Blow:
			w.hits[by]++
			w.damage[by] += int(e.N)
			left[1-by], w.lastPunch = int(e.Left), e.Punch
		case bout.Tired:
			left[by] = int(e.Left)
		case bout.Counterpunch:
			if e.Die > e.Need {
				w.counters[by]++
			}
		case bout.Count:
			e.Punch = w.lastPunch
			w.falls, w.turns = append(w.falls, e), append(w.turns, w.turn)
			if e.N < 10 {
				w.downs[by]++
			}
		case bout.Pinned:
			w.pinned[by]++
		case bout.Declared:
			n := w.did[e.Tactic]
			n[by]++
			w.did[e.Tactic] = n
		case bout.Bell:
			w.bell, w.points = true, pointsOf(x, [2]int{int(e.Both[0]), int(e.Both[1])})
			total[0], total[1] = total[0]+w.points[0], total[1]+w.points[1]
			w.totalIs = total
		case bout.Rested:
			left = [2]int{int(e.Both[0]), int(e.Both[1])}
			continue
		case bout.Ended:
			w.ended, w.winner, w.method = true, by, bout.Methods()[e.N]
		}
		w.left = left
	}
	return all
}

// pointsOf scores a round by the rulebook's table.
func pointsOf(x told, caused [2]int) [2]int {
	most := max(x.Cards[0].Points[0], x.Cards[0].Points[1])
	for _, c := range x.Cards {
		most = max(most, c.Points[0], c.Points[1])
	}
	diff := caused[0] - caused[1]
	if most <= 1 {
		return [2]int{flag(diff > 0), flag(diff < 0)}
	}
	less := 0
	for _, from := range []int{2, 21, 41, 61} {
		less += flag(max(diff, -diff) >= from)
	}
	points := [2]int{most, most}
	if diff > 0 {
		points[1] -= less
	} else {
		points[0] -= less
	}
	return points
}

// claim says what a sentence states, in terms of the log: s is the round, all are
// the rounds up to it, a whom it is about.
type claim func(all []witness, a int, d Sentence) bool

func wonBy(w witness, a int) bool { return w.bell && w.points[a] > w.points[1-a] }

func rowOf(all []witness, a int) int {
	n := 0
	for _, w := range slices.Backward(all) {
		if !wonBy(w, a) {
			break
		}
		n++
	}
	return n
}

func downBefore(all []witness, a int) bool { // in rounds before the last one
	return slices.ContainsFunc(all[:len(all)-1], func(w witness) bool { return w.downs[1-a] > 0 })
}

func downEver(all []witness, a int) bool {
	return slices.ContainsFunc(all, func(w witness) bool { return w.downs[1-a] > 0 })
}

// fallOf finds the knockdown that a sentence tells.
func fallOf(w witness, a int, d Sentence, also func(i int) bool) bool {
	for i, f := range w.falls {
		if int(f.By) == a && int(f.N) == d.N && f.N < 10 && f.Punch.Code() == d.Punch && also(i) {
			return true
		}
	}
	return false
}

func fellBefore(w witness, i int, by int) bool { // a knockdown before the i-th
	return slices.ContainsFunc(w.falls[:i], func(f bout.Event) bool { return int(f.By) == by })
}

// claims is what each key asserts.
func claims() map[string]claim {
	at := func(f func(w witness, a int) bool) claim {
		return func(all []witness, a int, _ Sentence) bool { return f(all[len(all)-1], a) }
	}
	end := func(m bout.Method, f func(all []witness, a int) bool) claim {
		return func(all []witness, a int, d Sentence) bool {
			w := all[len(all)-1]
			same := m != bout.KO || w.falls[len(w.falls)-1].N == 10 && w.falls[len(w.falls)-1].Punch.Code() == d.Punch
			return w.ended && w.method == m && int(w.winner) == a && d.Round == w.n && d.Rounds == w.scheduled && same && f(all, a)
		}
	}
	total := func(d Sentence, w witness, a int) bool { return d.Points == [2]int{w.totalIs[a], w.totalIs[1-a]} }
	yes := func([]witness, int) bool { return true }
	last := func(all []witness) witness { return all[len(all)-1] }
	behind := func(all []witness, a int) bool { return last(all).totalWas[a] < last(all).totalWas[1-a] }
	wasDown := func(all []witness, a int) bool { return downEver(all, a) }
	first := func(all []witness, _ int) bool { return last(all).n == 1 }
	final := func(all []witness, _ int) bool { return last(all).n == last(all).scheduled && last(all).n > 1 }
	every := func(all []witness, a int) bool { return rowOf(all, a) == len(all) && len(all) == last(all).scheduled }
	late := func(all []witness, a int) bool { return last(all).totalWas[a] <= last(all).totalWas[1-a] }
	tight := func(all []witness, a int) bool { return last(all).totalIs[a]-last(all).totalIs[1-a] <= 2 }
	level := func(w witness) bool { return w.bell && w.points[0] == w.points[1] }
	did := func(t bout.Tactic, least int) claim {
		return func(all []witness, a int, d Sentence) bool {
			return last(all).did[t][a] >= least && d.N == last(all).did[t][a]
		}
	}
	c := map[string]claim{
		"cut.quick":  at(func(w witness, a int) bool { return !w.bell && w.ended && w.turn <= 4 }),
		"cut.ahead":  at(func(w witness, a int) bool { return !w.bell && w.ended && w.hits[a]-1 > w.hits[1-a] }),
		"cut.behind": at(func(w witness, a int) bool { return !w.bell && w.ended && w.hits[1-a]-1 > w.hits[a] }),
		"cut.level":  at(func(w witness, a int) bool { return !w.bell && w.ended }),

		"open.quiet": at(func(w witness, a int) bool {
			return w.n == 1 && w.bell && w.hits[0]+w.hits[1] <= 5 && len(w.falls) == 0
		}),
		"open.even": at(func(w witness, a int) bool { return w.n == 1 && level(w) }),
		"open.rout": at(func(w witness, a int) bool {
			return w.n == 1 && wonBy(w, a) && w.damage[a]-w.damage[1-a] >= 15 && w.hits[a] >= 2*w.hits[1-a]
		}),
		"open.won": at(func(w witness, a int) bool {
			return w.n == 1 && wonBy(w, a) && w.damage[a] > w.damage[1-a] && w.hits[a] >= w.hits[1-a] && w.hits[1-a] > 0
		}),

		"quiet.even": at(func(w witness, a int) bool { return level(w) && w.hits[0]+w.hits[1] <= 5 && len(w.falls) == 0 }),
		"quiet.won": at(func(w witness, a int) bool {
			return wonBy(w, a) && w.hits[0]+w.hits[1] <= 5 && w.damage[a] > w.damage[1-a] && len(w.falls) == 0
		}),
		"even.hot": at(func(w witness, a int) bool { return level(w) && w.hits[0]+w.hits[1] >= 12 }),
		"even":     at(func(w witness, a int) bool { return level(w) }),
		"bydown":   at(func(w witness, a int) bool { return wonBy(w, a) && w.damage[a] <= w.damage[1-a] && w.downs[a] > 0 }),
		"blank":    at(func(w witness, a int) bool { return wonBy(w, a) && w.hits[1-a] == 0 && w.hits[a] > 0 }),
		"harder": at(func(w witness, a int) bool {
			return wonBy(w, a) && w.hits[a] < w.hits[1-a] && w.damage[a] > w.damage[1-a]
		}),
		"rout": at(func(w witness, a int) bool {
			return wonBy(w, a) && w.damage[a]-w.damage[1-a] >= 15 && w.hits[a] >= 2*w.hits[1-a]
		}),
		"slug": at(func(w witness, a int) bool {
			return wonBy(w, a) && min(w.hits[0], w.hits[1]) >= 6 && w.damage[a] > w.damage[1-a]
		}),
		"clear": at(func(w witness, a int) bool {
			return wonBy(w, a) && w.damage[a]-w.damage[1-a] >= 6 && w.hits[a] >= w.hits[1-a]
		}),
		"edge": at(func(w witness, a int) bool {
			return wonBy(w, a) && w.damage[a]-w.damage[1-a] < 6 && w.damage[a] > w.damage[1-a] && w.hits[1-a] > 0
		}),

		"down": func(all []witness, a int, d Sentence) bool {
			return fallOf(last(all), a, d, func(int) bool { return true })
		},
		"down.quick": func(all []witness, a int, d Sentence) bool {
			return d.N <= 3 && fallOf(last(all), a, d, func(int) bool { return true })
		},
		"down.eight": func(all []witness, a int, d Sentence) bool {
			return d.N == 8 && fallOf(last(all), a, d, func(int) bool { return true })
		},
		"down.nine": func(all []witness, a int, d Sentence) bool {
			return d.N == 9 && fallOf(last(all), a, d, func(int) bool { return true })
		},
		"down.again": func(all []witness, a int, d Sentence) bool {
			return fallOf(last(all), a, d, func(i int) bool { return fellBefore(last(all), i, a) })
		},
		"down.back": func(all []witness, a int, d Sentence) bool {
			return fallOf(last(all), a, d, func(i int) bool { return fellBefore(last(all), i, 1-a) })
		},
		"down.revenge": func(all []witness, a int, d Sentence) bool {
			return downBefore(all, a) && fallOf(last(all), a, d, func(int) bool { return true })
		},
		"down.late": func(all []witness, a int, d Sentence) bool {
			return last(all).bell && fallOf(last(all), a, d, func(i int) bool { return last(all).turns[i] >= 17 })
		},

		"ropes":       at(func(w witness, a int) bool { return w.pinned[1-a] > 0 }),
		"ropes.often": func(all []witness, a int, d Sentence) bool { return d.N >= 3 && d.N == last(all).pinned[1-a] },
		"empty":       at(func(w witness, a int) bool { return w.bell && w.left[1-a] <= 0 && w.came[1-a] > 0 }),
		"empty.both":  at(func(w witness, a int) bool { return w.bell && w.left[0] <= 0 && w.left[1] <= 0 }),
		"clinch":      did(bout.Clinch, 2),
		"clinch.both": at(func(w witness, a int) bool { return min(w.did[bout.Clinch][0], w.did[bout.Clinch][1]) >= 2 }),
		"cover":       did(bout.Cover, 3), "backpedal": did(bout.Backpedal, 3), "rush": did(bout.Rush, 3),
		"counter":      func(all []witness, a int, d Sentence) bool { return d.N >= 2 && d.N == last(all).counters[a] },
		"counter.both": at(func(w witness, a int) bool { return min(w.counters[0], w.counters[1]) >= 2 }),
		"worn":         at(func(w witness, a int) bool { return w.hits[a] >= 9 }),

		"ko": end(bout.KO, yes), "ko.behind": end(bout.KO, behind), "ko.first": end(bout.KO, first), "ko.last": end(bout.KO, final),
		"ko.again": end(bout.KO, func(all []witness, a int) bool { return downEver(all, 1-a) }),
		"ko.spent": end(bout.KO, func(all []witness, a int) bool { return last(all).left[1-a] <= 0 }),
		"tko":      end(bout.TKO, func(all []witness, a int) bool { return last(all).left[1-a] <= -25 }), "tko.behind": end(bout.TKO, behind),
		"points": end(bout.Decision, yes), "points.all": end(bout.Decision, every), "points.late": end(bout.Decision, late),
		"points.down": end(bout.Decision, wasDown), "points.close": end(bout.Decision, tight),
		"draw": at(func(w witness, a int) bool { return w.ended && w.method == bout.Draw }),

		"safe": func(all []witness, a int, d Sentence) bool {
			w := last(all)
			return max(w.points[0], w.points[1]) <= 1 && w.totalIs[a]-w.totalIs[1-a] > w.scheduled-w.n && !w.ended
		},
		"level": at(func(w witness, a int) bool { return w.totalIs[0] == w.totalIs[1] && w.totalWas[a] < w.totalWas[1-a] }),
		"rally": func(all []witness, a int, d Sentence) bool {
			return wonBy(last(all), a) && d.N >= 2 && d.N == rowOf(all[:len(all)-1], 1-a)
		},
		"lead":   at(func(w witness, a int) bool { return w.totalIs[a] > w.totalIs[1-a] && w.totalWas[a] <= w.totalWas[1-a] }),
		"streak": func(all []witness, a int, d Sentence) bool { return d.N >= 3 && d.N == rowOf(all, a) },

		"head.part.ahead": at(func(w witness, a int) bool { return w.bell && !w.ended && w.totalIs[a] > w.totalIs[1-a] }),
		"head.part.level": at(func(w witness, a int) bool { return w.bell && !w.ended && w.totalIs[0] == w.totalIs[1] }),
		"head.draw":       at(func(w witness, a int) bool { return w.ended && w.method == bout.Draw }),
		"head.ko.behind":  end(bout.KO, behind), "head.ko.down": end(bout.KO, wasDown), "head.ko.first": end(bout.KO, first),
		"head.ko.last": end(bout.KO, final), "head.ko": end(bout.KO, yes),
		"head.tko.behind": end(bout.TKO, behind), "head.tko.down": end(bout.TKO, wasDown), "head.tko": end(bout.TKO, yes),
		"head.points.all": end(bout.Decision, every), "head.points.late": end(bout.Decision, late), "head.points.down": end(bout.Decision, wasDown),
		"head.points.close": end(bout.Decision, tight), "head.points": end(bout.Decision, yes),
	}
	// What a sentence says of the points stands in all of them.
	for key, f := range c {
		c[key] = func(all []witness, a int, d Sentence) bool {
			w := last(all)
			return total(d, w, a) && d.Hits == w.hits[a] && d.Taken == w.hits[1-a] && f(all, a, d)
		}
	}
	return c
}

// claimOf is the claim of a headline that needs the booking.
func claimOf(key string, x told) claim {
	b := x.Booking
	at := func(f func(w witness, a int) bool) claim {
		return func(all []witness, a int, _ Sentence) bool {
			w := all[len(all)-1]
			return w.ended && f(w, a)
		}
	}
	switch {
	case key == "head.upset":
		return at(func(w witness, a int) bool { return int(w.winner) == a && b.Pop[1-a]-b.Pop[a] >= 10 })
	case key == "head.title.open":
		return at(func(w witness, a int) bool { return b.Title && b.Vacant && w.method == bout.Draw })
	case key == "head.title.kept.draw":
		return at(func(w witness, a int) bool { return b.Title && !b.Vacant && w.method == bout.Draw && a == 0 })
	case strings.HasPrefix(key, "head.title."):
		parts := strings.Split(key, ".")
		return at(func(w witness, a int) bool {
			news := "won"
			if b.Vacant {
				news = "filled"
			} else if w.winner == bout.First {
				news = "kept"
			}
			return b.Title && int(w.winner) == a && string(w.method) == parts[3] && news == parts[2]
		})
	}
	return nil
}

// inParts is a bout as the turns tell it in which so many rounds each are fought.
func inParts(x Bout, rounds int) []Bout {
	var out []Bout
	for from := 0; from < len(x.Cards); from += rounds {
		part := x
		part.From, part.Words = from, x.Words+from
		if upTo := from + rounds; upTo < len(x.Cards) {
			part.Cards, part.Rounds, part.Result = x.Cards[:upTo], x.Rounds[:upTo], bout.Result{Winner: bout.Neither}
		}
		out = append(out, part)
	}
	return out
}

// TestTellingKeepsToTheEvents: every sentence of many tales states what the log shows,
// every round and every knockdown is told once, and every kind of sentence occurs.
func TestTellingKeepsToTheEvents(t *testing.T) {
	known, words := claims(), newTeller()
	seen := map[string]int{}
	for n := range 3000 {
		x := aBout(t, n)
		all := witnesses(x)
		check := func(d Sentence, upTo int) {
			key := d.Key[:strings.LastIndex(d.Key, ".")]
			a := flag(d.A == "Mike" || d.A == "Iron Mike")
			c, ok := known[key]
			if !ok {
				c = claimOf(key, x)
			}
			if c == nil {
				t.Fatalf("nobody says what %s asserts", key)
			}
			if seen[key]++; !c(all[:upTo], a, d) {
				t.Fatalf("bout %d, round %d: %+v is not what happened: %+v", n, upTo, d, all[upTo-1])
			}
		}
		parts := []Bout{x.Bout}
		if n%3 == 0 {
			parts = inParts(x.Bout, 1+n%5)
		}
		told := 0
		for _, part := range parts {
			tale := words.tell(&part)
			check(tale.Head, len(part.Cards))
			for _, r := range tale.Rounds {
				if told++; r.Round != told || len(r.Says) == 0 {
					t.Fatalf("bout %d: round %d is told by %+v", n, told, r)
				}
				downs := 0
				for _, d := range r.Says {
					check(d, r.Round)
					downs += flag(strings.HasPrefix(d.Key, "down"))
				}
				if w := all[r.Round-1]; downs != w.downs[0]+w.downs[1] {
					t.Fatalf("bout %d, round %d: %d of %v knockdowns are told", n, r.Round, downs, w.downs)
				}
			}
			if part.Result.Method == bout.Undecided {
				continue
			}
			if end := tale.Rounds[len(tale.Rounds)-1].Says; told != len(all) || !slices.ContainsFunc(end, func(d Sentence) bool {
				return strings.HasPrefix(d.Key, string(x.Result.Method)) || x.Result.Method == bout.Decision && strings.HasPrefix(d.Key, "points")
			}) {
				t.Fatalf("bout %d: the end is not told: %+v", n, end)
			}
		}
	}
	for _, x := range newStock().all() {
		if seen[x.key] == 0 {
			t.Errorf("%s was never said", x.key)
		}
	}
}

// TestSceneKnowsTheEndurance: what is told of a fighter's strength follows from the
// cards alone, and is what he had.
func TestSceneKnowsTheEndurance(t *testing.T) {
	for n := range 500 {
		x := aBout(t, n)
		all, want := scenes(&x.Bout), witnesses(x)
		for i := range all {
			if all[i].came != want[i].came || all[i].left != want[i].left {
				t.Fatalf("bout %d, round %d: endurance %v to %v, want %v to %v", n, i+1, all[i].came, all[i].left, want[i].came, want[i].left)
			}
		}
		if end := [2]int{x.Corners[0].End, x.Corners[1].End}; all[len(all)-1].left != end {
			t.Fatalf("bout %d ended with %v, want %v", n, all[len(all)-1].left, end)
		}
	}
}

// TestTellingRepeatsNothing: within a bout, and from one bout to the next, nothing is
// said twice in the same way as long as there are other ways.
func TestTellingRepeatsNothing(t *testing.T) {
	words := newTeller()
	size := map[string]int{}
	for _, x := range words.stock.all() {
		size[x.key] = x.size
	}
	count := func(tale Tale) map[string]int {
		out := map[string]int{tale.Head.Key: 1}
		for _, r := range tale.Rounds {
			for _, d := range r.Says {
				out[d.Key]++
			}
		}
		return out
	}
	perKind := func(said map[string]int) map[string]int {
		out := map[string]int{}
		for key, n := range said {
			out[key[:strings.LastIndex(key, ".")]] += n
		}
		return out
	}
	ways, times := map[string]uint64{}, map[string]int{}
	before := map[string]int{}
	for n := range 2000 {
		x := aBout(t, n)
		said := count(words.tell(&x.Bout))
		kinds, kindsBefore := perKind(said), perKind(before)
		for key, again := range said {
			kind := key[:strings.LastIndex(key, ".")]
			times[kind] += again
			if again > 1 && kinds[kind] <= size[kind] {
				t.Fatalf("bout %d says %s %d times", n, key, again)
			}
			if before[key] > 0 && kinds[kind]+kindsBefore[kind] <= size[kind] {
				t.Fatalf("bout %d repeats %s from the one before", n, key)
			}
			var i int
			if _, err := fmt.Sscanf(key[len(kind):], ".%d", &i); err != nil {
				t.Fatal(err)
			}
			ways[kind] |= 1 << i
		}
		before = said
	}
	for kind, used := range ways {
		if n := bits.OnesCount64(used); n < 2 && times[kind] > 2 || n < size[kind] && times[kind] > 10*size[kind] {
			t.Errorf("%s was said %d times, in %d ways of %d", kind, times[kind], n, size[kind])
		}
	}
}

// TestTheStockHasItsWords: each way to say a thing has a template in every language,
// and no template is left over.
func TestTheStockHasItsWords(t *testing.T) {
	w := loadWords(t)
	want := map[string]bool{}
	known := maps.Clone(claims())
	for _, x := range newStock().all() {
		if _, ok := known[x.key]; !ok && claimOf(x.key, told{}) == nil {
			t.Errorf("nobody says what %s asserts", x.key)
		}
		for i := 1; i <= x.size; i++ {
			want[fmt.Sprintf("tell.%s.%d", x.key, i)] = true
		}
	}
	for _, lang := range languages() {
		have := patterns(t, lang)
		for key := range want {
			if _, ok := have[key]; !ok || !w.Defines(lang, "ringside", key) {
				t.Errorf("%s lacks %s", lang, key)
			}
		}
		for key := range have {
			if !want[key] {
				t.Errorf("%s has %s, which is never said", lang, key)
			}
		}
	}
}

// patterns are the sentences of a language as their file holds them, by key.
func patterns(t *testing.T, lang string) map[string]string {
	t.Helper()
	text, err := templates.Files.ReadFile(lang + "/ringside/tell.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, `{{define "tell.`); ok {
			key, body, _ := strings.Cut(rest, `"}}`)
			if _, twice := out["tell."+key]; twice {
				t.Errorf("%s: tell.%s is there twice", lang, key)
			}
			out["tell."+key] = strings.TrimSuffix(strings.TrimSpace(body), "{{end}}")
		}
	}
	return out
}

// TestSentencesSayNoMoreThanTheirKeys: a sentence that speaks of something has a key
// that knows of it, and none tells a fighter's sex.
func TestSentencesSayNoMoreThanTheirKeys(t *testing.T) {
	type rule struct {
		words []string // their beginnings, in lower case
		keys  []string // what may speak of them: beginnings of keys
	}
	rules := map[string][]rule{
		"de": {
			{[]string{"seil"}, []string{"ropes"}},
			{[]string{"konter", "kontern", "kontert"}, []string{"counter"}},
			{[]string{"klammer", "clinch"}, []string{"clinch"}},
			{[]string{"deckung", "doppeldeckung", "igelt", "verschanzt"}, []string{"cover", "rush"}},
			{[]string{"sturm", "stürmt"}, []string{"rush"}},
			{[]string{"rückwärts", "rückzug"}, []string{"backpedal"}},
			{[]string{"k.o."}, []string{"ko", "tko", "head.ko", "head.tko", "head.title", "head.points"}},
			{[]string{"abbruch", "abgebrochen", "stoppt"}, []string{"tko", "head.tko", "head.title", "rally"}},
			{[]string{"niederschlag", "angezählt", "gezählt", "ausgezählt", "brettern", "bretter", "ringboden"},
				[]string{"down", "ko", "head.ko", "head.title", "bydown", "points.down", "head.points.down", "head.tko.down"}},
			{[]string{"titel", "gürtel", "thron", "wachablösung", "vakant"}, []string{"head.title"}},
			{[]string{"kondition", "tank", "reserve"}, []string{"empty", "worn", "ko.spent", "head.tko", "tko"}},
			{[]string{"unentschieden", "remis"}, []string{"draw", "head.draw", "head.title", "even"}},
			{[]string{"letzten", "letzte"}, []string{"cut", "ko.last", "ko.again", "points", "head", "draw", "down.late", "down.nine", "streak", "empty"}},
			{[]string{"erste", "ersten"}, []string{"open", "ko.first", "head.ko.first", "points.all"}},
			{[]string{"serie", "folge"}, []string{"streak", "rally", "head.title", "cut.ahead"}},
			{[]string{"er", "sie", "ihn", "ihm", "ihr", "sein", "seine", "seinen", "seiner", "ihre", "ihren", "gegner", "gegners", "boxer", "meister"}, nil},
		},
		"en": {
			{[]string{"rope"}, []string{"ropes"}},
			{[]string{"counter"}, []string{"counter"}},
			{[]string{"clinch", "hold", "holds", "holding"}, []string{"clinch", "head.title"}},
			{[]string{"cover", "guard", "shell"}, []string{"cover", "head.title"}},
			{[]string{"rush", "charges", "storms"}, []string{"rush"}},
			{[]string{"backs", "reverse", "bicycle"}, []string{"backpedal"}},
			{[]string{"knock", "ko"}, []string{"ko", "tko", "head.ko", "head.tko", "head.title", "head.points", "down", "bydown", "points.down"}},
			{[]string{"stop", "stopped", "stoppage"}, []string{"tko", "head.tko", "head.title", "rally", "ko", "safe", "cut.behind"}},
			{[]string{"canvas", "floor", "count", "counted"},
				[]string{"down", "ko", "head.ko", "head.title", "bydown", "points.down", "head.points.down", "head.tko.down", "harder", "quiet.won", "counter"}},
			{[]string{"title", "belt", "throne", "crown", "vacant", "champion"}, []string{"head.title"}},
			{[]string{"endurance", "tank"}, []string{"empty", "worn", "ko.spent", "head.tko", "tko"}},
			{[]string{"draw", "drawn"}, []string{"draw", "head.draw", "head.title"}},
			{[]string{"final", "last"}, []string{"cut", "ko.last", "ko.again", "points", "head", "draw", "down.late", "down.nine", "streak", "empty"}},
			{[]string{"first", "opening", "opener"}, []string{"open", "ko.first", "head.ko.first", "points.all", "ko.last"}},
			{[]string{"run", "row"}, []string{"streak", "rally"}},
			{[]string{"he", "she", "him", "her", "his", "hers", "man", "woman", "men"}, nil},
		},
	}
	for lang, all := range rules {
		used := 0
		for key, text := range patterns(t, lang) {
			kind := strings.TrimPrefix(key[:strings.LastIndex(key, ".")], "tell.")
			for _, word := range strings.FieldsFunc(strings.ToLower(plainText(text)), func(r rune) bool {
				return strings.ContainsRune(" ,:;!?", r)
			}) {
				word = strings.TrimSuffix(word, "'s")
				for _, r := range all {
					exact := slices.Contains(r.words, strings.TrimSuffix(word, "."))
					begins := r.keys != nil && slices.ContainsFunc(r.words, func(w string) bool { return len(w) > 4 && strings.HasPrefix(word, w) })
					if !exact && !begins {
						continue
					}
					used++
					if !slices.ContainsFunc(r.keys, func(k string) bool { return kind == k || strings.HasPrefix(kind, k+".") }) {
						t.Errorf("%s: %q speaks of %q, of which %s knows nothing", lang, text, word, kind)
					}
				}
			}
		}
		if used < 200 {
			t.Errorf("%s: the rules found %d words only", lang, used)
		}
	}
}

// plainText is a pattern without its actions.
func plainText(text string) string {
	var b strings.Builder
	for text != "" {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			break
		}
		_, text, _ = strings.Cut(rest, "}}")
	}
	return b.String()
}

// TestNoSentenceReadsAsOrders: wherever its line is broken.
func TestNoSentenceReadsAsOrders(t *testing.T) {
	w := loadWords(t)
	above := orders.Lines("NAME Ali\nSCHLAG UC3\n")
	for _, lang := range languages() {
		for key, pattern := range patterns(t, lang) {
			d := Sentence{Key: strings.TrimPrefix(key, "tell."), A: "Thunder", B: "Mike", Hits: 7, Taken: 5, N: 4, Punch: "RH", Round: 3, Rounds: 6, Class: Heavy, Points: [2]int{3, 2}}
			text, err := w.Render(lang, "ringside", key, d)
			if err != nil {
				t.Fatal(err)
			}
			for _, bound := range []string{"in", "after"} { // these templates are never broken
				if strings.Contains(pattern, `{{template "`+bound+`.round"`) {
					text = strings.ReplaceAll(text, bound+" round 3", bound+"\u00a0round\u00a03")
				}
			}
			words := strings.Split(strings.TrimSpace(text), " ")
			for i := range words {
				line := strings.Join(words[i:], " ")
				if orders.Reserved(line) {
					continue // no line of a mail begins so, if it can be helped
				}
				got := orders.Parse(append(slices.Clone(above), orders.Line{N: 9, Text: line}))
				if len(got.Blocks) != 1 || len(got.Blocks[0].Statements) != 1 || len(got.Blocks[0].Issues)+len(got.Commands)+len(got.Issues) > 0 {
					t.Errorf("%s: %s reads as orders at %q", lang, key, line)
				}
			}
		}
	}
}

// TestEverySentenceReads: with any number that may stand in it.
func TestEverySentenceReads(t *testing.T) {
	w := loadWords(t)
	for _, lang := range languages() {
		for key := range patterns(t, lang) {
			for n := range 16 {
				d := Sentence{A: "Thunder", B: "Mike", Hits: n, Taken: n / 3, N: n, Punch: bout.AllPunches()[n%6].Code(), Round: n, Rounds: 15, Class: Classes()[n%5], Points: [2]int{n, n / 2}}
				text := render(t, w, lang, game.View{Template: key, Data: func() any { return d }})
				end := strings.HasSuffix(text, ".\n") || strings.HasSuffix(text, "!\n")
				if headline := strings.HasPrefix(key, "tell.head."); headline == end && !strings.HasSuffix(text, "K.o.\n") && !strings.HasSuffix(text, "k.o.\n") {
					t.Errorf("%s: %s ends badly: %q", lang, key, text)
				}
				if strings.Contains(text, "  ") || strings.Contains(text, "..") || len(text) > 190 {
					t.Errorf("%s: %s reads %q", lang, key, text)
				}
			}
		}
	}
}

// TestNamesForShort: by the last name where that is one.
func TestNamesForShort(t *testing.T) {
	for _, tt := range []struct{ a, b, shortA, shortB string }{
		{"Kid Thunder", "Iron Mike", "Thunder", "Mike"},
		{"Muhammad Ali", "Duane Bobick", "Ali", "Bobick"},
		{"Joe Miller", "Jim Miller", "Joe Miller", "Jim Miller"},
		{"Joe 2", "Neuling 17", "Joe 2", "Neuling 17"},
		{"Der Alte", "Ray Robinson Jr.", "Der Alte", "Ray Robinson Jr."},
		{"Karl von Bern", "The Rock", "Karl von Bern", "The Rock"},
		{"Zoë", "O'Hara", "Zoë", "O'Hara"},
		{"Борис Петров", "王 小龍", "Петров", "王 小龍"},
		{"Jack the ripper", "Al Bo", "Jack the ripper", "Al Bo"},
	} {
		if got := called(tt.a, tt.b); got != [2]string{tt.shortA, tt.shortB} {
			t.Errorf("%s and %s are called %q", tt.a, tt.b, got)
		}
	}
}

// TestWhatIsToldHangsOnPublicEventsOnly: take the logs, the plans and all other
// hidden events away, and change every plan: not a letter of the public's report is
// another. Nor is it where another plan gave the same bout.
func TestWhatIsToldHangsOnPublicEventsOnly(t *testing.T) {
	w := loadWords(t)
	public := func(st step) string {
		text := ""
		for _, lang := range languages() {
			for _, v := range reportViews(st, game.Audience{}) {
				text += render(t, w, lang, v)
			}
		}
		return text
	}
	c := newCampaign(t, 6, 21, everything())
	for range 8 {
		in := c.inputs(t, true)
		st := c.close(t, in)
		want := public(st)

		blind := st
		blind.Events = slices.DeleteFunc(slices.Clone(st.Events), func(e event) bool { return e.For != nil })
		blind.Before, blind.After = planless(st.Before), planless(st.After)
		if len(blind.Events) == len(st.Events) || public(blind) != want {
			t.Fatalf("turn %d: what is hidden changes the report", st.Round)
		}

		// Lines that never apply make another plan, and the same bout.
		for i, o := range in.Orders {
			if o.Orders.Plan != nil {
				p := *o.Orders.Plan
				p.Lines = append(slices.Clone(p.Lines), readPlan(t, "NAME X\nRUNDE 15 V WENN KOND<=-20 UND TREFFER>=17 : DECKEN\nENDE\n").Lines...)
				in.Orders[i].Orders.Plan = &p
			}
		}
		after, events, err := New().Advance(st.Before, in, c.dice(st.Round))
		if err != nil {
			t.Fatal(err)
		}
		if encode(t, events) == encode(t, st.Events) || public(step{Round: st.Round, Before: st.Before, After: after, Events: events}) != want {
			t.Fatalf("turn %d: a plan shows in the report", st.Round)
		}
	}
}

// stored is an event as it comes back from the store.
func stored(t *testing.T, e event) event {
	t.Helper()
	out := event{Code: e.Code, For: e.For}
	if err := json.Unmarshal([]byte(encode(t, e.Data)), &out.Data); err != nil {
		t.Fatal(err)
	}
	return out
}

func planless(s State) State {
	s = s.clone()
	for i := range s.Fighters {
		s.Fighters[i].Plan = nil
	}
	return s
}

// TestTheWordsMoveNoOtherDie: the telling has a stream of its own, and is the same
// when a report is asked for again.
func TestTheWordsMoveNoOtherDie(t *testing.T) {
	w := loadWords(t)
	c := newCampaign(t, 6, 4, everything())
	c.play(t, 3, false)
	st := c.close(t, c.inputs(t, false))
	words := map[int]bool{}
	for _, e := range st.Events {
		if e.Code != EventBout {
			continue
		}
		b := e.Data.Bout
		want := c.dice(st.Round).Stream(fmt.Sprintf("ringside/%d/words", st.Round), b.Booking.ID).Uniform(wordsDie)
		if b.Words != want || words[b.Words] {
			t.Errorf("%s: the words' die is %d, want %d, and none twice", b.Booking.ID, b.Words, want)
		}
		words[b.Words] = true
	}
	if len(words) < 5 {
		t.Fatalf("%d bouts only", len(words))
	}
	for _, lang := range languages() {
		one, two := render(t, w, lang, game.View{Template: "report", Data: func() any { return body(st) }}), ""
		again := step{Round: st.Round, Before: st.Before, After: st.After}
		for _, e := range st.Events {
			again.Events = append(again.Events, stored(t, e))
		}
		two = render(t, w, lang, game.View{Template: "report", Data: func() any { return body(again) }})
		if one != two {
			t.Errorf("%s: asked again, the report is another", lang)
		}
	}
}

// TestOddNames: any name a fighter may have fits into what is told.
func TestOddNames(t *testing.T) {
	w := loadWords(t)
	names := [][2]string{
		{strings.Repeat("W", game.MaxName), strings.Repeat("M", game.MaxName)},
		{"O'Brien-St. Clair d'Arc", "Jean-Luc Łukasz Zoë III."},
		{"Борис Безбородов", "Ёлка"}, {"Ạṇ", "Ñandú Öztürk"}, {"Runde", "Gong K.o."}, {"X", "Y"},
	}
	for n, pair := range names {
		x := aBout(t, 40+n)
		for i := range pair {
			if code := game.CheckName(pair[i]); code != "" {
				t.Fatalf("%q: %s", pair[i], code)
			}
			x.Corners[i].Name = pair[i]
		}
		v := boutView(x.Bout)
		v.Tale = newTeller().tell(&x.Bout)
		st := Spar{Names: pair, Rounds: x.Booking.Rounds, Bout: v, Course: course(x.log, pair, [2]int{x.Corners[0].Start, x.Corners[1].Start}, 8, x.Cards)}
		for _, lang := range languages() {
			render(t, w, lang, game.View{Template: "spar", Data: func() any { return st }})
			text := render(t, w, lang, game.View{Template: "report", Data: func() any {
				return Report{Round: 3, Weeks: []WeekView{{Week: 1, Cards: []CardView{{Arena: Pits, Bouts: []BoutView{v}}}}}, Next: NextCards{Round: 4}}
			}})
			if flat := strings.Join(strings.Fields(text), " "); !strings.Contains(flat, pair[0]) || !strings.Contains(flat, pair[1]) {
				t.Errorf("%s: a name is missing in\n%s", lang, text)
			}
		}
	}
}
