package letter

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/ianaindex"
	"pgregory.net/rapid"
)

// TestBlockSurvives sends four order lines in whatever dress the mail programs of
// the world give them.
func TestBlockSurvives(t *testing.T) {
	block := strings.Join(blocks[0], "\n")
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
		name := pick("charset", "utf-8", "iso-8859-1", "iso-8859-15", "windows-1252", "windows-1250", "iso-8859-9", "ibm850", "macintosh", "utf-16be")
		transfer := pick("transfer", "8bit", "quoted-printable", "base64")
		form := pick("form", "plain", "flowed", "br", "p", "div", "pre", "cells", "spans")
		above := pick("above", "", "Hallo,\n\n", "-- \nHans\n\n", "____\n", "> LIGA 9\n\n")
		below := pick("below", "", "\n\nGruß", "\n-- \nHans", "\n\nVon meinem iPhone gesendet", "\n\nAm 30.11.2026 um 20:00 schrieb X:\n> ZUG 9/9")
		if name == "utf-16be" {
			transfer = "base64"
		}
		text, kind := above+block+below, "text/plain"
		switch form {
		case "flowed":
			kind = "text/plain; format=flowed"
		case "plain":
		default:
			kind, text = "text/html", asHTML(form, text)
		}
		enc, err := ianaindex.MIME.Encoding(name)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := enc.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		part := fmt.Sprintf("Content-Type: %s; charset=%s\nContent-Transfer-Encoding: %s\n\n%s\n", kind, name, transfer, encode(transfer, raw))
		for range rapid.IntRange(0, 3).Draw(t, "multiparts") {
			boundary := pick("boundary", "b", "=_x", "----=_Part_1", "a b") + fmt.Sprint(len(part))
			around := pick("around", "", "--%s\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\nAAAA\n")
			if around != "" {
				around = fmt.Sprintf(around, boundary)
			}
			part = fmt.Sprintf("Content-Type: multipart/%s; boundary=\"%s\"\n\n%s--%s\n%s%s--%s--\n",
				pick("kind", "mixed", "alternative", "related", "signed"), boundary, around, boundary, part, around, boundary)
		}
		mail := pick("before", "", "From hans Tue Dec  1 18:00:00 2026\n", "\n", "no header\n") + "From: Hans <hans@example.org>\n" + part
		end := pick("line ends", "\n", "\r\n", "\r\r\n")
		l := read([]byte(strings.ReplaceAll(mail, "\n", end)), options)
		if !holdsBlock(l.Lines) {
			t.Fatalf("lost: %v\nquoted: %v\n%s", l.Lines, l.Quoted, mail)
		}
	})
}

func encode(transfer string, raw []byte) string {
	switch transfer {
	case "base64":
		coded := base64.StdEncoding.EncodeToString(raw)
		var lines strings.Builder
		for len(coded) > 76 {
			lines.WriteString(coded[:76] + "\n")
			coded = coded[76:]
		}
		return lines.String() + coded
	case "quoted-printable":
		var out bytes.Buffer
		w := quotedprintable.NewWriter(&out)
		w.Write(raw)
		w.Close()
		return strings.ReplaceAll(out.String(), "\r\n", "\n")
	}
	return string(raw)
}

func asHTML(form, text string) string {
	lines := strings.Split(strings.ReplaceAll(text, ">", "&gt;"), "\n")
	switch form {
	case "br":
		return "<html><body>" + strings.Join(lines, "<br>\n") + "</body></html>"
	case "pre":
		return "<pre>" + strings.Join(lines, "\n") + "</pre>"
	case "cells":
		for i, line := range lines {
			lines[i] = "<tr><td>" + strings.ReplaceAll(line, " ", "</td><td><p>") + "</td></tr>"
		}
		return "<table>" + strings.Join(lines, "\n") + "</table>"
	case "spans":
		for i, line := range lines {
			var spans strings.Builder
			for _, r := range line {
				if r == '&' {
					spans.WriteString(string(r)) // an entity stays whole
					continue
				}
				spans.WriteString(string(r))
				if r == '/' || r == 'A' {
					spans.WriteString("<b></b>")
				}
			}
			lines[i] = "<div><span>" + spans.String() + "</span><o:p></o:p></div>"
		}
		return strings.Join(lines, "")
	}
	for i, line := range lines {
		if line == "" {
			line = "<br>"
		}
		lines[i] = "<" + form + ">" + line + "</" + form + ">"
	}
	return strings.Join(lines, "\n")
}

