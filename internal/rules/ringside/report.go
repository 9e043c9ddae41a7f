package ringside

import (
	"slices"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
	"ringpost/internal/rules/ringside/plan"
)

// wholeReport is the most fighters with whom everybody's report holds everything.
const wholeReport = 40

// reportViews are a report's parts in order: the reader's own, and the body that all
// share. In a game of many it is made of what concerns everybody and of the classes
// in which the reader has fighters; the rest is elsewhere.
func reportViews(st step, to game.Audience) []game.View {
	var views []game.View
	if st.Round > 0 && to.Seat != "" {
		if own, ok := ownPart(st, to.Seat); ok {
			views = append(views, view("own", "", func() any { return own }))
		}
	}
	if to.Seat == "" || len(st.After.Fighters) <= wholeReport {
		return append(views, view("report", "all", func() any { return body(st) }))
	}
	views = append(views, view("news", "all", func() any { return news(st) }))
	for _, c := range classesOf(st, to.Seat) {
		views = append(views, view("division", "class-"+string(c), func() any { return classBody(st, c) }))
	}
	rest := Elsewhere{Fighters: len(st.After.Fighters), Round: st.Round}
	return append(views, view("rest", "all", func() any { return rest }))
}

// classesOf are the classes in which a seat had fighters or has some now; all, where
// it had none.
func classesOf(st step, seat game.SeatID) []Class {
	var out []Class
	for _, c := range st.After.Settings.Classes {
		in := func(f Fighter) bool { return f.Manager == seat && f.Class == c }
		if slices.ContainsFunc(st.Before.Fighters, in) || slices.ContainsFunc(st.After.Fighters, in) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return st.After.Settings.Classes
	}
	return out
}

// body gathers the shared part. Nothing that an event keeps from anybody is in it.
func body(st step) Report {
	r := Report{Round: st.Round, Table: st.After.table(), Next: st.After.next(), Free: st.After.free()}
	r.gather(st, func(Class) bool { return true })
	r.people(st)
	return r
}

// news is what concerns everybody, of a game of many.
func news(st step) Report {
	r := Report{Round: st.Round, Table: st.After.table()}
	r.Table.Classes = nil
	if over := len(r.Table.Managers) - topManagers; over > 0 {
		r.Table.Managers, r.Table.More = r.Table.Managers[:topManagers], over
	}
	r.people(st)
	return r
}

// classBody is all of one class, of a game of many: its title bouts and its main
// bout are told in full, of the others there is room for the headline.
func classBody(st step, c Class) Report {
	r := Report{Round: st.Round, Class: c, Table: st.After.table(), Next: st.After.next(), Free: st.After.free()}
	r.gather(st, func(x Class) bool { return x == c })
	r.Table.Managers = nil
	r.Table.Classes = slices.DeleteFunc(r.Table.Classes, func(x Ranking) bool { return x.Class != c })
	for i := range r.Table.Classes {
		if x := &r.Table.Classes[i]; len(x.Rows) > topRanks {
			x.Rows, x.More = x.Rows[:topRanks], len(x.Rows)-topRanks
		}
	}
	r.Free = slices.DeleteFunc(r.Free, func(x FreeView) bool { return x.Class != c })
	r.Next.only(c)
	r.shorten()
	return r
}

// What there is room for where there are many.
const (
	topManagers = 20
	topRanks    = 40
	topMatches  = 20 // bouts to come of a class, with all that is known of the two
)

// shorten leaves the bouts of a class their headlines, but for those for the title
// and the one of the most popular two.
func (r *Report) shorten() {
	var main *BoutView
	var others []*BoutView
	for w := range r.Weeks {
		for c := range r.Weeks[w].Cards {
			bouts := r.Weeks[w].Cards[c].Bouts
			for i := range bouts {
				b := &bouts[i]
				if b.Cancelled || b.Booking.Title {
					continue
				}
				others = append(others, b)
				if main == nil || b.Booking.Pop[0]+b.Booking.Pop[1] > main.Booking.Pop[0]+main.Booking.Pop[1] {
					main = b
				}
			}
		}
	}
	for _, b := range others {
		if b != main {
			b.Tale.Rounds = nil
		}
	}
}

// people tells of titles, and of the managers who came, went and were silent.
func (r *Report) people(st step) {
	for _, e := range st.Events {
		if e.For != nil {
			continue
		}
		switch d := e.Data; e.Code {
		case EventTitle:
			r.Titles = append(r.Titles, *d.Title)
		case EventMissed:
			r.Missed = append(r.Missed, d.Name)
		case EventJoined:
			r.Joined = append(r.Joined, d.Name)
		case EventLeft:
			r.Left = append(r.Left, LeftView{Name: d.Name, Reason: d.Leave.Reason, Count: d.Leave.Count})
		}
	}
}

// gather tells of bouts and fighters of certain classes. All bouts are worded, so
// that each has the same words in every report.
func (r *Report) gather(st step, in func(Class) bool) {
	who := whois{&st.Before, &st.After}
	words := newTeller()
	for _, e := range st.Events {
		if e.For != nil {
			continue
		}
		switch d := e.Data; e.Code {
		case EventBout:
			v := boutView(*d.Bout)
			v.Tale = words.tell(d.Bout)
			if in(d.Bout.Booking.Class) {
				r.addBout(v)
			}
		case EventCancelled:
			v := BoutView{Bout: Bout{Booking: *d.Booking}, Cancelled: true,
				First: who.fighter(d.Booking.Fighters[0]), Second: who.fighter(d.Booking.Fighters[1])}
			if in(d.Booking.Class) {
				r.addBout(v)
			}
		default:
			if in(who.class(d.on())) {
				r.addNews(e, who)
			}
		}
	}
}

// on is the fighter whom an event is about.
func (e Event) on() FighterID {
	if e.Bet != nil {
		return e.Bet.On
	}
	return e.Fighter
}

// addNews tells of something that happened to a fighter outside the ring.
func (r *Report) addNews(e event, who whois) {
	switch d := e.Data; e.Code {
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

func (w whois) class(id FighterID) Class {
	for _, s := range []*State{w.after, w.before} {
		if i := s.fighter(id); i >= 0 {
			return s.Fighters[i].Class
		}
	}
	return ""
}

func (w whois) rival(id FighterID) Rival {
	if i := w.after.fighter(id); i >= 0 {
		return Rival{w.after.Fighters[i].Name, w.after.managerName(w.after.Fighters[i].Manager)}
	}
	return Rival{Name: w.fighter(id)}
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

// only leaves the bouts of a class.
func (n *NextCards) only(c Class) {
	var weeks []NextWeek
	count := 0
	for _, w := range n.Weeks {
		var cards []NextCard
		for _, card := range w.Cards {
			card.Matches = slices.DeleteFunc(card.Matches, func(m Match) bool { return m.Class != c })
			if count += len(card.Matches); len(card.Matches) > 0 {
				cards = append(cards, card)
			}
		}
		if w.Cards = cards; len(cards) > 0 {
			weeks = append(weeks, w)
		}
	}
	n.Weeks, n.Part, n.Brief = weeks, true, count > topMatches
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
