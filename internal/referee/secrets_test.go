package referee_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// planted are orders whose figures stand nowhere else in the world.
func planted(name string, n int) (text string, needles []string) {
	for i := range 5 {
		needles = append(needles, fmt.Sprint(7770000+10*n+i))
	}
	return fmt.Sprintf("NAME %s\nZUG %s/1 %s/1 %s/1 %s/1 %s/1\nTRAINING T\n", name, needles[0], needles[1], needles[2], needles[3], needles[4]), needles
}

// shows names the first needle in a text, "" when there is none.
func shows(text string, needles []string) string {
	for _, n := range needles {
		if at := strings.Index(text, n); at >= 0 {
			return fmt.Sprintf("%s: …%s…", n, text[max(0, at-60):min(len(text), at+60)])
		}
	}
	return ""
}

// public is everything that anybody may get who is not the given player: all mails
// to others, his own address apart, past reports as everybody may read them, and
// the public export.
func (b *bench) public(id, except string) string {
	b.Helper()
	var all strings.Builder
	rows, err := b.Outbox(b.Context(), "")
	b.must(err)
	for _, r := range rows {
		if r.To == except {
			continue
		}
		raw, err := b.OutgoingBytes(b.Context(), r.ID)
		b.must(err)
		var o store.Outgoing
		b.must(b.store.Read(b.Context(), func(tx *store.Tx) (err error) { o, err = tx.Outgoing(r.ID); return err }))
		fmt.Fprintf(&all, "%s\n%s\n%s\n%s\n%s\n", r.To, raw, o.Head, o.Body, o.Foot)
	}
	doc, err := b.Export(b.Context(), id, true)
	b.must(err)
	text, err := json.Marshal(doc)
	b.must(err)
	all.Write(text)
	seats, err := b.Seats(b.Context(), id)
	b.must(err)
	rounds, err := b.Rounds(b.Context(), id, true)
	b.must(err)
	for _, r := range rounds {
		for _, lang := range []string{"de", "en"} {
			report, err := b.ReportOf(b.Context(), id, r.Branch, r.Round, "", lang)
			b.must(err)
			all.WriteString(report)
			for _, s := range seats {
				if slices.Contains(s.Addresses, except) {
					continue
				}
				report, err := b.ReportOf(b.Context(), id, r.Branch, r.Round, s.Name, lang)
				b.must(err)
				all.WriteString(report)
			}
		}
	}
	return all.String()
}

// Orders of an open round, orders ahead and orders that are held are seen by
// nobody but their player, whatever the others ask; the log has none at all.
func TestOrdersOfOpenRoundsAreNobodysBusiness(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier", "Huber", "Kid Thunder")
	now, nowNeedles := planted("Müller", 1)
	ahead, aheadNeedles := planted("Müller", 2)
	held, heldNeedles := planted("Müller", 3)
	b.want(b.write("Müller", now), referee.Taken, "taken")
	b.want(b.write("Müller", "SPIELRUNDE 2\n"+ahead), referee.Taken, "early")
	b.want(b.receive(b.letter(address("Müller"), "Zug", held, fail)), referee.Held)
	b.want(b.write("Müller", "ZUGSTAND\nSTAND\nSPIELE\n"), referee.Taken)
	b.want(b.write("Maier", "NAME Maier\n"+goodZug), referee.Taken)
	ask := func() {
		for i, who := range []string{"Maier", "Kid Thunder"} {
			for j, line := range []string{"HILFE", "REGELN", "STAND", "ZUGSTAND", "SPIELE", "AKTE Müller", "ARCHIV 0", "ARCHIV 1", "NAME Müller\nZUGSTAND", "NAME Müller\n" + goodZug, "> " + goodZug} {
				b.now = b.now.Add(time.Minute)
				b.write(who, fmt.Sprintf("Hallo %d %d,\n%s\n", i, j, line))
			}
		}
		b.receive(b.letter("new@players.example", "Hi", "JOIN Müller\nTABLE\n"+b.now.String(), pass))
		b.receive(b.letter("other@players.example", "Hi", "ANMELDUNG Rocky\n"+b.now.String(), pass))
		b.must(b.Chores(t.Context()))
	}
	ask()
	all := b.public("liga", address("Müller"))
	for _, needles := range [][]string{nowNeedles, aheadNeedles, heldNeedles} {
		if found := shows(all, needles); found != "" {
			t.Errorf("others see %s", found)
		}
	}
	if own := b.text(b.posted(address("Müller"))[1]); shows(own, nowNeedles) == "" {
		t.Errorf("his own receipt does not show them: the search finds nothing\n%s", own)
	}

	b.now = at("2026-12-06T19:00:01Z")
	closed, err := b.CloseDue(t.Context())
	b.must(err)
	if len(closed) != 1 {
		t.Fatalf("closed %+v", closed)
	}
	ask()
	all = b.public("liga", address("Müller"))
	if shows(all, nowNeedles) == "" {
		t.Error("the closed round's orders are not shown")
	}
	for _, needles := range [][]string{aheadNeedles, heldNeedles} {
		if found := shows(all, needles); found != "" {
			t.Errorf("after the close others see %s", found)
		}
	}
	for _, needles := range [][]string{nowNeedles, aheadNeedles, heldNeedles} {
		if found := shows(b.log.String(), needles); found != "" {
			t.Errorf("the log has %s", found)
		}
	}
}

