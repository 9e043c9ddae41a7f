package compose

import (
	"fmt"
	"time"

	ics "github.com/arran4/golang-ical"
)

// Event is a moment that a calendar program can take over from a mail.
type Event struct {
	// UID stays the same for what is moved, not added: one a game.
	UID string
	// Sequence rises with each change (RFC 5545 section 3.8.7.4).
	Sequence int
	Made     time.Time // when this version was made
	At       time.Time
	Summary  string // any text
}

// Attachment is the event as a file of one entry (RFC 5545), published, so that
// no calendar asks for an answer.
func (e Event) Attachment() Attachment {
	cal := ics.NewCalendar()
	cal.SetProductId("-//Ringpost//Ringpost//EN")
	cal.SetMethod(ics.MethodPublish)
	v := cal.AddEvent(e.UID)
	v.SetSequence(e.Sequence)
	v.SetDtStampTime(e.Made.UTC())
	v.SetStartAt(e.At.UTC())
	v.SetSummary(blank(e.Summary))
	v.SetTimeTransparency(ics.TransparencyTransparent)
	return Attachment{Name: "deadline.ics", ContentType: "text/calendar; charset=utf-8; method=PUBLISH",
		Data: []byte(cal.Serialize(ics.WithNewLineWindows))}
}

// blank makes blanks of control characters.
func blank(s string) string {
	out := []rune(s)
	for i, r := range out {
		if r < ' ' || r == 0x7f {
			out[i] = ' '
		}
	}
	return string(out)
}

// MailtoUnsubscribe is the URL of a mail to an address with a subject, for
// List-Unsubscribe (RFC 2369, RFC 6068).
func MailtoUnsubscribe(address, subject string) string {
	var b []byte
	for _, c := range []byte(subject) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' {
			b = append(b, c)
			continue
		}
		b = append(b, fmt.Sprintf("%%%02X", c)...)
	}
	return "mailto:" + address + "?subject=" + string(b)
}
