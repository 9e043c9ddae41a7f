package referee_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
	"ringpost/internal/referee"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

func TestOwnSettings(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	tag := b.last(address("Müller")).Subject
	say := func(line string) referee.Result {
		return b.receive(b.letter(address("Müller"), "Re: "+tag, line+"\n"+b.now.String()))
	}
	b.want(say("SPRACHE Englisch"), referee.Taken)
	if text := b.text(b.last(address("Müller"))); !strings.Contains(text, "Your settings") {
		t.Errorf("he is not answered in English:\n%s", text)
	}
	b.want(say("timezone: Asia/Kolkata"), referee.Taken)
	if text := b.text(b.last(address("Müller"))); !strings.Contains(text, "17:30 (IST)") {
		t.Errorf("the time is not his:\n%s", text)
	}
	b.want(say("REMINDERS 48"), referee.Taken)
	b.want(say("REPORTS OFF"), referee.Taken)
	for _, wrong := range []string{"SPRACHE Klingonisch", "ZEITZONE Mars", "ERINNERUNG 9999", "BERICHTE vielleicht", "ADRESSE gm@liga.example", "ADRESSE " + address("Maier")} {
		b.want(say(wrong), referee.Refused)
	}
	b.want(b.write("Müller", "SPRACHE de\n"), referee.Held) // not shown to come from him
	seats, err := b.Seats(t.Context(), "liga")
	b.must(err)
	if seats[0].Lang != "en" || seats[0].TimeZone != "Asia/Kolkata" {
		t.Errorf("%+v", seats[0])
	}
}

func TestANewAddressIsConfirmedAtBoth(t *testing.T) {
	for _, oldFirst := range []bool{true, false} {
		b := newBench(t)
		b.league("liga", "token", "Müller", "Maier")
		old, fresh := address("Müller"), "mueller@work.example"
		b.want(b.receive(b.letter(old, b.last(old).Subject, "ADRESSE "+fresh+"\n")), referee.Held)
		codes := map[string]string{old: b.codeFor(old), fresh: b.codeFor(fresh)}
		if codes[old] == codes[fresh] {
			t.Fatal("one code for both")
		}
		b.want(b.receive(b.letter(fresh, "AW", "JA "+codes[old]+"\n")), referee.Refused) // the other's code
		order := []string{old, fresh}
		if !oldFirst {
			order = []string{fresh, old}
		}
		b.want(b.receive(b.letter(order[0], "AW", "JA "+codes[order[0]]+"\n")), referee.Taken)
		if _, err := b.Close(t.Context(), "liga", 1); err != nil {
			t.Fatal(err)
		}
		if got := len(b.posted(fresh)); got > 3 {
			t.Errorf("%d mails to the new address after half the confirmation", got)
		}
		b.want(b.receive(b.letter(order[1], "AW", "JA "+codes[order[1]]+"\n\n")), referee.Taken)
		_, err := b.Close(t.Context(), "liga", 2)
		b.must(err)
		if got := b.last(fresh); got.Kind != "report" || got.Round != 3 {
			t.Errorf("the report goes elsewhere: %+v", got.OutgoingRow)
		}
		b.want(b.receive(b.letter(old, b.last(fresh).Subject, "NAME Müller\n"+goodZug)), referee.Taken) // the old one still counts
	}
}

func TestPress(t *testing.T) {
	b := newBench(t)
	b.must(b.NewGame(t.Context(), store.Game{ID: "liga", Ruleset: "sugarray", Lang: "de", TZ: "Europe/Berlin", Trust: "address", Press: "anonymous", Secret: [32]byte{9}}))
	for _, n := range []string{"Müller", "Maier", "Huber"} {
		b.seat("liga", n)
	}
	_, err := b.Start(t.Context(), "liga")
	b.must(err)
	b.want(b.write("Müller", "PRESSE\nIch bin der Größte!\nNAME Maier\nZUG 0/0 0/0 0/0 0/0 0/0\nENDE\nNAME Müller\n"+goodZug), referee.Taken, "taken")
	b.want(b.write("Maier", "PRESSE ANONYM AN Huber\nNimm dich in Acht.\nENDE\n"), referee.Taken)
	got := b.text(b.last(address("Huber")))
	if !strings.Contains(got, "| Nimm dich in Acht.") || strings.Contains(got, "Maier schreibt") {
		t.Errorf("the direct word:\n%s", got)
	}
	if got := b.last(address("Müller")); got.Kind == "press" {
		t.Error("somebody else reads it too")
	}
	for _, n := range []string{"Müller", "Huber"} { // not before its time
		if strings.Contains(b.text(b.last(address(n))), "der Größte") {
			t.Errorf("%s reads it early", n)
		}
	}
	b.want(b.write("Huber", "IGNORIERE Müller\n"), referee.Taken)
	_, err = b.Close(t.Context(), "liga", 0)
	b.must(err)
	if got := b.text(b.last(address("Maier"))); !strings.Contains(got, "Müller schreibt:\n\n| Ich bin der Größte!\n| NAME Maier\n") {
		t.Errorf("the report:\n%s", got)
	}
	if got := b.text(b.last(address("Huber"))); strings.Contains(got, "der Größte") {
		t.Error("Huber reads what he ignores")
	}
	_, err = b.Close(t.Context(), "liga", 0)
	b.must(err)
	if strings.Contains(b.text(b.last(address("Maier"))), "der Größte") {
		t.Error("press is printed twice")
	}
	for _, wrong := range []string{"PRESSE AN Niemand\nx\nENDE\n", "PRESSE\n\nENDE\n", "PRESSE\n" + strings.Repeat("lang ", 700) + "\nENDE\n"} {
		b.want(b.write("Müller", wrong), referee.Refused)
	}
	for i := range 6 {
		want := referee.Taken
		if i == 5 {
			want = referee.Refused
		}
		b.want(b.write("Maier", fmt.Sprintf("PRESSE\nNummer %d\nENDE\n", i)), want)
	}
}

