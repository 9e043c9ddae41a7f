package letter

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// soon fails when f takes a second: whoever writes a mail must not be able to stop
// the game for all. A busy machine may stop any run, so the shortest of three counts.
func soon(t *testing.T, f func()) {
	t.Helper()
	for range 3 {
		begun := time.Now()
		if f(); time.Since(begun) < time.Second*raceFactor {
			return
		}
	}
	t.Error("it takes more than a second")
}

// checkLetter holds what is true of every letter, whatever the mail.
func checkLetter(t *testing.T, l Letter) {
	t.Helper()
	if l.Verdict != Pass && l.Verdict != None && l.Verdict != Fail {
		t.Errorf("verdict %q", l.Verdict)
	}
	if l.Verdict == Pass && l.From == "" {
		t.Error("nobody passed")
	}
	if (l.Problem == "") != (len(l.Lines)+len(l.Quoted) > 0) {
		t.Errorf("problem %q with %d lines and %d quoted", l.Problem, len(l.Lines), len(l.Quoted))
	}
	if l.From != strings.ToLower(l.From) || strings.ContainsAny(l.From, "\r\n<>") {
		t.Errorf("From %q", l.From)
	}
	for _, text := range append([]string{l.From, l.FromName, l.Subject, l.MessageID, l.InReplyTo, l.Date}, append(l.References, l.Recipients...)...) {
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\r\n") {
			t.Errorf("%q is not one line of text", text)
		}
	}
	seen := map[int]bool{}
	for _, list := range [][]Line{l.Lines, l.Quoted} {
		last := 0
		for i, line := range list {
			if line.N <= last || seen[line.N] {
				t.Errorf("line %d twice or out of order", line.N)
			}
			last, seen[line.N] = line.N, true
			if !utf8.ValidString(line.Text) || strings.ContainsAny(line.Text, "\n\r\t\u00a0\u200b") {
				t.Errorf("line %d is not clean: %q", line.N, line.Text)
			}
			if line.Text != strings.TrimRight(line.Text, " ") && line.Text != "-- " {
				t.Errorf("line %d ends with a blank: %q", line.N, line.Text)
			}
			if blank := strings.TrimSpace(line.Text) == ""; blank && (i == 0 || i == len(list)-1) {
				t.Error("blank line at an end")
			}
		}
	}
}
