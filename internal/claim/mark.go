package claim

import (
	"fmt"
	"strconv"
	"strings"

	"ringpost/internal/mailbox"
)

// Mark is what a data folder leaves in its mailbox, and beside its database.
type Mark struct {
	Folder   string // the data folder's id
	Session  string // the process's
	Progress uint64 // how far the database had come
	Where    string // machine and path, for people
}

// String is the mark as one line of ASCII, which Parse reads.
func (m Mark) String() string {
	return fmt.Sprintf("owner %s %s %d %s", m.Folder, m.Session, m.Progress, strconv.QuoteToASCII(m.Where))
}

// Parse reads a mark; ok is false for what is none.
func Parse(s string) (m Mark, ok bool) {
	fields := strings.SplitN(s, " ", 5)
	if len(fields) != 5 || fields[0] != "owner" || fields[1] == "" || fields[2] == "" {
		return Mark{}, false
	}
	progress, err := strconv.ParseUint(fields[3], 10, 64)
	if err != nil {
		return Mark{}, false
	}
	where, err := strconv.Unquote(fields[4])
	if err != nil {
		return Mark{}, false
	}
	return Mark{Folder: fields[1], Session: fields[2], Progress: progress, Where: where}, true
}

// ForeignError says that a mailbox belongs to another data folder.
type ForeignError struct{ Owner Mark }

// Error says what to do.
func (e *ForeignError) Error() string {
	return fmt.Sprintf("the mailbox belongs to another data folder (%s): two servers would take each other's mails. "+
		"Give this one a mailbox of its own; or, if the other is out of service for good, run `ringpost adopt` and start again", e.Owner.Where)
}

// Unwrap says that the mailbox must not be read.
func (e *ForeignError) Unwrap() error { return mailbox.ErrStop }

// CopyError says that a server with a copy of this data folder reads the mailbox by now.
type CopyError struct{ Newer Mark }

// Error says what to do.
func (e *CopyError) Error() string {
	return fmt.Sprintf("a server with a copy of this data folder (%s) has begun to read the mailbox, so this one stops: "+
		"keep the one that is to go on, and never start the other again", e.Newer.Where)
}

// Unwrap says that the mailbox must not be read.
func (e *CopyError) Unwrap() error { return mailbox.ErrStop }

// placed is a mark and where it is.
type placed struct {
	Mark
	id uint32
}

// read gives the marks that can be read, oldest first.
func read(all []mailbox.Mark) (marks []placed) {
	for _, m := range all {
		if mark, ok := Parse(m.Text); ok {
			marks = append(marks, placed{mark, m.ID})
		}
	}
	return marks
}

// judge decides whose a mailbox is. It gives the folder's own marks and the others', or an error when it is not
// the folder's to read. begun says that this process has left a mark: then a newer one of its folder's is from a
// copy.
func judge(marks []placed, folder, session string, begun bool) (own, others []placed, err error) {
	for _, m := range marks {
		if m.Folder == folder {
			own = append(own, m)
		} else {
			others = append(others, m)
		}
	}
	if len(marks) > 0 && marks[0].Folder != folder {
		return own, others, &ForeignError{marks[0].Mark}
	}
	if begun && len(own) > 0 && own[len(own)-1].Session != session {
		return own, others, &CopyError{own[len(own)-1].Mark}
	}
	return own, others, nil
}

// farthest is how far the folder's database had come, by its marks.
func farthest(own []placed) (progress uint64) {
	for _, m := range own {
		progress = max(progress, m.Progress)
	}
	return progress
}
