package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"ringpost/internal/game"
)

// Outgoing is a mail to send. Its text is Head, then the shared Body, then Foot.
type Outgoing struct {
	ID        int64
	Cause     string // what it answers or tells; a second mail of the same cause is not entered
	Kind      string
	Game      string
	Round     int
	Seat      game.SeatID
	To        string
	MessageID string
	ReplyTo   string
	InReplyTo string
	Refs      string // message ids with blanks between
	Subject   string
	Lang      string
	Head      string
	BodyID    int64 // of AddBody, 0 for none
	Foot      string
	Automatic string    // "auto-replied" or "auto-generated" (RFC 3834)
	Deadline  time.Time // goes along as a calendar's event; zero for none
	// Covers are the arrivals of the mails that it answers; empty when it may not
	// be replaced by a newer one.
	Covers []time.Time
	// Slots are what a receipt is about; only one that is about all of them, too,
	// replaces it.
	Slots    []string
	Created  time.Time
	State    string
	Attempts int
	Tried    time.Time // the last attempt, zero when there was none
	Due      time.Time // of the next attempt; a new mail's is its making unless this is later
	Answer   string    // what the other server said last
	Doubtful bool      // an attempt may have sent it without our knowing it

	Body string // filled when read
}

// The states of an outgoing mail.
const (
	MailQueued  = "queued"
	MailSent    = "sent"
	MailFailed  = "failed"
	MailDropped = "dropped"
)

// AddBody keeps a text that several mails share and gives its id.
func (t *Tx) AddBody(body string) (id int64, err error) {
	sum := sha256.Sum256([]byte(body))
	hash := hex.EncodeToString(sum[:])
	err = t.row(`SELECT id FROM body WHERE hash = ?`, []any{hash}, &id)
	if errors.Is(err, ErrNotFound) {
		id, err = t.insert(`INSERT INTO body (hash, text) VALUES (?,?)`, hash, body)
	}
	if err != nil {
		return 0, fmt.Errorf("storing a body: %w", err)
	}
	return id, nil
}

// AddOutgoing puts a mail into the queue. When one of the same cause is there
// already nothing is entered and fresh is false.
func (t *Tx) AddOutgoing(o Outgoing) (fresh bool, err error) {
	due := o.Created
	if o.Due.After(due) {
		due = o.Due
	}
	var body any
	if o.BodyID != 0 {
		body = o.BodyID
	}
	fresh, err = t.changed(`INSERT INTO outbox (cause, kind, game, round, seat, recipient, message_id, reply_to, in_reply_to,
		refs, subject, lang, head, body, foot, automatic, deadline, covers, slots, created, state, due) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
		ON CONFLICT (cause) DO NOTHING`,
		o.Cause, o.Kind, o.Game, o.Round, o.Seat, o.To, o.MessageID, o.ReplyTo, o.InReplyTo,
		o.Refs, o.Subject, o.Lang, o.Head, body, o.Foot, o.Automatic, optional(o.Deadline), coverText(o.Covers), slotText(o.Slots), millis(o.Created), MailQueued, millis(due))
	if err != nil {
		return false, fmt.Errorf("queueing a mail (%s): %w", o.Cause, err)
	}
	return fresh, nil
}

const outgoingSelect = `SELECT o.id, o.cause, o.kind, o.game, o.round, o.seat, o.recipient, o.message_id, o.reply_to, o.in_reply_to,
	o.refs, o.subject, o.lang, o.head, coalesce(o.body, 0), o.foot, o.automatic, o.deadline, o.created, o.state, o.attempts, o.tried, o.due, o.answer,
	o.doubtful, coalesce(b.text, '') FROM outbox o LEFT JOIN body b ON b.id = o.body `

func scanOutgoing(r scanner) (o Outgoing, err error) {
	var created, due int64
	var tried, deadline sql.NullInt64
	err = r.Scan(&o.ID, &o.Cause, &o.Kind, &o.Game, &o.Round, &o.Seat, &o.To, &o.MessageID, &o.ReplyTo, &o.InReplyTo,
		&o.Refs, &o.Subject, &o.Lang, &o.Head, &o.BodyID, &o.Foot, &o.Automatic, &deadline, &created, &o.State, &o.Attempts, &tried, &due, &o.Answer, &o.Doubtful, &o.Body)
	o.Created, o.Due, o.Tried, o.Deadline = moment(created), moment(due), optionalMoment(tried), optionalMoment(deadline)
	return o, err
}

