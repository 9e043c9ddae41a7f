package outbox

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func FuzzOneLine(f *testing.F) {
	for _, seed := range []string{"", "550 no\r\n550 more", strings.Repeat("ü", 200), "a" + strings.Repeat("日", 200), "\xff\x00\u2028"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		got := oneLine(answer)
		if len(got) > 300 || !utf8.ValidString(got) {
			t.Errorf("%d octets of %q", len(got), got)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r != ' ' && (unicode.IsSpace(r) || unicode.IsControl(r)) }) {
			t.Errorf("more than one line: %q", got)
		}
		if again := oneLine(got); again != strings.TrimSpace(got) {
			t.Errorf("once %q, twice %q", got, again)
		}
		if got == "" && strings.ContainsFunc(answer, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			t.Errorf("nothing is left of %q", answer)
		}
	})
}
