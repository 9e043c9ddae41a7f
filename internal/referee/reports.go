package referee

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/proof"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// reporting is the work on the reports of one step. Bodies are rendered once a
// language and audience, not once a seat.
type reporting struct {
	*Desk
	s       *sitting // after the step
	answers rules.Answers
	step    store.Step
	to      []reader
	worded  sync.WaitGroup
	bodies  map[string]int64               // by language and keys
	parts   map[string]string              // by language and name: what is the same for all
	press   []store.Press                  // to tell with this report
	again   *report.Again                  // what an earlier report on the round makes of this one
	files   map[game.SeatID]report.Carried // what became of what was on file, after a reopening
}

// word begins to word a step's reports: to every seat that took part before it or
// does after it. Wording is most of the work and needs no database.
func (d *Desk) word(tx *store.Tx, before, after *sitting, made proof.Made) (*reporting, error) {
	r := &reporting{Desk: d, s: after, step: after.step, bodies: map[string]int64{}, parts: map[string]string{}}
	var err error
	if r.answers, err = made.Table.Ask(query(game.QueryReport, after.step.Round, before, made.Events)); err != nil {
		return nil, err
	}
	if r.press, err = tx.PressIn(after.ID, store.PressReleased); err != nil {
		return nil, err
	}
	if r.again, err = d.earlier(tx, after.step); err != nil {
		return nil, err
	}
	if r.to, err = r.readers(tx, before); err != nil {
		return nil, err
	}
	for i := range r.to {
		x := &r.to[i]
		r.worded.Go(func() { x.err = r.wordOwn(x) })
	}
	return r, nil
}

// send queues the reports when they are worded and counts them.
func (r *reporting) send(tx *store.Tx, now time.Time) (int, error) {
	r.worded.Wait()
	for _, x := range r.to {
		if err := r.sendTo(tx, x, now); err != nil {
			return 0, err
		}
	}
	for _, p := range r.press {
		if err := tx.TellPress(p.ID, r.step.Round); err != nil {
			return 0, err
		}
	}
	return len(r.to), nil
}

// query asks about a step; before is nil, or without a table, for the setup.
func query(kind game.QueryKind, round int, before *sitting, events []rules.Event) rules.Query {
	q := rules.Query{Kind: kind, Round: round, Events: events}
	if before != nil && before.table != nil {
		q.Before = before.step.State
	}
	return q
}

// reader is a seat that gets a report, and what it alone reads.
type reader struct {
	store.Seat
	player store.Player
	own    []string
	shared []game.View
	sent   []string // slots with orders for the round that opens
	next   string   // "" when it has no more part in the game
	err    error
}

// readers are the seats that took part before the step or do after it.
func (r *reporting) readers(tx *store.Tx, before *sitting) ([]reader, error) {
	players, err := tx.PlayersOf(r.s.ID)
	if err != nil {
		return nil, err
	}
	ahead, err := tx.Counting(r.s.ID, r.s.Branch, r.s.Round, time.Time{})
	if err != nil {
		return nil, err
	}
	var out []reader
	for i, x := range r.s.seats {
		was := before.seats[i]
		if !inPlay(x) && !inPlay(was) && was.State != store.SeatRemoved {
			continue
		}
		p := players[slices.IndexFunc(players, func(p store.Player) bool { return p.ID == x.Player })]
		if p.Quiet || !p.Bounced.IsZero() {
			continue // he can ask for it by REPORT n
		}
		out = append(out, reader{Seat: x, player: p, sent: sentBy(x.ID, ahead)})
	}
	return out, nil
}

// wordOwn words what a seat alone reads. It runs beside the transaction: a panic
// here fails the step, not the program.
func (r *reporting) wordOwn(x *reader) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("wording the report of %s: panic: %v", x.ID, p)
		}
	}()
	views, _ := r.answers(game.Audience{Seat: x.ID})
	var own []game.View
	own, x.shared = split(views)
	for _, v := range own {
		text, err := r.words.View(x.player.Lang, r.s.Ruleset, v)
		if err != nil {
			return err
		}
		x.own = append(x.own, text)
	}
	if !r.plays(*x) {
		return nil
	}
	x.next, err = r.next(r.s, x.ID, x.player, x.sent)
	return err
}

// plays reports whether orders are expected of a reader.
func (r *reporting) plays(x reader) bool { return inPlay(x.Seat) && r.s.open() }

