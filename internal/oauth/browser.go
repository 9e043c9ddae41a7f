package oauth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"
)

// pageLimit is how long the browser may take to ask for its page.
const pageLimit = 10 * time.Second

// AskBrowser gets the owner's consent in a browser and keeps the token. It listens on this machine for one answer
// (RFC 8252 section 7.3), protected by PKCE (RFC 7636), until ctx ends. show is given the address to open. A
// browser elsewhere cannot reach this machine; its owner pastes the address at which it failed.
func (a *Account) AskBrowser(ctx context.Context, show func(address string), pasted <-chan string) error {
	if a.AuthURL == "" {
		return errors.New("the provider has no login by browser: set auth_url in [oauth], or use --device")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening for the browser: %w", err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return err
	}
	door := &door{state: rand.Text(), answers: make(chan url.Values, 1)}
	server := &http.Server{Handler: door, ReadHeaderTimeout: pageLimit, WriteTimeout: pageLimit,
		ErrorLog: slog.NewLogLogger(a.Log.Handler(), slog.LevelDebug)}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() { server.Close(); <-served }()

	// Some providers compare the address with a registered one, the port aside: it has no path, not even a slash.
	config := a.config("http://" + net.JoinHostPort(a.RedirectHost, port))
	verifier := oauth2.GenerateVerifier()
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("login_hint", a.User)}
	for name, value := range a.AuthParams {
		options = append(options, oauth2.SetAuthURLParam(name, value))
	}
	show(config.AuthCodeURL(door.state, options...))

	answer, err := door.wait(ctx, pasted)
	if err != nil {
		return err
	}
	if code := answer.Get("error"); code != "" { // RFC 6749 section 4.1.2.1
		return fmt.Errorf("the provider says %s: run `%s` again", oneLine(code+" "+answer.Get("error_description")), a.Renew)
	}
	code := answer.Get("code")
	token, err := config.Exchange(a.reach(ctx), code, oauth2.VerifierOption(verifier))
	if err != nil {
		return fmt.Errorf("exchanging the code for a token: %w", a.explain(err, code, verifier))
	}
	return a.keep(ctx, token)
}

// door is where the provider sends the browser back to. It opens once.
type door struct {
	state   string // what only the provider can have from us
	taken   atomic.Bool
	answers chan url.Values // room for the one
}

// wait gives the answer that came to the door or was pasted.
func (d *door) wait(ctx context.Context, pasted <-chan string) (url.Values, error) {
	for {
		select {
		case answer := <-d.answers:
			return answer, nil
		case line, open := <-pasted:
			line = strings.TrimSpace(line)
			if !open {
				pasted = nil // nobody there to paste; the browser may still come
			}
			if line == "" {
				continue
			}
			answer, err := d.read(line)
			if err != nil {
				return nil, fmt.Errorf("what was pasted is not the address that the browser ended at: %w", err)
			}
			return answer, nil
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, errors.New("nobody gave his consent in time: begin again")
			}
			return nil, ctx.Err()
		}
	}
}

// read takes the provider's answer out of an address. The error does not quote it: it may hold a good code.
func (d *door) read(address string) (url.Values, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("it is no address")
	}
	answer := u.Query()
	if subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(d.state)) != 1 {
		return nil, errors.New("it does not belong to the address that was opened")
	}
	if answer.Get("code") == "" && answer.Get("error") == "" {
		return nil, errors.New("it holds no answer")
	}
	return answer, nil
}

const (
	pageDone  = "The answer has arrived. You can close this page; the terminal says whether it works.\n"
	pageWrong = "This is not the answer that is waited for. Open the address that the terminal shows.\n"
	pageOver  = "An answer has arrived before. The terminal says whether it works.\n"
)

// ServeHTTP takes the first answer with the right state. Whatever else comes, from other programs or pages, does
// not end the waiting.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page := func(status int, text string) {
		h := w.Header()
		h.Set("Content-Type", "text/plain; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(len(text)))
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Connection", "close")
		w.WriteHeader(status)
		io.WriteString(w, text)
		http.NewResponseController(w).Flush() // before the server closes
	}
	answer, err := d.read(r.URL.String())
	switch {
	case r.URL.Path != "/" || r.Method != http.MethodGet:
		page(http.StatusNotFound, pageWrong)
	case err != nil:
		page(http.StatusBadRequest, pageWrong)
	case !d.taken.CompareAndSwap(false, true):
		page(http.StatusConflict, pageOver)
	default:
		page(http.StatusOK, pageDone)
		d.answers <- answer
	}
}
