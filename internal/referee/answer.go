package referee

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

func itoa(n int) string { return strconv.Itoa(n) }

func itoa64(n int64) string { return strconv.FormatInt(n, 10) }

// atoi reads a round number of at most nine digits.
func atoi(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && len(s) < 10
}

// answer grows while a letter is handled: sections in the order in which the
// letter asked for them.
type answer struct {
	parts    []part
	receipts []*receipt
	held     bool
}

// receipt is a part that grows with the blocks of a mail.
type receipt struct {
	report.Receipt
	sitting *sitting
	seat    game.SeatID
	closed  bool // when it is late: what comes now would be, too
}

// part is a section to render, or a text that is rendered already.
type part struct {
	ruleset  string // "" for the common words
	template string
	data     any
	text     string
}

func (a *answer) add(template string, data any) {
	a.parts = append(a.parts, part{template: template, data: data})
}

// addOnce is add for what is said once a mail, the last time being right.
func (a *answer) addOnce(template string, data any) {
	a.parts = slices.DeleteFunc(a.parts, func(p part) bool { return p.template == template })
	a.add(template, data)
}

func (a *answer) game(ruleset, template string, data any) {
	a.parts = append(a.parts, part{ruleset: ruleset, template: template, data: data})
}

func (a *answer) view(ruleset string, v game.View) { a.game(ruleset, v.Template, v.Data()) }

func (a *answer) text(s string) { a.parts = append(a.parts, part{text: s}) }

// receiptFor is the mail's receipt for a seat and round, begun when it is asked for
// the first time; its issues are worded by the game's own templates.
func (a *answer) receiptFor(s *sitting, seat store.Seat, round int) *receipt {
	for _, r := range a.receipts {
		if r.Game == s.ID && r.seat == seat.ID && r.Round == round {
			return r
		}
	}
	r := &receipt{Receipt: report.Receipt{Game: s.ID, Title: s.Title, Seat: seat.Name, Round: round}, sitting: s, seat: seat.ID}
	a.receipts = append(a.receipts, r)
	a.game(s.Ruleset, "receipt", r)
	return r
}

// add adds a block. One for the same slots as an earlier one of the mail replaces
// it, and what was wrong with that stays told.
func (r *receipt) add(b report.ReceiptBlock) {
	i := slices.IndexFunc(r.Blocks, func(o report.ReceiptBlock) bool {
		return counts(o) && counts(b) && slices.Equal(o.Slots, b.Slots)
	})
	if i >= 0 {
		b.Issues = slices.Concat(r.Blocks[i].Issues, b.Issues)
		r.Blocks = slices.Delete(r.Blocks, i, i+1)
	}
	r.Blocks = append(r.Blocks, b)
}

// counts reports whether a block's orders are on file for the open round.
func counts(b report.ReceiptBlock) bool {
	return slices.Contains([]string{"taken", "unchanged", "provisional"}, b.Outcome)
}

// ordered reports whether there is a receipt of something that was filled in.
func (a *answer) ordered() bool {
	return slices.ContainsFunc(a.receipts, func(r *receipt) bool { return r.Foremost() != "unfilled" })
}

// foremost is the receipt with the outcome that its reader must know of first; of
// several the first, an empty one when there is none.
func (a *answer) foremost() report.Receipt {
	for _, outcome := range report.Outcomes() {
		for _, r := range a.receipts {
			if r.Foremost() == outcome {
				return r.Receipt
			}
		}
	}
	return report.Receipt{}
}

// finishReceipts adds what is said once a receipt: what else is on file, and the
// block to fill in.
func (c *correspondence) finishReceipts() error {
	for _, r := range c.answer.receipts {
		if err := c.finishReceipt(r); err != nil {
			return err
		}
	}
	return nil
}

func (c *correspondence) finishReceipt(r *receipt) error {
	s, outcome := r.sitting, r.Foremost()
	if r.Round <= s.Round { // nobody knows yet when a round ahead will close
		r.Deadline = c.deadline(s)
	}
	f, err := c.file(s, r.seat, r.Round)
	if err != nil {
		return err
	}
	if outcome != "late" {
		r.Also, r.Standing = nil, nil
		for _, o := range f.sent {
			if !r.speaksOf(o.Slot) {
				r.Also = append(r.Also, c.worded(o.Lines[:min(1, len(o.Lines))])...)
			}
		}
		for _, slip := range f.standing {
			if !r.speaksOf(slip.Slot) {
				r.Standing = append(r.Standing, c.worded(slip.Lines[:min(1, len(slip.Lines))])...)
			}
		}
	}
	if outcome == "early" || r.closed { // else the block to fill in would come too late again
		return nil
	}
	r.Briefing, err = c.briefing(s, r.seat, c.lang, sentBy(r.seat, f.sent))
	return err
}

