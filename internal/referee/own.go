package referee

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringpost/internal/compose"
	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/schedule"
	"ringpost/internal/store"
)

// RemindHours is how long before a deadline players are reminded unless they say
// otherwise.
const RemindHours = 24

// maxRemind is the longest reminder, in hours.
const maxRemind = 14 * 24

// ownSetting changes what a player decides about himself. It wants the same proof
// as orders do in the strictest of his games.
func (c *correspondence) ownSetting(cmd orders.Command) error {
	trust, err := c.strictest()
	if err != nil {
		return err
	}
	if c.doneBefore(trust) {
		return nil
	}
	if !c.trusted(trust) {
		line := orders.Word(orders.Language(c.lang), cmd.Keyword) + " " + cmd.Args
		return c.holdLetter("sender", nil, c.playerName(), []string{line})
	}
	p := c.player
	switch cmd.Keyword {
	case game.KeyAddress:
		return c.newAddress(cmd)
	case game.KeyLanguage:
		if p.Lang = languageOf(cmd.Args); !c.words.Has(p.Lang) {
			c.refuse(refusal{Line: cmd.Line, Code: "no-language", Name: cmd.Args, Names: c.words.Languages()})
			return nil
		}
	case game.KeyTimezone:
		if _, err := schedule.Zone(cmd.Args); err != nil {
			c.refuse(refusal{Line: cmd.Line, Code: "no-timezone", Name: cmd.Args})
			return nil
		}
		p.TZ = cmd.Args
	case game.KeyReminders:
		hours, ok := remindHours(cmd.Args)
		if !ok {
			c.refuse(refusal{Line: cmd.Line, Code: "no-reminder", Name: cmd.Args})
			return nil
		}
		p.Remind = hours
	case game.KeyReports:
		switch on, ok := onOff(cmd.Args); {
		case !ok:
			c.refuse(refusal{Line: cmd.Line, Code: "no-switch", Name: cmd.Args})
			return nil
		default:
			p.Quiet = !on
		}
	}
	if err := c.tx.SetPlayer(p); err != nil {
		return err
	}
	c.player, c.lang, c.zone = p, p.Lang, c.Desk.zone(p.TZ)
	c.answer.addOnce("settings", report.OwnSettings{Lang: p.Lang, TZ: p.TZ, Remind: p.Remind, Reports: !p.Quiet, Addresses: p.Addresses,
		Now: report.When(p.Lang, c.zone, c.at)})
	c.note(Taken, "settings")
	return nil
}

// strictest is the strictest trust among the player's games.
func (c *correspondence) strictest() (string, error) {
	mine, err := c.ownGames()
	if err != nil {
		return "", err
	}
	if len(mine) == 0 {
		return "token", nil
	}
	rank := []string{"address", "token", "verified"}
	out := rank[0]
	for _, s := range mine {
		if slices.Index(rank, s.Trust) > slices.Index(rank, out) {
			out = s.Trust
		}
	}
	return out, nil
}

// languageOf reads a language by its code or its name.
func languageOf(s string) string {
	switch s = game.Fold(s); s {
	case "deutsch", "german", "aleman":
		return "de"
	case "englisch", "english", "ingles":
		return "en"
	}
	return s
}

// onOff reads a switch in any language.
func onOff(s string) (on, ok bool) {
	switch game.Fold(s) {
	case "an", "ein", "on", "ja", "yes", "si":
		return true, true
	case "aus", "off", "nein", "no":
		return false, true
	}
	return false, false
}

func remindHours(s string) (int, bool) {
	if on, ok := onOff(s); ok {
		if on {
			return RemindHours, true
		}
		return 0, true
	}
	n, err := strconv.Atoi(strings.TrimSuffix(s, "h"))
	return n, err == nil && n >= 0 && n <= maxRemind
}

// addressesADay is how many new addresses a player may name a day.
const addressesADay = 3

