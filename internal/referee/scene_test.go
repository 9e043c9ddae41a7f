package referee_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/referee"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// scene is the game in which a mail of testdata/mails arrives, round 1 of a
// Sugar-Ray league of Müller and Maier, on 1 December 2026, 12:00 UTC, in German,
// trust = "token". A .txt beside the mail says what is otherwise, a line each, and
// holds mails that came before (it is a txtar archive):
//
//	ringside bets=on                 it is a campaign of Ringside, with such settings:
//	                                 Müller has Iron Mike and Old Bill, Maier Jim Light
//	                                 and Kid Thunder
//	trust address                    the game's trust
//	press anonymous                  or moderated, off: the game's press
//	lang en                          its language
//	plus                             our mailbox takes plus-addresses
//	servers a.example b.example      the servers whose Authentication-Results count
//	signed players.example           our own check finds this domain's signature
//	address Müller hans@b.example    a further address of a player
//
//	now 2026-12-02T12:00:00Z         the clock is moved
//	close                            the round is closed
//	mail NAME [3]                    a mail of the archive comes in [three times]
//
//	received 2026-12-01T10:00:00Z    when the mail arrived; else now
//	size 20000000                    its size, when only its beginning was fetched
//	fault some words                 why it could not be fetched
//	pipe                             it came on standard input
//	retry                            it is handled once more by hand
//
//	file good: ZUG ..., TRAINING T   what must be on file for Müller afterwards, in one slot
//	files 2                          in so many slots there is something on file for him
//	answer some words                what the mails out must say
//	silent some words                what they must not say
//	answers 2                        how many go out, alerts and press aside
//	press-to Maier                   to whom press must go at once
//	alert some words                 of what the game master must be told
//	bounces                          the mail changes the delivery state
//
// In mails and lines stand for what our newest mail to a player, or an address,
// held: {tag Müller} its tag, {token Müller} and {plus Müller} the token alone and as
// a plus-address, {id Müller} its Message-ID, {return Müller} its return path,
// {text Müller} its text and {quote Müller} the text behind "> ". {code Müller} is the
// newest code sent to him, {first-tag Müller} the tag of our first mail. {n} counts
// the copies of a mail.
type scene struct {
	*bench
	game     store.Game
	archive  map[string][]byte
	incoming referee.Incoming
	retry    bool
	answers  int // -1: as the result says
	bounces  bool
	wants    []want
}

type want struct{ what, text string }

func newScene(t *testing.T, script string) *scene {
	t.Helper()
	ar := txtar.Parse([]byte(script))
	s := &scene{bench: newBench(t), archive: map[string][]byte{}, answers: -1,
		game: store.Game{ID: "liga", Ruleset: "sugarray", Title: "Liga", Lang: "de", Deadline: "0 20 * * SUN", TZ: "Europe/Berlin", Trust: "token", Secret: [32]byte{9}}}
	for _, f := range ar.Files {
		s.archive[f.Name] = f.Data
	}
	var later []string
	for line := range strings.Lines(string(ar.Comment)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if !s.before(word, rest) {
			later = append(later, line)
		}
	}
	s.begin()
	for _, line := range later {
		word, rest, _ := strings.Cut(line, " ")
		s.step(word, rest)
	}
	return s
}

// before reads what must be known before the game starts.
func (s *scene) before(word, rest string) bool {
	switch word {
	case "ringside":
		s.game.Ruleset, s.game.Title, s.game.Settings = "ringside", "Ring frei", game.Settings{"roster": roster, "classes": "heavy"}
		for _, set := range strings.Fields(rest) {
			key, value, _ := strings.Cut(set, "=")
			s.game.Settings[key] = value
		}
	case "trust":
		s.game.Trust = rest
	case "press":
		if s.game.Moderated = rest == "moderated"; !s.game.Moderated {
			s.game.Press = rest
		}
	case "lang":
		s.game.Lang = rest
	case "plus":
		s.set.PlusAddresses = true
	case "servers":
		s.set.AuthservIDs = strings.Fields(rest)
	case "signed":
		s.set.Signers = signer(rest)
	default:
		return false
	}
	return true
}

func (s *scene) begin() {
	s.open(rules.Find)
	s.must(s.NewGame(s.Context(), s.game))
	s.seat("liga", "Müller")
	s.seat("liga", "Maier")
	_, err := s.Start(s.Context(), "liga")
	s.must(err)
}

func (s *scene) step(word, rest string) {
	s.Helper()
	switch word {
	case "address":
		name, addr, _ := strings.Cut(rest, " ")
		s.furtherAddress(name, addr)
	case "now":
		s.now = at(rest)
	case "close":
		_, err := s.Close(s.Context(), "liga", 0)
		s.must(err)
	case "mail":
		name, times, _ := strings.Cut(rest, " ")
		raw, ok := s.archive[name]
		if !ok {
			s.Fatalf("no mail %q in the archive", name)
		}
		n, err := strconv.Atoi(times)
		if err != nil {
			n = 1
		}
		for i := range n {
			s.deliver([]byte(strings.ReplaceAll(string(raw), "{n}", strconv.Itoa(i+1))), referee.Incoming{})
		}
	case "received":
		s.incoming.Received = at(rest)
	case "size":
		n, err := strconv.ParseInt(rest, 10, 64)
		s.must(err)
		s.incoming.Size = n
	case "fault":
		s.incoming.Fault = rest
	case "pipe":
		s.incoming.Place.Mailbox = "stdin"
	case "retry":
		s.retry = true
	case "answers":
		n, err := strconv.Atoi(rest)
		s.must(err)
		s.answers = n
	case "bounces":
		s.bounces = true
	case "file", "files", "answer", "silent", "press-to", "alert":
		s.wants = append(s.wants, want{word, rest})
	default:
		s.Fatalf("a scene knows no %q", word)
	}
}

