package referee_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/proof"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// leagues are whole games, mails in and mails out; testdata/leagues/README.md says
// how their files are written.
const leagues = "../../testdata/leagues"

func TestLeagues(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join(leagues, "*", "script.txt"))
	if err != nil || len(scripts) < 3 {
		t.Fatalf("%d leagues in %s: %v", len(scripts), leagues, err)
	}
	all := make([]proof.Document, len(scripts))
	t.Run("play", func(t *testing.T) {
		for i, script := range scripts {
			dir := filepath.Dir(script)
			t.Run(filepath.Base(dir), func(t *testing.T) {
				t.Parallel()
				l := newLeague(t, dir)
				l.play(script)
				l.verify()
				l.compare()
				all[i] = l.export()
			})
		}
	})
	if !t.Failed() {
		checkCoverage(t, all)
	}
}

// league is a game that is played from files.
type league struct {
	*bench
	dir   string
	game  store.Game
	begun bool
	shown []string          // seats whose reports are kept whole; none means all
	brief bool              // of all other seats no mail is kept whole
	used  map[string]bool   // files of mails that were taken in
	out   map[string][]byte // goldens by name
	seen  map[int64]bool    // outbox entries that are in out already
	got   map[string]*gotten
	names map[string]string // of seats
	diary bytes.Buffer      // what became of each mail
}

// gotten is what a player holds of our mails to him.
type gotten struct{ subject, tag, id, text, code string }

func newLeague(t *testing.T, dir string) *league {
	return &league{bench: newBench(t), dir: dir, used: map[string]bool{}, out: map[string][]byte{}, seen: map[int64]bool{}, got: map[string]*gotten{}, names: map[string]string{},
		game: store.Game{Ruleset: "sugarray", Lang: "de", TZ: "Europe/Berlin", Trust: "token", Secret: sha256.Sum256([]byte(filepath.Base(dir))), Settings: game.Settings{}}}
}

// play runs a script.
func (l *league) play(script string) {
	l.Helper()
	text, err := os.ReadFile(script)
	l.must(err)
	for n, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" {
			continue
		}
		if err := l.step(word, strings.TrimSpace(rest)); err != nil {
			l.Fatalf("%s:%d: %v\n%s", script, n+1, err, l.log)
		}
		l.collect()
	}
	files, err := filepath.Glob(filepath.Join(l.dir, "in", "*"))
	l.must(err)
	for _, f := range files {
		if !l.used[f] {
			l.Errorf("%s was never used", f)
		}
	}
}

// step carries out a line of a script.
func (l *league) step(word, rest string) error {
	ctx := l.Context()
	if !l.begun {
		if ok := l.setting(word, rest); ok {
			return nil
		}
		if l.game.Title == "" {
			return errors.New("the game has no title")
		}
		l.begun = true
		if err := l.NewGame(ctx, l.game); err != nil {
			return err
		}
	}
	id := l.game.ID
	switch word {
	case "seat":
		return l.enterSeat(rest)
	case "start":
		_, err := l.Start(ctx, id)
		return err
	case "show":
		l.shown = append(l.shown, rest)
	case "brief":
		l.brief = true
	case "clock":
		l.advance(at(rest))
	case "mails":
		return l.mailsOf(rest)
	case "close": // at its deadline, a few seconds later
		due, err := l.NextDeadline(ctx)
		if err != nil || due.IsZero() {
			return fmt.Errorf("no deadline: %v", err)
		}
		l.advance(due.Add(7 * time.Second))
		closed, err := l.CloseDue(ctx)
		if err != nil || len(closed) != 1 {
			return fmt.Errorf("closed %v: %w", closed, err)
		}
		fmt.Fprintf(&l.diary, "%s round %d closed, %d NMR\n\n", stamp(l.now), closed[0].Round, closed[0].NMR)
	case "close-now":
		closed, err := l.Close(ctx, id, 0)
		fmt.Fprintf(&l.diary, "%s round %d closed by hand, %d NMR\n\n", stamp(l.now), closed.Round, closed.NMR)
		return err
	case "remove":
		return l.RemoveSeat(ctx, id, rest)
	case "enter": // orders that came by telephone: NAME : ZUG ... ; TRAINING ...
		name, orders, _ := strings.Cut(rest, " : ")
		_, err := l.EnterOrders(ctx, id, name, strings.ReplaceAll(orders, " ; ", "\n"))
		return err
	case "pause":
		return l.Pause(ctx, id)
	case "resume":
		return l.Resume(ctx, id)
	case "end":
		return l.End(ctx, id)
	default:
		return fmt.Errorf("a script knows no %q", word)
	}
	return nil
}

// setting reads what a game is made with.
func (l *league) setting(word, rest string) bool {
	switch word {
	case "now":
		l.now = at(rest)
	case "game":
		l.game.ID = rest
	case "title":
		l.game.Title = rest
	case "lang":
		l.game.Lang = rest
	case "tz":
		l.game.TZ = rest
	case "deadline":
		l.game.Deadline = rest
	case "trust":
		l.game.Trust = rest
	case "press":
		l.game.Press = rest
	case "set":
		key, value, _ := strings.Cut(rest, "=")
		l.game.Settings[key] = value
	default:
		return false
	}
	return true
}

