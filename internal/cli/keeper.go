package cli

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ringpost/internal/claim"
	"ringpost/internal/mailbox"
	"ringpost/internal/owner"
	"ringpost/internal/store"
)

// keeper knows whether this data folder may send: whether its database is the
// newest there is, and the mailbox its own. It is the folder's claim.Book.
type keeper struct {
	*office
	dir   string
	now   func() time.Time
	mark  claim.Mark   // without id and progress
	boxed bool         // there is a mailbox that can be read again
	guard *claim.Guard // of that mailbox, while a server reads it; else nil
	muted bool         // by the operator
	// settled: the folder is as its own server left it, not copied nor restored, as
	// far as this machine can tell. Only the mailbox knows for certain.
	settled bool
	seen    bool // the mailbox was looked at, and is nobody else's

	mu    sync.Mutex
	filed string // what the file beside the database holds
	told  time.Time
	why   string // told last
}

// markName is the file beside the database that says how far it had come: a
// database behind it is an old copy.
const markName = "ringpost.mark"

// Notes in the database.
const (
	folderKey     = "folder"     // the data folder's id
	supersededKey = "superseded" // where the copy of the folder is that goes on in its place, "" for none
	restoredKey   = "restored"   // "" or one of the following
	toRead        = "to-read"    // an old copy of the database: mails are to be read again
	toConfirm     = "to-confirm"
)

// rescanMargin is how much older than the newest letter known a mail may be that
// came into the mailbox, or out of junk, after the backup.
const rescanMargin = 30 * 24 * time.Hour

// keep readies the keeper, and looks whether the database is behind the file
// beside it.
func (a *app) keep(ctx context.Context, o *office) (*keeper, error) {
	k := a.newKeeper(o)
	return k, k.compare(ctx)
}

func (a *app) newKeeper(o *office) *keeper {
	where := a.dir // machine and path are for people only
	if dir, err := filepath.Abs(a.dir); err == nil {
		where = dir
	}
	if host, err := os.Hostname(); err == nil {
		where = host + ":" + where
	}
	return &keeper{office: o, dir: a.dir, now: a.clock, boxed: o.config.IMAP != nil || o.config.Maildir != nil,
		mark: claim.Mark{Session: randomID(), Where: where}}
}

// randomID is an id that no other folder or process has.
func randomID() string {
	b := make([]byte, 10)
	rand.Read(b)
	return strings.ToLower(base32.StdEncoding.EncodeToString(b))
}

// compare looks whether the database is behind the file beside it. A file of
// another folder says nothing.
func (k *keeper) compare(ctx context.Context) error {
	path := filepath.Join(k.dir, markName)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading how far the database had come: %w", err)
	}
	folder, progress, err := k.Self(ctx)
	if err != nil {
		return err
	}
	line, rest, _ := strings.Cut(string(b), "\n")
	filed, ok := claim.Parse(line)
	if !ok || filed.Folder != folder {
		return nil
	}
	if filed.Progress > progress {
		return k.Outdated(ctx, filed.Progress)
	}
	k.settled = untouched(path, strings.TrimSpace(rest))
	return nil
}

// untouched tells whether a file was last changed when it was written. Whoever
// copies a file can give the copy any time of writing, but not this one.
func untouched(path, written string) bool {
	at, err := time.Parse(time.RFC3339Nano, written)
	if err != nil {
		return false
	}
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	change, ok := lastChange(info)
	return ok && change.Sub(at).Abs() < 2*time.Second
}

// Self implements claim.Book.
func (k *keeper) Self(ctx context.Context) (folder string, progress uint64, err error) {
	err = k.store.Read(ctx, func(tx *store.Tx) error {
		if folder, err = tx.Meta(folderKey); err != nil {
			return err
		}
		progress, err = tx.Progress()
		return err
	})
	if err != nil || folder != "" {
		return folder, progress, err
	}
	err = k.store.Write(ctx, func(tx *store.Tx) error {
		if folder, err = tx.Meta(folderKey); err != nil || folder != "" {
			return err
		}
		folder = randomID()
		return tx.SetMeta(folderKey, folder)
	})
	return folder, progress, err
}

