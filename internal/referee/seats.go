package referee

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ringpost/internal/compose"
	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/report"
	"ringpost/internal/schedule"
	"ringpost/internal/store"
)

// Seating is a seat to enter.
type Seating struct {
	Game      string
	Name      string
	Addresses []string
	Lang, TZ  string // "": those the player has, or the game's
	Traits    game.Settings
}

// AddSeat gives a player a seat: at once before the start, else from the next
// round on. An address that is known means the player who has it.
func (d *Desk) AddSeat(ctx context.Context, in Seating) (seat store.Seat, err error) {
	in.Name = game.CleanName(in.Name)
	err = d.change(ctx, in.Game, "seat add", func(tx *store.Tx, s *sitting, now time.Time) error {
		if s.State == store.GameEnded {
			return fmt.Errorf("game %s has ended", in.Game)
		}
		if code := s.nameProblem(in.Name); code != "" {
			text, err := d.words.Render("en", report.Common, "issue."+code, game.Issue{Code: code, Args: []string{in.Name}})
			if err != nil {
				return err
			}
			return fmt.Errorf("the name %q cannot be used: %s", in.Name, strings.Join(strings.Fields(text), " "))
		}
		if err := in.Traits.Check(s.rules.About().Seat); err != nil {
			return fmt.Errorf("a seat in %s, by the rules of %s: %w", s.ID, s.Ruleset, err)
		}
		p, err := d.person(tx, s, in, now)
		if err != nil {
			return err
		}
		seat = store.Seat{Game: s.ID, Player: p.ID, State: store.SeatWaiting}
		seat.Name, seat.Traits = in.Name, in.Traits
		if s.State == store.GameNew {
			seat.State = store.SeatPlaying
		}
		if seat, err = tx.AddSeat(seat); err != nil || seat.State != store.SeatWaiting {
			return err
		}
		return d.notice(tx, s, seat, "joined", now)
	})
	return seat, err
}

// person finds or enters the player with these addresses.
func (d *Desk) person(tx *store.Tx, s *sitting, in Seating, now time.Time) (store.Player, error) {
	if len(in.Addresses) == 0 {
		return store.Player{}, errors.New("a seat needs its player's address")
	}
	if in.Lang != "" && !d.words.Has(in.Lang) {
		return store.Player{}, d.noWords(in.Lang)
	}
	if in.TZ != "" {
		if _, err := schedule.Zone(in.TZ); err != nil {
			return store.Player{}, err
		}
	}
	fresh, norms, known, err := d.sortAddresses(tx, in.Addresses)
	if err != nil {
		return known, err
	}
	if known.ID == 0 {
		p := store.Player{Lang: or(in.Lang, s.Lang), TZ: or(in.TZ, s.TZ), Remind: RemindHours, Addresses: fresh}
		return tx.AddPlayer(p, norms, now)
	}
	for i, a := range fresh {
		if err := tx.AddAddress(known.ID, a, norms[i]); err != nil {
			return known, err
		}
	}
	if in.Lang == "" && in.TZ == "" {
		return known, nil
	}
	known.Lang, known.TZ = or(in.Lang, known.Lang), or(in.TZ, known.TZ)
	return known, tx.SetPlayer(known)
}

// sortAddresses checks addresses for a player, and parts off those that nobody has,
// with the form in which they are compared; known is who has the others.
func (d *Desk) sortAddresses(tx *store.Tx, addresses []string) (fresh, norms []string, known store.Player, err error) {
	for _, a := range addresses {
		norm := letter.Normalize(a)
		if norm == letter.Normalize(d.set.Address) {
			return nil, nil, known, fmt.Errorf("%s is the address orders go to: it can be no player's", a)
		}
		if _, err := compose.Mailbox(a); err != nil {
			return nil, nil, known, err
		}
		p, err := tx.PlayerAt(norm)
		ok, err := found(err)
		switch {
		case err != nil:
			return nil, nil, known, err
		case !ok && !slices.Contains(norms, norm):
			fresh, norms = append(fresh, a), append(norms, norm)
		case ok && known.ID != 0 && known.ID != p.ID:
			return nil, nil, known, fmt.Errorf("the addresses %s belong to different players", strings.Join(addresses, ", "))
		case ok:
			known = p
		}
	}
	return fresh, norms, known, nil
}

