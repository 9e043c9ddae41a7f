package mailbox

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/google/go-cmp/cmp"
)

// markable is what both kinds of mailboxes can do with marks.
type markable interface {
	Source
	Marks(ctx context.Context) ([]Mark, error)
	LeaveMark(ctx context.Context, text, subject, body string) error
	RemoveMarks(ctx context.Context, ids []uint32) error
	Rescan(ctx context.Context, since time.Time, deliver Deliver) (int, error)
}

// marksOf gives the texts of the marks and checks that their ids rise.
func marksOf(t *testing.T, m markable) (texts []string, ids []uint32) {
	t.Helper()
	marks, err := m.Marks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, mark := range marks {
		if i > 0 && mark.ID <= marks[i-1].ID {
			t.Errorf("ids do not rise: %v", marks)
		}
		texts, ids = append(texts, mark.Text), append(ids, mark.ID)
	}
	return texts, ids
}

func leave(t *testing.T, m markable, text string) {
	t.Helper()
	if err := m.LeaveMark(t.Context(), text, "Whose it is", "This mailbox belongs to somebody.\nLeave it alone.\n"); err != nil {
		t.Fatal(err)
	}
}

// checkMarks goes through the life of marks; another sees the same.
func checkMarks(t *testing.T, one, another markable) {
	t.Helper()
	if texts, _ := marksOf(t, one); texts != nil {
		t.Errorf("marks before the first: %q", texts)
	}
	leave(t, one, "first")
	leave(t, another, "second, by another")
	leave(t, one, "third")
	texts, ids := marksOf(t, another)
	if diff := cmp.Diff([]string{"first", "second, by another", "third"}, texts); diff != "" {
		t.Fatalf("marks (-want +got):\n%s", diff)
	}
	if err := one.RemoveMarks(t.Context(), ids[1:2]); err != nil {
		t.Fatal(err)
	}
	if err := one.RemoveMarks(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, m := range []markable{one, another} {
		texts, left := marksOf(t, m)
		if diff := cmp.Diff([]string{"first", "third"}, texts); diff != "" {
			t.Errorf("marks after removing one (-want +got):\n%s", diff)
		}
		if left[0] != ids[0] || left[1] != ids[2] {
			t.Errorf("ids %v were %v", left, ids)
		}
	}
}

func testMarks(t *testing.T, s server) {
	config := s.config()
	one, another, d, k := open(t, config), open(t, config), sitDown(t, config), &taker{}
	checkMarks(t, one, another)
	// Marks are no mails, and the folder is read after looking at them as before.
	d.put(t, "INBOX", mails(1)...)
	poll(t, one, k, 1)
	if _, err := one.Marks(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.put(t, "INBOX", "Subject: new\r\n\r\n")
	if err := one.Wait(t.Context()); err != nil { // at once: another folder is selected
		t.Fatal(err)
	}
	poll(t, one, k, 1)
	if n := d.count(t, s.prefix+marksFolder); n != 2 {
		t.Errorf("%d mails in the folder of marks, want 2", n)
	}
	// Somebody clears up.
	if err := d.client.Delete(s.prefix + marksFolder).Wait(); err != nil {
		t.Fatal(err)
	}
	if texts, _ := marksOf(t, one); texts != nil {
		t.Errorf("marks in a folder that was removed: %q", texts)
	}
	leave(t, one, "fourth")
	if n := d.count(t, s.prefix+marksFolder); n != 1 {
		t.Errorf("%d mails in the folder of marks made anew, want 1", n)
	}
}

// announcing dials a server and adds a capability to those that it announces.
func announcing(capability imap.Cap) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		near, far := io.Pipe()
		go func() {
			for r := bufio.NewReader(c); ; {
				line, err := r.ReadString('\n')
				line = strings.Replace(line, "* CAPABILITY", "* CAPABILITY "+string(capability), 1)
				if _, broken := io.WriteString(far, line); err != nil || broken != nil {
					far.CloseWithError(err)
					return
				}
			}
		}()
		return announced{c, near}, nil
	}
}

type announced struct {
	net.Conn
	lines *io.PipeReader
}

func (a announced) Read(p []byte) (int, error) { return a.lines.Read(p) }

func (a announced) Close() error { return errors.Join(a.lines.Close(), a.Conn.Close()) }

// At Gmail a mail whose label is removed stays in the archive, so old marks go to the bin.
func TestMarksAtGmail(t *testing.T) {
	caps := []imap.Cap{imap.CapMove, imap.CapUIDPlus, imap.CapSpecialUse, imap.CapListExtended}
	f := startFake(t, fake{validity: 7, caps: caps, bin: "[Gmail]/Bin"})
	if err := f.user.Create("[Gmail]/Bin", nil); err != nil {
		t.Fatal(err)
	}
	config := f.config()
	config.Dial = announcing(gmail)
	checkMarks(t, open(t, config), open(t, config))
	if n := f.count(t, "[Gmail]/Bin"); n != 1 {
		t.Errorf("%d mails in the bin, want 1", n)
	}
}

