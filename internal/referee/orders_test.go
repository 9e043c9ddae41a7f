package referee_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"ringpost/internal/referee"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

func TestG3TheLastGoodOrdersCount(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\nZUG 1/1 1/1 1/1 1/1 1/1\n"), referee.Taken, "taken")
	b.now = b.now.Add(time.Hour)
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Taken, "taken")
	if got := b.onFile("liga", "Müller"); got != "good: ZUG 2/3 3/0 2/2 0/5 3/1, TRAINING T" {
		t.Errorf("on file: %s", got)
	}
	if text := b.text(b.last(address("Müller"))); !strings.Contains(text, "1/1 1/1 1/1 1/1 1/1") {
		t.Errorf("the receipt does not show what was replaced:\n%s", text)
	}
	// An earlier mail that is read later does not replace a later one.
	b.want(b.receiveAt(b.letter(address("Müller"), "Zug", "NAME Müller\nZUG 0/0 0/0 0/0 0/0 0/0\n"), b.now.Add(-30*time.Minute)), referee.Taken)
	if got := b.onFile("liga", "Müller"); !strings.Contains(got, "2/3 3/0") {
		t.Errorf("on file: %s", got)
	}
}

// A game whose deadline came while the mailbox was being read is not closed with what
// was read: more may have arrived before its deadline.
func TestG3OnlyWhatWasDueWhenTheReadingBegan(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	due := at("2026-12-06T19:00:00Z")
	b.now = due.Add(time.Minute)
	closed, err := b.CloseDueAt(t.Context(), due.Add(-time.Second))
	if err != nil || len(closed) > 0 {
		t.Fatalf("closed %v, %v", closed, err)
	}
	if closed, err = b.CloseDueAt(t.Context(), due); err != nil || len(closed) != 1 {
		t.Fatalf("closed %v, %v", closed, err)
	}
}

// After three weeks without a server the open round is closed once, with what had
// arrived before its deadline, and players have until the next one to come.
func TestG3AnOutageOverSeveralDeadlines(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier", "Huber")
	post := func(name, day string) (mail referee.Incoming) {
		raw := b.letter(address(name), "Zug", "NAME "+name+"\n"+goodZug)
		return referee.Incoming{Place: store.Place{Mailbox: "INBOX", UIDValidity: 1, Name: name}, Received: at(day), Size: int64(len(raw)), Raw: raw}
	}
	b.now = at("2026-12-24T10:00:00Z")
	results, err := b.Receive(t.Context(), []referee.Incoming{post("Müller", "2026-12-06T18:59:59Z"), post("Maier", "2026-12-06T19:00:00Z"), post("Huber", "2026-12-13T18:00:00Z")})
	b.must(err)
	for i, want := range []string{"taken", "late", "late"} {
		if got := results[i].Blocks; len(got) != 1 || got[0].Outcome != want {
			t.Errorf("mail %d: %+v, want %s", i, got, want)
		}
	}
	closed, err := b.CloseDue(t.Context())
	b.must(err)
	if len(closed) != 1 || closed[0].Round != 1 || closed[0].NMR != 2 || !closed[0].Next.Equal(at("2026-12-27T19:00:00Z")) {
		t.Errorf("closed %+v", closed)
	}
	if closed, err = b.CloseDue(t.Context()); err != nil || len(closed) > 0 {
		t.Errorf("closed again: %+v, %v", closed, err)
	}
}

func TestG7AnErrorNeverReplacesGoodOrders(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	bad := "NAME Müller\nZUG 2/3 3/x 2/2 0/5 3/1\nTRAINING T\n"
	b.want(b.write("Müller", bad), referee.Taken, "provisional")
	if got := b.onFile("liga", "Müller"); got != "provisional: ZUG 2/3 0/0 2/2 0/5 3/1, TRAINING T" {
		t.Errorf("on file: %s", got)
	}
	b.want(b.write("Müller", "NAME Müller\nZUG 9/3 3/x 2/2 0/5 3/1\n"), referee.Taken, "provisional")
	if got := b.onFile("liga", "Müller"); !strings.HasPrefix(got, "provisional: ZUG 9/3 0/0") {
		t.Errorf("a newer provisional set does not replace an older one: %s", got)
	}
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Taken, "taken")
	b.want(b.write("Müller", bad), referee.Refused, "kept")
	if got := b.onFile("liga", "Müller"); got != "good: ZUG 2/3 3/0 2/2 0/5 3/1, TRAINING T" {
		t.Errorf("on file: %s", got)
	}
	r := b.write("Müller", "NAME Müller\nZUG 2/3 3/0 2/2 0/5 3/1\nTRAINING X\n")
	b.want(r, referee.Taken, "taken")
	if len(r.Blocks[0].Issues) == 0 || r.Blocks[0].Issues[0].Line != 3 || r.Blocks[0].Issues[0].Text == "" {
		t.Errorf("issues: %+v", r.Blocks[0].Issues)
	}
}

