package mailbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// maildirInterval is short: looking costs two directory listings.
const maildirInterval = 15 * time.Second

// maildirDone is the Maildir++ folder for handled mails.
const maildirDone = ".Processed"

// MaildirConfig says which Maildir to read. Zero fields have the defaults named.
type MaildirConfig struct {
	Dir      string        // the folder with new and cur in it
	MaxSize  int64         // bytes; of larger mails the beginning is handed over: DefaultMaxSize
	Interval time.Duration // from one poll to the next: 15 seconds
	Clock    Clock
	Logger   *slog.Logger // slog.Default()
}

// Maildir reads a Maildir: the mails in new and in cur, but for those marked as trash. Handled mails are renamed
// into the folder .Processed, marked as seen. A rename is whole or not at all; one that a power failure undoes
// hands the mail over again, under the same name.
type Maildir struct {
	config MaildirConfig
	name   string
	closed chan struct{}
	close  sync.Once

	delivered map[string]bool // by key: handed over, but not put away yet
	strikes   strikes[string]
}

// NewMaildir checks that the Maildir is there.
func NewMaildir(config MaildirConfig) (*Maildir, error) {
	config.MaxSize = cmp.Or(config.MaxSize, DefaultMaxSize)
	config.Interval = cmp.Or(config.Interval, maildirInterval)
	config.Logger = cmp.Or(config.Logger, slog.Default())
	config.Clock = config.Clock.orSystem()
	dir, err := filepath.Abs(config.Dir)
	if err != nil {
		return nil, fmt.Errorf("maildir: %w", err)
	}
	for _, sub := range []string{"new", "cur"} {
		info, err := os.Stat(filepath.Join(dir, sub))
		if err != nil {
			return nil, fmt.Errorf("maildir: %w", err)
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("maildir: %s is no Maildir: %s in it is no folder", dir, sub)
		}
	}
	config.Dir = dir
	return &Maildir{
		config: config, name: "maildir:" + dir, closed: make(chan struct{}),
		delivered: make(map[string]bool), strikes: make(strikes[string]),
	}, nil
}

// entry is a mail's file.
type entry struct {
	path  string
	key   string // the file's name without flags: the mail keeps it wherever it is moved
	name  string // the key, with the file's time where it is no unique name: such a one can come again
	flags string
	time  time.Time
	size  int64
}

// Poll hands over every mail that was not handed over yet, in the order of delivery, and puts them away.
func (s *Maildir) Poll(ctx context.Context, deliver Deliver) (int, error) {
	n, err := s.poll(ctx, deliver)
	if err != nil {
		return n, fmt.Errorf("maildir: %w", err)
	}
	return n, nil
}

func (s *Maildir) poll(ctx context.Context, deliver Deliver) (int, error) {
	var total int
	for range maxStrikes {
		entries, err := s.list(s.config.Dir)
		if err != nil {
			return total, err
		}
		n, moved, err := s.takeAll(ctx, s.tidy(entries), deliver, s.file)
		total += n
		if err != nil || !moved {
			return total, err
		}
		// Another program has renamed mails meanwhile, most likely from new to cur: they are looked for again.
	}
	return total, errors.New("another program keeps renaming the mails")
}

// list is all mails of a Maildir, oldest first.
func (s *Maildir) list(maildir string) ([]entry, error) {
	var entries []entry
	seen, now := make(map[string]bool), s.config.Clock.Now()
	for _, sub := range []string{"new", "cur"} {
		dir := filepath.Join(maildir, sub)
		files, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			key, flags, _ := strings.Cut(f.Name(), ":2,")
			if key == "" {
				key, flags = f.Name(), ""
			}
			if !f.Type().IsRegular() || strings.HasPrefix(f.Name(), ".") || strings.Contains(flags, "T") || seen[key] {
				continue
			}
			info, err := f.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue // renamed since the listing; where it went is listed next
			}
			if err != nil {
				return nil, err
			}
			seen[key] = true
			e := entry{path: filepath.Join(dir, f.Name()), key: key, name: key, flags: flags, size: info.Size()}
			var unique bool
			if e.time, unique = deliveryTime(key, now); !unique {
				e.time = info.ModTime()
				e.name += " " + e.time.UTC().Format(time.RFC3339Nano)
			}
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(a.time.Compare(b.time), cmp.Compare(a.key, b.key)) })
	return entries, nil
}

// firstMaildir is the year in which Maildirs were thought up: no mail was delivered to one before.
var firstMaildir = time.Date(1995, 1, 1, 0, 0, 0, 0, time.UTC)

// deliveryTime reads the moment of delivery from a unique name, such as 1204680122.M20046P2137.host. ok is false
// when the name holds none that can be: 99.mail is no mail of 1970, and none is delivered tomorrow.
func deliveryTime(key string, now time.Time) (t time.Time, ok bool) {
	parts := strings.SplitN(key, ".", 3)
	seconds, err := strconv.ParseUint(parts[0], 10, 34)
	if err != nil || len(parts) < 2 {
		return time.Time{}, false
	}
	var micros int64
	if _, after, ok := strings.Cut(parts[1], "M"); ok {
		digits := len(after) - len(strings.TrimLeft(after, "0123456789"))
		if n, err := strconv.ParseInt(after[:digits], 10, 64); err == nil && n < 1e6 {
			micros = n
		}
	}
	t = time.Unix(int64(seconds), micros*1000)
	return t, !t.Before(firstMaildir) && t.Before(now.AddDate(0, 0, 1))
}

