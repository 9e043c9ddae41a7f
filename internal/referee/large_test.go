package referee_test

import (
	"strings"
	"testing"

	"ringpost/internal/letter"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// TestTooLarge: of a mail over the limit the beginning alone comes. A known player
// is told once, nobody else, and nothing in it is read.
func TestTooLarge(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Rocky", "Apollo")
	uid := uint32(0)
	take := func(raw string) referee.Result {
		t.Helper()
		uid++
		results, err := b.Receive(t.Context(), []referee.Incoming{{Place: store.Place{Mailbox: "test", UIDValidity: 9, UID: uid},
			Received: b.now, Size: letter.MaxSize + 1, Raw: []byte(raw)[:min(len(raw), 64<<10)]}})
		b.must(err)
		return results[0]
	}
	pad := strings.Repeat("picture ", 10_000)
	raw := string(b.letter(address("Rocky"), "Zug", "NAME Rocky\n"+goodZug+pad))
	before := len(b.posted(address("Rocky")))
	b.want(take(raw), referee.Refused)
	if got := b.onFile("liga", "Rocky"); !strings.HasPrefix(got, "missing") {
		t.Errorf("orders were read in it: %s", got)
	}
	answers := b.posted(address("Rocky"))
	if len(answers) != before+1 {
		t.Fatalf("%d answers, want 1", len(answers)-before)
	}
	if text := b.text(answers[before]); !strings.Contains(text, "zu groß") || len(text) > 1000 {
		t.Errorf("the answer:\n%s", text)
	}
	if r := take("Received: by another\r\n" + raw); r.Result != referee.Duplicate {
		t.Errorf("the same mail again: %+v", r)
	}

	apollos := len(b.posted(address("Apollo")))
	machine := b.letter(address("Apollo"), "Zug", pad, "Auto-Submitted: auto-replied")
	if r := take(string(machine)); r.Result != referee.Dropped || len(b.posted(address("Apollo"))) != apollos {
		t.Errorf("a machine's: %+v", r)
	}
	stranger := b.letter("nobody@elsewhere.example", "hello", "JOIN Nobody\n"+pad, "Authentication-Results: mx.liga.example; dmarc=pass header.from=elsewhere.example")
	if r := take(string(stranger)); r.Result != referee.Dropped || r.Reason != "too-large" || len(b.posted("nobody@elsewhere.example")) != 0 {
		t.Errorf("a stranger's: %+v", r)
	}
}