func TestG9LateMail(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	deadline := at("2026-12-06T19:00:00Z")
	zug := "NAME Müller\n" + goodZug
	b.now = deadline.Add(time.Minute)
	b.want(b.receiveAt(b.letter(address("Müller"), "Zug", zug), deadline), referee.Refused, "late") // at the deadline itself
	b.want(b.receiveAt(b.letter(address("Maier"), "Zug", "NAME Maier\n"+goodZug), deadline.Add(-time.Second)), referee.Taken, "taken")
	b.want(b.receive(b.letter(address("Müller"), "Zug", "SPIELRUNDE 2\n"+zug)), referee.Taken, "early")
	c, err := b.CloseDue(t.Context())
	b.must(err)
	if len(c) != 1 || c[0].NMR != 1 || c[0].Round != 1 {
		t.Fatalf("closed: %+v", c)
	}
	if got := b.onFile("liga", "Müller"); !strings.Contains(got, "2/3 3/0") {
		t.Errorf("orders that name the next round: %s", got)
	}
	// Between deadline and report, without a tag: late, and the game master is not
	// troubled; seen after the close though it came in time: he is.
	b.want(b.receiveAt(b.letter(address("Maier"), "Zug", "NAME Maier\n"+goodZug), deadline.Add(30*time.Second)), referee.Refused, "late")
	if got := b.posted("boss@liga.example"); len(got) != 0 {
		t.Errorf("alerts: %v", got)
	}
	b.want(b.receiveAt(b.letter(address("Maier"), "Zug", "NAME Maier\n"+goodZug), deadline.Add(-time.Hour)), referee.Refused, "late")
	if got := b.posted("boss@liga.example"); len(got) != 1 {
		t.Errorf("%d alerts of a mail that had come in time", len(got))
	}
	// Orders may name a round up to three ahead.
	b.want(b.write("Maier", "NAME Maier\nSPIELRUNDE 5\n"+goodZug), referee.Taken, "early")
	b.want(b.write("Maier", "NAME Maier\nSPIELRUNDE 6\n"+goodZug), referee.Refused, "too-early")
	b.want(b.write("Maier", "NAME Maier\nSPIELRUNDE 1\n"+goodZug), referee.Refused, "late")
}

func TestG9AClosedRoundsTagIsLate(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	start := b.last(address("Müller"))
	b.now = at("2026-12-06T19:00:00Z")
	_, err := b.CloseDue(t.Context())
	b.must(err)
	b.now = b.now.Add(time.Hour)
	b.want(b.receive(b.letter(address("Müller"), "Re: "+start.Subject, "NAME Müller\n"+goodZug)), referee.Refused, "late")
	b.want(b.receive(b.letter(address("Müller"), "Re: "+start.Subject, "NAME Müller\nSPIELRUNDE 2\n"+goodZug)), referee.Taken, "taken")
}

// Whoever brings the open round's tag has its report, whatever the mailbox's clock says.
func TestG9TheOpenRoundsTagIsNotLate(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	b.now = at("2026-12-06T19:00:00Z")
	_, err := b.CloseDue(t.Context())
	b.must(err)
	report, behind := b.last(address("Müller")), b.now.Add(-time.Minute)
	b.want(b.receiveAt(b.letter(address("Müller"), "Re: "+report.Subject, "NAME Müller\n"+goodZug), behind), referee.Taken, "taken")
}

func TestG5SeveralBlocks(t *testing.T) {
	b := newBench(t)
	b.league("nord", "address", "Müller", "Maier")
	b.league("sued", "address", "Müller", "Huber")
	r := b.write("Müller", "SPIEL nord\nNAME Müller\n"+goodZug+"SPIEL sued\nNAME Müller\nZUG 1/1 1/1 1/1 1/1 1/1\n")
	b.want(r, referee.Taken, "taken", "taken")
	if got := b.onFile("sued", "Müller"); !strings.Contains(got, "1/1 1/1") {
		t.Errorf("sued: %s", got)
	}
	r = b.write("Müller", "NAME Müller\n"+goodZug)
	b.want(r, referee.Refused, "which-game")
	// One wrong block costs the other nothing.
	r = b.write("Müller", "SPIEL nord\nNAME Niemand\n"+goodZug+"NAME Müller\n"+goodZug)
	b.want(r, referee.Taken, "unknown-seat", "unchanged")
}

