package mailbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// markFile begins the names of the marks, files beside new and cur that other programs leave alone.
const markFile = "ringpost-mark."

// Marks lists the marks, oldest first.
func (s *Maildir) Marks(context.Context) ([]Mark, error) {
	files, err := os.ReadDir(s.config.Dir)
	if err != nil {
		return nil, fmt.Errorf("maildir: %w", err)
	}
	var marks []Mark
	for _, f := range files {
		number, ok := strings.CutPrefix(f.Name(), markFile)
		id, err := strconv.ParseUint(number, 10, 32)
		if !ok || err != nil {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(s.config.Dir, f.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since the listing
		}
		if err != nil {
			return nil, fmt.Errorf("maildir: %w", err)
		}
		if text := markText(raw); text != "" { // else it is being left just now
			marks = append(marks, Mark{ID: uint32(id), Text: text})
		}
	}
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Compare(a.ID, b.ID) })
	return marks, nil
}

// LeaveMark adds a mark; the words are for people who find it.
func (s *Maildir) LeaveMark(ctx context.Context, text, subject, body string) error {
	marks, err := s.Marks(ctx)
	if err != nil {
		return err
	}
	var id uint32
	if len(marks) > 0 {
		id = marks[len(marks)-1].ID
	}
	for {
		id++
		// Never in the place of another's, who may be leaving one at the same moment.
		f, err := os.OpenFile(s.markPath(id), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("maildir: %w: %w", ErrUnmarkable, err)
		}
		_, err = f.Write(markMail(text, subject, body, s.config.Clock.Now()))
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("maildir: mark: %w", err)
		}
		return nil
	}
}

// RemoveMarks removes marks.
func (s *Maildir) RemoveMarks(_ context.Context, ids []uint32) error {
	for _, id := range ids {
		if err := os.Remove(s.markPath(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("maildir: %w", err)
		}
	}
	return nil
}

func (s *Maildir) markPath(id uint32) string {
	return filepath.Join(s.config.Dir, markFile+strconv.FormatUint(uint64(id), 10))
}

// Rescan hands over the mails that have arrived since a moment and were put away, as if they were new, and leaves
// them where they are. A zero since means all.
func (s *Maildir) Rescan(ctx context.Context, since time.Time, deliver Deliver) (int, error) {
	done := filepath.Join(s.config.Dir, maildirDone)
	if _, err := os.Stat(done); errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	entries, err := s.list(done)
	if err != nil {
		return 0, fmt.Errorf("maildir: %w", err)
	}
	entries = slices.DeleteFunc(entries, func(e entry) bool { return e.time.Before(since) })
	n, moved, err := s.takeAll(ctx, entries, deliver, nil)
	if err == nil && moved {
		err = errors.New("another program has renamed mails meanwhile")
	}
	if err != nil {
		return n, fmt.Errorf("maildir: %w", err)
	}
	return n, nil
}
