package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Letter is a mail that came in.
type Letter struct {
	ID       int64
	Received time.Time // when it arrived in its mailbox (G-3)
	Source   string    // the mailbox, or "stdin", or a file
	Size     int64
	Content  string // key by which the same mail is known again
	Raw      []byte // empty when it was over the limit
}

// Place is where a mail lay in its mailbox.
type Place struct {
	Mailbox     string
	UIDValidity uint32
	UID         uint32
	Name        string
}

// Outcome is what became of a letter.
type Outcome struct {
	Letter  int64
	Result  string // "taken", "held", …; see mail rules
	Reason  string
	Sender  string
	Subject string
	Detail  string // JSON
	Handled time.Time
}

// StoreLetter keeps a mail before anything is done with it. When the same mail
// is there already, under this place or by its content, fresh is false and the
// letter is the one that was kept first.
func (t *Tx) StoreLetter(l Letter, at Place, now time.Time) (id int64, fresh bool, err error) {
	place := []any{at.Mailbox, at.UIDValidity, at.UID, at.Name}
	err = t.row(`SELECT letter FROM ledger WHERE mailbox = ? AND uidvalidity = ? AND uid = ? AND name = ?`, place, &id)
	if err == nil {
		return id, false, nil
	}
	if !errors.Is(err, ErrNotFound) {
		return 0, false, fmt.Errorf("looking into the ledger: %w", err)
	}
	raw := l.Raw
	if raw == nil {
		raw = []byte{}
	}
	added, err := t.run(`INSERT INTO letter (received, source, size, content, raw, stored) VALUES (?,?,?,?,?,?) ON CONFLICT (content) DO NOTHING`,
		[]any{millis(l.Received), l.Source, l.Size, l.Content, raw, millis(now)})
	var n int64
	if err == nil {
		n, err = added.RowsAffected()
	}
	switch {
	case err != nil:
	case n > 0:
		fresh = true
		id, err = added.LastInsertId()
	default:
		err = t.row(`SELECT id FROM letter WHERE content = ?`, []any{l.Content}, &id)
	}
	if err == nil {
		err = t.exec(`INSERT INTO ledger (mailbox, uidvalidity, uid, name, letter) VALUES (?,?,?,?,?)`, append(place, id)...)
	}
	if err != nil {
		return 0, false, fmt.Errorf("storing a mail of %s: %w", at.Mailbox, err)
	}
	return id, fresh, nil
}

const letterColumns = `id, received, source, size, content, raw`

func scanLetter(r scanner) (l Letter, err error) {
	var received int64
	err = r.Scan(&l.ID, &received, &l.Source, &l.Size, &l.Content, &l.Raw)
	l.Received = moment(received)
	return l, err
}

// Letter finds a mail by id.
func (t *Tx) Letter(id int64) (Letter, error) {
	l, err := one(t, scanLetter, `SELECT `+letterColumns+` FROM letter WHERE id = ?`, id)
	if err != nil {
		return l, fmt.Errorf("mail %d: %w", id, err)
	}
	return l, nil
}

// Unhandled lists the letters that were stored and never handled, in the order
// of arrival: what a crash left behind.
func (t *Tx) Unhandled(limit int) ([]Letter, error) {
	return list(t, scanLetter, `SELECT `+letterColumns+` FROM letter
		WHERE NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.letter = letter.id)
		ORDER BY received, id LIMIT ?`, limit)
}

// Handled tells which of the letters were handled.
func (t *Tx) Handled(letters []int64) (map[int64]bool, error) {
	done, err := list(t, func(r scanner) (id int64, err error) { return id, r.Scan(&id) },
		`SELECT DISTINCT letter FROM outcome WHERE letter IN (SELECT value FROM json_each(?))`, text(letters))
	out := make(map[int64]bool, len(letters))
	for _, id := range done {
		out[id] = true
	}
	return out, err
}

// AddOutcome records what became of a letter.
func (t *Tx) AddOutcome(o Outcome) error {
	err := t.exec(`INSERT INTO outcome (letter, result, reason, sender, subject, detail, handled) VALUES (?,?,?,?,?,?,?)`,
		o.Letter, o.Result, o.Reason, o.Sender, o.Subject, o.Detail, millis(o.Handled))
	if err != nil {
		return fmt.Errorf("recording the outcome of mail %d: %w", o.Letter, err)
	}
	return nil
}

func scanOutcome(r scanner) (o Outcome, err error) {
	var handled int64
	err = r.Scan(&o.Letter, &o.Result, &o.Reason, &o.Sender, &o.Subject, &o.Detail, &handled)
	o.Handled = moment(handled)
	return o, err
}

const outcomeColumns = `letter, result, reason, sender, subject, detail, handled`

// Outcomes lists what became of a letter, each time it was handled.
func (t *Tx) Outcomes(letter int64) ([]Outcome, error) {
	return list(t, scanOutcome, `SELECT `+outcomeColumns+` FROM outcome WHERE letter = ? ORDER BY id`, letter)
}

