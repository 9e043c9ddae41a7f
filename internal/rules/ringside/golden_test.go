package ringside

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/report"
	"ringpost/internal/rules/ringside/bout"
)

const goldens = "../../../testdata/ringside/reports"

// evening is a turn that a golden shows.
type evening struct {
	settings game.Settings
	card     func(s *State) // what is special of the fighters and their bout
	mails    [2]string      // of the two managers
	ends     func(b Bout) bool
}

// evenings are the turns shown: two managers with a heavyweight and a lightweight
// each, who meet.
func evenings() map[string]evening {
	ends := func(m bout.Method, least int) func(Bout) bool {
		return func(b Bout) bool { return b.Result.Method == m && b.Result.Round >= least }
	}
	rounds := func(n int, arena Arena) func(*State) {
		return func(s *State) { s.Card[0].Rounds, s.Card[0].Arena = n, arena }
	}
	champion := func(s *State) {
		*s.title(Heavy) = Title{Class: Heavy, Champion: "f3", Since: 1, Defences: 2, By: 4}
		s.Card[0].Rounds, s.Card[0].Arena, s.Card[0].Title, s.Card[0].Why = 12, TheBest, true, WhyMandatory
		s.Card[0].Fighters, s.Card[0].Pop = [2]FighterID{"f3", "f1"}, [2]Pop{31, 19}
		for i := range s.Fighters {
			s.Fighters[i].Endurance = 18
		}
	}
	return map[string]evening{
		"ko":     {card: rounds(5, LowClass), ends: ends(bout.KO, 3), mails: [2]string{"", "NAME Iron Mike\nSCHLAG UC4 RH3 CO4 LH2\nENDE\n"}},
		"tko":    {card: rounds(8, MiddleClass), ends: ends(bout.TKO, 5)},
		"points": {card: rounds(6, LowClass), ends: ends(bout.Decision, 6), settings: game.Settings{keyScoring: "10"}},
		"draw":   {card: rounds(4, Pits), ends: ends(bout.Draw, 4)},
		"title": {card: champion, ends: func(b Bout) bool { return b.Result.Method == bout.Decision && b.Result.Winner == bout.Second },
			mails: [2]string{"NAME Kid Thunder\nSCHLAG UC3 RJ1 RH2 CO3 LJ1 LH2\nV WENN AMSEIL : KLAMMERN\nV WENN KOND<=10 UND VORN>=2 : ZURÜCK\nENDE\n", ""}},
		"title-part": {card: champion, settings: game.Settings{keyFight: "rounds:4"}, ends: func(b Bout) bool { return b.Result.Method == bout.Undecided }},
		"cancelled": {card: func(s *State) {
			s.Card[0].Rounds = 3
			f := &s.Fighters[0]
			f.Last = Last{Week: week(s.Round, s.Card[0].Week) - 2, Loss: f.Endurance + 30}
		}, ends: func(Bout) bool { return true }},
		"ropes": {card: rounds(6, LowClass), settings: game.Settings{keyRing: "6"}, ends: func(b Bout) bool {
			pinned, clinched := 0, 0
			for _, r := range b.Rounds {
				pinned, clinched = pinned+r.Pinned[0]+r.Pinned[1], clinched+r.Clinch[0]+r.Clinch[1]
			}
			return pinned >= 5 && clinched >= 5 && len(b.Rounds) >= 4
		}, mails: [2]string{
			"NAME Kid Thunder\nV WENN AMSEIL : KLAMMERN\nV WENN KOND<=5 : DECKEN\nENDE\n",
			"NAME Iron Mike\nV WENN AMSEIL : KLAMMERN\nA WENN SCHADEN<0 : STURM\nV WENN SCHADEN>=10 : ZURÜCK\nENDE\n",
		}},
	}
}

