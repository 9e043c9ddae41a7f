package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ringpost/internal/referee"
)

func (a *app) roundCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "round", Short: "Close rounds, look back at them, and open them again"}
	cmd.AddCommand(a.roundClose(), a.roundPreview(), a.roundList(), a.roundReopen())
	return cmd
}

func (a *app) roundClose() *cobra.Command {
	var round int
	cmd := &cobra.Command{Use: "close GAME", Short: "Close the open round now, deadline or not", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if round < 0 {
				return usage(cmd, "--round: want the number of a round")
			}
			return a.with(cmd, func(o *office) error {
				c, err := o.desk.Close(cmd.Context(), args[0], round)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(closedJSON(c))
				}
				a.printf("Round %d of %s is closed: %s, %s queued; %s.\n", c.Round, c.Game, count(c.NMR, "missed move"), count(c.Mails, "report"), whatNext(c))
				return nil
			})
		}}
	cmd.Flags().IntVar(&round, "round", 0, "only if this is the open round (so that a script that runs twice closes once)")
	return cmd
}

func whatNext(c referee.Closed) string {
	if c.Paused {
		return "nobody is left, so the game is paused (`ringpost game resume` or `end`)"
	}
	return until(c.Next)
}

func closedJSON(c referee.Closed) any {
	var next *time.Time
	if !c.Next.IsZero() {
		next = &c.Next
	}
	return struct {
		Game   string     `json:"game"`
		Round  int        `json:"round"`
		NMR    int        `json:"nmr"`
		Mails  int        `json:"mails"`
		Next   *time.Time `json:"next"`
		Ended  bool       `json:"ended"`
		Paused bool       `json:"paused"`
	}{c.Game, c.Round, c.NMR, c.Mails, next, c.Ended, c.Paused}
}

func (a *app) roundPreview() *cobra.Command {
	return &cobra.Command{Use: "preview GAME", Short: "Show what a close would go by now, without throwing a die", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error {
				p, err := o.desk.Preview(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(p)
				}
				a.printf("Round %d of %s, %d of %d orders in.\n", p.Round, args[0], p.Good, len(p.Duties))
				for _, r := range p.Duties {
					note := "missed: " + r.Silence
					if len(r.Orders) > 0 {
						note = r.State
					}
					a.printf("%-24s %s\n", r.Title(), note)
					for _, l := range r.Orders {
						a.printf("    %s\n", l)
					}
				}
				for _, n := range p.Joins {
					a.printf("%-24s enters after the round\n", n)
				}
				for _, n := range p.Leaves {
					a.printf("%-24s leaves\n", n)
				}
				return nil
			})
		}}
}

func (a *app) roundList() *cobra.Command {
	var all bool
	cmd := &cobra.Command{Use: "list GAME", Short: "List the closed rounds with seeds and hashes", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error {
				rows, err := o.desk.Rounds(cmd.Context(), args[0], all)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(rows)
				}
				for _, r := range rows {
					a.printf("%4d  closed %s  seed %.16s…  hash %.16s…", r.Round, r.Closed.Format(time.RFC3339), r.Seed, r.Hash)
					if r.Branch > 0 || all {
						a.printf("  branch %d", r.Branch)
					}
					if r.Void {
						a.printf("  void")
					}
					a.printf("\n")
				}
				return nil
			})
		}}
	cmd.Flags().BoolVar(&all, "all", false, "also those that no longer count since their round was reopened")
	return cmd
}

