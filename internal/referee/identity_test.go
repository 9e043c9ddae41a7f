package referee_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"ringpost/internal/referee"
	"ringpost/internal/store"
)

const (
	pass = "Authentication-Results: mx.liga.example; dmarc=pass header.from=players.example"
	fail = "Authentication-Results: mx.liga.example; dmarc=fail header.from=players.example"
	fake = "Authentication-Results: mx.evil.example; dmarc=pass header.from=players.example"
)

// G-6: the verdict on the sender, the token and the game's trust decide.
func TestG6Verdicts(t *testing.T) {
	for _, c := range []struct {
		trust, header string
		token         bool
		want          string
	}{
		{"token", pass, true, referee.Taken}, {"token", pass, false, referee.Taken},
		{"token", "", true, referee.Taken}, {"token", "", false, referee.Held},
		{"token", fake, true, referee.Taken}, {"token", fake, false, referee.Held},
		{"token", fail, true, referee.Held}, {"token", fail, false, referee.Held},
		{"address", "", false, referee.Taken}, {"address", pass, false, referee.Taken}, {"address", fail, false, referee.Held},
		{"verified", pass, false, referee.Taken}, {"verified", "", true, referee.Held}, {"verified", fail, true, referee.Held},
	} {
		t.Run(strings.Join([]string{c.trust, c.header, map[bool]string{true: "token"}[c.token]}, "/"), func(t *testing.T) {
			b := newBench(t)
			b.league("liga", c.trust, "Müller", "Maier")
			subject := "Zug"
			if c.token {
				subject = "AW: " + b.last(address("Müller")).Subject
			}
			var headers []string
			if c.header != "" {
				headers = append(headers, c.header)
			}
			b.want(b.receive(b.letter(address("Müller"), subject, "NAME Müller\n"+goodZug, headers...)), c.want)
			if got := strings.HasPrefix(b.onFile("liga", "Müller"), "good"); got != (c.want == referee.Taken) {
				t.Errorf("on file: %s", b.onFile("liga", "Müller"))
			}
		})
	}
}

func TestG6TokenBelongsToItsPlayer(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	stolen := b.last(address("Maier")).Subject
	b.want(b.receive(b.letter(address("Müller"), "Re: "+stolen, "NAME Müller\n"+goodZug)), referee.Held)
	b.want(b.receive(b.letter("mallory@evil.example", "Re: "+stolen, "NAME Maier\n"+goodZug)), referee.Dropped)
	// A token proves its holder for 30 days.
	own := b.last(address("Müller")).Subject
	_ = own
	b.now = b.now.Add(31 * 24 * time.Hour)
	start := b.posted(address("Maier"))[0].Subject
	b.want(b.receive(b.letter(address("Maier"), "Re: "+start, "NAME Maier\n"+goodZug)), referee.Held)
}

func TestTokenInThePlusAddress(t *testing.T) {
	b := newBench(t)
	b.set.PlusAddresses = true
	b.open(b.rulesets())
	b.league("liga", "token", "Müller", "Maier")
	reply := b.last(address("Müller")).header.Get("Reply-To")
	m := regexp.MustCompile(`<(.+)>`).FindStringSubmatch(reply)
	if m == nil || !strings.HasPrefix(m[1], "gm+liga.1.") {
		t.Fatalf("Reply-To %q", reply)
	}
	raw := b.letter(address("Müller"), "no tag", "NAME Müller\n"+goodZug)
	b.want(b.receive([]byte(strings.Replace(string(raw), "<"+gm+">", "<"+m[1]+">", 1))), referee.Taken)
}

var codeLine = regexp.MustCompile(`(?m)(?:JA|YES) ([a-z0-9]{10})\b`)

func (b *bench) codeFor(to string) string {
	b.Helper()
	m := codeLine.FindStringSubmatch(b.text(b.last(to)))
	if m == nil {
		b.Fatalf("no code in\n%s", b.text(b.last(to)))
	}
	return m[1]
}

