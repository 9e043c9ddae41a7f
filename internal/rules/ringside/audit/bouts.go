package audit

import (
	"fmt"
	"slices"
)

// bouts follows the cards bout by bout.
func (a *Audit) bouts(s *step) error {
	if len(s.Bouts)+len(s.Cancelled) != len(a.card) {
		return fmt.Errorf("%d bouts and %d cancelled, %d were booked", len(s.Bouts), len(s.Cancelled), len(a.card))
	}
	for _, k := range a.card {
		if i := slices.IndexFunc(s.Bouts, func(b bout) bool { return b.Booking == k }); i >= 0 {
			if err := a.bout(s, &s.Bouts[i]); err != nil {
				return fmt.Errorf("%s: %w", k.ID, err)
			}
			continue
		}
		champion := a.champions[k.Class]
		if !slices.Contains(s.Cancelled, k) || a.licensed(s.Round, k, k.Fighters[0]) && a.licensed(s.Round, k, k.Fighters[1]) {
			return fmt.Errorf("%s was not fought", k.ID)
		}
		if k.Title && champion != "" && a.licensed(s.Round, k, champion) { // he was there
			a.by[k.Class] = max(a.by[k.Class], s.Round+2)
		}
		a.Counted["cancelled"]++
	}
	return nil
}

// carried is what a fighter still lacks (RSC-18).
func (a *Audit) carried(round int, id string, week int) int {
	f := a.fighters[id]
	if n := len(f.weeks); n == 0 || 4*(round-1)+week-f.weeks[n-1] >= 4 {
		return 0
	}
	return max(f.loss, 0)
}

// licensed reports whether a fighter may enter the ring (RSC-18).
func (a *Audit) licensed(round int, k booking, id string) bool {
	return a.fighters[id].ratings.Endurance+7*k.Rounds-a.carried(round, id, k.Week) > 0
}

func (a *Audit) bout(s *step, b *bout) error {
	k := b.Booking
	over, err := a.part(s, b)
	if err != nil || !over {
		return err
	}
	drawn, downs := b.Result.Method == "draw", [2]int{}
	for _, r := range b.Rounds {
		for _, f := range r.Falls {
			if f.Count < 10 {
				downs[f.By]++
			}
		}
	}
	for i, c := range b.Corners {
		f, won := a.fighters[c.Fighter], !drawn && b.Result.Winner == i
		if c.Seat != f.owner {
			return fmt.Errorf("%s boxed for %s, he is with %s", c.Name, c.Seat, f.owner)
		}
		// POP (RSC-4, RSC-5).
		change := 0
		switch {
		case drawn:
		case won:
			change = map[string]int{"ko": 4, "tko": 3, "decision": 2}[b.Result.Method]
		default:
			change = -map[string]int{"ko": 3, "tko": 2, "decision": 1}[b.Result.Method]
		}
		before := f.earned
		f.earned = max(before+change+downs[i], 0)
		if c.Pop != f.earned-before {
			return fmt.Errorf("%s gained %d half points of POP, should be %d", c.Name, c.Pop, f.earned-before)
		}
		purse, cut := a.purse(k, i, f.cut, won, drawn)
		if c.Purse != purse || c.Cut != cut {
			return fmt.Errorf("%s has %d and %d cents, should be %d and %d", c.Name, c.Purse, c.Cut, purse, cut)
		}
		f.purses += purse
		s.expect("arena/"+k.Arena, f.id, purse, "purse")
		s.expect(f.id, f.owner, cut, "cut")
		f.weeks, f.loss = append(f.weeks, 4*(s.Round-1)+k.Week), c.Start-c.End
		f.count(won, drawn, b.Result.Method)
		if err := f.learn(c, won); err != nil {
			return err
		}
	}
	a.met[pair(k.Fighters)] = s.Round
	a.settle(s, b, drawn)
	return nil
}

