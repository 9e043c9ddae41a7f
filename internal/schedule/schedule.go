// Package schedule turns a game's cron expression and time zone into deadlines.
// It is pure but for the time zone data; it asks no clock.
package schedule

import (
	"fmt"
	"strings"
	"time"

	"github.com/netresearch/go-cron"
)

// Calendar is a game's rhythm.
type Calendar struct {
	cron cron.Schedule
	zone *time.Location
}

// Parse reads five cron fields ("0 20 * * SUN") and an IANA time zone
// ("Europe/Berlin"). The error says what would be right.
func Parse(expression, zone string) (Calendar, error) {
	loc, err := Zone(zone)
	if err != nil {
		return Calendar{}, err
	}
	fields := strings.Fields(expression)
	if len(fields) != 5 {
		return Calendar{}, fmt.Errorf("deadline %q: want five fields, minute hour day month weekday, such as '0 20 * * SUN'", expression)
	}
	parser, err := cron.TryNewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	if err != nil {
		return Calendar{}, fmt.Errorf("deadline %q: %w", expression, err)
	}
	s, err := parser.Parse(strings.Join(fields, " "))
	if err != nil {
		return Calendar{}, fmt.Errorf("deadline %q: %w", expression, err)
	}
	c := Calendar{s, loc}
	if c.Next(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return Calendar{}, fmt.Errorf("deadline %q: it never comes", expression)
	}
	return c, nil
}

// Zone finds an IANA time zone. "Local" and "" are refused: a game must not
// depend on the machine.
func Zone(name string) (*time.Location, error) {
	if name == "" || name == "Local" {
		return nil, fmt.Errorf("time zone %q: want a name such as Europe/Berlin", name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %q is not known: want a name such as Europe/Berlin", name)
	}
	return loc, nil
}

// Next is the first deadline later than after, in UTC; the zero time when none
// comes. An hour that is skipped in spring moves the deadline behind the gap;
// in autumn the first of two equal wall-clock times counts.
func (c Calendar) Next(after time.Time) time.Time {
	t := after.In(c.zone)
	for {
		t = c.cron.Next(t)
		if t.IsZero() || !repeated(t) {
			return t.UTC()
		}
	}
}

// repeated reports whether the clock showed this very time before. Zones turn
// their clocks back by half an hour, an hour or two.
func repeated(t time.Time) bool {
	for _, back := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour} {
		if wall(t.Add(-back)) == wall(t) {
			return true
		}
	}
	return false
}

func wall(t time.Time) string { return t.Format("2006-01-02 15:04") }
