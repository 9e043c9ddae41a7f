package mailbox

import (
	"context"
	"errors"
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
