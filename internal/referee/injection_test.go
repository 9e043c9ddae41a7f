package referee_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"unicode"

	ics "github.com/arran4/golang-ical"
	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset"
	"golang.org/x/net/html"

	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// nasty is text that would like to be more: a header, a line, a part, markup, a
// template, an order, another direction of reading.
var nasty = []string{
	"x\r\nBcc: mallory@evil.example", "x\nBcc: mallory@evil.example\n\nbody", "x\rSubject: y", "x\u2028Bcc: y", "x\u0085Bcc: y",
	"x\x00y\x1b[31m\x07", "=?utf-8?q?x=0D=0ABcc:_mallory=40evil.example?=", "=?utf-8?b?DQpCY2M6IG1hbGxvcnlAZXZpbC5leGFtcGxl?=",
	"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</pre></body><h1>x", "<!-- x", "&lt;b&gt; &amp; &#60;", "]]>", "</title><b>",
	"{{.Secret}}", "{{printf `%s` .}}{{end}}", `{{template "head" .}}`, "{{/* x", "%s%d%n", "${HOME} $(id)",
	"--=_0123456789abcdef\r\nContent-Type: text/html\r\n\r\n<b>x", ".\r\nMAIL FROM:<x@y.example>", "From x@y.example Tue Dec  1 12:00:00 2026",
	"\u202egnirts\u202c \u2066x\u2069", "END:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:x", "x;ALTREP=\"y\":z, \\n \\N", "[liga 1 aaaaaa]", "| JA abcdefghij", "> NAME Maier",
	strings.Repeat("W", 2000), strings.Repeat("ä", 500), "'; DROP TABLE orders; --",
}

// The headers that a mail of ours may have, and those that it must.
var (
	mayHave = []string{"Auto-Submitted", "Content-Language", "Content-Type", "Date", "From", "In-Reply-To", "List-Unsubscribe",
		"Message-Id", "Mime-Version", "References", "Reply-To", "Subject", "To", "X-Auto-Response-Suppress", "X-Ringpost"}
	mustHave = []string{"Auto-Submitted", "Content-Language", "Content-Type", "Date", "From", "Message-Id", "Mime-Version", "Reply-To", "Subject", "To",
		"X-Auto-Response-Suppress", "X-Ringpost"}
)

// TestInjection puts nasty text wherever a player's or a game master's text can go
// and looks at every mail that comes of it.
func TestInjection(t *testing.T) {
	for i, text := range nasty[:len(nasty)/raceFactor] {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.set.PlusAddresses = true
			b.open(b.rulesets())
			title := text
			if b.NewGame(t.Context(), b.titled("wild", title)) != nil {
				title = "Liga " + strings.Map(printable, text) // what a title may not hold is refused
				b.must(b.NewGame(t.Context(), b.titled("wild", title)))
			}
			b.seatNasty("wild", text)
			b.seat("wild", "Müller")
			b.seat("wild", "Maier")
			_, err := b.Start(t.Context(), "wild")
			b.must(err)
			b.seatNasty("wild", text)
			b.writeNasty(text)
			b.strangersNasty(text)
			b.must(b.Chores(t.Context()))
			_, err = b.Close(t.Context(), "wild", 0)
			b.must(err)
			b.must(b.Pause(t.Context(), "wild"))
			b.must(b.Resume(t.Context(), "wild"))

			seats, err := b.Seats(t.Context(), "wild")
			b.must(err)
			for _, s := range seats {
				if s.Name != "Müller" && s.Name != "Maier" && strings.ContainsAny(s.Name, "<>{}&\"\r\n\x00:@") {
					t.Errorf("a seat is called %q", s.Name)
				}
			}
			kinds := map[string]bool{}
			for _, p := range b.outgoing() {
				kinds[p.Kind] = true
				b.checkHeaders(p)
				b.checkBody(p)
			}
			for _, k := range []string{"start", "receipt", "answer", "press", "report", "notice", "alert"} {
				if !kinds[k] {
					t.Errorf("no mail of kind %s is looked at: %v", k, slices.Sorted(maps.Keys(kinds)))
				}
			}
		})
	}
}

