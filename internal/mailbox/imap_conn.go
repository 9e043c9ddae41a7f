package mailbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// none is the value of a command that has none.
type none = struct{}

// conn is a connection that is logged in. Its fields are of the goroutine that polls, but for line and news.
type conn struct {
	line     *line
	farewell *farewell
	client   *imapclient.Client
	clock    Clock
	silence  time.Duration
	news     chan struct{} // holds one when the server spoke of more mails

	caps   imap.CapSet
	prefix string          // of every folder's name but INBOX
	made   map[string]bool // folders known to exist
	noIdle bool            // it has refused to idle
	noMove bool            // it has refused to move mails
	dead   bool            // nothing more can be asked

	// Of the folder selected, "" for none.
	at       string
	validity uint32
	filing   filing
}

// tell notes that there may be new mail. It runs within go-imap's reader and must not wait.
func (c *conn) tell() {
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// ask runs one command. After anything but a refusal (NO, BAD) the connection is dead: what it would say next
// cannot be told apart from the missing answer.
func ask[T any](ctx context.Context, c *conn, what string, command func() (T, error)) (T, error) {
	v, err := await(ctx, c.line, c.clock, c.silence, command)
	if err != nil {
		c.dead = c.dead || !refused(err)
		err = fmt.Errorf("%s: %w", what, err)
	}
	return v, err
}

// refused says whether the server answered, and the answer was no.
func refused(err error) bool {
	var answer *imap.Error
	return errors.As(err, &answer) && (answer.Type == imap.StatusResponseTypeNo || answer.Type == imap.StatusResponseTypeBad)
}

// hasCode says whether a server's answer has a code.
func hasCode(err error, code imap.ResponseCode) bool {
	var answer *imap.Error
	return errors.As(err, &answer) && answer.Code == code
}

// choose selects a folder.
func (c *conn) choose(ctx context.Context, folder string) error {
	if c.at == folder {
		return nil
	}
	c.at = "" // a failed SELECT leaves none selected (RFC 3501 section 6.3.1)
	data, err := ask(ctx, c, "open folder "+folder, func() (*imap.SelectData, error) { return c.client.Select(folder, nil).Wait() })
	if err != nil {
		return err
	}
	c.at, c.validity = folder, data.UIDValidity
	c.filing = filingFor(c.caps, c.noMove, data.PermanentFlags)
	return nil
}

// waiting lists the mails to be read, oldest first.
func (c *conn) waiting(ctx context.Context) ([]uint32, error) {
	// Some servers tell of new mail only when asked something else first.
	if _, err := ask(ctx, c, "ask for news", func() (none, error) { return none{}, c.client.Noop().Wait() }); err != nil {
		return nil, err
	}
	select {
	case <-c.news: // the search will find what it was about
	default:
	}
	criteria := &imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}}
	if c.filing == byKeyword {
		criteria.NotFlag = append(criteria.NotFlag, doneKeyword)
	}
	return c.search(ctx, criteria)
}

// search lists mails of the folder selected, oldest first. UIDs are always named one by one and never as n:*,
// which means the last mail even when that is older than n (RFC 3501 section 6.4.8).
func (c *conn) search(ctx context.Context, criteria *imap.SearchCriteria) ([]uint32, error) {
	found, err := ask(ctx, c, "search folder "+c.at, func() (*imap.SearchData, error) { return c.client.UIDSearch(criteria, nil).Wait() })
	if err != nil {
		return nil, err
	}
	uids, err := numbers(found.All)
	if err != nil {
		c.dead = true
		return nil, fmt.Errorf("search folder %s: %w", c.at, err)
	}
	return uids, nil
}

// mostFound is how many mails a search may find: a server that speaks of more is out of its mind, and could fill the
// memory with one line.
const mostFound = 10_000_000

// numbers are the UIDs a search has found, in order.
func numbers(found imap.NumSet) (uids []uint32, err error) {
	set, _ := found.(imap.UIDSet)
	for _, r := range set {
		if r.Start == 0 || r.Stop < r.Start || uint64(len(uids))+uint64(r.Stop-r.Start) >= mostFound {
			return nil, fmt.Errorf("the server found %s, which cannot be", set)
		}
		for uid := uint64(r.Start); uid <= uint64(r.Stop); uid++ {
			uids = append(uids, uint32(uid))
		}
	}
	slices.Sort(uids)
	return slices.Compact(uids), nil
}

// has asks whether a mail is still in the folder.
func (c *conn) has(ctx context.Context, uid uint32) (bool, error) {
	found, err := c.search(ctx, &imap.SearchCriteria{UID: []imap.UIDSet{imap.UIDSetNum(imap.UID(uid))}})
	return len(found) > 0, err
}

// haul is what a FETCH has brought in so far. It can be looked at while the command hangs.
type haul struct {
	mu    sync.Mutex
	mails map[uint32]Mail
}

