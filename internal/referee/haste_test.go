package referee_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
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
	for name, spoil := range map[string]func(*machine){
		"for its template": func(m *machine) {
			m.words = wordsWith(t, "de/common/head.txt", `{{if eq .Player "Maier"}}{{.Nothing.Of.The.Kind}}{{end}}`)
			m.open(rules.Find)
		},
		"for its ruleset": func(m *machine) { m.open(findBrittle) },
	} {
		t.Run(name, func(t *testing.T) {
			folder, now, mails := league4(t)
			m := copyOf(t, folder, now)
			sound := m.words
			spoil(m)
			results, err := m.Receive(t.Context(), mails)
			m.must(err)
			m.wantQuarantined(results, 1)
			if got := m.onFile("liga", "Maier"); got != "missing: " {
				t.Errorf("Maier: %s", got)
			}
			m.words = sound
			m.open(rules.Find)
			r, err := m.Retry(t.Context(), results[1].Letter)
			m.must(err)
			m.want(r, referee.Taken, "provisional")
		})
	}
}

// wantQuarantined checks that one mail was set aside, and no other.
func (b *bench) wantQuarantined(results []referee.Result, which int) {
	b.Helper()
	for i, r := range results {
		if quarantined := r.Result == referee.Quarantined; quarantined != (i == which) {
			b.Errorf("mail %d: %s (%s)", i, r.Result, r.Reason)
		}
	}
}

// brittle is a ruleset whose words for the second seat's orders cannot be had.
type brittle struct{ rules.Ruleset }

type brittleTable struct{ rules.Table }

func findBrittle(name string) (rules.Ruleset, error) {
	r, err := rules.Find(name)
	return brittle{r}, err
}

func (b brittle) Open(state json.RawMessage) (rules.Table, error) {
	t, err := b.Ruleset.Open(state)
	return brittleTable{t}, err
}

func (b brittleTable) Explain(seat game.SeatID, slips []rules.Slip) (game.View, error) {
	v, err := b.Table.Explain(seat, slips)
	if seat == "s2" {
		v.Data = func() any { panic("no words for him") }
	}
	return v, err
}

// A program that is stopped among mails does not take that for the fault of one, and
// handles all of them when it runs again.
func TestAStopIsNoMailsFault(t *testing.T) {
	folder, now, mails := league4(t)
	stopped, sound := copyOf(t, folder, now), copyOf(t, folder, now)
	ctx, stop := context.WithCancel(t.Context())
	stopped.open(func(name string) (rules.Ruleset, error) {
		stop()
		return rules.Find(name)
	})
	if _, err := stopped.Receive(ctx, mails); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if log := stopped.log.String(); strings.Contains(log, "with care") || strings.Contains(log, "cannot be handled") {
		t.Errorf("the log says\n%s", log)
	}
	stopped.open(rules.Find)
	for _, m := range []*machine{stopped, sound} {
		_, err := m.Receive(t.Context(), mails)
		m.must(err)
	}
	if diff := cmp.Diff(sound.everything(), stopped.everything()); diff != "" {
		t.Errorf("after a stop:\n%s", diff)
	}
}

// Who asks for another language behind his orders has what is left to say in it.
func TestAReceiptIsWordedWhenAllIsRead(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug+"ENDE\nSPRACHE Englisch\n"), referee.Taken, "taken")
	b.says("Müller", []string{"What your figures cost", "To fill in:", "Your settings"}, "Was deine Zahlen kosten", "Zum Ausfüllen")
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
