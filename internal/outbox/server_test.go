package outbox_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"ringpost/internal/outbox"
)

// delivery is a mail as the server got it.
type delivery struct {
	from, to string
	raw      string
}

// server is an SMTP server on loopback that fails as told.
type server struct {
	*smtp.Server
	port int

	mail, rcpt func(address string) error
	data       func(c *smtp.Conn, raw []byte) error
	mechanisms []string // offered; every one takes user and secret

	mu          sync.Mutex
	deliveries  []delivery
	connections int
	logins      []string
}

const user, secret = "gm", "s3cr3t-pass"

// startServer starts a server; change alters it before.
func startServer(t testing.TB, change func(*server)) *server {
	t.Helper()
	s := &server{}
	s.Server = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.connections++
		return &serverSession{server: s, conn: c}, nil
	}))
	s.Domain = "mx.example.com"
	s.ErrorLog = log.New(io.Discard, "", 0)
	s.AllowInsecureAuth = true
	if change != nil {
		change(s)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.port = listener.Addr().(*net.TCPAddr).Port
	served := make(chan struct{})
	go func() { s.Serve(listener); close(served) }()
	// Close knows the listener only once Serve has begun.
	t.Cleanup(func() { s.Close(); listener.Close(); <-served })
	return s
}

// got returns what was delivered so far.
func (s *server) got() []delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]delivery(nil), s.deliveries...)
}

func (s *server) connected() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connections
}

type serverSession struct {
	*server
	conn     *smtp.Conn
	from, to string
}

func (s *serverSession) Reset()        { s.from, s.to = "", "" }
func (s *serverSession) Logout() error { return nil }

func (s *serverSession) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	if s.mail == nil {
		return nil
	}
	return s.mail(from)
}

func (s *serverSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	if s.rcpt == nil {
		return nil
	}
	return s.rcpt(to)
}

func (s *serverSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.data != nil {
		if err := s.data(s.conn, raw); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deliveries = append(s.deliveries, delivery{s.from, s.to, string(raw)})
	return nil
}

func (s *serverSession) AuthMechanisms() []string { return s.mechanisms }

func (s *serverSession) Auth(mechanism string) (sasl.Server, error) {
	check := func(name, password string) error {
		if name != user || password != secret {
			return smtp.ErrAuthFailed
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.logins = append(s.logins, mechanism)
		return nil
	}
	switch mechanism {
	case sasl.Plain:
		return sasl.NewPlainServer(func(_, name, password string) error { return check(name, password) }), nil
	case sasl.Login:
		return &loginServer{check: check}, nil
	}
	return nil, smtp.ErrAuthUnknownMechanism
}

// loginServer is the server's side of LOGIN, which go-sasl does not have. The
// client names itself in its first words.
type loginServer struct {
	check func(name, password string) error
	name  string
}

func (l *loginServer) Next(response []byte) (challenge []byte, done bool, err error) {
	if l.name == "" {
		l.name = string(response)
		return []byte("Password:"), false, nil
	}
	return nil, true, l.check(l.name, string(response))
}

// smtpTo returns the transport to s.
func smtpTo(s *server) *outbox.SMTP {
	return &outbox.SMTP{Host: "127.0.0.1", Port: s.port, Security: outbox.Plain}
}

// certificate is a server's TLS setup and a client's that trusts it, for the
// names example.com and 127.0.0.1.
func certificate(t *testing.T) (forServer, forClient *tls.Config) {
	t.Helper()
	web := httptest.NewUnstartedServer(nil)
	web.StartTLS()
	t.Cleanup(web.Close)
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	return &tls.Config{Certificates: web.TLS.Certificates}, &tls.Config{RootCAs: roots}
}

// wire is a connection that keeps what the client said.
type wire struct {
	net.Conn
	mu   sync.Mutex
	said bytes.Buffer
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	w.said.Write(p)
	w.mu.Unlock()
	return w.Conn.Write(p)
}

func (w *wire) lines() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Split(strings.TrimSuffix(w.said.String(), "\r\n"), "\r\n")
}

// tapped makes a transport's connections go into the returned wire, to s
// whatever the transport's host is.
func tapped(s *server, tr *outbox.SMTP) *wire {
	w := &wire{}
	address := net.JoinHostPort("127.0.0.1", itoa(s.port))
	tr.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		w.Conn = conn
		return w, err
	}
	return w
}

// scripted is a transport whose server runs script on its end of a pipe with
// no buffer: what script does not read is never written. When script returns
// the server is silent, but still there.
func scripted(t *testing.T, script func(lines *bufio.Scanner, conn net.Conn)) *outbox.SMTP {
	t.Helper()
	return &outbox.SMTP{Host: "localhost", Port: 25, Security: outbox.Plain,
		Dial: func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			ended := make(chan struct{})
			go func() { script(bufio.NewScanner(theirs), theirs); close(ended) }()
			t.Cleanup(func() { ours.Close(); theirs.Close(); <-ended })
			return ours, nil
		}}
}

// dialogue answers commands by their verb until one is missing in answers.
func dialogue(lines *bufio.Scanner, conn net.Conn, answers map[string]string) {
	io.WriteString(conn, "220 ready\r\n")
	for lines.Scan() {
		answer, ok := answers[strings.ToUpper(strings.Fields(lines.Text() + " ?")[0])]
		if !ok {
			return
		}
		io.WriteString(conn, answer+"\r\n")
	}
}
