package ringside

import (
	"cmp"
	"slices"

	"ringpost/internal/game"
)

// rest is how many weeks automatic bookings keep between two bouts (RSC-2).
const rest = 4

// diary is what is known of everybody's appointments while the next cards are made.
type diary struct {
	weeks   map[FighterID][]int  // of his bouts, counted through all turns: the last, this turn's, the next
	met     map[[2]FighterID]int // the last turn in which two meet
	booked  map[FighterID]bool   // for the next cards
	resting map[FighterID]bool
	open    map[FighterID]Pop // free for an opponent of this POP at least
	rented  map[FighterID]rental
}

// rental is a place on a card that a manager wants for his fighter.
type rental struct {
	seat game.SeatID
	wish Wish
}

func couple(a, b FighterID) [2]FighterID {
	if b.number() < a.number() {
		a, b = b, a
	}
	return [2]FighterID{a, b}
}

// openDiary notes the bouts fought and booked, and what managers want for their
// fighters.
func (t *turn) openDiary() {
	d := &diary{weeks: map[FighterID][]int{}, met: map[[2]FighterID]int{}, booked: map[FighterID]bool{},
		resting: map[FighterID]bool{}, open: map[FighterID]Pop{}, rented: map[FighterID]rental{}}
	for _, f := range t.state.Fighters {
		if f.Last.Week > 0 {
			d.weeks[f.ID] = append(d.weeks[f.ID], f.Last.Week)
		}
		for _, p := range f.Past {
			k := couple(f.ID, p.Rival)
			d.met[k] = max(d.met[k], p.Round)
		}
	}
	for _, b := range t.state.Card {
		d.note(b, t.state.Round)
	}
	for _, do := range []Verb{WantRest, WantOpen, WantReserve} {
		t.each(do, func(seat game.SeatID, w Wish) {
			switch f := t.own(seat, w.Own); {
			case f == nil:
				t.refuse(seat, w, NoFighter)
			case do == WantRest:
				d.resting[f.ID] = true
			case do == WantOpen:
				d.open[f.ID] = w.Least
			case t.state.Settings.Rent > 0:
				d.rented[f.ID] = rental{seat, w}
			}
		})
	}
	t.booked = d
}

func (d *diary) note(b Booking, round int) {
	d.met[couple(b.Fighters[0], b.Fighters[1])] = round
	for _, id := range b.Fighters {
		d.weeks[id] = append(d.weeks[id], week(round, b.Week))
	}
}

// rested reports whether a week of the next cards is four weeks from every bout of
// both fighters.
func (t *turn) rested(a, b *Fighter, w int) bool { return t.clear(a, w, rest) && t.clear(b, w, rest) }

// clear reports whether a fighter has no bout within so many weeks of one.
func (t *turn) clear(f *Fighter, w, weeks int) bool {
	at := week(t.state.Round+1, w)
	return !slices.ContainsFunc(t.booked.weeks[f.ID], func(x int) bool { return max(at-x, x-at) < weeks })
}

// usual is the week in which a class boxes when nothing speaks for another: the
// first class in the last week, so that each card has its classes.
func (t *turn) usual(c Class) int { return 4 - slices.Index(t.state.Settings.Classes, c)%4 }

// appointed is the week of a bout that nobody has named one for: the class's, or
// the first for which both are rested. By the fourth everybody is who has no other
// bout on the next cards.
func (t *turn) appointed(a, b *Fighter) (w int, ok bool) {
	for _, w := range []int{t.usual(a.Class), 1, 2, 3, 4} {
		if t.rested(a, b, w) {
			return w, true
		}
	}
	return 0, false
}

// willing reports whether the referee may book a fighter: he neither rests nor
// leaves, nor may he be in the middle of another bout.
func (t *turn) willing(f *Fighter) bool {
	_, leaves := t.leaving[f.home()]
	return !f.Leaving && !leaves && !t.booked.resting[f.ID] && !t.busy(f.ID)
}

// lately reports whether two fighters meet too often for the matchmaker (RSC-24).
func (t *turn) lately(a, b *Fighter) bool {
	last, ok := t.booked.met[couple(a.ID, b.ID)]
	return ok && t.state.Round+1-last <= t.state.Settings.Rematch
}

// bookings makes the next cards: titles and mandatory defences, what managers agreed
// on, then the matchmaker's bouts, those first who are free for offers (RSC-22).
func (t *turn) bookings() {
	t.openDiary()
	for i := range t.state.Titles {
		t.bookTitle(&t.state.Titles[i])
	}
	t.agreements()
	for _, c := range t.state.Settings.Classes {
		t.matchmaker(c)
	}
	for _, m := range t.state.Managers {
		for _, w := range t.wishes[m.Seat] {
			if r, ok := t.booked.rented[w.Own]; ok && w.Do == WantReserve && r.wish == w {
				t.refuse(m.Seat, w, NoPlace)
				delete(t.booked.rented, w.Own)
			}
		}
	}
	sortCard(t.next)
	for _, b := range t.next {
		t.emit(EventBooked, Event{Booking: &b})
	}
	t.tellIdle()
}

