package oauth_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// direct is the provider without a network, so that time can be made to pass.
type direct struct {
	http.Handler
	fail []error // of the first requests to /token
}

// errBusy stands for an answer 503 of the provider.
var errBusy = errors.New("busy")

func (d *direct) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/token" && len(d.fail) > 0 {
		err := d.fail[0]
		d.fail = d.fail[1:]
		if errors.Is(err, errBusy) {
			w := httptest.NewRecorder()
			http.Error(w, "<html>busy", http.StatusServiceUnavailable)
			return w.Result(), nil
		}
		return nil, err
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result(), nil
}

func TestDevice(t *testing.T) {
	lost := errors.New("connection lost")
	for _, tc := range []struct {
		name  string
		polls []string
		lost  []error
		life  int
		takes time.Duration // until the answer
		says  []string
	}{
		{name: "at once", takes: 5 * time.Second},
		{name: "pending", polls: []string{"authorization_pending", "authorization_pending"}, takes: 15 * time.Second},
		// RFC 8628 section 3.5: five seconds more between all polls that follow.
		{name: "slow down", polls: []string{"slow_down", "authorization_pending"}, takes: 25 * time.Second},
		{name: "connection lost", lost: []error{lost, lost}, takes: (5 + 10 + 15) * time.Second},
		{name: "provider busy", lost: []error{errBusy}, takes: (5 + 10) * time.Second},
		{name: "refused", polls: []string{"authorization_pending", "access_denied"}, takes: 10 * time.Second, says: []string{"access_denied", "ringpost auth imap"}},
		{name: "expired", polls: []string{"expired_token"}, takes: 5 * time.Second, says: []string{"expired_token", "ringpost auth imap"}},
		{name: "never entered", polls: slices.Repeat([]string{"authorization_pending"}, 100), life: 60, takes: time.Minute, says: []string{"in time"}},
		{name: "lost for good", lost: slices.Repeat([]error{lost}, 100), life: 60, takes: time.Minute, says: []string{"in time"}},
		{name: "no end named", life: -1, says: []string{"how long"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			synctest.Test(t, func(t *testing.T) {
				// The library leaves an answer open, and the HTTP client's timer with it.
				defer func() { <-time.After(time.Minute) }()
				r.account.Transport = &direct{Handler: r.Provider, fail: tc.lost}
				r.Polls = tc.polls
				if r.CodeLife = 900; tc.life != 0 {
					r.CodeLife = max(tc.life, 0)
				}
				began := time.Now()
				var address, code string
				err := r.account.AskDevice(t.Context(), func(a, c string) { address, code = a, c })
				if address != "https://provider.example/device" || code != "WDJB-MJHT" {
					t.Errorf("shown: %q and %q", address, code)
				}
				if took := time.Since(began); took != tc.takes {
					t.Errorf("it took %v, want %v", took, tc.takes)
				}
				if tc.says != nil {
					r.fails(t, err, tc.says...)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if !r.Takes(r.token(t)) {
					t.Error("the token is not good")
				}
				r.tight(t, r.log.String())
			})
		})
	}
}

func TestDeviceIsNotOffered(t *testing.T) {
	r := newRig(t)
	r.account.DeviceURL = ""
	r.fails(t, r.account.AskDevice(t.Context(), nil), "run `ringpost auth imap` without --device")
	r = newRig(t)
	r.account.Scopes = nil
	r.fails(t, r.account.AskDevice(t.Context(), nil), "invalid_request")
}

func TestDeviceInterrupted(t *testing.T) {
	r := newRig(t)
	ctx, stop := context.WithCancel(t.Context())
	if err := r.account.AskDevice(ctx, func(string, string) { stop() }); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
