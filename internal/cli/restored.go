package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"ringpost/internal/store"
)

func (a *app) restoredCommand() *cobra.Command {
	var confirm, drop, rescan bool
	cmd := &cobra.Command{Use: "restored", Short: "Tell whether the database is a restored backup, and confirm it", Args: cobra.NoArgs,
		Long: `A database that is older than what its own server wrote into the mailbox, or
beside it, is a backup that was restored. Then nothing is sent, since all that was
sent after the backup would go out again; mails that the backup has never seen are
taken from the mailbox once more, and rounds are closed.

Look at what waits (ringpost outbox list --state queued) and drop what need not
go out (ringpost outbox drop ID), or with --drop all of it. Then --confirm lets
mails be sent again. A server may run meanwhile.

A backup so young that nothing shows it is not recognised: --rescan says that
this database is one.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case drop && !confirm:
				return usage(cmd, "--drop: only together with --confirm")
			case confirm && rescan:
				return usage(cmd, "--confirm and --rescan: one or the other")
			}
			return a.with(cmd, func(o *office) error {
				k, err := a.keep(cmd.Context(), o)
				if err != nil {
					return err
				}
				switch {
				case confirm:
					return a.confirmRestored(cmd, k, drop)
				case rescan:
					return a.declareRestored(cmd, k)
				}
				return a.showRestored(cmd, k)
			})
		}}
	cmd.Flags().BoolVar(&confirm, "confirm", false, "let mails be sent again")
	cmd.Flags().BoolVar(&drop, "drop", false, "with --confirm: send none of those that wait now")
	cmd.Flags().BoolVar(&rescan, "rescan", false, "say that the database is a restored backup")
	return cmd
}

func (a *app) showRestored(cmd *cobra.Command, k *keeper) error {
	state, err := k.restored(cmd.Context())
	if err != nil {
		return err
	}
	waiting, err := k.desk.Outbox(cmd.Context(), store.MailQueued)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"restored": state != "", "read_again": state != toRead, "queued": len(waiting)})
	}
	switch state {
	case "":
		a.printf("The database is not known to be a restored backup; mails are sent.\n")
	case toRead:
		a.printf("The database is a restored backup: nothing is sent. The mailbox has not been read\nagain yet: run `ringpost serve`, it sends nothing. %d mails wait.\n", len(waiting))
	default:
		a.printf(`The database is a restored backup: nothing is sent. %d mails wait; some may have
been sent before. Look at them: ringpost outbox list --state queued
Then:                 ringpost restored --confirm
or, to send none:     ringpost restored --confirm --drop
`, len(waiting))
	}
	return nil
}

func (a *app) confirmRestored(cmd *cobra.Command, k *keeper, drop bool) error {
	var dropped int64
	err := k.store.Write(cmd.Context(), func(tx *store.Tx) error {
		state, err := tx.Meta(restoredKey)
		switch {
		case err != nil:
			return err
		case state == "":
			return errors.New("there is nothing to confirm: the database is not known to be a restored backup")
		case state == toRead && k.boxed:
			return errors.New("the mailbox has not been read again yet: run `ringpost serve` first, it sends nothing")
		}
		if drop {
			if dropped, err = tx.DropQueued("dropped after a backup was restored"); err != nil {
				return err
			}
		}
		if err := tx.Audit("", "backup confirmed", "", k.now()); err != nil {
			return err
		}
		return tx.SetMeta(restoredKey, "")
	})
	if err != nil {
		return err
	}
	if drop {
		a.printf("%d mails are dropped. ", dropped)
	}
	a.printf("Mails are sent again.\n")
	return nil
}

func (a *app) declareRestored(cmd *cobra.Command, k *keeper) error {
	err := k.store.Write(cmd.Context(), func(tx *store.Tx) error {
		return k.setRestored(tx, "backup declared", "")
	})
	if err != nil {
		return err
	}
	return a.showRestored(cmd, k)
}
