package ringside

import "slices"

// Class is a weight class; fights are only inside one (RSC-12).
type Class string

// The classes, from the heaviest.
const (
	Heavy      Class = "heavy"
	LightHeavy Class = "light-heavy"
	Middle     Class = "middle"
	Welter     Class = "welter"
	Light      Class = "light"
)

// Classes lists the classes there are, from the heaviest.
func Classes() []Class { return []Class{Heavy, LightHeavy, Middle, Welter, Light} }

// Lower reports whether the class boxes two rounds less for half the money (RSC-12).
func (c Class) Lower() bool { return c != Heavy }

// Arena is where a bout takes place.
type Arena string

// The arenas, from the lowest.
const (
	Pits        Arena = "pits"
	LowClass    Arena = "low"
	MiddleClass Arena = "middle"
	HighClass   Arena = "high"
	TheBest     Arena = "best"
)

// Arenas lists the arenas in the order of a week's cards (RSC-22).
func Arenas() []Arena { return []Arena{Pits, LowClass, MiddleClass, HighClass, TheBest} }

func (a Arena) place() int { return slices.Index(Arenas(), a) }

// house is what the rulebook says of an arena.
type house struct {
	sum, high, low      Pop // what opens it: the sum, or one man's high with the other's low (RSC-10)
	least, most, normal int // rounds (RSC-11)
	winner, loser       int // purses in dollars (RSC-13)
	each                int // dollars a point of the sum of POP, to each
}

// never is more POP than there can be.
const never = Pop(1 << 30)

func (a Arena) house() house {
	switch a {
	case TheBest:
		return house{70, 40, 20, 8, 12, 10, 7000, 3000, 100}
	case HighClass:
		return house{50, 32, 12, 6, 12, 9, 2000, 1000, 50}
	case MiddleClass:
		return house{36, 24, 6, 6, 10, 8, 700, 300, 20}
	case LowClass:
		return house{20, 16, 0, 5, 8, 6, 300, 100, 10}
	}
	return house{0, never, never, 3, 7, 5, 70, 30, 10}
}

// Open reports whether two fighters with these POP may box here.
func (a Arena) Open(pop [2]Pop) bool {
	h := a.house()
	high, low := max(pop[0], pop[1]), min(pop[0], pop[1])
	return high+low >= h.sum || high >= h.high && low >= h.low
}

// Highest is the best arena that is open to two fighters (RSC-10).
func Highest(pop [2]Pop) Arena {
	best := Pits
	for _, a := range Arenas() {
		if a.Open(pop) {
			best = a
		}
	}
	return best
}

// Lengths are the rounds of a bout, and the length where nothing is agreed: the
// middle rounded down (RSC-11). Lower classes box two less, three at least (RSC-12).
func Lengths(a Arena, title bool, c Class) (least, most, normal int) {
	h := a.house()
	least, most, normal = h.least, h.most, h.normal
	if title {
		least, most, normal = 10, 15, 12
	}
	if c.Lower() {
		least, most, normal = max(least-2, 3), max(most-2, 3), max(normal-2, 3)
	}
	return least, most, normal
}

// Purses are what the two of a bout earn by POP and result (RSC-13, RSC-14): won is
// 0 or 1 for the winner's place, anything else for a draw.
func Purses(a Arena, title bool, c Class, pop [2]Pop, won int) [2]Money {
	h := a.house()
	sum := pop[0] + pop[1]
	var out [2]Money
	for i := range out {
		winner, loser := Dollars(h.winner), Dollars(h.loser)
		bonus := Dollars(h.each) * Money(sum) / 2
		if title {
			winner, loser = Dollars(35000), Dollars(15000)
			bonus = Dollars(1000) * Money(pop[i]) / 2
		}
		switch won {
		case i:
			out[i] = winner + bonus
		case 1 - i:
			out[i] = loser + bonus
		default:
			out[i] = (winner+loser)/2 + bonus
		}
		if c.Lower() {
			out[i] /= 2
		}
	}
	return out
}
