package cli

import (
	"errors"
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"

	"ringpost/internal/owner"
	"ringpost/internal/store"
)

func (a *app) restoreCommand() *cobra.Command {
	return &cobra.Command{Use: "restore FILE", Short: "Put a backup in the place of the database", Args: cobra.ExactArgs(1),
		Long: `Puts a copy of a backup in the place of the data folder's database, and the one that
was there aside. Stop the server first. On a new machine make the data folder with
ringpost.key and ringpost.toml from the backup before.

From then on nothing is sent until you confirm it: all that was sent after the backup
would go out again. See ringpost restored.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			unlock, err := a.lock()
			if err != nil {
				return err
			}
			defer unlock()
			aside, err := store.Restore(cmd.Context(), a.dir, args[0], func() error { return a.takeOver(cmd, args[0]) })
			if err != nil {
				return err
			}
			if aside != "" {
				a.printf("What was there before is %s now.\n", aside)
			}
			a.printf(`The backup is in its place, and nothing is sent until you confirm it. Next:
` + "`ringpost serve`" + ` reads the mailbox again; then see ` + "`ringpost restored`" + `.
`)
			return nil
		}}
}

// takeOver makes a backup that was put into its place the folder's database.
func (a *app) takeOver(cmd *cobra.Command, backup string) (err error) {
	if err := owner.Entrust(filepath.Join(a.dir, store.FileName), a.dir); err != nil {
		return err
	}
	o, err := a.open(cmd.Context(), slog.LevelError+1) // that it is an old one is no news
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.store.Close()) }()
	k, err := a.keep(cmd.Context(), o)
	if err != nil {
		return err
	}
	// Also when it is so young that nothing would show it.
	return k.store.Write(cmd.Context(), func(tx *store.Tx) error { return k.setRestored(tx, "backup restored", backup) })
}
