//go:build unix

package speed_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	_ "github.com/emersion/go-message/charset" // as mails come
	"github.com/emersion/go-message/mail"

	"ringpost/internal/mailbox"
	"ringpost/internal/mailtest"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// BenchmarkIntake takes ten thousand mails with orders from Dovecot to committed
// orders and queued receipts. Goals: half the time in which mbsync copies the
// mailbox; without putting the mails away, three times that of fetching and
// parsing alone.
func BenchmarkIntake(b *testing.B) {
	const count = 10_000
	mbsync := tool(b, "mbsync")
	dir, mails := leagues(b, (count+boxers-1)/boxers)
	mails = mails[:count]
	again := b.TempDir()
	if err := os.CopyFS(again, os.DirFS(dir)); err != nil {
		b.Fatal(err)
	}
	full := mailtest.Start(b, mailtest.Options{Fsync: true})
	// Mails that cannot be moved are marked, which costs next to nothing.
	unmoving := mailtest.Start(b, mailtest.Options{Fsync: true, IMAPCapability: "IMAP4rev1 SASL-IR LITERAL+ IDLE"})
	box := full.Box()
	full.Fill(b, box, mails)

	bare, bareCPU := fetchAndParse(b, full.IMAP, box, count)
	copied := copyMailbox(b, mbsync, full.IMAP, box)
	moved, movedCPU := intake(b, dir, full.IMAP, box, count)
	box = unmoving.Box()
	unmoving.Fill(b, box, mails)
	kept, keptCPU := intake(b, again, unmoving.IMAP, box, count)

	b.ReportMetric(moved.Seconds(), "s")
	b.ReportMetric(movedCPU.Seconds(), "cpu-s")
	b.ReportMetric(copied.Seconds(), "mbsync-s")
	b.ReportMetric(bare.Seconds(), "bare-s")
	b.ReportMetric(moved.Seconds()/copied.Seconds(), "of-mbsync")
	b.ReportMetric(kept.Seconds()/bare.Seconds(), "of-bare-fetch")
	b.ReportMetric(keptCPU.Seconds()/bareCPU.Seconds(), "of-bare-fetch-cpu")
	b.ReportMetric(0, "ns/op")
}

// intake reads a mailbox as serve does.
func intake(b *testing.B, dir, addr, box string, count int) (wall, cpu time.Duration) {
	b.Helper()
	o := open(b, dir)
	source, err := mailbox.NewIMAP(mailbox.IMAPConfig{Addr: addr, Security: mailbox.Plain, User: box, Password: mailtest.Password,
		Clock: mailbox.Clock{Now: func() time.Time { return o.now }}})
	if err != nil {
		b.Fatal(err)
	}
	defer source.Close()
	watch := startWatch()
	n, err := source.Poll(b.Context(), func(ctx context.Context, batch []mailbox.Mail) error {
		in := make([]referee.Incoming, len(batch))
		for i, m := range batch {
			in[i] = referee.Incoming{Place: store.Place{Mailbox: m.Mailbox, UIDValidity: m.UIDValidity, UID: m.UID},
				Received: began.Add(2 * time.Hour), Size: m.Size, Raw: m.Raw}
		}
		o.receive(ctx, b, in)
		return nil
	})
	wall, cpu = watch.stop()
	if err != nil || n != count {
		b.Fatalf("%d mails taken in: %v", n, err)
	}
	return wall, cpu
}

// fetchAndParse is the least that reading a mailbox takes in Go.
func fetchAndParse(b *testing.B, addr, box string, count int) (wall, cpu time.Duration) {
	b.Helper()
	watch := startWatch()
	c, err := imapclient.DialInsecure(addr, nil)
	if err == nil {
		err = c.Login(box, mailtest.Password).Wait()
	}
	if err == nil {
		_, err = c.Select("INBOX", nil).Wait()
	}
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	fetch := c.Fetch(imap.SeqSet{{Start: 1}}, &imap.FetchOptions{UID: true, InternalDate: true, RFC822Size: true,
		BodySection: []*imap.FetchItemBodySection{{Peek: true}}})
	n := 0
	for m := fetch.Next(); m != nil; m = fetch.Next() {
		data, err := m.Collect()
		if err != nil {
			b.Fatal(err)
		}
		parse(b, data.BodySection[0].Bytes)
		n++
	}
	if err := fetch.Close(); err != nil || n != count {
		b.Fatalf("%d mails fetched: %v", n, err)
	}
	return watch.stop()
}

func parse(b *testing.B, raw []byte) {
	b.Helper()
	r, err := mail.CreateReader(bytes.NewReader(raw))
	if err != nil {
		b.Fatal(err)
	}
	for {
		part, err := r.NextPart()
		if err == io.EOF {
			return
		}
		if err == nil {
			_, err = io.Copy(io.Discard, part.Body)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// copyMailbox has mbsync copy a mailbox, each mail written through to the disk.
func copyMailbox(b *testing.B, mbsync, addr, box string) time.Duration {
	b.Helper()
	dir := b.TempDir()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		b.Fatal(err)
	}
	conf := filepath.Join(dir, "mbsyncrc")
	text := fmt.Sprintf(`FSync yes

IMAPStore far
Host 127.0.0.1
Port %s
User %s
Pass %s
AuthMechs LOGIN
SSLType None

MaildirStore near
Path %s/
Inbox %[4]s/INBOX

Channel all
Far :far:
Near :near:
Create Near
SyncState *
Sync Pull New
`, port, box, mailtest.Password, dir)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return run(b, exec.Command(mbsync, "-q", "-c", conf, "all"))
}
