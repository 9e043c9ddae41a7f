package letter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAuthResults(t *testing.T) {
	one := func(name, result string, props ...authProp) []authMethod {
		return []authMethod{{name, result, props}}
	}
	for _, test := range []struct {
		name, field string
		methods     []authMethod
		bad         bool
	}{
		{name: "none", field: "mx.example 1; none"},
		{name: "one", field: "mx.example; dkim=pass header.d=a.de", methods: one("dkim", "pass", authProp{"header.d", "a.de"})},
		{name: "blanks and comments", field: "(x) mx.example (y) 1 (z) ; (a) DKIM (b) / 1 (c) = (d) Pass (e) header (f) . (g) d (h) = (i) a.de (j) ;",
			methods: one("dkim", "pass", authProp{"header.d", "a.de"})},
		{name: "reason", field: `mx.example; spf=fail reason="not \"you\"; x" smtp.mailfrom=a@b.de`,
			methods: one("spf", "fail", authProp{"reason", `not "you"; x`}, authProp{"smtp.mailfrom", "a@b.de"})},
		{name: "quoted local part", field: `mx.example; spf=pass smtp.mailfrom="a; b"@c.de`,
			methods: one("spf", "pass", authProp{"smtp.mailfrom", "a; b@c.de"})},
		{name: "base64 and addresses", field: "mx.example; dkim=pass header.i=@a.de header.b=ab/c+d= x-bits=2048 smtp.remote-ip=2001:db8::1",
			methods: one("dkim", "pass", authProp{"header.i", "@a.de"}, authProp{"header.b", "ab/c+d="}, authProp{"x-bits", "2048"}, authProp{"smtp.remote-ip", "2001:db8::1"})},
		{name: "quoted server", field: `"mx.example"; none`},
		{name: "no results", field: "mx.example", methods: nil},
		{name: "empty", field: "", bad: true},
		{name: "only a comment", field: "(mx.example; dkim=pass)", bad: true},
		{name: "no semicolon", field: "mx.example dkim=pass", bad: true},
		{name: "open comment", field: "mx.example; dkim=pass (x header.d=a.de", bad: true},
		{name: "open quote", field: `mx.example; dkim=pass header.d="a.de`, bad: true},
		{name: "stray bracket", field: "mx.example; dkim=pass ) header.d=a.de", bad: true},
		{name: "no result", field: "mx.example; dkim=; spf=pass", bad: true},
		{name: "no method", field: "mx.example; =pass", bad: true},
		{name: "two semicolons", field: "mx.example;; dkim=pass", bad: true},
		{name: "word without value", field: "mx.example; dkim=pass header.d", bad: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := parseAuthResults(test.field)
			if ok == test.bad {
				t.Fatalf("read: %v", ok)
			}
			if test.bad {
				return
			}
			if diff := cmp.Diff(authResults{"mx.example", test.methods}, got, cmp.AllowUnexported(authResults{}, authMethod{}, authProp{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		name, from, results string
		want                Verdict
	}{
		{"nothing", "h@a.de", "none", None},
		{"dmarc", "h@a.de", "dmarc=pass header.from=A.de.", Pass},
		{"dmarc of another domain", "h@a.de", "dmarc=pass header.from=b.de", None},
		{"dmarc of a subdomain", "h@mail.a.de", "dmarc=pass header.from=a.de", None},
		{"dmarc of no domain", "h@a.de", "dmarc=pass", None},
		{"dmarc best guess", "h@a.de", "dmarc=bestguesspass header.from=a.de", None},
		{"dmarc fails beside a pass", "h@a.de", "dkim=pass header.d=a.de; dmarc=fail header.from=a.de", Fail},
		{"dmarc both ways", "h@a.de", "dmarc=pass header.from=a.de; dmarc=fail header.from=b.de", Fail},
		{"dmarc has trouble", "h@a.de", "dmarc=temperror header.from=a.de", None},
		{"dkim", "h@a.de", "dkim=pass header.d=a.de", Pass},
		{"dkim by identity", "h@a.de", "dkim=pass header.i=h@mail.a.de", Pass},
		{"dkim domain before identity", "h@a.de", "dkim=pass header.i=@a.de header.d=b.de", None},
		{"dkim of a subdomain", "h@a.de", "dkim=pass header.d=news.a.de", Pass},
		{"dkim of a longer name", "h@a.de", "dkim=pass header.d=xa.de", None},
		{"dkim under one suffix", "h@a.co.uk", "dkim=pass header.d=b.co.uk", None},
		{"dkim of the suffix itself", "h@co.uk", "dkim=pass header.d=a.co.uk", None},
		{"dkim of a private suffix", "h@a.github.io", "dkim=pass header.d=b.github.io", None},
		{"dkim international", "h@müller.de", "dkim=pass header.d=xn--mller-kva.de", Pass},
		{"dkim fails", "h@a.de", "dkim=fail header.d=a.de", Fail},
		{"dkim fails elsewhere", "h@a.de", "dkim=fail header.d=list.example", None},
		{"dkim fails and passes", "h@a.de", "dkim=fail header.d=a.de; dkim=pass header.d=a.de", Pass},
		{"dkim fails, spf passes", "h@a.de", "dkim=fail header.d=a.de; spf=pass smtp.mailfrom=h@a.de", Pass},
		{"dkim neutral", "h@a.de", "dkim=neutral header.d=a.de", None},
		{"spf", "h@a.de", "spf=pass smtp.mailfrom=bounce@mail.a.de", Pass},
		{"spf by domain", "h@a.de", "spf=pass smtp.mailfrom=a.de", Pass},
		{"spf as Yandex has it", "h@a.de", "spf=pass smtp.mail=h@a.de", Pass},
		{"spf of the greeting", "h@a.de", "spf=pass smtp.helo=a.de", None},
		{"spf fails", "h@a.de", "spf=fail smtp.mailfrom=h@a.de", None},
		{"other methods", "h@a.de", "arc=pass header.d=a.de; iprev=pass policy.iprev=192.0.2.1; bimi=pass header.d=a.de", None},
		{"nobody", "", "dmarc=pass header.from=a.de", None},
		{"broken", "h@a.de", "dmarc=pass header.from=a.de; (", None},
	} {
		t.Run(test.name, func(t *testing.T) {
			head := header{{"authentication-results", "mx.example; " + test.results}}
			got, why := judge(head, test.from, []string{"other.example", " MX.example "})
			if got != test.want {
				t.Errorf("%s (%s), want %s", got, why, test.want)
			}
			if got, _ := judge(head, test.from, nil); got != None {
				t.Errorf("%s without a trusted server", got)
			}
		})
	}
}

func TestAuthservID(t *testing.T) {
	for field, want := range map[string]string{
		"MX.example; none": "mx.example",
		"spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=a.de; dkim=pass": "",
		"(x": "",
	} {
		if got := AuthservID(field); got != want {
			t.Errorf("AuthservID(%q) = %q, want %q", field, got, want)
		}
	}
}

// FuzzAuthResults lets a sender choose what the server repeats of him in comments
// and quoted strings: it never makes his mail pass.
func FuzzAuthResults(f *testing.F) {
	f.Add("mx.example; dkim=pass header.d=a.de", "; dmarc=pass header.from=a.de; x")
	f.Add("mx.example 1; none", `\" dmarc=pass header.from=a.de`)
	f.Add(`mx.example; spf=pass (a (b) c) smtp.mailfrom="x"@a.de;`, ") dmarc=pass header.from=a.de (")
	f.Fuzz(func(t *testing.T, field, chosen string) {
		soon(t, func() {
			parseAuthResults(field)
			judge(header{{"authentication-results", field}}, "h@a.de", []string{"mx.example"})
		})

		chosen = strings.Map(func(r rune) rune {
			if r < ' ' {
				return -1
			}
			return r
		}, chosen)
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(chosen)
		comment := strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`).Replace(chosen)
		head := header{{"authentication-results", `mx.example; spf=pass (domain of ` + comment + `) reason="` + quoted + `" smtp.mailfrom=x@b.de; dkim=none`}}
		if v, why := judge(head, "h@a.de", []string{"mx.example"}); v != None {
			t.Errorf("%q makes it %s: %s", chosen, v, why)
		}
	})
}
