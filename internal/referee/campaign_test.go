package referee_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/referee"
	"ringpost/internal/report"
	"ringpost/internal/store"
)

// G-13: no manager is named like a fighter, whichever came first, by case or look.
func TestG13ManagersAndFightersHaveDifferentNames(t *testing.T) {
	b := newBench(t)
	// Before the start the fighters to be dealt are known.
	b.must(b.NewGame(t.Context(), store.Game{ID: "new", Ruleset: "ringside", Title: "Neu", Lang: "de", TZ: "Europe/Berlin", Trust: "address",
		Secret: [32]byte{9}, Settings: game.Settings{"roster": roster}}))
	seat := func(id, name string) error {
		_, err := b.AddSeat(t.Context(), referee.Seating{Game: id, Name: name, Addresses: []string{address(name)}})
		return err
	}
	for _, name := range []string{"Kid Thunder", "KID THUNDER", "Kid  Thunder", "Кid Thunder", "Кіd Тhundеr"} {
		if err := seat("new", name); err == nil || !strings.Contains(err.Error(), "A fighter in this game is called so already") {
			t.Errorf("seat add %q: %v", name, err)
		}
	}
	b.must(seat("new", "Kid Lightning"))
	b.must(b.End(t.Context(), "new"))

	b.campaign("ring", "address", nil)
	b.want(b.receive(b.letter("one@players.example", "Hi", "ANMELDUNG Kid Thunder\n", pass)), referee.Refused)
	if text := joined(b.text(b.last("one@players.example"))); !strings.Contains(text, "So heißt in diesem Spiel schon ein Boxer") {
		t.Errorf("he is told\n%s", text)
	}
	b.want(b.receive(b.letter("two@players.example", "Hi", "GAME ring\nJOIN kid thunder\n", pass)), referee.Refused)
	if text := joined(b.text(b.last("two@players.example"))); !strings.Contains(text, "A fighter in this game is called so already") {
		t.Errorf("he is told\n%s", text)
	}
	if err := seat("ring", "rocky stone"); err == nil {
		t.Error("seat add takes the name of a fighter")
	}
	// Nor is a fighter named like a manager: said by line at once, or, where he joins
	// with the same turn, at its close.
	b.want(b.write("Miller", "MANAGER Miller\nRETIRE Kid Thunder\nNEW Don Corrado CLASS Heavy\nNEW IRON MIKE CLASS Heavy\n"), referee.Taken, "taken")
	b.says("Miller", []string{`Mistake in line 3 ("NEW Don Corrado CLASS Heavy")`, `Mistake in line 4 ("NEW IRON MIKE CLASS Heavy")`, "| RETIRE Kid Thunder"}, "| NEW")
	b.want(b.write("Miller", "MANAGER Miller\nRETIRE Kid Thunder\nNEW Young Bill CLASS Heavy\n"), referee.Taken, "taken")
	b.want(b.receive(b.letter("bill@players.example", "Hi", "JOIN Young Bill\n", pass)), referee.Held)
	b.want(b.receive(b.letter("bill@players.example", "Re", "JA "+b.codeFor("bill@players.example")+"\n", pass)), referee.Taken)
	b.now = at("2026-12-06T19:00:01Z")
	_, err := b.CloseDue(t.Context())
	b.must(err)
	b.says("Miller", []string{"| NEW Young Bill CLASS HEAVY", "Somebody else is called so by now; the new man bears a name by lot."})
	b.want(b.write("Miller", "RECORD Young Bill\n"), referee.Taken)
	b.says("Miller", []string{"On file: Young Bill", "A manager, in the game since the end of round 1."})
}

