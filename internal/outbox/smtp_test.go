package outbox_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"ringpost/internal/outbox"
)

func itoa(n int) string { return strconv.Itoa(n) }

// short is how long tests wait for a server that will never answer.
const short = 50 * time.Millisecond

// by returns a rig that sends through tr.
func by(tr outbox.Transport, mails int) *rig {
	r := newRig(mails)
	r.Sender = outbox.New(r.queue, tr, r.clock, discard)
	return r
}

func TestSMTPDelivers(t *testing.T) {
	s := startServer(t, nil)
	tr := smtpTo(s)
	w := tapped(s, tr)
	r := by(tr, 3)
	r.queue.mails[1].item.From = ""
	if err := flush(t, r.Sender, 3, 0, 0); err != nil {
		t.Fatal(err)
	}
	got := s.got()
	if len(got) != 3 || s.connected() != 1 {
		t.Fatalf("%d mails over %d connections", len(got), s.connected())
	}
	for i, d := range got {
		item := r.queue.mails[i].item
		if want := (delivery{item.From, item.To, string(item.Raw)}); d != want {
			t.Errorf("mail %d (-want +got):\n%s", i+1, cmp.Diff(want, d, cmp.AllowUnexported(delivery{})))
		}
	}
	lines := w.lines()
	if last := lines[len(lines)-1]; last != "QUIT" {
		t.Errorf("the last words were %q", last)
	}
	if want := "SIZE=" + itoa(len(r.queue.mails[0].item.Raw)); !strings.Contains(strings.Join(lines, "\n"), want) {
		t.Errorf("MAIL did not say %s", want)
	}
}

// TestSMTPAnswers: every answer to one mail, and that it stops no other.
func TestSMTPAnswers(t *testing.T) {
	no := func(code int, enhanced smtp.EnhancedCode) *smtp.SMTPError {
		return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: "no"}
	}
	for _, tc := range []struct {
		name             string
		mail, rcpt, data *smtp.SMTPError
		want             outbox.State
		answer           string
		connections      int
	}{
		{name: "4xx at MAIL", mail: no(450, smtp.EnhancedCode{4, 7, 1}), want: outbox.Retry, answer: "450 4.7.1 no", connections: 1},
		{name: "5xx at MAIL", mail: no(550, smtp.EnhancedCode{5, 7, 1}), want: outbox.Retry, answer: "MAIL FROM: 550 5.7.1 no", connections: 2},
		{name: "too large at MAIL", mail: no(552, smtp.EnhancedCode{5, 3, 4}), want: outbox.Failed, answer: "552 5.3.4 no", connections: 1},
		{name: "no such address at MAIL", mail: no(553, smtp.EnhancedCode{5, 6, 7}), want: outbox.Failed, answer: "553 5.6.7 no", connections: 1},
		{name: "4xx at RCPT", rcpt: no(451, smtp.EnhancedCode{4, 2, 2}), want: outbox.Retry, answer: "451 4.2.2 no", connections: 1},
		{name: "5xx at RCPT", rcpt: no(550, smtp.EnhancedCode{5, 1, 1}), want: outbox.Failed, answer: "550 5.1.1 no", connections: 1},
		{name: "4xx at the dot", data: no(452, smtp.EnhancedCode{4, 3, 1}), want: outbox.Retry, answer: "452 4.3.1 no", connections: 1},
		{name: "5xx at the dot", data: no(554, smtp.EnhancedCode{5, 6, 0}), want: outbox.Failed, answer: "554 5.6.0 no", connections: 1},
		{name: "quota of the day", rcpt: no(550, smtp.EnhancedCode{5, 4, 5}), want: outbox.Retry, answer: "550 5.4.5 no", connections: 1},
		{name: "421 at MAIL", mail: no(421, smtp.EnhancedCode{4, 7, 0}), want: outbox.Retry, answer: "421 4.7.0 no", connections: 2},
		{name: "login wanted", mail: no(530, smtp.EnhancedCode{5, 7, 0}), want: outbox.Retry, answer: "MAIL FROM: 530 5.7.0 no", connections: 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := startServer(t, func(s *server) {
				s.mail = func(from string) error { return when(from == "gm+b2@ringpost.test", tc.mail) }
				s.rcpt = func(to string) error { return when(to == "player2@example.org", tc.rcpt) }
				s.data = func(_ *smtp.Conn, raw []byte) error { return when(strings.Contains(string(raw), "mail 2"), tc.data) }
			})
			r := by(smtpTo(s), 3)
			retried, failed := 1, 0
			if tc.want == outbox.Failed {
				retried, failed = 0, 1
			}
			if err := flush(t, r.Sender, 2, retried, failed); err != nil {
				t.Fatal(err)
			}
			if got := r.queue.result(2); got.State != tc.want || got.Answer != tc.answer || got.Ambiguous {
				t.Errorf("result %+v, want %s %q", got, tc.want, tc.answer)
			}
			if got := s.connected(); got != tc.connections {
				t.Errorf("%d connections, want %d", got, tc.connections)
			}
			if got := s.got(); len(got) != 2 || got[0].to != "player1@example.org" || got[1].to != "player3@example.org" {
				t.Errorf("delivered %v", got)
			}
		})
	}
}

