package referee

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/orders"
	"ringpost/internal/proof"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// Reopening is what the game master wants of a closed round.
type Reopening struct {
	Game  string
	Round int // 0: the one closed last
	// New: the round is open again for new orders, with new dice. Otherwise it is
	// decided again at once, by the dice and orders it had and by those of letters that
	// had arrived in time and were seen after the close.
	New      bool
	Deadline time.Time // of a round for new orders; zero: the next one of the game's calendar
	Reason   string    // told to all players
	Do       bool      // otherwise it is only shown what would happen
}

// Reopened says what a reopening did, or would do.
type Reopened struct {
	Game     string      `json:"game"`
	Round    int         `json:"round"`
	New      bool        `json:"new_orders"`
	Done     bool        `json:"done"`
	Branch   int         `json:"branch"`
	Reason   string      `json:"reason"`
	Letters  []LateMail  `json:"letters"`              // that come in
	Changed  []Change    `json:"changed"`              // orders of the round that are others by them
	Void     []int       `json:"void"`                 // rounds whose results are void, in order
	OnFile   []CarryOver `json:"on_file"`              // orders for the open round and those behind it
	Seats    []SeatMove  `json:"seats"`                // that take part otherwise than before
	Mails    int         `json:"mails"`                // to players about it
	Unsent   int         `json:"taken_back"`           // mails about the old result that had not gone out
	Open     int         `json:"open"`                 // the round that is open afterwards, 0 for none
	Deadline *time.Time  `json:"deadline"`             // its
	Commits  string      `json:"commitment,omitempty"` // SHA-256 of the new seed
	State    string      `json:"state"`                // of the game afterwards
}

// LateMail is a letter whose orders for a seat come in.
type LateMail struct {
	Mail     int64     `json:"mail"`
	Seat     string    `json:"seat"`
	Received time.Time `json:"received"`
	Seen     time.Time `json:"seen"`
	Orders   []string  `json:"orders"`
	// Counts is false where something sent later, or better, is on file.
	Counts bool `json:"counts"`
}

// Change is a slot whose orders are others.
type Change struct {
	Seat string   `json:"seat"`
	Slot string   `json:"slot"`
	Old  []string `json:"old"`
	New  []string `json:"new"`
}

// CarryOver is what becomes of a seat's orders in a slot.
type CarryOver struct {
	Seat  string   `json:"seat"`
	Round int      `json:"round"`
	Slot  string   `json:"slot"`
	Kept  []string `json:"kept"`
	Lost  []string `json:"lost"`
}

