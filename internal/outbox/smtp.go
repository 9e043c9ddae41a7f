package outbox

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"ringpost/internal/compose"
	"ringpost/internal/secret"
)

// Security is how the connection to an SMTP server is protected.
type Security string

const (
	ImplicitTLS Security = "tls"      // TLS from the first byte, port 465 (RFC 8314)
	StartTLS    Security = "starttls" // upgraded before anything is said, port 587; never skipped
	Plain       Security = "plain"    // none; refused unless the host is this machine
)

// Authenticator picks the way to log in. It is asked anew for each session,
// so that a token can be refreshed; supports tells what the server offers. A
// mechanism with a method Refused is told by it when the server has said No.
type Authenticator func(ctx context.Context, supports func(mechanism string) bool) (sasl.Client, error)

// Password logs in by PLAIN or, where the server does not know that, LOGIN.
func Password(user, password string) Authenticator {
	return func(_ context.Context, supports func(string) bool) (sasl.Client, error) {
		switch {
		case supports(sasl.Plain):
			return sasl.NewPlainClient("", user, password), nil
		case supports(sasl.Login):
			return sasl.NewLoginClient(user, password), nil
		}
		return nil, errors.New("the server offers neither PLAIN nor LOGIN; check host, port and TLS setting")
	}
}

// Timeouts are how long an SMTP server is waited for; zero means the default.
type Timeouts struct {
	Open    time.Duration // from dialling to being logged in, 5 minutes
	Command time.Duration // the answer to a command, 5 minutes (RFC 5321, 4.5.3.2.1 to 4)
	Block   time.Duration // one write to the connection, 3 minutes (4.5.3.2.5)
	Final   time.Duration // the answer to the final dot, 10 minutes (4.5.3.2.6)
	Quit    time.Duration // the answer to QUIT, 10 seconds: nothing hangs on it
}

// SMTP sends through a mail server.
type SMTP struct {
	Host     string
	Port     int
	Security Security
	Auth     Authenticator // nil when the server asks for no login
	HelloAs  string        // our name in EHLO; "" means localhost

	TLS      *tls.Config // nil for the defaults; the server's name is filled in
	Dial     func(ctx context.Context, network, address string) (net.Conn, error)
	Timeouts Timeouts
}

// Name implements Transport.
func (s *SMTP) Name() string { return "smtp " + s.address() }

func (s *SMTP) address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// Open connects, protects the connection and logs in.
func (s *SMTP) Open(ctx context.Context) (Session, error) {
	if s.Security == Plain && !loopback(s.Host) {
		return nil, fmt.Errorf("%s is not this machine, and mail does not leave it unprotected; set TLS or STARTTLS", s.Host)
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.Timeouts.Open, 5*time.Minute))
	defer cancel()
	raw, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	conn := &blockConn{Conn: raw, limit: cmp.Or(s.Timeouts.Block, 3*time.Minute)}
	// go-smtp knows no context; closing the connection under it ends its wait.
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	client, err := s.greet(ctx, conn)
	if !stop() && err == nil {
		client.Close()
		err = ctx.Err()
	}
	if err != nil {
		conn.Close()
		if ctx.Err() != nil {
			err = fmt.Errorf("%w (%w)", ctx.Err(), err)
		}
		return nil, err
	}
	return &smtpSession{client: client, conn: conn, quit: cmp.Or(s.Timeouts.Quit, 10*time.Second)}, nil
}

func (s *SMTP) dial(ctx context.Context) (net.Conn, error) {
	if s.Dial != nil {
		return s.Dial(ctx, "tcp", s.address())
	}
	// Shorter than what may follow: a host that is not there should not be
	// waited for as long as a slow one.
	return (&net.Dialer{Timeout: 30 * time.Second}).DialContext(ctx, "tcp", s.address())
}

