package bout

import (
	"slices"

	"ringpost/internal/game"
)

// boxer is a fighter in the ring.
type boxer struct {
	agility, counter int
	ratings          [Punches]int
	start            int // endurance never rises above it (RS-37)
	endurance        int
	plan             Plan
	at               Square

	// Of the round.
	mix           Mix
	punch, expect table
	downs         int // suffered

	// Until something ends them.
	pinned, cover, backpedal, rush bool
}

// machine carries out the rulings' step machine.
type machine struct {
	bout  *Bout
	ring  ring
	cells [Punches][Punches]int8
	dice  game.Stream
	log   *Log

	side  [2]boxer
	card  Card // of the round being fought
	round int
	turn  int
	lead  int // rounds that the first fighter has won more than lost

	clinch    Side // who declared the clinch in force, or Neither
	clinchWas bool // one was in force at the Step I before (RS-32)

	seen Situation // as it is shown to a plan
}

// Turns is the length of a round (RS-14).
const Turns = 18

func newMachine(b *Bout, plans [2]Plan, dice game.Stream, log *Log) *machine {
	m := &machine{bout: b, ring: ring(b.Terms.Ring), cells: b.Terms.Chart.Cells, dice: dice, log: log, round: len(b.Cards)}
	for i := range m.side {
		c := b.Corners[i]
		m.side[i] = boxer{
			agility: c.Agility, counter: c.Counter, ratings: c.Punches,
			start: c.Start(b.Terms.Rounds), endurance: b.Endurance[i], plan: plans[i],
		}
	}
	for _, c := range b.Cards {
		m.tally(c.Points)
	}
	return m
}

func (m *machine) tell(e Event) {
	if m.log != nil {
		*m.log = append(*m.log, e)
	}
}

func (m *machine) d100() int { return m.dice.Uniform(100) }

// tally counts a round that somebody has won.
func (m *machine) tally(points [2]int) {
	switch {
	case points[First] > points[Second]:
		m.lead++
	case points[First] < points[Second]:
		m.lead--
	}
}

func (m *machine) boxRound() {
	m.beginRound()
	a := m.initiative()
	for m.turn < Turns && !m.bout.Over() {
		a = m.oneTurn(a)
	}
	m.endRound()
}

// beginRound brings the fighters to the middle and asks how they mean to fight.
func (m *machine) beginRound() {
	m.round++
	m.turn, m.card = 0, Card{}
	for i := range m.side {
		s := &m.side[i]
		s.mix = s.plan.Mix(m.round)
		s.punch, s.expect, s.downs = newTable(s.mix.Punch), newTable(s.mix.Expect), 0
	}
	m.tell(Event{Kind: RoundBegins, N: int16(m.round)})
	m.toCentre()
}

// toCentre is how a round begins, and how a fight goes on after a count: nothing
// that was in force still is (RS-25).
func (m *machine) toCentre() {
	m.clinch, m.clinchWas = Neither, false
	for i, at := range m.ring.starts() {
		s := &m.side[i]
		s.at = at
		s.pinned, s.cover, s.backpedal, s.rush = false, false, false, false
	}
}

// initiative throws for who attacks first (RS-12).
func (m *machine) initiative() Side {
	for {
		one, two := m.d100(), m.d100()
		by := Neither
		switch {
		case one > two:
			by = First
		case two > one:
			by = Second
		}
		m.tell(Event{Kind: Initiative, By: by, Both: [2]int16{int16(one), int16(two)}})
		if by != Neither {
			return by
		}
	}
}

// oneTurn goes through Steps I to V and gives the next turn's attacker.
func (m *machine) oneTurn(a Side) Side {
	d := a.Other()
	m.turn++
	m.tell(Event{Kind: TurnBegins, By: a, N: int16(m.turn)})
	m.side[d].cover, m.side[a].rush = false, false // RS-28, RS-33
	m.declare(d, a)
	clinched := m.clinch != Neither

	die, need := m.d100(), m.agility(d)
	m.tell(Event{Kind: Attack, By: a, Die: int16(die), Need: int16(need)})
	hit := die > need // RS-17
	if hit {
		last, down := m.exchange(a)
		if m.bout.Over() || down {
			return last
		}
		a, d = last, last.Other()
	}
	m.move(a, d, hit)
	if !hit && !m.side[d].backpedal { // RS-29
		a, d = d, a
	}
	m.side[First].backpedal, m.side[Second].backpedal = false, false
	m.clinchWas = clinched
	return a
}

