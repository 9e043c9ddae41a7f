package referee

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/proof"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// line are the steps that count in a game.
func (h *handling) line(s *sitting) ([]store.Step, error) {
	all, _, err := linesOf(h.tx, s.ID, s.Branch)
	if err != nil {
		return nil, err
	}
	return all[s.Branch], nil
}

// linesOf are, for each branch of a game up to one, the steps that counted at its end;
// and the branches.
func linesOf(tx *store.Tx, id string, upTo int) ([][]store.Step, []store.Branch, error) {
	branches, err := tx.Branches(id)
	if err != nil {
		return nil, nil, err
	}
	var out [][]store.Step
	var line []store.Step
	for b := 0; b <= upTo; b++ {
		if b > 0 {
			line = slices.Clip(line[:cut(line, branches[b-1].Round, branches[b-1].Step)])
		}
		own, err := tx.Steps(id, b)
		if err != nil {
			return nil, nil, err
		}
		line = append(line, own...)
		out = append(out, line)
	}
	return out, branches, nil
}

// cut is the place of the first step that is not before the given one.
func cut(line []store.Step, round, step int) int {
	i := slices.IndexFunc(line, func(x store.Step) bool { return x.Round > round || x.Round == round && x.Step >= step })
	if i < 0 {
		return len(line)
	}
	return i
}

// tip is the newest hash of a game, of a step or a reopening.
func (s *sitting) tip() string {
	if s.step.Branch != s.Branch {
		return s.on.Hash
	}
	return s.step.Hash
}

// openSince is when orders for the open round could first be sent to this deadline.
func (s *sitting) openSince() time.Time {
	if s.Branch > 0 && !s.on.Kept && s.on.Round == s.Round {
		return s.on.Opened
	}
	return s.Opened
}

// frozenAt is when a step's orders were frozen: what arrives from then on comes too
// late for it. A round closed early was frozen by its close: then its dice were told.
func (h *handling) frozenAt(x store.Step) (time.Time, error) {
	if x.Branch > 0 {
		on, err := h.tx.Branch(x.Game, x.Branch)
		if err != nil {
			return time.Time{}, err
		}
		if on.Kept && on.Round == x.Round && on.Step == x.Step {
			return on.Frozen, nil
		}
	}
	if x.Deadline.IsZero() || x.Closed.Before(x.Deadline) {
		return x.Closed, nil
	}
	return x.Deadline, nil
}

func reopeningDocument(on store.Branch) (proof.Reopening, error) {
	out := proof.Reopening{Branch: on.Branch, Round: on.Round, Step: on.Step, Kept: on.Kept, Next: on.Next, Reason: on.Reason,
		At: on.Opened.UTC().Format(time.RFC3339), Hash: on.Hash, Void: []proof.Step{}}
	if err := json.Unmarshal(on.Added, &out.Added); err != nil {
		return out, fmt.Errorf("reading the reopening of round %d of %s: %w", on.Round, on.Game, err)
	}
	return out, nil
}

// earlier says of a step's report that there was one on its round before, nil when
// there was none.
func (d *Desk) earlier(tx *store.Tx, x store.Step) (*report.Again, error) {
	if x.Branch == 0 {
		return nil, nil
	}
	before := false
	for branch := x.Branch - 1; branch >= 0 && !before; branch-- {
		_, err := tx.StepOf(x.Game, branch, x.Round)
		if before, err = found(err); err != nil {
			return nil, err
		}
	}
	if !before {
		return nil, nil
	}
	all, err := tx.Branches(x.Game)
	if err != nil {
		return nil, err
	}
	on := all[x.Branch-1]
	anew := on.Seeds > 0 && all[on.Seeds-1].Round == x.Round
	for on.Kept && on.Round != x.Round { // that one left this round as it was
		on = all[on.Branch-2]
	}
	return &report.Again{First: on.Round == x.Round, Kept: on.Kept, Anew: anew, Round: on.Round, Reason: on.Reason}, nil
}

// beyond reports whether a mail that names no round came when the round that is open
// again was closed: it was for the one behind it.
func (c *correspondence) beyond(s *sitting, received time.Time) bool {
	if s.Branch == 0 || s.on.Kept || s.Round != s.on.Round || !received.Before(s.on.Opened) {
		return false
	}
	void, err := c.tx.StepOf(s.ID, s.on.Parent, s.on.Round)
	return err == nil && !received.Before(void.Closed)
}

// arrivedInTime reports whether orders had arrived before the deadline of a closed
// round and were only seen after its close; then the game master is told. They need
// not have come while the round was open if they name it, or bring its tag. What was
// confirmed later is not in time: its sender may know the dice, and chooses.
func (c *correspondence) arrivedInTime(s *sitting, round int, named bool, received time.Time) (bool, error) {
	if s.open() && round >= s.Round {
		return false, nil
	}
	step, err := c.tx.StepOf(s.ID, s.Branch, round)
	if ok, err := found(err); err != nil || !ok {
		return false, err
	}
	before, err := c.tx.StepBefore(s.ID, s.Branch, round, 0)
	if ok, err := found(err); err != nil || !ok {
		return false, err
	}
	end, err := c.frozenAt(step)
	if err != nil {
		return false, err
	}
	named = named || c.tagRound(s.ID) == round
	if !named && received.Before(before.Closed) || !received.Before(end) || !c.opt.confirmedAt.Before(end) {
		return false, nil
	}
	if !c.opt.first { // handled once more: what it brought in time has counted
		filed, err := c.tx.OrdersFor(s.ID, step.Branch, round)
		if err != nil || slices.ContainsFunc(filed, func(o store.Orders) bool { return o.Letter == c.letter.ID }) {
			return false, err
		}
	}
	return true, c.Desk.alert(c.tx, report.Alert{Code: "late-arrival", Game: s.ID, Round: round, Mail: itoa64(c.letter.ID),
		Last: round == s.step.Round && step.Branch == s.Branch}, c.at)
}

