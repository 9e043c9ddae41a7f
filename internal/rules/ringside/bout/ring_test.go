package bout

import (
	"math"
	"slices"
	"testing"
)

// compass lists the eight ways clockwise; two neighbours are 45 degrees apart.
func compass() []vector {
	return []vector{{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}}
}

// turned is a vector turned by eighths of a circle.
func turned(v vector, eighths int) vector {
	c := compass()
	return c[(slices.Index(c, v)+eighths+8)%8]
}

// positions calls f with all places of two adjacent fighters, in rings of all sizes
// and of one that is larger.
func positions(f func(r ring, d, a Square)) {
	for _, r := range []ring{6, 8, 10, 12} {
		for x := range int8(r) {
			for y := range int8(r) {
				for _, v := range compass() {
					d := Square{x, y}
					if a := d.step(v); r.holds(a) {
						f(r, d, a)
					}
				}
			}
		}
	}
}

func byRows(a, b Square) int {
	if a.Y != b.Y {
		return int(a.Y) - int(b.Y)
	}
	return int(a.X) - int(b.X)
}

// least picks the squares of lowest rank, in the order in which dice number them.
func least(all []Square, rank func(Square) float64) []Square {
	low := math.Inf(1)
	var out []Square
	for _, s := range slices.SortedFunc(slices.Values(all), byRows) {
		switch n := rank(s); {
		case n < low:
			low, out = n, []Square{s}
		case n == low:
			out = append(out, s)
		}
	}
	return out
}

func TestRS01_Ring(t *testing.T) {
	for size, good := range map[int]bool{5: false, 6: true, 7: false, 8: true, 9: false, 10: true, 12: false} {
		terms := StandardTerms(10)
		terms.Ring = size
		f := Corner{Fighter: Fighter{Agility: 50, Punches: [Punches]int{1, 1, 1, 1, 1, 1}}}
		if _, err := Begin(terms, [2]Corner{f, f}); (err == nil) != good {
			t.Errorf("a ring of %d squares: %v", size, err)
		}
	}
	check(t, "the standard ring", StandardTerms(10).Ring, 8)
}

func TestRS02_Ropes(t *testing.T) {
	for _, r := range []ring{6, 8, 10} {
		for x := range int8(r) {
			for y := range int8(r) {
				edge := slices.Contains([]int8{0, int8(r) - 1}, x) || slices.Contains([]int8{0, int8(r) - 1}, y)
				if r.ropes(Square{x, y}) != edge {
					t.Errorf("in a ring of %d, (%d,%d) lies on the ropes: %v", r, x, y, !edge)
				}
			}
		}
	}
}

func TestRS03_Adjacent(t *testing.T) {
	from := Square{4, 4}
	n := 0
	for x := range int8(8) {
		for y := range int8(8) {
			if from.Adjacent(Square{x, y}) {
				n++
				if !slices.Contains(compass(), from.to(Square{x, y})) {
					t.Errorf("(%d,%d) is adjacent to (4,4)", x, y)
				}
			}
		}
	}
	check(t, "adjacent squares", n, 8)
}

func TestRS04_Start(t *testing.T) {
	check(t, "the start", ring(8).starts(), [2]Square{{3, 3}, {4, 4}})
	for _, r := range []ring{6, 8, 10} {
		s := r.starts()
		if !s[0].Adjacent(s[1]) || s[0].X == s[1].X || s[0].Y == s[1].Y || r.fromCentre(s[0]) != 2 || r.fromCentre(s[1]) != 2 {
			t.Errorf("in a ring of %d a round begins on %v", r, s)
		}
	}
	s := newStage(t)
	check(t, "where the first stands", s.side[First].at, Square{3, 3})
	check(t, "where the second stands", s.side[Second].at, Square{4, 4})
}

func TestRS05_Directions(t *testing.T) {
	d := Square{4, 4}
	for _, v := range compass() {
		a := d.step(turned(v, 4))
		check(t, "straight back", a.to(d), v)
		if to, ok := ring(8).recoil(d, a); !ok || to != d.step(v) {
			t.Errorf("from %v, hit from %v, back is %v", d, a, to)
		}
		for eighths, want := range map[int]int{0: 0, 1: 1, -1: 1, 2: 2, -2: 2} {
			check(t, "how far aside", aside(turned(v, eighths), v), want)
		}
	}
}

