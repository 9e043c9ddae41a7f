package referee

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// sparringsARound is how many bouts a seat may try out in a round.
const sparringsARound = 3

// sparring tries out what the player has on file, by dice that are no round's. What a
// line of a letter asked for is fought once: handled again, it shows the same bout.
func (c *correspondence) sparring(s *sitting, cmd orders.Command) error {
	subject := or(cmd.Args, cmd.Name)
	own := c.ownSeatsNamed(s, subject)
	if len(own) == 0 { // whom he may name the ruleset says
		own = c.ownSeats(s)
	}
	switch {
	case s.State == store.GameEnded:
		c.refuse(refusal{Line: cmd.Line, Code: "over", Game: s.ID})
		return nil
	case len(own) == 0:
		c.refuse(c.noSeat(s))
		return nil
	case len(own) > 1:
		c.refuse(refusal{Line: cmd.Line, Code: "which-seat", Game: s.ID, Names: names(own)})
		return nil
	}
	x, err := c.tx.SparringFor(c.letter.ID, cmd.Line)
	again, err := found(err)
	if err != nil {
		return err
	}
	if !again {
		if x, err = c.nextSparring(s, own[0].ID, subject, cmd.Line); err != nil {
			return err
		}
	}
	if x.N > sparringsARound {
		c.refuse(refusal{Line: cmd.Line, Code: "sparred-out", Game: s.ID, Round: sparringsARound})
		return nil
	}
	view, issues, err := c.spar(c.tx, s, x)
	switch {
	case err != nil:
		return err
	case len(issues) > 0:
		for i := range issues {
			issues[i].Line = cmd.Line
		}
		c.answer.game(s.Ruleset, "loose", report.Loose{Issues: c.told(issues)})
		c.note(Refused, issues[0].Code)
		return nil
	case view.Data == nil:
		c.refuse(refusal{Line: cmd.Line, Code: "no-sparring", Game: s.ID})
		return nil
	}
	if !c.trusted(s.Trust) {
		return c.holdLetter("sender", s, own[0].Name, []string{orders.Word(orders.Language(c.lang), game.KeySpar) + " " + subject})
	}
	if !again {
		if err := c.tx.AddSparring(x); err != nil {
			return err
		}
	}
	c.answer.view(s.Ruleset, view)
	c.answer.add("sparred", report.Sparred{Round: x.Round, Of: sparringsARound, Left: sparringsARound - x.N})
	c.note(Taken, "sparring")
	return nil
}

// nextSparring is the next one of a seat, by the orders that count now.
func (c *correspondence) nextSparring(s *sitting, seat game.SeatID, subject string, line int) (store.Sparring, error) {
	n, err := c.tx.Sparrings(s.ID, s.Branch, s.Round, seat)
	if err != nil {
		return store.Sparring{}, err
	}
	f, err := c.file(s, seat, s.Round)
	if err != nil {
		return store.Sparring{}, err
	}
	slips := []rules.Slip{}
	for _, o := range f.sent {
		slips = append(slips, rules.Slip{Slot: o.Slot, Orders: o.Orders, Lines: o.Lines, Provisional: o.Provisional})
	}
	raw, err := json.Marshal(slips)
	if err != nil {
		return store.Sparring{}, fmt.Errorf("recording a sparring of %s in %s: %w", seat, s.ID, err)
	}
	return store.Sparring{Game: s.ID, Branch: s.Branch, Round: s.Round, Seat: seat, N: n + 1,
		Letter: c.letter.ID, Line: line, Subject: subject, Slips: raw, Fought: c.at}, nil
}

// spar fights a sparring as it was, or is to be, recorded: in the state of its round.
func (d *Desk) spar(tx *store.Tx, s *sitting, x store.Sparring) (game.View, []game.Issue, error) {
	table := s.table
	if x.Branch != s.Branch || x.Round != s.Round {
		step, err := tx.StepBefore(x.Game, x.Branch, x.Round, 0)
		if err != nil {
			return game.View{}, nil, err
		}
		if table, err = s.rules.Open(step.State); err != nil {
			return game.View{}, nil, fmt.Errorf("game %s: %w", x.Game, err)
		}
	}
	var slips []rules.Slip
	if err := json.Unmarshal(x.Slips, &slips); err != nil {
		return game.View{}, nil, fmt.Errorf("reading the orders of sparring %d: %w", x.ID, err)
	}
	return table.Sparring(x.Seat, x.Subject, slips, sparringSeed(s, x))
}

func sparringSeed(s *sitting, x store.Sparring) dice.Seed {
	return dice.Secret(s.Secret).Sparring(x.Game, x.Branch, x.Round, x.Seat, x.N)
}

// SparringInfo is a sparring as the game master sees it.
type SparringInfo struct {
	ID      int64     `json:"id"`
	Branch  int       `json:"branch"`
	Round   int       `json:"round"`
	Seat    string    `json:"seat"`
	N       int       `json:"n"`       // of the seat's in the round, from 1
	Subject string    `json:"subject"` // who sparred
	Mail    int64     `json:"mail"`
	Seed    string    `json:"seed"`
	Fought  time.Time `json:"fought"`
}

// Sparrings lists a game's, oldest first.
func (d *Desk) Sparrings(ctx context.Context, id string) (out []SparringInfo, err error) {
	out = []SparringInfo{}
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		s, err := d.sit(tx, id)
		if err != nil {
			return err
		}
		all, err := tx.SparringsIn(id)
		for _, x := range all {
			seat, _ := s.seat(x.Seat)
			out = append(out, SparringInfo{ID: x.ID, Branch: x.Branch, Round: x.Round, Seat: seat.Name, N: x.N, Subject: x.Subject,
				Mail: x.Letter, Seed: sparringSeed(s, x).String(), Fought: x.Fought})
		}
		return err
	})
	return out, err
}

// SparringText fights a recorded sparring again and words it as its player read it;
// lang "" is his own.
func (d *Desk) SparringText(ctx context.Context, id int64, lang string) (text string, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		x, err := tx.Sparring(id)
		if err != nil {
			return err
		}
		s, err := d.sit(tx, x.Game)
		if err != nil {
			return err
		}
		if seat, ok := s.seat(x.Seat); ok && lang == "" {
			p, err := tx.Player(seat.Player)
			if err != nil {
				return err
			}
			lang = p.Lang
		}
		view, _, err := d.spar(tx, s, x)
		if err != nil {
			return err
		}
		text, err = d.words.View(lang, s.Ruleset, view)
		return err
	})
	return text, err
}
