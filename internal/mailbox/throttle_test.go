package mailbox

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"pgregory.net/rapid"
)

func answer(kind imap.StatusResponseType, code imap.ResponseCode, text string) error {
	return fmt.Errorf("imap: log in as gm: %w", &imap.Error{Type: kind, Code: code, Text: text})
}

func TestPauses(t *testing.T) {
	const no, bad, bye = imap.StatusResponseTypeNo, imap.StatusResponseTypeBad, imap.StatusResponseTypeBye
	for _, test := range []struct {
		name          string
		err           error
		first, second time.Duration
		late          time.Duration // after many failures
	}{
		{"no connection", errors.New("connection refused"), 5 * time.Second, 10 * time.Second, 5 * time.Minute},
		{"a wrong password", denied{answer(no, imap.ResponseCodeAuthenticationFailed, "Invalid credentials")}, time.Minute, 2 * time.Minute, 30 * time.Minute},
		{"a folder that is not to be read", answer(no, imap.ResponseCodeNoPerm, "Permission denied"), 5 * time.Second, 10 * time.Second, 5 * time.Minute},
		{"in use", answer(no, imap.ResponseCodeInUse, "Mailbox in use"), time.Minute, 2 * time.Minute, 5 * time.Minute},
		{"Dovecot's connections", answer(no, imap.ResponseCodeUnavailable, "Maximum number of connections from user+IP exceeded (mail_max_userip_connections=10)"),
			time.Minute, 2 * time.Minute, 5 * time.Minute},
		{"Microsoft is down", answer(no, "", "Server Unavailable. 15"), time.Minute, 2 * time.Minute, 5 * time.Minute},
		{"a bug", answer(no, imap.ResponseCodeServerBug, "LOGIN Server error"), time.Minute, 2 * time.Minute, 5 * time.Minute},
		{"no code", answer(no, "", "Temporary authentication failure. Try again later"), time.Minute, 2 * time.Minute, 5 * time.Minute},
		{"Yahoo", answer(no, imap.ResponseCodeLimit, "LOGIN Rate limit hit"), 5 * time.Minute, 10 * time.Minute, time.Hour},
		{"Gmail's connections", answer(no, imap.ResponseCodeAlert, "Too many simultaneous connections. (Failure)"), 2 * time.Minute, 4 * time.Minute, time.Hour},
		{"Gmail's bandwidth", answer(no, imap.ResponseCodeOverQuota, "Account exceeded command or bandwidth limits. (Failure)"), 15 * time.Minute, 30 * time.Minute, time.Hour},
		{"the same as a farewell", answer(bye, "", "Account exceeded command or bandwidth limits."), 2 * time.Minute, 4 * time.Minute, time.Hour},
		{"Microsoft", answer(bad, "", "Request is throttled. Suggested Backoff Time: 294960 milliseconds"), 294960 * time.Millisecond, 294960 * time.Millisecond, 5 * time.Minute},
		{"Microsoft for a short time", answer(bad, "", "Request is throttled. Suggested Backoff Time: 100 milliseconds"), 5 * time.Second, 10 * time.Second, 5 * time.Minute},
		{"Microsoft for ever", answer(bad, "", "Request is throttled. Suggested Backoff Time: 99999999999999999999 milliseconds"), time.Hour, time.Hour, time.Hour},
		{"a server that stops", answer(bye, "", "Server shutting down."), 5 * time.Second, 10 * time.Second, 5 * time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := pauseAfter(test.err, 1); got != test.first {
				t.Errorf("the first pause is %v, want %v", got, test.first)
			}
			if got := pauseAfter(test.err, 2); got != test.second {
				t.Errorf("the second pause is %v, want %v", got, test.second)
			}
			if got := pauseAfter(test.err, 1000); got != test.late {
				t.Errorf("a late pause is %v, want %v", got, test.late)
			}
		})
	}
}

// hears feeds a farewell what goes over the line, in pieces.
func hears(t *testing.T, said string, piece int) error {
	t.Helper()
	f := new(farewell)
	for rest := []byte(said); len(rest) > 0; {
		n := min(piece, len(rest))
		if m, err := f.Write(rest[:n]); m != n || err != nil {
			t.Fatalf("wrote %d of %d bytes, %v", m, n, err)
		}
		rest = rest[n:]
	}
	return f.explain(io.ErrUnexpectedEOF)
}

