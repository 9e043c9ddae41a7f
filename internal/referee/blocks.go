package referee

import (
	"slices"
	"strings"

	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// refusal is the data of the words that say why nothing was done.
type refusal = report.Refusal

// refuse answers that something could not be done.
func (c *correspondence) refuse(r refusal) {
	c.note(Refused, r.Code)
	if r.Code != "wrong-code" && r.Code != "code-expired" { // codes are not repeated
		r.Said = c.said(r.Line, r.Name)
	}
	c.answer.add("refusal", r)
}

// told gives issues what their lines say.
func (c *correspondence) told(issues []game.Issue) []report.Told {
	out := make([]report.Told, len(issues))
	for i, issue := range issues {
		out[i] = report.Told{Issue: issue, Said: c.said(issue.Line, issue.Args...)}
	}
	return out
}

// mostSaid is how much of a line, in characters, finds it again.
const mostSaid = 39

// said is a line of the letter as its writer has it, shortened; "" where there is
// none of the number, or most of it is quoted already.
func (c *correspondence) said(n int, quoted ...string) string {
	for _, l := range slices.Concat(c.read.Lines, c.read.Quoted) {
		if n == 0 || l.N != n {
			continue
		}
		line := strings.Join(strings.Fields(l.Text), " ")
		for _, q := range quoted {
			if q = strings.TrimSuffix(q, "…"); strings.Contains(line, q) && 2*len(q) > len(line) {
				return ""
			}
		}
		return game.Clip(line, mostSaid)
	}
	return ""
}

// orderBlocks takes the letter's order blocks, each by itself: one that is wrong
// costs the others nothing (G-5).
func (c *correspondence) orderBlocks() error {
	for _, b := range c.text.Blocks {
		if len(b.Statements) == 0 && len(b.Issues) == 0 {
			continue // a name alone orders nothing; LEAVE may stand in it
		}
		if err := c.orderBlock(b); err != nil {
			return err
		}
	}
	return c.finishReceipts()
}

func (c *correspondence) orderBlock(b game.Block) error {
	s, seat, no, err := c.place(b)
	if err != nil {
		return err
	}
	if no != nil {
		missed, err := c.missedInTime(s, b)
		if err != nil {
			return err
		}
		if missed != nil {
			no = missed
		}
		no.Line = b.Line
		result := BlockResult{Game: s.id(), Seat: b.Name, Result: Refused, Outcome: no.Code,
			Orders: []string{}, Issues: c.issueResults("", b.Issues)}
		if no.InTime {
			result.Seat, result.Round = no.Name, no.Round
		}
		c.blocks = append(c.blocks, result)
		c.refuse(*no)
		return nil
	}
	if c.doneBefore(s.Trust) {
		return nil
	}
	if !c.trusted(s.Trust) {
		return c.hold(s, seat, b)
	}
	b.Issues = append(b.Issues, c.fractions(b)...)
	_, err = c.take(s, seat, b, c.letter.Received, c.letter.ID)
	return err
}

// fractions tells which lines of a block held a glyph such as ⅔ that was read as
// a pair.
func (c *correspondence) fractions(b game.Block) []game.Issue {
	var out []game.Issue
	for _, st := range b.Statements {
		for _, l := range c.read.Lines {
			if l.N == st.Line && l.Note == letter.NoteFraction {
				out = append(out, game.Issue{Line: l.N, Code: "fraction", Args: []string{st.Args}})
			}
		}
	}
	return out
}

// id is the game's id; of no game it is "".
func (s *sitting) id() string {
	if s == nil {
		return ""
	}
	return s.ID
}

// place finds the game and the player's own seat that a block is for, or the
// reason why there is none. Nothing is guessed: what fits two games or two seats
// is asked back.
func (c *correspondence) place(b game.Block) (*sitting, store.Seat, *refusal, error) {
	s, no, err := c.gameOf(b)
	if err != nil || no != nil {
		return s, store.Seat{}, no, err
	}
	switch s.State {
	case store.GameNew:
		return s, store.Seat{}, &refusal{Code: "not-running", Game: s.ID}, nil
	case store.GameEnded:
		return s, store.Seat{}, &refusal{Code: "over", Game: s.ID}, nil
	}
	own := c.ownSeats(s)
	if x, waits := c.waitingSeat(s, b.Name); waits && (b.Name != "" || len(own) == 0) {
		return s, store.Seat{}, &refusal{Code: "not-yet", Game: s.ID, Name: x.Name, Round: s.Round + 1}, nil
	}
	if x, gone := c.leftSeat(s, b.Name); gone {
		return s, store.Seat{}, &refusal{Code: "left", Game: s.ID, Name: x.Name}, nil
	}
	if b.Round == game.RoundUnread {
		return s, store.Seat{}, &refusal{Code: "which-round", Game: s.ID, Round: s.openFor(c.letter.Received)}, nil
	}
	if b.Name == "" {
		if len(own) == 1 {
			return s, own[0], nil, nil
		}
		no := &refusal{Code: "which-seat", Game: s.ID, Names: names(own)}
		if !b.Manager {
			no.Names = s.callable(own)
		}
		return s, store.Seat{}, no, nil
	}
	id, ok := s.table.Owner(game.CleanName(b.Name))
	if !ok {
		no := &refusal{Code: "unknown-seat", Game: s.ID, Name: b.Name, Keyword: game.KeyManager, Names: names(own)}
		if !b.Manager {
			no.Keyword, no.Names = game.KeyName, s.callable(own)
		}
		return s, store.Seat{}, no, nil
	}
	for _, seat := range own {
		if seat.ID == id {
			return s, seat, nil, nil
		}
	}
	return s, store.Seat{}, &refusal{Code: "not-yours", Game: s.ID, Name: b.Name, Names: names(own)}, nil
}

// gameOf finds the game of a block: the one it names, else the one whose tag
// came back, else the only one in which the player has a seat of that name.
func (c *correspondence) gameOf(b game.Block) (*sitting, *refusal, error) {
	mine, err := c.ownGames()
	if err != nil {
		return nil, nil, err
	}
	ids := func(in []*sitting) (out []string) {
		for _, s := range in {
			out = append(out, s.ID)
		}
		return out
	}
	if b.Game != "" {
		for _, s := range mine {
			if strings.EqualFold(s.ID, b.Game) {
				return s, nil, nil
			}
		}
		return nil, &refusal{Code: "unknown-game", Name: b.Game, Names: ids(mine)}, nil
	}
	for _, t := range c.tags {
		for _, s := range mine {
			if t.valid && s.ID == t.game {
				return s, nil, nil
			}
		}
	}
	fit := mine
	if len(fit) > 1 && b.Name != "" {
		fit = slices.DeleteFunc(slices.Clone(mine), func(s *sitting) bool { return len(c.ownSeatsNamed(s, b.Name)) == 0 })
	}
	if len(fit) > 1 { // games that are over or not begun do not compete with running ones
		if open := slices.DeleteFunc(slices.Clone(fit), func(s *sitting) bool { return !s.open() }); len(open) > 0 {
			fit = open
		}
	}
	switch len(fit) {
	case 1:
		return fit[0], nil, nil
	case 0:
		if len(mine) == 0 {
			return nil, &refusal{Code: "no-game"}, nil
		}
		return nil, &refusal{Code: "unknown-seat", Name: b.Name, Names: names(c.seats)}, nil
	}
	return nil, &refusal{Code: "which-game", Names: ids(fit)}, nil
}

// open reports whether the game has an open round.
func (s *sitting) open() bool { return s.State == store.GameRunning || s.State == store.GamePaused }

// seatsIn are the player's seats of a game that are in one of some states.
func (c *correspondence) seatsIn(s *sitting, states ...string) []store.Seat {
	return slices.DeleteFunc(slices.Clone(s.seats), func(x store.Seat) bool {
		return x.Player != c.player.ID || !slices.Contains(states, x.State)
	})
}

// ownSeatsNamed are the player's seats of a game that a name means: a seat's own, or
// one that belongs to it; with "" all.
func (c *correspondence) ownSeatsNamed(s *sitting, name string) []store.Seat {
	own := c.ownSeats(s)
	if name == "" {
		return own
	}
	return slices.DeleteFunc(own, func(x store.Seat) bool { return !s.means(x, name) })
}

// callable are the names that a block of some seats can have: of those that belong
// to them where there are any.
func (s *sitting) callable(own []store.Seat) []string {
	var out []string
	for _, x := range own {
		out = append(out, s.table.Names(x.ID)...)
	}
	if len(out) == 0 {
		out = names(own)
	}
	return out
}

// means reports whether a name means a seat.
func (s *sitting) means(x store.Seat, name string) bool {
	name = game.CleanName(name)
	if game.Fold(x.Name) == game.Fold(name) {
		return true
	}
	if s.table == nil {
		return false
	}
	id, ok := s.table.Owner(name)
	return ok && id == x.ID
}

// ownGames lists the games in which the player has a seat.
func (c *correspondence) ownGames() ([]*sitting, error) {
	var out []*sitting
	for _, x := range c.seats {
		if len(out) > 0 && out[len(out)-1].ID == x.Game {
			continue
		}
		s, err := c.sitting(x.Game)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// ownSeats are the player's seats that take part in the open round.
func (c *correspondence) ownSeats(s *sitting) []store.Seat {
	var out []store.Seat
	for _, x := range s.seats {
		if x.Player == c.player.ID && inPlay(x) {
			out = append(out, x)
		}
	}
	return out
}

// waitingSeat is the player's seat of a name, or with "" any of his, that has not
// entered yet.
func (c *correspondence) waitingSeat(s *sitting, name string) (store.Seat, bool) {
	for _, x := range s.seats {
		if x.Player == c.player.ID && x.State == store.SeatWaiting && (name == "" || game.Fold(x.Name) == game.Fold(game.CleanName(name))) {
			return x, true
		}
	}
	return store.Seat{}, false
}

// leftSeat is the player's seat of a name that has left the game.
func (c *correspondence) leftSeat(s *sitting, name string) (store.Seat, bool) {
	for _, x := range s.seats {
		if x.Player == c.player.ID && (x.State == store.SeatLeft || x.State == store.SeatRemoved) && game.Fold(x.Name) == game.Fold(game.CleanName(name)) {
			return x, true
		}
	}
	return store.Seat{}, false
}

func names(seats []store.Seat) []string {
	out := make([]string, len(seats))
	for i, s := range seats {
		out[i] = s.Name
	}
	return out
}
