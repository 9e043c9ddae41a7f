package ringside

import (
	"slices"
	"strconv"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
	"ringpost/internal/rules/ringside/plan"
)

// Version is the newest version of these rules, Schema that of the state's JSON.
const (
	Version = 1
	Schema  = 2
)

// State is a campaign between two turns. Its size depends on the number of
// managers and fighters alone.
type State struct {
	Version  int   `json:"version"`
	Settings Terms `json:"settings"`
	Round    int   `json:"round"` // the turn now open, from 1
	// Managers are in order of entry, Fighters in that of creation; who leaves is
	// gone from here.
	Managers []Manager `json:"managers"`
	Fighters []Fighter `json:"fighters"`
	Created  int       `json:"created"` // fighters so far, for the next one's id
	Titles   []Title   `json:"titles"`  // one a class, as the settings list them
	// Card holds the bouts of the open turn in the order in which they are fought.
	Card []Booking `json:"card"`
	// Unfinished are the bouts of the card that have begun already, Stakes the bets
	// on them.
	Unfinished []Unfinished `json:"unfinished,omitempty"`
	Stakes     []Stake      `json:"stakes,omitempty"`
	// Offers are fighters for sale, Challenges wait for their answer (both until the
	// open turn is closed).
	Offers     []Offer     `json:"offers,omitempty"`
	Challenges []Challenge `json:"challenges,omitempty"`
	// The other ledgers (RSC-25); those of managers and fighters stand with them.
	Bank   Money   `json:"bank"`
	Houses []Money `json:"houses"` // of the arenas, from the Pits
	Away   Money   `json:"away"`   // what those took along who left
}

// Terms are a game's settings.
type Terms struct {
	Ring     int          `json:"ring"` // squares a side (RS-1)
	Advanced bool         `json:"advanced"`
	Scoring  bout.Scoring `json:"scoring"`
	Chart    bout.Chart   `json:"chart"`
	Stable   int          `json:"stable"`  // fighters a manager starts with (RSC-23)
	Classes  []Class      `json:"classes"` // fought in (RSC-12)
	Defence  int          `json:"defence"` // turns within which a champion must defend (RSC-9)
	Rematch  int          `json:"rematch"` // turns for which the matchmaker keeps two apart (RSC-24)
	Parts    int          `json:"parts"`   // boxing rounds a turn of title bouts; 0: all at once
	NMRLimit int          `json:"nmr_limit"`
	Money    Money        `json:"money"` // a manager starts with
	Sales    bool         `json:"sales"`
	Bets     bool         `json:"bets"`
	Rent     Money        `json:"rent"` // for a place on a card; 0: none can be rented
}

// Manager is a seat.
type Manager struct {
	Seat   game.SeatID `json:"seat"`
	Name   string      `json:"name"`
	Cash   Money       `json:"cash"`   // his ledger
	Cuts   Money       `json:"cuts"`   // what came of it from purses
	Joined int         `json:"joined"` // the turn at whose close he entered; 0 from the start
	Missed int         `json:"missed"` // NMRs in a row
}

// FighterID names a fighter for good: "f1", "f2", … in order of creation. Dice hang
// on it, never on the name (G-1).
type FighterID string

func fighterID(n int) FighterID { return FighterID("f" + strconv.Itoa(n)) }

// number is n of "fn".
func (id FighterID) number() int {
	n, err := strconv.Atoi(string(id[min(1, len(id)):]))
	if err != nil {
		return 0
	}
	return n
}

