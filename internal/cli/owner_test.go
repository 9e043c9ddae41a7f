//go:build unix

package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestRootLeavesFilesToTheOwner: what root makes in the data folder by a command, the
// server of another user can open.
func TestRootLeavesFilesToTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("files are given away as root only")
	}
	dir := filepath.Join(t.TempDir(), "data")
	ringpost(t, dir, "init", "--address", "gm@liga.example")
	configure(t, dir, "[outgoing_maildir]\npath = \"out\"\n")
	const nobody = 65534
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, nobody, nobody))
	})
	if err != nil {
		t.Fatal(err)
	}
	ringpost(t, dir, "outbox", "send")
	serve(t, dir)
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for limit := time.Now().Add(patience); waitHealthy(t, dir) != "" && time.Now().Before(limit); {
		<-look.C
	}
	for _, name := range []string{"serve.lock", "serve.json", "ringpost.mark", "ringpost.db-wal"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if s := info.Sys().(*syscall.Stat_t); s.Uid != nobody {
			t.Errorf("%s belongs to %d", name, s.Uid)
		}
	}
}
