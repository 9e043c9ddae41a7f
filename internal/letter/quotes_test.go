package letter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestAnnouncements(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []string
		want  int // lines that announce a quote
	}{
		{"Thunderbird", []string{"Am 30.11.26 um 20:00 schrieb Ringpost:"}, 1},
		{"Gmail", []string{"Am Mo., 30. Nov. 2026 um 20:00 Uhr schrieb Ringpost <gm@ringpost.example>:"}, 1},
		{"Gmail on a phone", []string{"Ringpost <gm@ringpost.example> schrieb am Mo., 30. Nov. 2026, 20:00:"}, 1},
		{"wrapped", []string{"Am Mo., 30. Nov. 2026 um 20:00 Uhr schrieb Ringpost <", "gm@ringpost.example>:"}, 2},
		{"wrapped over four", []string{"Am Mo., 30. Nov. 2026", "um 20:00 Uhr", "schrieb Ringpost <", "gm@ringpost.example>:"}, 4},
		{"Claws", []string{"On Mon, 30 Nov 2026 20:00:00 +0100", "Ringpost <gm@ringpost.example> wrote:"}, 2},
		{"Apple", []string{"El 30 nov 2026, a las 20:00, Ringpost <gm@ringpost.example> escribió:"}, 1},
		{"Yahoo", []string{"Am Montag, 30. November 2026 um 20:00:00 MEZ hat Ringpost <gm@x.de> Folgendes geschrieben:"}, 1},
		{"French", []string{"Le lun. 30 nov. 2026 à 20:00, Ringpost a écrit :"}, 1},
		{"Italian", []string{"Il giorno lun 30 nov 2026 alle ore 20:00 Ringpost <gm@x.de> ha scritto:"}, 1},
		{"Russian", []string{"30.11.2026 20:00 пользователь Ringpost <gm@x.de> написал:"}, 1},
		{"Horde", []string{"Zitat von Ringpost <gm@ringpost.example>:"}, 1},
		{"an own sentence", []string{"Am Ende schrieb ich euch:"}, 0},
		{"an own date", []string{"Am 30.11.2026 um 20:00 bin ich da:"}, 0},
		{"no colon", []string{"Am 30.11.2026 um 20:00 schrieb Ringpost"}, 0},
		{"orders below a date", []string{"Am 30.11.2026 um 20:00", "ZUG 2/3 3/0 2/2 0/5 3/1", "Kommentar:"}, 0},
		{"blank line between", []string{"Am 30.11.2026 um 20:00", "", "schrieb Ringpost:"}, 0},
		{"Outlook's line", []string{"-----Ursprüngliche Nachricht-----"}, 1},
		{"line with a name", []string{"----- Weitergeleitet von Hans Müller am 30.11.2026 -----"}, 1},
		{"other dashes", []string{"---------------------------"}, 0},
		{"line and block", []string{"-----Original Message-----", "From: a", "Sent: b", "To: c", "Subject: d"}, 5},
		{"block", []string{"Von: a", "Gesendet: b", "An: c", "Cc: d", "Betreff: e"}, 5},
		{"block, starred", []string{"*Von:* a", "*Gesendet:* b", "*An:* c", "*Betreff:* d"}, 4},
		{"block, wrapped", []string{"Von: a", "<a@b.de>", "Gesendet: b", "An: c;", "d; e;", "f", "Betreff: g"}, 7},
		{"block, spaced", []string{"Von: a", "", "Gesendet: b", "", "An: c", "", "Betreff: d"}, 7},
		{"half a block", []string{"Von: a", "An: c"}, 0},
		{"no sender", []string{"Gesendet: b", "An: c", "Betreff: d"}, 0},
		{"press to somebody", []string{"An: Maier", "Von: Müller", "Betreff: Prügel"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var rows []row
			for _, line := range test.lines {
				rows = append(rows, makeRow(0, line))
			}
			if got := announcement(rows, 0); got != test.want {
				t.Errorf("%d lines announce a quote, want %d", got, test.want)
			}
		})
	}
}

// Lines that players write, blank lines and rows among them; none announces a quote.
var ownLines = []string{"NAME Müller", "ZUG 2/3 3/0 2/2 0/5 3/1", "TRAINING T", "", "Hallo!", "---", "____", "-- ",
	"Am Samstag bin ich weg:", "Von: hier an", "PRESSE", "Er schrieb: nie", "2/3", "*Gruß*"}

