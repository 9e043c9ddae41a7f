package report

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"ringpost/internal/orders"
)

func TestLayout(t *testing.T) {
	word := strings.Repeat("x", 80)
	tests := []struct{ name, in, want string }{
		{"nothing", "", "\n"},
		{"empty lines are folded", "\n\na\n\n\n\nb\n\n", "a\n\nb\n"},
		{"trailing blanks go", "a  \t\r\n  \nb ", "a\n\nb\n"},
		{"prose is wrapped", strings.Repeat("abcdefghi ", 10), strings.Repeat("abcdefghi ", 6) + "abcdefghi\nabcdefghi abcdefghi abcdefghi\n"},
		{"exactly a line", strings.Repeat("x", Columns), strings.Repeat("x", Columns) + "\n"},
		{"a wide word stays whole", "see " + word + " there", "see\n" + word + "\nthere\n"},
		{"a wide word alone", word, word + "\n"},
		{"a table's line is kept", keepMark + "a  " + word + "  b", "a  " + word + "  b\n"},
		{"kept with an indent", "  " + keepMark + word + " b", "  " + word + " b\n"},
		{"the indent hangs", "    " + strings.Repeat("abcdefghi ", 9), "    " + strings.Repeat("abcdefghi ", 6) + "abcdefghi\n    abcdefghi abcdefghi\n"},
		{"a list hangs below its first word", "- " + strings.Repeat("abcdefghi ", 9), "- " + strings.Repeat("abcdefghi ", 6) + "abcdefghi\n  abcdefghi abcdefghi\n"},
		{"a numbered list that is set in, too", "  12. " + strings.Repeat("abcdefghi ", 8), "  12. " + strings.Repeat("abcdefghi ", 6) + "abcdefghi\n      abcdefghi\n"},
		{"a number that begins prose is no list", "12. " + strings.Repeat("abcdefghi ", 8), "12. " + strings.Repeat("abcdefghi ", 6) + "abcdefghi\nabcdefghi\n"},
		{"a quote goes on as a quote", "| ZUG " + strings.Repeat("11/11 ", 14), "| ZUG " + strings.TrimSpace(strings.Repeat("11/11 ", 11)) + "\n| 11/11 11/11 11/11\n"},
		{"blanks within a line stay", "a   b", "a   b\n"},
		{"umlauts take one column", strings.Repeat("ü", 70) + " ü ü ü", strings.Repeat("ü", 70) + " ü ü ü\n"},
		{"marks take none", strings.Repeat("u\u0308", 76), strings.Repeat("u\u0308", 76) + "\n"},
		{"wide characters take two", strings.Repeat("王", 37) + " 王 王", strings.Repeat("王", 37) + "\n王 王\n"},
		{"no line begins with a keyword", strings.Repeat("x", 71) + " der ZUG 1/1", strings.Repeat("x", 71) + "\nder ZUG 1/1\n"},
		{"unless nothing else is left", strings.Repeat("x", 76) + " ZUG", strings.Repeat("x", 76) + "\nZUG\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := layout(tt.in); got != tt.want {
				t.Errorf("layout(%q) =\n%q, want\n%q", tt.in, got, tt.want)
			}
		})
	}
}

// prose draws lines that have every kind of beginning and of width.
func prose(t *rapid.T) string {
	word := rapid.SampledFrom([]string{"a", "Runde", "ZUG", "1/1", "|", "-", "über", "u\u0308ber", "王王", "Ende", "👩‍🚀", "ein-sehr-langes-Wort", strings.Repeat("y", 90)})
	lead := rapid.SampledFrom([]string{"", "  ", "- ", "  - ", "| ", "| ZUG ", "      ", "  7. ", "    12. "}).Draw(t, "lead")
	return lead + strings.Join(rapid.SliceOfN(word, 0, 60).Draw(t, "words"), rapid.SampledFrom([]string{" ", "  "}).Draw(t, "blanks"))
}

func TestWrappingLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := strings.TrimRight(prose(t), " ")
		_, hang := hanging(line)
		var got []string
		for i, l := range strings.Split(wrap(line), "\n") {
			if i > 0 {
				if !strings.HasPrefix(l, hang) {
					t.Fatalf("%q does not hang at %q", l, hang)
				}
				l = l[len(hang):]
			}
			got = append(got, strings.Fields(l)...)
			if w := width(l) + width(hang); i > 0 && w > Columns && len(strings.Fields(l)) > 1 {
				t.Fatalf("%q is %d columns wide", l, w)
			}
		}
		if want := strings.Fields(line); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Fatalf("%q became %q", line, got)
		}
	})
}

func TestKeptLinesStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := strings.TrimRight(prose(t), " ")
		if got := layout("a\n" + keepMark + line + "\nb"); line != "" && got != "a\n"+line+"\nb\n" {
			t.Fatalf("%q became %q", line, got)
		}
	})
}

func TestWrappedProseIsNeverAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fill := strings.Repeat("x", rapid.IntRange(1, 80).Draw(t, "width"))
		order := rapid.SampledFrom([]string{"ZUG 1/1 2/2", "ENDE", "SPIEL liga-nord", "NAME Joe", "HILFE", "SPIELRUNDE 8"}).Draw(t, "order")
		text := layout("Hier geht es um " + fill + " und dann " + order)
		got := orders.Parse(orders.Lines(text))
		if len(got.Blocks)+len(got.Commands)+len(got.Issues) > 0 {
			t.Fatalf("%q reads as %+v", text, got)
		}
	})
}

func TestJoin(t *testing.T) {
	tests := []struct {
		in   []string
		want string
	}{
		{nil, ""},
		{[]string{"", "\n"}, ""},
		{[]string{"a\n"}, "a\n"},
		{[]string{"a\n", "", "b\nc\n"}, "a\n\n\nb\nc\n"},
		{[]string{"a\n\n\nb\n", "c"}, "a\n\n\nb\n\n\nc\n"},
	}
	for _, tt := range tests {
		if got := Join(tt.in...); got != tt.want {
			t.Errorf("Join(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// What is counted without uniseg has the width that uniseg gives it, beside whatever
// it stands.
func TestWidthOfPlainCharacters(t *testing.T) {
	for r := range rune(0x3000) {
		for _, other := range []rune{'a', 'ä', '„', '–'} {
			for _, s := range []string{string([]rune{other, r}), string([]rune{r, other}), string([]rune{r, r})} {
				if got, want := width(s), uniseg.StringWidth(s); got != want {
					t.Errorf("%q (%U) has %d columns, want %d", s, r, got, want)
				}
			}
		}
	}
}
