package oauth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"
)

const (
	// earliest is how much time a token must have left to be used for a login.
	earliest = 5 * time.Minute
	// answerLimit is how long a provider may take for one answer.
	answerLimit = 30 * time.Second
)

// Client is Ringpost as the provider knows it, and where the provider is to be asked.
type Client struct {
	ID     string
	Secret string // "" for a client that the provider gave none
	Scopes []string

	AuthURL    string            // where the owner gives his consent in a browser
	AuthParams map[string]string // what the provider wants to be told there beside the standard
	TokenURL   string            // where codes and refresh tokens become access tokens
	DeviceURL  string            // where the device flow begins (RFC 8628); "" if the provider has none for mail

	// RedirectHost is this machine's name in the address to which the provider sends the browser back: 127.0.0.1,
	// or localhost where the provider knows only that.
	RedirectHost string
}

// Account is a mail account to which tokens log in. Its methods may be called from several goroutines, and by
// several processes for the same account at once.
type Account struct {
	Client
	User  string           // of the mail server, most often the address
	Dir   string           // the folder of the token's file
	Renew string           // the command that asks for consent, for errors to name
	Now   func() time.Time // the token's life is measured by it
	Log   *slog.Logger

	Transport http.RoundTripper // how the provider is reached; nil for http.DefaultTransport

	refused atomic.Value // string: the access token that a mail server did not take
}

// Token gives an access token that is good for a login now. It is refreshed when less than five minutes are left,
// or when a server has refused it.
func (a *Account) Token(ctx context.Context) (string, error) {
	unlock, err := a.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	// Another process may have refreshed it: what is in the file counts, not what was read before.
	g, err := a.load()
	if err != nil {
		return "", err
	}
	left := a.left(g)
	if left >= earliest {
		return g.AccessToken, nil
	}
	renewed, err := a.refresh(ctx, g)
	switch {
	case err == nil:
		return renewed.AccessToken, nil
	case left > 0 && passing(err):
		a.Log.Warn("token not refreshed, the old one is still good", "user", a.User, "left", left.Round(time.Second), "error", err)
		return g.AccessToken, nil
	}
	return "", err
}

// left is how long the access token can be used, 0 or less if it cannot.
func (a *Account) left(g grant) time.Duration {
	switch {
	case g.AccessToken == "" || g.AccessToken == a.refused.Load():
		return 0
	case g.Expiry.IsZero(): // the provider did not say (RFC 6749 section 5.1): good until a server refuses it
		return earliest
	}
	return g.Expiry.Sub(a.Now())
}

// refresh gets a new access token and keeps it. Whether one can be kept is seen before: the provider may void the
// refresh token as it gives the next.
func (a *Account) refresh(ctx context.Context, g grant) (grant, error) {
	if err := a.save(g); err != nil {
		return grant{}, err
	}
	token, err := a.config("").TokenSource(a.reach(ctx), &oauth2.Token{RefreshToken: g.RefreshToken}).Token()
	if err != nil {
		return grant{}, fmt.Errorf("refreshing the token of %s: %w", a.User, a.explain(err, g.RefreshToken, g.AccessToken))
	}
	renewed := a.granted(token)
	if err := a.save(renewed); err != nil {
		return grant{}, err
	}
	a.Log.Info("token refreshed", "user", a.User, "until", renewed.Expiry)
	return renewed, nil
}

// granted is a token as it is kept.
func (a *Account) granted(token *oauth2.Token) grant {
	g := grant{User: a.User, ClientID: a.ID, TokenURL: a.TokenURL,
		AccessToken: token.AccessToken, RefreshToken: token.RefreshToken, Expiry: token.Expiry.UTC()}
	if token.ExpiresIn > 0 {
		g.Expiry = a.Now().UTC().Add(time.Duration(token.ExpiresIn) * time.Second)
	}
	return g
}

// keep keeps what a consent has brought.
func (a *Account) keep(ctx context.Context, token *oauth2.Token) error {
	if token.RefreshToken == "" {
		return errors.New("the provider gave no refresh token, so the login would end within the hour: " +
			"set the scope (offline_access) or auth_params (access_type) by which it gives one")
	}
	unlock, err := a.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return a.save(a.granted(token))
}

// config is the client in the words of the library.
func (a *Account) config(redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: a.ID, ClientSecret: a.Secret, RedirectURL: redirect, Scopes: a.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: a.AuthURL, TokenURL: a.TokenURL, DeviceAuthURL: a.DeviceURL,
			// Trying both styles, as the library does by itself, would use up a code or a refresh token.
			AuthStyle: oauth2.AuthStyleInParams},
	}
}

// reach makes the library ask the provider by our HTTP client. That follows no redirect: a secret goes to the
// address that was set and to no other.
func (a *Account) reach(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Transport: a.Transport, Timeout: answerLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }})
}