func TestLimits(t *testing.T) {
	head := "From: Hans <hans@example.org>\nMessage-ID: <a@b>\nAuto-Submitted: no\n"
	body := strings.Repeat("NAME A\nZUG 1/1\n", MaxText/15+1)
	for _, test := range []struct{ name, mail, want string }{
		{"mail too large", head + "\n" + strings.Repeat("x", MaxSize), ProblemTooLarge},
		{"text too large", head + "\n" + body, ProblemTooLarge},
		{"texts too large together", head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n" + body[:MaxText/2+9] + "\n--b\n\n" + body[:MaxText/2] + "\n--b--\n", ProblemTooLarge},
		{"html too large", head + "Content-Type: text/html\n\n<p>" + strings.ReplaceAll(body, "\n", "<br>"), ProblemTooLarge},
		{"large attachment", head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nNAME A\n--b\nContent-Type: text/plain\nContent-Disposition: attachment\n\n" + body + "--b--\n", ""},
		{"header too large", head + strings.Repeat("X-A: b\n", maxHeader/7) + "\nNAME A\n", ""},
		{"empty", "", ProblemUnread},
		{"no header", "NAME A\nZUG 1/1\n", ProblemUnread},
		{"header only", head, ProblemEmpty},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := read([]byte(test.mail), options)
			if l.Problem != test.want {
				t.Errorf("problem %q, want %q", l.Problem, test.want)
			}
			checkLetter(t, l)
			if strings.HasPrefix(test.mail, head) && (l.From != "hans@example.org" || l.MessageID != "a@b") {
				t.Errorf("the header is lost: %+v", l)
			}
		})
	}
}

func TestReadNeverPanics(t *testing.T) {
	if got := Read(nil, Options{}); got.Problem != ProblemUnread || got.Verdict != None {
		t.Errorf("nothing is read as %+v", got)
	}
	if got := Read([]byte("From: a@b.de\n\nZUG 1/1\n"), Options{}); len(got.Lines) != 1 {
		t.Errorf("read as %+v", got)
	}
}

func TestContentKey(t *testing.T) {
	const mail = "From: a@b.de\nDate: Tue, 1 Dec 2026 18:00:00 +0100\nMessage-ID: <1@b.de>\nSubject: Zug\n für Runde 7\n\nZUG 1/1\n"
	same := map[string]string{
		"line ends":             strings.ReplaceAll(mail, "\n", "\r\n"),
		"copied in text mode":   strings.ReplaceAll(mail, "\n", "\r\r\n"),
		"received":              "Received: from x by y; now\nDelivered-To: gm+x@z.de\nAuthentication-Results: y; none\n" + mail,
		"field in the middle":   strings.Replace(mail, "Date:", "X-Spam: no\nDate:", 1),
		"field at the end":      strings.Replace(mail, "\n\n", "\nX-UID: 7\nStatus: RO\n\n", 1),
		"folded anew":           strings.Replace(mail, "\n für", " für", 1),
		"from an mbox":          "From a@b.de Tue Dec  1 18:00:00 2026\n" + mail,
		"a line end at the end": mail + "\n",
	}
	for name, other := range same {
		if ContentKey([]byte(mail)) != ContentKey([]byte(other)) {
			t.Errorf("%s makes it another mail", name)
		}
	}
	other := map[string]string{
		"body":       strings.Replace(mail, "1/1", "1/2", 1),
		"date":       strings.Replace(mail, "18:00", "18:01", 1),
		"sender":     strings.Replace(mail, "a@b", "c@b", 1),
		"message id": strings.Replace(mail, "<1@", "<2@", 1),
		"subject":    strings.Replace(mail, "Zug", "Zug!", 1),
		"no header":  "ZUG 1/1\n",
	}
	for name, changed := range other {
		if ContentKey([]byte(mail)) == ContentKey([]byte(changed)) {
			t.Errorf("another %s is not seen", name)
		}
	}
	if key := ContentKey(nil); len(key) != 64 {
		t.Errorf("the key of nothing is %q", key)
	}
}

// FuzzRead starts from the mails of testdata/letters.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(lettersDir, "*.eml"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no mails in %s: %v", lettersDir, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var l Letter
		soon(t, func() { l = read(raw, options) })
		checkLetter(t, l)
		if diff := cmp.Diff(l, read(raw, options)); diff != "" {
			t.Errorf("read twice:\n%s", diff)
		}
		if ContentKey(raw) != ContentKey(foldLineEnds(raw)) {
			t.Error("line ends make it another mail")
		}
	})
}

// TestHeadKey: where a beginning ends does not change its key.
func TestHeadKey(t *testing.T) {
	mail := "From: a@b.example\r\nMessage-ID: <1@b.example>\r\nSubject: x\r\n\r\n" + strings.Repeat("line\r\n", 100)
	want := HeadKey([]byte(mail))
	for _, other := range []string{mail[:200], "Received: by c\n" + mail, strings.ReplaceAll(mail, "\r\n", "\n")} {
		if HeadKey([]byte(other)) != want {
			t.Errorf("%.40q has another key", other)
		}
	}
	if HeadKey([]byte(strings.Replace(mail, "<1@", "<2@", 1))) == want {
		t.Error("another mail has the same key")
	}
}
