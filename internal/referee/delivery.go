package referee

import (
	"crypto/subtle"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"ringpost/internal/letter"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// ReturnPath is the envelope sender of a queued mail. Where the mailbox takes
// plus-addresses it has a token of its own, so that a bounce tells by itself
// which mail it is about, and nobody can make one up.
func (d *Desk) ReturnPath(outboxID int64) string {
	if !d.set.PlusAddresses {
		return d.set.Address
	}
	local, domain, _ := strings.Cut(d.set.Address, "@")
	return local + "+b." + itoa64(outboxID) + "." + d.returnToken(outboxID) + "@" + domain
}

func (d *Desk) returnToken(outboxID int64) string {
	m := d.mac("return/" + itoa64(outboxID))
	return hex.EncodeToString(m[:5])
}

// bounce looks into an automatic mail for the news that a mail of ours was
// refused. Only one that came back on its own return path is believed.
func (c *correspondence) bounce() error {
	local, domain, _ := strings.Cut(strings.ToLower(c.set.Address), "@")
	for _, r := range c.read.Recipients {
		detail, ok := strings.CutPrefix(strings.ToLower(r), local+"+b.")
		if !ok {
			continue
		}
		detail, _ = strings.CutSuffix(detail, "@"+domain)
		number, token, _ := strings.Cut(detail, ".")
		id, err := strconv.ParseInt(number, 10, 64)
		if err != nil || subtle.ConstantTimeCompare([]byte(token), []byte(c.returnToken(id))) != 1 {
			continue
		}
		return c.returned(id)
	}
	return nil
}

// returned notes that a mail of ours came back.
func (c *correspondence) returned(id int64) error {
	o, err := c.tx.Outgoing(id)
	if ok, err := found(err); err != nil || !ok {
		return err
	}
	c.reason = "bounce " + c.read.Status
	why := "mail " + itoa64(c.letter.ID) + ", status " + c.read.Status
	switch {
	case deadAddress(c.read.Status):
		return c.unreachable(c.tx, o.To, why, c.at)
	case strings.HasPrefix(c.read.Status, "5.") && c.read.Status != "5.2.2": // a full mailbox is its owner's to empty
		// This mail is lost; the next one may arrive.
		return c.alert("returned", o.Game, o.Round, itoa64(id), o.To, why)
	}
	return nil
}

// deadAddress tells by a status (RFC 3463) whether no mail will ever reach an
// address: that there is no such mailbox or host (5.1, but for 5.1.7 and 5.1.8,
// which are about the sender), that the mailbox is closed (5.2.1), or no more than
// that the mail cannot be delivered (5.0.0). All others pass: what a policy refuses
// (5.7) it may take tomorrow.
func deadAddress(status string) bool {
	switch status {
	case "5.1.7", "5.1.8":
		return false
	case "5.0.0", "5.2.1":
		return true
	}
	return strings.HasPrefix(status, "5.1.")
}

// unreachable notes that mails to an address are refused for good: reports to it
// stop until a mail from it comes in, and the game master is told once.
func (d *Desk) unreachable(tx *store.Tx, address, why string, now time.Time) error {
	p, err := tx.PlayerAt(letter.Normalize(address))
	if ok, err := found(err); err != nil || !ok {
		return err
	}
	if !p.Bounced.IsZero() {
		return nil
	}
	p.Bounced = now
	if err := tx.SetPlayer(p); err != nil {
		return err
	}
	return d.alert(tx, report.Alert{Code: "bounced", To: address, Detail: why, Mail: "player " + itoa64(p.ID) + " " + now.UTC().Format(time.DateOnly)}, now)
}

// back notes that a player whose mails were refused is there again.
func (c *correspondence) back() error {
	if c.player.Bounced.IsZero() {
		return nil
	}
	c.player.Bounced = time.Time{}
	return c.tx.SetPlayer(c.player)
}