// speaksOf reports whether a receipt shows what counts in a slot.
func (r *receipt) speaksOf(slot string) bool {
	return slices.ContainsFunc(r.Parts(), func(p report.ReceiptPart) bool { return slices.Contains(p.Slots, slot) })
}

// render puts the parts into words.
func (d *Desk) render(lang string, p part) (string, error) {
	if p.text != "" {
		return p.text, nil
	}
	folder := p.ruleset
	if folder == "" {
		folder = report.Common
	}
	return d.words.Render(lang, folder, p.template, p.data)
}

// send queues the answer, if there is one to give.
func (c *correspondence) send() error {
	if len(c.answer.parts) == 0 {
		if c.result == "" {
			c.note(Dropped, "nothing-to-do")
		}
		return nil
	}
	if ok, err := c.mayAnswer(); err != nil || !ok {
		return err
	}
	done, err := c.tx.Outcomes(c.letter.ID)
	if err != nil {
		return err
	}
	return c.sendAs("answer/" + itoa64(c.letter.ID) + "/" + itoa(len(done)))
}

// Caps on answers to one player, a day. Receipts are never dropped: each mail with
// orders is answered. Those above the budget wait until the hour is over, when the
// last of them stands for all. The ready block sent back unfilled is no order: a
// machine may do that.
const (
	answersADay  = 40
	heldADay     = 20
	receiptsADay = 40
)

// delay makes a receipt above the player's budget wait for the next full hour.
func (c *correspondence) delay(m *mail) error {
	if !c.answer.ordered() || c.letter.ID == 0 {
		return nil
	}
	n, err := c.tx.Count("receipt/"+itoa64(c.player.ID), c.at, day)
	if err == nil && n > receiptsADay {
		m.due = c.at.Truncate(time.Hour).Add(time.Hour)
	}
	return err
}

// mayAnswer keeps a loop of machines from becoming a flood. What was asked for is
// done all the same; only the answer stays out, and the game master is told.
func (c *correspondence) mayAnswer() (bool, error) {
	if c.player.ID == 0 || c.answer.ordered() {
		return true, nil
	}
	kind, limit := "answer", answersADay
	if c.answer.held {
		kind, limit = "held", heldADay
	}
	n, err := c.tx.Count(kind+"/"+itoa64(c.player.ID), c.at, day)
	if err != nil || n <= limit {
		return err == nil, err
	}
	c.reason += ", unanswered: cap"
	if n == limit+1 {
		return false, c.alert("cap", "", 0, "", c.goal(), fmt.Sprintf("%d %ss a day to one player", limit, kind))
	}
	return false, nil
}

// sendAs queues the answer under a cause.
func (c *correspondence) sendAs(cause string) error {
	r := c.answer.foremost()
	m := mail{
		cause:     cause,
		kind:      "answer",
		to:        c.goal(),
		lang:      c.lang,
		automatic: "auto-replied",
		inReplyTo: c.read.MessageID,
		refs:      c.read.References,
		subject:   report.Subject{Game: r.Game, Title: r.Title, Seat: r.Seat, Round: r.Round, Outcome: r.Foremost()},
	}
	if c.opt.confirms != "" {
		m.inReplyTo = c.opt.confirms
		m.refs = append(slices.Clone(m.refs), c.read.MessageID)
	}
	switch {
	case len(c.answer.receipts) > 0:
		m.kind = "receipt"
	case c.answer.held:
		m.kind = "held"
	}
	if err := c.tagAnswer(&m); err != nil {
		return err
	}
	if err := c.replace(&m); err != nil {
		return err
	}
	if err := c.delay(&m); err != nil {
		return err
	}
	parts := append([]part{{template: "head", data: report.Head{Player: c.playerName(), Foremost: m.subject.Outcome}}}, c.answer.parts...)
	for _, p := range parts {
		text, err := c.render(c.lang, p)
		if err != nil {
			return err
		}
		m.parts = append(m.parts, text)
	}
	var err error
	c.answered, err = c.queue(c.tx, m, c.at)
	return err
}

