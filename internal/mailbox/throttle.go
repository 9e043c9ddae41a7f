package mailbox

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
)

const (
	firstPause = 5 * time.Second
	lastPause  = 5 * time.Minute
	// longestThrottle bounds what a server can ask for.
	longestThrottle = time.Hour
	// passing is how long a server is left alone that is in a trouble of its own, and has not asked to be spared.
	passing = time.Minute
	// lastLogin is the longest pause after a refused login: by itself a password seldom becomes right, and who tries
	// a wrong one too often is locked out, with every other program of his house.
	lastLogin = 30 * time.Minute
)

// pauseAfter is how long to leave a mailbox alone after so many failures in a row, err being the newest.
func pauseAfter(err error, failures int) time.Duration {
	pause := grown(firstPause, failures, lastPause)
	wish, exact := throttle(err)
	if wish == 0 && troubled(err) {
		wish = passing
	}
	switch {
	case errors.As(err, new(denied)):
		wish = grown(passing, failures, lastLogin)
	case exact:
	case wish == passing:
		wish = grown(wish, failures, lastPause)
	default:
		wish = grown(wish, failures, longestThrottle)
	}
	return max(pause, wish)
}

// grown doubles a pause with each failure after the first.
func grown(pause time.Duration, failures int, longest time.Duration) time.Duration {
	for i := 1; i < failures && pause < longest; i++ {
		pause *= 2
	}
	return min(pause, longest)
}

// throttle reads in a server's answer how long it wants to be left alone, 0 if it says nothing of the kind. The
// wish is exact where the server names a time itself.
func throttle(err error) (wish time.Duration, exact bool) {
	var answer *imap.Error
	if !errors.As(err, &answer) || answer.Type == imap.StatusResponseTypeOK {
		return 0, false
	}
	text := strings.ToLower(answer.Text)
	if m := suggestedBackoff.FindStringSubmatch(text); m != nil { // Microsoft 365 and Exchange
		if ms, err := strconv.ParseInt(m[1], 10, 64); err == nil && ms < longestThrottle.Milliseconds() {
			return time.Duration(ms) * time.Millisecond, true
		}
		return longestThrottle, true
	}
	switch answer.Code {
	case imap.ResponseCodeOverQuota: // Gmail's daily bandwidth; a full mailbox does not make a poll fail
		return 15 * time.Minute, false
	case imap.ResponseCodeLimit: // Yahoo's rate limit; RFC 9051 section 7.1
		return 5 * time.Minute, false
	case imap.ResponseCodeUnavailable, imap.ResponseCodeInUse: // RFC 5530 section 3
		return passing, false
	}
	for _, words := range []string{"too many", "throttled", "rate limit", "bandwidth", "limit exceeded", "limits exceeded"} {
		if strings.Contains(text, words) { // Gmail: "Too many simultaneous connections", with ALERT for a code or none
			return 2 * time.Minute, false
		}
	}
	return 0, false
}

var suggestedBackoff = regexp.MustCompile(`suggested backoff time: *(\d+) *milliseconds`)

// throttled tells whether a server has asked to be left alone.
func throttled(err error) bool {
	wish, _ := throttle(err)
	return wish > 0
}

// troubled tells whether a server has a trouble of its own, with a whole login or with one mail.
func troubled(err error) bool {
	var answer *imap.Error
	if !errors.As(err, &answer) || answer.Type == imap.StatusResponseTypeOK {
		return false
	}
	if answer.Code == imap.ResponseCodeServerBug { // RFC 5530 section 3; Dovecot's for whatever it cannot read
		return true
	}
	text := strings.ToLower(answer.Text)
	for _, words := range []string{"server busy", "server unavailable", "try again", "temporary"} { // Microsoft 365: "Server Unavailable. 15"
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
