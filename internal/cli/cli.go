// Package cli is the command line: a file a command. Everything is wired
// together here, and nothing but wiring, reading arguments and printing belongs
// here.
package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"ringpost/internal/config"
	"ringpost/internal/dkim"
	"ringpost/internal/proof"
	"ringpost/internal/referee"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
	"ringpost/templates"
)

// System is what the program has of the world around it.
type System struct {
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	Getenv func(string) string
	// Now and After are its clock; nil is the machine's.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// The exit statuses.
const (
	statusOK        = 0
	statusFailed    = 1
	statusUsage     = 2
	statusRetry     = 75 // EX_TEMPFAIL: the mail server keeps the mail and tries again
	statusElsewhere = 78 // EX_CONFIG: the mailbox is another server's, and starting again would not help
)

// Run runs the program with the arguments after its name and gives its exit
// status: 0, 1 for what could not be done, 2 for wrong usage.
func Run(ctx context.Context, args []string, sys System) int {
	out := &printed{Writer: sys.Out}
	sys.Out = out
	a := &app{System: sys}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(sys.In)
	root.SetOut(sys.Out)
	root.SetErr(sys.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.failed()
	}
	if err == nil {
		return statusOK
	}
	err = store.Advised(err)
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(sys.Err, "ringpost: %v\nSee `%s --help`.\n", err, usage.command)
		return statusUsage
	}
	var status *statusError
	if errors.As(err, &status) {
		if status.err != nil {
			fmt.Fprintf(sys.Err, "ringpost: %v\n", status.err)
		}
		return status.status
	}
	fmt.Fprintf(sys.Err, "ringpost: %v\n", err)
	return statusFailed
}

// printed is the program's output, and what went wrong with writing it: a report in a
// file on a full disk must not look whole.
type printed struct {
	io.Writer
	mu  sync.Mutex
	err error
}

// Write implements io.Writer.
func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, err := p.Writer.Write(b)
	p.err = cmp.Or(p.err, err)
	return n, err
}

// failed says what of a command that did its work is missing.
func (p *printed) failed() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		return nil
	}
	return fmt.Errorf("it is done, but what there is to say about it could not be printed: %w", p.err)
}

// usageError is a wrong argument: nothing has been done.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }

// statusError ends with a status of its own; err nil says nothing.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return fmt.Sprint(e.err) }

// app is one run of the program.
type app struct {
	System
	dir   string
	fixed string // --now
	json  bool
	clock func() time.Time
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ringpost",
		Short: "A game master for games played by email",
		Long: `Ringpost runs games that are played by email: it reads players' orders from a
mailbox, answers each mail with a receipt, closes rounds at their deadlines by
the game's rules, and mails the reports.

Try it without any account: ringpost demo`,
		SilenceUsage: true, SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.prepare(cmd) },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	f := root.PersistentFlags()
	f.StringVar(&a.dir, "data", "", "data folder (default $RINGPOST_DATA, or ./ringpost-data)")
	f.StringVar(&a.fixed, "now", "", "take this for the present time, RFC 3339 with a zone")
	f.BoolVar(&a.json, "json", false, "print JSON where there is a list or a result")
	root.AddCommand(a.initCommand(), a.authCommand(), a.checkCommand(), a.serveCommand(), a.demoCommand(), a.healthCommand(), a.adoptCommand(), a.backupCommand(), a.restoreCommand(), a.restoredCommand(),
		a.gameCommand(), a.seatCommand(), a.mailCommand(), a.outboxCommand(), a.ordersCommand(), a.roundCommand(),
		a.pressCommand(), a.reportCommand(), a.verifyCommand(), a.exportCommand(), a.sparCommand(), a.sparringCommand())
	strict(root)
	return root
}

// strict makes every wrong argument a usage error.
func strict(cmd *cobra.Command) {
	check := cmd.Args
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return &usageError{cmd.CommandPath(), err} })
	switch {
	case cmd.HasSubCommands():
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && cmd.HasParent() {
				return &usageError{cmd.CommandPath(), fmt.Errorf("%s: which of its commands?", cmd.CommandPath())}
			}
			if len(args) > 0 {
				return &usageError{cmd.CommandPath(), fmt.Errorf("there is no command %q", cmd.CommandPath()+" "+args[0])}
			}
			return cmd.Help()
		}
	case check != nil:
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if check(cmd, args) != nil {
				wanted := strings.TrimSuffix(cmd.UseLine(), " [flags]")
				return &usageError{cmd.CommandPath(), fmt.Errorf("%s given, but it is `%s`", count(len(args), "argument"), wanted)}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		strict(sub)
	}
}

// usage is a usage error found while a command runs.
func usage(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{cmd.CommandPath(), fmt.Errorf(format, args...)}
}

