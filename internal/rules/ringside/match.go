package ringside

import (
	"cmp"
	"slices"

	"ringpost/internal/game"
)

// matchmaker pairs the fighters of a class who have no bout on the next cards: those
// first who are free for offers, then all who do not rest. A champion waits for his
// challengers (RSC-9, RSC-24).
func (t *turn) matchmaker(c Class) {
	var class []*Fighter
	for i := range t.state.Fighters {
		if f := &t.state.Fighters[i]; f.Class == c {
			class = append(class, f)
		}
	}
	if len(class) < 2 {
		return
	}
	// Everybody of the class draws, so that the lots tell nothing of who is free.
	lot := t.stream("lots", string(c))
	game.Shuffle(lot, class)
	told := Lots{Class: c, Dice: lot.throws}
	for _, f := range class {
		told.Order = append(told.Order, f.ID)
	}
	t.emit(EventLots, Event{Lots: &told})

	class = slices.DeleteFunc(class, func(f *Fighter) bool {
		return !t.willing(f) || t.booked.booked[f.ID] || t.state.champion(f)
	})
	t.queue(class)
	t.pair(slices.DeleteFunc(slices.Clone(class), func(f *Fighter) bool {
		_, free := t.booked.open[f.ID]
		return !free
	}))
	t.pair(class)
}

// queue puts fighters in the order in which an opponent is looked for: who can box
// in the class's week, so that few cards have to wait for others; then who has
// waited longest; between equals the lots stand.
func (t *turn) queue(class []*Fighter) {
	slices.SortStableFunc(class, func(a, b *Fighter) int {
		return cmp.Or(
			cmp.Compare(flag(t.late(a)), flag(t.late(b))),
			cmp.Compare(t.lastWeek(a), t.lastWeek(b)),
		)
	})
}

// late reports whether a fighter is not rested by the week of his class.
func (t *turn) late(f *Fighter) bool { return !t.clear(f, t.usual(f.Class), rest) }

func (t *turn) lastWeek(f *Fighter) int {
	last := 0
	for _, w := range t.booked.weeks[f.ID] {
		last = max(last, w)
	}
	return last
}

// pair finds each an opponent, in turn: one who boxes in the same week, of the
// nearest effective POP, who comes first in the queue.
func (t *turn) pair(queue []*Fighter) {
	for i, f := range queue {
		if t.booked.booked[f.ID] {
			continue
		}
		var found *Fighter
		var foundKey [2]int
		for _, o := range queue[i+1:] {
			if !t.matched(f, o) {
				continue
			}
			key := [2]int{flag(t.late(f) != t.late(o)), distance(t.state.pop(f), t.state.pop(o))}
			if found == nil || slices.Compare(key[:], foundKey[:]) < 0 {
				found, foundKey = o, key
			}
		}
		if found != nil {
			t.automatic(f, found, Booking{Why: WhyMatched})
		}
	}
}

func distance(a, b Pop) int { return int(max(a-b, b-a)) }

// matched reports whether the matchmaker may pair two fighters.
func (t *turn) matched(a, b *Fighter) bool {
	return !t.booked.booked[b.ID] && a.home() != b.home() && !t.lately(a, b) && t.suits(a, b) && t.suits(b, a)
}

// suits reports whether an opponent has the POP a fighter's manager asks for.
func (t *turn) suits(f, opponent *Fighter) bool {
	least, asks := t.booked.open[f.ID]
	return !asks || t.state.pop(opponent) >= least
}
