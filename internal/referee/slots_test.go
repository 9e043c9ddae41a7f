package referee_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// joined is a text without the breaks of its lines.
func joined(text string) string { return strings.Join(strings.Fields(text), " ") }

// says checks what the newest mail to a player says, and what it does not.
func (b *bench) says(name string, wants []string, not ...string) string {
	b.Helper()
	p := b.last(address(name))
	text := joined(p.Subject + "\n" + b.text(p))
	for _, w := range wants {
		if !strings.Contains(text, w) {
			b.Errorf("%s is not told %q:\n%s", name, w, b.text(p))
		}
	}
	for _, w := range not {
		if strings.Contains(text, w) {
			b.Errorf("%s is told %q:\n%s", name, w, b.text(p))
		}
	}
	return text
}

// wantFiled checks what is on file for a seat, slot by slot.
func (b *bench) wantFiled(id, name string, want ...string) {
	b.Helper()
	if diff := cmp.Diff(want, b.filed(id, name)); diff != "" {
		b.Errorf("on file for %s (-want +got):\n%s", name, diff)
	}
}

// The blocks of one mail, and what they are read as.
const (
	managerBlock = "MANAGER Don Corrado\nRUHE Jim Light\nKAMPF Rocky Stone GEGEN Kid Thunder WOCHE 2\n"
	jimsBlock    = "NAME Jim Light\nSCHLAG UC3 RJ1\nV WENN AMSEIL : KLAMMERN\n"
	rockysBlock  = "FIGHTER Rocky Stone\nPUNCH UC1 LH9\nD IF ROPES : CLINCH\nA IF OEND<=0 : RUSH\n"

	managerFiled = "good: MANAGER Don Corrado, RUHE Jim Light, KAMPF Rocky Stone GEGEN Kid Thunder WOCHE 2"
	jimsFiled    = "good: BOXER Jim Light, SCHLAG UC3 RJ1 RH0 CO0 LJ0 LH0, V WENN AMSEIL : KLAMMERN"
	rockysFiled  = "good: BOXER Rocky Stone, SCHLAG UC1 RJ0 RH0 CO0 LJ0 LH9, V WENN AMSEIL : KLAMMERN, A WENN GKOND<=0 : STURM"
)

// G-3: each block of a mail is a slot of its own, whatever their order and language,
// and the one receipt shows them all.
func TestG3SeveralSlotsAMail(t *testing.T) {
	for name, body := range map[string]string{
		"the manager first": managerBlock + jimsBlock + rockysBlock,
		"the manager last":  "Hallo,\n\n" + rockysBlock + "\nund dann\n\n" + jimsBlock + "ENDE\n\n" + managerBlock,
		"one game for all":  "SPIEL ring\n" + jimsBlock + "END\n" + managerBlock + "FIN\n" + rockysBlock + "-- \nDon\n",
		"in small letters":  strings.ToLower(jimsBlock + managerBlock + rockysBlock),
		"in Spanish": "NOMBRE Jim Light\nGOLPE UC3 RJ1\nD SI CUERDAS : AGARRAR\nMANAGER Don Corrado\nDESCANSO Jim Light\n" +
			"COMBATE Rocky Stone CONTRA Kid Thunder SEMANA 2\nBOXEADOR Rocky Stone\nGOLPE UC1 LH9\nD SI CUERDAS : AGARRAR\nA SI RRESIST<=0 : CARGAR\n",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.campaign("ring", "address", nil)
			before := len(b.posted(address("Don Corrado")))
			b.want(b.write("Don Corrado", body), referee.Taken, "taken", "taken", "taken")
			b.wantFiled("ring", "Don Corrado", jimsFiled, rockysFiled, managerFiled)
			if n := len(b.posted(address("Don Corrado"))) - before; n != 1 {
				t.Errorf("%d mails go out", n)
			}
			text := b.says("Don Corrado", []string{
				"| MANAGER Don Corrado | RUHE Jim Light | KAMPF Rocky Stone GEGEN Kid Thunder WOCHE 2",
				"| BOXER Jim Light | SCHLAG UC3 RJ1 RH0 CO0 LJ0 LH0 | V WENN AMSEIL : KLAMMERN",
				"| BOXER Rocky Stone | SCHLAG UC1 RJ0 RH0 CO0 LJ0 LH9 | V WENN AMSEIL : KLAMMERN | A WENN GKOND<=0 : STURM",
				"Jim Light boxt gegen Old Bill", "Rocky Stone boxt gegen Kid Thunder", "2 Zeilen des Managers",
				"Sein Plan für diese Runde liegt vor.",
			}, "außerdem", "CLINCH", "Noch ohne Plan")
			if n := strings.Count(text, "Dein Zug gilt"); n != 1 {
				t.Errorf("it says %d times that the orders count", n)
			}
		})
	}
}

