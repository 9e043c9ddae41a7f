package outbox_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/outbox"
)

// command writes a shell script that stands for sendmail. It keeps its
// arguments, input and environment in the returned folder and ends with the
// lines of end.
func command(t *testing.T, end string) (tr *outbox.Sendmail, folder string) {
	t.Helper()
	folder = t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ncd '%s' || exit 1\nprintf '%%s\\n' \"$@\" >args\ncat >input\nenv >environment\n%s\n", folder, end)
	path := filepath.Join(folder, "sendmail")
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return &outbox.Sendmail{Command: path}, folder
}

func content(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSendmail(t *testing.T) {
	t.Setenv("RINGPOST_SMTP_PASSWORD", "s3cr3t")
	tr, folder := command(t, "echo queued")
	r := by(tr, 1)
	item := &r.queue.mails[0].item
	item.To = "-OQueueDirectory=$(id)@Müller.example"
	if err := flush(t, r.Sender, 0, 0, 1); err != nil {
		t.Fatal(err)
	}
	if got := r.queue.result(1).Answer; !strings.HasPrefix(got, "not sent: ") {
		t.Errorf("an address with brackets: %q", got)
	}

	r = by(tr, 1)
	item = &r.queue.mails[0].item
	item.To = "-oi`id`@Müller.example" // an address all the same
	if err := flush(t, r.Sender, 1, 0, 0); err != nil {
		t.Fatal(err)
	}
	want := "-i\n-f\n" + item.From + "\n--\n-oi`id`@xn--mller-kva.example\n"
	if diff := cmp.Diff(want, content(t, folder, "args")); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	want = strings.ReplaceAll(string(item.Raw), "\r\n", "\n")
	if diff := cmp.Diff(want, content(t, folder, "input")); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	if got := content(t, folder, "environment"); strings.Contains(got, "s3cr3t") || !strings.Contains(got, "PATH=") {
		t.Errorf("environment:\n%s", got)
	}

	r = by(tr, 1)
	r.queue.mails[0].item.From = ""
	if err := flush(t, r.Sender, 1, 0, 0); err != nil {
		t.Fatal(err)
	}
	if got := content(t, folder, "args"); !strings.HasPrefix(got, "-i\n-f\n<>\n--\n") {
		t.Errorf("arguments for the null return path: %q", got)
	}
}

func TestSendmailStatus(t *testing.T) {
	for _, tc := range []struct {
		end    string
		want   outbox.State
		answer string
	}{
		{"exit 0", outbox.Sent, ""},
		{"echo 'try later' >&2; exit 75", outbox.Retry, "exit status 75: try later"},
		{"echo 'user unknown'; exit 67", outbox.Failed, "exit status 67: user unknown"},
		{"exit 1", outbox.Failed, "exit status 1:"},
		{"exit 78", outbox.Retry, "exit status 78:"},
		{"exit 127", outbox.Retry, "exit status 127:"},
		{"kill -9 $$", outbox.Retry, "signal: killed:"},
		{"yes | head -c 100000; exit 69", outbox.Failed, "exit status 69: " + strings.TrimSpace(strings.Repeat("y ", 142))},
	} {
		t.Run(tc.end, func(t *testing.T) {
			tr, _ := command(t, tc.end)
			r := by(tr, 1)
			if _, _, _, err := r.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := r.queue.result(1); got.State != tc.want || got.Answer != tc.answer || got.Ambiguous {
				t.Errorf("result %+v, want %s %q", got, tc.want, tc.answer)
			}
		})
	}
}

func TestSendmailHangs(t *testing.T) {
	// The command opens a pipe nobody writes to, and so waits for ever.
	tr, _ := command(t, "mkfifo pipe && exec cat pipe")
	tr.Timeout = 500 * time.Millisecond // enough for the script to get there
	r := by(tr, 1)
	if err := flush(t, r.Sender, 0, 1, 0); err != nil {
		t.Fatal(err)
	}
	if got := r.queue.result(1); !got.Ambiguous {
		t.Errorf("result %+v", got)
	}
}

func TestSendmailMissing(t *testing.T) {
	r := by(&outbox.Sendmail{Command: filepath.Join(t.TempDir(), "sendmail")}, 1)
	if err := flush(t, r.Sender, 0, 0, 0); err == nil || !strings.Contains(err.Error(), "install a mail system") {
		t.Errorf("error %v", err)
	}
	if got := r.queue.mails[0].item.Attempts; got != 0 {
		t.Errorf("%d attempts", got)
	}
}

// TestSendmailCannotRun: what is wrong with the command is not the mails' fault.
func TestSendmailCannotRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sendmail")
	if err := os.WriteFile(path, []byte("#!/no/such/shell\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := by(&outbox.Sendmail{Command: path}, 3)
	if err := flush(t, r.Sender, 0, 2, 0); err == nil {
		t.Error("no error")
	}
}
