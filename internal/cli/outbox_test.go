package cli_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ringpost/internal/mailtest"
)

// moody is an SMTP server that answers RCPT and the final dot as it is told, with ""
// by hanging up.
type moody struct{ rcpt, dot atomic.Value }

func (m *moody) talk(c net.Conn) {
	fmt.Fprint(c, "220 ready\r\n")
	mail := false
	for lines := bufio.NewScanner(c); lines.Scan(); {
		answer := "250 ok"
		switch verb, _, _ := strings.Cut(lines.Text(), " "); {
		case mail && lines.Text() != ".":
			continue
		case mail:
			mail, answer = false, m.dot.Load().(string)
		case verb == "RCPT":
			answer = m.rcpt.Load().(string)
		case verb == "DATA":
			mail, answer = true, "354 go on"
		}
		if answer == "" {
			return
		}
		fmt.Fprint(c, answer+"\r\n")
	}
}

// TestReceiptInDoubt: a receipt that may have arrived is not replaced, also when it was
// refused for now since.
func TestReceiptInDoubt(t *testing.T) {
	for _, test := range []struct {
		name    string
		dot     string
		replace bool
	}{{"refused", "451 later", true}, {"no answer", "", false}} {
		t.Run(test.name, func(t *testing.T) {
			var m moody
			m.rcpt.Store("250 ok")
			m.dot.Store("250 ok")
			dir := filepath.Join(t.TempDir(), "data")
			now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
			run := func(args ...string) string {
				t.Helper()
				return ringpost(t, dir, append([]string{"--now=" + now.Format(time.RFC3339)}, args...)...)
			}
			run("init", "--address", "gm@liga.example", "--lang", "en")
			configure(t, dir, fmt.Sprintf("[smtp]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"plain\"\n", port(t, mailtest.Listen(t, m.talk).String())))
			run("game", "new", "liga", "--ruleset", "sugarray", "--trust", "address")
			run("seat", "add", "liga", "Rocky", "--player", "rocky@players.example")
			run("seat", "add", "liga", "Apollo", "--player", "apollo@players.example")
			run("game", "start", "liga")
			orders := func(training string) {
				t.Helper()
				file := filepath.Join(t.TempDir(), training)
				text := "From: rocky@players.example\r\nTo: gm@liga.example\r\nSubject: orders\r\n\r\nNAME Rocky\r\nMOVE 2/3 3/0 2/2 0/5 3/1\r\nTRAINING " + training + "\r\n"
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				run("mail", "in", file)
			}
			send := func(want string) {
				t.Helper()
				if got := run("outbox", "send"); !strings.HasPrefix(got, want) {
					t.Fatalf("outbox send: %s, want %s", got, want)
				}
				now = now.Add(10 * time.Minute)
			}
			send("2 sent, 0 put off")

			orders("S")
			m.dot.Store(test.dot)
			send("0 sent, 1 put off")
			m.rcpt.Store("451 later")
			send("0 sent, 1 put off")
			orders("T")
			list := run("outbox", "list", "--state", "queued")
			if got := strings.Count(list, "receipt"); got != 2 && !test.replace || got != 1 && test.replace {
				t.Errorf("%d receipts wait:\n%s", got, list)
			}
		})
	}
}