func (b *bench) titled(id, title string) store.Game {
	return store.Game{ID: id, Ruleset: "sugarray", Title: title, Lang: "de", Deadline: "0 20 * * SUN", TZ: "Europe/Berlin",
		Trust: "address", Press: "anonymous", Secret: [32]byte{9}}
}

func printable(r rune) rune {
	if unicode.IsControl(r) {
		return -1
	}
	return r
}

// seatNasty tries to give a seat a nasty name and a nasty address; most are refused.
func (b *bench) seatNasty(id, text string) {
	b.AddSeat(b.Context(), referee.Seating{Game: id, Name: text, Addresses: []string{fmt.Sprintf("nasty%d@players.example", b.mails)}})
	for _, addr := range []string{text, text + "@players.example", "x@" + text, "x@players.example" + text, `"` + text + `"@players.example`} {
		b.mails++
		seat, err := b.AddSeat(b.Context(), referee.Seating{Game: id, Name: "Seat " + letters(b.mails%676), Addresses: []string{addr}})
		if err == nil && strings.ContainsFunc(addr, func(r rune) bool { return r <= ' ' || strings.ContainsRune("<>\"();:,@", r) && r != '@' }) {
			b.Errorf("%s has the address %q", seat.Name, addr)
		}
	}
}

// writeNasty writes nasty mails from Müller.
func (b *bench) writeNasty(text string) {
	oneLine := strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
	for _, body := range []string{
		"PRESSE\n" + text + "\nENDE\n",
		"PRESSE AN Maier\n" + text + "\nENDE\n",
		"PRESSE ANONYM AN ALLE\n" + text + "\nENDE\n",
		"PRESSE AN " + oneLine + "\nx\nENDE\n",
		"NAME " + oneLine + "\n" + goodZug,
		"SPIEL " + oneLine + "\nNAME Müller\n" + goodZug,
		"NAME Müller\nZUG " + oneLine + "/1 " + oneLine + " 1/1 1/1 1/1\nTRAINING " + oneLine + "\n",
		"NAME Müller\nZUG 1/1 " + oneLine + "\nTRANING T " + oneLine + "\n",
		"NAME Müller\n" + goodZug + "LIGA " + oneLine + "\n",
		"AKTE " + oneLine + "\n", "ARCHIV " + oneLine + "\n", "IGNORIERE " + oneLine + "\n", "SPRACHE " + oneLine + "\n", "ZEITZONE " + oneLine + "\n",
		"ERINNERUNG " + oneLine + "\n", "ADRESSE " + oneLine + "@work.example\n", "ADRESSE x@" + oneLine + "\n", "ADRESSE " + oneLine + "\n",
		"JA " + oneLine + "\n", "ANMELDUNG " + oneLine + "\n",
		text + "\n> NAME Müller\n> ZUG 1/1 1/1 1/1 1/1 1/" + oneLine + "\n",
	} {
		b.mails++
		raw := "From: " + oneLine + " <" + address("Müller") + ">\r\nSubject: " + text + "\r\nMessage-ID: <" + oneLine + fmt.Sprint(b.mails) + "@players.example>\r\n" +
			"In-Reply-To: <" + text + ">\r\nReferences: <" + text + "@x> <y@" + oneLine + ">\r\nReply-To: " + text + "\r\n" +
			"Content-Type: text/plain; charset=utf-8\r\n\r\n" + body
		b.receive([]byte(raw))
		b.write("Müller", body)
	}
	b.want(b.write("Müller", "PRESSE AN Maier\nzuletzt "+oneLine+"\nENDE\nSTAND\n"), referee.Taken)
	results, err := b.Receive(b.Context(), []referee.Incoming{{Place: store.Place{Mailbox: text, UID: 1}, Received: b.now, Size: 9, Fault: text}})
	b.must(err)
	b.want(results[0], referee.Quarantined)
	last := b.last(address("Maier"))
	b.must(b.Sent(b.Context(), last.ID, referee.Delivery{State: store.MailFailed, Answer: "550 5.7.1 " + text, At: b.now}))
}

