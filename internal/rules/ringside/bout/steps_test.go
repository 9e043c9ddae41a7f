package bout

import (
	"fmt"
	"testing"
)

func TestRS08_Pinned(t *testing.T) {
	pinned := func() *stage {
		s := newStage(t).at(Square{6, 4}, Square{7, 4})
		s.plans[Second].refuses = true
		s.play(First, hits, one, one)
		s.tells("T1.1 A1.60.50 B1.UC.UC.1.1.1.79 N2 X2")
		return s
	}
	s := pinned()
	check(t, "agility on the ropes", s.agility(Second), 40)
	s.play(First, 41, one, one)
	s.tells("T1.2 A1.41.40 B1.UC.UC.1.1.1.78 N2") // once and not again
	check(t, "agility, hit again", s.agility(Second), 40)

	// Along the ropes he stays pinned, and when he attacks.
	s.side[Second].mix.Defence = CircleFeet
	check(t, "who attacks", s.play(First, 40, 1), Second)
	s.tells("T1.3 A1.40.40 M2.74.73.1")
	check(t, "agility along the ropes", s.agility(Second), 40)

	// Off them he is free.
	s = pinned().at(Square{6, 3}, Square{7, 4})
	s.side[Second].mix.Defence = MiddleFeet
	s.play(First, 40)
	s.tells("T1.2 A1.40.40 M2.74.65.0 Y2 M1.63.54.1")
	check(t, "agility off the ropes", s.agility(Second), 50)

	// It counts against counterpunches, too.
	s = pinned()
	s.play(Second, hits, one, one, 20, 41, one, one)
	check(t, "what a counterpunch must exceed", s.log.last(t, Counterpunch).Need, 40)

	// A knockdown and the bell end it.
	s = pinned()
	s.side[First].ratings[Uppercut] = 5
	s.play(First, hits, one, one, 1, 5)
	check(t, "agility after a count", s.agility(Second), 50)
	s = pinned()
	s.beginRound()
	check(t, "agility after the bell", s.agility(Second), 50)
}

func TestRS12_Initiative(t *testing.T) {
	s := newStage(t)
	s.cast.throws = []int{40, 40, 7, 7, 30, 70}
	check(t, "who attacks", s.initiative(), Second)
	s.tells("I0.40.40 I0.7.7 I2.30.70")
	s.cast.throws = []int{71, 70}
	check(t, "who attacks", s.initiative(), First)
	s.tells("I1.71.70")
}

func TestRS13_CounterpunchesCostNoTurn(t *testing.T) {
	s := newStage(t)
	s.play(First, hits, one, one, 20, hits, one, one, no) // a counterpunch that hits
	check(t, "turns", s.turn, 1)
	s.play(Second, hits, one, one, 20, misses) // one that misses
	check(t, "turns", s.turn, 2)
}

func TestRS14_ExtraTurn(t *testing.T) {
	for die, turn := range map[int]int{1: 5, 3: 5, 4: 6, 9: 6} {
		s := newStage(t)
		s.turn = 4
		s.side[First].ratings[Uppercut] = 5 // 4 points of damage
		s.play(First, hits, one, one, 4, die)
		check(t, fmt.Sprintf("turn after a count of %d", die), s.turn, turn)
	}
	// A modified count counts: 3 and 4 are 7.
	s := newStage(t)
	s.side[Second].endurance = 1
	s.play(First, hits, one, one, 11, 3)
	check(t, "turn after 3 and 4", s.turn, 2)

	// Beyond the last turn it is lost.
	s = newStage(t)
	s.turn = 17
	s.side[First].ratings[Uppercut] = 5
	s.play(First, hits, one, one, 4, 9)
	check(t, "turn", s.turn, Turns)
}

func TestRS15_NoBellSaves(t *testing.T) {
	s := newStage(t)
	s.turn = 17
	s.side[First].ratings[Uppercut] = 5
	s.play(First, hits, one, one, 4, 10)
	check(t, "result", s.bout.Result, Result{KO, First, 1, 18})
}

func TestRS16_OrderOfDeclarations(t *testing.T) {
	s := newStage(t).wishing(Second, Defender, Clinch).wishing(First, Attacker, Rush)
	s.side[Second].cover, s.side[First].rush = true, true // both end at this Step I
	s.play(First, misses)
	s.tells("T1.1 D2.3 A1.50.50 E1 M2.44.55.0 M1.33.44.0")
	check(t, "what the defender was asked", s.plans[Second].asked[0], "defence of open cover backpedal clinch")
	check(t, "what the attacker was asked, after the clinch", s.plans[First].asked[0], "attack of open")
}