func (h *haul) add(m Mail) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mails[m.UID] = m
}

// all is a copy: a command given up may still add to the haul.
func (h *haul) all() map[uint32]Mail {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.mails)
}

// extent is how much is read of a mail.
type extent struct {
	content bool  // else no more than is told about it
	first   int64 // only so many bytes of the content; 0 for all
	limit   int64 // of content larger than that, only the beginning is kept
}

// fetch reads mails. Whatever the error, it returns the mails that came whole. It asks for no more than it needs:
// servers send envelopes that cannot be parsed.
func (c *conn) fetch(ctx context.Context, uids []uint32, e extent) (map[uint32]Mail, error) {
	options := &imap.FetchOptions{UID: true, InternalDate: true, RFC822Size: true}
	what := fmt.Sprintf("read about mails %s", uidSet(uids))
	if e.content {
		section := &imap.FetchItemBodySection{Peek: true}
		if e.first > 0 {
			section.Partial = &imap.SectionPartial{Size: e.first}
		}
		options.BodySection = []*imap.FetchItemBodySection{section}
		what = fmt.Sprintf("read mails %s", uidSet(uids))
	}
	h := &haul{mails: make(map[uint32]Mail)}
	_, err := ask(ctx, c, what, func() (none, error) {
		command := c.client.Fetch(uidSet(uids), options)
		for {
			data := command.Next()
			if data == nil {
				return none{}, command.Close()
			}
			m, whole, err := readMail(data, e)
			if err != nil {
				// The command is not closed: after a literal that broke off, go-imap's Close and its reader would
				// both read on. The connection is lost anyway.
				return none{}, err
			}
			if whole {
				h.add(m)
			}
		}
	})
	return h.all(), err
}

// readMail reads one mail of a FETCH. It is whole when what was asked for came: the server may also speak of
// nothing but a mail's flags, or have lost its content.
func readMail(data *imapclient.FetchMessageData, e extent) (m Mail, whole bool, err error) {
	for item := data.Next(); item != nil; item = data.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			m.UID = uint32(item.UID)
		case imapclient.FetchItemDataInternalDate:
			m.Received = item.Time
		case imapclient.FetchItemDataRFC822Size:
			m.Size = max(m.Size, item.Size)
			whole = whole || !e.content
		case imapclient.FetchItemDataBodySection:
			if item.Literal == nil {
				continue
			}
			if m.Raw, err = readLiteral(item.Literal, e.limit); err != nil {
				return m, false, err
			}
			m.Size = max(m.Size, item.Literal.Size()) // the server may have said less before
			whole = true
		}
	}
	return m, whole, nil
}

// readLiteral reads a literal to its end, without which go-imap does not go on. Of one that is too large it
// returns the beginning.
func readLiteral(literal imap.LiteralReader, limit int64) ([]byte, error) {
	size, keep := literal.Size(), literal.Size()
	if size > limit {
		keep = headSize(limit)
	}
	raw := new(bytes.Buffer)
	raw.Grow(int(keep) + bytes.MinRead)
	n, err := io.CopyN(raw, literal, keep)
	if err == nil {
		var rest int64
		rest, err = io.Copy(io.Discard, literal)
		n += rest
	}
	if (err == nil || err == io.EOF) && n < size { // a connection lost in mid-literal looks like the literal's end
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	return raw.Bytes(), nil
}

// headers reads header fields of mails: all of the names given, as they stand.
func (c *conn) headers(ctx context.Context, uids []uint32, names ...string) (map[uint32][]byte, error) {
	section := &imap.FetchItemBodySection{Peek: true, Specifier: imap.PartSpecifierHeader, HeaderFields: names}
	found := make(map[uint32][]byte)
	for group := range slices.Chunk(uids, batchMails) {
		got, err := ask(ctx, c, "read headers in "+c.at, func() ([]*imapclient.FetchMessageBuffer, error) {
			return c.client.Fetch(uidSet(group), &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}}).Collect()
		})
		if err != nil {
			return nil, err
		}
		for _, m := range got {
			if len(m.BodySection) > 0 { // else it speaks of a mail's flags only
				found[uint32(m.UID)] = m.BodySection[0].Bytes
			}
		}
	}
	return found, nil
}

// uidSet is a set of the UIDs given.
func uidSet(uids []uint32) imap.UIDSet {
	var set imap.UIDSet
	for _, uid := range uids {
		set.AddNum(imap.UID(uid))
	}
	return set
}

// folder is a folder's full name on this server: some keep all of them below a prefix such as "INBOX.".
func (c *conn) folder(name string) string {
	if strings.EqualFold(name, inbox) || strings.HasPrefix(name, c.prefix) {
		return name
	}
	return c.prefix + name
}
