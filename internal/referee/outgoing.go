package referee

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"ringpost/internal/compose"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// Compose makes the bytes of a queued mail as they go out.
func (d *Desk) Compose(o store.Outgoing) (raw []byte, err error) {
	err = guarded(func() (err error) {
		raw, err = d.compose(o)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("composing outbox entry %d: %w", o.ID, err)
	}
	return raw, nil
}

func (d *Desk) compose(o store.Outgoing) ([]byte, error) {
	m := compose.Mail{
		From:          compose.Address{Name: d.set.Name, Addr: d.set.Address},
		ReplyTo:       compose.Address{Name: d.set.Name, Addr: o.ReplyTo},
		To:            compose.Address{Addr: o.To},
		Subject:       o.Subject,
		MessageID:     o.MessageID,
		InReplyTo:     o.InReplyTo,
		References:    strings.Fields(o.Refs),
		Date:          o.Created,
		Text:          textOf(o),
		Lang:          o.Lang,
		Kind:          o.Kind,
		AutoSubmitted: o.Automatic,
	}
	if !o.Deadline.IsZero() {
		m.Attachments = append(m.Attachments, d.event(o).Attachment())
	}
	if id, round, token, ok := report.ParseTag(o.Subject); ok && (o.Kind == "report" || o.Kind == "start") {
		off := orders.Word(orders.Language(o.Lang), game.KeyReports) + " " + offWord(o.Lang) + " " + report.Tag(id, round, token)
		m.Unsubscribe = compose.MailtoUnsubscribe(o.ReplyTo, off)
	}
	return m.Bytes()
}

// offWord is what switches something off; see onOff.
func offWord(lang string) string {
	if lang == "de" {
		return "AUS"
	}
	return "OFF"
}

// event is the deadline that goes along with a mail: one event a game, moved on
// from round to round.
func (d *Desk) event(o store.Outgoing) compose.Event {
	_, domain, _ := strings.Cut(d.set.Address, "@")
	summary, err := d.words.Render(o.Lang, report.Common, "event", report.Subject{Game: o.Game, Round: o.Round})
	if err != nil {
		d.log.Error("no words for an event", "mail", o.ID, "error", err)
	}
	return compose.Event{UID: o.Game + "@" + domain, Sequence: int(o.Created.Unix() - eventsBegin), Made: o.Created,
		At: o.Deadline, Summary: strings.TrimSpace(summary)}
}

// eventsBegin is the second from which events' versions are counted, so that
// they fit into what calendars keep for them.
const eventsBegin = 1767225600 // 2026-01-01

// Delivery is what became of an attempt to send a mail.
type Delivery struct {
	State  string // of the store's mail states
	Answer string // the other side's words
	At     time.Time
	Next   time.Time // of the next attempt, when it stays queued
	// Ambiguous: the mail was not sent as far as is known, and may have been all the
	// same, by this attempt or one before it.
	Ambiguous bool
}

// Sent records what became of an attempt.
func (d *Desk) Sent(ctx context.Context, id int64, r Delivery) error {
	if r.State == store.MailFailed {
		return d.givenUp(ctx, id, r)
	}
	next := r.Next
	if next.IsZero() {
		next = r.At
	}
	if r.Ambiguous {
		return d.store.MarkDoubt(ctx, id, r.Answer, next)
	}
	return d.store.MarkResult(ctx, id, r.State, r.Answer, next)
}

// refusalsADay is of how many refused mails the game master is told one by one; a
// relay that refuses all of them would send him as many.
const refusalsADay = 20

// givenUp records that a mail is not tried any more, and tells the game master in
// the same breath, unless it was news to him.
func (d *Desk) givenUp(ctx context.Context, id int64, r Delivery) error {
	return d.store.Write(ctx, func(tx *store.Tx) error {
		if ok, err := tx.GiveUp(id, r.Answer, r.Ambiguous, r.At); err != nil || !ok {
			return err
		}
		o, err := tx.Outgoing(id)
		if err != nil || o.Kind == "alert" {
			return err
		}
		if m := enhancedStatus.FindStringSubmatch(r.Answer); m != nil && deadAddress(m[1]) {
			if err := d.unreachable(tx, o.To, r.Answer, r.At); err != nil {
				return err
			}
		}
		h := d.newHandling(tx, d.now())
		n, err := tx.Count("refused", h.at, day)
		switch {
		case err != nil || n > refusalsADay+1:
			return err
		case n > refusalsADay:
			return h.alert("refusals", "", 0, "", "", r.Answer)
		}
		return d.alert(tx, report.Alert{Code: "refused", Game: o.Game, Round: o.Round, Mail: itoa64(id), To: o.To, Detail: r.Answer, Times: o.Attempts}, h.at)
	})
}

// enhancedStatus finds the status of RFC 3463 behind a reply's code.
var enhancedStatus = regexp.MustCompile(`\b5\d\d (5\.\d{1,3}\.\d{1,3})\b`)

// OutboxDue lists the mails to send now.
func (d *Desk) OutboxDue(ctx context.Context, now time.Time, limit int) (out []store.Outgoing, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		out, err = tx.OutgoingDue(now, limit)
		return err
	})
	return out, err
}

// Outbox lists the mails to send and those sent; state "" means all.
func (d *Desk) Outbox(ctx context.Context, state string) (rows []store.OutgoingRow, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		rows, err = tx.OutgoingRows(state)
		return err
	})
	if rows == nil {
		rows = []store.OutgoingRow{}
	}
	return rows, err
}

// OutgoingBytes is a mail as it goes out.
func (d *Desk) OutgoingBytes(ctx context.Context, id int64) (raw []byte, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		o, err := tx.Outgoing(id)
		if err != nil {
			return err
		}
		raw, err = d.Compose(o)
		return err
	})
	return raw, err
}

// OutgoingText is a mail as its reader sees it, with its recipient and subject above.
func (d *Desk) OutgoingText(ctx context.Context, id int64) (text string, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		o, err := tx.Outgoing(id)
		if err != nil {
			return err
		}
		text = fmt.Sprintf("To: %s\nSubject: %s\n\n%s", o.To, o.Subject, textOf(o))
		return nil
	})
	return text, err
}

// textOf is what a mail says.
func textOf(o store.Outgoing) string { return report.Join(o.Head, o.Body, o.Foot) }

// QueueFailed queues all mails again that were given up since a moment.
func (d *Desk) QueueFailed(ctx context.Context, since time.Time) (n int64, err error) {
	err = d.store.Write(ctx, func(tx *store.Tx) error {
		if n, err = tx.QueueFailed(since, d.now()); err != nil {
			return err
		}
		return tx.Audit("", "outbox queued", fmt.Sprintf("%d mails given up since %s", n, since.UTC().Format(time.RFC3339)), d.now())
	})
	return n, err
}

// SetOutgoing queues a mail again that was given up or dropped, or drops one
// that is queued. A mail that was sent stays sent: nothing goes out twice.
func (d *Desk) SetOutgoing(ctx context.Context, id int64, state string) error {
	return d.store.Write(ctx, func(tx *store.Tx) error {
		o, err := tx.Outgoing(id)
		if err != nil {
			return err
		}
		if o.State == store.MailSent {
			return fmt.Errorf("mail %d has been sent", id)
		}
		if state == store.MailDropped && o.State != store.MailQueued {
			return fmt.Errorf("mail %d is %s: only a queued one can be dropped", id, o.State)
		}
		if err := tx.Audit(o.Game, "outbox "+state, itoa64(id), d.now()); err != nil {
			return err
		}
		return tx.SetOutgoing(id, state, d.now())
	})
}