func TestModeratedPress(t *testing.T) {
	b := newBench(t)
	b.must(b.NewGame(t.Context(), store.Game{ID: "liga", Ruleset: "sugarray", Lang: "de", TZ: "Europe/Berlin", Trust: "address", Moderated: true, Secret: [32]byte{9}}))
	for _, n := range []string{"Müller", "Maier"} {
		b.seat("liga", n)
	}
	_, err := b.Start(t.Context(), "liga")
	b.must(err)
	b.want(b.write("Müller", "PRESSE ANONYM\nx\nENDE\n"), referee.Refused) // signed only
	b.want(b.write("Müller", "PRESSE\nErstens\nENDE\nPRESSE AN ALLE\nZweitens\nENDE\nPRESSE\nDrittens\nENDE\n"), referee.Taken)
	if got := b.last("boss@liga.example"); got.Kind != "alert" {
		t.Errorf("the game master is not told: %+v", got)
	}
	if got := b.last(address("Maier")); got.Kind == "press" {
		t.Error("unreleased press is sent")
	}
	b.must(b.ReleasePress(t.Context(), 2, true))
	if got := b.text(b.last(address("Maier"))); !strings.Contains(got, "Zweitens") {
		t.Errorf("released press is not sent:\n%s", got)
	}
	b.must(b.ReleasePress(t.Context(), 1, true))
	b.must(b.ReleasePress(t.Context(), 3, false))
	if err := b.ReleasePress(t.Context(), 3, true); err == nil {
		t.Error("dropped press is released")
	}
	_, err = b.Close(t.Context(), "liga", 0)
	b.must(err)
	if got := b.text(b.last(address("Maier"))); !strings.Contains(got, "Erstens") || strings.Contains(got, "Drittens") {
		t.Errorf("the report:\n%s", got)
	}
}

func TestReminders(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier", "Huber")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Taken)
	b.want(b.write("Huber", "ERINNERUNG AUS\n"), referee.Taken)
	reminders := func(name string) (n int) {
		for _, m := range b.posted(address(name)) {
			if m.Kind == "reminder" {
				n++
			}
		}
		return n
	}
	deadline := at("2026-12-06T19:00:00Z")
	for _, c := range []struct {
		ahead time.Duration
		want  int
	}{{25 * time.Hour, 0}, {24 * time.Hour, 1}, {time.Hour, 1}, {-time.Minute, 1}} {
		b.now = deadline.Add(-c.ahead)
		b.must(b.Chores(t.Context()))
		if got := reminders("Maier"); got != c.want {
			t.Errorf("%v ahead: %d reminders, want %d", c.ahead, got, c.want)
		}
	}
	if reminders("Müller")+reminders("Huber") > 0 {
		t.Error("somebody is reminded for nothing")
	}
	got := b.last(address("Maier"))
	if start := b.posted(address("Maier"))[0]; got.header.Get("In-Reply-To") != start.header.Get("Message-ID") {
		t.Errorf("the reminder hangs on %q, not on the start %q", got.header.Get("In-Reply-To"), start.header.Get("Message-ID"))
	}
}

// sickTable is a game of which nobody can tell what is due.
type sickTable struct{ rules.Table }

func (sickTable) Due() game.Due { panic("a sick game") }

type sickRules struct{ rules.Ruleset }

func (r sickRules) Open(state json.RawMessage) (rules.Table, error) {
	t, err := r.Ruleset.Open(state)
	return sickTable{t}, err
}

// A fault in the program that one game meets costs the players of others no reminder,
// nor does it end the server.
func TestASickGameHoldsUpNoChores(t *testing.T) {
	b := newBench(t)
	b.campaign("aring", "address", nil)
	b.league("liga", "token", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Held)
	b.open(func(name string) (rules.Ruleset, error) {
		r, err := rules.Find(name)
		if name == "ringside" {
			r = sickRules{r}
		}
		return r, err
	})
	b.now = at("2026-12-06T18:00:00Z")
	b.must(b.Chores(t.Context()))
	kinds := map[string]int{}
	for _, p := range append(b.posted(address("Müller")), b.posted(address("Maier"))...) {
		kinds[p.Kind]++
	}
	if kinds["reminder"] != 2 || kinds["notice"] != 1 { // of what has expired
		t.Errorf("mails: %v", kinds)
	}
}

