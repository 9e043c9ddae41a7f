package referee

import (
	"slices"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// receipt is a part that grows with the blocks of a mail.
type receipt struct {
	report.Receipt
	sitting  *sitting
	seat     game.SeatID
	closed   bool // when it is late: what comes now would be, too
	file     file // what counts for the seat and round as far as the mail has been read
	briefing []game.View
}

// receiptFor is the mail's receipt for a seat and round, begun when it is asked for
// the first time; its issues are worded by the game's own templates.
func (c *correspondence) receiptFor(s *sitting, seat store.Seat, round int) (*receipt, error) {
	for _, r := range c.answer.receipts {
		if r.Game == s.ID && r.seat == seat.ID && r.Round == round {
			return r, nil
		}
	}
	f, err := c.file(s, seat.ID, round)
	if err != nil {
		return nil, err
	}
	r := &receipt{Receipt: report.Receipt{Game: s.ID, Title: s.Title, Seat: seat.Name, Round: round}, sitting: s, seat: seat.ID, file: f}
	c.answer.receipts = append(c.answer.receipts, r)
	c.answer.game(s.Ruleset, "receipt", &r.Receipt)
	return r, nil
}

// word puts into words what the ruleset answered.
func (r *receipt) word(d *Desk, lang string) (err error) {
	for i, b := range r.Blocks {
		if b.Explained.Data == nil {
			continue
		}
		if r.Blocks[i].Preview, err = d.words.View(lang, r.sitting.Ruleset, b.Explained); err != nil {
			return err
		}
	}
	r.Briefing, err = d.wordBriefing(r.sitting, lang, r.briefing)
	return err
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
	if outcome != "late" {
		r.Also, r.Standing = nil, nil
		for _, o := range r.file.sent {
			if !r.speaksOf(o.Slot) {
				r.Also = append(r.Also, c.worded(o.Lines[:min(1, len(o.Lines))])...)
			}
		}
		for _, slip := range r.file.standing() {
			if !r.speaksOf(slip.Slot) {
				r.Standing = append(r.Standing, c.worded(slip.Lines[:min(1, len(slip.Lines))])...)
			}
		}
	}
	if outcome == "early" || r.closed { // else the block to fill in would come too late again
		return nil
	}
	var err error
	r.briefing, err = s.briefing(r.seat, sentBy(r.seat, r.file.sent))
	return err
}

// speaksOf reports whether a receipt shows what counts in a slot.
func (r *receipt) speaksOf(slot string) bool {
	return slices.ContainsFunc(r.Parts(), func(p report.ReceiptPart) bool { return slices.Contains(p.Slots, slot) })
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
	if err := c.settleFor(m); err != nil {
		return err
	}
	older, err := c.tx.Replaced(store.Outgoing{Game: m.game, Round: m.round, Seat: m.seat, To: m.to, Slots: m.slots, MessageID: c.messageID(m.cause)})
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
