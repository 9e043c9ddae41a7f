package sugarray

import (
	"cmp"
	"slices"

	"ringpost/internal/game"
)

// fights boxes the card: the title bout first, then league by league.
func (t *turn) fights() {
	for _, p := range t.state.Card.Bouts {
		a, b := t.find(p.A), t.find(p.B)
		switch {
		case a < 0 && b < 0:
			continue // both were taken out
		case a < 0: // his opponent is gone: the dummy steps in (SR-34)
			a, b = b, a
		}
		t.bouts = append(t.bouts, t.fight(p.League, a, b))
	}
}

// fight boxes a bout between boxers a and b; b is -1 for the dummy.
func (t *turn) fight(league, a, b int) bout {
	first := t.side(a)
	var second Side
	if b >= 0 {
		second = t.side(b)
	} else {
		second = t.dummy(first)
	}
	f := newFight(Box(first.corner(), second.corner()), first, second)
	f.League, f.Vacant = league, league == NoLeague && t.state.Title.Champion == ""
	t.emit(EventFight, Event{Fight: &f})
	return bout{Fight: &f, first: t.find(f.First.Seat), second: t.find(f.Second.Seat)}
}

// newFight tells a bout in the order of the report: the winner first, of a draw
// the alphabetically first (SR-36).
func newFight(box Bout, first, second Side) Fight {
	first.Conditions = slices.Clone(box.Conditions[0][:box.Rounds])
	second.Conditions = slices.Clone(box.Conditions[1][:box.Rounds])
	f := Fight{Rounds: box.Rounds, Code: CodePoints, KO: box.KO, Fatigue: box.KO && box.Fatigue}
	switch {
	case box.Outcome == Drawn:
		f.Code = CodeDraw
	case box.KO:
		f.Code = CodeKO
	}
	if box.Outcome == SecondWins || box.Outcome == Drawn && alphabetically(second.Name, first.Name) < 0 {
		first, second = second, first
	}
	f.First, f.Second = first, second
	return f
}

func alphabetically(a, b string) int {
	return cmp.Or(cmp.Compare(game.Fold(a), game.Fold(b)), cmp.Compare(a, b))
}

// side brings a boxer into the ring with his orders; without any, all his
// numbers are 0.
func (t *turn) side(i int) Side {
	b := t.state.Boxers[i]
	o, ok := t.orders[b.Seat]
	return Side{
		Seat: b.Seat, Name: b.Name,
		Technique: b.Technique, Condition: b.Condition,
		Orders: o.Pairs, NMR: !ok,
	}
}

// dummy is the imaginary opponent: his opponent's values at fight time (SR-29),
// and orders by dice (SR-31).
func (t *turn) dummy(opponent Side) Side {
	s := t.stream("dummy", string(opponent.Seat))
	orders := dummyOrders(opponent.Technique, s)
	return Side{
		Name:      DummyName,
		Technique: opponent.Technique, Condition: opponent.Condition,
		Orders: orders, Dice: s.throws,
	}
}

// dummyOrders spends the technique and at most four points of fatigue a round,
// which cost one point of condition (SR-31).
func dummyOrders(technique int64, s game.Stream) [BoxingRounds]Pair {
	var orders [BoxingRounds]Pair
	for i := range orders {
		power := technique + int64(s.Uniform(5)-1)
		o := int64(s.Uniform(int(power/3)+1) - 1)
		orders[i] = Pair{Offence: o, Defence: (power - 3*o) / 2}
	}
	return orders
}

func (s Side) corner() Corner {
	return Corner{Technique: s.Technique, Condition: s.Condition, Orders: s.Orders}
}

// transfers pays winners and losers (SR-9) and writes the fights into the
// records. The dummy's changes are discarded (SR-30).
func (t *turn) transfers() {
	for _, f := range t.bouts {
		t.settle(f, f.first, f.First, f.Second, f.result(true))
		t.settle(f, f.second, f.Second, f.First, f.result(false))
	}
}

func (t *turn) settle(f bout, i int, own, other Side, result string) {
	if i < 0 {
		return
	}
	b := &t.state.Boxers[i]
	b.Record.count(f.Fight, result)
	b.remember(Past{
		Round: t.state.Round, League: f.League,
		Opponent: other.Name, Dummy: other.Seat == "",
		Own: slices.Clone(own.Orders[:f.Rounds]), Other: slices.Clone(other.Orders[:f.Rounds]),
		Result: result, Code: f.Code, KORound: f.koRound(),
	})
	step := int64(1)
	switch result {
	case Tied:
		return
	case Lost:
		step = -1
	}
	var pay Transfer
	if f.Code == CodeKO {
		pay.Technique = max(step, -b.Technique) // never below 0 (SR-10)
	} else {
		pay.Condition = max(step, 1-b.Condition) // never below 1 (SR-10)
	}
	b.Technique += pay.Technique
	b.Condition += pay.Condition
	t.emitOf(b, EventTransfer, Event{Transfer: &pay})
}

// koRound is the boxing round of a knock-out, 0 without one.
func (f *Fight) koRound() int {
	if !f.KO {
		return 0
	}
	return f.Rounds
}

func (r *Record) count(f *Fight, result string) {
	switch result {
	case Won:
		r.Wins++
		if f.KO {
			r.KOWins++
		}
	case Lost:
		r.Losses++
		if f.KO {
			r.KOLosses++
		}
	case Tied:
		r.Draws++
	}
}

// remember puts a fight before the others and forgets the oldest.
func (b *Boxer) remember(p Past) {
	past := make([]Past, 0, PastFights)
	past = append(past, p)
	b.Past = append(past, b.Past[:min(len(b.Past), PastFights-1)]...)
}

// training improves who ordered it and may (SR-13 to SR-17). Each boxer's die is
// thrown whatever he ordered, so that no order moves another die.
func (t *turn) training() {
	banned := t.champion
	if t.state.Settings.ChampionTraining == "end" {
		banned = t.nextChampion()
	}
	for i := range t.state.Boxers {
		b := &t.state.Boxers[i]
		o, ok := t.orders[b.Seat]
		drill := Drill{Choice: o.Training, Die: t.stream("training", string(b.Seat)).Uniform(5)}
		switch {
		case b.Seat == banned:
			drill.Why = WhyChampion
		case !ok:
			drill.Why = WhyNMR
		case o.Training == TrainTech:
			drill.Gain = 1
			b.Technique++
		case o.Training == TrainCond:
			drill.Gain = int64(drill.Die)
			b.Condition += drill.Gain
		default:
			drill.Why = WhyNone
		}
		t.emitOf(b, EventTraining, Event{Drill: &drill})
	}
}
