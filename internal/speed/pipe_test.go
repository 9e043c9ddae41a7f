//go:build unix

package speed_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkPipe lets a mail server's pipe start the program for each mail: from
// there to the committed orders and the queued receipt. Goal: 25 ms on a quiet
// machine.
func BenchmarkPipe(b *testing.B) {
	program := filepath.Join(b.TempDir(), "ringpost")
	run(b, exec.Command("go", "build", "-o", program, "ringpost/cmd/ringpost"))
	dir, mails := leagues(b, 10)
	for name, text := range map[string]string{"ringpost.key": "\x01" + strings.Repeat("\x00", 31),
		"ringpost.toml": fmt.Sprintf("address = %q\nplus_addresses = true\n", gm)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	var walls, cpus []time.Duration
	for _, raw := range mails {
		cmd := exec.Command(program, "--data", dir, "--now", began.Add(2*time.Hour).Format(time.RFC3339), "mail", "in", "-")
		cmd.Stdin = bytes.NewReader(raw)
		walls = append(walls, run(b, cmd))
		cpus = append(cpus, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	b.ReportMetric(milliseconds(median(walls)), "ms/mail")
	b.ReportMetric(milliseconds(slices.Min(walls)), "best-ms/mail")
	b.ReportMetric(milliseconds(median(cpus)), "cpu-ms/mail")
	b.ReportMetric(0, "ns/op")
}

func median(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
