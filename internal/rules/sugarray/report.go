package sugarray

import (
	"fmt"

	"ringpost/internal/game"
)

type (
	step  = game.Step[State, Event]
	event = game.Event[Event]
)

// reportViews are a report's parts in order: the reader's own, the shared body,
// and where the rest is when the body is short.
func reportViews(st step, to game.Audience) []game.View {
	var views []game.View
	if st.Round > 0 && to.Seat != "" {
		if own, ok := ownPart(st, to.Seat); ok {
			views = append(views, view("own", "", func() any { return own }))
		}
	}
	fought, stands, short := NoLeague, NoLeague, false
	if to.Seat != "" && len(st.After.Boxers) > wholeReport {
		fought, stands = leaguesOf(st, to.Seat)
		short = true
	}
	key := "all"
	if short {
		key = fmt.Sprintf("league-%d-%d", fought, stands)
	}
	views = append(views, view("report", key, func() any { return body(st, fought, stands, short) }))
	if short {
		rest := Elsewhere{Boxers: len(st.After.Boxers), Round: st.Round}
		views = append(views, view("elsewhere", key, func() any { return rest }))
	}
	return views
}

// leaguesOf are the league a seat boxed in and the one it stands in now; the
// champion and whoever is not there read of league 1.
func leaguesOf(st step, seat game.SeatID) (fought, stands int) {
	before, was := st.Before.boxer(seat)
	after, is := st.After.boxer(seat)
	switch {
	case !was:
		before = after
	case !is:
		after = before
	}
	return max(before.League, TopLeague), max(after.League, TopLeague)
}

// body gathers the shared part; short ones hold one league's fights and one
// league's table, and name nobody else who missed a move, came or went.
func body(st step, fought, stands int, short bool) Report {
	r := Report{
		Round: st.Round, Boxers: len(st.After.Boxers), Short: short,
		Table: st.After.table(stands), Next: st.After.next(stands),
	}
	names := namesOf(st)
	told := func(game.SeatID) bool { return true }
	if short {
		seats := seatsOf(st, fought, stands)
		told = func(seat game.SeatID) bool { return seats[seat] }
	}
	for _, e := range st.Events {
		if e.Data.Seat != "" && !told(e.Data.Seat) {
			continue
		}
		switch e.Code {
		case EventFight:
			r.addFight(e.Data.Fight, fought)
		case EventTitle:
			r.addTitle(e.Data.Title, st, names)
		case EventMissed:
			r.Missed = append(r.Missed, e.Data.Name)
		case EventRemoved, EventLeft:
			l := e.Data.Leave
			r.Left = append(r.Left, LeftView{Name: e.Data.Name, Reason: l.Reason, Count: l.Count})
		case EventJoined:
			if st.Round > 0 {
				n := e.Data.Entry
				r.Joined = append(r.Joined, EntryView{Name: e.Data.Name, Values: Values(*n)})
			}
		}
	}
	return r
}

func (r *Report) addFight(f *Fight, only int) {
	v := FightView{Lines: FightLines(*f), Code: f.Code, KO: f.KO, Round: f.Rounds}
	switch last := len(r.Leagues) - 1; {
	case f.League == NoLeague:
		if r.Title == nil {
			r.Title = &TitleView{}
		}
		r.Title.Fight = &v
	case only != NoLeague && f.League != only:
	case last >= 0 && r.Leagues[last].League == f.League:
		r.Leagues[last].Fights = append(r.Leagues[last].Fights, v)
	default:
		r.Leagues = append(r.Leagues, LeagueFights{League: f.League, Fights: []FightView{v}})
	}
}

// addTitle tells what became of the title. A champion who is gone is told with
// what was boxed for his title, before or after he left (SR-27).
func (r *Report) addTitle(n *TitleNews, st step, names map[game.SeatID]string) {
	if r.Title == nil {
		r.Title = &TitleView{}
	}
	v := r.Title
	switch {
	case n.Code != TitleVacated:
		if v.Code == TitleVacated {
			v.Gone = v.Before
		}
	case v.Code != "":
		v.Left = true
		return
	}
	v.Code, v.Defences = n.Code, n.Defences
	v.Champion, v.Before = names[n.Champion], names[n.Before]
	falls := n.Rival
	switch {
	case n.Code == TitleWon || n.Code == TitleLost:
		falls = n.Before
	case n.Code == TitleOpen && v.Fight.Code == CodeDraw: // both stay (SR-26)
		falls = ""
	}
	if _, stays := st.After.boxer(falls); stays {
		v.Falls = names[falls]
	}
}

// seatsOf are those of whom a short report tells: who was in the league that it
// shows boxing, who stands in the one whose table it shows, and who boxed for the
// title.
func seatsOf(st step, fought, stands int) map[game.SeatID]bool {
	title := st.Before.Card.title()
	seats := map[game.SeatID]bool{st.Before.Title.Champion: true, title.A: true, title.B: true}
	for _, b := range st.Before.Boxers {
		seats[b.Seat] = seats[b.Seat] || b.League == fought
	}
	for _, b := range st.After.Boxers {
		seats[b.Seat] = seats[b.Seat] || b.League == stands
	}
	return seats
}

// namesOf are the names of all who were there before or after.
func namesOf(st step) map[game.SeatID]string {
	names := map[game.SeatID]string{}
	for _, s := range []State{st.Before, st.After} {
		for _, b := range s.Boxers {
			names[b.Seat] = b.Name
		}
	}
	return names
}
