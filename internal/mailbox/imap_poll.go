package mailbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// Poll hands over every mail of the folder that was not handed over yet, in the order of their UIDs, and puts
// them away. A mail the server does not give is tried again at the next polls, alone; after some it is handed
// over with a Fault. Until then Poll returns an error, having delivered the others.
func (s *IMAP) Poll(ctx context.Context, deliver Deliver) (int, error) {
	ctx, leave := s.enter(ctx)
	defer leave()
	c, err := s.connected(ctx)
	if err != nil {
		return 0, s.explain(err)
	}
	defer s.release(c)
	n, err := s.poll(ctx, c, deliver)
	return n, s.explain(err)
}

// round is one poll.
type round struct {
	*IMAP
	c       *conn
	deliver Deliver

	total  int     // mails delivered
	unread []error // mails left out
}

func (s *IMAP) poll(ctx context.Context, c *conn, deliver Deliver) (int, error) {
	uids, err := c.waiting(ctx)
	if err != nil {
		return 0, err
	}
	fresh, left, gone := s.sort(uids)
	if c.filing == byCopy && len(gone) > 0 {
		// The line may have been lost when they were copied and marked, but not removed yet.
		if err := c.expunge(ctx, uidSet(gone)); c.dead {
			return 0, err
		}
	}
	if err := s.file(ctx, c, left); err != nil {
		return 0, err
	}
	r := round{IMAP: s, c: c, deliver: deliver}
	for len(fresh) > 0 {
		group := s.group(fresh)
		fresh = fresh[len(group):]
		if err := r.take(ctx, group); err != nil {
			return r.total, err
		}
	}
	return r.total, errors.Join(r.unread...)
}

// sort parts the mails to be handed over from those that only have to be put away, and from those put away or
// deleted since.
func (s *IMAP) sort(uids []uint32) (fresh, left, gone []uint32) {
	delivered := make(map[uint32]bool)
	strikes := make(strikes[uint32])
	for _, uid := range uids {
		if s.delivered[uid] {
			delivered[uid] = true
			left = append(left, uid)
			continue
		}
		fresh = append(fresh, uid)
		if st, ok := s.strikes[uid]; ok {
			strikes[uid] = st
		}
	}
	for uid := range s.delivered {
		if !delivered[uid] {
			gone = append(gone, uid)
		}
	}
	s.delivered, s.strikes = delivered, strikes
	return fresh, left, gone
}

// group is the first mails to read together; one that has failed before is read alone, in its turn.
func (s *IMAP) group(uids []uint32) []uint32 {
	for i, uid := range uids {
		if i == batchMails {
			return uids[:i]
		}
		if s.strikes[uid].count > 0 {
			return uids[:max(i, 1)]
		}
	}
	return uids
}

// take reads a group of mails, delivers them and puts them away.
func (r *round) take(ctx context.Context, group []uint32) error {
	if why := r.strikes.out(group[0]); why != "" {
		r.config.Logger.Error("mail given up", "mailbox", r.name, "uid", group[0], "err", why)
		return r.hand(ctx, []Mail{{UID: group[0], Fault: why}})
	}
	heads, err := r.read(ctx, group, false)
	if err != nil {
		return err
	}
	for len(heads) > 0 {
		part := heads[:firstBytes(heads, func(m Mail) int64 { return min(m.Size, r.config.MaxSize) })]
		heads = heads[len(part):]
		if err := r.takePart(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// takePart reads the content of mails, delivers them and puts them away.
func (r *round) takePart(ctx context.Context, heads []Mail) error {
	var batch []Mail
	var small []uint32
	for _, m := range heads {
		if m.Size > r.config.MaxSize {
			batch = append(batch, m)
		} else {
			small = append(small, m.UID)
		}
	}
	if len(small) > 0 {
		whole, err := r.read(ctx, small, true)
		if err != nil {
			return err
		}
		batch = append(batch, whole...)
		slices.SortFunc(batch, func(a, b Mail) int { return cmp.Compare(a.UID, b.UID) })
	}
	return r.hand(ctx, batch)
}

// read fetches mails in order. Those that did not come with the others are fetched alone: the server may have
// refused all for one, or a change of flags may have been taken for the mail itself. A lost connection is blamed
// on the first mail that did not come.
func (r *round) read(ctx context.Context, uids []uint32, content bool) ([]Mail, error) {
	got, err := r.c.fetch(ctx, uids, content, r.config.MaxSize)
	var mails []Mail
	for _, uid := range uids {
		m, ok := got[uid]
		if !ok && !r.c.dead && len(uids) > 1 {
			var one map[uint32]Mail
			one, err = r.c.fetch(ctx, []uint32{uid}, content, r.config.MaxSize)
			m, ok = one[uid]
		}
		switch {
		case ok:
			mails = append(mails, m)
		case r.c.dead:
			if ctx.Err() == nil { // being stopped is no fault of the mail
				r.strikes.add(uid, err)
			}
			return nil, err
		default:
			if err := r.leaveOut(ctx, uid, err); err != nil {
				return nil, err
			}
		}
	}
	if r.c.dead { // all mails came, but not the end of the answer
		return nil, err
	}
	return mails, nil
}

// leaveOut notes that a mail could not be read, unless it has gone meanwhile.
func (r *round) leaveOut(ctx context.Context, uid uint32, why error) error {
	if why == nil {
		there, err := r.c.has(ctx, uid)
		if err != nil || !there {
			return err
		}
		why = fmt.Errorf("the server does not give mail %d", uid)
	}
	r.strikes.add(uid, why)
	r.config.Logger.Warn("mail not read", "mailbox", r.name, "uid", uid, "err", why)
	r.unread = append(r.unread, why)
	return nil
}

// hand delivers a batch and puts it away.
func (r *round) hand(ctx context.Context, batch []Mail) error {
	if len(batch) == 0 {
		return nil
	}
	var uids []uint32
	for i := range batch {
		batch[i].Mailbox, batch[i].UIDValidity = r.name, r.c.validity
		if batch[i].Received.IsZero() {
			batch[i].Received = r.config.Clock.Now()
		}
		uids = append(uids, batch[i].UID)
	}
	if err := r.deliver(ctx, batch); err != nil {
		return fmt.Errorf("deliver %d mails: %w", len(batch), err)
	}
	r.total += len(batch)
	for _, uid := range uids {
		r.delivered[uid] = true
		delete(r.strikes, uid)
	}
	return r.file(ctx, r.c, uids)
}

// file puts delivered mails away. A refusal is no failure: they are delivered, and the next poll tries again.
func (s *IMAP) file(ctx context.Context, c *conn, uids []uint32) error {
	for len(uids) > 0 {
		n := min(len(uids), batchMails)
		if err := c.file(ctx, uids[:n], c.folder(s.config.Done)); err != nil {
			if c.dead {
				return err
			}
			c.doneMade = false // it may have been removed
			s.config.Logger.Warn("handled mails stay in the folder", "mailbox", s.name, "mails", len(uids), "err", err)
			return nil
		}
		if c.filing != byMemory {
			for _, uid := range uids[:n] {
				delete(s.delivered, uid)
			}
		}
		uids = uids[n:]
	}
	return nil
}
