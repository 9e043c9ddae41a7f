package demo

import (
	"encoding/base64"
	"fmt"
	"html"
	"mime"
	"mime/quotedprintable"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"
)

// reply is what a style makes a mail of.
type reply struct {
	*Player
	to    string
	in    Received
	block func(tongue) string // the orders
	now   time.Time
	id    string
}

// style is a way of writing mails.
type style struct {
	lang string
	mail func(reply) []byte
}

// styles are those of people who play by mail.
var styles = []style{
	{"de", func(l reply) []byte { // a tidy one, with a signature
		return l.plain("Moin,\n\nhier mein Zug:\n\n" + l.block(german) + "\nSchöne Grüße\n\n-- \nHerr M.\nZug um Zug zum Titel!\n")
	}},
	{"en", func(l reply) []byte { // answers on top, quotes everything
		return l.plain("Here we go again:\n\n" + l.block(english) + "\nOn " + l.in.Date.Format("Mon, 2 Jan 2006 at 15:04") + " Ringpost <" + l.in.From + "> wrote:\n" + quote(l.in.Text))
	}},
	{"en", func(l reply) []byte { // Spanish words, English reports
		return l.plain("¡Hola!\n" + l.block(spanish) + "Saludos\n")
	}},
	{"de", func(l reply) []byte { // lower case, colons, everything below the quote
		return l.plain("Am " + l.in.Date.Format("02.01.2006 um 15:04") + " schrieb Ringpost:\n" + quote(l.in.Text) + "\n" + strings.ToLower(l.block(colons)))
	}},
	{"en", func(l reply) []byte { // a browser's mailer: HTML only, a div a line
		return l.html("<div dir=\"ltr\"><div>My orders for this week:</div><div><br></div>" + tagged("div", l.block(english)) + "<div>Cheers</div></div>")
	}},
	{"de", func(l reply) []byte { // an office: HTML with the quoted mail behind a header block
		return l.html("<p class=MsoNormal>Hallo Spielleiter,<o:p></o:p></p>" + tagged("p", l.block(german)) +
			"<p>Mit freundlichen Grüßen</p><div style=\"border-top:solid #E1E1E1 1.0pt\"><p><b>Von:</b> Ringpost &lt;" + html.EscapeString(l.in.From) +
			"&gt;<br><b>Gesendet:</b> " + l.in.Date.Format("Montag, 2. January 2006 15:04") + "<br><b>An:</b> " + html.EscapeString(l.Address) +
			"<br><b>Betreff:</b> " + html.EscapeString(l.in.Subject) + "</p></div><pre>" + html.EscapeString(l.in.Text) + "</pre>")
	}},
	{"en", func(l reply) []byte { // a phone
		return l.base64("Hi! " + "Sorry for the rush.\n\n" + l.block(english) + "\nSent from my phone\n")
	}},
	{"en", func(l reply) []byte { // blanks around slashes would be too easy: semicolons
		return l.plain(strings.ReplaceAll(l.block(spanish), " ", "  "))
	}},
	{"de", func(l reply) []byte { // an old mailer: Latin-1, quoted-printable
		return l.latin1("Lieber Spielleiter,\n\nmöge der Bessere gewinnen.\n\n" + l.block(german) + "\nViele Grüße\n")
	}},
	{"en", func(l reply) []byte { // flowed text
		return l.flowed("This week I will try something else entirely, and I am not going to \ntell anybody what it is before the bell.\n\n" + l.block(english))
	}},
	{"de", func(l reply) []byte { // text and HTML
		return l.alternative("Servus!\n\n"+l.block(german), "<p>Servus!</p><p>"+strings.ReplaceAll(html.EscapeString(l.block(german)), "\n", "<br>\n")+"</p>")
	}},
	{"en", func(l reply) []byte { // orders first, then a word to the organiser
		return l.plain(l.block(english) + "\nPS: Move the deadline to Monday?\n")
	}},
}

func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n> ") + "\n"
}

// tagged puts each line into an element of its own.
func tagged(element, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		fmt.Fprintf(&b, "<%s>%s</%s>\r\n", element, html.EscapeString(strings.TrimRight(line, "\n")), element)
	}
	return b.String()
}

// head writes the header of a reply.
func (l reply) head(more ...string) string {
	lines := []string{
		"From: " + mime.QEncoding.Encode("utf-8", l.Name) + " <" + l.Address + ">",
		"To: <" + l.to + ">",
		"Subject: " + mime.QEncoding.Encode("utf-8", "Re: "+l.in.Subject),
		"Date: " + l.now.Format(time.RFC1123Z),
		"Message-ID: <" + l.id + ">",
		"In-Reply-To: <" + l.in.MessageID + ">",
		"References: <" + l.in.MessageID + ">",
		"MIME-Version: 1.0",
	}
	return strings.Join(append(lines, more...), "\r\n") + "\r\n\r\n"
}

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

func qp(s string) string {
	var b strings.Builder
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte(crlf(strings.ReplaceAll(s, "\r\n", "\n")))) // a Builder takes everything
	w.Close()
	return b.String()
}

func (l reply) plain(text string) []byte {
	return []byte(l.head("Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable") + qp(text))
}

func (l reply) flowed(text string) []byte {
	return []byte(l.head("Content-Type: text/plain; charset=utf-8; format=flowed", "Content-Transfer-Encoding: 8bit") + crlf(text))
}

func (l reply) html(body string) []byte {
	return []byte(l.head("Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable") + qp("<html><body>"+body+"</body></html>\n"))
}

func (l reply) base64(text string) []byte {
	code := base64.StdEncoding.EncodeToString([]byte(crlf(text)))
	var b strings.Builder
	for len(code) > 76 {
		b.WriteString(code[:76] + "\r\n")
		code = code[76:]
	}
	return []byte(l.head("Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64") + b.String() + code + "\r\n")
}

func (l reply) latin1(text string) []byte {
	coded, err := charmap.ISO8859_1.NewEncoder().String(text)
	if err != nil { // a name with other letters
		return l.plain(text)
	}
	return []byte(l.head("Content-Type: text/plain; charset=iso-8859-1", "Content-Transfer-Encoding: quoted-printable") + qp(coded))
}

func (l reply) alternative(text, body string) []byte {
	const boundary = "=_two_ways"
	return []byte(l.head("Content-Type: multipart/alternative; boundary=\""+boundary+"\"") +
		"--" + boundary + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + qp(text) +
		"\r\n--" + boundary + "\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + qp(body) +
		"\r\n--" + boundary + "--\r\n")
}
