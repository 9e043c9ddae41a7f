package mailbox

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
)

// Security is how a connection is protected.
type Security string

// The ways to protect a connection.
const (
	TLS      Security = "tls"      // from the first byte, as on port 993
	StartTLS Security = "starttls" // before the login, as on port 143; a server without it is not logged in to
	Plain    Security = "plain"    // not at all; for loopback hosts only
)

const (
	inbox           = "INBOX"
	processed       = "Processed"
	defaultInterval = 3 * time.Minute
	defaultSilence  = time.Minute
	dialLimit       = 30 * time.Second
	idleRenewal     = 9 * time.Minute // many a router forgets a quiet connection after ten
	standardPort    = "143"
	standardTLSPort = "993"
)

// Authenticator readies a login by another way than a password. It is asked anew for each connection, so that a
// token can be refreshed; supports tells which SASL mechanisms the server offers. A mechanism with a method Refused is
// told by it when the server has said No.
type Authenticator func(ctx context.Context, supports func(mechanism string) bool) (sasl.Client, error)

// IMAPConfig says which folder to read and how to get there. Zero fields have the defaults named.
type IMAPConfig struct {
	Addr     string      // host or host:port; the port is 993 with TLS, else 143
	Security Security    // TLS
	TLS      *tls.Config // the system's certificates, and the host's name
	User     string
	Password string
	Auth     Authenticator // if set, it logs in instead of the password
	Folder   string        // INBOX
	Done     string        // where handled mails go, made when missing: Processed

	// Junk is the folder of what the server took for junk; "" is the one that the server names as such. Mails there
	// are handed over too if Known says that they are wanted; without Known nobody looks.
	Junk string
	// Known tells from a mail's From fields whether its sender is known.
	Known func(ctx context.Context, header []byte) (bool, error)
	// Stored tells which of these mails were delivered before, by an earlier process too. Without it, what a
	// process left marked as deleted when it died stays so.
	Stored func(ctx context.Context, mailbox string, uidValidity uint32, uids []uint32) ([]uint32, error)

	MaxSize  int64         // bytes; of larger mails the beginning is handed over: DefaultMaxSize
	Interval time.Duration // from one poll to the next where IDLE reports nothing: 3 minutes
	Silence  time.Duration // after which a server that owes an answer is given up: 1 minute

	Dial   func(ctx context.Context, network, addr string) (net.Conn, error) // a net.Dialer's
	Clock  Clock
	Logger *slog.Logger // slog.Default()
}

// IMAP reads a folder of an IMAP server over one connection, which is made when needed and made anew when lost.
type IMAP struct {
	config IMAPConfig
	server string
	life   context.Context // ends with Close, and every exchange with it
	end    context.CancelFunc

	mu   sync.Mutex
	conn *conn // nil when there is none

	// Of the goroutine that polls.
	inbox *place
	junk  junk
	again map[string]*place // where mails are read that were put away before, by folder

	cutShort  int       // connections lost as soon as they idled, in a row
	idleAgain time.Time // until when there is no IDLE for that
}

