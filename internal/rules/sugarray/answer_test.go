package sugarray

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
)

func keysOf(views []game.View) (keys []string) {
	for _, v := range views {
		keys = append(keys, v.Template+":"+v.Key)
	}
	return keys
}

// TestReportToWhom: the own part first, one body for all of a small game, and
// nothing of a seat's own to the game master.
func TestReportToWhom(t *testing.T) {
	l := newLeague(t, 12, 5, nil)
	l.play(t, 4, false)
	for _, c := range []struct {
		step step
		to   game.Audience
		want []string
	}{
		{l.steps[0], game.Audience{Seat: "s1"}, []string{"report:all"}}, // nothing boxed yet
		{l.steps[4], game.Audience{Seat: "s1"}, []string{"own:", "report:all"}},
		{l.steps[4], game.Audience{}, []string{"report:all"}},
		{l.steps[4], game.Audience{GM: true}, []string{"report:all"}},
		{l.steps[4], game.Audience{Seat: "s77"}, []string{"report:all"}}, // never took part
	} {
		views, issues := New().Answer(l.state, game.Query[State, Event]{Kind: game.QueryReport, Step: &c.step}, c.to)
		if got := keysOf(views); !slices.Equal(got, c.want) || len(issues) > 0 {
			t.Errorf("round %d to %+v: %v %v, want %v", c.step.Round, c.to, got, issues, c.want)
		}
	}
}

// TestLongLeagueShortReport: above 60 boxers a report carries the reader's own
// leagues and the title; equal keys mean equal data.
func TestLongLeagueShortReport(t *testing.T) {
	l := newLeague(t, wholeReport+3, 6, game.Settings{keyNMRLimit: "0"})
	l.play(t, 6, false)
	st := l.steps[len(l.steps)-1]
	bodies := map[string]string{}
	for _, b := range st.After.Boxers {
		views, _ := New().Answer(l.state, game.Query[State, Event]{Kind: game.QueryReport, Step: &st}, game.Audience{Seat: b.Seat})
		if len(views) != 3 || views[0].Template != "own" || views[1].Template != "report" || views[2].Template != "elsewhere" {
			t.Fatalf("%s gets %v", b.Name, keysOf(views))
		}
		r := views[1].Data().(Report)
		before, _ := st.Before.boxer(b.Seat)
		if len(r.Leagues) > 1 || len(r.Table.Leagues) != 1 || len(r.Next.Leagues) > 1 {
			t.Errorf("%s reads %d leagues, %d tables, %d leagues' next bouts", b.Name, len(r.Leagues), len(r.Table.Leagues), len(r.Next.Leagues))
		}
		if before.League != NoLeague && r.Leagues[0].League != before.League {
			t.Errorf("%s boxed in league %d and reads of %d", b.Name, before.League, r.Leagues[0].League)
		}
		if got := r.Table.Leagues[0].League; got != max(b.League, TopLeague) {
			t.Errorf("%s stands in league %d and reads the table of %d", b.Name, b.League, got)
		}
		if r.Title == nil || r.Table.Champion == nil {
			t.Errorf("%s reads nothing of the title", b.Name)
		}
		text := encode(t, r)
		if old, ok := bodies[views[1].Key]; ok && old != text {
			t.Errorf("the key %s names two bodies", views[1].Key)
		}
		bodies[views[1].Key] = text
		if e := views[2].Data().(Elsewhere); e != (Elsewhere{Boxers: wholeReport + 3, Round: st.Round}) {
			t.Errorf("elsewhere: %+v", e)
		}
	}
	whole, _ := New().Answer(l.state, game.Query[State, Event]{Kind: game.QueryReport, Step: &st}, game.Audience{})
	if r := whole[0].Data().(Report); len(whole) != 1 || len(r.Leagues) != 4 || r.Short {
		t.Errorf("the public reads %v, %d leagues", keysOf(whole), len(r.Leagues))
	}
}

