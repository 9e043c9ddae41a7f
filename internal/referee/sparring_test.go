package referee_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// sparred are the sparrings of a game, "seat subject n" each.
func (b *bench) sparred(id string) []string {
	b.Helper()
	all, err := b.Sparrings(b.Context(), id)
	b.must(err)
	out := []string{}
	for _, x := range all {
		out = append(out, fmt.Sprintf("%s/%d %s: %s %d", id, x.Round, x.Seat, x.Subject, x.N))
	}
	return out
}

// gym is the part of a player's newest mail that tells of his sparring, its words
// about the plan and the count apart.
var gym = regexp.MustCompile(`(?s)(?:Im Gym|In the gym): [^\n]*\n-+\n.*?(?:Würfel sind andere als im\s+Kampf\.|dice\s+are\s+others\s+than\s+in\s+the\s+bout\.)\n(.*?)\n\n\n(?:Von|Das war|Of|That was)`)

func (b *bench) bout(name string) string {
	b.Helper()
	text := b.text(b.last(address(name)))
	m := gym.FindStringSubmatch(text)
	if m == nil {
		b.Fatalf("no sparring in\n%s", text)
	}
	return m[1]
}

// Sparring by mail, in two languages, by whatever plan there is.
func TestSparring(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	b.want(b.write("Miller", "SPARRING Kid Thunder\n"), referee.Taken)
	b.says("Miller", []string{"In the gym: Kid Thunder", "The partner stands in for Rocky Stone", "over 6 rounds", "Kid Thunder has no plan yet",
		"Nothing of it counts", "Of 3 such trials in round 1 you have 2 left."})
	b.want(b.write("Don Corrado", "Hallo!\n\nSparring: rocky  STONE\n"), referee.Taken)
	b.says("Don Corrado", []string{"Im Gym: Rocky Stone", "Der Partner steht für Kid Thunder", "noch keinen Plan", "sind noch 2 frei"})
	// In the mail with the plan, in the plan's own block.
	b.want(b.write("Don Corrado", rockysBlock+"SPARRING\n"), referee.Taken, "taken")
	b.says("Don Corrado", []string{"Dein Zug gilt.", "boxt nach dem Plan, den du für diese Runde geschickt hast", "-mal SCHLAG UC1 RJ0 RH0 CO0 LJ0 LH9", "ist noch 1 frei"})
	byPlan := b.bout("Don Corrado")
	b.now = at("2026-12-06T19:00:01Z")
	_, err := b.CloseDue(t.Context())
	b.must(err)
	// The plan that stands; and a new round has new ones.
	again := 0
	for _, f := range []string{"Rocky Stone", "Jim Light"} {
		if r := b.write("Don Corrado", "SPARRING "+f+"\n"); r.Result != referee.Taken {
			b.says("Don Corrado", []string{f + " hat in dieser Runde keinen Kampf"})
			continue
		}
		again++
		b.says("Don Corrado", []string{"Im Gym: " + f, "in Runde 2"})
		if f == "Rocky Stone" {
			b.says("Don Corrado", []string{"boxt nach dem Plan, der steht", "sind noch 2 frei"})
		}
	}
	if again == 0 {
		t.Error("nobody of Don Corrado's has a bout to spar for")
	}
	if want := []string{"ring/1 Miller: Kid Thunder 1", "ring/1 Don Corrado: rocky STONE 1", "ring/1 Don Corrado: Rocky Stone 2"}; cmp.Diff(want, b.sparred("ring")[:3]) != "" {
		t.Errorf("recorded: %q", b.sparred("ring"))
	}
	// A game master fights an old one again, as it was, though the round is over.
	all, err := b.Sparrings(t.Context(), "ring")
	b.must(err)
	text, err := b.SparringText(t.Context(), all[2].ID, "")
	b.must(err)
	if !strings.Contains(text, byPlan) || !strings.Contains(text, "Im Gym: Rocky Stone") {
		t.Errorf("fought again it is another (-want +got):\n%s", cmp.Diff(byPlan, text))
	}
	english, err := b.SparringText(t.Context(), all[2].ID, "en")
	b.must(err)
	if !strings.Contains(english, "In the gym: Rocky Stone") {
		t.Errorf("in English: %s", english)
	}
}

