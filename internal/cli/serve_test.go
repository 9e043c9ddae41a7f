package cli_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-message/mail"
	"github.com/emersion/go-smtp"
	"github.com/gofrs/flock"

	"ringpost/internal/cli"
	"ringpost/internal/mailtest"
)

// patience bounds every wait for a mail; nothing waits that long unless it fails.
const patience = 30 * time.Second

// account is where a test's players and the game master have their mail.
type account struct {
	gm       string // the address orders go to
	player   string
	smtp     string
	imap     string
	login    string
	password string
	fetch    *tls.Config
}

// ringpost runs a command to its end and wants status 0.
func ringpost(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	status := cli.Run(t.Context(), append([]string{"--data", dir}, args...), cli.System{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: os.Getenv})
	if status != 0 {
		t.Fatalf("ringpost %s: status %d\n%s%s", strings.Join(args, " "), status, &out, &errs)
	}
	return out.String()
}

// TestTwoBackupsAtATime: the second leaves alone what the first is writing.
func TestTwoBackupsAtATime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	ringpost(t, dir, "init", "--address", "gm@liga.example")
	first := flock.New(filepath.Join(dir, "backup.lock"))
	if err := first.Lock(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "backup.db")
	if err := os.WriteFile(path+".part", []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, give := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer give()
	var errs bytes.Buffer
	status := cli.Run(ctx, []string{"--data", dir, "backup", path}, cli.System{In: strings.NewReader(""), Out: &errs, Err: &errs, Getenv: os.Getenv})
	if half, err := os.ReadFile(path + ".part"); status != 1 || string(half) != "half" {
		t.Errorf("status %d: %s; the first one's half is %q, %v", status, &errs, half, err)
	}
	if err := first.Unlock(); err != nil {
		t.Fatal(err)
	}
	ringpost(t, dir, "backup", path)
}

// full is an output on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestWhatCannotBePrinted: what is cut off does not end as if it were whole.
func TestWhatCannotBePrinted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	ringpost(t, dir, "init", "--address", "gm@liga.example")
	for _, command := range []string{"restored", "game list --json", "game new --help"} {
		var errs bytes.Buffer
		status := cli.Run(t.Context(), append([]string{"--data", dir}, strings.Fields(command)...), cli.System{In: strings.NewReader(""), Out: full{}, Err: &errs, Getenv: os.Getenv})
		if status != 1 || !strings.Contains(errs.String(), "no space left on device") {
			t.Errorf("%s: status %d: %s", command, status, &errs)
		}
	}
}

// TestADatabasePutAsideUnderACommand: what a mail server's pipe hands over is not
// taken into a database that is being replaced. The server keeps it and tries again.
func TestADatabasePutAsideUnderACommand(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	ringpost(t, dir, "init", "--address", "gm@liga.example")
	path := filepath.Join(dir, "ringpost.db")
	clocked := 0
	now := func() time.Time {
		if clocked++; clocked == 2 { // the database is open
			if err := os.Rename(path, path+".before-1"); err != nil {
				t.Error(err)
			}
		}
		return time.Now()
	}
	var errs bytes.Buffer
	status := cli.Run(t.Context(), []string{"--data", dir, "mail", "in"}, cli.System{In: strings.NewReader("From: a@players.example\r\n\r\nZUG\r\n"),
		Out: &errs, Err: &errs, Getenv: os.Getenv, Now: now})
	if status != 75 || !strings.Contains(errs.String(), "the database is gone") {
		t.Errorf("status %d: %s", status, &errs)
	}
}

// lines is an output that can be waited on.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(b)
	select {
	case l.more <- struct{}{}:
	default:
	}
	return len(b), nil
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// find waits until the output holds what the pattern describes.
func (l *lines) find(t *testing.T, pattern string) []string {
	t.Helper()
	re, limit := regexp.MustCompile(pattern), time.After(patience)
	for {
		if m := re.FindStringSubmatch(l.String()); m != nil {
			return m
		}
		select {
		case <-l.more:
		case <-limit:
			t.Fatalf("%s does not come:\n%s", pattern, l)
		}
	}
}

// serve runs `ringpost serve` until the test ends.
func serve(t *testing.T, dir string) (out, log *lines) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	out, log = &lines{more: make(chan struct{}, 1)}, &lines{more: make(chan struct{}, 1)}
	done := make(chan int, 1)
	go func() {
		done <- cli.Run(ctx, []string{"--data", dir, "serve"}, cli.System{In: strings.NewReader(""), Out: out, Err: log, Getenv: os.Getenv})
	}()
	t.Cleanup(func() {
		stop()
		select {
		case status := <-done:
			if status != 0 {
				t.Errorf("serve ends with status %d\n%s", status, log)
			}
		case <-time.After(patience):
			t.Errorf("serve does not stop\n%s", log)
		}
	})
	log.find(t, "msg=serving")
	return out, log
}

