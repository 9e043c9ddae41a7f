package outbox_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ringpost/internal/outbox"
)

// TestSMTPAtEachCommand lets a server answer one command of a session in every way
// that is not the one hoped for. A mail counts as sent only when its final dot was
// answered by a yes, and as refused for good only when a 5xx was about it; whatever
// else happened, it goes out when the server is well again.
func TestSMTPAtEachCommand(t *testing.T) {
	for _, command := range []string{"greeting", "EHLO", "MAIL", "RCPT", "DATA", ".", "RSET", "QUIT"} {
		for _, said := range []string{"421 4.3.2 shutting down", "421-4.3.2 shutting\r\n421 4.3.2 down", "451 4.3.0 later", "554 5.7.1 no", "250-yes\r\n250 2.0.0 yes", "354 go on",
			"hang up", "hello?", "999 what", "451 4.3.0 later, hang up", "250 2.0.0 yes, hang up"} {
			t.Run(command+" "+said, func(t *testing.T) {
				var ill atomic.Bool
				ill.Store(true)
				var took atomic.Int32 // mails taken over, as the server sees it
				tr := &outbox.SMTP{Host: "localhost", Port: 25, Security: outbox.Plain,
					Timeouts: outbox.Timeouts{Open: time.Second / 2, Command: time.Second / 5, Final: time.Second / 5, Quit: time.Second / 20},
					Dial: func(context.Context, string, string) (net.Conn, error) {
						ours, theirs := net.Pipe()
						go serveIll(theirs, command, said, &ill, &took)
						t.Cleanup(func() { ours.Close(); theirs.Close() })
						return ours, nil
					}}
				r := by(tr, 3)
				if command == "RSET" { // said only after a refusal
					r.queue.mails[0].item.To = "unknown@example.org"
				}
				r.Flush(t.Context())
				for _, m := range r.queue.mails {
					switch m.last.State {
					case outbox.Failed:
						if m.item.To != "unknown@example.org" && !(said[0] == '5' && (command == "RCPT" || command == "DATA" || command == ".")) {
							t.Errorf("mail %d is given up: %s", m.item.ID, m.last.Answer)
						}
					case outbox.Sent:
					default:
						if strings.HasSuffix(m.last.Answer, "EOF") && said[0] != 'h' && !strings.HasSuffix(said, "hang up") {
							t.Errorf("mail %d: %s", m.item.ID, m.last.Answer)
						}
					}
				}
				sure := r.count(outbox.Sent)
				if got := int(took.Load()); got < sure {
					t.Errorf("%d mails count as sent, the server has taken %d", sure, got)
				}
				ill.Store(false)
				r.clock.advance(24 * time.Hour)
				if _, _, _, err := r.Flush(t.Context()); err != nil {
					t.Error(err)
				}
				if sent, failed := r.count(outbox.Sent), r.count(outbox.Failed); sent+failed != 3 {
					t.Errorf("%d sent and %d given up of 3", sent, failed)
				}
			})
		}
	}
}

// count counts mails by state.
func (r *rig) count(s outbox.State) (n int) {
	for _, m := range r.queue.mails {
		if m.last.State == s {
			n++
		}
	}
	return n
}

// serveIll speaks SMTP, but answers one command otherwise while it is ill.
func serveIll(c net.Conn, command, said string, ill *atomic.Bool, took *atomic.Int32) {
	defer c.Close()
	lines := bufio.NewScanner(c)
	// answer tells whether to go on.
	answer := func(verb, well string) bool {
		if ill.Load() && verb == command {
			text, end := strings.CutSuffix(said, ", hang up")
			if text == "hang up" {
				return false
			}
			fmt.Fprint(c, text+"\r\n")
			return !end
		}
		_, err := io.WriteString(c, well+"\r\n")
		return err == nil
	}
	if !answer("greeting", "220 ready") {
		return
	}
	for lines.Scan() {
		line := lines.Text()
		verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
		well := "250 2.0.0 ok"
		switch verb {
		case "DATA":
			well = "354 go on"
		case "QUIT":
			well = "221 bye"
		case "RCPT":
			if strings.Contains(line, "unknown") {
				well = "550 5.1.1 unknown"
			}
		}
		if !answer(verb, well) || verb == "QUIT" {
			return
		}
		if verb != "DATA" || ill.Load() && command == "DATA" && !strings.HasPrefix(said, "354") {
			continue
		}
		for lines.Scan() && lines.Text() != "." {
		}
		if !ill.Load() || command != "." || strings.HasPrefix(said, "250") {
			took.Add(1)
		}
		if !answer(".", "250 2.0.0 queued") {
			return
		}
	}
}
