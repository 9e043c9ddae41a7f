package referee

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// when decides for which round orders are, and whether they come too late
// (G-9).
func (c *correspondence) when(s *sitting, named int, received time.Time) (round int, late bool) {
	if named > 0 {
		return named, named < s.Round || named == s.Round && s.closedFor(received)
	}
	switch r := c.tagRound(s.ID); {
	case r == 0:
	case r == s.Round: // answers its report, though the mailbox's clock may be behind ours
		return r, s.closedFor(received)
	default: // one ahead is of a round behind the one that was reopened
		return r, r < s.Round
	}
	if c.beyond(s, received) {
		return s.Round + 1, false
	}
	if received.Before(s.Opened) && s.Round > 1 { // it came between the last deadline and the report
		return s.Round - 1, true
	}
	return s.Round, s.closedFor(received)
}

// take reads a block of a seat and enters its orders; letterID 0 means that the
// game master enters them.
func (c *correspondence) take(s *sitting, seat store.Seat, b game.Block, received time.Time, letterID int64) (BlockResult, error) {
	round, late := s.Round, false
	if letterID != 0 {
		round, late = c.when(s, b.Round, received)
	} else if b.Round != 0 {
		round, late = b.Round, b.Round < s.Round
	}
	if round > s.Round+MaxAhead {
		c.blocks = append(c.blocks, BlockResult{Game: s.ID, Seat: seat.Name, Round: round, Result: Refused, Outcome: "too-early", Orders: []string{}, Issues: []IssueResult{}})
		c.refuse(refusal{Line: b.Line, Code: "too-early", Game: s.ID, Round: round})
		return c.blocks[len(c.blocks)-1], nil
	}
	slips, issues, err := s.table.Read(seat.ID, b)
	if err != nil {
		return BlockResult{}, err
	}
	issues = slices.Concat(b.Issues, issues)
	slices.SortStableFunc(issues, func(a, b game.Issue) int { return a.Line - b.Line })
	out := report.ReceiptBlock{Slots: s.table.Slots(seat.ID, b), Issues: c.told(issues)}
	r, err := c.receiptFor(s, seat, round)
	if err != nil {
		return BlockResult{}, err
	}
	switch {
	case late:
		out.Outcome = "late"
	case slices.ContainsFunc(issues, func(i game.Issue) bool { return i.Code == "not-filled-in" }):
		out.Outcome = "unfilled"
	case len(slips) == 0 && r.file.has(out.Slots):
		out.Outcome = "kept"
	case len(slips) == 0:
		out.Outcome = "nothing"
	default:
		if out.Outcome, out.Changes, err = c.enter(r, seat, slips, received, letterID); err != nil {
			return BlockResult{}, err
		}
	}
	for _, slip := range slips {
		out.Lines = append(out.Lines, c.worded(slip.Lines)...)
	}
	if out.Outcome == "kept" { // in his own words: what was read of them counts for nothing
		out.Lines = c.asWritten(b)
	}
	if out.Outcome == "kept" || late || out.Outcome == "unfilled" {
		out.OnFile = c.worded(r.file.lines(out.Slots))
	}
	if len(slips) > 0 && !late && out.Outcome != "kept" && round == s.Round {
		if out.Explained, err = s.table.Explain(seat.ID, slips); err != nil {
			return BlockResult{}, err
		}
	}
	r.add(out)
	if late {
		r.Open, r.closed = s.openFor(received), s.closedFor(received)
		if r.Missed, r.ByHand, err = c.missed(s, round); err != nil {
			return BlockResult{}, err
		}
		if r.InTime, err = c.arrivedInTime(s, round, b.Round == round, received); err != nil {
			return BlockResult{}, err
		}
		r.Unconfirmed = !r.InTime && !c.opt.confirmedAt.IsZero()
	}
	return c.receipted(s, r, out, slips, issues), nil
}

// file is what counts for a seat in a round: what was sent for it, and what stands
// where nothing was (G-11). Nobody knows yet what will stand in a later one.
type file struct {
	sent   []store.Orders
	former []rules.Slip // that stand from earlier rounds
}

func (c *correspondence) file(s *sitting, seat game.SeatID, round int) (f file, err error) {
	if f.sent, err = c.tx.CountingOf(seat, s.ID, s.Branch, round, s.until(round)); err != nil || round != s.Round {
		return f, err
	}
	f.former, err = s.table.Standing(seat)
	return f, err
}

// standing are the former slips in whose place nothing was sent.
func (f file) standing() []rules.Slip {
	return slices.DeleteFunc(slices.Clone(f.former), func(slip rules.Slip) bool {
		return slices.ContainsFunc(f.sent, func(o store.Orders) bool { return o.Slot == slip.Slot })
	})
}

// has reports whether anything counts in these slots, or, if there are none, in any
// for which something was sent.
func (f file) has(slots []string) bool {
	if len(slots) == 0 {
		return len(f.sent) > 0
	}
	return len(f.lines(slots)) > 0
}

// lines are those that count in some slots.
func (f file) lines(slots []string) []game.Line {
	var out []game.Line
	for _, o := range f.sent {
		if slices.Contains(slots, o.Slot) {
			out = append(out, o.Lines...)
		}
	}
	for _, slip := range f.standing() {
		if slices.Contains(slots, slip.Slot) {
			out = append(out, slip.Lines...)
		}
	}
	return out
}

// asWritten are the lines of a block as their writer has them.
func (c *correspondence) asWritten(b game.Block) []string {
	var out []string
	for _, st := range b.Statements {
		out = append(out, strings.Join(append([]string{orders.Word(orders.Language(c.lang), st.Keyword), st.Args}, st.Tail...), " "))
	}
	return out
}

