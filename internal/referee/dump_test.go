package referee_test

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"ringpost/internal/store"
)

// traffic are the tables that mails may fill without changing a game or a player:
// what came in, what goes out, what waits for a code. A table that is not named
// here counts as a game's.
var traffic = []string{"letter", "ledger", "outcome", "outbox", "body", "cap", "held", "meta", "goose_db_version", "sqlite_sequence"}

// dump is all that the store knows of games and players, a line a row.
func (b *bench) dump() []string {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.Join(b.dir, store.FileName)}).EscapedPath()+"?mode=ro")
	b.must(err)
	defer db.Close()
	var out []string
	for _, table := range b.column(db, `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`) {
		if slices.Contains(traffic, table) {
			continue
		}
		rows := b.rows(db, table)
		slices.Sort(rows)
		out = append(append(out, "table "+table), rows...)
	}
	if len(out) < 8 {
		b.Fatalf("the dump holds only %q", out)
	}
	return out
}

func (b *bench) column(db *sql.DB, query string) (out []string) {
	b.Helper()
	rows, err := db.QueryContext(b.Context(), query)
	b.must(err)
	defer rows.Close()
	for rows.Next() {
		var s string
		b.must(rows.Scan(&s))
		out = append(out, s)
	}
	b.must(rows.Err())
	return out
}

func (b *bench) rows(db *sql.DB, table string) (out []string) {
	b.Helper()
	rows, err := db.QueryContext(b.Context(), `SELECT * FROM "`+table+`"`)
	b.must(err)
	defer rows.Close()
	columns, err := rows.Columns()
	b.must(err)
	for rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		b.must(rows.Scan(into...))
		var line strings.Builder
		for i, c := range columns {
			fmt.Fprintf(&line, " %s=%v", c, values[i])
		}
		out = append(out, table+line.String())
	}
	b.must(rows.Err())
	return out
}
