// Package audit follows a campaign of Ringside by its public figures alone, as
// anybody could who has the public export: it works out anew, from the rulings and
// nothing of the game's own code, what each turn should come to. It is for tests.
package audit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Terms are what of a game's settings the figures hang on.
type Terms struct {
	Defence int // turns within which a champion must defend
	Rematch int // turns for which the matchmaker keeps two apart
	Parts   int // boxing rounds a turn of title bouts, 0: all of them
	Rent    int // dollars for a place on a card
	Money   int // dollars a manager starts with
}

// Audit is what must hold after the turns followed so far.
type Audit struct {
	terms     Terms
	round     int // the next one
	ledgers   map[string]int
	fighters  map[string]*man
	managers  map[string]bool
	champions map[string]string // by class
	by        map[string]int    // turns in which they must defend at the latest
	met       map[string]int    // the last turn in which two met
	card      []booking
	ring      map[string]*running // bouts that have begun, by id
	stakes    map[string][]int    // of bets that wait, by seat
	// Counted says how often what happened, for whoever wants to be sure that it did.
	Counted map[string]int
}

// man is a fighter as his bouts made him.
type man struct {
	id, owner, class   string
	earned             int // half points
	wins, losses, ties int
	kos                int
	row, lost          int // wins and defeats in a row
	lot, cut           int
	ratings            ratings
	gained             map[string]int
	weeks              []int // of his bouts, counted through all turns
	loss               int   // of endurance in the last one
	purses             int
}

// running is a bout that has begun and is not over.
type running struct {
	of    booking
	cards []card
	left  [2]int // endurance
}

// New begins before the setup.
func New(terms Terms) *Audit {
	return &Audit{terms: terms, ledgers: map[string]int{}, fighters: map[string]*man{}, managers: map[string]bool{}, champions: map[string]string{},
		by: map[string]int{}, met: map[string]int{}, ring: map[string]*running{}, stakes: map[string][]int{}, Counted: map[string]int{}}
}

// Follow takes in the summary of the next step, the setup first, and says what in it
// should be otherwise; nil when nothing should.
func (a *Audit) Follow(summary []byte) error {
	var s step
	if err := json.Unmarshal(summary, &s); err != nil {
		return fmt.Errorf("reading the summary of turn %d: %w", a.round, err)
	}
	if s.Round != a.round {
		return fmt.Errorf("turn %d follows where %d is due", s.Round, a.round)
	}
	a.round++
	for _, check := range []func(*step) error{a.came, a.bouts, a.cuts, a.bets, a.news, a.moves, a.ledger, a.standings, a.rankings, a.titles, a.next} {
		if err := check(&s); err != nil {
			return fmt.Errorf("turn %d: %w", s.Round, err)
		}
	}
	a.Counted["bouts"] += len(s.Bouts)
	a.Counted["entries"] += len(s.Entries)
	return nil
}

// came enters who joined, and new fighters.
func (a *Audit) came(s *step) error {
	for _, m := range s.Managers {
		if !a.managers[m.Seat] {
			a.managers[m.Seat] = true
			s.expect("bank", m.Seat, a.terms.Money*100, "start")
			a.Counted["joined"]++
		}
	}
	for _, c := range s.Came {
		if a.fighters[c.Fighter] != nil {
			return fmt.Errorf("%s comes twice", c.Fighter)
		}
		if c.Cut < 11 || c.Cut > 30 || !c.Historical && !c.Ratings.rolled() {
			return fmt.Errorf("%s comes with %+v and a cut of %d", c.Fighter, c.Ratings, c.Cut)
		}
		a.fighters[c.Fighter] = &man{id: c.Fighter, owner: c.Manager, class: c.Class, lot: c.Lot, cut: c.Cut, ratings: c.Ratings, gained: map[string]int{}}
		a.Counted["came"]++
	}
	return nil
}

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
		if !slices.Contains(s.Cancelled, k) || a.licensed(s.Round, k) {
			return fmt.Errorf("%s was not fought", k.ID)
		}
		if k.Title && a.champions[k.Class] != "" {
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

func (a *Audit) licensed(round int, k booking) bool {
	for _, id := range k.Fighters {
		if a.fighters[id].ratings.Endurance+7*k.Rounds-a.carried(round, id, k.Week) <= 0 {
			return false
		}
	}
	return true
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

// news follows titles that were lost outside the ring.
func (a *Audit) news(s *step) error {
	for _, n := range s.News {
		switch n.Code {
		case "vacated":
			if !slices.Contains(s.gone(a), a.champions[n.Class]) {
				return fmt.Errorf("the title of %s is vacated, and %s is still there", n.Class, a.champions[n.Class])
			}
			delete(a.champions, n.Class)
		case "lapsed":
			if s.Round < a.by[n.Class] {
				return fmt.Errorf("the title of %s lapsed, and it is due by turn %d", n.Class, a.by[n.Class])
			}
			delete(a.champions, n.Class)
		}
		a.Counted["title "+n.Code]++
	}
	return nil
}

// moves follows sales, trades, and those who go.
func (a *Audit) moves(s *step) error {
	retired := map[string]bool{}
	for _, m := range s.Moves {
		f := a.fighters[m.Fighter]
		switch m.Code {
		case "sold":
			if f.owner != m.From {
				return fmt.Errorf("%s sells %s of %s", m.From, m.Fighter, f.owner)
			}
			s.expect(m.To, m.From, m.Price, "sale")
			f.owner = m.To
		case "traded":
			f.owner, a.fighters[m.Other].owner = m.To, m.From
		case "retired":
			retired[m.Fighter] = true
			if f.wins+f.losses+f.ties < 10 && f.lost < 3 {
				// He may have had three defeats in a row before this turn's bouts.
				boxed := slices.ContainsFunc(s.Bouts, func(b bout) bool { return slices.Contains(b.Booking.Fighters[:], m.Fighter) })
				if !boxed {
					return fmt.Errorf("%s retires after %d bouts, %d defeats in a row", m.Fighter, f.wins+f.losses+f.ties, f.lost)
				}
			}
		}
		a.Counted[m.Code]++
	}
	left := map[string]bool{}
	for _, l := range s.Left {
		left[l.Seat] = true
		delete(a.managers, l.Seat)
		a.Counted["left "+l.Reason]++
	}
	for _, id := range s.gone(a) {
		if f := a.fighters[id]; !retired[id] && !left[f.owner] {
			return fmt.Errorf("%s of %s is gone", id, f.owner)
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

// Happened lists what was counted, for messages.
func (a *Audit) Happened() []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(a.Counted)) {
		out = append(out, fmt.Sprintf("%s %d", k, a.Counted[k]))
	}
	return out
}

func number(id string) int {
	n, err := strconv.Atoi(strings.TrimLeft(id, "fs"))
	if err != nil {
		return 0
	}
	return n
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