// Public documents name no person: no address, no language, no time zone; and the
// game's secret and the next rounds' seeds stay where they are.
func TestPublicDocumentsNameNoPerson(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier", "Huber")
	for range 2 {
		_, err := b.Close(t.Context(), "liga", 0)
		b.must(err)
	}
	doc, err := b.Export(t.Context(), "liga", true)
	b.must(err)
	text, err := json.Marshal(doc)
	b.must(err)
	var g store.Game
	b.must(b.store.Read(t.Context(), func(tx *store.Tx) (err error) { g, err = tx.Game("liga"); return err }))
	hidden := []string{"players.example", "@", "Europe/Berlin", "persons", "pending", fmt.Sprintf("%x", g.Secret)}
	for _, round := range []int{3, 4} {
		hidden = append(hidden, seedOf(g, round))
	}
	if found := shows(string(text), hidden); found != "" {
		t.Errorf("the public export shows %s", found)
	}
	if shows(string(text), []string{seedOf(g, 2)}) == "" {
		t.Error("the public export does not show the last round's seed")
	}
	others := b.public("liga", "")
	if found := shows(others, hidden[len(hidden)-3:]); found != "" {
		t.Errorf("a mail shows %s", found)
	}
	// Nor does the log tell secrets, tokens or codes.
	b.want(b.receive(b.letter(address("Huber"), "Zug", "NAME Huber\n"+goodZug)), referee.Held)
	private := append(hidden[len(hidden)-3:], b.codeFor(address("Huber")))
	for _, name := range []string{"Müller", "Maier", "Huber"} {
		for _, p := range b.posted(address(name)) {
			if _, rest, ok := strings.Cut(p.Subject, "["); ok {
				private = append(private, strings.Fields(strings.Trim(rest, "]"))[2])
			}
		}
	}
	if found := shows(b.log.String(), private); found != "" {
		t.Errorf("the log shows %s", found)
	}
}

func seedOf(g store.Game, round int) string {
	return dice.Secret(g.Secret).Seed(g.ID, g.Branch, round).String()
}