// NewIMAP checks the configuration; it does not connect.
func NewIMAP(config IMAPConfig) (*IMAP, error) {
	config.Security = cmp.Or(config.Security, TLS)
	config.Folder = cmp.Or(config.Folder, inbox)
	config.Done = cmp.Or(config.Done, processed)
	config.MaxSize = cmp.Or(config.MaxSize, DefaultMaxSize)
	config.Interval = cmp.Or(config.Interval, defaultInterval)
	config.Silence = cmp.Or(config.Silence, defaultSilence)
	config.Logger = cmp.Or(config.Logger, slog.Default())
	config.Clock = config.Clock.orSystem()
	if config.Dial == nil {
		config.Dial = (&net.Dialer{Timeout: dialLimit}).DialContext
	}
	if config.User == "" || config.Password == "" && config.Auth == nil {
		return nil, errors.New("imap: set a user and a password")
	}
	// Moved to where it is read, each mail would come up as a new one, again and again.
	if sameFolder(config.Folder, config.Done) || sameFolder(config.Junk, config.Done) {
		return nil, fmt.Errorf("imap: handled mails cannot be put away into %s, where mails are read; name another folder", config.Done)
	}

	port := standardPort
	if config.Security == TLS {
		port = standardTLSPort
	}
	host, given, err := net.SplitHostPort(config.Addr)
	if err != nil {
		host, given = strings.Trim(config.Addr, "[]"), port
		config.Addr = net.JoinHostPort(host, port)
	}
	if host == "" || given == "" {
		return nil, fmt.Errorf("imap: %q is no server's address; write host or host:port", config.Addr)
	}
	switch config.Security {
	case TLS, StartTLS:
	case Plain:
		if !loopback(host) {
			return nil, fmt.Errorf("imap: a plain connection to %s would show the password to the network; use tls or starttls", host)
		}
	default:
		return nil, fmt.Errorf("imap: unknown security %q; use tls, starttls or plain", config.Security)
	}
	if config.TLS == nil {
		config.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	config.TLS = config.TLS.Clone()
	config.TLS.ServerName = cmp.Or(config.TLS.ServerName, host)

	s := &IMAP{config: config, server: serverName(host, given), again: make(map[string]*place)}
	s.life, s.end = context.WithCancel(context.Background())
	s.inbox = s.newPlace(config.Folder)
	return s, nil
}

// serverName names the server, the same whichever of the standard ports leads there.
func serverName(host, port string) string {
	host = strings.ToLower(host)
	if port != standardPort && port != standardTLSPort {
		host = net.JoinHostPort(host, port)
	}
	return host
}

// sameFolder tells whether two names are one folder's; INBOX is so in any case.
func sameFolder(a, b string) bool {
	return a == b || strings.EqualFold(a, inbox) && strings.EqualFold(b, inbox)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return ip.IsLoopback() || strings.EqualFold(host, "localhost")
}

// Name is the Mailbox of the mails from the folder; those from the junk folder have its name in it instead.
func (s *IMAP) Name() string { return s.inbox.name }

// Close ends the connection for good, and frees a Poll or Wait that is running.
func (s *IMAP) Close() error {
	s.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.line.Close()
		s.conn = nil
	}
	return nil
}

