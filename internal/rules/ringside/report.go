package ringside

import (
	"fmt"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
	"ringpost/internal/rules/ringside/plan"
)

// reportViews are a report's parts in order: the reader's own, and the body that all
// share.
func reportViews(st step, to game.Audience) []game.View {
	var views []game.View
	if st.Round > 0 && to.Seat != "" {
		if own, ok := ownPart(st, to.Seat); ok {
			views = append(views, view("own", "", func() any { return own }))
		}
	}
	return append(views, view("report", "all", func() any { return body(st) }))
}

// body gathers the shared part. Nothing that an event keeps from anybody is in it.
func body(st step) Report {
	r := Report{Round: st.Round, Table: st.After.table(), Next: st.After.next(), Classes: len(st.After.Settings.Classes)}
	who := whois{&st.Before, &st.After}
	for _, e := range st.Events {
		if e.For != nil {
			continue
		}
		switch d := e.Data; e.Code {
		case EventBout:
			r.addBout(boutView(*d.Bout))
		case EventCancelled:
			r.addBout(BoutView{Bout: Bout{Booking: *d.Booking}, Cancelled: true,
				First: who.fighter(d.Booking.Fighters[0]), Second: who.fighter(d.Booking.Fighters[1])})
		case EventTitle:
			r.Titles = append(r.Titles, *d.Title)
		case EventMissed:
			r.Missed = append(r.Missed, d.Name)
		case EventJoined:
			r.Joined = append(r.Joined, d.Name)
		case EventLeft:
			r.Left = append(r.Left, LeftView{Name: d.Name, Reason: d.Leave.Reason, Count: d.Leave.Count})
		case EventRetired:
			r.Retired = append(r.Retired, d.Name)
		case EventFighter:
			n := d.Newcomer
			r.Newcomers = append(r.Newcomers, NewcomerView{Name: d.Name, Manager: who.manager(d.Seat), Class: n.Class, Ratings: n.Ratings, Cut: n.Cut})
		case EventSold, EventTraded:
			r.Moves = append(r.Moves, MoveView{Name: d.Name, From: who.manager(d.Sale.From), To: who.manager(d.Sale.To), Other: d.Sale.OtherName, Price: d.Sale.Price})
		case EventOffered:
			r.Offers = append(r.Offers, MoveView{Name: d.Name, From: who.manager(d.Sale.From), Price: d.Sale.Price})
		case EventBet:
			r.Bets = append(r.Bets, BetView{Manager: d.Name, Bet: *d.Bet})
		case EventCut:
			r.Cuts = append(r.Cuts, CutView{Name: d.Name, Manager: who.manager(d.Seat), Before: d.Cut.Before, After: d.Cut.After})
		}
	}
	r.Free = st.After.free()
	return r
}

// whois knows the names of all who were there before a step or after it.
type whois struct{ before, after *State }

func (w whois) fighter(id FighterID) string {
	for _, s := range []*State{w.after, w.before} {
		if i := s.fighter(id); i >= 0 {
			return s.Fighters[i].Name
		}
	}
	return ""
}

func (w whois) manager(seat game.SeatID) string {
	if name := w.after.managerName(seat); name != "" {
		return name
	}
	return w.before.managerName(seat)
}

// addBout puts a bout onto its card; bouts come in the order of the cards.
func (r *Report) addBout(v BoutView) {
	b := v.Booking
	if n := len(r.Weeks); n == 0 || r.Weeks[n-1].Week != b.Week {
		r.Weeks = append(r.Weeks, WeekView{Week: b.Week})
	}
	w := &r.Weeks[len(r.Weeks)-1]
	if n := len(w.Cards); n == 0 || w.Cards[n-1].Arena != b.Arena {
		w.Cards = append(w.Cards, CardView{Arena: b.Arena})
	}
	c := &w.Cards[len(w.Cards)-1]
	c.Bouts = append(c.Bouts, v)
}

// boutView puts a bout in the order of its result: the winner first.
func boutView(b Bout) BoutView {
	v := BoutView{Bout: b, First: b.Corners[0].Name, Second: b.Corners[1].Name, Outcome: string(b.Result.Method)}
	win, lose := 0, 1
	if b.Result.Winner == bout.Second {
		win, lose = 1, 0
	}
	v.Winner, v.Loser = b.Corners[win].Name, b.Corners[lose].Name
	v.Purse = [2]Money{b.Corners[win].Purse, b.Corners[lose].Purse}
	v.Change = [2]Pop{b.Corners[win].Pop, b.Corners[lose].Pop}
	points := total(b.Cards)
	v.Points = [2]int{points[win], points[lose]}
	for _, r := range b.Rounds {
		v.Falls += len(r.Falls)
	}
	return v
}

func total(cards []bout.Card) [2]int {
	var sum [2]int
	for _, c := range cards {
		sum[0] += c.Points[0]
		sum[1] += c.Points[1]
	}
	return sum
}

// free are the fighters without a bout on the next cards.
func (s *State) free() []FreeView {
	boxing := map[FighterID]bool{}
	for _, b := range s.Card {
		boxing[b.Fighters[0]], boxing[b.Fighters[1]] = true, true
	}
	var out []FreeView
	for _, c := range s.Settings.Classes {
		v := FreeView{Class: c}
		for _, f := range s.Fighters {
			if f.Class == c && !boxing[f.ID] {
				v.Names = append(v.Names, f.Name)
			}
		}
		if len(v.Names) > 0 {
			out = append(out, v)
		}
	}
	return out
}

// next shows the open turn's cards.
func (s *State) next() NextCards {
	n := NextCards{Round: s.Round}
	for _, b := range s.Card {
		if i := len(n.Weeks); i == 0 || n.Weeks[i-1].Week != b.Week {
			n.Weeks = append(n.Weeks, NextWeek{Week: b.Week})
		}
		w := &n.Weeks[len(n.Weeks)-1]
		if i := len(w.Cards); i == 0 || w.Cards[i-1].Arena != b.Arena {
			w.Cards = append(w.Cards, NextCard{Arena: b.Arena})
		}
		c := &w.Cards[len(w.Cards)-1]
		purses := Purses(b.Arena, b.Title, b.Class, b.Pop, 0)
		c.Matches = append(c.Matches, Match{Booking: b, Purse: purses,
			A: s.profile(&s.Fighters[s.fighter(b.Fighters[0])]), B: s.profile(&s.Fighters[s.fighter(b.Fighters[1])])})
	}
	return n
}

// linesOf are the lines of a plan in every language, with how often each decided.
func linesOf(p plan.Plan, fired []int) []PlanLine {
	text := func(lang conditions.Language) []string {
		var out []string
		for _, l := range p.Lines {
			out = append(out, l.Text(lang))
		}
		return out
	}
	de, en := text(conditions.German), text(conditions.English)
	var out []PlanLine
	for i := range p.Lines {
		l := PlanLine{De: de[i], En: en[i]}
		if i < len(fired) {
			l.Fired = fired[i]
		}
		out = append(out, l)
	}
	return out
}

// movement words a change of rank without language.
func movement(from, to int) string {
	switch {
	case from == 0:
		return "*"
	case from == to:
		return "="
	}
	return fmt.Sprintf("%+d", from-to)
}
