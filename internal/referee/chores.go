package referee

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// Chores does what is due from time to time: confirmations that were waited for
// too long, reminders, the game master's digest. One that fails does not hold up the
// others.
func (d *Desk) Chores(ctx context.Context) error {
	var errs []error
	for _, chore := range []func(context.Context) error{d.setRight, d.Expire, d.remind, d.digest} {
		errs = append(errs, guarded(func() error { return chore(ctx) }))
	}
	return errors.Join(errs...)
}

// setRight makes mails due that a fast clock has put off: since it was set, their time
// may be years ahead.
func (d *Desk) setRight(ctx context.Context) error {
	now := d.now()
	return d.store.Write(ctx, func(tx *store.Tx) error {
		n, err := tx.DueAfterAll(now)
		if n > 0 {
			d.log.Warn("the clock was set back: mails from the time before are sent now", "mails", n)
		}
		return err
	})
}

// remind writes to players whose orders are missing shortly before a deadline,
// once a round. A game in which something goes wrong does not hold up the others.
func (d *Desk) remind(ctx context.Context) error {
	now := d.now()
	var soon []store.Game
	err := d.store.Read(ctx, func(tx *store.Tx) (err error) {
		soon, err = tx.GamesDue(now.Add(maxRemind * time.Hour))
		return err
	})
	if err != nil {
		return fmt.Errorf("looking for deadlines: %w", err)
	}
	for _, g := range soon {
		if !now.Before(g.Due) {
			continue
		}
		var wrong error
		err := d.store.Write(ctx, func(tx *store.Tx) error {
			wrong = tx.Savepoint(func() error { return d.remindGame(tx, g.ID, now) })
			return nil
		})
		if err != nil {
			return fmt.Errorf("reminding players of %s: %w", g.ID, err)
		}
		if wrong != nil {
			d.log.Error("players cannot be reminded", "game", g.ID, "round", g.Round, "error", wrong)
		}
	}
	return nil
}

func (d *Desk) remindGame(tx *store.Tx, id string, now time.Time) error {
	s, err := d.sit(tx, id)
	if err != nil || s.State != store.GameRunning || s.Due.IsZero() {
		return err
	}
	h := d.newHandling(tx, now)
	missing, err := h.missing(s)
	if err != nil {
		return err
	}
	counting, err := tx.Counting(s.ID, s.Branch, s.Round, s.until(s.Round))
	if err != nil {
		return err
	}
	done := map[game.SeatID]bool{}
	for _, duty := range missing {
		x, ok := s.seat(duty.Seat)
		if !ok || done[x.ID] {
			continue
		}
		done[x.ID] = true
		p, err := tx.Player(x.Player)
		if err != nil {
			return err
		}
		ahead := time.Duration(p.Remind) * time.Hour
		// A round shorter than twice the reminder's time would be reminded of as soon
		// as it begins.
		if ahead == 0 || !p.Bounced.IsZero() || now.Before(s.Due.Add(-ahead)) || s.Due.Sub(s.openSince()) < 2*ahead {
			continue
		}
		sent := sentBy(x.ID, counting)
		r := report.Reminder{Game: s.ID, Title: s.Title, Seat: x.Name, Round: s.Round, Deadline: report.When(p.Lang, d.zone(p.TZ), s.Due),
			Provisional: slices.ContainsFunc(counting, func(o store.Orders) bool { return o.Seat == x.ID && o.Provisional }),
			Partly:      len(sent) > 0}
		if r.Briefing, err = d.briefing(s, x.ID, p.Lang, sent); err != nil {
			return err
		}
		if err := d.reminder(tx, s, x, p, r, now); err != nil {
			return err
		}
	}
	return nil
}

func (d *Desk) reminder(tx *store.Tx, s *sitting, x store.Seat, p store.Player, r report.Reminder, now time.Time) error {
	cause := fmt.Sprintf("reminder/%s/%d/%d/%s", s.ID, s.Branch, s.Round, x.ID)
	var err error
	r.Unsent, err = tx.RemindersUnsent(store.Outgoing{Cause: cause, Game: s.ID, Seat: x.ID, To: p.Addresses[0], MessageID: d.messageID(cause)})
	if err != nil {
		return err
	}
	text, err := d.words.Render(p.Lang, report.Common, "reminder", r)
	if err != nil {
		return err
	}
	_, err = d.queue(tx, mail{cause: cause, kind: "reminder",
		game: s.ID, round: s.Round, seat: x.ID, token: d.token(s.Game, x.ID, s.Round), to: p.Addresses[0], lang: p.Lang,
		automatic: "auto-generated", thread: d.thread(s, x.ID), parts: []string{text},
		subject: report.Subject{Game: s.ID, Title: s.Title, Seat: x.Name, Round: s.Round}}, now)
	return err
}

// digestKey is the note of when the last digest was made.
const digestKey = "digest"

// digest tells the game master once a day what was held, refused or set aside,
// and whose mails bounce; on a day without any of it he gets no mail.
func (d *Desk) digest(ctx context.Context) error {
	now := d.now()
	return d.store.Write(ctx, func(tx *store.Tx) error {
		note, err := tx.Meta(digestKey)
		if err != nil {
			return err
		}
		last, err := time.Parse(time.RFC3339, note)
		if err == nil && now.Sub(last).Abs() < day { // far ahead it was noted by a fast clock
			return nil
		}
		if err := tx.SetMeta(digestKey, now.UTC().Format(time.RFC3339)); err != nil || note == "" {
			return err // from the first day on
		}
		counts, err := tx.OutcomesSince(last)
		if err != nil {
			return err
		}
		out := report.Digest{}
		if out.Bounced, err = tx.BouncedSince(last); err != nil {
			return err
		}
		for _, c := range counts {
			out.Rows = append(out.Rows, report.DigestRow{Result: c.Result, Reason: c.Reason, N: c.N, Mail: c.Last})
		}
		if len(out.Rows)+len(out.Bounced) == 0 {
			return nil
		}
		text, err := d.words.Render(d.set.Lang, report.Common, "digest", out)
		if err != nil {
			return err
		}
		_, err = d.queue(tx, mail{cause: "digest/" + now.UTC().Format(time.RFC3339), kind: "digest", to: d.set.GM, lang: d.set.Lang,
			automatic: "auto-generated", parts: []string{text}}, now)
		return err
	})
}
