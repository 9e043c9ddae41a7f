package ringside

import (
	"slices"

	"ringpost/internal/game"
)

// wanted is what the managers of two fighters want of a bout between them.
type wanted struct {
	sides [2]*Challenge // by the order of couple
	fresh [2]bool       // sent for this turn
	wish  [2]Wish
}

// agreements books the bouts that both managers want. What one alone wants stays
// open for the other's answer until the next turn is closed.
func (t *turn) agreements() {
	all := map[[2]FighterID]*wanted{}
	var order [][2]FighterID
	enter := func(c Challenge, fresh bool, w Wish) {
		k := couple(c.Own, c.Other)
		if all[k] == nil {
			all[k] = &wanted{}
			order = append(order, k)
		}
		side := slices.Index(k[:], c.Own)
		all[k].sides[side], all[k].fresh[side], all[k].wish[side] = &c, fresh, w
	}
	for _, c := range t.state.Challenges {
		w := Wish{Do: WantBout, Own: c.Own, Other: c.Other, Proposal: c.Proposal}
		if t.challengeable(c.Seat, w) == "" {
			enter(c, false, w)
		}
	}
	t.each(WantBout, func(seat game.SeatID, w Wish) {
		if why := t.challengeable(seat, w); why != "" {
			t.refuse(seat, w, why)
			return
		}
		enter(Challenge{Seat: seat, Own: w.Own, Other: w.Other, Proposal: w.Proposal}, true, w)
	})
	t.state.Challenges = nil
	for _, k := range order {
		t.settle(all[k])
	}
}

// challengeable says why a line can lead to no bout, "" if it can.
func (t *turn) challengeable(seat game.SeatID, w Wish) string {
	own, other := t.own(seat, w.Own), t.fighter(w.Other)
	switch {
	case own == nil || other == nil:
		return NoFighter
	case own.home() == other.home():
		return NoStranger
	case own.Class != other.Class:
		return NoClass
	}
	for _, f := range []*Fighter{own, other} {
		if t.busy(f.ID) {
			return NoLeave
		}
		if _, leaves := t.leaving[f.home()]; leaves || f.Leaving {
			return NoReturn
		}
	}
	return ""
}

// settle books a bout that both want, or keeps a fresh challenge.
func (t *turn) settle(w *wanted) {
	for i, c := range w.sides {
		switch {
		case w.sides[1-i] != nil:
		case w.fresh[i]:
			t.state.Challenges = append(t.state.Challenges, *c)
			told := *c
			t.emit(EventChallenge, Event{Challenge: &told}, c.Seat, t.fighter(c.Other).home())
			return
		case c != nil:
			t.refuse(c.Seat, w.wish[i], NoAnswer)
			return
		}
	}
	a, b := t.fighter(w.sides[0].Own), t.fighter(w.sides[1].Own)
	p, q := w.sides[0].Proposal, w.sides[1].Proposal
	for i := range t.next {
		if booked := &t.next[i]; booked.ID == boutID(a.ID, b.ID) { // the referee wanted it, too
			least, most, normal := Lengths(booked.Arena, booked.Title, booked.Class)
			booked.Rounds, booked.Advanced = agreedRounds(p.Rounds, q.Rounds, least, most, normal), t.advanced(p, q)
			return
		}
	}
	as, ok := t.agreed(a, b, p, q)
	why := NoWeek
	if _, goesOn := t.state.part(as); goesOn && (t.booked.booked[a.ID] || t.booked.booked[b.ID]) || t.state.goesOn(a.ID, t.next) || t.state.goesOn(b.ID, t.next) {
		ok, why = false, NoLeave // whoever boxes in parts boxes nobody else
	}
	if !ok {
		for i, c := range w.sides {
			t.refuse(c.Seat, w.wish[i], why)
		}
		return
	}
	t.add(a, b, as)
}

// agreed makes one bout of two proposals.
func (t *turn) agreed(a, b *Fighter, p, q Proposal) (as Booking, ok bool) {
	as.Why = WhyAgreed
	as.Title = t.challenge(a, b) && best(p.Arena) && best(q.Arena) && !t.pending(a.Class) && !t.overdue(t.state.title(a.Class))
	as.Arena = t.arena(a, b, as.Title)
	if !as.Title && p.Arena == q.Arena && p.Arena != "" && p.Arena.place() < as.Arena.place() { // a lower one if both want it
		as.Arena = p.Arena
	}
	least, most, normal := Lengths(as.Arena, as.Title, a.Class)
	as.Rounds = agreedRounds(p.Rounds, q.Rounds, least, most, normal)
	as.Advanced = t.advanced(p, q)
	as.Week, ok = t.agreedWeek(a, b, p.Week, q.Week)
	return as, ok
}

// advanced reports by which rules a bout is fought: the advanced ones can be left
// out if both managers want that (RS-36).
func (t *turn) advanced(p, q Proposal) bool {
	return t.state.Settings.Advanced && !(p.Plain && q.Plain)
}

func best(a Arena) bool { return a == "" || a == TheBest }

// challenge reports whether one of two fighters holds the title of their class and
// the other may challenge him (RSC-9).
func (t *turn) challenge(a, b *Fighter) bool {
	if t.state.champion(b) {
		a, b = b, a
	}
	return t.state.champion(a) && b.Rank >= 1 && b.Rank <= topContender && b.Record.Bouts() > 0
}

// agreedRounds is the smaller of the proposals that are legal (RSC-11).
func agreedRounds(p, q, least, most, normal int) int {
	out := 0
	for _, n := range [2]int{p, q} {
		if n >= least && n <= most && (out == 0 || n < out) {
			out = n
		}
	}
	if out == 0 {
		return normal
	}
	return out
}

// agreedWeek is the later of the weeks named, if neither fighter has another bout
// in it; what both managers want need keep no distance (RSC-2). Where none is
// named, the referee looks for one with four weeks' rest, else for any.
func (t *turn) agreedWeek(a, b *Fighter, p, q int) (int, bool) {
	if w := max(p, q); w > 0 {
		return w, t.clear(a, w, 1) && t.clear(b, w, 1)
	}
	if w, ok := t.appointed(a, b); ok {
		return w, true
	}
	for w := 4; w > 0; w-- {
		if t.clear(a, w, 1) && t.clear(b, w, 1) {
			return w, true
		}
	}
	return 0, false
}
