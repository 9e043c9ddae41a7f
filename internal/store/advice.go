package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Advised is an error with what to do about it, where SQLite's own words do not say
// that.
func Advised(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	var advice string
	code := e.Code()
	if code != sqlite3.SQLITE_IOERR_SHMSIZE {
		code &= 0xff // without what SQLite adds to its codes
	}
	switch code {
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		advice = "the data folder cannot be written to: run this as its owner, or give him the folder and all in it (chown -R)"
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		advice = "the database is damaged: restore it from the backup"
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE: // where there was not even room to open it
		advice = "there is no room on the disk: make some, and try again"
	case sqlite3.SQLITE_BUSY:
		advice = "another program keeps the database locked: close it, or try again"
	default:
		return err
	}
	return fmt.Errorf("%w; %s", err, advice)
}