// A campaign's plans, lines, offers and bets of an open round are seen by nobody but
// their manager, whatever the others ask; plans and what was asked for in vain never
// are. Offers, bets and challenges show when their time has come.
func TestPlansOffersAndBetsAreNobodysBusiness(t *testing.T) {
	b := newBench(t)
	b.campaign("ring", "address", game.Settings{"bets": "on", "sales": "on", "money": "9000"})
	don := address("Don Corrado")
	plan := []string{"UC9 RJ0 RH8 CO0 LJ7 LH0", "UC8 RJ6 RH0 CO0 LJ4 LH2", "<=-13", ">=7", "17½"}
	offer, bet := []string{"7331", "7.331", "7,331"}, []string{"1237", "1.237", "1,237"}
	challenge := []string{"WOCHE 3", "WEEK 3", "Woche 3", "week 3"}
	ahead, held := []string{"UC1 RJ2 RH3 CO4 LJ5 LH9"}, []string{"UC6 RJ6 RH6 CO6 LJ6 LH1"}
	b.want(b.write("Don Corrado", "NAME Jim Light\nSCHLAG UC9 RH8 LJ7\nERWARTE UC8 RJ6 LJ4 LH2\nV WENN KOND<=-13 UND VORN>=7 : DECKEN\n"+
		"MANAGER Don Corrado\nANGEBOT Rocky Stone 7331\nWETTE Jim Light 1237\nFREI Jim Light AB 17,5\nKAMPF Rocky Stone GEGEN Old Bill WOCHE 3\nSPARRING Jim Light\n"), referee.Taken, "taken", "taken")
	b.want(b.write("Don Corrado", "SPIELRUNDE 2\nNAME Rocky Stone\nSCHLAG UC1 RJ2 RH3 CO4 LJ5 LH9\n"), referee.Taken, "early")
	b.want(b.receive(b.letter(don, "Plan", "NAME Rocky Stone\nSCHLAG UC6 RJ6 RH6 CO6 LJ6 LH1\n", fail)), referee.Held)
	b.want(b.write("Don Corrado", "ZUGSTAND\nSTAND\nSPIELE\nAKTE Jim Light\n"), referee.Taken)
	own := ""
	for _, p := range b.posted(don) {
		own += b.text(p)
	}
	for _, needles := range [][]string{plan[:1], plan[1:2], plan[2:3], offer, bet, challenge, ahead, held} {
		if shows(own, needles) == "" {
			t.Fatalf("his own mails do not show %q: the search finds nothing", needles)
		}
	}
	ask := func() {
		for i, who := range []string{"Miller", "Zoë"} {
			for j, line := range []string{"HILFE", "REGELN", "STAND", "TABLE", "ZUGSTAND", "SPIELE", "AKTE Jim Light", "RECORD Rocky Stone", "AKTE Don Corrado", "ARCHIV 0", "REPORT 1",
				"NAME Jim Light\nZUGSTAND", "NAME Jim Light\nORDERS", "NAME Jim Light\nSCHLAG UC3", "MANAGER Don Corrado\nRUHE Jim Light", "SPARRING Jim Light", "SPARRING Old Bill", "SPARRING Kid Thunder",
				"NAME Old Bill\nSCHLAG UC3", "MANAGER Zoë\nWETTE Old Bill 1237", "MANAGER Zoë\nKAUF Rocky Stone 7331", "> NAME Jim Light\n> SCHLAG UC3"} {
				if who == "Zoë" && (strings.Contains(line, "1237") || strings.Contains(line, "7331")) {
					continue // she would only see her own figures
				}
				b.now = b.now.Add(time.Minute)
				b.write(who, fmt.Sprintf("Hallo %d %d,\n%s\n", i, j, line))
			}
		}
		b.receive(b.letter("new@players.example", "Hi", "JOIN Jim Light\nTABLE\n"+b.now.String(), pass))
		b.must(b.Chores(t.Context()))
	}
	ask()
	all := b.public("ring", don)
	for _, needles := range [][]string{plan, offer, bet, challenge, ahead, held} {
		if found := shows(all, needles); found != "" {
			t.Errorf("others see %s", found)
		}
	}
	b.now = at("2026-12-06T19:00:01Z")
	_, err := b.CloseDue(t.Context())
	b.must(err)
	ask()
	all = b.public("ring", don)
	for _, needles := range [][]string{plan, ahead, held} {
		if found := shows(all, needles); found != "" {
			t.Errorf("after the close others see %s", found)
		}
	}
	for _, needles := range [][]string{offer, bet} {
		if shows(all, needles) == "" {
			t.Errorf("after the close nobody sees %q", needles)
		}
	}
	for name, sees := range map[string]bool{"Zoë": true, "Miller": false} {
		mails := ""
		for _, p := range b.posted(address(name)) {
			mails += b.text(p)
		}
		if got := shows(mails, challenge) != ""; got != sees {
			t.Errorf("%s sees the challenge: %v", name, got)
		}
	}
	for _, needles := range [][]string{plan, offer, bet, ahead, held} {
		if found := shows(b.log.String(), needles); found != "" {
			t.Errorf("the log has %s", found)
		}
	}
	// With the game ended all is open to whoever checks it.
	b.must(b.End(t.Context(), "ring"))
	if all = b.public("ring", don); shows(all, []string{"KOND<=-13", "END<=-13", `END\u003c=-13`}) == "" {
		t.Error("the ended game's document does not open the plans")
	}
}
