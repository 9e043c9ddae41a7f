package report

import (
	"fmt"
	"time"
)

// When words a moment in a reader's zone, which is always named: "Sonntag,
// 6. Dezember 2026, 20:00 Uhr (MEZ)", "Sunday, 6 December 2026, 20:00 (CET)".
// lang is "de" or "en"; all others read English.
func When(lang string, zone *time.Location, t time.Time) string {
	t = t.In(zone)
	if lang == "de" {
		return fmt.Sprintf("%s, %d. %s %d, %s Uhr (%s)", weekday(t.Weekday()), t.Day(), month(t.Month()), t.Year(), t.Format("15:04"), germanZone(t))
	}
	return fmt.Sprintf("%s (%s)", t.Format("Monday, 2 January 2006, 15:04"), zoneName(t))
}

func weekday(d time.Weekday) string {
	return [...]string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"}[d]
}

func month(m time.Month) string {
	return [...]string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August",
		"September", "Oktober", "November", "Dezember"}[m-1]
}

// zoneName is the zone's abbreviation where it has one, else its offset. It tells
// the two 02:30 of an autumn night apart.
func zoneName(t time.Time) string {
	name, offset := t.Zone()
	if name != "" && name[0] != '+' && name[0] != '-' { // the zone database has offsets for abbreviations, too
		return name
	}
	if offset == 0 {
		return "UTC"
	}
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	name = fmt.Sprintf("UTC%c%d", sign, offset/3600)
	if minutes := offset / 60 % 60; minutes > 0 {
		name += fmt.Sprintf(":%02d", minutes)
	}
	return name
}

func germanZone(t time.Time) string {
	switch name := zoneName(t); name {
	case "CET":
		return "MEZ"
	case "CEST":
		return "MESZ"
	case "WET":
		return "WEZ"
	case "WEST":
		return "WESZ"
	case "EET":
		return "OEZ"
	case "EEST":
		return "OESZ"
	default:
		return name
	}
}
