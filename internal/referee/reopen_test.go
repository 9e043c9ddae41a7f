package referee_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
	"ringpost/internal/proof"
	"ringpost/internal/referee"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// lateLeague is a league of four whose round 1 is closed; a mail of Müller's had
// arrived before the deadline and was seen after the close.
func lateLeague(t testing.TB) *bench {
	b := newBench(t)
	b.playLate()
	return b
}

func (b *bench) playLate() {
	b.Helper()
	b.league("liga", "address", "Müller", "Maier", "Huber", "Kid Thunder")
	b.want(b.write("Maier", "NAME Maier\n"+goodZug), referee.Taken)
	b.want(b.write("Huber", "NAME Huber\nZUG 6/0 3/3 3/4 4/2 3/3\nTRAINING K\n"), referee.Taken)
	b.closeAt("2026-12-06T19:00:01Z")
	b.now = at("2026-12-06T19:30:00Z")
	b.seenLate("Müller", "NAME Müller\n"+goodZug, "2026-12-06T18:59:00Z")
}

func (b *bench) closeAt(when string) {
	b.Helper()
	b.now = at(when)
	closed, err := b.CloseDue(b.Context())
	b.must(err)
	if len(closed) != 1 {
		b.Fatalf("closed %+v", closed)
	}
}

// seenLate is a mail that is too late, whenever it came.
func (b *bench) seenLate(name, body, arrived string) {
	b.Helper()
	b.want(b.receiveAt(b.letter(address(name), "Zug", body), at(arrived)), referee.Refused, "late")
}

func kept() referee.Reopening {
	return referee.Reopening{Game: "liga", Reason: "Die Mail lag im Spam.", Do: true}
}

func anew(until string) referee.Reopening {
	return referee.Reopening{Game: "liga", New: true, Deadline: at(until), Reason: "Die Auslosung war falsch.", Do: true}
}

func (b *bench) reopen(in referee.Reopening) referee.Reopened {
	b.Helper()
	out, err := b.Reopen(b.Context(), in)
	b.must(err)
	return out
}

// refused wants a reopening to be refused, and nothing to be changed by it.
func (b *bench) refused(in referee.Reopening, want string) {
	b.Helper()
	before, mails := b.dump(), b.queued()
	_, err := b.Reopen(b.Context(), in)
	if err == nil || !strings.Contains(err.Error(), want) {
		b.Errorf("refused with %v, want %q", err, want)
	}
	if diff := cmp.Diff(before, b.dump()); diff != "" || mails != b.queued() {
		b.Errorf("what was refused has changed something:\n%s", diff)
	}
}

func (b *bench) queued() int {
	b.Helper()
	rows, err := b.Outbox(b.Context(), "")
	b.must(err)
	return len(rows)
}

// verified wants all rounds to be recomputed, by the secret and as the public can.
func (b *bench) verified(id string) {
	b.Helper()
	v, err := b.Verify(b.Context(), id)
	b.must(err)
	if v.Difference != nil {
		b.Errorf("verify: %s", v.Difference)
	}
	doc, err := b.Export(b.Context(), id, true)
	b.must(err)
	raw, err := json.Marshal(doc)
	b.must(err)
	doc, err = proof.Parse(raw)
	b.must(err)
	v, err = proof.Verify(doc, rules.Find)
	b.must(err)
	if v.Difference != nil {
		b.Errorf("verify of the public export: %s", v.Difference)
	}
}

// sentOff sends all that is queued.
func (b *bench) sentOff() {
	b.Helper()
	rows, err := b.Outbox(b.Context(), store.MailQueued)
	b.must(err)
	for _, r := range rows {
		b.must(b.store.MarkAttempt(b.Context(), r.ID, b.now))
		b.must(b.Sent(b.Context(), r.ID, referee.Delivery{State: store.MailSent, At: b.now}))
	}
}

func (b *bench) steps(id string, branch int) (out []store.Step) {
	b.Helper()
	b.must(b.store.Read(b.Context(), func(tx *store.Tx) (err error) {
		out, err = tx.Steps(id, branch)
		return err
	}))
	return out
}

func (b *bench) stateOf(id, name string) string {
	b.Helper()
	seats, err := b.Seats(b.Context(), id)
	b.must(err)
	for _, s := range seats {
		if s.Name == name {
			return s.State
		}
	}
	return "no seat"
}

// says wants the newest mail to a player to say some words and not others.
func (b *bench) tells(name string, want []string, not ...string) {
	b.Helper()
	p := b.last(address(name))
	text := joined(p.Subject + "\n" + b.text(p))
	for _, w := range want {
		if !strings.Contains(text, joined(w)) {
			b.Errorf("%s is not told %q:\n%s\n%s", name, w, p.Subject, b.text(p))
		}
	}
	for _, n := range not {
		if strings.Contains(text, joined(n)) {
			b.Errorf("%s is told %q:\n%s", name, n, b.text(p))
		}
	}
}

