package cli

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ringpost/internal/config"
	"ringpost/internal/proof"
	"ringpost/internal/rules"
)

func (a *app) reportCommand() *cobra.Command {
	var seat, lang string
	var branch int
	cmd := &cobra.Command{Use: "report GAME [ROUND]", Short: "Print a report (default: the last round's)", Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			round := -1
			if len(args) == 2 {
				var err error
				if round, err = strconv.Atoi(args[1]); err != nil || round < 0 {
					return usage(cmd, "%q is no round: want a number from 0, the start", args[1])
				}
			}
			if branch < -1 {
				return usage(cmd, "--branch: want a number from 0, as `ringpost round list --all` shows them")
			}
			if lang != "" && !slices.Contains(config.Languages(), lang) {
				return usage(cmd, "--lang: %q is none of %s", lang, strings.Join(config.Languages(), ", "))
			}
			return a.with(cmd, func(o *office) error {
				text, err := o.desk.ReportOf(cmd.Context(), args[0], branch, round, seat, lang)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(map[string]string{"report": text})
				}
				a.printf("%s", text)
				return nil
			})
		}}
	cmd.Flags().StringVar(&seat, "seat", "", "as this seat may read it (default: as everybody may)")
	cmd.Flags().StringVar(&lang, "lang", "", "in this language (default: the seat's, or the game's)")
	cmd.Flags().IntVar(&branch, "branch", -1, "of a round that was reopened: the report of this branch (default: the one that counts)")
	return cmd
}

func (a *app) exportCommand() *cobra.Command {
	var public bool
	cmd := &cobra.Command{Use: "export GAME", Short: "Print all closed rounds as JSON", Args: cobra.ExactArgs(1),
		Long: `Prints the game's closed rounds as one JSON document, from which
` + "`ringpost verify --file`" + ` recomputes everything without the database. Rounds
that were reopened stand there as void. With --public it names no persons and shows
nothing of rounds still open.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error {
				doc, err := o.desk.Export(cmd.Context(), args[0], public)
				if err != nil {
					return err
				}
				return a.printJSON(doc)
			})
		}}
	cmd.Flags().BoolVar(&public, "public", false, "what everybody may see")
	return cmd
}

// verified is what verify found out about one game.
type verified struct {
	Game       string            `json:"game"`
	Rounds     int               `json:"rounds"`
	Sealed     int               `json:"sealed"` // of them: their orders are not open yet
	Void       int               `json:"void"`   // beside them: they were reopened
	OK         bool              `json:"ok"`
	Difference *proof.Difference `json:"difference"`
}

func verdictOn(gameID string, v proof.Verdict) verified {
	return verified{gameID, v.Rounds, v.Sealed, v.Void, v.Difference == nil, v.Difference}
}

func (a *app) verifyCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{Use: "verify [GAME]", Short: "Recompute closed rounds and compare (default: of all games)", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if file != "" {
				if len(args) > 0 {
					return usage(cmd, "either a game or --file, not both")
				}
				return a.verifyFile(file)
			}
			return a.with(cmd, func(o *office) error {
				ids := args
				if len(args) == 0 {
					games, err := o.desk.Games(cmd.Context())
					if err != nil {
						return err
					}
					for _, g := range games {
						ids = append(ids, g.ID)
					}
				}
				var found []verified
				for _, id := range ids {
					v, err := o.desk.Verify(cmd.Context(), id)
					if err != nil {
						return err
					}
					found = append(found, verdictOn(id, v))
				}
				return a.printVerified(found)
			})
		}}
	cmd.Flags().StringVar(&file, "file", "", "an export to verify, without any database")
	return cmd
}

func (a *app) verifyFile(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the export: %w", err)
	}
	doc, err := proof.Parse(b)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	v, err := proof.Verify(doc, rules.Find)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return a.printVerified([]verified{verdictOn(doc.Game.ID, v)})
}

// voidText tells of rounds that were reopened.
func voidText(v verified) string {
	switch v.Void {
	case 0:
		return ""
	case 1:
		return ", and one that no longer counts"
	}
	return fmt.Sprintf(", and %d that no longer count", v.Void)
}

func (a *app) printVerified(found []verified) error {
	var first error
	for _, v := range found {
		if v.Difference != nil && first == nil {
			first = fmt.Errorf("%s, %s", v.Game, v.Difference)
		}
		switch {
		case a.json || v.Difference != nil:
		case v.Sealed > 0:
			a.printf("%s: the chain of %s holds%s; %d of them can be recomputed when their orders are opened.\n", v.Game, count(v.Rounds, "round"), voidText(v), v.Sealed)
		default:
			a.printf("%s: %s recomputed%s, all as stored.\n", v.Game, count(v.Rounds, "round"), voidText(v))
		}
	}
	if a.json {
		if found == nil {
			found = []verified{}
		}
		if err := a.printJSON(found); err != nil {
			return err
		}
	}
	return first
}
