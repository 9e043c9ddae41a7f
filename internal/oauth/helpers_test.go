package oauth_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ringpost/internal/oauth"
	"ringpost/internal/oauthtest"
)

const user = "gm@liga.example"

// noon is when the tests begin.
var noon = time.Date(2026, 12, 6, 12, 0, 0, 0, time.UTC)

// rig is an account at a provider.
type rig struct {
	*oauthtest.Provider
	account *oauth.Account
	url     string
	now     time.Time
	log     *buffer

	challenge string // that the browser is made to show instead of ours
}

// buffer is a log that several goroutines may write.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{Provider: &oauthtest.Provider{Life: 3600, CodeLife: 900, Interval: 5}, now: noon, log: &buffer{}}
	server := httptest.NewServer(r.Provider)
	t.Cleanup(server.Close)
	r.url = server.URL
	r.account = r.another(t.TempDir())
	return r
}

// another is the same account as another process has it.
func (r *rig) another(dir string) *oauth.Account {
	return &oauth.Account{
		Client: oauth.Client{ID: oauthtest.ClientID, Secret: oauthtest.ClientSecret, Scopes: []string{"mail.read", "mail.send"},
			AuthURL: r.url + "/auth", TokenURL: r.url + "/token", DeviceURL: r.url + "/device", RedirectHost: "127.0.0.1",
			AuthParams: map[string]string{"access_type": "offline"}},
		User: user, Dir: dir, Renew: "ringpost auth imap", Now: func() time.Time { return r.now },
		Log: slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
}

// consent goes through the whole flow as a browser does, and gives the page it ends at.
func (r *rig) consent(t *testing.T) string {
	t.Helper()
	var page string
	err := r.account.AskBrowser(t.Context(), func(address string) { page = browse(t, address) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// browse opens an address and follows it to its end.
func browse(t *testing.T, address string) string {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return string(page)
}

func (r *rig) token(t *testing.T) string {
	t.Helper()
	token, err := r.account.Token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// file is the only file with tokens in the account's folder.
func (r *rig) file(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.account.Dir, oauth.FilePattern))
	if err != nil || len(files) != 1 {
		t.Fatalf("files with tokens: %v, %v", files, err)
	}
	return files[0]
}

// fails wants an error that says all of these, and none of the provider's secrets.
func (r *rig) fails(t *testing.T, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range says {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
	r.tight(t, err.Error()+r.log.String())
}

// tight wants no secret in a text.
func (r *rig) tight(t *testing.T, text string) {
	t.Helper()
	for _, secret := range r.Secrets() {
		if strings.Contains(text, secret) {
			t.Errorf("the secret %s is in:\n%s", secret, text)
		}
	}
}

// within is a context for what must not hang.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 30*time.Second, errors.New("the test hangs"))
	t.Cleanup(cancel)
	return ctx
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
