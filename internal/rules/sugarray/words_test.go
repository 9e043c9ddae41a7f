package sugarray

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/templates"
)

func languages() []string { return []string{"de", "en"} }

func loadWords(t *testing.T) *report.Words {
	t.Helper()
	w, err := report.Load(templates.Files)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// render words a view and checks what all of them must keep.
func render(t *testing.T, w *report.Words, lang string, v game.View) string {
	t.Helper()
	text, err := w.View(lang, "sugarray", v)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "<no value>") || strings.Contains(text, "%!") || strings.Contains(text, "\n\n\n") {
		t.Errorf("%s/%s does not fit its data:\n%s", lang, v.Template, text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if n := utf8.RuneCountInString(line); n > report.Columns && !isFightLine(line) {
			t.Errorf("%s/%s: a line of %d columns: %s", lang, v.Template, n, line)
		}
	}
	return text
}

// isFightLine: pairs in columns are the one table that may be wider (SR-37).
func isFightLine(line string) bool {
	return strings.Count(line, "/") >= 1 && pairColumns.MatchString(line)
}

var pairColumns = regexp.MustCompile(`\d/\d+ +(\(| *\d+/\d)`)

// TestEveryViewRenders plays a league of all that can happen and words it for
// everybody.
func TestEveryViewRenders(t *testing.T) {
	w := loadWords(t)
	l := newLeague(t, 13, 3, game.Settings{"season": "5"})
	l.play(t, 25, true)
	seen := map[string]bool{}
	for _, lang := range languages() {
		for _, st := range l.steps {
			for _, b := range append(st.Before.Boxers, st.After.Boxers...) {
				for _, v := range answers(t, st, b) {
					once := fmt.Sprint(lang, st.Round, v.Template, v.Key)
					if v.Key != "" && seen[once] {
						continue // the same data for everybody
					}
					seen[once], seen[v.Template] = true, true
					render(t, w, lang, v)
				}
			}
		}
	}
	for _, name := range []string{"own", "report", "briefing", "table", "record", "preview"} {
		if !seen[name] {
			t.Errorf("no view uses the template %s", name)
		}
	}
}

// TestShortReportRenders: above 60 boxers, with where the rest is.
func TestShortReportRenders(t *testing.T) {
	w := loadWords(t)
	l := newLeague(t, wholeReport+1, 13, nil)
	l.play(t, 4, false)
	for _, lang := range languages() {
		views := reportViews(l.steps[4], game.Audience{Seat: "s1"})
		if len(views) != 3 {
			t.Fatalf("%d views", len(views))
		}
		for _, v := range views {
			render(t, w, lang, v)
		}
	}
}

// answers are all that a boxer can ask after a step.
func answers(t *testing.T, st step, b Boxer) []game.View {
	t.Helper()
	rules, to := New(), game.Audience{Seat: b.Seat}
	var views []game.View
	for _, q := range []game.Query[State, Event]{
		{Kind: game.QueryReport, Step: &st},
		{Kind: game.QueryBriefing, Subject: "liga-nord"},
		{Kind: game.QueryTable},
		{Kind: game.QueryRecord, Subject: b.Name},
	} {
		vs, issues := rules.Answer(st.After, q, to)
		if _, still := st.After.boxer(b.Seat); still && len(issues) > 0 {
			t.Errorf("%s: %v", q.Kind, issues)
		}
		views = append(views, vs...)
	}
	bold := game.Slip[Orders]{Slot: Slot, Orders: Orders{Pairs: pairs(t, "2/3 12/4 2/2 20/20 3/1")}}
	return append(views, rules.Explain(st.After, b.Seat, []game.Slip[Orders]{bold}))
}

// TestRulesRender: the rules need no data.
func TestRulesRender(t *testing.T) {
	w := loadWords(t)
	for _, lang := range languages() {
		text := render(t, w, lang, game.View{Template: "rules", Data: func() any { return nil }})
		for _, line := range FightLines(fightOf(
			Side{Name: "Müller", Technique: 10, Condition: 26, Orders: pairs(t, "2/3 3/0 2/2 0/5 3/1")},
			Side{Name: "Maier", Technique: 12, Condition: 21, Orders: pairs(t, "6/0 3/3 3/4 4/2 3/3")},
		)) {
			if !strings.Contains(text, "\n"+line+"\n") {
				t.Errorf("%s: the rules' example is not what the rules give: %s", lang, line)
			}
		}
	}
}

// TestRulesSayTheRulings: what a ruling decides beyond the rulebook stands in the
// rules that players get.
func TestRulesSayTheRulings(t *testing.T) {
	w := loadWords(t)
	limit := strconv.Itoa(MaxFigure)
	for _, c := range []struct{ ruling, de, en string }{
		{"SR-1", "ohne Grenze nach oben", "without limit"},
		{"SR-2", "bis " + limit, "up to " + limit},
		{"SR-3", "jedes unlesbare Paar als 0/0", "each pair that could not as 0/0"},
		{"SR-10", "Unter Technik 0 und Kondition 1 fällt niemand", "Nobody falls below technique 0 or condition 1"},
		{"SR-17", "wer zu Beginn der Runde Meister war", "whoever was champion when the turn began"},
		{"SR-25", "Ist Liga 1 leer, hat der Meister frei", "While league 1 is empty, the champion has the turn off"},
		{"SR-26", "die zwei Dienstältesten", "the two longest serving"},
		{"SR-30", "Der Kampf zählt voll", "The bout counts in full"},
		{"SR-32", "boxt dort niemand, mit denen der untersten Liga, in der jemand boxt", "if nobody boxes there, with those of the lowest league that has boxers"},
		{"SR-34", "steigt ebenfalls der Dummy für ihn ein", "The dummy also steps in"},
	} {
		for lang, want := range map[string]string{"de": c.de, "en": c.en} {
			text := strings.Join(strings.Fields(render(t, w, lang, game.View{Template: "rules", Data: func() any { return nil }})), " ")
			if !strings.Contains(text, want) {
				t.Errorf("%s: the rules do not say %s: %q", lang, c.ruling, want)
			}
		}
	}
}

// TestEveryIssueHasWords finds the codes in the source, so that none is left out.
func TestEveryIssueHasWords(t *testing.T) {
	w := loadWords(t)
	codes := issueCodes(t)
	if len(codes) < 20 {
		t.Fatalf("found %d codes of issues only", len(codes))
	}
	for _, lang := range languages() {
		for _, code := range codes {
			i := game.Issue{Line: 1, Code: code, Args: []string{"1", "0", "2/3"}}
			text, err := w.Render(lang, "sugarray", "issue."+code, i)
			if err != nil {
				t.Error(err)
			} else if len(strings.TrimSpace(text)) < 10 {
				t.Errorf("%s: %s says %q", lang, code, text)
			}
		}
		for _, name := range []string{"silence.nmr", "duty.moves"} {
			if !w.Defines(lang, "sugarray", name) {
				t.Errorf("%s: no words for %s", lang, name)
			}
		}
	}
}

func issueCodes(t testing.TB) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "issues.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			code, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
		}
		return true
	})
	return codes
}

