package ringside

import (
	"cmp"
	"slices"

	"ringpost/internal/game"
)

type (
	step  = game.Step[State, Event]
	event = game.Event[Event]
)

// Answer shows reports, briefings, tables, records and exports. For a briefing the
// query's subject is the game's id, which the ready blocks name; for a record it is
// a fighter's name, or a manager's.
func (r Rules) Answer(s State, q game.Query[State, Event], to game.Audience) ([]game.View, []game.Issue) {
	switch q.Kind {
	case game.QueryReport:
		if q.Step == nil {
			return nil, []game.Issue{{Code: issueNoReport, Error: true}}
		}
		return reportViews(*q.Step, to), nil
	case game.QueryBriefing:
		if s.manager(to.Seat) < 0 {
			return nil, nil
		}
		return []game.View{view("briefing", "", func() any { return s.briefing(to.Seat, q) })}, nil
	case game.QueryTable:
		return []game.View{view("table", "all", func() any { return s.table() })}, nil
	case game.QueryRecord:
		if i := s.fighterNamed(q.Subject); i >= 0 {
			return []game.View{view("record", string(s.Fighters[i].ID), func() any { return s.record(&s.Fighters[i]) })}, nil
		}
		if i := s.managerNamed(q.Subject); i >= 0 {
			return []game.View{view("stable", string(s.Managers[i].Seat), func() any { return s.stableView(s.Managers[i]) })}, nil
		}
		return nil, []game.Issue{{Code: issueNoRecord, Args: clipped([]string{q.Subject}), Error: true}}
	case game.QueryExport:
		if q.Step == nil {
			return nil, []game.Issue{{Code: issueNoReport, Error: true}}
		}
		return []game.View{view("", "all", func() any { return NewExport(*q.Step) })}, nil
	}
	return nil, nil
}

func view(template, key string, data func() any) game.View {
	return game.View{Template: template, Key: key, Data: data}
}

// managerName is a seat's name, "" for who is not there.
func (s *State) managerName(seat game.SeatID) string {
	if i := s.manager(seat); i >= 0 {
		return s.Managers[i].Name
	}
	return ""
}

func (s *State) profile(f *Fighter) Profile {
	return Profile{
		Name: f.Name, Manager: s.managerName(f.Manager), Class: f.Class, Champion: s.champion(f), Rank: f.Rank,
		Pop: s.pop(f), Earned: f.Earned, Ratings: f.Fighter, Gained: f.Gained, Record: f.Record, Cut: f.Cut, Purses: f.Purses,
		Past: f.Past, Retires: f.mayRetire(), Since: f.Since,
	}
}

func (s *State) record(f *Fighter) RecordView {
	v := RecordView{Profile: s.profile(f), Next: s.matches(f)}
	if v.Champion {
		t := s.title(f.Class)
		v.Defences, v.Reign = t.Defences, t.Since
	}
	return v
}

func (s *State) stableView(m Manager) StableView {
	v := StableView{Name: m.Name, Joined: m.Joined, Cash: m.Cash, Cuts: m.Cuts}
	for i := range s.Fighters {
		if s.Fighters[i].Manager == m.Seat {
			v.Fighters = append(v.Fighters, s.profile(&s.Fighters[i]))
		}
	}
	return v
}

// matches are a fighter's bouts to come.
func (s *State) matches(f *Fighter) []OwnMatch {
	var out []OwnMatch
	last := f.Last
	for _, b := range s.bookings(f.ID) {
		side := b.side(f.ID)
		other := &s.Fighters[s.fighter(b.Fighters[1-side])]
		m := OwnMatch{Booking: b, Opponent: s.profile(other), Pop: b.Pop[1-side]}
		m.Purse[0] = Purses(b.Arena, b.Title, b.Class, b.Pop, side)[side]
		m.Purse[1] = Purses(b.Arena, b.Title, b.Class, b.Pop, 1-side)[side]
		if at := week(s.Round, b.Week); last.Week > 0 && at-last.Week < rest {
			m.Carried = max(last.Loss, 0)
		}
		m.Start = f.Endurance + 7*b.Rounds - m.Carried
		if u, ok := s.unfinished(b.ID); ok {
			points := u.Bout.Points()
			m.Carried, m.Start, m.Rival = 0, u.Bout.Endurance[side], u.Bout.Endurance[1-side]
			m.Points = [2]int{points[side], points[1-side]}
		}
		out = append(out, m)
		last = Last{Week: week(s.Round, b.Week)} // what the bout before costs nobody knows yet
	}
	return out
}

