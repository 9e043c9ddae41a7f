package referee

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// forNewOrders opens a round again.
func (r *reopening) forNewOrders() error {
	s := r.s
	if s.State == store.GameEnded {
		return fmt.Errorf("game %s has ended and its secret has been revealed: everybody can know all its dice, so that no new orders can be taken", s.ID)
	}
	frozen, err := r.frozenAt(r.void[0])
	if err != nil {
		return err
	}
	if err := r.begin(r.out.Branch, frozen); err != nil {
		return err
	}
	now := r.first
	if now.Due = r.in.Deadline; now.Due.IsZero() {
		if err := now.nextDeadline(r.at); err != nil {
			return err
		}
	} else if !r.at.Before(now.Due) {
		return fmt.Errorf("the deadline %s has passed", now.Due.UTC().Format(time.RFC3339))
	}
	// What was decided since about who leaves stays.
	for i, x := range s.seats {
		if old := &now.seats[i].State; x.State == store.SeatLeaving || x.State == store.SeatRemoved {
			if *old == store.SeatWaiting || *old == store.SeatLeft { // he had not entered by then
				*old = store.SeatLeft
			} else {
				*old = x.State
			}
		}
	}
	if err := r.fileFrozen(); err != nil {
		return err
	}
	if err := r.fileLate(); err != nil {
		return err
	}
	r.out.Commits = dice.Secret(s.Secret).Seed(s.ID, now.Branch, now.Round).Commitment()
	if err := r.enterBranch(r.out.Commits, nil); err != nil {
		return err
	}
	if err := r.carryOver(now, now.Round+1); err != nil {
		return err
	}
	if err := r.takeBack(now.Round + 1); err != nil {
		return err
	}
	for i, x := range now.seats {
		if x.State != s.seats[i].State {
			if err := r.tx.SetSeatState(s.ID, x.ID, x.State); err != nil {
				return err
			}
		}
	}
	if err := r.tx.MoveGame(now.Game); err != nil {
		return err
	}
	r.tellSeats(now)
	return r.tellOpen(now)
}

// tellOpen tells everybody that a round is open again: why, until when, what is on
// file, and what the new dice are bound by.
func (r *reopening) tellOpen(now *sitting) error {
	counting, err := r.tx.Counting(now.ID, now.Branch, now.Round, now.until(now.Round))
	if err != nil {
		return err
	}
	void, err := inputsOf(r.void[0])
	if err != nil {
		return err
	}
	for i, x := range now.seats {
		waits := x.State == store.SeatWaiting && r.s.seats[i].State != store.SeatWaiting
		if !inPlay(x) && !waits {
			continue
		}
		p, err := r.tx.Player(x.Player)
		if err != nil {
			return err
		}
		n := report.Notice{Code: "reopened", Words: r.in.Reason, Next: now.on.Next, Waits: waits,
			Shown: now.rules.About().Open && slices.ContainsFunc(counting, func(o store.Orders) bool { return o.Seat == x.ID && orderedIn(void, o) })}
		var more []string
		file := r.files[x.ID]
		if open := fileOf(x.ID, now.Round, counting, p); len(open.Kept) > 0 {
			file.Rounds = append([]report.CarriedRound{open}, file.Rounds...)
		}
		if len(file.Rounds)+len(file.Counted) > 0 {
			text, err := r.carried(p, file)
			if err != nil {
				return err
			}
			more = append(more, text)
		}
		if !waits {
			next, err := r.next(now, x.ID, p, sentBy(x.ID, counting))
			if err != nil {
				return err
			}
			more = append(more, next)
		}
		if err := r.noticeOf(r.tx, now, x, n, r.at, more...); err != nil {
			return err
		}
		r.out.Mails++
	}
	return nil
}

// orderedIn reports whether orders are those that a step went by.
func orderedIn(in rules.Inputs, o store.Orders) bool {
	return slices.ContainsFunc(in.Orders, func(p rules.Order) bool {
		return p.Seat == o.Seat && p.Slot == o.Slot && bytes.Equal(p.Orders, o.Orders)
	})
}

// fileOf are a seat's orders for a round, in its player's words.
func fileOf(seat game.SeatID, round int, counting []store.Orders, p store.Player) report.CarriedRound {
	out := report.CarriedRound{Round: round, Open: true}
	for _, o := range counting {
		if o.Seat == seat {
			out.Kept = withBlock(out.Kept, linesIn(orders.Language(p.Lang), o.Lines))
		}
	}
	return out
}