// part follows a bout that may be fought in parts, and gives whether it is over.
func (a *Audit) part(s *step, b *bout) (over bool, err error) {
	k := b.Booking
	r, goesOn := a.ring[k.ID]
	if !goesOn {
		r = &running{of: k, left: [2]int{b.Corners[0].Start, b.Corners[1].Start}}
		for i, c := range b.Corners {
			f := a.fighters[c.Fighter]
			carried := a.carried(s.Round, c.Fighter, k.Week)
			if c.Ratings != f.ratings || c.Carried != carried || c.Start != f.ratings.Endurance+7*k.Rounds-carried || k.Fighters[i] != c.Fighter {
				return false, fmt.Errorf("%s comes as %+v, should lack %d", c.Name, c, carried)
			}
		}
	}
	most := k.Rounds - k.Fought
	leaves := slices.ContainsFunc(s.Left, func(l left) bool { return l.Seat == b.Corners[0].Seat || l.Seat == b.Corners[1].Seat })
	if k.Title && a.terms.Parts > 0 && !leaves {
		most = min(most, a.terms.Parts)
	}
	over = b.Result.Method != ""
	fresh := b.Cards[min(len(r.cards), len(b.Cards)):]
	switch {
	case goesOn && !k.Title:
		return false, fmt.Errorf("it is no title bout and goes on")
	case b.From != len(r.cards) || k.Fought != len(r.cards) || len(b.Rounds) != len(b.Cards):
		return false, fmt.Errorf("after %d rounds it tells of %d, %d", len(r.cards), b.From, k.Fought)
	case len(fresh) > most || len(fresh) < most && !over:
		return false, fmt.Errorf("%d rounds are fought of %d", len(fresh), most)
	case over != (len(b.Cards) == k.Rounds || b.Result.Method == "ko" || b.Result.Method == "tko"):
		return false, fmt.Errorf("after %d of %d rounds it is over: %v", len(b.Cards), k.Rounds, over)
	}
	for i, c := range b.Corners {
		left := r.left[i]
		for n, card := range fresh { // RS-37
			if left -= card.Damage[1-i] + max(card.Hits[i]-5, 0); !over || n < len(fresh)-1 {
				left = min(left+10, c.Start)
			}
		}
		// A blow that stops the other tires nobody any more (RS-20).
		stops := b.Result.Method == "tko" && b.Result.Winner == i && fresh[len(fresh)-1].Hits[i] > 5
		if left != c.End && !(stops && left+1 == c.End) {
			return false, fmt.Errorf("%s had %d left and has %d, should have %d", c.Name, r.left[i], c.End, left)
		}
		if !over && (c.Purse != 0 || c.Cut != 0 || c.Pop != 0 || c.Gain != nil || c.Result != "") {
			return false, fmt.Errorf("%s is paid before the end: %+v", c.Name, c)
		}
	}
	if over {
		delete(a.ring, k.ID)
		return true, nil
	}
	a.ring[k.ID] = &running{of: k, cards: b.Cards, left: [2]int{b.Corners[0].End, b.Corners[1].End}}
	a.Counted["parts"]++
	return false, nil
}

func (f *man) count(won, drawn bool, method string) {
	switch {
	case drawn:
		f.ties++
		f.row, f.lost = 0, 0
	case won:
		f.wins++
		f.row, f.lost = f.row+1, 0
		f.kos += bit(method == "ko")
	default:
		f.losses++
		f.row, f.lost = 0, f.lost+1
	}
}

// learn gives a winner his experience (RSC-16).
func (f *man) learn(c corner, won bool) error {
	if due := won && f.row >= 2; due != (c.Gain != nil) {
		return fmt.Errorf("%s learned %v, after %d wins in a row", c.Name, c.Gain, f.row)
	}
	if c.Gain == nil {
		return nil
	}
	rating, most, value := "counter", 5, &f.ratings.Counter
	switch {
	case c.Gain.Die <= 5:
		rating, most, value = "endurance", 10, &f.ratings.Endurance
	case c.Gain.Die <= 8:
		rating, value = "agility", &f.ratings.Agility
	}
	if f.gained[rating] == most {
		rating = ""
	} else {
		f.gained[rating]++
		*value++
	}
	if c.Gain.Rating != rating {
		return fmt.Errorf("%s learned %+v, should be %q", c.Name, c.Gain, rating)
	}
	return nil
}
