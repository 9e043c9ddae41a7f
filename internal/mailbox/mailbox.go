package mailbox

import (
	"context"
	"errors"
	"time"
)

// Mail is one mail as the source holds it.
type Mail struct {
	Mailbox     string    // the source's name, such as "imap://gm@mail.example/INBOX", "maildir:/var/mail/gm", "stdin"
	UIDValidity uint32    // IMAP's UIDVALIDITY, else 0
	UID         uint32    // IMAP's UID, else 0
	Name        string    // what names the mail where there is no UID: a Maildir key, a digest of standard input
	Received    time.Time // arrival: INTERNALDATE or a Maildir's delivery time; when it was taken in where there is none
	Size        int64     // bytes, as the source says
	Raw         []byte    // its first HeadSize bytes when Size is above the source's limit; nil when Fault says why it could not be read
	Fault       string    // why there is no Raw; a mail is given up after several polls, so that it blocks no other
}

// Deliver stores and handles a batch. Only after it returns nil are these mails put away; after an error they
// stay and are handed over again.
type Deliver func(ctx context.Context, batch []Mail) error

// Source is a mailbox. Poll and Wait are called from one goroutine; Close may be called from any and ends both.
type Source interface {
	// Poll hands over what is there and returns how many mails it delivered. When it returns nil, everything
	// that was there when it began has been delivered.
	Poll(ctx context.Context, deliver Deliver) (int, error)
	// Wait returns nil when new mail may be there or the poll interval is over.
	Wait(ctx context.Context) error
	// Close ends the source's connections for good.
	Close() error
}

// Thorough is a Source with a place that it looks into only now and then.
type Thorough interface {
	// PollAll is a Poll that looks everywhere.
	PollAll(ctx context.Context, deliver Deliver) (int, error)
}

// ErrClosed is what a closed source answers.
var ErrClosed = errors.New("mailbox is closed")

// ErrStop is wrapped by an error after which a source must not be read any more: it ends a Runner.
var ErrStop = errors.New("the mailbox must not be read")

// DefaultMaxSize is the size up to which mails are read unless a source is told otherwise, in bytes.
const DefaultMaxSize = 10 << 20

// HeadSize is how many bytes are read of a mail that is larger than that: enough to know its sender.
const HeadSize = 64 << 10

const (
	batchMails = 200              // mails a batch: as fast as one command for all, and a commit is worth its while
	batchBytes = 32 << 20         // bytes a batch, so that a full batch of large mails does not fill the memory
	maxStrikes = 5                // failed attempts after which a mail is handed over with a Fault,
	strikeTime = 15 * time.Minute // and how long they must have gone on: no mail is to blame for a server's bad minutes
)

// Clock tells the time and gives pauses. Nil fields mean the system's.
type Clock struct {
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

func (c Clock) orSystem() Clock {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.After == nil {
		c.After = time.After
	}
	return c
}

// strikes counts what went wrong with single mails, by UID or name.
type strikes[K comparable] map[K]strike

type strike struct {
	count int
	since time.Time
	why   string
}

// add notes one more failure.
func (s strikes[K]) add(key K, err error, now time.Time) {
	st := s[key]
	if st.count == 0 {
		st.since = now
	}
	st.count++
	st.why = err.Error()
	s[key] = st
}

// out says why a mail is given up, "" while it is not. A clock that was set back since
// does not keep it from that.
func (s strikes[K]) out(key K, now time.Time) string {
	if st := s[key]; st.count >= maxStrikes && now.Sub(st.since).Abs() >= strikeTime {
		return st.why
	}
	return ""
}

// passed tells whether a rest of some length that ends at a moment is over, or cannot have
// begun before now: the clock was set back.
func passed(end, now time.Time, rest time.Duration) bool {
	left := end.Sub(now)
	return left <= 0 || left > rest
}

// headSize is how much is read of a mail above the limit.
func headSize(maxSize int64) int64 { return min(HeadSize, maxSize) }

// firstBytes is how many of the mails make a batch of at most batchBytes; at least one.
func firstBytes[M any](mails []M, size func(M) int64) int {
	var sum int64
	for i, m := range mails {
		if sum += size(m); sum > batchBytes && i > 0 {
			return i
		}
	}
	return len(mails)
}