// prepare reads the global flags.
func (a *app) prepare(cmd *cobra.Command) error {
	if a.dir == "" {
		a.dir = a.Getenv("RINGPOST_DATA")
	}
	if a.dir == "" {
		a.dir = "ringpost-data"
	}
	if a.Now == nil {
		a.Now = time.Now
	}
	if a.After == nil {
		a.After = time.After
	}
	a.clock = func() time.Time { return a.Now().UTC() }
	if a.fixed != "" {
		t, err := parseTime(a.fixed)
		if err != nil {
			return usage(cmd, "--now: %v", err)
		}
		a.clock = func() time.Time { return t }
	}
	return nil
}

// parseTime reads a time with its zone; one without is refused, since nobody
// could say which instant it means.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, fmt.Errorf("%q is no time with a zone such as 2026-12-06T20:00:00+01:00", s)
	}
	return t.UTC(), nil
}

// logger writes one line an event to standard error.
func (a *app) logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: level}))
}

// office is everything a command needs of an open data folder.
type office struct {
	config config.Config
	store  *store.Store
	desk   *referee.Desk
	log    *slog.Logger
}

// open opens the data folder.
func (a *app) open(ctx context.Context, level slog.Level) (*office, error) {
	conf, err := config.Load(a.dir, a.Getenv)
	if err != nil {
		return nil, err
	}
	key, err := readKey(a.dir)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, a.dir)
	if err != nil {
		return nil, err
	}
	log := a.logger(level)
	desk, err := newDesk(s, conf, key, log, a.clock)
	if err == nil {
		err = checkKey(ctx, s, a.dir, key)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &office{conf, s, desk, log}, nil
}

func newDesk(s *store.Store, conf config.Config, key [32]byte, log *slog.Logger, clock func() time.Time) (*referee.Desk, error) {
	words, err := report.Load(templates.Files)
	if err != nil {
		return nil, err
	}
	var signers func(context.Context, []byte) []string
	if conf.VerifyDKIM {
		signers = func(ctx context.Context, raw []byte) []string {
			return dkim.Signers(ctx, raw, net.DefaultResolver.LookupTXT)
		}
	}
	return referee.New(s, words, rules.Find, referee.Settings{
		Signers: signers,
		Address: conf.Address, Name: conf.Name, Lang: conf.Lang, TimeZone: conf.TimeZone, GM: conf.GM,
		PlusAddresses: conf.PlusAddresses, AuthservIDs: conf.AuthservIDs, Key: key,
	}, log, clock), nil
}

// with opens the data folder for the length of f. What f has written is of no use when
// the database was put aside meanwhile, as a restore beside a mail server's pipe does.
func (a *app) with(cmd *cobra.Command, f func(*office) error) error {
	o, err := a.open(cmd.Context(), slog.LevelWarn)
	if err != nil {
		return err
	}
	return errors.Join(f(o), o.store.There(), o.store.Close())
}

// printJSON prints a value on several lines.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.Out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("printing JSON: %w", err)
	}
	return nil
}

// count is a number of things in words.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.Out, format, args...) }

// keyName is the file that holds the folder's own key.
const keyName = "ringpost.key"

// keyNote is the note of which key belongs to a database.
const keyNote = "key"

// noteKey writes into a new database which key is its own.
func noteKey(ctx context.Context, s *store.Store, key [32]byte) error {
	return s.Write(ctx, func(tx *store.Tx) error { return tx.SetMeta(keyNote, keyPrint(key)) })
}

// checkKey refuses a key that is another folder's: with it no reply token would be
// known again.
func checkKey(ctx context.Context, s *store.Store, dir string, key [32]byte) error {
	var noted string
	err := s.Read(ctx, func(tx *store.Tx) (err error) {
		noted, err = tx.Meta(keyNote)
		return err
	})
	if err != nil {
		return fmt.Errorf("reading the database: %w", err)
	}
	if noted != "" && noted != keyPrint(key) {
		return fmt.Errorf("%s is not the key of this database: restore both from the same backup", filepath.Join(dir, keyName))
	}
	return nil
}

func keyPrint(key [32]byte) string { return proof.Sum(append([]byte("ringpost key "), key[:]...)) }

func readKey(dir string) (key [32]byte, err error) {
	path := filepath.Join(dir, keyName)
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return key, fmt.Errorf("%s is missing: restore it from the backup, without it no reply token is known again", path)
	}
	if err != nil {
		return key, fmt.Errorf("reading the folder's key: %w", err)
	}
	if len(b) != len(key) {
		return key, fmt.Errorf("%s is damaged: it has %d bytes, not %d; restore it from the backup", path, len(b), len(key))
	}
	return [32]byte(b), nil
}
