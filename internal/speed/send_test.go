//go:build unix

package speed_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringpost/internal/cli"
)

// BenchmarkSend sends five thousand reports over one connection to Postfix's
// smtp-sink, each attempt and each outcome written down. Goal: three times what
// Postfix's smtp-source takes for as many mails of that size over one connection.
func BenchmarkSend(b *testing.B) {
	const count = 5004
	sink, source := tool(b, "smtp-sink"), tool(b, "smtp-source")
	dir, mails := leagues(b, count/boxers)
	o := open(b, dir)
	o.take(b, mails)
	settle(b, o)
	o.now = deadline.Add(time.Second)
	if _, err := o.CloseDue(b.Context()); err != nil {
		b.Fatal(err)
	}
	size := 0
	queued, err := o.OutboxDue(b.Context(), o.now, 100)
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range queued {
		raw, err := o.Compose(m)
		if err != nil {
			b.Fatal(err)
		}
		size += len(raw) / len(queued)
	}
	if err := o.store.Close(); err != nil {
		b.Fatal(err)
	}
	addr := listening(b, sink)
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{"ringpost.key": "\x01" + strings.Repeat("\x00", 31),
		"ringpost.toml": fmt.Sprintf("address = %q\nplus_addresses = true\n[smtp]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"plain\"\n", gm, port)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}

	theirs := run(b, exec.Command(source, "-s", "1", "-m", fmt.Sprint(count), "-l", fmt.Sprint(size), "-f", gm, "-t", "player@players.example", addr))
	watch := startWatch()
	var out, errs bytes.Buffer
	status := cli.Run(context.Background(), []string{"--data", dir, "--now", o.now.Format(time.RFC3339), "outbox", "send"},
		cli.System{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: os.Getenv})
	wall, cpu := watch.stop()
	if status != 0 || !strings.HasPrefix(out.String(), fmt.Sprintf("%d sent, 0 put off, 0 refused", count)) {
		b.Fatalf("status %d: %s%s", status, &out, &errs)
	}
	b.ReportMetric(float64(size), "bytes/mail")
	b.ReportMetric(wall.Seconds(), "s")
	b.ReportMetric(cpu.Seconds(), "cpu-s")
	b.ReportMetric(theirs.Seconds(), "smtp-source-s")
	b.ReportMetric(wall.Seconds()/theirs.Seconds(), "of-smtp-source")
	b.ReportMetric(0, "ns/op")
}

// settle takes all that is queued for sent.
func settle(b *testing.B, o *office) {
	b.Helper()
	for {
		due, err := o.OutboxDue(b.Context(), o.now, 1000)
		if err != nil {
			b.Fatal(err)
		}
		if len(due) == 0 {
			return
		}
		for _, m := range due {
			if err := o.store.MarkResult(b.Context(), m.ID, "sent", "", o.now); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// listening starts smtp-sink.
func listening(b *testing.B, sink string) (addr string) {
	b.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	addr = free.Addr().String()
	free.Close()
	args := []string{addr, "100"}
	if os.Getuid() == 0 {
		args = append([]string{"-u", "postfix"}, args...) // it refuses to run as root
	}
	cmd := exec.Command(sink, args...)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for range again.C {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
			return addr
		}
		if b.Context().Err() != nil {
			b.Fatal(err)
		}
	}
	return addr
}