// Nor does a mail whose signatures cannot even be looked at.
func TestAMailWhoseSignaturesCannotBeChecked(t *testing.T) {
	b := newBench(t)
	b.set.Signers = func(context.Context, []byte) []string { panic("a sick signature") }
	b.open(rules.Find)
	b.league("liga", "address", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Taken, "taken")
}

// A reminder that could not be sent before the deadline is of no use after it. The
// next one says so.
func TestAReminderThatCameTooLate(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	remind := func(day string) {
		t.Helper()
		b.now = at(day + "T18:00:00Z")
		b.must(b.Chores(t.Context()))
	}
	remind("2026-12-06")
	late := b.last(address("Maier"))
	if late.Kind != "reminder" {
		t.Fatalf("the last mail is a %s", late.Kind)
	}
	b.now = at("2026-12-06T19:00:01Z")
	_, err := b.CloseDue(t.Context())
	b.must(err)
	if err := b.store.MarkAttempt(t.Context(), late.ID, b.now); err == nil {
		t.Error("it is sent after the deadline")
	}
	remind("2026-12-13")
	next := b.last(address("Maier"))
	if text := b.text(next); next.Kind != "reminder" || !strings.Contains(text, "Auch an Runde 1 solltest du erinnert werden") {
		t.Errorf("the next reminder:\n%s", text)
	}
	// One that may have been sent is left alone, and nothing is said of it.
	b.must(b.store.MarkAttempt(t.Context(), next.ID, b.now))
	b.now = at("2026-12-13T19:00:01Z")
	_, err = b.CloseDue(t.Context())
	b.must(err)
	remind("2026-12-20")
	if text := b.text(b.last(address("Maier"))); strings.Contains(text, "Auch an") {
		t.Errorf("the third reminder:\n%s", text)
	}
}

// returnPath is where bounces of a mail go.
func (b *bench) returnPath(p *post) string { return b.ReturnPath(p.ID) }

func bounceOf(to, status string) []byte {
	return []byte("Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nTo: " + to + "\r\nSubject: Undelivered Mail\r\nAuto-Submitted: auto-replied\r\n" +
		"Message-ID: <bounce-" + status + to + ">\r\n\r\nStatus: " + status + "\r\n")
}

func TestBounces(t *testing.T) {
	b := newBench(t)
	b.set.PlusAddresses = true
	b.open(rules.Find)
	b.league("liga", "address", "Müller", "Maier")
	mail := b.last(address("Müller"))
	to := b.returnPath(mail)
	for _, harmless := range [][]byte{
		bounceOf(strings.Replace(to, "+b.", "+b.9", 1), "5.1.1"), // of another mail, with this one's token
		bounceOf(gm, "5.1.1"), bounceOf(to, "4.4.1"), bounceOf(to, "5.2.2"),
		bounceOf(to, "5.7.26"), bounceOf(to, "5.1.8"), // our own server's or domain's fault, not the address's
	} {
		b.want(b.receive(harmless), referee.Dropped)
	}
	_, err := b.Close(t.Context(), "liga", 0)
	b.must(err)
	reports := len(b.posted(address("Müller")))
	if reports != 2 {
		t.Fatalf("%d mails: a harmless bounce has stopped the reports", reports)
	}
	b.want(b.receive(bounceOf(to, "5.1.1")), referee.Dropped)
	if got := b.last("boss@liga.example"); !strings.Contains(b.text(got), address("Müller")) {
		t.Errorf("the game master is not told:\n%s", b.text(got))
	}
	_, err = b.Close(t.Context(), "liga", 0)
	b.must(err)
	if got := len(b.posted(address("Müller"))); got != reports {
		t.Error("reports to a dead address go on")
	}
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Taken) // there he is again
	_, err = b.Close(t.Context(), "liga", 0)
	b.must(err)
	if got := b.last(address("Müller")); got.Kind != "report" {
		t.Error("he gets no reports again")
	}
	alerts := len(b.posted("boss@liga.example"))
	b.must(b.Sent(t.Context(), b.last(address("Maier")).ID, referee.Delivery{State: store.MailFailed, Answer: "550 5.1.1 no such user", At: b.now}))
	if got := len(b.posted("boss@liga.example")); got != alerts+2 { // the mail, and the address
		t.Errorf("%d alerts of a refused mail", got-alerts)
	}
}

// A mail that the game master queues again and that is refused again is news again.
func TestARefusalIsToldEachTime(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	id := b.last(address("Maier")).ID
	for n := 1; n <= 2; n++ {
		b.must(b.store.MarkAttempt(t.Context(), id, b.now))
		b.must(b.Sent(t.Context(), id, referee.Delivery{State: store.MailFailed, Answer: "554 5.7.1 spam", At: b.now}))
		if got := len(b.posted("boss@liga.example")); got != n {
			t.Errorf("refused %d times, told %d times", n, got)
		}
		b.must(b.SetOutgoing(t.Context(), id, store.MailQueued))
	}
}

