package audit

import (
	"fmt"
	"slices"
	"strings"
)

// purse works out purse and cut in quarters of a dollar and halves (RSC-13 to RSC-15).
func (a *Audit) purse(k booking, i, share int, won, drawn bool) (purse, cut int) {
	row, points := map[string][3]int{"best": {7000, 3000, 100}, "high": {2000, 1000, 50}, "middle": {700, 300, 20}, "low": {300, 100, 10}, "pits": {70, 30, 10}}[k.Arena], k.Pop[0]+k.Pop[1]
	if k.Title {
		row, points = [3]int{35000, 15000, 1000}, k.Pop[i]
	}
	quarters := 2 * row[2] * points
	switch {
	case drawn:
		quarters += 2 * (row[0] + row[1])
	case won:
		quarters += 4 * row[0]
	default:
		quarters += 4 * row[1]
	}
	purse = quarters * 25
	if k.Class != "heavy" {
		purse /= 2
	}
	return purse, purse * share / 100
}

// settle gives the title to whom it belongs after a bout (RSC-9).
func (a *Audit) settle(s *step, b *bout, drawn bool) {
	k := b.Booking
	switch {
	case !k.Title:
	case k.Vacant && drawn:
	case k.Vacant || !drawn && b.Result.Winner == 1:
		a.champions[k.Class], a.by[k.Class] = k.Fighters[b.Result.Winner], s.Round+a.terms.Defence
		a.Counted["titles"]++
	default:
		a.by[k.Class] = s.Round + a.terms.Defence
		a.Counted["defences"]++
	}
}

// cuts holds the new ones to every tenth bout (RSC-15).
func (a *Audit) cuts(s *step) error {
	boxed := map[string]int{}
	for _, b := range s.Bouts {
		if b.Result.Method != "" {
			for _, c := range b.Corners {
				boxed[c.Fighter]++
			}
		}
	}
	gone := map[string]bool{}
	for _, id := range s.gone(a) {
		gone[id] = true
	}
	for id, n := range boxed {
		f := a.fighters[id]
		total := f.wins + f.losses + f.ties
		i := slices.IndexFunc(s.Cuts, func(c cut) bool { return c.Fighter == id })
		if due := total/10 > (total-n)/10 && !gone[id]; due != (i >= 0) {
			return fmt.Errorf("%s has a new cut: %v, after %d bouts", id, i >= 0, total)
		}
		if i < 0 {
			continue
		}
		c := s.Cuts[i]
		want := min(max(10+c.Die+f.losses-f.wins, 10), 30)
		if c.Die < 1 || c.Die > 20 || c.Before != f.cut || c.After != want {
			return fmt.Errorf("%s is cut by %+v, should be %d", id, c, want)
		}
		f.cut = want
		a.Counted["cuts"]++
	}
	return nil
}

// bets holds what was won and returned to what was staked before (RSC-20, RSC-25).
func (a *Audit) bets(s *step) error {
	for _, e := range s.Entries {
		if e.Why == "stake" {
			a.stakes[e.From] = append(a.stakes[e.From], e.Amount)
			s.expect(e.From, "bank", e.Amount, "stake")
		}
	}
	for _, b := range s.Bets {
		i := slices.Index(a.stakes[b.Seat], b.Stake)
		if i < 0 {
			return fmt.Errorf("%s has a bet of %d settled that he never made", b.Seat, b.Stake)
		}
		a.stakes[b.Seat] = slices.Delete(a.stakes[b.Seat], i, i+1)
		switch b.Result {
		case "won":
			s.expect("bank", b.Seat, 2*b.Stake, "winnings")
		case "drawn":
			s.expect("bank", b.Seat, b.Stake, "returned")
		}
		a.Counted["bets "+b.Result]++
	}
	for seat, waiting := range a.stakes {
		if len(waiting) > 0 && len(a.ring) == 0 {
			return fmt.Errorf("bets of %s wait, and no bout goes on", seat)
		}
	}
	return nil
}

// ledger books the entries, which must be those expected, two sides each.
func (a *Audit) ledger(s *step) error {
	for _, id := range s.gone(a) {
		f := a.fighters[id]
		s.expect(id, "away", a.ledgers[id]+s.balance(id), "farewell")
		delete(a.fighters, f.id)
	}
	for _, l := range s.Left {
		s.expect(l.Seat, "away", a.ledgers[l.Seat]+s.balance(l.Seat), "farewell")
	}
	var rents int
	for _, e := range s.Entries {
		if e.Amount <= 0 || e.From == e.To {
			return fmt.Errorf("the entry %+v", e)
		}
		a.ledgers[e.From] -= e.Amount
		a.ledgers[e.To] += e.Amount
		if e.Why == "rent" {
			if rents++; e.Amount != 100*a.terms.Rent || !strings.HasPrefix(e.To, "arena/") {
				return fmt.Errorf("the entry %+v, a place costs %d", e, a.terms.Rent)
			}
			s.expect(e.From, e.To, e.Amount, "rent")
		}
	}
	a.Counted["rent"] += rents
	if got, want := sorted(s.Entries), sorted(s.want); !slices.Equal(got, want) {
		return fmt.Errorf("the entries are\n%v\nshould be\n%v", got, want)
	}
	sum := 0
	for _, n := range a.ledgers {
		sum += n
	}
	if sum != 0 {
		return fmt.Errorf("the ledgers sum to %d", sum)
	}
	have := map[string]int{"bank": s.Bank, "away": s.Away}
	for i, n := range s.Houses {
		have["arena/"+[]string{"pits", "low", "middle", "high", "best"}[i]] = n
	}
	for _, m := range s.Managers {
		have[m.Seat] = m.Cash
		if m.Cash < 0 {
			return fmt.Errorf("%s owes %d", m.Name, m.Cash)
		}
	}
	for _, f := range s.Fighters {
		have[f.ID] = f.Share
	}
	for account, n := range a.ledgers {
		if have[account] != n {
			return fmt.Errorf("%s has %d, its entries say %d", account, have[account], n)
		}
	}
	return nil
}