// behind lists the squares that RS-6 allows, by turning.
func behind(r ring, d, a Square) []Square {
	var out []Square
	for eighths := -2; eighths <= 2; eighths++ {
		if to := d.step(turned(a.to(d), eighths)); r.holds(to) {
			out = append(out, to)
		}
	}
	return out
}

func TestRS06_MoveAfterAMiss(t *testing.T) {
	positions(func(r ring, d, a Square) {
		all := behind(r, d, a)
		// One of the five is best by any taste, so all of them can be had.
		for _, feet := range []DefenceFeet{MiddleFeet, CircleFeet, StraightFeet} {
			var c choice
			r.evade(&c, d, a, feet)
			if (c.n == 0) != (len(all) == 0) {
				t.Fatalf("ring %d, %v missed from %v: %d squares, allowed are %v", r, d, a, c.n, all)
			}
			for _, to := range c.best[:c.n] {
				if !slices.Contains(all, to) || to == a {
					t.Fatalf("ring %d, %v missed from %v goes to %v", r, d, a, to)
				}
			}
		}
	})
	s := newStage(t).at(Square{3, 3}, Square{4, 4})
	s.play(First, misses)
	s.tells("T1.1 A1.50.50 M2.44.55.0 M1.33.44.0")

	// In the corner with the attacker on the diagonal he stays, and is not pinned.
	s = newStage(t).at(Square{6, 6}, Square{7, 7})
	s.play(First, misses)
	s.tells("T1.1 A1.50.50")
	check(t, "pinned", s.side[Second].pinned, false)
}

func TestRS07_MoveAfterAHit(t *testing.T) {
	positions(func(r ring, d, a Square) {
		v := a.to(d)
		want, can := d, false
		for _, eighths := range []int{0, -1, 1} {
			if to := d.step(turned(v, eighths)); r.holds(to) && !can {
				want, can = to, true
			}
		}
		if to, ok := r.recoil(d, a); ok != can || to != want {
			t.Fatalf("ring %d, %v hit from %v goes to %v, %v; want %v, %v", r, d, a, to, ok, want, can)
		}
	})
	for _, tt := range []struct {
		name string
		d, a Square
		want Square
	}{
		{"straight back", Square{4, 4}, Square{3, 3}, Square{5, 5}},
		{"along the ropes", Square{7, 4}, Square{6, 3}, Square{7, 5}},
		{"along the ropes, the other way", Square{7, 4}, Square{6, 5}, Square{7, 3}},
		{"into the corner", Square{7, 6}, Square{7, 5}, Square{7, 7}},
	} {
		s := newStage(t).at(tt.a, tt.d)
		s.play(First, hits, one, one, no)
		check(t, tt.name, s.side[Second].at, tt.want)
		check(t, tt.name+", pinned", s.side[Second].pinned, false)
	}
}

// TestVectorsOfTheRulings are the rows of rulings 6 that speak of squares.
func TestVectorsOfTheRulings(t *testing.T) {
	for _, tt := range []struct {
		d, a, to Square
		pinned   bool
	}{
		{Square{7, 4}, Square{6, 4}, Square{7, 4}, true},
		{Square{7, 4}, Square{6, 3}, Square{7, 5}, false},
		{Square{7, 7}, Square{6, 6}, Square{7, 7}, true},
	} {
		s := newStage(t).at(tt.a, tt.d)
		s.play(First, hits, one, one, no)
		check(t, "D's square", s.side[Second].at, tt.to)
		check(t, "pinned", s.side[Second].pinned, tt.pinned)
	}
}

func TestRS09_WhoCanBePinned(t *testing.T) {
	positions(func(r ring, d, a Square) {
		v := a.to(d)
		edge := func(at, step int8) bool { return step > 0 && at == int8(r)-1 || step < 0 && at == 0 }
		orthogonal := v.dx == 0 || v.dy == 0
		faces := edge(d.X, v.dx) || edge(d.Y, v.dy)
		corner := edge(d.X, v.dx) && edge(d.Y, v.dy)
		_, moves := r.recoil(d, a)
		if want := orthogonal && faces || corner; moves == want {
			t.Fatalf("ring %d, %v hit from %v can be pinned: %v", r, d, a, !moves)
		}
		if missed := len(behind(r, d, a)) == 0; missed != corner {
			t.Fatalf("ring %d, %v missed from %v cannot move: %v", r, d, a, missed)
		}
	})
}