// when returns err if it is to happen; a nil *SMTPError is no error.
func when(happens bool, err *smtp.SMTPError) error {
	if !happens || err == nil {
		return nil
	}
	return err
}

func TestSMTPDropAtTheDot(t *testing.T) {
	drops := 1
	s := startServer(t, func(s *server) {
		s.data = func(c *smtp.Conn, raw []byte) error {
			if drops--; drops >= 0 {
				c.Conn().Close()
			}
			return nil
		}
	})
	r := by(smtpTo(s), 2)
	if err := flush(t, r.Sender, 1, 1, 0); err != nil {
		t.Fatal(err)
	}
	if got := r.queue.result(1); got.State != outbox.Retry || !got.Ambiguous {
		t.Errorf("result %+v", got)
	}
	r.clock.advance(time.Minute)
	if err := flush(t, r.Sender, 1, 0, 0); err != nil {
		t.Fatal(err)
	}
	got := s.got() // the server did keep the first copy
	if len(got) != 3 || got[0] != got[2] || !strings.Contains(got[2].raw, "Message-ID: <1@ringpost.test>") {
		t.Errorf("delivered %v", got)
	}
}

func TestSMTPSilenceAfterTheDot(t *testing.T) {
	over := make(chan struct{})
	s := startServer(t, func(s *server) {
		s.data = func(*smtp.Conn, []byte) error { <-over; return nil }
	})
	t.Cleanup(func() { close(over) })
	tr := smtpTo(s)
	tr.Timeouts.Final = short
	r := by(tr, 1)
	if err := flush(t, r.Sender, 0, 1, 0); err != nil {
		t.Fatal(err)
	}
	if got := r.queue.result(1); got.State != outbox.Retry || !got.Ambiguous {
		t.Errorf("result %+v", got)
	}
}

// TestSMTPSilence is a server that goes silent at some point before the dot:
// the mail is certainly not delivered, and nobody waits for ever.
func TestSMTPSilence(t *testing.T) {
	answers := map[string]string{
		"EHLO": "250 mx.example.com", "MAIL": "250 ok", "RCPT": "250 ok", "DATA": "354 go on", "RSET": "250 ok", "QUIT": "221 bye",
	}
	for _, verb := range []string{"MAIL", "RCPT", "DATA", "body"} {
		t.Run(verb, func(t *testing.T) {
			tr := scripted(t, func(lines *bufio.Scanner, conn net.Conn) {
				until := map[string]string{}
				for v, a := range answers {
					if v != verb {
						until[v] = a
					}
				}
				if verb == "body" {
					// One line of the mail is read, and then nothing more.
					until["DATA"] = answers["DATA"]
				}
				dialogue(lines, conn, until)
			})
			tr.Timeouts = outbox.Timeouts{Command: short, Block: short, Final: time.Hour}
			r := by(tr, 1)
			r.queue.mails[0].item.Raw = []byte(strings.Repeat("A line of a long mail.\r\n", 10000))
			if err := flush(t, r.Sender, 0, 1, 0); err != nil {
				t.Fatal(err)
			}
			if got := r.queue.result(1); got.State != outbox.Retry || got.Ambiguous {
				t.Errorf("result %+v", got)
			}
		})
	}
}

