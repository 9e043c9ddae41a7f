package bout

// exchange is Steps II to IV after a hit in Step I: blow and counterpunch, in
// turn, until one is not answered (RS-26). It gives who hit last, and whether
// that knocked the other down without ending the bout.
func (m *machine) exchange(hitter Side) (last Side, down bool) {
	for {
		target := hitter.Other()
		if down = m.strike(hitter, target); down || m.bout.Over() {
			return hitter, down
		}
		if !m.counters(target, hitter) {
			return hitter, false
		}
		m.card.Counters[target]++
		own := &m.side[target]
		own.cover, own.backpedal = false, false // RS-26
		m.side[hitter].rush = false
		hitter = target
	}
}

// strike is a blow that has hit, in the order of RS-20. It reports a knockdown
// that was survived.
func (m *machine) strike(by, to Side) bool {
	hitter, target := &m.side[by], &m.side[to]
	barred := m.clinch != Neither
	punch, thrown := m.draw(&hitter.punch, barred)
	guard, guessed := m.draw(&target.expect, false)
	damage := int(m.cells[punch][guard]) + hitter.ratings[punch] // RS-19
	target.endurance -= damage
	m.card.Damage[by] += damage
	m.card.Score[by] += damage
	m.card.Hits[by]++
	m.tell(Event{Kind: Blow, By: by, Punch: punch, Guard: guard, Both: [2]int16{int16(thrown), int16(guessed)},
		N: int16(damage), Left: int16(target.endurance)})
	if m.stopped(to, by) { // RS-22
		return false
	}
	if n := m.card.Hits[by]; n > 5 {
		hitter.endurance--
		m.tell(Event{Kind: Tired, By: by, N: int16(n), Left: int16(hitter.endurance)})
		if m.stopped(by, to) { // RS-21
			return false
		}
	}
	return m.knocksDown(by, to, damage)
}

// draw throws for one of the punches. Hooks may be barred (RS-35).
func (m *machine) draw(t *table, barred bool) (Punch, int) {
	sums := &t.all
	if barred {
		sums = &t.bare
	}
	die := m.dice.Uniform(sums[Punches-1])
	var p Punch
	for die > sums[p] {
		p++
	}
	return p, die
}

// stopped ends the bout when a fighter cannot go on.
func (m *machine) stopped(loser, winner Side) bool {
	if m.side[loser].endurance > -25 {
		return false
	}
	m.bout.Result = Result{Method: TKO, Winner: winner, Round: m.round, Turn: m.turn}
	return true
}

// knocksDown is Step III and, if it comes to that, the count (RS-23 to RS-25).
func (m *machine) knocksDown(by, to Side, damage int) bool {
	spent := m.side[to].endurance <= 0
	chance := damage
	if spent {
		chance += 10
	}
	if chance < 4 {
		return false
	}
	die := m.d100()
	m.tell(Event{Kind: KnockdownRoll, By: by, Die: int16(die), Need: int16(chance)})
	if die > chance {
		return false
	}
	die = m.dice.Uniform(10)
	count := die
	if spent {
		count += 4
	}
	m.tell(Event{Kind: Count, By: by, Die: int16(die), N: int16(min(count, 10))})
	if count >= 10 {
		m.bout.Result = Result{Method: KO, Winner: by, Round: m.round, Turn: m.turn}
		return false
	}
	m.card.Downs[by]++
	m.side[to].downs++
	m.card.Score[by] += damage // RS-38
	if count >= 4 {
		m.turn = min(m.turn+1, Turns) // RS-14
	}
	m.toCentre()
	return true
}

// counters is Step IV: whether a fighter who was hit answers, and hits.
func (m *machine) counters(by, hitter Side) bool {
	if !m.side[by].plan.Counter(m.situation(by)) {
		m.tell(Event{Kind: CounterDeclined, By: by})
		return false
	}
	need := m.side[by].counter
	if m.side[hitter].rush {
		need += 15 // RS-33
	}
	die := m.d100()
	m.tell(Event{Kind: CounterRoll, By: by, Die: int16(die), Need: int16(need)})
	if die > need {
		return false
	}
	die, need = m.d100(), m.agility(hitter)
	m.tell(Event{Kind: Counterpunch, By: by, Die: int16(die), Need: int16(need)})
	return die > need
}

// move is Step V: the defender gives way, the attacker follows.
func (m *machine) move(a, d Side, hit bool) {
	attacker, defender := &m.side[a], &m.side[d]
	from := defender.at
	if hit {
		to, ok := m.ring.recoil(from, attacker.at)
		if ok {
			m.step(d, to, 0)
		} else if !defender.pinned {
			defender.pinned = true // RS-8
			m.tell(Event{Kind: Pinned, By: d})
		}
	} else {
		if m.clinch != Neither { // RS-30
			m.clinch = Neither
			m.tell(Event{Kind: ClinchEnds, By: a})
		}
		var c choice
		m.ring.evade(&c, from, attacker.at, defender.mix.Defence)
		m.moveTo(d, &c)
	}
	var c choice
	m.ring.follow(&c, attacker.at, defender.at, attacker.mix.Attack)
	m.moveTo(a, &c)
}

// moveTo moves a fighter to one of the squares that are best, if there is any.
func (m *machine) moveTo(by Side, c *choice) {
	switch c.n {
	case 0: // the corner with the attacker on the diagonal (RS-9)
	case 1:
		m.step(by, c.best[0], 0)
	default:
		die := m.dice.Uniform(c.n)
		m.step(by, c.best[die-1], die)
	}
}

// step moves a fighter, and off the ropes he is no longer pinned (RS-8).
func (m *machine) step(by Side, to Square, die int) {
	s := &m.side[by]
	if to != s.at || die > 0 {
		m.tell(Event{Kind: Moved, By: by, From: s.at, To: to, Die: int16(die)})
	}
	s.at = to
	if s.pinned && !m.ring.ropes(to) {
		s.pinned = false
		m.tell(Event{Kind: Freed, By: by})
	}
}