// Outgoing finds a mail of the queue.
func (t *Tx) Outgoing(id int64) (Outgoing, error) {
	o, err := one(t, scanOutgoing, outgoingSelect+`WHERE o.id = ?`, id)
	if err != nil {
		return o, fmt.Errorf("outbox entry %d: %w", id, err)
	}
	return o, nil
}

// OutgoingDue lists the mails to send now: what players wait for (answers)
// before reports, then the oldest first.
func (t *Tx) OutgoingDue(now time.Time, limit int) ([]Outgoing, error) {
	// The texts are read of those only that are wanted: after a close on Sunday
	// evening thousands are due.
	return list(t, scanOutgoing, outgoingSelect+`WHERE o.id IN (SELECT id FROM outbox
		WHERE state = 'queued' AND due <= ? ORDER BY kind IN ('report', 'start'), id LIMIT ?)
		ORDER BY o.kind IN ('report', 'start'), o.id`, millis(now), limit)
}

func coverText(covers []time.Time) string {
	out := []int64{}
	for _, c := range covers {
		out = append(out, millis(c))
	}
	return text(out)
}

func slotText(slots []string) string { return text(append([]string{}, slots...)) }

// Replaced takes back what a new receipt stands for: receipts to the same seat
// and round, about nothing but its slots, that have certainly not been sent. It gives
// the arrivals of the mails that they answered.
func (t *Tx) Replaced(o Outgoing) (covers []time.Time, err error) {
	rows, err := list(t, scanText, `UPDATE outbox INDEXED BY outbox_receipt SET state = 'dropped', answer = ? WHERE state = 'queued' AND doubtful = 0
		AND kind = 'receipt' AND game = ? AND seat = ? AND round = ? AND recipient = ? AND covers != '[]'
		AND slots != '[]' AND NOT EXISTS (SELECT 1 FROM json_each(slots) WHERE value NOT IN (SELECT value FROM json_each(?))) RETURNING covers`,
		"replaced by "+o.MessageID, o.Game, o.Seat, o.Round, o.To, slotText(o.Slots))
	if err != nil {
		return nil, fmt.Errorf("replacing unsent receipts: %w", err)
	}
	for _, row := range rows {
		var ms []int64
		if err := json.Unmarshal([]byte(row), &ms); err != nil {
			return nil, fmt.Errorf("replacing unsent receipts: %w", err)
		}
		for _, m := range ms {
			covers = append(covers, moment(m))
		}
	}
	slices.SortFunc(covers, time.Time.Compare)
	return covers, nil
}

// ofClosedRound is why a reminder is not sent any more.
const ofClosedRound = "the round was closed before it could be sent"

// TakeBackReminders drops the reminders of a game's open round that have certainly
// not been sent: after its close they would be of no use.
func (t *Tx) TakeBackReminders(gameID string) error {
	err := t.exec(`UPDATE outbox INDEXED BY outbox_reminder SET state = 'dropped', answer = ?
		WHERE kind = 'reminder' AND state != 'sent' AND game = ? AND state = 'queued' AND doubtful = 0`, ofClosedRound, gameID)
	if err != nil {
		return fmt.Errorf("taking back the reminders of %s: %w", gameID, err)
	}
	return nil
}

// RemindersUnsent takes back, for a new reminder, those to the same seat that have
// certainly not been sent, and gives their rounds, also those of rounds that were
// closed meanwhile. Each is given once.
func (t *Tx) RemindersUnsent(o Outgoing) (rounds []int, err error) {
	rounds, err = list(t, func(r scanner) (round int, err error) { return round, r.Scan(&round) }, `UPDATE outbox INDEXED BY outbox_reminder SET state = 'dropped', answer = ?
		WHERE kind = 'reminder' AND state != 'sent' AND game = ? AND seat = ? AND recipient = ? AND cause != ?
		AND (state = 'queued' AND doubtful = 0 OR state = 'dropped' AND answer = ?) RETURNING round`,
		"replaced by "+o.MessageID, o.Game, o.Seat, o.To, o.Cause, ofClosedRound)
	if err != nil {
		return nil, fmt.Errorf("replacing unsent reminders: %w", err)
	}
	slices.Sort(rounds)
	return slices.Compact(rounds), nil
}

