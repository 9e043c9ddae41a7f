package ringside

import (
	"strconv"

	"ringpost/internal/rules/ringside/bout"
)

// saying is a kind of sentence: what must hold for it to be said, and in how many
// ways each language can say it. The words stand in the templates "tell.<key>.1" to
// "tell.<key>.<size>"; they may assert what holds, and nothing beyond it.
type saying struct {
	key   string
	size  int
	holds func(s *scene, a bout.Side) bool
	// number gives what a sentence counts; nil where it counts nothing.
	number func(s *scene, a bout.Side) int
}

// stock is everything that can be said of a bout. Of heads, shapes, falls and stands
// the first that holds is said; of asides the one that was said longest ago.
type stock struct {
	heads  []saying // the headline, after the last round told
	shapes []saying // what a round was like
	falls  []saying // a knockdown, that the count has not ended
	asides []saying // what else was to be seen
	stands []saying // how the bout stands, or ended
}

// all lists every saying once.
func (s stock) all() []saying {
	var out []saying
	for _, part := range [][]saying{s.heads, s.shapes, s.falls, s.asides, s.stands} {
		out = append(out, part...)
	}
	return out
}

// How much is much. Thresholds are of one round.
const (
	clearly = 6  // of damage: a round is clearly won
	byFar   = 15 // of damage: it is one-sided
	heated  = 12 // punches of both that landed: an even round is a hot one
	busy    = 6  // punches that landed of each: both are busy
	tiring  = 9  // punches landed: four of them cost strength (Punching Fatigue)
	upset   = Pop(10)
)

func newStock() stock {
	return stock{heads: heads(), shapes: shapes(), falls: falls(), asides: asides(), stands: stands()}
}

func heads() []saying {
	out := []saying{
		{key: "head.part.ahead", size: 3, holds: func(s *scene, a bout.Side) bool { return !s.over() && lead(s.after, a) > 0 }},
		{key: "head.part.level", size: 3, holds: func(s *scene, a bout.Side) bool { return !s.over() }},
		{key: "head.title.open", size: 3, holds: func(s *scene, a bout.Side) bool { return s.b.Booking.Vacant && s.ends(bout.Draw) }},
		{key: "head.title.kept.draw", size: 3, holds: func(s *scene, a bout.Side) bool { return s.b.Booking.Title && s.ends(bout.Draw) && a == bout.First }},
	}
	for _, m := range []bout.Method{bout.KO, bout.TKO, bout.Decision} {
		title := func(stake func(b Booking, a bout.Side) bool) func(*scene, bout.Side) bool {
			return func(s *scene, a bout.Side) bool {
				return s.ends(m) && s.wins(a) && s.b.Booking.Title && stake(s.b.Booking, a)
			}
		}
		out = append(out,
			saying{key: "head.title.filled." + string(m), size: 3, holds: title(func(b Booking, _ bout.Side) bool { return b.Vacant })},
			saying{key: "head.title.won." + string(m), size: 4, holds: title(func(b Booking, a bout.Side) bool { return !b.Vacant && a == bout.Second })},
			saying{key: "head.title.kept." + string(m), size: 4, holds: title(func(b Booking, a bout.Side) bool { return !b.Vacant && a == bout.First })},
		)
	}
	won := func(m bout.Method, also func(*scene, bout.Side) bool) func(*scene, bout.Side) bool {
		return func(s *scene, a bout.Side) bool { return s.ends(m) && s.wins(a) && also(s, a) }
	}
	return append(out,
		saying{key: "head.draw", size: 6, holds: func(s *scene, _ bout.Side) bool { return s.ends(bout.Draw) }},
		saying{key: "head.upset", size: 6, holds: func(s *scene, a bout.Side) bool {
			return s.wins(a) && s.b.Booking.Pop[a.Other()] >= s.b.Booking.Pop[a]+upset
		}},

		saying{key: "head.ko.behind", size: 5, holds: won(bout.KO, behind)},
		saying{key: "head.ko.down", size: 4, holds: won(bout.KO, wasDown)},
		saying{key: "head.ko.first", size: 5, holds: won(bout.KO, opening)},
		saying{key: "head.ko.last", size: 4, holds: won(bout.KO, closing)},
		saying{key: "head.ko", size: 10, holds: won(bout.KO, always)},

		saying{key: "head.tko.behind", size: 4, holds: won(bout.TKO, behind)},
		saying{key: "head.tko.down", size: 3, holds: won(bout.TKO, wasDown)},
		saying{key: "head.tko", size: 9, holds: won(bout.TKO, always)},

		saying{key: "head.points.all", size: 5, holds: won(bout.Decision, everyRound)},
		saying{key: "head.points.late", size: 4, holds: won(bout.Decision, lateLead)},
		saying{key: "head.points.down", size: 4, holds: won(bout.Decision, wasDown)},
		saying{key: "head.points.close", size: 5, holds: won(bout.Decision, narrow)},
		saying{key: "head.points", size: 7, holds: won(bout.Decision, always)},
	)
}

