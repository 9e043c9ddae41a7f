package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ringpost/internal/config"
)

func (a *app) sparringCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "sparring", Short: "Look at bouts that players tried out by mail"}
	cmd.AddCommand(a.sparringList(), a.sparringShow())
	return cmd
}

func (a *app) sparringList() *cobra.Command {
	return &cobra.Command{Use: "list GAME", Short: "List a game's sparrings, with the mail that asked for each", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error {
				all, err := o.desk.Sparrings(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(all)
				}
				for _, x := range all {
					a.printf("%5d  %s  round %d, %s: %s, no. %d, mail %d\n", x.ID, x.Fought.Format(time.RFC3339), x.Round, x.Seat, x.Subject, x.N, x.Mail)
				}
				return nil
			})
		}}
}

func (a *app) sparringShow() *cobra.Command {
	var lang string
	cmd := &cobra.Command{Use: "show ID", Short: "Fight a sparring again, by the same plan and dice, as its player read it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if lang != "" && !slices.Contains(config.Languages(), lang) {
				return usage(cmd, "--lang: %q is none of %s", lang, strings.Join(config.Languages(), ", "))
			}
			return a.withID(cmd, args[0], func(o *office, id int64) error {
				text, err := o.desk.SparringText(cmd.Context(), id, lang)
				if err == nil {
					a.printf("%s", text)
				}
				return err
			})
		}}
	cmd.Flags().StringVar(&lang, "lang", "", "de or en (default: its player's)")
	return cmd
}
