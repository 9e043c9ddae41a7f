//go:build unix

// Package crash holds the tests that kill the program. Each runs the real
// `ringpost serve` as a process of its own on a data folder, between it and a
// post office a proxy, and kills it, cuts its connections, fills its disk or
// locks its database at one named point. Started again, it must come to the same
// end as a run without faults: the same chain of rounds, one receipt for each
// mail with orders, every report, and none of it twice but the mail whose final
// dot was on its way.
//
// Points on the wire are seen by the proxies. Points inside the program are seen in
// its log, which it writes as it goes: a line is the last thing that a process
// killed there has done; and at its commits, which SQLite tells of as they begin.
package crash_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"modernc.org/sqlite"

	"ringpost/internal/cli"
)

// variable makes a process of this test program a server; it holds its task.
const variable = "RINGPOST_CRASH_TASK"

func TestMain(m *testing.M) {
	if t := os.Getenv(variable); t != "" {
		os.Exit(serve(t))
	}
	flag.Parse()
	// The runs wait most of the time, for deadlines and pauses.
	if err := flag.Set("test.parallel", "12"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// task is what a server is to do.
type task struct {
	Dir   string
	Clock timelapse
	Fatal string // it dies at the Nth line of its log that holds this
	Nth   int
	Last  int    // it dies as it begins this commit, counted from 1; 0 is never
	Disk  uint64 // its files cannot grow beyond so many bytes until it gets SIGUSR1; 0 is no limit
}

// timelapse is a clock on which the pauses of hours take seconds.
type timelapse struct {
	Began time.Time // by the machine's clock
	Shows time.Time // at that moment
}

// haste is how many times faster than time it goes. A server is given up after a
// minute's silence: that must be more than a busy machine makes it wait.
const haste = 20

func (c timelapse) now() time.Time { return c.Shows.Add(time.Since(c.Began) * haste) }

func (c timelapse) after(d time.Duration) <-chan time.Time { return time.After(d / haste) }

// serve is the server's process.
func serve(text string) int {
	var t task
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go func() { // whatever ends the test ends its servers
		io.Copy(io.Discard, os.Stdin)
		os.Exit(3)
	}()
	if t.Disk > 0 {
		if err := limitDisk(t.Disk); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	if t.Last > 0 {
		dieAtCommit(t.Last)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	return cli.Run(ctx, []string{"--data", t.Dir, "serve"}, cli.System{In: strings.NewReader(""), Out: io.Discard,
		Err: &fatalLog{Writer: os.Stderr, fatal: t.Fatal, left: t.Nth}, Getenv: os.Getenv, Now: t.Clock.now, After: t.Clock.after})
}

// limitDisk makes the disk full until SIGUSR1.
func limitDisk(limit uint64) error {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		return err
	}
	emptied := make(chan os.Signal, 1)
	signal.Notify(emptied, syscall.SIGUSR1)
	go func() {
		<-emptied
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			panic(err)
		}
	}()
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: before.Max})
}

// dieAtCommit kills the process as one of its connections to the database begins the
// nth commit: what was done before stands, what was to be committed does not.
func dieAtCommit(nth int) {
	var commits atomic.Int64
	sqlite.RegisterConnectionHook(func(conn sqlite.ExecQuerierContext, _ string) error {
		conn.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 {
			if commits.Add(1) == int64(nth) {
				die()
			}
			return 0
		})
		return nil
	})
}

// die ends the process as a power cut would.
func die() {
	syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
	select {}
}

// fatalLog kills the process at a line. slog writes a line at a time.
type fatalLog struct {
	io.Writer
	fatal string
	left  int
}

func (l *fatalLog) Write(line []byte) (int, error) {
	n, err := l.Writer.Write(line)
	if l.fatal != "" && bytes.Contains(line, []byte(l.fatal)) {
		if l.left--; l.left == 0 {
			die()
		}
	}
	return n, err
}