// SeatMove is a seat that takes part otherwise.
type SeatMove struct {
	Seat string `json:"seat"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// mostReason is the longest reason, in characters: it stands in mails.
const mostReason = 300

// errShown ends a transaction that only showed what would be.
var errShown = errors.New("only shown")

// Reopen opens a closed round again. It is one transaction: all of it happens, its
// mails included, or nothing. What would happen without Do is found out by doing it and
// taking it back.
func (d *Desk) Reopen(ctx context.Context, in Reopening) (out Reopened, err error) {
	in.Reason = reasonText(in.Reason)
	if in.Reason == "" {
		return out, errors.New("players are told why a round is reopened: give the reason")
	}
	err = d.store.Write(ctx, func(tx *store.Tx) error {
		s, err := d.sit(tx, in.Game)
		if err != nil {
			return err
		}
		r := &reopening{handling: d.newHandling(tx, d.now()), in: in, s: s, out: Reopened{Game: s.ID, New: in.New, Branch: s.Branch + 1, Reason: in.Reason,
			Letters: []LateMail{}, Changed: []Change{}, Void: []int{}, OnFile: []CarryOver{}, Seats: []SeatMove{}}}
		if err := r.run(); err != nil {
			return err
		}
		out = r.out
		if !in.Do {
			return errShown
		}
		out.Done = true
		detail := fmt.Sprintf("round %d, branch %d, by its own dice: %s", out.Round, out.Branch, in.Reason)
		if in.New {
			detail = fmt.Sprintf("round %d, branch %d, for new orders: %s", out.Round, out.Branch, in.Reason)
		}
		return tx.Audit(in.Game, "round reopen", detail, r.at)
	})
	switch {
	case errors.Is(err, errShown):
		err = nil
	case err == nil:
		d.log.Info("round reopened", "game", out.Game, "round", out.Round, "branch", out.Branch, "new", out.New, "mails", out.Mails)
	}
	return out, err
}

// reasonText is a reason as it goes into mails: a line of bounded length.
func reasonText(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return game.Clip(strings.Join(strings.Fields(s), " "), mostReason)
}

// reopening is the work on one.
type reopening struct {
	*handling
	in    Reopening
	s     *sitting     // as it was found
	void  []store.Step // the steps that no longer count
	prev  store.Step   // the one before them
	first *sitting     // the game in which the round is open, on the new branch
	files map[game.SeatID]report.Carried
	out   Reopened
}

func (r *reopening) run() error {
	if err := r.look(); err != nil {
		return err
	}
	if r.in.New {
		return r.forNewOrders()
	}
	return r.decideAgain()
}

// look finds the steps in question, and refuses what cannot be.
func (r *reopening) look() error {
	s := r.s
	last, round := s.step.Round, r.in.Round
	if round == 0 {
		round = last
	}
	switch {
	case s.State == store.GameNew:
		return fmt.Errorf("game %s has not begun: there is no round to reopen", s.ID)
	case r.in.Round == 0 && s.step.Branch != s.Branch:
		return fmt.Errorf("round %d of %s is open again already, since %s. To go back further, name a round with --round", s.Round, s.ID, s.on.Opened.UTC().Format(time.RFC3339))
	case round > last && round == s.Round && s.open():
		return fmt.Errorf("round %d of %s is not closed: orders for it are taken", round, s.ID)
	case last == 0:
		return fmt.Errorf("no round of %s has been closed yet", s.ID)
	case round < 1:
		return errors.New("the draw at the start cannot be reopened")
	case round > last:
		return fmt.Errorf("round %d of %s has not been played; the one closed last is %d", round, s.ID, last)
	case round < last && !r.in.New:
		return fmt.Errorf("round %d of %s is not the one closed last, which is %d: what came after it went by its result. It can be opened again with --new-orders only", round, s.ID, last)
	}
	r.out.Round = round
	from := 0
	if !r.in.New {
		from = s.step.Step // a round of several steps: the last of them
	}
	line, err := r.line(s)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(line, func(x store.Step) bool { return x.Round == round && x.Step == from })
	if at < 1 {
		return fmt.Errorf("round %d of %s: %w", round, s.ID, store.ErrNotFound)
	}
	r.prev, r.void = line[at-1], line[at:]
	for _, x := range r.void {
		if !slices.Contains(r.out.Void, x.Round) {
			r.out.Void = append(r.out.Void, x.Round)
		}
	}
	return nil
}

// begin makes the game in which the round is open on the new branch, as far as it is
// known before it is decided or ordered for.
func (r *reopening) begin(seeds int, frozen time.Time) error {
	s := *r.s
	s.Branch, s.Round, s.State, s.Opened, s.Due = r.out.Branch, r.void[0].Round, store.GameRunning, r.prev.Closed, time.Time{}
	s.step = r.prev
	s.on = store.Branch{Game: s.ID, Branch: s.Branch, Parent: r.void[0].Branch, Round: s.Round, Step: r.void[0].Step, Kept: !r.in.New,
		Seeds: seeds, Added: json.RawMessage("[]"), Reason: r.in.Reason, Frozen: frozen, Opened: r.at}
	var err error
	if s.table, err = s.rules.Open(r.prev.State); err != nil {
		return fmt.Errorf("game %s: %w", s.ID, err)
	}
	if s.seats, err = r.seatsBefore(s.table.Due()); err != nil {
		return err
	}
	r.first, r.sittings[s.ID] = &s, &s
	return nil
}

// seatsBefore are the seats as they were when the first void step was made: who
// entered by one of them waits again, who left by one takes part again, and leaves
// then if that was wanted.
func (r *reopening) seatsBefore(due game.Due) ([]store.Seat, error) {
	var joins []game.SeatID
	leaves := map[game.SeatID]string{}
	for _, x := range r.void {
		in, err := inputsOf(x)
		if err != nil {
			return nil, err
		}
		for _, j := range in.Joins {
			joins = append(joins, j.ID)
		}
		for _, l := range in.Leaves {
			if leaves[l.Seat] = store.SeatLeaving; l.Now {
				leaves[l.Seat] = store.SeatRemoved
			}
		}
	}
	out := slices.Clone(r.s.seats)
	for i := range out {
		x := &out[i]
		wish, leaves := leaves[x.ID]
		switch {
		case slices.Contains(joins, x.ID):
			if x.State = store.SeatWaiting; leaves {
				x.State = store.SeatLeft
			}
		case !slices.Contains(due.Seats, x.ID):
		case leaves:
			x.State = wish
		default:
			x.State = store.SeatPlaying
		}
	}
	return out, nil
}

func inputsOf(x store.Step) (in rules.Inputs, err error) {
	if err := json.Unmarshal(x.Inputs, &in); err != nil {
		return in, fmt.Errorf("reading the inputs of round %d of %s: %w", x.Round, x.Game, err)
	}
	return in, nil
}

// enterBranch records the reopening and binds it into the chain.
func (r *reopening) enterBranch(next string, added []proof.Added) error {
	on := &r.first.on
	on.Next = next
	var err error
	if len(added) > 0 {
		if on.Added, err = json.Marshal(added); err != nil {
			return fmt.Errorf("reopening round %d of %s: %w", on.Round, on.Game, err)
		}
	}
	doc, err := reopeningDocument(*on)
	if err != nil {
		return err
	}
	if on.Hash, err = doc.Seal(on.Game, r.prev.Hash, r.s.tip()); err != nil {
		return err
	}
	return r.tx.AddBranch(*on)
}

// fileFrozen puts what counted for the first void step on file for the new branch.
func (r *reopening) fileFrozen() error {
	x := r.void[0]
	var until time.Time
	if !x.Deadline.IsZero() && !x.Closed.Before(x.Deadline) {
		until = x.Deadline.Add(-time.Millisecond)
	}
	frozen, err := r.tx.Counting(x.Game, x.Branch, x.Round, until)
	if err != nil {
		return err
	}
	for _, o := range frozen {
		o.Branch = r.first.Branch
		if _, err := r.tx.AddOrders(o); err != nil {
			return err
		}
	}
	return nil
}

// fileLate puts those orders on file that had arrived in time for the first void step
// and were seen after its close.
func (r *reopening) fileLate() error {
	seen, err := r.tx.HandledSince(r.first.on.Frozen, r.first.on.Frozen)
	if err != nil {
		return err
	}
	// What was brought in by an earlier reopening is on file.
	done := map[int64]bool{}
	was, err := r.tx.OrdersFor(r.s.ID, r.void[0].Branch, r.out.Round)
	if err != nil {
		return err
	}
	for _, o := range was {
		done[o.Letter] = true
	}
	for _, o := range seen {
		var result Result
		if err := json.Unmarshal([]byte(o.Detail), &result); err != nil {
			return fmt.Errorf("reading the outcome of mail %d: %w", o.Letter, err)
		}
		if result.Confirmed != nil && !result.Confirmed.Before(r.first.on.Frozen) {
			continue // he chose by the dice whether to confirm it
		}
		var seats []string
		for _, b := range result.Blocks {
			if slices.Contains([]string{"late", "left", "over"}, b.Outcome) && b.Game == r.s.ID && b.Round == r.out.Round {
				seats = append(seats, b.Seat)
			}
		}
		if len(seats) == 0 || done[o.Letter] {
			continue
		}
		done[o.Letter] = true
		if err := r.takeLate(o, result, seats); err != nil {
			return err
		}
	}
	counting, err := r.tx.Counting(r.s.ID, r.first.Branch, r.out.Round, time.Time{})
	if err != nil {
		return err
	}
	for i, m := range r.out.Letters {
		r.out.Letters[i].Counts = slices.ContainsFunc(counting, func(o store.Orders) bool { return o.Letter == m.Mail && r.name(o.Seat) == m.Seat })
	}
	return nil
}

// takeLate reads a letter once more, in the state of the round it came for.
func (r *reopening) takeLate(o store.Outcome, was Result, seats []string) error {
	l, err := r.tx.Letter(o.Letter)
	if err != nil {
		return err
	}
	c := &correspondence{handling: r.handling, letter: l, opt: handleOptions{confirmed: true}, read: letter.Read(l.Raw, r.options())}
	if err := c.identify(); err != nil {
		return err
	}
	if c.player.ID == 0 {
		return nil // whom it was from nobody knows any more
	}
	c.text = orders.Parse(lines(c.read.Lines))
	if len(c.text.Blocks) == 0 && was.Confirmed != nil {
		c.text.Blocks = c.quotedBlocks()
	}
	for _, b := range c.text.Blocks {
		s, seat, no, err := c.place(b)
		if err != nil {
			return err
		}
		named := b.Round == r.out.Round
		if no != nil || s != r.first || !slices.ContainsFunc(seats, func(name string) bool { return s.means(seat, name) }) || b.Round != 0 && !named {
			continue
		}
		if !named && c.tagRound(s.ID) != r.out.Round && l.Received.Before(r.prev.Closed) {
			continue // it was for the round before
		}
		slips, _, err := s.table.Read(seat.ID, b)
		if err != nil {
			return err
		}
		if len(slips) == 0 {
			continue
		}
		on, err := c.receiptFor(s, seat, s.Round)
		if err != nil {
			return err
		}
		outcome, _, err := c.enter(on, seat, slips, l.Received, l.ID)
		if err != nil {
			return err
		}
		if outcome == "kept" {
			continue
		}
		i := slices.IndexFunc(r.out.Letters, func(m LateMail) bool { return m.Mail == l.ID && m.Seat == seat.Name })
		if i < 0 {
			i = len(r.out.Letters)
			r.out.Letters = append(r.out.Letters, LateMail{Mail: l.ID, Seat: seat.Name, Received: l.Received, Seen: o.Handled})
		}
		for _, slip := range slips {
			r.out.Letters[i].Orders = append(r.out.Letters[i].Orders, inGerman(slip.Lines)...)
		}
	}
	return nil
}

// inGerman are lines as the rulebook has them.
func inGerman(in []game.Line) []string { return linesIn(orders.German, in) }

func (r *reopening) name(id game.SeatID) string {
	x, _ := r.s.seat(id)
	return x.Name
}

// tellSeats notes which seats take part otherwise than before.
func (r *reopening) tellSeats(after *sitting) {
	for i, x := range after.seats {
		if old := r.s.seats[i].State; old != x.State {
			r.out.Seats = append(r.out.Seats, SeatMove{x.Name, old, x.State})
		}
	}
	if r.out.State = after.State; after.open() {
		r.out.Open = after.Round
	}
	if !after.Due.IsZero() {
		r.out.Deadline = &after.Due
	}
}

// noticeCause is why a seat is told of a reopening by a mail of its own.
func noticeCause(code, gameID string, branch int, seat game.SeatID) string {
	return fmt.Sprintf("notice/%s/%s/%d/%s", code, gameID, branch, seat)
}

// takeBack drops the mails about what is void that have certainly not been sent:
// reports, reminders, and receipts for rounds from the given one on. The press that
// those reports told is told again.
func (r *reopening) takeBack(receipts int) error {
	why := fmt.Sprintf("round %d was reopened before it could be sent", r.out.Round)
	for _, seat := range r.s.seats {
		causes := []string{noticeCause("reopened", r.s.ID, r.s.Branch, seat.ID), noticeCause("kept", r.s.ID, r.s.Branch, seat.ID)}
		for _, x := range r.void {
			causes = append(causes, reportCause(x, seat.ID))
		}
		for _, cause := range causes {
			ok, err := r.tx.TakeBack(cause, why)
			if err != nil {
				return err
			}
			if ok {
				r.out.Unsent++
			}
		}
	}
	n, err := r.tx.TakeBackReceipts(r.s.ID, receipts, why)
	if err != nil {
		return err
	}
	r.out.Unsent += n
	if err := r.tx.TakeBackReminders(r.s.ID); err != nil {
		return err
	}
	return r.tx.UntellPress(r.s.ID, r.out.Round)
}
