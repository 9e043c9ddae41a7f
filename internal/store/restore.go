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
	if _, err := os.Lstat(path); err == nil {
		for n := 1; aside == ""; n++ {
			name := fmt.Sprintf("%s.before-%d", path, n)
			switch err := absent(name); {
			case err == nil:
				aside = name
			case !errors.Is(err, fs.ErrExist):
				return "", fmt.Errorf("putting the database aside: %w", err)
			}
		}
	}
	if err := move(path, aside); err != nil {
		return "", fmt.Errorf("putting the database aside: %w", err)
	}
	if err = os.Rename(part, path); err == nil {
		if err = accept(); err == nil {
			return aside, nil
		}
		err = errors.Join(err, move(path, part))
	}
	return "", errors.Join(err, move(aside, path))
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
	var said string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check`).Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return fmt.Errorf("it is damaged: %s", said)
	}
	_, err = db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return err
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

// move renames a database with what is beside it. An empty name stands for none.
func move(from, to string) error {
	if from == "" || to == "" {
		return nil
	}
	for _, suffix := range []string{"", walSuffix, shmSuffix} {
		if err := os.Rename(from+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