// Whoever reads English gets the same in English.
func TestSlotsAreShownInTheReadersLanguage(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	b.want(b.write("Miller", "MANAGER Miller\nKAMPF Iron Mike GEGEN Old Bill ARENA GRUBE EINFACH\nNAME Kid Thunder\nERWARTE UC2\nV WENN KOND<=10 UND VORN>=2 : ZURÜCK\nV KONTER NEIN\nDAUER NEIN\n"), referee.Taken, "taken", "taken")
	b.says("Miller", []string{
		"| MANAGER Miller | BOUT Iron Mike VS Old Bill ARENA PITS PLAIN",
		"| FIGHTER Kid Thunder | EXPECT UC2 RJ0 RH0 CO0 LJ0 LH0 | D IF END<=10 AND LEAD>=2 : BACKPEDAL | D COUNTER NO | STANDING NO",
		"The plan is for one bout, then the default plan is back.",
	}, "GEGEN", "WENN", "DAUER")
}

// G-3: a later mail replaces the slots that it is about and no others; its receipt
// says in short what else counts.
func TestG3OneSlotIsReplaced(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	b.want(b.write("Don Corrado", managerBlock+jimsBlock+rockysBlock), referee.Taken)
	b.now = b.now.Add(time.Hour)
	b.want(b.write("Don Corrado", "NAME Jim Light\nSCHLAG UC9\nV WENN AMSEIL : KLAMMERN\nV SONST : DECKEN\n"), referee.Taken, "taken")
	const newPlan = "good: BOXER Jim Light, SCHLAG UC9 RJ0 RH0 CO0 LJ0 LH0, V WENN AMSEIL : KLAMMERN, V SONST : DECKEN"
	b.wantFiled("ring", "Don Corrado", newPlan, rockysFiled, managerFiled)
	b.says("Don Corrado", []string{
		"Das ist anders als in deinem vorigen Zug: | vorher: SCHLAG UC3 RJ1 RH0 CO0 LJ0 LH0 | jetzt: SCHLAG UC9 RJ0 RH0 CO0 LJ0 LH0 | neu: V SONST : DECKEN",
		"Für diese Runde liegt außerdem vor: | MANAGER Don Corrado | BOXER Rocky Stone", "| ZUGSTAND",
	}, "RUHE Jim", "A WENN GKOND", "vorher: V")
	// A manager's block replaces the whole of the old one.
	b.want(b.write("Don Corrado", "MANAGER Don Corrado\nFREI Rocky Stone AB 3\n"), referee.Taken, "taken")
	b.wantFiled("ring", "Don Corrado", newPlan, rockysFiled, "good: MANAGER Don Corrado, FREI Rocky Stone AB 3")
	b.says("Don Corrado", []string{"| neu: FREI Rocky Stone AB 3", "| entfällt: RUHE Jim Light", "außerdem vor: | BOXER Jim Light | BOXER Rocky Stone"})
	// The same again is no change, and of two plans in one mail the lower counts.
	b.want(b.write("Don Corrado", "NAME Rocky Stone\nSCHLAG UC1\nNAME Jim Light\nSCHLAG UC9\nV WENN AMSEIL : KLAMMERN\nV SONST : DECKEN\n"+rockysBlock), referee.Taken, "taken", "unchanged", "taken")
	b.wantFiled("ring", "Don Corrado", newPlan, rockysFiled, "good: MANAGER Don Corrado, FREI Rocky Stone AB 3")
	b.says("Don Corrado", []string{"Dein Zug gilt.", "| BOXER Rocky Stone | SCHLAG UC1 RJ0 RH0 CO0 LJ0 LH9", "außerdem vor: | MANAGER Don Corrado"},
		"SCHLAG UC1 RJ0 RH0 CO0 LJ0 LH0 | |")
}