func TestRS17_ToHit(t *testing.T) {
	for die, hit := range map[int]bool{1: false, 49: false, 50: false, 51: true, 100: true} {
		s := newStage(t)
		dice := []int{die}
		if hit {
			dice = append(dice, one, one, no)
		}
		s.play(First, dice...)
		check(t, fmt.Sprintf("hit with %d", die), s.card.Hits[First] == 1, hit)
	}
	// Modifiers have no cap: at 100 nobody can be hit.
	s := newStage(t).wishing(Second, Defender, Backpedal)
	s.side[Second].agility, s.side[First].cover = 55, true
	s.play(First, 100)
	check(t, "needed", s.log.last(t, Attack).Need, 100)
	check(t, "hits", s.card.Hits[First], 0)
}

func TestRS18_PunchesAreChosenAfterAHit(t *testing.T) {
	s := newStage(t)
	s.side[First].punch = newTable(Weights{0, 2, 0, 0, 0, 3})
	s.side[Second].expect = newTable(Weights{1, 1, 1, 1, 1, 1})
	s.play(First, misses)
	check(t, "dice for a miss", len(s.cast.sides), 1)
	s.log = nil
	s.play(First, hits, 3, 2, no, no)
	check(t, "sides of the puncher's die", s.cast.sides[1], 5)
	check(t, "sides of the guesser's die", s.cast.sides[2], 6)
	e := s.log.last(t, Blow)
	check(t, "thrown", e.Punch, LeftHook)
	check(t, "anticipated", e.Guard, RightJab)
	check(t, "dice", e.Both, [2]int16{3, 2})
}

func TestRS18_WeightsAreChances(t *testing.T) {
	w := Weights{0, 2, 1, 0, 3, 0}
	want := []Punch{RightJab, RightJab, RightHook, LeftJab, LeftJab, LeftJab}
	table := newTable(w)
	for die := 1; die <= 6; die++ {
		s := newStage(t)
		s.cast.throws = []int{die}
		got, _ := s.draw(&table, false)
		check(t, fmt.Sprintf("punch on %d", die), got, want[die-1])
	}
	table = newTable(Weights{}) // no weights at all are equal ones
	for die := 1; die <= 6; die++ {
		s := newStage(t)
		s.cast.throws = []int{die}
		got, _ := s.draw(&table, false)
		check(t, fmt.Sprintf("punch on %d", die), got, Punch(die-1))
	}
}

func TestRS19_Damage(t *testing.T) {
	for thrown := range Punch(Punches) {
		for guard := range Punch(Punches) {
			for _, rating := range []int{1, 4, 5} {
				s := newStage(t).punching(First, thrown, Uppercut).punching(Second, Uppercut, guard)
				s.plans[Second].refuses = true
				s.side[First].ratings[thrown] = rating
				want := int(StandardChart().Cells[thrown][guard]) + rating
				dice := []int{hits, one, one}
				if want >= 4 {
					dice = append(dice, no)
				}
				s.play(First, dice...)
				if got := 80 - s.side[Second].endurance; got != want || got < 0 || got > 9 {
					t.Errorf("%v rated %d against %v: damage %d, want %d", thrown, rating, guard, got, want)
				}
			}
		}
	}
	// A hit without damage is a hit: for fatigue, counterpunch and movement.
	s := newStage(t)
	s.side[First].ratings[Uppercut] = 1
	s.card.Hits[First] = 5
	s.play(First, hits, one, one, no)
	s.tells("T1.1 A1.60.50 B1.UC.UC.1.1.0.80 F1.6.79 S2.99.20 M2.44.55.0 M1.33.44.0")
}

func TestRS20_OrderAfterAHit(t *testing.T) {
	s := newStage(t)
	s.side[First].ratings[Uppercut] = 5
	s.card.Hits[First] = 5
	s.play(First, hits, one, one, no, no)
	s.tells("T1.1 A1.60.50 B1.UC.UC.1.1.4.76 F1.6.79 K1.99.4 S2.99.20 M2.44.55.0 M1.33.44.0")

	// Both would be stopped: the damage happens first.
	s = newStage(t)
	s.card.Hits[First] = 5
	s.side[First].endurance, s.side[Second].endurance = -24, -24
	s.play(First, hits, one, one)
	check(t, "result", s.bout.Result, Result{TKO, First, 1, 1})
	s.tells("T1.1 A1.60.50 B1.UC.UC.1.1.1.-25")
}

