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
