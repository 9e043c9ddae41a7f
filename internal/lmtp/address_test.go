package lmtp

import (
	"strings"
	"testing"
)

// FuzzRecipient: whatever a mail server names as recipient, only our own mailbox is ours.
func FuzzRecipient(f *testing.F) {
	for _, seed := range []string{"gm@liga.example", "GM+x@Liga.Example", "gm+@liga.example", "@liga.example", "gm@", "gm", "gm@liga.example@x.example",
		`"gm+x"@liga.example`, "gm\u212a@liga.example", "gm@l\u0130ga.example", ""} {
		f.Add(seed)
	}
	own, _ := parse("gm@liga.example")
	f.Fuzz(func(t *testing.T, to string) {
		a, ok := parse(to)
		lower := strings.ToLower(to)
		ours := lower == "gm@liga.example" || strings.HasPrefix(lower, "gm+") && strings.HasSuffix(lower, "@liga.example")
		if got := ok && own.covers(a); got != ours {
			t.Errorf("%q is ours: %t, want %t", to, got, ours)
		}
	})
}