// turn plays an evening with the first dice that let the first bout end as it should.
func (e evening) turn(t *testing.T) step {
	t.Helper()
	settings := game.Settings{keyClasses: "heavy,light", keyStable: "2"}
	for key, value := range e.settings {
		settings[key] = value
	}
	for n := range 5000 {
		c := newCampaign(t, 2, 1, settings)
		c.secret = dice.Secret{byte(n), byte(n >> 8), 3}
		s := &c.state
		s.Round = 3
		for i, name := range []string{"Kid Thunder", "Dusty Grant", "Iron Mike", "Zoë Öztürk-O'Neill"} {
			f := &s.Fighters[i]
			f.Name, f.Class = name, []Class{Heavy, Light}[i%2]
			f.Earned, f.Record, f.Purses = Pop(9-i), Record{Wins: 4 - i, Losses: 1, KOWins: 1, Won: 1, Best: 2}, Dollars(1200*i)
			f.Past = []Past{{Round: 2, Week: 1, Arena: Pits, Rival: "f9", Opponent: "Old Bill", Result: Won, Method: bout.KO, End: 2, Purse: Dollars(90)}}
			f.Last = Last{Week: 1}
		}
		s.rank()
		s.Card = []Booking{
			{ID: "f1-f3", Class: Heavy, Week: 1, Arena: Pits, Rounds: 5, Advanced: true, Why: WhyAgreed, Fighters: [2]FighterID{"f1", "f3"}, Pop: [2]Pop{19, 17}},
			{ID: "f2-f4", Class: Light, Week: 2, Arena: Pits, Rounds: 3, Advanced: true, Why: WhyMatched, Fighters: [2]FighterID{"f2", "f4"}, Pop: [2]Pop{18, 16}},
		}
		e.card(s)
		var in game.Inputs[Orders]
		for i, text := range e.mails {
			in.Orders = append(in.Orders, c.read(t, c.state.Managers[i].Seat, text)...)
		}
		st := c.close(t, in)
		for _, x := range st.Events {
			if x.Code == EventCancelled || x.Code == EventBout && x.Data.Bout.Booking.ID == "f1-f3" && e.ends(*x.Data.Bout) {
				return st
			}
		}
	}
	t.Fatal("no dice give this evening")
	return step{}
}

// TestReports compares whole reports, as their readers get them, with what they were.
// UPDATE=1 writes them anew: read what has changed before keeping it.
func TestReports(t *testing.T) {
	w := loadWords(t)
	compare := func(t *testing.T, name, lang string, views []game.View) {
		t.Helper()
		var texts []string
		for _, v := range views {
			texts = append(texts, render(t, w, lang, v))
		}
		got, file := report.Join(texts...), filepath.Join(goldens, lang+"-"+name+".txt")
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s is another report (-was +is):\n%s", file, diff)
		}
	}
	for name, e := range evenings() {
		t.Run(name, func(t *testing.T) {
			st := e.turn(t)
			for _, lang := range languages() {
				compare(t, name, lang, reportViews(st, game.Audience{Seat: "s1"}))
			}
		})
	}
	t.Run("short", func(t *testing.T) {
		c := newCampaign(t, 15, 6, game.Settings{keyStable: "3", keyClasses: "heavy,middle,light"})
		c.play(t, 4, false)
		st := c.steps[len(c.steps)-1]
		if len(st.After.Fighters) <= wholeReport {
			t.Fatal("there is room for the whole report")
		}
		for _, lang := range languages() {
			compare(t, "short", lang, reportViews(st, game.Audience{Seat: "s2"})[1:])
		}
	})
	t.Run("record", func(t *testing.T) {
		c := newCampaign(t, 5, 8, everything())
		c.play(t, 14, false)
		title := c.state.title(Heavy)
		name := c.state.Fighters[c.state.fighter(title.Champion)].Name
		for _, lang := range languages() {
			var views []game.View
			for _, subject := range []string{name, c.state.Managers[1].Name} {
				v, issues := New().Answer(c.state, game.Query[State, Event]{Kind: game.QueryRecord, Subject: subject}, game.Audience{Seat: "s1"})
				if len(issues) > 0 {
					t.Fatal(issues)
				}
				views = append(views, v...)
			}
			compare(t, "record", lang, views)
		}
	})
}

// TestNoGoldenIsLeftOver: every file is one that TestReports compares.
func TestNoGoldenIsLeftOver(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(goldens, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * (len(evenings()) + 2); len(files) != want {
		t.Errorf("%d files in %s, %d are compared: %v", len(files), goldens, want, fmt.Sprint(files))
	}
}
