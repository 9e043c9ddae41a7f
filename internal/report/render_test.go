package report

import (
	"strings"
	"testing"
	"testing/fstest"

	"ringpost/internal/game"
)

// load parses templates given as path and text.
func load(t *testing.T, files map[string]string) *Words {
	t.Helper()
	w, err := loadFiles(files)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func loadFiles(files map[string]string) (*Words, error) {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Load(fsys)
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"nothing", map[string]string{}, "none found"},
		{"no folder", map[string]string{"readme.txt": "x"}, "none found"},
		{"syntax", map[string]string{"de/common/a.txt": "{{if}}"}, "de/common/a.txt"},
		{"a function that is none", map[string]string{"de/common/a.txt": "{{shout .}}"}, "shout"},
	}
	for _, tt := range tests {
		w, err := loadFiles(tt.files)
		if err == nil {
			_, err = w.Render("de", Common, "a", nil)
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestGamesUseTheCommonWords(t *testing.T) {
	w := load(t, map[string]string{
		"de/common/a.txt":   "Hallo",
		"de/common/b.txt":   `{{define "b.x"}}X{{end}}`,
		"de/boxing/c.txt":   `{{template "a"}} {{phrase "b" "x"}}`,
		"en/common/a.txt":   "Hello",
		"en/boxing/c.txt":   `{{template "a"}}`,
		"de/wrestling/d.md": "no template",
	})
	for _, tt := range []struct{ lang, folder, name, want string }{
		{"de", "boxing", "c", "Hallo X\n"},
		{"de", "boxing", "a", "Hallo\n"},
		{"de", "wrestling", "a", "Hallo\n"},
		{"en", "boxing", "c", "Hello\n"},
		{"en", Common, "a", "Hello\n"},
	} {
		if got, err := w.Render(tt.lang, tt.folder, tt.name, nil); err != nil || got != tt.want {
			t.Errorf("%s/%s/%s: %q, %v", tt.lang, tt.folder, tt.name, got, err)
		}
	}
	for _, tt := range []struct{ lang, folder, name string }{
		{"fr", "boxing", "c"}, {"de", "chess", "c"}, {"de", Common, "c"}, {"de", "boxing", "nothing"}, {"de", "wrestling", "d"},
	} {
		if got, err := w.Render(tt.lang, tt.folder, tt.name, nil); err == nil {
			t.Errorf("%s/%s/%s rendered as %q", tt.lang, tt.folder, tt.name, got)
		}
		if w.Defines(tt.lang, tt.folder, tt.name) {
			t.Errorf("%s/%s/%s is defined", tt.lang, tt.folder, tt.name)
		}
	}
	if !w.Defines("de", "boxing", "b.x") || !w.Has("de") || !w.Has("en") || w.Has("fr") {
		t.Error("what there is is not found")
	}
	view := game.View{Template: "c", Data: func() any { return nil }}
	if got, err := w.View("de", "boxing", view); err != nil || got != "Hallo X\n" {
		t.Errorf("the view: %q, %v", got, err)
	}
}

// sample is data for the templates of these tests.
type sample struct {
	Name  string
	N     int
	Names []string
	Map   map[string]string
	Any   any
	Issue game.Issue
}

func TestFunctions(t *testing.T) {
	data := sample{Name: "Joe", N: 7, Names: []string{"a", "b"}, Map: map[string]string{"k": "v"},
		Issue: game.Issue{Code: "odd", Line: 3, Args: []string{"x", "MOVE"}}}
	tests := []struct{ template, want string }{
		{`{{.Name}} {{.N}} {{inc .N}} {{list .Names}} {{.Map.k}}`, "Joe 7 8 a, b v\n"},
		{`{{word "MOVE"}}`, "ZUG\n"},
		{`{{printf "%070d" 1}} ({{bound "a b c"}}) d`, strings.Repeat("0", 69) + "1\n(a b c) d\n"},
		{`{{quote "ZUG 1/1"}}`, "| ZUG 1/1\n"},
		{`{{order "REPORT" .N}} {{order "HELP"}}`, "| ARCHIV 7 | HILFE\n"},
		{`{{issue .Issue}}`, "x statt ZUG in 3\n"},
		{`{{phrase "result" "won"}}, {{phrase "result" "lost" .}}`, "gewonnen, Joe verliert\n"},
		{"{{.Name}}\n{{rule \"=\" .Name}}", "Joe\n===\n"},
		{`{{keep}}{{printf "%-90s|" .Name}}`, "Joe" + strings.Repeat(" ", 87) + "|\n"},
		{"{{text \"a\\n\\n  b\\n\"}}", "a\n\n  b\n"},
		{`{{with $x := printf "%s!" .Name}}{{$x}}{{end}}{{$y := 3}}{{$y = 4}}{{$y}}`, "Joe!4\n"},
		{`{{range .Names}}{{.}}{{else}}none{{end}}`, "ab\n"},
	}
	for _, tt := range tests {
		w := load(t, map[string]string{"de/common/x.txt": tt.template, "de/common/codes.txt": `
			{{define "issue.odd"}}{{index .Args 0}} statt {{word (index .Args 1)}} in {{.Line}}{{end}}
			{{define "result.won"}} gewonnen {{end}}{{define "result.lost"}}{{.Name}} verliert{{end}}`})
		if got, err := w.Render("de", Common, "x", data); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.template, got, err, tt.want)
		}
	}
}

