package cli

import (
	"time"

	"github.com/spf13/cobra"

	"ringpost/internal/referee"
)

func (a *app) roundCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "round", Short: "Close rounds and look back at them"}
	cmd.AddCommand(a.roundClose(), a.roundPreview(), a.roundList())
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
					a.printf("%-24s %s\n", r.Seat, note)
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
	return &cobra.Command{Use: "list GAME", Short: "List the closed rounds with seeds and hashes", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error {
				rows, err := o.desk.Rounds(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(rows)
				}
				for _, r := range rows {
					a.printf("%4d  closed %s  seed %.16s…  hash %.16s…\n", r.Round, r.Closed.Format(time.RFC3339), r.Seed, r.Hash)
				}
				return nil
			})
		}}
}
