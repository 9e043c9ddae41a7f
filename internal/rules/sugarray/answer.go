package sugarray

import "ringpost/internal/game"

// Most boxers in a game whose report shows every league to everybody; above,
// a seat reads of its own league and the title.
const wholeReport = 60

// Answer shows reports, briefings, tables, records and exports. For a briefing
// the query's subject is the game's id, which the ready block names; for a
// record it is the boxer's name.
func (r Rules) Answer(s State, q game.Query[State, Event], to game.Audience) ([]game.View, []game.Issue) {
	switch q.Kind {
	case game.QueryReport:
		if q.Step == nil {
			return nil, []game.Issue{{Code: issueNoReport, Error: true}}
		}
		return reportViews(*q.Step, to), nil
	case game.QueryBriefing:
		if _, ok := s.boxer(to.Seat); !ok {
			return nil, nil
		}
		return []game.View{view("briefing", "", func() any { return briefing(s.without(q.Gone), to.Seat, q.Subject) })}, nil
	case game.QueryTable:
		return []game.View{view("table", "all", func() any { return s.table(NoLeague) })}, nil
	case game.QueryRecord:
		seat, ok := r.Owner(s, q.Subject)
		if !ok {
			return nil, []game.Issue{{Code: issueNoRecord, Args: []string{quote(q.Subject)}, Error: true}}
		}
		return []game.View{view("record", string(seat), func() any { return record(s, seat) })}, nil
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

// briefing gathers what a boxer can know of his next bout.
func briefing(s State, seat game.SeatID, gameID string) Briefing {
	own, _ := s.boxer(seat)
	b := Briefing{
		Game: gameID, Round: s.Round, Own: own.profile(), Case: "idle",
		Trains: seat != s.Title.Champion || s.Settings.ChampionTraining == "end",
	}
	p, ok := s.Card.bout(seat)
	if !ok {
		return b
	}
	switch {
	case p.League != NoLeague:
		b.Case = "league"
	case s.Title.Champion == "":
		b.Case = "vacant"
	case seat == s.Title.Champion:
		b.Case = "defence"
	default:
		b.Case = "challenge"
	}
	other, ok := s.boxer(p.opponent(seat))
	if b.Dummy = !ok; ok {
		b.Opponent = other.profile()
	}
	return b
}

func (b Boxer) values() Values {
	return Values{League: b.League, Technique: b.Technique, Condition: b.Condition}
}

func (b Boxer) profile() Profile {
	p := Profile{Name: b.Name, Values: b.values(), Record: b.Record}
	for _, f := range b.Past {
		v := PastView{Past: f, Name: f.Opponent, OwnPairs: pairsText(f.Own), OtherPairs: pairsText(f.Other)}
		p.NameColumn = max(p.NameColumn, width(v.Name), len("against")) // its heading
		p.FiguresColumn = max(p.FiguresColumn, len(v.OwnPairs))
		p.Past = append(p.Past, v)
	}
	// Five pairs of two digits and the name as in a fight line always fit; longer
	// figures stand out of their column.
	p.FiguresColumn = min(p.FiguresColumn, pastRoom-(nameWidth-1))
	p.NameColumn = min(p.NameColumn, pastRoom-p.FiguresColumn)
	for i := range p.Past {
		p.Past[i].Name = shorten(p.Past[i].Name, p.NameColumn)
	}
	return p
}

// pastRoom is what a mail's line has left for name and figures of a past fight,
// beside its round and its result in words.
const pastRoom = 42

func record(s State, seat game.SeatID) RecordView {
	b, _ := s.boxer(seat)
	v := RecordView{Profile: b.profile(), Joined: b.Joined, Since: b.LeagueSince}
	if v.Champion = seat == s.Title.Champion; v.Champion {
		v.Defences = s.Title.Defences
	}
	return v
}

// table shows the standings: of all leagues, or of one.
func (s *State) table(only int) Table {
	t := Table{Round: s.Round - 1, Season: max(s.Round-2, 0)/s.Settings.Season + 1}
	at := map[int]int{} // index in t.Leagues
	for place, b := range s.standings() {
		row := Row{
			Name: b.Name, Values: b.values(), Record: b.Record,
			Last: game.Movement(b.LastPlace, place+1), Season: game.Movement(b.SeasonPlace, place+1),
		}
		if b.League == NoLeague {
			t.Champion = &ChampionRow{Row: row, Since: b.LeagueSince, Defences: s.Title.Defences}
			continue
		}
		if only != NoLeague && b.League != only {
			continue
		}
		i, ok := at[b.League]
		if !ok {
			i = len(t.Leagues)
			at[b.League] = i
			t.Leagues = append(t.Leagues, LeagueTable{League: b.League})
		}
		l := &t.Leagues[i]
		row.Place = len(l.Rows) + 1
		l.Rows = append(l.Rows, row)
	}
	return t
}

// next shows the open round's card: of all leagues, or of one.
func (s *State) next(only int) NextCard {
	boxers := make(map[game.SeatID]Boxer, len(s.Boxers))
	for _, b := range s.Boxers {
		boxers[b.Seat] = b
	}
	corner := func(seat game.SeatID) Opponent {
		return Opponent{Name: boxers[seat].Name, Values: boxers[seat].values()}
	}
	n := NextCard{Round: s.Round, Vacant: s.Title.Champion == ""}
	if s.Card.Idle {
		n.Idle = boxers[s.Title.Champion].Name
	}
	for _, p := range s.Card.Bouts {
		m := Match{A: corner(p.A), Dummy: p.B == ""}
		if !m.Dummy {
			m.B = corner(p.B)
		}
		switch last := len(n.Leagues) - 1; {
		case p.League == NoLeague:
			n.Title = &m
		case only != NoLeague && p.League != only:
		case last >= 0 && n.Leagues[last].League == p.League:
			n.Leagues[last].Matches = append(n.Leagues[last].Matches, m)
		default:
			n.Leagues = append(n.Leagues, NextLeague{League: p.League, Matches: []Match{m}})
		}
	}
	return n
}
