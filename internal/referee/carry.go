package referee

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// tellQuiet writes to those whose orders were on file and who get no reports.
func (r *reopening) tellQuiet(after *sitting, sent *reporting) error {
	for _, x := range after.seats {
		file, ok := r.files[x.ID]
		if !ok || slices.ContainsFunc(sent.to, func(to reader) bool { return to.ID == x.ID }) {
			continue
		}
		p, err := r.tx.Player(x.Player)
		if err != nil {
			return err
		}
		text, err := r.carried(p, file)
		if err != nil {
			return err
		}
		if err := r.noticeOf(r.tx, after, x, report.Notice{Code: "kept", Words: r.in.Reason, Count: r.out.Round}, r.at, text); err != nil {
			return err
		}
		r.out.Mails++
	}
	return nil
}

// carried words what became of a seat's orders.
func (d *Desk) carried(p store.Player, file report.Carried) (string, error) {
	return d.words.Render(p.Lang, report.Common, "carried", file)
}

// carryOver brings what is on file for rounds from the given one on over to the new
// branch: each order that counts is read again as its receipt showed it, against the
// state as it is now, and keeps its arrival. What cannot be read any more is lost, and
// told.
func (r *reopening) carryOver(now *sitting, from int) error {
	r.files = map[game.SeatID]report.Carried{}
	for _, m := range r.out.Letters {
		if x, err := r.s.named(m.Seat); err == nil && m.Counts {
			p, err := r.tx.Player(x.Player)
			if err != nil {
				return err
			}
			file := r.files[x.ID]
			file.Counted = append(file.Counted, report.When(p.Lang, r.zone(p.TZ), m.Received))
			r.files[x.ID] = file
		}
	}
	for round := from; round <= r.s.Round+MaxAhead; round++ {
		branch, until := r.s.Branch, r.s.until(round)
		for _, x := range r.void {
			if x.Round == round {
				branch = x.Branch
			}
		}
		if round < r.s.Round {
			until = time.Time{}
		}
		counting, err := r.tx.Counting(r.s.ID, branch, round, until)
		if err != nil {
			return err
		}
		for _, o := range counting {
			if err := r.carry(now, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// carry brings one slot over.
func (r *reopening) carry(now *sitting, o store.Orders) error {
	x, _ := now.seat(o.Seat)
	p, err := r.tx.Player(x.Player)
	if err != nil {
		return err
	}
	slip, ok, err := reread(now, x, o)
	if err != nil {
		return err
	}
	if ok = ok && o.Round <= now.Round+MaxAhead && now.State != store.GameEnded && inPlay(x); ok {
		raw, err := json.Marshal(slip.Orders)
		if err != nil {
			return fmt.Errorf("storing orders of %s: %w", x.ID, err)
		}
		o.Branch, o.Orders, o.Provisional = now.Branch, raw, o.Provisional || slip.Provisional
		old := o.Lines
		o.Lines = slip.Lines
		if _, err := r.tx.AddOrders(o); err != nil {
			return err
		}
		r.note(x, p, now, o, slip.Lines, old)
		return nil
	}
	r.note(x, p, now, o, nil, o.Lines)
	return nil
}

// reread reads the lines of orders on file as a block that came now.
func reread(s *sitting, x store.Seat, o store.Orders) (slip rules.Slip, ok bool, err error) {
	blocks := orders.Parse(orders.Lines(strings.Join(inGerman(o.Lines), "\n"))).Blocks
	if len(blocks) != 1 || blocks[0].Name != "" && !s.means(x, blocks[0].Name) {
		return slip, false, nil
	}
	blocks[0].Round = o.Round
	slips, _, err := s.table.Read(x.ID, blocks[0])
	if err != nil {
		return slip, false, err
	}
	i := slices.IndexFunc(slips, func(slip rules.Slip) bool { return slip.Slot == o.Slot })
	if i < 0 {
		return slip, false, nil
	}
	return slips[i], true, nil
}

// note keeps what became of a slot, for the player and for the game master.
func (r *reopening) note(x store.Seat, p store.Player, now *sitting, o store.Orders, kept, old []game.Line) {
	own := linesIn(orders.Language(p.Lang), kept)
	lost := without(linesIn(orders.Language(p.Lang), old), own)
	file := r.files[x.ID]
	i := slices.IndexFunc(file.Rounds, func(c report.CarriedRound) bool { return c.Round == o.Round })
	if i < 0 {
		i = len(file.Rounds)
		file.Rounds = append(file.Rounds, report.CarriedRound{Round: o.Round, Open: o.Round == now.Round && now.open() && inPlay(x)})
	}
	file.Rounds[i].Kept = withBlock(file.Rounds[i].Kept, own)
	file.Rounds[i].Lost = withBlock(file.Rounds[i].Lost, lost)
	r.files[x.ID] = file
	keptDE := inGerman(kept)
	r.out.OnFile = append(r.out.OnFile, CarryOver{Seat: x.Name, Round: o.Round, Slot: o.Slot, Kept: keptDE, Lost: append([]string{}, without(inGerman(old), keptDE)...)})
}

// withBlock puts the lines of a block below those of others.
func withBlock(lines, block []string) []string {
	if len(lines) > 0 && len(block) > 0 {
		lines = append(lines, "")
	}
	return append(lines, block...)
}