// told lists the codes of the game master's news, in the order of their making.
func (b *bench) told() (codes []string) {
	b.Helper()
	for _, m := range b.posted("boss@liga.example") {
		b.must(b.store.Read(b.Context(), func(tx *store.Tx) error {
			o, err := tx.Outgoing(m.ID)
			if parts := strings.Split(o.Cause, "/"); err == nil && parts[0] == "alert" {
				codes = append(codes, parts[1])
			}
			return err
		}))
	}
	return codes
}

// A mail that came back, or was refused, for another reason than its address is
// told, and does not stop the next ones.
func TestRefusedForOtherReasons(t *testing.T) {
	b := newBench(t)
	b.set.PlusAddresses = true
	b.open(rules.Find)
	b.league("liga", "address", "Müller", "Maier")
	failed := func(answer string) {
		t.Helper()
		b.must(b.Sent(t.Context(), b.last(address("Maier")).ID, referee.Delivery{State: store.MailFailed, Answer: answer, At: b.now}))
	}
	failed("550 5.1.8 <gm@liga.example>: Sender address rejected: Domain not found")
	failed("550 5.1.8 again") // given up already: nothing is told twice
	b.want(b.receive(bounceOf(b.returnPath(b.last(address("Müller"))), "5.7.26")), referee.Dropped)
	if diff := cmp.Diff([]string{"refused", "returned"}, b.told()); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	_, err := b.Close(t.Context(), "liga", 0)
	b.must(err)
	for _, name := range []string{"Müller", "Maier"} {
		if got := b.last(address(name)); got.Kind != "report" {
			t.Errorf("%s gets no report", name)
		}
	}
	failed("550 5.2.1 mailbox disabled")
	failed("550 5.2.1 mailbox disabled, again")
	if got := b.told()[2:]; !slices.Equal(got, []string{"bounced", "refused"}) {
		t.Errorf("told of a closed mailbox: %v", got)
	}
}

// A relay that takes nothing would send the game master as many mails as it has
// refused.
func TestManyRefusedMails(t *testing.T) {
	b := newBench(t)
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("Boxer %d", i))
	}
	b.league("liga", "address", names...)
	var ids []int64
	for _, n := range names {
		id := b.last(address(n)).ID
		ids = append(ids, id)
		b.must(b.Sent(t.Context(), id, referee.Delivery{State: store.MailFailed, Answer: "554 5.7.1 Relay access denied", At: b.now}))
	}
	told := b.told()
	if len(told) != 21 || told[19] != "refused" || told[20] != "refusals" {
		t.Errorf("told: %v", told)
	}
	// Once the relay is mended all go out, and what was given up long ago does not.
	b.now = b.now.Add(49 * time.Hour)
	b.must(b.Sent(t.Context(), b.last("boss@liga.example").ID, referee.Delivery{State: store.MailFailed, Answer: "554 5.7.1 Relay access denied", At: b.now}))
	n, err := b.QueueFailed(t.Context(), b.now.Add(-48*time.Hour))
	b.must(err)
	if n != 1 {
		t.Errorf("%d mails queued again", n)
	}
	if n, err = b.QueueFailed(t.Context(), b.now.Add(-50*time.Hour)); err != nil || n != 30 {
		t.Errorf("%d mails queued again, %v", n, err)
	}
	due, err := b.OutboxDue(t.Context(), b.now, 1000)
	b.must(err)
	for _, id := range ids {
		if !slices.ContainsFunc(due, func(o store.Outgoing) bool { return o.ID == id }) {
			t.Errorf("mail %d does not go out", id)
		}
	}
}

func TestUnsubscribePausesReportsOnly(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	start := b.last(address("Müller"))
	link := start.header.Get("List-Unsubscribe")
	if !strings.HasPrefix(link, "<mailto:"+gm+"?subject=BERICHTE%20AUS%20") {
		t.Fatalf("List-Unsubscribe: %s", link)
	}
	subject := strings.NewReplacer("%20", " ", "%5B", "[", "%5D", "]").Replace(strings.TrimSuffix(strings.TrimPrefix(link, "<mailto:"+gm+"?subject="), ">"))
	b.want(b.receive(b.letter(address("Müller"), subject, "\n")), referee.Taken)
	_, err := b.Close(t.Context(), "liga", 0)
	b.must(err)
	if got := b.last(address("Müller")); got.Kind == "report" {
		t.Error("the report comes all the same")
	}
	seats, err := b.Seats(t.Context(), "liga")
	b.must(err)
	if seats[0].State != store.SeatPlaying {
		t.Errorf("he has left the game: %+v", seats[0])
	}
}

func TestTheDeadlineIsACalendarsEvent(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	start := b.last(address("Müller"))
	if !strings.Contains(start.raw, "text/calendar") {
		t.Fatalf("no event in\n%s", start.raw)
	}
	b.must(b.Pause(t.Context(), "liga"))
	b.now = b.now.Add(24 * time.Hour)
	b.must(b.Resume(t.Context(), "liga"))
	if got := b.last(address("Müller")); !strings.Contains(got.raw, "text/calendar") {
		t.Errorf("no event when the game goes on:\n%s", got.raw)
	}
}

