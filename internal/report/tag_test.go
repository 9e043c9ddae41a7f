package report

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseTag(t *testing.T) {
	tests := []struct {
		subject string
		found   bool
		rest    string // of WithoutTag
	}{
		{"[liga-nord 7 k3f9q2]", true, ""},
		{"Zug erhalten: Müller [liga-nord 7 k3f9q2]", true, "Zug erhalten: Müller"},
		{"Re: Zug [liga-nord 7 k3f9q2]", true, "Zug"},
		{"AW: Re: Fwd: [liga-nord 7 k3f9q2] Zug", true, "Zug"},
		{"RE[2]: WG:[liga-nord 7 k3f9q2]Zug", true, "Zug"},
		{"Re: [liga-nord 7\r\n\tk3f9q2]", true, ""},
		{"Re: [ liga-nord\u00a0 7  k3f9q2 ]", true, ""},
		{"Re: [liga-nord 7 K3F9Q2]", true, ""},
		{"[EXTERN] Re: [liga-nord 7 k3f9q2] [SPAM?]", true, "[EXTERN] Re: [SPAM?]"},
		{"[[liga-nord 7 k3f9q2]]", true, "[ ]"},
		{"[Ticket 4711] [liga-nord 7 k3f9q2]", true, "[Ticket 4711]"},
		{"[liga-nord 7 k3f9q2] Re: [liga-nord 7 k3f9q2]", true, ""},
		{"[liga-nord 7 k3f9q2] Re: [liga-nord 7 K3F9Q2]", true, ""},

		{"[liga-nord 7 k3f9q2] [liga-nord 8 m2x7aa]", false, ""},
		{"[liga-nord 7 k3f9q2] [liga-sued 7 k3f9q2]", false, ""},
		{"[liga-nord 8 m2x7aa] [liga-nord 7 k3f9q2] [liga-nord 8 m2x7aa]", false, ""},
		{"", false, ""},
		{"Zug", false, "Zug"},
		{"Stand: 3:2", false, "Stand: 3:2"},
		{"[liga-nord 7]", false, "[liga-nord 7]"},
		{"[liga-nord sieben k3f9q2]", false, "[liga-nord sieben k3f9q2]"},
		{"[liga-nord -7 k3f9q2]", false, "[liga-nord -7 k3f9q2]"},
		{"[liga-nord +7 k3f9q2]", false, "[liga-nord +7 k3f9q2]"},
		{"[liga-nord 7777777 k3f9q2]", false, "[liga-nord 7777777 k3f9q2]"},
		{"[liga-nord 7 k3f]", false, "[liga-nord 7 k3f]"},
		{"[liga-nord 7 k3f-9q2]", false, "[liga-nord 7 k3f-9q2]"},
		{"[liga-nörd 7 k3f9q2]", false, "[liga-nörd 7 k3f9q2]"},
		{"[- 7 k3f9q2]", false, "[- 7 k3f9q2]"},
		{"liga-nord 7 k3f9q2", false, "liga-nord 7 k3f9q2"},
		{"[liga-nord 7 k3f9q2", false, "[liga-nord 7 k3f9q2"},
		{"liga-nord 7 k3f9q2]", false, "liga-nord 7 k3f9q2]"},
	}
	for _, tt := range tests {
		game, round, token, ok := ParseTag(tt.subject)
		if ok != tt.found || ok && (game != "liga-nord" || round != 7 || token != "k3f9q2") || !ok && (game != "" || round != 0 || token != "") {
			t.Errorf("ParseTag(%q) = %q %d %q %v", tt.subject, game, round, token, ok)
		}
		if got := WithoutTag(tt.subject); got != tt.rest {
			t.Errorf("WithoutTag(%q) = %q, want %q", tt.subject, got, tt.rest)
		}
	}
}

func TestTagComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[a-z][a-z0-9-]{0,30}`).Draw(t, "game")
		round := rapid.IntRange(0, 999_999).Draw(t, "round")
		token := rapid.StringMatching(`[a-z2-9]{6,16}`).Draw(t, "token")
		before := rapid.SampledFrom([]string{"", "Re: ", "AW: WG: ", "[Liste] Re: ", "[7 8] "}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", " Zug", " [extern]", " 3/4]"}).Draw(t, "after")
		g, r, tok, ok := ParseTag(before + Tag(id, round, token) + after)
		if !ok || g != id || r != round || tok != token {
			t.Fatalf("%s came back as %q %d %q %v", Tag(id, round, token), g, r, tok, ok)
		}
	})
}

func FuzzParseTag(f *testing.F) {
	for _, s := range []string{"Re: [liga-nord 7 k3f9q2]", "[a 1 bbbb][a 1 bbbb]", "[[[]]]", "[a 1 bbbb] [a 2 bbbb]", "[\xff 1 \x00]", "Re: Re[3]: :"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		game, round, token, ok := ParseTag(s)
		if !ok {
			return
		}
		g, r, tok, again := ParseTag(Tag(game, round, token))
		if !again || g != game || r != round || tok != token {
			t.Errorf("%q gives %q %d %q, which is no tag of ours", s, game, round, token)
		}
		if round < 0 || token != strings.ToLower(token) || strings.ContainsAny(game, "\r\n []") {
			t.Errorf("%q gives %q %d %q", s, game, round, token)
		}
	})
}
