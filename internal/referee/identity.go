package referee

import (
	"crypto/subtle"
	"strings"
	"time"

	"ringpost/internal/letter"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// tag is one of our marks that came back: `[liga-nord 7 k3f9q2]` in the subject
// or its like in a plus-address.
type tag struct {
	game  string
	round int
	token string
	valid bool // it is the token of a seat of this player's
}

// identify finds the player by the From address and what proves that it is he
// (G-6). Reply-To, Sender and display names never count.
func (c *correspondence) identify() error {
	c.lang, c.zone = c.set.Lang, c.Desk.zone(c.set.TimeZone)
	p, err := c.tx.PlayerAt(letter.Normalize(c.read.From))
	if ok, err := found(err); err != nil || !ok {
		return err
	}
	c.player, c.lang, c.zone = p, p.Lang, c.Desk.zone(p.TZ)
	if c.read.Verdict != letter.Fail {
		if err := c.back(); err != nil {
			return err
		}
	}
	if c.seats, err = c.tx.SeatsOf(p.ID); err != nil {
		return err
	}
	c.tags = c.marks()
	for i, t := range c.tags {
		if c.tags[i].game, err = c.checkTag(t); err != nil {
			return err
		}
		c.tags[i].valid = c.tags[i].game != ""
		c.proven = c.proven || c.tags[i].valid
	}
	return nil
}

// marks collects what looks like our tags in subject and recipients.
func (c *correspondence) marks() []tag {
	var out []tag
	if id, round, token, ok := report.ParseTag(c.read.Subject); ok {
		out = append(out, tag{game: id, round: round, token: token})
	}
	local, domain, _ := strings.Cut(strings.ToLower(c.set.Address), "@")
	for _, r := range c.read.Recipients {
		rest, ok := strings.CutPrefix(strings.ToLower(r), local+"+")
		if !ok {
			continue
		}
		detail, ok := strings.CutSuffix(rest, "@"+domain)
		if !ok {
			continue
		}
		if id, round, token, ok := parsePlus(detail); ok {
			out = append(out, tag{game: id, round: round, token: token})
		}
	}
	return out
}

// plusDetail is a tag as the detail of a plus-address. Game ids have no dots.
func plusDetail(gameID string, round int, token string) string {
	return gameID + "." + itoa(round) + "." + token
}

func parsePlus(detail string) (gameID string, round int, token string, ok bool) {
	parts := strings.Split(detail, ".")
	if len(parts) != 3 {
		return "", 0, "", false
	}
	round, ok = atoi(parts[1])
	return parts[0], round, parts[2], ok
}

// checkTag gives the game of a tag, if its token is a recent one of a seat of this
// player's there, else "". Mailers may have changed the case of all of it. Also a
// report on a round that was reopened since proves to whom it went.
func (c *correspondence) checkTag(t tag) (string, error) {
	for _, s := range c.seats {
		if !strings.EqualFold(s.Game, t.game) {
			continue
		}
		g, err := c.sitting(s.Game)
		if err != nil {
			return "", err
		}
		for branch := g.Branch; branch >= 0; branch-- {
			if subtle.ConstantTimeCompare([]byte(c.tokenOf(g.ID, branch, s.ID, t.round)), []byte(strings.ToLower(t.token))) != 1 {
				continue
			}
			issued, err := c.issued(g, branch, t.round)
			if err != nil {
				return "", err
			}
			if !issued.IsZero() && c.letter.Received.Sub(issued) < TokenAge {
				return g.ID, nil
			}
		}
	}
	return "", nil
}

// issued is when a round's tokens on a branch went out: when the round was opened there.
func (h *handling) issued(s *sitting, branch, round int) (time.Time, error) {
	if branch == s.Branch && round > s.Round {
		return time.Time{}, nil
	}
	if branch == s.Branch && round == s.Round {
		if s.on.Opened.After(s.Opened) {
			return s.on.Opened, nil
		}
		return s.Opened, nil
	}
	step, err := h.tx.StepOf(s.ID, branch, round-1)
	if ok, err := found(err); err != nil || !ok {
		return time.Time{}, err
	}
	return step.Closed, nil
}

// tagRound is the round a valid tag names for a game, 0 when there is none.
func (c *correspondence) tagRound(gameID string) int {
	for _, t := range c.tags {
		if t.valid && t.game == gameID {
			return t.round
		}
	}
	return 0
}

// trusted reports whether the sender counts as the player in a game of the given
// trust; otherwise his mail is held.
func (c *correspondence) trusted(trust string) bool {
	return c.opt.confirmed || c.believed(trust)
}

// doneBefore reports whether what wants this trust was done when the letter came:
// only the rest of it had to wait for a code.
func (c *correspondence) doneBefore(trust string) bool {
	return c.opt.confirmed && !c.opt.quoted && c.believed(trust)
}

// believed is trusted without a code.
func (c *correspondence) believed(trust string) bool {
	switch c.read.Verdict {
	case letter.Fail:
		return false
	case letter.Pass:
		return true
	}
	switch trust {
	case "address":
		return true
	case "token":
		return c.proven
	}
	return false
}

// home is the registered address to answer to: the one he wrote from, else his
// first. Always one of the store's, so that the owner sees a forgery.
func home(p store.Player, from string) string {
	for _, a := range p.Addresses {
		if letter.Normalize(a) == letter.Normalize(from) {
			return a
		}
	}
	return p.Addresses[0]
}
