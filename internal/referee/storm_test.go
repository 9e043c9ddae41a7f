package referee_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"ringpost/internal/letter"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// What may go out in the storm: a day's caps on answers to one player, an hour's to
// all strangers, and of how many mails set aside the game master is told one by one.
const (
	answersADay     = 40
	chatADay        = 3
	heldADay        = 20
	strangersAnHour = 60
	quarantinesADay = 20
)

// storm is a mailbox in which ten thousand mails that nobody wants lie between the
// orders of a league, while every mail of ours is answered by a machine and comes
// back to us by itself besides.
type storm struct {
	*bench
	random  *rand.Rand
	waiting [][]byte
	seen    int // mails of the outbox that machines have answered
	results map[string]int
	out     int // mails out during the last batch
}

func TestStorm(t *testing.T) {
	begun := time.Now()
	s := &storm{bench: newBench(t), random: rand.New(rand.NewPCG(3, 7)), results: map[string]int{}}
	s.set.PlusAddresses = true
	s.open(s.rulesets())
	var names []string
	for n := range 12 {
		names = append(names, "Boxer "+letters(n))
	}
	s.league("liga", "token", names...)
	players := s.orders(names)
	for i := range 10_000 / raceFactor {
		s.waiting = append(s.waiting, s.spam(i, names))
	}
	s.random.Shuffle(len(s.waiting), func(i, j int) { s.waiting[i], s.waiting[j] = s.waiting[j], s.waiting[i] })
	before := len(s.dump())

	batches := 0
	for len(s.waiting) > 0 {
		if batches++; batches > 300 {
			t.Fatalf("still %d mails to take in: the storm does not end", len(s.waiting))
		}
		s.batch(names)
	}
	if s.out != 0 {
		t.Errorf("%d mails go out at the end: something answers for ever", s.out)
	}
	s.count(names)

	for i, n := range names {
		if got := s.onFile("liga", n); got != players[i] {
			t.Errorf("%s: on file %s, want %s", n, got, players[i])
		}
	}
	if s.results[referee.Duplicate] != 13 || s.results[referee.Taken] > 13+strangersAnHour {
		t.Errorf("results: %v", s.results)
	}
	// 12 orders, one of them replaced, and one press: nothing else was written.
	if got := len(s.dump()) - before; got != 14 {
		t.Errorf("the games have grown by %d rows, want 14", got)
	}
	seats, err := s.Seats(t.Context(), "liga")
	s.must(err)
	if len(seats) != 12 {
		t.Errorf("%d seats: somebody was signed up", len(seats))
	}
	s.now = at("2026-12-06T19:00:00Z")
	closed, err := s.CloseDue(t.Context())
	s.must(err)
	if len(closed) != 1 || closed[0].NMR != 0 {
		t.Errorf("closed: %+v", closed)
	}
	t.Logf("%d batches, %v, results %v", batches, time.Since(begun), s.results)
}

// TestReceiptsAreDelayedNeverDropped: a player's own program sends orders without
// end. Above his budget they have one receipt an hour, the last standing for all.
func TestReceiptsAreDelayedNeverDropped(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Müller", "Maier")
	send := func() (n int) {
		for {
			due, err := b.OutboxDue(t.Context(), b.now, 100)
			b.must(err)
			if len(due) == 0 {
				return n
			}
			for _, o := range due {
				b.must(b.store.MarkAttempt(t.Context(), o.ID, b.now))
				b.must(b.Sent(t.Context(), o.ID, referee.Delivery{State: store.MailSent, At: b.now}))
				if o.Kind == "receipt" {
					n++
				}
			}
		}
	}
	sent := 0
	for i := range 240 { // in two hours, from noon on
		b.want(b.write("Müller", fmt.Sprintf("NAME Müller\nZUG %d/0 1/1 1/1 1/1 1/1\nTRAINING T\n", i)), referee.Taken)
		b.now = b.now.Add(30 * time.Second)
		sent += send()
	}
	if sent != 40+2 {
		t.Errorf("%d receipts for 240 orders in two hours, want a budget of 40 and one an hour", sent)
	}
	if got := b.onFile("liga", "Müller"); got != "good: ZUG 239/0 1/1 1/1 1/1 1/1, TRAINING T" {
		t.Errorf("on file: %s", got)
	}
	if text := b.text(b.last(address("Müller"))); !strings.Contains(text, "ZUG 239/0") {
		t.Errorf("the last receipt:\n%s", text)
	}
	alerts := b.posted("boss@liga.example")
	if len(alerts) != 1 || !strings.Contains(b.text(alerts[0]), "40 receipts a day to "+address("Müller")) {
		t.Errorf("the game master has %d mails, want one of the budget that is used up", len(alerts))
	}
}

