package referee_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ringpost/internal/dice"
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
	rounds, err := b.Rounds(b.Context(), id)
	b.must(err)
	for _, r := range rounds {
		for _, lang := range []string{"de", "en"} {
			report, err := b.ReportOf(b.Context(), id, r.Round, "", lang)
			b.must(err)
			all.WriteString(report)
			for _, s := range seats {
				report, err := b.ReportOf(b.Context(), id, r.Round, s.Name, lang)
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
