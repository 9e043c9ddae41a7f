package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"ringpost/internal/cli"
	"ringpost/internal/mailtest"
	"ringpost/internal/postoffice"
)

// town is where several servers share one mailbox, and a clock that can be put
// forward.
type town struct {
	account
	settings string // of the mailbox and the way out, for ringpost.toml
	password string // in the file "password" of each data folder

	ahead atomic.Int64 // nanoseconds
}

func (w *town) time() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

func (w *town) pass(d time.Duration) { w.ahead.Add(int64(d)) }

// towns are the kinds of servers that each test runs against.
func towns(t *testing.T, test func(t *testing.T, w *town)) {
	t.Run("post office", func(t *testing.T) {
		o, err := postoffice.Start(postoffice.Options{Own: "gm@liga.example", Password: "secret", Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { o.Close() })
		test(t, &town{password: "secret",
			account: account{gm: "gm@liga.example", player: "player@players.example", smtp: o.SMTPAddr(), imap: o.IMAPAddr(),
				login: "player@players.example", password: "secret"},
			settings: fmt.Sprintf("[imap]\nhost = \"127.0.0.1\"\nport = %s\nuser = \"gm\"\ntls = \"plain\"\npassword_file = \"password\"\njunk = \"Junk\"\n"+
				"[smtp]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"plain\"\n", port(t, o.IMAPAddr()), port(t, o.SMTPAddr()))})
	})
	t.Run("Dovecot and Postfix", func(t *testing.T) {
		s := mailtest.Start(t, mailtest.Options{})
		test(t, &town{password: mailtest.Password,
			account: account{gm: "gm@" + mailtest.Domain, player: "player@" + mailtest.PlayerDomain, smtp: s.SMTP, imap: s.IMAPS, fetch: s.TLS(),
				login: "players", password: mailtest.Password},
			settings: fmt.Sprintf("[imap]\nhost = \"localhost\"\nport = %s\nuser = \"gm\"\nca_file = %q\npassword_file = \"password\"\n"+
				"[smtp]\nhost = \"localhost\"\nport = %s\nuser = \"gm\"\nca_file = %q\npassword_file = \"password\"\n",
				port(t, s.IMAPS), s.CAFile, port(t, s.Submission), s.CAFile)})
	})
}

// folder makes a data folder whose mailbox is the town's.
func (w *town) folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	ringpost(t, dir, "init", "--address", w.gm, "--lang", "en", "--gm", "boss-"+w.player)
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte(w.password), 0o600); err != nil {
		t.Fatal(err)
	}
	configure(t, dir, w.settings)
	return dir
}

// league begins a game in a folder.
func (w *town) league(t *testing.T, dir string) {
	t.Helper()
	ringpost(t, dir, "game", "new", "liga", "--ruleset", "sugarray", "--lang", "en", "--trust", "address")
	ringpost(t, dir, "seat", "add", "liga", "Rocky", "--player", w.player)
	ringpost(t, dir, "seat", "add", "liga", "Apollo", "--player", "apollo-"+w.player)
	ringpost(t, dir, "game", "start", "liga")
}

// served is a running server.
type served struct {
	log  *lines
	stop context.CancelFunc
	done chan int
}

func (w *town) serve(t *testing.T, dir string, args ...string) *served {
	t.Helper()
	s := w.begin(t, dir, args...)
	s.log.find(t, "msg=serving")
	return s
}

// begin starts a server that may end by itself.
func (w *town) begin(t *testing.T, dir string, args ...string) *served {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s := &served{log: &lines{more: make(chan struct{}, 1)}, stop: stop, done: make(chan int, 1)}
	go func() {
		s.done <- cli.Run(ctx, append([]string{"--data", dir, "serve"}, args...),
			cli.System{In: strings.NewReader(""), Out: s.log, Err: s.log, Getenv: os.Getenv, Now: w.time})
	}()
	t.Cleanup(stop)
	return s
}

// ends waits for a server's end.
func (s *served) ends(t *testing.T, status int) {
	t.Helper()
	select {
	case got := <-s.done:
		if got != status {
			t.Fatalf("serve ends with status %d, want %d\n%s", got, status, s.log)
		}
	case <-time.After(patience):
		t.Fatalf("serve does not end\n%s", s.log)
	}
}

