package referee_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/letter"
	"ringpost/internal/referee"
)

var update = flag.Bool("update", false, "write the goldens of testdata/mails anew")

const mailsDir = "../../testdata/mails"

// mailRows are the promises about incoming mails. Each is a folder of
// testdata/mails with the mails that show it.
var mailRows = map[string]string{
	"text":        "a block as plain text is taken, in any charset, with or without MIME, flowed or not; the receipt echoes it and foretells",
	"html":        "a block in HTML only, or beside a blank text part, as Outlook, Word, Gmail and others write it",
	"parts":       "all inline text parts in order; never an attached file, never a forwarded mail",
	"clean":       "odd blanks, marks that show nothing, decomposed letters, full-width digits, typographic quotes, tabs",
	"fractions":   "a fraction glyph alone is a pair, and the receipt says so; inside a number the pair is invalid",
	"wrapped":     "a wrapped line is joined when only one reading is possible, else invalid",
	"keywords":    "keywords in another language, in lower case, with a colon, with ue and ss",
	"quoted":      "orders only inside a quote are shown and held",
	"around":      "the block is found among greetings, signatures, footers, banners, disclaimers, rows of marks",
	"errors":      "an error in a needed line never replaces good orders, and counts provisionally where there are none",
	"second":      "a second good block replaces the first, and the receipt shows the difference",
	"commands":    "help, rules, table, orders, reports by return",
	"press":       "press is printed, or sent at once, signed or anonymous as the game allows",
	"late":        "after the deadline: answered with the deadline it missed, kept only if it names the next round",
	"subject":     "orders in the subject only are answered: where orders belong",
	"sealed":      "winmail.dat or encrypted only: please send plain text",
	"signed":      "signed and readable is taken",
	"pipe":        "from a mail server's pipe",
	"large":       "too large, too many parts, too deep: unread, one short answer to a known player",
	"unreadable":  "unreadable is quarantined, the game master told",
	"join":        "a sign-up is confirmed at its address",
	"strangers":   "anything else of a stranger: one short answer a day, under a cap",
	"automatic":   "no answer to machines; bounces with our own token change the delivery state, others nothing",
	"bulk":        "no answer to strangers from lists or in bulk; a player's orders are taken",
	"suppress":    "X-Auto-Response-Suppress speaks of answers only",
	"again":       "the same mail again is one order and one receipt; the same Message-ID with other content is another mail",
	"from":        "the address in From counts, whatever the name beside it",
	"pass":        "verdict: an aligned pass",
	"none":        "verdict: none",
	"fail":        "verdict: fail",
	"trust":       "the trust settings address and verified",
	"addresses":   "several addresses a player, case, the dots of Gmail; never Reply-To, Sender or the name",
	"tokens":      "a token in the subject or in a plus-address, of a round, for 30 days, from its player's address only",
	"results":     "Authentication-Results: trusted servers, the topmost, no comments or quoted strings, aligned",
	"confirm":     "a code confirms unquoted in the body, for 72 hours, five wrong ones void it, whatever the verdict",
	"home":        "receipts go to the registered address",
	"loops":       "what we quote or leave blank orders nothing when it comes back",
	"caps":        "caps on answers, and the game master told",
	"campaign":    "orders for several fighters and a manager's lines in one mail: each a slot of its own, each mistake told by its line",
	"sparring":    "a fighter spars by mail, three times a round, and nobody by another's",
	"own-setting": "a player's own settings want the same proof as orders",
}

// bothProofs are the rows of the table of verdicts: each wants a mail with a token
// and one without.
var bothProofs = []string{"pass", "none", "fail"}

// TestMails takes in the mails of testdata/mails. Beside name.eml lies name.json,
// what `ringpost mail in --json` prints for it, and name.txt where the mail needs
// more than a running game: see scene.
func TestMails(t *testing.T) {
	used := map[string]int{}
	kinds := map[string]string{".eml": "", ".json": "", ".txt": ""}
	err := filepath.WalkDir(mailsDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		name, ext := strings.TrimSuffix(path, filepath.Ext(path)), filepath.Ext(path)
		if _, ok := kinds[ext]; !ok {
			t.Errorf("%s is no mail, result or scene", path)
		}
		if ext != ".eml" {
			if _, err := os.Stat(name + ".eml"); err != nil {
				t.Errorf("%s belongs to no mail", path)
			}
			return nil
		}
		row := filepath.Base(filepath.Dir(path))
		if used[row]++; used[row] > 1 && raceFactor > 1 {
			return nil
		}
		t.Run(row+"/"+filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			playScene(t, name)
		})
		return nil
	})
	if err != nil || len(used) == 0 {
		t.Fatalf("no mails in %s: %v", mailsDir, err)
	}
	for row := range mailRows {
		if used[row] == 0 {
			t.Errorf("no mail shows that %s: %s", row, mailRows[row])
		}
	}
	for row := range used {
		if mailRows[row] == "" {
			t.Errorf("folder %s is no row of the list", row)
		}
	}
	for _, row := range bothProofs {
		for _, proof := range []string{"token", "address-only"} {
			if _, err := os.Stat(filepath.Join(mailsDir, row, proof+".eml")); err != nil {
				t.Error(err)
			}
		}
	}
}