// greet takes a new connection to where mails can be sent.
func (s *SMTP) greet(ctx context.Context, conn net.Conn) (*smtp.Client, error) {
	client, err := s.protect(ctx, conn)
	if err != nil {
		return nil, err
	}
	client.CommandTimeout = cmp.Or(s.Timeouts.Command, 5*time.Minute)
	client.SubmissionTimeout = cmp.Or(s.Timeouts.Final, 10*time.Minute)
	if err := client.Hello(cmp.Or(s.HelloAs, "localhost")); err != nil {
		return nil, fmt.Errorf("greet the server: %w", words(err))
	}
	if s.Auth == nil {
		return client, nil
	}
	mechanism, err := s.Auth(ctx, client.SupportsAuth)
	if err != nil {
		return nil, fmt.Errorf("log in: %w", err)
	}
	var login secret.Login
	if err := client.Auth(login.Hear(mechanism)); err != nil {
		var no *smtp.SMTPError
		final := errors.As(err, &no) && !no.Temporary()
		if m, ok := mechanism.(interface{ Refused() }); ok && final {
			m.Refused()
		}
		var advice string
		switch {
		case final && login.ByPassword():
			advice = ", check user and password (many providers want an app password here)"
		case final:
			advice = ", check that the mailbox may send by SMTP and that it was this user who gave his consent"
		}
		return nil, fmt.Errorf("log in%s: %s", advice, login.Strike(words(err).Error()))
	}
	return client, nil
}

func (s *SMTP) protect(ctx context.Context, conn net.Conn) (*smtp.Client, error) {
	config := s.TLS.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	config.ServerName = cmp.Or(config.ServerName, s.Host)
	switch s.Security {
	case Plain:
		return smtp.NewClient(conn), nil
	case StartTLS:
		client, err := smtp.NewClientStartTLS(conn, config)
		if err != nil {
			return nil, fmt.Errorf("protect the connection by STARTTLS: %w", words(err))
		}
		return client, nil
	case ImplicitTLS:
		protected := tls.Client(conn, config)
		if err := protected.HandshakeContext(ctx); err != nil {
			return nil, fmt.Errorf("protect the connection by TLS: %w", err)
		}
		return smtp.NewClient(protected), nil
	}
	return nil, fmt.Errorf("unknown protection %q; set %s, %s or %s", s.Security, ImplicitTLS, StartTLS, Plain)
}

// loopback tells whether host is this machine. It goes by the name alone:
// what a name resolves to is somebody else's word.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
}

// smtpSession is a connection that is ready for MAIL.
type smtpSession struct {
	client *smtp.Client
	conn   net.Conn
	quit   time.Duration
	broken bool
}

// Send implements Session.
func (s *smtpSession) Send(ctx context.Context, item Item) error {
	stop := context.AfterFunc(ctx, func() { s.conn.Close() })
	defer stop()
	err := s.send(item)
	var refusal *Refusal
	s.broken = err != nil && (!errors.As(err, &refusal) || refusal.Closing)
	return err
}

func (s *smtpSession) send(item Item) error {
	from, to, err := envelope(item)
	if err != nil {
		return err
	}
	utf8, _ := s.client.Extension("SMTPUTF8")
	for _, address := range []string{to, from} {
		if !utf8 && !ascii(address) {
			return &Refusal{Permanent: true, Answer: fmt.Sprintf("not sent: the address %s has letters outside ASCII before the @, "+
				"and the mail server does not take such addresses (SMTPUTF8)", address)}
		}
	}
	if most, ok := s.client.MaxMessageSize(); ok && most > 0 && len(item.Raw) > most {
		return &Refusal{Permanent: true, Answer: fmt.Sprintf("not sent: the mail has %d bytes and the mail server takes %d", len(item.Raw), most)}
	}

	options := &smtp.MailOptions{Size: int64(len(item.Raw)), UTF8: !ascii(from + to)}
	if err := s.client.Mail(from, options); err != nil {
		return s.declined(mailFrom, err)
	}
	if err := s.client.Rcpt(to, nil); err != nil {
		return s.declined("RCPT TO", err)
	}
	data, err := s.client.Data()
	if err != nil {
		return s.declined("DATA", err)
	}
	if _, err := data.Write(item.Raw); err != nil {
		return fmt.Errorf("send the mail: %w", err)
	}
	if err := data.Close(); err != nil {
		var answer *smtp.SMTPError
		if !errors.As(err, &answer) || !declines(answer) {
			return fmt.Errorf("%w (%w)", ErrAmbiguous, words(err))
		}
		return refusalOf(answer)
	}
	return nil
}

