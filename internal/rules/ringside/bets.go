package ringside

import (
	"slices"

	"ringpost/internal/game"
)

// bet is a stake that lies with the bank until its bout is fought.
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
			t.pay(Account(all[j].seat), BankAccount, b.wish.Money, ForStake)
			t.bets = append(t.bets, all[j])
		}
	}
}

// betOn finds the bout of a bet, or why there is none.
func (t *turn) betOn(seat game.SeatID, w Wish) (bet, string) {
	on := t.state.bookings(w.Other)
	if len(on) == 0 || t.fighter(w.Other) == nil {
		return bet{}, NoBout
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
	for _, x := range t.bets {
		if x.bout != b.ID {
			continue
		}
		m := t.manager(x.seat)
		told := Bet{On: x.wish.Other, OnName: t.fighter(x.wish.Other).Name, Stake: x.wish.Money, With: x.wish.With, Result: Lost}
		if w := t.manager(x.wish.With); w != nil {
			told.Rival = w.Name
		}
		switch winner {
		case "":
			told.Result = Tied
			t.pay(BankAccount, Account(x.seat), x.wish.Money, ForReturned)
		case x.wish.Other:
			told.Result = Won
			t.pay(BankAccount, Account(x.seat), 2*x.wish.Money, ForWinnings)
		}
		t.emit(EventBet, Event{Seat: x.seat, Name: m.Name, Bet: &told})
	}
}