// LetterRow is a line of the list of mails.
type LetterRow struct {
	ID       int64     `json:"id"`
	Received time.Time `json:"received"`
	Size     int64     `json:"size"`
	Sender   string    `json:"from"`
	Subject  string    `json:"subject"`
	Result   string    `json:"result"`
	Reason   string    `json:"reason"`
}

// LetterRows lists the mails that came in, the newest last, with the last
// outcome of each.
func (t *Tx) LetterRows(limit int) ([]LetterRow, error) {
	return list(t, func(r scanner) (l LetterRow, err error) {
		var received int64
		var sender, subject, result, reason sql.NullString
		err = r.Scan(&l.ID, &received, &l.Size, &sender, &subject, &result, &reason)
		l.Received = moment(received)
		l.Sender, l.Subject, l.Result, l.Reason = sender.String, subject.String, result.String, reason.String
		return l, err
	}, `SELECT * FROM (
		SELECT l.id, l.received, l.size, o.sender, o.subject, o.result, o.reason
		FROM letter l LEFT JOIN outcome o ON o.id = (SELECT max(id) FROM outcome WHERE letter = l.id)
		ORDER BY l.id DESC LIMIT ?) ORDER BY id`, limit)
}

// Held is a letter that waits for a confirmation.
type Held struct {
	ID      int64
	Code    string // SHA-256 of the code, in hex
	Letter  int64
	Address string // where the code went, in the compared form
	Purpose string // "sender", "join", "quoted" or "address"
	Expires time.Time
	Wrong   int // wrong codes tried
	State   string
}

// The states of a held letter.
const (
	HeldWaiting   = "waiting"
	HeldConfirmed = "confirmed"
	HeldExpired   = "expired"
	HeldVoid      = "void" // too many wrong codes
)

// AddHeld makes a letter wait.
func (t *Tx) AddHeld(h Held) error {
	err := t.exec(`INSERT INTO held (code, letter, address, purpose, expires, state) VALUES (?,?,?,?,?,?)`,
		h.Code, h.Letter, h.Address, h.Purpose, millis(h.Expires), HeldWaiting)
	if err != nil {
		return fmt.Errorf("holding mail %d: %w", h.Letter, err)
	}
	return nil
}

func scanHeld(r scanner) (h Held, err error) {
	var expires int64
	err = r.Scan(&h.ID, &h.Code, &h.Letter, &h.Address, &h.Purpose, &expires, &h.Wrong, &h.State)
	h.Expires = moment(expires)
	return h, err
}

// HeldFor lists what waits for a code from an address, oldest first.
func (t *Tx) HeldFor(address string) ([]Held, error) {
	return list(t, scanHeld, `SELECT id, code, letter, address, purpose, expires, wrong, state FROM held
		WHERE address = ? AND state = 'waiting' ORDER BY id`, address)
}

// HeldOf lists all that waits or waited for codes to one letter, oldest first.
func (t *Tx) HeldOf(letter int64) ([]Held, error) {
	return list(t, scanHeld, `SELECT id, code, letter, address, purpose, expires, wrong, state FROM held
		WHERE letter = ? ORDER BY id`, letter)
}

// HeldExpired lists what waited too long.
func (t *Tx) HeldExpired(now time.Time) ([]Held, error) {
	return list(t, scanHeld, `SELECT id, code, letter, address, purpose, expires, wrong, state FROM held
		WHERE state = 'waiting' AND expires <= ? ORDER BY id`, millis(now))
}

// SetHeld moves a held letter on.
func (t *Tx) SetHeld(id int64, state string, wrong int) error {
	if err := t.exec(`UPDATE held SET state = ?, wrong = ? WHERE id = ?`, state, wrong, id); err != nil {
		return fmt.Errorf("held mail %d: %w", id, err)
	}
	return nil
}

// Count adds one to a bucket's count in the given stretch of time and gives the
// new count.
func (t *Tx) Count(bucket string, now time.Time, stretch time.Duration) (n int, err error) {
	err = t.row(`INSERT INTO cap (bucket, period, n) VALUES (?,?,1)
		ON CONFLICT DO UPDATE SET n = n + 1 RETURNING n`,
		[]any{bucket, now.UnixMilli() / stretch.Milliseconds()}, &n)
	if err != nil {
		return 0, fmt.Errorf("counting %s: %w", bucket, err)
	}
	return n, nil
}

// Audit records what the game master did.
func (t *Tx) Audit(gameID, what, detail string, now time.Time) error {
	if err := t.exec(`INSERT INTO audit (at, game, what, detail) VALUES (?,?,?,?)`, millis(now), gameID, what, detail); err != nil {
		return fmt.Errorf("recording %s: %w", what, err)
	}
	return nil
}
