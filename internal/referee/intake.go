package referee

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"ringpost/internal/letter"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// Incoming is a mail as a mailbox holds it.
type Incoming struct {
	Place    store.Place
	Received time.Time // its arrival in the mailbox (G-3)
	Size     int64
	Raw      []byte // the beginning alone when it was over the limit; nil when it could not be fetched
	Fault    string // why it could not be fetched; "" when it was
}

// Result is what became of a mail, as `mail in --json` prints it.
type Result struct {
	File   string        `json:"file,omitempty"`
	Letter int64         `json:"letter"`
	Result string        `json:"result"`
	Reason string        `json:"reason"`
	Blocks []BlockResult `json:"blocks"`
	Issues []IssueResult `json:"issues"`
	Answer *string       `json:"answer"` // the answer's Message-ID
	// Verdict is what is known of the sender beside his address, and why.
	Verdict string `json:"verdict,omitempty"`
	// Confirmed is the arrival of the mail that confirmed this one, which had waited.
	Confirmed *time.Time `json:"confirmed,omitempty"`
}

// BlockResult is what was read in one order block. Orders are always in the
// rulebook's own keywords, whatever the player's language.
type BlockResult struct {
	Game        string        `json:"game"`
	Seat        string        `json:"seat"`
	Round       int           `json:"round"`
	Result      string        `json:"result"`
	Outcome     string        `json:"outcome"`
	Orders      []string      `json:"orders"`
	Provisional bool          `json:"provisional"`
	Issues      []IssueResult `json:"issues"`
}

// IssueResult is something to tell about a line.
type IssueResult struct {
	Line int    `json:"line"`
	Code string `json:"code"`
	Text string `json:"text"`
}

// String is the text, with the line in front where it is of one.
func (i IssueResult) String() string {
	if i.Line == 0 {
		return i.Text
	}
	return fmt.Sprintf("line %d: %s", i.Line, i.Text)
}

// The results of a mail.
const (
	Taken       = "taken"       // orders, or a command, were carried out
	Held        = "held"        // waits for a confirmation
	Refused     = "refused"     // answered, nothing changed
	Dropped     = "dropped"     // no answer, nothing changed
	Duplicate   = "duplicate"   // it came before
	Quarantined = "quarantined" // it could not be handled; the game master was told
)

