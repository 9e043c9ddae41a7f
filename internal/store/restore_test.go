package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestRestore: of a folder whose server was killed the log of its last changes does
// not get into the backup that takes its place.
func TestRestore(t *testing.T) {
	b := newBox(t)
	said := func(dir, want string) {
		t.Helper()
		s, err := Open(t.Context(), dir)
		b.must(err)
		defer s.Close()
		b.must(s.Read(t.Context(), func(tx *Tx) error {
			got, err := tx.Meta("said")
			if got != want {
				t.Errorf("the database of %s says %q, want %q", filepath.Base(dir), got, want)
			}
			return err
		}))
	}
	say := func(what string) {
		b.write(func(tx *Tx) error { return tx.SetMeta("said", what) })
	}
	// killed is what a process that is killed now leaves.
	killed := func() string {
		dir := t.TempDir()
		for _, suffix := range []string{"", walSuffix} {
			b.must(copyFile(b.path+suffix, filepath.Join(dir, FileName+suffix)))
		}
		return dir
	}
	say("old")
	backup := filepath.Join(t.TempDir(), "backup.db")
	b.must(b.Backup(t.Context(), backup))
	plain := filepath.Join(killed(), FileName) // a copy of the files does as well
	say("new")

	accept := func() error { return nil }
	for _, from := range []string{backup, plain} {
		dir := killed()
		aside, err := Restore(t.Context(), dir, from, accept)
		b.must(err)
		said(dir, "old")
		// What was there can be had back.
		if _, err = Restore(t.Context(), dir, aside, accept); err != nil {
			t.Fatal(err)
		}
		said(dir, "new")
	}
	empty := t.TempDir()
	if aside, err := Restore(t.Context(), empty, backup, accept); aside != "" || err != nil {
		t.Errorf("into an empty folder: %q, %v", aside, err)
	}
	said(empty, "old")

	// Somebody has removed the database, or it was killed in the middle of this.
	for _, names := range [][]string{{}, {".before-1", ".before-1-wal"}} {
		dir := killed()
		b.must(os.Remove(filepath.Join(dir, FileName)))
		for _, name := range names { // of an earlier restore
			b.must(os.WriteFile(filepath.Join(dir, FileName+name), []byte(name), 0o600))
		}
		if aside, err := Restore(t.Context(), dir, backup, accept); aside != "" || err != nil {
			t.Errorf("where the log alone is left: %q, %v", aside, err)
		}
		said(dir, "old")
		for _, name := range names {
			if kept, err := os.ReadFile(filepath.Join(dir, FileName+name)); string(kept) != name {
				t.Errorf("%s is %q, %v", name, kept, err)
			}
		}
	}

	whole, err := os.ReadFile(backup)
	b.must(err)
	damaged := filepath.Join(t.TempDir(), "damaged.db")
	b.must(os.WriteFile(damaged, append(whole[:len(whole)/2:len(whole)/2], bytes.Repeat([]byte("x"), len(whole)/2)...), 0o600))
	unwanted := errors.New("not this one")
	dir := killed()
	for from, accept := range map[string]func() error{damaged: accept, filepath.Join(dir, "none"): accept, backup: func() error { return unwanted }} {
		if _, err := Restore(t.Context(), dir, from, accept); err == nil {
			t.Errorf("%s is taken", from)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 3 { // the database, its -wal and -shm
			t.Errorf("beside the database: %v, %v", left, err)
		}
		said(dir, "new")
	}
}