// receipted adds a block to the mail's results.
func (c *correspondence) receipted(s *sitting, r *receipt, out report.ReceiptBlock, slips []rules.Slip, issues []game.Issue) BlockResult {
	result := Refused
	switch out.Outcome {
	case "taken", "unchanged", "provisional", "early":
		result = Taken
	}
	c.note(result, out.Outcome)
	b := BlockResult{Game: s.ID, Seat: r.Seat, Round: r.Round, Result: result, Outcome: out.Outcome,
		Orders: []string{}, Provisional: out.Outcome == "provisional", Issues: c.issueResults(s.Ruleset, issues)}
	for _, slip := range slips {
		for _, l := range slip.Lines {
			b.Orders = append(b.Orders, lineIn(orders.German, l))
		}
	}
	c.blocks = append(c.blocks, b)
	return b
}

// enter writes slips over what is on file and says what became of them. A
// provisional slip never replaces a good one (G-7).
func (c *correspondence) enter(r *receipt, seat store.Seat, slips []rules.Slip,
	received time.Time, letterID int64) (outcome string, changes []report.Change, err error) {
	outcome = "unchanged"
	s, counting := r.sitting, r.file.sent
	until := s.until(r.Round)
	for _, slip := range slips {
		i := slices.IndexFunc(counting, func(o store.Orders) bool { return o.Slot == slip.Slot })
		if i >= 0 && slip.Provisional && !counting[i].Provisional {
			return "kept", nil, nil
		}
		same := i >= 0 && counting[i].Provisional == slip.Provisional && bytes.Equal(counting[i].Orders, slip.Orders)
		if !same {
			outcome = "taken"
			if i >= 0 {
				changes = append(changes, differences(c.worded(counting[i].Lines), c.worded(slip.Lines))...)
			}
		}
		raw, err := json.Marshal(slip.Orders)
		if err != nil {
			return "", nil, err
		}
		// The same orders again are entered too: they were received later.
		o := store.Orders{Game: s.ID, Branch: s.Branch, Round: r.Round, Seat: seat.ID, Slot: slip.Slot,
			Letter: letterID, Received: received.Truncate(time.Millisecond), Orders: raw, Lines: slip.Lines, Provisional: slip.Provisional}
		if o.ID, err = c.tx.AddOrders(o); err != nil {
			return "", nil, err
		}
		if until.IsZero() || !o.Received.After(until) {
			r.file.sent = store.Counting(append(slices.Clone(r.file.sent), o))
		}
	}
	switch {
	case slips[0].Provisional:
		outcome = "provisional"
	case r.Round > s.Round:
		outcome = "early"
	}
	return outcome, changes, nil
}

// until is the last moment at which orders for a round count: what arrives at
// the deadline itself is late.
func (s *sitting) until(round int) time.Time {
	if round != s.Round || s.Due.IsZero() {
		return time.Time{}
	}
	return s.Due.Add(-time.Millisecond)
}

// worded are order lines in the reader's language.
func (c *correspondence) worded(in []game.Line) []string {
	return linesIn(orders.Language(c.lang), in)
}

func linesIn(lang orders.Language, in []game.Line) []string {
	out := make([]string, len(in))
	for i, l := range in {
		out[i] = lineIn(lang, l)
	}
	return out
}

func lineIn(lang orders.Language, l game.Line) string {
	args, ok := l.In[string(lang)]
	if !ok {
		args = l.Args
	}
	return orders.Word(lang, l.Keyword) + " " + args
}

// differences tells two sets of orders apart. A line and the one other of its
// keyword are the same line, changed.
func differences(old, new []string) []report.Change {
	keyword := func(l string) string { k, _, _ := strings.Cut(l, " "); return k }
	gone, came := without(old, new), without(new, old)
	alone := func(l string, among []string) (at int) {
		at = -1
		for i, o := range among {
			switch {
			case keyword(o) != keyword(l):
			case at >= 0:
				return -1
			default:
				at = i
			}
		}
		return at
	}
	var out []report.Change
	for _, o := range gone {
		change := report.Change{Old: o}
		if i := alone(o, came); i >= 0 && alone(o, gone) >= 0 {
			change.New = came[i]
			came = slices.Delete(came, i, i+1)
		}
		out = append(out, change)
	}
	for _, n := range came {
		out = append(out, report.Change{New: n})
	}
	return out
}

// without are the lines that are not among others, each of which takes away one.
func without(lines, others []string) []string {
	others = slices.Clone(others)
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
		i := slices.Index(others, l)
		if i >= 0 {
			others = slices.Delete(others, i, i+1)
		}
		return i >= 0
	})
}

// openFor is the first round that orders arriving at a moment can still reach.
func (s *sitting) openFor(at time.Time) int {
	if s.closedFor(at) {
		return s.Round + 1
	}
	return s.Round
}

// missed words the deadline that orders for a round missed, or when the round was
// closed by hand before one; "" when there was no such round.
func (c *correspondence) missed(s *sitting, round int) (when string, byHand bool, err error) {
	if round == s.Round {
		return c.deadline(s), false, nil
	}
	step, err := c.tx.StepOf(s.ID, s.Branch, round)
	if ok, err := found(err); err != nil || !ok {
		return "", false, err
	}
	if step.Deadline.IsZero() || step.Closed.Before(step.Deadline) {
		return report.When(c.lang, c.zone, step.Closed), true, nil
	}
	return report.When(c.lang, c.zone, step.Deadline), false, nil
}

// deadline words the open round's deadline, "" when it has none.
func (c *correspondence) deadline(s *sitting) string {
	if s.Due.IsZero() || s.State != store.GameRunning {
		return ""
	}
	return report.When(c.lang, c.zone, s.Due)
}
