package bout

import "testing"

func TestRS28_CoverUp(t *testing.T) {
	s := newStage(t).wishing(Second, Defender, Cover)
	next := s.play(First, 60) // 50 and 10
	s.tells("T1.1 D2.1 A1.60.60 M2.44.55.0 M1.33.44.0")
	// While he attacks he has it still: his opponent has 20 more.
	check(t, "the opponent's agility", s.agility(First), 70)
	s.wishing(Second, Defender)
	next = s.play(next, 71, one, one, no)
	check(t, "needed", s.log.last(t, Attack).Need, 70)
	next = s.play(next, 70)
	check(t, "still in force", s.side[Second].cover, true)
	s.log = nil
	s.play(next, misses) // the next Step I in which he is the defender
	check(t, "needed", s.log.last(t, Attack).Need, 50)
	check(t, "in force", s.side[Second].cover, false)

	// It may be renewed at once.
	s = newStage(t).wishing(Second, Defender, Cover)
	s.play(First, 61, one, one, no)
	s.play(First, 61, one, one, no)
	check(t, "declared", s.log.count(Declared), 2)
	// A knockdown ends it: RS-25. The bell:
	s.beginRound()
	check(t, "after the bell", s.side[Second].cover, false)
}

func TestRS29_Backpedal(t *testing.T) {
	s := newStage(t).wishing(Second, Defender, Backpedal)
	check(t, "who attacks after a miss", s.play(First, 75), First)
	s.tells("T1.1 D2.2 A1.75.75 M2.44.55.0 M1.33.44.0")
	s.wishing(Second, Defender)
	check(t, "once only", s.play(First, misses), Second)
	check(t, "needed", s.log.last(t, Attack).Need, 50)

	// Not on the ropes.
	s = newStage(t).at(Square{6, 4}, Square{7, 4}).wishing(Second, Defender, Backpedal)
	s.play(First, misses)
	check(t, "legal on the ropes", names(s.plans[Second].legal[Defender]), "open cover clinch")

	// His counterpunch ends it, and makes him the attacker.
	s = newStage(t).wishing(Second, Defender, Backpedal)
	check(t, "who attacks", s.play(First, 76, one, one, 20, hits, one, one, 20, 51, one, one, no), First)
	s.tells("T1.1 D2.2 A1.76.75 B1.UC.UC.1.1.1.79 S2.20.20 P2.60.50 B2.UC.UC.1.1.1.79 S1.20.20 P1.51.50 B1.UC.UC.1.1.1.78 S2.99.20 M2.44.55.0 M1.33.44.0")
	// After a hit he moves as after a hit, and the roles stay.
	s = newStage(t).wishing(Second, Defender, Backpedal)
	check(t, "who attacks after a hit", s.play(First, 76, one, one, no), First)
}

func TestRS30_Clinch(t *testing.T) {
	s := newStage(t).wishing(Second, Defender, Clinch, Cover, Backpedal).wishing(First, Attacker, Rush)
	s.play(First, hits, one, one, no)
	check(t, "in force after a hit", s.clinch, Second)
	s.play(First, hits, one, one, 20, misses) // a counterpunch that misses does not end it
	check(t, "in force after a missed counterpunch", s.clinch, Second)
	check(t, "the defender's choice", names(s.plans[Second].legal[Defender]), "open")
	check(t, "the attacker's choice", names(s.plans[First].legal[Attacker]), "open")
	s.told()
	s.play(First, misses)
	s.tells("T1.3 A1.50.50 E1 M2.66.77.0 M1.55.66.0")
	check(t, "in force after a miss", s.clinch, Neither)

	// His own pin costs him nothing meanwhile; his opponent's does.
	s = newStage(t).at(Square{6, 4}, Square{7, 4})
	s.side[First].pinned, s.side[Second].pinned, s.clinch = true, true, Second
	check(t, "his agility", s.agility(Second), 50)
	check(t, "the other's agility", s.agility(First), 40)
	s.beginRound()
	check(t, "after the bell", s.clinch, Neither)
}