// Whoever reads another folder of the account leaves marks of its own.
func TestMarksOfAnotherFolder(t *testing.T) {
	config := office(t)
	if err := sitDown(t, config).client.Create("Games/In", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	one := open(t, config)
	config.Folder = "Games/In"
	another := open(t, config)
	leave(t, one, "one")
	leave(t, another, "another")
	for _, m := range []struct {
		source markable
		want   string
	}{{one, "one"}, {another, "another"}} {
		if texts, _ := marksOf(t, m.source); len(texts) != 1 || texts[0] != m.want {
			t.Errorf("marks %q, want %q", texts, m.want)
		}
	}
}

func TestNoRoomForMarks(t *testing.T) {
	f := startFake(t, fake{validity: 7, full: true})
	err := open(t, f.config()).LeaveMark(t.Context(), "x", "x", "x")
	if !errors.Is(err, ErrUnmarkable) {
		t.Errorf("mark: %v", err)
	}
}

func TestMaildirMarks(t *testing.T) {
	one, dir := maildir(t, MaildirConfig{})
	another, err := NewMaildir(MaildirConfig{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"ringpost-mark.x": "no number", "ringpost-mark": "none", "ringpost-mark.99999999999": "too large"} {
		write(t, filepath.Join(dir, name), text)
	}
	checkMarks(t, one, another)
	poll(t, one, &taker{}, 0)
	text, err := os.ReadFile(filepath.Join(dir, "ringpost-mark.1"))
	if err != nil || !strings.Contains(string(text), "Leave it alone") {
		t.Errorf("a person who finds it reads %q, %v", text, err)
	}
}

// Marks left at the same moment all stay.
func TestMaildirMarksAtOnce(t *testing.T) {
	one, dir := maildir(t, MaildirConfig{})
	done := make(chan error, maxStrikes)
	for range maxStrikes {
		go func() {
			another, err := NewMaildir(MaildirConfig{Dir: dir})
			if err == nil {
				err = another.LeaveMark(t.Context(), "mark", "x", "x")
			}
			done <- err
		}()
	}
	for range maxStrikes {
		if err := within(t, "a mark", done); err != nil {
			t.Error(err)
		}
	}
	if texts, _ := marksOf(t, one); len(texts) != maxStrikes {
		t.Errorf("%d marks, want %d", len(texts), maxStrikes)
	}
}

func testRescan(t *testing.T, s server) {
	config := s.config()
	first, d, k := open(t, config), sitDown(t, config), &taker{}
	if n, err := first.Rescan(t.Context(), time.Time{}, k.deliver); n != 0 || err != nil {
		t.Fatalf("before there was any: %d mails, %v", n, err)
	}
	want := mails(3)
	d.put(t, "INBOX", want...)
	poll(t, first, k, 3)

	again, copies := open(t, config), &taker{}
	n, err := again.Rescan(t.Context(), time.Time{}, copies.deliver)
	if n != 3 || err != nil {
		t.Fatalf("%d mails, %v; want 3", n, err)
	}
	if diff := cmp.Diff(want, copies.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
	for i, m := range copies.mails {
		if !m.Received.Equal(arrival(i)) {
			t.Errorf("mail %d arrived at %v, not %v", i, m.Received, arrival(i))
		}
	}
	filed(t, s, d, 3) // they are where they were
	poll(t, again, copies, 0)
	if n, err := open(t, config).Rescan(t.Context(), arrival(0).AddDate(0, 0, 2), copies.deliver); n != 0 || err != nil {
		t.Errorf("of a later day: %d mails, %v", n, err)
	}
}

// Where mails are marked and left, those taken from junk are found there.
func TestRescanOfJunk(t *testing.T) {
	f := startFake(t, fake{validity: 7, permanent: []imap.Flag{imap.FlagWildcard}})
	if err := f.user.Create("Junk", nil); err != nil {
		t.Fatal(err)
	}
	config := f.config()
	config.Known, config.Junk = (&knower{}).known, "Junk"
	f.put(t, mails(1)...)
	f.putIn(t, "Junk", annas, spams)
	poll(t, open(t, config), &taker{}, 2)
	again, copies := open(t, config), &taker{}
	n, err := again.Rescan(t.Context(), time.Time{}, copies.deliver)
	if n != 2 || err != nil {
		t.Fatalf("%d mails, %v; want 2", n, err)
	}
	if diff := cmp.Diff([]string{mails(1)[0], annas}, copies.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
	poll(t, again, copies, 0)
}

// A line lost while mails are read again costs none of them, and none is read twice.
func TestRescanGoesOn(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapMove}})
	source, k := open(t, f.config()), &taker{}
	f.put(t, mails(batchMails+2)...)
	poll(t, source, k, batchMails+2)
	f.set(func(f *fake) { f.breaks = []uint32{batchMails + 2} })
	again, copies := open(t, f.config()), &taker{}
	if _, err := again.Rescan(t.Context(), time.Time{}, copies.deliver); err == nil {
		t.Fatal("the connection was not lost")
	}
	f.set(func(f *fake) { f.breaks = nil })
	if _, err := again.Rescan(t.Context(), time.Time{}, copies.deliver); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(mails(batchMails+2), copies.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
}

func TestMaildirRescan(t *testing.T) {
	s, dir := maildir(t, MaildirConfig{})
	if n, err := s.Rescan(t.Context(), time.Time{}, (&taker{}).deliver); n != 0 || err != nil {
		t.Fatalf("before there was any: %d mails, %v", n, err)
	}
	for _, name := range []string{"1700000000.M1.host", "1700000001.M1.host", "1700000002.M1.host"} {
		write(t, filepath.Join(dir, "new", name), name)
	}
	poll(t, s, &taker{}, 3)
	k := &taker{}
	n, err := s.Rescan(t.Context(), time.Unix(1700000001, 0), k.deliver)
	if n != 2 || err != nil {
		t.Fatalf("%d mails, %v; want 2", n, err)
	}
	if diff := cmp.Diff([]string{"1700000001.M1.host", "1700000002.M1.host"}, k.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
	if got := len(files(t, filepath.Join(dir, ".Processed", "cur"))); got != 3 {
		t.Errorf("%d files put away, want 3", got)
	}
	poll(t, s, k, 0)
}
