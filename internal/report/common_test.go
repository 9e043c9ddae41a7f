package report

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"text/template"

	"pgregory.net/rapid"

	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/templates"
)

// languages are those that players can choose.
var languages = []string{"de", "en"}

func common(t testing.TB) *Words {
	t.Helper()
	w, err := Load(templates.Files)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// section is a common template with data for one of its ways.
type section struct {
	template string
	data     any
}

const deadline = "Sonntag, 6. Dezember 2026, 20:00 Uhr (MEZ)"

// ready is the block to fill in, as a ruleset words it.
const ready = "Dein Gegner: Maier\n\nSPIEL liga-nord\nNAME Müller\nSPIELRUNDE 7\nZUG _/_ _/_ _/_ _/_ _/_\nTRAINING _\nENDE\n"

// preview is a table that is wider than a line of prose.
var preview = "Was die Zahlen kosten:\n\n  " + strings.Repeat("1234567 ", 12) + "\n"

// issues are one of every code that the common words know, as its package makes it.
func issues() []game.Issue {
	var all []game.Issue
	for _, code := range slices.Concat(orders.IssueCodes(), game.NameCodes(), []string{"name-taken", "name-fighter", "fraction"}) {
		args := []string{"ZGU 2/3 3/0 2/2 0/5 3/1", string(game.KeyMove)}
		all = append(all,
			game.Issue{Line: 3, Code: code, Args: args, Error: true},
			game.Issue{Code: code, Args: args, Error: true},
			game.Issue{Line: 3, Code: code, Args: args},
			game.Issue{Code: code, Args: args})
	}
	return all
}

// told are issues with and without what their lines say.
func told() []Told {
	var all []Told
	for _, i := range issues() {
		all = append(all, Told{Issue: i}, Told{Issue: i, Said: "ZUG 2/3 3/0 2/2 0/5 3/1 NAME Joe TRAINING…"})
	}
	return all
}

// sections are the common templates in all their ways.
func sections() []section {
	var all []section
	add := func(template string, data any) { all = append(all, section{template, data}) }
	lines := []string{"ZUG 2/3 3/0 2/2 0/5 3/1", "TRAINING T"}

	for _, outcome := range append(Outcomes(), "") {
		add("head", Head{Player: "Müller", Foremost: outcome})
		add("head", Head{Foremost: outcome})
	}
	for _, outcome := range Outcomes() {
		b := ReceiptBlock{Outcome: outcome}
		r := Receipt{Game: "liga-nord", Seat: "Müller", Round: 7, Blocks: []ReceiptBlock{b}}
		add("receipt", r)
		b.Lines, b.OnFile = lines, lines
		r.Title, r.Deadline, r.Missed, r.Blocks = "Liga Nord", deadline, "Sonntag, 29. November 2026, 20:00 Uhr (MEZ)", []ReceiptBlock{b}
		add("receipt", r)
		b.Preview, b.Issues = preview, told()
		b.Changes = []Change{{Old: lines[0], New: "ZUG 1/1"}, {Old: lines[1]}, {New: lines[1]}}
		r.Open, r.Unconfirmed, r.Briefing, r.Blocks = 9, true, ready, []ReceiptBlock{b}
		add("receipt", r)
		r.Also, r.Standing = []string{"MANAGER Don Corrado"}, []string{"BOXER Kid Thunder", "BOXER Joe"}
		r.Blocks = append(r.Blocks, b, ReceiptBlock{Outcome: "taken", Lines: lines}, ReceiptBlock{Outcome: "unfilled", OnFile: lines})
		add("receipt", r)
	}
	add("loose", Loose{Issues: told()})
	for left := range 3 {
		add("sparred", Sparred{Round: 7, Of: 3, Left: left})
	}
	for _, i := range issues() {
		add("issue."+i.Code, i)
	}
	for _, reason := range HeldReasons() {
		h := Held{Reason: reason, Game: "liga-nord", Seat: "Müller", Code: "k3f9q2m7aa", Until: deadline}
		add("held", h)
		h.Lines, h.Deadline = lines, deadline
		add("held", h)
	}
	for _, code := range RefusalCodes() {
		add("refusal", Refusal{Code: code})
		add("refusal", Refusal{Line: 3, Said: "NAME Müller", Code: code, Game: "liga-nord", Name: "Müller", Round: 7, InTime: true})
		add("refusal", Refusal{Line: 3, Said: "NAME Müller", Code: code, Game: "liga-nord", Name: "Müller", Names: []string{"Maier"}, Round: 7})
		add("refusal", Refusal{Line: 3, Code: code, Game: "liga-nord", Name: "liga", Names: []string{"Maier", "Schulz", "Fast Eddie"}, Round: 7})
	}
	add("enough", Enough{Limit: 3})
	for _, code := range NoticeCodes() {
		reasons := []string{""}
		if code == "expired" {
			reasons = HeldReasons()
		}
		for _, reason := range reasons {
			if reason != "" {
				add("notice", Notice{Code: code, Reason: reason, Arrived: deadline})
			}
			n := Notice{Code: code, Game: "liga-nord", Seat: "Müller", Round: 7, Count: 3, Other: "Maier", Reason: reason, Arrived: deadline, Words: "why; NAME Müller", Next: strings.Repeat("0123456789abcdef", 4)}
			add("notice", n)
			n.Waits, n.Shown = true, true
			n.Title, n.Deadline = "Liga Nord", deadline
			add("notice", n)
		}
	}
	var rows []GameRow
	for _, state := range []string{"new", "running", "paused", "ended", "waiting", "left"} {
		rows = append(rows,
			GameRow{Game: "liga-nord", Title: "Liga Nord", Ruleset: "sugarray", Seats: []string{"Müller", "Maier"}, Round: 7, State: state, Deadline: deadline, Ordered: true},
			GameRow{Game: "liga-nord", Ruleset: "sugarray", Seats: []string{"Müller"}, Round: 7, State: state},
			GameRow{Game: "liga-nord", Title: "liga-nord", Ruleset: "sugarray", Seats: []string{"Müller"}, Round: 7, State: state})
	}
	add("games", Games{})
	add("games", Games{Rows: rows})
	add("help", Help{Address: "gm@liga.example"})
	add("help", Help{Address: "gm@liga.example", Rows: rows, Spars: true})
	add("onfile", OnFile{Game: "liga-nord", Seat: "Müller", Round: 7})
	add("onfile", OnFile{Game: "liga-nord", Seat: "Müller", Round: 7, Slots: []OnFileSlot{{Lines: lines, Received: deadline}}, Deadline: deadline})
	add("onfile", OnFile{Game: "liga-nord", Seat: "Müller", Round: 7, Slots: []OnFileSlot{{Lines: lines, Provisional: true}, {Lines: lines, Standing: true}}})
	add("next", Next{Game: "liga-nord", Round: 8})
	add("carried", Carried{Counted: []string{deadline}})
	add("carried", Carried{Counted: []string{deadline, deadline}, Rounds: []CarriedRound{{Round: 8, Open: true, Kept: lines, Lost: lines}, {Round: 9, Lost: lines}}})
	add("next", Next{Game: "liga-nord", Round: 8, Deadline: deadline, Briefing: ready})
	hash := strings.Repeat("0123456789abcdef", 4)
	add("dice", Dice{Game: "liga-nord", Seed: hash, Next: hash, Sealed: hash})
	add("dice", Dice{Game: "liga-nord", Round: 7, Anew: true, Seed: hash, Next: hash, Sealed: hash})
	add("dice", Dice{Game: "liga-nord", Round: 20, Seed: hash, Secret: hash, Sealed: hash})
	add("dice", Dice{Game: "liga-nord", Round: 20})
	add("dice", Dice{Game: "ring-1", Seed: hash, Next: hash, Sealed: hash, Closed: true, Hash: hash})
	add("dice", Dice{Game: "ring-1", Round: 7, Seed: hash, Next: hash, Sealed: hash, Closed: true, Hash: hash})
	add("dice", Dice{Game: "ring-1", Round: 20, Seed: hash, Secret: hash, Sealed: hash, Closed: true, Hash: hash})
	for _, title := range []string{"", "liga-nord", "Liga Nord"} {
		add("title", Title{Game: "liga-nord", Title: title})
		add("title", Title{Game: "liga-nord", Title: title, Round: 7})
		add("title", Title{Game: "liga-nord", Title: title, Round: 20, Ended: true})
		for _, again := range []Again{{First: true, Kept: true}, {First: true}, {}} {
			again.Round, again.Reason = 6, "Kid Thunder's mail lay in the junk folder;\nNAME Müller ZUG 9/9"
			add("title", Title{Game: "liga-nord", Title: title, Round: 7, Again: &again})
		}
	}
	for _, lang := range languages {
		add("settings", OwnSettings{Lang: lang, TZ: "Europe/Berlin", Now: deadline, Remind: 24, Reports: true, Addresses: []string{"joe@player.example"}})
		add("settings", OwnSettings{Lang: lang, TZ: "Asia/Kolkata", Now: deadline, Addresses: []string{"joe@player.example", "joe@work.example"}})
	}
	article := PressItem{From: "Kid Thunder", Lines: []string{"NAME Müller", "ZUG 9/9 9/9 9/9 9/9 9/9", "", "ENDE", "HILFE"}}
	for _, direct := range []bool{true, false} {
		add("press", Press{Items: []PressItem{article}, Direct: direct})
		add("press", Press{Items: []PressItem{{Lines: article.Lines}}, Direct: direct})
	}
	add("press", Press{Items: []PressItem{article, {Lines: []string{"Na und?"}}, article}})
	add("reminder", Reminder{Game: "liga-nord", Seat: "Müller", Round: 7, Deadline: deadline, Unsent: []int{6}})
	add("reminder", Reminder{Game: "liga-nord", Title: "Liga Nord", Seat: "Müller", Round: 7, Deadline: deadline, Provisional: true, Unsent: []int{5, 6}, Briefing: ready})
	add("reminder", Reminder{Game: "liga-nord", Seat: "Müller", Round: 7, Deadline: deadline, Partly: true})
	digest := Digest{Rows: []DigestRow{{"held", "sender", 3, 17}, {"refused", "unknown-seat", 1, 18}, {"quarantined", "failed", 1, 19}, {"dropped", "stranger", 2, 20}}}
	add("digest", digest)
	digest.Bounced = []string{"joe@player.example", "jim@player.example"}
	add("digest", digest)
	add("digest", Digest{Bounced: digest.Bounced})
	add("covers", Covers{Count: 1, Mails: []string{deadline}})
	add("covers", Covers{Count: 2, Mails: []string{deadline, deadline}})
	add("covers", Covers{Count: 31, Mails: []string{deadline, deadline}})
	add("event", Subject{Game: "liga-nord", Round: 8})
	add("elsewhere", Elsewhere{Boxers: 73, Round: 7})
	add("foot", Foot{Address: "gm@liga.example"})
	add("foot", Foot{Address: "gm@liga.example", Token: true})
	add("foot", Foot{Address: "gm@liga.example", GM: true})
	for _, code := range AlertCodes() {
		add("alert", Alert{Code: code})
		add("alert", Alert{Code: code, Arrived: deadline, Since: deadline, Sent: 12, Left: 3, Failed: 1, Detail: "535 5.7.8 no", When: deadline})
		add("alert", Alert{Code: code, Game: "liga-nord", Round: 7, Mail: "4711", To: "joe@player.example", Detail: "550 5.1.1 no such user", When: deadline})
	}
	return all
}

func TestEverySectionHasWords(t *testing.T) {
	w := common(t)
	for _, lang := range languages {
		for i, s := range sections() {
			t.Run(fmt.Sprintf("%s/%s/%d", lang, s.template, i), func(t *testing.T) {
				raw, err := w.execute(lang, Common, s.template, s.data)
				if err != nil {
					t.Fatal(err)
				}
				text := layout(raw)
				if strings.TrimSpace(text) == "" {
					t.Fatal("nothing was said")
				}
				for _, odd := range []string{"{{", "}}", "<no value>", "<nil>", "%!", "[]", "  \n", "\n\n\n", " .", " ,", "::"} {
					if strings.Contains(text, odd) && odd != "" {
						t.Errorf("holds %q:\n%s", odd, text)
					}
				}
				checkColumns(t, raw, text)
				checkNoOrders(t, text)
			})
		}
	}
}

// checkColumns holds lines to Columns, kept ones aside.
func checkColumns(t *testing.T, raw, text string) {
	t.Helper()
	kept := map[string]bool{}
	for l := range strings.SplitSeq(raw, "\n") {
		if strings.Contains(l, keepMark) {
			kept[strings.TrimRight(strings.ReplaceAll(l, keepMark, ""), " ")] = true
		}
	}
	for l := range strings.SplitSeq(text, "\n") {
		if width(l) > Columns && !kept[l] {
			t.Errorf("%d columns: %s", width(l), l)
		}
	}
}

// checkNoOrders makes sure that no text of ours reads as orders, but for the
// ready block, which reads as not filled in.
func checkNoOrders(t testing.TB, text string) {
	t.Helper()
	got := orders.Parse(orders.Lines(text))
	if len(got.Commands)+len(got.Issues) > 0 {
		t.Errorf("reads as %+v %+v:\n%s", got.Commands, got.Issues, text)
	}
	most := strings.Count(text, "\nSPIEL liga-nord\nNAME Müller\n") + strings.Count(text, "\nGAME liga-nord\nNAME Müller\n")
	if len(got.Blocks) > most {
		t.Errorf("reads as %d blocks:\n%s", len(got.Blocks), text)
	}
	for _, b := range got.Blocks {
		for _, s := range b.Statements {
			if (s.Keyword == game.KeyMove || s.Keyword == game.KeyTraining) && strings.Trim(s.Args, "_/ ") != "" || len(s.Tail) > 0 {
				t.Errorf("the ready block reads as %+v:\n%s", s, text)
			}
		}
		if len(b.Issues) > 0 {
			t.Errorf("the ready block has %+v:\n%s", b.Issues, text)
		}
	}
}

// sets parses everything.
func sets(t *testing.T, w *Words) map[setKey]*template.Template {
	t.Helper()
	all := map[setKey]*template.Template{}
	for k := range w.sets {
		set, err := w.set(k.lang, k.folder)
		if err != nil {
			t.Fatal(err)
		}
		all[k] = set
	}
	return all
}

// Every language defines the same templates, and no game hides a common one.
func TestLanguagesDefineTheSame(t *testing.T) {
	w := common(t)
	byFolder := map[string]map[string][]string{}
	for k, set := range sets(t, w) {
		var names []string
		for _, tmpl := range set.Templates() {
			names = append(names, tmpl.Name())
		}
		slices.Sort(names)
		if byFolder[k.folder] == nil {
			byFolder[k.folder] = map[string][]string{}
		}
		byFolder[k.folder][k.lang] = names
	}
	if !slices.Contains(slices.Collect(maps.Keys(byFolder)), Common) {
		t.Fatal("there are no common words")
	}
	for folder, langs := range byFolder {
		for _, lang := range languages {
			for _, other := range languages {
				for _, name := range langs[lang] {
					if !slices.Contains(langs[other], name) {
						t.Errorf("%s/%s defines %s, %s does not", lang, folder, name, other)
					}
				}
			}
		}
	}
}

func TestNoGameRedefinesCommonWords(t *testing.T) {
	w := common(t)
	for _, lang := range languages {
		shared := sets(t, w)[setKey{lang, Common}]
		for k, set := range sets(t, w) {
			if k.lang != lang || k.folder == Common {
				continue
			}
			for _, tmpl := range shared.Templates() {
				other := set.Lookup(tmpl.Name())
				if tmpl.Tree == nil || other == nil {
					continue
				}
				if tmpl.Root.String() != other.Root.String() {
					t.Errorf("%s/%s redefines %s", lang, k.folder, tmpl.Name())
				}
			}
		}
	}
}

// Codes and words match both ways: no code without words, no words for a code
// that there is not.
func TestEveryCodeHasWords(t *testing.T) {
	w := common(t)
	codes := map[string][]string{
		"head": append(Outcomes(), ""), "receipt": Outcomes(), "held": HeldReasons(), "held.ask": HeldReasons(), "held.else": HeldReasons(), "expired": HeldReasons(),
		"refusal": RefusalCodes(), "notice": NoticeCodes(), "alert": AlertCodes(), "subject": SubjectKinds(),
		"subject.receipt": append(Outcomes(), ""), "subject.notice": NoticeCodes(), "subject.alert": AlertCodes(),
		"games": {"new", "running", "paused", "ended", "waiting", "left"}, "digest": {"held", "refused", "quarantined", "dropped"},
		"issue": slices.Concat(orders.IssueCodes(), game.NameCodes(), []string{"name-taken", "name-fighter", "fraction"}),
	}
	for _, lang := range languages {
		known := map[string]bool{}
		for kind, list := range codes {
			if len(list) == 0 {
				t.Errorf("no codes of %s", kind)
			}
			for _, code := range list {
				known[kind+"."+code] = true
				if name := kind + "." + code; !w.Defines(lang, Common, name) && code != "" {
					t.Errorf("%s has no words for %s", lang, name)
				}
			}
		}
		for _, tmpl := range sets(t, w)[setKey{lang, Common}].Templates() {
			if name := tmpl.Name(); strings.Contains(name, ".") && !known[name] {
				t.Errorf("%s has words for %s, which there is not", lang, name)
			}
		}
	}
}

func TestEveryKindHasASubject(t *testing.T) {
	w := common(t)
	var all []Subject
	for _, code := range slices.Concat(Outcomes(), NoticeCodes(), AlertCodes(), []string{""}) {
		all = append(all, Subject{Outcome: code, Code: code}, Subject{Game: "liga-nord", Title: "Liga Nord", Seat: "Müller", Round: 7, Outcome: code, Code: code})
	}
	codes := map[string][]string{"receipt": append(Outcomes(), ""), "notice": NoticeCodes(), "alert": AlertCodes()}
	tag := Tag("liga-nord", 7, "k3f9q2")
	for _, lang := range languages {
		for _, kind := range SubjectKinds() {
			for _, s := range all {
				if want, ok := codes[kind]; ok && !slices.Contains(want, s.Code) || !ok && s.Code != "" {
					continue
				}
				got, err := w.Subject(lang, kind, s, tag)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.HasSuffix(got, " "+tag) || strings.HasPrefix(got, "[") || len([]rune(got)) > 100 {
					t.Errorf("%s %s %+v: %q", lang, kind, s, got)
				}
				if _, _, _, ok := ParseTag("Re: " + got); !ok {
					t.Errorf("no tag comes back from %q", got)
				}
				checkNoOrders(t, got)
			}
		}
	}
}

// hostile draws what somebody may write where a name or a line is expected.
func hostile(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{"Müller", "a", "ZUG 1/1 2/2 3/3", "\nZUG 9/9 9/9\n", "ENDE", "\r\nSPIEL x\r\n", "NAME Joe", "JA k3f9q2",
		"HILFE", "{{.Code}}", "\x00", "\x1b[2J", "\u2028", "\u202e", "\n-- \n", "> ", "| ", "- ", "王", "Spielrunde 8", "Liga 3", "# ", ": "})
	return "x" + strings.Join(rapid.SliceOfN(piece, 1, 5).Draw(t, "pieces"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "glue"))
}

