package sugarray

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
	"ringpost/internal/orders"
)

// fixed is a league in which every kind of reader sits: a champion with a
// challenger, league boxers, and one against the dummy.
func fixed(tb testing.TB) State {
	tb.Helper()
	seats := []game.Seat{
		{ID: "s1", Name: "Müller", Traits: game.Settings{"league": "0"}},
		{ID: "s2", Name: "Maier", Traits: game.Settings{"league": "1"}},
		{ID: "s3", Name: "Ali"}, {ID: "s4", Name: "Zoë"}, {ID: "s5", Name: "O'Hara"},
	}
	s, _, err := New().Setup(nil, seats, ones(0))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func parse(text string) orders.Text {
	var lines []orders.Line
	for i, t := range strings.Split(text, "\n") {
		lines = append(lines, orders.Line{N: i + 1, Text: t})
	}
	return orders.Parse(lines)
}

// FuzzRead: whatever is written, reading it is total and says the same twice,
// what is wrong is told, and the normalised lines read as themselves.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"NAME Müller\nLIGA 3\nZUG 2/3 3/0 2/2 0/5 3/1\nTRAINING T",
		"NAME Ali\nZUG 2 / 3 3/ 0;2 /2,0/5 3/1\nTRAINING K\nENDE",
		"NAME Ali\nZUG 2-3 _/_ ½ 999999999999/1 1/1 1/1",
		"NAME Zoë\nZUG\n1/1 1/1\n1/1 1/1 1/1\nTRAINING\nK",
		"NAME Maier\nTRAINING T\nTRAINING K\nTECHNIK 9999999999999999999999",
		"NAME Ali\nMOVE _/_ _/_ _/_ _/_ _/_\nTRAINING _\nEND",
		"ZUG 1/1 1/1 1/1 1/1 1/1\nZUG 2/2 2/2 2/2 2/2 2/2",
	} {
		f.Add(text)
	}
	s := fixed(f)
	known := issueCodes(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, block := range parse(text).Blocks {
			seat, _ := New().Owner(s, block.Name)
			slips, issues := New().Read(s, seat, block)
			slips2, issues2 := New().Read(s, seat, block)
			if !cmp.Equal(slips, slips2) || !cmp.Equal(issues, issues2) {
				t.Fatal("read twice, differently")
			}
			failed := false
			for _, i := range issues {
				failed = failed || i.Error
				if !slices.Contains(known, i.Code) {
					t.Fatalf("unknown code %q", i.Code)
				}
				for _, a := range i.Args {
					if len([]rune(a)) > 24 {
						t.Fatalf("%s quotes %q", i.Code, a)
					}
				}
			}
			switch {
			case len(slips) > 1:
				t.Fatalf("%d slips", len(slips))
			case len(slips) == 0 && len(issues) == 0 && len(block.Statements) > 0:
				t.Fatal("no orders, and no word why")
			case len(slips) == 1:
				checkSlip(t, s, seat, block, slips[0], failed)
			}
		}
	})
}

func checkSlip(t *testing.T, s State, seat game.SeatID, block game.Block, slip game.Slip[Orders], failed bool) {
	if slip.Provisional != failed {
		t.Fatalf("provisional: %v, an error told: %v", slip.Provisional, failed)
	}
	for _, p := range slip.Orders.Pairs {
		if p.Offence < 0 || p.Offence > MaxFigure || p.Defence < 0 || p.Defence > MaxFigure {
			t.Fatalf("the pair %v", p)
		}
	}
	again := game.Block{Line: 1, Name: block.Name, Round: block.Round}
	for _, l := range slip.Lines {
		again.Statements = append(again.Statements, game.Statement{Line: 1, Keyword: l.Keyword, Args: l.Args})
	}
	clean, _ := New().Read(s, seat, again)
	if len(clean) != 1 || clean[0].Orders != slip.Orders || clean[0].Provisional {
		t.Fatalf("%v reads as %v", slip.Lines, clean)
	}
	New().Explain(s, seat, []game.Slip[Orders]{slip}).Data()
}

// TestOwner: forgiving of spelling, of nothing else.
func TestOwner(t *testing.T) {
	s := fixed(t)
	for name, want := range map[string]game.SeatID{
		"Müller": "s1", "mueller": "s1", " MÜLLER ": "s1", "zoe": "s4", "O'Hara": "s5",
		"Muller": "", "Mullerin": "", "": "", "Dummy": "", "s1": "", "A1i": "",
	} {
		got, ok := New().Owner(s, name)
		if got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", name, got, ok, want)
		}
	}
}

// TestReadLeavesProseAlone: a block without any line of orders is no orders.
func TestReadLeavesProseAlone(t *testing.T) {
	text := parse("NAME Ali\nich komme am Sonntag etwas später")
	slips, issues := New().Read(fixed(t), "s3", text.Blocks[0])
	if len(slips) != 0 || len(issues) != 0 {
		t.Errorf("read as %v, %v", slips, issues)
	}
}

// TestReadForeignLine: a line of some other game is named, and harms nothing.
func TestReadForeignLine(t *testing.T) {
	block := game.Block{Line: 1, Name: "Ali", Statements: []game.Statement{
		{Line: 2, Keyword: "PUNCH", Args: "UC3"},
		{Line: 3, Keyword: game.KeyMove, Args: "1/1 1/1 1/1 1/1 1/1"},
		{Line: 4, Keyword: game.KeyTraining, Args: "T"},
	}}
	slips, issues := New().Read(fixed(t), "s3", block)
	want := []game.Issue{{Line: 2, Code: issueLineOther, Args: []string{"PUNCH"}}}
	if diff := cmp.Diff(want, issues); diff != "" || len(slips) != 1 || slips[0].Provisional {
		t.Errorf("%v\n%s", slips, diff)
	}
}

// TestPairAsText: what states and orders hold reads back, and nothing else does.
func TestPairAsText(t *testing.T) {
	for text, want := range map[string]Pair{
		"0/0": {}, "2/3": {2, 3}, "999999999/999999999": {MaxFigure, MaxFigure},
	} {
		var p Pair
		if err := p.UnmarshalText([]byte(text)); err != nil || p != want || p.String() != text {
			t.Errorf("%s reads as %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "/", "2", "2/", "/3", "2/3/4", "-1/0", "+1/0", "1.5/0", "1000000000/0", "0/99999999999999999999", "a/b"} {
		var p Pair
		if err := p.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q reads as %v", text, p)
		}
	}
}