func TestRS21_StoppedByOnesOwnFatigue(t *testing.T) {
	s := newStage(t)
	s.card.Hits[First] = 5
	s.side[First].endurance = -24
	s.play(First, hits, one, one)
	check(t, "result", s.bout.Result, Result{TKO, Second, 1, 1})
	s.tells("T1.1 A1.60.50 B1.UC.UC.1.1.1.79 F1.6.-25")
	// The fifth hit costs nothing.
	s = newStage(t)
	s.card.Hits[First] = 4
	s.play(First, hits, one, one, no)
	check(t, "endurance after five hits", s.side[First].endurance, 80)
	s.play(First, hits, one, one, no)
	check(t, "endurance after six hits", s.side[First].endurance, 79)
}

func TestRS22_StoppedBeforeAKnockdown(t *testing.T) {
	s := newStage(t)
	s.side[First].ratings[Uppercut] = 5
	s.side[Second].endurance = -21
	s.play(First, hits, one, one) // no die for a knockdown
	check(t, "result", s.bout.Result, Result{TKO, First, 1, 1})
	check(t, "knockdowns", s.card.Downs[First], 0)
}

func TestRS23_Knockdown(t *testing.T) {
	for _, tt := range []struct {
		name      string
		endurance int // before
		rating    int // damage is one less
		chance    int // 0: no die is thrown
	}{
		{"3 points", 80, 4, 0},
		{"4 points", 80, 5, 4},
		{"8 points", 80, 9, 8},
		{"to 1", 2, 2, 0},
		{"to 0", 1, 2, 11},
		{"no damage at 0", 0, 1, 10},
		{"4 points to 0", 4, 5, 14},
		{"below 0", -5, 3, 12},
	} {
		for _, down := range []bool{true, false} {
			s := newStage(t)
			s.plans[Second].refuses = true
			s.side[First].ratings[Uppercut] = tt.rating
			s.side[Second].endurance = tt.endurance
			dice := []int{hits, one, one}
			switch {
			case tt.chance > 0 && down:
				dice = append(dice, tt.chance, 1)
			case tt.chance > 0:
				dice = append(dice, tt.chance+1)
			}
			s.play(First, dice...)
			check(t, tt.name+": knockdowns", s.card.Downs[First] == 1, tt.chance > 0 && down)
		}
	}
}

// TestVectorOfTheRulings: an uppercut rated 4 against a guard for the combination.
func TestRS24_TheVectorOfTheRulings(t *testing.T) {
	for _, tt := range []struct {
		down, count int
		ko          bool
	}{{18, 6, true}, {18, 5, false}, {1, 10, true}} {
		s := newStage(t).punching(Second, Uppercut, Combination)
		s.side[First].ratings[Uppercut] = 4
		s.side[Second].endurance = 6
		s.play(First, hits, one, one, tt.down, tt.count)
		check(t, "damage", s.log.last(t, Blow).N, 8)
		check(t, "chance", s.log.last(t, KnockdownRoll).Need, 18)
		check(t, "knocked out", s.bout.Result.Method == KO, tt.ko)
	}
	s := newStage(t).punching(Second, Uppercut, Combination)
	s.side[First].ratings[Uppercut], s.side[Second].endurance = 4, 6
	s.play(First, hits, one, one, 19, no)
	check(t, "knockdowns on 19", s.card.Downs[First], 0)
}

func TestRS24_TheCount(t *testing.T) {
	for die := 1; die <= 10; die++ {
		for _, spent := range []bool{false, true} {
			s := newStage(t)
			s.side[First].ratings[Uppercut] = 5
			count := die
			if spent {
				s.side[Second].endurance = 4
				count += 4
			}
			s.play(First, hits, one, one, 1, die)
			check(t, "the die's sides", s.cast.sides[4], 10)
			check(t, fmt.Sprintf("out on %d, spent %v", die, spent), s.bout.Result.Method == KO, count >= 10)
			check(t, "the count", int(s.log.last(t, Count).N), min(count, 10))
		}
	}
}

