package postoffice

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-smtp"

	"ringpost/internal/whole"
)

// Options says where and for whom the office works.
type Options struct {
	IMAPAddr string // host:port to listen on, a loopback address; "" means 127.0.0.1:0
	SMTPAddr string // the same for SMTP

	// Own is the game master's address. Mail to it and to its plus-addresses lands in one mailbox; any other
	// address is a mailbox of its own, made when its first mail or its first login comes.
	Own string
	// Password opens every mailbox. The login name is the full address, or the local part of Own.
	Password string

	Now         func() time.Time // the time of arrival of mails (INTERNALDATE); nil means time.Now
	UIDValidity uint32           // UIDVALIDITY of the first folder of a mailbox, counting up from there; 0 takes it from Now
	OnDelivery  func(Delivery)   // if set, called once a mail and mailbox when it can be read, before SMTP says so
	Logger      *slog.Logger     // nil means slog.Default()
}

// Delivery is one mail that has arrived in one mailbox.
type Delivery struct {
	Mailbox string    // the mailbox's address in lower case
	From    string    // the envelope's sender, "" for a bounce
	To      []string  // the envelope's recipients that are this mailbox
	Time    time.Time // INTERNALDATE
	Size    int64     // bytes, with the trace headers
}

// Office is a running mail server.
type Office struct {
	password [32]byte // hashed, so that comparing takes the same time for every length
	post     *post

	imap      *imapserver.Server
	smtp      *smtp.Server
	listeners [2]net.Listener
	serving   sync.WaitGroup
	closed    atomic.Bool
}

// Start listens and serves until Close. Addresses other than loopback ones are refused: one password opens
// everything, and nothing is encrypted.
func Start(options Options) (*Office, error) {
	return start(options, defaultLimits)
}

func start(options Options, limits limits) (*Office, error) {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Logger == nil {
		options.Logger = slog.Default()
	}
	if options.Password == "" {
		return nil, errors.New("post office: no password set")
	}
	own, ok := parseAddress(options.Own)
	if !ok {
		return nil, fmt.Errorf("post office: the game master's address %q is no mail address", options.Own)
	}
	validity := options.UIDValidity
	if validity == 0 {
		validity = validityOf(options.Now())
	}

	imapListener, err := listen(options.IMAPAddr)
	if err != nil {
		return nil, fmt.Errorf("post office: listen for IMAP: %w", err)
	}
	smtpListener, err := listen(options.SMTPAddr)
	if err != nil {
		imapListener.Close()
		return nil, fmt.Errorf("post office: listen for SMTP: %w", err)
	}

	o := &Office{
		password:  hash(options.Password),
		listeners: [2]net.Listener{imapListener, smtpListener},
		post: &post{
			own: own, limits: limits, validity: validity, now: options.Now, onDelivery: options.OnDelivery,
			accounts: make(map[string]*account),
		},
	}
	errorLog := slog.NewLogLogger(options.Logger.With("server", "post office").Handler(), slog.LevelWarn)
	o.imap = newIMAP(o, errorLog)
	o.smtp = newSMTP(o, errorLog)
	o.serving.Go(func() { o.report(options.Logger, "IMAP", o.imap.Serve(imapListener)) })
	o.serving.Go(func() { o.report(options.Logger, "SMTP", o.smtp.Serve(whole.Listener(smtpListener))) })
	return o, nil
}

// validityOf counts tenths of a second, so that two starts in a row differ, and always ascend but once in 13
// years. RFC 3501 section 2.3.1.1 wants it greater whenever UIDs begin anew, as they do at each start.
func validityOf(now time.Time) uint32 {
	return uint32(now.UnixMilli() / 100)
}

// report tells why a server stopped, unless it was meant to.
func (o *Office) report(logger *slog.Logger, what string, err error) {
	if err != nil && !o.closed.Load() {
		logger.Error("post office stopped serving", "protocol", what, "err", err)
	}
}

// listen opens a loopback address; what resolves to any other is refused.
func listen(addr string) (net.Listener, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	resolved, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, err
	}
	if !resolved.IP.IsLoopback() {
		return nil, fmt.Errorf("%s is not a loopback address; use 127.0.0.1, [::1] or localhost", addr)
	}
	return net.ListenTCP("tcp", resolved)
}

// IMAPAddr is where IMAP listens, host:port.
func (o *Office) IMAPAddr() string { return o.listeners[0].Addr().String() }

// SMTPAddr is where SMTP listens, host:port.
func (o *Office) SMTPAddr() string { return o.listeners[1].Addr().String() }

// Close ends all connections and waits until nobody listens any more. All mail is gone.
func (o *Office) Close() error {
	o.closed.Store(true)
	errs := []error{o.imap.Close(), o.smtp.Close()}
	for _, l := range o.listeners {
		// The servers close the listeners they know; one that had not begun to serve knows none.
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	o.serving.Wait()
	return errors.Join(errs...)
}

// address is a mail address, folded to lower case.
type address struct{ local, domain string }

func (a address) String() string { return a.local + "@" + a.domain }

// parseAddress takes the bare address of an envelope or a login; display names are no part of it.
func parseAddress(s string) (address, bool) {
	at := strings.LastIndexByte(s, '@')
	if at <= 0 || at == len(s)-1 || len(s) > 320 { // RFC 3696 section 3: 64 + 1 + 255 octets
		return address{}, false
	}
	for _, r := range s {
		if r <= ' ' || r == 0x7f || r == '<' || r == '>' {
			return address{}, false
		}
	}
	s = strings.ToLower(s)
	return address{local: s[:at], domain: s[at+1:]}, true
}