// Fighter is a boxer of somebody's stable.
type Fighter struct {
	ID      FighterID   `json:"id"`
	Name    string      `json:"name"`
	Manager game.SeatID `json:"manager"`
	Class   Class       `json:"class"`
	bout.Fighter
	Gained     Gains `json:"gained"`
	Historical bool  `json:"historical,omitempty"` // of a roster: may retire at any time (RSC-19)
	Cut        int   `json:"cut"`                  // his manager's, in percent (RSC-15)
	Lot        int   `json:"lot"`                  // 1 to 10000, for equals in the ranking (RSC-8)
	Since      int   `json:"since"`                // the turn at whose close he came; 0 from the start

	Earned Pop `json:"earned"` // what bouts brought him (RSC-4)
	// Rank is his place among the contenders of his class, from 1; the champion and
	// who has not been ranked yet have 0. LastRank is that of a turn ago.
	Rank     int    `json:"rank"`
	LastRank int    `json:"last_rank"`
	Record   Record `json:"record"`

	Share  Money `json:"share"`  // his ledger: purses less cuts
	Purses Money `json:"purses"` // his winnings so far

	Plan *plan.Plan `json:"plan,omitempty"` // the standing one (G-11)
	Last Last       `json:"last"`
	// Past holds his last bouts, newest first, at most PastBouts.
	Past []Past `json:"past,omitempty"`
	// Going is who gets him once the cards are fought, Leaving says that he retires
	// then. They are set while a turn is closed only.
	Going   game.SeatID `json:"-"`
	Leaving bool        `json:"-"`
}

// PastBouts is how many bouts a record shows.
const PastBouts = 10

// Gains are the points that experience added to a fighter's ratings (RSC-16).
type Gains struct {
	Endurance int `json:"endurance,omitempty"`
	Agility   int `json:"agility,omitempty"`
	Counter   int `json:"counter,omitempty"`
}

// Record counts a fighter's bouts.
type Record struct {
	Wins      int `json:"wins"`
	Losses    int `json:"losses"`
	Draws     int `json:"draws"`
	KOWins    int `json:"ko_wins"`
	TKOWins   int `json:"tko_wins"`
	KOLosses  int `json:"ko_losses"`
	TKOLosses int `json:"tko_losses"`
	Titles    int `json:"titles"`   // times he won the championship
	Defences  int `json:"defences"` // times he defended it
	// Won and Lost count wins and defeats in a row; Best is his longest row of wins.
	Won  int `json:"won"`
	Lost int `json:"lost"`
	Best int `json:"best"`
}

// Bouts is how many he has fought.
func (r Record) Bouts() int { return r.Wins + r.Losses + r.Draws }

// Last is what a fighter's last bout left (RSC-18).
type Last struct {
	Week int `json:"week"` // counted through all turns; 0: he has not boxed yet
	Loss int `json:"loss"` // of endurance, from the first bell to the last
}

// Past is a bout as its fighter remembers it.
type Past struct {
	Round    int         `json:"round"`
	Week     int         `json:"week"` // of the turn
	Arena    Arena       `json:"arena"`
	Title    bool        `json:"title,omitempty"`
	Rival    FighterID   `json:"rival"`
	Opponent string      `json:"opponent"`
	Result   string      `json:"result"` // Won, Lost, Tied
	Method   bout.Method `json:"method"`
	End      int         `json:"end"` // the boxing round in which it ended
	Purse    Money       `json:"purse"`
}

// What a bout was for one fighter.
const (
	Won  = "won"
	Lost = "lost"
	Tied = "drawn"
)

// Title is the championship of a class (RSC-9).
type Title struct {
	Class    Class     `json:"class"`
	Champion FighterID `json:"champion,omitempty"` // "" while it is vacant
	Since    int       `json:"since,omitempty"`    // the turn in which he won it
	Defences int       `json:"defences,omitempty"` // in this reign
	By       int       `json:"by,omitempty"`       // the turn in which he must defend it at the latest
}

// Booking is a bout to come.
type Booking struct {
	ID    string `json:"id"` // "f3-f7"
	Class Class  `json:"class"`
	Week  int    `json:"week"` // 1 to 4
	Arena Arena  `json:"arena"`
	// Rounds are scheduled, Advanced says by which rules (RS-36).
	Rounds   int  `json:"rounds"`
	Advanced bool `json:"advanced"`
	// Fought are the rounds of it that are over: it goes on.
	Fought int `json:"fought,omitempty"`
	// Title: the championship is at stake. Vacant: nobody holds it.
	Title  bool   `json:"title,omitempty"`
	Vacant bool   `json:"vacant,omitempty"`
	Why    string `json:"why"`
	// Fighters: in a title bout the champion first, otherwise the more popular. Pop
	// is what they had when the bout was scheduled, bonus included (RSC-7).
	Fighters [2]FighterID `json:"fighters"`
	Pop      [2]Pop       `json:"pop"`
}

