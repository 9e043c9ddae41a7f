package ringside

import (
	"fmt"
	"strings"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// audit follows a campaign by its public events alone and works out anew, in its
// own way, what the states should hold.
type audit struct {
	ledgers   map[Account]Money
	earned    map[FighterID]int // half points
	tally     map[FighterID][3]int
	base      map[FighterID]bout.Fighter
	champions map[Class]FighterID
	boxed     map[FighterID][]int       // weeks, counted through all turns
	met       map[string]int            // the last turn in which two met
	owner     map[FighterID]game.SeatID // before the turn that is looked at
	cuts      map[FighterID]int
	ring      map[string]*running // bouts that have begun, by id
	staked    map[string]Money    // on them
}

// running is a bout that has begun and is not over.
type running struct {
	of    Booking
	cards []bout.Card
	left  [2]int // endurance
}

func newAudit() *audit {
	return &audit{ledgers: map[Account]Money{}, earned: map[FighterID]int{}, tally: map[FighterID][3]int{}, base: map[FighterID]bout.Fighter{},
		champions: map[Class]FighterID{}, boxed: map[FighterID][]int{}, met: map[string]int{}, owner: map[FighterID]game.SeatID{}, cuts: map[FighterID]int{},
		ring: map[string]*running{}, staked: map[string]Money{}}
}

// follow takes in a step and compares.
func (a *audit) follow(st step) error {
	for _, e := range st.Events {
		if e.For != nil {
			continue
		}
		var err error
		switch d := e.Data; e.Code {
		case EventMoney:
			for _, x := range d.Entries {
				a.ledgers[x.From] -= x.Amount
				a.ledgers[x.To] += x.Amount
				if x.Amount <= 0 || x.From == x.To {
					err = fmt.Errorf("the entry %+v", x)
				}
			}
		case EventFighter:
			a.base[d.Fighter], a.owner[d.Fighter], a.cuts[d.Fighter] = d.Newcomer.Ratings, d.Seat, d.Newcomer.Cut
		case EventCut:
			a.cuts[d.Fighter] = d.Cut.After
		case EventBout:
			err = a.bout(st, d.Bout)
		case EventTitle:
			if d.Title.Code == TitleVacated || d.Title.Code == TitleLapsed {
				delete(a.champions, d.Title.Class)
			}
		}
		if err != nil {
			return err
		}
	}
	for _, check := range []func(*State) error{a.money, a.fighters, a.rankings, a.titles, a.unfinished} {
		if err := check(&st.After); err != nil {
			return err
		}
	}
	if err := a.card(st); err != nil {
		return err
	}
	for _, f := range st.After.Fighters {
		a.owner[f.ID] = f.Manager
	}
	return nil
}

func (a *audit) bout(st step, b *Bout) error {
	k := b.Booking
	if err := a.part(st, b); err != nil {
		return fmt.Errorf("%s: %w", k.ID, err)
	}
	if b.Result.Method == "" {
		return nil
	}
	var downs [2]int
	for _, r := range b.Rounds {
		for _, f := range r.Falls {
			if f.Count < 10 {
				downs[f.By]++
			}
		}
	}
	drawn := b.Result.Method == bout.Draw
	for i, c := range b.Corners {
		won := !drawn && int(b.Result.Winner) == i
		// POP (RSC-4, RSC-5).
		change := 0
		switch {
		case drawn:
		case won:
			change = map[bout.Method]int{bout.KO: 4, bout.TKO: 3, bout.Decision: 2}[b.Result.Method]
		default:
			change = -map[bout.Method]int{bout.KO: 3, bout.TKO: 2, bout.Decision: 1}[b.Result.Method]
		}
		before := a.earned[c.Fighter]
		a.earned[c.Fighter] = max(before+change+downs[i], 0)
		if int(c.Pop) != a.earned[c.Fighter]-before {
			return fmt.Errorf("%s: %s gained %s POP, should be %d half points", k.ID, c.Name, c.Pop, a.earned[c.Fighter]-before)
		}
		t := a.tally[c.Fighter]
		switch {
		case drawn:
			t[2]++
		case won:
			t[0]++
		default:
			t[1]++
		}
		a.tally[c.Fighter] = t
		if err := a.purse(k, c, i, won, drawn); err != nil {
			return err
		}
		if c.Seat != a.owner[c.Fighter] {
			return fmt.Errorf("%s: %s boxed for %s, he was with %s", k.ID, c.Name, c.Seat, a.owner[c.Fighter])
		}
		a.boxed[c.Fighter] = append(a.boxed[c.Fighter], 4*(st.Round-1)+k.Week)
	}
	a.met[pairOf(k)] = st.Round
	if k.Title {
		switch {
		case drawn:
		case a.champions[k.Class] == "" || b.Result.Winner == bout.Second:
			a.champions[k.Class] = k.Fighters[b.Result.Winner]
		}
	}
	return nil
}

// part follows a bout that is fought in parts, and holds each part to the one before.
func (a *audit) part(st step, b *Bout) error {
	k, settings := b.Booking, st.After.Settings
	r, goesOn := a.ring[k.ID]
	if !goesOn {
		r = &running{of: k, left: [2]int{b.Corners[0].Start, b.Corners[1].Start}}
	}
	fresh := b.Cards[len(r.cards):]
	most := k.Rounds - k.Fought
	var leaves bool
	for _, e := range st.Events {
		leaves = leaves || e.Code == EventLeft && (e.Data.Seat == b.Corners[0].Seat || e.Data.Seat == b.Corners[1].Seat)
	}
	if k.Title && settings.Parts > 0 && !leaves {
		most = min(most, settings.Parts)
	}
	if !k.Title && goesOn {
		return fmt.Errorf("it is no title bout and goes on")
	}
	over := b.Result.Method != ""
	switch {
	case b.From != len(r.cards) || k.Fought != len(r.cards) || len(b.Rounds) != len(b.Cards) || len(r.of.ID) == 0:
		return fmt.Errorf("after %d rounds it tells of %d, %d", len(r.cards), b.From, k.Fought)
	case goesOn && (k.Fighters != r.of.Fighters || k.Pop != r.of.Pop || k.Rounds != r.of.Rounds):
		return fmt.Errorf("it was %+v and goes on as %+v", r.of, k)
	case len(fresh) > most || len(fresh) < most && !over:
		return fmt.Errorf("%d rounds are fought of %d", len(fresh), most)
	case over != (len(b.Cards) == k.Rounds || b.Result.Method == bout.KO || b.Result.Method == bout.TKO):
		return fmt.Errorf("after %d of %d rounds it is over: %v", len(b.Cards), k.Rounds, over)
	}
	for i, c := range b.Corners {
		left := r.left[i]
		for n, card := range fresh { // RS-37
			if left -= card.Damage[1-i] + max(card.Hits[i]-5, 0); !over || n < len(fresh)-1 {
				left = min(left+10, c.Start)
			}
		}
		// A blow that stops the other tires nobody any more (RS-20).
		stops := b.Result.Method == bout.TKO && int(b.Result.Winner) == i && fresh[len(fresh)-1].Hits[i] > 5
		if left != c.End && !(stops && left+1 == c.End) {
			return fmt.Errorf("%s had %d left and has %d, should have %d", c.Name, r.left[i], c.End, left)
		}
		if !over && (c.Purse != 0 || c.Cut != 0 || c.Pop != 0 || c.Gain != nil || c.Result != "") {
			return fmt.Errorf("%s is paid before the end: %+v", c.Name, c)
		}
	}
	if over {
		delete(a.ring, k.ID)
		return nil
	}
	a.ring[k.ID] = &running{of: k, cards: b.Cards, left: [2]int{b.Corners[0].End, b.Corners[1].End}}
	return nil
}

// unfinished holds the state to the bouts that have begun: they are on the next card,
// the two are still there, and have no other bout.
func (a *audit) unfinished(s *State) error {
	if len(s.Unfinished) != len(a.ring) {
		return fmt.Errorf("%d bouts go on, should be %d", len(s.Unfinished), len(a.ring))
	}
	for id, r := range a.ring {
		found := 0
		for _, k := range s.Card {
			for _, f := range r.of.Fighters {
				found += bit(k.side(f) >= 0)
			}
			if k.ID == id && (k.Fought != len(r.cards) || k.Week != r.of.Week) {
				return fmt.Errorf("%s goes on as %+v", id, k)
			}
		}
		if found != 2 {
			return fmt.Errorf("%s goes on, and its two are in %d corners", id, found)
		}
	}
	for _, stake := range s.Stakes {
		if a.ring[stake.Bout] == nil {
			return fmt.Errorf("the stake %+v is on no bout that goes on", stake)
		}
	}
	return nil
}

// purse works out purse and cut in quarters of a dollar and halves (RSC-13 to RSC-15).
func (a *audit) purse(k Booking, c Corner, i int, won, drawn bool) error {
	table := map[Arena][3]int{"best": {7000, 3000, 100}, "high": {2000, 1000, 50}, "middle": {700, 300, 20}, "low": {300, 100, 10}, "pits": {70, 30, 10}}
	row, points := table[k.Arena], int(k.Pop[0]+k.Pop[1])
	if k.Title {
		row, points = [3]int{35000, 15000, 1000}, int(k.Pop[i])
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
	cents := quarters * 25
	if k.Class != "heavy" {
		cents /= 2
	}
	cut := cents * a.cuts[c.Fighter] / 100
	if c.Purse != Money(cents) || c.Cut != Money(cut) {
		return fmt.Errorf("%s: %s has %d and %d cents, should be %d and %d", k.ID, c.Name, c.Purse, c.Cut, cents, cut)
	}
	return nil
}

func pairOf(k Booking) string {
	x, y := string(k.Fighters[0]), string(k.Fighters[1])
	if len(x) > len(y) || len(x) == len(y) && x > y {
		x, y = y, x
	}
	return x + "-" + y
}

func (a *audit) money(s *State) error {
	sum := Money(0)
	for _, m := range a.ledgers {
		sum += m
	}
	if sum != 0 || s.Sum() != 0 {
		return fmt.Errorf("the ledgers sum to %d, in the state to %d", sum, s.Sum())
	}
	want := map[Account]Money{"bank": s.Bank, "away": s.Away}
	for i, n := range s.Houses {
		want[Account("arena/"+string([]Arena{"pits", "low", "middle", "high", "best"}[i]))] = n
	}
	for _, m := range s.Managers {
		want[Account(m.Seat)] = m.Cash
		if m.Cash < 0 {
			return fmt.Errorf("%s owes %d", m.Name, m.Cash)
		}
	}
	for _, f := range s.Fighters {
		want[Account(f.ID)] = f.Share
	}
	for account, n := range a.ledgers {
		if n != want[account] {
			return fmt.Errorf("%s has %d, its entries say %d", account, want[account], n)
		}
	}
	return nil
}

func (a *audit) fighters(s *State) error {
	for _, f := range s.Fighters {
		t := a.tally[f.ID]
		switch base := a.base[f.ID]; {
		case int(f.Earned) != a.earned[f.ID]:
			return fmt.Errorf("%s has earned %s, his bouts say %d half points", f.Name, f.Earned, a.earned[f.ID])
		case f.Record.Wins != t[0] || f.Record.Losses != t[1] || f.Record.Draws != t[2]:
			return fmt.Errorf("%s has the record %+v, his bouts say %v", f.Name, f.Record, t)
		case f.Agility-base.Agility != f.Gained.Agility || f.Counter-base.Counter != f.Gained.Counter || f.Endurance-base.Endurance != f.Gained.Endurance || f.Punches != base.Punches,
			f.Gained.Agility > 5, f.Gained.Counter > 5, f.Gained.Endurance > 10:
			return fmt.Errorf("%s came with %+v, gained %+v and has %+v", f.Name, base, f.Gained, f.Fighter)
		case f.Cut != a.cuts[f.ID] || f.Cut < 10 || f.Cut > 30:
			return fmt.Errorf("%s is cut by %d, should be %d", f.Name, f.Cut, a.cuts[f.ID])
		case f.Going != "" || f.Leaving:
			return fmt.Errorf("%s is on his way between two turns", f.Name)
		}
	}
	return nil
}

// rankings counts for each contender who stands before him.
func (a *audit) rankings(s *State) error {
	for _, f := range s.Fighters {
		if a.champions[f.Class] == f.ID {
			if f.Rank != 0 {
				return fmt.Errorf("the champion %s has the rank %d", f.Name, f.Rank)
			}
			continue
		}
		rank := 1
		for _, o := range s.Fighters {
			if o.Class == f.Class && o.ID != f.ID && a.champions[f.Class] != o.ID && a.before(o, f) {
				rank++
			}
		}
		if f.Rank != rank {
			return fmt.Errorf("%s has the rank %d, should be %d", f.Name, f.Rank, rank)
		}
		bonus := 0
		for half := 0; half <= 10; half++ { // the half nearest to a tenth of 51 less the rank
			if off := 10*half - 2*(51-rank); off > -5 && off <= 5 || off == 5 {
				bonus = half
			}
		}
		if got := int(s.pop(&f)) - a.earned[f.ID]; rank < 51 && got != bonus {
			return fmt.Errorf("%s of rank %d has a bonus of %d, should be %d", f.Name, rank, got, bonus)
		}
	}
	return nil
}

func (a *audit) before(o, f Fighter) bool {
	x, y := a.tally[o.ID], a.tally[f.ID]
	fresh := func(t [3]int) bool { return t == [3]int{} }
	for _, c := range [][2]int{
		{bit(fresh(y)), bit(fresh(x))}, {a.earned[o.ID], a.earned[f.ID]}, {x[0], y[0]}, {y[1], x[1]}, {o.Record.KOWins, f.Record.KOWins}, {o.Lot, f.Lot},
	} {
		if c[0] != c[1] {
			return c[0] > c[1]
		}
	}
	return o.ID.number() < f.ID.number()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (a *audit) titles(s *State) error {
	if len(s.Titles) != len(s.Settings.Classes) {
		return fmt.Errorf("%d titles for %d classes", len(s.Titles), len(s.Settings.Classes))
	}
	for _, t := range s.Titles {
		if t.Champion != a.champions[t.Class] {
			return fmt.Errorf("champion of %s is %q, should be %q", t.Class, t.Champion, a.champions[t.Class])
		}
		if i := s.fighter(t.Champion); t.Champion != "" && (i < 0 || s.Fighters[i].Class != t.Class) {
			return fmt.Errorf("champion of %s is %s, who is not of it", t.Class, t.Champion)
		}
		inTheRing := false
		for _, r := range a.ring {
			inTheRing = inTheRing || r.of.Class == t.Class
		}
		if t.Champion != "" && t.By <= s.Round-1 && !inTheRing {
			return fmt.Errorf("%s should have been defended by turn %d", t.Class, t.By)
		}
	}
	return nil
}

// card checks the bookings of the next turn.
func (a *audit) card(st step) error {
	s := &st.After
	times := map[FighterID]int{}
	titles := map[Class]bool{}
	last := [3]int{}
	for _, k := range s.Card {
		var men [2]Fighter
		for i, id := range k.Fighters {
			at := s.fighter(id)
			if at < 0 {
				return fmt.Errorf("%s: %s is not there", k.ID, id)
			}
			men[i] = s.Fighters[at]
		}
		automatic := k.Why != "agreed" && k.Fought == 0 // of others it was checked when they were booked
		rematch := s.Settings.Rematch
		switch {
		case men[0].Class != men[1].Class || k.Class != men[0].Class:
			return fmt.Errorf("%s: %s meets %s", k.ID, men[0].Class, men[1].Class)
		case men[0].Manager == men[1].Manager && !k.Title:
			return fmt.Errorf("%s: both are of one stable", k.ID)
		case k.Title && (k.Arena != "best" || titles[k.Class]):
			return fmt.Errorf("%s: a title bout at %s, a second one: %v", k.ID, k.Arena, titles[k.Class])
		case k.Title && !k.Vacant && a.champions[k.Class] != k.Fighters[0]:
			return fmt.Errorf("%s: a title bout without the champion", k.ID)
		case k.Title != (k.Why == "vacant" || k.Why == "mandatory" || k.Why == "voluntary") && automatic:
			return fmt.Errorf("%s: a title bout %v, because of %s", k.ID, k.Title, k.Why)
		case !k.Title && !eligible(k):
			return fmt.Errorf("%s: %v do not get to %s", k.ID, k.Pop, k.Arena)
		case k.Why == "matched" && k.Fought == 0 && a.met[pairOf(k)] > 0 && s.Round-a.met[pairOf(k)] <= rematch:
			return fmt.Errorf("%s: a rematch after turn %d", k.ID, a.met[pairOf(k)])
		case k.Week < 1 || k.Week > 4:
			return fmt.Errorf("%s: week %d", k.ID, k.Week)
		}
		titles[k.Class] = titles[k.Class] || k.Title
		if err := lengthOf(k); err != nil {
			return err
		}
		for _, id := range k.Fighters {
			if times[id]++; times[id] > 1 && automatic && k.Why != "mandatory" && k.Why != "vacant" && k.Why != "voluntary" {
				return fmt.Errorf("%s: %s is matched twice", k.ID, id)
			}
			if automatic {
				if err := a.rest(st, k, id); err != nil {
					return err
				}
			}
		}
		place := [3]int{k.Week, strings.Index("pits low middle high best", string(k.Arena)), int(k.Pop[0] + k.Pop[1])}
		if place[0] < last[0] || place[0] == last[0] && place[1] < last[1] {
			return fmt.Errorf("%s stands in the wrong place of the card", k.ID)
		}
		last = place
	}
	return nil
}

// rest looks for another bout within four weeks of one that the referee booked
// himself. What managers have agreed on afterwards is theirs to answer for.
func (a *audit) rest(st step, k Booking, id FighterID) error {
	at := 4*(st.After.Round-1) + k.Week
	for _, w := range a.boxed[id] {
		if at-w < 4 {
			return fmt.Errorf("%s: %s boxed in week %d and is booked for week %d", k.ID, id, w, at)
		}
	}
	for _, o := range st.After.Card {
		if o.ID != k.ID && o.Why != "agreed" && (o.Fighters[0] == id || o.Fighters[1] == id) {
			return fmt.Errorf("%s: %s is also booked for %s", k.ID, id, o.ID)
		}
	}
	return nil
}

func eligible(k Booking) bool {
	high, low := max(k.Pop[0], k.Pop[1]), min(k.Pop[0], k.Pop[1])
	sum := float64(high+low) / 2
	h, l := float64(high)/2, float64(low)/2
	switch k.Arena {
	case "best":
		return sum >= 35 || h >= 20 && l >= 10
	case "high":
		return sum >= 25 || h >= 16 && l >= 6
	case "middle":
		return sum >= 18 || h >= 12 && l >= 3
	case "low":
		return sum >= 10 || h >= 8
	}
	return k.Arena == "pits"
}

func lengthOf(k Booking) error {
	bounds := map[Arena][2]int{"best": {8, 12}, "high": {6, 12}, "middle": {6, 10}, "low": {5, 8}, "pits": {3, 7}}[k.Arena]
	if k.Title {
		bounds = [2]int{10, 15}
	}
	if k.Class != "heavy" {
		bounds = [2]int{max(bounds[0]-2, 3), max(bounds[1]-2, 3)}
	}
	if k.Rounds < bounds[0] || k.Rounds > bounds[1] {
		return fmt.Errorf("%s: %d rounds at %s, want %v", k.ID, k.Rounds, k.Arena, bounds)
	}
	return nil
}
