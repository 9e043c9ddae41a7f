package store

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// progressKey is the note of what Progress counts beside rows.
const progressKey = "progress"

// Progress is a number that rises with each mail taken in, each mail queued, and
// whatever AddProgress adds: of two copies of a database the one with the lower
// number is the older.
func (t *Tx) Progress() (uint64, error) {
	added, err := t.progressAdded()
	if err != nil {
		return 0, err
	}
	var rows uint64
	err = t.row(`SELECT (SELECT coalesce(max(id), 0) FROM letter) + (SELECT coalesce(max(id), 0) FROM outbox)`, nil, &rows)
	if err != nil {
		return 0, fmt.Errorf("reading how far the database has come: %w", err)
	}
	return added + rows, nil
}

// AddProgress notes what leaves no new row, such as the sending of mails.
func (t *Tx) AddProgress(n uint64) error {
	added, err := t.progressAdded()
	if err == nil {
		err = t.SetMeta(progressKey, strconv.FormatUint(added+n, 10))
	}
	if err != nil {
		return fmt.Errorf("noting how far the database has come: %w", err)
	}
	return nil
}

func (t *Tx) progressAdded() (uint64, error) {
	note, err := t.Meta(progressKey)
	if err != nil || note == "" {
		return 0, err
	}
	return strconv.ParseUint(note, 10, 64)
}

// LastStored is when the newest letter was stored, zero when there is none.
func (t *Tx) LastStored() (time.Time, error) {
	var stored int64
	err := t.row(`SELECT stored FROM letter ORDER BY id DESC LIMIT 1`, nil, &stored)
	if errors.Is(err, ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("looking for the newest letter: %w", err)
	}
	return moment(stored), nil
}

// InLedger gives those of a mailbox's mails that were taken in before.
func (t *Tx) InLedger(mailbox string, uidValidity uint32, uids []uint32) (known []uint32, err error) {
	for _, uid := range uids {
		var letter int64
		err := t.row(`SELECT letter FROM ledger WHERE mailbox = ? AND uidvalidity = ? AND uid = ? AND name = ''`,
			[]any{mailbox, uidValidity, uid}, &letter)
		switch {
		case err == nil:
			known = append(known, uid)
		case !errors.Is(err, ErrNotFound):
			return nil, fmt.Errorf("looking into the ledger: %w", err)
		}
	}
	return known, nil
}

// AlertsDue is OutgoingDue for news to the game master alone.
func (t *Tx) AlertsDue(now time.Time, limit int) ([]Outgoing, error) {
	return list(t, scanOutgoing, outgoingSelect+`WHERE o.state = 'queued' AND o.due <= ? AND o.kind = 'alert'
		ORDER BY o.id LIMIT ?`, millis(now), limit)
}

// DropQueued drops all mails that wait to be sent and gives their number.
func (t *Tx) DropQueued(why string) (n int64, err error) {
	r, err := t.run(`UPDATE outbox SET state = 'dropped', answer = ? WHERE state = 'queued'`, []any{why})
	if err == nil {
		n, err = r.RowsAffected()
	}
	if err != nil {
		return 0, fmt.Errorf("dropping what waits to be sent: %w", err)
	}
	return n, nil
}
