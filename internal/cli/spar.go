package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"ringpost/internal/config"
	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/referee"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/templates"
)

// maxRuns is how often a test fight can be fought.
const maxRuns = 100_000_000

func (a *app) sparCommand() *cobra.Command {
	var ruleset, lang, seedFile string
	var runs int
	var set []string
	cmd := &cobra.Command{Use: "spar --ruleset NAME FILE", Short: "Fight a bout between the two order blocks of a file", Args: cobra.ExactArgs(1),
		Long: `Fights a bout that stands in no game, between two boxers with the orders of a file
(- reads standard input): two blocks as players mail them, in German, English or
Spanish. Nothing is stored, and no data folder is needed.

Sugar-Ray: NAME and MOVE; without TECHNIQUE and CONDITION he is a beginner.

  NAME Maier
  TECHNIQUE 12
  CONDITION 21
  MOVE 6/0 3/3 3/4 4/2 3/3

Ringside: NAME and a plan; without a line of it the default plan decides. RATINGS are
agility, the punches UC RJ RH CO LJ LH, counterpunch and endurance, and not needed of
historical fighters and of those in the file of the setting roster.

  NAME Muhammad Ali
  D IF ROPES : CLINCH
  A IF OEND<=0 : RUSH

  NAME Iron Mike
  RATINGS 55 3 2 4 3 2 4 20 18
  PUNCH UC4 RJ0 RH4 CO4 LJ0 LH4
  ROUND 9-12 D : COVER

With --runs it is fought so many times, each time by other dice, to show how often
each of the two wins and by what. The same --seed-file gives the same bouts.` + settingsHelp(func(about game.About) []game.Setting { return about.Spar }),
		RunE: func(cmd *cobra.Command, args []string) error {
			if ruleset == "" {
				return usage(cmd, "--ruleset is missing: one of %s", strings.Join(rulesetNames(), ", "))
			}
			if !slices.Contains(config.Languages(), lang) {
				return usage(cmd, "--lang: %q is none of %s", lang, strings.Join(config.Languages(), ", "))
			}
			many := cmd.Flags().Changed("runs")
			if many && (runs < 1 || runs > maxRuns) {
				return usage(cmd, "--runs: want 1 to %d", maxRuns)
			}
			r, err := rules.Find(ruleset)
			if err != nil {
				return err
			}
			settings, err := readSettings(cmd, set, r.About().Spar, r.CheckSpar)
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
			s := sparring{app: a, rules: r, settings: settings, file: args[0], lang: lang, secret: secret}
			if s.words, err = report.Load(templates.Files); err != nil {
				return err
			}
			return s.fight(cmd.Context(), orders.Parse(orders.Lines(string(raw))), runs)
		}}
	f := cmd.Flags()
	f.StringVar(&ruleset, "ruleset", "", "the rules to fight by: "+strings.Join(rulesetNames(), ", "))
	f.StringVar(&lang, "lang", "de", "language of the result: de or en")
	f.IntVar(&runs, "runs", 0, "fight it so many times, and show how often each outcome came")
	f.StringVar(&seedFile, "seed-file", "", "file with a secret for the dice, 64 hex digits (default: made at random)")
	setFlag(cmd, &set)
	return cmd
}

// sparring is a test fight under way.
type sparring struct {
	*app
	rules    rules.Ruleset
	settings game.Settings
	file     string
	lang     string
	secret   dice.Secret
	words    *report.Words
}

// fight fights the bout of a file's two blocks, once for no runs, and prints the result.
func (s sparring) fight(ctx context.Context, text orders.Text, runs int) error {
	var view game.View
	var err error
	if runs == 0 {
		view, err = s.once(text)
	} else {
		view, err = s.often(ctx, text, runs)
	}
	if err != nil {
		return err
	}
	out, err := s.words.View(s.lang, s.rules.About().Name, view)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(view.Data())
	}
	s.printf("%s", out)
	return nil
}

func (s sparring) once(text orders.Text) (game.View, error) {
	view, issues := s.rules.Spar(s.settings, text.Blocks, s.secret.Seed("spar", 0, 0))
	return view, s.say(append(unread(text), issues...))
}

func (s sparring) often(ctx context.Context, text orders.Text, runs int) (game.View, error) {
	probe, issues := s.rules.Probe(s.settings, text.Blocks)
	if err := s.say(append(unread(text), issues...)); err != nil {
		return game.View{}, err
	}
	if probe == nil {
		return game.View{}, fmt.Errorf("%s throws no dice in a bout, so that it always ends the same way: leave --runs out", s.rules.About().Name)
	}
	counts, err := s.count(ctx, probe, runs)
	if err != nil {
		return game.View{}, err
	}
	return probe.Tally(counts), nil
}

// unread are the lines that look like orders and could not be read. In a file that
// holds nothing else they are errors.
func unread(text orders.Text) []game.Issue {
	issues := slices.Clone(text.Issues)
	for _, b := range text.Blocks {
		issues = append(issues, b.Issues...)
	}
	for i := range issues {
		issues[i].Error = true
	}
	return issues
}

// say tells remarks on the blocks beside the result; with an error among them there is
// none, and all are the error.
func (s sparring) say(issues []game.Issue) error {
	slices.SortStableFunc(issues, func(a, b game.Issue) int { return a.Line - b.Line })
	var said []string
	for _, i := range issues {
		t, err := s.words.Render(s.lang, s.rules.About().Name, "issue."+i.Code, i)
		if err != nil {
			return err
		}
		told := referee.IssueResult{Line: i.Line, Text: strings.Join(strings.Fields(t), " ")}
		said = append(said, fmt.Sprintf("%s: %s", s.file, told))
	}
	if slices.ContainsFunc(issues, func(i game.Issue) bool { return i.Error }) {
		return errors.New(strings.Join(said, "\n"))
	}
	for _, line := range said {
		fmt.Fprintln(s.Err, line)
	}
	return nil
}

// count fights a bout many times, on all processors, and counts the outcomes. Each run
// has a seed of its own, so that it does not matter who fights it.
func (s sparring) count(ctx context.Context, probe game.Probe, runs int) ([]int, error) {
	const batch = 64 // fought between two looks at anything else
	bar := s.progress(runs, "bouts")
	var next, fought atomic.Int64
	var mu sync.Mutex
	var total []int
	var hands sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		hands.Go(func() {
			var counts []int
			for ctx.Err() == nil {
				first := int(next.Add(batch)) - batch
				if first >= runs {
					break
				}
				last := min(first+batch, runs)
				for run := first; run < last; run++ {
					outcome := probe.Fight(s.secret.Seed("spar", 0, run))
					for outcome >= len(counts) {
						counts = append(counts, 0)
					}
					counts[outcome]++
				}
				fought.Add(int64(last - first))
				bar.Add(last - first) // what it cannot show is not worth stopping for
			}
			mu.Lock()
			defer mu.Unlock()
			for outcome, n := range counts {
				for outcome >= len(total) {
					total = append(total, 0)
				}
				total[outcome] += n
			}
		})
	}
	hands.Wait()
	if ctx.Err() != nil {
		bar.Exit()
		return nil, fmt.Errorf("stopped after %d of %d bouts", fought.Load(), runs)
	}
	return total, nil
}