// enter gives the context of one call, which ends with the source as well.
func (s *IMAP) enter(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.life, func() { cancel(ErrClosed) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// explain words an error. After Close whatever else went wrong does not matter; before it, a server's last word
// says more than the lost connection.
func (s *IMAP) explain(c *conn, err error) error {
	switch {
	case err == nil:
		return nil
	case s.life.Err() != nil:
		return fmt.Errorf("imap: %w", ErrClosed)
	case c != nil && c.dead:
		return fmt.Errorf("imap: %w", c.farewell.explain(err))
	}
	return fmt.Errorf("imap: %w", err)
}

// current is the connection there is, nil if none.
func (s *IMAP) current() *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn
}

// connected gives the connection; it makes one, with the folder selected, when there is none.
func (s *IMAP) connected(ctx context.Context) (*conn, error) {
	if c := s.current(); c != nil {
		return c, nil
	}
	c, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.visit(ctx, c, s.inbox); err != nil {
		c.line.Close()
		return nil, c.farewell.explain(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil {
		c.line.Close()
		return nil, ErrClosed
	}
	s.conn = c
	s.config.Logger.Info("mailbox connected", "mailbox", s.Name(), "filing", c.filing)
	return c, nil
}

// release keeps a connection that can go on, and drops one that cannot.
func (s *IMAP) release(c *conn) {
	if !c.dead {
		return
	}
	c.line.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == c {
		s.conn = nil
	}
}

// connect dials, secures the line and logs in.
func (s *IMAP) connect(ctx context.Context) (*conn, error) {
	raw, err := s.config.Dial(ctx, "tcp", s.config.Addr)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", s.config.Addr, err)
	}
	c := &conn{line: &line{Conn: raw}, farewell: new(farewell), clock: s.config.Clock, silence: s.config.Silence,
		news: make(chan struct{}, 1), made: make(map[string]bool)}
	if err := s.open(ctx, c); err != nil {
		c.line.Close()
		return nil, fmt.Errorf("%s: %w", s.config.Addr, c.farewell.explain(err))
	}
	return c, nil
}

// open brings a fresh line to the state after the login.
func (s *IMAP) open(ctx context.Context, c *conn) error {
	options := &imapclient.Options{
		TLSConfig:   s.config.TLS,
		DebugWriter: c.farewell,
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{Mailbox: func(data *imapclient.UnilateralDataMailbox) {
			if data.NumMessages != nil {
				c.tell()
			}
		}},
	}
	var err error
	c.client, err = ask(ctx, c, "connect", func() (*imapclient.Client, error) {
		return greet(ctx, c.line, s.config.Security, options)
	})
	if err != nil {
		return err
	}
	if err := s.logIn(ctx, c); err != nil {
		var advice string
		if refusedLogin(err) {
			switch {
			case c.farewell.login.ByPassword():
				advice = ", check user and password (many providers want an app password here)"
			case s.config.Auth != nil:
				advice = ", check that the mailbox allows IMAP and that it was this user who gave his consent"
			}
			err = denied{err}
		}
		return fmt.Errorf("log in as %s%s: %w", s.config.User, advice, err)
	}
	// What a server offers can change with the login, and not every server says so by itself.
	c.caps, err = ask(ctx, c, "ask for capabilities", func() (imap.CapSet, error) { return c.client.Capability().Wait() })
	if err != nil {
		return err
	}
	if c.caps.Has(imap.CapNamespace) {
		ns, err := ask(ctx, c, "ask for the namespace", func() (*imap.NamespaceData, error) { return c.client.Namespace().Wait() })
		if c.dead {
			return err
		}
		if err == nil && len(ns.Personal) > 0 {
			c.prefix = ns.Personal[0].Prefix
		}
	}
	return nil
}

// greet secures the line and waits for the server's greeting.
func greet(ctx context.Context, l *line, security Security, options *imapclient.Options) (*imapclient.Client, error) {
	var client *imapclient.Client
	switch security {
	case StartTLS:
		return imapclient.NewStartTLS(l, options)
	case TLS:
		secured := tls.Client(l, options.TLSConfig)
		if err := secured.HandshakeContext(ctx); err != nil {
			return nil, err
		}
		client = imapclient.New(secured, options)
	default:
		client = imapclient.New(l, options)
	}
	return client, client.WaitGreeting()
}

// logIn logs in by the password or by what takes its place.
func (s *IMAP) logIn(ctx context.Context, c *conn) error {
	way := func() error { return c.logIn(s.config.User, s.config.Password) }
	if s.config.Auth != nil {
		caps, err := ask(ctx, c, "ask for capabilities", func() (imap.CapSet, error) { return c.client.Capability().Wait() })
		if err != nil {
			return err
		}
		mechanism, err := s.config.Auth(ctx, func(name string) bool { return caps.Has(imap.AuthCap(name)) })
		if err != nil {
			return err
		}
		way = func() error {
			err := c.client.Authenticate(c.farewell.login.Hear(mechanism))
			if refusedLogin(err) {
				tellRefused(mechanism)
			}
			return err
		}
	}
	if _, err := ask(ctx, c, "authenticate", func() (none, error) { return none{}, way() }); err != nil {
		return c.hush(err)
	}
	return nil
}

// refusedLogin tells whether a server does not want this password or token, and not just now nobody.
func refusedLogin(err error) bool { return refused(err) && !throttled(err) && !troubled(err) }

// denied is a refused login.
type denied struct{ error }

// Unwrap gives what the server said.
func (d denied) Unwrap() error { return d.error }

// tellRefused tells a mechanism that wants to know it that the server has refused the login.
func tellRefused(mechanism sasl.Client) {
	if m, ok := mechanism.(interface{ Refused() }); ok {
		m.Refused()
	}
}

// hush takes what was said in the login out of the server's answer to it.
func (c *conn) hush(err error) error {
	var answer *imap.Error
	if !errors.As(err, &answer) {
		return err
	}
	told := *answer
	told.Text = c.farewell.login.Strike(told.Text)
	return fmt.Errorf("authenticate: %w", &told)
}

func (c *conn) logIn(user, password string) error {
	plain := c.farewell.login.Hear(sasl.NewPlainClient("", user, password))
	caps := c.client.Caps()
	switch {
	case caps.Has(imap.AuthCap(sasl.Plain)):
		return c.client.Authenticate(plain)
	case caps.Has(imap.CapLoginDisabled):
		return errors.New("the server takes no password here")
	default:
		if _, _, err := plain.Start(); err != nil { // says the same as LOGIN
			return err
		}
		return c.client.Login(user, password).Wait()
	}
}