// sendTo queues one seat's report.
func (r *reporting) sendTo(tx *store.Tx, seat reader, now time.Time) error {
	if seat.err != nil {
		return seat.err
	}
	p := seat.player
	kind := "report"
	if r.step.Round == 0 {
		kind = "start"
	}
	m := mail{cause: reportCause(r.step, seat.ID),
		kind: kind, game: r.s.ID, round: r.step.Round, seat: seat.ID, to: p.Addresses[0], lang: p.Lang, automatic: "auto-generated",
		subject: report.Subject{Game: r.s.ID, Title: r.s.Title, Seat: seat.Name, Round: r.step.Round}}
	if r.again != nil {
		m.subject.Code = "again"
	}
	if r.plays(seat) {
		m.round, m.token, m.deadline = r.s.Round, r.token(r.s.Game, seat.ID, r.s.Round), r.s.Due
	}
	head, err := r.common(p.Lang, "title", r.title)
	if err != nil {
		return err
	}
	m.parts = []string{head}
	if file, ok := r.files[seat.ID]; ok {
		text, err := r.carried(p, file)
		if err != nil {
			return err
		}
		m.parts = append(m.parts, text)
	}
	m.parts = append(m.parts, seat.own...)
	if m.body, err = r.body(tx, p.Lang, seat.shared); err != nil {
		return err
	}
	press, err := r.pressOf(tx, p)
	if err != nil {
		return err
	}
	foot, err := r.common(p.Lang, "dice", r.dice)
	if err != nil {
		return err
	}
	m.after = []string{press, seat.next, foot}
	_, err = r.queue(tx, m, now)
	return err
}

// split parts a seat's own views from those it shares with others.
func split(views []game.View) (own, shared []game.View) {
	for _, v := range views {
		if v.Key == "" {
			own = append(own, v)
		} else {
			shared = append(shared, v)
		}
	}
	return own, shared
}

// body renders and stores a shared body once.
func (r *reporting) body(tx *store.Tx, lang string, views []game.View) (int64, error) {
	key := lang
	for _, v := range views {
		key += "\n" + v.Template + "\n" + v.Key
	}
	if id, ok := r.bodies[key]; ok {
		return id, nil
	}
	var texts []string
	for _, v := range views {
		text, err := r.view(lang, v)
		if err != nil {
			return 0, err
		}
		texts = append(texts, text)
	}
	id, err := tx.AddBody(report.Join(texts...))
	if err == nil {
		r.bodies[key] = id
	}
	return id, err
}

// view renders once what several bodies have in common.
func (r *reporting) view(lang string, v game.View) (string, error) {
	key := lang + "/" + v.Template + "/" + v.Key
	if text, ok := r.parts[key]; ok {
		return text, nil
	}
	text, err := r.words.View(lang, r.s.Ruleset, v)
	if err == nil {
		r.parts[key] = text
	}
	return text, err
}

// common renders what is the same for all readers of a language.
func (r *reporting) common(lang, template string, data func() any) (string, error) {
	key := lang + "/" + template
	if text, ok := r.parts[key]; ok {
		return text, nil
	}
	text, err := r.words.Render(lang, report.Common, template, data())
	if err == nil {
		r.parts[key] = text
	}
	return text, err
}

func (r *reporting) title() any { return titleOf(r.s, r.step, r.again) }

func (r *reporting) dice() any { return diceOf(r.s, r.step, r.again) }

func titleOf(s *sitting, step store.Step, again *report.Again) report.Title {
	return report.Title{Game: s.ID, Title: s.Title, Round: step.Round, Again: again,
		Ended: s.State == store.GameEnded && step.Round == s.step.Round}
}

func diceOf(s *sitting, step store.Step, again *report.Again) report.Dice {
	secret := dice.Secret(s.Secret)
	d := report.Dice{Game: s.ID, Anew: again != nil && again.Anew, Round: step.Round, Seed: step.Seed, Next: step.Next, Sealed: secret.Commitment(), Closed: !s.rules.About().Open, Hash: step.Hash}
	if s.State == store.GameEnded {
		d.Secret, d.Next = secret.String(), ""
	}
	return d
}

