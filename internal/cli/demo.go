package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"ringpost/internal/config"
	"ringpost/internal/demo"
	"ringpost/internal/dice"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

const (
	demoGame    = "demo"
	demoAddress = "gm@ringpost.example"
)

func (a *app) demoCommand() *cobra.Command {
	var ruleset, seedFile, keep, lang string
	var players, rounds int
	cmd := &cobra.Command{Use: "demo", Short: "Play a season by real mails on this machine, without any account", Args: cobra.NoArgs,
		Long: `Opens a post office on loopback, seats bots that write as people do, and plays a
season through it: real sockets and the same code as with a real account, only the
clock is wound on. In each round somebody writes too late, somebody not at all, and
somebody mistypes and mends it when he reads the receipt. Then it checks every round.

The bots of Sugar-Ray are boxers; those of Ringside are managers of three boxers each,
who send plans, try them out, challenge one another and bet.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			plays, err := demo.Find(ruleset)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("boxers") {
				players = plays.Players
			}
			if !cmd.Flags().Changed("rounds") {
				rounds = plays.Rounds
			}
			if players < 2 || players > demo.MaxPlayers {
				return usage(cmd, "--boxers: want 2 to %d", demo.MaxPlayers)
			}
			if rounds < 1 || rounds > 1000 {
				return usage(cmd, "--rounds: want 1 to 1000")
			}
			if !slices.Contains(config.Languages(), lang) {
				return usage(cmd, "--lang: %q is none of %s", lang, strings.Join(config.Languages(), ", "))
			}
			secret, err := readSecret(seedFile)
			if err != nil {
				return err
			}
			return a.playDemo(cmd.Context(), plays, plays.Cast(players), rounds, secret, keep, lang)
		}}
	var defaults []string
	for _, s := range demo.Seasons() {
		defaults = append(defaults, fmt.Sprintf("%s: %d %s, %d rounds", s.Ruleset, s.Players, s.Seats, s.Rounds))
	}
	f := cmd.Flags()
	f.StringVar(&ruleset, "ruleset", demo.Seasons()[0].Ruleset, "what is played (by default "+strings.Join(defaults, "; ")+")")
	f.IntVar(&players, "boxers", 0, "how many players: boxers, or managers")
	f.IntVar(&rounds, "rounds", 0, "how many rounds")
	f.StringVar(&seedFile, "seed-file", "", "file with the game's secret, 64 hex digits (default: made at random)")
	f.StringVar(&keep, "keep", "", "folder for database and mails, must not exist (default: a temporary one)")
	f.StringVar(&lang, "lang", "en", "language of the report that is printed")
	return cmd
}

// season is a demo under way.
type season struct {
	*app
	*daemon
	plays   demo.Season
	dir     string
	conf    config.Config
	secret  dice.Secret
	players []*demo.Player
	post    *demoPost
	tally   map[string]int // results of mails
}

func (a *app) playDemo(ctx context.Context, plays demo.Season, players []*demo.Player, rounds int, secret dice.Secret, keep, lang string) (err error) {
	dir, err := demoFolder(keep)
	if err != nil {
		return err
	}
	s := &season{app: a, plays: plays, dir: dir, secret: secret, players: players, tally: map[string]int{}}
	wall := &windable{at: a.clock().Truncate(time.Minute)}
	if err := s.open(ctx, wall); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	a.printf("This is %s: %d %s, %d rounds, by mail.\nPost office: SMTP %s, IMAP %s.\n", plays.What, len(players), plays.Seats, rounds, s.post.SMTPAddr(), s.post.IMAPAddr())

	running, stop := context.WithCancel(ctx)
	var loops sync.WaitGroup
	loops.Go(func() { s.runner.Run(running) })
	defer func() { stop(); loops.Wait() }()

	if err := s.enter(ctx); err != nil {
		return err
	}
	bar := a.progress(rounds, "rounds")
	for round := 1; round <= rounds; round++ {
		if err := s.round(ctx, wall, round); err != nil {
			bar.Exit()
			return fmt.Errorf("round %d: %w", round, err)
		}
		bar.Add(1) // what it cannot show is not worth stopping for
	}
	return s.finish(ctx, rounds, lang)
}

func demoFolder(keep string) (string, error) {
	if keep == "" {
		dir, err := os.MkdirTemp("", "ringpost-demo-")
		if err != nil {
			return "", fmt.Errorf("making a folder: %w", err)
		}
		return dir, nil
	}
	if _, err := os.Stat(keep); err == nil {
		return "", fmt.Errorf("%s is there already: --keep wants a new folder", keep)
	}
	if err := os.MkdirAll(keep, 0o700); err != nil {
		return "", fmt.Errorf("making a folder: %w", err)
	}
	return keep, nil
}

// windable is a clock that is wound on by hand.
type windable struct {
	mu sync.Mutex
	at time.Time
}

func (w *windable) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

// tick lets a little time pass, so that no two mails arrive in the same second.
func (w *windable) tick() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(time.Second)
	return w.at
}

// wind moves the clock to a moment, never back.
func (w *windable) wind(to time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if to.After(w.at) {
		w.at = to
	}
}

// open makes data folder, post office and daemon, wired as `serve` wires them.
func (s *season) open(ctx context.Context, wall *windable) error {
	text, err := config.Sample(demoAddress, "boss@ringpost.example", "en", "Europe/Berlin")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.dir, config.FileName), []byte(text), 0o600); err != nil {
		return fmt.Errorf("writing the configuration: %w", err)
	}
	key := s.secret.Seed("demo/key", 0, 0)
	if err := os.WriteFile(filepath.Join(s.dir, keyName), key[:], 0o600); err != nil {
		return fmt.Errorf("writing the folder's key: %w", err)
	}
	if s.conf, err = config.Load(s.dir, s.Getenv); err != nil {
		return err
	}
	password := make([]byte, 12)
	rand.Read(password)
	if s.post, err = openDemoPost(hex.EncodeToString(password), wall); err != nil {
		return err
	}
	usePostOffice(&s.conf, s.post.Office, s.post.password)
	s.conf.PlusAddresses = true
	log := s.logger(slog.LevelWarn)
	db, err := store.Create(ctx, s.dir)
	if err != nil {
		return err
	}
	desk, err := newDesk(db, s.conf, key, log, wall.now)
	if err != nil {
		return err
	}
	source, err := sourceOf(s.dir, s.conf, desk, log)
	if err != nil {
		return err
	}
	transport, err := transportOf(s.dir, s.conf, log)
	if err != nil {
		return err
	}
	s.daemon = newDaemon(&office{s.conf, db, desk, log}, nil, source, transport, clock{wall.now, s.After})
	return nil
}

func (s *season) close() error {
	return errors.Join(s.post.Close(), s.store.Close())
}

// enter makes the league and seats its players.
func (s *season) enter(ctx context.Context) error {
	err := s.desk.NewGame(ctx, store.Game{ID: demoGame, Ruleset: s.plays.Ruleset, Title: s.plays.Title, Settings: s.plays.Settings, Lang: "en",
		Deadline: "0 20 * * SUN", TZ: "Europe/Berlin", Trust: "token", Secret: s.secret})
	if err != nil {
		return err
	}
	for _, p := range s.players {
		in := referee.Seating{Game: demoGame, Name: p.Name, Addresses: []string{p.Address}, Lang: p.Lang}
		if _, err := s.desk.AddSeat(ctx, in); err != nil {
			return err
		}
	}
	if _, err := s.desk.Start(ctx, demoGame); err != nil {
		return err
	}
	return s.send(ctx)
}

// send empties the outbox.
func (s *season) send(ctx context.Context) error {
	_, retried, failed, err := s.sender.Flush(ctx)
	if err == nil && retried+failed > 0 {
		err = fmt.Errorf("%d mails were put off and %d refused", retried, failed)
	}
	return err
}

// round plays one week: all write, one of them late, one not at all, one with a
// slip that he mends when the receipt shows it to him.
func (s *season) round(ctx context.Context, wall *windable, round int) error {
	n := len(s.players)
	late, missing, slip := (3*round)%n, (5*round+2)%n, (7*round+1)%n
	seed := s.secret.Seed("demo/bots", 0, round)
	answers := func(i int, purpose string, slip bool) error {
		p := s.players[i]
		in, err := s.post.newest(ctx, p.Address)
		if err == nil {
			raw := p.Answer(in.ReplyTo, in, demoGame, seed.Stream(purpose, p.Address), slip, wall.tick())
			err = s.post.send(ctx, p.Address, in.ReplyTo, raw)
		}
		if err != nil {
			return fmt.Errorf("%s answers his mail: %w", p.Name, err)
		}
		return nil
	}
	for i := range s.players {
		if i == missing && n > 2 || i == late && n > 3 { // he writes after the deadline, below
			continue
		}
		if err := answers(i, "orders", i == slip); err != nil {
			return err
		}
	}
	if err := s.answer(ctx); err != nil {
		return err
	}
	if slip != missing && slip != late || n <= 2 {
		if err := answers(slip, "correction", false); err != nil {
			return err
		}
	}
	due, err := s.desk.NextDeadline(ctx)
	if err != nil {
		return err
	}
	wall.wind(due.Add(time.Minute))
	if n > 3 && late != missing {
		if err := answers(late, "late", false); err != nil {
			return err
		}
	}
	if err := s.tick(ctx); err != nil {
		return err
	}
	if closed, err := s.desk.NextDeadline(ctx); err != nil || !closed.After(due) {
		return errors.Join(err, fmt.Errorf("the round was not closed"))
	}
	return s.send(ctx)
}

// answer has the mailbox read and the answers sent.
func (s *season) answer(ctx context.Context) error {
	if err := s.runner.PollNow(ctx); err != nil {
		return err
	}
	return s.send(ctx)
}

// finish checks the season, prints the last report and says where all is.
func (s *season) finish(ctx context.Context, rounds int, lang string) error {
	text, err := s.desk.ReportOf(ctx, demoGame, -1, -1, "", lang)
	if err != nil {
		return err
	}
	s.printf("\n%s\n", text)
	in, out, err := s.writeMails(ctx)
	if err != nil {
		return err
	}
	results := make([]string, 0, len(s.tally))
	for r, n := range s.tally {
		results = append(results, fmt.Sprintf("%d %s", n, r))
	}
	slices.Sort(results)
	s.printf("%d mails came in (%s), %d went out.\n", in, strings.Join(results, ", "), out)
	v, err := s.desk.Verify(ctx, demoGame)
	if err != nil {
		return err
	}
	if v.Difference != nil {
		return fmt.Errorf("verify: %s", v.Difference)
	}
	if v.Rounds != rounds || v.Sealed != 0 {
		return fmt.Errorf("verify: %d rounds recomputed, want %d", v.Rounds-v.Sealed, rounds)
	}
	s.printf("Verified: all %d rounds recomputed from the secret, every die as reported.\nDatabase: %s\nMails:    %s\n",
		v.Rounds, filepath.Join(s.dir, store.FileName), filepath.Join(s.dir, "mails"))
	return nil
}

// writeMails lays all mails down as files.
func (s *season) writeMails(ctx context.Context) (in, out int, err error) {
	letters, err := s.desk.Letters(ctx, 1<<30)
	if err != nil {
		return 0, 0, err
	}
	for _, l := range letters {
		s.tally[l.Result]++
		raw, err := s.desk.LetterBytes(ctx, l.ID)
		if err == nil {
			err = s.writeMail("in", l.ID, raw)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	sent, err := s.desk.Outbox(ctx, "")
	if err != nil {
		return 0, 0, err
	}
	for _, o := range sent {
		raw, err := s.desk.OutgoingBytes(ctx, o.ID)
		if err == nil {
			err = s.writeMail("out", o.ID, raw)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return len(letters), len(sent), nil
}

func (s *season) writeMail(folder string, id int64, raw []byte) error {
	dir := filepath.Join(s.dir, "mails", folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("writing the mails: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.eml", id)), raw, 0o600); err != nil {
		return fmt.Errorf("writing the mails: %w", err)
	}
	return nil
}