// newAddress begins a change of address: a code goes to the old and one to the
// new, and both must come back.
func (c *correspondence) newAddress(cmd orders.Command) error {
	norm := letter.Normalize(cmd.Args)
	if norm == letter.Normalize(c.set.Address) || !mailable(cmd.Args) {
		c.refuse(refusal{Line: cmd.Line, Code: "no-address", Name: cmd.Args})
		return nil
	}
	p, err := c.tx.PlayerAt(norm)
	ok, err := found(err)
	switch {
	case err != nil:
		return err
	case ok && p.ID == c.player.ID: // his already: it only comes first
		if err := c.tx.FirstAddress(p.ID, norm); err != nil {
			return err
		}
		c.answer.add("notice", report.Notice{Code: "address", Seat: cmd.Args})
		c.note(Taken, "address")
		return nil
	case ok:
		c.refuse(refusal{Line: cmd.Line, Code: "no-address", Name: cmd.Args})
		return nil
	}
	n, err := c.tx.Count("address/"+itoa64(c.player.ID), c.at, day)
	if err != nil {
		return err
	}
	if n > addressesADay { // each sends a mail to somebody who may not have asked for it
		c.note(Dropped, "cap")
		if n > addressesADay+1 {
			return nil
		}
		return c.alert("cap", "", 0, "", c.goal(), fmt.Sprintf("%d new addresses a day of %s", addressesADay, c.goal()))
	}
	c.note(Held, "address")
	for _, to := range []string{c.goal(), cmd.Args} {
		if err := c.wait(to, "address"); err != nil {
			return err
		}
		h := report.Held{Reason: "address", Seat: cmd.Args, Code: c.code(to), Until: report.When(c.lang, c.zone, c.at.Add(HoldTime))}
		if to == c.goal() {
			c.answer.hold(h)
			continue
		}
		text, err := c.render(c.lang, part{template: "held", data: h})
		if err != nil {
			return err
		}
		_, err = c.queue(c.tx, mail{cause: "address/" + itoa64(c.letter.ID), kind: "held", to: to, lang: c.lang,
			automatic: "auto-replied", parts: []string{text}}, c.at)
		if err != nil {
			return err
		}
	}
	return nil
}

// mailable reports whether a text is an address mails can be sent to.
func mailable(a string) bool {
	_, err := compose.Mailbox(a)
	_, domain, _ := strings.Cut(a, "@")
	return err == nil && strings.Contains(domain, ".")
}

// confirmAddress makes the change once both codes are back.
func (c *correspondence) confirmAddress(w store.Held) error {
	all, err := c.tx.HeldOf(w.Letter)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(h store.Held) bool { return h.Purpose != "address" })
	for _, h := range all {
		if !slices.ContainsFunc(all, func(o store.Held) bool {
			return o.Address == h.Address && (o.ID == w.ID || o.State == store.HeldConfirmed)
		}) {
			c.lang = or(c.lang, c.set.Lang)
			c.answer.add("notice", report.Notice{Code: "address-half"})
			return nil
		}
	}
	l, err := c.tx.Letter(w.Letter)
	if err != nil {
		return err
	}
	read := letter.Read(l.Raw, c.options())
	p, err := c.tx.PlayerAt(letter.Normalize(read.From))
	if err != nil {
		return err
	}
	for _, cmd := range orders.Parse(lines(read.Lines)).Commands {
		norm := letter.Normalize(cmd.Args)
		if cmd.Keyword != game.KeyAddress || !slices.ContainsFunc(all, func(h store.Held) bool { return h.Address == norm }) {
			continue
		}
		if err := c.tx.AddAddress(p.ID, cmd.Args, norm); err != nil {
			return err
		}
		if err := c.tx.FirstAddress(p.ID, norm); err != nil {
			return err
		}
		c.answer.add("notice", report.Notice{Code: "address", Seat: cmd.Args})
	}
	return c.identify()
}
