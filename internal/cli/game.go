package cli

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/referee"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

func (a *app) gameCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "game", Short: "Begin, list, pause and end games, and move their deadlines"}
	cmd.AddCommand(a.gameNew(), a.gameList(), a.gameShow(), a.gameDeadline(), a.gameAnnounce(),
		a.gameStep("start ID", "Set the game up, draw the first pairings and mail everybody", func(cmd *cobra.Command, o *office, id string) (string, error) {
			c, err := o.desk.Start(cmd.Context(), id)
			return fmt.Sprintf("%s has begun: %d mails are queued; %s", id, c.Mails, until(c.Next)), err
		}),
		a.gameStep("pause ID", "Stop a game's deadlines", func(cmd *cobra.Command, o *office, id string) (string, error) {
			return id + " is paused", o.desk.Pause(cmd.Context(), id)
		}),
		a.gameStep("resume ID", "Let a paused game's deadlines run again", func(cmd *cobra.Command, o *office, id string) (string, error) {
			return id + " runs again", o.desk.Resume(cmd.Context(), id)
		}),
		a.gameStep("end ID", "End a game for good and reveal its secret (to stop it for a while: pause)", func(cmd *cobra.Command, o *office, id string) (string, error) {
			return id + " has ended", o.desk.End(cmd.Context(), id)
		}),
	)
	return cmd
}

// gameStep is a command that moves one game on.
func (a *app) gameStep(use, short string, f func(*cobra.Command, *office, string) (string, error)) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error {
				said, err := f(cmd, o, args[0])
				if err == nil {
					a.printf("%s.\n", said)
				}
				return err
			})
		}}
}