// TestMovedDeadline: whoever plays is told the new deadline, what comes before it is
// in time, and a deadline that has passed stays.
func TestMovedDeadline(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	old, until := at("2026-12-06T19:00:00Z"), at("2026-12-27T19:00:00Z")
	move := func(in referee.Moving) (time.Time, error) { return b.MoveDeadline(t.Context(), "liga", in) }
	due, err := move(referee.Moving{Until: until})
	if b.must(err); !due.Equal(until) {
		t.Fatalf("the deadline is %v", due)
	}
	said := func(p *post) string { return strings.Join(strings.Fields(b.text(p)), " ") }
	got := b.last(address("Müller"))
	if text := said(got); !strings.Contains(text, "Der neue: Sonntag, 27. Dezember 2026, 20:00 Uhr (MEZ).") || !strings.Contains(got.raw, "text/calendar") {
		t.Errorf("he reads\n%s", got.raw)
	}
	n := len(b.posted(address("Müller")))
	if _, err := move(referee.Moving{Until: until}); err != nil || len(b.posted(address("Müller"))) != n {
		t.Errorf("the same deadline once more: %v, %d mails", err, len(b.posted(address("Müller")))-n)
	}

	b.now = old.Add(time.Hour)
	if closed, err := b.CloseDue(t.Context()); err != nil || len(closed) != 0 {
		t.Fatalf("closed at the old deadline: %+v, %v", closed, err)
	}
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Taken)

	b.now = until
	if _, err := move(referee.Moving{Until: until.Add(time.Hour)}); err == nil {
		t.Error("a deadline that has passed was moved")
	}
	closed, err := b.CloseDue(t.Context())
	if b.must(err); len(closed) != 1 || closed[0].NMR != 1 || !closed[0].Next.Equal(at("2027-01-03T19:00:00Z")) {
		t.Errorf("closed: %+v", closed)
	}

	monday, byHand := "0 20 * * MON", ""
	if due, err := move(referee.Moving{Calendar: &monday}); err != nil || !due.Equal(at("2026-12-28T19:00:00Z")) {
		t.Errorf("on Mondays: %v, %v", due, err)
	}
	if due, err := move(referee.Moving{TZ: "Atlantic/Azores"}); err != nil || !due.Equal(at("2026-12-28T21:00:00Z")) {
		t.Errorf("on the Azores: %v, %v", due, err)
	}
	b.now = b.now.Add(time.Minute)
	due, err = move(referee.Moving{Calendar: &byHand})
	if text := said(b.last(address("Müller"))); err != nil || !due.IsZero() || !strings.Contains(text, "Der Termin ist aufgehoben") {
		t.Errorf("by hand: %v, %v\n%s", due, err, text)
	}
	v, err := b.Verify(t.Context(), "liga")
	if b.must(err); v.Difference != nil || v.Rounds != 1 {
		t.Errorf("verify: %+v", v)
	}
}

// TestTooLateForAnEarlyClose: who writes for a round that the game master closed before
// its deadline is not told that a deadline was missed which is still to come.
func TestTooLateForAnEarlyClose(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	_, err := b.Close(t.Context(), "liga", 1)
	b.must(err)
	b.want(b.write("Müller", "NAME Müller\nSPIELRUNDE 1\n"+goodZug), referee.Refused)
	text := strings.Join(strings.Fields(b.text(b.last(address("Müller")))), " ")
	if !strings.Contains(text, "Der Spielleiter hat sie schon ausgewertet, am Dienstag, 1. Dezember 2026, 13:00 Uhr (MEZ).") || strings.Contains(text, "Der Termin war") {
		t.Errorf("he reads\n%s", text)
	}
}

