package claim

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"ringpost/internal/mailbox"
)

// Box is a mailbox that takes marks.
type Box interface {
	mailbox.Source
	// Marks lists the marks, oldest first.
	Marks(ctx context.Context) ([]mailbox.Mark, error)
	// LeaveMark adds a mark; the words are for people who find it. Its error wraps mailbox.ErrUnmarkable where
	// none can be left.
	LeaveMark(ctx context.Context, text, subject, body string) error
	RemoveMarks(ctx context.Context, ids []uint32) error
	// Rescan hands over again the mails put away that have arrived since a moment.
	Rescan(ctx context.Context, since time.Time, deliver mailbox.Deliver) (int, error)
}

// Book is what a data folder knows about itself.
type Book interface {
	// Self gives the folder's id and how far its database has come.
	Self(ctx context.Context) (folder string, progress uint64, err error)
	// Began notes that a process has begun to serve: a copy of the database from before is older than it is now.
	Began(ctx context.Context) error
	// Outdated notes that the database is an old copy of one that had come so far: nothing may be sent until the
	// game master says so, and all mails are to be read again. From then on its progress is beyond that.
	Outdated(ctx context.Context, progress uint64) error
	// Rescan tells whether mails are to be read again, and since when they arrived.
	Rescan(ctx context.Context) (since time.Time, wanted bool, err error)
	// Rescanned notes that they have been.
	Rescanned(ctx context.Context) error
}

// checkEvery is how often the marks are looked at, and the own one renewed if the database has gone on. So long
// a copy of the data folder can go unnoticed, and by so much a backup made while a server runs can be too young to be
// known for one. One made before it was started always is.
const checkEvery = 10 * time.Minute

// Guard is a mailbox that is read only while it is this data folder's.
type Guard struct {
	Box
	book    Book
	session string
	where   string
	now     func() time.Time
	log     *slog.Logger

	verified  atomic.Bool
	failed    atomic.Bool
	checked   time.Time // zero when it must be checked again
	counted   bool      // that the process has begun is in the book
	begun     bool      // a mark of this process's has been left
	unmarked  bool      // the mailbox takes none, which was said
	announced bool      // that mails are read again was said
}

// New guards a mailbox for a process. The session is its own, made at random; where tells people which folder it
// serves.
func New(box Box, book Book, session, where string, now func() time.Time, log *slog.Logger) *Guard {
	return &Guard{Box: box, book: book, session: session, where: where, now: now, log: log}
}

// Verified tells whether the mailbox has been found to be this folder's, and the database no old copy that is not
// known for one. It may be asked by any goroutine.
func (g *Guard) Verified() bool { return g.verified.Load() }

// Unreachable tells whether the mailbox could not be looked at since the process began. It may be asked by any
// goroutine.
func (g *Guard) Unreachable() bool { return g.failed.Load() && !g.Verified() }

// Poll polls the mailbox if it is this folder's.
func (g *Guard) Poll(ctx context.Context, deliver mailbox.Deliver) (int, error) {
	return g.poll(ctx, deliver, g.Box.Poll)
}

// PollAll is a Poll that looks everywhere.
func (g *Guard) PollAll(ctx context.Context, deliver mailbox.Deliver) (int, error) {
	if thorough, ok := g.Box.(mailbox.Thorough); ok {
		return g.poll(ctx, deliver, thorough.PollAll)
	}
	return g.Poll(ctx, deliver)
}

func (g *Guard) poll(ctx context.Context, deliver mailbox.Deliver, poll func(context.Context, mailbox.Deliver) (int, error)) (int, error) {
	n, err := g.ready(ctx, deliver)
	if err == nil {
		var more int
		more, err = poll(ctx, deliver)
		n += more
	}
	return n, g.noted(err)
}

// Wait waits for new mail.
func (g *Guard) Wait(ctx context.Context) error {
	err := g.Box.Wait(ctx)
	if ctx.Err() != nil {
		return err
	}
	return g.noted(err)
}