// playScene takes one mail in and compares what came of it.
func playScene(t *testing.T, name string) {
	raw, err := os.ReadFile(name + ".eml")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(name + ".txt")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	s := newScene(t, string(script))
	before, sent := s.dump(), len(s.outgoing())
	r := s.deliver(raw, s.incoming)
	compareResult(t, name+".json", r)

	out := s.outgoing()[sent:]
	s.checkAnswers(r, raw, out)
	s.checkUnchanged(r, before)
	s.checkWants(out)
}

func compareResult(t *testing.T, file string, got referee.Result) {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// checkUnchanged holds that what is not taken changes nothing in any game.
func (s *scene) checkUnchanged(r referee.Result, before []string) {
	s.Helper()
	diff := cmp.Diff(before, s.dump())
	switch changed := r.Result == referee.Taken || s.bounces; {
	case !changed && diff != "":
		s.Errorf("%s, and yet this has changed:\n%s", r.Result, diff)
	case s.bounces && diff == "":
		s.Error("the bounce changes nothing")
	}
}

// checkAnswers holds what is true of every answer: how many there are, to whom
// they go, how they are marked.
func (s *scene) checkAnswers(r referee.Result, raw []byte, out []*post) {
	s.Helper()
	out = slices.DeleteFunc(slices.Clone(out), func(p *post) bool { return p.Kind == "alert" || p.Kind == "press" })
	want := 0
	if r.Answer != nil {
		want = 1
	}
	if s.answers >= 0 {
		want = s.answers
	} else if silent := r.Result == referee.Dropped || r.Result == referee.Duplicate || r.Result == referee.Quarantined; silent == (r.Answer != nil) {
		s.Errorf("%s, answer %v", r.Result, r.Answer)
	}
	if len(out) != want {
		s.Fatalf("%d mails go out, want %d", len(out), want)
	}
	read := letter.Read(raw, letter.Options{})
	for _, p := range out {
		s.checkOutgoing(p)
		if r.Answer == nil || p.MessageID != *r.Answer {
			continue
		}
		if id := "<" + read.MessageID + ">"; read.MessageID != "" && (p.header.Get("In-Reply-To") != id || !strings.Contains(p.header.Get("References"), id)) {
			s.Errorf("the answer to %s says In-Reply-To: %s, References: %s", id, p.header.Get("In-Reply-To"), p.header.Get("References"))
		}
		if to := letter.Normalize(p.To); !s.registered(to) && (to != letter.Normalize(read.From) || s.registered(letter.Normalize(read.From))) {
			s.Errorf("the answer goes to %s", p.To)
		}
	}
}

// checkOutgoing holds what is true of every mail that goes out.
func (b *bench) checkOutgoing(p *post) {
	b.Helper()
	for _, name := range []string{"From", "To", "Date", "Subject", "Message-Id", "Auto-Submitted", "X-Ringpost", "Reply-To", "Content-Type"} {
		if len(p.header[name]) != 1 || p.header.Get(name) == "" {
			b.Errorf("mail %d: %s: %q", p.ID, name, p.header[name])
		}
	}
	if auto := p.header.Get("Auto-Submitted"); auto != "auto-replied" && auto != "auto-generated" {
		b.Errorf("mail %d: Auto-Submitted: %s", p.ID, auto)
	}
	for line := range strings.SplitSeq(p.raw, "\n") {
		// A name or an address cannot be broken; it stands on a line of its own.
		if words := strings.Fields(line); len(strings.TrimSuffix(line, "\r")) > 76 && (len(words) > 2 || !strings.HasSuffix(words[0], ":")) {
			b.Errorf("mail %d: a line of %d octets: %s", p.ID, len(line), line)
		}
	}
	if path := b.ReturnPath(p.ID); b.set.PlusAddresses != strings.HasPrefix(path, fmt.Sprintf("gm+b.%d.", p.ID)) {
		b.Errorf("mail %d: its return path is %s", p.ID, path)
	}
	// Whoever sends it back to us starts nothing.
	if l := letter.Read([]byte(p.raw), letter.Options{Own: []string{gm}}); l.Automatic != letter.AutoOwn {
		b.Errorf("mail %d is not known again as ours: %q", p.ID, l.Automatic)
	}
}

// outgoing lists all mails that were queued, replaced ones included.
func (b *bench) outgoing() []*post {
	b.Helper()
	rows, err := b.Outbox(b.Context(), "")
	b.must(err)
	out := make([]*post, len(rows))
	for i, r := range rows {
		out[i] = b.parsed(r)
	}
	return out
}