// TestServeStoppedAsItBegins: a stop is no failure, whenever it comes.
func TestServeStoppedAsItBegins(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	ringpost(t, dir, "init", "--address", "gm@liga.example")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out strings.Builder
	status := cli.Run(ctx, []string{"--data", dir, "serve"}, cli.System{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: os.Getenv})
	if status != 0 {
		t.Errorf("status %d\n%s", status, &out)
	}
}

// TestAStuckGameIsTriedNowAndThen: a game that cannot be closed does not keep the
// server, its mailbox and its log busy.
func TestAStuckGameIsTriedNowAndThen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	ringpost(t, dir, "init", "--address", "gm@liga.example")
	configure(t, dir, "[outgoing_maildir]\npath = \"out\"\n")
	ringpost(t, dir, "game", "new", "liga", "--ruleset", "sugarray", "--deadline", "0 20 * * SUN")
	for _, seat := range []string{"Rocky", "Apollo"} {
		ringpost(t, dir, "seat", "add", "liga", seat, "--player", strings.ToLower(seat)+"@players.example")
	}
	ringpost(t, dir, "game", "start", "liga")
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "ringpost.db"))
	if err == nil {
		_, err = db.ExecContext(t.Context(), "CREATE TRIGGER stuck BEFORE INSERT ON step BEGIN SELECT raise(ABORT, 'stuck'); END")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}

	// Ten minutes after the deadline, as fast as the server goes.
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var passed atomic.Int64
	began := time.Now().AddDate(0, 0, 8)
	log := &lines{more: make(chan struct{}, 1)}
	status := cli.Run(ctx, []string{"--data", dir, "serve"}, cli.System{In: strings.NewReader(""), Out: log, Err: log, Getenv: os.Getenv,
		Now: func() time.Time { return began.Add(time.Duration(passed.Load())) },
		After: func(d time.Duration) <-chan time.Time {
			over := make(chan time.Time, 1)
			if d <= 2*time.Second { // the pause between two looks; the sender is woken
				if passed.Add(int64(d)) >= int64(10*time.Minute) {
					stop()
				}
				over <- time.Time{}
			}
			return over
		}})
	if n := strings.Count(log.String(), "round cannot be closed"); status != 0 || n < 9 || n > 11 {
		t.Errorf("status %d; it was tried %d times in ten minutes\n%s", status, n, log)
	}
}

func TestServeWithThePostOffice(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	ringpost(t, dir, "init", "--address", "gm@liga.example")
	configure(t, dir, "[postoffice]\nimap = \"127.0.0.1:0\"\nsmtp = \"127.0.0.1:0\"\npassword = \"secret\"\n")
	out, _ := serve(t, dir)
	m := out.find(t, `IMAP (\S+)   SMTP (\S+)`)
	playBy(t, dir, account{gm: "gm@liga.example", player: "player@players.example", smtp: m[2], imap: m[1],
		login: "player@players.example", password: "secret"})
}

