package secret_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/emersion/go-sasl"

	"ringpost/internal/secret"
)

func TestStrike(t *testing.T) {
	for text, want := range map[string]string{
		"BAD LOGIN gm p4ss/word+1":                 "BAD LOGIN gm [secret]",
		"token p4ss%2Fword%2B1 is void":            "token [secret] is void",
		"500 unknown: cDRzcy93b3JkKzE=":            "500 unknown: [secret]",
		"no, a password, not this one":             "no, a password, not this one",
		"p4ss/word+1 twice: p4ss/word+1":           "[secret] twice: [secret]",
		"a word of three letters would strike all": "a word of three letters would strike all",
	} {
		if got := secret.Strike(text, "", "all", "p4ss/word+1"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLogin: whatever a server repeats of a login, as it stood on the line or decoded.
func TestLogin(t *testing.T) {
	const password, token = "correct-horse", "ya29.A0ARrdaM"
	for name, test := range map[string]struct {
		mechanism sasl.Client
		secret    string
		questions []string
	}{
		"PLAIN":       {sasl.NewPlainClient("", "gm@liga.example", password), password, nil},
		"LOGIN":       {sasl.NewLoginClient("gm@liga.example", password), password, []string{"Password:"}},
		"OAUTHBEARER": {sasl.NewOAuthBearerClient(&sasl.OAuthBearerOptions{Username: "gm@liga.example", Token: token}), token, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var login secret.Login
			mechanism := login.Hear(test.mechanism)
			_, response, err := mechanism.Start()
			if err != nil {
				t.Fatal(err)
			}
			said := [][]byte{response}
			for _, q := range test.questions {
				if response, err = mechanism.Next([]byte(q)); err != nil {
					t.Fatal(err)
				}
				said = append(said, response)
			}
			for _, response := range said {
				line := base64.StdEncoding.EncodeToString(response)
				if got := login.Strike("500 unknown command " + line + "."); len(line) > 0 && strings.Contains(got, line) {
					t.Errorf("the answer is told as %q", got)
				}
			}
			if login.ByPassword() != (test.secret == password) {
				t.Errorf("by a password: %v", login.ByPassword())
			}
			if got := login.Strike("NO bad credentials " + test.secret); strings.Contains(got, test.secret) || !strings.Contains(got, "bad credentials") {
				t.Errorf("the answer is told as %q", got)
			}
		})
	}
}