// sortCard puts bouts in the order in which they are fought: week by week, in a week
// from the Pits up (RSC-22).
func sortCard(card []Booking) {
	slices.SortFunc(card, func(a, b Booking) int {
		return cmp.Or(
			cmp.Compare(a.Week, b.Week),
			cmp.Compare(a.Arena.place(), b.Arena.place()),
			cmp.Compare(flag(a.Title), flag(b.Title)),
			cmp.Compare(a.Pop[0]+a.Pop[1], b.Pop[0]+b.Pop[1]),
			cmp.Compare(a.Fighters[0].number(), b.Fighters[0].number()),
			cmp.Compare(a.Fighters[1].number(), b.Fighters[1].number()),
		)
	})
}

// pending reports whether the title of a class is at stake on the open card or the
// next: until that is decided nobody knows who is champion.
func (t *turn) pending(c Class) bool {
	stake := func(b Booking) bool { return b.Title && b.Class == c }
	return slices.ContainsFunc(t.state.Card, stake) || slices.ContainsFunc(t.next, stake)
}

// overdue reports whether a champion's time to defend ends with this turn, and no
// title bout is on its cards: he will have lost the title before the next ones.
func (t *turn) overdue(title *Title) bool {
	return title.Champion != "" && title.By <= t.state.Round
}

// topContender is the lowest rank from which a champion is challenged (RSC-9).
const topContender = 10

// bookTitle matches the two best contenders for a vacant title, or the champion
// with a challenger when he must defend, or when he is free (RSC-9). Who has not
// boxed yet is nobody's contender.
func (t *turn) bookTitle(title *Title) {
	if t.pending(title.Class) {
		return
	}
	contenders := slices.DeleteFunc(t.state.contenders(title.Class), func(f *Fighter) bool {
		return f.Record.Bouts() == 0 || !t.willing(f)
	})
	if title.Champion == "" {
		if len(contenders) >= 2 {
			t.automatic(contenders[0], contenders[1], Booking{Title: true, Vacant: true, Why: WhyVacant})
		}
		return
	}
	if t.overdue(title) {
		return
	}
	champion := t.fighter(title.Champion)
	mandatory := title.By <= t.state.Round+1
	least, free := t.booked.open[champion.ID]
	if !t.willing(champion) || !mandatory && !free {
		return
	}
	contenders = slices.DeleteFunc(contenders, func(f *Fighter) bool {
		return f.Rank < 1 || f.Rank > topContender || !mandatory && (t.state.pop(f) < least || f.home() == champion.home())
	})
	slices.SortStableFunc(contenders, func(a, b *Fighter) int {
		return cmp.Compare(flag(t.lately(champion, a)), flag(t.lately(champion, b)))
	})
	switch {
	case len(contenders) > 0 && mandatory:
		t.automatic(champion, contenders[0], Booking{Title: true, Why: WhyMandatory})
	case len(contenders) > 0:
		t.automatic(champion, contenders[0], Booking{Title: true, Why: WhyVoluntary})
	case mandatory:
		title.By = t.state.Round + 2 // nobody to defend it against: no fault of his
	}
}

// automatic books a bout that the referee has found. A place that one of the
// managers pays for counts if both are rested by then.
func (t *turn) automatic(a, b *Fighter, as Booking) bool {
	w, ok := t.appointed(a, b)
	if !ok {
		return false
	}
	as.Arena, as.Week = t.arena(a, b, as.Title), w
	for _, f := range []*Fighter{a, b} {
		r, wants := t.booked.rented[f.ID]
		if wants && t.rested(a, b, r.wish.Week) && t.rent(f, r, as.Arena) {
			as.Week = r.wish.Week
			break
		}
	}
	_, _, as.Rounds = Lengths(as.Arena, as.Title, a.Class)
	as.Advanced = t.state.Settings.Advanced
	t.add(a, b, as)
	return true
}

// rent pays for a place on a card; it is the arena's money.
func (t *turn) rent(f *Fighter, r rental, arena Arena) bool {
	fee := t.state.Settings.Rent
	if r.wish.Arena != "" && r.wish.Arena != arena || t.manager(r.seat).Cash < fee {
		return false
	}
	t.pay(Account(r.seat), arena.account(), fee, ForRent)
	delete(t.booked.rented, f.ID)
	return true
}

// arena is the best one open to two fighters; titles are fought for at The Best
// alone (RSC-10).
func (t *turn) arena(a, b *Fighter, title bool) Arena {
	if title {
		return TheBest
	}
	return Highest([2]Pop{t.state.pop(a), t.state.pop(b)})
}

// add books a bout; POP are fixed now (RSC-7).
func (t *turn) add(a, b *Fighter, as Booking) {
	if !t.state.champion(a) && (t.state.champion(b) || t.state.pop(b) > t.state.pop(a)) {
		a, b = b, a
	}
	as.ID, as.Class = boutID(a.ID, b.ID), a.Class
	as.Fighters, as.Pop = [2]FighterID{a.ID, b.ID}, [2]Pop{t.state.pop(a), t.state.pop(b)}
	t.next = append(t.next, as)
	t.booked.booked[a.ID], t.booked.booked[b.ID] = true, true
	t.booked.note(as, t.state.Round+1)
}
