package referee

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/orders"
	"ringpost/internal/store"
)

// OrdersRow is what is on file from one seat in one slot for the open round.
type OrdersRow struct {
	Seat     string     `json:"seat"`
	Slot     string     `json:"slot"`
	About    string     `json:"about,omitempty"` // whose plan it is, where a seat owes several
	Kind     string     `json:"kind"`            // of duty: "moves", …; "" for orders that nobody owes
	State    string     `json:"state"`           // "good", "provisional" or "missing"
	Orders   []string   `json:"orders"`          // in the rulebook's keywords
	Received *time.Time `json:"received"`
}

// openRound is a game whose round is open, and the orders that count in it so far.
func (d *Desk) openRound(tx *store.Tx, id string) (*sitting, []store.Orders, error) {
	s, err := d.sit(tx, id)
	if err != nil {
		return nil, nil, err
	}
	if !s.open() {
		return nil, nil, fmt.Errorf("game %s is %s: no round is open", id, s.State)
	}
	counting, err := tx.Counting(id, s.Branch, s.Round, s.until(s.Round))
	return s, counting, err
}

// Title says whose and what it is.
func (r OrdersRow) Title() string {
	if r.About == "" {
		return r.Seat
	}
	return r.Seat + ": " + r.About
}

// Orders lists, seat by seat, the duties of a game's open round and what is on file
// for each, then what is on file beside.
func (d *Desk) Orders(ctx context.Context, id string, onlyMissing bool) (rows []OrdersRow, err error) {
	rows = []OrdersRow{}
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		s, counting, err := d.openRound(tx, id)
		if err != nil {
			return err
		}
		duties := s.table.Due().Duties
		for _, duty := range duties {
			row := ordersRow(s, duty, counting)
			if !onlyMissing || row.State == "missing" {
				rows = append(rows, row)
			}
		}
		for _, o := range counting {
			owed := slices.ContainsFunc(duties, func(d game.Duty) bool { return d.Seat == o.Seat && d.Slot == o.Slot })
			if !owed && !onlyMissing {
				rows = append(rows, ordersRow(s, game.Duty{Seat: o.Seat, Slot: o.Slot}, counting))
			}
		}
		slices.SortStableFunc(rows, func(a, b OrdersRow) int { return s.place(a.Seat) - s.place(b.Seat) })
		return nil
	})
	return rows, err
}

// place is that of a seat of this name in the order of entry.
func (s *sitting) place(name string) int {
	return slices.IndexFunc(s.seats, func(x store.Seat) bool { return x.Name == name })
}

func ordersRow(s *sitting, duty game.Duty, counting []store.Orders) OrdersRow {
	x, _ := s.seat(duty.Seat)
	row := OrdersRow{Seat: x.Name, Slot: duty.Slot, About: duty.About, Kind: duty.Kind, State: "missing", Orders: []string{}}
	for _, o := range counting {
		if o.Seat != duty.Seat || o.Slot != duty.Slot {
			continue
		}
		row.State = "good"
		if o.Provisional {
			row.State = "provisional"
		}
		row.Received = &o.Received
		for _, l := range o.Lines {
			row.Orders = append(row.Orders, lineIn(orders.German, l))
		}
	}
	return row
}

// Letters lists the mails that came in, the newest last.
func (d *Desk) Letters(ctx context.Context, limit int) (rows []store.LetterRow, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		rows, err = tx.LetterRows(limit)
		return err
	})
	if rows == nil {
		rows = []store.LetterRow{}
	}
	return rows, err
}

// LetterInfo is a mail as the game master sees it.
type LetterInfo struct {
	ID       int64         `json:"id"`
	Received time.Time     `json:"received"`
	Source   string        `json:"source"`
	Size     int64         `json:"size"`
	From     string        `json:"from"`
	Subject  string        `json:"subject"`
	Verdict  string        `json:"verdict"` // what the receiving server says of the sender, and why
	Outcomes []Result      `json:"outcomes"`
	Lines    []letter.Line `json:"lines"`
}

// LetterInfo shows a mail, what was read in it and what became of it.
func (d *Desk) LetterInfo(ctx context.Context, id int64) (info LetterInfo, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		l, err := tx.Letter(id)
		if err != nil {
			return err
		}
		read := letter.Read(l.Raw, d.options())
		info = LetterInfo{ID: id, Received: l.Received, Source: l.Source, Size: l.Size, From: read.From, Subject: read.Subject,
			Verdict: strings.TrimSpace(string(read.Verdict) + " " + read.VerdictWhy), Lines: read.Lines, Outcomes: []Result{}}
		all, err := tx.Outcomes(id)
		if err != nil {
			return err
		}
		for _, o := range all {
			var r Result
			if err := json.Unmarshal([]byte(o.Detail), &r); err != nil {
				return fmt.Errorf("reading the outcome of mail %d: %w", id, err)
			}
			info.Outcomes = append(info.Outcomes, r)
			info.Verdict = r.Verdict // as it was when the mail was handled
		}
		return nil
	})
	return info, err
}

// LetterBytes is a mail as it came.
func (d *Desk) LetterBytes(ctx context.Context, id int64) (raw []byte, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		l, err := tx.Letter(id)
		raw = l.Raw
		return err
	})
	return raw, err
}