// orders puts the mails in that count, and gives what must be on file at the end.
// Each comes a second time, under another place and with another header.
func (s *storm) orders(names []string) (want []string) {
	for i, n := range names {
		tag := "Re: " + s.last(address(n)).Subject
		body := fmt.Sprintf("NAME %s\nZUG %d/1 1/1 1/1 1/1 1/2\nTRAINING T\n", n, i)
		var mails [][]byte
		switch i {
		case 4: // he changes his mind an hour later; the older mail may be seen last
			s.now = s.now.Add(time.Hour)
			mails = append(mails, s.letter(address(n), tag, strings.Replace(body, "4/1", "9/9", 1)))
			body = strings.Replace(body, "4/1", "5/5", 1)
			mails[0] = append([]byte("X-Seen: once\r\n"), mails[0]...)
			s.now = s.now.Add(-time.Hour)
			want = append(want, "good: ZUG 5/5 1/1 1/1 1/1 1/2, TRAINING T")
		default:
			want = append(want, fmt.Sprintf("good: ZUG %d/1 1/1 1/1 1/1 1/2, TRAINING T", i))
		}
		if i == 7 {
			body += "ENDE\nPRESSE AN ALLE\nNoch ist nichts verloren.\nENDE\n"
		}
		mails = append(mails, s.letter(address(n), tag, body))
		for _, m := range mails {
			s.waiting = append(s.waiting, m, append([]byte("Received: from elsewhere\r\nX-Spam: no\r\n"), m...))
		}
	}
	return want
}

// spam is a mail that nobody wants.
func (s *storm) spam(i int, names []string) []byte {
	stranger := fmt.Sprintf("spam%d@players.example", i)
	victim := names[i%len(names)]
	zug := "NAME " + victim + "\nZUG 9/9 9/9 9/9 9/9 9/9\nTRAINING K\n"
	switch i % 16 {
	case 0:
		return s.letter(stranger, "Cheap", "Buy now, only 9/9 left!\n")
	case 1:
		return s.letter(stranger, "Cheap", "Buy now!\n", pass)
	case 2:
		return s.letter(stranger, "Cheap", "<p>Buy <b>now</b></p>\n", "Precedence: bulk", pass)
	case 3:
		return s.letter(stranger, "Hello", "HELP\n", pass)
	case 4:
		return s.letter(stranger, "Hello", "JOIN Spammer "+letters(i%676)+"\n")
	case 5:
		return s.letter(stranger, "Hello", "JOIN Spammer "+letters(i%676)+"\n", pass)
	case 6:
		return s.letter(stranger, "Orders", zug)
	case 7:
		return s.letter(stranger, "Orders", "NAME x\nENDE\nZUG 9/9 9/9 9/9 9/9 9/9\nPRESSE\nBuy!\n", pass)
	case 8: // forged, and known to be
		return s.letter(address(victim), "Orders", zug, fail)
	case 9: // forged
		return s.letter(address(victim), "Orders", zug+fmt.Sprintf("# %d\n", i))
	case 10:
		return s.letter(address(victim), "Hello", fmt.Sprintf("Buy now! %d\n", i))
	case 11:
		return s.letter(address(victim), "Leave", fmt.Sprintf("AUSSTIEG\nADRESSE %s\nJA abcdefghi%d\n", stranger, i%10), fail)
	case 12:
		return []byte(fmt.Sprintf("no mail at all, number %d\r\n", i))
	case 13:
		return s.letter("MAILER-DAEMON@"+stranger, "Undelivered Mail Returned to Sender", "Status: 5.1.1\n"+zug, "Auto-Submitted: auto-replied")
	case 14:
		return s.letter(stranger, "Confirm", "JA abcdefghij\nYES bcdefghijk\n", pass)
	}
	return s.letter(gm, "Orders", zug)
}