func TestHeldOrdersAreConfirmedByCode(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Held)
	code := b.codeFor(address("Müller"))
	// Not in the subject, not in a quote, not from somebody else, not mistyped.
	b.want(b.receive(b.letter(address("Müller"), "JA "+code, "wie gewünscht\n")), referee.Refused)
	b.want(b.receive(b.letter(address("Müller"), "AW", "> JA "+code+"\n")), referee.Refused)
	b.want(b.receive(b.letter(address("Maier"), "AW", "JA "+code+"\n")), referee.Refused)
	b.want(b.receive(b.letter(address("Müller"), "AW", "JA aaaaaaaaaa\n")), referee.Refused)
	if got := b.onFile("liga", "Müller"); got != "missing: " {
		t.Fatalf("on file: %s", got)
	}
	arrived := b.now
	b.now = b.now.Add(71 * time.Hour)
	b.want(b.receive(b.letter(address("Müller"), "AW", "ja "+strings.ToUpper(code)+"\n\n> quoted\n")), referee.Taken)
	rows, err := b.Orders(t.Context(), "liga", false)
	b.must(err)
	for _, r := range rows {
		if r.Seat == "Müller" && (r.State != "good" || !r.Received.Equal(arrived)) {
			t.Errorf("the original's arrival does not count: %+v", r)
		}
	}
	b.want(b.receive(b.letter(address("Müller"), "AW", "JA "+code+"\n\nnoch einmal\n")), referee.Refused) // once
}

func TestCodesExpireAndAreVoidAfterFiveWrongOnes(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Held)
	code := b.codeFor(address("Müller"))
	for range 5 {
		b.want(b.write("Müller", "JA bbbbbbbbbb\n"), referee.Refused)
	}
	b.want(b.write("Müller", "JA "+code+"\n"), referee.Refused)

	b.want(b.write("Maier", "NAME Maier\n"+goodZug), referee.Held)
	code = b.codeFor(address("Maier"))
	b.now = b.now.Add(72 * time.Hour)
	b.want(b.write("Maier", "JA "+code+"\n"), referee.Refused)
	b.must(b.Expire(t.Context()))
	b.want(b.write("Maier", "JA "+code+"\n\n"), referee.Refused)
	if got := b.onFile("liga", "Maier"); got != "missing: " {
		t.Errorf("on file: %s", got)
	}
}

func TestQuotedOrdersAreShownAndConfirmed(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	b.want(b.write("Müller", "Stimmt das so?\n\n> NAME Müller\n> ZUG 2/3 3/0 2/2 0/5 3/1\n> TRAINING T\n"), referee.Held)
	if text := b.text(b.last(address("Müller"))); !strings.Contains(text, "2/3 3/0 2/2 0/5 3/1") {
		t.Errorf("the mail does not show what was read:\n%s", text)
	}
	b.want(b.write("Müller", "JA "+b.codeFor(address("Müller"))+"\n"), referee.Taken)
	if got := b.onFile("liga", "Müller"); !strings.HasPrefix(got, "good") {
		t.Errorf("on file: %s", got)
	}
}