// How bouts come about.
const (
	WhyVacant    = "vacant"    // the two best contenders for a title that nobody holds
	WhyMandatory = "mandatory" // the champion has to defend
	WhyVoluntary = "voluntary" // the champion was free for a challenger
	WhyAgreed    = "agreed"    // both managers wanted it
	WhyMatched   = "matched"   // the matchmaker's
)

// boutID is the same whoever is named first.
func boutID(a, b FighterID) string {
	if b.number() < a.number() {
		a, b = b, a
	}
	return string(a) + "-" + string(b)
}

// Offer is a fighter for sale.
type Offer struct {
	Fighter FighterID   `json:"fighter"`
	Seller  game.SeatID `json:"seller"`
	Price   Money       `json:"price"`
}

// Challenge is a bout that one of two managers wants.
type Challenge struct {
	Seat  game.SeatID `json:"seat"` // whose
	Own   FighterID   `json:"own"`
	Other FighterID   `json:"other"`
	Proposal
}

// Proposal are the terms of a challenge; zero values leave them open.
type Proposal struct {
	Arena  Arena `json:"arena,omitempty"`
	Rounds int   `json:"rounds,omitempty"`
	Week   int   `json:"week,omitempty"`
	Plain  bool  `json:"plain,omitempty"` // without the advanced rules (RS-36)
}

// clone copies a state as deep as Advance changes it: plans and bouts of the past
// are never changed, only replaced.
func (s State) clone() State {
	s.Managers = slices.Clone(s.Managers)
	s.Fighters = slices.Clone(s.Fighters)
	s.Titles = slices.Clone(s.Titles)
	s.Card = slices.Clone(s.Card)
	s.Unfinished = slices.Clone(s.Unfinished)
	s.Stakes = slices.Clone(s.Stakes)
	s.Houses = slices.Clone(s.Houses)
	return s
}

// manager finds a seat's place, -1 when it is not there.
func (s *State) manager(seat game.SeatID) int {
	return slices.IndexFunc(s.Managers, func(m Manager) bool { return m.Seat == seat })
}

// fighter finds a fighter's place, -1 when he is not there.
func (s *State) fighter(id FighterID) int {
	n := id.number()
	i, ok := slices.BinarySearchFunc(s.Fighters, n, func(f Fighter, n int) int { return f.ID.number() - n })
	if !ok || n == 0 || s.Fighters[i].ID != id {
		return -1
	}
	return i
}

// stable are a manager's fighters.
func (s *State) stable(seat game.SeatID) []Fighter {
	var out []Fighter
	for _, f := range s.Fighters {
		if f.Manager == seat {
			out = append(out, f)
		}
	}
	return out
}

// title finds a class's title.
func (s *State) title(c Class) *Title {
	for i := range s.Titles {
		if s.Titles[i].Class == c {
			return &s.Titles[i]
		}
	}
	return nil
}

// champion reports whether a fighter holds the title of his class.
func (s *State) champion(f *Fighter) bool {
	t := s.title(f.Class)
	return t != nil && t.Champion == f.ID
}

// booking finds the bouts of a fighter on the open card.
func (s *State) bookings(id FighterID) []Booking {
	var out []Booking
	for _, b := range s.Card {
		if b.side(id) >= 0 {
			out = append(out, b)
		}
	}
	return out
}

// side is 0 or 1, -1 for who is not in the bout.
func (b Booking) side(id FighterID) int { return slices.Index(b.Fighters[:], id) }

// week counts weeks through all turns (RSC-2).
func week(round, week int) int { return 4*(round-1) + week }
