package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ringpost/internal/store"
)

func TestAdvised(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Create(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, store.FileName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, content := range map[string][]byte{"no database": []byte("no database at all"), "damaged": append(whole[:4096:4096], make([]byte, len(whole)-4096)...)} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(t.Context(), dir)
		if err == nil {
			s.Close()
			t.Fatalf("%s: it opens", what)
		}
		if said := store.Advised(err).Error(); !strings.Contains(said, "restore it from the backup") {
			t.Errorf("%s: %s", what, said)
		}
	}
	// Wherever its pages are overwritten: what fails when it is opened may be anything.
	refused := 0
	for first := 100; first < len(whole); first += 4096 {
		broken := slices.Clone(whole)
		copy(broken[first:], bytes.Repeat([]byte{0xa5, 0x17, 0x3c}, 4096/3))
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(t.Context(), dir)
		if err == nil { // the page is not read by opening
			s.Close()
			continue
		}
		refused++
		if said := store.Advised(err).Error(); !strings.Contains(said, "restore it from the backup") {
			t.Errorf("overwritten at %d: %s", first, said)
		}
	}
	if refused == 0 {
		t.Error("every overwritten database opens")
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path+"-wal", 0o700); err != nil { // nobody can write that, root included
		t.Fatal(err)
	}
	if s, err := store.Open(t.Context(), dir); err == nil {
		s.Close()
		t.Error("it opens, and cannot be written to")
	} else if said := store.Advised(err).Error(); !strings.Contains(said, "run this as its owner") {
		t.Error(said)
	}
}
