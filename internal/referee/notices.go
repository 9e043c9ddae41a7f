package referee

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"ringpost/internal/report"
	"ringpost/internal/store"
)

// Announce mails words of the game master's to all players of a game, also to those who
// only enter with the next round, and says to how many.
func (d *Desk) Announce(ctx context.Context, id, text string) (n int, err error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	switch {
	case text == "":
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
			if err := d.noticeOf(tx, s, x, report.Notice{Code: "word", Lines: strings.Split(text, "\n")}, now); err != nil {
				return err
			}
		}
		n = len(told)
		return nil
	})
	return n, err
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
