//go:build unix

// Package speed measures Ringpost against the tools that do a part of what it
// does, and against its goals:
//
//	go test -run '^$' -bench . -benchtime 1x -timeout 60m ./internal/speed
//
// Every figure is a ratio, or stands beside its goal, from one run on one
// machine. Where other programs use the machine too, the times of the clock are
// theirs as well; those of the processor (cpu) are Ringpost's own. It needs
// Dovecot and Postfix (see package mailtest) and mbsync, of the package isync;
// what is not there is skipped.
package speed_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"ringpost/internal/cputime"
	"ringpost/internal/demo"
	"ringpost/internal/dice"
	"ringpost/internal/referee"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
	"ringpost/templates"
)

const (
	gm     = "gm@liga.example"
	boxers = 12 // a league
)

var (
	began    = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	deadline = time.Date(2026, 12, 6, 19, 0, 0, 0, time.UTC)
)

func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // as the program does
	}
	os.Exit(m.Run())
}

// office is an open data folder with a desk.
type office struct {
	*referee.Desk
	dir   string
	store *store.Store
	now   time.Time
}

func open(b *testing.B, dir string) *office {
	b.Helper()
	s, err := store.Open(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	words, err := report.Load(templates.Files)
	if err != nil {
		b.Fatal(err)
	}
	o := &office{dir: dir, store: s, now: began}
	o.Desk = referee.New(s, words, rules.Find, referee.Settings{Address: gm, Name: "Ringpost", Lang: "de", TimeZone: "Europe/Berlin",
		GM: "boss@liga.example", PlusAddresses: true, Key: [32]byte{1}}, slog.New(slog.DiscardHandler), func() time.Time { return o.now })
	b.Cleanup(func() { s.Close() })
	return o
}

// leagues makes a data folder in which leagues have just begun, all of whose
// mails are sent, and the mails with all players' orders, each in a style of his
// own.
func leagues(b *testing.B, n int) (dir string, mails [][]byte) {
	b.Helper()
	// In memory first: how long it takes is nobody's concern.
	shm, err := os.MkdirTemp("/dev/shm", "ringpost-speed-")
	if err != nil {
		shm = b.TempDir()
	}
	defer os.RemoveAll(shm)
	s, err := store.Create(b.Context(), shm)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	o := open(b, shm)
	for l := range n {
		mails = append(mails, o.league(b, fmt.Sprintf("liga-%d", l))...)
	}
	if err := o.store.Close(); err != nil {
		b.Fatal(err)
	}
	forget(b, shm)
	dir = b.TempDir()
	if err := os.CopyFS(dir, os.DirFS(shm)); err != nil {
		b.Fatal(err)
	}
	return dir, mails
}

// league makes and starts a league and writes its players' orders.
func (o *office) league(b *testing.B, id string) (mails [][]byte) {
	b.Helper()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	must(o.NewGame(b.Context(), store.Game{ID: id, Ruleset: "sugarray", Lang: "de", Deadline: "0 20 * * SUN", TZ: "Europe/Berlin", Trust: "token",
		Secret: dice.Secret{1: byte(len(id))}}))
	cast := demo.Boxers(boxers)
	for i, p := range cast {
		p.Address = leagueAddress(id, i)
		_, err := o.AddSeat(b.Context(), referee.Seating{Game: id, Name: p.Name, Addresses: []string{p.Address}, Lang: p.Lang})
		must(err)
	}
	_, err := o.Start(b.Context(), id)
	must(err)
	return o.orders(b, id, cast)
}

func leagueAddress(id string, i int) string { return fmt.Sprintf("%s.%d@players.example", id, i) }

// orders are what the players answer to their newest mails.
func (o *office) orders(b *testing.B, id string, cast []*demo.Player) (mails [][]byte) {
	b.Helper()
	due, err := o.OutboxDue(b.Context(), o.now, 100)
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range due {
		for _, p := range cast {
			if m.To != p.Address {
				continue
			}
			in := demo.Received{From: gm, Subject: m.Subject, MessageID: m.MessageID, ReplyTo: m.ReplyTo, Text: report.Join(m.Head, m.Body, m.Foot), Date: o.now}
			seed := dice.Secret{}.Seed(id, 0, len(mails))
			mails = append(mails, p.Answer(m.ReplyTo, in, id, seed.Stream("orders", p.Name), false, o.now.Add(time.Hour)))
		}
		if err := o.store.MarkResult(b.Context(), m.ID, store.MailSent, "", o.now); err != nil {
			b.Fatal(err)
		}
	}
	if len(mails) != len(cast) {
		b.Fatalf("%d mails with orders, want %d", len(mails), len(cast))
	}
	return mails
}

// forget moves everything into the database file itself, so that it can be copied.
func forget(b *testing.B, dir string) {
	b.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err == nil {
		_, err = db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		b.Fatal(err)
	}
}

// take feeds mails in batches, as a mailbox does.
func (o *office) take(b *testing.B, mails [][]byte) {
	b.Helper()
	uid := uint32(0)
	for len(mails) > 0 {
		n := min(100, len(mails))
		in := make([]referee.Incoming, n)
		for i, raw := range mails[:n] {
			uid++
			in[i] = referee.Incoming{Place: store.Place{Mailbox: "speed", UIDValidity: 1, UID: uid}, Received: o.now.Add(2 * time.Hour), Size: int64(len(raw)), Raw: raw}
		}
		o.receive(b.Context(), b, in)
		mails = mails[n:]
	}
}

// receive wants all mails to be taken.
func (o *office) receive(ctx context.Context, b testing.TB, in []referee.Incoming) {
	results, err := o.Receive(ctx, in)
	if err != nil {
		b.Fatal(err)
	}
	for i, r := range results {
		if r.Result != referee.Taken {
			b.Fatalf("mail is %s (%s):\n%s", r.Result, r.Reason, in[i].Raw)
		}
	}
}

// stopwatch measures the clock's time and the processor's.
type stopwatch struct {
	began time.Time
	cpu   time.Duration
}

func startWatch() stopwatch { return stopwatch{time.Now(), cputime.Used()} }

func (s stopwatch) stop() (wall, cpu time.Duration) {
	return time.Since(s.began), cputime.Used() - s.cpu
}

// tool finds a program, or skips.
func tool(b *testing.B, name string) string {
	b.Helper()
	for _, path := range []string{name, "/usr/sbin/" + name} {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	b.Skipf("%s is not installed", name)
	return ""
}

func run(b *testing.B, cmd *exec.Cmd) (wall time.Duration) {
	b.Helper()
	at := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return time.Since(at)
}
