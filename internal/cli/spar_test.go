package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"ringpost/internal/cli"
)

// finite is an input at whose end something happens.
type finite struct {
	io.Reader
	end func()
}

func (f finite) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b)
	if err == io.EOF {
		f.end()
	}
	return n, err
}

// TestSparStops: whoever has asked for too many bouts need not wait for them.
func TestSparStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out, errs bytes.Buffer
	status := cli.Run(ctx, []string{"spar", "--ruleset", "ringside", "--runs", "100000000", "-"}, cli.System{
		In:  finite{strings.NewReader("NAME Muhammad Ali\nNAME Duane Bobick\n"), stop},
		Out: &out, Err: &errs, Getenv: os.Getenv,
	})
	if status != 1 || out.Len() > 0 || !regexp.MustCompile(`^ringpost: stopped after \d+ of 100000000 bouts\n$`).MatchString(errs.String()) {
		t.Errorf("status %d\n%s%s", status, &out, &errs)
	}
}
