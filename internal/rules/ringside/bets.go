package ringside

import (
	"slices"

	"ringpost/internal/game"
)

// bet is a line that bets on a bout.
type bet struct {
	seat game.SeatID
	wish Wish
	bout string // the booking's id
}

// placeBets takes the stakes of bets on the bouts that are about to be fought: even
// money, at most the manager's cash, never against his own man (RSC-20, RSC-25).
func (t *turn) placeBets() {
	if !t.state.Settings.Bets {
		return
	}
	var all []bet
	t.each(WantBet, func(seat game.SeatID, w Wish) {
		if b, why := t.betOn(seat, w); why != "" {
			t.refuse(seat, w, why)
		} else {
			all = append(all, b)
		}
	})
	taken := make([]bool, len(all))
	for i, b := range all {
		if taken[i] {
			continue
		}
		with := i
		if b.wish.With != "" {
			with = slices.IndexFunc(all, b.taker)
			if with < 0 || taken[with] {
				t.refuse(b.seat, b.wish, NoPartner)
				continue
			}
		}
		short := false
		for _, j := range slices.Compact([]int{i, with}) {
			taken[j] = true
			short = short || t.manager(all[j].seat).Cash < b.wish.Money
		}
		for _, j := range slices.Compact([]int{i, with}) {
			if short {
				t.refuse(all[j].seat, all[j].wish, NoCash)
				continue
			}
			w := all[j].wish
			t.pay(Account(all[j].seat), BankAccount, w.Money, ForStake)
			t.state.Stakes = append(t.state.Stakes, Stake{Seat: all[j].seat, Bout: all[j].bout, On: w.Other, Money: w.Money, With: w.With})
		}
	}
}

// betOn finds the bout of a bet, or why there is none.
func (t *turn) betOn(seat game.SeatID, w Wish) (bet, string) {
	on := t.state.bookings(w.Other)
	if len(on) == 0 || t.fighter(w.Other) == nil {
		return bet{}, NoBout
	}
	if on[0].Fought > 0 { // bets are booked before the first bell (RSC-20)
		return bet{}, NoLate
	}
	other := t.fighter(on[0].Fighters[1-on[0].side(w.Other)])
	if other.Manager == seat {
		return bet{}, NoTreason
	}
	return bet{seat: seat, wish: w, bout: on[0].ID}, ""
}

// taker reports whether another's bet is the counterpart of this one: the same
// stake, on the other man.
func (b bet) taker(o bet) bool {
	return o.seat == b.wish.With && o.wish.With == b.seat && o.bout == b.bout && o.wish.Other != b.wish.Other && o.wish.Money == b.wish.Money
}

// payBets settles the bets on a bout; one that was not fought, or was drawn, gives
// the stakes back.
func (t *turn) payBets(b Booking, winner FighterID) {
	t.settleBets(func(s Stake) (result string, settled bool) {
		switch {
		case s.Bout != b.ID:
			return "", false
		case winner == "":
			return Tied, true
		case winner == s.On:
			return Won, true
		}
		return Lost, true
	})
}

// returnBets gives the stakes of bets back that a manager who leaves has made or
// taken.
func (t *turn) returnBets(seat game.SeatID) {
	t.settleBets(func(s Stake) (result string, settled bool) { return Tied, s.Seat == seat || s.With == seat })
}

func (t *turn) settleBets(how func(Stake) (result string, settled bool)) {
	var open []Stake
	for _, s := range t.state.Stakes {
		result, settled := how(s)
		if !settled {
			open = append(open, s)
			continue
		}
		told := Bet{On: s.On, OnName: t.fighter(s.On).Name, Stake: s.Money, With: s.With, Result: result}
		if w := t.manager(s.With); w != nil {
			told.Rival = w.Name
		}
		switch result {
		case Tied:
			t.pay(BankAccount, Account(s.Seat), s.Money, ForReturned)
		case Won:
			t.pay(BankAccount, Account(s.Seat), 2*s.Money, ForWinnings)
		}
		t.emit(EventBet, Event{Seat: s.Seat, Name: t.manager(s.Seat).Name, Bet: &told})
	}
	t.state.Stakes = open
}