func always(*scene, bout.Side) bool { return true }

// behind: the winner had fewer points before the last round.
func behind(s *scene, a bout.Side) bool { return lead(s.before, a) < 0 }

// wasDown: a fighter had been down in the bout.
func wasDown(s *scene, a bout.Side) bool { return s.down(a) > 0 }

func opening(s *scene, _ bout.Side) bool { return s.n == 1 }
func closing(s *scene, _ bout.Side) bool { return s.last() && s.n > 1 }

// everyRound: all rounds were won, of three or more.
func everyRound(s *scene, a bout.Side) bool { return s.n >= 3 && s.run[a] == s.n }

// lateLead: it took the last round to be ahead.
func lateLead(s *scene, a bout.Side) bool { return s.n > 1 && lead(s.before, a) <= 0 }

// narrow: by one round, or two points of a must system.
func narrow(s *scene, a bout.Side) bool {
	return lead(s.after, a) == 1 || must(s.b.Cards) && lead(s.after, a) == 2
}

// blank: only one side landed.
func blank(s *scene, a bout.Side) bool {
	return s.won(a) && s.ahead(a) > 0 && s.card.Hits[a.Other()] == 0 && (s.card.Hits[a] >= 3 || len(s.seen.Falls) > 0)
}

func shapes() []saying {
	return []saying{
		// A round in which the bout ended.
		{key: "cut.quick", size: 4, holds: func(s *scene, a bout.Side) bool { return s.cut() && s.wins(a) && s.b.Result.Turn <= 4 }},
		{key: "cut.ahead", size: 7, holds: func(s *scene, a bout.Side) bool { return s.cut() && s.wins(a) && s.more(a) > 1 }},
		{key: "cut.behind", size: 5, holds: func(s *scene, a bout.Side) bool { return s.cut() && s.wins(a) && s.more(a) < -1 }},
		{key: "cut.level", size: 6, holds: func(s *scene, a bout.Side) bool { return s.cut() && s.wins(a) }},

		// The first round.
		{key: "open.quiet", size: 5, holds: func(s *scene, _ bout.Side) bool { return s.n == 1 && s.quiet() }},
		{key: "open.even", size: 5, holds: func(s *scene, _ bout.Side) bool { return s.n == 1 && s.even() }},
		{key: "open.rout", size: 5, holds: func(s *scene, a bout.Side) bool { return s.n == 1 && s.oneSided(a) }},
		{key: "blank", size: 5, holds: blank},
		{key: "open.won", size: 9, holds: func(s *scene, a bout.Side) bool { return s.n == 1 && s.better(a) }},

		// Any round.
		{key: "quiet.even", size: 5, holds: func(s *scene, _ bout.Side) bool { return s.quiet() && s.even() }},
		{key: "quiet.won", size: 7, holds: func(s *scene, a bout.Side) bool { return s.quiet() && s.won(a) && s.ahead(a) > 0 }},
		{key: "even.hot", size: 5, holds: func(s *scene, _ bout.Side) bool { return s.even() && s.hits() >= heated }},
		{key: "even", size: 7, holds: func(s *scene, _ bout.Side) bool { return s.even() }},
		{key: "bydown", size: 5, holds: func(s *scene, a bout.Side) bool { return s.won(a) && s.ahead(a) <= 0 }},
		{key: "harder", size: 7, holds: func(s *scene, a bout.Side) bool { return s.won(a) && s.more(a) < 0 }},
		{key: "rout", size: 9, holds: func(s *scene, a bout.Side) bool { return s.oneSided(a) }},
		{key: "slug", size: 7, holds: func(s *scene, a bout.Side) bool { return s.better(a) && s.card.Hits[a.Other()] >= busy }},
		{key: "clear", size: 10, holds: func(s *scene, a bout.Side) bool { return s.better(a) && s.ahead(a) >= clearly }},
		{key: "edge", size: 9, holds: func(s *scene, a bout.Side) bool { return s.better(a) }},
	}
}

