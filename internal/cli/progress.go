package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows on a terminal how far something has come, of so many; elsewhere it
// shows nothing.
func (a *app) progress(of int, what string) *progressbar.ProgressBar {
	f, ok := a.Err.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progressbar.NewOptions(of, progressbar.OptionSetVisibility(false))
	}
	return progressbar.NewOptions(of, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionOnCompletion(func() { fmt.Fprintln(f) }))
}