// enterSeat reads: ADDRESS[,ADDRESS] NAME [lang=..] [tz=..] [trait=..]
func (l *league) enterSeat(rest string) error {
	words := strings.Fields(rest)
	in := referee.Seating{Game: l.game.ID, Addresses: strings.Split(words[0], ","), Traits: game.Settings{}}
	var name []string
	for _, w := range words[1:] {
		switch key, value, ok := strings.Cut(w, "="); {
		case !ok:
			name = append(name, w)
		case key == "lang":
			in.Lang = value
		case key == "tz":
			in.TZ = value
		default:
			in.Traits[key] = value
		}
	}
	in.Name = strings.Join(name, " ")
	_, err := l.AddSeat(l.Context(), in)
	return err
}

// advance lets time pass as the daemon does: once a day, at the hour of the
// deadline, it looks what there is to do.
func (l *league) advance(to time.Time) {
	l.Helper()
	if to.Before(l.now) {
		l.Fatalf("the clock would go back to %s from %s", stamp(to), stamp(l.now))
	}
	due, err := l.NextDeadline(l.Context())
	l.must(err)
	if !due.IsZero() {
		day := due.Add(-due.Sub(l.now).Truncate(24 * time.Hour))
		for ; !day.After(to); day = day.Add(24 * time.Hour) {
			l.now = day
			l.must(l.Chores(l.Context()))
			l.post()
		}
	}
	l.now = to
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// posting is a mail in one of the files of mails.
type posting struct {
	from           string
	received, seen time.Time
	text           string
}

var fromLine = regexp.MustCompile(`(?m)^From (\S+@\S+) (\S+)(?: seen (\S+))?$`)

// mailsOf takes in the mails of a file; those seen at one moment come in together.
func (l *league) mailsOf(name string) error {
	file := filepath.Join(l.dir, "in", name+".mbox")
	l.used[file] = true
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var all []posting
	heads := fromLine.FindAllStringSubmatchIndex(string(text), -1)
	if len(heads) == 0 || heads[0][0] != 0 {
		return fmt.Errorf("%s does not begin with a mail", file)
	}
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		p := posting{from: string(text[h[2]:h[3]]), received: at(string(text[h[4]:h[5]])), text: strings.TrimSpace(string(text[h[1]:end])) + "\n"}
		p.seen = p.received.Add(20 * time.Second)
		if h[6] >= 0 {
			p.seen = at(string(text[h[6]:h[7]]))
		}
		all = append(all, p)
	}
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].seen.Equal(all[0].seen) {
			n++
		}
		if err := l.take(all[:n]); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		all = all[n:]
	}
	return nil
}

// take receives mails that are seen at one moment.
func (l *league) take(all []posting) error {
	l.advance(all[0].seen)
	var in []referee.Incoming
	for _, p := range all {
		l.mails++
		raw := []byte(strings.ReplaceAll(l.fill(p), "\n", "\r\n"))
		in = append(in, referee.Incoming{Place: store.Place{Mailbox: "INBOX", UIDValidity: 1, UID: uint32(l.mails)}, Received: p.received, Size: int64(len(raw)), Raw: raw})
	}
	results, err := l.Receive(l.Context(), in)
	if err != nil {
		return err
	}
	for i, r := range results {
		fmt.Fprintf(&l.diary, "%s %-30s %s (%s)\n", stamp(all[i].received), all[i].from, r.Result, r.Reason)
		for _, b := range r.Blocks {
			fmt.Fprintf(&l.diary, "    %s, round %d: %s: %s\n", b.Seat, b.Round, b.Outcome, strings.Join(b.Orders, "; "))
			for _, issue := range b.Issues {
				fmt.Fprintf(&l.diary, "        line %d: %s\n", issue.Line, issue.Text)
			}
		}
		for _, issue := range r.Issues {
			fmt.Fprintf(&l.diary, "        line %d: %s\n", issue.Line, issue.Text)
		}
	}
	l.collect()
	return nil
}

// fill puts what a player got from us into his mail: {subject} of our last mail to
// him, {tag} in it, {id} its Message-ID, {quote} its text behind "> ", {html} it as
// HTML, and {code} the code of the last mail that asked for one.
func (l *league) fill(p posting) string {
	l.Helper()
	if !strings.Contains(p.text, "{") {
		return p.text
	}
	got, ok := l.got[p.from]
	if !ok {
		l.Fatalf("%s answers and never got a mail", p.from)
	}
	filled := strings.NewReplacer("{subject}", got.subject, "{tag}", got.tag, "{id}", got.id, "{code}", got.code,
		"{quote}", "> "+strings.ReplaceAll(got.text, "\n", "\n> "),
		"{html}", strings.ReplaceAll(html.EscapeString(got.text), "\n", "<br>\n")).Replace(p.text)
	if m := regexp.MustCompile(`\{[a-z]+\}`).FindString(filled); m != "" {
		l.Fatalf("a mail of %s holds %s, which means nothing", p.from, m)
	}
	return filled
}
