package referee

import (
	"fmt"
	"slices"
	"time"

	"ringpost/internal/proof"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// decideAgain makes the last step once more.
func (r *reopening) decideAgain() error {
	s, last := r.s, r.void[0]
	switch {
	case last.Branch != s.Branch:
		return fmt.Errorf("round %d of %s cannot be decided again: round %d, which was reopened for new orders, went by its result. `ringpost round reopen %s --new-orders --round %d` opens it", last.Round, s.ID, s.Round, s.ID, last.Round)
	case s.State == store.GameRunning && s.closedFor(r.at):
		return fmt.Errorf("the deadline of round %d of %s has come, and it is about to be closed. Let it close; or `ringpost game pause %s` first, then reopen, then `ringpost game resume %s`", s.Round, s.ID, s.ID, s.ID)
	}
	frozen, err := r.frozenAt(last)
	if err != nil {
		return err
	}
	if err := r.begin(s.on.Seeds, frozen); err != nil {
		return err
	}
	if err := r.fileFrozen(); err != nil {
		return err
	}
	if err := r.fileLate(); err != nil {
		return err
	}
	in, added, err := r.again(last)
	if err != nil {
		return err
	}
	at := r.first.next()
	if at.Seed.String() != last.Seed {
		return fmt.Errorf("round %d of %s: its stored seed is not the one that its secret gives", last.Round, s.ID)
	}
	if err := r.enterBranch(at.Seed.Commitment(), added); err != nil {
		return err
	}
	at = r.first.next() // behind the reopening
	made, err := proof.Advance(r.first.table, in, at)
	if err != nil {
		return err
	}
	after, err := r.after(made, at)
	if err != nil {
		return err
	}
	return r.keep(after, made)
}

// again are what the step is decided by now, and what of it came to what it had.
func (r *reopening) again(last store.Step) (in rules.Inputs, added []proof.Added, err error) {
	void, err := inputsOf(last)
	if err != nil {
		return in, nil, err
	}
	in = rules.Inputs{Joins: void.Joins, Leaves: void.Leaves}
	counting, err := r.tx.Counting(r.s.ID, r.first.Branch, last.Round, time.Time{})
	if err != nil {
		return in, nil, err
	}
	for _, o := range counting {
		if x, ok := r.first.seat(o.Seat); ok && inPlay(x) {
			in.Orders = append(in.Orders, rules.Order{Seat: o.Seat, Slot: o.Slot, Orders: o.Orders})
		}
	}
	if added, err = proof.Additions(r.first.next(), void.Orders, in.Orders); err != nil {
		return in, nil, err
	}
	if len(added) == 0 {
		return in, nil, fmt.Errorf("there is nothing to decide round %d of %s again for: no orders for it had arrived before its deadline, were seen after it, and are not on file. `ringpost round reopen %s --new-orders` opens it for new ones", last.Round, r.s.ID, r.s.ID)
	}
	was, err := r.tx.Counting(r.s.ID, last.Branch, last.Round, r.first.on.Frozen.Add(-time.Millisecond))
	if err != nil {
		return in, nil, err
	}
	linesOf := func(all []store.Orders, a proof.Added) []string {
		for _, o := range all {
			if o.Seat == a.Seat && o.Slot == a.Slot {
				return inGerman(o.Lines)
			}
		}
		return []string{}
	}
	for _, a := range added {
		r.out.Changed = append(r.out.Changed, Change{r.name(a.Seat), a.Slot, linesOf(was, a), linesOf(counting, a)})
	}
	return in, added, nil
}

// after is the game after the step that was decided again. What has been decided since
// about seats, deadlines and pauses stays.
func (r *reopening) after(made proof.Made, at proof.Chain) (*sitting, error) {
	s := r.s
	after, err := r.first.moved(made, at, r.at)
	if err != nil {
		return nil, err
	}
	over := s.table.Due().Over
	switch {
	case s.State == store.GameEnded && over && after.State != store.GameEnded:
		return nil, fmt.Errorf("game %s has ended and its secret has been revealed; decided again it would go on, by dice that everybody can know. That cannot be", s.ID)
	case s.State == store.GameEnded:
		after.State, after.Due = store.GameEnded, time.Time{}
	case after.State == store.GameRunning:
		after.State, after.Due = s.State, s.Due
	}
	after.step.Deadline, after.Opened = r.void[0].Deadline, s.Opened
	due := made.Table.Due()
	for i, x := range s.seats {
		plays := slices.Contains(due.Seats, x.ID)
		switch {
		case plays && (x.State == store.SeatLeaving || x.State == store.SeatRemoved): // since
			after.seats[i].State = x.State
		case !plays && x.State == store.SeatWaiting: // signed up since
			after.seats[i].State = x.State
		}
	}
	r.sittings[s.ID] = after
	return after, nil
}

// keep stores the step that was decided again and tells everybody.
func (r *reopening) keep(after *sitting, made proof.Made) error {
	if err := r.carryOver(after, after.Round); err != nil {
		return err
	}
	if err := r.takeBack(after.Round); err != nil {
		return err
	}
	t := &turn{Desk: r.Desk, before: r.s, after: after, now: r.at, closed: Closed{Game: r.s.ID, Paused: after.State == store.GamePaused && r.s.State != store.GamePaused}}
	var err error
	if t.reports, err = r.word(r.tx, r.first, after, made); err != nil {
		return err
	}
	t.reports.files = r.files
	if err := t.keep(r.tx); err != nil {
		return err
	}
	r.out.Mails = t.closed.Mails
	r.tellSeats(after)
	return r.tellQuiet(after, t.reports)
}
