package cli

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"ringpost/internal/claim"
)

func (a *app) adoptCommand() *cobra.Command {
	return &cobra.Command{Use: "adopt", Short: "Make this data folder the owner of the mailbox", Args: cobra.NoArgs,
		Long: `A mailbox belongs to the data folder whose server has read it first: a mark in
it says so, and a server with another data folder stops. When the other is out of
service for good, adopt makes the mailbox this folder's. So it does when a copy of
this folder has gone on in its place. Stop the other server first; if it still
runs, it stops when it notices, within ten minutes.`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			o, err := a.open(cmd.Context(), slog.LevelWarn)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, o.store.Close()) }()
			unlock, err := a.lock()
			if err != nil {
				return err
			}
			defer unlock()
			keeper, err := a.keep(cmd.Context(), o)
			if err != nil {
				return err
			}
			box, err := a.boxOf(o)
			if err != nil {
				return err
			}
			if box == nil {
				return errors.New("there is no mailbox to adopt: set [imap] or [maildir] in ringpost.toml")
			}
			defer box.Close()
			copied, err := keeper.superseded(cmd.Context())
			if err != nil {
				return err
			}
			before, err := claim.Adopt(cmd.Context(), box, keeper, keeper.mark.Session, keeper.mark.Where)
			switch {
			case err != nil:
				return fmt.Errorf("adopting the mailbox: %w", err)
			case copied != "":
				if err := keeper.setSuperseded(cmd.Context(), ""); err != nil {
					return err
				}
				a.printf("This data folder goes on, and no longer its copy in %s.\n", copied)
			case before == nil:
				a.printf("No other data folder owns the mailbox: nothing was changed.\n")
			default:
				a.printf("The mailbox belongs to this data folder now, no longer to %s.\n", before.Where)
			}
			return nil
		}}
}