// batch takes a hundred mails in, sends what goes out, and lets the machines answer.
func (s *storm) batch(names []string) {
	s.Helper()
	n := min(100, len(s.waiting))
	in := make([]referee.Incoming, n)
	for i, raw := range s.waiting[:n] {
		s.mails++
		in[i] = referee.Incoming{Place: store.Place{Mailbox: "storm", UIDValidity: 1, UID: uint32(s.mails)}, Received: s.now, Size: int64(len(raw)), Raw: raw}
		if strings.HasPrefix(string(raw), "X-Seen: once") || strings.Contains(string(raw), "\r\nX-Seen: once") {
			in[i].Received = s.now.Add(-time.Hour)
		}
	}
	s.waiting = s.waiting[n:]
	results, err := s.Receive(s.Context(), in)
	s.must(err)
	for _, r := range results {
		s.results[r.Result]++
	}
	s.now = s.now.Add(time.Second)

	rows, err := s.Outbox(s.Context(), "")
	s.must(err)
	s.out = len(rows) - s.seen
	for _, r := range rows[s.seen:] {
		if r.State != store.MailQueued { // a newer receipt stands for it
			continue
		}
		p := s.parsed(r)
		s.must(s.store.MarkAttempt(s.Context(), r.ID, s.now))
		s.must(s.Sent(s.Context(), r.ID, referee.Delivery{State: store.MailSent, Answer: "250 ok", At: s.now}))
		s.waiting = append(s.waiting, s.machines(p)...)
	}
	s.seen = len(rows)
}

// machines are the mails that a mail of ours sets off: it comes back itself, and a
// vacation responder without Auto-Submitted answers it, now from the address it went
// to, now from one of its own, quoting it or, worse, not even marking what it quotes.
func (s *storm) machines(p *post) [][]byte {
	s.Helper()
	text := s.text(p)
	subject := "Re: " + p.Subject
	quoted := "> " + strings.ReplaceAll(text, "\n", "\n> ")
	away := fmt.Sprintf("Ich bin bis zum 14. nicht da (Nummer %d).\n\n", p.ID)
	other := fmt.Sprintf("away%d@players.example", p.ID)
	returned := append([]byte("Return-Path: <"+s.ReturnPath(p.ID)+">\r\n"), p.raw...)
	return [][]byte{
		returned,
		s.letter(p.To, subject, away, pass),
		s.letter(p.To, subject, away+quoted, pass),
		s.letter(p.To, subject, away+text, pass),
		s.letter(p.To, "Abwesend", text),
		s.letter(other, subject, away+text, pass),
		s.letter(other, subject, away+quoted),
	}
}

// count holds how many mails went out, and to whom.
func (s *storm) count(names []string) {
	s.Helper()
	rows, err := s.Outbox(s.Context(), "")
	s.must(err)
	players := map[string]map[string]int{}
	receipts := map[string]int{} // of orders
	for _, n := range names {
		players[letter.Normalize(address(n))] = map[string]int{}
	}
	strangers, alerts, quarantined := 0, 0, 0
	for _, r := range rows {
		switch mine := players[letter.Normalize(r.To)]; {
		case mine != nil:
			mine[r.Kind]++
			if r.Kind == "receipt" && r.State == store.MailSent && strings.HasPrefix(r.Subject, "Zug erhalten") {
				receipts[r.To]++
			}
		case r.To == s.set.GM && r.Kind == "alert" && strings.Contains(r.Subject, "zur Seite"):
			quarantined++
		case r.To == s.set.GM && r.Kind == "alert":
			alerts++
		default:
			strangers++
		}
	}
	for i, n := range names {
		mine := players[letter.Normalize(address(n))]
		orders := 1
		if i == 4 {
			orders = 2
		}
		if got := receipts[address(n)]; got < 1 || got > orders {
			s.Errorf("%s gets %d receipts of his orders", n, got)
		}
		for kind, most := range map[string]int{"start": 1, "receipt": orders + answersADay, "answer": answersADay, "held": heldADay, "press": 1} {
			if mine[kind] > most {
				s.Errorf("%s gets %d mails of kind %s, more than %d", n, mine[kind], kind, most)
			}
		}
		// Blank blocks sent back are receipts, under the cap of answers.
		if got := mine["receipt"] - orders + mine["answer"]; got > answersADay {
			s.Errorf("%s gets %d answers, more than %d", n, got, answersADay)
		}
		if mine["press"] != 1 && i != 7 {
			s.Errorf("%s gets the press %d times", n, mine["press"])
		}
		for kind := range mine {
			if !slices.Contains([]string{"start", "receipt", "answer", "held", "press"}, kind) {
				s.Errorf("%s gets a mail of kind %s", n, kind)
			}
		}
	}
	if strangers != strangersAnHour {
		s.Errorf("%d mails to strangers, want the cap of %d", strangers, strangersAnHour)
	}
	if quarantined != quarantinesADay {
		s.Errorf("the game master is told of %d mails set aside, want %d", quarantined, quarantinesADay)
	}
	// One of strangers, one of mails set aside, one of each player.
	if alerts > 2+len(names) {
		s.Errorf("%d alerts", alerts)
	}
	in := 0
	for _, n := range s.results {
		in += n
	}
	s.Logf("%d mails in, %d out: %d to strangers, %d alerts", in, len(rows), strangers, alerts+quarantined)
}
