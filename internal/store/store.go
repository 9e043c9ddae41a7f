// Package store keeps everything in one SQLite file and is the only package
// that knows SQL. It decides nothing: it stores what the referee says and finds
// it again.
package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"ringpost/migrations"
)

// FileName is the database's name in the data folder.
const FileName = "ringpost.db"

// ErrNotFound is wrapped by every look-up that found nothing.
var ErrNotFound = errors.New("not found")

// Store is an open database. It is safe for concurrent use.
type Store struct {
	writer *pool // one connection, immediate transactions, synchronous=FULL
	reader *pool
	marker *sql.DB  // one connection, synchronous=NORMAL, for the marks of sending
	marks  sync.Map // its statements
	path   string
	file   os.FileInfo // when it was opened
}

// readers is how many may read at once.
const readers = 4

// Create makes the database in dir, which must not have one.
func Create(ctx context.Context, dir string) (*Store, error) {
	path := filepath.Join(dir, FileName)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("making the database: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("making the database: %w", err)
	}
	return open(ctx, path)
}

// Open opens the database in dir and brings its tables up to date. One that a
// newer program made is refused.
func Open(ctx context.Context, dir string) (*Store, error) {
	path := filepath.Join(dir, FileName)
	info, err := os.Stat(path)
	if err == nil && info.Size() == 0 {
		return nil, fmt.Errorf("the database %s is empty: restore it from the backup", path)
	}
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("no database in %s: put it back, or restore the backup with `ringpost restore FILE`", dir)
		}
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	return open(ctx, path)
}

func open(ctx context.Context, path string) (_ *Store, err error) {
	s := &Store{path: path}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	db, err := connect(path, 1, "_pragma=synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, db); err != nil {
		// It may have failed over what it could not read, and say something else.
		if damage, _ := damageOf(ctx, db); damage != "" {
			err = fmt.Errorf("%w; the database is damaged, restore it from the backup: %s", err, damage)
		}
		return nil, errors.Join(err, db.Close())
	}
	s.writer = newPool(db, 1, "BEGIN IMMEDIATE")
	if db, err = connect(path, readers, "_pragma=query_only(1)"); err != nil {
		return nil, err
	}
	s.reader = newPool(db, readers, "BEGIN")
	if s.marker, err = connect(path, 1, "_txlock=immediate", "_pragma=synchronous(NORMAL)"); err != nil {
		return nil, err
	}
	if s.file, err = os.Stat(path); err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	return s, nil
}

// ErrGone is wrapped when the database is no longer where it was opened.
var ErrGone = errors.New("the database is gone")

// There looks whether the file in the data folder is still the one that was opened.
// What is written into another one is lost with the process. The error wraps ErrGone
// unless nothing is known.
func (s *Store) There() error {
	now, err := os.Stat(s.path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%w: %s was removed while it was in use; put it back, or restore the backup, and start again", ErrGone, s.path)
	case err != nil:
		return fmt.Errorf("looking for the database: %w", err)
	case !os.SameFile(s.file, now):
		return fmt.Errorf("%w: another one was put in the place of %s while it was in use; start again to go on with that", ErrGone, s.path)
	}
	return nil
}

func connect(path string, conns int, options ...string) (*sql.DB, error) {
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() +
		"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)"
	for _, o := range options {
		dsn += "&" + o
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

func migrate(ctx context.Context, db *sql.DB) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, db, migrations.Files)
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	current, target, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("reading the database's version: %w", err)
	}
	if current > target {
		return fmt.Errorf("the database has version %d, this program knows up to %d: use a newer ringpost", current, target)
	}
	if current == target {
		return nil
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("updating the database: %w", err)
	}
	return nil
}

// Backup writes a copy of the database as it is now into a file that must not be
// there yet. It may be read and written meanwhile. The file is there only when it is
// whole, however the process ends.
func (s *Store) Backup(ctx context.Context, path string) (err error) {
	path, err = filepath.Abs(path) // SQLite takes some names for addresses
	if err == nil {
		err = absent(path)
	}
	if err != nil {
		return fmt.Errorf("making the backup: %w", err)
	}
	// What a killed process has left there is of no use.
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) // for the owner alone
	if err != nil {
		return fmt.Errorf("making the backup: %w", err)
	}
	_, err = s.marker.ExecContext(ctx, `VACUUM INTO ?`, part)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = absent(path) // another one may have been made meanwhile
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		return fmt.Errorf("writing the backup: %w", errors.Join(err, os.Remove(part)))
	}
	return nil
}