// tidy puts away what was delivered before and is still there, and gives the others.
func (s *Maildir) tidy(entries []entry) (fresh []entry) {
	var left []entry
	delivered := make(map[string]bool)
	for _, e := range entries {
		if s.delivered[e.key] {
			delivered[e.key] = true
			left = append(left, e)
		} else {
			fresh = append(fresh, e)
		}
	}
	s.delivered = delivered
	s.file(left)
	return fresh
}

// takeAll delivers mails in batches and files them, unless they are to stay where they are. It says whether some
// were no longer where they had been.
func (s *Maildir) takeAll(ctx context.Context, fresh []entry, deliver Deliver, file func([]entry)) (total int, moved bool, err error) {
	var unread error
	for len(fresh) > 0 {
		if err := s.ended(ctx); err != nil {
			return total, moved, err
		}
		part := fresh[:min(len(fresh), batchMails)]
		part = part[:firstBytes(part, func(e entry) int64 { return min(e.size, s.config.MaxSize) })]
		fresh = fresh[len(part):]
		var batch []Mail
		var taken []entry
		for _, e := range part {
			m, err := s.read(e)
			switch {
			case err == nil:
				batch = append(batch, m)
				taken = append(taken, e)
			case errors.Is(err, fs.ErrNotExist):
				moved = true
			default:
				unread = errors.Join(unread, err)
			}
		}
		if len(batch) == 0 {
			continue
		}
		if err := deliver(ctx, batch); err != nil {
			return total, moved, fmt.Errorf("deliver %d mails: %w", len(batch), err)
		}
		total += len(batch)
		for _, e := range taken {
			delete(s.strikes, e.key)
		}
		if file == nil {
			continue
		}
		for _, e := range taken {
			s.delivered[e.key] = true
		}
		file(taken)
	}
	return total, moved, unread
}

// read reads a mail. After several failures, which the caller sees, it is given up and handed over with a Fault.
func (s *Maildir) read(e entry) (Mail, error) {
	m := Mail{Mailbox: s.name, Name: e.name, Received: e.time, Size: e.size}
	if m.Fault = s.strikes.out(e.key, s.config.Clock.Now()); m.Fault != "" {
		s.config.Logger.Error("mail given up", "mailbox", s.name, "name", e.key, "err", m.Fault)
		return m, nil
	}
	limit := s.config.MaxSize + 1
	if m.Size > s.config.MaxSize {
		limit = headSize(s.config.MaxSize)
	}
	raw, err := readFile(e.path, limit)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.strikes.add(e.key, err, s.config.Clock.Now())
			s.config.Logger.Warn("mail not read", "mailbox", s.name, "name", e.key, "err", err)
		}
		return Mail{}, err
	}
	switch read := int64(len(raw)); {
	case m.Size > s.config.MaxSize:
	case read > s.config.MaxSize: // it has grown since the listing
		m.Size, raw = read, raw[:headSize(s.config.MaxSize)]
	default:
		m.Size = read
	}
	m.Raw = raw
	return m, nil
}

// readFile reads at most maxSize bytes.
func readFile(path string, maxSize int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxSize))
}

// file renames handled mails into the folder for them. What fails is tried again at the next poll, and holds up
// no other.
func (s *Maildir) file(entries []entry) {
	if len(entries) == 0 {
		return
	}
	done := filepath.Join(s.config.Dir, maildirDone)
	err := makeMaildir(done)
	left := len(entries)
	if err == nil {
		for _, e := range entries {
			if failed := s.putAway(done, e); failed != nil {
				err = cmp.Or(err, failed)
				continue
			}
			left--
			delete(s.delivered, e.key)
		}
	}
	if err != nil {
		s.config.Logger.Warn("handled mails stay in the folder", "mailbox", s.name, "mails", left, "err", err)
	}
}

// maxFileName is the longest name that file systems take, in bytes.
const maxFileName = 255

// putAway renames a mail into a folder, marked as seen.
func (s *Maildir) putAway(folder string, e entry) error {
	flags := e.flags
	if !strings.Contains(flags, "S") {
		letters := []byte(flags + "S") // flags stand in alphabetical order
		slices.Sort(letters)
		flags = string(letters)
	}
	info := ":2," + flags
	key := e.key
	if len(key)+len(info) > maxFileName { // it had no flags before
		sum := sha256.Sum256([]byte(key))
		key = fmt.Sprintf("%s_%x", key[:maxFileName/2], sum[:16])
	}
	target := filepath.Join(folder, "cur", key+info)
	if _, err := os.Lstat(target); err == nil {
		// Names do not come twice, unless somebody has copied a mail; then the older stays as well.
		target = filepath.Join(folder, "cur", fmt.Sprintf("%.200s_%d%s", key, s.config.Clock.Now().UnixNano(), info))
	}
	if err := os.Rename(e.path, target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// makeMaildir makes a Maildir++ folder when it is missing.
func makeMaildir(dir string) error {
	for _, sub := range []string{"tmp", "new", "cur"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return err
		}
	}
	mark, err := os.OpenFile(filepath.Join(dir, "maildirfolder"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return mark.Close()
}

func (s *Maildir) ended(ctx context.Context) error {
	select {
	case <-s.closed:
		return ErrClosed
	default:
		return ctx.Err()
	}
}

// Wait returns nil when the poll interval is over.
func (s *Maildir) Wait(ctx context.Context) error {
	select {
	case <-s.config.Clock.After(s.config.Interval):
		return nil
	case <-s.closed:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close frees a Wait that is running.
func (s *Maildir) Close() error {
	s.close.Do(func() { close(s.closed) })
	return nil
}
