package sugarray

import (
	"slices"

	"ringpost/internal/game"
)

// Version is the newest version of these rules, Schema that of the state's JSON.
const (
	Version = 1
	Schema  = 1
)

// The leagues; league 0 is the champion's place above them.
const (
	TopLeague    = 1
	StartLeague  = 3 // SR-33
	BottomLeague = 4
	NoLeague     = 0
)

// State is a league between two rounds. Its size depends on the number of
// boxers alone, so that round 1,000 costs what round 1 does.
type State struct {
	Version  int   `json:"version"`
	Settings Terms `json:"settings"`
	Round    int   `json:"round"` // the round now open, from 1
	// Boxers are in order of entry; who leaves is gone from here.
	Boxers []Boxer `json:"boxers"`
	Title  Title   `json:"title"`
	Card   Card    `json:"card"`
}

// Terms are a game's settings.
type Terms struct {
	// ChampionTraining says who may not train: "start" the champion of the
	// round's start, "end" that of its end (SR-17).
	ChampionTraining string `json:"champion_training"`
	Season           int    `json:"season"`    // rounds a season (SR-38)
	NMRLimit         int    `json:"nmr_limit"` // NMRs in a row that cost the place; 0 never (G-10)
}

// Title is who holds the championship.
type Title struct {
	Champion game.SeatID `json:"champion,omitempty"` // "" while the title is vacant
	Defences int         `json:"defences,omitempty"` // in this reign
}

// Boxer is a seat.
type Boxer struct {
	Seat      game.SeatID `json:"seat"`
	Name      string      `json:"name"`
	League    int         `json:"league"` // 1 to 4; 0 the champion
	Technique int64       `json:"technique"`
	Condition int64       `json:"condition"`
	Record    Record      `json:"record"`
	// LeagueSince is the round in which he came to his league; it decides who
	// has served longest (SR-23) and may be negative for an import (SR-39).
	LeagueSince int `json:"league_since"`
	Joined      int `json:"joined"` // the round at whose close he entered; 0 from the start
	Missed      int `json:"missed"` // NMRs in a row
	// LastPlace and SeasonPlace are his places in the whole table a round ago
	// and at the season's start, from 1; 0 when he was not in it (SR-38).
	LastPlace   int `json:"last_place"`
	SeasonPlace int `json:"season_place"`
	// Past holds his last fights, newest first, at most PastFights.
	Past []Past `json:"past,omitempty"`
}

// PastFights is how many fights a boxer is judged by.
const PastFights = 3

// Record counts a boxer's fights, title fights and fights against the dummy
// included (SR-30).
type Record struct {
	Wins     int `json:"wins"`
	Losses   int `json:"losses"`
	Draws    int `json:"draws"`
	KOWins   int `json:"ko_wins"`
	KOLosses int `json:"ko_losses"`
	Titles   int `json:"titles"`   // times he won the championship
	Defences int `json:"defences"` // times he defended it
}

// Past is a fight as its boxer remembers it.
type Past struct {
	Round    int    `json:"round"`
	League   int    `json:"league"` // 0: a title fight
	Opponent string `json:"opponent"`
	Dummy    bool   `json:"dummy,omitempty"`
	Own      []Pair `json:"own"`   // as far as it was boxed
	Other    []Pair `json:"other"` // the opponent's
	Result   string `json:"result"`
	Code     string `json:"code"` // PS, KO, U
	KORound  int    `json:"ko_round,omitempty"`
}

// What a fight was for one boxer.
const (
	Won   = "won"
	Lost  = "lost"
	Tied  = "drawn"
	Idled = "idle" // he had no bout
)

// Card is what is boxed in the open round.
type Card struct {
	// Bouts are in the order in which they are fought: the title bout, then
	// league by league as drawn.
	Bouts []Pairing `json:"bouts"`
	// Idle is set when the champion has nobody to box (SR-25).
	Idle bool `json:"idle,omitempty"`
}

// Pairing is one bout to come.
type Pairing struct {
	League int         `json:"league"`      // 0: for the title
	A      game.SeatID `json:"a"`           // in a title bout the champion, if there is one
	B      game.SeatID `json:"b,omitempty"` // "": the dummy
}

// clone copies a state as deep as Advance changes it: fights of the past are
// never changed, only replaced.
func (s State) clone() State {
	s.Boxers = slices.Clone(s.Boxers)
	s.Card.Bouts = slices.Clone(s.Card.Bouts)
	return s
}

// without is the open round as it will be boxed when these are taken out of it: the
// dummy stands in for them, and a champion's title is vacant (SR-27, SR-34).
func (s State) without(gone []game.SeatID) State {
	if len(gone) == 0 {
		return s
	}
	s = s.clone()
	out := func(seat game.SeatID) bool { return slices.Contains(gone, seat) }
	s.Boxers = slices.DeleteFunc(s.Boxers, func(b Boxer) bool { return out(b.Seat) })
	if out(s.Title.Champion) {
		s.Title = Title{}
	}
	for i := range s.Card.Bouts {
		p := &s.Card.Bouts[i]
		if out(p.B) {
			p.B = ""
		}
		if out(p.A) {
			p.A, p.B = p.B, ""
		}
	}
	s.Card.Bouts = slices.DeleteFunc(s.Card.Bouts, func(p Pairing) bool { return p.A == "" })
	return s
}

// at is the index of a seat among the boxers, -1 when it is not there.
func (s *State) at(seat game.SeatID) int {
	return slices.IndexFunc(s.Boxers, func(b Boxer) bool { return b.Seat == seat })
}

// boxer returns a copy of a seat's boxer.
func (s *State) boxer(seat game.SeatID) (Boxer, bool) {
	if i := s.at(seat); i >= 0 {
		return s.Boxers[i], true
	}
	return Boxer{}, false
}

// title is the title bout, the zero value when there is none.
func (c Card) title() Pairing {
	if len(c.Bouts) > 0 && c.Bouts[0].League == NoLeague {
		return c.Bouts[0]
	}
	return Pairing{}
}

// bout finds the bout of a seat.
func (c Card) bout(seat game.SeatID) (Pairing, bool) {
	for _, p := range c.Bouts {
		if p.A == seat || p.B == seat && seat != "" {
			return p, true
		}
	}
	return Pairing{}, false
}

// seats are all who have a bout.
func (c Card) seats() map[game.SeatID]bool {
	out := make(map[game.SeatID]bool, 2*len(c.Bouts))
	for _, p := range c.Bouts {
		out[p.A] = true
		if p.B != "" {
			out[p.B] = true
		}
	}
	return out
}

// opponent is the other seat of a bout, "" for the dummy.
func (p Pairing) opponent(seat game.SeatID) game.SeatID {
	if p.A == seat {
		return p.B
	}
	return p.A
}