func TestFarewell(t *testing.T) {
	for said, want := range map[string]string{
		"* OK hello\r\n":                                                "",
		"T1 NOOP\r\n* BYE Session expired\r\n":                          "imap: BYE Session expired",
		"* bye [unavailable] Try later\r\nT2 NOOP\r\n":                  "imap: BYE [UNAVAILABLE] Try later",
		"* BYE [X-NOTE 1 2] Gone\r\nDONE\r\n":                           "imap: BYE [X-NOTE] Gone",
		"* BYE first\r\n* BYE second\r\n":                               "imap: BYE second",
		"* BYE in a mail\r\nand more\r\n":                               "",
		"* BYE in a mail\r\nT3 OK done\r\n":                             "",
		"* BYE \r\n":                                                    "",
		"* BYE not ended":                                               "",
		"* BYE " + strings.Repeat("x", 1000) + "\r\n":                   "imap: BYE " + strings.Repeat("x", longestFarewell-6),
		"T1 AUTHENTICATE PLAIN AGdtAHNlY3JldA==\r\n* BYE Not today\r\n": "imap: BYE Not today",
	} {
		for _, piece := range []int{1, 7, 5000} {
			err := hears(t, said, piece)
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%q: %v hides the cause", said, err)
			}
			var last *imap.Error
			got := ""
			if errors.As(err, &last) {
				got = last.Error()
			}
			if got != want {
				t.Errorf("%q in pieces of %d: %q, want %q", said, piece, got, want)
			}
		}
	}
}

// However the line is cut into pieces, the farewell is the same.
func TestFarewellInPieces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOf(rapid.SampledFrom([]string{"* BYE x", "* OK", "DONE", "T1 NOOP", "T1 NO no", "text", ""})).Draw(rt, "lines")
		said := strings.Join(lines, "\r\n") + "\r\n"
		want := hears(t, said, len(said)).Error()
		if got := hears(t, said, rapid.IntRange(1, 20).Draw(rt, "piece")).Error(); got != want {
			rt.Errorf("%q, want %q", got, want)
		}
	})
}

func FuzzFarewell(f *testing.F) {
	for _, said := range []string{"* BYE [UNAVAILABLE] x\r\n", "* BYE [\n", "T1 NO\r\n* bye ]\n", "* BYE [a] Suggested Backoff Time: 5 milliseconds\n"} {
		f.Add(said)
	}
	f.Fuzz(func(t *testing.T, said string) {
		err := hears(t, said, max(1, len(said)/2))
		if pause := pauseAfter(err, 1); !errors.Is(err, io.ErrUnexpectedEOF) || pause < firstPause || pause > longestThrottle {
			t.Errorf("after %q: %v, and a pause of %v", said, err, pause)
		}
	})
}

// A server that wants to be left alone is, whoever asks for a poll.
func TestThrottledRunner(t *testing.T) {
	s, r, c, _, _ := running(t)
	limit := answer(imap.StatusResponseTypeNo, imap.ResponseCodeLimit, "Rate limit hit")
	within(t, "a poll", s.polls) <- limit
	c.wait(t, 5*time.Minute)
	for range 3 {
		if err := within(t, "the answer", ask1(t, r)); !errors.Is(err, limit) {
			t.Errorf("answer %v", err)
		}
	}
	c.ring(5 * time.Minute)
	within(t, "a poll", s.polls) <- limit
	c.wait(t, 10*time.Minute)
}

// A throttled command is no fault of the mails it was about.
func TestThrottlingBlamesNoMail(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapMove}, throttled: true})
	source, k := open(t, f.config()), &taker{}
	f.put(t, mails(3)...)
	for range maxStrikes + 1 {
		if _, err := source.Poll(t.Context(), k.deliver); !throttled(err) {
			t.Fatalf("poll: %v", err)
		}
	}
	f.set(func(f *fake) { f.throttled = false })
	poll(t, source, k, 3)
}

// What the server says when it hangs up stands in the error.
func TestFarewellIsTold(t *testing.T) {
	f := startFake(t, fake{validity: 7, hangsUp: "[UNAVAILABLE] Come back later"})
	source := open(t, f.config())
	f.put(t, mails(1)...)
	_, err := source.Poll(t.Context(), (&taker{}).deliver)
	if err == nil || !strings.Contains(err.Error(), "Come back later") || pauseAfter(err, 1) != time.Minute {
		t.Errorf("poll: %v, pause %v", err, pauseAfter(err, 1))
	}
}