func TestSMTPSilentGreeting(t *testing.T) {
	tr := scripted(t, func(*bufio.Scanner, net.Conn) {})
	tr.Timeouts.Open = short
	if _, err := tr.Open(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestSMTPStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	tr := scripted(t, func(lines *bufio.Scanner, conn net.Conn) {
		dialogue(lines, conn, map[string]string{"EHLO": "250 mx.example.com"})
		stop() // at MAIL
	})
	session, err := tr.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = session.Send(ctx, newQueue(1).mails[0].item)
	var refusal *outbox.Refusal
	if err == nil || errors.As(err, &refusal) || errors.Is(err, outbox.ErrAmbiguous) {
		t.Errorf("error %v", err)
	}
	session.Close()
}

// TestSMTPDeadQuit: a server that does not say goodbye costs nothing.
func TestSMTPDeadQuit(t *testing.T) {
	tr := scripted(t, func(lines *bufio.Scanner, conn net.Conn) {
		dialogue(lines, conn, map[string]string{"EHLO": "250 mx.example.com"})
	})
	tr.Timeouts.Quit = short
	session, err := tr.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Close(); err == nil {
		t.Error("no error")
	}
}

// TestSMTPResetFails: the mail is refused and the connection lost over it.
func TestSMTPResetFails(t *testing.T) {
	tr := scripted(t, func(lines *bufio.Scanner, conn net.Conn) {
		dialogue(lines, conn, map[string]string{"EHLO": "250 mx.example.com", "MAIL": "250 ok", "RCPT": "550 5.1.1 unknown"})
		conn.Close() // at RSET
	})
	session, err := tr.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = session.Send(t.Context(), newQueue(1).mails[0].item)
	var refusal *outbox.Refusal
	if !errors.As(err, &refusal) || !refusal.Permanent || !refusal.Closing || refusal.Answer != "550 5.1.1 unknown" {
		t.Errorf("error %+v", err)
	}
	session.Close()
}

// TestSMTPOutOfStep: a server that says yes to what asks for something else has not
// declined the mail, nor taken it for certain; the connection is of no more use.
func TestSMTPOutOfStep(t *testing.T) {
	for name, test := range map[string]struct {
		verb, answer string
		ambiguous    bool
	}{
		"250 to DATA":     {"DATA", "250 ok", false},
		"354 to MAIL":     {"MAIL", "354 go on", false},
		"354 to the dot":  {".", "354 go on", true},
		"noise after dot": {".", "hello", true},
	} {
		t.Run(name, func(t *testing.T) {
			answers := map[string]string{"EHLO": "250 mx.example.com", "MAIL": "250 ok", "RCPT": "250 ok", "DATA": "354 go on", ".": "250 ok", "RSET": "250 ok"}
			answers[test.verb] = test.answer
			tr := scripted(t, func(lines *bufio.Scanner, conn net.Conn) {
				io.WriteString(conn, "220 ready\r\n")
				for lines.Scan() { // lines of the mail have no answer
					if answer, ok := answers[strings.ToUpper(strings.Fields(lines.Text() + " ?")[0])]; ok {
						io.WriteString(conn, answer+"\r\n")
					}
				}
			})
			session, err := tr.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			err = session.Send(t.Context(), newQueue(1).mails[0].item)
			var refusal *outbox.Refusal
			if err == nil || errors.As(err, &refusal) || errors.Is(err, outbox.ErrAmbiguous) != test.ambiguous {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestSMTPSecurity(t *testing.T) {
	forServer, forClient := certificate(t)
	withTLS := func(s *server) { s.TLSConfig = forServer }
	for _, tc := range []struct {
		name     string
		server   func(*server)
		host     string
		security outbox.Security
		client   *tls.Config
		wrong    string // part of the error, "" for none
	}{
		{"STARTTLS", withTLS, "example.com", outbox.StartTLS, forClient, ""},
		{"STARTTLS not offered", nil, "example.com", outbox.StartTLS, forClient, "STARTTLS"},
		{"STARTTLS not offered on loopback", nil, "localhost", outbox.StartTLS, forClient, "STARTTLS"},
		{"STARTTLS of a stranger", withTLS, "example.com", outbox.StartTLS, nil, "certificate"},
		{"STARTTLS of another host", withTLS, "mail.example.net", outbox.StartTLS, forClient, "certificate"},
		{"plain on loopback", nil, "127.0.0.1", outbox.Plain, nil, ""},
		{"plain on localhost", nil, "LocalHost", outbox.Plain, nil, ""},
		{"plain elsewhere", nil, "example.com", outbox.Plain, nil, "unprotected"},
		{"plain on a name like loopback", nil, "127.0.0.1.example.com", outbox.Plain, nil, "unprotected"},
		{"nothing set", nil, "127.0.0.1", "", nil, "unknown protection"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := startServer(t, func(s *server) {
				s.mechanisms = []string{"PLAIN"}
				if tc.server != nil {
					tc.server(s)
				}
			})
			tr := &outbox.SMTP{Host: tc.host, Port: s.port, Security: tc.security, TLS: tc.client, Auth: outbox.Password(user, secret)}
			w := tapped(s, tr)
			r := by(tr, 1)
			if tc.wrong == "" {
				if err := flush(t, r.Sender, 1, 0, 0); err != nil {
					t.Fatal(err)
				}
			} else if err := flush(t, r.Sender, 0, 0, 0); err == nil || !strings.Contains(err.Error(), tc.wrong) {
				t.Fatalf("error %v, want one with %q", err, tc.wrong)
			}
			if tc.wrong != "" && slices.ContainsFunc(w.lines(), func(l string) bool { return strings.HasPrefix(l, "AUTH") }) {
				t.Error("the password went over an unprotected connection")
			}
		})
	}
}

func TestSMTPImplicitTLS(t *testing.T) {
	forServer, forClient := certificate(t)
	s := startServer(t, func(s *server) { s.mechanisms = []string{"PLAIN"} })
	listener, err := tls.Listen("tcp", "127.0.0.1:0", forServer)
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(listener) // ended by the server's Close
	tr := &outbox.SMTP{Host: "127.0.0.1", Port: listener.Addr().(*net.TCPAddr).Port, Security: outbox.ImplicitTLS,
		TLS: forClient, Auth: outbox.Password(user, secret)}
	if err := flush(t, by(tr, 2).Sender, 2, 0, 0); err != nil {
		t.Fatal(err)
	}
	if got := s.got(); len(got) != 2 {
		t.Errorf("delivered %v", got)
	}
	tr.TLS = nil
	if err := flush(t, by(tr, 1).Sender, 0, 0, 0); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("error %v for a certificate nobody trusts", err)
	}
}

func TestSMTPLogin(t *testing.T) {
	for _, tc := range []struct {
		name       string
		mechanisms []string
		password   string
		login      string
		wrong      string
	}{
		{"PLAIN", []string{"LOGIN", "PLAIN"}, secret, "PLAIN", ""},
		{"LOGIN", []string{"LOGIN"}, secret, "LOGIN", ""},
		{"wrong password", []string{"PLAIN"}, "wr0ng-pass", "", "535 5.7.8"},
		{"wrong password by LOGIN", []string{"LOGIN"}, "wr0ng-pass", "", "535 5.7.8"},
		{"no way to log in", nil, secret, "", "PLAIN nor LOGIN"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := startServer(t, func(s *server) { s.mechanisms = tc.mechanisms })
			tr := smtpTo(s)
			tr.Auth = outbox.Password(user, tc.password)
			r := by(tr, 1)
			if tc.wrong == "" {
				if err := flush(t, r.Sender, 1, 0, 0); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]string{tc.login}, s.logins); diff != "" {
					t.Errorf("logins (-want +got):\n%s", diff)
				}
				return
			}
			err := flush(t, r.Sender, 0, 0, 0)
			if err == nil || !strings.Contains(err.Error(), tc.wrong) {
				t.Fatalf("error %v, want one with %q", err, tc.wrong)
			}
			if strings.Contains(err.Error(), tc.password) {
				t.Errorf("the error tells the password: %v", err)
			}
			if got := r.queue.mails[0].item.Attempts; got != 0 {
				t.Errorf("%d attempts although nothing could be sent", got)
			}
		})
	}
}

// TestSMTPParrot: a server that repeats what it has not understood does not get the
// password into an error.
func TestSMTPParrot(t *testing.T) {
	for _, mechanism := range []string{"PLAIN", "LOGIN"} {
		tr := scripted(t, func(lines *bufio.Scanner, conn net.Conn) {
			io.WriteString(conn, "220 ready\r\n")
			for lines.Scan() {
				switch line := lines.Text(); {
				case strings.HasPrefix(line, "EHLO"):
					io.WriteString(conn, "250-mx.example.com\r\n250 AUTH "+mechanism+"\r\n")
				case strings.HasPrefix(line, "AUTH LOGIN"):
					io.WriteString(conn, "334 "+base64.StdEncoding.EncodeToString([]byte("Password:"))+"\r\n")
				default:
					io.WriteString(conn, "500 5.5.1 Command unrecognized: "+line+" (correct-horse)\r\n")
				}
			}
		})
		tr.Auth = outbox.Password("gm", "correct-horse")
		_, err := tr.Open(t.Context())
		if err == nil || !strings.Contains(err.Error(), "Command unrecognized") || !strings.Contains(err.Error(), "app password") {
			t.Fatalf("%s: %v", mechanism, err)
		}
		for _, said := range []string{"correct-horse", base64.StdEncoding.EncodeToString([]byte("correct-horse")),
			base64.StdEncoding.EncodeToString([]byte("\x00gm\x00correct-horse"))} {
			if strings.Contains(err.Error(), said) {
				t.Errorf("%s: the error tells the password: %v", mechanism, err)
			}
		}
	}
}

// TestSMTPLoginPutOff: who is asked to come again later is not told to look at his
// password.
func TestSMTPLoginPutOff(t *testing.T) {
	tr := scripted(t, func(lines *bufio.Scanner, conn net.Conn) {
		dialogue(lines, conn, map[string]string{
			"EHLO": "250-mx.example.com\r\n250 AUTH PLAIN",
			"AUTH": "454 4.7.0 Too many login attempts, please try again later",
			"*":    "501 5.5.2 what?",
			"QUIT": "221 bye",
		})
	})
	tr.Auth = outbox.Password("gm", "correct-horse")
	_, err := tr.Open(t.Context())
	if err == nil || !strings.Contains(err.Error(), "454 4.7.0 Too many") || strings.Contains(err.Error(), "app password") {
		t.Errorf("error %v", err)
	}
}

// bearer is a login by token that wants to know of a refusal.
type bearer struct {
	sasl.Client
	refused *int
}

func (b bearer) Refused() { *b.refused++ }

func TestSMTPRefusedToken(t *testing.T) {
	for no, want := range map[string]int{"535 5.7.3 Authentication unsuccessful": 1, "454 4.7.0 Temporary authentication failure": 0} {
		refusals := 0
		tr := scripted(t, func(lines *bufio.Scanner, conn net.Conn) {
			dialogue(lines, conn, map[string]string{"EHLO": "250-mx.example.com\r\n250 AUTH XOAUTH2", "AUTH": no, "*": "501 what?", "QUIT": "221 bye"})
		})
		tr.Auth = func(context.Context, func(string) bool) (sasl.Client, error) {
			return bearer{sasl.NewOAuthBearerClient(&sasl.OAuthBearerOptions{Username: "gm", Token: "t"}), &refusals}, nil
		}
		_, err := tr.Open(t.Context())
		if err == nil || refusals != want || strings.Contains(err.Error(), "consent") != (want == 1) {
			t.Errorf("%s: %d refusals, %v", no, refusals, err)
		}
	}
}

func TestSMTPAddresses(t *testing.T) {
	for _, tc := range []struct {
		name, from, to string
		utf8           bool
		got            string // recipient the server sees, "" when refused
	}{
		{"domain outside ASCII", "", "joerg@Müller.example", false, "joerg@xn--mller-kva.example"},
		{"local part outside ASCII", "", "jörg@example.org", false, ""},
		{"local part outside ASCII, server can", "", "jörg@example.org", true, "jörg@example.org"},
		{"sender outside ASCII", "jörg@example.org", "a@example.org", false, ""},
		{"injected command", "", "a@example.org>\r\nRCPT TO:<b@example.org", false, ""},
		{"injected parameter", "", "a@example.org> NOTIFY=NEVER <", false, ""},
		{"injected sender", "a@b.example>\r\nRSET", "a@example.org", false, ""},
		{"two recipients", "", "a@example.org,b@example.org", false, ""},
		{"none", "", "", false, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := startServer(t, func(s *server) { s.EnableSMTPUTF8 = tc.utf8 })
			tr := smtpTo(s)
			w := tapped(s, tr)
			r := by(tr, 1)
			r.queue.mails[0].item.From, r.queue.mails[0].item.To = tc.from, tc.to
			if tc.got == "" {
				if err := flush(t, r.Sender, 0, 0, 1); err != nil {
					t.Fatal(err)
				}
				if got := r.queue.result(1).Answer; !strings.HasPrefix(got, "not sent: ") || strings.ContainsAny(got, "\r\n") {
					t.Errorf("answer %q", got)
				}
				if got := w.lines(); len(got) != 2 {
					t.Errorf("more than EHLO and QUIT was said: %q", got)
				}
				return
			}
			if err := flush(t, r.Sender, 1, 0, 0); err != nil {
				t.Fatal(err)
			}
			if got := s.got(); len(got) != 1 || got[0].to != tc.got {
				t.Errorf("delivered %v", got)
			}
		})
	}
}

