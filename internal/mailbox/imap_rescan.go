package mailbox

import (
	"context"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Rescan hands over the mails that have arrived since a moment and were put away, as if they were new, and leaves
// them where they are. A zero since means all.
func (s *IMAP) Rescan(ctx context.Context, since time.Time, deliver Deliver) (n int, err error) {
	err = s.work(ctx, func(ctx context.Context, c *conn) (err error) {
		n, err = s.rescan(ctx, c, since, deliver)
		return err
	})
	return n, err
}

func (s *IMAP) rescan(ctx context.Context, c *conn, since time.Time, deliver Deliver) (int, error) {
	// Only with the folder selected it is known how mails are put away.
	if err := s.visit(ctx, c, s.inbox); err != nil {
		return 0, err
	}
	criteria := &imap.SearchCriteria{Since: since, NotFlag: []imap.Flag{imap.FlagDeleted}}
	folder := c.folder(s.config.Done)
	switch c.filing {
	case byMemory: // they are in the folder, and only a process that took them leaves them out
		return 0, nil
	case byKeyword:
		folder = s.inbox.folder
		criteria.Flag = []imap.Flag{doneKeyword}
	}
	if found, err := c.hasFolder(ctx, folder); err != nil || !found {
		return 0, err
	}
	if s.again == nil || s.again.folder != folder {
		s.again = s.newPlace(folder)
		s.again.stays = true
	}
	if err := s.visit(ctx, c, s.again); err != nil {
		return 0, err
	}
	uids, err := c.search(ctx, criteria)
	if err != nil {
		return 0, err
	}
	r := round{IMAP: s, place: s.again, c: c, deliver: deliver}
	// After a lost connection it goes on where it was.
	return r.takeAll(ctx, slices.DeleteFunc(uids, func(uid uint32) bool { return r.delivered[uid] }))
}
