package outbox_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"ringpost/internal/outbox"
)

// sink starts Postfix's smtp-sink on a free port with the given faults.
func sink(t *testing.T, faults ...string) *outbox.SMTP {
	t.Helper()
	path, err := exec.LookPath("smtp-sink")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/smtp-sink")
	}
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("smtp-sink is missing, install Postfix")
		}
		t.Skip("smtp-sink is missing, install Postfix to run this test")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()

	args := append(faults, address, "100")
	if os.Getuid() == 0 {
		args = append([]string{"-u", "postfix"}, args...) // it refuses to run as root
	}
	cmd := exec.Command(path, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	await(t, address)
	return &outbox.SMTP{Host: "127.0.0.1", Port: port, Security: outbox.Plain}
}

// await returns once something listens at address; the program says so in no
// other way.
func await(t *testing.T, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err == nil {
			conn.Close()
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("nothing listens at %s: %v", address, err)
		}
	}
}

func TestSink(t *testing.T) {
	for _, tc := range []struct {
		name                  string
		faults                []string
		sent, retried, failed int
		ambiguous, stopped    bool
	}{
		{name: "takes all", sent: 5},
		{name: "4xx at RCPT", faults: []string{"-r", "rcpt"}, retried: 5},
		{name: "5xx at MAIL", faults: []string{"-f", "mail"}, retried: 2, stopped: true},
		{name: "5xx at RCPT", faults: []string{"-f", "rcpt"}, failed: 3, stopped: true},
		{name: "4xx at DATA", faults: []string{"-r", "data"}, retried: 5},
		{name: "5xx at the dot", faults: []string{"-f", "."}, failed: 3, stopped: true},
		{name: "hangs up at RCPT", faults: []string{"-q", "rcpt"}, retried: 2, stopped: true},
		{name: "hangs up at DATA", faults: []string{"-q", "data"}, retried: 2, stopped: true},
		{name: "hangs up at the dot", faults: []string{"-q", "."}, retried: 2, ambiguous: true, stopped: true},
		{name: "421 at MAIL", faults: []string{"-Q", "mail"}, retried: 2, stopped: true},
		{name: "421 at the dot", faults: []string{"-Q", "."}, retried: 2, stopped: true},
		{name: "hangs up at EHLO", faults: []string{"-q", "ehlo,helo"}, stopped: true},
		{name: "421 at connecting", faults: []string{"-Q", "connect"}, stopped: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := by(sink(t, tc.faults...), 5)
			err := flush(t, r.Sender, tc.sent, tc.retried, tc.failed)
			if (err != nil) != tc.stopped {
				t.Errorf("error %v", err)
			}
			if got := r.queue.result(1); got.Ambiguous != tc.ambiguous {
				t.Errorf("result %+v", got)
			}
		})
	}
}
