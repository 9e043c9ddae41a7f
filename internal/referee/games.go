package referee

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/proof"
	"ringpost/internal/schedule"
	"ringpost/internal/store"
)

// gameID is what a game may be called: it stands in subjects and addresses.
var gameID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// Trusts lists the settings of what proves a sender.
func Trusts() []string { return []string{"token", "address", "verified"} }

// NewGame enters a game; players can be seated and can join until it starts.
func (d *Desk) NewGame(ctx context.Context, g store.Game) error {
	if !gameID.MatchString(g.ID) {
		return fmt.Errorf("%q is no id for a game: want 1 to 32 small letters, digits and hyphens, such as liga-nord", g.ID)
	}
	r, err := d.find(g.Ruleset)
	if err != nil {
		return err
	}
	if err := r.Check(g.Settings); err != nil {
		return err
	}
	if !d.words.Has(g.Lang) {
		return d.noWords(g.Lang)
	}
	if !slices.Contains(Trusts(), g.Trust) {
		return fmt.Errorf("trust %q is none of %s", g.Trust, strings.Join(Trusts(), ", "))
	}
	g.Press = or(g.Press, "signed")
	if !slices.Contains(PressKinds(), g.Press) {
		return fmt.Errorf("press %q is none of %s", g.Press, strings.Join(PressKinds(), ", "))
	}
	if _, err := schedule.Zone(g.TZ); err != nil {
		return err
	}
	if g.Deadline != "" {
		if _, err := schedule.Parse(g.Deadline, g.TZ); err != nil {
			return err
		}
	}
	if strings.ContainsFunc(g.Title, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errors.New("the title has a line break or another control character")
	}
	if g.Title == "" {
		g.Title = g.ID
	}
	if g.Settings == nil {
		g.Settings = game.Settings{}
	}
	g.State, g.Created = store.GameNew, d.now()
	return d.store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Game(g.ID)
		if exists, err := found(err); err != nil {
			return err
		} else if exists {
			return fmt.Errorf("there is a game %s already", g.ID)
		}
		if err := tx.Audit(g.ID, "game new", g.Ruleset, g.Created); err != nil {
			return err
		}
		return tx.AddGame(g)
	})
}

// Start sets a game up, draws what its rules draw and mails everybody the start.
func (d *Desk) Start(ctx context.Context, id string) (c Closed, err error) {
	err = d.change(ctx, id, "game start", func(tx *store.Tx, s *sitting, now time.Time) error {
		if s.State != store.GameNew {
			return fmt.Errorf("game %s is %s: it has begun already", id, s.State)
		}
		var seats []game.Seat
		for _, x := range s.seats {
			if inPlay(x) {
				seats = append(seats, x.Seat)
			}
		}
		if need := s.rules.About().MinSeats; len(seats) < need {
			return fmt.Errorf("game %s has %d seats, %s needs %d: add some with `ringpost seat add`", id, len(seats), s.Ruleset, need)
		}
		at := proof.At(dice.Secret(s.Secret), id, s.Branch, 0)
		made, err := proof.Setup(s.rules, s.Settings, seats, at)
		if err != nil {
			return err
		}
		t, err := d.decide(tx, s, made, at, now, 0)
		if err != nil {
			return err
		}
		err = t.keep(tx)
		c = t.closed
		return err
	})
	return c, err
}

// Pause stops a game's deadlines; orders are still taken.
func (d *Desk) Pause(ctx context.Context, id string) error {
	return d.change(ctx, id, "game pause", func(tx *store.Tx, s *sitting, now time.Time) error {
		if s.State != store.GameRunning {
			return fmt.Errorf("game %s is %s: only a running game can be paused", id, s.State)
		}
		s.State, s.Due = store.GamePaused, time.Time{}
		return d.announce(tx, s, "paused", now)
	})
}

// Resume lets a paused game's deadlines run again, from the next one on.
func (d *Desk) Resume(ctx context.Context, id string) error {
	return d.change(ctx, id, "game resume", func(tx *store.Tx, s *sitting, now time.Time) error {
		if s.State != store.GamePaused {
			return fmt.Errorf("game %s is %s: only a paused game can be resumed", id, s.State)
		}
		s.State = store.GameRunning
		if err := s.nextDeadline(now); err != nil {
			return err
		}
		return d.announce(tx, s, "resumed", now)
	})
}

// Moving is another deadline: for the open round alone, or for all from it on.
type Moving struct {
	Until    time.Time // of the open round; zero: as the calendar says
	Calendar *string   // five cron fields, "" for closing by hand; nil: as before
	TZ       string    // the calendar's; "": as before
}

// MoveDeadline gives a game another deadline or calendar and tells its players. A
// round whose deadline has passed keeps it: who did not write in time stays late.
func (d *Desk) MoveDeadline(ctx context.Context, id string, in Moving) (due time.Time, err error) {
	err = d.change(ctx, id, "game deadline", func(tx *store.Tx, s *sitting, now time.Time) error {
		switch {
		case s.State == store.GameEnded:
			return fmt.Errorf("game %s has ended", id)
		case s.State == store.GameRunning && !s.Due.IsZero() && !now.Before(s.Due):
			return fmt.Errorf("the deadline of round %d of %s has passed: the round is about to be closed", s.Round, id)
		case !in.Until.IsZero() && s.State != store.GameRunning:
			return fmt.Errorf("game %s is %s: no round of it has a deadline now", id, s.State)
		case !in.Until.IsZero() && !in.Until.After(now):
			return fmt.Errorf("%s has passed already", in.Until.Format(time.RFC3339))
		}
		before, moved := s.Due, in.Calendar != nil || in.TZ != ""
		if in.Calendar != nil {
			s.Deadline = *in.Calendar
		}
		s.TZ = or(in.TZ, s.TZ)
		if _, err := schedule.Zone(s.TZ); err != nil {
			return err
		}
		if s.Deadline != "" {
			if _, err := schedule.Parse(s.Deadline, s.TZ); err != nil {
				return err
			}
		}
		if s.State == store.GameRunning && moved {
			if err := s.nextDeadline(now); err != nil {
				return err
			}
		}
		if !in.Until.IsZero() {
			s.Due = in.Until
		}
		if due = s.Due; due.Equal(before) {
			return tx.MoveGame(s.Game)
		}
		return d.announce(tx, s, "moved", now)
	})
	return due, err
}

// End ends a game for good and reveals its secret; the open round is not closed.
func (d *Desk) End(ctx context.Context, id string) error {
	return d.change(ctx, id, "game end", func(tx *store.Tx, s *sitting, now time.Time) error {
		if s.State == store.GameEnded {
			return fmt.Errorf("game %s has ended already", id)
		}
		begun := s.State != store.GameNew
		s.State, s.Due = store.GameEnded, time.Time{}
		if !begun {
			return tx.MoveGame(s.Game)
		}
		return d.announce(tx, s, "ended", now)
	})
}

// change runs a game master's command in one transaction and records it.
func (d *Desk) change(ctx context.Context, id, what string, f func(*store.Tx, *sitting, time.Time) error) error {
	return d.store.Write(ctx, func(tx *store.Tx) error {
		s, err := d.sit(tx, id)
		if err != nil {
			return err
		}
		now := d.now()
		if err := tx.Audit(id, what, "", now); err != nil {
			return err
		}
		return f(tx, s, now)
	})
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func (d *Desk) noWords(lang string) error {
	return fmt.Errorf("there are no words in language %q; there are %s", lang, strings.Join(d.words.Languages(), ", "))
}
