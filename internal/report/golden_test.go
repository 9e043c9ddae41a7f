package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
)

var update = flag.Bool("update", false, "write the goldens anew")

const goldens = "../../testdata/report"

// letter is a mail as its reader gets it.
type letter struct {
	subject  string
	sections []section
}

// letters are typical mails, in each language with the words that a ruleset and
// the referee would put into them.
func letters(t *testing.T) map[string]letter {
	t.Helper()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	due := time.Date(2026, 12, 6, 20, 0, 0, 0, berlin)
	const (
		seed   = "dab90a22a53793c774e21f8eb5f28050d19df4726fd66390eefc82a2fa36657b"
		next   = "34fdc116d2a989ec79d40b31cfdfff9868a465ef84f0da4937ca732b2c3a752c"
		sealed = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
	)
	preview := map[string]string{
		"de": "Was deine Zahlen kosten:\n\n  Runde   Zahlen   Verlust  Kondition\n    1     2/3            1         25\n    2     3/0            0         25\n",
		"en": "What your numbers cost:\n\n  Round   Numbers     Loss  Condition\n    1     2/3            1         25\n    2     3/0            0         25\n",
	}
	briefing := map[string]string{
		"de": "Dein Gegner: Maier, Technik 12, Kondition 21.\n\nSPIEL liga-nord\nNAME Müller\nSPIELRUNDE 7\nZUG _/_ _/_ _/_ _/_ _/_\nTRAINING _\nENDE\n",
		"en": "Your opponent: Maier, technique 12, condition 21.\n\nGAME liga-nord\nNAME Müller\nGAMETURN 7\nMOVE _/_ _/_ _/_ _/_ _/_\nTRAINING _\nEND\n",
	}
	move := map[string]string{"de": "ZUG", "en": "MOVE"}
	all := map[string]letter{}
	for _, lang := range languages {
		at, foot := When(lang, berlin, due), section{"foot", Foot{Address: "gm@liga.example", Token: true}}
		orders := []string{move[lang] + " 2/3 3/0 2/2 0/5 3/1", "TRAINING T"}
		block := ReceiptBlock{
			Lines: orders, Outcome: "taken",
			Changes: []Change{{Old: move[lang] + " 1/1 1/1 1/1 1/1 1/1", New: orders[0]}, {New: orders[1]}},
			Issues:  []Told{{Issue: game.Issue{Line: 5, Code: "line-unknown", Args: []string{"LGIA 3", "LEAGUE"}}}},
			Preview: preview[lang],
		}
		receipt := Receipt{Game: "liga-nord", Title: "Liga Nord", Seat: "Müller", Round: 7, Blocks: []ReceiptBlock{block}, Briefing: briefing[lang], Deadline: at}
		all[lang+"/receipt"] = letter{"receipt", []section{{"head", Head{Player: "Müller", Foremost: "taken"}}, {"receipt", receipt}, foot}}

		keep := block
		keep.Outcome, keep.OnFile, keep.Changes, keep.Preview = "kept", orders, nil, ""
		keep.Lines = []string{move[lang] + " 2/3 3/0 0/0 0/5 3/1"}
		keep.Issues = []Told{{Issue: game.Issue{Line: 4, Code: "too-many-lines", Error: true}, Said: "TRAINING T"}}
		kept := receipt
		kept.Blocks = []ReceiptBlock{keep}
		all[lang+"/kept"] = letter{"receipt", []section{{"head", Head{Player: "Müller", Foremost: "kept"}}, {"receipt", kept}, foot}}

		missed := keep
		missed.Outcome, missed.Issues = "late", nil
		late := kept
		late.Blocks, late.Missed, late.Deadline = []ReceiptBlock{missed}, at, When(lang, berlin, due.AddDate(0, 0, 7))
		late.Briefing = strings.ReplaceAll(briefing[lang], "7\n", "8\n")
		all[lang+"/late"] = letter{"receipt", []section{{"head", Head{Player: "Müller", Foremost: "late"}}, {"receipt", late}, foot}}

		held := Held{Reason: "sender", Game: "liga-nord", Seat: "Müller", Lines: orders, Code: "k3f9q2m7aa",
			Until: When(lang, berlin, due.AddDate(0, 0, 2)), Deadline: at}
		all[lang+"/held"] = letter{"held", []section{{"head", Head{Player: "Müller"}}, {"held", held}, {"foot", Foot{Address: "gm@liga.example"}}}}

		all[lang+"/start"] = letter{"start", []section{
			{"title", Title{Game: "liga-nord", Title: "Liga Nord"}},
			{"next", Next{Game: "liga-nord", Round: 1, Deadline: at, Briefing: strings.ReplaceAll(briefing[lang], "7\n", "1\n")}},
			{"dice", Dice{Game: "liga-nord", Seed: seed, Next: next, Sealed: sealed}},
			foot,
		}}
		all[lang+"/help"] = letter{"answer", []section{
			{"head", Head{Player: "Müller"}},
			{"help", Help{Address: "gm@liga.example", Rows: []GameRow{{Game: "liga-nord", Title: "Liga Nord", Ruleset: "sugarray",
				Seats: []string{"Müller"}, Round: 7, State: "running", Deadline: at}}}},
			foot,
		}}
	}
	return all
}

func TestGoldenMails(t *testing.T) {
	w := common(t)
	seen := map[string]bool{}
	for name, l := range letters(t) {
		t.Run(name, func(t *testing.T) {
			lang := name[:2]
			var parts []string
			for _, s := range l.sections {
				text, err := w.Render(lang, Common, s.template, s.data)
				if err != nil {
					t.Fatal(err)
				}
				parts = append(parts, text)
			}
			subject, err := w.Subject(lang, l.subject, Subject{Game: "liga-nord", Title: "Liga Nord", Seat: "Müller", Round: 7, Outcome: outcomeOf(l)}, Tag("liga-nord", 7, "k3f9q2"))
			if err != nil {
				t.Fatal(err)
			}
			got := "Subject: " + subject + "\n\n" + Join(parts...)
			path := filepath.Join(goldens, strings.ReplaceAll(name, "/", "-")+".txt")
			seen[filepath.Base(path)] = true
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("differs from %s (-want +got):\n%s", path, diff)
			}
			checkNoOrders(t, got)
		})
	}
	files, err := os.ReadDir(goldens)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !seen[f.Name()] {
			t.Errorf("no test makes the golden %s", f.Name())
		}
	}
	if len(files) == 0 {
		t.Error("there are no goldens")
	}
}

// outcomeOf is the outcome of the receipt in a mail.
func outcomeOf(l letter) string {
	for _, s := range l.sections {
		if r, ok := s.data.(Receipt); ok {
			return r.Foremost()
		}
	}
	return ""
}