func (a *app) gameDeadline() *cobra.Command {
	var in referee.Moving
	var calendar, until string
	cmd := &cobra.Command{Use: "deadline ID", Short: "Move the open round's deadline, or give the game another calendar", Args: cobra.ExactArgs(1),
		Long: `With --until the open round ends then, and the rounds after it as the calendar says.
With --calendar all rounds end as it says, from the open one on; --calendar '' closes
them by hand. The players of a running game are mailed the new deadline.`,
		Example: `  ringpost game deadline liga-nord --until 2026-12-27T20:00:00+01:00
  ringpost game deadline liga-nord --calendar '0 20 * * MON'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("calendar") {
				in.Calendar = &calendar
			}
			if in.Calendar == nil && in.TZ == "" && until == "" {
				return usage(cmd, "--until or --calendar is missing: when does the round end?")
			}
			if until != "" {
				var err error
				if in.Until, err = parseTime(until); err != nil {
					return usage(cmd, "--until: %v", err)
				}
			}
			return a.with(cmd, func(o *office) error {
				due, err := o.desk.MoveDeadline(cmd.Context(), args[0], in)
				if err != nil {
					return err
				}
				g, err := o.desk.GameInfo(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(g)
				}
				a.printf("%s: %s (%s, %s).\n", g.ID, when(g.State, due), orDash(g.Deadline), g.TZ)
				return nil
			})
		}}
	f := cmd.Flags()
	f.StringVar(&until, "until", "", "when the open round ends, RFC 3339 with a zone")
	f.StringVar(&calendar, "calendar", "", "when rounds close, as five cron fields such as '0 20 * * SUN'; '' by hand")
	f.StringVar(&in.TZ, "tz", "", "IANA time zone of the calendar (default: as before)")
	return cmd
}

func (a *app) gameAnnounce() *cobra.Command {
	return &cobra.Command{Use: "announce ID FILE", Short: "Mail a word of yours to all players (- reads it from standard input)", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := a.readMail(args[1])
			if err != nil {
				return fmt.Errorf("reading %s: %w", args[1], err)
			}
			return a.with(cmd, func(o *office) error {
				n, err := o.desk.Announce(cmd.Context(), args[0], string(text))
				if err == nil {
					a.printf("%s queued.\n", count(n, "mail"))
				}
				return err
			})
		}}
}

// when says until when a game's open round runs.
func when(state string, due time.Time) string {
	if due.IsZero() && state != store.GameRunning {
		return "no deadline runs while the game is " + state
	}
	return until(due)
}

func until(deadline time.Time) string {
	if deadline.IsZero() {
		return "there is no deadline, close rounds with `ringpost round close`"
	}
	return "the deadline is " + deadline.Format(time.RFC3339)
}

func (a *app) gameNew() *cobra.Command {
	var g store.Game
	var seedFile string
	var set []string
	cmd := &cobra.Command{Use: "new ID --ruleset NAME", Short: "Enter a new game", Args: cobra.ExactArgs(1),
		Long: `Enters a game, which players can then be seated in and join by mail. It begins by
` + "`ringpost game start`" + `; its settings stay as they are for good.` + settingsHelp(func(about game.About) []game.Setting { return about.Game }),
		RunE: func(cmd *cobra.Command, args []string) error {
			g.ID = args[0]
			if g.Ruleset == "" {
				return usage(cmd, "--ruleset is missing: one of %s", strings.Join(rulesetNames(), ", "))
			}
			r, err := rules.Find(g.Ruleset)
			if err != nil {
				return err
			}
			if g.Settings, err = readSettings(cmd, set, r.About().Game, r.Check); err != nil {
				return err
			}
			if g.Secret, err = readSecret(seedFile); err != nil {
				return err
			}
			return a.with(cmd, func(o *office) error {
				if g.Lang == "" {
					g.Lang = o.config.Lang
				}
				if g.TZ == "" {
					g.TZ = o.config.TimeZone
				}
				if err := o.desk.NewGame(cmd.Context(), g); err != nil {
					return err
				}
				a.printf("%s is entered. Next: `ringpost seat add %s NAME --player ADDRESS`, then `ringpost game start %s`.\n", g.ID, g.ID, g.ID)
				return nil
			})
		}}
	f := cmd.Flags()
	f.StringVar(&g.Ruleset, "ruleset", "", "the game's rules: "+strings.Join(rulesetNames(), ", "))
	f.StringVar(&g.Title, "title", "", "what it is called in mails (default: its id)")
	f.StringVar(&g.Lang, "lang", "", "de or en (default: the configuration's)")
	f.StringVar(&g.Deadline, "deadline", "", "when rounds close, as five cron fields such as '0 20 * * SUN' (default: by hand)")
	f.StringVar(&g.TZ, "tz", "", "IANA time zone of the deadline (default: the configuration's)")
	f.StringVar(&g.Trust, "trust", "token", "what proves a sender: token, address or verified")
	f.StringVar(&g.Press, "press", "signed", "players' press: signed, anonymous (allowed too) or off")
	f.BoolVar(&g.Moderated, "moderate", false, "press waits until you release it")
	f.StringVar(&seedFile, "seed-file", "", "file with the game's secret, 64 hex digits (default: made at random)")
	setFlag(cmd, &set)
	return cmd
}

func rulesetNames() []string {
	var out []string
	for _, r := range rules.All() {
		out = append(out, r.About().Name)
	}
	return out
}

// readSecret reads a game's secret, or makes one for no file.
func readSecret(file string) (secret [32]byte, err error) {
	if file == "" {
		rand.Read(secret[:])
		return secret, nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return secret, fmt.Errorf("reading the seed file: %w", err)
	}
	s, err := dice.ParseSecret(strings.TrimSpace(string(b)))
	if err != nil {
		return secret, fmt.Errorf("reading the seed file %s: %w", file, err)
	}
	return s, nil
}

func (a *app) gameList() *cobra.Command {
	return &cobra.Command{Use: "list", Short: "List all games", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd, func(o *office) error {
				rows, err := o.desk.Games(cmd.Context())
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(rows)
				}
				for _, r := range rows {
					a.printf("%-20s %-9s %-8s round %-4d %2d seats  %s\n", r.ID, r.Ruleset, r.State, r.Round, r.Playing, deadlineText(r))
				}
				return nil
			})
		}}
}

func deadlineText(r referee.GameInfo) string {
	if r.Due == nil {
		return "no deadline"
	}
	return "until " + r.Due.Format(time.RFC3339)
}

func (a *app) gameShow() *cobra.Command {
	return &cobra.Command{Use: "show ID", Short: "Show a game and what its open round still lacks", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error {
				r, err := o.desk.GameInfo(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(r)
				}
				a.printf("%s: %s\nruleset   %s\nstate     %s\nround     %d\ndeadline  %s (%s, %s)\nlanguage  %s\ntrust     %s\nseats     %d\nmissing   %s\nsealed    %s\n",
					r.ID, r.Title, r.Ruleset, r.State, r.Round, deadlineText(r), orDash(r.Deadline), r.TZ, r.Lang, r.Trust, r.Playing,
					orDash(strings.Join(r.Missing, ", ")), r.Sealed)
				for _, b := range r.Reopened {
					a.printf("reopened  round %d, %s, %s: %s\n", b.Round, b.Opened.Format(time.RFC3339), dicedAs(b.Kept), b.Reason)
				}
				if len(r.Settings) == 0 {
					return nil
				}
				a.printf("settings\n")
				table := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
				for _, s := range r.Settings {
					fmt.Fprintf(table, "  %s\t%s\t%s\n", s.Key, orDash(s.Value), s.Doc)
				}
				return table.Flush()
			})
		}}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
