package whole_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"ringpost/internal/whole"
)

// read is what a server's session got of one mail.
type read struct {
	text string
	err  error
}

type session struct {
	over  net.Conn
	mails chan read
}

func (s session) Mail(string, *smtp.MailOptions) error { return nil }
func (s session) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (s session) Reset()                               {}
func (s session) Logout() error                        { return nil }

func (s session) Data(r io.Reader) error {
	b, err := io.ReadAll(whole.Reader(s.over, r))
	s.mails <- read{string(b), err}
	return err
}

// TestReader sends mails whole and half, by each of the ways there are, over connections that end at once behind
// what is sent.
func TestReader(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	mails := make(chan read, 1)
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return session{c.Conn(), mails}, nil }))
	go server.Serve(whole.Listener(l))
	defer server.Close()

	const mail = "Subject: x\r\n\r\nNAME Anna\r\n"
	for name, test := range map[string]struct {
		said  string
		whole bool
	}{
		"DATA":                    {"DATA\r\n" + mail + ".\r\n", true},
		"DATA and QUIT":           {"DATA\r\n" + mail + ".\r\nQUIT\r\n", true},
		"half DATA":               {"DATA\r\n" + mail, false},
		"a chunk":                 {fmt.Sprintf("BDAT %d LAST\r\n%s", len(mail), mail), true},
		"two chunks":              {fmt.Sprintf("BDAT 10\r\n%sBDAT %d LAST\r\n%sQUIT\r\n", mail[:10], len(mail)-10, mail[10:]), true},
		"nothing last":            {fmt.Sprintf("BDAT %d\r\n%sBDAT 0 LAST\r\n", len(mail), mail), true},
		"half a chunk":            {"BDAT 1000\r\n" + mail, false},
		"half a last chunk":       {"BDAT 1000 LAST\r\n" + mail, false},
		"a last chunk but a byte": {fmt.Sprintf("BDAT %d LAST\r\n%s", len(mail)+1, mail), false},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := io.WriteString(c, "EHLO mx\r\nMAIL FROM:<>\r\nRCPT TO:<gm@liga.example>\r\n"+test.said); err != nil {
				t.Fatal(err)
			}
			if err := c.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			said, err := io.ReadAll(c) // until the server has hung up
			if err != nil {
				t.Fatal(err)
			}
			got := <-mails
			if test.whole != (got.err == nil) || test.whole && got.text != mail {
				t.Errorf("read %q, %v", got.text, got.err)
			}
			if taken := strings.Contains(string(said), "OK: queued"); taken != test.whole {
				t.Errorf("the server said\n%s", said)
			}
		})
	}
}

// TestForeignConnection: of a connection that nobody watches no mail is known to be whole.
func TestForeignConnection(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	if b, err := io.ReadAll(whole.Reader(near, strings.NewReader("NAME Anna"))); err == nil || errors.Is(err, io.EOF) || len(b) > 0 {
		t.Errorf("read %q, %v", b, err)
	}
}