// What a player gets for a command fits the page, in both languages, and says what
// it is about.
func TestCommandsOfACampaign(t *testing.T) {
	settings := game.Settings{"stable": "3", "classes": "heavy,light", "bets": "on", "sales": "on", "rent": "50", "scoring": "10", "ring": "10", "money": "5000", "nmr_limit": "0"}
	b := newBench(t)
	b.campaign("ring", "address", settings)
	b.want(b.write("Don Corrado", jimsBlock), referee.Taken)
	for range 4 {
		b.now = b.now.Add(7 * 24 * time.Hour)
		_, err := b.CloseDue(t.Context())
		b.must(err)
	}
	for _, c := range []struct {
		de, en       string
		inDe, inEn   []string
		never        []string
		unproductive bool
	}{
		{de: "STAND", en: "TABLE", inDe: []string{"Ranglisten nach Runde 4", "Im Schwergewicht", "Die Manager", "Kid Thunder"},
			inEn: []string{"The rankings after round 4", "At heavyweight", "The managers", "Kid Thunder"}},
		{de: "AKTE Kid Thunder", en: "RECORD Kid Thunder", inDe: []string{"Die Akte: Kid Thunder", "Beweglichkeit", "Börsen bisher", "Die letzten Kämpfe"},
			inEn: []string{"On file: Kid Thunder", "agility", "Purses so far", "The last bouts"}},
		{de: "AKTE", en: "RECORD", inDe: []string{"Die Akte: Don Corrado", "Jim Light", "Rocky Stone", "Kasse"}, inEn: []string{"On file: Miller", "Iron Mike", "Cash"}},
		{de: "AKTE Zoë", en: "RECORD zoe\u0308", inDe: []string{"Die Akte: Zoë", "Old Bill"}, inEn: []string{"On file: Zoë", "Joe Dark"}},
		{de: "AKTE Niemand", en: "RECORD Nobody", inDe: []string{"„Niemand“"}, inEn: []string{`"Nobody"`}, unproductive: true},
		{de: "REGELN", en: "RULES", inDe: []string{"3 Boxer", "10 mal 10 Felder", "10 für den Sieger einer Runde", "Mit Stern: aus den erhaltenen Zahlen erschlossen", "-1*", "WETTE", "ANGEBOT", "für 50 $ einen Platz", "5.000 $", "SPARRING"},
			inEn: []string{"3 fighters", "10 by 10 squares", "10 for the winner of a round", "reconstructed from the numbers that are left", "-1*", "BET", "OFFER", "$50", "$5,000", "SPARRING"}},
		{de: "ZUGSTAND", en: "ORDERS", inDe: []string{"Runde 5: Don Corrado", "Von früher steht", "| BOXER Jim Light"}, inEn: []string{"Round 5: Miller", "There are no orders on file yet."}},
		{de: "SPIELE", en: "GAMES", inDe: []string{"Bei Ring frei (ring) spielst du als Don Corrado. Runde 5"}, inEn: []string{"In Ring frei (ring) you play as Miller. Round 5"}},
		{de: "HILFE", en: "HELP", inDe: []string{"| SPARRING Name"}, inEn: []string{"| SPARRING Name"}},
		{de: "ARCHIV 1", en: "REPORT 1", inDe: []string{"Bericht zu Runde 1", "Deine Runde 1, Don Corrado", "Jim Light"}, inEn: []string{"Round 1", "Your round 1, Miller", "Kid Thunder"}, never: []string{"KLAMMERN\n"}},
		{de: "ARCHIV 9", en: "REPORT 9", inDe: []string{"Einen Bericht zu Runde 9 gibt es bei ring nicht."}, inEn: []string{"There is no report on round 9 in ring."}, unproductive: true},
	} {
		for _, x := range []struct {
			name, line string
			wants      []string
		}{{"Don Corrado", c.de, c.inDe}, {"Miller", c.en, c.inEn}} {
			r := b.write(x.name, x.line+"\n")
			if c.unproductive != (r.Result != referee.Taken) {
				t.Errorf("%s: %s (%s)", x.line, r.Result, r.Reason)
			}
			b.says(x.name, x.wants, append(c.never, "<no value>", "%!", "als .", "as .", "„“", `""`)...)
			b.fits(x.name)
		}
	}
}

// fits checks that the newest mail to a player fits the page and orders nothing, the
// ready blocks apart.
func (b *bench) fits(name string) {
	b.Helper()
	p := b.last(address(name))
	b.checkOutgoing(p)
	text := b.text(p)
	for line := range strings.SplitSeq(text, "\n") {
		if n := utf8.RuneCountInString(line); n > report.Columns {
			b.Errorf("a line of %d columns: %s", n, line)
		}
	}
	got := orders.Parse(orders.Lines(text))
	if len(got.Commands)+len(got.Press)+len(got.Issues) > 0 || slices.ContainsFunc(got.Blocks, orders.FilledIn) {
		b.Errorf("it reads as %+v:\n%s", got, text)
	}
}