// notices has mails come in until a server that shares the mailbox has noticed that and
// ends: the other may have put a mail away before this one has heard of it.
func (w *town) notices(t *testing.T, s *served, status int) {
	t.Helper()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for i := 0; len(s.done) == 0 && i < 300; i++ {
		if i%30 == 0 {
			w.orders(t, "K")
		}
		<-look.C
	}
	s.ends(t, status)
}

func (s *served) stopped(t *testing.T) {
	t.Helper()
	s.stop()
	s.ends(t, 0)
}

// fails runs a command that must end with status 1.
func fails(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	status := cli.Run(t.Context(), append([]string{"--data", dir}, args...), cli.System{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: os.Getenv})
	if status != 1 {
		t.Fatalf("ringpost %s: status %d, want 1\n%s", strings.Join(args, " "), status, &out)
	}
	return out.String()
}

// orders sends orders that differ from others in their training.
func (w *town) orders(t *testing.T, training string) {
	t.Helper()
	w.write(t, "orders", "NAME Rocky\nMOVE 2/3 3/0 2/2 0/5 3/1\nTRAINING "+training+"\n")
}

// onFile wants these orders to count.
func onFile(t *testing.T, dir, training string) {
	t.Helper()
	got := ringpost(t, dir, "--json", "orders", "list", "liga")
	if want := "TRAINING " + training; !strings.Contains(got, want) {
		t.Errorf("not on file: %s\n%s", want, got)
	}
}

func count(t *testing.T, b *box) int {
	t.Helper()
	data, err := b.Status("INBOX", &imap.StatusOptions{NumMessages: true}).Wait()
	if err != nil {
		t.Fatal(err)
	}
	return int(*data.NumMessages)
}

func TestTwoServers(t *testing.T) {
	towns(t, func(t *testing.T, w *town) {
		one, two := w.folder(t), w.folder(t)
		w.league(t, one)
		box := openBox(t, w.account)
		first := w.serve(t, one)
		box.wait(t, w.player, ".")

		second := w.serve(t, two)
		second.ends(t, 78)
		second.log.find(t, "belongs to another data folder .*"+regexp.QuoteMeta(one)+".*ringpost adopt")
		if said := fails(t, two, "check"); !strings.Contains(said, "TO DO owner") {
			t.Errorf("check says\n%s", said)
		}
		w.orders(t, "T")
		box.wait(t, w.player, "received")
		onFile(t, one, "T")

		// Adopted, it is the other's: the first notices when it looks again.
		if said := ringpost(t, two, "adopt"); !strings.Contains(said, "no longer to") || !strings.Contains(said, one) {
			t.Errorf("adopt says %s", said)
		}
		w.pass(11 * time.Minute)
		w.orders(t, "T")
		first.ends(t, 78)
		first.log.find(t, "belongs to another data folder .*"+regexp.QuoteMeta(two))
		if said := fails(t, one, "health"); !strings.Contains(said, "belongs to another") {
			t.Errorf("health says %s", said)
		}
		again := w.serve(t, two)
		again.log.find(t, "mail taken in")
		again.stopped(t)
	})
}

// TestCopiedFolder: of a data folder and its copy the one started last goes on.
func TestCopiedFolder(t *testing.T) {
	towns(t, func(t *testing.T, w *town) {
		old := w.folder(t)
		w.league(t, old)
		box := openBox(t, w.account)
		first := w.serve(t, old)
		box.wait(t, w.player, ".")
		moved := filepath.Join(t.TempDir(), "moved")
		copyFolder(t, old, moved)
		second := w.serve(t, moved)
		second.log.find(t, "mailbox marked")
		if err := waitHealthy(t, moved); err != "" {
			t.Errorf("health of the copy: %s", err)
		}
		w.pass(11 * time.Minute)
		w.notices(t, first, 78)
		first.log.find(t, "copy of this data folder .*"+regexp.QuoteMeta(moved))
		box.wait(t, w.player, "received")

		// Whatever starts it again, the two do not take turns.
		first = w.begin(t, old)
		first.ends(t, 78)
		first.log.find(t, "copy of this data folder .*"+regexp.QuoteMeta(moved)+".* goes on in its place.*ringpost adopt")
		if said := fails(t, old, "check"); !strings.Contains(said, "TO DO copy") {
			t.Errorf("check says\n%s", said)
		}
		if said := fails(t, old, "outbox", "send"); !strings.Contains(said, "goes on in its place") {
			t.Errorf("outbox send says %s", said)
		}
		w.pass(11 * time.Minute)
		w.orders(t, "K")
		box.wait(t, w.player, "received")

		// Unless that is wanted. What the copy has done since is taken from the mailbox.
		if said := ringpost(t, old, "adopt"); !strings.Contains(said, "goes on, and no longer its copy in") || !strings.Contains(said, moved) {
			t.Errorf("adopt says %s", said)
		}
		first = w.serve(t, old)
		first.log.find(t, `msg="read again what was put away" mails=[1-9]`)
		first.log.find(t, `msg="nothing is sent"`)
		onFile(t, old, "K")
		w.pass(11 * time.Minute)
		w.notices(t, second, 78)
		first.stopped(t)
	})
}

