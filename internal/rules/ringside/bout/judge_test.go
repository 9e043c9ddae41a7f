package bout

import "fmt"

// judge follows a bout by its log alone and holds every step to the rules, as a
// second engine would: it throws no dice and asks no plans, but it knows what each
// die must have been compared with and what must come of it.
type judge struct {
	terms   Terms
	corners [2]Corner
	dice    []int // in the order of the log

	at                             [2]Square
	end                            [2]int
	pinned, cover, backpedal, rush [2]bool
	hits, downs, score             [2]int
	damage                         int // of the last blow
	clinch                         Side
	clinchWas, clinched            bool // at the Step I before; at this one
	round, turn                    int
	attacker, next                 Side // of this turn; of the one to come
	declared                       [2]bool
	missed, over, await            bool // await: a round's first turn
	points                         [2]int
	result                         Result
}

func newJudge(b *Bout) *judge {
	j := &judge{terms: b.Terms, corners: b.Corners, clinch: Neither}
	for i, c := range b.Corners {
		j.end[i] = c.Start(b.Terms.Rounds)
	}
	return j
}

// follow gives the first breach of the rules.
func (j *judge) follow(l Log) error {
	for i, e := range l {
		if err := j.step(e); err != nil {
			text, _ := l[max(0, i-12) : i+1].MarshalText()
			return fmt.Errorf("round %d, turn %d: %w\n… %s", j.round, j.turn, err, text)
		}
		if err := j.always(); err != nil {
			text, _ := l[max(0, i-12) : i+1].MarshalText()
			return fmt.Errorf("round %d, turn %d: %w\n… %s", j.round, j.turn, err, text)
		}
	}
	return nil
}

func (j *judge) always() error {
	for s := range j.end {
		if j.end[s] > j.corners[s].Start(j.terms.Rounds) {
			return fmt.Errorf("fighter %d has endurance %d, above his start", s+1, j.end[s])
		}
		if !ring(j.terms.Ring).holds(j.at[s]) {
			return fmt.Errorf("fighter %d has left the ring: %v", s+1, j.at[s])
		}
	}
	return nil
}

func (j *judge) ropes(s Side) bool { return ring(j.terms.Ring).ropes(j.at[s]) }

func (j *judge) clear() {
	j.at = ring(j.terms.Ring).starts()
	j.pinned, j.cover, j.backpedal, j.rush = [2]bool{}, [2]bool{}, [2]bool{}, [2]bool{}
	j.clinch, j.clinchWas, j.clinched = Neither, false, false
}

// agility is the step machine's formula.
func (j *judge) agility(x Side) int {
	n := func(b bool, by int) int {
		if b {
			return by
		}
		return 0
	}
	o := x.Other()
	return j.corners[x].Agility - n(j.pinned[x] && j.clinch != x, 10) + n(j.cover[x], 10) + n(j.cover[o], 20) +
		n(j.backpedal[x], 25) - n(j.rush[o], 10) - n(j.rush[x], 10)
}

func (j *judge) expect(what string, ok bool) error {
	if !ok {
		return fmt.Errorf("%s", what)
	}
	return nil
}

func (j *judge) die(n int16) { j.dice = append(j.dice, int(n)) }

