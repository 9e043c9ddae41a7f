package store

import (
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"

	"ringpost/migrations"
)

// older is a database as a former version of the program has left it.
func older(t *testing.T, version int64, queries ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	db, err := connect(filepath.Join(dir, FileName), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	p, err := goose.NewProvider(goose.DialectSQLite3, db, migrations.Files)
	if err == nil {
		_, err = p.UpTo(t.Context(), version)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	return dir
}

// What was tried before it was on record how that ended may have been sent.
func TestFormerAttemptsAreDoubtful(t *testing.T) {
	const mail = `INSERT INTO outbox (id, cause, kind, game, round, seat, recipient, message_id, reply_to, in_reply_to, refs, subject, lang, head, foot,
		automatic, covers, created, state, attempts, due) VALUES `
	dir := older(t, 1,
		mail+`(1, 'a', 'receipt', 'liga', 1, 's1', 'm@players.example', '1@x', '', '', '', '', 'de', '', '', '', '[5]', 0, 'queued', 1, 0)`,
		mail+`(2, 'b', 'receipt', 'liga', 1, 's1', 'm@players.example', '2@x', '', '', '', '', 'de', '', '', '', '[6]', 0, 'queued', 0, 0)`)
	b := &box{TB: t, dir: dir}
	var err error
	if b.Store, err = Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	defer b.Store.Close()
	b.write(func(tx *Tx) error {
		covers, err := tx.Replaced(Outgoing{Game: "liga", Round: 1, Seat: "s1", To: "m@players.example", Slots: []string{"moves"}})
		if len(covers) != 1 || covers[0].UnixMilli() != 6 {
			t.Errorf("replaced: %v", covers)
		}
		return err
	})
}
