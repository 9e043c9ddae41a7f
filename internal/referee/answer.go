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
	var before []store.Outcome
	if !c.opt.first {
		var err error
		if before, err = c.tx.Outcomes(c.letter.ID); err != nil {
			return err
		}
	}
	return c.sendAs("answer/" + itoa64(c.letter.ID) + "/" + itoa(len(before)))
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

// delay makes a receipt above the player's budget wait for the next full hour, and
// tells the game master.
func (c *correspondence) delay(m *mail) error {
	if !c.answer.ordered() || c.letter.ID == 0 {
		return nil
	}
	n, err := c.tx.Count("receipt/"+itoa64(c.player.ID), c.at, day)
	if err != nil || n <= receiptsADay {
		return err
	}
	m.due = c.at.Truncate(time.Hour).Add(time.Hour)
	if n > receiptsADay+1 {
		return nil
	}
	return c.reached("receipts", receiptsADay)
}

// mayAnswer keeps a loop of machines from becoming a flood. What was asked for is
// done all the same; only the answer stays out, and the game master is told.
func (c *correspondence) mayAnswer() (bool, error) {
	if c.player.ID == 0 || c.answer.ordered() {
		return true, nil
	}
	kind, what, limit := "answer", "answers", answersADay
	if c.answer.held {
		kind, what, limit = "held", "requests to confirm", heldADay
	}
	n, err := c.tx.Count(kind+"/"+itoa64(c.player.ID), c.at, day)
	if err != nil || n <= limit {
		return err == nil, err
	}
	c.reason += ", unanswered: cap"
	if n == limit+1 {
		return false, c.reached(what, limit)
	}
	return false, nil
}

// reached tells the game master of a cap on what goes to one player.
func (c *correspondence) reached(what string, limit int) error {
	return c.alert("cap", "", 0, "", c.goal(), fmt.Sprintf("%d %s a day to %s", limit, what, c.goal()))
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
	receipts, lang := c.answer.receipts, c.lang
	c.answered = c.messageID(cause)
	return c.post(m, func(m *mail) error {
		for _, r := range receipts {
			if err := r.word(c.Desk, lang); err != nil {
				return err
			}
		}
		for _, p := range parts {
			text, err := c.render(lang, p)
			if err != nil {
				return err
			}
			m.parts = append(m.parts, text)
		}
		return nil
	})
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
	o, err := d.outgoing(m, now)
	if err != nil {
		return "", err
	}
	return o.MessageID, d.enqueue(tx, o)
}

// enqueue enters a mail, unless there is one of its cause.
func (d *Desk) enqueue(tx *store.Tx, o store.Outgoing) error {
	fresh, err := tx.AddOutgoing(o)
	if err == nil && fresh {
		d.log.Info("mail queued", "kind", o.Kind, "game", o.Game, "round", o.Round, "seat", o.Seat, "cause", o.Cause)
	}
	return err
}

// outgoing makes the mail as the queue holds it.
func (d *Desk) outgoing(m mail, now time.Time) (store.Outgoing, error) {
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
		return store.Outgoing{}, err
	}
	foot, err := d.foot(m)
	if err != nil {
		return store.Outgoing{}, err
	}
	if m.inReplyTo == "" {
		m.inReplyTo = m.thread
	}
	if m.thread != "" && !slices.Contains(m.refs, m.thread) {
		m.refs = append([]string{m.thread}, m.refs...)
	}
	return store.Outgoing{
		Cause: m.cause, Kind: m.kind, Game: m.game, Round: m.round, Seat: m.seat, To: m.to,
		MessageID: d.messageID(m.cause), ReplyTo: replyTo, InReplyTo: m.inReplyTo, Refs: references(m.refs, m.inReplyTo),
		Subject: subject, Lang: m.lang, Head: report.Join(m.parts...), BodyID: m.body,
		Foot: report.Join(append(m.after, foot)...), Automatic: m.automatic, Deadline: m.deadline, Covers: m.covers, Slots: m.slots, Created: now, Due: m.due,
	}, nil
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
	cause := strings.Join([]string{"alert", a.Code, a.Game, itoa(a.Round), a.Mail}, "/")
	if a.Mail == "" && a.Round == 0 {
		cause += "/" + or(a.To, a.Since) + "/" + now.UTC().Format(time.DateOnly) // such news is worth one mail a day
	}
	if a.Times > 0 {
		cause += "/" + itoa(a.Times)
	}
	_, err := tx.OutgoingOf(cause)
	if told, err := found(err); err != nil || told {
		return err
	}
	a.When = report.When(d.set.Lang, d.zone(d.set.TimeZone), now)
	a.Detail = strings.Join(strings.Fields(a.Detail), " ")
	text, err := d.words.Render(d.set.Lang, report.Common, "alert", a)
	if err != nil {
		return err
	}
	_, err = d.queue(tx, mail{cause: cause, kind: "alert", to: d.set.GM, lang: d.set.Lang, automatic: "auto-generated",
		subject: report.Subject{Game: a.Game, Round: a.Round, Code: a.Code}, parts: []string{text}}, now)
	d.log.Warn("alert", "code", a.Code, "game", a.Game, "round", a.Round, "mail", a.Mail)
	return err
}
