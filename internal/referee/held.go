package referee

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// HoldTime is how long a confirmation is waited for.
const HoldTime = 72 * time.Hour

// maxWrong is the number of wrong codes that void what waits.
const maxWrong = 5

// codeLength is that of a code, in characters.
const codeLength = 10

const day = 24 * time.Hour

// hold asks for a confirmation before a block's orders count.
func (c *correspondence) hold(s *sitting, seat store.Seat, b game.Block) error {
	slips, issues, err := s.table.Read(seat.ID, b)
	if err != nil {
		return err
	}
	var shown, plain []string
	for _, slip := range slips {
		shown = append(shown, c.worded(slip.Lines)...)
		for _, l := range slip.Lines {
			plain = append(plain, lineIn(orders.German, l))
		}
	}
	if plain == nil {
		plain = []string{}
	}
	round, _ := c.when(s, b.Round, c.letter.Received)
	c.blocks = append(c.blocks, BlockResult{Game: s.ID, Seat: seat.Name, Round: round, Result: Held, Outcome: Held, Orders: plain,
		Issues: c.issueResults(s.Ruleset, append(b.Issues, issues...))})
	return c.holdLetter("sender", s, seat.Name, shown)
}

// quotedBlocks are the orders that stood inside quotes: of each name the first,
// since threads quote the older mails below the newer ones.
func (c *correspondence) quotedBlocks() []game.Block {
	var out []game.Block
	for _, b := range orders.Parse(lines(c.read.Quoted)).Blocks {
		if orders.FilledIn(b) && !slices.ContainsFunc(out, func(o game.Block) bool {
			return strings.EqualFold(o.Game, b.Game) && game.Fold(o.Name) == game.Fold(b.Name) && o.Manager == b.Manager
		}) {
			out = append(out, b)
		}
	}
	return out
}

// holdQuoted shows what stood inside a quote and asks whether it is meant.
func (c *correspondence) holdQuoted(blocks []game.Block) error {
	for _, b := range blocks {
		s, seat, no, err := c.place(b)
		if err != nil {
			return err
		}
		if no != nil {
			continue
		}
		slips, _, err := s.table.Read(seat.ID, b)
		if err != nil {
			return err
		}
		var shown []string
		for _, slip := range slips {
			shown = append(shown, c.worded(slip.Lines)...)
		}
		if len(shown) == 0 {
			continue
		}
		if err := c.holdLetter("quoted", s, seat.Name, shown); err != nil {
			return err
		}
	}
	if !c.answer.held {
		c.refuse(refusal{Code: "no-orders"})
	}
	return nil
}

// holdLetter makes the letter wait and sends the code that releases it. A letter
// waits once, however much of it has to. s is nil for what concerns no game.
func (c *correspondence) holdLetter(reason string, s *sitting, name string, shown []string) error {
	c.note(Held, reason)
	if s != nil && reason == "join" && c.player.ID == 0 {
		c.lang, c.zone = or(c.spoken(), s.Lang), c.Desk.zone(s.TZ)
	}
	h := report.Held{Reason: reason, Seat: name, Lines: shown, Code: c.code(c.goal()), Until: report.When(c.lang, c.zone, c.at.Add(HoldTime))}
	if s != nil {
		h.Game, h.Deadline = s.ID, c.deadline(s)
	}
	if !c.answer.held {
		if err := c.wait(c.goal(), reason); err != nil {
			return err
		}
	}
	c.answer.hold(h)
	return nil
}

// hold adds what waits. Several blocks for one seat wait together.
func (a *answer) hold(h report.Held) {
	a.held = true
	for i, p := range a.parts {
		o, ok := p.data.(report.Held)
		if ok && o.Reason == h.Reason && o.Game == h.Game && o.Seat == h.Seat {
			o.Lines = withBlock(o.Lines, h.Lines)
			a.parts[i].data = o
			return
		}
	}
	a.add("held", h)
}

// wait makes the letter wait for a code that goes to an address. Handled once more, it
// no longer waits for the one before, which is the same.
func (c *correspondence) wait(address, purpose string) error {
	if !c.opt.first {
		before, err := c.tx.HeldOf(c.letter.ID)
		if err != nil {
			return err
		}
		for _, h := range before {
			if h.State != store.HeldWaiting || h.Address != letter.Normalize(address) {
				continue
			}
			if err := c.tx.SetHeld(h.ID, store.HeldVoid, h.Wrong); err != nil {
				return err
			}
		}
	}
	return c.tx.AddHeld(store.Held{Code: codeHash(c.code(address)), Letter: c.letter.ID, Address: letter.Normalize(address),
		Purpose: purpose, Expires: c.at.Add(HoldTime)})
}