// maxNamed is how many mails a receipt names one by one.
const maxNamed = 5

// covers are the slots for which the receipt shows what is on file, none when it is
// of a block that could not be read at all or came too late.
func (r *receipt) covers() []string {
	var slots []string
	for _, p := range r.Parts() {
		if !counts(p.ReceiptBlock) && p.Outcome != "kept" {
			return nil
		}
	}
	for _, b := range r.Blocks {
		switch {
		case b.Outcome == "unfilled":
		case len(b.Slots) == 0:
			return nil
		default:
			slots = append(slots, b.Slots...)
		}
	}
	slices.Sort(slots)
	return slices.Compact(slots)
}

// replace takes back unsent receipts that this one stands for too, since it is about
// all that they are about: each mail with orders has one receipt. One that answers
// anything else beside stands for itself.
func (c *correspondence) replace(m *mail) error {
	if len(c.answer.receipts) != 1 || len(c.answer.parts) != 1 || c.letter.ID == 0 {
		return nil
	}
	r := c.answer.receipts[0]
	if m.slots = r.covers(); r.Round != m.round || len(m.slots) == 0 {
		return nil
	}
	m.covers = []time.Time{c.letter.Received}
	older, err := c.tx.Replaced(store.Outgoing{Kind: m.kind, Game: m.game, Round: m.round, Seat: m.seat, To: m.to, Slots: m.slots, MessageID: c.messageID(m.cause)})
	if err != nil || len(older) == 0 {
		return err
	}
	m.covers = append(older, m.covers...)
	also := report.Covers{Count: len(older)}
	if len(older) > maxNamed {
		older = []time.Time{older[0], older[len(older)-1]}
	}
	for _, t := range older {
		also.Mails = append(also.Mails, report.When(c.lang, c.zone, t))
	}
	c.answer.parts = append(c.answer.parts, part{template: "covers", data: also})
	return nil
}

// playerName is how the player is addressed: by his boxer, since Ringpost does
// not ask for a person's name.
func (c *correspondence) playerName() string {
	if len(c.answer.receipts) > 0 {
		return c.answer.receipts[0].Seat
	}
	if len(c.seats) > 0 {
		return c.seats[0].Name
	}
	return ""
}

// tagAnswer gives the answer the token of the game it speaks of, or of the only
// game its reader plays.
func (c *correspondence) tagAnswer(m *mail) error {
	if c.player.ID == 0 {
		return nil
	}
	mine, err := c.ownGames()
	if err != nil {
		return err
	}
	mine = slices.DeleteFunc(mine, func(s *sitting) bool {
		return !s.open() || len(c.ownSeats(s)) == 0 || m.subject.Game != "" && s.ID != m.subject.Game
	})
	if len(mine) != 1 {
		return nil
	}
	s := mine[0]
	m.game, m.round, m.seat = s.ID, s.Round, c.ownSeats(s)[0].ID
	if len(c.answer.receipts) > 0 {
		for _, x := range c.ownSeats(s) {
			if x.Name == m.subject.Seat {
				m.seat = x.ID
			}
		}
	}
	m.token, m.thread = c.token(s.Game, m.seat, s.Round), c.thread(s, m.seat)
	return nil
}

// thread is the Message-ID of the mail that opened the round for a seat: what
// belongs to the round hangs on it.
func (d *Desk) thread(s *sitting, seat game.SeatID) string {
	return d.messageID(reportCause(s.step, seat))
}

// reportCause is why a report is mailed: a step of a game, and a seat.
func reportCause(step store.Step, seat game.SeatID) string {
	return fmt.Sprintf("report/%s/%d/%d/%d/%s", step.Game, step.Branch, step.Round, step.Step, seat)
}

// issueResults words issues for the program's output.
func (c *correspondence) issueResults(ruleset string, issues []game.Issue) []IssueResult {
	out := []IssueResult{}
	if ruleset == "" {
		ruleset = report.Common
	}
	for _, i := range issues {
		text, err := c.words.Render(c.lang, ruleset, "issue."+i.Code, i)
		if err != nil {
			c.log.Error("no words for an issue", "code", i.Code, "error", err)
		}
		out = append(out, IssueResult{Line: i.Line, Code: i.Code, Text: strings.Join(strings.Fields(text), " ")})
	}
	return out
}