// TestAnswersThatAreNone says so by code.
func TestAnswersThatAreNone(t *testing.T) {
	s := fixed(t)
	for _, c := range []struct {
		query game.Query[State, Event]
		want  string
	}{
		{game.Query[State, Event]{Kind: game.QueryRecord, Subject: "Schulze"}, issueNoRecord},
		{game.Query[State, Event]{Kind: game.QueryReport}, issueNoReport},
		{game.Query[State, Event]{Kind: game.QueryExport}, issueNoReport},
	} {
		views, issues := New().Answer(s, c.query, game.Audience{})
		if len(views) != 0 || len(issues) != 1 || issues[0].Code != c.want {
			t.Errorf("%s: %v %v", c.query.Kind, keysOf(views), issues)
		}
	}
	if views, issues := New().Answer(s, game.Query[State, Event]{Kind: game.QueryBriefing}, game.Audience{}); len(views)+len(issues) != 0 {
		t.Errorf("a briefing for nobody: %v %v", keysOf(views), issues)
	}
}

// TestBriefing knows each kind of bout.
func TestBriefing(t *testing.T) {
	s := fixed(t)
	for seat, want := range map[game.SeatID]Briefing{
		"s1": {Case: "defence", Opponent: Profile{Name: "Maier", Values: Values{1, 10, 20}}},
		"s2": {Case: "challenge", Trains: true, Opponent: Profile{Name: "Müller", Values: Values{0, 10, 20}}},
		"s4": {Case: "league", Trains: true, Opponent: Profile{Name: "O'Hara", Values: Values{3, 10, 20}}},
		"s3": {Case: "league", Trains: true, Dummy: true},
	} {
		own, _ := s.boxer(seat)
		want.Game, want.Round, want.Own = "liga", 1, own.profile()
		if diff := cmp.Diff(want, briefing(s, seat, "liga")); diff != "" {
			t.Errorf("%s: %s", seat, diff)
		}
	}
}

