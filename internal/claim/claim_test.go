package claim

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/mailbox"
)

// box is a mailbox in memory.
type box struct {
	marks   []mailbox.Mark
	last    uint32
	mails   int   // waiting
	done    int   // put away
	broken  error // if set, what every call gives
	noMarks bool  // it takes none
	all     bool  // the last poll looked everywhere
}

func (b *box) Marks(context.Context) ([]mailbox.Mark, error) { return slices.Clone(b.marks), b.broken }

func (b *box) LeaveMark(_ context.Context, text, _, body string) error {
	if b.noMarks {
		return fmt.Errorf("read only: %w", mailbox.ErrUnmarkable)
	}
	if b.broken == nil {
		b.last++
		b.marks = append(b.marks, mailbox.Mark{ID: b.last, Text: text})
	}
	return b.broken
}

func (b *box) RemoveMarks(_ context.Context, ids []uint32) error {
	b.marks = slices.DeleteFunc(b.marks, func(m mailbox.Mark) bool { return slices.Contains(ids, m.ID) })
	return b.broken
}

func (b *box) Rescan(context.Context, time.Time, mailbox.Deliver) (int, error) {
	return b.done, b.broken
}

func (b *box) Poll(context.Context, mailbox.Deliver) (int, error) {
	n := b.mails
	b.done, b.mails, b.all = b.done+n, 0, false
	return n, b.broken
}

func (b *box) PollAll(ctx context.Context, deliver mailbox.Deliver) (int, error) {
	n, err := b.Poll(ctx, deliver)
	b.all = true
	return n, err
}

func (b *box) Wait(context.Context) error { return b.broken }
func (b *box) Close() error               { return nil }

// book is a data folder in memory.
type book struct {
	folder   string
	progress uint64
	outdated []uint64
	rescan   bool
}

func (b *book) Self(context.Context) (string, uint64, error) { return b.folder, b.progress, nil }

func (b *book) Began(context.Context) error {
	b.progress++
	return nil
}

func (b *book) Outdated(_ context.Context, progress uint64) error {
	b.outdated = append(b.outdated, progress)
	b.progress, b.rescan = progress+1, true
	return nil
}

func (b *book) Rescan(context.Context) (time.Time, bool, error) { return time.Time{}, b.rescan, nil }

func (b *book) Rescanned(context.Context) error {
	b.rescan = false
	return nil
}

// wall is a clock on which time is set.
type wall struct{ time.Time }

func (w *wall) now() time.Time { return w.Time }

func (w *wall) later() { w.Time = w.Add(checkEvery) }

var quiet = slog.New(slog.DiscardHandler)

func start(b Box, k Book, session string, w *wall) *Guard {
	return New(b, k, session, "host:/var/lib/"+session, w.now, quiet)
}

func newWall() *wall { return &wall{time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)} }

// poll polls and wants so many mails.
func poll(t *testing.T, g *Guard, want int) {
	t.Helper()
	if n, err := g.Poll(t.Context(), nil); n != want || err != nil {
		t.Fatalf("%d mails, %v; want %d", n, err, want)
	}
}

// stopped polls and wants an error that ends a Runner and says what to do.
func stopped[E error](t *testing.T, g *Guard, say string) {
	t.Helper()
	n, err := g.Poll(t.Context(), nil)
	var want E
	if n != 0 || !errors.As(err, &want) || !errors.Is(err, mailbox.ErrStop) || !strings.Contains(err.Error(), say) {
		t.Fatalf("%d mails, %v; want a %T that says %q", n, err, want, say)
	}
}

func texts(b *box) (all []string) {
	for _, m := range b.marks {
		mark, _ := Parse(m.Text)
		all = append(all, fmt.Sprintf("%s %s %d", mark.Folder, mark.Session, mark.Progress))
	}
	return all
}

func wantMarks(t *testing.T, b *box, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, texts(b)); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
}

