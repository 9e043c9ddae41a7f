package ringside

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/rules/ringside/plan"
)

// fixed is a campaign in which every kind of reader sits.
func fixed(tb testing.TB) State {
	tb.Helper()
	c := newCampaign(tb, 4, 2, everything())
	c.play(tb, 6, false)
	s := c.state.clone()
	for i, name := range []string{"Kid Thunder", "Iron Mike", "Old Bill", "O'Hara Jr."} {
		s.Fighters[i].Name = name
	}
	s.Fighters[0].Record.Losses = 10
	return s
}

// FuzzRead: whatever is written, reading it is total and says the same twice, what
// is wrong is told, and the normalised lines read as themselves in every language.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"NAME Kid Thunder\nSCHLAG UC3 RJ1\nERWARTE UC2\nBEINE V MITTE A SEIL\nV WENN AMSEIL : KLAMMERN\nA WENN GKOND<=0 : STURM\nRUNDE 9-12 SCHLAG UC4\nDAUER NEIN",
		"NAME Kid Thunder\nSCHLAG UC12\nV WENN FOO : DECKEN\nGEGNER Joe\nKAMPF A GEGEN B",
		"NAME Müller\nSCHLAG UC3",
		"MANAGER Müller\nKAMPF Kid Thunder GEGEN Iron Mike ARENA HOCH RUNDEN 8 WOCHE 2 EINFACH\nFREI Kid Thunder AB 12½\nRUHE Old Bill",
		"MANAGER Müller\nRÜCKTRITT Kid Thunder\nNEU Bob KLASSE Halbschwer\nANGEBOT Kid Thunder 1.500 $\nKAUF Old Bill 1,000\nTAUSCH Kid Thunder GEGEN Old Bill",
		"MANAGER Müller\nWETTE Kid Thunder 10\nWETTE Old Bill 5 GEGEN Zoë\nMIETE Kid Thunder WOCHE 3 ARENA BEST\nSCHLAG UC3\nFREI _",
		"MANAGER Müller\nBOUT Kid Thunder vs. Old Bill,\nARENA PITS, ROUNDS\n5\nWEEK 9\nREST _ _",
		"SCHLAG UC_ RJ_\nERWARTE UC_",
	} {
		f.Add(text)
	}
	s := fixed(f)
	known := append(plan.IssueCodes(), game.NameCodes()...)
	f.Fuzz(func(t *testing.T, text string) {
		for _, block := range orders.Parse(orders.Lines(text)).Blocks {
			seat, ok := New().Owner(s, block.Name)
			if !ok {
				seat = "s1"
			}
			slips, issues := New().Read(s, seat, block)
			slips2, issues2 := New().Read(s, seat, block)
			if encode(t, slips) != encode(t, slips2) || !cmp.Equal(issues, issues2) {
				t.Fatal("read twice, differently")
			}
			for _, i := range issues {
				if !slices.Contains(known, i.Code) && !strings.Contains(source, `"`+i.Code+`"`) {
					t.Fatalf("unknown code %q", i.Code)
				}
				for _, a := range i.Args {
					if len([]rune(a)) > 61 {
						t.Fatalf("%s quotes %q", i.Code, a)
					}
				}
			}
			if len(slips) == 0 && len(issues) == 0 && len(block.Statements) > 0 && !onlyRemarks(block) {
				t.Fatal("no orders, and no word why")
			}
			for _, slip := range slips {
				for _, lang := range []string{"en", "de", "es"} {
					checkAgain(t, s, seat, block, slip, lang)
				}
			}
			if len(slips) > 1 {
				t.Fatalf("%d slips", len(slips))
			}
			New().Explain(s, seat, slips).Data()
		}
	})
}

// source names the codes of this package.
const source = `"not-filled-in" "which-fighter" "manager-line" "plan-line" "line-other" "plan-idle" "fighter-unknown" "fighter-foreign" "fighter-own"
"bout-grammar" "bout-foreign" "rounds-arena" "bout-self" "bout-stable" "bout-class" "arena-unknown" "rounds-bad" "rounds-range" "week-bad" "class-unknown" "least-bad" "price-bad"
"retire-early" "new-alone" "new-grammar" "name-taken" "module-off" "bet-cash" "bet-own" "bet-none" "bet-self" "buy-cash" "manager-unknown" "line-twice" "lines-many"`

// onlyRemarks: a block that names the opponent and nothing more orders nothing.
func onlyRemarks(b game.Block) bool {
	return !slices.ContainsFunc(b.Statements, func(st game.Statement) bool { return st.Keyword != game.KeyOpponent && st.Keyword != game.KeyStanding })
}

// checkAgain reads a slip's own lines, as they are shown in a language.
func checkAgain(t *testing.T, s State, seat game.SeatID, block game.Block, slip game.Slip[Orders], lang string) {
	t.Helper()
	again := game.Block{Line: 1, Name: block.Name, Round: block.Round, Manager: block.Manager}
	for n, l := range slip.Lines {
		if l.Keyword == game.KeyFighter || l.Keyword == game.KeyManager {
			if again.Name = l.Args; n > 0 || again.Manager != (l.Keyword == game.KeyManager) {
				t.Fatalf("line %d of %v", n, slip.Lines)
			}
			continue
		}
		args := l.Args
		if in, ok := l.In[lang]; ok {
			args = in
		}
		again.Statements = append(again.Statements, game.Statement{Line: n + 1, Keyword: l.Keyword, Args: args})
	}
	back, issues := New().Read(s, seat, again)
	if len(slip.Lines) > 0 && len(again.Statements) == 0 {
		return // a plan of no lines
	}
	if len(back) != 1 || encode(t, back[0].Orders) != encode(t, slip.Orders) {
		t.Fatalf("%s: %v reads as %v %v", lang, again.Statements, back, issues)
	}
	for _, i := range issues {
		if i.Error {
			t.Fatalf("%s: %v has the issue %+v", lang, again.Statements, i)
		}
	}
}

