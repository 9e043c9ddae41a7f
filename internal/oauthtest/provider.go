// Package oauthtest is an OAuth provider for tests, and mail servers that take its tokens. Both are small, run
// within the test and say what they were asked. Only tests may import this package.
package oauthtest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// ClientID and ClientSecret are what the provider knows its only client by.
const (
	ClientID     = "ringpost-client"
	ClientSecret = "client-s3cret/+="
)

// Provider is an authorization server (RFC 6749, 7636, 8628) with the paths /auth, /token and /device. Its owner
// consents at once, unless told otherwise. Fields are set before it is used, or by Set.
type Provider struct {
	Life     int      // what expires_in says of access tokens, in seconds; 0 says nothing
	Rotate   bool     // a refresh token is good once and brings the next
	Stingy   bool     // it gives no refresh tokens
	Deaf     bool     // no mail server takes its tokens
	Padding  int      // how many characters access tokens have more
	Refuse   string   // the error that /auth sends the browser back with
	Down     int      // the status of all answers of /token, if set
	Chatty   bool     // with Down: it quotes the request
	Polls    []string // the errors that the device flow's first polls get
	CodeLife int      // how long a device code is good, in seconds
	Interval int      // between polls, in seconds

	mu      sync.Mutex
	codes   map[string]url.Values // the request at /auth that a code is for
	access  []string              // good ones
	refresh []string
	device  string
	given   []string
	asked   []url.Values
}

// Set changes the provider while it runs.
func (p *Provider) Set(change func(*Provider)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// Takes tells whether a mail server takes an access token.
func (p *Provider) Takes(token string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.Deaf && slices.Contains(p.access, token)
}

// Revoke voids all access tokens, and the refresh tokens too if all.
func (p *Provider) Revoke(all bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.access = nil
	if all {
		p.refresh = nil
	}
}

// Secrets is all that may be seen by nobody else: every token and code given out, and what the client sent along.
func (p *Provider) Secrets() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := append(slices.Clone(p.given), ClientSecret)
	for _, form := range p.asked {
		if v := form.Get("code_verifier"); v != "" {
			all = append(all, v)
		}
	}
	return all
}

// Asked lists the grant types that /token was asked for, in order.
func (p *Provider) Asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, form := range p.asked {
		all = append(all, form.Get("grant_type"))
	}
	return all
}

// ServeHTTP implements http.Handler.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch r.Method + r.URL.Path {
	case "GET/auth":
		p.auth(w, r)
	case "POST/token":
		p.token(w, r.PostForm)
	case "POST/device":
		p.beginDevice(w, r.PostForm)
	default:
		http.NotFound(w, r)
	}
}

// secret makes something that nobody guesses.
func (p *Provider) secret(kind string) string {
	s := kind + "-" + rand.Text()
	p.given = append(p.given, s)
	return s
}

func (p *Provider) auth(w http.ResponseWriter, r *http.Request) {
	form := r.Form
	back, err := url.Parse(form.Get("redirect_uri"))
	if err != nil || back.Scheme != "http" || back.Hostname() != "127.0.0.1" && back.Hostname() != "localhost" || back.Path != "" {
		http.Error(w, "redirect_uri is not registered", http.StatusBadRequest)
		return
	}
	if form.Get("response_type") != "code" || form.Get("client_id") != ClientID || form.Get("scope") == "" || len(form.Get("state")) < 16 ||
		form.Get("code_challenge_method") != "S256" || len(form.Get("code_challenge")) != 43 {
		http.Error(w, "the request is incomplete", http.StatusBadRequest)
		return
	}
	answer := url.Values{"state": {form.Get("state")}}
	if p.Refuse != "" {
		answer.Set("error", p.Refuse)
		answer.Set("error_description", "the owner\r\nsays no")
	} else {
		code := p.secret("code")
		if p.codes == nil {
			p.codes = make(map[string]url.Values)
		}
		p.codes[code] = form
		answer.Set("code", code)
	}
	back.Path, back.RawQuery = "/", answer.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (p *Provider) beginDevice(w http.ResponseWriter, form url.Values) {
	if form.Get("client_id") != ClientID || form.Get("scope") == "" {
		fail(w, "invalid_request", "the request is incomplete")
		return
	}
	p.device = p.secret("device")
	answer(w, http.StatusOK, map[string]any{"device_code": p.device, "user_code": "WDJB-MJHT", "verification_uri": "https://provider.example/device",
		"expires_in": p.CodeLife, "interval": p.Interval})
}

func (p *Provider) token(w http.ResponseWriter, form url.Values) {
	p.asked = append(p.asked, form)
	switch {
	case p.Down != 0 && p.Chatty:
		http.Error(w, form.Encode()+" "+form.Get("client_secret")+" "+form.Get("refresh_token"), p.Down)
		return
	case p.Down != 0:
		w.Header().Set("Location", "/elsewhere") // for a redirect
		http.Error(w, "out of order", p.Down)
		return
	case form.Get("client_id") != ClientID || form.Get("client_secret") != ClientSecret:
		fail(w, "invalid_client", "client unknown, its secret is not "+form.Get("client_secret"))
		return
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		asked := p.codes[form.Get("code")]
		delete(p.codes, form.Get("code")) // good once
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if asked == nil || asked.Get("redirect_uri") != form.Get("redirect_uri") ||
			asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) {
			fail(w, "invalid_grant", "bad code "+form.Get("code")+" or verifier "+form.Get("code_verifier"))
			return
		}
		p.give(w, p.secret("refresh"))
	case "refresh_token":
		old := form.Get("refresh_token")
		if !slices.Contains(p.refresh, old) {
			fail(w, "invalid_grant", "Token "+old+" has been expired or revoked.")
			return
		}
		next := ""
		if p.Rotate {
			p.refresh = slices.DeleteFunc(p.refresh, func(s string) bool { return s == old })
			next = p.secret("refresh")
		}
		p.give(w, next)
	case "urn:ietf:params:oauth:grant-type:device_code":
		if len(p.Polls) > 0 {
			code := p.Polls[0]
			p.Polls = p.Polls[1:]
			fail(w, code, "not yet")
			return
		}
		if p.device == "" || form.Get("device_code") != p.device {
			fail(w, "invalid_grant", "bad device code "+form.Get("device_code"))
			return
		}
		p.device = ""
		p.give(w, p.secret("refresh"))
	default:
		fail(w, "unsupported_grant_type", "")
	}
}

// give answers with a new access token, and with the refresh token if it is new.
func (p *Provider) give(w http.ResponseWriter, refresh string) {
	token := p.secret("access" + strings.Repeat("x", p.Padding))
	p.access = append(p.access, token)
	body := map[string]any{"access_token": token, "token_type": "Bearer"}
	if p.Life > 0 {
		body["expires_in"] = p.Life
	}
	if refresh != "" && !p.Stingy {
		p.refresh = append(p.refresh, refresh)
		body["refresh_token"] = refresh
	}
	answer(w, http.StatusOK, body)
}

func fail(w http.ResponseWriter, code, description string) {
	answer(w, http.StatusBadRequest, map[string]any{"error": code, "error_description": strings.TrimSpace(description)})
}

func answer(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