// TestBriefingShowsThePast: what the opponent boxed, newest first.
func TestBriefingShowsThePast(t *testing.T) {
	l := newLeague(t, 2, 2, game.Settings{keyNMRLimit: "0"})
	for _, text := range []string{"1/0 0/0 0/0 0/0 0/0", "2/0 0/0 0/0 0/0 0/0", "3/0 0/0 0/0 0/0 0/0", "5/0 5/0 5/0 5/0 5/0"} {
		l.state.Card = Card{Bouts: []Pairing{{League: l.state.Boxers[0].League, A: "s1", B: "s2"}}}
		l.close(t, game.Inputs[Orders]{Orders: []game.Order[Orders]{{Seat: "s2", Slot: Slot, Orders: Orders{Pairs: pairs(t, text)}}}})
	}
	b, _ := l.state.boxer("s2")
	var got []string
	for _, p := range b.profile().Past {
		got = append(got, fmt.Sprint(p.Round, " ", p.Opponent, " ", p.OwnPairs, " ", p.Result, p.KORound))
	}
	want := []string{
		"4 Müller 5/0 5/0 won2",
		"3 Müller 3/0 0/0 0/0 0/0 0/0 won0",
		"2 Müller 2/0 0/0 0/0 0/0 0/0 won0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestExplain foretells the own part only.
func TestExplain(t *testing.T) {
	s := fixed(t)
	slip := game.Slip[Orders]{Slot: Slot, Orders: Orders{Pairs: pairs(t, "2/3 3/0 4/4 0/5 3/1")}}
	got := New().Explain(s, "s3", []game.Slip[Orders]{slip}).Data().(Preview)
	want := Preview{Technique: 10, Condition: 20, Offence: 12, Rounds: []PreviewRound{
		{1, "2/3", 2, 1, 19}, {2, "3/0", -1, 0, 19}, {3, "4/4", 10, 4, 15}, {4, "0/5", 0, 0, 15}, {5, "3/1", 1, 1, 14},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	slip.Orders.Pairs = pairs(t, "2/3 9/9 4/4 0/5 3/1")
	if got := New().Explain(s, "s3", []game.Slip[Orders]{slip}).Data().(Preview); got.KO != 2 || len(got.Rounds) != 2 {
		t.Errorf("a knock-out by fatigue: %+v", got)
	}
	if got := New().Explain(s, "s3", nil).Data().(Preview); len(got.Rounds) != 0 || got.Idle {
		t.Errorf("nothing to foretell: %+v", got)
	}
}

// TestExportHoldsTheRound: all that the command line promises of an export, and
// in a form that reads back.
func TestExportHoldsTheRound(t *testing.T) {
	l := newLeague(t, 9, 11, nil)
	l.play(t, 9, true)
	for _, st := range l.steps {
		views, _ := New().Answer(l.state, game.Query[State, Event]{Kind: game.QueryExport, Step: &st}, game.Audience{})
		text := encode(t, views[0].Data())
		var x Export
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&x); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(views[0].Data(), x); diff != "" {
			t.Fatal(diff)
		}
		if x.Title.Before != st.Before.Title.Champion || x.Title.After != st.After.Title.Champion || len(x.Next) != len(st.After.Card.Bouts) {
			t.Errorf("round %d: %+v", st.Round, x.Title)
		}
		for _, b := range x.Boxers {
			after, stays := st.After.boxer(b.Seat)
			if stays && ExportValues(after.values()) != *b.After {
				t.Errorf("round %d: %s is %+v after, told %+v", st.Round, b.Name, after.values(), *b.After)
			}
			if _, boxed := st.Before.Card.bout(b.Seat); boxed && b.Left != LeftGM && (b.Fight == nil || b.Die == 0) {
				t.Errorf("round %d: %s boxed, told %+v", st.Round, b.Name, b)
			}
		}
	}
}

// TestSparAsksForWhatIsMissing.
func TestSparAsksForWhatIsMissing(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                {issueSparTwo},
		"NAME A\nZUG 1/1 1/1 1/1 1/1 1/1": {issueSparTwo},
		"NAME A\nZUG 1/1 1/1 1/1 1/1 1/1\nNAME B\nTECHNIK 10":                                          {issueMoveMissing},
		"NAME A\nZUG 1/1 1/1 1/1 1/1 1/1\nNAME B\nZUG 1/1 1/1":                                         {issuePairsMissing},
		"NAME A\nKONDITION 0\nZUG 1/1 1/1 1/1 1/1 1/1\nNAME B\nTECHNIK 99999\nZUG 1/1 1/1 1/1 1/1 1/1": {issueSparCondition, issueSparTechnique},
		"NAME A\nZUG 1/1 1/1 1/1 1/1 1/1\nNAME B\nTRAINING T\nZUG 1/1 1/1 1/1 1/1 1/1":                 nil,
	} {
		view, issues := New().Spar(nil, parse(text).Blocks, nil)
		var got []string
		for _, i := range issues {
			got = append(got, i.Code)
		}
		if !slices.Equal(got, want) || (view.Template == "") != (want != nil) {
			t.Errorf("%q: %v, view %q; want %v", text, got, view.Template, want)
		}
	}
	view, _ := New().Spar(nil, parse("NAME B\nZUG 1/1 1/1 1/1 1/1 1/1\nNAME A\nZUG 1/1 1/1 1/1 1/1 1/1").Blocks, nil)
	if s := view.Data().(Spar); s.Result != "drawn-points" || !strings.HasPrefix(s.Lines[0], "A  ") {
		t.Errorf("a draw: %+v", s)
	}
}

// TestSetupRefuses what no league can begin with.
func TestSetupRefuses(t *testing.T) {
	champion := game.Settings{"league": "0"}
	for name, seats := range map[string][]game.Seat{
		"one boxer":     {{ID: "s1", Name: "A"}},
		"a seat twice":  {{ID: "s1", Name: "A"}, {ID: "s1", Name: "B"}},
		"two champions": {{ID: "s1", Name: "A", Traits: champion}, {ID: "s2", Name: "B", Traits: champion}},
	} {
		if _, _, err := New().Setup(nil, seats, ones(0)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestAdvanceRefuses what only a broken file can hold.
func TestAdvanceRefuses(t *testing.T) {
	s := fixed(t)
	if _, _, err := New().Advance(s, game.Inputs[Orders]{Joins: []game.Seat{{ID: "s1", Name: "B"}}}, ones(1)); err == nil {
		t.Error("a seat joins twice: no error")
	}
	s.Version = 2
	if _, _, err := New().Advance(s, game.Inputs[Orders]{}, ones(1)); err == nil {
		t.Error("rules of a later version: no error")
	}
}

// TestAboutIsSound: every default is a good value, and traits read back.
func TestAboutIsSound(t *testing.T) {
	about := New().About()
	for _, declared := range [][]game.Setting{about.Game, about.Seat} {
		for _, d := range declared {
			if err := (game.Settings{d.Key: d.Default}).Check(declared); err != nil || d.Doc == "" {
				t.Errorf("%s: %v", d.Key, err)
			}
		}
	}
	if diff := cmp.Diff(about, New().About()); diff != "" {
		t.Error(diff)
	}
}

// BenchmarkClose closes a round of a league of twelve and gathers everybody's
// report, without the words.
func BenchmarkClose(b *testing.B) {
	l := newLeague(b, 12, 1, nil)
	l.play(b, 10, false)
	in := l.inputs(false)
	b.ReportAllocs()
	for b.Loop() {
		after, events, err := New().Advance(l.state, in, l.dice(l.state.Round))
		if err != nil {
			b.Fatal(err)
		}
		st := step{Round: l.state.Round, Before: l.state, After: after, Events: events}
		for _, x := range after.Boxers {
			for _, v := range reportViews(st, game.Audience{Seat: x.Seat}) {
				if v.Key == "" {
					v.Data()
				}
			}
			briefing(after, x.Seat, "liga")
		}
	}
}

// TestShortReportNamesWhomItTellsOf: in a big league nobody reads the names of all
// who missed a move, came or went, but those of his own league and of the title
// bout; and nobody is left out of all reports.
func TestShortReportNamesWhomItTellsOf(t *testing.T) {
	l := newLeague(t, 2*wholeReport, 8, game.Settings{keyNMRLimit: "0"})
	l.play(t, 6, false)
	in := l.inputs(false)
	in.Orders = in.Orders[:len(in.Orders)/2]
	champion := l.state.Title.Champion
	for _, b := range l.state.Boxers[len(l.state.Boxers)-8:] {
		in.Leaves = append(in.Leaves, game.Leave{Seat: b.Seat})
	}
	in.Leaves = append(in.Leaves, game.Leave{Seat: champion})
	in.Joins = []game.Seat{l.newSeat(), l.newSeat()}
	st := l.close(t, in)
	read := func(to game.SeatID) (missed, came, went []string) {
		views, _ := New().Answer(l.state, game.Query[State, Event]{Kind: game.QueryReport, Step: &st}, game.Audience{Seat: to})
		for _, v := range views {
			r, ok := v.Data().(Report)
			if !ok {
				continue
			}
			for _, x := range r.Joined {
				came = append(came, x.Name)
			}
			for _, x := range r.Left {
				went = append(went, x.Name)
			}
			return r.Missed, came, went
		}
		t.Fatalf("no report to %s", to)
		return
	}
	allMissed, allCame, allWent := read("")
	if len(allMissed) < 40 || len(allCame) != 2 || len(allWent) != 9 {
		t.Fatalf("%d missed their move, %d came, %d went", len(allMissed), len(allCame), len(allWent))
	}
	told := map[string]bool{}
	for _, b := range st.After.Boxers {
		missed, came, went := read(b.Seat)
		fought, stands := leaguesOf(st, b.Seat)
		for _, name := range slices.Concat(missed, came, went) {
			told[name] = true
			x, was := st.Before.named(name)
			y, is := st.After.named(name)
			inTitle := st.Before.Card.title().A == x.Seat || st.Before.Card.title().B == x.Seat
			if !(was && x.League == fought || is && y.League == stands || x.Seat == champion || was && inTitle) {
				t.Errorf("%s, of leagues %d and %d, reads of %s, of %d and %d", b.Name, fought, stands, name, x.League, y.League)
			}
		}
		name := st.Before.name(champion)
		if !slices.Contains(went, name) {
			t.Errorf("%s does not read that %s left", b.Name, name)
		}
		if before, was := st.Before.boxer(b.Seat); was && slices.Contains(allMissed, before.Name) && !slices.Contains(missed, before.Name) {
			t.Errorf("%s does not read that he missed his move", b.Name)
		}
	}
	for _, name := range slices.Concat(allMissed, allCame, allWent) {
		if !told[name] {
			t.Errorf("nobody reads of %s", name)
		}
	}
}

func (s State) named(name string) (Boxer, bool) {
	for _, b := range s.Boxers {
		if b.Name == name {
			return b, true
		}
	}
	return Boxer{}, false
}

func (s State) name(seat game.SeatID) string {
	b, _ := s.boxer(seat)
	return b.Name
}

// TestBriefingWithoutTheGone: whoever is to box somebody taken out is told of the
// dummy (SR-34), and the challenger of a champion that the title is vacant (SR-27).
func TestBriefingWithoutTheGone(t *testing.T) {
	s := fixed(t) // Müller is champion, Maier his challenger, Ali meets the dummy, Zoë meets O'Hara
	old := encode(t, s)
	for _, c := range []struct {
		gone  []game.SeatID
		seat  game.SeatID
		want  string
		dummy bool
	}{
		{[]game.SeatID{"s5"}, "s4", "league", true},
		{[]game.SeatID{"s4"}, "s5", "league", true},
		{[]game.SeatID{"s5"}, "s1", "defence", false},
		{[]game.SeatID{"s1"}, "s2", "vacant", true},
		{[]game.SeatID{"s2"}, "s1", "defence", true},
		{[]game.SeatID{"s4", "s5"}, "s3", "league", true},
		{[]game.SeatID{"s1", "s2"}, "s4", "league", false},
	} {
		q := game.Query[State, Event]{Kind: game.QueryBriefing, Subject: "liga", Gone: c.gone}
		views, _ := New().Answer(s, q, game.Audience{Seat: c.seat})
		b := views[0].Data().(Briefing)
		if b.Case != c.want || b.Dummy != c.dummy || c.dummy != (b.Opponent.Name == "") {
			t.Errorf("%s without %v: %s, dummy %t, against %q", c.seat, c.gone, b.Case, b.Dummy, b.Opponent.Name)
		}
	}
	if encode(t, s) != old {
		t.Error("the question changed the state")
	}
}

// TestBriefingForetellsTheFights: what is said of a round with somebody taken out is
// what is boxed then.
func TestBriefingForetellsTheFights(t *testing.T) {
	l := newLeague(t, 13, 9, nil)
	l.play(t, 8, false)
	for _, gone := range [][]game.SeatID{{l.state.Boxers[0].Seat}, {l.state.Boxers[4].Seat, l.state.Boxers[7].Seat}, {l.state.Card.Bouts[0].A}, {l.state.Card.Bouts[0].A, l.state.Card.Bouts[0].B}} {
		in := l.inputs(false)
		for _, seat := range gone {
			in.Leaves = append(in.Leaves, game.Leave{Seat: seat, Now: true})
		}
		_, events, err := New().Advance(l.state, in, l.dice(l.state.Round))
		if err != nil {
			t.Fatal(err)
		}
		against := map[game.SeatID]string{}
		for _, e := range events {
			if f := e.Data.Fight; f != nil {
				against[f.First.Seat], against[f.Second.Seat] = f.Second.Name, f.First.Name
			}
		}
		for _, b := range l.state.without(gone).Boxers {
			want, boxes := against[b.Seat]
			got := briefing(l.state.without(gone), b.Seat, "liga")
			name := got.Opponent.Name
			if got.Dummy {
				name = DummyName
			}
			if name != want || boxes == (got.Case == "idle") {
				t.Errorf("without %v, %s is told of %q and boxes %q", gone, b.Name, name, want)
			}
		}
	}
}
