package referee

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ringpost/internal/report"
	"ringpost/internal/store"
)

// OutageTold is how long mails could not be read or sent before the game master is
// told of it.
const OutageTold = time.Hour

// Way is a way of mails, in or out. Its value is the alert that says that it is
// open again.
type Way string

// The ways.
const (
	Reading Way = "reading"
	Sending Way = "sending"
)

// note is where the store keeps that a way is blocked: a restart with another
// password is how many an outage ends.
func (w Way) note() string { return "outage-" + string(w) }

// Outage is a time in which a way was blocked.
type Outage struct {
	Since time.Time // zero for none
	Why   string    // the server's or the program's own words
}

// Outage gives a way's outage that has not ended, as far as it was noted.
func (d *Desk) Outage(ctx context.Context, w Way) (o Outage, err error) {
	var note string
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		note, err = tx.Meta(w.note())
		return err
	})
	if err != nil || note == "" {
		return o, err
	}
	since, why, _ := strings.Cut(note, " ")
	if o.Since, err = time.Parse(time.RFC3339Nano, since); err != nil {
		return o, fmt.Errorf("reading since when there is no %s: %w", w, err)
	}
	o.Why = why
	return o, nil
}

// Blocked notes that a way is blocked.
func (d *Desk) Blocked(ctx context.Context, w Way, o Outage) error {
	return d.store.Write(ctx, func(tx *store.Tx) error {
		return tx.SetMeta(w.note(), o.Since.UTC().Format(time.RFC3339Nano)+" "+strings.Join(strings.Fields(o.Why), " "))
	})
}

// OutOfReach tells the game master that the mailbox cannot be read, once a day of each
// outage.
func (d *Desk) OutOfReach(ctx context.Context, o Outage) {
	d.tell(ctx, report.Alert{Code: "outage", Detail: o.Why, Since: report.When(d.set.Lang, d.zone(d.set.TimeZone), o.Since)})
}

// Unblocked notes that a way's outage had ended at a moment. One of an hour or more is
// told, of sending with what became of the mails that waited; where none did, nobody
// need know.
func (d *Desk) Unblocked(ctx context.Context, w Way, o Outage, at time.Time) error {
	return d.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetMeta(w.note(), ""); err != nil {
			return err
		}
		if at.Sub(o.Since) < OutageTold {
			return nil
		}
		a := report.Alert{Code: string(w), Detail: o.Why, Mail: o.Since.UTC().Format(time.RFC3339), // each outage is told
			Since: report.When(d.set.Lang, d.zone(d.set.TimeZone), o.Since)}
		if w == Sending {
			b, err := tx.Backlog(o.Since, at)
			if err != nil {
				return err
			}
			if b.Failed == 0 && at.Sub(b.Oldest) < OutageTold { // none had to wait that long
				return nil
			}
			a.Sent, a.Left, a.Failed = b.Sent, b.Left, b.Failed
		}
		return d.alert(tx, a, d.now())
	})
}
