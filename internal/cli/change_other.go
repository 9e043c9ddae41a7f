//go:build !linux

package cli

import (
	"io/fs"
	"time"
)

// lastChange is not known here: after a start nothing is sent before the mailbox
// has been seen.
func lastChange(fs.FileInfo) (time.Time, bool) { return time.Time{}, false }