// TestReadyBlockIsBlank: what a briefing gives to fill in reads as not filled
// in, and names game, boxer and round.
func TestReadyBlockIsBlank(t *testing.T) {
	w := loadWords(t)
	l := newLeague(t, 12, 4, nil)
	l.play(t, 8, false)
	for _, lang := range languages() {
		for _, b := range l.state.Boxers {
			views, _ := New().Answer(l.state, game.Query[State, Event]{Kind: game.QueryBriefing, Subject: "liga-nord"}, game.Audience{Seat: b.Seat})
			var lines []orders.Line
			for n, text := range strings.Split(render(t, w, lang, views[0]), "\n") {
				lines = append(lines, orders.Line{N: n + 1, Text: text})
			}
			text := orders.Parse(lines)
			if len(text.Blocks) != 1 || len(text.Commands) != 0 {
				t.Fatalf("%s: %d blocks, %d commands", lang, len(text.Blocks), len(text.Commands))
			}
			block := text.Blocks[0]
			if block.Game != "liga-nord" || block.Name != b.Name || block.Round != l.state.Round {
				t.Errorf("%s: the block is %+v", lang, block)
			}
			slips, issues := New().Read(l.state, b.Seat, block)
			if len(slips) != 0 || len(issues) != 1 || issues[0].Code != issueNotFilledIn || issues[0].Error {
				t.Errorf("%s: read as %v %v", lang, slips, issues)
			}
		}
	}
}