// Each order mail has one receipt: sent, or replaced before sending by one that is
// about all that it is about.
func TestUnsentReceiptsOfOtherSlotsStay(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	sent := func(body string, outcomes ...string) string {
		t.Helper()
		b.now = b.now.Add(time.Minute)
		b.want(b.write("Don Corrado", body), referee.Taken, outcomes...)
		return b.last(address("Don Corrado")).MessageID
	}
	states := func() map[string]string {
		out := map[string]string{}
		for _, p := range b.posted(address("Don Corrado")) {
			out[p.MessageID] = p.State
		}
		return out
	}
	jim := sent(jimsBlock, "taken")
	rocky := sent(rockysBlock, "taken")
	if got := states(); got[jim] != store.MailQueued || got[rocky] != store.MailQueued {
		t.Errorf("a receipt of another fighter's plan was replaced: %v", got)
	}
	again := sent("NAME Jim Light\nSCHLAG LJ2\n", "taken")
	if got := states(); got[jim] != store.MailDropped || got[rocky] != store.MailQueued || got[again] != store.MailQueued {
		t.Errorf("the same fighter's plan: %v", got)
	}
	b.says("Don Corrado", []string{"steht zugleich für deine frühere Mail"})
	both := sent(rockysBlock+"NAME Jim Light\nSCHLAG RH2\n", "unchanged", "taken")
	if got := states(); got[rocky] != store.MailDropped || got[again] != store.MailDropped || got[both] != store.MailQueued {
		t.Errorf("both plans: %v", got)
	}
	b.says("Don Corrado", []string{"steht zugleich für deine früheren Mails"})
	one := sent(rockysBlock, "unchanged")
	if got := states(); got[both] != store.MailQueued || got[one] != store.MailQueued {
		t.Errorf("a receipt of two plans was replaced by one of a single plan: %v", got)
	}
	// A block of which nothing can be told stands for nothing.
	b.want(b.write("Don Corrado", "NAME Don Corrado\nSCHLAG UC3\n"), referee.Refused, "kept")
	if got := states(); got[one] != store.MailQueued {
		t.Errorf("a plan of nobody's replaced a receipt: %v", got)
	}
	// Every mail that changed something is covered by one that is not dropped.
	for id, state := range states() {
		if state == store.MailDropped && id != jim && id != rocky && id != again {
			t.Errorf("%s was dropped", id)
		}
	}
}