// TestRS10_TheAttackerFollows, wherever the defender has gone.
func TestRS10_TheAttackerFollows(t *testing.T) {
	positions(func(r ring, d, a Square) {
		for _, to := range append(behind(r, d, a), d) {
			for _, feet := range []AttackFeet{RopesFeet, CentreFeet, StayFeet} {
				var c choice
				r.follow(&c, a, to, feet)
				if c.n == 0 {
					t.Fatalf("ring %d, from %v none can follow to %v", r, a, to)
				}
				for _, s := range c.best[:c.n] {
					if !r.holds(s) || !s.Adjacent(to) || s != a && !s.Adjacent(a) {
						t.Fatalf("ring %d, from %v one follows to %v by %v", r, a, to, s)
					}
				}
			}
		}
	})
	// When the defender is still adjacent, the attacker may stay, and may move.
	var c choice
	ring(8).follow(&c, Square{6, 4}, Square{7, 4}, StayFeet)
	check(t, "who may stay stays", c.best[0], Square{6, 4})
	check(t, "squares", c.n, 1)
	c = choice{}
	ring(8).follow(&c, Square{7, 2}, Square{7, 1}, CentreFeet)
	check(t, "who may move moves", c.best[0], Square{6, 2})
}

func TestRS11_Feet(t *testing.T) {
	distance := func(r ring) func(Square) float64 {
		middle := float64(r-1) / 2
		return func(s Square) float64 { return math.Hypot(float64(s.X)-middle, float64(s.Y)-middle) }
	}
	ropes := func(r ring, foe Square) func(Square) float64 {
		return func(s Square) float64 {
			n := 0
			for at := foe; r.holds(at.step(s.to(foe))); n++ {
				at = at.step(s.to(foe))
			}
			return float64(n)
		}
	}
	positions(func(r ring, d, a Square) {
		v := a.to(d)
		turn := func(s Square) float64 {
			for _, n := range []int{0, 1, 2} {
				if d.to(s) == turned(v, n) || d.to(s) == turned(v, -n) {
					return float64(n)
				}
			}
			return 9
		}
		for feet, rank := range map[DefenceFeet]func(Square) float64{
			MiddleFeet: distance(r), StraightFeet: turn, CircleFeet: func(s Square) float64 { return -turn(s) },
		} {
			var c choice
			r.evade(&c, d, a, feet)
			if want := least(behind(r, d, a), rank); !slices.Equal(c.best[:c.n], want) {
				t.Fatalf("ring %d, %v missed from %v with feet %d goes to %v, want %v", r, d, a, feet, c.best[:c.n], want)
			}
		}
		for _, to := range behind(r, d, a) {
			var all []Square
			for _, s := range append([]Square{a}, steps(a)...) {
				if r.holds(s) && s.Adjacent(to) {
					all = append(all, s)
				}
			}
			for feet, rank := range map[AttackFeet]func(Square) float64{
				RopesFeet: ropes(r, to), CentreFeet: distance(r),
				StayFeet: func(s Square) float64 {
					if s == a {
						return 0
					}
					return 1
				},
			} {
				var c choice
				r.follow(&c, a, to, feet)
				if want := least(all, rank); !slices.Equal(c.best[:c.n], want) {
					t.Fatalf("ring %d, from %v to %v with feet %d by %v, want %v", r, a, to, feet, c.best[:c.n], want)
				}
			}
		}
	})
	check(t, "the default in defence", Mix{}.Defence, MiddleFeet)
	check(t, "the default in attack", Mix{}.Attack, RopesFeet)

	// A die parts squares that are equally good: of the two beside him the second.
	s := newStage(t).at(Square{3, 4}, Square{4, 4})
	s.side[Second].mix.Defence = CircleFeet
	s.play(First, misses, 2)
	check(t, "the die's sides", s.cast.sides[1], 2)
	s.tells("T1.1 A1.50.50 M2.44.45.2")
}

func steps(from Square) []Square {
	var out []Square
	for _, v := range compass() {
		out = append(out, from.step(v))
	}
	return out
}
