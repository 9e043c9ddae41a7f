package store_test

import (
	"os"
	"path/filepath"
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