func TestRS31_MovementInAClinch(t *testing.T) {
	s := newStage(t).wishing(Second, Defender, Clinch)
	s.play(First, hits, one, one, no)
	s.tells("T1.1 D2.3 A1.60.50 B1.UC.UC.1.1.1.79 S2.99.20 M2.44.55.0 M1.33.44.0")
}

func TestRS32_NoTwoClinchesInSuccession(t *testing.T) {
	s := newStage(t).wishing(First, Defender, Clinch).wishing(Second, Defender, Clinch)
	next := s.play(First, misses) // declared and ended
	check(t, "who attacks", next, Second)
	next = s.play(next, misses)
	check(t, "the other's choice", names(s.plans[First].legal[Defender]), "open cover backpedal")
	check(t, "clinches", s.log.count(Declared), 1)
	s.play(next, misses)
	check(t, "the third Step I", names(s.plans[Second].legal[Defender]), "open cover backpedal clinch")
	check(t, "clinches", s.log.count(Declared), 2)
}

func TestRS33_Rush(t *testing.T) {
	s := newStage(t).wishing(First, Attacker, Rush)
	next := s.play(First, 40)
	s.tells("T1.1 D1.4 A1.40.40 M2.44.55.0 M1.33.44.0")
	check(t, "the rusher's agility", s.agility(First), 40)
	s.wishing(First, Attacker)
	next = s.play(next, 40) // the other attacks, and misses at 40
	check(t, "needed", s.log.last(t, Attack).Need, 40)
	check(t, "still in force", s.side[First].rush, true)
	s.play(next, misses) // he attacks again: it is over
	check(t, "needed", s.log.last(t, Attack).Need, 50)

	// The other counterpunches with 15 more, the rusher himself does not.
	s = newStage(t).wishing(First, Attacker, Rush)
	s.play(First, 41, one, one, 36)
	check(t, "chance to counter", s.log.last(t, CounterRoll).Need, 35)
	s = newStage(t)
	s.side[First].rush = true
	s.play(Second, 41, one, one, no)
	check(t, "the rusher's chance to counter", s.log.last(t, CounterRoll).Need, 20)

	// Not at one on the ropes.
	s = newStage(t).at(Square{6, 4}, Square{7, 4}).wishing(First, Attacker, Rush)
	s.play(First, misses)
	check(t, "legal against one on the ropes", names(s.plans[First].legal[Attacker]), "open")
	// Being on the ropes oneself is no hindrance.
	s = newStage(t).at(Square{7, 4}, Square{6, 4}).wishing(First, Attacker, Rush)
	s.play(First, 40)
	check(t, "legal from the ropes", names(s.plans[First].legal[Attacker]), "open rush")
}

func TestRS34_Combinations(t *testing.T) {
	for _, tactic := range []Tactic{Cover, Backpedal} {
		s := newStage(t).wishing(Second, Defender, tactic).wishing(First, Attacker, Rush)
		s.play(First, 1)
		check(t, "declared", s.log.count(Declared), 2)
		check(t, "needed", int(s.log.last(t, Attack).Need), map[Tactic]int{Cover: 50, Backpedal: 65}[tactic])
	}
	// All that can be in force at once adds up.
	s := newStage(t)
	s.side[First].cover, s.side[First].rush, s.side[Second].rush = true, true, true
	s.side[Second].cover, s.side[Second].backpedal, s.side[Second].pinned = true, true, true
	check(t, "agility", s.agility(Second), 50-10+10+20+25-10-10)
	check(t, "agility", s.agility(First), 50+10+20-10-10)

	// A cover-up from before bars neither a backpedal nor a clinch, and is over.
	for _, tactic := range []Tactic{Backpedal, Clinch} {
		s := newStage(t).wishing(Second, Defender, tactic)
		s.side[Second].cover = true
		s.play(First, 1)
		check(t, "declared", s.log.last(t, Declared).Tactic, tactic)
		check(t, "cover", s.side[Second].cover, false)
		check(t, "needed", int(s.log.last(t, Attack).Need), map[Tactic]int{Backpedal: 75, Clinch: 50}[tactic])
	}
}