// Three a round a seat, whoever spars; then a clear refusal. What comes to nothing
// does not count.
func TestThreeSparringsARound(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	for _, line := range []string{"SPARRING Iron Mike", "SPARRING Niemand", "SPARRING", "SPARRING Don Corrado"} {
		b.want(b.write("Don Corrado", line+"\n"), referee.Refused)
		b.says("Don Corrado", []string{"Fehler in Zeile 1", "Deine Boxer: Jim Light, Rocky Stone."}, "Im Gym")
	}
	b.want(b.write("Don Corrado", "SPARRING Jim Light\nSPARRING Rocky Stone\n"), referee.Taken)
	b.want(b.write("Don Corrado", "SPARRING Jim Light\nSPARRING Jim Light\n"), referee.Taken)
	b.says("Don Corrado", []string{"Das war die letzte von 3 solchen Proben in Runde 1", "Zu Zeile 2 deiner Mail", "schon 3-mal geübt"})
	b.want(b.write("Don Corrado", "SPARRING Rocky Stone\n"), referee.Refused)
	b.says("Don Corrado", []string{"schon 3-mal geübt"}, "Im Gym")
	b.want(b.write("Miller", "SPARRING Iron Mike\n"), referee.Taken) // another's count is another
	want := []string{"ring/1 Don Corrado: Jim Light 1", "ring/1 Don Corrado: Rocky Stone 2", "ring/1 Don Corrado: Jim Light 3", "ring/1 Miller: Iron Mike 1"}
	if diff := cmp.Diff(want, b.sparred("ring")); diff != "" {
		t.Errorf("recorded:\n%s", diff)
	}
}

// The same mail again is no second sparring: it shows the same bout.
func TestASparringIsFoughtOnce(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	raw := b.letter(address("Miller"), "gym", "NAME Kid Thunder\nPUNCH UC9\nSPARRING\n")
	r := b.receive(raw)
	b.want(r, referee.Taken)
	first := b.bout("Miller")
	b.want(b.receive(raw), referee.Duplicate)
	b.now = b.now.Add(time.Hour)
	b.want(b.write("Miller", "NAME Kid Thunder\nPUNCH LJ9\nEXPECT UC9\n"), referee.Taken)
	again, err := b.Retry(t.Context(), r.Letter)
	b.must(err)
	b.want(again, referee.Taken)
	if diff := cmp.Diff(first, b.bout("Miller")); diff != "" {
		t.Errorf("handled once more it is another:\n%s", diff)
	}
	b.now = at("2026-12-06T19:00:01Z")
	_, err = b.CloseDue(t.Context())
	b.must(err)
	again, err = b.Retry(t.Context(), r.Letter)
	b.must(err)
	b.want(again, referee.Taken)
	if diff := cmp.Diff(first, b.bout("Miller")); diff != "" {
		t.Errorf("handled once more in the next round it is another:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ring/1 Miller: Kid Thunder 1"}, b.sparred("ring")); diff != "" {
		t.Errorf("recorded:\n%s", diff)
	}
	// A new mail is a new bout, by other dice.
	b.want(b.write("Zoë", "SPARRING Old Bill\n"), referee.Taken)
	one := b.bout("Zoë")
	b.want(b.write("Zoë", "SPARRING Old Bill\n"), referee.Taken)
	if b.bout("Zoë") == one {
		t.Error("two sparrings are the same bout")
	}
}

// Sparring wants the proof that orders do, since there are few.
func TestSparringsWantAProof(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "token", nil)
	b.want(b.write("Miller", "NAME Kid Thunder\nPUNCH UC9\nSPARRING\n"), referee.Held, "held")
	b.says("Miller", []string{"| FIGHTER Kid Thunder | PUNCH UC9", "| SPARRING Kid Thunder", "| YES "}, "In the gym")
	if got := b.sparred("ring"); len(got) != 0 {
		t.Errorf("recorded: %q", got)
	}
	b.want(b.write("Miller", "YES "+b.codeFor(address("Miller"))+"\n"), referee.Taken)
	b.says("Miller", []string{"In the gym: Kid Thunder", "by the plan you sent"})
	if diff := cmp.Diff([]string{"ring/1 Miller: Kid Thunder 1"}, b.sparred("ring")); diff != "" {
		t.Errorf("recorded:\n%s", diff)
	}
}

// What others have on file makes no difference, and nobody spars with another's man.
func TestSparringTellsNothingOfOthersPlans(t *testing.T) {
	fight := func(others string) string {
		b := newBench(t)
		b.campaign("ring", "address", nil)
		if others != "" {
			b.want(b.write("Don Corrado", others), referee.Taken)
		}
		b.want(b.write("Miller", "NAME Kid Thunder\nPUNCH UC9\nSPARRING\n"), referee.Taken)
		for _, name := range []string{"Rocky Stone", "Old Bill", "Don Corrado"} {
			b.want(b.write("Miller", "SPARRING "+name+"\n"), referee.Refused)
			b.says("Miller", []string{"Your fighters: Kid Thunder, Iron Mike."})
			b.want(b.write("Miller", "NAME "+name+"\nSPARRING\n"), referee.Refused)
		}
		if diff := cmp.Diff([]string{"ring/1 Miller: Kid Thunder 1"}, b.sparred("ring")); diff != "" {
			t.Errorf("recorded:\n%s", diff)
		}
		b.want(b.write("Miller", "SPARRING Kid Thunder\n"), referee.Taken)
		return b.bout("Miller")
	}
	if diff := cmp.Diff(fight(""), fight("NAME Rocky Stone\nSCHLAG LH9\nERWARTE UC9\nV DECKEN\nA STURM\n")); diff != "" {
		t.Errorf("the opponent's plan changes a sparring:\n%s", diff)
	}
}