func (a *app) roundReopen() *cobra.Command {
	var in referee.Reopening
	var deadline string
	cmd := &cobra.Command{Use: "reopen GAME --reason TEXT", Short: "Decide the last round again, or open a round for new orders", Args: cobra.ExactArgs(1),
		Long: `Without --new-orders the round that was closed last is decided again at once: by
the same dice and the orders that were on file then, and by those in mails that had
arrived before its deadline and were seen after the close. Nobody can send new ones.
With no such mail there is nothing to do, and it says so. The round now open keeps
its deadline; what is on file for it is read again against the new result.

With --new-orders the round is open again, with what was on file for it, and with new
dice, so that nobody orders against dice he knows. Rounds after it are void with it.
It ends at --deadline, or else when the game's calendar says. A paused game runs
again. A game that has ended cannot be opened so: its secret is out.

All players are mailed, with the reason in your words. Mails about the old result that
have not gone out are taken back. Nothing is deleted: what no longer counts is shown by
` + "`ringpost round list --all`" + ` and stays in the export, and verify checks it too.

Only what would happen is shown, unless --yes is there.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Game = args[0]
			switch {
			case in.Reason == "":
				return usage(cmd, "--reason is missing: players are told why")
			case cmd.Flags().Changed("round") && in.Round < 1:
				return usage(cmd, "--round: want the number of a closed round, from 1")
			case deadline != "" && !in.New:
				return usage(cmd, "--deadline: only with --new-orders; otherwise the open round keeps its own")
			}
			if deadline != "" {
				var err error
				if in.Deadline, err = parseTime(deadline); err != nil {
					return usage(cmd, "--deadline: %v", err)
				}
			}
			return a.with(cmd, func(o *office) error {
				r, err := o.desk.Reopen(cmd.Context(), in)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(r)
				}
				a.showReopened(r)
				return nil
			})
		}}
	f := cmd.Flags()
	f.IntVar(&in.Round, "round", 0, "the round (default: the one closed last)")
	f.StringVar(&in.Reason, "reason", "", "why, as players read it; the public export has it too")
	f.BoolVar(&in.New, "new-orders", false, "open it for new orders, with new dice")
	f.StringVar(&deadline, "deadline", "", "with --new-orders: until when, RFC 3339 with a zone (default: the next of the game's calendar)")
	f.BoolVar(&in.Do, "yes", false, "do it")
	return cmd
}

// dicedAs says by which dice a round was played that was reopened.
func dicedAs(kept bool) string {
	if kept {
		return "by its own dice"
	}
	return "for new orders"
}

func (a *app) showReopened(r referee.Reopened) {
	was, would := "is", ""
	if !r.Done {
		was, would = "would be", "would be "
	}
	if r.New {
		a.printf("Round %d of %s %s open for new orders, with new dice", r.Round, r.Game, was)
	} else {
		a.printf("Round %d of %s %sdecided again, by the same dice", r.Round, r.Game, map[bool]string{true: "has been ", false: would}[r.Done])
	}
	a.printf(" (branch %d).\n", r.Branch)
	if len(r.Void) > 1 {
		a.printf("Void with it: %s.\n", numbers(r.Void[1:]))
	}
	for _, m := range r.Letters {
		note := ""
		if !m.Counts {
			note = ", but what is on file was sent later"
		}
		a.printf("Mail %d, %s, arrived %s, seen %s%s:\n", m.Mail, m.Seat, m.Received.Format(time.RFC3339), m.Seen.Format(time.RFC3339), note)
		a.indent("    ", m.Orders)
	}
	for _, c := range r.Changed {
		a.printf("%s's orders for round %d change:\n", c.Seat, r.Round)
		a.indent("  - ", c.Old)
		a.indent("  + ", c.New)
	}
	for _, c := range r.OnFile {
		if len(c.Kept) > 0 {
			a.printf("%s's orders for round %d stay on file:\n", c.Seat, c.Round)
			a.indent("    ", c.Kept)
		}
		if len(c.Lost) > 0 {
			a.printf("%s's orders for round %d do not fit any more, and are lost:\n", c.Seat, c.Round)
			a.indent("  - ", c.Lost)
		}
	}
	for _, s := range r.Seats {
		a.printf("%s: %s instead of %s.\n", s.Seat, s.New, s.Old)
	}
	a.printf("%s %squeued; %s about the old result %staken back.\n", count(r.Mails, "mail"), would, count(r.Unsent, "unsent mail"), would)
	switch {
	case r.Open == 0:
		a.printf("The game %s %s.\n", was, r.State)
	case r.Deadline != nil:
		a.printf("Round %d %s open until %s.\n", r.Open, was, r.Deadline.Format(time.RFC3339))
	default:
		a.printf("Round %d %s open; the game %s %s and without a deadline.\n", r.Open, was, was, r.State)
	}
	if !r.Done {
		a.printf("Nothing has been changed. The same command with --yes does it.\n")
	}
}

func (a *app) indent(mark string, lines []string) {
	for _, l := range lines {
		a.printf("%s%s\n", mark, l)
	}
}

// numbers names rounds.
func numbers(rounds []int) string {
	var out []string
	for _, n := range rounds {
		out = append(out, fmt.Sprintf("round %d", n))
	}
	return strings.Join(out, ", ")
}
