package mailtest_test

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"ringpost/internal/mailtest"
)

const limit = 30 * time.Second

func letter(subject string) *strings.Reader {
	return strings.NewReader("From: a@players.test\r\nTo: gm@pbem.test\r\nSubject: " + subject + "\r\n\r\nHello.\r\n")
}

// inbox opens a mailbox over TLS and reports each change of its number of mails.
func inbox(t *testing.T, s *mailtest.Servers, user string) (*imapclient.Client, <-chan uint32) {
	t.Helper()
	counts := make(chan uint32, 16)
	c, err := imapclient.DialTLS(s.IMAPS, &imapclient.Options{
		TLSConfig: s.TLS(),
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{
			Mailbox: func(data *imapclient.UnilateralDataMailbox) {
				if data.NumMessages != nil {
					counts <- *data.NumMessages
				}
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.Login(user, mailtest.Password).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	return c, counts
}

func waitForMail(t *testing.T, c *imapclient.Client, counts <-chan uint32) {
	t.Helper()
	idle, err := c.Idle()
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-counts:
	case <-time.After(limit):
		t.Fatal("no mail arrived")
	}
	if err := idle.Close(); err != nil {
		t.Fatal(err)
	}
	if err := idle.Wait(); err != nil {
		t.Fatal(err)
	}
}

// send hands a mail over as another mail server does.
func send(s *mailtest.Servers, rcpt string) error {
	c, err := smtp.DialStartTLS(s.SMTP, s.TLS())
	if err != nil {
		return err
	}
	defer c.Close()
	return c.SendMail("a@players.test", []string{rcpt}, letter("one"))
}

func TestMailGoesRound(t *testing.T) {
	s := mailtest.Start(t, mailtest.Options{})
	t.Run("plus-address over SMTP", func(t *testing.T) {
		c, counts := inbox(t, s, s.Box())
		if err := send(s, "box1+token@pbem.test"); err != nil {
			t.Fatal(err)
		}
		waitForMail(t, c, counts)
	})
	t.Run("players' domain over submission", func(t *testing.T) {
		c, counts := inbox(t, s, "players")
		conn, err := smtp.DialStartTLS(s.Submission, s.TLS())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.Auth(sasl.NewPlainClient("", "gm", mailtest.Password)); err != nil {
			t.Fatal(err)
		}
		if err := conn.SendMail("gm@pbem.test", []string{"anna@players.test"}, letter("two")); err != nil {
			t.Fatal(err)
		}
		waitForMail(t, c, counts)
	})
	t.Run("unknown and foreign addresses are refused", func(t *testing.T) {
		for _, rcpt := range []string{"nobody@pbem.test", "someone@example.org"} {
			err := send(s, rcpt)
			var refusal *smtp.SMTPError
			if !errors.As(err, &refusal) || refusal.Temporary() {
				t.Errorf("mail to %s: got %v, want a final refusal", rcpt, err)
			}
		}
	})
	t.Run("wrong password", func(t *testing.T) {
		c, err := imapclient.DialStartTLS(s.IMAP, &imapclient.Options{TLSConfig: s.TLS()})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.Login("gm", "wrong").Wait(); err == nil {
			t.Error("a wrong password logged in")
		}
	})
	t.Run("certificate is checked", func(t *testing.T) {
		_, err := imapclient.DialTLS(s.IMAPS, &imapclient.Options{TLSConfig: &tls.Config{ServerName: "localhost"}})
		if err == nil {
			t.Error("connected without trusting the certificate")
		}
	})
}

func TestRestrictedCapabilities(t *testing.T) {
	s := mailtest.Start(t, mailtest.Options{IMAPCapability: "IMAP4rev1 SASL-IR LITERAL+"})
	c, _ := inbox(t, s, s.Box())
	caps, err := c.Capability().Wait()
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []imap.Cap{imap.CapMove, imap.CapUIDPlus, imap.CapIdle} {
		if caps.Has(hidden) {
			t.Errorf("%s is still announced", hidden)
		}
	}
}

func TestServersStop(t *testing.T) {
	var addr string
	t.Run("run", func(t *testing.T) {
		addr = mailtest.Start(t, mailtest.Options{}).IMAP
	})
	if addr == "" {
		t.Skip("no servers here")
	}
	if conn, err := net.Dial("tcp", addr); err == nil {
		conn.Close()
		t.Error("a server outlived its test")
	}
}
