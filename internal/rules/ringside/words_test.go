package ringside

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/rules/ringside/plan"
	"ringpost/templates"
)

func languages() []string { return []string{"de", "en"} }

func loadWords(t testing.TB) *report.Words {
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
	text, err := w.View(lang, "ringside", v)
	if err != nil {
		t.Fatal(err)
	}
	for _, odd := range []string{"<no value>", "%!", "\n\n\n", "{{", " .\n", " ,", "  \n"} {
		if strings.Contains(text, odd) {
			t.Errorf("%s/%s does not fit its data, %q:\n%s", lang, v.Template, odd, text)
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if n := utf8.RuneCountInString(line); n > report.Columns {
			t.Errorf("%s/%s: a line of %d columns: %s", lang, v.Template, n, line)
		}
	}
	return text
}

// answers are all that a manager can ask after a step.
func answers(t *testing.T, st step, seat game.SeatID) []game.View {
	t.Helper()
	rules, to := New(), game.Audience{Seat: seat}
	queries := []game.Query[State, Event]{
		{Kind: game.QueryReport, Step: &st},
		{Kind: game.QueryBriefing, Subject: "ringside-1"},
		{Kind: game.QueryTable},
	}
	for _, f := range st.After.stable(seat) {
		queries = append(queries, game.Query[State, Event]{Kind: game.QueryRecord, Subject: f.Name})
	}
	if i := st.After.manager(seat); i >= 0 {
		queries = append(queries, game.Query[State, Event]{Kind: game.QueryRecord, Subject: st.After.Managers[i].Name})
	}
	var views []game.View
	for _, q := range queries {
		vs, issues := rules.Answer(st.After, q, to)
		if len(issues) > 0 {
			t.Errorf("%s: %v", q.Kind, issues)
		}
		views = append(views, vs...)
	}
	return views
}

// TestEveryViewRenders plays a campaign of all that can happen and words it for
// everybody.
func TestEveryViewRenders(t *testing.T) {
	t.Parallel()
	w := loadWords(t)
	settings := everything()
	settings[keyNMRLimit], settings[keyFight] = "2", "rounds:5"
	c := newCampaign(t, 9, 3, settings)
	seen := map[string]bool{}
	refused := map[string]bool{}
	for range 26 {
		in := c.inputs(t, true)
		for _, o := range in.Orders {
			v := New().Explain(c.state, o.Seat, []game.Slip[Orders]{{Slot: o.Slot, Orders: o.Orders}})
			seen[v.Template] = true
			for _, lang := range languages() {
				render(t, w, lang, v)
			}
		}
		st := c.close(t, in)
		for _, e := range st.Events {
			if e.Code == EventRefused {
				refused[e.Data.Refusal.Why] = true
			}
		}
		for _, lang := range languages() {
			done := map[string]bool{}
			for n := range c.seats {
				for _, v := range answers(t, st, game.SeatID(fmt.Sprint("s", n+1))) {
					if key := v.Template + "/" + v.Key; v.Key == "" || !done[key] {
						done[key], seen[v.Template] = true, true
						render(t, w, lang, v)
					}
				}
			}
		}
	}
	for _, name := range []string{"own", "report", "briefing", "table", "record", "stable", "preview"} {
		if !seen[name] {
			t.Errorf("no view uses the template %s", name)
		}
	}
	if len(refused) < 10 {
		t.Errorf("only %d reasons to refuse a line came up", len(refused))
	}
	// Those that did not come up have words all the same.
	for _, why := range Idles() {
		for _, lang := range languages() {
			with := func(why string) string {
				return render(t, w, lang, game.View{Template: "own", Data: func() any {
					return Own{Round: 3, Name: "Müller", Case: "played", Idle: []IdleView{{Name: "Kid", Why: why, Turn: 7, Rivals: []Rival{{"Joe", "Maier"}, {"Jim", "Ben"}}}}}
				}})
			}
			if why != IdleOther && with(why) == with(IdleOther) {
				t.Errorf("%s: no words for why there is no bout: %q", lang, why)
			}
		}
	}
	for _, why := range Refusals() {
		r := RefusalView{Key: game.KeyBout, De: "Kid GEGEN Joe", En: "Kid VS Joe", Refusal: Refusal{Why: why, Own: "Kid", Other: "Joe"}}
		said := map[string]bool{}
		for _, lang := range languages() {
			text := render(t, w, lang, game.View{Template: "own", Data: func() any { return Own{Round: 3, Name: "Müller", Case: "played", Refused: []RefusalView{r}} }})
			said[text] = true
			other := r
			other.Why = NoPlace
			if why != NoPlace && text == render(t, w, lang, game.View{Template: "own", Data: func() any { return Own{Round: 3, Name: "Müller", Case: "played", Refused: []RefusalView{other}} }}) {
				t.Errorf("%s: no words for a line refused for %q", lang, why)
			}
		}
		if len(said) < 2 {
			t.Errorf("refused for %q: the languages say the same", why)
		}
	}
}

// TestRulesRender: with the settings of a game, and without.
func TestRulesRender(t *testing.T) {
	w := loadWords(t)
	for _, lang := range languages() {
		render(t, w, lang, game.View{Template: "rules", Data: func() any { return nil }})
		for _, settings := range []game.Settings{nil, everything(), {keyScoring: "10", keyAdvanced: "off", keyClasses: "heavy", keyNMRLimit: "0", keyRoster: roster, keyStable: "1", keyFight: "rounds:3", keyRematch: "0"}, {keyFight: "rounds:1", keyRematch: "1"}} {
			render(t, w, lang, New().RulesView(settings))
		}
	}
	for lang, word := range map[string]string{"de": "erschlossen", "en": "reconstructed"} {
		if text := render(t, w, lang, New().RulesView(nil)); !strings.Contains(text, word) || !strings.Contains(text, "-1*") {
			t.Errorf("%s: the rules do not say what of the chart is reconstructed", lang)
		}
	}
}

const roster = "name,agility,UC,RJ,RH,Co,LJ,LH,counterpunch,endurance\nMuhammad Ali,68,4,3,4,3,5,4,34,23\nDuane Bobick,46,2,2,3,3,3,3,20,8\n"

// TestEveryPlanIssueHasWords: those of this package are checked with every
// ruleset's.
func TestEveryPlanIssueHasWords(t *testing.T) {
	w := loadWords(t)
	codes := plan.IssueCodes()
	if len(codes) < 20 {
		t.Fatalf("%d codes only", len(codes))
	}
	for _, lang := range languages() {
		for _, code := range codes {
			text, err := w.Render(lang, "ringside", "issue."+code, game.Issue{Line: 1, Code: code, Args: []string{"1", "2"}})
			if err != nil || len(strings.TrimSpace(text)) < 10 {
				t.Errorf("%s: %s says %q: %v", lang, code, text, err)
			}
		}
	}
}

// TestRSC19BoutsAreCounted: who retires too soon hears how often he has boxed.
func TestRSC19BoutsAreCounted(t *testing.T) {
	w := loadWords(t)
	for n, want := range map[string][2]string{
		"0": {"Er hat noch keinen Kampf. Es braucht zehn", "he has boxed no bout. It takes ten"},
		"1": {"Er hat erst einen Kampf. Es braucht zehn", "he has boxed one bout. It takes ten"},
		"9": {"Er hat erst 9 Kämpfe. Es braucht zehn", "he has boxed 9 bouts. It takes ten"},
	} {
		for i, lang := range []string{"de", "en"} {
			text, err := w.Render(lang, "ringside", "issue."+issueRetireEarly, game.Issue{Args: []string{"Kid", n}})
			if err != nil || !strings.Contains(text, want[i]) {
				t.Errorf("%s, %s bouts: %q, %v", lang, n, text, err)
			}
		}
	}
}

// TestReadyBlocksAreBlank: what a briefing gives to fill in reads as not filled in,
// and names game, fighter and turn.
func TestReadyBlocksAreBlank(t *testing.T) {
	w := loadWords(t)
	c := newCampaign(t, 6, 4, everything())
	c.play(t, 5, false)
	for _, lang := range languages() {
		for _, m := range c.state.Managers {
			views, _ := New().Answer(c.state, game.Query[State, Event]{Kind: game.QueryBriefing, Subject: "ringside-1"}, game.Audience{Seat: m.Seat})
			text := orders.Parse(orders.Lines(render(t, w, lang, views[0])))
			boxing := 0
			for _, f := range c.state.stable(m.Seat) {
				boxing += flag(len(c.state.bookings(f.ID)) > 0)
			}
			if len(text.Blocks) != boxing+1 || len(text.Commands)+len(text.Issues) != 0 {
				t.Fatalf("%s: %d blocks, want %d; %v %v", lang, len(text.Blocks), boxing+1, text.Commands, text.Issues)
			}
			for i, b := range text.Blocks {
				if seat, ok := New().Owner(c.state, b.Name); b.Game != "ringside-1" || !ok || seat != m.Seat || b.Round != c.state.Round || b.Manager != (i == boxing) {
					t.Errorf("%s: the block is %+v", lang, b)
				}
				slips, issues := New().Read(c.state, m.Seat, b)
				if len(slips) != 0 || len(issues) != 1 || issues[0].Code != issueNotFilledIn || issues[0].Error {
					t.Errorf("%s: read as %v %v", lang, slips, issues)
				}
			}
		}
	}
}

// TestNoWordsReadAsOrders: what we write comes back below players' own lines,
// quoted by nothing. Apart from the ready blocks, none of it may order anything, be
// it inside an open block of either kind.
func TestNoWordsReadAsOrders(t *testing.T) {
	w := loadWords(t)
	c := newCampaign(t, 6, 12, everything())
	c.play(t, 14, true)
	st := c.steps[len(c.steps)-1]
	for _, lang := range languages() {
		views := []game.View{New().RulesView(everything()), {Template: "rules", Data: func() any { return nil }}}
		for _, m := range st.After.Managers {
			views = append(views, answers(t, st, m.Seat)...)
		}
		for _, v := range views {
			text := render(t, w, lang, v)
			for v.Template == "briefing" {
				before, rest, found := strings.Cut(text, orders.Word(orders.Language(lang), game.KeyGame)+" ringside-1")
				if !found {
					break
				}
				_, after, _ := strings.Cut(rest, "\n"+orders.Word(orders.Language(lang), game.KeyEnd)+"\n")
				text = before + after
			}
			for line := range strings.SplitSeq(text, "\n") {
				if above, orders := readsAsOrders(line); orders {
					t.Errorf("%s/%s reads as orders below %q: %q", lang, v.Template, above, line)
				}
			}
		}
	}
}

// readsAsOrders reports whether a line orders something where it stands below an open
// block, and below which.
func readsAsOrders(line string) (above string, ok bool) {
	for _, above := range []string{"NAME Ali\n", "NAME Ali\nSCHLAG UC3\n", "MANAGER Ali\nRUHE Kid\n"} {
		lines := orders.Lines(above)
		want := orders.Parse(lines)
		got := orders.Parse(append(lines, orders.Line{N: 9, Text: line}))
		if len(got.Blocks) != 1 || len(got.Blocks[0].Statements) != len(want.Blocks[0].Statements) || len(got.Blocks[0].Issues)+len(got.Commands)+len(got.Issues) > 0 || got.Blocks[0].Name != "Ali" {
			return above, true
		}
	}
	return "", false
}

// TestNamesAreGood: whom nobody names bears a name that any seat could, unlike
// every other's, and that reads as no order.
func TestNamesAreGood(t *testing.T) {
	p := pool()
	if len(p.first)*len(p.last) < 5000 {
		t.Fatalf("%d names to draw from", len(p.first)*len(p.last))
	}
	for i, part := range [][]string{p.first, p.last} {
		seen := nameBook{}
		for _, n := range part {
			if seen.has(n) {
				t.Errorf("list %d: %s is there twice, or looks like another", i, n)
			}
			seen.add(n)
		}
	}
	for i, part := range [][]string{p.first, p.last} { // as rows of our tables begin, whole names and short ones
		for _, n := range part {
			for _, line := range []string{"    %s  0  1  0  -     1", "    %s Ruskin  0  1  0  -     1", "%s York  5.  11  3-2-0", "   12  %s  48/43  RH-RJ  4  11"} {
				line = fmt.Sprintf(line, n)
				if above, orders := readsAsOrders(line); orders {
					t.Errorf("list %d: %s reads as orders below %q: %q", i, n, above, line)
				}
			}
		}
	}
	for _, first := range p.first {
		for _, last := range p.last {
			name := first + " " + last
			if code := game.CheckName(name); code != "" || orders.Reserved(name) || len(name) > game.MaxName-4 {
				t.Errorf("%s: %s", name, code)
			}
		}
	}
}

func TestUnits(t *testing.T) {
	for p, want := range map[Pop]string{0: "0", 1: "½", 2: "1", 25: "12½", -1: "-½", -3: "-1½", -2: "-1"} {
		if p.String() != want {
			t.Errorf("%d half points are %s, want %s", int(p), p, want)
		}
	}
	if Pop(3).Signed() != "+1½" || Pop(-3).Signed() != "-1½" || Pop(0).Signed() != "0" {
		t.Error("signs of POP")
	}
	for m, want := range map[Money][2]string{
		0: {"$0", "0\u00a0$"}, 7000: {"$70", "70\u00a0$"}, 123450: {"$1,234.50", "1.234,50\u00a0$"}, -5: {"-$0.05", "-0,05\u00a0$"}, 100000000: {"$1,000,000", "1.000.000\u00a0$"},
	} {
		if m.En() != want[0] || m.De() != want[1] {
			t.Errorf("%d cents are %s and %s, want %v", int64(m), m.En(), m.De(), want)
		}
	}
	if Money(123499).EnWhole() != "$1,234" || Money(123450).plain() != "1234.50" {
		t.Error("money without cents, or without marks")
	}
}
