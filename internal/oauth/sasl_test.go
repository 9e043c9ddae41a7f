package oauth_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"ringpost/internal/oauthtest"
)

// login logs in by the library's clients, which are the ones Ringpost uses.
var login = map[string]func(t *testing.T, r *rig, m *oauthtest.Mail) error{
	"imap": func(t *testing.T, r *rig, m *oauthtest.Mail) error {
		c, err := imapclient.DialInsecure(m.IMAP, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		caps := c.Caps()
		mechanism, err := r.account.Authenticate(t.Context(), func(m string) bool { return caps.Has(imap.AuthCap(m)) })
		if err != nil {
			return err
		}
		return c.Authenticate(mechanism)
	},
	"smtp": func(t *testing.T, r *rig, m *oauthtest.Mail) error {
		c, err := smtp.Dial(m.SMTP)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.Hello("localhost"); err != nil {
			t.Fatal(err)
		}
		mechanism, err := r.account.Authenticate(t.Context(), c.SupportsAuth)
		if err != nil {
			return err
		}
		return c.Auth(mechanism)
	},
}

func TestLogin(t *testing.T) {
	for _, tc := range []struct {
		offers []string
		takes  string // the mechanism chosen
	}{
		{[]string{oauthtest.XOAUTH2}, oauthtest.XOAUTH2},
		{[]string{sasl.OAuthBearer}, sasl.OAuthBearer},
		{[]string{oauthtest.XOAUTH2, sasl.OAuthBearer}, sasl.OAuthBearer},
	} {
		for protocol, in := range login {
			t.Run(protocol+" "+strings.Join(tc.offers, " "), func(t *testing.T) {
				r := newRig(t)
				r.account.User = "gm=1,2@liga.example" // OAUTHBEARER writes = and , in a way of its own
				name := r.account.User
				if tc.takes == sasl.OAuthBearer {
					name = "gm=3D1=2C2@liga.example" // which go-sasl's server does not undo
				}
				m := oauthtest.StartMail(t, name, r.Takes, tc.offers...)
				r.consent(t)
				if err := in(t, r, m); err != nil {
					t.Fatal(err)
				}

				// A token that was withdrawn before its time is refused as the protocol has it, and the next login
				// takes another.
				r.Revoke(false)
				err := in(t, r, m)
				var no *imap.Error
				var no535 *smtp.SMTPError
				if !errors.As(err, &no) && (!errors.As(err, &no535) || no535.Code != 535) {
					t.Errorf("refused with %v", err)
				}
				r.tight(t, err.Error())
				if err := in(t, r, m); err != nil {
					t.Errorf("the next login: %v", err)
				}
				if got := m.Logins(); len(got) != 2 || got[0] != protocol+" "+tc.takes {
					t.Errorf("logins: %v", got)
				}
			})
		}
	}
}

// TestRefusedWithoutAChallenge: Microsoft 365 says No at once.
func TestRefusedWithoutAChallenge(t *testing.T) {
	r := newRig(t)
	r.consent(t)
	old := r.token(t)
	mechanism, err := r.account.Authenticate(t.Context(), func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	mechanism.(interface{ Refused() }).Refused()
	if token := r.token(t); token == old || !r.Takes(token) {
		t.Errorf("the token refused is used again")
	}
}

func TestLongTokens(t *testing.T) {
	for protocol, in := range login {
		r := newRig(t)
		r.Padding = 2000 // as long as Microsoft's
		m := oauthtest.StartMail(t, user, r.Takes, oauthtest.XOAUTH2)
		r.consent(t)
		if err := in(t, r, m); err != nil {
			t.Errorf("%s: %v", protocol, err)
		}
	}
}

func TestServerTakesNoTokens(t *testing.T) {
	r := newRig(t)
	_, err := r.account.Authenticate(t.Context(), func(mechanism string) bool { return mechanism == sasl.Plain })
	r.fails(t, err, "neither OAUTHBEARER nor XOAUTH2", "password")
	_, err = r.account.Authenticate(t.Context(), func(string) bool { return true })
	r.fails(t, err, "run `ringpost auth imap`")
}

func TestEndlessChallenges(t *testing.T) {
	r := newRig(t)
	r.consent(t)
	mechanism, err := r.account.Authenticate(t.Context(), func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := mechanism.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := mechanism.Next([]byte("{}")); err != nil {
		t.Fatal(err)
	}
	_, err = mechanism.Next([]byte("{}"))
	r.fails(t, err, "goes on asking")
}
