package postoffice

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"
)

const (
	limit    = 20 * time.Second // how long an event may take before a test gives up
	password = "secret"
	own      = "GM@pbem.test"
)

var noon = time.Date(2031, 5, 4, 12, 0, 0, 0, time.UTC)

// tiny is an office that is soon full.
var tiny = limits{accounts: 3, folders: 3, mails: 10, bytes: 4 << 10, mail: 2 << 10}

func open(t *testing.T, l limits) (*Office, <-chan Delivery) {
	t.Helper()
	deliveries := make(chan Delivery, 1000)
	o, err := start(Options{
		Own: own, Password: password,
		Now:        func() time.Time { return noon },
		OnDelivery: func(d Delivery) { deliveries <- d },
		Logger:     slog.New(slog.DiscardHandler),
	}, l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return o, deliveries
}

const text = "From: anna@players.test\r\nTo: gm@pbem.test\r\nSubject: orders\r\n\r\nNAME Anna\r\n"

func send(o *Office, from, mail string, to ...string) error {
	c, err := smtp.Dial(o.SMTPAddr())
	if err != nil {
		return err
	}
	defer c.Close()
	return c.SendMail(from, to, strings.NewReader(mail))
}

func mustSend(t *testing.T, o *Office, from, mail string, to ...string) {
	t.Helper()
	if err := send(o, from, mail, to...); err != nil {
		t.Fatal(err)
	}
}

// client logs in and selects INBOX; counts reports each change of its number of mails.
func client(t *testing.T, o *Office, name string) (c *imapclient.Client, counts <-chan uint32) {
	t.Helper()
	news := make(chan uint32, 1000)
	c, err := imapclient.DialInsecure(o.IMAPAddr(), &imapclient.Options{
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{
			Mailbox: func(data *imapclient.UnilateralDataMailbox) {
				if data.NumMessages == nil {
					return
				}
				select {
				case news <- *data.NumMessages:
				default: // nobody follows this client
				}
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.Login(name, password).Wait(); err != nil {
		t.Fatalf("login %s: %v", name, err)
	}
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	return c, news
}

type fetched struct {
	UID  imap.UID
	Time time.Time
	Size int64
	Text string
}

func fetch(t *testing.T, c *imapclient.Client, uids imap.UIDSet) []fetched {
	t.Helper()
	section := &imap.FetchItemBodySection{Peek: true}
	got, err := c.Fetch(uids, &imap.FetchOptions{
		UID: true, InternalDate: true, RFC822Size: true, BodySection: []*imap.FetchItemBodySection{section},
	}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	var all []fetched
	for _, m := range got {
		if m.SeqNum == 0 {
			t.Errorf("mail %d was announced with sequence number 0", m.UID)
		}
		all = append(all, fetched{m.UID, m.InternalDate.UTC(), m.RFC822Size, string(m.FindBodySection(section))})
	}
	return all
}

// everything is UID 1:*.
var everything = imap.UIDSet{{Start: 1, Stop: 0}}

func count(t *testing.T, c *imapclient.Client, folder string) uint32 {
	t.Helper()
	data, err := c.Status(folder, &imap.StatusOptions{NumMessages: true}).Wait()
	if err != nil {
		t.Fatal(err)
	}
	return *data.NumMessages
}

func TestSMTPInIMAPOut(t *testing.T) {
	o, deliveries := open(t, defaultLimits)
	mustSend(t, o, "anna@players.test", text, "gm@pbem.test")

	want := "Return-Path: <anna@players.test>\r\n" +
		"Delivered-To: gm@pbem.test\r\n" +
		"Received: by pbem.test (post office) with ESMTP; Sun, 04 May 2031 12:00:00 +0000\r\n" + text
	d := <-deliveries
	if diff := cmp.Diff(Delivery{
		Mailbox: "gm@pbem.test", From: "anna@players.test", To: []string{"gm@pbem.test"}, Time: noon, Size: int64(len(want)),
	}, d); diff != "" {
		t.Errorf("delivery (-want +got):\n%s", diff)
	}
	c, _ := client(t, o, "gm")
	if diff := cmp.Diff([]fetched{{1, noon, int64(len(want)), want}}, fetch(t, c, everything)); diff != "" {
		t.Errorf("mail (-want +got):\n%s", diff)
	}
}

// TestHalfMails: a connection lost within a mail leaves no half of it in a mailbox, whichever command it came by.
func TestHalfMails(t *testing.T) {
	o, _ := open(t, defaultLimits)
	for name, half := range map[string]string{"DATA": "DATA\r\n", "a chunk": "BDAT 1000\r\n", "the last chunk": "BDAT 1000 LAST\r\n"} {
		t.Run(name, func(t *testing.T) {
			c, err := net.Dial("tcp", o.SMTPAddr())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := io.WriteString(c, "EHLO mx\r\nMAIL FROM:<anna@players.test>\r\nRCPT TO:<gm@pbem.test>\r\n"+half+text); err != nil {
				t.Fatal(err)
			}
			if err := c.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, c); err != nil { // until the office has given up
				t.Fatal(err)
			}
			player, _ := client(t, o, "gm")
			if n := count(t, player, "INBOX"); n != 0 {
				t.Errorf("%d mails arrived", n)
			}
		})
	}
}

func TestWhichMailbox(t *testing.T) {
	for _, test := range []struct {
		name string
		to   []string
		want []string // mailboxes, in order of delivery
	}{
		{"own", []string{"gm@pbem.test"}, []string{"gm@pbem.test"}},
		{"any case", []string{"Gm@PBEM.test"}, []string{"gm@pbem.test"}},
		{"plus-address", []string{"gm+k3f9q2@pbem.test"}, []string{"gm@pbem.test"}},
		{"once a mailbox", []string{"gm@pbem.test", "gm+a@pbem.test"}, []string{"gm@pbem.test"}},
		{"another name in the own domain", []string{"gmx@pbem.test"}, []string{"gmx@pbem.test"}},
		{"own name in another domain", []string{"gm+a@players.test"}, []string{"gm+a@players.test"}},
		{"two mailboxes", []string{"anna@players.test", "gm@pbem.test"}, []string{"anna@players.test", "gm@pbem.test"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, deliveries := open(t, defaultLimits)
			mustSend(t, o, "", text, test.to...)
			var got []string
			for range test.want {
				got = append(got, (<-deliveries).Mailbox)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("mailboxes (-want +got):\n%s", diff)
			}
			for _, box := range test.want {
				c, _ := client(t, o, box)
				if n := count(t, c, "INBOX"); n != 1 {
					t.Errorf("%s holds %d mails, want 1", box, n)
				}
			}
		})
	}
}

func TestLogin(t *testing.T) {
	o, _ := open(t, defaultLimits)
	for _, test := range []struct {
		name, password string
		ok             bool
	}{
		{"gm", password, true},
		{"gm@pbem.test", password, true},
		{"anna@players.test", password, true},
		{"gm", "wrong", false},
		{"gm", "", false},
		{"gm", password + "x", false},
		{"anna", password, false}, // only the game master has a short name
		{"", password, false},
		{"two words@pbem.test", password, false},
	} {
		t.Run(test.name+"/"+test.password, func(t *testing.T) {
			c, err := imapclient.DialInsecure(o.IMAPAddr(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			err = c.Login(test.name, test.password).Wait()
			var refused *imap.Error
			if test.ok && err != nil || !test.ok && (!errors.As(err, &refused) || refused.Type != imap.StatusResponseTypeNo) {
				t.Errorf("IMAP login: %v", err)
			}

			s, err := smtp.Dial(o.SMTPAddr())
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			err = s.Auth(sasl.NewPlainClient("", test.name, test.password))
			if (err == nil) != test.ok {
				t.Errorf("SMTP login: %v", err)
			}
		})
	}
}

func TestBadAddressesAreRefused(t *testing.T) {
	o, _ := open(t, defaultLimits)
	for _, test := range []struct{ from, to string }{
		{"anna@players.test", "gm"},
		{"anna", "gm@pbem.test"},
		{"anna@players.test", strings.Repeat("x", 400) + "@pbem.test"},
	} {
		var refused *smtp.SMTPError
		if err := send(o, test.from, text, test.to); !errors.As(err, &refused) || refused.Temporary() {
			t.Errorf("from %q to %q: got %v, want a final refusal", test.from, test.to, err)
		}
	}
}

func TestListensOnLoopbackOnly(t *testing.T) {
	for _, test := range []struct {
		addr string
		ok   bool
	}{
		{"127.0.0.1:0", true}, {"localhost:0", true}, {"127.0.0.2:0", true},
		{":0", false}, {"0.0.0.0:0", false}, {"[::]:0", false}, {"192.0.2.1:0", false}, {"nonsense", false},
	} {
		for _, options := range []Options{{IMAPAddr: test.addr}, {SMTPAddr: test.addr}} {
			options.Own, options.Password = own, password
			o, err := Start(options)
			if (err == nil) != test.ok {
				t.Errorf("%+v: got %v, want success %v", options, err, test.ok)
			}
			if err == nil {
				o.Close()
			}
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, options := range []Options{{Own: own}, {Password: password}, {Own: "gm", Password: password}} {
		if o, err := Start(options); err == nil {
			o.Close()
			t.Errorf("%+v was accepted", options)
		}
	}
}

func TestCloseStopsListening(t *testing.T) {
	o, err := Start(Options{Own: own, Password: password})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	for _, addr := range []string{o.IMAPAddr(), o.SMTPAddr()} {
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			t.Errorf("%s still answers", addr)
		}
	}
}