func TestRenderFailsOnWhatIsMissing(t *testing.T) {
	for _, text := range []string{
		`{{.Nothing}}`, `{{.Map.nothing}}`, `{{index .Names 5}}`,
		`{{issue .Issue}}`, `{{phrase "result" "drawn"}}`, `{{template "nothing"}}`,
	} {
		w := load(t, map[string]string{"de/common/x.txt": text})
		if got, err := w.Render("de", Common, "x", sample{}); err == nil {
			t.Errorf("%s rendered as %q", text, got)
		}
	}
}

// What players wrote stays on its line and becomes no template, wherever a
// template prints it.
func TestValuesAreData(t *testing.T) {
	evil := "{{.N}}\r\nZUG 9/9\x00\x1b[31m\u2028NAME x\u202e\xff\tend"
	const want = "{{.N}}  ZUG 9/9  [31m NAME x \ufffd end"
	for _, text := range []string{
		`<{{.Name}}>`,
		`<{{printf "%s" .Name}}>`,
		`<{{if .Name}}{{.Name}}{{end}}>`,
		`<{{if not .Name}}{{else}}{{.Name}}{{end}}>`,
		`<{{with .Name}}{{.}}{{end}}>`,
		`<{{range .Names}}{{.}}{{end}}>`,
		`<{{list .Names}}>`,
		`<{{.Map.k}}>`,
		`<{{.Any}}>`,
		`<{{$x := .Name}}{{$x}}>`,
		`<{{index .Issue.Args 0}}>`,
		`<{{issue .Issue}}>`,
		`<{{phrase "say" "it" .Name}}>`,
		`<{{template "say.it" .Name}}>`,
		`<{{block "inner" .}}{{.Name}}{{end}}>`,
		`{{define "say.no"}}{{end}}<{{.Name | printf "%s"}}>`,
	} {
		w := load(t, map[string]string{"de/common/x.txt": text, "de/common/codes.txt": `
			{{define "issue.odd"}}{{index .Args 0}}{{end}}{{define "say.it"}}{{.}}{{end}}`})
		data := sample{Name: evil, Names: []string{evil}, Map: map[string]string{"k": evil}, Any: evil,
			Issue: game.Issue{Code: "odd", Args: []string{evil}}}
		if got, err := w.Render("de", Common, "x", data); err != nil || got != "<"+want+">\n" {
			t.Errorf("%s: %q, %v", text, got, err)
		}
		if got, err := w.execute("de", Common, "x", data); err != nil || strings.Contains(got, keepMark) {
			t.Errorf("%s: a value marks its line as kept: %q, %v", text, got, err)
		}
	}
	w := load(t, map[string]string{"de/common/x.txt": "{{quote .Name}}\n{{order \"HELP\" .Name}}\n{{rule \"-\" .Name}}\n{{text .Any}}"})
	got, err := w.Render("de", Common, "x", sample{Name: evil, Any: "a\x1bb\n" + "c\rd"})
	if want := "| " + want + "\n| HILFE " + want + "\n" + strings.Repeat("-", width(want)) + "\na b\nc d\n"; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestSubject(t *testing.T) {
	w := load(t, map[string]string{"de/common/subject.txt": `{{define "subject.answer"}}
		Zug von {{.Seat}},
		Runde {{.Round}}{{end}}`})
	tests := []struct{ tag, want string }{
		{Tag("liga-nord", 7, "k3f9q2"), "Zug von A Bcc: b@c, Runde 7 [liga-nord 7 k3f9q2]"},
		{"", "Zug von A Bcc: b@c, Runde 7"},
	}
	for _, tt := range tests {
		got, err := w.Subject("de", "answer", Subject{Seat: "A\r\nBcc: b@c", Round: 7}, tt.tag)
		if err != nil || got != tt.want {
			t.Errorf("%q, %v, want %q", got, err, tt.want)
		}
	}
	if _, err := w.Subject("de", "poem", Subject{}, ""); err == nil {
		t.Error("a subject of no kind was made")
	}
}

func BenchmarkReceipt(b *testing.B) {
	w := common(b)
	r := Receipt{Game: "liga-nord", Title: "Liga Nord", Seat: "Müller", Round: 7, Briefing: ready, Deadline: deadline,
		Blocks: []ReceiptBlock{{Outcome: "taken", Lines: []string{"ZUG 2/3 3/0 2/2 0/5 3/1", "TRAINING T"}, Preview: preview}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Render("de", Common, "receipt", r); err != nil {
			b.Fatal(err)
		}
	}
}
