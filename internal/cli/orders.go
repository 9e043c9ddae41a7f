package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) ordersCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "orders", Short: "Look at the open round's orders and enter some"}
	cmd.AddCommand(a.ordersList(), a.ordersEnter())
	return cmd
}

func (a *app) ordersList() *cobra.Command {
	var missing bool
	cmd := &cobra.Command{Use: "list GAME", Short: "List what is on file for the open round", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error {
				rows, err := o.desk.Orders(cmd.Context(), args[0], missing)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(rows)
				}
				for _, r := range rows {
					a.printf("%-24s %-11s %s\n", r.Title(), r.State, strings.Join(r.Orders, ", "))
				}
				return nil
			})
		}}
	cmd.Flags().BoolVar(&missing, "missing", false, "only seats from which nothing came")
	return cmd
}

func (a *app) ordersEnter() *cobra.Command {
	return &cobra.Command{Use: "enter GAME NAME FILE", Short: "Enter orders that reached you by other ways (- reads them from standard input)", Args: cobra.ExactArgs(3),
		Long: `Enters a seat's orders from a file, which holds blocks as the player would mail them,
in German, English or Spanish. All of them are entered or, if one has a mistake,
none. The player is mailed the receipt.

  NAME Müller
  ZUG 2/3 3/0 2/2 0/5 3/1
  TRAINING T
  ENDE`,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := a.readMail(args[2])
			if err != nil {
				return fmt.Errorf("reading %s: %w", args[2], err)
			}
			return a.with(cmd, func(o *office) error {
				blocks, err := o.desk.EnterOrders(cmd.Context(), args[0], args[1], string(text))
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(blocks)
				}
				for _, b := range blocks {
					a.printf("%s, round %d: %s\n", b.Seat, b.Round, b.Outcome)
					for _, l := range b.Orders {
						a.printf("  %s\n", l)
					}
					for _, i := range b.Issues {
						a.printf("  %s\n", i)
					}
				}
				return nil
			})
		}}
}
