package ringside

import (
	"fmt"
	"slices"

	"ringpost/internal/game"
)

// misses counts turns without a word for managers who owed a plan (G-14), and
// notes who is about to leave: their fighters box what is published and nothing
// more.
func (t *turn) misses() {
	for _, l := range t.in.Leaves {
		reason := LeftWish
		if l.Now {
			reason = LeftGM // the opponents are entitled to their bouts (RSC-21)
		}
		t.leaving[l.Seat] = Leave{Reason: reason}
	}
	wrote := map[game.SeatID]bool{}
	for _, o := range t.in.Orders {
		wrote[o.Seat] = true
	}
	owed := map[game.SeatID]bool{}
	for _, b := range t.state.Card {
		for _, id := range b.Fighters {
			if f := t.fighter(id); f != nil && f.Plan == nil {
				owed[f.Manager] = true
			}
		}
	}
	limit := t.state.Settings.NMRLimit
	for i := range t.state.Managers {
		m := &t.state.Managers[i]
		switch {
		case wrote[m.Seat]:
			m.Missed = 0
		case owed[m.Seat]:
			m.Missed++
			t.emit(EventMissed, Event{Seat: m.Seat, Name: m.Name, Missed: &Missed{Count: m.Missed, Limit: limit}})
		}
		if _, leaves := t.leaving[m.Seat]; !leaves && limit > 0 && m.Missed >= limit {
			t.leaving[m.Seat] = Leave{Reason: LeftNMR, Count: m.Missed}
		}
	}
}

// mayRetire: after ten bouts or three defeats in a row; historical fighters when
// they like (RSC-19).
func (f *Fighter) mayRetire() bool {
	return f.Historical || f.Record.Bouts() >= 10 || f.Record.Lost >= 3
}

// retirements lets fighters go after this turn's cards, since their opponents are
// entitled to their bouts. The man in each one's place comes at once (RSC-19).
func (t *turn) retirements() {
	successors := map[game.SeatID][]Wish{}
	t.each(WantNew, func(seat game.SeatID, w Wish) { successors[seat] = append(successors[seat], w) })
	t.each(WantRetire, func(seat game.SeatID, w Wish) {
		f := t.own(seat, w.Own)
		switch {
		case f == nil || f.Leaving:
			t.refuse(seat, w, NoFighter)
		case t.busy(f.ID):
			t.refuse(seat, w, NoLeave)
		case !f.mayRetire():
			t.refuse(seat, w, NoRetiring)
		default:
			f.Leaving = true
			t.emitOf(f, EventRetired, Event{})
			n := newcomer{manager: seat, class: f.Class}
			if all := successors[seat]; len(all) > 0 {
				n.name, n.class = all[0].Name, all[0].Class
				if t.names().has(n.name) {
					t.refuse(seat, all[0], NoName)
					n.name = ""
				}
				successors[seat] = all[1:]
			}
			t.create(n)
		}
	})
	for _, m := range t.state.Managers {
		for _, w := range successors[m.Seat] {
			t.refuse(m.Seat, w, NoSuccessor)
		}
	}
}

// refuse tells a manager why a line of his came to nothing.
func (t *turn) refuse(seat game.SeatID, w Wish, why string) {
	r := Refusal{Wish: w, Why: why}
	if f := t.fighter(w.Own); f != nil {
		r.Own = f.Name
	}
	if f := t.fighter(w.Other); f != nil {
		r.Other = f.Name
	}
	if m := t.manager(w.With); m != nil {
		r.With = m.Name
	}
	t.emit(EventRefused, Event{Seat: seat, Refusal: &r}, seat)
}

// sales passes fighters on: bids for those on offer, then trades that both managers
// want. They change stables once the cards are fought, so that whoever planned a
// bout also has his cut of it.
func (t *turn) sales() {
	if !t.state.Settings.Sales {
		return
	}
	offers := slices.DeleteFunc(slices.Clone(t.state.Offers), func(o Offer) bool {
		_, leaves := t.leaving[o.Seller]
		return leaves || t.own(o.Seller, o.Fighter) == nil
	})
	var fresh []Offer
	t.each(WantOffer, func(seat game.SeatID, w Wish) {
		switch f := t.own(seat, w.Own); {
		case f == nil:
			t.refuse(seat, w, NoFighter)
			return
		case f.Leaving:
			t.refuse(seat, w, NoReturn)
			return
		case t.busy(f.ID):
			t.refuse(seat, w, NoLeave)
			return
		}
		o := Offer{Fighter: w.Own, Seller: seat, Price: w.Money}
		same := func(x Offer) bool { return x.Fighter == w.Own }
		offers = append(slices.DeleteFunc(offers, same), o)
		fresh = append(slices.DeleteFunc(fresh, same), o)
	})
	t.bidding(offers)
	t.trades()
	t.state.Offers = nil
	for _, o := range fresh {
		if f := t.fighter(o.Fighter); f.Going == "" {
			t.state.Offers = append(t.state.Offers, o)
			t.emitOf(f, EventOffered, Event{Sale: &Sale{From: o.Seller, Price: o.Price}})
		}
	}
}

