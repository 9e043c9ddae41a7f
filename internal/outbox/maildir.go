package outbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Maildir lays the mails down in a Maildir, for trying things out and for
// whoever fetches them from there.
type Maildir struct {
	Root string // made with its folders tmp, new and cur when missing
}

// Name implements Transport.
func (m *Maildir) Name() string { return "maildir " + m.Root }

// Open makes the folders.
func (m *Maildir) Open(context.Context) (Session, error) {
	for _, dir := range []string{"tmp", "new", "cur"} {
		if err := os.MkdirAll(filepath.Join(m.Root, dir), 0o700); err != nil {
			return nil, fmt.Errorf("make the Maildir: %w", err)
		}
	}
	return maildirSession{root: m.Root}, nil
}

type maildirSession struct{ root string }

// Send implements Session. The mail is on the disk, whole and under its name
// in new, before it returns. The name comes from Message-ID and recipient, so
// that a mail sent again takes the place of the first one.
func (s maildirSession) Send(_ context.Context, item Item) error {
	if _, _, err := envelope(item); err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(item.MessageID + "\x00" + item.To))
	name := hex.EncodeToString(sum[:16]) + ".ringpost"
	tmp, dir := filepath.Join(s.root, "tmp", name), filepath.Join(s.root, "new")
	if err := writeSynced(tmp, item.Raw); err != nil {
		return fmt.Errorf("write the mail: %w", err)
	}
	if err := os.Rename(tmp, filepath.Join(dir, name)); err != nil {
		return fmt.Errorf("move the mail to new: %w", err)
	}
	if err := syncDir(dir); err != nil {
		return fmt.Errorf("%w (%w)", ErrAmbiguous, err)
	}
	return nil
}

// Close implements Session; there is nothing to end.
func (s maildirSession) Close() error { return nil }

func writeSynced(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}

// syncDir makes a new name in a folder outlast a power cut.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