// OutgoingRow is a line of the list of mails to send.
type OutgoingRow struct {
	ID        int64     `json:"id"`
	To        string    `json:"to"`
	Kind      string    `json:"kind"`
	Game      string    `json:"game"`
	Round     int       `json:"round"`
	Seat      string    `json:"seat"`
	MessageID string    `json:"message_id"`
	Subject   string    `json:"subject"`
	State     string    `json:"state"`
	Attempts  int       `json:"attempts"`
	Due       time.Time `json:"due"`
	Answer    string    `json:"answer"`
}

// OutgoingRows lists the queue in the order of entry; state "" means all.
func (t *Tx) OutgoingRows(state string) ([]OutgoingRow, error) {
	return list(t, func(r scanner) (o OutgoingRow, err error) {
		var due int64
		err = r.Scan(&o.ID, &o.To, &o.Kind, &o.Game, &o.Round, &o.Seat, &o.MessageID, &o.Subject, &o.State, &o.Attempts, &due, &o.Answer)
		o.Due = moment(due)
		return o, err
	}, `SELECT id, recipient, kind, game, round, seat, message_id, subject, state, attempts, due, answer FROM outbox
		WHERE ? IN ('', state) ORDER BY id`, state)
}

// OutgoingOf finds a mail's message id by its cause.
func (t *Tx) OutgoingOf(cause string) (messageID string, err error) {
	if err := t.row(`SELECT message_id FROM outbox WHERE cause = ?`, []any{cause}, &messageID); err != nil {
		return "", fmt.Errorf("mail %s: %w", cause, err)
	}
	return messageID, nil
}

// Readdress sends to another address what has not gone out to this one, given up or
// not.
func (t *Tx) Readdress(from, to string) error {
	if err := t.exec(`UPDATE outbox SET recipient = ? WHERE recipient = ? AND state IN ('queued', 'failed')`, to, from); err != nil {
		return fmt.Errorf("sending to %s instead of %s: %w", to, from, err)
	}
	return nil
}

// SetOutgoing puts a mail back into the queue or drops it.
func (t *Tx) SetOutgoing(id int64, state string, due time.Time) error {
	ok, err := t.changed(`UPDATE outbox SET state = ?, due = ? WHERE id = ?`, state, millis(due), id)
	if err == nil && !ok {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("outbox entry %d: %w", id, err)
	}
	return nil
}

// QueueFailed puts back into the queue what was given up since a moment, and gives
// the number of mails.
func (t *Tx) QueueFailed(since, now time.Time) (n int64, err error) {
	r, err := t.run(`UPDATE outbox SET state = 'queued', due = ? WHERE state = 'failed' AND due >= ?`, []any{millis(now), millis(since)})
	if err == nil {
		n, err = r.RowsAffected()
	}
	if err != nil {
		return 0, fmt.Errorf("queueing mails again: %w", err)
	}
	return n, nil
}

// Backlog is what became of mails that waited for the way out to open.
type Backlog struct {
	Sent   int       // since
	Left   int       // tried, and to be tried again
	Failed int       // given up meanwhile
	Oldest time.Time // when the first of all these was queued, zero for none
}

// Backlog counts the mails that had to wait since a moment, as of now.
func (t *Tx) Backlog(since, now time.Time) (b Backlog, err error) {
	var oldest sql.NullInt64
	err = t.row(`SELECT coalesce(sum(state = 'sent'), 0), coalesce(sum(state = 'queued'), 0), coalesce(sum(state = 'failed'), 0), min(created)
		FROM outbox WHERE created <= ?2 AND (state = 'sent' AND tried >= ?1 OR state = 'queued' AND attempts > 0 OR state = 'failed' AND due >= ?1)`,
		[]any{millis(since), millis(now)}, &b.Sent, &b.Left, &b.Failed, &oldest)
	if err != nil {
		return b, fmt.Errorf("counting the mails that waited: %w", err)
	}
	b.Oldest = optionalMoment(oldest)
	return b, nil
}

