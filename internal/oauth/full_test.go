//go:build unix

package oauth_test

import (
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// fill lets no file grow until the function it returns is called.
func fill(t *testing.T) (room func()) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ) // so that a write fails as on a full disk
	full := before
	full.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full); err != nil {
		t.Fatal(err)
	}
	room = func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(room)
	return room
}

// TestDiskFullAtARefresh: the consent outlasts it, even where a refresh token is good once only.
func TestDiskFullAtARefresh(t *testing.T) {
	r := newRig(t)
	r.Rotate = true
	r.consent(t)
	r.now = r.now.Add(2 * time.Hour)
	room := fill(t)
	asked := len(r.Asked())
	_, err := r.account.Token(t.Context())
	r.fails(t, err, "saving the token of gm@liga.example", "file too large")
	if len(r.Asked()) != asked {
		t.Error("the refresh token was used though the next one could not be kept")
	}
	room()
	if token := r.token(t); !r.Takes(token) {
		t.Errorf("the token %q is not good", token)
	}
}

// TestConsentByRoot: who runs the command as root does not lock the server of another user out.
func TestConsentByRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	const nobody = 65534
	r := newRig(t)
	if err := os.Chown(r.account.Dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	r.consent(t)
	for _, path := range []string{r.file(t), filepath.Join(r.account.Dir, "oauth.lock")} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if owner := info.Sys().(*syscall.Stat_t).Uid; owner != nobody || info.Mode().Perm() != 0o600 {
			t.Errorf("%s is of user %d with mode %v", path, owner, info.Mode())
		}
	}
}
