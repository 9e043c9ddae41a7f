package oauth

import (
	"context"
	"errors"
	"strings"

	"github.com/emersion/go-sasl"
)

// xoauth2 is the mechanism that Google made before there was a standard; Microsoft knows no other.
const xoauth2 = "XOAUTH2"

// Authenticate readies a login with a fresh token, by OAUTHBEARER (RFC 7628) where the server offers it and else
// by XOAUTH2.
func (a *Account) Authenticate(ctx context.Context, supports func(mechanism string) bool) (sasl.Client, error) {
	standard := supports(sasl.OAuthBearer)
	if !standard && !supports(xoauth2) {
		return nil, errors.New("the server takes no tokens, it offers neither OAUTHBEARER nor XOAUTH2; set a password instead")
	}
	token, err := a.Token(ctx)
	if err != nil {
		return nil, err
	}
	b := &bearer{mechanism: xoauth2, first: "user=" + a.User + "\x01auth=Bearer " + token + "\x01\x01",
		refused: func() { a.refused.Store(token) }}
	if standard {
		// The name stands in a list with commas (RFC 5801 section 4).
		user := strings.NewReplacer("=", "=3D", ",", "=2C").Replace(a.User)
		mechanism, first, err := sasl.NewOAuthBearerClient(&sasl.OAuthBearerOptions{Username: user, Token: token}).Start()
		if err != nil {
			return nil, err
		}
		b.mechanism, b.first, b.last = mechanism, string(first), "\x01" // RFC 7628 section 3.2.3
	}
	return b, nil
}

// bearer is a login that says everything at once. A server that has a challenge for it means No, waits for an
// answer without meaning, and then says No in its own protocol.
type bearer struct {
	mechanism   string
	first, last string
	refused     func()
	over        bool
}

// Start implements sasl.Client.
func (b *bearer) Start() (mechanism string, response []byte, err error) {
	return b.mechanism, []byte(b.first), nil
}

// Refused is told that the server has said No: perhaps the token was withdrawn before its time, so the next login
// gets another. Not every server says so by a challenge; Microsoft 365 does not.
func (b *bearer) Refused() { b.refused() }

// Next implements sasl.Client.
func (b *bearer) Next([]byte) ([]byte, error) {
	b.Refused()
	if b.over {
		return nil, errors.New("the server goes on asking after it has refused the token")
	}
	b.over = true
	return []byte(b.last), nil
}
