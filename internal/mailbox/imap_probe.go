package mailbox

import (
	"bufio"
	"bytes"
	"context"
	"net/textproto"
	"slices"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// probedMails is how many of the newest mails of a folder Probe looks at.
const probedMails = 50

const authResults = "Authentication-Results"

// Report is what a probe found.
type Report struct {
	Capabilities []string // sorted
	Idle         bool     // new mail is reported at once
	Filing       string   // how handled mails are put away: move, copy, keyword or memory
	Mails        uint32   // in the folder
	UIDValidity  uint32
	Done         string // the folder for handled mails, by its full name
	DoneExists   bool   // else it is made when first needed
	Junk         string // the junk folder, by its full name; "" if the server names none
	JunkExists   bool
	// AuthResults are the values of the Authentication-Results fields of the newest mails, unfolded, as they
	// stand: what receiving servers said of senders, and the names they call themselves by.
	AuthResults []string
}

// Probe tries everything a poll needs, over a connection of its own, and changes nothing.
func (s *IMAP) Probe(ctx context.Context) (Report, error) {
	ctx, leave := s.enter(ctx)
	defer leave()
	r, err := s.probe(ctx)
	return r, s.explain(nil, err)
}

func (s *IMAP) probe(ctx context.Context) (Report, error) {
	var r Report
	c, err := s.connect(ctx)
	if err != nil {
		return r, err
	}
	defer c.line.Close()
	for name := range c.caps {
		r.Capabilities = append(r.Capabilities, string(name))
	}
	slices.Sort(r.Capabilities)
	r.Idle = c.caps.Has(imap.CapIdle)

	// The folder is opened as a poll does, since only then the server says which flags can be set.
	if err := c.choose(ctx, s.config.Folder); err != nil {
		return r, err
	}
	r.UIDValidity = c.validity
	r.Filing = string(c.filing)
	r.Done = c.folder(s.config.Done)
	if r.DoneExists, err = c.hasFolder(ctx, r.Done); err != nil {
		return r, err
	}
	if r.Junk, err = s.junkFolder(ctx, c); err != nil {
		return r, err
	}
	if r.Junk != "" {
		if r.JunkExists, err = c.hasFolder(ctx, r.Junk); err != nil {
			return r, err
		}
	}
	folders := []string{s.config.Folder}
	if r.DoneExists {
		folders = append(folders, r.Done)
	}
	for _, folder := range folders {
		mails, values, err := c.authResults(ctx, folder)
		if err != nil {
			return r, err
		}
		if folder == s.config.Folder {
			r.Mails = mails
		}
		r.AuthResults = append(r.AuthResults, values...)
	}
	return r, nil
}

// authResults counts a folder's mails and reads the Authentication-Results of the newest.
func (c *conn) authResults(ctx context.Context, folder string) (mails uint32, values []string, err error) {
	data, err := ask(ctx, c, "open folder "+folder, func() (*imap.SelectData, error) {
		return c.client.Select(folder, &imap.SelectOptions{ReadOnly: true}).Wait()
	})
	if err != nil || data.NumMessages == 0 {
		return 0, nil, err
	}
	var newest imap.SeqSet
	newest.AddRange(max(1, data.NumMessages-min(data.NumMessages, probedMails)+1), data.NumMessages)
	section := &imap.FetchItemBodySection{Peek: true, Specifier: imap.PartSpecifierHeader, HeaderFields: []string{authResults}}
	found, err := ask(ctx, c, "read headers in "+folder, func() ([]*imapclient.FetchMessageBuffer, error) {
		return c.client.Fetch(newest, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}}).Collect()
	})
	if err != nil {
		return 0, nil, err
	}
	for _, m := range found {
		header, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(m.FindBodySection(section)))).ReadMIMEHeader()
		values = append(values, header[authResults]...) // what could be read of a broken header is good enough here
	}
	return data.NumMessages, values, nil
}