// Receive takes mails in. When it returns nil all are stored and handled, and
// may be flagged or moved; a second call with the same mails changes nothing.
// The results are in the mails' order.
func (d *Desk) Receive(ctx context.Context, mails []Incoming) ([]Result, error) {
	now := d.now()
	read := d.readAhead(ctx, mails)
	ids := make([]int64, len(mails))
	fresh := make([]bool, len(mails))
	err := d.store.Write(ctx, func(tx *store.Tx) (err error) {
		for i, m := range mails {
			l := store.Letter{Received: m.Received, Source: m.Place.Mailbox, Size: m.Size, Raw: m.Raw, Content: contentKey(m)}
			if ids[i], fresh[i], err = tx.StoreLetter(l, m.Place, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("storing mails: %w", err)
	}
	letters := <-read
	results := make([]Result, len(mails))
	err = d.handling(ctx, now, func(h *handling) error {
		// Also a fresh one may be: another process may have found it stored and not handled.
		handled, err := h.tx.Handled(ids)
		if err != nil {
			return err
		}
		for i, id := range ids {
			if handled[id] {
				results[i] = Result{Letter: id, Result: Duplicate, Reason: "same-mail", Blocks: []BlockResult{}, Issues: []IssueResult{}}
				d.log.Info("mail again", "mail", id)
				continue
			}
			l := store.Letter{ID: id, Received: mails[i].Received, Source: mails[i].Place.Mailbox, Size: mails[i].Size, Raw: mails[i].Raw}
			if !fresh[i] { // a crash has come between storing and handling
				stored, err := h.tx.Letter(id)
				if err != nil {
					return err
				}
				l.Received = stored.Received
			}
			if results[i], err = h.handle(l, handleOptions{fault: mails[i].Fault, read: &letters[i], first: true}); err != nil {
				return err
			}
			handled[id] = true
		}
		return nil
	})
	return results, err
}

// handling runs work on letters in one transaction, and logs what became of them
// when it is committed. Should something go wrong with a single letter, all is undone
// and done again with care; not when the program is being stopped, which is no
// letter's fault.
func (d *Desk) handling(ctx context.Context, now time.Time, f func(*handling) error) error {
	done, err := d.handleAll(ctx, now, newHaste(), f)
	if wrong := new(stumble); errors.As(err, &wrong) && ctx.Err() == nil {
		d.log.Warn("mails are handled with care", "mail", wrong.letter, "error", wrong.err)
		done, err = d.handleAll(ctx, now, nil, f)
	}
	if err != nil {
		return fmt.Errorf("handling mails: %w", err)
	}
	for _, r := range done {
		d.log.Info("mail", "mail", r.Letter, "result", r.Result, "reason", r.Reason, "blocks", len(r.Blocks))
	}
	return nil
}

func (d *Desk) handleAll(ctx context.Context, now time.Time, haste *haste, f func(*handling) error) (done []Result, err error) {
	err = d.store.Write(ctx, func(tx *store.Tx) error {
		h := d.newHandling(tx, now)
		h.haste = haste
		defer h.haste.wait()
		if err := f(h); err != nil {
			return err
		}
		done = h.done
		return h.settle()
	})
	return done, err
}

func (d *Desk) options() letter.Options {
	return letter.Options{Own: []string{d.set.Address}, AuthservIDs: d.set.AuthservIDs}
}

// readAhead reads mails side by side while they are stored.
func (d *Desk) readAhead(ctx context.Context, mails []Incoming) <-chan []letter.Letter {
	done := make(chan []letter.Letter, 1)
	go func() {
		out := make([]letter.Letter, len(mails))
		var all sync.WaitGroup
		for i, m := range mails {
			all.Go(func() { out[i] = d.read(ctx, m.Raw) })
		}
		all.Wait()
		done <- out
	}()
	return done
}

// read reads a mail and asks who signed it, before any transaction: it may take
// time.
func (d *Desk) read(ctx context.Context, raw []byte) letter.Letter {
	opt := d.options()
	if d.set.Signers != nil && raw != nil {
		err := guarded(func() error { opt.Signers = d.set.Signers(ctx, raw); return nil })
		if err != nil { // it vouches for nobody
			d.log.Error("signatures cannot be checked", "error", err)
		}
	}
	return letter.Read(raw, opt)
}

// recoverBatch bounds what is held in memory.
const recoverBatch = 100

// Recover handles the letters that were stored and not handled: what a crash
// between the two left behind.
func (d *Desk) Recover(ctx context.Context) error {
	for {
		var letters []store.Letter
		err := d.store.Read(ctx, func(tx *store.Tx) (err error) {
			letters, err = tx.Unhandled(recoverBatch)
			return err
		})
		if err != nil || len(letters) == 0 {
			return err
		}
		if _, err := d.again(ctx, letters, true); err != nil {
			return err
		}
	}
}

// Retry handles a letter once more, as if it came now for the first time; its
// arrival stays what it was.
func (d *Desk) Retry(ctx context.Context, id int64) (Result, error) {
	var l store.Letter
	err := d.store.Read(ctx, func(tx *store.Tx) (err error) {
		l, err = tx.Letter(id)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	if strings.HasPrefix(l.Content, unfetched) {
		return Result{}, fmt.Errorf("mail %d was never given by the mailbox, so there is nothing to read: move it into the inbox anew by a mail program", id)
	}
	results, err := d.again(ctx, []store.Letter{l}, false)
	if err != nil {
		return Result{}, err
	}
	return results[0], nil
}

// again handles stored letters; with once, no letter that somebody else has handled
// meanwhile, else at the game master's word.
func (d *Desk) again(ctx context.Context, letters []store.Letter, once bool) ([]Result, error) {
	results, read := make([]Result, len(letters)), make([]letter.Letter, len(letters))
	ids := make([]int64, len(letters))
	for i, l := range letters {
		ids[i], read[i] = l.ID, d.read(ctx, l.Raw)
	}
	err := d.handling(ctx, d.now(), func(h *handling) error {
		handled, err := h.tx.Handled(ids)
		if err != nil {
			return err
		}
		for i, l := range letters {
			switch {
			case once && handled[l.ID]:
				continue
			case !once:
				if err := h.tx.Audit("", "mail retry", itoa64(l.ID), h.at); err != nil {
					return err
				}
			}
			opt := handleOptions{read: &read[i]}
			if strings.HasPrefix(l.Content, unfetched) {
				opt.fault = "the mailbox did not give it"
			}
			if results[i], err = h.handle(l, opt); err != nil {
				return err
			}
		}
		return nil
	})
	return results, err
}

// unfetched is what the content of a mail is known by that its mailbox did not give.
const unfetched = "unfetched"

// contentKey knows the same mail again. One that was not fetched has only its
// place and size to go by; of one that is too large, where the beginning ends
// depends on what servers put before it.
func contentKey(m Incoming) string {
	switch {
	case m.Raw == nil:
		return fmt.Sprintf(unfetched+" %s %d %d %s %d", m.Place.Mailbox, m.Place.UIDValidity, m.Place.UID, m.Place.Name, m.Size)
	case m.Size > letter.MaxSize:
		return "large " + letter.HeadKey(m.Raw)
	}
	return letter.ContentKey(m.Raw)
}

// handling is the work on letters in one transaction.
type handling struct {
	*Desk
	tx       *store.Tx
	at       time.Time
	sittings map[string]*sitting
	done     []Result // of letters handled so far
	haste    *haste   // nil: each letter is handled by itself
}

func (d *Desk) newHandling(tx *store.Tx, now time.Time) *handling {
	return &handling{Desk: d, tx: tx, at: now, sittings: map[string]*sitting{}}
}

// sitting opens a game once a transaction.
func (h *handling) sitting(id string) (*sitting, error) {
	if s, ok := h.sittings[id]; ok {
		return s, nil
	}
	s, err := h.sit(h.tx, id)
	if err != nil {
		return nil, err
	}
	h.sittings[id] = s
	return s, nil
}

// handleOptions say what is known of a letter beside its bytes.
type handleOptions struct {
	first       bool      // it was never handled before
	confirmed   bool      // the sender has proved his mailbox
	confirmedAt time.Time // the arrival of the mail that did it
	quoted      bool      // the quoted lines are meant
	fault       string    // why its mailbox could not give it
	read        *letter.Letter
	// confirms is the Message-ID of the mail that confirmed: the answer goes to it.
	confirms string
}

// handle decides on one letter and records the outcome. What goes wrong with a
// single letter undoes that letter's work only: it is quarantined.
func (h *handling) handle(l store.Letter, opt handleOptions) (Result, error) {
	c := &correspondence{handling: h, letter: l, opt: opt}
	if h.haste != nil {
		if err := guarded(c.run); err != nil {
			return Result{}, &stumble{letter: l.ID, err: err}
		}
	} else if err := h.tx.Savepoint(c.run); err != nil {
		h.log.Error("mail cannot be handled", "mail", l.ID, "error", err)
		read := c.read
		h.sittings = map[string]*sitting{} // what was undone may stand in them
		c = &correspondence{handling: h, letter: l, read: read, result: Quarantined, reason: "failed"}
		if err := h.tellQuarantined(report.Alert{Code: "quarantined", Mail: itoa64(l.ID), Detail: err.Error()}); err != nil {
			return Result{}, err
		}
	}
	r := c.outcome()
	detail, err := json.Marshal(r)
	if err != nil {
		return r, fmt.Errorf("recording mail %d: %w", l.ID, err)
	}
	err = h.tx.AddOutcome(store.Outcome{Letter: l.ID, Result: r.Result, Reason: r.Reason,
		Sender: c.read.From, Subject: c.read.Subject, Detail: string(detail), Handled: h.at})
	h.done = append(h.done, r)
	return r, err
}

// correspondence is one letter and the answer that grows to it.
type correspondence struct {
	*handling
	letter store.Letter
	opt    handleOptions
	read   letter.Letter
	text   orders.Text

	player   store.Player // ID 0: a stranger
	lang     string
	zone     *time.Location
	seats    []store.Seat // the player's
	tags     []tag        // what came back of our own marks
	proven   bool         // a token proves the sender
	answer   answer
	blocks   []BlockResult
	issues   []IssueResult
	result   string
	reason   string
	answered string // Message-ID of the answer
}

func (c *correspondence) outcome() Result {
	r := Result{Letter: c.letter.ID, Result: c.result, Reason: c.reason, Blocks: c.blocks, Issues: c.issues,
		Verdict: strings.TrimSpace(string(c.read.Verdict) + " " + c.read.VerdictWhy)}
	if r.Blocks == nil {
		r.Blocks = []BlockResult{}
	}
	if r.Issues == nil {
		r.Issues = []IssueResult{}
	}
	if c.answered != "" {
		r.Answer = &c.answered
	}
	if !c.opt.confirmedAt.IsZero() {
		r.Confirmed = &c.opt.confirmedAt
	}
	return r
}

// note raises the mail's result: what changed something outweighs what waits,
// that what was refused.
func (c *correspondence) note(result, reason string) {
	rank := map[string]int{"": 0, Dropped: 1, Refused: 2, Held: 3, Taken: 4}
	if rank[result] > rank[c.result] {
		c.result, c.reason = result, reason
	}
}

// run handles the letter.
func (c *correspondence) run() error {
	if c.opt.fault != "" {
		c.result, c.reason = Quarantined, unfetched
		return c.tellQuarantined(report.Alert{Code: "unfetched", Mail: itoa64(c.letter.ID), Detail: c.opt.fault,
			Arrived: report.When(c.set.Lang, c.Desk.zone(c.set.TimeZone), c.letter.Received)})
	}
	if c.letter.Raw == nil || len(c.letter.Raw) == 0 && c.letter.Size > 0 {
		c.note(Dropped, "too-large") // nobody can be told: its sender is unread
		return nil
	}
	c.read = *c.opt.read
	if c.letter.Size > letter.MaxSize { // its beginning alone was fetched
		c.read.Problem, c.read.Lines, c.read.Quoted = letter.ProblemTooLarge, nil, nil
	}
	if c.read.Automatic != "" {
		c.note(Dropped, "automatic: "+c.read.Automatic)
		return c.bounce()
	}
	if c.read.Problem == letter.ProblemUnread { // such a mail has no sender either
		return c.quarantine(c.read.Problem)
	}
	if c.read.From == "" {
		c.note(Dropped, "no-sender")
		return nil
	}
	if err := c.identify(); err != nil {
		return err
	}
	c.text = orders.Parse(lines(c.read.Lines))
	if c.opt.quoted {
		c.text = orders.Text{Blocks: c.quotedBlocks()}
	}
	if c.player.ID == 0 {
		c.lang = or(c.spoken(), c.lang)
	}
	c.issues = c.issueResults("", c.text.Issues)
	if err := c.confirmations(); err != nil {
		return err
	}
	if c.player.ID == 0 && unread(c.read.Problem) {
		c.note(Dropped, c.read.Problem)
		return nil
	}
	if c.player.ID == 0 {
		if err := c.stranger(); err != nil {
			return err
		}
		return c.send()
	}
	if len(c.text.Issues) > 0 {
		c.answer.add("loose", report.Loose{Issues: c.told(c.text.Issues)})
	}
	if p := c.read.Problem; p != "" && p != "empty" {
		c.refuse(refusal{Code: p})
		return c.send()
	}
	if err := c.orderBlocks(); err != nil {
		return err
	}
	if err := c.press(); err != nil {
		return err
	}
	if err := c.commands(); err != nil {
		return err
	}
	if c.result == "" {
		if err := c.nothingFound(); err != nil {
			return err
		}
	}
	return c.send()
}

// unread reports whether a letter was archived unread: of that only players are
// told.
func unread(problem string) bool {
	return problem == letter.ProblemTooLarge || problem == letter.ProblemTooMany || problem == letter.ProblemTooDeep
}

// quarantine sets a letter aside for the game master.
func (c *correspondence) quarantine(why string) error {
	c.result, c.reason = Quarantined, "unreadable"
	return c.tellQuarantined(report.Alert{Code: "quarantined", Mail: itoa64(c.letter.ID), Detail: why})
}

// quarantinesADay is of how many mails set aside the game master is told one by
// one; the day's digest counts them all.
const quarantinesADay = 20

func (h *handling) tellQuarantined(a report.Alert) error {
	n, err := h.tx.Count("quarantined", h.at, day)
	switch {
	case err != nil || n > quarantinesADay+1:
		return err
	case n > quarantinesADay:
		return h.alert("cap", "", 0, "", "quarantined", fmt.Sprintf("mails set aside: %d a day", quarantinesADay))
	}
	return h.Desk.alert(h.tx, a, h.at)
}

func lines(in []letter.Line) []orders.Line {
	out := make([]orders.Line, len(in))
	for i, l := range in {
		out[i] = orders.Line{N: l.N, Text: l.Text}
	}
	return out
}

// found reports whether the store knows a thing; other errors stay.
func found(err error) (bool, error) {
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
