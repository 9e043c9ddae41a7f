package oauth_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ringpost/internal/oauth"
)

func TestTokenIsRefreshedBeforeTheLogin(t *testing.T) {
	for _, tc := range []struct {
		name    string
		life    int           // of the tokens
		passes  time.Duration // since the consent
		refresh int           // how often the provider was asked for a refresh
	}{
		{"much time left", 3600, 10 * time.Minute, 0},
		{"five minutes left", 3600, 55 * time.Minute, 0},
		{"less than five minutes left", 3600, 55*time.Minute + time.Second, 1},
		{"expired", 3600, 24 * time.Hour, 1},
		{"never long enough", 60, 0, 1},
		{"the provider does not say", 0, 24 * time.Hour, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			r.Life = tc.life
			r.consent(t)
			r.now = r.now.Add(tc.passes)
			if token := r.token(t); !r.Takes(token) {
				t.Errorf("the token %q is not good", token)
			}
			want := append([]string{"authorization_code"}, slices.Repeat([]string{"refresh_token"}, tc.refresh)...)
			if got := r.Asked(); !slices.Equal(got, want) {
				t.Errorf("the provider was asked for %v, want %v", got, want)
			}
			r.tight(t, r.log.String())
		})
	}
}

func TestRotatedRefreshTokenIsKept(t *testing.T) {
	r := newRig(t)
	r.Rotate = true
	r.consent(t)
	for range 3 { // each refresh token is good for one refresh only
		r.now = r.now.Add(2 * time.Hour)
		r.account = r.another(r.account.Dir) // what counts is what lies on the disk
		if token := r.token(t); !r.Takes(token) {
			t.Fatalf("the token %q is not good", token)
		}
	}
	if info, err := os.Stat(r.file(t)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	entries, err := os.ReadDir(r.account.Dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("beside the token and the lock the folder holds more: %v, %v", entries, err)
	}
	if !strings.Contains(r.log.String(), "token refreshed") {
		t.Errorf("the log:\n%s", r.log)
	}
	r.tight(t, r.log.String())
}

// TestLoginsAtOnce: IMAP and SMTP, the server and commands beside it log in at the same time, and no refresh token
// is used twice.
func TestLoginsAtOnce(t *testing.T) {
	r := newRig(t)
	r.Rotate = true
	r.consent(t)
	r.now = r.now.Add(2 * time.Hour)
	var wg sync.WaitGroup
	for range 8 {
		account := r.another(r.account.Dir)
		wg.Go(func() {
			token, err := account.Token(within(t))
			if err != nil || !r.Takes(token) {
				t.Errorf("token %q, %v", token, err)
			}
		})
	}
	wg.Wait()
	if got := r.Asked(); len(got) != 2 {
		t.Errorf("the provider was asked for %v, want one refresh", got)
	}
}

func TestProviderOutOfReach(t *testing.T) {
	r := newRig(t)
	r.consent(t)
	old := r.token(t)
	r.Down, r.Chatty = 503, true

	r.now = r.now.Add(57 * time.Minute)
	if got := r.token(t); got != old {
		t.Errorf("got %q, want the old token, which is good for three more minutes", got)
	}
	if !strings.Contains(r.log.String(), "still good") {
		t.Errorf("the log:\n%s", r.log)
	}
	r.now = r.now.Add(3 * time.Minute)
	_, err := r.account.Token(t.Context())
	r.fails(t, err, "refreshing the token of gm@liga.example", "503")
	if strings.Contains(err.Error(), "ringpost auth") {
		t.Errorf("consent is asked for, though waiting helps: %v", err)
	}

	r.Down, r.Chatty = 0, false
	if token := r.token(t); !r.Takes(token) {
		t.Errorf("the token %q is not good", token)
	}
}

func TestRefreshRefused(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*rig)
		says   []string
	}{
		{"consent withdrawn", func(r *rig) { r.Revoke(true) }, []string{"invalid_grant", "[secret]", "run `ringpost auth imap` again"}},
		{"client unknown", func(r *rig) { r.account.Secret = "another" }, []string{"invalid_client", "check client_id"}},
		// A secret goes to the address that was set and to no other.
		{"sent elsewhere", func(r *rig) { r.Down = 307 }, []string{"307"}},
		{"no OAuth there", func(r *rig) { r.account.Transport = deaf{} }, []string{"nobody listens"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			r.consent(t)
			before := read(t, r.file(t))
			r.now = r.now.Add(2 * time.Hour)
			tc.change(r)
			_, err := r.account.Token(t.Context())
			r.fails(t, err, tc.says...)
			if after := read(t, r.file(t)); after != before {
				t.Error("the file has changed") // the refresh token may still be good
			}
			if got := r.Asked(); len(got) > 2 {
				t.Errorf("the provider was asked for %v", got)
			}
		})
	}
}

func TestFileThatDoesNotFit(t *testing.T) {
	r := newRig(t)
	_, err := r.account.Token(t.Context())
	r.fails(t, err, "no token for gm@liga.example yet", "run `ringpost auth imap`")

	r.consent(t)
	good := read(t, r.file(t))
	for name, tc := range map[string]struct {
		change func(*oauth.Account)
		file   string
		says   string
	}{
		"another client":   {func(a *oauth.Account) { a.ID = "other" }, good, "another client_id"},
		"another provider": {func(a *oauth.Account) { a.TokenURL = "https://evil.example/token" }, good, "another token_url"},
		"half a file":      {func(*oauth.Account) {}, good[:len(good)/2], "is damaged"},
		"empty":            {func(*oauth.Account) {}, "", "is damaged"},
		"nothing in it":    {func(*oauth.Account) {}, "{}", "is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(r.file(t), []byte(tc.file), 0o600); err != nil {
				t.Fatal(err)
			}
			account := r.another(r.account.Dir)
			tc.change(account)
			asked := len(r.Asked())
			_, err := account.Token(t.Context())
			r.fails(t, err, tc.says, "run `ringpost auth imap`")
			if len(r.Asked()) != asked {
				t.Error("a provider was asked")
			}
		})
	}
}

// TestUserNamesFile: no name leads out of the folder, and one user's token is not another's.
func TestUserNamesFile(t *testing.T) {
	r := newRig(t)
	r.account.User = "../../gm/x y@liga.example"
	r.consent(t)
	if dir := filepath.Dir(r.file(t)); dir != r.account.Dir {
		t.Errorf("the file is in %s", dir)
	}
	other := r.another(r.account.Dir)
	_, err := other.Token(t.Context())
	r.fails(t, err, "no token for gm@liga.example yet")
}

func TestSavingFails(t *testing.T) {
	r := newRig(t)
	err := r.another(filepath.Join(r.account.Dir, "missing")).AskBrowser(within(t), func(address string) { browse(t, address) }, nil)
	r.fails(t, err, "missing")
}
