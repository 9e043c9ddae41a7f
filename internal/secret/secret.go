// Package secret keeps secrets out of what is told of a login. Servers, and what stands before them, quote words that
// they have not understood, and their answers go into logs and into mails to the game master.
//
// It imports none of the project's other packages.
package secret

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"
	"sync"

	"github.com/emersion/go-sasl"
)

// shortest is what is struck out: shorter words would leave nothing of an answer, and guard nothing.
const shortest = 4

// Strike takes secrets out of a text, also as an address (RFC 3986) or a login (RFC 4648) writes them.
func Strike(text string, secrets ...string) string {
	for _, s := range secrets {
		if len(s) >= shortest {
			text = strings.NewReplacer(s, "[secret]", url.QueryEscape(s), "[secret]", base64.StdEncoding.EncodeToString([]byte(s)), "[secret]").Replace(text)
		}
	}
	return text
}

// Login hears what our side says in a login. The zero value has heard nothing; it may be used by several goroutines.
type Login struct {
	mu       sync.Mutex
	said     []string
	password bool
}

// Hear lets it hear a mechanism.
func (l *Login) Hear(mechanism sasl.Client) sasl.Client { return &heard{mechanism, l} }

// Strike takes out of a text what was said.
func (l *Login) Strike(text string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Strike(text, l.said...)
}

// ByPassword tells whether it is a password that was said.
func (l *Login) ByPassword() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.password
}

// hear keeps a response, and the password or token in it: it stands last in PLAIN (RFC 4616) and LOGIN, and behind
// "Bearer" in OAUTHBEARER (RFC 7628) and XOAUTH2.
func (l *Login) hear(response []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said = append(l.said, string(response))
	for field := range bytes.FieldsFuncSeq(response, func(r rune) bool { return r == 0 || r == 1 }) {
		if token, ok := bytes.CutPrefix(field, []byte("auth=Bearer ")); ok {
			l.said = append(l.said, string(token))
			return
		}
	}
	l.said = append(l.said, string(response[bytes.LastIndexByte(response, 0)+1:]))
}

func (l *Login) begin(mechanism string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.password = mechanism == sasl.Plain || mechanism == sasl.Login
}

type heard struct {
	sasl.Client
	login *Login
}

// Start implements sasl.Client.
func (h *heard) Start() (mechanism string, response []byte, err error) {
	mechanism, response, err = h.Client.Start()
	h.login.begin(mechanism)
	h.login.hear(response)
	return mechanism, response, err
}

// Next implements sasl.Client.
func (h *heard) Next(challenge []byte) (response []byte, err error) {
	response, err = h.Client.Next(challenge)
	h.login.hear(response)
	return response, err
}