var quotedLines = []string{"NAME Fremder", "ZUG 9/9 9/9 9/9 9/9 9/9", "", "-- ", "Am 1.1.2026 um 10:00 schrieb X:", "> ZUG 8/8", "-----Original Message-----"}

var openings = []string{
	"Am 30.11.2026 um 20:00 schrieb Ringpost <gm@ringpost.example>:",
	"On Mon, Nov 30, 2026 at 8:00 PM Ringpost <\ngm@ringpost.example> wrote:",
	"Ringpost <gm@ringpost.example> schrieb am Mo., 30.\nNov. 2026 um 20:00 Uhr:",
	"-----Ursprüngliche Nachricht-----\nVon: X\nGesendet: Y\nAn: Z\nBetreff: W",
	"________________________________\nDe: X\nEnviado: Y\nPara: Z\nAsunto: W",
	"-------- Original Message --------\nOn 30/11/2026 20:00, Ringpost wrote:",
}

// TestQuotesChangeNothing: what a player writes is read the same with and without a
// quote below, above or between, marked or not.
func TestQuotesChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		own := append([]string{"Hallo"}, rapid.SliceOfN(rapid.SampledFrom(ownLines), 1, 12).Draw(t, "own")...)
		quoted := append([]string{"Text"}, rapid.SliceOfN(rapid.SampledFrom(quotedLines), 0, 12).Draw(t, "quoted")...)
		opening := rapid.SampledFrom(openings).Draw(t, "opening")
		want := texts(ownOf(strings.Join(own, "\n")))

		marked := opening + "\n\n> " + strings.Join(quoted, "\n> ")
		bare := opening + "\n\n" + strings.Join(quoted, "\n")
		top := strings.Join(own, "\n") + "\n\n"
		cut := rapid.IntRange(0, len(own)).Draw(t, "cut")
		between := strings.Join(own[:cut], "\n") + "\n> " + strings.Join(quoted, "\n> ") + "\n" + strings.Join(own[cut:], "\n")
		for name, text := range map[string]string{
			"top, marked": top + marked, "top, bare": top + bare,
			"bottom, marked": marked + "\n\n" + strings.Join(own, "\n"), "between": between,
		} {
			if diff := cmp.Diff(want, withoutRow(texts(ownOf(text)))); diff != "" {
				t.Errorf("%s: (-without quote +with)\n%s\n%s", name, diff, text)
			}
		}
	})
}

func ownOf(text string) []Line {
	own, _ := splitQuotes(plainRows(text, false, false))
	return own
}

// withoutRow drops the row of underscores that an opening leaves behind, by design.
func withoutRow(lines []string) []string {
	var kept []string
	for _, line := range lines {
		if line != "________________________________" {
			kept = append(kept, line)
		}
	}
	return kept
}

func texts(lines []Line) []string {
	var all []string
	for _, line := range lines {
		if line.Text != "" {
			all = append(all, line.Text)
		}
	}
	return all
}

// FuzzQuotes: no line is lost, none is in two places, and no marked one is the
// sender's own.
func FuzzQuotes(f *testing.F) {
	for _, opening := range openings {
		f.Add(strings.Join(ownLines, "\n") + "\n" + opening + "\n> " + strings.Join(quotedLines, "\n> "))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 || !isText(text) {
			return
		}
		for _, rows := range [][]row{plainRows(text, false, false), plainRows(text, true, true)} {
			var own, quoted []Line
			soon(t, func() { own, quoted = splitQuotes(rows) })
			where := map[int]string{}
			for _, line := range own {
				where[line.N] = "own"
				if rows[line.N-1].depth > 0 {
					t.Errorf("marked line %d is the sender's own", line.N)
				}
			}
			for _, line := range quoted {
				if where[line.N] != "" {
					t.Errorf("line %d is in two places", line.N)
				}
				where[line.N] = "quoted"
			}
			for i, r := range rows {
				if !r.blank() && where[i+1] == "" {
					t.Errorf("line %d is lost: %q", i+1, r.text)
				}
			}
		}
		marked := "> " + strings.Join(strings.Split(lineEnds.Replace(text), "\n"), "\n> ")
		if own := ownOf(marked); len(own) > 0 {
			t.Errorf("taken from a quote: %v", own)
		}
	})
}

func isText(s string) bool { return strings.ToValidUTF8(s, "") == s }