func TestSecondFolderStops(t *testing.T) {
	b, w := &box{mails: 2}, newWall()
	first := start(b, &book{folder: "A", progress: 5}, "s1", w)
	if first.Verified() {
		t.Error("verified before the first look")
	}
	poll(t, first, 2)
	if !first.Verified() {
		t.Error("not verified")
	}
	b.mails = 3
	second := start(b, &book{folder: "B", progress: 9}, "s2", w)
	stopped[*ForeignError](t, second, "host:/var/lib/s1")
	if second.Verified() || second.Unreachable() || b.mails != 3 {
		t.Error("the second has taken the first's mails")
	}
	wantMarks(t, b, "A s1 6")
	poll(t, first, 3)
}

func TestMarkIsRenewed(t *testing.T) {
	b, w, k := &box{}, newWall(), &book{folder: "A", progress: 4}
	g := start(b, k, "s1", w)
	poll(t, g, 0)
	k.progress = 6
	poll(t, g, 0)
	wantMarks(t, b, "A s1 5") // not every time
	w.later()
	poll(t, g, 0)
	wantMarks(t, b, "A s1 5", "A s1 6") // the first stays: age decides
	w.later()
	poll(t, g, 0)
	k.progress = 7
	w.later()
	poll(t, g, 0)
	wantMarks(t, b, "A s1 5", "A s1 7")
	// After a lost connection, too.
	k.progress = 8
	b.broken = errors.New("cut")
	if err := g.Wait(t.Context()); err == nil {
		t.Fatal("the connection was not lost")
	}
	b.broken = nil
	poll(t, g, 0)
	wantMarks(t, b, "A s1 5", "A s1 8")
	// A restart goes on.
	poll(t, start(b, k, "s2", w), 0)
	wantMarks(t, b, "A s1 5", "A s2 9")
	if len(k.outdated) > 0 {
		t.Errorf("taken for an old copy: %v", k.outdated)
	}
	// Somebody tidies up: the mark comes back.
	g = start(b, k, "s3", w)
	poll(t, g, 0)
	b.marks = nil
	w.later()
	poll(t, g, 0)
	wantMarks(t, b, "A s3 10")
}

func TestCopyTakesOver(t *testing.T) {
	b, w := &box{}, newWall()
	k := &book{folder: "A", progress: 5}
	old := start(b, k, "s1", w)
	poll(t, old, 0)
	moved := &book{folder: "A", progress: k.progress}
	poll(t, start(b, moved, "s2", w), 0)
	if len(moved.outdated) > 0 {
		t.Errorf("taken for an old copy: %v", moved.outdated)
	}
	w.later()
	stopped[*CopyError](t, old, "/var/lib/s2")
}

func TestOldCopy(t *testing.T) {
	b, w := &box{mails: 3}, newWall()
	poll(t, start(b, &book{folder: "A", progress: 50}, "s1", w), 3)
	k := &book{folder: "A", progress: 40}
	g := start(b, k, "s2", w)
	b.mails = 1
	poll(t, g, 4) // three that were put away, and the new one
	if diff := cmp.Diff([]uint64{51}, k.outdated); diff != "" || k.rescan || !g.Verified() {
		t.Errorf("outdated %v, to be read again: %v, verified: %v", k.outdated, k.rescan, g.Verified())
	}
	wantMarks(t, b, "A s1 51", "A s2 53")
	poll(t, g, 0) // once
	poll(t, start(b, k, "s3", w), 0)
	if len(k.outdated) != 1 {
		t.Errorf("outdated %v", k.outdated)
	}
}

// TestBackupFromBeforeTheStart: before an update the folder is copied, the server runs for a few minutes, and the copy
// is put back. It may have sent mails meanwhile, whatever else shows that.
func TestBackupFromBeforeTheStart(t *testing.T) {
	b, w, k := &box{}, newWall(), &book{folder: "A", progress: 5}
	poll(t, start(b, k, "s1", w), 0)
	backup := *k
	poll(t, start(b, k, "s2", w), 0)
	poll(t, start(b, &backup, "s3", w), 0)
	if len(k.outdated) > 0 || len(backup.outdated) != 1 {
		t.Errorf("taken for an old copy: the folder %v, its backup %v", k.outdated, backup.outdated)
	}
}