// code is the letter's own: it proves the mailbox it is sent to.
func (c *correspondence) code(address string) string {
	m := c.mac("code/" + itoa64(c.letter.ID) + "/" + letter.Normalize(address))
	return readable.EncodeToString(m[:])[:codeLength]
}

// goal is where the answer goes.
func (c *correspondence) goal() string {
	if c.player.ID == 0 {
		return c.read.From
	}
	return home(c.player, c.read.From)
}

func codeHash(code string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(code)))
	return hex.EncodeToString(sum[:])
}

// confirmations releases what the letter's codes confirm. The code proves the
// mailbox, whatever the verdict on this letter.
func (c *correspondence) confirmations() error {
	for _, cmd := range c.text.Commands {
		if cmd.Keyword != game.KeyYes || len(cmd.Args) != codeLength {
			continue // "Ja bestimmt" is no code
		}
		if err := c.confirm(cmd); err != nil {
			return err
		}
	}
	return nil
}

func (c *correspondence) confirm(cmd orders.Command) error {
	waiting, err := c.waiting()
	if err != nil {
		return err
	}
	hash := codeHash(cmd.Args)
	for _, w := range waiting {
		if subtle.ConstantTimeCompare([]byte(w.Code), []byte(hash)) != 1 {
			continue
		}
		if !c.at.Before(w.Expires) {
			c.refuse(refusal{Line: cmd.Line, Code: "code-expired"})
			return nil
		}
		if err := c.tx.SetHeld(w.ID, store.HeldConfirmed, w.Wrong); err != nil {
			return err
		}
		c.note(Taken, "confirmed")
		if w.Purpose == "address" {
			return c.confirmAddress(w)
		}
		l, err := c.tx.Letter(w.Letter)
		if err != nil {
			return err
		}
		read := letter.Read(l.Raw, c.options())
		// The released letter is handled and answered as if it came now; its
		// arrival stays what it was.
		r, err := c.handling.handle(l, handleOptions{read: &read, confirmed: true, confirmedAt: c.letter.Received, quoted: w.Purpose == "quoted", confirms: c.read.MessageID})
		if err != nil {
			return err
		}
		c.blocks = append(c.blocks, r.Blocks...)
		if r.Answer != nil { // it answers this mail too
			c.answered = *r.Answer
		}
		return c.identify() // a confirmed sign-up has made him a player
	}
	for _, w := range waiting {
		state := store.HeldWaiting
		if w.Wrong+1 >= maxWrong {
			state = store.HeldVoid
		}
		if err := c.tx.SetHeld(w.ID, state, w.Wrong+1); err != nil {
			return err
		}
	}
	if len(waiting) > 0 || c.player.ID != 0 {
		c.refuse(refusal{Line: cmd.Line, Code: "wrong-code"})
	}
	return nil
}

// waiting is what waits for a code from this sender, at any of his addresses.
func (c *correspondence) waiting() ([]store.Held, error) {
	addresses := c.player.Addresses
	if c.player.ID == 0 {
		addresses = []string{c.read.From}
	}
	var out []store.Held
	for _, a := range addresses {
		held, err := c.tx.HeldFor(letter.Normalize(a))
		if err != nil {
			return nil, err
		}
		out = append(out, held...)
	}
	return out, nil
}

