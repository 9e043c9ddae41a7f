package letter

import (
	"strings"
	"testing"
	"time"

	"ringpost/internal/cputime"
)

// pathological are mails that provoke the worst of each stage. Each is repeated up
// to the size limit, or to the limit of the text.
func pathological() map[string]string {
	fill := func(head, unit string, size int) string {
		if size == MaxSize {
			size /= raceFactor
		}
		return head + strings.Repeat(unit, (size-len(head))/len(unit))
	}
	const from = "From: hans@example.org\n"
	plain := from + "Content-Type: text/plain; charset=utf-8\n\n"
	flowed := from + "Content-Type: text/plain; format=flowed\n\n"
	html := from + "Content-Type: text/html\n\n"
	mixed := func(boundary string) string {
		return from + "Content-Type: multipart/mixed; boundary=\"" + boundary + "\"\n\n"
	}
	nested := from
	for range 4000 {
		nested += "Content-Type: multipart/mixed; boundary=b\n\n--b\n"
	}
	var chain strings.Builder
	chain.WriteString(from)
	for i := range 15 {
		b := strings.Repeat("x", i+1)
		chain.WriteString("Content-Type: multipart/mixed; boundary=" + b + "\n\n--" + b + "\n")
	}
	chain.WriteString("\n")
	mails := map[string]string{
		"one line":            fill(plain, "x", MaxText),
		"too much text":       fill(plain, "x", MaxSize),
		"empty lines":         fill(plain, "\n", MaxText),
		"short lines":         fill(plain, "x\n", MaxText),
		"quote marks":         fill(plain, ">", MaxText),
		"quoted lines":        fill(plain, "> x\n", MaxText),
		"attributions":        fill(plain, "Am 1.1.2020 10:00 x@y\n", MaxText),
		"header keys":         fill(plain, "Von:\n", MaxText),
		"separators":          fill(plain, "-----Original Message", MaxText),
		"dashes":              fill(plain, "-", MaxText),
		"armour":              fill(plain, "-----BEGIN PGP MESSAGE-----\n", MaxText),
		"combining marks":     fill(plain+"a", "\u0301", MaxText),
		"fractions":           fill(plain, "½", MaxText),
		"flowed":              fill(flowed, "x \n", MaxText),
		"flowed quotes":       fill(flowed, "> \n>> \n", MaxText),
		"utf-7":               fill(from+"Content-Type: text/plain; charset=utf-7\n\n", "+", MaxText),
		"bad utf-8":           fill(plain, "\xe4", MaxText),
		"quoted-printable":    fill(from+"Content-Transfer-Encoding: quoted-printable\n\n", "=\n", MaxText),
		"base64":              fill(from+"Content-Transfer-Encoding: base64\n\n", "eA==\n", MaxText),
		"bold":                fill(html, "<b>", MaxSize),
		"bold closed":         fill(html, "<b>x</b>", MaxSize),
		"divs":                fill(html, "<div>", MaxSize),
		"div ends":            fill(html+strings.Repeat("<blockquote>", 2000), "</div>", MaxSize),
		"blockquotes":         fill(html, "<blockquote>x", MaxSize),
		"tables":              fill(html, "<table><tr><td>", MaxSize),
		"table cells":         fill(html, "<td>", MaxSize),
		"table of cells":      fill(html+"<table>", "<td>x", MaxSize),
		"table rows":          fill(html+"<table>", "<tr><td>x<td>y", MaxSize),
		"line breaks":         fill(html, "<br>", MaxSize),
		"entities":            fill(html, "&amp;", MaxSize),
		"attributes":          fill(html+"<div ", "style=border-left:1px ", MaxSize),
		"open comment":        fill(html+"<p>x", "<!--", MaxSize),
		"open tags":           fill(html+"<p>x", "<a ", MaxSize),
		"open style":          fill(html+"<p>x", "<style>", MaxSize),
		"skipped":             fill(html+"<p>x", "<xml>", MaxSize),
		"header fields":       fill(from, "X-A: b\n", MaxSize),
		"bad header lines":    fill(from, "bad\n", MaxSize),
		"folded header":       fill(from+"X-A: b\n", " c\n", MaxSize),
		"blank header lines":  fill(from, " \n", MaxSize),
		"open angles":         fill("From: ", `<"`, maxHeader),
		"open comments":       fill("From: ", "(", maxHeader),
		"open quotes":         fill("From: ", `"a" "`, maxHeader),
		"many addresses":      fill("From: ", "a@b.de,", maxHeader),
		"many ids":            fill(from+"References: ", "<a@b>", maxHeader),
		"encoded words":       fill(from+"Subject: ", "=?utf-8?q?a?= ", maxHeader),
		"results":             fill(from+"Authentication-Results: mx.example; ", "dkim=pass;", maxHeader),
		"result comments":     fill(from+"Authentication-Results: mx.example; ", "(", maxHeader),
		"many results":        fill(from, "Authentication-Results: ((((((((((((((((((((\n", maxHeader),
		"content type":        fill(from+"Content-Type: text/plain; ", "a=b;", maxHeader),
		"carriage returns":    fill(from+"\n", "\r", MaxSize),
		"boundary in a line":  fill(mixed("-"), "-", MaxSize),
		"boundary lines":      fill(mixed("-"), "---\n", MaxSize),
		"similar boundaries":  fill(mixed("b"), "--bb\n", MaxSize),
		"nested multiparts":   nested,
		"deep and large":      fill(chain.String(), "x\n", MaxSize),
		"deep, no boundaries": fill(strings.ReplaceAll(chain.String(), "\n--", "\n-+"), "x\n", MaxSize),
	}
	return mails
}

// TestNoMailIsSlow holds that time grows with size and nothing else: what takes
// seconds for one mail stops the game for all.
func TestNoMailIsSlow(t *testing.T) {
	if testing.Short() {
		t.Skip("large mails")
	}
	for name, mail := range pathological() {
		t.Run(name, func(t *testing.T) {
			raw := []byte(mail)
			start := cputime.Used()
			l := Read(raw, Options{AuthservIDs: []string{"mx.example"}})
			took := cputime.Used() - start
			t.Logf("%q took %v for %d bytes, problem %q", name, took, len(raw), l.Problem)
			if limit := 2 * time.Second * raceFactor; took > limit {
				t.Errorf("reading took %v, more than %v", took, limit)
			}
		})
	}
}