// The round is decided again by the same dice, with everybody's orders and the one
// that was seen too late; everything else about the open round stays.
func TestARoundIsDecidedAgain(t *testing.T) {
	b := lateLeague(t)
	if text := joined(b.text(b.last("boss@liga.example"))); !strings.Contains(text, "ringpost round reopen liga --round 1 --reason 'WARUM' --yes") {
		t.Errorf("the game master is told\n%s", text)
	}
	b.want(b.write("Maier", "NAME Maier\nZUG 1/1 1/1 1/1 1/1 1/1\nTRAINING T\n"), referee.Taken)
	old := b.steps("liga", 0)

	in := kept()
	in.Do = false
	before, mails := b.dump(), b.queued()
	shown := b.reopen(in)
	if diff := cmp.Diff(before, b.dump()); diff != "" || mails != b.queued() {
		t.Errorf("to show it has changed something:\n%s", diff)
	}
	did := b.reopen(kept())
	if !did.Done || shown.Done {
		t.Error("done is wrong")
	}
	if shown.Done = true; cmp.Diff(shown, did) != "" {
		t.Errorf("not as shown:\n%s", cmp.Diff(shown, did))
	}
	due := at("2026-12-13T19:00:00Z")
	want := referee.Reopened{Game: "liga", Round: 1, Done: true, Branch: 1, Reason: "Die Mail lag im Spam.",
		Letters: []referee.LateMail{{Mail: 3, Seat: "Müller", Received: at("2026-12-06T18:59:00Z"), Seen: b.now, Orders: []string{"ZUG 2/3 3/0 2/2 0/5 3/1", "TRAINING T"}, Counts: true}},
		Changed: []referee.Change{{Seat: "Müller", Slot: "moves", Old: []string{}, New: []string{"ZUG 2/3 3/0 2/2 0/5 3/1", "TRAINING T"}}},
		Void:    []int{1},
		OnFile:  []referee.CarryOver{{Seat: "Maier", Round: 2, Slot: "moves", Kept: []string{"ZUG 1/1 1/1 1/1 1/1 1/1", "TRAINING T"}, Lost: []string{}}},
		Seats:   []referee.SeatMove{}, Mails: 4, Unsent: 5, Open: 2, Deadline: &due, State: "running"}
	if diff := cmp.Diff(want, did); diff != "" {
		t.Error(diff)
	}

	steps := b.steps("liga", 1)
	if len(steps) != 1 || len(b.steps("liga", 0)) != 2 {
		t.Fatalf("%d new steps", len(steps))
	}
	void, again := old[1], steps[0]
	if again.Round != 1 || again.Seed != void.Seed || again.Next != void.Next || !again.Deadline.Equal(void.Deadline) || again.Hash == void.Hash {
		t.Errorf("decided again as %+v, it was %+v", again, void)
	}
	var was, is rules.Inputs
	b.must(json.Unmarshal(void.Inputs, &was))
	b.must(json.Unmarshal(again.Inputs, &is))
	if len(was.Orders) != 2 || len(is.Orders) != 3 || is.Orders[0].Seat != "s1" || cmp.Diff(was.Orders, is.Orders[1:]) != "" {
		t.Errorf("decided by %s, it was by %s", again.Inputs, void.Inputs)
	}
	b.tells("Müller", []string{"[liga 2", "Berichtigt: Bericht zu Runde 1", "Dies ist der Bericht zu Runde 1, der gilt.", "| Die Mail lag im Spam.",
		"Deine Mail vom Sonntag, 6. Dezember 2026, 19:59 Uhr (MEZ) war zu spät gesehen worden; jetzt zählt sie.", "Runde 2: Dein Zug"}, "Ohne Zug: Müller")
	b.tells("Maier", []string{"Für Runde 2 liegt vor und gilt, wenn du nichts anderes schickst: | ZUG 1/1 1/1 1/1 1/1 1/1 | TRAINING T"}, "nicht mehr vor")
	b.tells("Huber", []string{"Berichtigt: "}, "liegt vor und gilt")
	if got := b.onFile("liga", "Maier"); got != "good: ZUG 1/1 1/1 1/1 1/1 1/1, TRAINING T" {
		t.Errorf("on file: %s", got)
	}
	b.verified("liga")

	// A second time there is nothing to do it for.
	b.refused(kept(), "there is nothing to decide round 1 of liga again for")

	// The game goes on by the seed that was announced.
	b.closeAt("2026-12-13T19:00:01Z")
	next := b.steps("liga", 1)[1]
	if next.Round != 2 || !strings.Contains(string(next.Inputs), `"1/1"`) && !strings.Contains(string(next.Inputs), `"s2"`) {
		t.Errorf("round 2 went by %s", next.Inputs)
	}
	b.tells("Müller", []string{"Bericht zu Runde 2"}, "Berichtigt", "der gilt", "neu gewürfelt")
	b.verified("liga")
	b.refused(referee.Reopening{Game: "liga", Round: 1, Reason: "x"}, "round 1 of liga is not the one closed last, which is 2")
}

// A round that is open for new orders gets new dice, which are announced before.
func TestARoundIsOpenForNewOrders(t *testing.T) {
	b := lateLeague(t)
	b.sentOff()
	b.want(b.write("Maier", "NAME Maier\nSPIELRUNDE 2\nZUG 1/1 1/1 1/1 1/1 1/1\nTRAINING T\n"), referee.Taken)
	did := b.reopen(anew("2026-12-08T19:00:00Z"))
	if did.Round != 1 || did.Branch != 1 || did.Mails != 4 || did.Unsent != 1 || did.Open != 1 || !did.Deadline.Equal(at("2026-12-08T19:00:00Z")) {
		t.Errorf("%+v", did)
	}
	b.verified("liga")
	for _, name := range []string{"Müller", "Maier", "Huber", "Kid Thunder"} {
		b.tells(name, []string{"[liga 1", "Runde 1 ist wieder offen", "| Die Auslosung war falsch.", "Der neue Termin: Dienstag, 8. Dezember 2026, 20:00 Uhr (MEZ)",
			"Niemand zieht gegen Würfe, die er schon kennt.", did.Commits, "Runde 1: Dein Zug"})
	}
	b.tells("Maier", []string{"Für Runde 1 liegt vor", "| ZUG 2/3 3/0 2/2 0/5 3/1", "Für Runde 2 liegt vor", "| ZUG 1/1 1/1 1/1 1/1 1/1"})
	b.tells("Müller", []string{"jetzt zählt sie", "Für Runde 1 liegt vor"}, "kennt deinen Zug") // the one that was seen too late is on file
	b.tells("Huber", []string{"Wer den alten Bericht hat, kennt deinen Zug von damals"})
	b.tells("Kid Thunder", nil, "liegt vor", "kennt deinen Zug")
	if got := b.onFile("liga", "Huber"); got != "good: ZUG 6/0 3/3 3/4 4/2 3/3, TRAINING K" {
		t.Errorf("on file: %s", got)
	}
	// The same command again does not go on to an earlier round.
	b.refused(anew("2026-12-08T19:00:00Z"), "round 1 of liga is open again already")
	in := anew("2026-12-08T19:00:00Z")
	in.Round = 1
	b.refused(in, "round 1 of liga is not closed: orders for it are taken")

	b.want(b.write("Huber", "NAME Huber\nZUG 5/1 3/3 3/4 4/2 3/3\nTRAINING K\n"), referee.Taken, "taken")
	b.closeAt("2026-12-08T19:00:01Z")
	step := b.steps("liga", 1)[0]
	if proof.Sum(unhex(t, step.Seed)) != did.Commits || step.Seed == b.steps("liga", 0)[1].Seed || !strings.Contains(string(step.Inputs), "5/1") {
		t.Errorf("round 1 went by %s and %s", step.Seed, step.Inputs)
	}
	b.tells("Müller", []string{"Berichtigt: ", "Die Runde war für neue Züge noch einmal offen, und es ist neu gewürfelt worden", "| Die Auslosung war falsch.",
		"Ihre Prüfsumme stand schon in der Mail, mit der die Runde noch einmal eröffnet wurde."})
	// The calendar goes on, and so does what Maier sent for round 2.
	info, err := b.GameInfo(t.Context(), "liga")
	b.must(err)
	if info.Round != 2 || !info.Due.Equal(at("2026-12-13T19:00:00Z")) || len(info.Reopened) != 1 {
		t.Errorf("%+v", info)
	}
	if got := b.onFile("liga", "Maier"); got != "good: ZUG 1/1 1/1 1/1 1/1 1/1, TRAINING T" {
		t.Errorf("on file: %s", got)
	}
	b.verified("liga")
	b.must(b.End(t.Context(), "liga"))
	b.verified("liga")
	b.refused(anew("2027-12-08T19:00:00Z"), "game liga has ended and its secret has been revealed")
}

