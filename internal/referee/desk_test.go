package referee_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/referee"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
	"ringpost/templates"
)

// bench is a desk with a clock that stands still until it is moved.
type bench struct {
	testing.TB
	*referee.Desk
	store *store.Store
	dir   string // where the store's file lies
	words *report.Words
	set   referee.Settings
	log   *bytes.Buffer
	now   time.Time
	mails int
}

const gm = "gm@liga.example"

func newBench(t testing.TB) *bench {
	t.Helper()
	dir := t.TempDir()
	fresh, err := freshStore()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, store.FileName), fresh, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	words, err := loadWords()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{TB: t, store: s, dir: dir, words: words, log: &bytes.Buffer{}, now: at("2026-12-01T12:00:00Z")}
	b.set = referee.Settings{Address: gm, Name: "Ringpost", Lang: "de", TimeZone: "Europe/Berlin", GM: "boss@liga.example",
		AuthservIDs: []string{"mx.liga.example"}, Key: [32]byte{1, 2, 3}}
	b.open(rules.Find)
	return b
}

// loadWords parses the templates once for all tests.
var loadWords = sync.OnceValues(func() (*report.Words, error) { return report.Load(templates.Files) })

// freshStore is the file of a new store, made once for all tests.
var freshStore = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "ringpost-store")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := store.Create(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, store.FileName))
})

// open makes the desk anew, as a restarted program would.
func (b *bench) open(find func(string) (rules.Ruleset, error)) {
	b.Desk = referee.New(b.store, b.words, find, b.set, slog.New(slog.NewTextHandler(b.log, nil)), func() time.Time { return b.now })
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// league makes and starts a Sugar-Ray game whose boxers are named after their
// players' addresses.
func (b *bench) league(id, trust string, names ...string) {
	b.Helper()
	b.must(b.NewGame(b.Context(), store.Game{ID: id, Ruleset: "sugarray", Title: "Liga", Lang: "de", Deadline: "0 20 * * SUN",
		TZ: "Europe/Berlin", Trust: trust, Secret: [32]byte{9}}))
	for _, n := range names {
		b.seat(id, n)
	}
	_, err := b.Start(b.Context(), id)
	b.must(err)
}

func (b *bench) seat(id, name string) {
	b.Helper()
	_, err := b.AddSeat(b.Context(), referee.Seating{Game: id, Name: name, Addresses: []string{address(name)}})
	b.must(err)
}

func address(name string) string {
	return strings.ReplaceAll(game.Fold(name), " ", ".") + "@players.example"
}

// letter makes a mail; headers are whole lines.
func (b *bench) letter(from, subject, body string, headers ...string) []byte {
	b.mails++
	h := append([]string{"From: <" + from + ">", "To: <" + gm + ">", "Subject: " + subject,
		fmt.Sprintf("Message-ID: <m%d@players.example>", b.mails), "Content-Type: text/plain; charset=utf-8"}, headers...)
	return []byte(strings.Join(h, "\r\n") + "\r\n\r\n" + strings.ReplaceAll(body, "\n", "\r\n"))
}

// receive takes one mail in that arrived now.
func (b *bench) receive(raw []byte) referee.Result {
	b.Helper()
	return b.receiveAt(raw, b.now)
}

func (b *bench) receiveAt(raw []byte, arrived time.Time) referee.Result {
	b.Helper()
	b.mails++
	results, err := b.Receive(b.Context(), []referee.Incoming{{Place: store.Place{Mailbox: "test", UIDValidity: 1, UID: uint32(b.mails)},
		Received: arrived, Size: int64(len(raw)), Raw: raw}})
	b.must(err)
	return results[0]
}

// write sends a body from the player of a boxer.
func (b *bench) write(name, body string) referee.Result {
	b.Helper()
	return b.receive(b.letter(address(name), "Zug", body))
}

// want checks a mail's result.
func (b *bench) want(r referee.Result, result string, outcome ...string) {
	b.Helper()
	if r.Result != result {
		b.Fatalf("result %s (%s), want %s\n%+v\n%s", r.Result, r.Reason, result, r, b.log)
	}
	var got []string
	for _, x := range r.Blocks {
		got = append(got, x.Outcome)
	}
	if len(outcome) > 0 && strings.Join(got, " ") != strings.Join(outcome, " ") {
		b.Fatalf("outcomes %v, want %v\n%+v", got, outcome, r)
	}
}

// posted lists the mails queued for an address, composed and parsed.
func (b *bench) posted(to string) []*post {
	b.Helper()
	rows, err := b.Outbox(b.Context(), "")
	b.must(err)
	var out []*post
	for _, r := range rows {
		if r.To != to {
			continue
		}
		out = append(out, b.parsed(r))
	}
	return out
}

// parsed is a queued mail, composed and parsed.
func (b *bench) parsed(r store.OutgoingRow) *post {
	b.Helper()
	raw, err := b.OutgoingBytes(b.Context(), r.ID)
	b.must(err)
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	b.must(err)
	return &post{OutgoingRow: r, header: m.Header, raw: string(raw)}
}

type post struct {
	store.OutgoingRow
	header mail.Header
	raw    string
}

// text is the mail's plain text, decoded.
func (b *bench) text(p *post) string {
	b.Helper()
	var o store.Outgoing
	b.must(b.store.Read(b.Context(), func(tx *store.Tx) (err error) {
		o, err = tx.Outgoing(p.ID)
		return err
	}))
	return report.Join(o.Head, o.Body, o.Foot)
}

// last is the newest mail to an address.
func (b *bench) last(to string) *post {
	b.Helper()
	all := b.posted(to)
	if len(all) == 0 {
		b.Fatalf("no mail to %s", to)
	}
	return all[len(all)-1]
}

// onFile are the orders that count for a boxer.
func (b *bench) onFile(id, name string) string {
	b.Helper()
	switch all := b.filed(id, name); {
	case len(all) == 0:
		return "no duty"
	case all[0] == "missing":
		return "missing: "
	default:
		return all[0]
	}
}

// filed are the orders that count for a seat, slot by slot.
func (b *bench) filed(id, name string) []string {
	b.Helper()
	rows, err := b.Orders(b.Context(), id, false)
	b.must(err)
	var out []string
	for _, r := range rows {
		if r.Seat == name {
			out = append(out, strings.TrimSuffix(r.State+": "+strings.Join(r.Orders, ", "), ": "))
		}
	}
	return out
}

const goodZug = "ZUG 2/3 3/0 2/2 0/5 3/1\nTRAINING T\n"

// storedOnly stores a mail as a process does that dies before handling it.
func (b *bench) storedOnly(raw []byte) referee.Incoming {
	b.Helper()
	b.mails++
	in := referee.Incoming{Place: store.Place{Mailbox: "test", UIDValidity: 1, UID: uint32(b.mails)}, Received: b.now, Size: int64(len(raw)), Raw: raw}
	b.must(b.store.Write(b.Context(), func(tx *store.Tx) error {
		_, _, err := tx.StoreLetter(store.Letter{Received: in.Received, Source: "test", Size: in.Size, Raw: raw, Content: letter.ContentKey(raw)}, in.Place, b.now)
		return err
	}))
	return in
}

func (b *bench) rulesets() func(string) (rules.Ruleset, error) { return rules.Find }