func TestStrangersAndSignUp(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	b.want(b.receive(b.letter("new@players.example", "Hi", "What is this?\n")), referee.Dropped)
	b.want(b.receive(b.letter("new@players.example", "Hi", "What is this?\n", pass)), referee.Refused)
	b.want(b.receive(b.letter("new@players.example", "Hi", "Hello again?\n", pass)), referee.Dropped) // once a day
	b.now = b.now.Add(24 * time.Hour)
	b.want(b.receive(b.letter("new@players.example", "Hi", "ANMELDUNG Rocky\n")), referee.Held)
	seats, err := b.Seats(t.Context(), "liga")
	b.must(err)
	if len(seats) != 2 {
		t.Fatalf("%d seats before the confirmation", len(seats))
	}
	b.want(b.receive(b.letter("new@players.example", "AW", "JA "+b.codeFor("new@players.example")+"\n")), referee.Taken)
	seats, err = b.Seats(t.Context(), "liga")
	b.must(err)
	if len(seats) != 3 || seats[2].Name != "Rocky" || seats[2].State != store.SeatWaiting {
		t.Fatalf("seats: %+v", seats)
	}
	b.want(b.receive(b.letter("other@players.example", "Hi", "JOIN rocky\n")), referee.Refused) // taken
	b.want(b.receive(b.letter("other@players.example", "Hi", "JOIN Rосky\n")), referee.Refused) // Cyrillic о and с
	_, err = b.Close(t.Context(), "liga", 1)
	b.must(err)
	if got := b.onFile("liga", "Rocky"); got != "missing: " {
		t.Errorf("Rocky owes nothing after he has entered: %s", got)
	}
}

func TestG10Leaving(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier", "Huber")
	b.want(b.write("Müller", "AUSSTIEG\n"), referee.Taken)
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Taken) // he still boxes this round
	_, err := b.Close(t.Context(), "liga", 0)
	b.must(err)
	seats, err := b.Seats(t.Context(), "liga")
	b.must(err)
	if seats[0].State != store.SeatLeft {
		t.Errorf("Müller is %s", seats[0].State)
	}
	if got := b.last(address("Müller")); got.Kind != "report" || strings.Contains(got.Subject, "[liga") {
		t.Errorf("his last mail: %s %s", got.Kind, got.Subject)
	}
	// Three missed moves in a row.
	for range 2 {
		_, err = b.Close(t.Context(), "liga", 0)
		b.must(err)
	}
	seats, err = b.Seats(t.Context(), "liga")
	b.must(err)
	if seats[1].State != store.SeatLeft || seats[2].State != store.SeatLeft {
		t.Errorf("after three missed moves: %+v", seats)
	}
}

func TestCommands(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	for _, c := range []struct{ line, want string }{
		{"HILFE", gm}, {"Help", gm}, {"REGELN", "ZUG"}, {"STAND", "Maier"}, {"ZUGSTAND", "Müller"}, {"SPIELE", "liga"},
		{"AKTE Maier", "Maier"}, {"ARCHIV 0", "Maier"}, {"juegos", "liga"},
	} {
		b.now = b.now.Add(time.Minute)
		b.want(b.write("Müller", "Hallo,\n"+c.line+"\n"), referee.Taken)
		if text := b.text(b.last(address("Müller"))); !strings.Contains(text, c.want) {
			t.Errorf("%s gives no %q:\n%s", c.line, c.want, text)
		}
	}
	b.want(b.write("Müller", "ARCHIV 9\n"), referee.Refused)
	b.want(b.write("Müller", "AKTE Niemand\n"), referee.Refused)
	for range 5 {
		b.write("Müller", "Schönes Wetter heute.\n"+b.now.String())
	}
	all := b.posted(address("Müller"))
	if b.write("Müller", "Noch ein Gruß.\n").Result != referee.Dropped || len(b.posted(address("Müller"))) != len(all) {
		t.Errorf("chat is answered without end")
	}
}

func TestAutomaticMailIsNotAnswered(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	mails := len(b.posted(address("Müller")))
	for _, h := range []string{"Auto-Submitted: auto-replied", "Return-Path: <>", "X-Apple-Action: VACATION", "X-Ringpost: receipt"} {
		b.want(b.receive(b.letter(address("Müller"), "Zug", "NAME Müller\n"+goodZug, h)), referee.Dropped)
	}
	if got := len(b.posted(address("Müller"))); got != mails {
		t.Errorf("%d answers to machines", got-mails)
	}
	b.want(b.receive(b.letter(address("Müller"), "Zug", "NAME Müller\n"+goodZug, "Precedence: bulk")), referee.Taken)
}
