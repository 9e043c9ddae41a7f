package compose

import (
	"net/url"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"
)

func TestEvent(t *testing.T) {
	at := time.Date(2026, 12, 6, 19, 0, 0, 0, time.UTC)
	e := Event{UID: "liga@liga.example", Sequence: 7, Made: at.Add(-time.Hour), At: at, Summary: "Liga Nörd,\r\nBEGIN:VEVENT; Runde 7"}
	a := e.Attachment()
	cal, err := ics.ParseCalendar(strings.NewReader(string(a.Data)))
	if err != nil {
		t.Fatal(err)
	}
	if len(cal.Events()) != 1 {
		t.Fatalf("%d events:\n%s", len(cal.Events()), a.Data)
	}
	start, err := cal.Events()[0].GetStartAt()
	if err != nil || !start.Equal(at) {
		t.Errorf("starts %v, %v", start, err)
	}
	for _, want := range []string{"UID:liga@liga.example\r\n", "SEQUENCE:7\r\n", "METHOD:PUBLISH\r\n", "DTSTAMP:20261206T180000Z\r\n"} {
		if !strings.Contains(string(a.Data), want) {
			t.Errorf("no %q in\n%s", want, a.Data)
		}
	}
	if again := e.Attachment(); string(again.Data) != string(a.Data) {
		t.Error("the same event gives other bytes")
	}
}

func TestMailtoUnsubscribe(t *testing.T) {
	s := MailtoUnsubscribe("gm+a.1.b@liga.example", "BERICHTE AUS [liga-nord 7 k3f9q2]&body=x")
	if !validMailto(s) {
		t.Fatalf("%s is no URL for the header", s)
	}
	u, err := url.Parse(s)
	if err != nil || u.Query().Get("subject") != "BERICHTE AUS [liga-nord 7 k3f9q2]&body=x" || u.Query().Has("body") {
		t.Errorf("%v %v", u, err)
	}
}