// declined is the error of a command before the mail itself, after which the
// transaction must be ended.
func (s *smtpSession) declined(command string, err error) error {
	var answer *smtp.SMTPError
	if !errors.As(err, &answer) {
		return fmt.Errorf("%s: %w", command, err)
	}
	if ofSession(answer) || command == mailFrom && answer.Code/100 == 5 && !ofMail(answer) {
		return fmt.Errorf("%s: %w", command, words(answer))
	}
	refusal := refusalOf(answer)
	if !refusal.Closing && s.client.Reset() != nil {
		refusal.Closing = true
	}
	return refusal
}

// mailFrom is the command that names the sender. He is us, whatever the mail.
const mailFrom = "MAIL FROM"

// ofSession tells whether an answer is about our account or the connection
// and not about the mail. Such a 5xx must not fail every mail in the queue:
// 530, 534, 535 and 538 ask for another login (RFC 4954, 6; some servers say
// 502 for that), 503 says that we are out of step, as does a yes to what asks
// for something else.
func ofSession(answer *smtp.SMTPError) bool {
	switch answer.Code {
	case 502, 503, 530, 534, 535, 538:
		return true
	}
	return !declines(answer)
}

// declines tells whether an answer is a No at all.
func declines(answer *smtp.SMTPError) bool { return answer.Code/100 == 4 || answer.Code/100 == 5 }

// ofMail tells whether a No to MAIL FROM is about this mail all the same: its
// size (552, 5.3.4), or what it needs (555, and 5.6.7 of RFC 6531).
func ofMail(answer *smtp.SMTPError) bool {
	return answer.Code == 552 || answer.Code == 555 ||
		answer.EnhancedCode == smtp.EnhancedCode{5, 3, 4} || answer.EnhancedCode == smtp.EnhancedCode{5, 6, 7}
}

// refusalOf turns an answer to a mail into a Refusal.
func refusalOf(answer *smtp.SMTPError) *Refusal {
	return &Refusal{
		// Gmail says 550 5.4.5 when the day's quota is used up; it ends.
		Permanent: answer.Code/100 == 5 && answer.EnhancedCode != smtp.EnhancedCode{5, 4, 5},
		Closing:   answer.Code == 421, // RFC 5321, 3.8
		Answer:    words(answer).Error(),
	}
}

// words gives a server's answer as it stood on the wire, and other errors as
// they are.
func words(err error) error {
	var answer *smtp.SMTPError
	if !errors.As(err, &answer) {
		return err
	}
	text := strconv.Itoa(answer.Code)
	if code := answer.EnhancedCode; code != smtp.EnhancedCodeNotSet && code != smtp.NoEnhancedCode {
		text += fmt.Sprintf(" %d.%d.%d", code[0], code[1], code[2])
	}
	return errors.New(oneLine(text + " " + answer.Message))
}

// Close ends the session, politely where the other side still listens.
func (s *smtpSession) Close() error {
	if s.broken {
		return s.conn.Close()
	}
	s.client.CommandTimeout = s.quit
	if err := s.client.Quit(); err != nil {
		s.conn.Close()
		return fmt.Errorf("quit: %w", words(err))
	}
	return nil
}

// envelope returns the addresses as they stand in SMTP commands and command
// lines. They are checked here once more because nothing but one address may
// stand there, wherever the item comes from; and an empty mail helps nobody.
func envelope(item Item) (from, to string, err error) {
	if len(item.Raw) == 0 {
		return "", "", &Refusal{Permanent: true, Answer: "not sent: the mail is empty"}
	}
	if item.From != "" { // the null return path
		if from, err = compose.Mailbox(item.From); err != nil {
			return "", "", &Refusal{Permanent: true, Answer: "not sent: return path: " + err.Error()}
		}
	}
	if to, err = compose.Mailbox(item.To); err != nil {
		return "", "", &Refusal{Permanent: true, Answer: "not sent: " + err.Error()}
	}
	return from, to, nil
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] > '~' {
			return false
		}
	}
	return true
}