func TestSMTPTooLarge(t *testing.T) {
	s := startServer(t, func(s *server) { s.MaxMessageBytes = 1000 })
	r := by(smtpTo(s), 2)
	r.queue.mails[0].item.Raw = []byte(strings.Repeat("x", 1001))
	if err := flush(t, r.Sender, 1, 0, 1); err != nil {
		t.Fatal(err)
	}
	if got := r.queue.result(1).Answer; !strings.Contains(got, "1001") || !strings.Contains(got, "1000") {
		t.Errorf("answer %q", got)
	}
}

func TestSMTPNobodyThere(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	r := by(&outbox.SMTP{Host: "127.0.0.1", Port: port, Security: outbox.Plain}, 1)
	if err := flush(t, r.Sender, 0, 0, 0); err == nil || !strings.Contains(err.Error(), "127.0.0.1:"+itoa(port)) {
		t.Errorf("error %v", err)
	}
}

// TestSMTPGreetsWith says who we are, also after STARTTLS and RSET.
func TestSMTPGreetsWith(t *testing.T) {
	s := startServer(t, func(s *server) {
		s.rcpt = func(string) error { return &smtp.SMTPError{Code: 550, Message: "no"} }
	})
	tr := smtpTo(s)
	tr.HelloAs = "ringpost.test"
	w := tapped(s, tr)
	if err := flush(t, by(tr, 2).Sender, 0, 0, 2); err != nil {
		t.Fatal(err)
	}
	for _, line := range w.lines() {
		if strings.HasPrefix(line, "EHLO") && line != "EHLO ringpost.test" {
			t.Errorf("greeted with %q", line)
		}
	}
}

// BenchmarkSMTP sends 5,000 mails of 1 KB over one connection on loopback.
func BenchmarkSMTP(b *testing.B) {
	s := startServer(b, nil)
	body := []byte(strings.Repeat("This line has its end at the fortieth.\r\n", 25))
	const mails = 5000
	for b.Loop() {
		r := by(smtpTo(s), mails)
		for _, m := range r.queue.mails {
			m.item.Raw = append(m.item.Raw, body...)
		}
		sent, _, _, err := r.Flush(b.Context())
		if err != nil || sent != mails {
			b.Fatalf("sent %d: %v", sent, err)
		}
		s.mu.Lock()
		s.deliveries = nil
		s.mu.Unlock()
	}
	b.ReportMetric(float64(mails*b.N)/b.Elapsed().Seconds(), "mails/s")
}