func unhex(t *testing.T, s string) (out []byte) {
	t.Helper()
	if _, err := fmt.Sscanf(s, "%x", &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhatCannotBeReopened(t *testing.T) {
	b := newBench(t)
	b.must(b.NewGame(t.Context(), store.Game{ID: "neu", Ruleset: "sugarray", Lang: "de", TZ: "Europe/Berlin", Trust: "address"}))
	b.refused(referee.Reopening{Game: "neu", Reason: "x", Do: true}, "game neu has not begun")
	b.playLate()
	b.refused(referee.Reopening{Game: "nord", Reason: "x", Do: true}, `game "nord": not found`)
	in := kept()
	in.Reason = " \t\n"
	b.refused(in, "give the reason")
	for round, want := range map[int]string{2: "round 2 of liga is not closed", 3: "round 3 of liga has not been played; the one closed last is 1", -1: "the draw at the start cannot be reopened"} {
		in := kept()
		in.Round = round
		b.refused(in, want)
	}
	b.refused(anew("2026-12-01T12:00:00Z"), "the deadline 2026-12-01T12:00:00Z has passed")
	// The open round is due: it must not close before anybody has read of it.
	b.now = at("2026-12-13T19:00:00Z")
	b.refused(kept(), "the deadline of round 2 of liga has come")
	b.must(b.Pause(t.Context(), "liga"))
	did := b.reopen(kept())
	if did.State != store.GamePaused || did.Open != 2 || did.Deadline != nil {
		t.Errorf("%+v", did)
	}
	b.must(b.Resume(t.Context(), "liga"))
	b.verified("liga")

	b2 := newBench(t)
	b2.league("liga", "address", "Müller", "Maier")
	b2.refused(kept(), "no round of liga has been closed yet")
	b2.closeAt("2026-12-06T19:00:01Z")
	b2.refused(kept(), "nothing to decide")
	// What arrived when the round was closed is no reason, nor what names another one.
	b2.seenLate("Müller", "NAME Müller\n"+goodZug, "2026-12-06T19:00:00Z")
	b2.refused(kept(), "nothing to decide")
}

// A round that was closed early is frozen by its close: its dice have been told since.
func TestWhatCameAfterAnEarlyCloseIsNoReason(t *testing.T) {
	for _, deadline := range []string{"0 20 * * SUN", ""} {
		b := newBench(t)
		b.must(b.NewGame(t.Context(), store.Game{ID: "liga", Ruleset: "sugarray", Title: "Liga", Lang: "de", Deadline: deadline, TZ: "Europe/Berlin", Trust: "address", Secret: [32]byte{9}}))
		for _, n := range []string{"Müller", "Maier", "Huber"} {
			b.seat("liga", n)
		}
		_, err := b.Start(t.Context(), "liga")
		b.must(err)
		b.now = at("2026-12-03T12:00:00Z")
		_, err = b.Close(t.Context(), "liga", 1)
		b.must(err)
		b.now = at("2026-12-04T12:00:00Z")
		late := "NAME %s\nSPIELRUNDE 1\n" + goodZug
		b.want(b.write("Müller", fmt.Sprintf(late, "Müller")), referee.Refused, "late")
		b.refused(kept(), "nothing to decide")
		b.seenLate("Maier", fmt.Sprintf(late, "Maier"), "2026-12-03T11:59:00Z")
		did := b.reopen(kept())
		if len(did.Letters) != 1 || did.Letters[0].Seat != "Maier" {
			t.Errorf("%+v", did.Letters)
		}
		// Nor is what came between the first close and the second.
		b.now = at("2026-12-05T12:00:00Z")
		b.seenLate("Huber", fmt.Sprintf(late, "Huber"), "2026-12-03T12:30:00Z")
		b.refused(kept(), "nothing to decide")
		b.seenLate("Huber", fmt.Sprintf(late, "Huber"), "2026-12-03T11:30:00Z")
		if did := b.reopen(kept()); did.Branch != 2 || len(did.Letters) != 1 || did.Letters[0].Seat != "Huber" {
			t.Errorf("%+v", did)
		}
		b.verified("liga")
	}
}

// The last word before the deadline counts, whenever it was seen; a mistake replaces
// nothing good (G-3, G-7).
func TestG3TheLastGoodOrdersCountInADecisionMadeAgain(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier", "Huber")
	b.want(b.receiveAt(b.letter(address("Maier"), "Zug", "NAME Maier\nZUG 1/1 1/1 1/1 1/1 1/1\nTRAINING T\n"), at("2026-12-05T12:00:00Z")), referee.Taken)
	b.closeAt("2026-12-06T19:00:01Z")
	b.seenLate("Maier", "NAME Maier\nZUG 2/2 2/2 2/2 2/2 2/2\nTRAINING T\n", "2026-12-05T11:00:00Z") // earlier
	b.refused(kept(), "nothing to decide")
	b.seenLate("Maier", "NAME Maier\nZUG 2/2 2/2 x 2/2 2/2\nTRAINING T\n", "2026-12-05T13:00:00Z") // a mistake
	b.refused(kept(), "nothing to decide")
	b.seenLate("Maier", "NAME Maier\nZUG 3/3 3/3 3/3 3/3 3/3\nTRAINING T\n", "2026-12-05T14:00:00Z")
	did := b.reopen(kept())
	want := []referee.Change{{Seat: "Maier", Slot: "moves", Old: []string{"ZUG 1/1 1/1 1/1 1/1 1/1", "TRAINING T"}, New: []string{"ZUG 3/3 3/3 3/3 3/3 3/3", "TRAINING T"}}}
	if diff := cmp.Diff(want, did.Changed); diff != "" {
		t.Error(diff)
	}
	var counts []bool
	for _, m := range did.Letters {
		counts = append(counts, m.Counts)
	}
	if !slices.Equal(counts, []bool{false, true}) {
		t.Errorf("%+v", did.Letters)
	}
	b.verified("liga")
}

// Without orders that were seen too late, a decision made again would come to the same.
func TestADecisionMadeAgainByTheSameOrdersComesToTheSame(t *testing.T) {
	b := lateLeague(t)
	b.reopen(kept())
	x := b.steps("liga", 1)[0]
	doc, err := b.Export(t.Context(), "liga", false)
	b.must(err)
	r, err := rules.Find("sugarray")
	b.must(err)
	table, err := r.Open(b.steps("liga", 0)[0].State)
	b.must(err)
	var in rules.Inputs
	b.must(json.Unmarshal(b.steps("liga", 0)[1].Inputs, &in))
	at := proof.AtKept([32]byte{9}, "liga", 1, 0, 1)
	made, err := proof.Advance(table, in, at)
	b.must(err)
	if string(made.State) != string(b.steps("liga", 0)[1].State) || string(made.State) == string(x.State) {
		t.Error("the same orders and dice come to another state")
	}
	if len(doc.Reopened) != 1 || len(doc.Reopened[0].Void) != 1 || len(doc.Steps) != 2 {
		t.Errorf("exported %d reopenings", len(doc.Reopened))
	}
}

// A reply to a report that no longer counts still comes from whom it went to, and its
// orders are for the round they were written for.
func TestG6RepliesToAVoidReportAreKnown(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier", "Huber")
	b.closeAt("2026-12-06T19:00:01Z")
	void := b.last(address("Müller")).Subject
	b.now = at("2026-12-06T20:00:00Z")
	b.want(b.receiveAt(b.letter(address("Maier"), "Re: "+b.posted(address("Maier"))[0].Subject, "NAME Maier\n"+goodZug), at("2026-12-06T18:00:00Z")), referee.Refused, "late")
	b.reopen(kept())
	b.want(b.receive(b.letter(address("Müller"), "Re: "+void, "NAME Müller\n"+goodZug)), referee.Taken, "taken")
	b.reopen(anew("2026-12-09T19:00:00Z"))
	// Round 1 is open now; what answers a report on it is for round 2.
	b.want(b.receive(b.letter(address("Müller"), "Re: "+void, "NAME Müller\nZUG 1/1 1/1 1/1 1/1 1/1\nTRAINING K\n")), referee.Taken, "early")
	first := b.posted(address("Müller"))[0].Subject
	b.want(b.receive(b.letter(address("Müller"), "Re: "+first, "NAME Müller\nZUG 2/1 1/1 1/1 1/1 1/1\nTRAINING K\n")), referee.Taken, "taken")
	b.want(b.receive(b.letter(address("Maier"), "Re: "+first, "NAME Maier\n"+goodZug)), referee.Held) // somebody else's
	b.closeAt("2026-12-09T19:00:01Z")
	if got := b.onFile("liga", "Müller"); got != "good: ZUG 1/1 1/1 1/1 1/1 1/1, TRAINING K" {
		t.Errorf("on file: %s", got)
	}
	b.verified("liga")
}

// Who has orders on file from before is not reminded of a round that is open again, nor
// is anybody as soon as it begins.
func TestRemindersOfARoundThatIsOpenAgain(t *testing.T) {
	b := lateLeague(t)
	b.sentOff()
	reminded := func() (out []string) {
		b.must(b.Chores(t.Context()))
		rows, err := b.Outbox(t.Context(), store.MailQueued)
		b.must(err)
		for _, r := range rows {
			if r.Kind == "reminder" {
				out = append(out, r.To)
			}
		}
		return out
	}
	b.reopen(anew("2026-12-07T12:00:00Z"))
	if got := reminded(); len(got) > 0 {
		t.Errorf("reminded at once: %v", got)
	}
	b.now = at("2026-12-07T12:00:00Z")
	b.closeAt("2026-12-07T12:00:01Z")
	b.sentOff()
	b.reopen(anew("2026-12-10T12:00:00Z"))
	b.now = at("2026-12-09T13:00:00Z")
	if got := reminded(); !slices.Equal(got, []string{address("Kid Thunder")}) {
		t.Errorf("reminded: %v", got)
	}
}

// Where no tag says it, what came after the close that is void was for the round behind.
func TestG9WhatCameWhileTheRoundWasClosedIsForTheNextOne(t *testing.T) {
	b := lateLeague(t)
	b.reopen(anew("2026-12-08T19:00:00Z"))
	b.now = at("2026-12-06T21:00:00Z")
	b.want(b.receiveAt(b.letter(address("Huber"), "Zug", "NAME Huber\n"+goodZug), at("2026-12-06T19:20:00Z")), referee.Taken, "early")
	b.want(b.receiveAt(b.letter(address("Maier"), "Zug", "NAME Maier\n"+goodZug), at("2026-12-06T18:20:00Z")), referee.Taken)
	b.want(b.receive(b.letter(address("Huber"), "Zug", "NAME Huber\n"+goodZug)), referee.Taken, "taken")
}

// Who entered by a close that is void waits again; who left by it takes part again, and
// leaves then. What was decided since stays.
func TestSeatsAfterAReopening(t *testing.T) {
	play := func(in referee.Reopening) (*bench, referee.Reopened) {
		b := newBench(t)
		b.league("liga", "address", "Müller", "Maier", "Huber", "Kid Thunder", "Rocky")
		b.seat("liga", "Rookie") // enters by the close
		b.want(b.write("Maier", "NAME Maier\n"+goodZug+"AUSSTIEG\n"), referee.Taken)
		b.must(b.RemoveSeat(t.Context(), "liga", "Rocky"))
		b.closeAt("2026-12-06T19:00:01Z")
		b.now = at("2026-12-06T20:00:00Z")
		b.seenLate("Müller", "NAME Müller\n"+goodZug, "2026-12-06T18:00:00Z")
		b.seat("liga", "Spät") // signs up since
		b.want(b.write("Huber", "AUSSTIEG\n"), referee.Taken)
		b.must(b.RemoveSeat(t.Context(), "liga", "Kid Thunder"))
		did := b.reopen(in)
		b.verified("liga")
		return b, did
	}
	want := func(b *bench, states map[string]string) {
		t.Helper()
		for name, state := range states {
			if got := b.stateOf("liga", name); got != state {
				t.Errorf("%s is %s, want %s", name, got, state)
			}
		}
	}
	since := map[string]string{"Müller": "playing", "Maier": "left", "Huber": "leaving", "Kid Thunder": "removed", "Rocky": "left", "Rookie": "playing", "Spät": "waiting"}
	b, did := play(kept())
	if want(b, since); len(did.Seats) > 0 {
		t.Errorf("moved %+v", did.Seats)
	}
	b, _ = play(anew("2026-12-08T19:00:00Z"))
	want(b, map[string]string{"Müller": "playing", "Maier": "leaving", "Huber": "leaving", "Kid Thunder": "removed", "Rocky": "removed", "Rookie": "waiting", "Spät": "waiting"})
	b.tells("Rookie", []string{"Runde 1 ist wieder offen", "Rookie kommt dazu, sobald diese Runde ausgewertet ist"}, "Du kannst für sie wieder ziehen", "Dein Zug")
	if p := b.last(address("Spät")); p.Kind != "notice" || strings.Contains(b.text(p), "noch einmal eröffnet") {
		t.Errorf("Spät gets\n%s", b.text(p))
	}
	b.closeAt("2026-12-08T19:00:01Z")
	want(b, map[string]string{"Müller": "playing", "Maier": "left", "Huber": "left", "Kid Thunder": "left", "Rocky": "left", "Rookie": "playing", "Spät": "playing"})
	b.verified("liga")
}

// Each report on a round that was played before names the reopening that is why, and
// where its dice were bound.
func TestReportsNameTheirReopening(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier", "Huber")
	b.closeAt("2026-12-06T19:00:01Z")
	b.closeAt("2026-12-13T19:00:01Z")
	in := anew("2026-12-15T19:00:00Z")
	in.Round = 1
	b.reopen(in)
	b.closeAt("2026-12-15T19:00:01Z")
	anew, before := "Ihre Prüfsumme stand schon in der Mail, mit der die Runde noch einmal eröffnet wurde", "Ihre Prüfsumme stand schon im vorigen Bericht"
	b.tells("Maier", []string{"Die Runde war für neue Züge noch einmal offen", "Die Auslosung war falsch.", anew}, before)
	b.seenLate("Müller", "NAME Müller\nSPIELRUNDE 1\n"+goodZug, "2026-12-15T18:00:00Z")
	b.reopen(kept())
	b.tells("Maier", []string{"Ein Zug war rechtzeitig im Postfach", "Die Mail lag im Spam.", anew}, before)
	b.closeAt("2026-12-20T19:00:01Z")
	b.tells("Maier", []string{"Dies ist der Bericht zu Runde 2, der gilt. Runde 1 war noch einmal offen", "Die Auslosung war falsch.", before}, "Die Mail lag im Spam.", anew)
	b.closeAt("2026-12-27T19:00:01Z")
	b.tells("Maier", []string{before}, "der gilt", anew)
	b.verified("liga")
}

// A mail with orders for several slots is one mail, to its writer and to the game master.
func TestALateMailWithSeveralBlocksIsToldOnce(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	b.closeAt("2026-12-06T19:00:01Z")
	late := b.letter(address("Miller"), "Plans", "MANAGER Miller\nRETIRE Kid Thunder\nFIGHTER Iron Mike\nPUNCH UC2\n")
	b.want(b.receiveAt(late, at("2026-12-06T18:59:00Z")), referee.Refused, "late", "late")
	in := kept()
	in.Game = "ring"
	if did := b.reopen(in); len(did.Letters) != 1 || len(did.Letters[0].Orders) != 4 || !did.Letters[0].Counts {
		t.Errorf("%+v", did.Letters)
	}
	if text := b.text(b.last(address("Miller"))); strings.Count(text, "was seen too late") != 1 {
		t.Errorf("the mail that counts now is told otherwise than once:\n%s", text)
	}
}

// Rounds before the last can be opened too, for new orders; what was played since is
// void with them, and is all replaced.
func TestSeveralRoundsAreRolledBack(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier", "Huber")
	for round := 1; round <= 4; round++ {
		b.want(b.write("Müller", fmt.Sprintf("NAME Müller\nZUG %d/1 1/1 1/1 1/1 1/1\nTRAINING T\n", round)), referee.Taken)
		b.closeAt(at("2026-11-29T19:00:01Z").AddDate(0, 0, 7*round).Format(time.RFC3339))
	}
	in := anew("2026-12-29T19:00:00Z")
	in.Round = 2
	did := b.reopen(in)
	if !slices.Equal(did.Void, []int{2, 3, 4}) || did.Open != 2 {
		t.Errorf("%+v", did)
	}
	if got := b.onFile("liga", "Müller"); got != "good: ZUG 2/1 1/1 1/1 1/1 1/1, TRAINING T" {
		t.Errorf("on file: %s", got)
	}
	b.verified("liga")
	// And again, before anything was closed: round 2 is open, so it is 1.
	b.refused(anew("2026-12-29T19:00:00Z"), "round 2 of liga is open again already")
	in.Round = 1
	b.refused(referee.Reopening{Game: "liga", Round: 1, Reason: "x"}, "round 1 of liga cannot be decided again: round 2, which was reopened for new orders, went by its result")
	if did := b.reopen(in); did.Branch != 2 || !slices.Equal(did.Void, []int{1}) {
		t.Errorf("%+v", did)
	}
	b.verified("liga")
	b.closeAt("2026-12-29T19:00:01Z")
	b.closeAt("2027-01-03T19:00:01Z")
	b.tells("Maier", []string{"Berichtigt: ", "Dies ist der Bericht zu Runde 2, der gilt. Runde 1 war noch einmal offen, deshalb ist auch diese neu gespielt worden."})
	b.seenLate("Maier", "NAME Maier\nSPIELRUNDE 2\n"+goodZug, "2027-01-03T18:00:00Z")
	if did := b.reopen(kept()); did.Branch != 3 || did.Round != 2 {
		t.Errorf("%+v", did)
	}
	b.verified("liga")
	var rows []string
	all, err := b.Rounds(t.Context(), "liga", true)
	b.must(err)
	for _, r := range all {
		rows = append(rows, fmt.Sprintf("%d/%d %v", r.Round, r.Branch, r.Void))
	}
	if diff := cmp.Diff([]string{"0/0 false", "1/0 true", "1/2 false", "2/0 true", "2/2 true", "2/3 false", "3/0 true", "4/0 true"}, rows); diff != "" {
		t.Error(diff)
	}
	// The reports that no longer count can still be read.
	text, err := b.ReportOf(t.Context(), "liga", 0, 4, "", "de")
	b.must(err)
	if !strings.Contains(text, "Bericht zu Runde 4") || strings.Contains(text, "der gilt") {
		t.Errorf("the void report:\n%s", text)
	}
	if _, err := b.ReportOf(t.Context(), "liga", -1, 4, "", "de"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("round 4: %v", err)
	}
	b.must(b.End(t.Context(), "liga"))
	b.verified("liga")
}

// A game that was ended by the game master stays so; the last round may be decided
// again all the same, since no die follows it.
func TestTheLastRoundOfAnEndedGame(t *testing.T) {
	b := lateLeague(t)
	b.must(b.End(t.Context(), "liga"))
	did := b.reopen(kept())
	if did.State != store.GameEnded || did.Open != 0 {
		t.Errorf("%+v", did)
	}
	b.verified("liga")
}

// Press that a report told which no longer counts stands in the one that does.
func TestPressOfAVoidReportIsToldAgain(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier", "Huber")
	b.want(b.write("Huber", "PRESSE\nIch bin der Größte!\nENDE\n"), referee.Taken)
	b.closeAt("2026-12-06T19:00:01Z")
	b.seenLate("Müller", "NAME Müller\n"+goodZug, "2026-12-06T18:00:00Z")
	b.reopen(kept())
	b.tells("Maier", []string{"Ich bin der Größte!"})
	b.reopen(anew("2026-12-08T19:00:00Z"))
	b.closeAt("2026-12-08T19:00:01Z")
	b.tells("Maier", []string{"Ich bin der Größte!"})
	b.closeAt("2026-12-13T19:00:01Z")
	b.tells("Maier", []string{"Runde 2"}, "Ich bin der Größte!")
}

// Who gets no reports is told by a mail of its own what became of his orders.
func TestWhoGetsNoReportsIsToldOfHisOrders(t *testing.T) {
	b := lateLeague(t)
	b.want(b.write("Huber", "BERICHTE AUS\n"), referee.Taken)
	b.want(b.write("Huber", "NAME Huber\n"+goodZug), referee.Taken)
	did := b.reopen(kept())
	if did.Mails != 4 {
		t.Errorf("%d mails", did.Mails)
	}
	b.tells("Huber", []string{"Runde neu ausgewertet", "| ARCHIV 1", "Für Runde 2 liegt vor"}, "Kämpfe der Liga")
	if p := b.last(address("Huber")); p.Kind != "notice" {
		t.Errorf("he gets a %s", p.Kind)
	}
}

// A reason is a line that cannot be read as an order, and of bounded length.
func TestAReasonIsALine(t *testing.T) {
	b := lateLeague(t)
	in := kept()
	in.Reason = "{{.Secret}}\r\nBcc: x@y.example\n\nNAME Müller\nZUG 9/9\x00 " + strings.Repeat("lang ", 200)
	did := b.reopen(in)
	if n := len([]rune(did.Reason)); n > 301 || strings.ContainsAny(did.Reason, "\r\n\x00") {
		t.Errorf("%d characters: %q", n, did.Reason)
	}
	p := b.last(address("Maier"))
	for line := range strings.Lines(b.text(p)) {
		if strings.HasPrefix(line, "| ") && len([]rune(line)) > 77 || strings.HasPrefix(line, "NAME Müller") || strings.HasPrefix(line, "ZUG 9") {
			t.Errorf("a line of it: %q", line)
		}
	}
	if strings.Contains(p.raw[:strings.Index(p.raw, "\r\n\r\n")], "Bcc") {
		t.Error("the reason is in the header")
	}
	b.verified("liga")
}

// All of a reopening happens or nothing, wherever the machine stops.
func TestTheMachineStopsWhileARoundIsReopened(t *testing.T) {
	t.Parallel()
	for _, in := range []referee.Reopening{kept(), anew("2026-12-08T19:00:00Z")} {
		in.Round = 1
		folder := t.TempDir()
		s, err := store.Create(t.Context(), folder)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		m := boot(t, folder, at("2026-12-01T12:00:00Z"))
		m.playLate()
		m.want(m.write("Maier", "NAME Maier\nZUG 1/1 1/1 1/1 1/1 1/1\nTRAINING T\n"), referee.Taken)
		m.must(m.store.Close())
		reopen := func(m *machine) error { _, err := m.Reopen(context.Background(), in); return err }
		crash(t, folder, m.now, reopen, func(m *machine) error {
			err := reopen(m)
			if err != nil && (strings.Contains(err.Error(), "nothing to decide") || strings.Contains(err.Error(), "is not closed")) {
				return nil // it was done
			}
			return err
		})
	}
}

// lateCampaign is a campaign whose turn 1 is closed; a mail of Miller's that retires
// Kid Thunder had arrived before. For turn 2 there are plans on file, his among them.
func lateCampaign(t *testing.T) *bench {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	b.want(b.write("Don Corrado", rockysBlock), referee.Taken)
	b.closeAt("2026-12-06T19:00:01Z")
	b.now = at("2026-12-06T19:30:00Z")
	b.seenLate("Miller", "MANAGER Miller\nRETIRE Kid Thunder\nNEW Young Bill CLASS Heavy\n", "2026-12-06T18:59:00Z")
	b.want(b.write("Miller", "FIGHTER Kid Thunder\nPUNCH UC3 RJ1\nFIGHTER Iron Mike\nPUNCH UC1 RJ2\n"), referee.Taken)
	b.want(b.write("Don Corrado", jimsBlock), referee.Taken)
	return b
}

// A plan for a man who is gone by the corrected result is lost, and said to be; the
// others stand. What was ordered stays sealed.
func TestACampaignIsDecidedAgain(t *testing.T) {
	b := lateCampaign(t)
	in := kept()
	in.Game = "ring"
	did := b.reopen(in)
	var file []string
	for _, c := range did.OnFile {
		file = append(file, fmt.Sprintf("%s %d %v lost %v", c.Seat, c.Round, c.Kept, c.Lost))
	}
	if diff := cmp.Diff([]string{
		"Don Corrado 2 [BOXER Jim Light SCHLAG UC3 RJ1 RH0 CO0 LJ0 LH0 V WENN AMSEIL : KLAMMERN] lost []",
		"Miller 2 [] lost [BOXER Kid Thunder SCHLAG UC3 RJ1 RH0 CO0 LJ0 LH0]",
		"Miller 2 [BOXER Iron Mike SCHLAG UC1 RJ2 RH0 CO0 LJ0 LH0] lost []",
	}, file); diff != "" {
		t.Error(diff)
	}
	b.tells("Miller", []string{"No longer on file for round 2", "| FIGHTER Kid Thunder", "On file for round 2; these count unless you send others: | FIGHTER Iron Mike", "it counts now"})
	b.verified("ring")
	// A plan that stands is not sent again, and stands all the same.
	b.closeAt("2026-12-13T19:00:01Z")
	b.verified("ring")
	b.want(b.write("Don Corrado", "SPARRING Rocky Stone\n"), referee.Taken)
	b.must(b.End(t.Context(), "ring"))
	b.verified("ring")
}

func TestACampaignIsOpenForNewOrders(t *testing.T) {
	b := lateCampaign(t)
	b.want(b.write("Don Corrado", "SPARRING Rocky Stone\n"), referee.Taken)
	in := anew("2026-12-08T19:00:00Z")
	in.Game = "ring"
	b.reopen(in)
	b.tells("Don Corrado", []string{"| BOXER Rocky Stone"})
	b.tells("Miller", []string{"On file for round 1; these count unless you send others: | MANAGER Miller | RETIRE Kid Thunder"})
	b.want(b.write("Don Corrado", "SPARRING Rocky Stone\n"), referee.Taken) // he has a new count of them
	b.verified("ring")
	b.closeAt("2026-12-08T19:00:01Z")
	b.verified("ring")
	all, err := b.Sparrings(t.Context(), "ring")
	b.must(err)
	for _, x := range all { // that of a void round is fought again in its own state
		if _, err := b.SparringText(t.Context(), x.ID, "de"); err != nil {
			t.Error(err)
		}
	}
}

// Orders that waited for their sender's confirmation come in when that had arrived in
// time as well. After the close he knows the dice: he might let several wait and
// confirm the best.
func TestOrdersConfirmedAfterTheCloseStayOut(t *testing.T) {
	for arrived, in := range map[string]bool{"2026-12-06T18:30:00Z": true, "2026-12-06T19:00:00Z": false, "2026-12-06T19:30:00Z": false} {
		b := newBench(t)
		b.league("liga", "token", "Müller", "Maier")
		b.now = at("2026-12-05T12:00:00Z")
		b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Held)
		code := b.codeFor(address("Müller"))
		b.want(b.write("Müller", "NAME Müller\nZUG 1/1 1/1 1/1 1/1 1/1\nTRAINING T\n"), referee.Held)
		b.closeAt("2026-12-06T19:00:01Z")
		b.refused(kept(), "nothing to decide")
		b.now = at("2026-12-06T20:00:00Z")
		quoted := "JA " + code + "\n\n> NAME Müller\n> ZUG 1/1 1/1 1/1 1/1 1/1\n> TRAINING T\n"
		b.want(b.receiveAt(b.letter(address("Müller"), "Re: Zug", quoted), at(arrived)), referee.Taken, "late")
		if !in {
			b.tells("Müller", []string{"Der Termin war Sonntag, 6. Dezember", "Deine Bestätigung kam erst danach."}, "rechtzeitig im Postfach")
			b.refused(kept(), "nothing to decide")
			continue
		}
		b.tells("Müller", []string{"rechtzeitig im Postfach"})
		did := b.reopen(kept())
		if len(did.Letters) != 1 || !did.Letters[0].Seen.Equal(b.now) || len(did.Changed) != 1 || did.Changed[0].New[0] != "ZUG 2/3 3/0 2/2 0/5 3/1" {
			t.Errorf("%+v", did)
		}
		b.verified("liga")
	}
}

// Whom the void result had taken out for missing moves is in again when his orders,
// seen too late, count.
func TestG10WhoWasTakenOutByAVoidResultPlaysOn(t *testing.T) {
	for _, body := range []string{"NAME Müller\n" + goodZug, goodZug} {
		testPlaysOn(t, body)
	}
}

func testPlaysOn(t *testing.T, body string) {
	t.Helper()
	b := newBench(t)
	b.must(b.NewGame(t.Context(), store.Game{ID: "liga", Ruleset: "sugarray", Title: "Liga", Lang: "de", Deadline: "0 20 * * SUN", TZ: "Europe/Berlin",
		Trust: "address", Secret: [32]byte{9}, Settings: game.Settings{"nmr_limit": "1"}}))
	for _, n := range []string{"Müller", "Maier", "Huber"} {
		b.seat("liga", n)
	}
	_, err := b.Start(t.Context(), "liga")
	b.must(err)
	b.want(b.write("Huber", "NAME Huber\n"+goodZug), referee.Taken)
	b.closeAt("2026-12-06T19:00:01Z")
	if got := b.stateOf("liga", "Müller"); got != store.SeatLeft {
		t.Fatalf("Müller is %s", got)
	}
	// He has left, so his mail is not late; but the game master is told.
	b.want(b.receiveAt(b.letter(address("Müller"), "Zug", body), at("2026-12-06T18:00:00Z")), referee.Refused, "left")
	b.tells("Müller", []string{"Müller ist bei liga nicht mehr dabei", "Für Runde 1 war er allerdings rechtzeitig im Postfach"})
	if text := b.text(b.last("boss@liga.example")); !strings.Contains(text, "round reopen liga --round 1") {
		t.Errorf("the game master is told\n%s", text)
	}
	b.want(b.receiveAt(b.letter(address("Müller"), "Zug", "NAME Müller\nZUG 1/1 1/1 1/1 1/1 1/1\n"), at("2026-12-06T19:00:00Z")), referee.Refused) // too late
	did := b.reopen(kept())
	if diff := cmp.Diff([]referee.SeatMove{{Seat: "Müller", Old: "left", New: "playing"}}, did.Seats); diff != "" {
		t.Error(diff)
	}
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Taken, "taken")
	b.verified("liga")
}

