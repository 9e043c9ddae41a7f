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

// queue puts fighters in the order in which an opponent is looked for: who has waited
// longest; between equals the lots stand.
func (t *turn) queue(class []*Fighter) {
	slices.SortStableFunc(class, func(a, b *Fighter) int { return cmp.Compare(t.lastWeek(a), t.lastWeek(b)) })
}

func (t *turn) lastWeek(f *Fighter) int {
	last := 0
	for _, w := range t.booked.weeks[f.ID] {
		last = max(last, w)
	}
	return last
}

// pair finds each an opponent, in turn: of the nearest effective POP, and of several
// such who comes first in the queue.
func (t *turn) pair(queue []*Fighter) {
	for i, f := range queue {
		if t.booked.booked[f.ID] {
			continue
		}
		pop := t.state.pop(f)
		var found *Fighter
		for _, o := range queue[i+1:] {
			if t.matched(f, o) && (found == nil || distance(pop, t.state.pop(o)) < distance(pop, t.state.pop(found))) {
				found = o
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