// mail is a mail to queue.
type mail struct {
	cause     string
	kind      string // "receipt", "answer", "held", "report", "start", "notice", "reminder", "press", "alert", "digest"
	game      string
	round     int
	seat      game.SeatID
	token     string // of that seat and round; "" for none
	to        string
	lang      string
	subject   report.Subject
	parts     []string // in order
	body      int64    // shared text behind the parts; 0 for none
	after     []string // behind the body
	automatic string   // RFC 3834
	inReplyTo string
	refs      []string
	thread    string    // Message-ID of the mail that opened the round
	deadline  time.Time // goes along as a calendar's event
	covers    []time.Time
	slots     []string  // that a receipt is about
	due       time.Time // not to be sent before; zero for at once
}

// queue puts a mail into the outbox and gives its Message-ID. One of the same
// cause is queued once.
func (d *Desk) queue(tx *store.Tx, m mail, now time.Time) (string, error) {
	if m.subject.Game == "" {
		m.subject.Game = m.game
	}
	tag, replyTo := "", d.set.Address
	if m.token != "" {
		tag = report.Tag(m.game, m.round, m.token)
		if d.set.PlusAddresses {
			local, domain, _ := strings.Cut(d.set.Address, "@")
			replyTo = local + "+" + plusDetail(m.game, m.round, m.token) + "@" + domain
		}
	}
	subject, err := d.words.Subject(m.lang, m.kind, m.subject, tag)
	if err != nil {
		return "", err
	}
	foot, err := d.foot(m)
	if err != nil {
		return "", err
	}
	if m.inReplyTo == "" {
		m.inReplyTo = m.thread
	}
	if m.thread != "" && !slices.Contains(m.refs, m.thread) {
		m.refs = append([]string{m.thread}, m.refs...)
	}
	id := d.messageID(m.cause)
	o := store.Outgoing{
		Cause: m.cause, Kind: m.kind, Game: m.game, Round: m.round, Seat: m.seat, To: m.to,
		MessageID: id, ReplyTo: replyTo, InReplyTo: m.inReplyTo, Refs: references(m.refs, m.inReplyTo),
		Subject: subject, Lang: m.lang, Head: report.Join(m.parts...), BodyID: m.body,
		Foot: report.Join(append(m.after, foot)...), Automatic: m.automatic, Deadline: m.deadline, Covers: m.covers, Slots: m.slots, Created: now, Due: m.due,
	}
	fresh, err := tx.AddOutgoing(o)
	if err != nil {
		return "", err
	}
	if fresh {
		d.log.Info("mail queued", "kind", m.kind, "game", m.game, "round", m.round, "seat", m.seat, "cause", m.cause)
	}
	return id, nil
}

// references continues a thread: at most the last ten mails of it (RFC 5322
// 3.6.4 bounds nothing, mail servers do).
func references(refs []string, last string) string {
	all := slices.Clone(refs)
	if last != "" && !slices.Contains(all, last) {
		all = append(all, last)
	}
	if len(all) > 10 {
		all = all[len(all)-10:]
	}
	return strings.Join(all, " ")
}

// alert tells the game master something, once.
func (h *handling) alert(code, gameID string, round int, mailID, to, detail string) error {
	return h.Desk.alert(h.tx, report.Alert{Code: code, Game: gameID, Round: round, Mail: mailID, To: to, Detail: detail}, h.at)
}

func (d *Desk) alert(tx *store.Tx, a report.Alert, now time.Time) error {
	a.When = report.When(d.set.Lang, d.zone(d.set.TimeZone), now)
	a.Detail = strings.Join(strings.Fields(a.Detail), " ")
	text, err := d.words.Render(d.set.Lang, report.Common, "alert", a)
	if err != nil {
		return err
	}
	cause := strings.Join([]string{"alert", a.Code, a.Game, itoa(a.Round), a.Mail}, "/")
	if a.Mail == "" && a.Round == 0 {
		cause += "/" + a.To + "/" + now.UTC().Format(time.DateOnly) // such news is worth one mail a day
	}
	_, err = d.queue(tx, mail{cause: cause, kind: "alert", to: d.set.GM, lang: d.set.Lang, automatic: "auto-generated",
		subject: report.Subject{Game: a.Game, Round: a.Round, Code: a.Code}, parts: []string{text}}, now)
	d.log.Warn("alert", "code", a.Code, "game", a.Game, "round", a.Round, "mail", a.Mail)
	return err
}
