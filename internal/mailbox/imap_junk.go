package mailbox

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// junkInterval is how long the junk folder is left alone: what lies there wrongly is rare, and need not be seen at
// once.
const junkInterval = 10 * time.Minute

// junk is what is known of the junk folder.
type junk struct {
	place     *place          // nil while it is not found
	strangers map[uint32]bool // mails of no concern, by UID
	due       time.Time
	broke     bool // the connection was lost over it
	missed    bool // that it is not there was said
}

// junkDue tells whether to look into the junk folder now. One over which the connection was lost must not keep
// the folder itself from being read, and has to wait whoever asks.
func (s *IMAP) junkDue(all bool) bool {
	if s.config.Known == nil {
		return false
	}
	return all && !s.junk.broke || passed(s.junk.due, s.config.Clock.Now(), junkInterval)
}

// pollJunk hands over the mails from known senders in the junk folder, and puts them away. Others are not touched,
// and not asked about again.
func (s *IMAP) pollJunk(ctx context.Context, c *conn, deliver Deliver) (int, error) {
	s.junk.due, s.junk.broke = s.config.Clock.Now().Add(junkInterval), true
	defer func() { s.junk.broke = c.dead }()
	if err := s.findJunk(ctx, c); err != nil || s.junk.place == nil {
		return 0, err
	}
	p := s.junk.place
	validity := p.validity
	if err := s.visit(ctx, c, p); err != nil {
		return 0, err
	}
	if p.validity != validity {
		s.junk.strangers = nil
	}
	if err := s.sweep(ctx, c, p); err != nil {
		return 0, err
	}
	uids, err := c.waiting(ctx)
	if err != nil {
		return 0, err
	}
	r := round{IMAP: s, place: p, c: c, deliver: deliver}
	fresh, err := r.tidy(ctx, uids)
	if err != nil {
		return 0, err
	}
	wanted, err := s.wanted(ctx, c, fresh)
	if err != nil {
		return 0, err
	}
	return r.takeAll(ctx, wanted)
}

// wanted gives those of the mails whose senders are known, and keeps in mind the others.
func (s *IMAP) wanted(ctx context.Context, c *conn, uids []uint32) (known []uint32, err error) {
	strangers := make(map[uint32]bool)
	var unseen []uint32
	for _, uid := range uids {
		switch {
		case s.junk.strangers[uid]:
			strangers[uid] = true
		case s.junk.place.strikes[uid].count > 0: // known, but not read yet
			known = append(known, uid)
		default:
			unseen = append(unseen, uid)
		}
	}
	s.junk.strangers = strangers
	fresh, others, err := s.fromKnown(ctx, c, unseen)
	if err != nil {
		return nil, err
	}
	for _, uid := range others {
		strangers[uid] = true
	}
	known = append(known, fresh...)
	slices.Sort(known)
	return known, nil
}

// fromKnown parts the mails of the folder selected into those whose senders are known and others. Of one that the
// server says nothing of now neither is said.
func (s *IMAP) fromKnown(ctx context.Context, c *conn, uids []uint32) (known, others []uint32, err error) {
	headers, err := c.headers(ctx, uids, "From")
	if err != nil {
		return nil, nil, err
	}
	for _, uid := range uids {
		header, ok := headers[uid]
		if !ok {
			continue
		}
		wanted, err := s.config.Known(ctx, header)
		if err != nil {
			return nil, nil, fmt.Errorf("look for the sender of a mail: %w", err)
		}
		if wanted {
			known = append(known, uid)
		} else {
			others = append(others, uid)
		}
	}
	return known, others, nil
}

// findJunk finds the junk folder.
func (s *IMAP) findJunk(ctx context.Context, c *conn) error {
	if s.junk.place != nil {
		return nil
	}
	folder, err := s.junkFolder(ctx, c)
	if err != nil || folder == "" || folder == s.inbox.folder || folder == c.folder(s.config.Done) {
		return err
	}
	found, err := c.hasFolder(ctx, folder)
	switch {
	case found:
		s.junk.place = s.newPlace(folder)
	case err == nil && !s.junk.missed:
		s.config.Logger.Warn("there is no such junk folder", "mailbox", s.Name(), "folder", folder)
		s.junk.missed = true
	}
	return err
}

// junkFolder is the junk folder's name: that set, or the one that the server says is for junk, or "".
func (s *IMAP) junkFolder(ctx context.Context, c *conn) (string, error) {
	if s.config.Junk != "" {
		return c.folder(s.config.Junk), nil
	}
	return c.special(ctx, imap.MailboxAttrJunk)
}

// special finds the folder that the server has for a use (RFC 6154), "" if it names none.
func (c *conn) special(ctx context.Context, use imap.MailboxAttr) (string, error) {
	folders, err := c.folders(ctx)
	if err != nil {
		return "", err
	}
	for _, f := range folders {
		if slices.Contains(f.Attrs, use) {
			return f.Mailbox, nil
		}
	}
	return "", nil
}

// folders lists all folders, with their uses where the server tells them.
func (c *conn) folders(ctx context.Context) ([]*imap.ListData, error) {
	// Some servers tell only when asked, some (Microsoft 365) always, without announcing it.
	var options *imap.ListOptions
	if c.caps.Has(imap.CapSpecialUse) && c.caps.Has(imap.CapListExtended) {
		options = &imap.ListOptions{ReturnSpecialUse: true}
	}
	return ask(ctx, c, "list the folders", func() ([]*imap.ListData, error) { return c.client.List("", "*", options).Collect() })
}
