package lmtp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPostfix: Postfix's own LMTP client, over several connections at once, by port and by socket.
func TestPostfix(t *testing.T) {
	path, err := exec.LookPath("smtp-source")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/smtp-source")
	}
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("smtp-source is missing, install Postfix")
		}
		t.Skip("smtp-source is missing, install Postfix to run this test")
	}
	socket := filepath.Join(t.TempDir(), "lmtp.sock")
	port := place(t)
	for at, name := range map[string]string{port: port, socket: "unix:" + socket} {
		r := start(t, at, 0)
		r.run(t)
		if said, err := exec.CommandContext(t.Context(), path, "-L", "-s", "5", "-m", "100", "-t", own, name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
		if got := len(r.stored()); got != 100 {
			t.Errorf("%s: %d mails stored, want 100", name, got)
		}
	}
}