// Began implements claim.Book.
func (k *keeper) Began(ctx context.Context) error {
	return k.store.Write(ctx, func(tx *store.Tx) error { return tx.AddProgress(1) })
}

// Outdated implements claim.Book.
func (k *keeper) Outdated(ctx context.Context, progress uint64) error {
	k.log.Error("the database is an old copy, restored from a backup", "progress", progress)
	return k.store.Write(ctx, func(tx *store.Tx) error {
		mine, err := tx.Progress()
		if err != nil {
			return err
		}
		if progress >= mine {
			if err := tx.AddProgress(progress - mine + 1); err != nil {
				return err
			}
		}
		return k.setRestored(tx, "backup restored", fmt.Sprintf("its database had come to %d, one of this folder to %d", mine, progress))
	})
}

// setRestored makes the database one that was restored.
func (k *keeper) setRestored(tx *store.Tx, what, detail string) error {
	state := toConfirm
	if k.boxed {
		state = toRead
	}
	if err := tx.Audit("", what, detail, k.now()); err != nil {
		return err
	}
	return tx.SetMeta(restoredKey, state)
}

// restored is whether the database is a backup that was restored, and what is to
// be done about it: "", toRead or toConfirm.
func (k *keeper) restored(ctx context.Context) (state string, err error) {
	err = k.store.Read(ctx, func(tx *store.Tx) error {
		state, err = tx.Meta(restoredKey)
		return err
	})
	return state, err
}

// superseded is where the copy of the folder is that goes on in its place, "" when
// none does.
func (k *keeper) superseded(ctx context.Context) (where string, err error) {
	err = k.store.Read(ctx, func(tx *store.Tx) error {
		where, err = tx.Meta(supersededKey)
		return err
	})
	return where, err
}

// setSuperseded notes that a copy goes on, so that no restart turns it round; or,
// with "", that this folder does.
func (k *keeper) setSuperseded(ctx context.Context, where string) error {
	return k.store.Write(ctx, func(tx *store.Tx) error {
		what := "copy goes on"
		if where == "" {
			what = "adopted"
		}
		if err := tx.Audit("", what, where, k.now()); err != nil {
			return err
		}
		return tx.SetMeta(supersededKey, where)
	})
}

// supersededError says that a copy of the folder goes on in its place.
func supersededError(where string) error {
	return fmt.Errorf("a server with a copy of this data folder (%s) goes on in its place. If it is out of service for good, "+
		"or that was not meant, stop it and run `ringpost adopt` here", where)
}

// Rescan implements claim.Book.
func (k *keeper) Rescan(ctx context.Context) (since time.Time, wanted bool, err error) {
	err = k.store.Read(ctx, func(tx *store.Tx) error {
		state, err := tx.Meta(restoredKey)
		if wanted = state == toRead; err != nil || !wanted {
			return err
		}
		if since, err = tx.LastStored(); !since.IsZero() {
			since = since.Add(-rescanMargin)
		}
		return err
	})
	return since, wanted, err
}

// Rescanned implements claim.Book.
func (k *keeper) Rescanned(ctx context.Context) error {
	return k.store.Write(ctx, func(tx *store.Tx) error {
		state, err := tx.Meta(restoredKey)
		if err != nil || state != toRead {
			return err
		}
		return tx.SetMeta(restoredKey, toConfirm)
	})
}

// leave is which mails may be sent.
type leave int

const (
	toAll    leave = iota
	toGM           // news to the game master only: the mailbox must be seen first
	toNobody       // none
)

// leave tells which mails may be sent, and why not all. No keeper hinders none.
func (k *keeper) leave(ctx context.Context) (leave, string, error) {
	if k == nil {
		return toAll, "", nil
	}
	state, err := k.restored(ctx)
	if err != nil {
		return toNobody, "", err
	}
	copied, err := k.superseded(ctx)
	switch {
	case err != nil:
		return toNobody, "", err
	case copied != "":
		return toNobody, supersededError(copied).Error(), nil
	case state != "":
		return toNobody, "the database is a restored backup: see `ringpost restored`", nil
	case k.muted:
		return toNobody, "`ringpost serve --mute` was asked for", nil
	case k.guard != nil && !k.guard.Verified() && !(k.settled && k.guard.Unreachable()):
		return toGM, "", nil
	}
	return toAll, "", nil
}