func TestNobodyPlaysForSomebodyElse(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	b.want(b.write("Maier", "NAME Müller\n"+goodZug), referee.Refused, "not-yours")
	b.want(b.receive(b.letter("mallory@evil.example", "Zug", "NAME Müller\n"+goodZug, "Reply-To: <"+address("Müller")+">",
		"Sender: <"+address("Müller")+">")), referee.Dropped)
	b.want(b.receive([]byte("From: \"muller "+address("Müller")+"\" <mallory@evil.example>\r\n\r\nNAME Müller\r\nZUG 1/1 1/1 1/1 1/1 1/1\r\n")), referee.Dropped)
	if got := b.onFile("liga", "Müller"); got != "missing: " {
		t.Errorf("on file: %s", got)
	}
}

func TestTheReadyBlockUnfilledOrdersNothing(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Taken, "taken")
	text := b.text(b.last(address("Müller")))
	b.want(b.write("Müller", text), referee.Refused, "unfilled")
	filled := strings.NewReplacer("_/_", "4/4", "TRAINING _", "TRAINING K").Replace(text)
	b.want(b.write("Müller", filled), referee.Taken, "taken")
	if got := b.onFile("liga", "Müller"); got != "good: ZUG 4/4 4/4 4/4 4/4 4/4, TRAINING K" {
		t.Errorf("on file: %s", got)
	}
}

func TestTheSameMailIsTakenOnce(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	raw := b.letter(address("Müller"), "Zug", "NAME Müller\n"+goodZug)
	b.want(b.receive(raw), referee.Taken, "taken")
	mails := len(b.posted(address("Müller")))
	again := append([]byte("Received: from elsewhere\r\nX-Spam: no\r\n"), raw...)
	b.want(b.receive(again), referee.Duplicate)
	if got := len(b.posted(address("Müller"))); got != mails {
		t.Errorf("%d mails, want %d", got, mails)
	}
	// The same Message-ID with other content is another mail.
	other := []byte(strings.Replace(string(raw), "ZUG 2/3", "ZUG 4/3", 1))
	b.want(b.receive(other), referee.Taken, "taken")
}

func TestACrashBetweenStoringAndHandling(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	raw := b.letter(address("Müller"), "Zug", "NAME Müller\n"+goodZug)
	in := b.storedOnly(raw)
	b.must(b.Recover(t.Context()))
	if got := b.onFile("liga", "Müller"); !strings.HasPrefix(got, "good") {
		t.Errorf("on file: %s", got)
	}
	mails := len(b.posted(address("Müller")))
	r, err := b.Receive(t.Context(), []referee.Incoming{in}) // fetched once more after the restart
	b.must(err)
	b.want(r[0], referee.Duplicate)
	if got := len(b.posted(address("Müller"))); got != mails {
		t.Errorf("answered twice")
	}
}

// Of one mail that two processes take in at a time, or that a server finds stored when
// it starts beside a pipe, only one handles what was stored.
func TestAMailThatAnotherProcessHandlesFirst(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	server := *b
	server.open(rules.Find)
	b.set.Signers = func(ctx context.Context, _ []byte) []string {
		for stored := false; !stored; { // it is looked into while it is stored
			b.must(b.store.Read(ctx, func(tx *store.Tx) error {
				all, err := tx.Unhandled(1)
				stored = len(all) > 0
				return err
			}))
		}
		b.must(server.Recover(ctx))
		return nil
	}
	b.open(rules.Find)
	mails := len(b.posted(address("Müller")))
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Duplicate)
	if got := len(b.posted(address("Müller"))) - mails; got != 1 {
		t.Errorf("answered %d times", got)
	}
}

// The server finds a mail stored, and looks into it while the process that has stored
// it handles it.
func TestAMailThatIsHandledWhileItIsRecovered(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	pipe := *b
	pipe.open(rules.Find)
	in := b.storedOnly(b.letter(address("Müller"), "Zug", "NAME Müller\n"+goodZug))
	b.set.Signers = func(ctx context.Context, _ []byte) []string {
		_, err := pipe.Receive(ctx, []referee.Incoming{in})
		b.must(err)
		return nil
	}
	b.open(rules.Find)
	mails := len(b.posted(address("Müller")))
	b.must(b.Recover(t.Context()))
	if got := len(b.posted(address("Müller"))) - mails; got != 1 {
		t.Errorf("answered %d times", got)
	}
}

// A mail server hands over again what was stored before the deadline by a process that
// died: it has arrived in time.
func TestAMailHandedOverAgainArrivedWhenItWasStored(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	in := b.storedOnly(b.letter(address("Müller"), "Zug", "NAME Müller\n"+goodZug))
	b.now = b.now.Add(7 * 24 * time.Hour)
	in.Place, in.Received = store.Place{Mailbox: "stdin"}, b.now
	r, err := b.Receive(t.Context(), []referee.Incoming{in})
	b.must(err)
	b.want(r[0], referee.Taken, "taken")
}