func TestRS35_HooksInAClinch(t *testing.T) {
	s := newStage(t)
	s.clinch = Second
	s.side[First].punch = newTable(Weights{2, 0, 9, 0, 1, 9})
	s.play(First, hits, 3, one, no, no)
	check(t, "sides of the die", s.cast.sides[1], 3)
	check(t, "punch", s.log.last(t, Blow).Punch, LeftJab)

	// In counterpunches, too; anticipating a hook stays legal.
	s = newStage(t)
	s.clinch = Second
	s.side[Second].punch = newTable(Weights{1, 0, 9, 0, 0, 0})
	s.side[First].expect = newTable(only(RightHook))
	s.play(First, hits, one, one, 20, hits, one, one, no, no)
	e := s.log.last(t, Blow)
	check(t, "thrown", e.Punch, Uppercut)
	check(t, "anticipated", e.Guard, RightHook)

	// With nothing but hooks left, all others are equal.
	for die, want := range map[int]Punch{1: Uppercut, 2: RightJab, 3: Combination, 4: LeftJab} {
		s = newStage(t)
		s.clinch = Second
		s.side[First].punch = newTable(Weights{0, 0, 9, 0, 0, 9})
		s.cast.throws = []int{die}
		got, _ := s.draw(&s.side[First].punch, true)
		check(t, "punch", got, want)
		check(t, "sides of the die", s.cast.sides[0], 4)
	}
}

func TestRS36_WithoutAdvancedRules(t *testing.T) {
	terms := StandardTerms(10)
	check(t, "advanced by default", terms.Advanced, true)
	terms.Advanced = false
	s := stageOn(t, terms).wishing(Second, Defender, Backpedal, Clinch, Cover).wishing(First, Attacker, Rush)
	s.play(First, misses)
	check(t, "the defender's choice", names(s.plans[Second].legal[Defender]), "open cover")
	check(t, "the attacker's choice", names(s.plans[First].legal[Attacker]), "open")
	check(t, "declared", s.log.last(t, Declared).Tactic, Cover)
	// Punching fatigue is basic.
	s.card.Hits[First] = 5
	s.wishing(Second, Defender)
	s.play(First, hits, one, one, no)
	check(t, "endurance", s.side[First].endurance, 79)
}

func TestAnIllegalTacticIsNone(t *testing.T) {
	s := newStage(t)
	s.bout.Terms.Advanced = false
	stubborn := &stubborn{}
	s.side[First].plan, s.side[Second].plan = stubborn, stubborn
	s.play(First, misses)
	s.tells("T1.1 A1.50.50 M2.44.55.0 M1.33.44.0")
}

// stubborn declares what is not legal.
type stubborn struct{ puppet }

func (*stubborn) Tactic(r Role, _ *Situation, _ Tactics) Tactic {
	return map[Role]Tactic{Attacker: Rush, Defender: 200}[r]
}

// TestSituation: what a plan sees, from either side.
func TestSituation(t *testing.T) {
	s := newStage(t).at(Square{6, 4}, Square{7, 4})
	s.round, s.turn, s.lead = 3, 6, 2
	s.card = Card{Hits: [2]int{4, 1}, Score: [2]int{12, 5}}
	s.side[Second].downs, s.side[First].endurance = 1, 33
	s.play(First, misses)
	check(t, "the attacker sees", s.plans[First].saw, Situation{
		Round: 3, Turn: 7, Lead: 2, Damage: 7,
		Own: Standing{Endurance: 33, Hits: 4}, Other: Standing{Endurance: 80, Hits: 1, Downs: 1, Ropes: true},
	})
	check(t, "the defender sees", s.plans[Second].saw, Situation{
		Round: 3, Turn: 7, Lead: -2, Damage: -7,
		Own: Standing{Endurance: 80, Hits: 1, Downs: 1, Ropes: true}, Other: Standing{Endurance: 33, Hits: 4},
	})
}
