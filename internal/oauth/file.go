package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"ringpost/internal/owner"
)

// FilePattern matches the names of all files with tokens in a data folder.
const FilePattern = "oauth-*.json"

const (
	lockName  = "oauth.lock"
	lockRetry = 50 * time.Millisecond
)

// grant is what the file holds of one account. Client and address are kept beside the tokens so that these are
// never shown to another provider when the configuration changes.
type grant struct {
	User         string    `json:"user"`
	ClientID     string    `json:"client_id"`
	TokenURL     string    `json:"token_url"`
	AccessToken  string    `json:"access_token"`
	RefreshToken string    `json:"refresh_token"`
	Expiry       time.Time `json:"expiry"` // of the access token; zero if the provider did not say
}

// path is the file of this account: one a user, so that IMAP and SMTP share what their owner consented to once.
func (a *Account) path() string {
	return filepath.Join(a.Dir, "oauth-"+url.PathEscape(a.User)+".json")
}

// lock keeps everybody else from the files with tokens. A refresh token may be good for one use only, so two
// logins at once must not both use it.
func (a *Account) lock(ctx context.Context) (unlock func(), err error) {
	l := flock.New(filepath.Join(a.Dir, lockName), flock.SetPermissions(0o600))
	_, err = l.TryLockContext(ctx, lockRetry)
	if err == nil {
		if err = owner.Entrust(l.Path(), a.Dir); err != nil {
			l.Unlock()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("waiting for the tokens in %s: %w", a.Dir, err)
	}
	return func() { l.Unlock() }, nil
}

func (a *Account) load() (grant, error) {
	var g grant
	b, err := os.ReadFile(a.path())
	if errors.Is(err, fs.ErrNotExist) {
		return g, fmt.Errorf("there is no token for %s yet: run `%s`", a.User, a.Renew)
	}
	if err != nil {
		return g, fmt.Errorf("reading the token of %s: %w", a.User, err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if d.Decode(&g) != nil || g.RefreshToken == "" { // the decoder's error could quote the file
		return grant{}, fmt.Errorf("%s is damaged: run `%s`", a.path(), a.Renew)
	}
	if g.User != a.User || g.ClientID != a.ID || g.TokenURL != a.TokenURL {
		return grant{}, fmt.Errorf("the token of %s was given to another client_id or by another token_url: run `%s`", a.User, a.Renew)
	}
	return g, nil
}

// save writes the file whole or not at all, and to the disk: the provider may have voided the refresh token
// before this one.
func (a *Account) save(g grant) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("saving the token of %s: %w", a.User, err)
		}
	}()
	b, err := json.MarshalIndent(g, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(a.Dir, "oauth-*.new") // with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = owner.Entrust(f.Name(), a.Dir)
	}
	if err == nil {
		err = os.Rename(f.Name(), a.path())
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	return syncDir(a.Dir)
}

// syncDir makes a rename in a folder outlast a power cut.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
