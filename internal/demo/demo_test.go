package demo

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/orders"
)

func TestFind(t *testing.T) {
	for _, s := range Seasons() {
		got, err := Find(s.Ruleset)
		if err != nil || got.Title != s.Title || got.Players < 2 || got.Rounds < 1 || len(got.Cast(3)) != 3 {
			t.Errorf("%s: %+v, %v", s.Ruleset, got, err)
		}
	}
	if _, err := Find("chess"); err == nil || !strings.Contains(err.Error(), "sugarray, ringside") {
		t.Errorf("the error is %v", err)
	}
}

// TestCast: many players, none like another, with names that can be seats'.
func TestCast(t *testing.T) {
	for _, s := range Seasons() {
		var names []string
		for i, p := range s.Cast(MaxPlayers) {
			if code := game.CheckName(p.Name); code != "" || orders.Reserved(p.Name) {
				t.Errorf("%s: %s (%s)", s.Ruleset, p.Name, code)
			}
			if slices.ContainsFunc(names, func(o string) bool { return game.SameName(o, p.Name) }) {
				t.Errorf("%s: %s is there twice", s.Ruleset, p.Name)
			}
			names = append(names, p.Name)
			if p.Address != fmt.Sprintf("player%02d@players.example", i+1) || p.Lang == "" {
				t.Errorf("%+v", p)
			}
		}
	}
}

// report is one of Ringside, as far as managers read it.
const report = `Runde 3: The Demo Circuit

Im Schwergewicht
   C. Tom O'Hara               Doc Hallor.        10    3-0-0     $12,357
   1. Kid Thunder              %[1]s    =     7    1-0-0        $400
   2. Iron Mike                Don Corrado   +1     6    1-1-0        $600

Im Leichtgewicht
   1. Will Turpin              Old Sully      -1     5    0-1-0         $80
   2. Joe Strong               %[1]s  +12     5    0-0-0          $0

Die Manager
    1. Old Sully                   $10,000.00          $0       2     0
    2. %[2]s                   $10,000.00          $0       2     0

Du bist gefordert
  Don Corrado will Iron Mike gegen Kid Thunder boxen lassen, in der Grube.
  Wenn du willst, schick: KAMPF Kid
  Thunder GEGEN Iron Mike

NAME Kid Thunder
SPIELRUNDE 3
SCHLAG UC_ RJ_ RH_ CO_ LJ_ LH_
ENDE

MANAGER %[2]s
SPIELRUNDE 3
KAMPF _ GEGEN _
ENDE
`