// next words what a seat needs until the next deadline.
func (d *Desk) next(s *sitting, seat game.SeatID, p store.Player, sent []string) (string, error) {
	briefing, err := d.briefing(s, seat, p.Lang, sent)
	if err != nil {
		return "", err
	}
	n := report.Next{Game: s.ID, Round: s.Round, Briefing: briefing}
	if !s.Due.IsZero() {
		n.Deadline = report.When(p.Lang, d.zone(p.TZ), s.Due)
	}
	return d.words.Render(p.Lang, report.Common, "next", n)
}

// sentBy are the slots for which a seat has sent good orders.
func sentBy(seat game.SeatID, all []store.Orders) []string {
	var slots []string
	for _, o := range all {
		if o.Seat == seat && !o.Provisional {
			slots = append(slots, o.Slot)
		}
	}
	return slots
}

// briefing words opponent and ready block of a seat, which has sent orders for some
// slots.
func (d *Desk) briefing(s *sitting, seat game.SeatID, lang string, sent []string) (string, error) {
	views, err := s.briefing(seat, sent)
	if err != nil {
		return "", err
	}
	return d.wordBriefing(s, lang, views)
}

// briefing is what the ruleset answers a seat that asks for its briefing.
func (s *sitting) briefing(seat game.SeatID, sent []string) ([]game.View, error) {
	answers, err := s.table.Ask(rules.Query{Kind: game.QueryBriefing, Subject: s.ID, Sent: sent, Gone: s.gone()})
	if err != nil {
		return nil, err
	}
	views, _ := answers(game.Audience{Seat: seat})
	return views, nil
}

func (d *Desk) wordBriefing(s *sitting, lang string, views []game.View) (string, error) {
	var texts []string
	for _, v := range views {
		text, err := d.words.View(lang, s.Ruleset, v)
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
	}
	return strings.TrimRight(report.Join(texts...), "\n"), nil
}

// gone are those whom the game master took out of the open round.
func (s *sitting) gone() []game.SeatID {
	var out []game.SeatID
	for _, x := range s.seats {
		if x.State == store.SeatRemoved {
			out = append(out, x.ID)
		}
	}
	return out
}

// reportText is a past report as a seat, or with "" the public, may read it.
func (d *Desk) reportText(tx *store.Tx, s *sitting, step store.Step, seat game.SeatID, lang string) (string, error) {
	events, err := stepEvents(step)
	if err != nil {
		return "", err
	}
	q := rules.Query{Kind: game.QueryReport, Round: step.Round, Events: events}
	before, err := tx.StepBefore(step.Game, step.Branch, step.Round, step.Step)
	ok, err := found(err)
	if err != nil {
		return "", err
	}
	if ok {
		q.Before = before.State
	}
	table, err := s.rules.Open(step.State)
	if err != nil {
		return "", err
	}
	answers, err := table.Ask(q)
	if err != nil {
		return "", err
	}
	again, err := d.earlier(tx, step)
	if err != nil {
		return "", err
	}
	// Whoever asks for a report gets all of it, also where the mailed one was short.
	views, _ := answers(game.Audience{Seat: seat})
	own, _ := split(views)
	everybodys, _ := answers(game.Audience{})
	parts := []part{{template: "title", data: titleOf(s, step, again)}}
	for _, v := range slices.Concat(own, everybodys) {
		parts = append(parts, part{ruleset: s.Ruleset, template: v.Template, data: v.Data()})
	}
	parts = append(parts, part{template: "dice", data: diceOf(s, step, again)})
	var texts []string
	for _, p := range parts {
		text, err := d.render(lang, p)
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
	}
	return report.Join(texts...), nil
}

// ReportOf is the report on a round, round -1 meaning the last one, as the named
// seat or the public may read it: the one that counts, branch being -1, or the one that
// a branch of the game had. lang "" is the seat's player's, or the game's.
func (d *Desk) ReportOf(ctx context.Context, id string, branch, round int, seatName, lang string) (text string, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		s, err := d.sit(tx, id)
		if err != nil {
			return err
		}
		if s.table == nil {
			return fmt.Errorf("game %s has not begun: there is no report", id)
		}
		if branch > s.Branch {
			return fmt.Errorf("game %s has no branch %d: %w", id, branch, store.ErrNotFound)
		}
		step := s.step
		switch {
		case branch < 0:
			branch = s.Branch
		case round < 0:
			if step, err = tx.LastStep(id, branch); err != nil {
				return err
			}
		}
		if round >= 0 {
			if step, err = tx.StepOf(id, branch, round); err != nil {
				return err
			}
		}
		var seat game.SeatID
		use := s.Lang
		if seatName != "" {
			i := slices.IndexFunc(s.seats, func(x store.Seat) bool { return game.Fold(x.Name) == game.Fold(seatName) })
			if i < 0 {
				return s.noSeat(seatName)
			}
			seat = s.seats[i].ID
			p, err := tx.Player(s.seats[i].Player)
			if err != nil {
				return err
			}
			use = p.Lang
		}
		if lang != "" {
			use = lang
		}
		text, err = d.reportText(tx, s, step, seat, use)
		return err
	})
	return text, err
}

