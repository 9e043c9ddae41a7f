package mailbox

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// maildir is a Maildir and a source that reads it.
func maildir(t *testing.T, config MaildirConfig) (*Maildir, string) {
	t.Helper()
	dir := t.TempDir()
	for _, sub := range []string{"tmp", "new", "cur"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	config.Dir, config.Logger = dir, slog.New(slog.DiscardHandler)
	s, err := NewMaildir(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// files lists all files in a Maildir, but for the mark of its folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != "maildirfolder" {
			rel, _ := filepath.Rel(dir, path)
			all = append(all, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestMaildir(t *testing.T) {
	s, dir := maildir(t, MaildirConfig{MaxSize: 10})
	poll(t, s, &taker{}, 0)
	for name, text := range map[string]string{
		"new/1700000003.M5P1.host":       "third",
		"new/1700000002.P1.host,S=11":    "second, big",
		"cur/1700000001.V1.host:2,FR":    "first",
		"cur/1700000004.host:2,S":        "fourth",
		"cur/1700000000.host:2,ST":       "trash",
		"tmp/1700000000.host":            "unfinished",
		"new/.hidden":                    "hidden",
		"cur/1700000003.M000007Q2.host,": "later",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	if err := os.Mkdir(filepath.Join(dir, "new", "folder"), 0o700); err != nil {
		t.Fatal(err)
	}

	k := &taker{}
	poll(t, s, k, 5)
	at := func(seconds, micros int64) time.Time { return time.Unix(seconds, micros*1000) }
	want := []Mail{
		{Name: "1700000001.V1.host", Received: at(1700000001, 0), Size: 5, Raw: []byte("first")},
		{Name: "1700000002.P1.host,S=11", Received: at(1700000002, 0), Size: 11, Raw: []byte("second, bi")},
		{Name: "1700000003.M5P1.host", Received: at(1700000003, 5), Size: 5, Raw: []byte("third")},
		{Name: "1700000003.M000007Q2.host,", Received: at(1700000003, 7), Size: 5, Raw: []byte("later")},
		{Name: "1700000004.host", Received: at(1700000004, 0), Size: 6, Raw: []byte("fourth")},
	}
	for i := range want {
		want[i].Mailbox = "maildir:" + dir
	}
	if diff := cmp.Diff(want, k.mails); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		".Processed/cur/1700000001.V1.host:2,FRS",
		".Processed/cur/1700000002.P1.host,S=11:2,S",
		".Processed/cur/1700000003.M000007Q2.host,:2,S",
		".Processed/cur/1700000003.M5P1.host:2,S",
		".Processed/cur/1700000004.host:2,S",
		"cur/1700000000.host:2,ST",
		"new/.hidden",
		"tmp/1700000000.host",
	}, files(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	poll(t, s, k, 0)
}

func TestMaildirBatches(t *testing.T) {
	s, dir := maildir(t, MaildirConfig{})
	for i := range 2*batchMails + 1 {
		write(t, filepath.Join(dir, "new", fmt.Sprintf("%d.host", 1700000000+i)), fmt.Sprint(i))
	}
	k := &taker{}
	poll(t, s, k, 2*batchMails+1)
	if diff := cmp.Diff([]int{batchMails, batchMails, 1}, k.batches); diff != "" {
		t.Errorf("batches (-want +got):\n%s", diff)
	}
	for i, raw := range k.raws() {
		if raw != fmt.Sprint(i) {
			t.Fatalf("mail %d is %s", i, raw)
		}
	}
}

func TestMaildirRefusedDelivery(t *testing.T) {
	s, dir := maildir(t, MaildirConfig{})
	write(t, filepath.Join(dir, "new", "1700000000.host"), "x")
	k := &taker{refuse: errors.New("disk full")}
	if n, err := s.Poll(t.Context(), k.deliver); n != 0 || !errors.Is(err, k.refuse) {
		t.Errorf("poll delivered %d mails, %v", n, err)
	}
	if diff := cmp.Diff([]string{"new/1700000000.host"}, files(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	k.refuse = nil
	poll(t, s, k, 1)
}

// Mails that cannot be put away are delivered once, and put away when that can be done.
func TestMaildirFilingIsTriedAgain(t *testing.T) {
	s, dir := maildir(t, MaildirConfig{})
	write(t, filepath.Join(dir, "new", "1700000000.host"), "x")
	obstacle := filepath.Join(dir, ".Processed")
	write(t, obstacle, "a file where the folder should be")
	k := &taker{}
	poll(t, s, k, 1)
	poll(t, s, k, 0)
	if err := os.Remove(obstacle); err != nil {
		t.Fatal(err)
	}
	poll(t, s, k, 0)
	if diff := cmp.Diff([]string{".Processed/cur/1700000000.host:2,S"}, files(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestMaildirNeverOverwrites(t *testing.T) {
	c := newClock()
	s, dir := maildir(t, MaildirConfig{Clock: c.clock()})
	k := &taker{}
	for _, text := range []string{"one", "two"} {
		write(t, filepath.Join(dir, "new", "1700000000.host"), text)
		poll(t, s, k, 1)
	}
	var texts []string
	for _, name := range files(t, dir) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	slices.Sort(texts)
	if diff := cmp.Diff([]string{"one", "two"}, texts); diff != "" {
		t.Errorf("mails kept (-want +got):\n%s", diff)
	}
}

// A mail reader may take a mail from new to cur between listing and reading.
func TestMaildirMovedMeanwhile(t *testing.T) {
	s, dir := maildir(t, MaildirConfig{})
	for _, name := range []string{"new/1700000000.host", "new/1700000001.host"} {
		write(t, filepath.Join(dir, name), name)
	}
	entries, err := s.list(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "new/1700000001.host"), filepath.Join(dir, "cur/1700000001.host:2,S")); err != nil {
		t.Fatal(err)
	}
	k := &taker{}
	n, moved, err := s.takeAll(t.Context(), entries, k.deliver, s.file)
	if n != 1 || !moved || err != nil {
		t.Fatalf("took %d mails, moved %v, %v", n, moved, err)
	}
	poll(t, s, k, 1)
	if diff := cmp.Diff([]string{"new/1700000000.host", "new/1700000001.host"}, k.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
}

// A file that cannot be read holds up no other, and is given up in the end.
func TestMaildirUnreadable(t *testing.T) {
	clock := newClock()
	s, dir := maildir(t, MaildirConfig{Clock: clock.clock()})
	write(t, filepath.Join(dir, "new", "1700000000.host"), "x")
	entries, err := s.list(dir)
	if err != nil {
		t.Fatal(err)
	}
	// Root reads everything, but no folder: one stands in for the file the listing found.
	entries[0].path = filepath.Join(dir, "tmp")
	k := &taker{}
	for range maxStrikes {
		if n, _, err := s.takeAll(t.Context(), entries, k.deliver, s.file); n != 0 || err == nil {
			t.Fatalf("took %d mails, %v", n, err)
		}
		clock.set(clock.time().Add(strikeTime / (maxStrikes - 1)))
	}
	if n, _, err := s.takeAll(t.Context(), entries, k.deliver, s.file); n != 1 || err != nil {
		t.Fatalf("took %d mails, %v", n, err)
	}
	if m := k.mails[0]; m.Raw != nil || !strings.Contains(m.Fault, "is a directory") {
		t.Errorf("the mail came as %+v", m)
	}
}

func TestMaildirWait(t *testing.T) {
	c := newClock()
	s, _ := maildir(t, MaildirConfig{Clock: c.clock()})
	done := waiting(t.Context(), s)
	c.wait(t, maildirInterval)
	c.ring(maildirInterval)
	if err := within(t, "the end of waiting", done); err != nil {
		t.Error(err)
	}
	done = waiting(t.Context(), s)
	c.wait(t, maildirInterval)
	s.Close()
	if err := within(t, "the end of waiting", done); !errors.Is(err, ErrClosed) {
		t.Errorf("wait: %v", err)
	}
}

func TestNoMaildir(t *testing.T) {
	if _, err := NewMaildir(MaildirConfig{Dir: t.TempDir()}); err == nil {
		t.Error("an empty folder was taken for a Maildir")
	}
}

func FuzzDeliveryTime(f *testing.F) {
	for _, name := range []string{
		"1204680122.M20046P2137.host", "1204680122.host", "1204680122.M9999999.host", "1204680122", "x.y.z", "",
		"0.M1.host", "99999999999999999999.M1.host", "1204680122.M.host", "-5.M1.h",
	} {
		f.Add(name)
	}
	now := arrival(0)
	f.Fuzz(func(t *testing.T, name string) {
		got, ok := deliveryTime(name, now)
		if !ok {
			return
		}
		// The name begins with these seconds, and they can be.
		digits, _, found := strings.Cut(name, ".")
		if trimmed := strings.TrimLeft(digits, "0"); !found || fmt.Sprint(got.Unix()) != trimmed {
			t.Errorf("%q was delivered at %d", name, got.Unix())
		}
		if got.Year() < 1995 || got.Sub(now) > 24*time.Hour {
			t.Errorf("%q was delivered at %s", name, got)
		}
	})
}

// Files may have any names: they are handed over, dated by the file where the name holds no time that can be, and
// put away, and none is in another's way.
func TestMaildirOddNames(t *testing.T) {
	c := newClock()
	s, dir := maildir(t, MaildirConfig{Clock: c.clock()})
	fileTime := c.now.Add(-time.Hour).Truncate(time.Second)
	good := fmt.Sprintf("%d.M5P1.host", fileTime.Add(-time.Minute).Unix())
	put := func(name, text string, at time.Time) {
		t.Helper()
		write(t, filepath.Join(dir, name), text)
		if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	odd := []string{
		"new/99.x", "new/0.a", "new/-5.b", "new/+5.c", "new/20261201.mail", "new/2026.12.01", "new/99999999999999999999.d",
		"new/9999999999.tomorrow-and-after", "new/1700000000", "new/hello.eml", "new/two words", "new/with\nnewline", "new/\xff\xfe.x",
		"new/:2,S", "cur/:2,F", "cur/:1,x:2,", "cur/..x:2,", "new/" + strings.Repeat("n", 255), "cur/" + strings.Repeat("c", 250) + ":2,FR",
	}
	for _, name := range odd {
		if strings.HasPrefix(filepath.Base(name), ".") {
			continue
		}
		put(name, name, fileTime)
	}
	put("new/"+good, "good", fileTime)

	k := &taker{}
	poll(t, s, k, len(odd)) // the one with a dot in front is hidden, the good one comes along
	for i, m := range k.mails {
		want := fileTime
		if i == 0 {
			want = fileTime.Add(-time.Minute + 5*time.Microsecond)
		}
		if !m.Received.Equal(want) {
			t.Errorf("%q is dated %s, want %s", m.Raw, m.Received, want)
		}
	}
	if k.mails[0].Name != good {
		t.Errorf("the first mail is %q", k.mails[0].Name)
	}
	for _, name := range files(t, dir) {
		if !strings.HasPrefix(name, ".Processed/cur/") {
			t.Errorf("%q is not put away", name)
		}
	}
	poll(t, s, k, 0)

	put("new/99.x", "another mail", fileTime.Add(time.Minute)) // by the same name, which is no unique one
	poll(t, s, k, 1)
	names := map[string]bool{}
	for _, m := range k.mails {
		if names[m.Name] {
			t.Errorf("two mails are called %q", m.Name)
		}
		names[m.Name] = true
	}
	again := &taker{}
	if n, err := s.Rescan(t.Context(), time.Time{}, again.deliver); n != len(odd)+1 || err != nil {
		t.Errorf("%d mails are there again, %v", n, err)
	}
}

// A mail that cannot be put away holds up no other.
func TestMaildirFilesTheOthers(t *testing.T) {
	s, dir := maildir(t, MaildirConfig{})
	for _, name := range []string{"1700000000.a", "1700000001.b"} {
		write(t, filepath.Join(dir, "new", name), name)
	}
	// Where the first is to go a folder stands, and where it would go then as well.
	s.config.Clock.Now = func() time.Time { return time.Unix(1700000002, 0) }
	for _, name := range []string{"1700000000.a:2,S", "1700000000.a_1700000002000000000:2,S"} {
		if err := os.MkdirAll(filepath.Join(dir, ".Processed", "cur", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	poll(t, s, &taker{}, 2)
	if diff := cmp.Diff([]string{".Processed/cur/1700000001.b:2,S", "new/1700000000.a"}, files(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