// reportFor is the report as a manager gets it, whose name may be cut in the rankings.
func reportFor(name string) Received {
	column := []rune(fmt.Sprintf("%-12s", name))
	if len(column) > 12 {
		column = append(column[:11], '.')
	}
	return Received{From: "gm@ringpost.example", Subject: "Runde 3 [demo 3 abc234]", MessageID: "m1@ringpost.example", ReplyTo: "gm@ringpost.example",
		Text: fmt.Sprintf(report, string(column), name), Date: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
}

func TestManagersRead(t *testing.T) {
	for _, name := range []string{"Ma Baxter", "Fritz Wuchtig", "Käthe Kröger XIV"} {
		m := &manager{}
		if !m.read(name, reportFor(name).Text) {
			t.Fatalf("%s has learned nothing", name)
		}
		want := &manager{own: []string{"Kid Thunder", "Joe Strong"}, boxing: []string{"Kid Thunder"},
			others:     map[string][]string{"Kid Thunder": {"Tom O'Hara", "Iron Mike"}, "Joe Strong": {"Will Turpin"}},
			challenges: [][2]string{{"Kid Thunder", "Iron Mike"}}}
		if diff := cmp.Diff(want, m, cmp.AllowUnexported(manager{})); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if m.read(name, "This is how they were read:\n\n| MANAGER Ma Baxter\n\nNAME Joe Strong\n") || len(m.own) != 2 || m.boxing[0] != "Kid Thunder" {
			t.Error("a receipt is read as a report")
		}
	}
}

// parsed is what the referee reads in a mail.
func parsed(t *testing.T, raw []byte) []game.Block {
	t.Helper()
	l := letter.Read(raw, letter.Options{Own: []string{"gm@ringpost.example"}})
	var lines []orders.Line
	for _, x := range l.Lines {
		lines = append(lines, orders.Line{N: x.N, Text: x.Text})
	}
	text := orders.Parse(lines)
	if l.Problem != "" || len(text.Issues) > 0 || slices.ContainsFunc(text.Commands, func(c orders.Command) bool { return c.Keyword != game.KeySpar }) {
		t.Fatalf("%s %v %v\n%s", l.Problem, text.Issues, text.Commands, raw)
	}
	for _, b := range text.Blocks {
		if len(b.Issues) > 0 || !strings.EqualFold(b.Game, "demo") {
			t.Fatalf("%+v\n%s", b, raw)
		}
	}
	return text.Blocks
}

// keywordsOf are those of a mail, and whom its blocks are for.
func keywordsOf(blocks []game.Block) []string {
	var out []string
	for _, b := range blocks {
		out = append(out, game.Fold(b.Name))
		for _, st := range b.Statements {
			out = append(out, string(st.Keyword))
			for range st.Tail {
				out = append(out, "(wrapped)")
			}
		}
	}
	return out
}

// TestEveryStyleIsRead: what a mind decides is read alike in whatever way it is
// written, quoted reports and all.
func TestEveryStyleIsRead(t *testing.T) {
	for _, s := range Seasons() {
		for mood := range 8 {
			var first []string
			for i, style := range styles {
				p := s.Cast(mood + 1)[mood]
				p.style = style
				in := reportFor(p.Name)
				seed := dice.Seed{byte(mood)}
				raw := p.Answer("gm@ringpost.example", in, "demo", seed.Stream("orders", ""), false, in.Date.Add(time.Hour))
				got := keywordsOf(parsed(t, raw))
				if i == 0 {
					first = got
					if len(got) < 3 {
						t.Fatalf("%s, mood %d: only %v", s.Ruleset, mood, got)
					}
				}
				if diff := cmp.Diff(first, got); diff != "" {
					t.Errorf("%s, mood %d, style %d:\n%s\n%s", s.Ruleset, mood, i, diff, raw)
				}
			}
		}
	}
}

// TestSlipsAreMended: with a slip the mail is another one; the answer to the receipt
// says what a mail without a slip would have said.
func TestSlipsAreMended(t *testing.T) {
	text := func(p *Player, in Received, slip bool) string {
		return p.mind.decide(p, in, "demo", dice.Seed{5}.Stream("orders", ""), slip)(english)
	}
	for _, s := range Seasons() {
		for i := range 6 {
			one, two := s.Cast(i + 1)[i], s.Cast(i + 1)[i]
			in := reportFor(one.Name)
			good, bad := text(one, in, false), text(two, in, true)
			if good == bad {
				t.Errorf("%s %d: no slip in\n%s", s.Ruleset, i, bad)
			}
			if s.Ruleset != "ringside" { // a boxer thinks anew
				continue
			}
			good, _, _ = strings.Cut(good, "SPARRING") // he has done that
			if mended := text(two, Received{Text: "| MANAGER " + two.Name + "\n"}, false); mended != good {
				t.Errorf("%s %d: mended\n%s\nwant\n%s", s.Ruleset, i, mended, good)
			}
		}
	}
}

// TestTongues: a plan and a manager's lines, word by word.
func TestTongues(t *testing.T) {
	for _, tt := range []struct {
		line           sentence
		en, de, es, co string
	}{
		{sentence{"NAME", "Old Sully II"}, "NAME Old Sully II", "NAME Old Sully II", "NOMBRE Old Sully II", "NAME: Old Sully II"},
		{sentence{"D", "IF LEAD>=2 AND END<=20 : BACKPEDAL"}, "D IF LEAD>=2 AND END<=20 : BACKPEDAL", "V WENN VORN>=2 UND KOND<=20 : ZURUECK", "D SI VENTAJA>=2 Y RESIST<=20 : ATRAS", "V WENN VORN>=2 UND KOND<=20 : ZURUECK"},
		{sentence{"FEET", "D CIRCLE A ROPES"}, "FEET D CIRCLE A ROPES", "BEINE V KREIS A SEIL", "PIES D CIRCULO A CUERDAS", "BEINE: V KREIS A SEIL"},
		{sentence{"ROUND", "4-15 PUNCH UC6 RJ2"}, "ROUND 4-15 PUNCH UC6 RJ2", "RUNDE 4-15 SCHLAG UC6 RJ2", "ASALTO 4-15 GOLPE UC6 RJ2", "RUNDE: 4-15 SCHLAG UC6 RJ2"},
		{sentence{"BOUT", "Kid A VS Joe ROUNDS 5 WEEK 2"}, "BOUT Kid A VS Joe ROUNDS 5 WEEK 2", "KAMPF Kid A GEGEN Joe RUNDEN 5 WOCHE 2", "COMBATE Kid A CONTRA Joe ASALTOS 5 SEMANA 2", "KAMPF: Kid A GEGEN Joe RUNDEN 5 WOCHE 2"},
		{sentence{"OPEN", "Kid MIN 3"}, "OPEN Kid MIN 3", "FREI Kid AB 3", "LIBRE Kid DESDE 3", "FREI: Kid AB 3"},
	} {
		for want, in := range map[string]tongue{tt.en: english, tt.de: german, tt.es: spanish, tt.co: colons} {
			if got := tt.line.in(in); got != want+"\n" {
				t.Errorf("%+v: %q, want %q", in, got, want)
			}
		}
	}
}