// Export makes a game's document (package proof); a public one names no persons
// and shows nothing of open rounds.
func (d *Desk) Export(ctx context.Context, id string, public bool) (doc proof.Document, err error) {
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		doc, err = d.document(tx, id, public)
		return err
	})
	return doc, err
}

func (d *Desk) document(tx *store.Tx, id string, public bool) (proof.Document, error) {
	doc := proof.Document{Format: proof.Format, Steps: []proof.Step{}}
	s, err := d.sit(tx, id)
	if err != nil {
		return doc, err
	}
	secret := dice.Secret(s.Secret)
	doc.Game = proof.Game{ID: s.ID, Title: s.Title, Ruleset: s.Ruleset, Settings: s.Settings, State: s.State, Sealed: secret.Commitment()}
	if s.State == store.GameEnded {
		doc.Game.Secret = secret.String()
	}
	if err := d.documentSteps(tx, s, &doc, public); err != nil {
		return doc, err
	}
	if public {
		return doc, nil
	}
	for _, x := range s.seats {
		p, err := tx.Player(x.Player)
		if err != nil {
			return doc, err
		}
		doc.Persons = append(doc.Persons, proof.Person{Seat: x.ID, Name: x.Name, State: x.State, Addresses: p.Addresses, Lang: p.Lang, TimeZone: p.TZ})
	}
	for round := s.Round; s.open() && round <= s.Round+MaxAhead; round++ {
		counting, err := tx.Counting(id, s.Branch, round, s.until(round))
		if err != nil {
			return doc, err
		}
		for _, o := range counting {
			doc.Pending = append(doc.Pending, proof.Pending{Round: o.Round, Seat: o.Seat, Slot: o.Slot, Orders: o.Orders, Provisional: o.Provisional})
		}
	}
	return doc, nil
}

func (d *Desk) stepDocument(s *sitting, st store.Step, seeds int, before json.RawMessage, public bool) (proof.Step, error) {
	var in rules.Inputs
	if err := json.Unmarshal(st.Inputs, &in); err != nil {
		return proof.Step{}, fmt.Errorf("reading the inputs of round %d of %s: %w", st.Round, st.Game, err)
	}
	events, err := stepEvents(st)
	if err != nil {
		return proof.Step{}, err
	}
	secret := dice.Secret(s.Secret)
	at := proof.AtKept(secret, st.Game, st.Branch, seeds, st.Round)
	at.Step = st.Step
	out, err := proof.Open(at, in, events, st.State)
	if err != nil {
		return out, err
	}
	open := s.rules.About().Open
	if !open {
		out.SealedSeed = secret.Sealed(st.Game, seeds, st.Round).String()
	}
	if public {
		out = out.Public(open || s.State == store.GameEnded)
	}
	out.Branch, out.Round, out.Step, out.Seed, out.Next, out.Hash = st.Branch, st.Round, st.Step, st.Seed, st.Next, st.Hash
	out.Closed = st.Closed.Format(time.RFC3339)
	if !st.Deadline.IsZero() {
		out.Deadline = st.Deadline.Format(time.RFC3339)
	}
	table, err := s.rules.Open(st.State)
	if err != nil {
		return out, err
	}
	out.Summary, err = proof.Summary(table, st.Round, before, events)
	return out, err
}

// Verify recomputes all closed rounds of a game from its secret.
func (d *Desk) Verify(ctx context.Context, id string) (proof.Verdict, error) {
	var doc proof.Document
	err := d.store.Read(ctx, func(tx *store.Tx) (err error) {
		if doc, err = d.document(tx, id, false); err != nil {
			return err
		}
		g, err := tx.Game(id)
		doc.Game.Secret = dice.Secret(g.Secret).String()
		return err
	})
	if err != nil {
		return proof.Verdict{}, err
	}
	return proof.Verify(doc, d.find)
}
