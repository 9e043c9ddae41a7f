package mailbox

import (
	"context"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Rescan hands over the mails that have arrived since a moment and were put away, as if they were new, and leaves
// them where they are: also those from known senders that somebody has moved to another folder. A zero since means
// all.
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
	all := imap.SearchCriteria{Since: since, NotFlag: []imap.Flag{imap.FlagDeleted}}
	away := all
	folders := []string{c.folder(s.config.Done)}
	switch c.filing {
	case byMemory: // they are in the folder, and only a process that took them leaves them out
		folders = nil
	case byKeyword:
		folders = []string{s.inbox.folder}
		away.Flag = []imap.Flag{doneKeyword}
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
		n, err := s.rescanFolder(ctx, c, folder, &away, nil, deliver)
		if total += n; err != nil {
			return total, err
		}
	}
	if s.config.Known == nil {
		return total, nil
	}
	others, err := s.otherFolders(ctx, c)
	if err != nil {
		return total, err
	}
	for _, folder := range others {
		if slices.Contains(folders, folder) {
			continue
		}
		n, err := s.rescanFolder(ctx, c, folder, &all, s.fromKnown, deliver)
		total += n
		if c.dead || throttled(err) || ctx.Err() != nil {
			return total, err
		}
		if err != nil { // it is somebody's, and holds up nothing
			s.config.Logger.Warn("folder not read again", "mailbox", s.Name(), "folder", folder, "err", err)
		}
	}
	return total, nil
}

// otherFolders are those to which somebody may have moved mails; what is written or sent there, and the marks, are
// none.
func (s *IMAP) otherFolders(ctx context.Context, c *conn) (names []string, err error) {
	folders, err := c.folders(ctx)
	if err != nil {
		return nil, err
	}
	closed := []imap.MailboxAttr{imap.MailboxAttrNoSelect, imap.MailboxAttrNonExistent, imap.MailboxAttrDrafts, imap.MailboxAttrSent}
	for _, f := range folders {
		if f.Mailbox != s.inbox.folder && f.Mailbox != c.folder(s.marksFolder()) &&
			!slices.ContainsFunc(f.Attrs, func(a imap.MailboxAttr) bool { return slices.Contains(closed, a) }) {
			names = append(names, f.Mailbox)
		}
	}
	return names, nil
}

// rescanFolder reads a folder again; pick, if there is one, says which of its mails.
func (s *IMAP) rescanFolder(ctx context.Context, c *conn, folder string, criteria *imap.SearchCriteria,
	pick func(context.Context, *conn, []uint32) (yes, no []uint32, err error), deliver Deliver) (int, error) {
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
	uids = slices.DeleteFunc(uids, func(uid uint32) bool { return r.delivered[uid] })
	if pick != nil {
		if uids, _, err = pick(ctx, c, uids); err != nil {
			return 0, err
		}
	}
	return r.takeAll(ctx, uids)
}