// G-11: a plan stands until it is replaced, and is shown as standing; a manager's
// lines do not.
func TestG11StandingPlansAreShown(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	b.want(b.write("Don Corrado", managerBlock+jimsBlock+rockysBlock+"DAUER NEIN\n"), referee.Taken)
	b.want(b.write("Don Corrado", "ZUGSTAND\n"), referee.Taken)
	b.says("Don Corrado", []string{
		"Dieser Zug liegt vor und gilt: | MANAGER Don Corrado | RUHE Jim Light | KAMPF Rocky Stone GEGEN Kid Thunder WOCHE 2 Angekommen: Dienstag, 1. Dezember",
		"Dieser Zug liegt vor und gilt: | BOXER Jim Light | SCHLAG UC3", "Dieser Zug liegt vor und gilt: | BOXER Rocky Stone",
	}, "Von früher")
	b.now = at("2026-12-06T19:00:01Z")
	_, err := b.CloseDue(t.Context())
	b.must(err)
	b.want(b.write("Don Corrado", "ZUGSTAND\n"), referee.Taken)
	b.says("Don Corrado", []string{"Von früher steht, und es gilt: | BOXER Jim Light | SCHLAG UC3 RJ1 RH0 CO0 LJ0 LH0 | V WENN AMSEIL : KLAMMERN"},
		"Dieser Zug liegt vor", "Rocky Stone", "MANAGER", "Angekommen")
	// Receipts say so, too.
	b.want(b.write("Don Corrado", rockysBlock), referee.Taken, "taken")
	b.says("Don Corrado", []string{"Von früher steht noch: | BOXER Jim Light", "| ZUGSTAND"}, "liegt außerdem vor")
	// With nothing but mistakes, the plan that stands goes on.
	b.want(b.write("Don Corrado", "NAME Jim Light\nSCHLAG UC10\n"), referee.Refused, "kept")
	b.says("Don Corrado", []string{"Es gilt weiter: | BOXER Jim Light | SCHLAG UC3 RJ1", "Nicht übernommen ist: | SCHLAG UC10", "außerdem vor: | BOXER Rocky Stone"}, "Von früher")
	// What is sent for this round takes its place.
	b.want(b.write("Don Corrado", "NAME Jim Light\nSCHLAG LH1\n"), referee.Taken, "taken")
	b.want(b.write("Don Corrado", "ZUGSTAND\n"), referee.Taken)
	b.says("Don Corrado", []string{"liegt vor und gilt: | BOXER Jim Light | SCHLAG UC0 RJ0 RH0 CO0 LJ0 LH1"}, "Von früher", "KLAMMERN | |")
}

// A block with nothing but mistakes in it has its own fate beside good ones.
func TestABlockThatCannotBeReadCostsTheOthersNothing(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	b.want(b.write("Don Corrado", "NAME Jim Light\nSCHLAG XY3\n"+rockysBlock), referee.Taken, "nothing", "taken")
	b.wantFiled("ring", "Don Corrado", "missing", rockysFiled)
	b.says("Don Corrado", []string{
		"bitte schau genau hin", "Ein Block war nicht lesbar, und an seiner Stelle liegt für Runde 1 noch nichts vor.",
		"Fehler in Zeile 2", "Einen Schlag „XY3“ gibt es nicht", "Dein Zug gilt. So ist er gelesen worden: | BOXER Rocky Stone",
		"Noch ohne Plan",
	}, "außerdem vor")
	b.want(b.write("Don Corrado", "NAME Jim Light\nSCHLAG UC3 XX2\nSCHLAG UC3\n"), referee.Taken, "taken")
	b.says("Don Corrado", []string{"Dein Zug gilt, bis auf das, was unten als Fehler steht.", "Fehler in Zeile 2"})
}

// The ready blocks come back with one of them filled in: the others are no news.
func TestReadyBlocksOneFilledIn(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	start := b.text(b.last(address("Don Corrado")))
	b.want(b.write("Don Corrado", start), referee.Refused, "unfilled", "unfilled", "unfilled")
	b.says("Don Corrado", []string{"Der Block in deiner Mail ist noch nicht ausgefüllt."}, "Es gilt weiter", "gelesen worden")
	b.wantFiled("ring", "Don Corrado", "missing", "missing")
	one := strings.Replace(start, "SCHLAG UC_ RJ_ RH_ CO_ LJ_ LH_", "SCHLAG UC5 RJ_ RH_ CO_ LJ_ LH_", 1)
	b.want(b.write("Don Corrado", one), referee.Taken, "taken", "unfilled", "unfilled")
	b.says("Don Corrado", []string{"Zug erhalten", "Dein Zug gilt.", "| BOXER Jim Light | SCHLAG UC5"}, "ausgefüllt.", "Vordruck")
	b.wantFiled("ring", "Don Corrado", "good: BOXER Jim Light, SCHLAG UC5 RJ0 RH0 CO0 LJ0 LH0", "missing")
	b.want(b.write("Don Corrado", strings.NewReplacer("FREI _", "FREI Rocky Stone", "KAMPF _ GEGEN _", "KAMPF Jim Light GEGEN Kid Thunder").Replace(start)), referee.Taken, "unfilled", "unfilled", "taken")
	b.wantFiled("ring", "Don Corrado", "good: BOXER Jim Light, SCHLAG UC5 RJ0 RH0 CO0 LJ0 LH0", "missing",
		"good: MANAGER Don Corrado, KAMPF Jim Light GEGEN Kid Thunder, FREI Rocky Stone")
}

