package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// What SQLite keeps beside a database. It belongs to that one alone: beside another
// it would be taken for changes of that.
const (
	walSuffix = "-wal"
	shmSuffix = "-shm"
)

// Restore puts a copy of a backup in the place of the database in dir, which nobody
// may have open, and gives the name under which the one before lies beside it, "" when
// there was none. Unless accept, called when the copy is in its place, returns nil, all
// is as before.
func Restore(ctx context.Context, dir, backup string, accept func() error) (aside string, err error) {
	path := filepath.Join(dir, FileName)
	part := path + ".part"
	defer func() {
		for _, suffix := range []string{"", walSuffix, shmSuffix} {
			os.Remove(part + suffix) // none is there when all went well
		}
	}()
	if err := copyOf(ctx, backup, part); err != nil {
		return "", fmt.Errorf("reading the backup %s: %w", backup, err)
	}
	if aside, err = free(path); err == nil {
		err = move(path, aside)
	}
	if err != nil {
		return "", fmt.Errorf("putting the database aside: %w", err)
	}
	if err = os.Rename(part, path); err == nil {
		if err = accept(); err == nil {
			if errors.Is(absent(aside), fs.ErrExist) {
				return aside, nil
			}
			return "", nil
		}
		err = errors.Join(err, move(path, part))
	}
	return "", errors.Join(err, move(aside, path))
}

// free is a name beside the database that nothing has. Also what was beside a database
// that is gone itself goes there: it must not get into the backup.
func free(path string) (string, error) {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.before-%d", path, n)
		var err error
		for _, suffix := range []string{"", walSuffix, shmSuffix} {
			err = errors.Join(err, absent(name+suffix))
		}
		if !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
}

// copyOf copies a database, with what SQLite keeps beside it taken into it, and looks
// whether it is whole.
func copyOf(ctx context.Context, from, to string) (err error) {
	for _, suffix := range []string{"", walSuffix} {
		err := copyFile(from+suffix, to+suffix)
		if suffix == walSuffix && errors.Is(err, fs.ErrNotExist) {
			err = os.Remove(to + suffix) // of a copy that was broken off
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
		if err != nil {
			return err
		}
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: to}).EscapedPath())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	damage, err := damageOf(ctx, db)
	if err != nil {
		return err
	}
	if damage != "" {
		return fmt.Errorf("it is damaged, take an older one: %s", damage)
	}
	_, err = db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return err
}

// damageOf says what of a database is damaged first, "" for nothing.
func damageOf(ctx context.Context, db *sql.DB) (string, error) {
	var said string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&said); err != nil || said == "ok" {
		return "", err
	}
	return strings.Join(strings.Fields(said), " "), nil
}

// copyFile copies a file to where another may lie, for its owner alone.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// move renames a database with what is beside it, as far as it is there.
func move(from, to string) error {
	for _, suffix := range []string{"", walSuffix, shmSuffix} {
		if err := os.Rename(from+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
