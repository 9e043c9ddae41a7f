package cli_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-sasl"

	"ringpost/internal/cli"
	"ringpost/internal/oauthtest"
)

const tokenUser = "gm@liga.example"

// tokenRig is a data folder whose accounts log in by tokens, and all that the
// program has ever said.
type tokenRig struct {
	*oauthtest.Provider
	mail *oauthtest.Mail
	dir  string
	said bytes.Buffer
}

func newTokenRig(t *testing.T, mechanisms ...string) *tokenRig {
	t.Helper()
	r := &tokenRig{Provider: &oauthtest.Provider{Life: 60, Rotate: true, CodeLife: 60, Interval: 1}, dir: filepath.Join(t.TempDir(), "data")}
	web := httptest.NewServer(r.Provider)
	t.Cleanup(web.Close)
	r.mail = oauthtest.StartMail(t, tokenUser, r.Takes, mechanisms...)
	ringpost(t, r.dir, "init", "--address", tokenUser, "--gm", "boss@liga.example")
	if err := os.WriteFile(filepath.Join(r.dir, "client-secret"), []byte(oauthtest.ClientSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	configure(t, r.dir, fmt.Sprintf(`
[imap]
host = "127.0.0.1"
port = %s
user = %q
tls = "plain"
[smtp]
host = "127.0.0.1"
port = %s
user = %q
tls = "plain"
[oauth]
client_id = %q
client_secret_file = "client-secret"
auth_url = "%[6]s/auth"
token_url = "%[6]s/token"
device_url = "%[6]s/device"
scopes = ["mail"]
`, port(t, r.mail.IMAP), tokenUser, port(t, r.mail.SMTP), tokenUser, oauthtest.ClientID, web.URL))
	return r
}

// run runs a command with status as its exit status and gives what it printed.
func (r *tokenRig) run(t *testing.T, status int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	got := cli.Run(t.Context(), append([]string{"--data", r.dir}, args...), cli.System{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: os.Getenv})
	r.said.Write(out.Bytes())
	if got != status {
		t.Fatalf("ringpost %s: status %d\n%s", strings.Join(args, " "), got, &out)
	}
	return out.String()
}

// consent runs `ringpost auth` and goes to the address that it prints. What go
// gives is typed in; it may be nothing.
func (r *tokenRig) consent(t *testing.T, service string, goes func(address string) string) (status int, said string) {
	t.Helper()
	in, keyboard := io.Pipe()
	defer keyboard.Close()
	out := &lines{more: make(chan struct{}, 1)}
	done := make(chan int, 1)
	go func() {
		done <- cli.Run(t.Context(), []string{"--data", r.dir, "auth", service}, cli.System{In: in, Out: out, Err: out, Getenv: os.Getenv})
	}()
	if line := goes(out.find(t, `(?m)^(http\S+)$`)[1]); line != "" {
		fmt.Fprintln(keyboard, line)
	}
	select {
	case status = <-done:
	case <-time.After(patience):
		t.Fatalf("ringpost auth does not end:\n%s", out)
	}
	r.said.WriteString(out.String())
	return status, out.String()
}

// browse is a browser on this machine.
func browse(t *testing.T) func(string) string {
	return func(address string) string {
		answer, err := http.Get(address)
		if err != nil {
			t.Error(err)
			return ""
		}
		defer answer.Body.Close()
		if page, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(page), "You can close this page") {
			t.Errorf("the page: %q, %v", page, err)
		}
		return ""
	}
}

// elsewhere is a browser on another machine, which fails to come back.
func elsewhere(t *testing.T) func(string) string {
	return func(address string) string {
		browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		answer, err := browser.Get(address)
		if err != nil {
			t.Error(err)
			return "\n"
		}
		defer answer.Body.Close()
		return answer.Header.Get("Location")
	}
}

// tight wants no secret in what the program said, nor in any file of the data
// folder but those that are for it.
func (r *tokenRig) tight(t *testing.T) {
	t.Helper()
	texts := map[string]string{"the output": r.said.String()}
	files, err := filepath.Glob(filepath.Join(r.dir, "*"))
	if err != nil || len(files) < 5 {
		t.Fatalf("files: %v, %v", files, err)
	}
	for _, file := range files {
		if name := filepath.Base(file); strings.HasPrefix(name, "oauth-") || name == "client-secret" {
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(b)
	}
	secrets := r.Secrets()
	if len(secrets) < 5 {
		t.Fatalf("there are only %d secrets", len(secrets))
	}
	for where, text := range texts {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("the secret %s is in %s", secret, where)
			}
			for i := range 3 { // as it travels, wherever it begins there
				inside := base64.RawStdEncoding.EncodeToString([]byte(secret[i:]))
				if strings.Contains(text, inside[:len(inside)-2]) {
					t.Errorf("the secret %s is in %s, in Base64", secret, where)
				}
			}
		}
	}
}

func wants(t *testing.T, text string, says ...string) {
	t.Helper()
	for _, want := range says {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said:\n%s", want, text)
		}
	}
}