// TestOwner: by the manager's name or his fighters', forgiving of spelling alone.
func TestOwner(t *testing.T) {
	s := fixed(t)
	for name, want := range map[string]game.SeatID{
		"Müller": "s1", "mueller": "s1", " MÜLLER ": "s1", "kid  thunder": "s1", "Zoë": "s4",
		"Muller": "", "": "", "s1": "", "f1": "", "Kid": "",
	} {
		got, ok := New().Owner(s, name)
		if got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", name, got, ok, want)
		}
	}
}

// TestReadLeavesProseAlone: a block without any line of orders is no orders.
func TestReadLeavesProseAlone(t *testing.T) {
	text := orders.Parse(orders.Lines("NAME Kid Thunder\nich komme am Sonntag etwas später"))
	slips, issues := New().Read(fixed(t), "s1", text.Blocks[0])
	if len(slips) != 0 || len(issues) != 0 {
		t.Errorf("read as %v, %v", slips, issues)
	}
}

// TestReadForLater: for a turn to come nothing is known of its card, and nothing is
// said of it.
func TestReadForLater(t *testing.T) {
	s := fixed(t)
	s.Card = nil
	for round, want := range map[int]int{s.Round: 1, s.Round + 1: 0} {
		b := game.Block{Line: 1, Name: "Kid Thunder", Round: round, Statements: []game.Statement{{Line: 2, Keyword: game.KeyPunch, Args: "UC3"}}}
		slips, issues := New().Read(s, "s1", b)
		if len(slips) != 1 || len(issues) != want {
			t.Errorf("turn %d: %v %v", round, slips, issues)
		}
	}
}

// TestNamesOfWords: a fighter may be called by a word that lines know (G-13). The
// names there are decide how such a line is read.
func TestNamesOfWords(t *testing.T) {
	s := fixed(t)
	own, others := s.stable("s1"), s.stable("s2")
	rename := func(f Fighter, name string) { s.Fighters[s.fighter(f.ID)].Name = name }
	rename(own[0], "Plain")
	rename(own[1], "Alter WEEK 2")
	rename(others[0], "Joe VS Jim")
	rename(others[1], "Kid MIN 12")
	s.Card = []Booking{{ID: boutID(own[0].ID, others[0].ID), Class: own[0].Class, Week: 1, Fighters: [2]FighterID{own[0].ID, others[0].ID}}}
	for _, f := range []Fighter{own[0], own[1], others[0], others[1]} {
		s.Fighters[s.fighter(f.ID)].Class = own[0].Class
	}
	week := func(n int) Proposal { return Proposal{Week: n} }
	other := s.Managers[s.manager("s2")].Name
	for _, c := range []struct {
		seat game.SeatID
		line string
		want Wish
	}{
		{"s1", "BOUT Joe VS Jim VS Plain", Wish{Do: WantBout, Own: own[0].ID, Other: others[0].ID}},
		{"s1", "BOUT Joe VS Jim VS Plain PLAIN WEEK 3", Wish{Do: WantBout, Own: own[0].ID, Other: others[0].ID, Proposal: Proposal{Week: 3, Plain: true}}},
		{"s1", "BOUT Kid MIN 12 VS Alter WEEK 2", Wish{Do: WantBout, Own: own[1].ID, Other: others[1].ID}},
		{"s1", "BOUT Kid MIN 12 VS Alter WEEK 2 WEEK 4", Wish{Do: WantBout, Own: own[1].ID, Other: others[1].ID, Proposal: week(4)}},
		{"s1", "TRADE Plain VS Joe VS Jim", Wish{Do: WantTrade, Own: own[0].ID, Other: others[0].ID}},
		{"s1", "RESERVE Plain WEEK 1", Wish{Do: WantReserve, Own: own[0].ID, Proposal: week(1)}},
		{"s1", "RESERVE Alter WEEK 2 WEEK 1", Wish{Do: WantReserve, Own: own[1].ID, Proposal: week(1)}},
		{"s2", "OPEN Kid MIN 12", Wish{Do: WantOpen, Own: others[1].ID}},
		{"s2", "OPEN Kid MIN 12 MIN 3", Wish{Do: WantOpen, Own: others[1].ID, Least: 6}},
		{"s2", "BET Joe VS Jim 10", Wish{Do: WantBet, Other: others[0].ID, Money: Dollars(10)}},
		{"s2", "BET Joe VS Jim 10 $", Wish{Do: WantBet, Other: others[0].ID, Money: Dollars(10)}},
		{"s1", "BET Plain 10 VS " + other, Wish{Do: WantBet, Other: own[0].ID, Money: Dollars(10), With: "s2"}},
	} {
		block := orders.Parse(orders.Lines("MANAGER " + s.managerName(c.seat) + "\n" + c.line)).Blocks[0]
		slips, issues := New().Read(s, c.seat, block)
		if len(slips) != 1 || len(issues) > 0 {
			t.Errorf("%s: %v %v", c.line, slips, issues)
			continue
		}
		if diff := cmp.Diff([]Wish{c.want}, slips[0].Orders.Lines); diff != "" {
			t.Errorf("%s\n%s", c.line, diff)
		}
		for _, lang := range []string{"en", "de", "es"} {
			checkAgain(t, s, c.seat, block, slips[0], lang)
		}
	}
}
