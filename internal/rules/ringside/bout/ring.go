package bout

// Square is a square of the ring; X and Y count from 0 at the ropes.
type Square struct{ X, Y int8 }

// vector leads from a square to an adjacent one: its parts are -1, 0 or 1 (RS-5).
type vector struct{ dx, dy int8 }

func (s Square) to(o Square) vector     { return vector{o.X - s.X, o.Y - s.Y} }
func (s Square) step(v vector) Square   { return Square{s.X + v.dx, s.Y + v.dy} }
func (v vector) along(o vector) int8    { return v.dx*o.dx + v.dy*o.dy }
func (s Square) distance(o Square) int8 { return max(abs(s.X-o.X), abs(s.Y-o.Y)) }
func (s Square) Adjacent(o Square) bool { return s.distance(o) == 1 } // RS-3

func abs(n int8) int8 { return max(n, -n) }

// ring is the square grid, by the number of its squares along a side (RS-1).
type ring int8

func (r ring) holds(s Square) bool {
	return uint8(s.X) < uint8(r) && uint8(s.Y) < uint8(r)
}

// ropes reports whether a square lies along the ropes (RS-2).
func (r ring) ropes(s Square) bool {
	return s.X == 0 || s.Y == 0 || s.X == int8(r)-1 || s.Y == int8(r)-1
}

// starts are the squares on which a round begins: diagonal, in the middle (RS-4).
func (r ring) starts() [2]Square {
	m := int8(r) / 2
	return [2]Square{{m - 1, m - 1}, {m, m}}
}

// fromCentre is the square of the distance to the ring's middle, in half squares.
func (r ring) fromCentre(s Square) int {
	dx, dy := 2*int(s.X)-int(r)+1, 2*int(s.Y)-int(r)+1
	return dx*dx + dy*dy
}

// toRopes counts the steps that lead from a square in a direction before the
// ropes stop them.
func (r ring) toRopes(s Square, v vector) int {
	return int(min(r.room(s.X, v.dx), r.room(s.Y, v.dy)))
}

func (r ring) room(at, step int8) int8 {
	switch {
	case step > 0:
		return int8(r) - 1 - at
	case step < 0:
		return at
	}
	return int8(r) // never stopped
}

// choice collects the best of the squares a fighter may go to.
type choice struct {
	best [9]Square
	n    int
	rank int
}

// offer keeps a square if none offered before has a lower rank.
func (c *choice) offer(s Square, rank int) {
	switch {
	case c.n == 0 || rank < c.rank:
		c.best[0], c.n, c.rank = s, 1, rank
	case rank == c.rank:
		c.best[c.n] = s
		c.n++
	}
}

// evade offers the squares to which a missed fighter may move, row by row: those
// that lie straight back, or up to 90 degrees beside it (RS-6).
func (r ring) evade(c *choice, from, foe Square, feet DefenceFeet) {
	back := foe.to(from)
	low, high := r.touching(from, from)
	for y := low.Y; y <= high.Y; y++ {
		for x := low.X; x <= high.X; x++ {
			to := Square{x, y}
			v := from.to(to)
			if v.along(back) < 0 || to == from {
				continue
			}
			switch feet {
			case CircleFeet:
				c.offer(to, -aside(v, back))
			case StraightFeet:
				c.offer(to, aside(v, back))
			default:
				c.offer(to, r.fromCentre(to))
			}
		}
	}
}

// touching gives the corners of the squares that touch both of two, or are them.
func (r ring) touching(a, b Square) (low, high Square) {
	last := int8(r) - 1
	low = Square{max(a.X-1, b.X-1, 0), max(a.Y-1, b.Y-1, 0)}
	high = Square{min(a.X+1, b.X+1, last), min(a.Y+1, b.Y+1, last)}
	return low, high
}

// aside counts the eighths of a turn, up to two, between a way and straight back.
func aside(v, back vector) int {
	switch {
	case v == back:
		return 0
	case v.along(back) > 0:
		return 1
	}
	return 2
}

// recoil is where a fighter goes who was hit: straight back, or along the ropes
// (RS-7); ok is false when there is no such square. Only a diagonal has one of
// its neighbours inside the ring where it leaves the ring itself.
func (r ring) recoil(from, foe Square) (to Square, ok bool) {
	back := foe.to(from)
	for _, v := range [3]vector{back, {back.dx, 0}, {0, back.dy}} {
		if to = from.step(v); to != from && r.holds(to) {
			return to, true
		}
	}
	return from, false
}

// follow offers the squares from which an attacker faces his opponent again, row
// by row: his own if it still does, and those one step away (RS-10).
func (r ring) follow(c *choice, from, foe Square, feet AttackFeet) {
	low, high := r.touching(from, foe)
	for y := low.Y; y <= high.Y; y++ {
		for x := low.X; x <= high.X; x++ {
			to := Square{x, y}
			switch {
			case to == foe:
			case feet == CentreFeet:
				c.offer(to, r.fromCentre(to))
			case feet == StayFeet && to == from:
				c.offer(to, 0)
			case feet == StayFeet:
				c.offer(to, 1)
			default:
				c.offer(to, r.toRopes(foe, to.to(foe)))
			}
		}
	}
}
