package referee

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// Bounds on press.
const (
	pressLength = 3000 // characters
	pressARound = 5    // a seat
)

// PressKinds lists what a game may allow: signed press, anonymous press too, or
// none.
func PressKinds() []string { return []string{"signed", "anonymous", "off"} }

// press takes the letter's words to the others.
func (c *correspondence) press() error {
	for _, p := range c.text.Press {
		if err := c.pressOne(p); err != nil {
			return err
		}
	}
	return nil
}

func (c *correspondence) pressOne(p orders.Press) error {
	s, no, err := c.gameOf(game.Block{Game: p.Game, Name: p.Name})
	if err != nil {
		return err
	}
	var seat store.Seat
	if no == nil {
		seat, no = c.pressSeat(s, p)
	}
	recipient := ""
	if no == nil {
		recipient, no = pressGoal(s, p)
	}
	text := strings.TrimSpace(strings.Join(p.Text, "\n"))
	if no == nil {
		if no, err = c.pressRefused(s, seat, p, text); err != nil {
			return err
		}
	}
	if no != nil {
		no.Line = p.Line
		c.refuse(*no)
		return nil
	}
	if c.doneBefore(s.Trust) {
		return nil
	}
	if !c.trusted(s.Trust) {
		return c.holdLetter("sender", s, seat.Name, p.Text)
	}
	press := store.Press{Game: s.ID, Round: s.Round, Seat: seat.ID, Recipient: recipient, Anonymous: p.Anonymous, Text: text,
		Letter: c.letter.ID, State: store.PressReleased, Created: c.at}
	if s.Moderated {
		press.State = store.PressWaiting
	}
	old, before, err := c.pressBefore(press)
	switch {
	case err != nil:
		return err
	case before:
		press = old
	default:
		if press.ID, err = c.tx.AddPress(press); err != nil {
			return err
		}
	}
	code := "press-report"
	switch {
	case press.State == store.PressWaiting:
		code = "press-waiting"
		if err := c.alert("press", s.ID, 0, itoa64(press.ID), "", ""); err != nil {
			return err
		}
	case recipient != "":
		code = "press-sent"
		if before {
			break
		}
		if err := c.tellPress(c.tx, s, press, c.at); err != nil {
			return err
		}
	}
	c.answer.add("notice", report.Notice{Code: code, Game: s.ID, Title: s.Title, Seat: seat.Name, Round: s.Round})
	c.note(Taken, "press")
	return nil
}

// pressBefore is the press that the letter has brought already, when it is handled once
// more: nobody reads it twice.
func (c *correspondence) pressBefore(p store.Press) (old store.Press, before bool, err error) {
	if c.opt.first {
		return old, false, nil
	}
	all, err := c.tx.PressIn(p.Game, "")
	i := slices.IndexFunc(all, func(o store.Press) bool {
		return o.Letter == p.Letter && o.Seat == p.Seat && o.Recipient == p.Recipient && o.Text == p.Text && o.State != store.PressDropped
	})
	if err != nil || i < 0 {
		return old, false, err
	}
	return all[i], true, nil
}

// pressSeat is the player's seat in whose name he writes.
func (c *correspondence) pressSeat(s *sitting, p orders.Press) (store.Seat, *refusal) {
	if !s.open() {
		return store.Seat{}, &refusal{Code: "not-running", Game: s.ID}
	}
	own := c.ownSeatsNamed(s, p.Name)
	if len(own) != 1 {
		return store.Seat{}, &refusal{Code: "which-seat", Game: s.ID, Names: names(c.ownSeats(s))}
	}
	return own[0], nil
}

// pressGoal is whom press goes to.
func pressGoal(s *sitting, p orders.Press) (string, *refusal) {
	if p.All {
		return store.PressAll, nil
	}
	if p.To == "" {
		return "", nil
	}
	for _, x := range active(s.seats) {
		if s.means(x, p.To) {
			return string(x.ID), nil
		}
	}
	return "", &refusal{Code: "no-record", Game: s.ID, Name: p.To, Names: names(active(s.seats))}
}

// pressRefused says why a game does not take this press, nil when it does.
func (c *correspondence) pressRefused(s *sitting, seat store.Seat, p orders.Press, text string) (*refusal, error) {
	switch {
	case s.Press == "off":
		return &refusal{Code: "press-off", Game: s.ID}, nil
	case p.Anonymous && s.Press != "anonymous":
		return &refusal{Code: "press-signed", Game: s.ID}, nil
	case text == "":
		return &refusal{Code: "press-empty", Game: s.ID}, nil
	case utf8.RuneCountInString(text) > pressLength:
		return &refusal{Code: "press-long", Game: s.ID, Round: pressLength}, nil
	}
	n, err := c.tx.PressCount(s.ID, s.Round, seat.ID)
	if err == nil && n >= pressARound {
		return &refusal{Code: "press-often", Game: s.ID, Round: pressARound}, nil
	}
	return nil, err
}

