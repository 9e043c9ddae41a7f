package postoffice

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

const inbox = "INBOX"

// limits bounds the memory.
type limits struct {
	accounts int   // mailboxes
	folders  int   // folders a mailbox
	mails    int   // mails a folder
	bytes    int64 // bytes a folder
	mail     int64 // bytes a mail
}

// With its trace headers a mail is at most the 10 MB that the game master reads, so that nothing is taken in only
// to be thrown away.
var defaultLimits = limits{accounts: 1000, folders: 50, mails: 5000, bytes: 64 << 20, mail: 10<<20 - 64<<10}

// post is the sorting room: all mailboxes, and what lands in which.
type post struct {
	own        address
	limits     limits
	validity   uint32
	now        func() time.Time
	onDelivery func(Delivery)

	mu       sync.Mutex
	accounts map[string]*account // by address
}

// account is the mailbox of one address, with its folders.
type account struct {
	address string
	user    *imapmemserver.User
	limits  limits

	// mu lets one change happen at a time: the memory server's COPY locks two folders at once, and two copies
	// crossing each other would stop for ever. It guards the fields below as well.
	mu      sync.Mutex
	folders int
	changed chan struct{} // closed and made anew at each change
}

// account finds or makes the mailbox of an address; nil when the office has no room for another.
func (p *post) account(a address) *account {
	if local, _, plus := strings.Cut(a.local, "+"); plus && (address{local, a.domain}) == p.own {
		a = p.own
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if acc := p.accounts[a.String()]; acc != nil {
		return acc
	}
	if len(p.accounts) >= p.limits.accounts && a != p.own {
		return nil
	}
	acc := &account{
		address: a.String(),
		user:    imapmemserver.NewUser(a.String(), ""), // its own password is never asked for
		limits:  p.limits,
		folders: 1,
		changed: make(chan struct{}),
	}
	if err := acc.user.Create(inbox, nil); err != nil {
		panic("postoffice: a new user already has an INBOX") // cannot be
	}
	p.accounts[acc.address] = acc
	return acc
}

// deliver puts a mail into a mailbox, below the trace headers of a final delivery (RFC 5321 section 4.4).
func (p *post) deliver(acc *account, from string, to []string, mail []byte) error {
	now := p.now()
	var head strings.Builder
	fmt.Fprintf(&head, "Return-Path: <%s>\r\n", from)
	for _, rcpt := range to {
		fmt.Fprintf(&head, "Delivered-To: %s\r\n", rcpt)
	}
	fmt.Fprintf(&head, "Received: by %s (post office) with ESMTP; %s\r\n", p.own.domain, now.Format(time.RFC1123Z))
	whole := append([]byte(head.String()), mail...)

	acc.mu.Lock()
	_, err := acc.user.Append(inbox, literal(whole), &imap.AppendOptions{Time: now})
	acc.announce()
	acc.mu.Unlock()
	if err != nil {
		return fmt.Errorf("deliver to %s: %w", acc.address, err)
	}
	if p.onDelivery != nil {
		p.onDelivery(Delivery{Mailbox: acc.address, From: from, To: to, Time: now, Size: int64(len(whole))})
	}
	return nil
}

// announce wakes whoever waits for a change. acc.mu is held.
func (acc *account) announce() {
	close(acc.changed)
	acc.changed = make(chan struct{})
}

// change does something to the mailbox, alone, and announces it.
func (acc *account) change(f func() error) error {
	acc.mu.Lock()
	defer acc.mu.Unlock()
	defer acc.announce()
	return f()
}

// nextChange is closed at the next change.
func (acc *account) nextChange() <-chan struct{} {
	acc.mu.Lock()
	defer acc.mu.Unlock()
	return acc.changed
}

// full says whether a folder has reached its limits.
func (acc *account) full(folder string) bool {
	status, err := acc.user.Status(folder, &imap.StatusOptions{NumMessages: true, Size: true})
	if err != nil {
		return false // no such folder; whoever uses it is told so there
	}
	return int(*status.NumMessages) >= acc.limits.mails || *status.Size >= acc.limits.bytes
}

// trim drops the oldest mails of a full folder until a tenth of it is free. acc.mu is held.
func (acc *account) trim(folder string) error {
	if !acc.full(folder) {
		return nil
	}
	s := imapmemserver.NewUserSession(acc.user)
	if _, err := s.Select(folder, nil); err != nil {
		return err
	}
	defer s.Close()
	found, err := s.Search(imapserver.NumKindUID, &imap.SearchCriteria{}, &imap.SearchOptions{})
	if err != nil {
		return err
	}
	uids, _ := found.All.(imap.UIDSet).Nums() // never dynamic: the server made it
	for len(uids) > 0 && (len(uids) > acc.limits.mails*9/10 || acc.full(folder)) {
		n := max(1, len(uids)/10)
		oldest := imap.UIDSetNum(uids[:n]...)
		deleted := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}
		if err := s.Store(nil, oldest, deleted, nil); err != nil {
			return err
		}
		if err := s.Expunge(nil, &oldest); err != nil {
			return err
		}
		uids = uids[n:]
	}
	return nil
}
