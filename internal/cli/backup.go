package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) backupCommand() *cobra.Command {
	return &cobra.Command{Use: "backup FILE", Short: "Copy the database, whole, beside a running server", Args: cobra.ExactArgs(1),
		Long: `Writes a copy of the database into a file that is not there yet. Keep ringpost.key
and ringpost.toml with it: without the key, players' reply tokens are void.

To restore it, stop the server and run ringpost restore FILE.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error { return o.store.Backup(cmd.Context(), args[0]) })
		}}
}