// falls tell a knockdown, by who struck.
func falls() []saying {
	kind := func(key string, size int, holds func(s *scene, f Fall, before []Fall) bool) saying {
		return saying{key: key, size: size, holds: func(s *scene, a bout.Side) bool {
			f := s.seen.Falls[s.nth]
			return f.By == a && f.Count < 10 && holds(s, f, s.seen.Falls[:s.nth])
		}}
	}
	by := func(side bout.Side, falls []Fall) bool {
		for _, f := range falls {
			if f.By == side {
				return true
			}
		}
		return false
	}
	return []saying{
		kind("down.again", 6, func(_ *scene, f Fall, before []Fall) bool { return by(f.By, before) }),
		kind("down.back", 4, func(_ *scene, f Fall, before []Fall) bool { return by(f.By.Other(), before) }),
		kind("down.nine", 6, func(_ *scene, f Fall, _ []Fall) bool { return f.Count == 9 }),
		kind("down.eight", 6, func(_ *scene, f Fall, _ []Fall) bool { return f.Count == 8 }),
		kind("down.revenge", 4, func(s *scene, f Fall, _ []Fall) bool { return s.fell[f.By] > 0 }),
		kind("down.late", 5, func(s *scene, f Fall, _ []Fall) bool { return f.Turn >= bout.Turns-1 && !s.cut() }),
		kind("down.quick", 6, func(_ *scene, f Fall, _ []Fall) bool { return f.Count <= 3 }),
		kind("down", 8, func(*scene, Fall, []Fall) bool { return true }),
	}
}

func asides() []saying {
	count := func(of func(Round) [2]int) func(*scene, bout.Side) int {
		return func(s *scene, a bout.Side) int { return of(s.seen)[a] }
	}
	kind := func(key string, size, least int, of func(Round) [2]int) saying {
		n := count(of)
		return saying{key: key, size: size, number: n, holds: func(s *scene, a bout.Side) bool { return n(s, a) >= least }}
	}
	pinned := func(r Round) [2]int { return [2]int{r.Pinned[1], r.Pinned[0]} } // A pins B
	counters := func(s *scene, a bout.Side) int { return s.card.Counters[a] }
	return []saying{
		kind("ropes.often", 4, 3, pinned),
		kind("ropes", 7, 1, pinned),
		{key: "empty.both", size: 3, holds: func(s *scene, _ bout.Side) bool {
			return !s.over() && max(s.left[0], s.left[1]) <= 0 && max(s.came[0], s.came[1]) > 0
		}},
		{key: "empty", size: 6, holds: func(s *scene, a bout.Side) bool { // of B
			b := a.Other()
			return !s.over() && s.left[b] <= 0 && s.came[b] > 0 && s.left[a] > 0
		}},
		{key: "clinch.both", size: 3, holds: func(s *scene, _ bout.Side) bool { return s.seen.Clinch[0] >= 2 && s.seen.Clinch[1] >= 2 }},
		kind("clinch", 6, 2, func(r Round) [2]int { return r.Clinch }),
		kind("cover", 5, 3, func(r Round) [2]int { return r.Cover }),
		kind("backpedal", 5, 3, func(r Round) [2]int { return r.Backpedal }),
		kind("rush", 5, 3, func(r Round) [2]int { return r.Rush }),
		{key: "counter.both", size: 3, holds: func(s *scene, _ bout.Side) bool { return s.card.Counters[0] >= 2 && s.card.Counters[1] >= 2 }},
		{key: "counter", size: 7, number: counters, holds: func(s *scene, a bout.Side) bool {
			return counters(s, a) >= 2 && counters(s, a) > counters(s, a.Other())
		}},
		{key: "worn", size: 5, holds: func(s *scene, a bout.Side) bool { return s.card.Hits[a] >= tiring }},
	}
}

