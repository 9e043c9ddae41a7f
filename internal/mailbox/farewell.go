package mailbox

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/emersion/go-imap/v2"

	"ringpost/internal/secret"
)

// farewell hears what goes over a connection, both ways, and keeps the server's last word (BYE, RFC 3501 section
// 7.1.5): it says why the server hung up, and go-imap keeps it to itself.
type farewell struct {
	mu   sync.Mutex
	line []byte // that is under way, cut to what matters
	word string // what followed BYE; "" unless it was the last the server said

	login secret.Login // whose secrets are not told
}

const longestFarewell = 512

// Write implements io.Writer.
func (f *farewell) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for rest := p; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		if room := longestFarewell - len(f.line); room > 0 {
			f.line = append(f.line, part[:min(len(part), room)]...)
		}
		if ended {
			f.heard(bytes.TrimSuffix(f.line, []byte("\r")))
			f.line = f.line[:0]
		}
		rest = after
	}
	return len(p), nil
}

// heard takes a line. What looks like a farewell within a mail is followed by more.
func (f *farewell) heard(line []byte) {
	switch {
	case len(line) > len(bye) && bytes.EqualFold(line[:len(bye)], bye):
		f.word = string(line[len(bye):])
	case f.word != "" && !sent(string(line)):
		f.word = ""
	}
}

var bye = []byte("* BYE ")

// sent tells whether a line is one that the client sends: it may speak on before it has heard the farewell.
func sent(line string) bool {
	tag, command, _ := strings.Cut(line, " ")
	command, _, _ = strings.Cut(command, " ")
	if line == "DONE" {
		return true
	}
	if number, ok := strings.CutPrefix(tag, "T"); !ok || strings.Trim(number, "0123456789") != "" {
		return false
	}
	return command != "OK" && command != "NO" && command != "BAD"
}

// explain adds the farewell to an error that a lost connection has caused.
func (f *farewell) explain(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil || f.word == "" {
		return err
	}
	word := f.login.Strike(f.word)
	last := &imap.Error{Type: imap.StatusResponseTypeBye, Text: word}
	if inside, after, ok := strings.Cut(word, "]"); ok && strings.HasPrefix(inside, "[") {
		code, _, _ := strings.Cut(inside[1:], " ")
		last.Code, last.Text = imap.ResponseCode(strings.ToUpper(code)), strings.TrimSpace(after)
	}
	return fmt.Errorf("%w: %w", err, last)
}
