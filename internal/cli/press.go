package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"ringpost/internal/store"
)

func (a *app) pressCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "press", Short: "Look at players' press, release or drop it"}
	cmd.AddCommand(a.pressList(), a.pressSet("release ID", "Let press that waits go on its way", true), a.pressSet("drop ID", "Do not print press", false))
	return cmd
}

func (a *app) pressList() *cobra.Command {
	var waiting bool
	cmd := &cobra.Command{Use: "list GAME", Short: "List a game's press", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			state := ""
			if waiting {
				state = store.PressWaiting
			}
			return a.with(cmd, func(o *office) error {
				all, err := o.desk.Press(cmd.Context(), args[0], state)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(all)
				}
				for _, p := range all {
					a.printf("%5d  %-8s round %d, %s to %s\n    %s\n", p.ID, p.State, p.Round, p.From, p.To, strings.ReplaceAll(p.Text, "\n", "\n    "))
				}
				return nil
			})
		}}
	cmd.Flags().BoolVar(&waiting, "waiting", false, "only what waits for you")
	return cmd
}

func (a *app) pressSet(use, short string, release bool) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withID(cmd, args[0], func(o *office, id int64) error {
				if err := o.desk.ReleasePress(cmd.Context(), id, release); err != nil {
					return err
				}
				a.printf("press %d is %s.\n", id, map[bool]string{true: "released", false: "dropped"}[release])
				return nil
			})
		}}
}
