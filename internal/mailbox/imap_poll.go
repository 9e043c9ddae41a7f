package mailbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/emersion/go-imap/v2"
)

// Poll hands over every mail of the folder that was not handed over yet, in the order of their UIDs, and puts
// them away. A mail the server does not give is tried again at the next polls, alone, and from its second failure
// on behind all others; after some it is handed over with a Fault. Until then Poll returns an error, having delivered
// the others. Every ten minutes it looks into the junk folder first.
func (s *IMAP) Poll(ctx context.Context, deliver Deliver) (int, error) {
	return s.pollAll(ctx, deliver, false)
}

// PollAll is a Poll that looks into the junk folder too, whenever that was last done.
func (s *IMAP) PollAll(ctx context.Context, deliver Deliver) (int, error) {
	return s.pollAll(ctx, deliver, true)
}

func (s *IMAP) pollAll(ctx context.Context, deliver Deliver, all bool) (total int, err error) {
	err = s.work(ctx, func(ctx context.Context, c *conn) (err error) {
		defer func() { c.dead = c.dead || unfit(err) }()
		// The folder itself comes last: the search in it finds whatever arrived while another was selected, and
		// Wait finds it selected.
		if s.junkDue(all) {
			n, err := s.pollJunk(ctx, c, deliver)
			total += n
			if c.dead || throttled(err) || ctx.Err() != nil {
				return err
			}
			if err != nil {
				s.config.Logger.Warn("junk folder not read", "mailbox", s.Name(), "err", err)
			}
		}
		if err := s.visit(ctx, c, s.inbox); err != nil {
			return err
		}
		n, err := s.poll(ctx, c, deliver)
		total += n
		return err
	})
	return total, err
}

// unfit tells by what a poll came to whether to go on over another connection. Some servers keep one that takes no
// command any more (Microsoft 365: "User is authenticated but not connected").
func unfit(err error) bool { return refused(err) && !throttled(err) }

// work does something over the connection, which is made when there is none.
func (s *IMAP) work(ctx context.Context, do func(context.Context, *conn) error) error {
	ctx, leave := s.enter(ctx)
	defer leave()
	c, err := s.connected(ctx)
	if err != nil {
		return s.explain(nil, err)
	}
	defer s.release(c)
	return s.explain(c, do(ctx, c))
}

// round is one poll of a place.
type round struct {
	*IMAP
	*place
	c       *conn
	deliver Deliver

	underway *delivery // the batch that is being delivered
	total    int       // mails delivered
	unread   []error   // mails left out
}

// delivery is a batch on its way. While it is taken in, the next one is read.
type delivery struct {
	uids []uint32
	done chan error // gets one
}

// poll polls the folder, which is selected.
func (s *IMAP) poll(ctx context.Context, c *conn, deliver Deliver) (int, error) {
	if err := s.sweep(ctx, c, s.inbox); err != nil {
		return 0, err
	}
	uids, err := c.waiting(ctx)
	if err != nil {
		return 0, err
	}
	r := round{IMAP: s, place: s.inbox, c: c, deliver: deliver}
	fresh, err := r.tidy(ctx, uids)
	if err != nil {
		return 0, err
	}
	return r.takeAll(ctx, fresh)
}

// tidy puts away what was delivered before and is still there, and gives the others.
func (r *round) tidy(ctx context.Context, uids []uint32) (fresh []uint32, err error) {
	fresh, left, gone := r.sort(uids)
	if r.c.filing == byCopy && len(gone) > 0 {
		// The line may have been lost when they were copied and marked, but not removed yet.
		if err := r.c.expunge(ctx, uidSet(gone)); r.c.dead {
			return nil, err
		}
	}
	return fresh, r.file(ctx, left)
}

// takeAll reads mails, delivers them and puts them away. When it returns, no
// delivery is under way.
func (r *round) takeAll(ctx context.Context, uids []uint32) (int, error) {
	uids = r.failedLast(uids)
	for len(uids) > 0 {
		group := r.group(uids)
		uids = uids[len(group):]
		if err := r.take(ctx, group); err != nil {
			return r.total, errors.Join(err, r.settle(ctx))
		}
	}
	if err := r.settle(ctx); err != nil {
		return r.total, err
	}
	return r.total, errors.Join(r.unread...)
}