// declare asks the defender, then the attacker, for a tactic (RS-16).
func (m *machine) declare(d, a Side) {
	bound := m.clinch != Neither // RS-30
	legal := setOf(Open)
	ropes := m.ring.ropes(m.side[d].at)
	if !bound {
		legal |= setOf(Cover)
		if m.bout.Terms.Advanced && !ropes {
			legal |= setOf(Backpedal)
		}
		if m.bout.Terms.Advanced && !m.clinchWas { // RS-32
			legal |= setOf(Clinch)
		}
	}
	switch m.choose(d, Defender, legal) {
	case Cover:
		m.side[d].cover = true
	case Backpedal:
		m.side[d].backpedal = true
	case Clinch:
		m.clinch, bound = d, true
	}

	legal = setOf(Open)
	if m.bout.Terms.Advanced && !bound && !ropes { // RS-33
		legal |= setOf(Rush)
	}
	if m.choose(a, Attacker, legal) == Rush {
		m.side[a].rush = true
	}
}

func (m *machine) choose(by Side, role Role, legal Tactics) Tactic {
	t := m.side[by].plan.Tactic(role, m.situation(by), legal)
	if t == Open || !legal.Has(t) {
		return Open
	}
	m.tell(Event{Kind: Declared, By: by, Tactic: t})
	return t
}

// situation shows a fighter how he stands.
func (m *machine) situation(by Side) *Situation {
	s := &m.seen
	s.Round, s.Turn = m.round, m.turn
	s.Own, s.Other = m.standing(by), m.standing(by.Other())
	s.Lead = m.lead
	if by == Second {
		s.Lead = -m.lead
	}
	s.Damage = m.card.Score[by] - m.card.Score[by.Other()]
	return s
}

func (m *machine) standing(by Side) Standing {
	s := &m.side[by]
	return Standing{Endurance: s.endurance, Hits: m.card.Hits[by], Downs: s.downs, Ropes: m.ring.ropes(s.at)}
}

// agility is what a die must exceed to hit a fighter (RS-17): his rating and all
// that adds to it now.
func (m *machine) agility(by Side) int {
	own, other := &m.side[by], &m.side[by.Other()]
	n := own.agility
	if own.pinned && m.clinch != by { // RS-8, RS-30
		n -= 10
	}
	if own.cover {
		n += 10
	}
	if other.cover {
		n += 20
	}
	if own.backpedal {
		n += 25
	}
	if own.rush {
		n -= 10
	}
	if other.rush {
		n -= 10
	}
	return n
}

// endRound closes the round: its score, a rest between rounds (RS-37), or the end
// of the bout.
func (m *machine) endRound() {
	b := m.bout
	if b.Over() { // the round was not finished, it has no points
		b.Cards = append(b.Cards, m.card)
		m.tell(Event{Kind: Ended, By: b.Result.Winner, N: int16(slices.Index(Methods(), b.Result.Method))})
		return
	}
	m.card.Points = b.Terms.Scoring.score(m.card.Score)
	m.tally(m.card.Points)
	b.Cards = append(b.Cards, m.card)
	m.tell(Event{Kind: Bell, N: int16(m.round), Both: [2]int16{int16(m.card.Score[First]), int16(m.card.Score[Second])}})
	if m.round == b.Terms.Rounds {
		b.decide(m.turn)
		m.tell(Event{Kind: Ended, By: b.Result.Winner, N: int16(slices.Index(Methods(), b.Result.Method))})
		return
	}
	for i := range m.side {
		s := &m.side[i]
		s.endurance = min(s.endurance+10, s.start)
	}
	m.tell(Event{Kind: Rested, Both: [2]int16{int16(m.side[First].endurance), int16(m.side[Second].endurance)}})
}