// named finds a seat of the game by its name.
func (s *sitting) named(name string) (store.Seat, error) {
	for _, x := range s.seats {
		if game.Fold(x.Name) == game.Fold(game.CleanName(name)) {
			return x, nil
		}
	}
	return store.Seat{}, s.noSeat(name)
}

// SetAddresses gives a seat's player other addresses instead of those he has, in all
// his games. What did not get out to an old one goes to the first of them.
func (d *Desk) SetAddresses(ctx context.Context, id, name string, addresses []string) error {
	return d.change(ctx, id, "seat address", func(tx *store.Tx, s *sitting, now time.Time) error {
		x, err := s.named(name)
		if err != nil {
			return err
		}
		p, err := tx.Player(x.Player)
		if err != nil {
			return err
		}
		fresh, norms, known, err := d.sortAddresses(tx, addresses)
		switch {
		case err != nil:
			return err
		case known.ID != 0 && known.ID != p.ID:
			return fmt.Errorf("one of the addresses %s is another player's", strings.Join(addresses, ", "))
		}
		for i, a := range fresh {
			if err := tx.AddAddress(p.ID, a, norms[i]); err != nil {
				return err
			}
		}
		for _, a := range slices.Backward(addresses) {
			if err := tx.FirstAddress(p.ID, letter.Normalize(a)); err != nil {
				return err
			}
		}
		for _, old := range p.Addresses {
			norm := letter.Normalize(old)
			if slices.ContainsFunc(addresses, func(a string) bool { return letter.Normalize(a) == norm }) {
				continue
			}
			if err := tx.RemoveAddress(norm); err != nil {
				return err
			}
			if err := tx.Readdress(old, addresses[0]); err != nil {
				return err
			}
		}
		p.Bounced = time.Time{}
		return tx.SetPlayer(p)
	})
}

func (s *sitting) noSeat(name string) error {
	return fmt.Errorf("game %s: seat %q: %w; there are %s", s.ID, name, store.ErrNotFound, or(strings.Join(names(s.seats), ", "), "none"))
}

// RemoveSeat takes a seat out of a game at once; its opponent of the open round
// gets a stand-in where the rules have one (SR-34).
func (d *Desk) RemoveSeat(ctx context.Context, id, name string) error {
	return d.change(ctx, id, "seat remove", func(tx *store.Tx, s *sitting, now time.Time) error {
		x, err := s.named(name)
		if err != nil {
			return err
		}
		state := store.SeatLeft
		switch {
		case s.State == store.GameEnded:
			return fmt.Errorf("game %s has ended", id)
		case !inPlay(x) && x.State != store.SeatWaiting:
			return fmt.Errorf("%s is no longer in game %s", x.Name, id)
		case s.open() && inPlay(x):
			state = store.SeatRemoved
		}
		if err := tx.SetSeatState(id, x.ID, state); err != nil {
			return err
		}
		if state == store.SeatRemoved {
			if err := d.remove(tx, s, x, now); err != nil {
				return err
			}
		}
		x.State = state
		return d.notice(tx, s, x, "removed-gm", now)
	})
}

// remove takes a seat out of the open round and tells those whose round it changes:
// who reads another briefing than before.
func (d *Desk) remove(tx *store.Tx, s *sitting, gone store.Seat, now time.Time) error {
	all, err := tx.Counting(s.ID, s.Branch, s.Round, s.until(s.Round))
	if err != nil {
		return err
	}
	briefings := func() (map[game.SeatID]string, error) {
		out := map[game.SeatID]string{}
		for _, x := range s.seats {
			if x.ID == gone.ID || !inPlay(x) {
				continue
			}
			if out[x.ID], err = d.briefing(s, x.ID, s.Lang, nil); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	before, err := briefings()
	if err != nil {
		return err
	}
	for i := range s.seats {
		if s.seats[i].ID == gone.ID {
			s.seats[i].State = store.SeatRemoved
		}
	}
	after, err := briefings()
	if err != nil {
		return err
	}
	for _, x := range s.seats {
		if before[x.ID] == after[x.ID] {
			continue
		}
		p, err := tx.Player(x.Player)
		if err != nil {
			return err
		}
		next, err := d.next(s, x.ID, p, sentBy(x.ID, all))
		if err != nil {
			return err
		}
		if err := d.noticeOf(tx, s, x, report.Notice{Code: "changed", Other: gone.Name}, now, next); err != nil {
			return err
		}
	}
	return nil
}