// TestAnotherAddress: what was given up goes to the new address, the old one is a
// stranger's, and nobody gets what is another player's.
func TestAnotherAddress(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	wrong, right := address("Müller"), "jm@new.example"
	start := b.last(wrong)
	b.must(b.SetOutgoing(t.Context(), start.ID, store.MailDropped))
	b.write("Müller", "STAND\n") // its answer waits

	set := func(addresses ...string) error { return b.SetAddresses(t.Context(), "liga", "mueller", addresses) }
	for _, bad := range [][]string{{address("Maier")}, {gm}, {"jm@new.example", address("Maier")}} {
		if err := set(bad...); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	b.must(set(right, "JM@new.example", "second@new.example"))
	seats, err := b.Seats(t.Context(), "liga")
	b.must(err)
	if got := strings.Join(seats[0].Addresses, " "); got != right+" second@new.example" {
		t.Errorf("his addresses: %s", got)
	}
	for _, p := range b.posted(right) {
		if p.State == store.MailDropped {
			t.Errorf("what was dropped goes out to %s", right)
		}
	}
	if len(b.posted(right)) != 1 {
		t.Errorf("%d mails go to the new address", len(b.posted(right)))
	}
	b.want(b.receive(b.letter(wrong, start.Subject, "NAME Müller\n"+goodZug)), referee.Dropped)
	b.want(b.receive(b.letter("second@new.example", "Re: "+start.Subject, "NAME Müller\n"+goodZug)), referee.Taken)
}

// TestAnnouncement: all players are told once, whoever waits to enter as well, and no
// line of it can be read as an order.
func TestAnnouncement(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	for name, addr := range map[string]string{"Rocky": "new@players.example", "Zweiter": address("Müller")} {
		_, err := b.AddSeat(t.Context(), referee.Seating{Game: "liga", Name: name, Addresses: []string{addr}})
		b.must(err)
	}
	b.now = b.now.Add(time.Minute)
	n, err := b.Announce(t.Context(), "liga", "\n  Frohe Weihnachten!\r\nNAME Müller\n"+goodZug+"\n\x00Euer Spielleiter\n\n")
	if b.must(err); n != 3 {
		t.Errorf("%d mails", n)
	}
	got := b.last("new@players.example")
	if text := b.text(got); !strings.HasPrefix(got.Subject, "Ein Wort vom Spielleiter: Liga") || !strings.Contains(text, "\n| Frohe Weihnachten!\n| NAME Müller\n| ") || strings.ContainsRune(text, 0) {
		t.Errorf("%s\n%s", got.Subject, text)
	}
	for _, empty := range []string{"", " \n\t\n"} {
		if _, err := b.Announce(t.Context(), "liga", empty); err == nil {
			t.Errorf("%q was announced", empty)
		}
	}
	if _, err := b.Announce(t.Context(), "liga", strings.Repeat("a", 3001)); err == nil {
		t.Error("a book was announced")
	}
}

func TestDigest(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	b.must(b.Chores(t.Context()))
	b.now = b.now.Add(25 * time.Hour)
	b.must(b.Chores(t.Context()))
	if got := b.posted("boss@liga.example"); len(got) != 0 {
		t.Fatalf("a digest of nothing: %+v", got[0])
	}
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Held)
	b.now = b.now.Add(25 * time.Hour)
	for range 3 {
		b.must(b.Chores(t.Context()))
	}
	got := b.posted("boss@liga.example")
	if len(got) != 1 || !strings.Contains(b.text(got[0]), "1  warten auf eine Bestätigung") {
		t.Errorf("%d digests", len(got))
	}
	b.want(b.receive(b.letter("new@somewhere.example", "Hi", "May I play, too?\n")), referee.Dropped)
	b.now = b.now.Add(25 * time.Hour)
	b.must(b.Chores(t.Context()))
	if text := b.text(b.last("boss@liga.example")); !strings.Contains(text, "1  kamen von Fremden und blieben ohne Antwort") {
		t.Errorf("who would like to play is not heard of:\n%s", text)
	}
	// The game master has commands; the players' lines are nothing to him.
	if text := b.text(got[0]); strings.Contains(text, "HILFE") || !strings.Contains(text, "ringpost help") {
		t.Errorf("it ends as for a player:\n%s", text)
	}
}

// TestClockSetBack: what was queued while the clock was fast goes out when it is set,
// and the days' digests go on.
func TestClockSetBack(t *testing.T) {
	b := newBench(t)
	b.must(b.Chores(t.Context()))
	right := b.now
	b.now = right.AddDate(10, 0, 0)
	b.must(b.Chores(t.Context()))
	b.league("liga", "token", "Müller", "Maier")
	due := func() []store.Outgoing {
		t.Helper()
		out, err := b.OutboxDue(t.Context(), b.now, 100)
		b.must(err)
		return out
	}
	ahead := due()
	if len(ahead) == 0 {
		t.Fatal("nothing is queued")
	}
	// One was tried, and put off by a minute.
	b.must(b.store.MarkAttempt(t.Context(), ahead[0].ID, b.now))
	b.must(b.Sent(t.Context(), ahead[0].ID, referee.Delivery{State: store.MailQueued, At: b.now, Next: b.now.Add(time.Minute)}))
	b.now = right.Add(time.Hour)
	if n := len(due()); n != 0 {
		t.Fatalf("%d mails are due before their time", n)
	}
	b.must(b.Chores(t.Context()))
	if n := len(due()); n != len(ahead) {
		t.Errorf("%d mails go out, want %d", n, len(ahead))
	}
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Held)
	b.now = b.now.Add(25 * time.Hour)
	b.must(b.Chores(t.Context()))
	if got := b.posted("boss@liga.example"); len(got) == 0 {
		t.Error("no digest any more")
	}
}

func TestExpiryIsTold(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Held)
	b.want(b.receive(b.letter("new@players.example", "Hi", "ANMELDUNG Rocky\n")), referee.Held)
	b.now = b.now.Add(referee.HoldTime)
	b.must(b.Chores(t.Context()))
	got := b.last(address("Müller"))
	if got.Kind != "notice" {
		t.Errorf("Müller is not told: %+v", got.OutgoingRow)
	}
	text := strings.Join(strings.Fields(b.text(got)), " ")
	for _, want := range []string{"(Dienstag, 1. Dezember 2026, 13:00 Uhr (MEZ))", "mit einem Zug für Müller (liga)"} { // what it was
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said in\n%s", want, text)
		}
	}
	if !strings.HasSuffix(got.Subject, "unbestätigt: liga") {
		t.Errorf("its subject is %q", got.Subject)
	}
	if got := b.posted("new@players.example"); len(got) != 1 {
		t.Errorf("a stranger is written to again")
	}
}

