package ringside

import (
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// Export is a turn in figures, for anyone who wants to check or count. Nothing is in
// it that an event keeps from anybody: no plans, no lines of managers. Money is in
// cents, POP in half points.
type Export struct {
	Round    int             `json:"round"` // 0: the setup
	Managers []ExportManager `json:"managers"`
	Fighters []ExportFighter `json:"fighters"`
	Titles   []Title         `json:"titles"` // after the turn
	Bouts    []Bout          `json:"bouts"`
	// Cancelled are bouts that were not fought, Next those that are booked, in the order
	// of the cards.
	Cancelled []Booking     `json:"cancelled"`
	Next      []Booking     `json:"next"`
	News      []TitleNews   `json:"news"` // of titles
	Lots      []Lots        `json:"lots"`
	Cuts      []ExportCut   `json:"cuts"`
	Came      []ExportCame  `json:"came"` // fighters
	Moves     []ExportMove  `json:"moves"`
	Bets      []ExportBet   `json:"bets"`
	Left      []ExportLeft  `json:"left"`
	Missed    []game.SeatID `json:"missed"`
	Entries   []Entry       `json:"entries"` // of all ledgers
	Houses    []Money       `json:"houses"`  // the arenas' ledgers, from the Pits
	Bank      Money         `json:"bank"`
	Away      Money         `json:"away"`
}

// ExportManager is a manager after the turn.
type ExportManager struct {
	Seat game.SeatID `json:"seat"`
	Name string      `json:"name"`
	Cash Money       `json:"cash"`
	Cuts Money       `json:"cuts"`
}

// ExportFighter is a fighter after the turn.
type ExportFighter struct {
	ID      FighterID    `json:"id"`
	Name    string       `json:"name"`
	Manager game.SeatID  `json:"manager"`
	Class   Class        `json:"class"`
	Ratings bout.Fighter `json:"ratings"`
	Cut     int          `json:"cut"`
	Earned  Pop          `json:"earned"`
	Pop     Pop          `json:"pop"` // with the rank's bonus
	Rank    int          `json:"rank"`
	Record  Record       `json:"record"`
	Purses  Money        `json:"purses"`
	Share   Money        `json:"share"`
}

// ExportCut is a new cut.
type ExportCut struct {
	Fighter FighterID `json:"fighter"`
	NewCut
}

// ExportCame is a fighter who came.
type ExportCame struct {
	Fighter FighterID   `json:"fighter"`
	Manager game.SeatID `json:"manager"`
	Newcomer
}

// ExportMove is a fighter who changes stables ("sold", "traded"), may ("offered") or
// retires ("retired").
type ExportMove struct {
	Code    string    `json:"code"`
	Fighter FighterID `json:"fighter"`
	*Sale
}

// ExportBet is a bet that was settled.
type ExportBet struct {
	Seat game.SeatID `json:"seat"`
	Bet
}

// ExportLeft is a manager who left.
type ExportLeft struct {
	Seat game.SeatID `json:"seat"`
	Leave
}

// NewExport puts a step into figures.
func NewExport(st step) Export {
	s := &st.After
	x := Export{
		Round: st.Round, Managers: []ExportManager{}, Fighters: []ExportFighter{}, Titles: s.Titles,
		Bouts: []Bout{}, Cancelled: []Booking{}, Next: s.Card, News: []TitleNews{}, Lots: []Lots{}, Cuts: []ExportCut{},
		Came: []ExportCame{}, Moves: []ExportMove{}, Bets: []ExportBet{}, Left: []ExportLeft{}, Missed: []game.SeatID{}, Entries: []Entry{},
		Houses: s.Houses, Bank: s.Bank, Away: s.Away,
	}
	for _, m := range s.Managers {
		x.Managers = append(x.Managers, ExportManager{Seat: m.Seat, Name: m.Name, Cash: m.Cash, Cuts: m.Cuts})
	}
	for i := range s.Fighters {
		f := &s.Fighters[i]
		x.Fighters = append(x.Fighters, ExportFighter{ID: f.ID, Name: f.Name, Manager: f.Manager, Class: f.Class, Ratings: f.Fighter, Cut: f.Cut,
			Earned: f.Earned, Pop: s.pop(f), Rank: f.Rank, Record: f.Record, Purses: f.Purses, Share: f.Share})
	}
	for _, e := range st.Events {
		if e.For == nil {
			x.add(e)
		}
	}
	return x
}

func (x *Export) add(e event) {
	switch d := e.Data; e.Code {
	case EventBout:
		x.Bouts = append(x.Bouts, *d.Bout)
	case EventCancelled:
		x.Cancelled = append(x.Cancelled, *d.Booking)
	case EventTitle:
		x.News = append(x.News, *d.Title)
	case EventLots:
		x.Lots = append(x.Lots, *d.Lots)
	case EventCut:
		x.Cuts = append(x.Cuts, ExportCut{d.Fighter, *d.Cut})
	case EventFighter:
		x.Came = append(x.Came, ExportCame{d.Fighter, d.Seat, *d.Newcomer})
	case EventSold, EventTraded, EventOffered, EventRetired:
		x.Moves = append(x.Moves, ExportMove{e.Code, d.Fighter, d.Sale})
	case EventBet:
		x.Bets = append(x.Bets, ExportBet{d.Seat, *d.Bet})
	case EventLeft:
		x.Left = append(x.Left, ExportLeft{d.Seat, *d.Leave})
	case EventMissed:
		x.Missed = append(x.Missed, d.Seat)
	case EventMoney:
		x.Entries = append(x.Entries, d.Entries...)
	}
}