// briefing gathers what a manager can know of his next bouts.
func (s *State) briefing(seat game.SeatID, q game.Query[State, Event]) Briefing {
	m := s.Managers[s.manager(seat)]
	b := Briefing{Game: q.Subject, Round: s.Round, Name: m.Name, Cash: m.Cash, Sales: s.Settings.Sales, Bets: s.Settings.Bets, Rent: s.Settings.Rent}
	for i := range s.Fighters {
		if f := &s.Fighters[i]; f.Manager == seat {
			own := OwnFighter{Profile: s.profile(f), Matches: s.matches(f), Plan: linesOf(f.plan(), nil), Sent: slices.Contains(q.Sent, planSlot(f.ID))}
			if len(own.Matches) == 0 {
				own.Rivals = s.rivals(f)
			}
			b.Fighters = append(b.Fighters, own)
		}
	}
	for _, c := range s.Challenges {
		if v, ok := s.challengeView(c, seat); ok && !v.Mine {
			b.Challenges = append(b.Challenges, v)
		}
	}
	for _, o := range s.Offers {
		if i := s.fighter(o.Fighter); i >= 0 && o.Seller != seat {
			b.Offers = append(b.Offers, MoveView{Name: s.Fighters[i].Name, From: s.managerName(o.Seller), Price: o.Price})
		}
	}
	return b
}

// rivals are those of a fighter's class in other stables who are nearest to him.
func (s *State) rivals(f *Fighter) []Rival {
	var all []*Fighter
	for i := range s.Fighters {
		if o := &s.Fighters[i]; o.Class == f.Class && o.Manager != f.Manager {
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b *Fighter) int {
		return cmp.Compare(distance(s.pop(a), s.pop(f)), distance(s.pop(b), s.pop(f)))
	})
	var out []Rival
	for _, o := range all[:min(len(all), mostRivals)] {
		out = append(out, Rival{o.Name, s.managerName(o.Manager)})
	}
	return out
}

// challengeView is a challenge as one of its two managers sees it.
func (s *State) challengeView(c Challenge, seat game.SeatID) (ChallengeView, bool) {
	own, other := s.fighter(c.Own), s.fighter(c.Other)
	if own < 0 || other < 0 {
		return ChallengeView{}, false
	}
	v := ChallengeView{Proposal: c.Proposal, Own: s.Fighters[own].Name, Other: s.Fighters[other].Name}
	switch seat {
	case c.Seat:
		v.Mine, v.Manager = true, s.managerName(s.Fighters[other].Manager)
	case s.Fighters[other].Manager:
		v.Manager, v.Own, v.Other = s.managerName(c.Seat), v.Other, v.Own
	default:
		return v, false
	}
	return v, true
}

// managerColumn is how wide the managers' names in a ranking are.
const managerColumn = 10

// table shows rankings and managers.
func (s *State) table() Table {
	t := Table{Round: s.Round - 1}
	managers := map[game.SeatID]*ManagerRow{}
	for _, m := range s.Managers {
		t.Managers = append(t.Managers, ManagerRow{Name: m.Name, Cash: m.Cash, Cuts: m.Cuts})
	}
	for i, m := range s.Managers {
		managers[m.Seat] = &t.Managers[i]
	}
	row := func(f *Fighter) Row {
		r := Row{Rank: f.Rank, Name: f.Name, Pop: s.pop(f), Earned: f.Earned, Record: f.Record, Purses: f.Purses, Cut: f.Cut, Move: game.Movement(f.LastRank, f.Rank)}
		if m := managers[f.Manager]; m != nil {
			r.Manager = short(m.Name, managerColumn)
			m.Fighters++
			m.Titles += flag(s.champion(f))
		}
		return r
	}
	for _, title := range s.Titles {
		r := Ranking{Class: title.Class, Since: title.Since, Defences: title.Defences, By: title.By}
		if i := s.fighter(title.Champion); i >= 0 {
			champion := row(&s.Fighters[i])
			champion.Move = ""
			r.Champion = &champion
		}
		for _, f := range s.contenders(title.Class) {
			r.Rows = append(r.Rows, row(f))
		}
		if r.Champion != nil || len(r.Rows) > 0 {
			t.Classes = append(t.Classes, r)
		}
	}
	slices.SortStableFunc(t.Managers, func(a, b ManagerRow) int { return cmp.Compare(b.Cash, a.Cash) })
	return t
}