// deliver takes a mail in as a mailbox gives it, its line ends CRLF.
func (s *scene) deliver(raw []byte, in referee.Incoming) referee.Result {
	s.Helper()
	raw = []byte(s.filled(string(raw)))
	raw = []byte(strings.ReplaceAll(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n", "\r\n"))
	s.mails++
	if in.Place.Mailbox == "" {
		in.Place = store.Place{Mailbox: "INBOX", UIDValidity: 1, UID: uint32(s.mails)}
	} else {
		in.Place.Name = letter.ContentKey(raw)
	}
	if in.Received.IsZero() {
		in.Received = s.now
	}
	if in.Size == 0 {
		in.Size = int64(len(raw))
	}
	if in.Raw = raw; in.Fault != "" {
		in.Raw = nil
	}
	results, err := s.Receive(s.Context(), []referee.Incoming{in})
	s.must(err)
	if s.retry {
		again, err := s.Retry(s.Context(), results[0].Letter)
		s.must(err)
		return again
	}
	return results[0]
}

var blank = regexp.MustCompile(`\{(tag|first-tag|token|plus|code|id|return|text|quote) ([^{}]+)\}`)

// filled puts what our mails held into a mail.
func (s *scene) filled(text string) string {
	s.Helper()
	return blank.ReplaceAllStringFunc(text, func(found string) string {
		m := blank.FindStringSubmatch(found)
		to := m[2]
		if !strings.Contains(to, "@") {
			to = address(to)
		}
		all := s.posted(to)
		if len(all) == 0 {
			s.Fatalf("%s: no mail to him", found)
		}
		p := all[len(all)-1]
		if m[1] == "first-tag" {
			p = all[0]
		}
		id, round, token, tagged := report.ParseTag(p.Subject)
		switch m[1] {
		case "code":
			for _, p := range slices.Backward(all) {
				if c := codeLine.FindStringSubmatch(s.text(p)); c != nil {
					return c[1]
				}
			}
			s.Fatalf("%s: no code was sent", found)
		case "id":
			return p.header.Get("Message-Id")
		case "return":
			return s.ReturnPath(p.ID)
		case "text":
			return s.text(p)
		case "quote":
			return "> " + strings.ReplaceAll(strings.TrimSpace(s.text(p)), "\n", "\n> ")
		}
		if !tagged {
			s.Fatalf("%s: no tag in %q", found, p.Subject)
		}
		switch m[1] {
		case "tag", "first-tag":
			return report.Tag(id, round, token)
		case "plus":
			return fmt.Sprintf("gm+%s.%d.%s@liga.example", id, round, token)
		}
		return token
	})
}

// registered reports whether a normalised address is a player's.
func (s *scene) registered(norm string) (yes bool) {
	s.Helper()
	s.must(s.store.Read(s.Context(), func(tx *store.Tx) error {
		_, err := tx.PlayerAt(norm)
		yes = err == nil
		return nil
	}))
	return yes
}

func (s *scene) furtherAddress(name, addr string) {
	s.Helper()
	s.must(s.store.Write(s.Context(), func(tx *store.Tx) error {
		p, err := tx.PlayerAt(letter.Normalize(address(name)))
		if err != nil {
			return err
		}
		return tx.AddAddress(p.ID, addr, letter.Normalize(addr))
	}))
}

// checkWants holds what the scene's own lines say.
func (s *scene) checkWants(out []*post) {
	s.Helper()
	var said, told strings.Builder
	press := map[string]bool{}
	for _, p := range out {
		text := p.Subject + "\n" + s.text(p) + "\n"
		switch p.Kind {
		case "alert":
			told.WriteString(text)
		case "press":
			press[p.To] = true
			fallthrough
		default:
			said.WriteString(text)
		}
	}
	// Lines of mails are wrapped; what is wanted is not.
	joined := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for _, w := range s.wants {
		text := joined(s.filled(w.text))
		switch w.what {
		case "file":
			if got := s.filed("liga", "Müller"); !slices.Contains(got, w.text) {
				s.Errorf("on file: %s\nwant     %s", strings.Join(got, "\n         "), w.text)
			}
		case "files":
			got := slices.DeleteFunc(s.filed("liga", "Müller"), func(f string) bool { return f == "missing" })
			if fmt.Sprint(len(got)) != w.text {
				s.Errorf("on file in %d slots, want %s: %q", len(got), w.text, got)
			}
		case "answer":
			if !strings.Contains(joined(said.String()), text) {
				s.Errorf("%q is not said in\n%s", text, said.String())
			}
		case "silent":
			if strings.Contains(joined(said.String()), text) {
				s.Errorf("%q is said in\n%s", text, said.String())
			}
		case "press-to":
			if !press[address(w.text)] || len(press) != 1 {
				s.Errorf("press goes to %v, not to %s", press, w.text)
			}
		case "alert":
			if !strings.Contains(joined(told.String()), text) {
				s.Errorf("the game master is not told %q:\n%s", text, told.String())
			}
		}
	}
	if told.Len() > 0 && !s.wanted("alert") {
		s.Errorf("the game master is told:\n%s", told.String())
	}
}

func (s *scene) wanted(what string) bool {
	for _, w := range s.wants {
		if w.what == what {
			return true
		}
	}
	return false
}

// signer finds one domain's signature under every mail.
func signer(domain string) func(context.Context, []byte) []string {
	return func(context.Context, []byte) []string { return []string{domain} }
}
