package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-message/mail"
	"github.com/emersion/go-smtp"

	"ringpost/internal/demo"
	"ringpost/internal/postoffice"
)

// demoPost is the post office as the players' mail programs use it.
type demoPost struct {
	*postoffice.Office
	password string
	smtp     *smtp.Client
}

func openDemoPost(password string, wall *windable) (*demoPost, error) {
	post, err := postoffice.Start(postoffice.Options{Own: demoAddress, Password: password, Now: wall.now,
		Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	c, err := smtp.Dial(post.SMTPAddr())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reaching the post office: %w", err), post.Close())
	}
	return &demoPost{post, password, c}, nil
}

// Close ends the players' connection and the post office.
func (p *demoPost) Close() error {
	p.smtp.Close()
	return p.Office.Close()
}

// send posts a player's mail.
func (p *demoPost) send(_ context.Context, from, to string, raw []byte) error {
	return p.smtp.SendMail(from, []string{to}, bytes.NewReader(raw))
}

// newest fetches the last mail of a player's mailbox, as his mail program would.
func (p *demoPost) newest(_ context.Context, address string) (demo.Received, error) {
	c, err := imapclient.DialInsecure(p.IMAPAddr(), nil)
	if err != nil {
		return demo.Received{}, fmt.Errorf("reaching the post office: %w", err)
	}
	defer c.Close()
	if err := c.Login(address, p.password).Wait(); err != nil {
		return demo.Received{}, fmt.Errorf("logging in: %w", err)
	}
	box, err := c.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait()
	if err != nil {
		return demo.Received{}, fmt.Errorf("opening the mailbox: %w", err)
	}
	if box.NumMessages == 0 {
		return demo.Received{}, errors.New("the mailbox is empty")
	}
	mails, err := c.Fetch(imap.SeqSetNum(box.NumMessages), &imap.FetchOptions{
		BodySection: []*imap.FetchItemBodySection{{Peek: true}}}).Collect()
	if err != nil {
		return demo.Received{}, fmt.Errorf("fetching: %w", err)
	}
	if len(mails) != 1 || len(mails[0].BodySection) != 1 {
		return demo.Received{}, errors.New("fetching: the mail is gone")
	}
	return parseReceived(mails[0].BodySection[0].Bytes)
}

// parseReceived reads one of our own mails.
func parseReceived(raw []byte) (demo.Received, error) {
	r, err := mail.CreateReader(bytes.NewReader(raw))
	if err != nil {
		return demo.Received{}, fmt.Errorf("reading a mail: %w", err)
	}
	var out demo.Received
	h := r.Header
	if out.Subject, err = h.Subject(); err != nil {
		return out, fmt.Errorf("reading a mail: %w", err)
	}
	if out.MessageID, err = h.MessageID(); err != nil {
		return out, fmt.Errorf("reading a mail: %w", err)
	}
	if out.Date, err = h.Date(); err != nil {
		return out, fmt.Errorf("reading a mail: %w", err)
	}
	for field, into := range map[string]*string{"From": &out.From, "Reply-To": &out.ReplyTo} {
		list, err := h.AddressList(field)
		if err != nil || len(list) != 1 {
			return out, fmt.Errorf("reading a mail: its %s is %v: %w", field, list, err)
		}
		*into = list[0].Address
	}
	part, err := r.NextPart() // the plain text comes first
	if err != nil {
		return out, fmt.Errorf("reading a mail: %w", err)
	}
	text, err := io.ReadAll(part.Body)
	if err != nil {
		return out, fmt.Errorf("reading a mail: %w", err)
	}
	out.Text = string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	return out, nil
}