// bid is a line to buy.
type bid struct {
	seat game.SeatID
	wish Wish
}

func (t *turn) bidding(offers []Offer) {
	bids := map[FighterID][]bid{}
	t.each(WantBuy, func(seat game.SeatID, w Wish) {
		switch f := t.fighter(w.Other); {
		case f == nil || f.Manager == seat:
			t.refuse(seat, w, NoFighter)
		case !slices.ContainsFunc(offers, func(o Offer) bool { return o.Fighter == w.Other }):
			t.refuse(seat, w, NoOffer)
		default:
			bids[w.Other] = append(bids[w.Other], bid{seat, w})
		}
	})
	for _, o := range offers {
		t.sell(o, bids[o.Fighter])
	}
}

// sell gives a fighter to the highest bidder who can pay and house him.
func (t *turn) sell(o Offer, bids []bid) {
	f := t.fighter(o.Fighter)
	var fit []bid
	for _, b := range bids {
		switch {
		case f.Leaving:
			t.refuse(b.seat, b.wish, NoReturn)
		case t.busy(f.ID):
			t.refuse(b.seat, b.wish, NoLeave)
		case b.wish.Money < o.Price:
			t.refuse(b.seat, b.wish, NoPrice)
		case t.manager(b.seat).Cash < b.wish.Money:
			t.refuse(b.seat, b.wish, NoCash)
		case t.housed(b.seat) >= MaxStable:
			t.refuse(b.seat, b.wish, NoRoom)
		case t.housed(o.Seller) < 2:
			t.refuse(b.seat, b.wish, NoneLeft)
		default:
			fit = append(fit, b)
		}
	}
	if len(fit) == 0 {
		return
	}
	highest := slices.MaxFunc(fit, func(a, b bid) int { return int(a.wish.Money - b.wish.Money) }).wish.Money
	best := slices.DeleteFunc(slices.Clone(fit), func(b bid) bool { return b.wish.Money < highest })
	lot := t.stream("sale", string(o.Fighter))
	winner := best[0]
	if len(best) > 1 {
		winner = best[lot.Uniform(len(best))-1]
	}
	for _, b := range fit {
		if b.seat != winner.seat {
			t.refuse(b.seat, b.wish, NoBid)
		}
	}
	f.Going = winner.seat
	t.pay(Account(winner.seat), Account(o.Seller), highest, ForSale)
	t.emitOf(f, EventSold, Event{Sale: &Sale{From: o.Seller, To: winner.seat, Price: highest, Dice: lot.throws}})
}

// housed counts a manager's fighters as they will be after the cards.
func (t *turn) housed(seat game.SeatID) int {
	n := 0
	for i := range t.state.Fighters {
		if f := &t.state.Fighters[i]; f.home() == seat && !f.Leaving {
			n++
		}
	}
	return n
}

// home is whose a fighter will be after the cards.
func (f *Fighter) home() game.SeatID {
	if f.Going != "" {
		return f.Going
	}
	return f.Manager
}

// trades exchanges fighters where two managers each sent the other's line.
func (t *turn) trades() {
	type pair [2]FighterID
	wanted := map[pair]bool{}
	t.each(WantTrade, func(seat game.SeatID, w Wish) {
		if t.own(seat, w.Own) != nil {
			wanted[pair{w.Own, w.Other}] = true
		}
	})
	t.each(WantTrade, func(seat game.SeatID, w Wish) {
		own, other := t.own(seat, w.Own), t.fighter(w.Other)
		switch {
		case own == nil || other == nil || other.Manager == seat:
			t.refuse(seat, w, NoFighter)
		case own.Going != "" && own.Going == other.Manager && other.Going == seat: // done from the other side
		case own.Going != "" || other.Going != "":
			t.refuse(seat, w, NoFighter)
		case own.Leaving || other.Leaving:
			t.refuse(seat, w, NoReturn)
		case t.busy(own.ID) || t.busy(other.ID):
			t.refuse(seat, w, NoLeave)
		case !wanted[pair{w.Other, w.Own}]:
			t.refuse(seat, w, NoPartner)
		default:
			own.Going, other.Going = other.Manager, seat
			t.emitOf(own, EventTraded, Event{Sale: &Sale{From: seat, To: other.Manager, Other: other.ID, OtherName: other.Name}})
		}
	})
}

// joins lets in who joined, with a stable of his own (RSC-23); it can be booked
// for the next cards already.
func (t *turn) joins() error {
	for _, seat := range t.in.Joins {
		if _, leaves := t.leaving[seat.ID]; leaves {
			continue // thought better of it before the first bell
		}
		if t.state.manager(seat.ID) >= 0 {
			return fmt.Errorf("seat %s joins and is there already", seat.ID)
		}
		t.enter(seat)
		t.fill(seat.ID)
	}
	return nil
}
