package schedule

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestNext(t *testing.T) {
	for _, c := range []struct{ name, cron, zone, after, want string }{
		{"the coming Sunday", "0 20 * * SUN", "Europe/Berlin", "2026-11-30T12:00:00Z", "2026-12-06T19:00:00Z"},
		{"at the deadline itself, the next one", "0 20 * * SUN", "Europe/Berlin", "2026-12-06T19:00:00Z", "2026-12-13T19:00:00Z"},
		{"a second before", "0 20 * * SUN", "Europe/Berlin", "2026-12-06T18:59:59Z", "2026-12-06T19:00:00Z"},
		{"summer time", "0 20 * * SUN", "Europe/Berlin", "2026-06-30T12:00:00Z", "2026-07-05T18:00:00Z"},
		{"the hour skipped in spring", "30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:30:00Z"},
		{"the hour repeated in autumn comes first", "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"},
		{"and only once", "30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"},
		{"half an hour on Lord Howe", "45 1 * * *", "Australia/Lord_Howe", "2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"},
		{"leap day", "0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cal, err := Parse(c.cron, c.zone)
			if err != nil {
				t.Fatal(err)
			}
			after, err := time.Parse(time.RFC3339, c.after)
			if err != nil {
				t.Fatal(err)
			}
			if got := cal.Next(after).Format(time.RFC3339); got != c.want {
				t.Errorf("Next(%s) = %s, want %s", c.after, got, c.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ cron, zone string }{
		{"", "UTC"}, {"0 20 * *", "UTC"}, {"0 25 * * *", "UTC"}, {"@every 5m", "UTC"}, {"0 0 31 2 *", "UTC"},
		{"TZ=UTC 0 20 * * SUN", "UTC"}, {"TZ=UTC", "UTC"}, {"0 0 20 * * SUN", "UTC"}, {"x y z a b", "UTC"},
		{"0 20 * * SUN", ""}, {"0 20 * * SUN", "Local"}, {"0 20 * * SUN", "Europe/Bonn"}, {"0 20 * * SUN", "../etc/passwd"},
	} {
		if _, err := Parse(c.cron, c.zone); err == nil {
			t.Errorf("Parse(%q, %q) is taken", c.cron, c.zone)
		}
	}
}

// A wall-clock time is never a deadline twice, and deadlines only go forward.
func TestNextGoesForward(t *testing.T) {
	zones := []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"}
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(t, "zone")
		cal, err := Parse(rapid.SampledFrom([]string{"0 20 * * SUN", "30 2 * * *", "*/15 * * * *", "0 1 * * *"}).Draw(t, "cron"), zone)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Unix(rapid.Int64Range(1.6e9, 2e9).Draw(t, "at"), 0).UTC()
		seen := map[string]bool{}
		for range 200 {
			next := cal.Next(at)
			if !next.After(at) {
				t.Fatalf("after %s comes %s", at, next)
			}
			w := wall(next.In(cal.zone))
			if seen[w] {
				t.Fatalf("%s comes twice", w)
			}
			seen[w], at = true, next
		}
	})
}
