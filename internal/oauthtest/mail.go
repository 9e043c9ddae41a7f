package oauthtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"slices"
	"sync"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// XOAUTH2 is the mechanism that go-sasl does not have.
const XOAUTH2 = "XOAUTH2"

// longLine has room for the long tokens of some providers.
const longLine = 16 << 10

// Mail is an account on an IMAP and an SMTP server, which take nothing but tokens.
type Mail struct {
	IMAP, SMTP string // host:port on loopback

	user string
	box  *imapmemserver.User

	mu     sync.Mutex
	sent   []string
	logins []string
}

// StartMail runs both servers until the test ends. takes tells whether a token is good; mechanisms are what the
// servers offer.
func StartMail(t testing.TB, user string, takes func(token string) bool, mechanisms ...string) *Mail {
	t.Helper()
	m := &Mail{user: user, box: imapmemserver.NewUser(user, "")}
	if err := m.box.Create("INBOX", nil); err != nil {
		t.Fatal(err)
	}
	quiet := log.New(io.Discard, "", 0)
	in := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return &imapSession{imapmemserver.NewUserSession(m.box), m, takes, mechanisms}, nil, nil
		},
		Caps: imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapMove: {}, imap.CapUIDPlus: {}}, InsecureAuth: true, Logger: quiet,
	})
	m.IMAP = listen(t, in)
	out := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &smtpSession{mail: m, takes: takes, mechanisms: mechanisms}, nil
	}))
	out.AllowInsecureAuth, out.ErrorLog, out.MaxLineLength = true, quiet, longLine
	m.SMTP = listen(t, out)
	return m
}

func listen(t testing.TB, server interface {
	Serve(net.Listener) error
	Close() error
}) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() { server.Serve(l); close(served) }()
	// Close knows the listener only once Serve has begun.
	t.Cleanup(func() { server.Close(); l.Close(); <-served })
	return l.Addr().String()
}

// Put lays a mail into the mailbox.
func (m *Mail) Put(t testing.TB, mail string) {
	t.Helper()
	if _, err := m.box.Append("INBOX", bytes.NewReader([]byte(mail)), &imap.AppendOptions{}); err != nil {
		t.Fatal(err)
	}
}

// Sent are the mails that went out.
func (m *Mail) Sent() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.sent)
}

// Logins are the logins that succeeded, each as "imap XOAUTH2" or the like.
func (m *Mail) Logins() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.logins)
}

// server is the servers' side of a login.
func (m *Mail) server(protocol, mechanism string, takes func(string) bool, refusal error, welcome func()) sasl.Server {
	good := func(user, token string) bool {
		if user != m.user || !takes(token) {
			return false
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.logins = append(m.logins, protocol+" "+mechanism)
		welcome()
		return true
	}
	if mechanism == XOAUTH2 {
		return &xoauth2{good: good, refusal: refusal}
	}
	return &bearer{refusal: refusal, Server: sasl.NewOAuthBearerServer(func(o sasl.OAuthBearerOptions) *sasl.OAuthBearerError {
		if !good(o.Username, o.Token) {
			return &sasl.OAuthBearerError{Status: "invalid_token", Schemes: "bearer", Scope: "mail"}
		}
		return nil
	})}
}

// bearer words the library's refusal in the server's protocol.
type bearer struct {
	sasl.Server
	refusal error
}

func (b *bearer) Next(response []byte) (challenge []byte, done bool, err error) {
	challenge, done, err = b.Server.Next(response)
	if err != nil {
		err = b.refusal
	}
	return challenge, done, err
}

// xoauth2 is the mechanism as Google describes it: a bad token gets a challenge in JSON, then an empty answer is
// awaited, then comes the refusal.
type xoauth2 struct {
	good    func(user, token string) bool
	refusal error
	failed  bool
}

func (x *xoauth2) Next(response []byte) (challenge []byte, done bool, err error) {
	switch {
	case x.failed && len(response) > 0:
		return nil, false, errors.New("the client talks on")
	case x.failed:
		return nil, false, x.refusal
	case response == nil:
		return []byte{}, false, nil
	}
	parts := bytes.Split(response, []byte{1})
	if len(parts) == 4 && len(parts[2]) == 0 && len(parts[3]) == 0 {
		user, isUser := bytes.CutPrefix(parts[0], []byte("user="))
		token, isToken := bytes.CutPrefix(parts[1], []byte("auth=Bearer "))
		if isUser && isToken && x.good(string(user), string(token)) {
			return nil, true, nil
		}
	}
	x.failed = true
	challenge, err = json.Marshal(map[string]string{"status": "400", "schemes": "Bearer", "scope": "https://mail.provider.example/"})
	return challenge, false, err
}

type imapSession struct {
	*imapmemserver.UserSession
	mail       *Mail
	takes      func(string) bool
	mechanisms []string
}

// AuthenticateMechanisms implements imapserver.SessionSASL.
func (s *imapSession) AuthenticateMechanisms() []string { return s.mechanisms }

// Authenticate implements imapserver.SessionSASL.
func (s *imapSession) Authenticate(mechanism string) (sasl.Server, error) {
	if !slices.Contains(s.mechanisms, mechanism) {
		return nil, imapserver.ErrAuthFailed
	}
	return s.mail.server("imap", mechanism, s.takes, imapserver.ErrAuthFailed, func() {}), nil
}

// Login takes no password.
func (s *imapSession) Login(string, string) error { return imapserver.ErrAuthFailed }

type smtpSession struct {
	mail       *Mail
	takes      func(string) bool
	mechanisms []string
	welcome    bool
}

// AuthMechanisms implements smtp.AuthSession.
func (s *smtpSession) AuthMechanisms() []string { return s.mechanisms }

// Auth implements smtp.AuthSession.
func (s *smtpSession) Auth(mechanism string) (sasl.Server, error) {
	if !slices.Contains(s.mechanisms, mechanism) {
		return nil, smtp.ErrAuthUnknownMechanism
	}
	return s.mail.server("smtp", mechanism, s.takes, smtp.ErrAuthFailed, func() { s.welcome = true }), nil
}

// Mail wants a login first.
func (s *smtpSession) Mail(string, *smtp.MailOptions) error {
	if !s.welcome {
		return smtp.ErrAuthRequired
	}
	return nil
}

// Rcpt takes everybody.
func (s *smtpSession) Rcpt(string, *smtp.RcptOptions) error { return nil }

// Data keeps the mail.
func (s *smtpSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.mail.mu.Lock()
	defer s.mail.mu.Unlock()
	s.mail.sent = append(s.mail.sent, string(raw))
	return nil
}

// Reset implements smtp.Session.
func (s *smtpSession) Reset() {}

// Logout implements smtp.Session.
func (s *smtpSession) Logout() error { return nil }
