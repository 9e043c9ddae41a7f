package oauth_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// deaf is a network on which nobody is.
type deaf struct{}

func (deaf) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("nobody listens")
}

func TestBrowser(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "localhost"} {
		r := newRig(t)
		r.account.RedirectHost = host
		var address string
		err := r.account.AskBrowser(within(t), func(a string) {
			address = a
			// Whatever else comes to the door before the answer does not end the waiting.
			q := query(t, a)
			back := q.Get("redirect_uri")
			for _, stray := range []string{"/favicon.ico", "/", "/?code=x&state=wrong", "/?state=" + q.Get("state"), "/other?code=x&state=" + q.Get("state")} {
				if page := browse(t, back+stray); !strings.Contains(page, "not the answer") {
					t.Errorf("%s: %q", stray, page)
				}
			}
			if page := browse(t, a); !strings.Contains(page, "You can close this page") {
				t.Errorf("the page: %q", page)
			}
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		q := query(t, address)
		if q.Get("scope") != "mail.read mail.send" || q.Get("access_type") != "offline" || q.Get("login_hint") != user {
			t.Errorf("asked for %v", q)
		}
		if !r.Takes(r.token(t)) {
			t.Error("the token is not good")
		}
		if _, err := http.Get(q.Get("redirect_uri")); err == nil {
			t.Error("the door is still open")
		}
		r.tight(t, r.log.String())
	}
}

func query(t *testing.T, address string) url.Values {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

// TestPasted is a browser on another machine: it fails to come back, and its owner pastes the address.
func TestPasted(t *testing.T) {
	// visit goes as far as the provider, and gives where the browser is sent then.
	visit := func(address string) string {
		elsewhere := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		answer, err := elsewhere.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.Header.Get("Location")
	}
	for name, tc := range map[string]struct {
		paste func(address string) []string
		says  string
	}{
		"the address":        {func(a string) []string { return []string{"", visit(a) + "\r"} }, ""},
		"the first address":  {func(a string) []string { return []string{a} }, "holds no answer"},
		"something else":     {func(string) []string { return []string{"http://127.0.0.1:%zz"} }, "no address"},
		"of another attempt": {func(a string) []string { return []string{strings.Replace(visit(a), "state=", "state=A", 1)} }, "does not belong"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			pasted := make(chan string, 2)
			err := r.account.AskBrowser(within(t), func(address string) {
				for _, line := range tc.paste(address) {
					pasted <- line
				}
				close(pasted)
			}, pasted)
			if tc.says != "" {
				r.fails(t, err, "what was pasted", tc.says)
				return
			}
			if err != nil || !r.Takes(r.token(t)) {
				t.Errorf("pasted: %v", err)
			}
		})
	}
}

func TestConsentFails(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*rig)
		says   []string
	}{
		"refused":          {func(r *rig) { r.Refuse = "access_denied" }, []string{"access_denied the owner says no", "ringpost auth imap"}},
		"bad code":         {func(r *rig) { r.account.Transport = spoil{"code", "another"} }, []string{"invalid_grant", "ringpost auth imap"}},
		"bad verifier":     {func(r *rig) { r.challenge = strings.Repeat("x", 43) }, []string{"invalid_grant", "verifier [secret]"}},
		"no refresh token": {func(r *rig) { r.Stingy = true }, []string{"no refresh token", "offline_access"}},
		"wrong secret":     {func(r *rig) { r.account.Secret = "another" }, []string{"invalid_client", "client_id"}},
		"no address":       {func(r *rig) { r.account.AuthURL = "" }, []string{"auth_url"}},
		"provider down":    {func(r *rig) { r.account.Transport = deaf{} }, []string{"nobody listens"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			tc.change(r)
			err := r.account.AskBrowser(within(t), func(address string) {
				if r.challenge != "" {
					address = strings.Replace(address, query(t, address).Get("code_challenge"), r.challenge, 1)
				}
				browse(t, address)
			}, nil)
			r.fails(t, err, tc.says...)
			if _, err := r.account.Token(t.Context()); err == nil {
				t.Error("there is a token all the same")
			}
		})
	}
}

func TestNobodyConsents(t *testing.T) {
	r := newRig(t)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	r.fails(t, r.account.AskBrowser(ctx, func(string) {}, nil), "in time")
	ctx, stop := context.WithCancel(t.Context())
	err := r.account.AskBrowser(ctx, func(string) { stop() }, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// spoil is a network that changes one field of a form.
type spoil struct{ field, value string }

func (s spoil) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.ParseForm(); err != nil {
		return nil, err
	}
	r.PostForm.Set(s.field, s.value)
	again, err := http.NewRequestWithContext(r.Context(), r.Method, r.URL.String(), strings.NewReader(r.PostForm.Encode()))
	if err != nil {
		return nil, err
	}
	again.Header = r.Header
	return http.DefaultTransport.RoundTrip(again)
}
