package audit

import (
	"fmt"
	"slices"
)

// standings holds the fighters to what their bouts made of them.
func (a *Audit) standings(s *step) error {
	if len(s.Fighters) != len(a.fighters) || len(s.Managers) != len(a.managers) {
		return fmt.Errorf("%d fighters and %d managers, should be %d and %d", len(s.Fighters), len(s.Managers), len(a.fighters), len(a.managers))
	}
	for _, f := range s.Fighters {
		m := a.fighters[f.ID]
		switch {
		case m == nil || f.Manager != m.owner || f.Class != m.class:
			return fmt.Errorf("%s is of %s and %s, should be %+v", f.Name, f.Manager, f.Class, m)
		case f.Earned != m.earned:
			return fmt.Errorf("%s has earned %d half points, his bouts say %d", f.Name, f.Earned, m.earned)
		case f.Record.Wins != m.wins || f.Record.Losses != m.losses || f.Record.Draws != m.ties || f.Record.KOWins != m.kos || f.Record.Won != m.row || f.Record.Lost != m.lost:
			return fmt.Errorf("%s has the record %+v, his bouts say %+v", f.Name, f.Record, *m)
		case f.Ratings != m.ratings:
			return fmt.Errorf("%s has %+v, should have %+v", f.Name, f.Ratings, m.ratings)
		case f.Cut != m.cut || f.Purses != m.purses:
			return fmt.Errorf("%s is cut by %d of %d, should be %d of %d", f.Name, f.Cut, f.Purses, m.cut, m.purses)
		}
	}
	return nil
}

// rankings counts for each contender who stands before him (RSC-8), and what his rank
// is worth (RSC-6).
func (a *Audit) rankings(s *step) error {
	for _, f := range s.Fighters {
		m := a.fighters[f.ID]
		if a.champions[m.class] == m.id {
			if f.Rank != 0 || f.Pop != m.earned+20 {
				return fmt.Errorf("the champion %s has the rank %d and a POP of %d", f.Name, f.Rank, f.Pop)
			}
			continue
		}
		rank := 1
		for _, o := range a.fighters {
			if o.class == m.class && o != m && a.champions[m.class] != o.id && o.before(m) {
				rank++
			}
		}
		bonus := 0
		for half := 0; half <= 10; half++ { // the half nearest to a tenth of 51 less the rank
			if off := 10*half - 2*(51-rank); off > -5 && off <= 5 {
				bonus = half
			}
		}
		if f.Rank != rank || f.Pop != m.earned+bonus {
			return fmt.Errorf("%s has the rank %d and a POP of %d, should be %d and %d", f.Name, f.Rank, f.Pop, rank, m.earned+bonus)
		}
	}
	return nil
}

func (f *man) before(o *man) bool {
	fresh := func(m *man) int { return bit(m.wins+m.losses+m.ties == 0) }
	for _, c := range [][2]int{{fresh(o), fresh(f)}, {f.earned, o.earned}, {f.wins, o.wins}, {o.losses, f.losses}, {f.kos, o.kos}, {f.lot, o.lot}} {
		if c[0] != c[1] {
			return c[0] > c[1]
		}
	}
	return number(f.id) < number(o.id)
}

func (a *Audit) titles(s *step) error {
	for _, t := range s.Titles {
		if t.Champion != a.champions[t.Class] {
			return fmt.Errorf("champion of %s is %q, should be %q", t.Class, t.Champion, a.champions[t.Class])
		}
		if t.Champion == "" {
			continue
		}
		if t.By != a.by[t.Class] && t.By != s.Round+2 { // nobody to defend it against
			return fmt.Errorf("the title of %s is due by turn %d, should be %d", t.Class, t.By, a.by[t.Class])
		}
		a.by[t.Class] = t.By
		inTheRing := false
		for _, r := range a.ring {
			inTheRing = inTheRing || r.of.Class == t.Class
		}
		if t.By <= s.Round && !inTheRing {
			return fmt.Errorf("the title of %s should have been defended by turn %d", t.Class, t.By)
		}
	}
	return nil
}