// ExampleRules_Spar shows a test fight as the issue of the command line wants it.
func ExampleRules_Spar() {
	text := orders.Parse([]orders.Line{
		{N: 1, Text: "NAME Müller"}, {N: 2, Text: "TECHNIK 10"}, {N: 3, Text: "KONDITION 26"}, {N: 4, Text: "ZUG 2/3 3/0 2/2 0/5 3/1"},
		{N: 6, Text: "NAME Maier"}, {N: 7, Text: "TECHNIK 12"}, {N: 8, Text: "KONDITION 21"}, {N: 9, Text: "ZUG 6/0 3/3 3/4 4/2 3/3"},
	})
	v, issues := New().Spar(nil, text.Blocks, nil)
	w, err := report.Load(templates.Files)
	if err != nil {
		panic(err)
	}
	out, err := w.View("en", "sugarray", v)
	fmt.Println(len(issues), err)
	fmt.Print(out)
	// Output:
	// 0 <nil>
	// Maier         (12,21)    6/0 (15)   3/3 (14)   3/4 (12)   4/2 (11)   3/3 (10) PS
	// Müller        (10,26)    2/3 (19)   3/0 (13)   2/2 (11)   0/5 (11)   3/1 ( 6)
	//
	// Maier wins on points, 19 to 10 in offence.
}

// TestNoWordsReadAsOrders: what we write comes back below players' own lines,
// quoted by nothing. Apart from the ready block, none of it may order anything,
// be it inside an open block.
func TestNoWordsReadAsOrders(t *testing.T) {
	w := loadWords(t)
	l := newLeague(t, 13, 12, nil)
	l.play(t, 12, true)
	st := l.steps[len(l.steps)-1]
	for _, lang := range languages() {
		views := []game.View{{Template: "rules", Data: func() any { return nil }}}
		for _, b := range st.Before.Boxers {
			views = append(views, answers(t, st, b)...)
		}
		for _, v := range views {
			text := render(t, w, lang, v)
			if v.Template == "briefing" {
				before, rest, _ := strings.Cut(text, orders.Word(orders.Language(lang), game.KeyGame)+" liga-nord")
				_, after, _ := strings.Cut(rest, "\n\n")
				text = before + after
			}
			for line := range strings.SplitSeq(text, "\n") {
				got := parse("NAME Ali\n" + line)
				if len(got.Blocks) != 1 || len(got.Blocks[0].Statements)+len(got.Blocks[0].Issues)+len(got.Commands)+len(got.Issues) > 0 || got.Blocks[0].Name != "Ali" {
					t.Errorf("%s/%s reads as orders: %q", lang, v.Template, line)
				}
			}
		}
	}
}

