package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"ringpost/internal/owner"
)

func (a *app) backupCommand() *cobra.Command {
	return &cobra.Command{Use: "backup FILE", Short: "Copy the database, whole, beside a running server", Args: cobra.ExactArgs(1),
		Long: `Writes a copy of the database into a file that is not there yet. Keep ringpost.key
and ringpost.toml with it: without the key, players' reply tokens are void.

To restore it, stop the server and run ringpost restore FILE.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error { return a.backUp(cmd.Context(), o, args[0]) })
		}}
}

// backupLock is the file that only one backup of the folder holds: two at a time into one
// file would spoil each other's.
const backupLock = "backup.lock"

// backUp makes a backup when no other is being made.
func (a *app) backUp(ctx context.Context, o *office, path string) (err error) {
	lock := flock.New(filepath.Join(a.dir, backupLock), flock.SetPermissions(0o600))
	if _, err = lock.TryLockContext(ctx, 100*time.Millisecond); err == nil {
		err = owner.Entrust(lock.Path(), a.dir)
	}
	if err != nil {
		return fmt.Errorf("waiting for another backup: %w", errors.Join(err, lock.Close()))
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return o.store.Backup(ctx, path)
}