func TestOwnCheckOfSignatures(t *testing.T) {
	b := newBench(t)
	b.set.Signers = func(_ context.Context, raw []byte) []string {
		if strings.Contains(string(raw), "signed") {
			return []string{"players.example"}
		}
		return nil
	}
	b.open(rules.Find)
	b.league("liga", "verified", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Held)
	r := b.write("Müller", "signed\nNAME Müller\n"+goodZug)
	b.want(r, referee.Taken)
	if !strings.Contains(r.Verdict, "own check") {
		t.Errorf("verdict %q", r.Verdict)
	}
}

func TestAFlood(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	before := len(b.posted(address("Müller")))
	for i := range 100 {
		b.want(b.write("Müller", fmt.Sprintf("HILFE\n%d\n", i)), referee.Taken)
	}
	if got := len(b.posted(address("Müller"))) - before; got != 40 {
		t.Errorf("%d answers to a hundred calls for help", got)
	}
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Taken) // orders are answered all the same
	if got := b.last(address("Müller")); got.Kind != "receipt" {
		t.Error("no receipt under the cap")
	}
	for i := range 200 {
		b.receive(b.letter(fmt.Sprintf("spam%d@players.example", i), "Hi", "Buy!\n", pass))
	}
	rows, err := b.Outbox(t.Context(), "")
	b.must(err)
	strangers, alerts := 0, 0
	for _, r := range rows {
		if strings.HasPrefix(r.To, "spam") {
			strangers++
		}
		if r.Kind == "alert" {
			alerts++
		}
	}
	if strangers != 60 || alerts != 2 {
		t.Errorf("%d answers to strangers, %d alerts", strangers, alerts)
	}
}

func TestANewerReceiptReplacesAnUnsentOne(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	for i := range 3 {
		b.now = b.now.Add(time.Hour)
		b.want(b.write("Müller", fmt.Sprintf("NAME Müller\nZUG %d/1 1/1 1/1 1/1 1/1\n", i)), referee.Taken)
	}
	queued := func() (n int) {
		for _, m := range b.posted(address("Müller")) {
			if m.Kind == "receipt" && m.State == store.MailQueued {
				n++
			}
		}
		return n
	}
	last := b.last(address("Müller"))
	if text := b.text(last); queued() != 1 || !strings.Contains(text, "14:00") || !strings.Contains(text, "15:00") {
		t.Errorf("%d receipts wait; the last one:\n%s", queued(), text)
	}
	// Put off by the relay, it has not been sent.
	b.must(b.store.MarkAttempt(t.Context(), last.ID, b.now))
	b.must(b.Sent(t.Context(), last.ID, referee.Delivery{State: store.MailQueued, Answer: "451 later", At: b.now, Next: b.now.Add(time.Minute)}))
	b.want(b.write("Müller", "NAME Müller\nZUG 4/1 1/1 1/1 1/1 1/1\n"), referee.Taken)
	if last = b.last(address("Müller")); queued() != 1 || !strings.Contains(b.text(last), "14:00") {
		t.Errorf("%d receipts wait; the last one:\n%s", queued(), b.text(last))
	}
	b.must(b.store.MarkAttempt(t.Context(), last.ID, b.now)) // it may be on its way
	b.must(b.Sent(t.Context(), last.ID, referee.Delivery{State: store.MailQueued, Answer: "no answer", Ambiguous: true, At: b.now, Next: b.now.Add(time.Minute)}))
	b.want(b.write("Müller", "NAME Müller\nZUG 5/1 1/1 1/1 1/1 1/1\n"), referee.Taken)
	if queued() != 2 {
		t.Errorf("%d receipts wait: one that may have been sent is replaced", queued())
	}
	b.want(b.write("Müller", "NAME Müller\nZUG 6/1 1/1 1/1 1/1 1/1\nENDE\nHILFE\n"), referee.Taken)
	if queued() != 3 {
		t.Errorf("%d receipts wait: one that answers more replaces another", queued())
	}
	if err := b.store.MarkAttempt(t.Context(), b.posted(address("Müller"))[1].ID, b.now); err == nil {
		t.Error("a replaced receipt can be sent")
	}
}

