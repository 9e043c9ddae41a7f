package referee

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ringpost/internal/compose"
	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/orders"
	"ringpost/internal/proof"
	"ringpost/internal/report"
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

// Announce mails words of the game master's to all players of a game, also to those who
// only enter with the next round, and says to how many.
func (d *Desk) Announce(ctx context.Context, id, text string) (n int, err error) {
	lines := announced(text)
	switch {
	case len(lines) == 0:
		return 0, errors.New("there is nothing to announce: the text is empty")
	case utf8.RuneCountInString(text) > pressLength:
		return 0, fmt.Errorf("the text has more than %d characters", pressLength)
	}
	err = d.change(ctx, id, "game announce", func(tx *store.Tx, s *sitting, now time.Time) error {
		told := map[int64]bool{}
		for _, x := range s.seats {
			if told[x.Player] || !inPlay(x) && x.State != store.SeatWaiting {
				continue
			}
			told[x.Player] = true
			if err := d.noticeOf(tx, s, x, report.Notice{Code: "word", Lines: lines}, now); err != nil {
				return err
			}
		}
		n = len(told)
		return nil
	})
	return n, err
}

// announced is a text as it goes into mails: lines without control characters, and no
// empty ones around them.
func announced(text string) []string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(strings.ToValidUTF8(text, "?"))) {
		line = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, strings.TrimRight(line, "\r\n"))
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
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

// announce moves a game on and tells all its players.
func (d *Desk) announce(tx *store.Tx, s *sitting, code string, now time.Time) error {
	if err := tx.MoveGame(s.Game); err != nil {
		return err
	}
	for _, x := range s.seats {
		if inPlay(x) {
			if err := d.notice(tx, s, x, code, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// notice tells one seat's player what happened to the game or the seat.
func (d *Desk) notice(tx *store.Tx, s *sitting, x store.Seat, code string, now time.Time) error {
	return d.noticeOf(tx, s, x, report.Notice{Code: code}, now)
}

// noticeOf is notice with what else there is to tell than the code; more are further
// parts of the mail.
func (d *Desk) noticeOf(tx *store.Tx, s *sitting, x store.Seat, n report.Notice, now time.Time, more ...string) error {
	p, err := tx.Player(x.Player)
	if err != nil {
		return err
	}
	code := n.Code
	n.Game, n.Title, n.Seat, n.Round = s.ID, s.Title, x.Name, s.Round
	if code == "joined" {
		n.Round++ // he enters with the next one
	}
	if !s.Due.IsZero() {
		n.Deadline = report.When(p.Lang, d.zone(p.TZ), s.Due)
	}
	text, err := d.words.Render(p.Lang, report.Common, "notice", n)
	if err != nil {
		return err
	}
	m := mail{cause: fmt.Sprintf("notice/%s/%s/%s/%d", code, s.ID, x.ID, now.UnixMilli()), kind: "notice", game: s.ID, round: s.Round,
		seat: x.ID, to: p.Addresses[0], lang: p.Lang, automatic: "auto-generated", parts: append([]string{text}, more...),
		subject: report.Subject{Game: s.ID, Title: s.Title, Seat: x.Name, Round: s.Round, Code: code}}
	if s.open() && inPlay(x) {
		m.token, m.thread = d.token(s.Game, x.ID, s.Round), d.thread(s, x.ID)
	}
	if n.Words != "" { // once a reopening
		m.cause = noticeCause(code, s.ID, s.Branch, x.ID)
	}
	if code == "resumed" || code == "moved" || code == "reopened" && inPlay(x) {
		m.deadline = s.Due
	}
	if code == "ended" {
		text, err := d.words.Render(p.Lang, report.Common, "dice", diceOf(s, s.step, nil))
		if err != nil {
			return err
		}
		m.parts = append(m.parts, text)
	}
	_, err = d.queue(tx, m, now)
	return err
}

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

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
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

func (d *Desk) noWords(lang string) error {
	return fmt.Errorf("there are no words in language %q; there are %s", lang, strings.Join(d.words.Languages(), ", "))
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

// EnterOrders takes blocks that reached the game master by other ways, all of them
// or none. He may do so until the round is closed; the player gets the receipt.
func (d *Desk) EnterOrders(ctx context.Context, id, name, text string) (all []BlockResult, err error) {
	err = d.change(ctx, id, "orders enter", func(tx *store.Tx, s *sitting, now time.Time) error {
		x, err := s.named(name)
		if err != nil {
			return err
		}
		if !s.open() || !inPlay(x) {
			return fmt.Errorf("game %s is %s and %s's seat %s: no orders are due from it", id, s.State, x.Name, x.State)
		}
		p, err := tx.Player(x.Player)
		if err != nil {
			return err
		}
		blocks, err := enteredBlocks(s, x, text)
		if err != nil {
			return err
		}
		received := now
		if s.closedFor(now) { // late for mail, not for the game master
			received = s.until(s.Round)
		}
		h := d.newHandling(tx, now)
		h.sittings[id] = s
		c := &correspondence{handling: h, player: p, lang: p.Lang, zone: d.zone(p.TZ), seats: []store.Seat{x}}
		c.read.From = p.Addresses[0]
		for _, b := range blocks {
			r, err := c.take(s, x, b, received, 0)
			if err != nil {
				return err
			}
			if r.Result != Taken {
				return fmt.Errorf("nothing was entered: %w", &Rejected{r})
			}
		}
		if err := c.finishReceipts(); err != nil {
			return err
		}
		all = c.blocks
		return c.sendAs(fmt.Sprintf("entered/%s/%d/%s/%d", id, all[0].Round, x.ID, now.UnixMilli()))
	})
	return all, err
}

// Rejected is the error of orders that could not be entered.
type Rejected struct{ Block BlockResult }

// Error names the lines and what is wrong with them.
func (r *Rejected) Error() string {
	if len(r.Block.Issues) == 0 {
		return "there are no orders for that round to take (" + r.Block.Outcome + ")"
	}
	var lines []string
	for _, i := range r.Block.Issues {
		lines = append(lines, i.String())
	}
	return strings.Join(lines, "; ")
}

// enteredBlocks finds the blocks of a text the game master wrote.
func enteredBlocks(s *sitting, x store.Seat, text string) ([]game.Block, error) {
	blocks := orders.Parse(orders.Lines(text)).Blocks
	if len(blocks) == 0 {
		return nil, errors.New("there is no order block: want lines such as those in the player's last report")
	}
	for _, b := range blocks {
		if b.Name != "" && !s.means(x, b.Name) {
			return nil, fmt.Errorf("the block is %s's, not %s's", b.Name, x.Name)
		}
		if b.Game != "" && !strings.EqualFold(b.Game, s.ID) {
			return nil, fmt.Errorf("the block is for game %s, not %s", b.Game, s.ID)
		}
	}
	return blocks, nil
}
