package claim

import (
	"context"
	"fmt"
)

// Standing is what a mailbox's marks say of a data folder.
type Standing struct {
	Marked bool   // the folder has left a mark before; else nobody has
	Ahead  uint64 // how far the folder's database had come, when that is farther than it is now; else 0
}

// Look looks at the marks and changes nothing. The error is a *ForeignError when the mailbox is another folder's.
func Look(ctx context.Context, box Box, book Book) (s Standing, err error) {
	marks, err := box.Marks(ctx)
	if err != nil {
		return s, fmt.Errorf("looking whose the mailbox is: %w", err)
	}
	// After the marks: a server at work may renew its own meanwhile.
	folder, progress, err := book.Self(ctx)
	if err != nil {
		return s, err
	}
	own, _, err := judge(read(marks), folder, "", false)
	s.Marked = len(own) > 0
	if ahead := farthest(own); ahead > progress {
		s.Ahead = ahead
	}
	return s, err
}

// Adopt makes a mailbox this folder's, whoever owned it. It gives the owner before, or nil if that was this folder
// or nobody.
func Adopt(ctx context.Context, box Box, book Book, session, where string) (before *Mark, err error) {
	folder, progress, err := book.Self(ctx)
	if err != nil {
		return nil, err
	}
	marks, err := box.Marks(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking whose the mailbox is: %w", err)
	}
	_, others, err := judge(read(marks), folder, session, false)
	if err == nil {
		return nil, nil
	}
	m := Mark{Folder: folder, Session: session, Progress: progress, Where: where}
	if err := box.LeaveMark(ctx, m.String(), subject, body(m)); err != nil {
		return nil, fmt.Errorf("marking the mailbox: %w", err)
	}
	var old []uint32
	for _, x := range others {
		old = append(old, x.id)
	}
	if err := box.RemoveMarks(ctx, old); err != nil {
		return nil, fmt.Errorf("removing the marks of the other data folder: %w", err)
	}
	if marks, err = box.Marks(ctx); err != nil {
		return nil, fmt.Errorf("looking whose the mailbox is: %w", err)
	}
	own, _, err := judge(read(marks), folder, session, false)
	if err == nil && len(own) == 0 {
		err = &ForeignError{others[0].Mark}
	}
	if err != nil {
		return nil, fmt.Errorf("the other server is still at work, stop it first: %w", err)
	}
	return &others[0].Mark, nil
}
