package cli_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"ringpost/internal/cli"
)

// TestServeByLMTP: a mail server pushes orders, and the receipt goes out; what
// was not taken the mail server keeps.
func TestServeByLMTP(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	socket := filepath.Join(t.TempDir(), "lmtp.sock")
	ringpost(t, dir, "init", "--address", "gm@liga.example", "--gm", "boss@liga.example")
	configure(t, dir, fmt.Sprintf("[lmtp]\nlisten = %q\n[outgoing_maildir]\npath = \"out\"\n", socket))
	if got := ringpost(t, dir, "check"); !strings.Contains(got, "`ringpost serve` will take mails at "+socket) {
		t.Errorf("check: %s", got)
	}
	ringpost(t, dir, "game", "new", "liga", "--ruleset", "sugarray", "--trust", "address", "--lang", "en")
	for _, seat := range []string{"Rocky", "Apollo"} {
		ringpost(t, dir, "seat", "add", "liga", seat, "--player", strings.ToLower(seat)+"@players.example")
	}
	ringpost(t, dir, "game", "start", "liga")

	_, log := serve(t, dir)
	if got := ringpost(t, dir, "check"); !strings.Contains(got, "mails are taken at "+socket) {
		t.Errorf("check: %s", got)
	}
	c, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	mta := smtp.NewClientLMTP(c)
	defer mta.Close()
	mail := "From: <rocky@players.example>\r\nTo: <gm+liga@liga.example>\r\nSubject: orders\r\nMessage-ID: <1@players.example>\r\n\r\n" +
		"NAME Rocky\r\nMOVE 2/3 3/0 2/2 0/5 3/1\r\nTRAINING S\r\n"
	for range 2 { // as when the answer to the first was lost
		if err := mta.SendMail("rocky@players.example", []string{"gm+liga@liga.example"}, strings.NewReader(mail)); err != nil {
			t.Fatal(err)
		}
	}
	// One that is too large is answered, not sent back.
	large := strings.NewReader("From: <rocky@players.example>\r\nTo: <gm@liga.example>\r\nSubject: pictures\r\nMessage-ID: <2@players.example>\r\n\r\n" +
		strings.Repeat("a picture, line by line\r\n", 11<<20/25))
	if err := mta.SendMail("rocky@players.example", []string{"gm@liga.example"}, large); err != nil {
		t.Errorf("a large mail: %v", err)
	}
	log.find(t, `result=refused reason=too-large`)
	log.find(t, `state=sent.*kind=answer`)
	if err := mta.SendMail("rocky@players.example", []string{"else@liga.example"}, strings.NewReader(mail)); err == nil || !strings.Contains(err.Error(), "No such mailbox") {
		t.Errorf("to somebody else: %v", err)
	}
	log.find(t, `state=sent.*kind=receipt`)
	if got := ringpost(t, dir, "orders", "list", "liga", "--missing"); !strings.Contains(got, "Apollo") || strings.Contains(got, "Rocky") {
		t.Errorf("missing: %s", got)
	}
	if got := ringpost(t, dir, "mail", "list"); strings.Count(got, "\n") != 2 {
		t.Errorf("a mail that came twice, and a large one:\n%s", got)
	}

	// A second server at the same socket is refused and disturbs nobody.
	other := filepath.Join(t.TempDir(), "data")
	ringpost(t, other, "init", "--address", "gm@liga.example")
	configure(t, other, fmt.Sprintf("[lmtp]\nlisten = %q\n[outgoing_maildir]\npath = \"out\"\n", socket))
	var errs strings.Builder
	status := cli.Run(context.Background(), []string{"--data", other, "serve"}, cli.System{In: strings.NewReader(""), Out: &errs, Err: &errs, Getenv: os.Getenv})
	if status != 1 || !strings.Contains(errs.String(), "another program listens on "+socket) {
		t.Errorf("the second server: status %d\n%s", status, &errs)
	}
}