// TestAGameWithNobodyLeft: it closes no rounds for nobody, but waits for the game
// master; and whoever signs up then is not forgotten.
func TestAGameWithNobodyLeft(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	for _, name := range []string{"Müller", "Maier"} {
		b.want(b.write(name, "AUSSTIEG\n"), referee.Taken)
	}
	closeDue := func() []referee.Closed {
		t.Helper()
		b.now = b.now.AddDate(0, 0, 7)
		closed, err := b.CloseDue(t.Context())
		b.must(err)
		return closed
	}
	info := func() referee.GameInfo {
		t.Helper()
		g, err := b.GameInfo(t.Context(), "liga")
		b.must(err)
		return g
	}
	closed := closeDue()
	if len(closed) != 1 || !closed[0].Paused || closed[0].Ended || !closed[0].Next.IsZero() || closed[0].Mails != 2 {
		t.Fatalf("the last round: %+v", closed)
	}
	said := func(p *post) string { return strings.Join(strings.Fields(b.text(p)), " ") }
	if got := said(b.last("boss@liga.example")); !strings.Contains(got, "Nach Runde 1 spielt bei liga niemand mehr mit.") || !strings.Contains(got, "ringpost game resume liga") {
		t.Errorf("the game master reads\n%s", got)
	}
	for range 3 {
		if closed := closeDue(); len(closed) > 0 {
			t.Errorf("a round of nobody is closed: %+v", closed)
		}
	}
	if g := info(); g.State != store.GamePaused || g.Round != 2 || g.Playing != 0 {
		t.Errorf("the game: %+v", g)
	}

	alerts := len(b.posted("boss@liga.example"))
	for i, name := range []string{"Rocky", "Apollo"} { // the second brings no second alert
		addr := address(name)
		b.want(b.receive(b.letter(addr, "Hallo", "ANMELDUNG "+name+"\n")), referee.Held)
		b.want(b.receive(b.letter(addr, "Re: Hallo", "JA "+b.codeFor(addr)+"\n")), referee.Taken)
		if got := b.posted("boss@liga.example"); len(got) != alerts+1 || !strings.Contains(said(got[alerts]), "Eben hat sich jemand angemeldet") {
			t.Errorf("sign-up %d: the game master is told %d things", i+1, len(got)-alerts)
		}
	}
	b.must(b.Resume(t.Context(), "liga"))
	if closed := closeDue(); len(closed) != 1 || closed[0].Paused || closed[0].Next.IsZero() {
		t.Errorf("the round in which they enter: %+v", closed)
	}
	if g := info(); g.State != store.GameRunning || g.Round != 3 || g.Playing != 2 {
		t.Errorf("the game goes on: %+v", g)
	}

	for _, name := range []string{"Rocky", "Apollo"} { // and is told of again when it is empty once more
		b.must(b.RemoveSeat(t.Context(), "liga", name))
	}
	alerts = len(b.posted("boss@liga.example"))
	if closed := closeDue(); len(closed) != 1 || !closed[0].Paused || len(b.posted("boss@liga.example")) != alerts+1 {
		t.Errorf("empty again: %+v", closed)
	}
	v, err := b.Verify(t.Context(), "liga")
	b.must(err)
	if v.Difference != nil || v.Rounds != 3 {
		t.Errorf("verify: %+v", v)
	}
}

// TestOpponentOfTheRemovedIsTold: whose opponent the game master takes out reads at
// once whom he boxes now (SR-34), in every mail until the round is closed; nobody
// else is bothered.
func TestOpponentOfTheRemovedIsTold(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier", "Ali", "Zoë")
	said := func(name string) string { return strings.Join(strings.Fields(b.text(b.last(address(name)))), " ") }
	names := []string{"Müller", "Maier", "Ali", "Zoë"}
	gone, opponent := "Müller", ""
	for _, name := range names {
		if strings.Contains(said(name), "Dein Gegner: "+gone+",") {
			opponent = name
		}
	}
	if opponent == "" {
		t.Fatal("nobody boxes Müller")
	}
	count := map[string]int{}
	for _, name := range names {
		count[name] = len(b.posted(address(name)))
	}
	b.want(b.write(opponent, "NAME "+opponent+"\n"+goodZug), referee.Taken)
	count[opponent]++
	b.must(b.RemoveSeat(t.Context(), "liga", gone))
	for _, name := range names {
		want := count[name]
		if name == gone || name == opponent {
			want++
		}
		if got := len(b.posted(address(name))); got != want {
			t.Errorf("%s has got %d mails, want %d", name, got, want)
		}
	}
	notice := b.last(address(opponent))
	text := said(opponent)
	for _, want := range []string{"Der Spielleiter hat Müller aus dem Spiel genommen: Liga.", "Dein Gegner ist der Dummy.", "ZUG _/_", "Termin: Sonntag, 6. Dezember 2026, 20:00 Uhr (MEZ)."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said in\n%s", want, text)
		}
	}
	if notice.Kind != "notice" || !strings.Contains(notice.Subject, "[liga 1 ") {
		t.Errorf("the notice: %+v", notice.OutgoingRow)
	}
	b.want(b.write(opponent, "NAME "+opponent+"\n"+strings.Replace(goodZug, "2/3", "2/2", 1)), referee.Taken)
	if text := said(opponent); !strings.Contains(text, "Dein Gegner ist der Dummy.") || strings.Contains(text, gone) {
		t.Errorf("the next receipt:\n%s", text)
	}
	_, err := b.Close(t.Context(), "liga", 1)
	b.must(err)
	if text := said(opponent); !strings.Contains(text, "Dummy (10,20)") {
		t.Errorf("the report:\n%s", text)
	}
}
