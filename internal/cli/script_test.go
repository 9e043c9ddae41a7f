package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ringpost/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ringpost": func() {
			os.Exit(cli.Run(context.Background(), os.Args[1:], cli.System{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}))
		},
	})
}

// TestCommands runs the scripts of testdata/cli: one file holds commands, inputs
// and what they must print.
func TestCommands(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "cli")
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("RINGPOST_DATA", filepath.Join(e.WorkDir, "data"))
			return nil
		},
	})
}