// next checks the bookings of the next turn.
func (a *Audit) next(s *step) error {
	a.card = s.Next
	times, titles, ids := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, k := range s.Next {
		if err := a.booked(s, k); err != nil {
			return fmt.Errorf("%s: %w", k.ID, err)
		}
		if ids[k.ID] || k.Title && titles[k.Class] {
			return fmt.Errorf("%s: it is booked twice, or the title is", k.ID)
		}
		ids[k.ID], titles[k.Class] = true, titles[k.Class] || k.Title
		times[k.Fighters[0]]++
		times[k.Fighters[1]]++
	}
	for i, k := range s.Next {
		if i > 0 && slices.Compare(s.Next[i-1].place(), k.place()) > 0 {
			return fmt.Errorf("%s stands in the wrong place of the card", k.ID)
		}
		inParts := k.Title && a.terms.Parts > 0 && k.Rounds-k.Fought > a.terms.Parts
		for _, id := range k.Fighters {
			if times[id] > 1 && (k.Why == "matched" || inParts || k.Fought > 0) {
				return fmt.Errorf("%s: %s has another bout", k.ID, id)
			}
		}
	}
	for id := range a.ring {
		if !ids[id] {
			return fmt.Errorf("%s has begun and does not go on", id)
		}
	}
	return nil
}

func (a *Audit) booked(s *step, k booking) error {
	x, y := a.fighters[k.Fighters[0]], a.fighters[k.Fighters[1]]
	if x == nil || y == nil {
		return fmt.Errorf("one of the two is not there")
	}
	if k.Fought > 0 { // of others it was checked when they were booked
		r := a.ring[k.ID]
		if r == nil {
			return fmt.Errorf("it goes on and has not begun")
		}
		want := r.of
		want.Fought = len(r.cards)
		if k != want {
			return fmt.Errorf("it goes on as %+v, should be %+v", k, want)
		}
		return nil
	}
	title := k.Why == "vacant" || k.Why == "mandatory" || k.Why == "voluntary"
	switch {
	case x.class != y.class || k.Class != x.class:
		return fmt.Errorf("%s meets %s", x.class, y.class)
	case x.owner == y.owner && k.Why != "vacant" && k.Why != "mandatory": // RSC-23
		return fmt.Errorf("both are of one stable")
	case k.Title && k.Arena != "best":
		return fmt.Errorf("a title bout at %s", k.Arena)
	case k.Title && !k.Vacant && a.champions[k.Class] != x.id:
		return fmt.Errorf("a title bout without the champion")
	case k.Title != title && k.Why != "agreed":
		return fmt.Errorf("a title bout %v, because of %s", k.Title, k.Why)
	case !k.Title && !eligible(k):
		return fmt.Errorf("%v do not get to %s", k.Pop, k.Arena)
	case k.Why == "matched" && a.met[pair(k.Fighters)] > 0 && s.Round+1-a.met[pair(k.Fighters)] <= a.terms.Rematch:
		return fmt.Errorf("a rematch after turn %d", a.met[pair(k.Fighters)])
	case k.Week < 1 || k.Week > 4:
		return fmt.Errorf("week %d", k.Week)
	}
	if err := length(k); err != nil {
		return err
	}
	if k.Why == "agreed" {
		return nil
	}
	for _, f := range []*man{x, y} { // RSC-2
		if n := len(f.weeks); n > 0 && 4*s.Round+k.Week-f.weeks[n-1] < 4 {
			return fmt.Errorf("%s boxed in week %d and is booked for week %d", f.id, f.weeks[n-1], 4*s.Round+k.Week)
		}
	}
	return nil
}

// eligible holds a bout to the conditions of its arena (RSC-10).
func eligible(k booking) bool {
	high, low := float64(max(k.Pop[0], k.Pop[1]))/2, float64(min(k.Pop[0], k.Pop[1]))/2
	switch k.Arena {
	case "best":
		return high+low >= 35 || high >= 20 && low >= 10
	case "high":
		return high+low >= 25 || high >= 16 && low >= 6
	case "middle":
		return high+low >= 18 || high >= 12 && low >= 3
	case "low":
		return high+low >= 10 || high >= 8
	}
	return k.Arena == "pits"
}

// length holds it to the rounds that are fought there (RSC-11, RSC-12).
func length(k booking) error {
	bounds := map[string][2]int{"best": {8, 12}, "high": {6, 12}, "middle": {6, 10}, "low": {5, 8}, "pits": {3, 7}}[k.Arena]
	if k.Title {
		bounds = [2]int{10, 15}
	}
	if k.Class != "heavy" {
		bounds = [2]int{max(bounds[0]-2, 3), max(bounds[1]-2, 3)}
	}
	if k.Rounds < bounds[0] || k.Rounds > bounds[1] {
		return fmt.Errorf("%d rounds at %s, want %v", k.Rounds, k.Arena, bounds)
	}
	return nil
}