// fill puts hostile text into every string of a value, those aside that the
// program chooses.
func fill(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostile(t))
	case reflect.Slice:
		fresh := reflect.MakeSlice(v.Type(), v.Len(), v.Len()) // the section's own stays
		reflect.Copy(fresh, v)
		for i := range fresh.Len() {
			fill(t, fresh.Index(i))
		}
		v.Set(fresh)
	case reflect.Struct:
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "Outcome", "Result", "Foremost", "Reason", "Code", "State", "Ruleset", "Preview", "Briefing", "Mail", "Address":
			default:
				fill(t, v.Field(i))
			}
		}
	}
}

func TestNothingThatPlayersWriteIsReadAgain(t *testing.T) {
	w := common(t)
	all := sections()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(all).Draw(t, "section")
		if s.template == "dice" || strings.HasPrefix(s.template, "issue.") { // no text of players; part of another
			return
		}
		v := reflect.New(reflect.TypeOf(s.data)).Elem()
		v.Set(reflect.ValueOf(s.data))
		fill(t, v)
		for _, lang := range languages {
			text, err := w.Render(lang, Common, s.template, v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == '\u2028' || r == '\u202e' }); i >= 0 {
				t.Fatalf("%q is let through", text[i:])
			}
			got := orders.Parse(orders.Lines(strings.ReplaceAll(text, strings.TrimSpace(ready), "")))
			if len(got.Blocks)+len(got.Commands)+len(got.Issues) > 0 {
				t.Fatalf("%s reads as %+v:\n%s", s.template, got, text)
			}
		}
	})
}