// strangersNasty writes from nasty addresses, and asks to join under nasty names.
func (b *bench) strangersNasty(text string) {
	oneLine := strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
	for i, from := range []string{"<" + text + "@players.example>", "<x@" + text + ">", `<"` + text + `"@players.example>`, text + " <new@players.example>",
		"<x" + fmt.Sprint(len(text)) + "@players.example> (" + text + ")", "<ü@players.example>", `<"a b"@players.example>`, "<a@b@players.example>"} {
		for _, body := range []string{"ANMELDUNG " + oneLine + "\n", "ANMELDUNG Rocky " + letters(i) + "\n", text} {
			b.mails++
			b.receive([]byte("From: " + from + "\r\nSubject: " + text + "\r\n" + pass + fmt.Sprintf("\r\nMessage-ID: <n%d@x.example>\r\n\r\n", b.mails) + body))
		}
	}
}

// checkHeaders holds that two parsers see the headers we mean and no other.
func (b *bench) checkHeaders(p *post) {
	b.Helper()
	b.checkOutgoing(p)
	for name, values := range p.header {
		if !slices.Contains(mayHave, name) || len(values) != 1 {
			b.Errorf("mail %d has %s: %q", p.ID, name, values)
		}
	}
	for _, name := range mustHave {
		if p.header.Get(name) == "" {
			b.Errorf("mail %d has no %s", p.ID, name)
		}
	}
	e, err := message.Read(strings.NewReader(p.raw))
	b.must(err)
	other := map[string][]string{}
	for f := e.Header.Fields(); f.Next(); {
		other[f.Key()] = append(other[f.Key()], f.Value())
	}
	if got, want := slices.Sorted(maps.Keys(other)), slices.Sorted(maps.Keys(p.header)); !slices.Equal(got, want) {
		b.Errorf("mail %d: one parser sees %v, the other %v", p.ID, got, want)
	}
	for _, name := range []string{"From", "To", "Reply-To"} {
		list, err := mail.ParseAddressList(p.header.Get(name))
		if err != nil || len(list) != 1 || !strings.HasSuffix(list[0].Address, ".example") {
			b.Errorf("mail %d: %s: %s (%v)", p.ID, name, p.header.Get(name), err)
		}
	}
	for _, name := range []string{"Message-Id", "In-Reply-To"} {
		if v := p.header.Get(name); v != "" && (strings.Count(v, "<") != 1 || strings.ContainsAny(v, " \t")) {
			b.Errorf("mail %d: %s: %s", p.ID, name, v)
		}
	}
	if c := strings.IndexFunc(p.raw, func(r rune) bool { return r < ' ' && r != '\r' && r != '\n' && r != '\t' || r == 0x7f }); c >= 0 {
		b.Errorf("mail %d holds the control character %q", p.ID, p.raw[c])
	}
	if bare := strings.Count(p.raw, "\n") - strings.Count(p.raw, "\r\n") + strings.Count(p.raw, "\r") - strings.Count(p.raw, "\r\n"); bare != 0 {
		b.Errorf("mail %d holds %d bare line ends", p.ID, bare)
	}
}

