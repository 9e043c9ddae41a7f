package mailbox

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Mark is a note in a mailbox for other programs that read it.
type Mark struct {
	ID   uint32 // rises from mark to mark
	Text string // one line
}

// ErrUnmarkable is wrapped when a mailbox takes no marks.
var ErrUnmarkable = errors.New("the mailbox takes no marks")

const (
	// marksFolder is a folder of their own, so that they are found without a search: servers differ in what they
	// find by a header.
	marksFolder = "Ringpost"
	// markField of a mark's header holds its text.
	markField = "X-Ringpost"
	// gmail's folders are labels: a mail removed from one stays in the archive.
	gmail imap.Cap = "X-GM-EXT-1"
)

// marksFolder is where the marks about the folder lie. Whoever reads another folder of the account is of no concern.
func (s *IMAP) marksFolder() string {
	if strings.EqualFold(s.config.Folder, inbox) {
		return marksFolder
	}
	return marksFolder + "-" + strings.NewReplacer("/", "-", ".", "-", "\\", "-").Replace(s.config.Folder)
}

// Marks lists the marks, oldest first.
func (s *IMAP) Marks(ctx context.Context) (marks []Mark, err error) {
	err = s.work(ctx, func(ctx context.Context, c *conn) error {
		folder := c.folder(s.marksFolder())
		if found, err := c.hasFolder(ctx, folder); err != nil || !found {
			return err
		}
		c.at = "" // of a folder selected anew all is seen that others have done there
		if err := c.choose(ctx, folder); err != nil {
			return err
		}
		uids, err := c.search(ctx, &imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}})
		if err != nil {
			return err
		}
		headers, err := c.headers(ctx, uids, markField)
		if err != nil {
			return err
		}
		for _, uid := range uids {
			if text := markText(headers[uid]); text != "" {
				marks = append(marks, Mark{ID: uid, Text: text})
			}
		}
		return nil
	})
	return marks, err
}

// markText reads a mark.
func markText(raw []byte) string {
	header, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(raw))).ReadMIMEHeader()
	return strings.TrimSpace(header.Get(markField))
}

// markMail is a mark as a mail that tells a reader what it is for.
func markMail(text, subject, body string, now time.Time) []byte {
	fold := strings.NewReplacer("\r", "", "\n", "\r\n")
	return fmt.Appendf(nil, "From: Ringpost <ringpost@localhost>\r\nDate: %s\r\nSubject: %s\r\n%s: %s\r\nAuto-Submitted: auto-generated\r\n"+
		"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n%s", now.Format(time.RFC1123Z), subject, markField, text, fold.Replace(body))
}

// LeaveMark adds a mark; the words are for people who find it.
func (s *IMAP) LeaveMark(ctx context.Context, text, subject, body string) error {
	mail := markMail(text, subject, body, s.config.Clock.Now())
	return s.work(ctx, func(ctx context.Context, c *conn) error {
		folder := c.folder(s.marksFolder())
		delete(c.made, folder) // somebody may have removed it
		err := c.makeFolder(ctx, folder)
		if err == nil {
			_, err = ask(ctx, c, "mark the mailbox", func() (none, error) {
				options := &imap.AppendOptions{Flags: []imap.Flag{imap.FlagSeen}, Time: s.config.Clock.Now()}
				command := c.client.Append(folder, int64(len(mail)), options)
				_, err := io.Copy(command, bytes.NewReader(mail))
				if err = errors.Join(err, command.Close()); err != nil {
					return none{}, err
				}
				_, err = command.Wait()
				return none{}, err
			})
		}
		// Here an exceeded quota is one of room.
		if refused(err) && (!throttled(err) || hasCode(err, imap.ResponseCodeOverQuota)) {
			return fmt.Errorf("%w: %w", ErrUnmarkable, err)
		}
		return err
	})
}

// RemoveMarks removes marks.
func (s *IMAP) RemoveMarks(ctx context.Context, ids []uint32) error {
	if len(ids) == 0 {
		return nil
	}
	return s.work(ctx, func(ctx context.Context, c *conn) error {
		if err := c.choose(ctx, c.folder(s.marksFolder())); err != nil {
			return err
		}
		set := uidSet(ids)
		if c.caps.Has(gmail) && c.caps.Has(imap.CapMove) {
			if trash, err := c.special(ctx, imap.MailboxAttrTrash); err != nil {
				return err
			} else if trash != "" {
				_, err := ask(ctx, c, "remove marks", func() (none, error) {
					_, err := c.client.Move(set, trash).Wait()
					return none{}, err
				})
				return err
			}
		}
		if err := c.flag(ctx, set, imap.FlagDeleted); err != nil {
			return err
		}
		if c.caps.Has(imap.CapUIDPlus) {
			return c.expunge(ctx, set)
		}
		// Nothing but marks is in this folder.
		_, err := ask(ctx, c, "remove marks", func() (none, error) { return none{}, c.client.Expunge().Close() })
		return err
	})
}
