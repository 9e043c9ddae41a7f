package compose_test

import (
	"bytes"
	"io"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	_ "github.com/emersion/go-message/charset"
	gomail "github.com/emersion/go-message/mail"
	"golang.org/x/net/html"
)

// failer is what testing.T, testing.F and rapid.T have in common here.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// received is a mail as a reader sees it.
type received struct {
	header      gomail.Header
	plain, html string
	attachments map[string]string
}

// read parses raw with go-message's mail reader.
func read(t failer, raw []byte) received {
	t.Helper()
	r, err := gomail.CreateReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("go-message cannot read the mail: %v\n%s", err, raw)
	}
	got := received{header: r.Header, attachments: map[string]string{}}
	for {
		part, err := r.NextPart()
		if err == io.EOF {
			return got
		}
		if err != nil {
			t.Fatalf("next part: %v\n%s", err, raw)
		}
		body, err := io.ReadAll(part.Body)
		if err != nil {
			t.Fatalf("part body: %v\n%s", err, raw)
		}
		switch h := part.Header.(type) {
		case *gomail.AttachmentHeader:
			name, err := h.Filename()
			if err != nil {
				t.Fatalf("attachment name: %v", err)
			}
			got.attachments[name] = string(body)
		case *gomail.InlineHeader:
			kind, params, err := h.ContentType()
			if err != nil || params["charset"] != "utf-8" {
				t.Fatalf("inline part of type %q %v: %v", kind, params, err)
			}
			switch text := strings.ReplaceAll(string(body), "\r\n", "\n"); kind {
			case "text/plain":
				got.plain += text
			case "text/html":
				got.html += text
			default:
				t.Fatalf("unexpected inline part %q", kind)
			}
		}
	}
}

// preText returns what a browser shows of the page's <pre>.
func preText(t failer, page string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatalf("parse HTML: %v", err)
	}
	var pres []string
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "pre" {
			var text strings.Builder
			for c := range n.Descendants() {
				if c.Type != html.TextNode {
					t.Fatalf("markup inside <pre>: %s\n%s", c.Data, page)
				}
				text.WriteString(c.Data)
			}
			pres = append(pres, text.String())
		}
		if n.Type == html.ElementNode && !strings.Contains(" html head meta title body pre ", " "+n.Data+" ") {
			t.Fatalf("unexpected element <%s>\n%s", n.Data, page)
		}
	}
	if len(pres) != 1 {
		t.Fatalf("%d <pre> elements, want 1\n%s", len(pres), page)
	}
	return pres[0]
}

// names are the header fields a mail may have, and how often.
var names = []string{
	"Date", "From", "Reply-To", "To", "Subject", "Message-Id", "In-Reply-To", "References",
	"Content-Language", "Auto-Submitted", "X-Auto-Response-Suppress", "X-Ringpost",
	"List-Unsubscribe", "Mime-Version", "Content-Type",
}

// checkShape checks what holds for every mail: 7-bit CRLF lines of no more
// than 76 octets unless one token of the header is longer, and no header field
// twice or unknown.
func checkShape(t failer, raw []byte) {
	t.Helper()
	header, _, found := bytes.Cut(raw, []byte("\r\n\r\n"))
	if !found {
		t.Fatalf("no end of header\n%s", raw)
	}
	inHeader := strings.Count(string(header), "\r\n") + 1
	if !bytes.HasSuffix(raw, []byte("\r\n")) {
		t.Fatalf("last line is not ended\n%s", raw)
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(raw), "\r\n"), "\r\n") {
		if strings.ContainsAny(line, "\r\n\x00") {
			t.Fatalf("line %d holds a bare CR, LF or NUL: %q", i+1, line)
		}
		if len(line) > 998 {
			t.Fatalf("line %d has %d octets", i+1, len(line))
		}
		if i < inHeader {
			if strings.TrimSpace(line) == "" {
				t.Fatalf("blank header line %d\n%s", i+1, raw)
			}
			unbroken := 2 // the field's name and one token
			if strings.HasPrefix(line, " ") {
				unbroken = 1
			}
			if len(line) > 76 && len(strings.Fields(line)) > unbroken {
				t.Fatalf("header line %d has %d octets and could be folded: %q", i+1, len(line), line)
			} else if len(line) > 76 && !strings.Contains(line, "@") && !strings.Contains(line, "<mailto:") {
				t.Fatalf("header line %d has %d octets: %q", i+1, len(line), line)
			}
			continue
		}
		if len(line) > 76 {
			t.Fatalf("body line %d has %d octets: %q", i+1, len(line), line)
		}
		for _, b := range []byte(line) {
			if b >= utf8.RuneSelf {
				t.Fatalf("body line %d is not 7-bit: %q", i+1, line)
			}
		}
	}

	msg, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("net/mail cannot read the mail: %v\n%s", err, raw)
	}
	known := " " + strings.Join(names, " ") + " "
	for name, values := range msg.Header {
		if !strings.Contains(known, " "+name+" ") {
			t.Fatalf("unexpected header field %q: %q", name, values)
		}
		if len(values) != 1 {
			t.Fatalf("header field %q stands there %d times", name, len(values))
		}
	}
}

// shown says what is left of a text in a header: every control character and
// line separator a blank, broken UTF-8 the replacement character.
func shown(s string) string { return blanked(s, func(rune) bool { return false }) }

// shownBody says the same of the body, where lines and tabs stay.
func shownBody(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return blanked(s, func(r rune) bool { return r == '\n' || r == '\t' })
}

func blanked(s string, keep func(rune) bool) string {
	var b strings.Builder
	broken := false
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		wasBroken := broken
		broken = r == utf8.RuneError && size == 1
		switch {
		case broken && wasBroken: // one mark for a run of broken bytes
		case keep(r):
			b.WriteRune(r)
		case unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
