package store

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ringpost/internal/game"
)

// Orders are one revision of one slot.
type Orders struct {
	ID          int64
	Game        string
	Branch      int
	Round       int
	Seat        game.SeatID
	Slot        string
	Letter      int64 // 0: entered by the game master
	Received    time.Time
	Orders      json.RawMessage
	Lines       []game.Line
	Provisional bool
}

// AddOrders enters a revision and gives its id.
func (t *Tx) AddOrders(o Orders) (id int64, err error) {
	letter := any(o.Letter)
	if o.Letter == 0 {
		letter = nil
	}
	id, err = t.insert(`INSERT INTO orders (game, branch, round, seat, slot, letter, received, orders, lines, provisional) VALUES (?,?,?,?,?,?,?,?,?,?)`,
		o.Game, o.Branch, o.Round, o.Seat, o.Slot, letter, millis(o.Received), string(o.Orders), text(o.Lines), o.Provisional)
	if err != nil {
		return 0, fmt.Errorf("entering orders of %s in %s: %w", o.Seat, o.Game, err)
	}
	return id, nil
}

// Counting lists the orders that count for a round, by order of entry and slot.
// A zero until means all.
func (t *Tx) Counting(gameID string, branch, round int, until time.Time) ([]Orders, error) {
	all, err := list(t, scanOrders, `SELECT `+orderColumns+` FROM orders o JOIN seat s ON s.game = o.game AND s.id = o.seat
		WHERE o.game = ? AND o.branch = ? AND o.round = ? AND o.received <= ? ORDER BY s.ord`,
		gameID, branch, round, millisUntil(until))
	return Counting(all), err
}

// CountingOf is Counting for one seat.
func (t *Tx) CountingOf(seat game.SeatID, gameID string, branch, round int, until time.Time) ([]Orders, error) {
	all, err := list(t, scanOrders, `SELECT `+orderColumns+` FROM orders o
		WHERE o.game = ? AND o.branch = ? AND o.round = ? AND o.received <= ? AND o.seat = ?`,
		gameID, branch, round, millisUntil(until), seat)
	return Counting(all), err
}

// Counting picks from the revisions of a round, which stand together by seats, those
// that count: of each slot the last good ones received, else the last provisional
// ones (G-3, G-7). Those of a seat come in the order of slots. The revisions are put
// into another order for it.
func Counting(revisions []Orders) []Orders {
	for rest := revisions; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Seat == rest[0].Seat {
			n++
		}
		slices.SortFunc(rest[:n], func(a, b Orders) int {
			switch {
			case a.Slot != b.Slot:
				return strings.Compare(a.Slot, b.Slot)
			case a.Provisional != b.Provisional && b.Provisional:
				return -1
			case a.Provisional != b.Provisional:
				return 1
			}
			return cmp.Or(b.Received.Compare(a.Received), cmp.Compare(b.ID, a.ID))
		})
		rest = rest[n:]
	}
	return slices.CompactFunc(revisions, func(a, b Orders) bool { return a.Seat == b.Seat && a.Slot == b.Slot })
}

func millisUntil(until time.Time) int64 {
	if until.IsZero() {
		return 1<<62 - 1
	}
	return millis(until)
}

const orderColumns = `o.id, o.game, o.branch, o.round, o.seat, o.slot, o.letter, o.received, o.orders, o.lines, o.provisional`

func scanOrders(r scanner) (o Orders, err error) {
	var letter sql.NullInt64
	var received int64
	var raw, lines string
	if err := r.Scan(&o.ID, &o.Game, &o.Branch, &o.Round, &o.Seat, &o.Slot, &letter, &received, &raw, &lines, &o.Provisional); err != nil {
		return o, err
	}
	o.Letter, o.Received, o.Orders = letter.Int64, moment(received), json.RawMessage(raw)
	return o, json.Unmarshal([]byte(lines), &o.Lines)
}

// Step is a closed step of a game.
type Step struct {
	Game     string
	Branch   int
	Round    int // 0: the setup
	Step     int // within the round, from 0
	Deadline time.Time
	Seed     string // hex
	Next     string // commitment to the next round's seed
	Inputs   json.RawMessage
	Events   json.RawMessage
	State    json.RawMessage
	Hash     string // chained: of all the above and the step before
	Closed   time.Time
}

const stepColumns = `game, branch, round, step, deadline, seed, next, inputs, events, state, hash, closed`

func scanStep(r scanner) (s Step, err error) {
	var deadline sql.NullInt64
	var closed int64
	var inputs, events, state string
	err = r.Scan(&s.Game, &s.Branch, &s.Round, &s.Step, &deadline, &s.Seed, &s.Next, &inputs, &events, &state, &s.Hash, &closed)
	s.Deadline, s.Closed = optionalMoment(deadline), moment(closed)
	s.Inputs, s.Events, s.State = json.RawMessage(inputs), json.RawMessage(events), json.RawMessage(state)
	return s, err
}

// AddStep enters a step; a second one of the same number is an error, which is
// what makes closing twice harmless.
func (t *Tx) AddStep(s Step) error {
	err := t.exec(`INSERT INTO step (`+stepColumns+`) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)`,
		s.Game, s.Branch, s.Round, s.Step, optional(s.Deadline), s.Seed, s.Next,
		string(s.Inputs), string(s.Events), string(s.State), s.Hash, millis(s.Closed))
	if err != nil {
		return fmt.Errorf("entering round %d of %s: %w", s.Round, s.Game, err)
	}
	return nil
}

// LastStep is the newest step of a branch's line: of its own, or of what it began from.
func (t *Tx) LastStep(gameID string, branch int) (Step, error) {
	s, err := t.StepBefore(gameID, branch, 1<<40, 0)
	if err != nil {
		return s, fmt.Errorf("last step of %s: %w", gameID, err)
	}
	return s, nil
}

// Steps lists a branch's own steps in order.
func (t *Tx) Steps(gameID string, branch int) ([]Step, error) {
	return list(t, scanStep, `SELECT `+stepColumns+` FROM step WHERE game = ? AND branch = ? ORDER BY round, step`, gameID, branch)
}

// StepBefore is the step that came before one of the given number in a branch's line,
// ErrNotFound for the setup.
func (t *Tx) StepBefore(gameID string, branch, round, step int) (Step, error) {
	return t.parented(gameID, branch, round, step, func(branch, round, step int) (Step, error) {
		return one(t, scanStep, `SELECT `+stepColumns+` FROM step WHERE game = ? AND branch = ? AND (round, step) < (?, ?)
			ORDER BY round DESC, step DESC LIMIT 1`, gameID, branch, round, step)
	})
}

// StepOf is the last step of a round in a branch's line.
func (t *Tx) StepOf(gameID string, branch, round int) (Step, error) {
	s, err := t.StepBefore(gameID, branch, round+1, 0)
	if err == nil && s.Round != round {
		err = ErrNotFound
	}
	if err != nil {
		return s, fmt.Errorf("round %d of %s: %w", round, gameID, err)
	}
	return s, nil
}