// waitHealthy gives what health says once the server has written a heartbeat; "" is
// that all is well.
func waitHealthy(t *testing.T, dir string) string {
	t.Helper()
	var out bytes.Buffer
	if status := cli.Run(t.Context(), []string{"--data", dir, "health"}, cli.System{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: os.Getenv}); status != 0 {
		return out.String()
	}
	return ""
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	err := os.CopyFS(to, os.DirFS(from))
	for errors.Is(err, fs.ErrNotExist) { // a server has put a file in another's place meanwhile
		err = errors.Join(os.RemoveAll(to), os.CopyFS(to, os.DirFS(from)))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(to, 0o700); err != nil {
		t.Fatal(err)
	}
}

// TestRestoredBackup: the mails that came after the backup are taken in again, and
// nothing goes out before the game master says so.
func TestRestoredBackup(t *testing.T) {
	towns(t, func(t *testing.T, w *town) {
		dir := w.folder(t)
		w.league(t, dir)
		box := openBox(t, w.account)
		s := w.serve(t, dir)
		w.orders(t, "T")
		box.wait(t, w.player, "received")
		s.stopped(t)
		backup := filepath.Join(t.TempDir(), "backup")
		copyFolder(t, dir, backup)

		// Life goes on: two more mails, of which the first makes the server renew its
		// mark.
		s = w.serve(t, dir)
		w.orders(t, "K")
		box.wait(t, w.player, "received")
		w.pass(11 * time.Minute)
		w.orders(t, "T")
		last := box.wait(t, w.player, "received")
		onFile(t, dir, "T")
		s.stopped(t)
		sent := count(t, box)

		// Somebody tidies up.
		mine := openBox(t, account{imap: w.imap, fetch: w.fetch, login: "gm", password: w.password})
		if err := mine.Create("Old", nil).Wait(); err != nil {
			t.Fatal(err)
		}
		if _, err := mine.Select("Processed", nil).Wait(); err != nil {
			t.Fatal(err)
		}
		if _, err := mine.Move(imap.SeqSet{{Start: 2, Stop: 3}}, "Old").Wait(); err != nil {
			t.Fatal(err)
		}
		put(t, mine.Client, "Old", "From: <friend@elsewhere.example>\r\nTo: <"+w.gm+">\r\nSubject: lunch\r\n\r\nAt one?\r\n")

		// The machine is lost, and the backup restored.
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		copyFolder(t, backup, dir)
		s = w.serve(t, dir)
		s.log.find(t, "the database is an old copy")
		s.log.find(t, `msg="read again what was put away" mails=3`)
		s.log.find(t, `msg="nothing is sent"`)
		onFile(t, dir, "T")
		ringpost(t, dir, "round", "close", "liga")
		if said := fails(t, dir, "check"); !strings.Contains(said, "TO DO backup") {
			t.Errorf("check says\n%s", said)
		}
		if said := fails(t, dir, "outbox", "send"); !strings.Contains(said, "restored backup") {
			t.Errorf("outbox send says %s", said)
		}
		queued := ringpost(t, dir, "--json", "outbox", "list", "--state", "queued")
		// Under its old Message-ID a mail program knows it again. It stands for the one
		// before it too, which has not been sent either.
		if !strings.Contains(queued, last.id) {
			t.Errorf("receipt %s is not queued:\n%s", last.id, queued)
		}
		s.stopped(t)

		// A restart changes nothing.
		s = w.serve(t, dir)
		s.log.find(t, `msg="nothing is sent"`)
		if n := count(t, box); n != sent {
			t.Fatalf("%d mails went out", n-sent)
		}
		if said := ringpost(t, dir, "restored", "--confirm"); !strings.Contains(said, "sent again") {
			t.Errorf("restored --confirm says %s", said)
		}
		s.log.find(t, "mails are sent again")
		box.wait(t, w.player, "(?i)round 1")
		s.stopped(t)
	})
}

// TestReplacedUnderneath: a server whose database is removed, or replaced by a backup,
// stops before a mail is put away that the database in its place does not have.
func TestReplacedUnderneath(t *testing.T) {
	towns(t, func(t *testing.T, w *town) {
		dir := w.folder(t)
		w.league(t, dir)
		box := openBox(t, w.account)
		database := filepath.Join(dir, "ringpost.db")
		aside := t.TempDir()
		backup := filepath.Join(aside, "backup.db")
		ringpost(t, dir, "backup", backup)
		s := w.serve(t, dir)
		w.orders(t, "T")
		box.wait(t, w.player, "received")

		rename := func(from, to string) {
			t.Helper()
			if err := os.Rename(from, to); err != nil {
				t.Fatal(err)
			}
		}
		rename(database, filepath.Join(aside, "lost.db"))
		s.ends(t, 1)
		s.log.find(t, "the database is gone: .*was removed while it was in use")
		s = w.begin(t, dir)
		s.ends(t, 1)
		s.log.find(t, "no database in .*: put it back, or restore the backup")
		rename(filepath.Join(aside, "lost.db"), database)

		s = w.serve(t, dir)
		s.log.find(t, "mailbox marked")
		sent := count(t, box)
		rename(backup, database)
		s.ends(t, 1)
		s.log.find(t, "the database is gone: another one was put in the place of")
		for _, name := range []string{"-wal", "-shm"} {
			if err := os.Remove(database + name); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		s = w.serve(t, dir)
		s.log.find(t, "the database is an old copy")
		s.log.find(t, `msg="read again what was put away" mails=1`)
		s.log.find(t, `msg="nothing is sent"`)
		onFile(t, dir, "T")
		s.stopped(t)
		if n := count(t, box); n != sent {
			t.Errorf("%d mails went out", n-sent)
		}
	})
}

// TestMuted: everything but sending.
func TestMuted(t *testing.T) {
	towns(t, func(t *testing.T, w *town) {
		dir := w.folder(t)
		w.league(t, dir)
		box := openBox(t, w.account)
		s := w.serve(t, dir, "--mute")
		s.log.find(t, `msg="nothing is sent" .*--mute`)
		w.orders(t, "T")
		s.log.find(t, "mail taken in") // that is, stored
		onFile(t, dir, "T")
		if said := waitHealthy(t, dir); said != "" {
			t.Errorf("health: %s", said)
		}
		if said := ringpost(t, dir, "health"); !strings.Contains(said, "nothing is sent") {
			t.Errorf("health says %s", said)
		}
		s.stopped(t)
		if n := count(t, box); n != 0 {
			t.Errorf("%d mails went out", n)
		}
		s = w.serve(t, dir)
		box.wait(t, w.player, "received")
		s.stopped(t)
	})
}

// TestJunk: a player's orders that were taken for junk count; a stranger's mail is
// left where it is.
func TestJunk(t *testing.T) {
	towns(t, func(t *testing.T, w *town) {
		dir := w.folder(t)
		w.league(t, dir)
		box := openBox(t, w.account)
		mine := openBox(t, account{imap: w.imap, fetch: w.fetch, login: "gm", password: w.password})
		if err := mine.Create("Junk", nil).Wait(); err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{w.player, "spam@elsewhere.example"} {
			put(t, mine.Client, "Junk", "From: <"+from+">\r\nTo: <"+w.gm+">\r\nSubject: orders\r\n\r\nNAME Rocky\r\nMOVE 2/3 3/0 2/2 0/5 3/1\r\nTRAINING T\r\n")
		}
		s := w.serve(t, dir)
		box.wait(t, w.player, "received")
		onFile(t, dir, "T")
		s.stopped(t)
		if n := len(letters(t, dir)); n != 1 {
			t.Errorf("%d mails were taken in, want 1", n)
		}
		if said := ringpost(t, dir, "check"); !strings.Contains(said, "players' mails are taken from Junk too") {
			t.Errorf("check says\n%s", said)
		}
	})
}

func put(t *testing.T, c *imapclient.Client, folder, mail string) {
	t.Helper()
	cmd := c.Append(folder, int64(len(mail)), nil)
	if _, err := cmd.Write([]byte(mail)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// letters lists the senders of the mails taken in.
func letters(t *testing.T, dir string) (from []string) {
	t.Helper()
	var rows []struct {
		From string `json:"from"`
	}
	if err := json.Unmarshal([]byte(ringpost(t, dir, "--json", "mail", "list")), &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		from = append(from, r.From)
	}
	slices.Sort(from)
	return from
}

// TestMailboxOutOfReach: a server that was at home here sends on while its mailbox
// cannot be reached; one in a folder that was copied waits until it can.
func TestMailboxOutOfReach(t *testing.T) {
	o, err := postoffice.Start(postoffice.Options{Own: "gm@liga.example", Password: "secret", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	w := &town{password: "secret",
		account: account{gm: "gm@liga.example", player: "player@players.example", smtp: o.SMTPAddr(), imap: o.IMAPAddr(),
			login: "player@players.example", password: "secret"},
		settings: fmt.Sprintf("[imap]\nhost = \"127.0.0.1\"\nport = 1\nuser = \"gm\"\ntls = \"plain\"\npassword_file = \"password\"\n"+
			"[smtp]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"plain\"\n", port(t, o.SMTPAddr()))}
	dir := w.folder(t)
	w.league(t, dir)
	copied := filepath.Join(t.TempDir(), "copied")
	copyFolder(t, dir, copied)
	box := openBox(t, w.account)

	s := w.serve(t, copied)
	s.log.find(t, "mailbox not read")
	s.stopped(t)
	if n := count(t, box); n != 0 {
		t.Errorf("the copy has sent %d mails", n)
	}
	// What could not be seen is not taken for seen at the next start.
	s = w.serve(t, copied)
	s.log.find(t, "mailbox not read")
	s.stopped(t)
	if n := count(t, box); n != 0 {
		t.Errorf("the copy has sent %d mails at its second start", n)
	}
	s = w.serve(t, dir)
	box.wait(t, w.player, ".")
	s.stopped(t)
}

// gate stands before a server and lets nobody in until it is opened.
type gate struct {
	net.Listener
	to   string
	open atomic.Bool
	// held are connections that are neither let in nor sent away, if it holds any.
	held chan net.Conn
}

func newGate(t *testing.T, to string) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	g := &gate{Listener: l, to: to}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if !g.open.Load() {
				select {
				case g.held <- c:
				default:
					c.Close()
				}
				continue
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				c.Close()
				continue
			}
			go func() { defer c.Close(); io.Copy(c, server) }()
			go func() { defer server.Close(); io.Copy(server, c) }()
		}
	}()
	return g
}

// TestTheGameMasterIsTold: of a mailbox that has been out of reach for an hour, and of
// a close that waits for it, each once. When it can be read again, all that had
// arrived in time counts.
func TestTheGameMasterIsTold(t *testing.T) {
	w := &town{password: "secret"}
	w.pass(time.Until(time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)))
	o, err := postoffice.Start(postoffice.Options{Own: "gm@liga.example", Password: "secret", Now: w.time, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	g := newGate(t, o.IMAPAddr())
	w.account = account{gm: "gm@liga.example", player: "player@players.example", smtp: o.SMTPAddr(), imap: o.IMAPAddr(), login: "player@players.example", password: "secret"}
	w.settings = fmt.Sprintf("[imap]\nhost = \"127.0.0.1\"\nport = %s\nuser = \"gm\"\ntls = \"plain\"\npassword_file = \"password\"\n"+
		"[smtp]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"plain\"\n", port(t, g.Addr().String()), port(t, o.SMTPAddr()))
	dir := w.folder(t)
	now := "--now=" + w.time().Format(time.RFC3339)
	ringpost(t, dir, now, "game", "new", "liga", "--ruleset", "sugarray", "--lang", "en", "--trust", "address", "--deadline", "0 20 * * *")
	ringpost(t, dir, now, "seat", "add", "liga", "Rocky", "--player", w.player)
	ringpost(t, dir, now, "seat", "add", "liga", "Apollo", "--player", "apollo-"+w.player)
	ringpost(t, dir, now, "game", "start", "liga")
	boss, box := openBox(t, account{imap: w.imap, login: "boss-" + w.player, password: w.password}), openBox(t, w.account)

	s := w.serveByTicks(t, dir, nil)
	w.pass(59 * time.Minute)
	s.lookFor(t, "mailbox not read")
	w.pass(2 * time.Minute)
	s.look(t)
	boss.wait(t, "boss-"+w.player, "Mailbox out of reach")
	w.orders(t, "T")
	w.pass(25 * time.Hour)
	s.look(t)
	boss.wait(t, "boss-"+w.player, `close postponed \(liga, round 1\)`)
	w.pass(time.Hour)
	s.look(t)
	if closed := ringpost(t, dir, "--json", "round", "list", "liga"); strings.Contains(closed, `"round": 1`) {
		t.Errorf("the round is closed:\n%s", closed)
	}

	g.open.Store(true)
	w.pass(time.Minute)
	s.look(t)
	box.wait(t, w.player, "received")
	if report := box.wait(t, w.player, "(?i)round 1"); !strings.Contains(report.text, "2/3") {
		t.Errorf("the report does not know the orders that arrived in time:\n%s", report.text)
	}
	back := boss.wait(t, "boss-"+w.player, "mailbox readable again")
	if !strings.Contains(strings.Join(strings.Fields(back.text), " "), "since Tuesday, 1 December") || !strings.Contains(back.text, "imap: 127.0.0.1") {
		t.Errorf("the end of the outage is told so:\n%s", back.text)
	}
	w.pass(time.Hour)
	s.look(t)
	s.stopped(t)
	// Out of reach for another day it was told again, and no more.
	if n := count(t, boss); n != 4 {
		t.Errorf("the game master got %d mails, want the outage of two days, its end and the close", n)
	}
	// Another outage on the same day is news again.
	g.open.Store(false)
	s = w.serveByTicks(t, dir, nil)
	s.lookFor(t, "mailbox not read")
	w.pass(61 * time.Minute)
	s.look(t)
	again := boss.wait(t, "boss-"+w.player, "Mailbox out of reach")
	if !strings.Contains(strings.Join(strings.Fields(again.text), " "), "out of reach since Wednesday, 2 December") {
		t.Errorf("the second outage is told so:\n%s", again.text)
	}
	s.stopped(t)
}

// TestTheGameMasterIsToldOfSending: mails could not be sent for hours, until the
// server was started anew. Then he is told, once, how many had waited; of a few
// minutes he is not.
func TestTheGameMasterIsToldOfSending(t *testing.T) {
	w := &town{password: "secret"}
	o, err := postoffice.Start(postoffice.Options{Own: "gm@liga.example", Password: "secret", Now: w.time, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	g := newGate(t, o.SMTPAddr())
	w.account = account{gm: "gm@liga.example", player: "player@players.example", smtp: o.SMTPAddr(), imap: o.IMAPAddr(), login: "player@players.example", password: "secret"}
	w.settings = fmt.Sprintf("[imap]\nhost = \"127.0.0.1\"\nport = %s\nuser = \"gm\"\ntls = \"plain\"\npassword_file = \"password\"\n"+
		"[smtp]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"plain\"\n", port(t, o.IMAPAddr()), port(t, g.Addr().String()))
	dir := w.folder(t)
	ringpost(t, dir, "game", "new", "liga", "--ruleset", "sugarray", "--lang", "en", "--trust", "address", "--deadline", "0 20 1 1 *")
	ringpost(t, dir, "seat", "add", "liga", "Rocky", "--player", w.player)
	ringpost(t, dir, "seat", "add", "liga", "Apollo", "--player", "apollo-"+w.player)
	boss, box := openBox(t, account{imap: w.imap, login: "boss-" + w.player, password: w.password}), openBox(t, w.account)
	other := openBox(t, account{imap: w.imap, login: "apollo-" + w.player, password: w.password})

	outage := func(minutes int) {
		t.Helper()
		g.open.Store(false)
		s := w.serveByTicks(t, dir, nil)
		s.lookFor(t, "sending stopped early")
		s.look(t)
		w.pass(time.Duration(minutes) * time.Minute)
		s.stopped(t)
		g.open.Store(true)
		s = w.serveByTicks(t, dir, nil)
		s.lookFor(t, "state=sent")
		box.wait(t, w.player, ".")
		other.wait(t, "apollo-"+w.player, ".")
		s.lookFor(t, "outage over")
		if minutes > 60 {
			s.lookFor(t, "kind=alert attempt")
		}
		w.pass(time.Hour)
		s.look(t)
		s.stopped(t)
	}
	ringpost(t, dir, "game", "start", "liga")
	outage(130)
	told := boss.wait(t, "boss-"+w.player, "mails go out again")
	if !regexp.MustCompile(`Since \w+, \d`).MatchString(told.text) || !regexp.MustCompile(`sent +2\s`).MatchString(told.text) ||
		!strings.Contains(told.text, "given up           0") || !strings.Contains(told.text, "127.0.0.1") {
		t.Errorf("the game master is told:\n%s", told.text)
	}
	ringpost(t, dir, "round", "close", "liga")
	outage(10)

	// What could not be sent is dropped, and days later another mail goes out at once.
	g.open.Store(false)
	ringpost(t, dir, "--now="+w.time().Format(time.RFC3339), "round", "close", "liga")
	s := w.serveByTicks(t, dir, nil)
	s.lookFor(t, "sending stopped early")
	s.look(t)
	s.stopped(t)
	for _, m := range regexp.MustCompile(`(?m)^ *(\d+) `).FindAllStringSubmatch(ringpost(t, dir, "outbox", "list", "--state", "queued"), -1) {
		ringpost(t, dir, "outbox", "drop", m[1])
	}
	w.pass(48 * time.Hour)
	g.open.Store(true)
	ringpost(t, dir, "--now="+w.time().Format(time.RFC3339), "round", "close", "liga")
	s = w.serveByTicks(t, dir, nil)
	s.lookFor(t, "kind=report attempt")
	box.wait(t, w.player, ".")
	other.wait(t, "apollo-"+w.player, ".")
	s.lookFor(t, "outage over")
	s.stopped(t)
	if list := ringpost(t, dir, "outbox", "list"); strings.Count(list, "mails go out again") != 1 {
		t.Errorf("the game master was told not just of the long outage:\n%s\n%s", list, s.log)
	}
}

// TestEndlessPoll: while the mailbox is read before a close and that does not end,
// all else goes on, and the game master is told.
func TestEndlessPoll(t *testing.T) {
	w := &town{password: "secret"}
	o, err := postoffice.Start(postoffice.Options{Own: "gm@liga.example", Password: "secret", Now: w.time, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	g := newGate(t, o.IMAPAddr())
	g.held = make(chan net.Conn, 1)
	w.account = account{gm: "gm@liga.example", player: "player@players.example", smtp: o.SMTPAddr(), imap: o.IMAPAddr(), login: "player@players.example", password: "secret"}
	w.settings = fmt.Sprintf("[imap]\nhost = \"127.0.0.1\"\nport = %s\nuser = \"gm\"\ntls = \"plain\"\npassword_file = \"password\"\n"+
		"[smtp]\nhost = \"127.0.0.1\"\nport = %s\ntls = \"plain\"\n", port(t, g.Addr().String()), port(t, o.SMTPAddr()))
	dir := w.folder(t)
	ringpost(t, dir, "game", "new", "liga", "--ruleset", "sugarray", "--lang", "en", "--trust", "address", "--deadline", "0 20 * * *")
	ringpost(t, dir, "seat", "add", "liga", "Rocky", "--player", w.player)
	ringpost(t, dir, "seat", "add", "liga", "Apollo", "--player", "apollo-"+w.player)
	ringpost(t, dir, "game", "start", "liga")
	boss, box := openBox(t, account{imap: w.imap, login: "boss-" + w.player, password: w.password}), openBox(t, w.account)

	w.pass(25 * time.Hour)
	over := make(chan time.Time)
	close(over)
	s := w.serveByTicks(t, dir, over)
	s.look(t)
	if n := strings.Count(s.log.String(), "level=ERROR"); n > 0 {
		t.Errorf("a poll that takes its time is an error:\n%s", s.log)
	}
	if said := waitHealthy(t, dir); said != "" {
		t.Errorf("health: %s", said)
	}
	w.pass(11 * time.Minute)
	s.look(t)
	if told := boss.wait(t, "boss-"+w.player, `close postponed \(liga, round 1\)`); !strings.Contains(told.text, "not been read to its end for 11m") {
		t.Errorf("the game master is told:\n%s", told.text)
	}
	g.open.Store(true)
	(<-g.held).Close()
	s.log.find(t, "mailbox not read")
	w.pass(time.Minute)
	s.lookFor(t, `msg="round closed"`) // however short the wait for the poll's answer, it is found at some look
	box.wait(t, w.player, "(?i)round 1")
	s.stopped(t)
}

// ticking is a server that looks at its deadlines when it is told to.
type ticking struct {
	*served
	ticks chan time.Time
}

// serveByTicks starts such a server; patient gives what a close has for the mailbox
// to be read, nil that it waits for as long as it takes.
func (w *town) serveByTicks(t *testing.T, dir string, patient <-chan time.Time) *ticking {
	t.Helper()
	s := &ticking{&served{log: &lines{more: make(chan struct{}, 1)}, done: make(chan int, 1)}, make(chan time.Time)}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	go func() {
		s.done <- cli.Run(ctx, []string{"--data", dir, "serve"}, cli.System{In: strings.NewReader(""), Out: s.log, Err: s.log, Getenv: os.Getenv, Now: w.time,
			After: func(d time.Duration) <-chan time.Time {
				switch d {
				case 2 * time.Second: // from one look at the deadlines to the next
					return s.ticks
				case 20 * time.Second:
					return patient
				}
				return nil
			}})
	}()
	t.Cleanup(s.stop)
	s.log.find(t, "msg=serving")
	s.look(t)
	return s
}

// look has the server look at its deadlines, and returns when it has.
func (s *ticking) look(t *testing.T) {
	t.Helper()
	for range 3 { // once a tick is taken, the look before it is over
		select {
		case s.ticks <- time.Time{}:
		case <-time.After(patience):
			t.Fatalf("the server does not look at the clock\n%s", s.log)
		}
	}
}

// lookFor has it look until its log holds a text.
func (s *ticking) lookFor(t *testing.T, text string) {
	t.Helper()
	for limit := time.Now().Add(patience); !strings.Contains(s.log.String(), text); s.look(t) {
		if time.Now().After(limit) {
			t.Fatalf("%s does not come:\n%s", text, s.log)
		}
	}
}

// TestCloseAsksSeldom: a round is due and the mailbox cannot be read. It is asked for
// again, but not with every look at the clock.
func TestCloseAsksSeldom(t *testing.T) {
	w := &town{account: account{gm: "gm@liga.example", player: "player@players.example"}, password: "secret",
		settings: "[imap]\nhost = \"127.0.0.1\"\nport = 1\nuser = \"gm\"\ntls = \"plain\"\npassword_file = \"password\"\n[outgoing_maildir]\npath = \"out\"\n"}
	dir := w.folder(t)
	ringpost(t, dir, "game", "new", "liga", "--ruleset", "sugarray", "--trust", "address", "--deadline", "0 20 * * *")
	ringpost(t, dir, "seat", "add", "liga", "Rocky", "--player", w.player)
	ringpost(t, dir, "seat", "add", "liga", "Apollo", "--player", "apollo-"+w.player)
	ringpost(t, dir, "game", "start", "liga")
	w.pass(25 * time.Hour)

	server := w.serveByTicks(t, dir, nil)
	asked := func(want int) {
		t.Helper()
		server.look(t)
		if n := strings.Count(server.log.String(), "reading the mailbox before the close"); n != want {
			t.Errorf("asked %d times, want %d\n%s", n, want, server.log)
		}
	}
	asked(1)
	w.pass(29 * time.Second)
	asked(1)
	w.pass(2 * time.Second)
	asked(2)
	server.stopped(t)
}