// noted keeps in mind that the connection was lost: much may have happened until there is a new one.
func (g *Guard) noted(err error) error {
	if err != nil {
		g.checked = time.Time{}
	}
	return err
}

// ready looks whose the mailbox is, when that is due, and has mails read again that an old copy of the database
// has never seen.
func (g *Guard) ready(ctx context.Context, deliver mailbox.Deliver) (int, error) {
	if since := g.now().Sub(g.checked); since < 0 || since >= checkEvery {
		if err := g.check(ctx); err != nil {
			g.failed.Store(!errors.Is(err, mailbox.ErrStop))
			return 0, err
		}
		g.checked = g.now()
		g.verified.Store(true)
	}
	since, wanted, err := g.book.Rescan(ctx)
	if err != nil || !wanted {
		return 0, err
	}
	if !g.announced {
		g.log.Warn("reading again what was put away", "since", since)
		g.announced = true
	}
	n, err := g.Box.Rescan(ctx, since, deliver)
	if err != nil {
		return n, fmt.Errorf("reading again what was put away: %w", err)
	}
	g.log.Warn("read again what was put away", "mails", n)
	g.announced = false
	return n, g.book.Rescanned(ctx)
}

// check looks at the marks and renews the own one.
func (g *Guard) check(ctx context.Context) error {
	marks, err := g.Marks(ctx)
	if err != nil {
		return fmt.Errorf("looking whose the mailbox is: %w", err)
	}
	folder, progress, err := g.book.Self(ctx)
	if err != nil {
		return err
	}
	own, _, err := judge(read(marks), folder, g.session, g.begun)
	if err != nil {
		return err
	}
	if ahead := farthest(own); ahead > progress {
		g.log.Error("the database is an old copy: nothing is sent until the game master says so", "progress", progress, "had_been", ahead)
		if err := g.book.Outdated(ctx, ahead); err != nil {
			return err
		}
	}
	if !g.counted {
		if err := g.book.Began(ctx); err != nil {
			return err
		}
		g.counted = true
	}
	if _, progress, err = g.book.Self(ctx); err != nil {
		return err
	}
	if g.begun && len(own) > 0 && own[len(own)-1].Progress == progress {
		return nil
	}
	return g.claim(ctx, Mark{Folder: folder, Session: g.session, Progress: progress, Where: g.where})
}

// claim leaves a mark, looks whether it holds, and removes those that are of no more use.
func (g *Guard) claim(ctx context.Context, m Mark) error {
	err := g.LeaveMark(ctx, m.String(), subject, body(m))
	if errors.Is(err, mailbox.ErrUnmarkable) {
		if !g.unmarked {
			g.log.Warn("a second server on this mailbox would not be noticed", "error", err)
		}
		g.unmarked = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("marking the mailbox: %w", err)
	}
	if !g.begun {
		g.log.Info("mailbox marked", "progress", m.Progress)
	}
	g.begun = true
	marks, err := g.Marks(ctx)
	if err != nil {
		return fmt.Errorf("looking whose the mailbox is: %w", err)
	}
	own, others, lost := judge(read(marks), m.Folder, m.Session, true)
	var old []uint32
	var foreign *ForeignError
	switch {
	case errors.As(lost, &foreign): // was quicker
		for _, x := range own {
			if x.Session == m.Session {
				old = append(old, x.id)
			}
		}
	case lost == nil && len(own) > 0:
		for _, x := range others { // they came too late, and stop
			old = append(old, x.id)
		}
		for _, x := range own[1:max(1, len(own)-1)] { // the first stays: age decides
			old = append(old, x.id)
		}
	}
	if err := g.RemoveMarks(ctx, old); err != nil {
		g.log.Warn("old marks stay in the mailbox", "error", err)
	}
	return lost
}

const subject = "Ringpost: whose this mailbox is"

func body(m Mark) string {
	return fmt.Sprintf("Ringpost, a game master for games by email, reads this mailbox.\nData folder: %s\n\n"+
		"By this mail a second server notices that it must not read it too.\nPlease leave it here.\n", m.Where)
}