// absent wants nothing to be there.
func absent(path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// Close closes the database.
func (s *Store) Close() error {
	var errs []error
	for _, p := range []*pool{s.reader, s.writer} {
		if p != nil {
			errs = append(errs, p.close())
		}
	}
	if s.marker != nil {
		errs = append(errs, s.marker.Close())
	}
	return errors.Join(errs...)
}

// Tx is a transaction; its methods are the questions and entries the store
// knows. One made by Read refuses entries.
type Tx struct {
	ctx context.Context
	// calm is ctx for the driver, which watches one that may be cancelled by a
	// goroutine or two a statement; ctx is looked at between them.
	calm context.Context
	*link
	// lost says why the transaction is no more: SQLite gives a whole one up when
	// the disk is full or cannot be read. What came after would be committed
	// piece by piece.
	lost error
	// failed is the first error of a statement since the transaction or its innermost
	// savepoint began: with it, it is undone, also when whoever asked passed the error
	// over.
	failed error
}

// Write runs f in a transaction that is committed when f returns nil. f sees
// the database alone: nothing else writes meanwhile.
func (s *Store) Write(ctx context.Context, f func(*Tx) error) error {
	return s.writer.run(ctx, f)
}

// Read runs f on one unchanging picture of the database.
func (s *Store) Read(ctx context.Context, f func(*Tx) error) error {
	return s.reader.run(ctx, f)
}

// Savepoint runs f; when f fails, or panics, only what f wrote is undone and the
// transaction goes on, unless it was lost as a whole: then nothing works in it any
// more.
func (t *Tx) Savepoint(f func() error) (err error) {
	if err := t.exec("SAVEPOINT part"); err != nil {
		return err
	}
	outside := t.failed
	t.failed = nil
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
		if err == nil {
			err = t.failed
		}
		t.failed = outside
		if err == nil {
			err = t.exec("RELEASE part")
			return
		}
		if undo := errors.Join(t.exec("ROLLBACK TO part"), t.exec("RELEASE part")); undo != nil {
			t.lost = errors.Join(err, undo)
			err = t.lost
		}
	}()
	return f()
}

func (t *Tx) exec(query string, args ...any) error {
	_, err := t.run(query, args)
	return err
}

// insert runs an INSERT and gives the new row's id.
func (t *Tx) insert(query string, args ...any) (int64, error) {
	r, err := t.run(query, args)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// changed runs an UPDATE and reports whether it met a row.
func (t *Tx) changed(query string, args ...any) (bool, error) {
	r, err := t.run(query, args)
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}

func (t *Tx) run(query string, args []any) (sql.Result, error) {
	s, err := t.statement(query)
	if err != nil {
		return nil, err
	}
	result, err := s.ExecContext(t.calm, args...)
	return result, t.note(err)
}

// note keeps the first error.
func (t *Tx) note(err error) error {
	if t.failed == nil {
		t.failed = err
	}
	return err
}

func (t *Tx) statement(query string) (*sql.Stmt, error) {
	if t.lost != nil {
		return nil, fmt.Errorf("the transaction is lost: %w", t.lost)
	}
	if err := t.ctx.Err(); err != nil {
		return nil, t.note(err)
	}
	s, err := t.prepare(t.calm, query)
	return s, t.note(err)
}

// row scans one row into dest; sql.ErrNoRows becomes ErrNotFound.
func (t *Tx) row(query string, args []any, dest ...any) error {
	s, err := t.statement(query)
	if err != nil {
		return err
	}
	err = s.QueryRowContext(t.calm, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return t.note(err)
}

// scanner is a row under the cursor.
type scanner interface{ Scan(...any) error }

// list collects what scan makes of each row.
func list[T any](t *Tx, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	s, err := t.statement(query)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(t.calm, args...)
	if err != nil {
		return nil, t.note(err)
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, t.note(err)
		}
		out = append(out, v)
	}
	return out, t.note(rows.Err())
}

// one is list for a single row; ErrNotFound when there is none.
func one[T any](t *Tx, scan func(scanner) (T, error), query string, args ...any) (v T, err error) {
	all, err := list(t, scan, query, args...)
	if err != nil {
		return v, err
	}
	if len(all) == 0 {
		return v, ErrNotFound
	}
	return all[0], nil
}

func millis(t time.Time) int64 { return t.UnixMilli() }

func moment(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// optional is NULL for the zero time.
func optional(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return millis(t)
}

func optionalMoment(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return moment(ms.Int64)
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("store: %v", err)) // only maps of strings and slices of structs come here
	}
	return string(b)
}
