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

func (s *IMAP) rescan(ctx context.Context, c *conn, since time.Time, deliver Deliver) (total int, err error) {
	// Only with the folder selected it is known how mails are put away.
	if err := s.visit(ctx, c, s.inbox); err != nil {
		return 0, err
	}
	criteria := &imap.SearchCriteria{Since: since, NotFlag: []imap.Flag{imap.FlagDeleted}}
	folders := []string{c.folder(s.config.Done)}
	switch c.filing {
	case byMemory: // they are in the folder, and only a process that took them leaves them out
		return 0, nil
	case byKeyword:
		folders = []string{s.inbox.folder}
		criteria.Flag = []imap.Flag{doneKeyword}
		if s.config.Known != nil {
			if err := s.findJunk(ctx, c); err != nil {
				return 0, err
			}
			if s.junk.place != nil {
				folders = append(folders, s.junk.place.folder)
			}
		}
	}
	for _, folder := range folders {
		n, err := s.rescanFolder(ctx, c, folder, criteria, deliver)
		if total += n; err != nil {
			return total, err
		}
	}
	return total, nil
}

func (s *IMAP) rescanFolder(ctx context.Context, c *conn, folder string, criteria *imap.SearchCriteria, deliver Deliver) (int, error) {
	if found, err := c.hasFolder(ctx, folder); err != nil || !found {
		return 0, err
	}
	p := s.again[folder]
	if p == nil {
		p = s.newPlace(folder)
		p.stays = true
		s.again[folder] = p
	}
	if err := s.visit(ctx, c, p); err != nil {
		return 0, err
	}
	uids, err := c.search(ctx, criteria)
	if err != nil {
		return 0, err
	}
	r := round{IMAP: s, place: p, c: c, deliver: deliver}
	// After a lost connection it goes on where it was.
	return r.takeAll(ctx, slices.DeleteFunc(uids, func(uid uint32) bool { return r.delivered[uid] }))
}
