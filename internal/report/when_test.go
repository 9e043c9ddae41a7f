package report

import (
	"testing"
	"time"
	_ "time/tzdata"
)

func TestWhen(t *testing.T) {
	tests := []struct{ lang, zone, at, want string }{
		{"de", "Europe/Berlin", "2026-12-06T19:00:00Z", "Sonntag, 6. Dezember 2026, 20:00 Uhr (MEZ)"},
		{"en", "Europe/Berlin", "2026-12-06T19:00:00Z", "Sunday, 6 December 2026, 20:00 (CET)"},
		{"de", "Europe/Berlin", "2026-07-01T22:05:59Z", "Donnerstag, 2. Juli 2026, 00:05 Uhr (MESZ)"},
		{"en", "Europe/London", "2026-07-01T22:05:00Z", "Wednesday, 1 July 2026, 23:05 (BST)"},
		{"de", "Europe/Lisbon", "2026-03-01T12:00:00Z", "Sonntag, 1. März 2026, 12:00 Uhr (WEZ)"},
		{"de", "Europe/Lisbon", "2026-08-01T12:00:00Z", "Samstag, 1. August 2026, 13:00 Uhr (WESZ)"},
		{"de", "Europe/Helsinki", "2026-01-05T12:00:00Z", "Montag, 5. Januar 2026, 14:00 Uhr (OEZ)"},
		{"de", "Europe/Helsinki", "2026-05-05T12:00:00Z", "Dienstag, 5. Mai 2026, 15:00 Uhr (OESZ)"},
		{"de", "UTC", "2026-02-04T12:00:00Z", "Mittwoch, 4. Februar 2026, 12:00 Uhr (UTC)"},
		{"en", "America/New_York", "2026-06-05T12:00:00Z", "Friday, 5 June 2026, 08:00 (EDT)"},
		{"en", "America/Sao_Paulo", "2026-06-05T12:00:00Z", "Friday, 5 June 2026, 09:00 (UTC-3)"},
		{"de", "Asia/Kathmandu", "2026-10-05T12:00:00Z", "Montag, 5. Oktober 2026, 17:45 Uhr (UTC+5:45)"},
		{"en", "America/St_Johns", "2026-11-05T12:00:00Z", "Thursday, 5 November 2026, 08:30 (NST)"},
		{"en", "Pacific/Marquesas", "2026-09-05T12:00:00Z", "Saturday, 5 September 2026, 02:30 (UTC-9:30)"},
		// The hour that an autumn night has twice.
		{"de", "Europe/Berlin", "2026-10-25T00:30:00Z", "Sonntag, 25. Oktober 2026, 02:30 Uhr (MESZ)"},
		{"de", "Europe/Berlin", "2026-10-25T01:30:00Z", "Sonntag, 25. Oktober 2026, 02:30 Uhr (MEZ)"},
	}
	for _, tt := range tests {
		zone, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, tt.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := When(tt.lang, zone, at); got != tt.want {
			t.Errorf("When(%s, %s, %s) = %q, want %q", tt.lang, tt.zone, tt.at, got, tt.want)
		}
	}
	at := time.Date(2026, 4, 7, 12, 0, 0, 0, time.UTC)
	if got := When("de", time.FixedZone("", 0), at); got != "Dienstag, 7. April 2026, 12:00 Uhr (UTC)" {
		t.Errorf("a zone without a name: %q", got)
	}
}

func TestWhenHasEveryMonthAndDay(t *testing.T) {
	seen := map[string]bool{}
	for i := range 12 {
		seen[month(time.Month(i+1))] = true
	}
	for i := range 7 {
		seen[weekday(time.Weekday(i))] = true
	}
	if len(seen) != 12+7 {
		t.Errorf("only %d different names", len(seen))
	}
}
