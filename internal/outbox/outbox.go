// Package outbox sends the mails that wait in the queue.
//
// A Sender takes what is due from a Queue and hands it, over one connection,
// to a Transport: an SMTP server, a sendmail command or a Maildir. The attempt
// is written to the queue before it is made and the outcome after it, so that
// a crash in between can repeat a mail under its old Message-ID but never lose
// one.
//
// The package knows neither the database nor what is in the mails. Of Ringpost's
// packages it imports compose, for the form of an address, and secret.
package outbox

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Item is one mail to one recipient.
type Item struct {
	ID        int64
	From      string // envelope sender; "" is the null return path
	To        string // envelope recipient
	Raw       []byte // header and body, lines ended by CRLF
	Attempts  int    // attempts begun before this one
	Doubtful  bool   // one of those may have sent it without our knowing it
	MessageID string // without <>; the same at every attempt
	Game      string
	Kind      string
	// Persistent: a final refusal is taken for a passing one, since the mail is the
	// news that mails are refused.
	Persistent bool
}

// Queue is where mails wait. No method is called by two goroutines at once.
type Queue interface {
	// Due returns up to limit mails that are due, the most urgent first.
	Due(ctx context.Context, now time.Time, limit int) ([]Item, error)
	// Attempt notes that an attempt begins. The mail is not sent unless it
	// succeeds; ErrWithdrawn says that it need not be sent any more.
	Attempt(ctx context.Context, id int64, now time.Time) error
	// Settle notes how that attempt ended.
	Settle(ctx context.Context, id int64, r Result) error
}

// State is what an attempt made of a mail.
type State string

const (
	Sent   State = "sent"   // the transport took it over
	Retry  State = "retry"  // to be tried again at Result.Next
	Failed State = "failed" // refused for good, or given up
)

// Result is how an attempt ended.
type Result struct {
	State     State
	At        time.Time
	Next      time.Time // when to try again; zero unless State is Retry
	Answer    string    // the other side's words, one line of at most 300 octets; "" when sent
	Ambiguous bool      // the mail may have been taken over all the same, now or at an attempt before
}

// Transport is a way out.
type Transport interface {
	// Open gets ready to send. An error says that no mail at all can go this
	// way now; it is nobody's mail's fault.
	Open(ctx context.Context) (Session, error)
	// Name says what it is, for logs: "smtp mail.example.org:587".
	Name() string
}

// Session carries mails one after another.
type Session interface {
	// Send hands over one mail. The error is a *Refusal when the other side
	// declined this mail; any other error means that the session is of no
	// further use, and, if it wraps ErrAmbiguous, that the mail may have been
	// taken over.
	Send(ctx context.Context, item Item) error
	Close() error
}

// Refusal is the other side's No to one mail.
type Refusal struct {
	Permanent bool   // trying again is of no use
	Closing   bool   // the session is of no further use
	Answer    string // the other side's words
}

func (r *Refusal) Error() string {
	if r.Permanent {
		return "refused for good: " + r.Answer
	}
	return "refused for now: " + r.Answer
}

// mostRefused is how many addresses in a row may be refused. More than that are
// not all wrong: the way out takes no mail. Refused for good, they would use up the
// queue.
const mostRefused = 3

// ErrAmbiguous says that a mail was handed over entirely and no answer came:
// it may or may not be delivered (RFC 5321, 4.1.1.4 and 6.1).
var ErrAmbiguous = errors.New("no answer after the end of the mail, it may have been delivered")

// ErrWithdrawn is the queue's word that a mail it had named as due has been
// dropped or replaced meanwhile.
var ErrWithdrawn = errors.New("the mail has been withdrawn")

// pauses lie between the attempts; the last one repeats.
var pauses = [...]time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour}

// patience is how long a mail is tried (RFC 5321, 4.5.4.1: at least 4 to 5 days).
const patience = 5 * 24 * time.Hour

// Pause returns how long to wait after so many attempts, and false when the
// pauses together would outlast five days and the mail is given up. Only
// planned pauses count: while Ringpost or the way out is down, no mail runs
// out of time.
func Pause(attempts int) (time.Duration, bool) {
	var waited, pause time.Duration
	for i := range attempts {
		pause = pauses[min(i, len(pauses)-1)]
		if waited += pause; waited > patience {
			return 0, false
		}
	}
	return pause, true
}

// backoff returns how long to leave a transport alone that failed so many
// times in a row: 1, 2, 4, 8 and then always 15 minutes.
func backoff(failures int) time.Duration {
	const longest = 15 * time.Minute
	if failures > 4 {
		return longest
	}
	return time.Minute << max(failures-1, 0)
}

// oneLine makes of a server's answer one line of at most 300 octets.
func oneLine(answer string) string {
	const longest = 300
	answer = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(answer, string(utf8.RuneError)))
	answer = strings.Join(strings.Fields(answer), " ")
	if len(answer) > longest {
		cut := longest
		for !utf8.RuneStart(answer[cut]) {
			cut--
		}
		answer = answer[:cut]
	}
	return answer
}
