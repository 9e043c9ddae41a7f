package mailbox

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/emersion/go-sasl"

	"ringpost/internal/oauthtest"
)

// A way to log in other than a password is asked anew for each connection, and told what the server offers.
func TestAuthenticator(t *testing.T) {
	good := "first"
	server := oauthtest.StartMail(t, "gm", func(token string) bool { return token == good }, sasl.OAuthBearer)
	server.Put(t, "Subject: x\r\n\r\nNAME Anna\r\n")
	var asked []bool
	var offered, fails = "", error(nil)
	config := IMAPConfig{Addr: server.IMAP, Security: Plain, User: "gm",
		Auth: func(_ context.Context, supports func(string) bool) (sasl.Client, error) {
			asked = append(asked, supports(sasl.OAuthBearer) && !supports(sasl.Plain))
			return sasl.NewOAuthBearerClient(&sasl.OAuthBearerOptions{Username: "gm", Token: offered}), fails
		}}
	source, k := open(t, config), &taker{}

	offered = "s3cret-old-token"
	if _, err := source.Poll(t.Context(), k.deliver); err == nil || !strings.Contains(err.Error(), "log in as gm") || strings.Contains(err.Error(), offered) {
		t.Errorf("with a bad token: %v", err)
	}
	fails = errors.New("no token yet")
	if _, err := source.Poll(t.Context(), k.deliver); !errors.Is(err, fails) {
		t.Errorf("without a token: %v", err)
	}
	fails, offered = nil, "first"
	poll(t, source, k, 1)
	poll(t, source, k, 0)

	good, offered = "second", "second"
	if _, err := source.Probe(t.Context()); err != nil { // over a connection of its own
		t.Errorf("with the second token: %v", err)
	}
	if len(asked) != 4 || asked[0] != true || asked[3] != true {
		t.Errorf("asked %v, want four times, each told that OAUTHBEARER is offered and PLAIN is not", asked)
	}
}

// bearer is a login by token that wants to know of a refusal.
type bearer struct {
	sasl.Client
	refused *int
}

func (b bearer) Refused() { *b.refused++ }

// A server's No at once, without a challenge, is told to the mechanism; a server that wants to be left alone has
// said nothing of the token.
func TestRefusedToken(t *testing.T) {
	for no, want := range map[string]int{"TAG NO AUTHENTICATE failed.": 1, "TAG NO [UNAVAILABLE] Come back": 0, "TAG NO Server Unavailable. 15": 0} {
		refusals := 0
		s := startScripted(t, func(_ int, command string) ([]string, bool) {
			switch {
			case command == "CAPABILITY":
				return []string{"* CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2", "TAG OK"}, true
			case strings.HasPrefix(command, "AUTHENTICATE"):
				return []string{no}, true
			}
			return nil, false
		})
		config := s.config()
		config.Password = ""
		config.Auth = func(context.Context, func(string) bool) (sasl.Client, error) {
			return bearer{sasl.NewOAuthBearerClient(&sasl.OAuthBearerOptions{Username: "gm", Token: "t"}), &refusals}, nil
		}
		_, err := open(t, config).Poll(t.Context(), (&taker{}).deliver)
		if err == nil || refusals != want || strings.Contains(err.Error(), "allows IMAP") != (want == 1) {
			t.Errorf("%s: %d refusals, %v", no, refusals, err)
		}
	}
}

// TestParrot: a server that repeats what it has not understood does not get the password into an error.
func TestParrot(t *testing.T) {
	const password = "correct-horse"
	for name, test := range map[string]struct{ caps, answer string }{
		"the command of AUTHENTICATE": {"IMAP4rev1 AUTH=PLAIN SASL-IR", "%[1]s BAD Unknown command: %[2]s"},
		"the command of LOGIN":        {"IMAP4rev1", "%[1]s BAD Unknown command: %[2]s"},
		"the password":                {"IMAP4rev1", "%[1]s NO [AUTHENTICATIONFAILED] There is no gm with correct-horse"},
		"in a farewell":               {"IMAP4rev1 AUTH=PLAIN SASL-IR", "* BYE What is %[2]s?"},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go func() {
				c, err := l.Accept()
				if err != nil {
					return
				}
				defer c.Close()
				fmt.Fprintf(c, "* OK [CAPABILITY %s] hello\r\n", test.caps)
				lines := bufio.NewScanner(c)
				for lines.Scan() {
					tag, command, _ := strings.Cut(lines.Text(), " ")
					if strings.HasPrefix(command, "CAPABILITY") {
						fmt.Fprintf(c, "* CAPABILITY %s\r\n%s OK\r\n", test.caps, tag)
						continue
					}
					fmt.Fprintf(c, test.answer+"\r\n", tag, command)
					return
				}
			}()
			_, err = open(t, IMAPConfig{Addr: l.Addr().String(), Security: Plain, User: "gm", Password: password}).Poll(t.Context(), (&taker{}).deliver)
			if err == nil || !strings.Contains(err.Error(), "[secret]") {
				t.Fatalf("poll: %v", err)
			}
			for _, said := range []string{password, base64.StdEncoding.EncodeToString([]byte("\x00gm\x00" + password))} {
				if strings.Contains(err.Error(), said) {
					t.Errorf("the error tells the password: %v", err)
				}
			}
			if bye := strings.Contains(name, "farewell"); !bye && !strings.Contains(err.Error(), "app password") {
				t.Errorf("the error does not say what to do: %v", err)
			}
		})
	}
}