// Tables hold the longest names and the largest figures.
func TestTablesOfLongNamesFit(t *testing.T) {
	b := newBench(t)
	long := "name,agility,UC,RJ,RH,Co,LJ,LH,counterpunch,endurance\n"
	for i := range 16 {
		long += fmt.Sprintf("Wladimir Wunibald Wurst%s,6%d,4,4,4,4,4,4,3%d,2%d\n", string(rune('a'+i)), i%8, i%5, i%9)
	}
	b.must(b.NewGame(t.Context(), store.Game{ID: "ring", Ruleset: "ringside", Title: "Die lange Liga der langen Namen", Lang: "de", Deadline: "0 20 * * SUN",
		TZ: "Europe/Berlin", Trust: "address", Secret: [32]byte{4}, Settings: game.Settings{"roster": long, "stable": "8", "classes": "heavy", "nmr_limit": "0", "bets": "on", "sales": "on", "rent": "10000"}}))
	for i, name := range []string{"Don Corrado della Cosa", "Ottokar Wunderlich-Weiß"} {
		_, err := b.AddSeat(t.Context(), referee.Seating{Game: "ring", Name: name, Addresses: []string{address(name)}, Lang: []string{"de", "en"}[i]})
		b.must(err)
	}
	_, err := b.Start(t.Context(), "ring")
	b.must(err)
	for range 12 {
		b.now = b.now.Add(7 * 24 * time.Hour)
		_, err := b.CloseDue(t.Context())
		b.must(err)
		for _, name := range []string{"Don Corrado della Cosa", "Ottokar Wunderlich-Weiß"} {
			b.fits(name)
		}
	}
	for _, name := range []string{"Don Corrado della Cosa", "Ottokar Wunderlich-Weiß"} {
		for _, line := range []string{"STAND", "AKTE", "AKTE Wladimir Wunibald Wursta", "REGELN", "ZUGSTAND", "MANAGER " + name + "\nKAMPF Wladimir Wunibald Wursta GEGEN Wladimir Wunibald Wurstb ARENA BEST RUNDEN 12 WOCHE 4 EINFACH\n",
			"SPARRING Wladimir Wunibald Wursta", "SPARRING Wladimir Wunibald Wurstb"} {
			b.write(name, line+"\n")
			b.fits(name)
		}
	}
}

// Who waits for his first round, and who has left, is told that and nothing else.
func TestCommandsBeforeAndAfter(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", game.Settings{"nmr_limit": "0"})
	b.want(b.receive(b.letter("new@players.example", "Hi", "ANMELDUNG Neuling\n", pass)), referee.Held)
	b.want(b.receive(b.letter("new@players.example", "Re", "JA "+b.codeFor("new@players.example")+"\n")), referee.Taken)
	told := func(line, want string) {
		t.Helper()
		mails := len(b.posted("new@players.example"))
		b.receive(b.letter("new@players.example", "?", line+"\n"))
		all := b.posted("new@players.example")
		if len(all) != mails+1 {
			t.Errorf("%s: %d answers", line, len(all)-mails)
		}
		if text := joined(b.text(all[len(all)-1])); !strings.Contains(text, want) {
			t.Errorf("%s is answered\n%s", line, text)
		}
	}
	told("SPIELE", "Bei Ring frei (ring) steigst du als Neuling ein, sobald Runde 2 beginnt.")
	told("ZUGSTAND", "Neuling ist angemeldet und steigt ein, sobald Runde 2 beginnt.")
	told("AKTE", "Neuling ist angemeldet und steigt ein, sobald Runde 2 beginnt.")
	told("AKTE Kid Thunder", "Die Akte: Kid Thunder")
	told("MANAGER Neuling\nRUHE Kid Thunder", "Neuling ist angemeldet")
	closeRound := func() {
		t.Helper()
		b.now = b.now.Add(7 * 24 * time.Hour)
		_, err := b.CloseDue(t.Context())
		b.must(err)
	}
	closeRound()
	told("ZUGSTAND", "Runde 2: Neuling in Ring frei")
	told("AUSSTIEG", "Neuling ist nach Runde 2 nicht mehr dabei")
	closeRound()
	told("SPIELE", "Bei Ring frei (ring) ist Neuling nicht mehr dabei.")
	told("ZUGSTAND", "zurzeit nicht im Spiel")
	told("AKTE", "zurzeit nicht im Spiel")
	told("SPARRING Kid Thunder", "zurzeit nicht im Spiel")
	told("STAND", "Ranglisten nach Runde 2")
	told("ARCHIV 2", "Deine Runde 2, Neuling")
	b.must(b.End(t.Context(), "ring"))
	told("SPIELE", "Bei Ring frei (ring) ist Neuling nicht mehr dabei.")
}