// G-1, G-2: the dice are no round's, of no two sparrings the same, and the seed stays
// with the game master.
func TestG2SparringsHaveSeedsOfTheirOwn(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	var g store.Game
	b.must(b.store.Read(t.Context(), func(tx *store.Tx) (err error) { g, err = tx.Game("ring"); return err }))
	seen := map[string]string{}
	add := func(what, seed string) {
		if seen[seed] != "" {
			t.Errorf("%s has the seed of %s", what, seen[seed])
		}
		seen[seed] = what
	}
	for branch := range 2 {
		for round := range 20 {
			r := dice.Secret(g.Secret).Round("ring", branch, round)
			add(fmt.Sprintf("round %d/%d", branch, round), r.Open.String())
			add(fmt.Sprintf("the sealed round %d/%d", branch, round), r.Hidden.String())
			for _, seat := range []game.SeatID{"s1", "s2", "s11"} {
				for n := range 4 {
					add(fmt.Sprintf("sparring %d/%d/%s/%d", branch, round, seat, n), dice.Secret(g.Secret).Sparring("ring", branch, round, seat, n).String())
				}
			}
		}
	}
	b.want(b.write("Miller", "SPARRING Kid Thunder\nSPARRING Iron Mike\n"), referee.Taken)
	all, err := b.Sparrings(t.Context(), "ring")
	b.must(err)
	for i, x := range all {
		if want := fmt.Sprintf("sparring 0/1/s2/%d", i+1); seen[x.Seed] != want || x.Mail == 0 {
			t.Errorf("%+v has the seed of %s, want %s", x, seen[x.Seed], want)
		}
		if found := shows(b.public("ring", ""), []string{x.Seed}); found != "" {
			t.Errorf("mails or documents show %s", found)
		}
		if found := shows(b.log.String(), []string{x.Seed}); found != "" {
			t.Errorf("the log shows %s", found)
		}
	}
}

// What we answer comes back below a player's words, quoted or not: none of it is a
// command or an order.
func TestAnswersToSparringsOrderNothing(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	for _, name := range []string{"Don Corrado", "Miller"} {
		fighter := map[string]string{"Don Corrado": "Rocky Stone", "Miller": "Kid Thunder"}[name]
		b.want(b.write(name, "SPARRING "+fighter+"\n"), referee.Taken)
		text := b.text(b.last(address(name)))
		got := orders.Parse(orders.Lines(text))
		if len(got.Blocks)+len(got.Commands)+len(got.Press)+len(got.Issues) != 0 {
			t.Errorf("%s reads as %+v", text, got)
		}
		for _, above := range []string{"NAME " + fighter + "\nSCHLAG UC3\n", "MANAGER " + name + "\nRUHE " + fighter + "\n"} {
			got := orders.Parse(orders.Lines(above + text))
			if len(got.Blocks) != 1 || len(got.Blocks[0].Statements) != 1 || len(got.Blocks[0].Issues)+len(got.Commands)+len(got.Issues) != 0 {
				t.Errorf("below %q it reads as %+v", above, got)
			}
		}
		for _, back := range []string{text, "> " + strings.ReplaceAll(text, "\n", "\n> ")} {
			if r := b.write(name, "toll!\n\n"+back); r.Result != referee.Refused || r.Reason != "no-orders" {
				t.Errorf("sent back it is %s (%s)", r.Result, r.Reason)
			}
		}
	}
	if n := len(b.sparred("ring")); n != 2 {
		t.Errorf("%d sparrings", n)
	}
}

// A game without sparring says so, and one who is not in it is told that.
func TestWhereThereIsNoSparring(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	b.want(b.write("Müller", "SPARRING Müller\n"), referee.Refused)
	b.says("Müller", []string{"Üben gibt es in diesem Spiel nicht."})
	r := b.write("Müller", "SPARRING\n")
	b.want(r, referee.Refused)

	b.campaign("ring", "address", nil)
	b.want(b.receive(b.letter("new@players.example", "Hi", "SPIEL ring\nANMELDUNG Neuling\n", pass)), referee.Held)
	b.want(b.receive(b.letter("new@players.example", "Re", "JA "+b.codeFor("new@players.example")+"\n")), referee.Taken)
	b.want(b.receive(b.letter("new@players.example", "gym", "SPARRING Kid Thunder\n")), referee.Refused)
	if text := joined(b.text(b.last("new@players.example"))); !strings.Contains(text, "Neuling ist angemeldet und steigt ein, sobald Runde 2 beginnt") {
		t.Errorf("who waits is told\n%s", text)
	}
	b.must(b.End(t.Context(), "ring"))
	b.want(b.write("Miller", "SPARRING Kid Thunder\n"), referee.Refused)
	b.says("Miller", []string{"The game ring has ended."})
}