func TestRS25_AfterACount(t *testing.T) {
	s := newStage(t).at(Square{0, 0}, Square{1, 0})
	s.side[First].ratings[Uppercut] = 5
	for i := range s.side {
		s.side[i].pinned, s.side[i].cover, s.side[i].rush = true, true, true
	}
	s.clinch, s.clinchWas = Second, true
	s.wishing(Second, Defender, Clinch)
	next := s.play(First, 95, one, one, 4, 2) // no movement, no counterpunch
	check(t, "who attacks", next, First)
	for i := range s.side {
		b := s.side[i]
		check(t, "square", b.at, ring(8).starts()[i])
		check(t, "in force", b.pinned || b.cover || b.rush || b.backpedal, false)
	}
	check(t, "clinch", s.clinch, Neither)
	check(t, "downs suffered", s.side[Second].downs, 1)
	s.told()
	s.play(next, misses) // a new turn, in which a clinch may be declared again
	s.tells("T1.2 D2.3 A1.50.50 E1 M2.44.55.0 M1.33.44.0")

	// Who was knocked down by a counterpunch stays the defender, too.
	s = newStage(t)
	s.side[Second].ratings[Uppercut] = 5
	check(t, "who attacks after a counterpunch", s.play(First, hits, one, one, 20, hits, one, one, 4, 2), Second)
}

func TestRS26_Counterpunch(t *testing.T) {
	const moves = " M2.44.55.0 M1.33.44.0"
	s := newStage(t)
	check(t, "roles after none", s.play(First, hits, one, one, 21), First)
	s.tells("T1.1 A1.60.50 B1.UC.UC.1.1.1.79 S2.21.20" + moves)

	s = newStage(t)
	check(t, "roles after a miss", s.play(First, hits, one, one, 20, misses), First)
	s.tells("T1.1 A1.60.50 B1.UC.UC.1.1.1.79 S2.20.20 P2.50.50" + moves)

	// A hit swaps the roles for what follows: Step V once, with those of the last hit.
	s = newStage(t)
	check(t, "roles after a hit", s.play(First, hits, one, one, 20, hits, one, one, no), Second)
	s.tells("T1.1 A1.60.50 B1.UC.UC.1.1.1.79 S2.20.20 P2.60.50 B2.UC.UC.1.1.1.79 S1.99.20 M1.33.22.0 M2.44.33.0")
	check(t, "counterpunches", s.card.Counters, [2]int{0, 1})

	// Counters are countered.
	s = newStage(t)
	check(t, "roles after two", s.play(First, hits, one, one, 20, hits, one, one, 20, hits, one, one, 20, misses), First)
	s.tells("T1.1 A1.60.50 B1.UC.UC.1.1.1.79 S2.20.20 P2.60.50 B2.UC.UC.1.1.1.79 S1.20.20 P1.60.50 B1.UC.UC.1.1.1.78 S2.20.20 P2.50.50" + moves)

	// Declined, no die is thrown.
	s = newStage(t)
	s.plans[Second].refuses = true
	s.play(First, hits, one, one)
	s.tells("T1.1 A1.60.50 B1.UC.UC.1.1.1.79 N2" + moves)

	// A hit ends his cover, his backpedal and the rush against him, before any
	// counterpunch in turn.
	s = newStage(t)
	s.side[Second].cover, s.side[Second].backpedal, s.side[First].rush = true, true, true
	s.cast.throws = []int{one, one, 35, 91, one, one, 35} // 20 and 15 for the rush
	last, _ := s.exchange(First)
	check(t, "who hit last", last, Second)
	check(t, "in force", s.side[Second].cover || s.side[Second].backpedal || s.side[First].rush, false)
	s.tells("B1.UC.UC.1.1.1.79 S2.35.35 P2.91.60 B2.UC.UC.1.1.1.79 S1.35.20")

	// A counterpunch that misses ends nothing.
	s = newStage(t).wishing(Second, Defender, Cover)
	s.play(First, 61, one, one, 20, 70)
	s.tells("T1.1 D2.1 A1.61.60 B1.UC.UC.1.1.1.79 S2.20.20 P2.70.70" + moves)
	check(t, "cover", s.side[Second].cover, true)
}

func TestRS27_AMissedAttack(t *testing.T) {
	s := newStage(t)
	check(t, "who attacks next", s.play(First, misses), Second)
	s.tells("T1.1 A1.50.50 M2.44.55.0 M1.33.44.0") // no counterpunch
}