func stands() []saying {
	won := func(m bout.Method, also func(*scene, bout.Side) bool) func(*scene, bout.Side) bool {
		return func(s *scene, a bout.Side) bool { return s.ends(m) && s.wins(a) && also(s, a) }
	}
	row := func(s *scene, a bout.Side) int { return s.run[a] }
	rest := func(s *scene) int { return s.b.Booking.Rounds - s.n }
	goesOn := func(also func(*scene, bout.Side) bool) func(*scene, bout.Side) bool {
		return func(s *scene, a bout.Side) bool { return !s.over() && s.n > 1 && also(s, a) }
	}
	return []saying{
		{key: "ko.behind", size: 4, holds: won(bout.KO, behind)},
		{key: "ko.first", size: 5, holds: won(bout.KO, opening)},
		{key: "ko.last", size: 4, holds: won(bout.KO, closing)},
		{key: "ko.again", size: 5, holds: won(bout.KO, func(s *scene, a bout.Side) bool { return wasDown(s, a.Other()) })},
		{key: "ko.spent", size: 5, holds: won(bout.KO, func(s *scene, a bout.Side) bool { return s.left[a.Other()] <= 0 })},
		{key: "ko", size: 7, holds: won(bout.KO, always)},
		{key: "tko.behind", size: 4, holds: won(bout.TKO, behind)},
		{key: "tko", size: 9, holds: won(bout.TKO, always)},
		{key: "points.all", size: 4, holds: won(bout.Decision, everyRound)},
		{key: "points.late", size: 4, holds: won(bout.Decision, lateLead)},
		{key: "points.down", size: 3, holds: won(bout.Decision, wasDown)},
		{key: "points.close", size: 5, holds: won(bout.Decision, narrow)},
		{key: "points", size: 6, holds: won(bout.Decision, always)},
		{key: "draw", size: 5, holds: func(s *scene, _ bout.Side) bool { return s.ends(bout.Draw) }},

		{key: "safe", size: 4, number: func(s *scene, _ bout.Side) int { return rest(s) }, holds: goesOn(func(s *scene, a bout.Side) bool {
			return !must(s.b.Cards) && rest(s) > 0 && lead(s.after, a) > rest(s) && lead(s.before, a) <= rest(s)+1
		})},
		{key: "level", size: 5, holds: goesOn(func(s *scene, a bout.Side) bool { return lead(s.after, a) == 0 && lead(s.before, a.Other()) > 0 })},
		{key: "rally", size: 5, number: func(s *scene, a bout.Side) int { return s.ran[a.Other()] }, holds: goesOn(func(s *scene, a bout.Side) bool { return s.won(a) && s.ran[a.Other()] >= 2 })},
		{key: "lead", size: 5, holds: goesOn(func(s *scene, a bout.Side) bool { return s.n > 2 && lead(s.after, a) > 0 && lead(s.before, a) <= 0 })},
		{key: "streak", size: 5, number: row, holds: goesOn(func(s *scene, a bout.Side) bool { return s.run[a] >= 3 && s.run[a]%2 == 1 })},
	}
}

// use is when something was last said.
type use struct{ bout, at int }

// teller words bouts one after the other, and remembers what it has said.
type teller struct {
	stock stock
	used  map[string][]use // by key, of each variant
	told  map[string]int   // by key, the last time
	bout  int              // bouts so far, the present one among them
	seq   int              // sentences so far
	die   uint64           // what the present bout's choices hang on
}

func newTeller() *teller {
	return &teller{stock: newStock(), used: map[string][]use{}, told: map[string]int{}}
}

// wordsDie has enough sides for the words of no two bouts to be alike by its chance.
const wordsDie = 1_000_000_000

// begin turns to the next bout; its die was thrown when it was fought.
func (t *teller) begin(die int) {
	t.bout++
	t.die = uint64(die)
}

// choose picks one of the ways to say something: one that neither this bout nor the
// one before it has used; when there is none, one that this bout has not used; and
// when it has used them all, the one that it used first.
func (t *teller) choose(key string, size int) string {
	used := t.used[key]
	if used == nil {
		used = make([]use, size)
		t.used[key] = used
	}
	n, oldest := 0, 0
	for _, before := range []int{t.bout - 1, t.bout} {
		for i, u := range used {
			n += flag(u.at == 0 || u.bout < before)
			if u.at < used[oldest].at {
				oldest = i
			}
		}
		if n > 0 {
			oldest = t.among(used, before, t.draw(n))
			break
		}
	}
	t.seq++
	used[oldest], t.told[key] = use{t.bout, t.seq}, t.seq
	return key + "." + strconv.Itoa(oldest+1)
}

// among finds the n-th variant, from 0, that was not used since a bout.
func (t *teller) among(used []use, before, n int) int {
	for i, u := range used {
		if u.at != 0 && u.bout >= before {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return 0
}

// draw takes a number below n from what follows from the bout's die (Knuth's
// linear congruential generator): all of a bout's choices hang on that one throw.
func (t *teller) draw(n int) int {
	t.die = t.die*6364136223846793005 + 1442695040888963407
	return int((t.die >> 33) % uint64(n))
}
