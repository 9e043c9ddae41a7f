package outbox_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringpost/internal/outbox"
)

func TestMaildir(t *testing.T) {
	root := filepath.Join(t.TempDir(), "mail", "out")
	tr := &outbox.Maildir{Root: root}
	r := by(tr, 3)
	r.queue.mails[2].item.MessageID = r.queue.mails[1].item.MessageID // another recipient's copy
	if err := flush(t, r.Sender, 3, 0, 0); err != nil {
		t.Fatal(err)
	}
	first := mails(t, root)
	if len(first) != 3 {
		t.Fatalf("%d mails in new, want 3", len(first))
	}
	for _, m := range r.queue.mails {
		found := false
		for _, text := range first {
			found = found || text == string(m.item.Raw)
		}
		if !found {
			t.Errorf("mail %d is not there octet for octet", m.item.ID)
		}
	}

	// The same mails again, after a crash that left something in tmp.
	for name := range first {
		if err := os.WriteFile(filepath.Join(root, "tmp", name), []byte(strings.Repeat("longer than the mail", 100)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again := by(tr, 3)
	again.queue.mails[2].item.MessageID = again.queue.mails[1].item.MessageID
	if err := flush(t, again.Sender, 3, 0, 0); err != nil {
		t.Fatal(err)
	}
	second := mails(t, root)
	if len(second) != 3 {
		t.Errorf("%d mails after sending them twice, want 3", len(second))
	}
	for name, text := range first {
		if second[name] != text {
			t.Errorf("%s is now %q", name, second[name])
		}
	}
	if left, err := os.ReadDir(filepath.Join(root, "tmp")); err != nil || len(left) != 0 {
		t.Errorf("left in tmp: %v (%v)", left, err)
	}
}

func mails(t *testing.T, root string) map[string]string {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(root, "new"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Name()] = content(t, root, "new", f.Name())
	}
	return texts
}

func TestMaildirRefuses(t *testing.T) {
	r := by(&outbox.Maildir{Root: t.TempDir()}, 3)
	r.queue.mails[0].item.To = "nobody"
	r.queue.mails[1].item.Raw = nil
	if err := flush(t, r.Sender, 1, 0, 2); err != nil {
		t.Fatal(err)
	}
}

func TestMaildirThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := by(&outbox.Maildir{Root: file}, 1)
	if err := flush(t, r.Sender, 0, 0, 0); err == nil {
		t.Error("no error")
	}

	// A folder that goes away between two mails is trouble, and not theirs.
	root := t.TempDir()
	r = by(&outbox.Maildir{Root: root}, 1)
	session, err := (&outbox.Maildir{Root: root}).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(root, "new")); err != nil {
		t.Fatal(err)
	}
	if err := session.Send(t.Context(), r.queue.mails[0].item); err == nil {
		t.Error("no error")
	}
}
