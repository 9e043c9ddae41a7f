package referee_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/referee"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/templates"
)

// Mails that come together are handled as each would be by itself, and so they are
// when one of them keeps the others from being handled together.
func TestMailsTogetherAreHandledAsOneByOne(t *testing.T) {
	for _, c := range []struct{ name, fault string }{
		{"all is well", ""},
		{"one cannot be entered", `CREATE TRIGGER sick BEFORE INSERT ON orders WHEN NEW.seat = 's2' BEGIN SELECT raise(ABORT, 'a sick mail'); END`},
		{"one cannot be answered", `CREATE TRIGGER sick BEFORE INSERT ON outbox WHEN NEW.seat = 's2' BEGIN SELECT raise(ABORT, 'a sick mail'); END`},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder, now, mails := league4(t)
			together, alone := copyOf(t, folder, now), copyOf(t, folder, now)
			for _, m := range []*machine{together, alone} {
				if c.fault != "" {
					m.sql(c.fault)
				}
			}
			results, err := together.Receive(t.Context(), mails)
			together.must(err)
			for i := range mails {
				one, err := alone.Receive(t.Context(), mails[i:i+1])
				alone.must(err)
				if diff := cmp.Diff(one[0], results[i]); diff != "" {
					t.Errorf("mail %d:\n%s", i, diff)
				}
			}
			if diff := cmp.Diff(alone.everything(), together.everything()); diff != "" {
				t.Errorf("one by one and together:\n%s", diff)
			}
			if careful := strings.Contains(together.log.String(), "with care"); careful != (c.fault != "") {
				t.Errorf("handled with care: %v\n%s", careful, together.log)
			}
		})
	}
}

// An answer that cannot be worded costs no other mail anything.
func TestAnAnswerThatCannotBeWordedCostsNoOther(t *testing.T) {
	folder, now, mails := league4(t)
	m := copyOf(t, folder, now)
	sound := m.words
	m.words = wordsWith(t, "de/common/head.txt", `{{if eq .Player "Maier"}}{{.Nothing.Of.The.Kind}}{{end}}`)
	m.open(rules.Find)
	results, err := m.Receive(t.Context(), mails)
	m.must(err)
	for i, r := range results {
		if quarantined := r.Result == referee.Quarantined; quarantined != (i == 1) {
			t.Errorf("mail %d: %s (%s)", i, r.Result, r.Reason)
		}
	}
	if got := m.onFile("liga", "Maier"); got != "missing: " {
		t.Errorf("Maier: %s", got)
	}
	m.words = sound
	m.open(rules.Find)
	r, err := m.Retry(t.Context(), results[1].Letter)
	m.must(err)
	m.want(r, referee.Taken, "provisional")
}

// wordsWith are the words, with something before one of the templates.
func wordsWith(t *testing.T, name, before string) *report.Words {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(templates.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(templates.Files, path)
		if path == name {
			text = append([]byte(before), text...)
		}
		files[path] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	words, err := report.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return words
}