// Reading again is done before anything else, and tried until it is done.
func TestRescanIsTriedAgain(t *testing.T) {
	b, w, k := &box{done: 2}, newWall(), &book{folder: "A", rescan: true}
	failing := &brokenRescan{box: b}
	g := start(failing, k, "s1", w)
	failing.why = errors.New("cut")
	if n, err := g.Poll(t.Context(), nil); n != 0 || !errors.Is(err, failing.why) || !k.rescan {
		t.Fatalf("%d mails, %v", n, err)
	}
	failing.why = nil
	poll(t, g, 2)
	poll(t, g, 0)
}

type brokenRescan struct {
	*box
	why error
}

func (b *brokenRescan) Rescan(ctx context.Context, since time.Time, deliver mailbox.Deliver) (int, error) {
	if b.why != nil {
		return 0, b.why
	}
	return b.box.Rescan(ctx, since, deliver)
}

func TestUnmarkable(t *testing.T) {
	b, w := &box{noMarks: true, mails: 1}, newWall()
	g := start(b, &book{folder: "A"}, "s1", w)
	poll(t, g, 1)
	w.later()
	poll(t, g, 0)
	if !g.Verified() {
		t.Error("nothing would ever be sent")
	}
}

func TestUnreachable(t *testing.T) {
	b, w := &box{broken: errors.New("no route")}, newWall()
	g := start(b, &book{folder: "A"}, "s1", w)
	if _, err := g.Poll(t.Context(), nil); !errors.Is(err, b.broken) || errors.Is(err, mailbox.ErrStop) || g.Verified() || !g.Unreachable() {
		t.Errorf("%v, verified: %v, unreachable: %v", err, g.Verified(), g.Unreachable())
	}
	b.broken = nil
	poll(t, g, 0)
	if !g.Verified() || g.Unreachable() {
		t.Errorf("verified: %v, unreachable: %v", g.Verified(), g.Unreachable())
	}
}

func TestPollAll(t *testing.T) {
	b := &box{mails: 1}
	g := start(b, &book{folder: "A"}, "s1", newWall())
	if n, err := g.PollAll(t.Context(), nil); n != 1 || err != nil || !b.all {
		t.Errorf("%d mails, %v, everywhere: %v", n, err, b.all)
	}
}

func TestAdopt(t *testing.T) {
	b, w := &box{}, newWall()
	other := start(b, &book{folder: "A", progress: 5}, "s1", w)
	poll(t, other, 0)
	k := &book{folder: "B", progress: 2}
	before, err := Adopt(t.Context(), b, k, "s2", "here")
	if err != nil || before == nil || before.Where != "host:/var/lib/s1" {
		t.Fatalf("adopted from %v, %v", before, err)
	}
	wantMarks(t, b, "B s2 2")
	if before, err := Adopt(t.Context(), b, k, "s3", "here"); before != nil || err != nil {
		t.Errorf("adopted again from %v, %v", before, err)
	}
	poll(t, start(b, k, "s4", w), 0)
	w.later()
	stopped[*ForeignError](t, other, "another data folder")

	nobodys := &box{}
	if before, err := Adopt(t.Context(), nobodys, k, "s5", "here"); before != nil || err != nil || nobodys.marks != nil {
		t.Errorf("adopted a mailbox of nobody's: %v, %v", before, err)
	}
}

func TestLook(t *testing.T) {
	b, w, k := &box{}, newWall(), &book{folder: "A", progress: 5}
	look := func(book Book, want Standing) {
		t.Helper()
		if got, err := Look(t.Context(), b, book); got != want || err != nil {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	look(k, Standing{})
	poll(t, start(b, k, "s1", w), 0)
	look(k, Standing{Marked: true})
	look(&book{folder: "A", progress: 5}, Standing{Marked: true, Ahead: 6})
	wantMarks(t, b, "A s1 6")
	var foreign *ForeignError
	if _, err := Look(t.Context(), b, &book{folder: "B"}); !errors.As(err, &foreign) {
		t.Errorf("looked at another's: %v", err)
	}
}
