package referee_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/referee"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
	"ringpost/templates"
)

// A machine can stop at any write. These tests let it: triggers in the database
// count writes and undo the transaction at the chosen one, as a full disk or a
// power cut does. Afterwards the program starts anew, gets the same mails again,
// and must come to what it would have come to without the fault.

// machine is a desk on a database file that outlives it.
type machine struct {
	*bench
	folder string
}

// allWords are loaded once for all the restarts.
var allWords = sync.OnceValues(func() (*report.Words, error) { return report.Load(templates.Files) })

// boot starts the program on a folder.
func boot(t testing.TB, folder string, now time.Time) *machine {
	t.Helper()
	s, err := store.Open(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	words, err := allWords()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{TB: t, store: s, words: words, log: &bytes.Buffer{}, now: now}
	b.set = referee.Settings{Address: gm, Name: "Ringpost", Lang: "de", TimeZone: "Europe/Berlin", GM: "boss@liga.example",
		AuthservIDs: []string{"mx.liga.example"}, Key: [32]byte{1, 2, 3}}
	b.open(rules.Find)
	return &machine{b, folder}
}

// db opens the file beside the program.
func (m *machine) db() *sql.DB {
	m.Helper()
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.Join(m.folder, store.FileName)}).EscapedPath()+"?_pragma=busy_timeout(10000)")
	m.must(err)
	return db
}

func (m *machine) sql(queries ...string) {
	m.Helper()
	db := m.db()
	defer db.Close()
	db.SetMaxOpenConns(1) // BEGIN holds for what follows
	for _, q := range queries {
		if _, err := db.ExecContext(context.Background(), q); err != nil {
			m.Fatalf("%s: %v", q, err)
		}
	}
}

// tables lists the tables that the program writes to.
func (m *machine) tables() (out []string) {
	m.Helper()
	db := m.db()
	defer db.Close()
	rows, err := db.QueryContext(context.Background(), `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name != 'fault' ORDER BY name`)
	m.must(err)
	defer rows.Close()
	for rows.Next() {
		var name string
		m.must(rows.Scan(&name))
		out = append(out, name)
	}
	m.must(rows.Err())
	return out
}

// wire lets the machine be stopped.
func (m *machine) wire() {
	m.Helper()
	queries := []string{`BEGIN`, `CREATE TABLE fault (left INTEGER)`, `INSERT INTO fault VALUES (1000000)`}
	for _, table := range m.tables() {
		for _, how := range []string{"INSERT", "UPDATE", "DELETE"} {
			queries = append(queries, fmt.Sprintf(`CREATE TRIGGER fault_%s_%s BEFORE %s ON %s BEGIN
				UPDATE fault SET left = left - 1;
				SELECT raise(ROLLBACK, 'the machine stops') WHERE (SELECT left FROM fault) < 0;
			END`, how, table, how, table))
		}
	}
	m.sql(append(queries, `COMMIT`)...)
}

// stopAfter makes the machine stop at the write after so many.
func (m *machine) stopAfter(writes int) {
	m.Helper()
	m.sql(fmt.Sprintf(`UPDATE fault SET left = %d`, writes))
}

// restart ends the program and starts it again on a sound machine.
func (m *machine) restart() *machine {
	m.Helper()
	m.must(m.store.Close())
	m.stopAfter(1000000)
	return boot(m.TB, m.folder, m.now)
}

// everything is all there is in the database, a line a row.
func (m *machine) everything() []string {
	m.Helper()
	var out []string
	tables := m.tables()
	db := m.db()
	defer db.Close()
	for _, table := range tables {
		rows, err := db.QueryContext(context.Background(), `SELECT * FROM `+table+` ORDER BY 1, 2`)
		m.must(err)
		columns, err := rows.Columns()
		m.must(err)
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		for rows.Next() {
			m.must(rows.Scan(into...))
			line := table
			for i, c := range columns {
				line += fmt.Sprintf(" %s=%v", c, values[i])
			}
			out = append(out, line)
		}
		m.must(rows.Err())
		rows.Close()
	}
	return out
}

