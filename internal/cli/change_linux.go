package cli

import (
	"io/fs"
	"syscall"
	"time"
)

// lastChange is when a file's content, name or owner was last changed.
func lastChange(info fs.FileInfo) (time.Time, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(s.Ctim.Unix()), true
}