// take reads a group of mails and hands them over.
func (r *round) take(ctx context.Context, group []uint32) error {
	if why := r.strikes.out(group[0], r.config.Clock.Now()); why != "" {
		r.config.Logger.Error("mail given up", "mailbox", r.name, "uid", group[0], "err", why)
		told := r.told[group[0]]
		return r.hand(ctx, []Mail{{UID: group[0], Received: told.Received, Size: told.Size, Fault: why}})
	}
	heads, err := r.read(ctx, group, extent{})
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

// takePart reads the content of mails and hands them over.
func (r *round) takePart(ctx context.Context, heads []Mail) error {
	defer func() {
		for _, m := range heads {
			if r.strikes[m.UID].count > 0 {
				r.told[m.UID] = m
			}
		}
	}()
	var small, large []uint32
	for _, m := range heads {
		if m.Size > r.config.MaxSize {
			large = append(large, m.UID)
		} else {
			small = append(small, m.UID)
		}
	}
	limit := r.config.MaxSize
	batch, err := r.read(ctx, small, extent{content: true, limit: limit})
	if err != nil {
		return err
	}
	beginnings, err := r.read(ctx, large, extent{content: true, limit: limit, first: headSize(limit)})
	if err != nil {
		return err
	}
	batch = append(batch, beginnings...)
	slices.SortFunc(batch, func(a, b Mail) int { return cmp.Compare(a.UID, b.UID) })
	return r.hand(ctx, batch)
}

// read fetches mails in order. Those that did not come with the others are fetched alone: the server may have
// refused all for one, or a change of flags may have been taken for the mail itself. A lost connection is blamed
// on the first mail that did not come, a server that wants to be left alone on none.
func (r *round) read(ctx context.Context, uids []uint32, e extent) ([]Mail, error) {
	if len(uids) == 0 {
		return nil, nil
	}
	got, err := r.c.fetch(ctx, uids, e)
	if throttled(err) {
		return nil, err
	}
	var mails []Mail
	for _, uid := range uids {
		m, ok := got[uid]
		if !ok && !r.c.dead && len(uids) > 1 {
			var one map[uint32]Mail
			one, err = r.c.fetch(ctx, []uint32{uid}, e)
			m, ok = one[uid]
		}
		if throttled(err) {
			return nil, err
		}
		switch {
		case ok:
			mails = append(mails, m)
		case r.c.dead:
			if ctx.Err() == nil { // being stopped is no fault of the mail
				r.strikes.add(uid, err, r.config.Clock.Now())
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
	r.strikes.add(uid, why, r.config.Clock.Now())
	r.config.Logger.Warn("mail not read", "mailbox", r.name, "uid", uid, "err", why)
	r.unread = append(r.unread, why)
	return nil
}

// hand begins to deliver a batch, when the one before it is delivered, which is put
// away meanwhile.
func (r *round) hand(ctx context.Context, batch []Mail) error {
	if len(batch) == 0 {
		return nil
	}
	before, err := r.delivery()
	if err != nil {
		return err
	}
	d := &delivery{done: make(chan error, 1)}
	for i := range batch {
		batch[i].Mailbox, batch[i].UIDValidity = r.name, r.c.validity
		if batch[i].Received.IsZero() {
			batch[i].Received = r.config.Clock.Now()
		}
		d.uids = append(d.uids, batch[i].UID)
	}
	r.underway = d
	go func() { d.done <- r.deliver(ctx, batch) }()
	return r.file(ctx, before)
}

// settle waits for the delivery under way and puts its mails away.
func (r *round) settle(ctx context.Context) error {
	uids, err := r.delivery()
	if err != nil || r.c.dead { // the next poll puts them away
		return err
	}
	return r.file(ctx, uids)
}

// delivery waits for the delivery under way and gives its mails.
func (r *round) delivery() (uids []uint32, err error) {
	d := r.underway
	if d == nil {
		return nil, nil
	}
	r.underway = nil
	if err := <-d.done; err != nil {
		return nil, fmt.Errorf("deliver %d mails: %w", len(d.uids), err)
	}
	r.total += len(d.uids)
	for _, uid := range d.uids {
		r.delivered[uid] = true
		delete(r.strikes, uid)
	}
	return d.uids, nil
}

// file puts delivered mails away. A refusal is no failure: they are delivered, and the next poll tries again.
func (r *round) file(ctx context.Context, uids []uint32) error {
	for len(uids) > 0 && !r.stays {
		n := min(len(uids), batchMails)
		if err := r.c.file(ctx, uids[:n], r.c.folder(r.config.Done), r.copied); err != nil {
			if r.c.dead {
				return err
			}
			clear(r.c.made) // it may have been removed
			r.config.Logger.Warn("handled mails stay in the folder", "mailbox", r.name, "mails", len(uids), "err", err)
			return nil
		}
		if r.c.filing != byMemory {
			for _, uid := range uids[:n] {
				delete(r.delivered, uid)
				delete(r.copied, uid)
			}
		}
		uids = uids[n:]
	}
	return nil
}

// sweep removes what is marked as deleted and was delivered before this process began: where mails are copied,
// the line may have been lost, or the process killed, before they were removed. What others have marked stays.
func (s *IMAP) sweep(ctx context.Context, c *conn, p *place) error {
	if p.swept || c.filing != byCopy || s.config.Stored == nil {
		return nil
	}
	marked, err := c.search(ctx, &imap.SearchCriteria{Flag: []imap.Flag{imap.FlagDeleted}})
	if err != nil {
		return err
	}
	if len(marked) > 0 {
		ours, err := s.config.Stored(ctx, p.name, p.validity, marked)
		if err != nil {
			return fmt.Errorf("look for mails delivered before: %w", err)
		}
		if len(ours) > 0 {
			if err := c.expunge(ctx, uidSet(ours)); c.dead {
				return err
			}
		}
	}
	p.swept = true
	return nil
}