// copyOf starts the program on a copy of a folder whose program has ended.
func copyOf(t testing.TB, folder string, now time.Time) *machine {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(folder, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if err := os.WriteFile(filepath.Join(to, store.FileName), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return boot(t, to, now)
}

// league4 is a folder with a league of four in round 1, one mail held for its
// sender's confirmation, and the mails that come next: orders good and bad, a
// second set of one seat, a confirmation, a sign-up, a question, somebody leaving.
func league4(t testing.TB) (folder string, now time.Time, mails []referee.Incoming) {
	t.Helper()
	folder = t.TempDir()
	s, err := store.Create(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	m := boot(t, folder, at("2026-12-01T12:00:00Z"))
	m.league("liga", "address", "Müller", "Maier", "Huber", "Kid Thunder")
	m.want(m.receive(m.letter(address("Huber"), "Zug", "NAME Huber\n"+goodZug, fail)), referee.Held)
	code := m.codeFor(address("Huber"))
	for i, raw := range [][]byte{
		m.letter(address("Müller"), "Zug", "NAME Müller\nZUG 1/1 1/1 1/1 1/1 1/1\n"),
		m.letter(address("Maier"), "Zug", "NAME Maier\nZUG 1/1 1/1 x 1/1 1/1\nTRAINING T\n"),
		m.letter(address("Müller"), "Zug", "NAME Müller\n"+goodZug),
		m.letter(address("Huber"), "AW", "JA "+code+"\n"),
		m.letter("new@players.example", "Hallo", "ANMELDUNG Rocky\n"),
		m.letter(address("Kid Thunder"), "table?", "TABLE\n"),
		m.letter(address("Kid Thunder"), "my last one", "NAME Kid Thunder\nMOVE 2/3 3/0 2/2 0/5 3/1\nTRAINING T\nLEAVE\n"),
	} {
		mails = append(mails, referee.Incoming{Place: store.Place{Mailbox: "INBOX", UIDValidity: 1, UID: uint32(100 + i)},
			Received: m.now.Add(time.Duration(i) * time.Minute), Size: int64(len(raw)), Raw: raw})
	}
	m.must(m.store.Close())
	return folder, m.now.Add(time.Hour), mails
}

// crash lets the machine stop at each write of a piece of work in turn. again is
// what the program does after its restart.
func crash(t *testing.T, folder string, now time.Time, work, again func(*machine) error) {
	t.Helper()
	wired := copyOf(t, folder, now)
	wired.wire()
	wired.must(wired.store.Close())
	sound := copyOf(t, wired.folder, now)
	sound.must(work(sound))
	want := sound.everything()
	for writes := 0; ; writes++ {
		m := copyOf(t, wired.folder, now)
		m.stopAfter(writes)
		failed := work(m)
		if failed != nil && !strings.Contains(failed.Error(), "the machine stops") {
			t.Fatalf("after %d writes: %v", writes, failed)
		}
		m = m.restart()
		if err := again(m); err != nil {
			t.Fatalf("after %d writes, and a restart: %v", writes, err)
		}
		if diff := cmp.Diff(want, m.everything()); diff != "" {
			t.Fatalf("after %d writes it comes to something else:\n%s", writes, diff)
		}
		m.must(m.store.Close())
		if failed == nil {
			if writes < 5 {
				t.Errorf("the work has %d writes only", writes)
			}
			t.Logf("stopped at each of %d writes", writes)
			return
		}
	}
}

func TestTheMachineStopsWhileMailsComeIn(t *testing.T) {
	t.Parallel()
	folder, now, mails := league4(t)
	receive := func(m *machine) error { _, err := m.Receive(context.Background(), mails); return err }
	// After every other stop it handles by itself what it has stored.
	recovers := false
	crash(t, folder, now, receive, func(m *machine) error {
		if recovers = !recovers; recovers {
			if err := m.Recover(context.Background()); err != nil {
				return err
			}
		}
		return receive(m)
	})
}

// What the work comes to without faults: each mail with orders has one receipt,
// sent or replaced by one that names it.
func TestEachOrderMailHasOneReceipt(t *testing.T) {
	folder, now, mails := league4(t)
	m := copyOf(t, folder, now)
	results, err := m.Receive(t.Context(), mails)
	m.must(err)
	var outcomes []string
	for i, r := range results {
		outcome := r.Result
		for _, b := range r.Blocks {
			outcome += " " + b.Seat + ":" + b.Outcome
		}
		outcomes = append(outcomes, outcome)
		if r.Answer == nil && r.Reason != "confirmed" { // the mail that was held is answered
			t.Errorf("mail %d has no answer: %+v", i, r)
		}
	}
	if diff := cmp.Diff([]string{"taken Müller:taken", "taken Maier:provisional", "taken Müller:taken", "taken Huber:taken", "held", "taken", "taken Kid Thunder:taken"}, outcomes); diff != "" {
		t.Errorf("outcomes:\n%s", diff)
	}
	rows, err := m.Outbox(t.Context(), "")
	m.must(err)
	receipts := map[string]int{}
	for _, r := range rows {
		if r.Kind == "receipt" {
			receipts[r.Seat+" "+r.State]++
		}
	}
	seats, err := m.Seats(t.Context(), "liga")
	m.must(err)
	want := map[string]int{}
	for _, s := range seats {
		want[s.Seat+" queued"] = 1
		if s.Name == "Müller" {
			want[s.Seat+" dropped"] = 1
		}
	}
	if diff := cmp.Diff(want, receipts); diff != "" {
		t.Errorf("receipts:\n%s", diff)
	}
}

func TestTheMachineStopsWhileARoundCloses(t *testing.T) {
	t.Parallel()
	folder, now, mails := league4(t)
	m := boot(t, folder, now)
	_, err := m.Receive(t.Context(), mails)
	m.must(err)
	m.must(m.store.Close())
	due := at("2026-12-06T19:00:01Z")
	closeRound := func(m *machine) error { _, err := m.Close(context.Background(), "liga", 1); return err }
	crash(t, folder, due, closeRound, func(m *machine) error {
		// The round is closed, or it is still due and closes now.
		closed, err := m.CloseDue(context.Background())
		if err == nil && len(closed) > 1 {
			err = fmt.Errorf("closed %+v", closed)
		}
		return err
	})
}

func TestTheMachineStopsWhileAGameStarts(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s, err := store.Create(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	m := boot(t, folder, at("2026-12-01T12:00:00Z"))
	m.must(m.NewGame(t.Context(), store.Game{ID: "liga", Ruleset: "sugarray", Lang: "de", Deadline: "0 20 * * SUN", TZ: "Europe/Berlin", Trust: "address", Secret: [32]byte{9}}))
	for _, n := range []string{"Müller", "Maier", "Huber"} {
		m.seat("liga", n)
	}
	m.must(m.store.Close())
	start := func(m *machine) error { _, err := m.Start(context.Background(), "liga"); return err }
	crash(t, folder, m.now, start, func(m *machine) error {
		err := start(m)
		if err != nil && strings.Contains(err.Error(), "has begun already") {
			return nil
		}
		return err
	})
}

// A close that fails is told to the game master and tried again; the other games
// are closed all the same, also when it took the transaction of all with it.
func TestAStuckGameHoldsUpNoOther(t *testing.T) {
	for _, undone := range []string{"ABORT", "ROLLBACK"} {
		t.Run(undone, func(t *testing.T) { testStuck(t, undone) })
	}
}

func testStuck(t *testing.T, undone string) {
	folder, _, _ := league4(t)
	m := boot(t, folder, at("2026-12-01T12:00:00Z"))
	m.league("nord", "address", "Müller", "Maier")
	m.sql(`CREATE TRIGGER stuck BEFORE INSERT ON step WHEN NEW.game = 'liga' BEGIN SELECT raise(` + undone + `, 'no more room'); END`)
	m.now = at("2026-12-06T19:00:01Z")
	for i := range 2 {
		closed, err := m.CloseDue(t.Context())
		m.must(err)
		if len(closed) != 1-i || i == 0 && closed[0].Game != "nord" {
			t.Errorf("closed %+v", closed)
		}
	}
	var alerts []string
	for _, p := range m.posted("boss@liga.example") {
		alerts = append(alerts, p.Kind)
		if text := m.text(p); !strings.Contains(text, "no more room") || !strings.Contains(text, "liga") {
			t.Errorf("the alert says\n%s", text)
		}
	}
	if !slices.Equal(alerts, []string{"alert"}) {
		t.Errorf("alerts: %v", alerts)
	}
	m.sql(`DROP TRIGGER stuck`)
	closed, err := m.CloseDue(t.Context())
	m.must(err)
	if len(closed) != 1 || closed[0].Game != "liga" || closed[0].Round != 1 {
		t.Errorf("closed %+v", closed)
	}
}

// A mail whose handling fails is set aside and told; the mails beside it lose
// nothing, and handled once more it is taken as if nothing had been.
func TestAFaultInOneMailCostsNoOther(t *testing.T) {
	folder, now, mails := league4(t)
	m := copyOf(t, folder, now)
	m.sql(`CREATE TRIGGER sick BEFORE INSERT ON orders WHEN NEW.seat = 's2' BEGIN SELECT raise(ABORT, 'a sick mail'); END`)
	results, err := m.Receive(t.Context(), mails)
	m.must(err)
	m.wantQuarantined(results, 1)
	if got := m.onFile("liga", "Müller"); got != "good: ZUG 2/3 3/0 2/2 0/5 3/1, TRAINING T" {
		t.Errorf("Müller: %s", got)
	}
	if got := m.last("boss@liga.example"); got.Kind != "alert" || !strings.Contains(m.text(got), "a sick mail") {
		t.Errorf("the game master hears\n%s", m.text(got))
	}
	m.sql(`DROP TRIGGER sick`)
	r, err := m.Retry(t.Context(), results[1].Letter)
	m.must(err)
	m.want(r, referee.Taken, "provisional")
	if got := m.onFile("liga", "Maier"); got != "provisional: ZUG 1/1 1/1 0/0 1/1 1/1, TRAINING T" {
		t.Errorf("Maier: %s", got)
	}
}

// A retry that fails leaves nothing behind.
func TestARetryIsWholeOrNotAtAll(t *testing.T) {
	folder, now, mails := league4(t)
	m := copyOf(t, folder, now)
	results, err := m.Receive(t.Context(), mails[:1])
	m.must(err)
	before := m.everything()
	m.wire()
	m.stopAfter(2)
	if _, err := m.Retry(t.Context(), results[0].Letter); err == nil {
		t.Fatal("it has not failed")
	}
	if diff := cmp.Diff(before, m.everything()); diff != "" {
		t.Errorf("left behind:\n%s", diff)
	}
}