// TestTokens goes through the life of an account: consent, a season with a token
// refreshed at every login, the consent withdrawn, given again. All the while no
// secret is shown.
func TestTokens(t *testing.T) {
	for _, mechanism := range []string{oauthtest.XOAUTH2, sasl.OAuthBearer} {
		t.Run(mechanism, func(t *testing.T) {
			r := newTokenRig(t, mechanism)
			r.mail.Put(t, "From: <a@players.example>\r\nSubject: x\r\n\r\nNAME Anna\r\n")
			wants(t, r.run(t, 1, "check"), "TO DO token", "there is no token for gm@liga.example yet: run `ringpost auth imap`")

			status, said := r.consent(t, "imap", browse(t))
			wants(t, said, "The token is kept", "it holds 1 mails in INBOX")
			if status != 0 {
				t.Fatalf("auth imap: status %d\n%s", status, said)
			}
			wants(t, r.run(t, 0, "check"), "nobody else can read", "the token of gm@liga.example is there and good", "put away by move", "takes mails")
			status, said = r.consent(t, "smtp", elsewhere(t))
			wants(t, said, "The token is kept. smtp 127.0.0.1:", "takes mails")
			if status != 0 {
				t.Fatalf("auth smtp: status %d\n%s", status, said)
			}

			for _, args := range [][]string{{"game", "new", "liga", "--ruleset", "sugarray"}, {"seat", "add", "liga", "Rocky", "--player", "rocky@players.example"},
				{"seat", "add", "liga", "Apollo", "--player", "apollo@players.example"}, {"game", "start", "liga"}} {
				r.run(t, 0, args...)
			}
			r.serving(t, func(log *lines) {
				log.find(t, `msg="mail taken in"`)
				log.find(t, `(?s)state=sent.*state=sent`)
				wants(t, log.String(), "token refreshed")
			})
			if got := r.mail.Sent(); len(got) < 2 {
				t.Errorf("%d mails went out", len(got))
			}
			for _, login := range r.mail.Logins() {
				if !strings.HasSuffix(login, mechanism) {
					t.Errorf("a login by %s", login)
				}
			}
			r.run(t, 0, "export", "liga", "--public")
			r.run(t, 0, "--json", "outbox", "list")

			// Tokens void before their time; a provider that is out of order, and tells what it was asked; a consent
			// withdrawn.
			r.Revoke(false)
			wants(t, r.run(t, 0, "check"), "is there and good")
			r.Set(func(p *oauthtest.Provider) { p.Down, p.Chatty = 500, true })
			r.Revoke(false)
			r.run(t, 1, "check")
			r.Set(func(p *oauthtest.Provider) { p.Down, p.Chatty = 0, false })
			r.Revoke(true)
			wants(t, r.run(t, 1, "check"), "TO DO token", "invalid_grant", "run `ringpost auth imap` again")
			r.run(t, 0, "round", "close", "liga")
			r.run(t, 1, "outbox", "send")
			r.serving(t, func(log *lines) {
				log.find(t, `msg="mailbox not read".*run .ringpost auth imap. again`)
				log.find(t, `msg="sending stopped early".*run .ringpost auth smtp. again`)

				// Consent can be given beside the running server; the next login is good, only later.
				if status, said := r.consent(t, "imap", browse(t)); status != 0 {
					t.Errorf("auth imap beside the server: status %d\n%s", status, said)
				}
			})
			wants(t, r.run(t, 0, "check"), "is there and good")
			r.tight(t)
		})
	}
}

// serving runs a server for the length of f.
func (r *tokenRig) serving(t *testing.T, f func(log *lines)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out := &lines{more: make(chan struct{}, 1)}
	done := make(chan int, 1)
	go func() {
		done <- cli.Run(ctx, []string{"--data", r.dir, "serve"}, cli.System{In: strings.NewReader(""), Out: out, Err: out, Getenv: os.Getenv})
	}()
	f(out)
	stop()
	if status := <-done; status != 0 {
		t.Errorf("serve ends with status %d\n%s", status, out)
	}
	r.said.WriteString(out.String())
}

func TestAuthFails(t *testing.T) {
	r := newTokenRig(t, oauthtest.XOAUTH2)
	r.Set(func(p *oauthtest.Provider) { p.Refuse = "access_denied" })
	status, said := r.consent(t, "imap", browse(t))
	if wants(t, said, "access_denied", "run `ringpost auth imap` again"); status != 1 {
		t.Errorf("refused: status %d", status)
	}
	r.Set(func(p *oauthtest.Provider) { p.Refuse = "" })
	status, said = r.consent(t, "imap", func(string) string { return "http://127.0.0.1/?code=x&state=y" })
	if wants(t, said, "what was pasted", "does not belong"); status != 1 {
		t.Errorf("pasted something else: status %d", status)
	}
	r.Set(func(p *oauthtest.Provider) { p.Deaf = true }) // the mail servers do not know its tokens
	status, said = r.consent(t, "imap", browse(t))
	if wants(t, said, "the token is kept, but the login fails"); status != 1 {
		t.Errorf("not taken by the mail server: status %d", status)
	}
	r.tight(t)
}

func TestAuthByDevice(t *testing.T) {
	r := newTokenRig(t, oauthtest.XOAUTH2)
	said := r.run(t, 0, "auth", "smtp", "--device") // the provider asks to be asked after a second
	wants(t, said, "Open https://provider.example/device on any machine", "WDJB-MJHT", "The token is kept")
	r.Set(func(p *oauthtest.Provider) { p.Polls = []string{"access_denied"} })
	wants(t, r.run(t, 1, "auth", "imap", "--device"), "access_denied", "run `ringpost auth imap` again")
	r.tight(t)
}