// Expire ends what has waited too long for its confirmation, and tells players so.
// Strangers are not written to: they may never have asked for anything.
func (d *Desk) Expire(ctx context.Context) error {
	return d.store.Write(ctx, func(tx *store.Tx) error {
		now := d.now()
		old, err := tx.HeldExpired(now)
		if err != nil {
			return err
		}
		for _, w := range old {
			if err := tx.SetHeld(w.ID, store.HeldExpired, w.Wrong); err != nil {
				return err
			}
			d.log.Info("held mail expired", "mail", w.Letter)
			p, err := tx.PlayerAt(w.Address)
			if ok, err := found(err); err != nil {
				return err
			} else if !ok {
				continue
			}
			n, err := d.lapsed(tx, w, p)
			if err != nil {
				return err
			}
			text, err := d.words.Render(p.Lang, report.Common, "notice", n)
			if err != nil {
				return err
			}
			_, err = d.queue(tx, mail{cause: "expired/" + itoa64(w.ID), kind: "notice", to: home(p, w.Address), lang: p.Lang,
				automatic: "auto-generated", subject: report.Subject{Game: n.Game, Code: "expired"}, parts: []string{text}}, now)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// lapsed says what waited in vain: a mail by its arrival and, where it ordered for
// one seat, by that.
func (d *Desk) lapsed(tx *store.Tx, w store.Held, p store.Player) (report.Notice, error) {
	n := report.Notice{Code: "expired", Reason: w.Purpose}
	l, err := tx.Letter(w.Letter)
	if err != nil {
		return n, err
	}
	n.Arrived = report.When(p.Lang, d.zone(p.TZ), l.Received)
	all, err := tx.Outcomes(w.Letter)
	if err != nil {
		return n, err
	}
	for _, o := range all {
		var r Result
		if err := json.Unmarshal([]byte(o.Detail), &r); err != nil {
			return n, fmt.Errorf("reading the outcome of mail %d: %w", w.Letter, err)
		}
		waits := slices.DeleteFunc(r.Blocks, func(b BlockResult) bool { return b.Result != Held })
		if len(waits) == 1 {
			n.Game, n.Seat = waits[0].Game, waits[0].Seat
		}
	}
	return n, nil
}

// stranger answers somebody who is no player: a sign-up is confirmed, all else
// gets one short answer a day, and only when the receiving server vouches for
// the sender, so that no forged address is written to.
func (c *correspondence) stranger() error {
	switch c.result {
	case "":
	case Refused: // a code that fits nothing
		ok, last, err := c.mayAnswerStranger(true)
		if !ok {
			c.answer, c.result, c.reason = answer{}, Dropped, "cap"
		} else if last {
			c.answer.add("enough", report.Enough{Limit: strangerADay})
		}
		return err
	default:
		return nil // a confirmation has been dealt with
	}
	if c.read.List || c.read.Verdict == letter.Fail || !mailable(c.read.From) {
		c.note(Dropped, "stranger")
		return nil
	}
	join, wants := c.joinCommand()
	if !wants && c.read.Verdict != letter.Pass {
		c.note(Dropped, "stranger")
		return nil
	}
	ok, last, err := c.mayAnswerStranger(wants)
	if err != nil {
		return err
	}
	if !ok {
		c.note(Dropped, "cap")
		return nil
	}
	if wants {
		if err := c.join(join); err != nil {
			return err
		}
		if last {
			c.answer.add("enough", report.Enough{Limit: strangerADay})
		}
		return nil
	}
	if c.asksFor(game.KeyHelp) {
		return c.help()
	}
	c.refuse(refusal{Code: "stranger"})
	return nil
}

// Caps on answers to strangers.
const (
	strangerADay    = 3  // to one address that wants to join: a wrong name or code may be tried again
	strangersAnHour = 60 // to all of them
)

// mayAnswerStranger keeps the caps. Whoever wants to join, or sends a code, has a
// budget of his own beside the one answer that anything else gets; last is set for
// the last answer of it, which says so.
func (c *correspondence) mayAnswerStranger(joins bool) (ok, last bool, err error) {
	if c.opt.confirmed {
		return true, false, nil
	}
	bucket, limit := "stranger/", 1
	if joins {
		bucket, limit = "applicant/", strangerADay
	}
	n, err := c.tx.Count(bucket+letter.Normalize(c.read.From), c.at, day)
	if err != nil || n > limit {
		return false, false, err
	}
	all, err := c.tx.Count("strangers", c.at, time.Hour)
	if err != nil {
		return false, false, err
	}
	if all == strangersAnHour+1 {
		if err := c.alert("cap", "", 0, "", "", fmt.Sprintf("strangers: %d an hour", strangersAnHour)); err != nil {
			return false, false, err
		}
	}
	return all <= strangersAnHour, joins && n == limit, nil
}

func (c *correspondence) joinCommand() (orders.Command, bool) {
	for _, cmd := range c.text.Commands {
		if cmd.Keyword == game.KeyJoin {
			return cmd, true
		}
	}
	return orders.Command{}, false
}

// spoken is the language of the first word of ours in the letter that tells it, ""
// when none does or there are no words in it: whoever is not known yet is answered
// in it, and signed up with it.
func (c *correspondence) spoken() string {
	for _, cmd := range c.text.Commands {
		if cmd.Lang != "" {
			if !c.words.Has(string(cmd.Lang)) {
				return ""
			}
			return string(cmd.Lang)
		}
	}
	return ""
}

func (c *correspondence) asksFor(key game.Keyword) bool {
	for _, cmd := range c.text.Commands {
		if cmd.Keyword == key {
			return true
		}
	}
	return false
}