// missedInTime refuses a block for a closed round for which it had arrived in time,
// where it is not late since its writer is out of the game, perhaps for missing just
// that, or the game is over. The game master is told. nil: it is no such block.
func (c *correspondence) missedInTime(s *sitting, b game.Block) (*refusal, error) {
	if s == nil || s.step.Round == 0 || !c.trusted(s.Trust) {
		return nil, nil
	}
	no := refusal{Code: "left", Game: s.ID, InTime: true}
	seats := c.seatsIn(s, store.SeatLeft)
	if s.State == store.GameEnded {
		no.Code, seats = "over", slices.Concat(c.ownSeats(s), seats)
	} else if len(c.ownSeatsNamed(s, b.Name)) > 0 {
		return nil, nil
	}
	if b.Name != "" {
		seats = slices.DeleteFunc(seats, func(x store.Seat) bool { return !s.means(x, b.Name) })
	}
	if len(seats) != 1 {
		return nil, nil
	}
	no.Name = seats[0].Name
	round, late := c.when(s, b.Round, c.letter.Received)
	if s.State == store.GameEnded {
		round, late = cmp.Or(b.Round, c.tagRound(s.ID), s.step.Round), true
	}
	if no.Round = round; !late || round > s.step.Round {
		return nil, nil
	}
	inTime, err := c.arrivedInTime(s, no.Round, b.Round == no.Round, c.letter.Received)
	if err != nil || !inTime {
		return nil, err
	}
	return &no, nil
}

// RoundInfo is a closed round.
type RoundInfo struct {
	Branch int       `json:"branch"`
	Round  int       `json:"round"`
	Closed time.Time `json:"closed"`
	Seed   string    `json:"seed"`
	Hash   string    `json:"hash"`
	Void   bool      `json:"void"` // the round was reopened: it does not count
}

// BranchInfo is a reopening.
type BranchInfo struct {
	Branch int       `json:"branch"`
	Round  int       `json:"round"`
	Kept   bool      `json:"kept"` // its dice; else it was open for new orders
	Reason string    `json:"reason"`
	Opened time.Time `json:"opened"`
	Next   string    `json:"commitment"` // to the round's seed
}

// Rounds lists a game's closed rounds, the start as round 0; those that were reopened
// only with all, before what took their place.
func (d *Desk) Rounds(ctx context.Context, id string, all bool) (out []RoundInfo, err error) {
	out = []RoundInfo{}
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		g, err := tx.Game(id)
		if err != nil {
			return err
		}
		lines, branches, err := linesOf(tx, id, g.Branch)
		if err != nil {
			return err
		}
		for _, x := range lines[g.Branch] {
			out = append(out, RoundInfo{x.Branch, x.Round, x.Closed, x.Seed, x.Hash, false})
		}
		if !all {
			return nil
		}
		for i, b := range branches {
			for _, x := range lines[i][cut(lines[i], b.Round, b.Step):] {
				out = append(out, RoundInfo{x.Branch, x.Round, x.Closed, x.Seed, x.Hash, true})
			}
		}
		slices.SortStableFunc(out, func(a, b RoundInfo) int { return cmp.Or(a.Round-b.Round, a.Branch-b.Branch) })
		return nil
	})
	return out, err
}

// reopenings lists those of a game, oldest first.
func reopenings(tx *store.Tx, id string) ([]BranchInfo, error) {
	all, err := tx.Branches(id)
	var out []BranchInfo
	for _, b := range all {
		out = append(out, BranchInfo{b.Branch, b.Round, b.Kept, b.Reason, b.Opened, b.Next})
	}
	return out, err
}

// documentSteps puts a game's steps and reopenings into its document.
func (d *Desk) documentSteps(tx *store.Tx, s *sitting, doc *proof.Document, public bool) error {
	lines, branches, err := linesOf(tx, s.ID, s.Branch)
	if err != nil {
		return err
	}
	seeds := map[int]int{0: 0}
	for _, b := range branches {
		seeds[b.Branch] = b.Seeds
	}
	// documented are the steps of a line from the given one on.
	documented := func(line []store.Step, from int) ([]proof.Step, error) {
		out := []proof.Step{}
		for i := from; i < len(line); i++ {
			var before json.RawMessage
			if i > 0 {
				before = line[i-1].State
			}
			st, err := d.stepDocument(s, line[i], seeds[line[i].Branch], before, public)
			if err != nil {
				return nil, err
			}
			out = append(out, st)
		}
		return out, nil
	}
	for i, b := range branches {
		r, err := reopeningDocument(b)
		if err != nil {
			return err
		}
		if r.Void, err = documented(lines[i], cut(lines[i], b.Round, b.Step)); err != nil {
			return err
		}
		doc.Reopened = append(doc.Reopened, r)
	}
	if s.State == store.GameNew {
		return nil
	}
	doc.Steps, err = documented(lines[s.Branch], 0)
	return err
}
