package referee

import (
	"context"
	"fmt"

	"ringpost/internal/letter"
	"ringpost/internal/store"
)

// Known reports whether a mail's sender is a player, or somebody whose
// confirmation is waited for; header holds the mail's From fields. It says nothing
// of whether he wrote it.
func (d *Desk) Known(ctx context.Context, header []byte) (known bool, err error) {
	from := letter.Normalize(letter.Read(header, letter.Options{}).From)
	if from == "" {
		return false, nil
	}
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		_, err := tx.PlayerAt(from)
		if known, err = found(err); known || err != nil {
			return err
		}
		held, err := tx.HeldFor(from)
		known = len(held) > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("looking for a sender: %w", err)
	}
	return known, nil
}

// Stored gives those of a mailbox's mails that were taken in before.
func (d *Desk) Stored(ctx context.Context, mailbox string, uidValidity uint32, uids []uint32) (known []uint32, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		known, err = tx.InLedger(mailbox, uidValidity, uids)
		return err
	})
	return known, err
}