// saidAgain is how often the log says that nothing is sent.
const saidAgain = time.Hour

// say tells the log that nothing is sent, while that is so, and that mails are
// sent again.
func (k *keeper) say(ctx context.Context) error {
	_, why, err := k.leave(ctx)
	if k == nil || err != nil {
		return err
	}
	switch {
	case why == "" && k.why != "":
		k.log.Info("mails are sent again")
	case why != "" && (why != k.why || k.now().Sub(k.told) >= saidAgain):
		k.log.Error("nothing is sent", "reason", why)
		k.told = k.now()
	}
	k.why = why
	return nil
}

// advance notes that mails are about to be sent: a copy of the database from
// before that must not send them again.
func (k *keeper) advance(ctx context.Context) error {
	if k == nil {
		return nil
	}
	if err := k.store.Write(ctx, func(tx *store.Tx) error { return tx.AddProgress(1) }); err != nil {
		return err
	}
	return k.file(ctx)
}

// file writes how far the database has come beside it: once it is known to be the
// newest, since what it writes speaks for it at the next start.
func (k *keeper) file(ctx context.Context) error {
	if k == nil || !k.settled && (k.guard == nil && k.boxed || k.guard != nil && !k.guard.Verified()) {
		return nil
	}
	folder, progress, err := k.Self(ctx)
	if err != nil {
		return err
	}
	m := k.mark
	m.Folder, m.Progress = folder, progress
	k.mu.Lock()
	defer k.mu.Unlock()
	if m.String() == k.filed {
		return nil
	}
	// The real time, whatever the program's clock says: it is compared with the file's.
	text := m.String() + "\n" + time.Now().UTC().Format(time.RFC3339Nano) + "\n"
	if err := replaceFile(filepath.Join(k.dir, markName), []byte(text)); err != nil {
		return fmt.Errorf("noting how far the database has come: %w", err)
	}
	k.filed = m.String()
	return nil
}

// replaceFile writes a file of the data folder whole or not at all.
func replaceFile(path string, content []byte) error {
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		return err
	}
	if err := owner.Entrust(path+".new", filepath.Dir(path)); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

var (
	_ claim.Box = (*mailbox.IMAP)(nil)
	_ claim.Box = (*mailbox.Maildir)(nil)
)

// watch guards the mailbox of a server.
func (k *keeper) watch(box claim.Box) *claim.Guard {
	k.guard = claim.New(box, k, k.mark.Session, k.mark.Where, k.now, k.log)
	return k.guard
}

// boxOf is the configured mailbox that takes marks, nil when there is none.
func (a *app) boxOf(o *office) (claim.Box, error) {
	if o.config.IMAP == nil && o.config.Maildir == nil {
		return nil, nil
	}
	source, err := sourceOf(a.dir, o.config, nil, o.log)
	if err != nil {
		return nil, err
	}
	return source.(claim.Box), nil
}

// keepAndLook is keep for a command beside the server: it looks at the mailbox
// too, and changes nothing there. A mailbox that is out of reach says nothing.
func (a *app) keepAndLook(ctx context.Context, o *office) (*keeper, error) {
	k, err := a.keep(ctx, o)
	if err != nil {
		return nil, err
	}
	box, err := a.boxOf(o)
	if err != nil || box == nil {
		return k, err
	}
	defer box.Close()
	standing, err := claim.Look(ctx, box, k)
	var foreign *claim.ForeignError
	switch {
	case errors.As(err, &foreign):
		return k, err
	case err != nil:
		o.log.Warn("the mailbox is out of reach: whose it is was not seen", "error", err)
	case standing.Ahead > 0:
		k.seen = true
		return k, k.Outdated(ctx, standing.Ahead)
	default:
		k.seen, k.settled = true, true
	}
	return k, nil
}