// What waits for a confirmation waits together, and is taken together.
func TestSlotsAreHeldTogether(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "token", nil)
	b.want(b.write("Don Corrado", managerBlock+jimsBlock+rockysBlock), referee.Held, "held", "held", "held")
	text := b.says("Don Corrado", []string{"| MANAGER Don Corrado | RUHE Jim Light | KAMPF Rocky Stone GEGEN Kid Thunder WOCHE 2 | | BOXER Jim Light", "| BOXER Rocky Stone"})
	if n := strings.Count(text, "| JA "); n != 1 {
		t.Errorf("the code stands there %d times", n)
	}
	b.wantFiled("ring", "Don Corrado", "missing", "missing")
	b.want(b.write("Don Corrado", "JA "+b.codeFor(address("Don Corrado"))+"\n"), referee.Taken)
	b.wantFiled("ring", "Don Corrado", jimsFiled, rockysFiled, managerFiled)
}

// Plans and lines that stand only in a quote are shown and held; of each name the
// first counts.
func TestQuotedPlansAreHeld(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	quote := "> " + strings.ReplaceAll(strings.TrimSpace("NAME Jim Light\nSCHLAG UC_ RJ_\n"+jimsBlock+managerBlock+"NAME Jim Light\nSCHLAG LJ9\nMANAGER Don Corrado\nRUHE _\n"), "\n", "\n> ") + "\n"
	b.want(b.write("Don Corrado", "so wie letztes Mal\n\n"+quote), referee.Held)
	b.says("Don Corrado", []string{"| BOXER Jim Light | SCHLAG UC3 RJ1", "| MANAGER Don Corrado | RUHE Jim Light"}, "LJ9")
	b.want(b.write("Don Corrado", "JA "+b.codeFor(address("Don Corrado"))+"\n"), referee.Taken)
	b.wantFiled("ring", "Don Corrado", jimsFiled, "missing", managerFiled)
	// The blanks of a report that is quoted are no orders.
	start := b.text(b.posted(address("Don Corrado"))[0])
	b.want(b.write("Don Corrado", "danke!\n\n> "+strings.ReplaceAll(start, "\n", "\n> ")), referee.Refused)
	b.says("Don Corrado", []string{"fand sich kein Zug"})
}

// In the subject only, orders are answered with where they belong.
func TestPlansInTheSubject(t *testing.T) {
	for subject, want := range map[string]string{
		"NAME Jim Light SCHLAG UC3 RJ1":          "subject-only",
		"Plan: NAME Jim Light ERWARTE UC3":       "subject-only",
		"MANAGER Don Corrado RUHE Jim Light":     "subject-only",
		"MANAGER Don Corrado":                    "no-orders",
		"Frei bis Montag":                        "no-orders",
		"Kampf gegen Windmühlen":                 "no-orders",
		"NAME Jim Light SCHLAG UC_ RJ_":          "no-orders",
		"A win is a win, D day is near":          "no-orders",
		"MANAGER Don Corrado KAMPF _ GEGEN _ ok": "no-orders",
	} {
		b := newBench(t)
		b.campaign("ring", "address", nil)
		r := b.receive(b.letter(address("Don Corrado"), subject, "Gruß\n"))
		if b.want(r, referee.Refused); r.Reason != want {
			t.Errorf("%q: %s, want %s", subject, r.Reason, want)
		}
	}
}