// ignore hides somebody's press from the player, or shows it again.
func (c *correspondence) ignore(s *sitting, cmd orders.Command) error {
	for _, x := range s.seats {
		if !s.means(x, cmd.Args) {
			continue
		}
		if !c.trusted(s.Trust) {
			return c.holdLetter("sender", s, c.playerName(), []string{orders.Word(orders.Language(c.lang), cmd.Keyword) + " " + cmd.Args})
		}
		hide := cmd.Keyword == game.KeyIgnore
		if err := c.tx.Ignore(c.player.ID, s.ID, x.ID, hide); err != nil {
			return err
		}
		code := "heeded"
		if hide {
			code = "ignored"
		}
		c.answer.add("notice", report.Notice{Code: code, Game: s.ID, Title: s.Title, Seat: x.Name})
		c.note(Taken, code)
		return nil
	}
	c.refuse(refusal{Line: cmd.Line, Code: "no-record", Game: s.ID, Name: cmd.Args, Names: names(active(s.seats))})
	return nil
}

// tellPress mails press that does not wait for the report.
func (d *Desk) tellPress(tx *store.Tx, s *sitting, press store.Press, now time.Time) error {
	for _, x := range s.seats {
		if !inPlay(x) || x.ID == press.Seat || press.Recipient != store.PressAll && press.Recipient != string(x.ID) {
			continue
		}
		p, err := tx.Player(x.Player)
		if err != nil {
			return err
		}
		deaf, err := tx.Ignored(p.ID, s.ID)
		if err != nil {
			return err
		}
		if slices.Contains(deaf, press.Seat) {
			continue
		}
		text, err := d.words.Render(p.Lang, report.Common, "press", report.Press{Items: []report.PressItem{s.pressItem(press)}, Direct: true})
		if err != nil {
			return err
		}
		m := mail{cause: fmt.Sprintf("press/%d/%s", press.ID, x.ID), kind: "press", game: s.ID, round: s.Round, seat: x.ID,
			token: d.token(s.Game, x.ID, s.Round), to: p.Addresses[0], lang: p.Lang, automatic: "auto-generated",
			thread: d.thread(s, x.ID), subject: report.Subject{Game: s.ID, Title: s.Title, Seat: x.Name, Round: s.Round}, parts: []string{text}}
		if _, err := d.queue(tx, m, now); err != nil {
			return err
		}
	}
	return tx.SetPress(press.ID, store.PressTold)
}

// pressItem is press in the form in which it is shown.
func (s *sitting) pressItem(p store.Press) report.PressItem {
	item := report.PressItem{Lines: strings.Split(p.Text, "\n")}
	if x, ok := s.seat(p.Seat); ok && !p.Anonymous {
		item.From = x.Name
	}
	return item
}

// pressOf is the press of a report, for one reader; it is told when the report is
// made.
func (r *reporting) pressOf(tx *store.Tx, p store.Player) (string, error) {
	if len(r.press) == 0 {
		return "", nil
	}
	deaf, err := tx.Ignored(p.ID, r.s.ID)
	if err != nil {
		return "", err
	}
	var shown report.Press
	for _, x := range r.press {
		if !slices.Contains(deaf, x.Seat) {
			shown.Items = append(shown.Items, r.s.pressItem(x))
		}
	}
	if len(shown.Items) == 0 {
		return "", nil
	}
	if len(deaf) == 0 {
		return r.common(p.Lang, "press", func() any { return shown })
	}
	return r.words.Render(p.Lang, report.Common, "press", shown)
}

// PressInfo is press as the game master sees it.
type PressInfo struct {
	ID        int64     `json:"id"`
	Round     int       `json:"round"`
	From      string    `json:"from"`
	To        string    `json:"to"` // a seat, "all at once", or "report"
	Anonymous bool      `json:"anonymous"`
	State     string    `json:"state"`
	Created   time.Time `json:"created"`
	Text      string    `json:"text"`
}

// Press lists a game's press; state "" means all.
func (d *Desk) Press(ctx context.Context, id, state string) (out []PressInfo, err error) {
	out = []PressInfo{}
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		s, err := d.sit(tx, id)
		if err != nil {
			return err
		}
		all, err := tx.PressIn(id, state)
		for _, p := range all {
			info := PressInfo{ID: p.ID, Round: p.Round, To: "report", Anonymous: p.Anonymous, State: p.State, Created: p.Created, Text: p.Text}
			if x, ok := s.seat(p.Seat); ok {
				info.From = x.Name
			}
			if x, ok := s.seat(game.SeatID(p.Recipient)); ok {
				info.To = x.Name
			} else if p.Recipient == store.PressAll {
				info.To = "all at once"
			}
			out = append(out, info)
		}
		return err
	})
	return out, err
}

// ReleasePress lets press that waits go on its way, or drops it.
func (d *Desk) ReleasePress(ctx context.Context, id int64, release bool) error {
	return d.store.Write(ctx, func(tx *store.Tx) error {
		p, err := tx.Press(id)
		if err != nil {
			return err
		}
		if p.State != store.PressWaiting && (release || p.State != store.PressReleased) {
			return fmt.Errorf("press %d is %s", id, p.State)
		}
		now := d.now()
		what := "press drop"
		if release {
			what = "press release"
		}
		if err := tx.Audit(p.Game, what, itoa64(id), now); err != nil {
			return err
		}
		if !release {
			return tx.SetPress(id, store.PressDropped)
		}
		if p.Recipient == "" {
			return tx.SetPress(id, store.PressReleased)
		}
		s, err := d.sit(tx, p.Game)
		if err != nil {
			return err
		}
		return d.tellPress(tx, s, p, now)
	})
}
