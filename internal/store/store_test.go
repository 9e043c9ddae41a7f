package store

import "testing"

func TestOpenMakesTables(t *testing.T) {
	dir := t.TempDir()
	s, err := Create(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), func(tx *Tx) error { _, err := tx.Games(); return err }); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err = Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}
