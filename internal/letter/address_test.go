package letter

import (
	"net/mail"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestNormalize(t *testing.T) {
	for _, test := range []struct{ address, want string }{
		{"Hans@Example.ORG", "hans@example.org"},
		{" hans+liga@example.org ", "hans+liga@example.org"},
		{"H.Ans.Mueller+liga@GoogleMail.com", "hansmueller@gmail.com"},
		{"hansmueller@gmail.com", "hansmueller@gmail.com"},
		{"hans.mueller@example.org", "hans.mueller@example.org"},
		{"hans@müller.example", "hans@xn--mller-kva.example"},
		{"hans@xn--mller-kva.example.", "hans@xn--mller-kva.example"},
		{"mailer-daemon", "mailer-daemon"},
		{"", ""},
	} {
		if got := Normalize(test.address); got != test.want {
			t.Errorf("Normalize(%q) = %q, want %q", test.address, got, test.want)
		}
	}
}

func TestScanMailboxes(t *testing.T) {
	for _, test := range []struct {
		value string
		want  []mailbox
	}{
		{"a@b.de", []mailbox{{"a@b.de", ""}}},
		{"A <A@B.de>, c@d.de", []mailbox{{"a@b.de", "A"}, {"c@d.de", ""}}},
		{`"B, A" <a@b.de>`, []mailbox{{"a@b.de", "B, A"}}},
		{`"a \"the\" b" <a@b.de>`, []mailbox{{"a@b.de", `a "the" b`}}},
		{"A (x (y) \\) z) <a@b.de>", []mailbox{{"a@b.de", "A"}}},
		{"undisclosed-recipients:;", nil},
		{"List: a@b.de, C <c@d.de>; e@f.de", []mailbox{{"a@b.de", ""}, {"c@d.de", "C"}, {"e@f.de", ""}}},
		{"=?utf-8?q?M=C3=BCller=2C_H?= <a@b.de>", []mailbox{{"a@b.de", "Müller, H"}}},
		{"<mailto:a@b.de>", []mailbox{{"a@b.de", ""}}},
		{"mailto:a@b.de", []mailbox{{"a@b.de", ""}}},
		{"<<a@b.de>>", []mailbox{{"a@b.de", ""}}},
		{"<a@b.de> <c@d.de>", []mailbox{{"a@b.de", ""}, {"c@d.de", ""}}},
		{`"x <v@w.de>" y" <a@b.de>`, []mailbox{{"a@b.de", `x <v@w.de> y"`}}},
		{`<"a b"@c.de>`, []mailbox{{`"a b"@c.de`, ""}}},
		{`"ab"@c.de`, []mailbox{{"ab@c.de", ""}}},
		{"<>", nil},
		{"MAILER-DAEMON", nil},
		{"A <a@b@c.de>", nil},
		{"A <a@b c.de>", nil},
		{"A <a@[192.0.2.1]>", nil},
		{"A <\xe4@b.de>", nil},
		{"", nil},
	} {
		if diff := cmp.Diff(test.want, scanMailboxes(test.value), cmp.AllowUnexported(mailbox{})); diff != "" {
			t.Errorf("scanMailboxes(%q): (-want +got)\n%s", test.value, diff)
		}
	}
}

// FuzzMailboxes holds the lenient scanner to the strict parser of the standard
// library: a list that one can read has the same addresses for both.
func FuzzMailboxes(f *testing.F) {
	for _, seed := range []string{"a@b.de", "A <A@B.de>, c@d.de", `"B, A" <a@b.de>`, "A: a@b.de, C <c@d.de>;", "A (c) <a@b.de>", `"a"@b.de (x)`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		var want []string
		parsed, err := mail.ParseAddressList(value)
		if err != nil || len(value) > 1000 {
			scanMailboxes(value)
			return
		}
		for _, a := range parsed {
			addr, ok := cleanAddress(a.Address)
			if !ok || strings.ContainsAny(a.Address, "\"[") || !strings.Contains(value, a.Address) {
				return // spelt in a way of old that no program writes
			}
			want = append(want, addr)
		}
		var got []string
		for _, m := range scanMailboxes(value) {
			got = append(got, m.addr)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: (-library +ours)\n%s", value, diff)
		}
	})
}