// Nobody could read it; after a crash the game master must hear of it all the same.
func TestACrashBeforeAMailThatWasNotGivenIsTold(t *testing.T) {
	b := newBench(t)
	in := referee.Incoming{Place: store.Place{Mailbox: "test", UIDValidity: 1, UID: 7}, Received: b.now, Size: 900, Fault: "no such mail"}
	b.must(b.store.Write(t.Context(), func(tx *store.Tx) error {
		_, _, err := tx.StoreLetter(store.Letter{Received: in.Received, Source: "test", Size: in.Size, Content: "unfetched test 1 7  900"}, in.Place, b.now)
		return err
	}))
	b.must(b.Recover(t.Context()))
	if got := b.text(b.last(b.set.GM)); !strings.Contains(got, "ringpost orders enter") {
		t.Errorf("the game master is told %q", got)
	}
	r, err := b.Receive(t.Context(), []referee.Incoming{in})
	b.must(err)
	b.want(r[0], referee.Duplicate) // the same
}

// Handled once more, a mail's press goes to nobody a second time.
func TestPressOfAMailThatIsHandledOnceMore(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	r := b.write("Müller", "PRESSE AN Maier\nHallo!\nENDE\nPRESSE\nAn alle.\nENDE\n")
	b.want(r, referee.Taken)
	mails := len(b.posted(address("Maier")))
	again, err := b.Retry(t.Context(), r.Letter)
	b.must(err)
	b.want(again, referee.Taken)
	if got := len(b.posted(address("Maier"))); got != mails {
		t.Errorf("%d mails to Maier, want %d", got, mails)
	}
	press, err := b.Press(t.Context(), "liga", "")
	b.must(err)
	if len(press) != 2 {
		t.Errorf("on record: %+v", press)
	}
	if text := b.text(b.last(address("Müller"))); strings.Count(text, "Presse") < 2 {
		t.Errorf("answered\n%s", text)
	}
}

// A mail that waits and is handled once more waits once: confirmed, nothing of it is
// told to have lapsed, and no code does it a second time.
func TestAHeldMailThatIsHandledOnceMore(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	retry := func(r referee.Result) {
		t.Helper()
		again, err := b.Retry(t.Context(), r.Letter)
		b.must(err)
		b.want(again, referee.Held, outcomesOf(r)...)
	}
	code := func(to string) string {
		t.Helper()
		return "JA " + regexp.MustCompile(`\bJA ([a-z2-9]{10})`).FindStringSubmatch(b.text(b.last(to)))[1]
	}
	r := b.write("Müller", "NAME Müller\n"+goodZug)
	retry(r)
	yes := code(address("Müller"))
	b.want(b.write("Müller", yes), referee.Taken, "taken")
	mails := len(b.posted(address("Müller")))
	b.now = b.now.Add(80 * time.Hour)
	b.must(b.Expire(t.Context()))
	if got := b.posted(address("Müller")); len(got) != mails {
		t.Errorf("he is told\n%s", b.text(got[len(got)-1]))
	}

	r = b.receive(b.letter("new@players.example", "x", "ANMELDUNG Xaver"))
	retry(r)
	yes = code("new@players.example")
	b.want(b.receive(b.letter("new@players.example", "x", yes)), referee.Taken)
	b.want(b.receive(b.letter("new@players.example", "y", yes)), referee.Refused)

	// Both addresses wait anew after nobody has confirmed in time.
	b.write("Maier", "ADRESSE maier@elsewhere.example")
	b.want(b.write("Maier", code(address("Maier"))), referee.Taken) // that it is he
	b.now = b.now.Add(80 * time.Hour)
	b.must(b.Expire(t.Context()))
	letters, err := b.Letters(t.Context(), 9)
	b.must(err)
	_, err = b.Retry(t.Context(), letters[len(letters)-2].ID)
	b.must(err)
	b.write("Maier", code(address("Maier")))
	b.write("Maier", code(address("Maier")))
	b.receive(b.letter("maier@elsewhere.example", "x", code("maier@elsewhere.example")))
	b.want(b.receive(b.letter("maier@elsewhere.example", "x", "ZUGSTAND")), referee.Taken)
}

func outcomesOf(r referee.Result) (out []string) {
	for _, b := range r.Blocks {
		out = append(out, b.Outcome)
	}
	return out
}

// Orders that have counted are not told to have been seen too late when their mail is
// handled once more.
func TestOrdersThatCountedAreNotSeenTooLate(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	r := b.write("Müller", "NAME Müller\n"+goodZug)
	b.now = at("2026-12-06T19:00:00Z")
	_, err := b.CloseDue(t.Context())
	b.must(err)
	again, err := b.Retry(t.Context(), r.Letter)
	b.must(err)
	b.want(again, referee.Refused, "late")
	if got := b.posted("boss@liga.example"); len(got) != 0 {
		t.Errorf("the game master is told\n%s", b.text(got[0]))
	}
}
