package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"ringpost/internal/letter"
	"ringpost/internal/mailbox"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

func (a *app) mailCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "mail", Short: "Take mails in and look at those that came"}
	cmd.AddCommand(a.mailIn(), a.mailList(), a.mailShow(), a.mailRetry())
	return cmd
}

func (a *app) mailIn() *cobra.Command {
	var received string
	cmd := &cobra.Command{Use: "in [FILE...|-]", Short: "Take mails in, from files or standard input",
		Long: `Takes each file as one mail, or the one on standard input. Without --json and
files it is silent, as a mail server's pipe wants it: status 0 means that the
mail is stored, 75 that it could not be and should be tried again.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			at := a.clock()
			if received != "" {
				var err error
				if at, err = parseTime(received); err != nil {
					return usage(cmd, "--received: %v", err)
				}
			}
			pipe := (len(args) == 0 || len(args) == 1 && args[0] == "-") && !a.json
			err := a.takeIn(cmd, args, at, pipe)
			var wrong *usageError
			if err != nil && pipe && !errors.As(err, &wrong) {
				return &statusError{statusRetry, err}
			}
			return err
		}}
	cmd.Flags().StringVar(&received, "received", "", "when the mails arrived, RFC 3339 with a zone (default: now)")
	return cmd
}

func (a *app) takeIn(cmd *cobra.Command, files []string, at time.Time, silent bool) error {
	if len(files) == 0 {
		files = []string{"-"}
	}
	mails, err := a.readMails(files, at)
	if err != nil {
		return err
	}
	return a.with(cmd, func(o *office) error {
		results, err := o.desk.Receive(cmd.Context(), mails)
		if err != nil {
			return err
		}
		for i, r := range results {
			r.File = files[i]
			switch {
			case silent:
			case a.json:
				b, err := json.Marshal(r)
				if err != nil {
					return fmt.Errorf("printing JSON: %w", err)
				}
				a.printf("%s\n", b)
			default:
				a.printf("%s: %s (%s)\n", r.File, r.Result, r.Reason)
			}
		}
		return nil
	})
}

// readMails reads all files before anything is done with one.
func (a *app) readMails(files []string, at time.Time) ([]referee.Incoming, error) {
	var mails []referee.Incoming
	for _, name := range files {
		m, err := a.takeFile(name, at)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		mails = append(mails, m)
	}
	return mails, nil
}

// takeFile reads a mail. It has no place of its own: only its content can tell that
// it came before.
func (a *app) takeFile(name string, at time.Time) (referee.Incoming, error) {
	in, from := a.In, mailbox.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return referee.Incoming{}, err
		}
		defer f.Close()
		in, from = f, "file"
	}
	m, err := mailbox.Read(in, at, letter.MaxSize)
	return referee.Incoming{Place: store.Place{Mailbox: from, Name: m.Name}, Received: m.Received, Size: m.Size, Raw: m.Raw}, err
}

func (a *app) readMail(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.In)
	}
	return os.ReadFile(name)
}

func (a *app) mailList() *cobra.Command {
	var limit int
	cmd := &cobra.Command{Use: "list", Short: "List the mails that came in, the newest last", Args: cobra.NoArgs,
		Long: `Lists the mails that came in, the newest last, with what became of each:

  taken        orders are on file, or a request was done
  held         it waits until the player confirms it
  refused      nothing was changed, and the sender was told why
  dropped      nothing was changed, and nobody was answered: a stranger, a machine
  duplicate    it had come before
  quarantined  it could not be handled; ringpost mail retry tries it again`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usage(cmd, "--limit: want at least 1")
			}
			return a.with(cmd, func(o *office) error {
				rows, err := o.desk.Letters(cmd.Context(), limit)
				if err != nil {
					return err
				}
				if len(rows) == limit {
					a.tellOlder(int(rows[0].ID) - 1)
				}
				if a.json {
					return a.printJSON(rows)
				}
				for _, r := range rows {
					a.printf("%5d  %s  %-11s %-18s %-30s %s\n", r.ID, r.Received.Format(time.RFC3339), r.Result, r.Reason, r.Sender, r.Subject)
				}
				return nil
			})
		}}
	cmd.Flags().IntVar(&limit, "limit", 200, "how many at most")
	return cmd
}

// tellOlder says beside a list how many it leaves out.
func (a *app) tellOlder(n int) {
	if n > 0 {
		fmt.Fprintf(a.Err, "%s not listed, see --limit.\n", older(n))
	}
}

func older(n int) string {
	if n == 1 {
		return "One older mail is"
	}
	return fmt.Sprintf("%d older mails are", n)
}

func (a *app) mailShow() *cobra.Command {
	return &cobra.Command{Use: "show ID", Short: "Show a mail, what was read in it, and why it was taken or not", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withID(cmd, args[0], func(o *office, id int64) error {
				info, err := o.desk.LetterInfo(cmd.Context(), id)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(info)
				}
				a.printf("mail      %d\nreceived  %s\nfrom      %s\nsubject   %s\nsource    %s\nsize      %d\nsender    %s\n",
					info.ID, info.Received.Format(time.RFC3339), info.From, info.Subject, info.Source, info.Size, info.Verdict)
				for _, r := range info.Outcomes {
					a.printf("result    %s (%s)\n", r.Result, r.Reason)
					if r.Confirmed != nil {
						a.printf("  confirmed by a mail that arrived %s\n", r.Confirmed.Format(time.RFC3339))
					}
					for _, b := range r.Blocks {
						a.printf("  %s %s, round %d: %s\n", b.Game, b.Seat, b.Round, b.Outcome)
						for _, l := range b.Orders {
							a.printf("    %s\n", l)
						}
						for _, i := range b.Issues {
							a.printf("    %s\n", i)
						}
					}
				}
				a.printf("\n")
				for _, l := range info.Lines {
					a.printf("%4d  %s\n", l.N, l.Text)
				}
				return nil
			})
		}}
}

func (a *app) mailRetry() *cobra.Command {
	return &cobra.Command{Use: "retry ID", Short: "Handle a mail once more", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withID(cmd, args[0], func(o *office, id int64) error {
				r, err := o.desk.Retry(cmd.Context(), id)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(r)
				}
				a.printf("mail %d: %s (%s)\n", id, r.Result, r.Reason)
				return nil
			})
		}}
}

// withID is with for a command about one numbered thing.
func (a *app) withID(cmd *cobra.Command, arg string, f func(*office, int64) error) error {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id < 1 {
		return usage(cmd, "%q is no id: want a number from the list", arg)
	}
	return a.with(cmd, func(o *office) error { return f(o, id) })
}
