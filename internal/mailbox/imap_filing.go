package mailbox

import (
	"context"
	"fmt"
	"slices"

	"github.com/emersion/go-imap/v2"
)

// filing is how mails that were delivered are put away.
type filing string

const (
	byMove    filing = "move"    // MOVE
	byCopy    filing = "copy"    // COPY, and then only the mails copied are marked and removed
	byKeyword filing = "keyword" // left where they are, with a keyword
	byMemory  filing = "memory"  // left where they are, and remembered until the program ends
)

// doneKeyword marks mails that were delivered where they cannot be moved.
const doneKeyword imap.Flag = "$RingpostDone"

// filingFor picks the best way a server offers, and does not refuse. Without MOVE, mails are removed only where UID
// EXPUNGE (UIDPLUS) can name them: a plain EXPUNGE would remove what others have marked deleted.
func filingFor(caps imap.CapSet, noMove bool, permanent []imap.Flag) filing {
	switch {
	case caps.Has(imap.CapMove) && !noMove:
		return byMove
	case caps.Has(imap.CapUIDPlus):
		return byCopy
	case slices.Contains(permanent, imap.FlagWildcard), slices.Contains(permanent, doneKeyword):
		return byKeyword
	default:
		return byMemory
	}
}

// file puts mails away. Which of them are copied already is kept in copied: where they cannot be removed, they are
// not copied again and again.
func (c *conn) file(ctx context.Context, uids []uint32, folder string, copied map[uint32]bool) error {
	switch c.filing {
	case byMove:
		if err := c.makeFolder(ctx, folder); err != nil {
			return err
		}
		_, err := ask(ctx, c, "move mails to "+folder, func() (none, error) {
			_, err := c.client.Move(uidSet(uids), folder).Wait() // the server has MOVE; go-imap's stand-in for it can lose mail
			return none{}, err
		})
		if refused(err) && c.caps.Has(imap.CapUIDPlus) {
			c.noMove, c.at = true, "" // selected anew, they are copied
		}
		return err
	case byCopy:
		fresh := slices.DeleteFunc(slices.Clone(uids), func(uid uint32) bool { return copied[uid] })
		if err := c.copy(ctx, fresh, folder, copied); err != nil {
			return err
		}
		// Of other mails than ours nothing is removed, whatever the server says to have copied.
		uids = slices.DeleteFunc(slices.Clone(uids), func(uid uint32) bool { return !copied[uid] })
		if len(uids) == 0 {
			return fmt.Errorf("copy mails to %s: the server says that it has copied others", folder)
		}
		if err := c.flag(ctx, uidSet(uids), imap.FlagDeleted); err != nil {
			return err
		}
		return c.expunge(ctx, uidSet(uids))
	case byKeyword:
		return c.flag(ctx, uidSet(uids), doneKeyword, imap.FlagSeen)
	default:
		return nil
	}
}

// copy copies mails, and notes which are.
func (c *conn) copy(ctx context.Context, uids []uint32, folder string, copied map[uint32]bool) error {
	if len(uids) == 0 {
		return nil
	}
	if err := c.makeFolder(ctx, folder); err != nil {
		return err
	}
	data, err := ask(ctx, c, "copy mails to "+folder, func() (*imap.CopyData, error) { return c.client.Copy(uidSet(uids), folder).Wait() })
	if err != nil {
		return err
	}
	for _, uid := range uids {
		// Where the server does not say which, its OK stands for all of them.
		if len(data.SourceUIDs) == 0 || data.SourceUIDs.Contains(imap.UID(uid)) {
			copied[uid] = true
		}
	}
	return nil
}

// expunge removes mails, if they are marked deleted.
func (c *conn) expunge(ctx context.Context, set imap.UIDSet) error {
	_, err := ask(ctx, c, "remove mails", func() (none, error) { return none{}, c.client.UIDExpunge(set).Close() })
	return err
}

// flag sets flags.
func (c *conn) flag(ctx context.Context, set imap.UIDSet, flags ...imap.Flag) error {
	add := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: flags}
	_, err := ask(ctx, c, fmt.Sprintf("mark mails %v", flags), func() (none, error) { return none{}, c.client.Store(set, add, nil).Close() })
	return err
}

// hasFolder asks whether a folder exists.
func (c *conn) hasFolder(ctx context.Context, folder string) (bool, error) {
	_, err := ask(ctx, c, "look for folder "+folder, func() (none, error) {
		_, err := c.client.Status(folder, &imap.StatusOptions{NumMessages: true}).Wait()
		return none{}, err
	})
	if err != nil && refused(err) {
		return false, nil
	}
	return err == nil, err
}

// makeFolder makes a folder when it is missing.
func (c *conn) makeFolder(ctx context.Context, folder string) error {
	if c.made[folder] {
		return nil
	}
	found, err := c.hasFolder(ctx, folder)
	if err != nil {
		return err
	}
	if !found {
		if _, err := ask(ctx, c, "make folder "+folder, func() (none, error) { return none{}, c.client.Create(folder, nil).Wait() }); err != nil {
			return err
		}
		// Mail readers show the folders subscribed to; where that is refused, it is there all the same.
		_, err := ask(ctx, c, "subscribe to folder "+folder, func() (none, error) { return none{}, c.client.Subscribe(folder).Wait() })
		if err != nil && !refused(err) {
			return err
		}
	}
	c.made[folder] = true
	return nil
}