// TestPastFightsStayInTheirColumns: figures of two digits move no result, and with
// the longest name and words a line has room in a mail.
func TestPastFightsStayInTheirColumns(t *testing.T) {
	w := loadWords(t)
	past := func(name, figures, result string, ko int) Past {
		f := pairs(t, figures)
		p := Past{Round: 1234, Opponent: name, Own: f[:], Result: result, KORound: ko}
		if ko > 0 {
			p.Own = p.Own[:ko]
		}
		return p
	}
	for _, c := range []struct {
		name string
		past []Past
		cut  bool // the longest name has no room
	}{
		{"single digits", []Past{past("Ingemar Johansson Gbg. II", "1/2 3/4 5/6 7/8 9/0", Lost, 0), past("Ali", "1/2 3/4 5/6 7/8 9/0", Won, 2)}, true},
		{"the worst", []Past{past("Ingemar Johansson Gbg. I", "10/20 30/40 50/60 70/80 90/10", Lost, 0), past("Al", "1/2 3/4 5/6 7/8 9/0", Tied, 5), past("Ali", "12/2 3/4 5/6 7/8 9/0", Lost, 1)}, true},
		{"short names", []Past{past("Al", "10/2 3/4 5/6 7/8 9/0", Tied, 0), past("Li", "1/2 3/4 5/6 7/8 9/0", Won, 0)}, false},
	} {
		for _, lang := range languages() {
			b := Boxer{Name: "Zoë", Past: c.past}
			text := render(t, w, lang, game.View{Template: "record", Data: func() any { return RecordView{Profile: b.profile()} }})
			rows := strings.Split(strings.TrimRight(text, "\n"), "\n")
			rows = rows[len(rows)-len(c.past):]
			column := 0
			for i, row := range rows {
				if n := utf8.RuneCountInString(row); n > report.Columns {
					t.Errorf("%s, %s: a line of %d columns: %s", c.name, lang, n, row)
				}
				figures := pairsText(c.past[i].Own)
				before, after, ok := strings.Cut(row, figures)
				if !ok {
					t.Fatalf("%s, %s: %s is missing in %q", c.name, lang, figures, row)
				}
				result := strings.TrimLeft(after, " ")
				at := utf8.RuneCountInString(strings.TrimSuffix(before+figures+after, result))
				if column == 0 {
					column = at
				}
				if at != column {
					t.Errorf("%s, %s: the result of line %d begins in column %d, of the first in %d:\n%s", c.name, lang, i+1, at, column, text)
				}
				if name := c.past[i].Opponent; !c.cut && !strings.Contains(before, name) || len(name) < 10 && !strings.Contains(before, name) {
					t.Errorf("%s, %s: %s is cut in %q", c.name, lang, name, row)
				}
			}
		}
	}
}

// TestAnImportBringsHisPast: a record from elsewhere is not denied, and a champion
// says since when he is one (SR-39).
func TestAnImportBringsHisPast(t *testing.T) {
	w := loadWords(t)
	s, _, err := New().Setup(nil, []game.Seat{
		{ID: "s1", Name: "Champ", Traits: game.Settings{"league": "0", "since": "-12", "record": "30/2/1"}},
		{ID: "s2", Name: "Ali", Traits: game.Settings{"record": "0/1/0", "since": "-1"}},
		{ID: "s3", Name: "Ben"},
	}, ones(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ subject, de, en string }{
		{"Champ", "seit der 12. Runde vor dem Start, noch keine", "since 12 rounds before the start, no defence"},
		{"Champ", "Frühere Kämpfe liegen hier nicht vor.", "Earlier bouts are not on file here."},
		{"Ali", "Frühere Kämpfe liegen hier nicht vor.", "Earlier bouts are not on file here."},
		{"Ali", "Liga 3 seit der 1. Runde vor dem Start.", "In league 3 since 1 round before the start."},
		{"Ben", "Noch kein Kampf.", "No bout yet."},
		{"Ben", "Liga 3 seit dem Start.", "In league 3 since the start."},
		{"", "im Amt seit der 12. Runde vor dem Start", "since 12 rounds before the start"},
	} {
		q := game.Query[State, Event]{Kind: game.QueryRecord, Subject: c.subject}
		if c.subject == "" {
			q.Kind = game.QueryTable
		}
		views, _ := New().Answer(s, q, game.Audience{})
		for lang, want := range map[string]string{"de": c.de, "en": c.en} {
			text := strings.Join(strings.Fields(render(t, w, lang, views[0])), " ")
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not said in\n%s", lang, want, text)
			}
			if c.subject != "Ben" && (strings.Contains(text, "Noch kein Kampf") || strings.Contains(text, "No bout yet")) {
				t.Errorf("%s: a record is denied in\n%s", lang, text)
			}
		}
	}
}