// TestServeWithRealServers is the same against Dovecot and Postfix.
func TestServeWithRealServers(t *testing.T) {
	s := mailtest.Start(t, mailtest.Options{})
	dir := filepath.Join(t.TempDir(), "data")
	gm := "gm@" + mailtest.Domain
	ringpost(t, dir, "init", "--address", gm, "--gm", s.Box()+"@"+mailtest.Domain)
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte(mailtest.Password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	configure(t, dir, fmt.Sprintf(`
[imap]
host = "localhost"
port = %s
user = "gm"
tls = "tls"
ca_file = %q
password_file = "password"
[smtp]
host = "localhost"
port = %s
user = "gm"
tls = "starttls"
ca_file = %q
password_file = "password"
`, port(t, s.IMAPS), s.CAFile, port(t, s.Submission), s.CAFile))
	untrusting := filepath.Join(t.TempDir(), "data")
	copyFolder(t, dir, untrusting)
	settings, err := os.ReadFile(filepath.Join(dir, "ringpost.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(untrusting, "ringpost.toml"), []byte(strings.ReplaceAll(string(settings), "\nca_file", "\n# ca_file")), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := fails(t, untrusting, "check"); strings.Count(said, "name it with ca_file") != 2 {
		t.Errorf("check of servers that nobody vouches for:\n%s", said)
	}
	checked := ringpost(t, dir, "check")
	for _, want := range []string{"put away by move", "takes mails", "nobody else can read"} {
		if !strings.Contains(checked, want) {
			t.Errorf("check does not say %q:\n%s", want, checked)
		}
	}
	_, log := serve(t, dir)
	playBy(t, dir, account{gm: gm, player: "player@" + mailtest.PlayerDomain, smtp: s.SMTP, imap: s.IMAPS, fetch: s.TLS(),
		login: "players", password: mailtest.Password})
	if strings.Contains(log.String(), mailtest.Password) {
		t.Error("the log shows the password")
	}
	if strings.Contains(log.String(), "player@") {
		t.Errorf("the log names the player:\n%s", log)
	}
}

func port(t *testing.T, addr string) string {
	t.Helper()
	_, p, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func configure(t *testing.T, dir, more string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "ringpost.toml"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(more); err != nil {
		t.Fatal(err)
	}
}

// playBy plays a round by mail while the server runs: the start's mail comes,
// orders go in, the receipt comes at once, the game master closes by a command
// beside the server, and the report comes.
func playBy(t *testing.T, dir string, a account) {
	ringpost(t, dir, "game", "new", "liga", "--ruleset", "sugarray", "--deadline", "0 20 * * SUN", "--lang", "en")
	ringpost(t, dir, "seat", "add", "liga", "Rocky", "--player", a.player)
	ringpost(t, dir, "seat", "add", "liga", "Apollo", "--player", "apollo-"+a.player)
	box := openBox(t, a)
	ringpost(t, dir, "game", "start", "liga")
	start := box.wait(t, a.player, ".")
	tag := regexp.MustCompile(`\[liga 1 [a-z0-9]{6}\]`).FindString(start.subject)
	if tag == "" {
		t.Fatalf("no tag in the subject %q", start.subject)
	}
	a.write(t, "Re: "+start.subject, "NAME Rocky\nMOVE 2/3 3/0 2/2 0/5 3/1\nTRAINING S\n")
	receipt := box.wait(t, a.player, "received")
	if !strings.Contains(receipt.text, "| MOVE 2/3 3/0 2/2 0/5 3/1") {
		t.Errorf("the receipt:\n%s", receipt.text)
	}
	if got := ringpost(t, dir, "orders", "list", "liga", "--missing"); !strings.Contains(got, "Apollo") || strings.Contains(got, "Rocky") {
		t.Errorf("missing: %s", got)
	}
	ringpost(t, dir, "round", "close", "liga")
	report := box.wait(t, a.player, "(?i)round 1")
	if !strings.Contains(report.text, "2/3") || !strings.Contains(report.text, "MOVE _/_") {
		t.Errorf("the report:\n%s", report.text)
	}
	if got := ringpost(t, dir, "health"); !strings.Contains(got, "alive") {
		t.Errorf("health: %s", got)
	}
	if got := ringpost(t, dir, "verify"); !strings.Contains(got, "1 round recomputed") {
		t.Errorf("verify: %s", got)
	}
}

// write sends a mail as the player's mail program does.
func (a account) write(t *testing.T, subject, body string) {
	t.Helper()
	c, err := smtp.Dial(a.smtp)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	text := "From: <" + a.player + ">\r\nTo: <" + a.gm + ">\r\nSubject: " + subject + "\r\nMessage-ID: <" + fmt.Sprint(time.Now().UnixNano()) +
		"@players.example>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(body, "\n", "\r\n")
	if err := c.SendMail(a.player, []string{a.gm}, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
}

// box is the player's open mailbox.
type box struct {
	*imapclient.Client
	news chan struct{}
	seen uint32
}

type message struct{ subject, text, id string }

func openBox(t *testing.T, a account) *box {
	t.Helper()
	b := &box{news: make(chan struct{}, 1)}
	options := &imapclient.Options{TLSConfig: a.fetch, UnilateralDataHandler: &imapclient.UnilateralDataHandler{
		Mailbox: func(*imapclient.UnilateralDataMailbox) {
			select {
			case b.news <- struct{}{}:
			default:
			}
		}}}
	var err error
	if a.fetch != nil {
		b.Client, err = imapclient.DialTLS(a.imap, options)
	} else {
		b.Client, err = imapclient.DialInsecure(a.imap, options)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	if err := b.Login(a.login, a.password).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	return b
}

// wait gives the next mail to an address whose subject fits; it waits by IDLE.
func (b *box) wait(t *testing.T, to, subject string) message {
	t.Helper()
	re, limit := regexp.MustCompile(subject), time.After(patience)
	for {
		all, err := b.Fetch(imap.UIDSet{{Start: imap.UID(b.seen + 1)}}, &imap.FetchOptions{UID: true,
			BodySection: []*imap.FetchItemBodySection{{Peek: true}}}).Collect()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			if uint32(f.UID) <= b.seen {
				continue
			}
			m, addressee := parse(t, f.BodySection[0].Bytes)
			if addressee == to && re.MatchString(m.subject) {
				b.seen = uint32(f.UID)
				return m
			}
		}
		idle, err := b.Idle()
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-b.news:
		case <-time.After(time.Second): // the mail may have come between FETCH and IDLE
		case <-limit:
			t.Fatalf("no mail with subject %q", subject)
		}
		if err := idle.Close(); err != nil {
			t.Fatal(err)
		}
		if err := idle.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

func parse(t *testing.T, raw []byte) (m message, to string) {
	t.Helper()
	r, err := mail.CreateReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if m.subject, err = r.Header.Subject(); err != nil {
		t.Fatal(err)
	}
	if m.id, err = r.Header.MessageID(); err != nil {
		t.Fatal(err)
	}
	list, err := r.Header.AddressList("To")
	if err != nil || len(list) != 1 {
		t.Fatalf("To: %v %v", list, err)
	}
	part, err := r.NextPart()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(part.Body); err != nil {
		t.Fatal(err)
	}
	m.text = text.String()
	return m, list[0].Address
}