// Late mails are late in all their slots.
func TestG9LateSlots(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	b.want(b.write("Don Corrado", jimsBlock), referee.Taken)
	deadline := at("2026-12-06T19:00:00Z")
	b.now = deadline.Add(time.Minute)
	b.want(b.receiveAt(b.letter(address("Don Corrado"), "Plan", "NAME Jim Light\nSCHLAG LJ2\n"+rockysBlock), deadline), referee.Refused, "late", "late")
	b.says("Don Corrado", []string{"Zug kam zu spät", "Für diese Runde gilt: | BOXER Jim Light | SCHLAG UC3 RJ1", "Zu spät kam: | BOXER Jim Light | SCHLAG UC0 RJ0 RH0 CO0 LJ2 LH0 | | BOXER Rocky Stone", "| SPIELRUNDE 2"})
	// Named for the next round they are kept, and the report knows of it.
	b.want(b.receive(b.letter(address("Don Corrado"), "Plan", "SPIELRUNDE 2\n"+rockysBlock)), referee.Taken, "early")
	_, err := b.CloseDue(t.Context())
	b.must(err)
	text := b.says("Don Corrado", []string{"Runde 2: Dein Zug"})
	if strings.Contains(text, "Gegner:") && strings.Count(text, "Sein Plan für diese Runde liegt vor.") != 1 {
		t.Errorf("the report does not say which plan is on file:\n%s", text)
	}
}

// A reminder says that a part is missing when the rest is there.
func TestG14RemindedOfWhatIsMissing(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	b.want(b.write("Don Corrado", jimsBlock+managerBlock), referee.Taken)
	b.now = at("2026-12-05T20:00:00Z")
	b.must(b.Chores(t.Context()))
	b.says("Don Corrado", []string{"Vom Zug für Don Corrado fehlt noch ein Teil.", "Sein Plan für diese Runde liegt vor.", "Noch ohne Plan"}, "liegt noch kein Zug vor")
	b.says("Miller", []string{"No orders have come from Miller yet."})
	reminders := 0
	for _, p := range b.posted(address("Zoë")) {
		if p.Kind == "reminder" {
			reminders++
		}
	}
	if reminders != 1 {
		t.Errorf("Zoë is reminded %d times", reminders)
	}
	info, err := b.GameInfo(t.Context(), "ring")
	b.must(err)
	if diff := cmp.Diff([]string{"Don Corrado", "Miller", "Zoë"}, info.Missing); diff != "" {
		t.Errorf("missing:\n%s", diff)
	}
}

// The game master enters whole mails, all blocks of it or none.
func TestOrdersAreEnteredBlockByBlock(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	all, err := b.EnterOrders(t.Context(), "ring", "Don Corrado", managerBlock+jimsBlock+rockysBlock)
	b.must(err)
	if len(all) != 3 || all[1].Outcome != "taken" {
		t.Errorf("entered: %+v", all)
	}
	b.wantFiled("ring", "Don Corrado", jimsFiled, rockysFiled, managerFiled)
	b.says("Don Corrado", []string{"| MANAGER Don Corrado", "| BOXER Jim Light", "| BOXER Rocky Stone"})
	mails := len(b.posted(address("Don Corrado")))
	for text, want := range map[string]string{
		jimsBlock + "NAME Iron Mike\nSCHLAG UC3\n":                 "the block is Iron Mike's, not Don Corrado's",
		"NAME Jim Light\nSCHLAG LJ2\nNAME Rocky Stone\nSCHLAG XY3": "line 4: There is no punch",
		"guten Tag": "there is no order block",
	} {
		if want == "line 4: There is no punch" {
			want = "line 4: Einen Schlag „XY3“ gibt es nicht"
		}
		if _, err := b.EnterOrders(t.Context(), "ring", "Don Corrado", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	b.wantFiled("ring", "Don Corrado", jimsFiled, rockysFiled, managerFiled)
	if got := len(b.posted(address("Don Corrado"))); got != mails {
		t.Errorf("%d mails of what was not entered", got-mails)
	}
}

// In several games a fighter's name tells which one is meant.
func TestAFightersNameTellsTheGame(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", nil)
	b.league("liga", "address", "Don Corrado", "Maier")
	b.want(b.write("Don Corrado", jimsBlock), referee.Taken, "taken")
	b.want(b.write("Don Corrado", "NAME Don Corrado\n"+goodZug), referee.Refused, "which-game")
	b.want(b.write("Don Corrado", "NAME Jim Light\nAUSSTIEG\n"), referee.Taken)
	b.says("Don Corrado", []string{"Don Corrado ist nach Runde 1 nicht mehr dabei"})
}
