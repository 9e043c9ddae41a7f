package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ringpost/internal/config"
	"ringpost/internal/dice"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/templates"
)

func (a *app) sparCommand() *cobra.Command {
	var ruleset, lang, seedFile string
	cmd := &cobra.Command{Use: "spar --ruleset sugarray FILE", Short: "Fight a bout between the two order blocks of a file", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if ruleset == "" {
				return usage(cmd, "--ruleset is missing: one of %s", strings.Join(rulesetNames(), ", "))
			}
			if !slices.Contains(config.Languages(), lang) {
				return usage(cmd, "--lang: %q is none of %v", lang, config.Languages())
			}
			r, err := rules.Find(ruleset)
			if err != nil {
				return err
			}
			secret, err := readSecret(seedFile)
			if err != nil {
				return err
			}
			raw, err := a.readMail(args[0])
			if err != nil {
				return fmt.Errorf("reading %s: %w", args[0], err)
			}
			return a.spar(r, lang, dice.Secret(secret), string(raw))
		}}
	f := cmd.Flags()
	f.StringVar(&ruleset, "ruleset", "", "the rules to fight by: "+strings.Join(rulesetNames(), ", "))
	f.StringVar(&lang, "lang", "de", "language of the result: de or en")
	f.StringVar(&seedFile, "seed-file", "", "file with a secret for the dice, 64 hex digits (default: made at random)")
	return cmd
}

func (a *app) spar(r rules.Ruleset, lang string, secret dice.Secret, raw string) error {
	words, err := report.Load(templates.Files)
	if err != nil {
		return err
	}
	text := orders.Parse(orders.Lines(raw))
	name := r.About().Name
	view, issues := r.Spar(text.Blocks, secret.Seed("spar", 0, 0))
	if len(issues) > 0 && issues[0].Error || view.Data == nil {
		var said []string
		for _, i := range issues {
			t, err := words.Render(lang, name, "issue."+i.Code, i)
			if err != nil {
				return err
			}
			said = append(said, fmt.Sprintf("line %d: %s", i.Line, strings.Join(strings.Fields(t), " ")))
		}
		return errors.New(strings.Join(said, "\n"))
	}
	out, err := words.View(lang, name, view)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(view.Data())
	}
	a.printf("%s", out)
	return nil
}