// GameInfo is a game as the game master sees it.
type GameInfo struct {
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	Ruleset  string        `json:"ruleset"`
	State    string        `json:"state"`
	Round    int           `json:"round"`
	Due      *time.Time    `json:"due"`
	Deadline string        `json:"deadline"`
	TZ       string        `json:"timezone"`
	Lang     string        `json:"lang"`
	Trust    string        `json:"trust"`
	Playing  int           `json:"playing"`
	Missing  []string      `json:"missing"` // seats whose duties nobody met yet
	Sealed   string        `json:"sealed"`  // SHA-256 of the secret
	Settings []SettingInfo `json:"settings"`
	Reopened []BranchInfo  `json:"reopened,omitempty"`
}

// SettingInfo is a setting with its value, of a file what it is, and what it means.
type SettingInfo struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Doc   string `json:"doc"`
}

// Games lists all games.
func (d *Desk) Games(ctx context.Context) (out []GameInfo, err error) {
	out = []GameInfo{}
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		all, err := tx.Games()
		if err != nil {
			return err
		}
		for _, g := range all {
			info, err := d.gameInfo(tx, g.ID)
			if err != nil {
				return err
			}
			out = append(out, info)
		}
		return nil
	})
	return out, err
}

// GameInfo shows one game.
func (d *Desk) GameInfo(ctx context.Context, id string) (info GameInfo, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		info, err = d.gameInfo(tx, id)
		return err
	})
	return info, err
}

func (d *Desk) gameInfo(tx *store.Tx, id string) (GameInfo, error) {
	s, err := d.sit(tx, id)
	if err != nil {
		return GameInfo{}, err
	}
	info := GameInfo{ID: s.ID, Title: s.Title, Ruleset: s.Ruleset, State: s.State, Round: s.Round, Deadline: s.Deadline, TZ: s.TZ,
		Lang: s.Lang, Trust: s.Trust, Playing: len(active(s.seats)), Missing: []string{}, Sealed: dice.Secret(s.Secret).Commitment()}
	if !s.Due.IsZero() {
		info.Due = &s.Due
	}
	for _, set := range s.rules.About().Game {
		info.Settings = append(info.Settings, SettingInfo{set.Key, s.rules.Shown(s.Settings, set.Key), set.Doc})
	}
	if info.Reopened, err = reopenings(tx, id); err != nil {
		return info, err
	}
	if s.open() {
		missing, err := d.newHandling(tx, d.now()).missing(s)
		if err != nil {
			return info, err
		}
		for _, duty := range missing {
			if x, ok := s.seat(duty.Seat); ok && !slices.Contains(info.Missing, x.Name) {
				info.Missing = append(info.Missing, x.Name)
			}
		}
	}
	return info, nil
}

// SeatInfo is a seat with its player.
type SeatInfo struct {
	Seat      string   `json:"seat"`
	Name      string   `json:"name"`
	State     string   `json:"state"`
	Lang      string   `json:"lang"`
	TimeZone  string   `json:"timezone"`
	Addresses []string `json:"addresses"`
}

// Seats lists a game's seats in the order of entry.
func (d *Desk) Seats(ctx context.Context, id string) (out []SeatInfo, err error) {
	out = []SeatInfo{}
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		s, err := d.sit(tx, id)
		if err != nil {
			return err
		}
		for _, x := range s.seats {
			p, err := tx.Player(x.Player)
			if err != nil {
				return err
			}
			out = append(out, SeatInfo{string(x.ID), x.Name, x.State, p.Lang, p.TZ, p.Addresses})
		}
		return nil
	})
	return out, err
}

// Preview is what a close would go by now. No die is thrown for it.
type Preview struct {
	Round  int          `json:"round"`
	Good   int          `json:"good"`
	Duties []PreviewRow `json:"duties"`
	Joins  []string     `json:"joins"`
	Leaves []string     `json:"leaves"`
}

// PreviewRow is one duty.
type PreviewRow struct {
	OrdersRow
	Silence string `json:"silence"` // what happens without orders
}

// Preview shows the open round as it stands.
func (d *Desk) Preview(ctx context.Context, id string) (p Preview, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		s, counting, err := d.openRound(tx, id)
		if err != nil {
			return err
		}
		p = Preview{Round: s.Round, Duties: []PreviewRow{}, Joins: []string{}, Leaves: []string{}}
		for _, duty := range s.table.Due().Duties {
			row := PreviewRow{ordersRow(s, duty, counting), duty.Silence}
			if row.State == "good" {
				p.Good++
			}
			p.Duties = append(p.Duties, row)
		}
		for _, x := range s.seats {
			switch x.State {
			case store.SeatWaiting:
				p.Joins = append(p.Joins, x.Name)
			case store.SeatLeaving, store.SeatRemoved:
				p.Leaves = append(p.Leaves, x.Name)
			}
		}
		return nil
	})
	return p, err
}

// NextDeadline is the earliest deadline of a running game, zero when there is
// none.
func (d *Desk) NextDeadline(ctx context.Context) (due time.Time, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		due, err = tx.NextDue()
		return err
	})
	return due, err
}

// DueNow lists the running games whose deadline has come.
func (d *Desk) DueNow(ctx context.Context) ([]store.Game, error) { return d.dueAt(ctx, d.now()) }

func (d *Desk) dueAt(ctx context.Context, moment time.Time) (games []store.Game, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		games, err = tx.GamesDue(moment)
		return err
	})
	return games, err
}
