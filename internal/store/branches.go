package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Branch is where a closed round was opened again: what follows counts in place of the
// steps of its parent from that round on.
type Branch struct {
	Game   string
	Branch int // from 1
	Parent int // the branch of the first void step
	Round  int // that step's
	Step   int
	Kept   bool // decided again by the same dice, without new orders
	Seeds  int  // the branch whose number stands in the seeds' names
	Next   string
	Added  json.RawMessage // orders that came to those of the void step
	Reason string
	Hash   string
	Frozen time.Time // when the orders of the void step were
	Opened time.Time // when the branch began
}

const branchColumns = `game, branch, parent, round, step, kept, seeds, next, added, reason, hash, frozen, opened`

func scanBranch(r scanner) (b Branch, err error) {
	var added string
	var frozen, opened int64
	err = r.Scan(&b.Game, &b.Branch, &b.Parent, &b.Round, &b.Step, &b.Kept, &b.Seeds, &b.Next, &added, &b.Reason, &b.Hash, &frozen, &opened)
	b.Added, b.Frozen, b.Opened = json.RawMessage(added), moment(frozen), moment(opened)
	return b, err
}

// AddBranch enters a branch; a second one of the same number is an error.
func (t *Tx) AddBranch(b Branch) error {
	err := t.exec(`INSERT INTO branch (`+branchColumns+`) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		b.Game, b.Branch, b.Parent, b.Round, b.Step, b.Kept, b.Seeds, b.Next, string(b.Added), b.Reason, b.Hash, millis(b.Frozen), millis(b.Opened))
	if err != nil {
		return fmt.Errorf("reopening round %d of %s: %w", b.Round, b.Game, err)
	}
	return nil
}

// Branch finds a branch; number 0, with which a game begins, has no entry.
func (t *Tx) Branch(gameID string, branch int) (Branch, error) {
	b, err := one(t, scanBranch, `SELECT `+branchColumns+` FROM branch WHERE game = ? AND branch = ?`, gameID, branch)
	if err != nil {
		return b, fmt.Errorf("branch %d of %s: %w", branch, gameID, err)
	}
	return b, nil
}

// Branches lists a game's branches, oldest first, but number 0.
func (t *Tx) Branches(gameID string) ([]Branch, error) {
	return list(t, scanBranch, `SELECT `+branchColumns+` FROM branch WHERE game = ? ORDER BY branch`, gameID)
}

// parented looks for a step on a branch and, where that has none, on those it came
// from, in each before the step from which the next one began.
func (t *Tx) parented(gameID string, branch, round, step int, find func(branch, round, step int) (Step, error)) (Step, error) {
	for {
		s, err := find(branch, round, step)
		if branch == 0 || !errors.Is(err, ErrNotFound) {
			return s, err
		}
		b, err := t.Branch(gameID, branch)
		if err != nil {
			return s, err
		}
		branch = b.Parent
		if b.Round < round || b.Round == round && b.Step < step {
			round, step = b.Round, b.Step
		}
	}
}

// OrdersFor lists all revisions for a round, as they were received.
func (t *Tx) OrdersFor(gameID string, branch, round int) ([]Orders, error) {
	return list(t, scanOrders, `SELECT `+orderColumns+` FROM orders o WHERE o.game = ? AND o.branch = ? AND o.round = ?
		ORDER BY o.received, o.id`, gameID, branch, round)
}

// HandledSince lists the outcomes of letters handled since a moment that had arrived
// before another, in the order in which they were handled.
func (t *Tx) HandledSince(since, arrived time.Time) ([]Outcome, error) {
	return list(t, scanOutcome, `SELECT `+outcomeColumns+` FROM outcome WHERE handled >= ? AND letter IN
		(SELECT id FROM letter WHERE received < ?) ORDER BY id`, millis(since), millis(arrived))
}

// TakeBack drops the mail of a cause if it has certainly not been sent, and tells
// whether it was there.
func (t *Tx) TakeBack(cause, why string) (bool, error) {
	ok, err := t.changed(`UPDATE outbox SET state = 'dropped', answer = ? WHERE cause = ? AND state = 'queued' AND doubtful = 0`, why, cause)
	if err != nil {
		return false, fmt.Errorf("taking back the mail %s: %w", cause, err)
	}
	return ok, nil
}

// TakeBackReceipts drops the receipts, for a round or one after it, that have certainly
// not been sent and speak of nothing else, and gives their number.
func (t *Tx) TakeBackReceipts(gameID string, from int, why string) (int, error) {
	r, err := t.run(`UPDATE outbox SET state = 'dropped', answer = ? WHERE kind = 'receipt' AND state = 'queued' AND doubtful = 0
		AND game = ? AND round >= ? AND slots != '[]'`, []any{why, gameID, from})
	var n int64
	if err == nil {
		n, err = r.RowsAffected()
	}
	if err != nil {
		return 0, fmt.Errorf("taking back the receipts of %s: %w", gameID, err)
	}
	return int(n), nil
}

// TellPress notes that the report on a round has told a piece of press.
func (t *Tx) TellPress(id int64, round int) error {
	if err := t.exec(`UPDATE press SET state = 'told', told = ? WHERE id = ?`, round, id); err != nil {
		return fmt.Errorf("press %d: %w", id, err)
	}
	return nil
}

// UntellPress lets the press that the reports on a round, and on those after it, have
// told stand in the next report again.
func (t *Tx) UntellPress(gameID string, from int) error {
	err := t.exec(`UPDATE press SET state = 'released', told = NULL
		WHERE game = ? AND state = 'told' AND recipient = '' AND coalesce(told, round) >= ?`, gameID, from)
	if err != nil {
		return fmt.Errorf("press of %s: %w", gameID, err)
	}
	return nil
}