func (j *judge) step(e Event) error {
	if j.over && e.Kind != Ended {
		return fmt.Errorf("it goes on after the end")
	}
	by, other := e.By, Neither
	if by < Neither {
		other = by.Other()
	}
	switch e.Kind {
	case RoundBegins:
		j.round++
		j.turn, j.hits, j.downs, j.score, j.await = 0, [2]int{}, [2]int{}, [2]int{}, true
		j.clear()
		return j.expect("the round's number", int(e.N) == j.round)

	case Initiative:
		j.die(e.Both[0])
		j.die(e.Both[1])
		j.next = by
		want := Neither
		if e.Both[0] > e.Both[1] {
			want = First
		} else if e.Both[1] > e.Both[0] {
			want = Second
		}
		return j.expect("initiative", by == want)

	case TurnBegins:
		if err := j.endTurn(); err != nil {
			return err
		}
		j.turn++
		j.await, j.missed, j.declared = false, false, [2]bool{}
		j.attacker = by
		j.cover[other], j.rush[by] = false, false
		j.clinched = j.clinch != Neither
		return j.expect("who attacks in this turn, and its number", by == j.next && int(e.N) == j.turn && j.turn <= 18)

	case Declared:
		return j.declare(by, e.Tactic)

	case Attack:
		j.die(e.Die)
		j.missed = e.Die <= e.Need
		d := other
		if j.missed && !j.backpedal[d] {
			j.next = d
		}
		return j.expect("what an attack must exceed", int(e.Need) == j.agility(d))

	case Blow:
		return j.blow(e)

	case Tired:
		j.end[by]--
		j.stop(by, other)
		return j.expect("fatigue", j.hits[by] > 5 && int(e.N) == j.hits[by] && int(e.Left) == j.end[by])

	case KnockdownRoll:
		j.die(e.Die)
		return j.expect("a knockdown roll below 4", e.Need >= 4)

	case Count:
		j.die(e.Die)
		count := int(e.Die)
		if j.end[other] <= 0 {
			count += 4
		}
		if count >= 10 {
			j.finish(Result{KO, by, j.round, j.turn})
			return nil
		}
		j.downs[other]++
		j.score[by] += j.damage
		if count >= 4 {
			j.turn = min(j.turn+1, 18)
		}
		j.clear()
		j.next, j.missed = by, false
		return j.expect("the count", int(e.N) == count)

	case CounterRoll:
		j.die(e.Die)
		need := j.corners[by].Counter
		if j.rush[other] {
			need += 15
		}
		return j.expect("the chance to counter", int(e.Need) == need)

	case Counterpunch:
		j.die(e.Die)
		if int(e.Need) != j.agility(other) {
			return fmt.Errorf("a counterpunch must exceed %d, not %d", j.agility(other), e.Need)
		}
		if e.Die > e.Need {
			j.cover[by], j.backpedal[by], j.rush[other] = false, false, false
			j.next = by
		}
		return nil

	case ClinchEnds:
		was := j.clinch
		j.clinch = Neither
		return j.expect("the end of a clinch", was != Neither && j.missed)

	case Moved:
		if e.Die > 0 {
			j.die(e.Die)
		}
		from := j.at[by]
		j.at[by] = e.To
		return j.expect("a step", from == e.From && (from == e.To || from.Adjacent(e.To)) && e.To != j.at[other])

	case Pinned:
		j.pinned[by] = true
		return j.expect("a pin", j.ropes(by) && !j.missed)

	case Freed:
		was := j.pinned[by]
		j.pinned[by] = false
		return j.expect("who is freed", was && !j.ropes(by))

	case Bell:
		if err := j.endTurn(); err != nil {
			return err
		}
		p := j.terms.Scoring.score(j.score)
		j.points[0] += p[0]
		j.points[1] += p[1]
		return j.expect("the bell", j.turn == 18 && int(e.Both[0]) == j.score[0] && int(e.Both[1]) == j.score[1])

	case Rested:
		for s := range j.end {
			j.end[s] = min(j.end[s]+10, j.corners[s].Start(j.terms.Rounds))
		}
		return j.expect("a rest", int(e.Both[0]) == j.end[0] && int(e.Both[1]) == j.end[1] && j.round < j.terms.Rounds)

	case Ended:
		if !j.over {
			j.result = Result{Decision, First, j.round, j.turn}
			switch {
			case j.points[0] == j.points[1]:
				j.result.Method, j.result.Winner = Draw, Neither
			case j.points[0] < j.points[1]:
				j.result.Winner = Second
			}
		}
		return j.expect("the end", by == j.result.Winner && Methods()[e.N] == j.result.Method && (j.over || j.round == j.terms.Rounds))
	}
	return nil
}

// declare holds the exclusions of tactics (RS-29 to RS-36).
func (j *judge) declare(by Side, t Tactic) error {
	bound := j.clinch != Neither
	defends := by != j.attacker
	if j.declared[by] || defends == (t == Rush) || t.Advanced() && !j.terms.Advanced || bound {
		return fmt.Errorf("tactic %d is not legal", t)
	}
	j.declared[by] = true
	switch t {
	case Cover:
		j.cover[by] = true
	case Backpedal:
		j.backpedal[by] = true
		return j.expect("a backpedal on the ropes", !j.ropes(by))
	case Clinch:
		j.clinch, j.clinched = by, true
		return j.expect("a second clinch", !j.clinchWas)
	case Rush:
		j.rush[by] = true
		return j.expect("a rush at one on the ropes", !j.ropes(by.Other()))
	}
	return nil
}

func (j *judge) blow(e Event) error {
	by, to := e.By, e.By.Other()
	j.die(e.Both[0])
	j.die(e.Both[1])
	damage := int(j.terms.Chart.Cells[e.Punch][e.Guard]) + j.corners[by].Punches[e.Punch]
	j.end[to] -= damage
	j.score[by] += damage
	j.damage = damage
	j.hits[by]++
	j.stop(to, by)
	return j.expect("a blow", int(e.N) == damage && damage >= 0 && int(e.Left) == j.end[to] && (j.clinch == Neither || !e.Punch.Hook()))
}

func (j *judge) stop(loser, winner Side) {
	if j.end[loser] <= -25 {
		j.finish(Result{TKO, winner, j.round, j.turn})
	}
}

func (j *judge) finish(r Result) { j.result, j.over = r, true }

// endTurn is what holds when a turn is over.
func (j *judge) endTurn() error {
	if j.await || j.over {
		return nil
	}
	j.clinchWas = j.clinched
	j.backpedal = [2]bool{}
	return j.expect("the fighters stand apart", j.at[0].Adjacent(j.at[1]))
}
