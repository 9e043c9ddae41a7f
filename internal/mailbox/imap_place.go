package mailbox

import (
	"context"
	"maps"
	"net/url"
	"slices"
)

// place is a folder that mails are taken from, and what is known of mails in it, by UID. It is of the goroutine
// that polls.
type place struct {
	folder string // its full name on the server
	name   string // the Mailbox of its mails
	stays  bool   // mails are left where they are: they have been put away before

	validity  uint32
	delivered map[uint32]bool // handed over, but not put away yet
	copied    map[uint32]bool // of those, in the folder for handled mails already
	strikes   strikes[uint32]
	told      map[uint32]Mail // of those with strikes, size and arrival as far as the server has told them
	swept     bool            // what a process before this one has left half removed is removed
}

func (s *IMAP) newPlace(folder string) *place {
	u := url.URL{Scheme: "imap", User: url.User(s.config.User), Host: s.server, Path: "/" + folder}
	p := &place{folder: folder, name: u.String()}
	p.forget()
	return p
}

func (p *place) forget() {
	p.delivered = make(map[uint32]bool)
	p.copied = make(map[uint32]bool)
	p.strikes = make(strikes[uint32])
	p.told = make(map[uint32]Mail)
	p.swept = false
}

// visit selects a place.
func (s *IMAP) visit(ctx context.Context, c *conn, p *place) error {
	if err := c.choose(ctx, p.folder); err != nil {
		return err
	}
	if c.validity != p.validity {
		// UIDs begin anew. What was delivered is recognised by whoever takes the mails (RFC 3501 section 2.3.1.1).
		p.forget()
		p.validity = c.validity
	}
	return nil
}

// sort parts the mails to be handed over from those that only have to be put away, and from those put away or
// deleted since.
func (p *place) sort(uids []uint32) (fresh, left, gone []uint32) {
	delivered := make(map[uint32]bool)
	strikes := make(strikes[uint32])
	for _, uid := range uids {
		if p.delivered[uid] {
			delivered[uid] = true
			left = append(left, uid)
			continue
		}
		fresh = append(fresh, uid)
		if st, ok := p.strikes[uid]; ok {
			strikes[uid] = st
		}
	}
	for uid := range p.delivered {
		if !delivered[uid] {
			gone = append(gone, uid)
		}
	}
	p.delivered, p.strikes = delivered, strikes
	maps.DeleteFunc(p.told, func(uid uint32, _ Mail) bool { return strikes[uid].count == 0 })
	maps.DeleteFunc(p.copied, func(uid uint32, _ bool) bool { return !delivered[uid] })
	return fresh, left, gone
}

// failedLast puts the mails that have failed twice behind the others: over them the line may be lost again. Once is
// no mail's fault.
func (p *place) failedLast(uids []uint32) []uint32 {
	failed := func(uid uint32) bool { return p.strikes[uid].count > 1 }
	fresh := slices.DeleteFunc(slices.Clone(uids), failed)
	return append(fresh, slices.DeleteFunc(slices.Clone(uids), func(uid uint32) bool { return !failed(uid) })...)
}

// group is the first mails to read together; one that has failed before is read alone, in its turn.
func (p *place) group(uids []uint32) []uint32 {
	for i, uid := range uids {
		if i == batchMails {
			return uids[:i]
		}
		if p.strikes[uid].count > 0 {
			return uids[:max(i, 1)]
		}
	}
	return uids
}