// What may be under way is not taken back, nor is what is not about the old result.
func TestOnlyWhatIsVoidAndUnsentIsTakenBack(t *testing.T) {
	b := lateLeague(t)
	rows, err := b.Outbox(t.Context(), store.MailQueued)
	b.must(err)
	var tried int64
	for _, r := range rows {
		if r.Kind == "report" && r.To == address("Maier") {
			tried = r.ID
			b.must(b.store.MarkAttempt(t.Context(), r.ID, b.now))
		}
	}
	if did := b.reopen(kept()); did.Unsent != 3 {
		t.Errorf("took back %d", did.Unsent)
	}
	rows, err = b.Outbox(t.Context(), "")
	b.must(err)
	kinds := map[string]int{}
	for _, r := range rows {
		if r.ID == tried && r.State != store.MailQueued {
			t.Errorf("what was tried is %s", r.State)
		}
		if r.State == store.MailDropped {
			kinds[r.Kind]++
			if r.Answer != "round 1 was reopened before it could be sent" {
				t.Errorf("%s: %s", r.Kind, r.Answer)
			}
		}
	}
	if kinds["report"] != 3 || len(kinds) != 1 {
		t.Errorf("taken back: %v", kinds)
	}
}

// The mails of reopenings, whole.
func TestMailsOfReopenings(t *testing.T) {
	golden := func(b *bench, name, to string) {
		t.Helper()
		p := b.last(to)
		got := "Subject: " + p.Subject + "\n\n" + b.text(p)
		path := filepath.Join("..", "..", "testdata", "reopenings", name+".txt")
		if *update {
			b.must(os.WriteFile(path, []byte(got), 0o644))
		}
		want, err := os.ReadFile(path)
		b.must(err)
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	english := func(b *bench, names ...string) {
		for _, n := range names {
			b.want(b.write(n, "LANGUAGE en\n"), referee.Taken)
		}
	}
	b := lateLeague(t)
	b.want(b.write("Maier", "NAME Maier\nZUG 1/1 1/1 1/1 1/1 1/1\nTRAINING T\n"), referee.Taken)
	golden(b, "alert", "boss@liga.example")
	english(b, "Maier", "Kid Thunder")
	b.reopen(kept())
	golden(b, "sugarray-again-de", address("Müller"))
	golden(b, "sugarray-again-en", address("Maier"))
	b.seat("liga", "Rookie")
	b.reopen(anew("2026-12-08T19:00:00Z"))
	golden(b, "sugarray-open-de", address("Müller"))
	golden(b, "sugarray-open-en", address("Kid Thunder"))
	b.closeAt("2026-12-08T19:00:01Z")
	b.reopen(anew("2026-12-09T19:00:00Z"))
	golden(b, "sugarray-waits-de", address("Rookie"))

	b = lateCampaign(t)
	in := kept()
	in.Game = "ring"
	b.reopen(in)
	golden(b, "ringside-again-en", address("Miller"))
	in = anew("2026-12-08T19:00:00Z")
	in.Game = "ring"
	b.reopen(in)
	golden(b, "ringside-open-de", address("Don Corrado"))
	golden(b, "ringside-open-en", address("Miller"))
	b.closeAt("2026-12-08T19:00:01Z")
	golden(b, "ringside-anew-de", address("Don Corrado"))
}

// ending is a ruleset whose game is over at certain states.
type ending struct {
	rules.Ruleset
	at []string
}

type endingTable struct {
	rules.Table
	ending
}

func (e ending) wrap(t rules.Table, err error) (rules.Table, error) {
	if err != nil {
		return nil, err
	}
	return endingTable{t, e}, nil
}

func (e ending) Open(state json.RawMessage) (rules.Table, error) {
	return e.wrap(e.Ruleset.Open(state))
}

func (e ending) Setup(settings game.Settings, seats []game.Seat, d game.RoundDice) (rules.Table, []rules.Event, error) {
	t, events, err := e.Ruleset.Setup(settings, seats, d)
	t, err = e.wrap(t, err)
	return t, events, err
}

func (t endingTable) Advance(in rules.Inputs, d game.RoundDice) (rules.Table, []rules.Event, error) {
	next, events, err := t.Table.Advance(in, d)
	next, err = t.wrap(next, err)
	return next, events, err
}

func (t endingTable) Due() game.Due {
	due := t.Table.Due()
	state, err := t.State()
	due.Over = err == nil && slices.Contains(t.at, string(state))
	return due
}

// A game that was over can be decided again only if it stays over: its secret is out.
func TestG2AGameThatWasOverStaysOver(t *testing.T) {
	b := lateLeague(t)
	b.reopen(kept())
	void, again := string(b.steps("liga", 0)[1].State), string(b.steps("liga", 1)[0].State)
	play := func(over ...string) *bench {
		b := newBench(t)
		b.open(func(name string) (rules.Ruleset, error) {
			r, err := rules.Find(name)
			return ending{r, over}, err
		})
		b.league("liga", "address", "Müller", "Maier", "Huber", "Kid Thunder")
		b.want(b.write("Maier", "NAME Maier\n"+goodZug), referee.Taken)
		b.want(b.write("Huber", "NAME Huber\nZUG 6/0 3/3 3/4 4/2 3/3\nTRAINING K\n"), referee.Taken)
		b.closeAt("2026-12-06T19:00:01Z")
		b.now = at("2026-12-06T19:30:00Z")
		b.receiveAt(b.letter(address("Müller"), "Zug", "NAME Müller\n"+goodZug), at("2026-12-06T18:59:00Z"))
		return b
	}
	b = play(void)
	b.tells("Maier", []string{"Schlussbericht"})
	b.refused(kept(), "decided again it would go on, by dice that everybody can know")
	b.refused(anew("2026-12-08T19:00:00Z"), "its secret has been revealed")
	b = play(void, again)
	if did := b.reopen(kept()); did.State != store.GameEnded || did.Open != 0 || did.Deadline != nil {
		t.Errorf("%+v", did)
	}
	b.tells("Maier", []string{"Berichtigt: ", "Schlussbericht"}, "Runde 2: Dein Zug")
	b = play(again)
	if did := b.reopen(kept()); did.State != store.GameEnded {
		t.Errorf("%+v", did)
	}
	b.tells("Maier", []string{"Schlussbericht", "Das Spiel ist zu Ende. Alle Zahlen stammen aus diesem Geheimnis"})
}

// halves is a ruleset whose rounds have two steps each.
type halves struct{ rules.Ruleset }

type halvesTable struct{ rules.Table }

func (h halves) Open(state json.RawMessage) (rules.Table, error) {
	t, err := h.Ruleset.Open(state)
	return halvesTable{t}, err
}

func (h halves) Setup(settings game.Settings, seats []game.Seat, d game.RoundDice) (rules.Table, []rules.Event, error) {
	t, events, err := h.Ruleset.Setup(settings, seats, d)
	return halvesTable{t}, events, err
}

func (t halvesTable) Advance(in rules.Inputs, d game.RoundDice) (rules.Table, []rules.Event, error) {
	next, events, err := t.Table.Advance(in, d)
	return halvesTable{next}, events, err
}

func (t halvesTable) Due() game.Due {
	due := t.Table.Due()
	due.Round = (due.Round + 1) / 2
	return due
}

// Of a round of several steps the last one made is decided again, even while the round
// is open; for new orders it is opened from its first step on.
func TestARoundOfSeveralSteps(t *testing.T) {
	b := newBench(t)
	b.open(func(name string) (rules.Ruleset, error) {
		r, err := rules.Find(name)
		return halves{r}, err
	})
	b.league("liga", "address", "Müller", "Maier", "Huber")
	b.closeAt("2026-12-06T19:00:01Z") // round 1, step 0
	b.closeAt("2026-12-13T19:00:01Z") // step 1
	b.now = at("2026-12-13T20:00:00Z")
	b.seenLate("Müller", "NAME Müller\nSPIELRUNDE 1\n"+goodZug, "2026-12-13T18:00:00Z")
	b.reopen(kept())
	b.verified("liga")
	list := func() (steps []string) {
		for branch := range 4 {
			for _, x := range b.steps("liga", branch) {
				steps = append(steps, fmt.Sprintf("%d: %d.%d", branch, x.Round, x.Step))
			}
		}
		return steps
	}
	if diff := cmp.Diff([]string{"0: 0.0", "0: 1.0", "0: 1.1", "1: 1.1"}, list()); diff != "" {
		t.Error(diff)
	}
	if again := b.steps("liga", 1)[0]; again.Seed != b.steps("liga", 0)[2].Seed || !strings.Contains(string(again.Inputs), `"s1"`) {
		t.Errorf("decided again by %s and %s", again.Seed, again.Inputs)
	}
	did := b.reopen(anew("2026-12-15T19:00:00Z"))
	if did.Round != 1 || !slices.Equal(did.Void, []int{1}) {
		t.Errorf("%+v", did)
	}
	b.verified("liga")
	b.closeAt("2026-12-15T19:00:01Z")
	b.closeAt("2026-12-20T19:00:01Z")
	b.closeAt("2026-12-27T19:00:01Z") // round 2, step 0
	if diff := cmp.Diff([]string{"0: 0.0", "0: 1.0", "0: 1.1", "1: 1.1", "2: 1.0", "2: 1.1", "2: 2.0"}, list()); diff != "" {
		t.Error(diff)
	}
	in := anew("2026-12-29T19:00:00Z")
	in.Round = 2 // it is open, and its first step is made
	if did := b.reopen(in); did.Round != 2 || did.Open != 2 {
		t.Errorf("%+v", did)
	}
	b.verified("liga")
}
