package sugarray

import (
	"strconv"

	"ringpost/internal/game"
)

// draw makes the next round's card: the title bout, then each league shuffled
// and its neighbours paired; the last of an odd league meets the dummy (SR-28,
// SR-29).
func (t *turn) draw() {
	t.state.Card = Card{}
	t.drawTitle()
	for league := TopLeague; league <= BottomLeague; league++ {
		t.drawLeague(league)
	}
}

// drawTitle finds the challenger: the longest serving of league 1. While the
// title is vacant, the two longest serving box for it (SR-23 to SR-26).
func (t *turn) drawTitle() {
	var candidates []Boxer
	for _, b := range t.state.Boxers {
		if b.League == TopLeague {
			candidates = append(candidates, b)
		}
	}
	champion := t.state.Title.Champion
	switch {
	case champion != "" && len(candidates) == 0:
		t.state.Card.Idle = true
		b, _ := t.state.boxer(champion)
		t.emitOf(&b, EventIdle, Event{})
	case champion != "":
		lot := t.stream("challenger", "")
		challenger, _ := longestServing(candidates, lot)
		t.titleCard(Pairing{A: champion, B: challenger}, []game.SeatID{challenger}, lot)
	case len(candidates) >= 2:
		lot := t.stream("challenger", "")
		one, rest := longestServing(candidates, lot)
		two, _ := longestServing(rest, lot)
		t.titleCard(Pairing{A: one, B: two}, []game.SeatID{one, two}, lot)
	}
}

func (t *turn) titleCard(p Pairing, chosen []game.SeatID, lot *thrown) {
	t.state.Card.Bouts = append(t.state.Card.Bouts, p)
	t.emit(EventChallenger, Event{Lot: &Lot{League: TopLeague, Order: chosen, Dice: lot.throws}, Bouts: []Pairing{p}})
}

// longestServing picks who has been in his league longest, by lot among equals,
// and returns the others in their order.
func longestServing(from []Boxer, lot game.Stream) (game.SeatID, []Boxer) {
	first := from[0].LeagueSince
	for _, b := range from {
		first = min(first, b.LeagueSince)
	}
	var equals []int
	for i, b := range from {
		if b.LeagueSince == first {
			equals = append(equals, i)
		}
	}
	chosen := equals[0]
	if len(equals) > 1 {
		chosen = equals[lot.Uniform(len(equals))-1]
	}
	var rest []Boxer
	rest = append(append(rest, from[:chosen]...), from[chosen+1:]...)
	return from[chosen].Seat, rest
}

// drawLeague pairs a league; who boxes for the title has his fight already
// (SR-24).
func (t *turn) drawLeague(league int) {
	title := t.state.Card.title()
	var order []game.SeatID
	for _, b := range t.state.Boxers {
		if b.League == league && b.Seat != title.A && b.Seat != title.B {
			order = append(order, b.Seat)
		}
	}
	if len(order) == 0 {
		return
	}
	lot := t.stream("draw", strconv.Itoa(league))
	game.Shuffle(lot, order)
	var bouts []Pairing
	for i := 0; i < len(order); i += 2 {
		p := Pairing{League: league, A: order[i]}
		if i+1 < len(order) {
			p.B = order[i+1]
		}
		bouts = append(bouts, p)
	}
	t.state.Card.Bouts = append(t.state.Card.Bouts, bouts...)
	t.emit(EventDraw, Event{Lot: &Lot{League: league, Order: order, Dice: lot.throws}, Bouts: bouts})
}