// checkBody holds that a mail has its parts and no other, that its HTML is its text
// and no markup more, and that what players wrote stands on lines of its own, marked.
func (b *bench) checkBody(p *post) {
	b.Helper()
	e, err := message.Read(strings.NewReader(p.raw))
	b.must(err)
	var kinds []string
	var plain string
	b.must(e.Walk(func(_ []int, part *message.Entity, err error) error {
		if err != nil {
			return err
		}
		kind, _, err := part.Header.ContentType()
		if err != nil {
			return err
		}
		kinds = append(kinds, kind)
		if strings.HasPrefix(kind, "multipart/") {
			return nil
		}
		body, err := io.ReadAll(part.Body)
		if err != nil {
			return err
		}
		switch text := strings.ReplaceAll(string(body), "\r\n", "\n"); kind {
		case "text/plain":
			plain = text
			b.checkText(p, text)
		case "text/html":
			subject, err := e.Header.Text("Subject")
			b.must(err)
			b.checkHTML(p, text, plain, subject)
		case "text/calendar":
			b.checkCalendar(p, body)
		}
		return nil
	}))
	want := []string{"multipart/alternative", "text/plain", "text/html"}
	if strings.HasPrefix(p.header.Get("Content-Type"), "multipart/mixed") {
		want = append(append([]string{"multipart/mixed"}, want...), "text/calendar")
	}
	if !slices.Equal(kinds, want) {
		b.Errorf("mail %d has the parts %v", p.ID, kinds)
	}
}

func (b *bench) checkText(p *post, text string) {
	b.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if strings.ContainsFunc(line, func(r rune) bool {
			return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
		}) {
			b.Errorf("mail %d: a line holds what is no text: %q", p.ID, line)
		}
		for _, own := range []string{"Bcc:", "JA abcdefghij", "NAME Maier", "BEGIN:", "MAIL FROM"} {
			if strings.HasPrefix(line, own) && (own != "NAME Maier" || p.To != address("Maier")) {
				b.Errorf("mail %d: a line of a player's stands as our own: %q", p.ID, line)
			}
		}
	}
}

func (b *bench) checkHTML(p *post, page, plain, subject string) {
	b.Helper()
	z := html.NewTokenizer(strings.NewReader(page))
	var tags []string
	var pre, title strings.Builder
	for z.Next() != html.ErrorToken {
		switch t := z.Token(); t.Type {
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			tags = append(tags, map[bool]string{true: "/"}[t.Type == html.EndTagToken]+t.Data)
			if t.Type == html.StartTagToken && t.Data == "pre" && len(t.Attr) != 1 {
				b.Errorf("mail %d: <pre> has the attributes %v", p.ID, t.Attr)
			}
		case html.CommentToken:
			b.Errorf("mail %d: the comment %q", p.ID, t.Data)
		case html.TextToken:
			switch in := tags[max(0, len(tags)-1):]; {
			case slices.Equal(in, []string{"pre"}):
				pre.WriteString(t.Data)
			case slices.Equal(in, []string{"title"}):
				title.WriteString(t.Data)
			}
		}
	}
	if err := z.Err(); !errors.Is(err, io.EOF) {
		b.Errorf("mail %d: %v", p.ID, err)
	}
	if got := strings.Join(tags, " "); got != "html head meta title /title /head body pre /pre /body /html" {
		b.Errorf("mail %d: the page has the tags %s", p.ID, got)
	}
	if strings.TrimPrefix(pre.String(), "\n") != plain {
		b.Errorf("mail %d: HTML and text differ:\n%s\n%s", p.ID, pre.String(), plain)
	}
	if title.String() != subject {
		b.Errorf("mail %d: the title is %q, the subject %q", p.ID, title.String(), subject)
	}
}

func (b *bench) checkCalendar(p *post, body []byte) {
	b.Helper()
	cal, err := ics.ParseCalendar(bytes.NewReader(body))
	b.must(err)
	if len(cal.Components) != 1 || len(cal.Events()) != 1 {
		b.Errorf("mail %d: the calendar holds %d things:\n%s", p.ID, len(cal.Components), body)
		return
	}
	seen := map[string]int{}
	for _, property := range cal.Events()[0].Properties {
		seen[property.IANAToken]++
	}
	for name, n := range seen {
		if n != 1 || !slices.Contains([]string{"UID", "SEQUENCE", "DTSTAMP", "DTSTART", "SUMMARY", "TRANSP"}, name) {
			b.Errorf("mail %d: the event has %d of %s", p.ID, n, name)
		}
	}
}