// DueAfterAll makes those queued mails due that were made or tried later than now, and
// gives their number.
func (t *Tx) DueAfterAll(now time.Time) (n int64, err error) {
	// A clock may be set by a little at any time.
	later := millis(now.Add(time.Minute))
	r, err := t.run(`UPDATE outbox SET due = ? WHERE state = 'queued' AND due > ? AND (created > ? OR tried > ?)`,
		[]any{millis(now), later, later, later})
	if err == nil {
		n, err = r.RowsAffected()
	}
	if err != nil {
		return 0, fmt.Errorf("looking for mails that a fast clock has put off: %w", err)
	}
	return n, nil
}

// NextOutgoing is when the next queued mail is due, zero when none is queued.
func (t *Tx) NextOutgoing() (time.Time, error) {
	var due sql.NullInt64
	err := t.row(`SELECT min(due) FROM outbox WHERE state = 'queued'`, nil, &due)
	return optionalMoment(due), err
}

// mark runs a statement of its own, prepared once.
func (s *Store) mark(ctx context.Context, query string, args ...any) (sql.Result, error) {
	prepared, ok := s.marks.Load(query)
	if !ok {
		statement, err := s.marker.PrepareContext(ctx, query)
		if err != nil {
			return nil, err
		}
		prepared, _ = s.marks.LoadOrStore(query, statement)
	}
	return prepared.(*sql.Stmt).ExecContext(ctx, args...)
}

// MarkAttempt writes that a mail is about to be sent; ErrNotFound when it is no
// longer queued.
func (s *Store) MarkAttempt(ctx context.Context, id int64, now time.Time) error {
	r, err := s.mark(ctx, `UPDATE outbox SET attempts = attempts + 1, tried = ?, doubtful = 1 WHERE id = ? AND state = 'queued'`, millis(now), id)
	var n int64
	if err == nil {
		n, err = r.RowsAffected()
	}
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("marking mail %d: %w", id, err)
	}
	return nil
}

// GiveUp notes that a queued mail is not tried any more, and why, and whether it may
// have been sent all the same; false when it is no longer queued.
func (t *Tx) GiveUp(id int64, answer string, doubtful bool, now time.Time) (bool, error) {
	ok, err := t.changed(`UPDATE outbox SET state = 'failed', answer = ?, doubtful = ?, due = ? WHERE id = ? AND state = 'queued'`,
		answer, doubtful, millis(now), id)
	if err != nil {
		return false, fmt.Errorf("giving up mail %d: %w", id, err)
	}
	return ok, nil
}

// MarkResult writes what became of an attempt; due is the next one's time for a
// mail that stays in the queue. One that was dropped while it was under way and has
// been sent is sent: queued once more it would go out twice.
func (s *Store) MarkResult(ctx context.Context, id int64, state, answer string, due time.Time) error {
	_, err := s.mark(ctx, `UPDATE outbox SET state = ?1, answer = ?2, due = ?3, doubtful = 0
		WHERE id = ?4 AND (state = 'queued' OR state = 'dropped' AND ?1 = 'sent')`,
		state, answer, millis(due), id)
	if err != nil {
		return fmt.Errorf("marking mail %d: %w", id, err)
	}
	return nil
}

// MarkDoubt writes that nobody knows what became of an attempt: the mail stays in
// the queue until due, but nothing may replace it.
func (s *Store) MarkDoubt(ctx context.Context, id int64, answer string, due time.Time) error {
	_, err := s.mark(ctx, `UPDATE outbox SET answer = ?, due = ? WHERE id = ? AND state = 'queued'`, answer, millis(due), id)
	if err != nil {
		return fmt.Errorf("marking mail %d: %w", id, err)
	}
	return nil
}
