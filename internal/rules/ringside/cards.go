package ringside

import (
	"fmt"
	"slices"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
	"ringpost/internal/rules/ringside/plan"
)

// fought is a bout that is over.
type fought struct {
	Booking
	result bout.Result
}

// cards fights the open card: week by week, in a week from the Pits up, a bout at a
// time with all that follows from it (RSC-22).
func (t *turn) cards() error {
	for _, b := range t.state.Card {
		if err := t.fight(b); err != nil {
			return fmt.Errorf("fighting %s: %w", b.ID, err)
		}
	}
	sortCard(t.next) // some may go on
	return nil
}

func (t *turn) fight(b Booking) error {
	men := [2]*Fighter{t.fighter(b.Fighters[0]), t.fighter(b.Fighters[1])}
	x, watched, err := t.begin(men, b)
	if err != nil || x == nil {
		return err
	}
	var runners [2]*plan.Runner
	for i, f := range men {
		runners[i] = f.plan().Against(f.Fighter, men[1-i].Fighter)
	}
	var log bout.Log
	stream := t.dice.Sealed().Stream(fmt.Sprintf("ringside/%d/bout", t.state.Round), b.ID)
	rounds, _ := t.part(b)
	x.Box(rounds, [2]bout.Plan{runners[0], runners[1]}, stream, &log)

	told := Bout{Booking: b, Result: x.Result, Cards: x.Cards, Rounds: append(slices.Clip(watched), watch(log)...), From: b.Fought,
		Words: t.stream("words", b.ID).Uniform(wordsDie)}
	for i, f := range men {
		c := x.Corners[i]
		told.Corners[i] = Corner{
			Fighter: f.ID, Name: f.Name, Seat: f.Manager, Manager: t.manager(f.Manager).Name, Ratings: c.Fighter,
			Start: c.Start(b.Rounds), Carried: c.Carried, End: x.Endurance[i], Result: resultOf(x.Result, bout.Side(i)),
		}
	}
	if x.Over() {
		t.reward(men, &told, x)
	}
	t.emit(EventBout, Event{Bout: &told})
	t.emit(EventLog, Event{Log: &BoutLog{Bout: b.ID, Log: log}}, slices.Compact([]game.SeatID{men[0].Manager, men[1].Manager})...)
	for i, f := range men {
		if f.Plan != nil {
			t.emitOf(f, EventPlan, Event{Used: &Used{Bout: b.ID, Plan: *f.Plan, Fired: runners[i].Fired(), Standing: !t.fresh[f.ID]}}, f.Manager)
			if f.Plan.Once && x.Over() {
				f.Plan = nil // G-11
			}
		}
	}
	if !x.Over() {
		t.goOn(b, x, told.Rounds)
		return nil
	}
	winner := FighterID("")
	if x.Result.Winner != bout.Neither {
		winner = b.Fighters[x.Result.Winner]
	}
	t.payBets(b, winner)
	t.fought = append(t.fought, fought{b, x.Result})
	return nil
}

// begin makes a bout ready for its next round, with what there was to watch of it;
// nil where a fighter gets no licence, and it is cancelled (RSC-18).
func (t *turn) begin(men [2]*Fighter, b Booking) (*bout.Bout, []Round, error) {
	if u, ok := t.state.unfinished(b.ID); ok {
		t.state.Unfinished = slices.DeleteFunc(t.state.Unfinished, func(o Unfinished) bool { return o.ID == b.ID })
		u.Bout.Cards = slices.Clip(u.Bout.Cards)
		return &u.Bout, u.Rounds, nil
	}
	var corners [2]bout.Corner
	licensed := true
	for i, f := range men {
		corners[i] = bout.Corner{Fighter: f.Fighter, Carried: t.carried(f, b)}
		licensed = licensed && corners[i].Start(b.Rounds) > 0
	}
	if !licensed {
		t.emit(EventCancelled, Event{Booking: &b})
		t.payBets(b, "")
		if title := t.state.title(b.Class); b.Title && corners[0].Start(b.Rounds) > 0 && title.Champion == b.Fighters[0] {
			title.By = max(title.By, t.state.Round+2) // the champion was there
		}
		return nil, nil, nil
	}
	terms := bout.Terms{Ring: t.state.Settings.Ring, Rounds: b.Rounds, Scoring: t.state.Settings.Scoring, Advanced: b.Advanced, Chart: t.state.Settings.Chart}
	x, err := bout.Begin(terms, corners)
	return x, nil, err
}

// carried is the endurance that a fighter still lacks from a bout less than four
// weeks ago (RSC-18).
func (t *turn) carried(f *Fighter, b Booking) int {
	if f.Last.Week == 0 || week(t.state.Round, b.Week)-f.Last.Week >= rest {
		return 0
	}
	return max(f.Last.Loss, 0)
}

// plan is a fighter's standing plan, or the default one (RSC-21).
func (f *Fighter) plan() plan.Plan {
	if f.Plan == nil {
		return plan.Plan{}
	}
	return *f.Plan
}

// resultOf is what a bout was for one of the two; "" while it goes on.
func resultOf(r bout.Result, s bout.Side) string {
	switch {
	case r.Method == bout.Undecided:
		return ""
	case r.Winner == bout.Neither:
		return Tied
	case r.Winner == s:
		return Won
	}
	return Lost
}

// reward gives both fighters what a bout brought them: purse and cut, POP, the
// entry in their records, experience, and what they carry over.
func (t *turn) reward(men [2]*Fighter, told *Bout, x *bout.Bout) {
	b := told.Booking
	purses := Purses(b.Arena, b.Title, b.Class, b.Pop, int(x.Result.Winner))
	for i, f := range men {
		c := &told.Corners[i]
		c.Purse, c.Cut = purses[i], purses[i]*Money(f.Cut)/100 // RSC-15
		t.pay(b.Arena.account(), Account(f.ID), c.Purse, ForPurse)
		t.pay(Account(f.ID), Account(f.Manager), c.Cut, ForCut)
		f.Purses += c.Purse
		t.manager(f.Manager).Cuts += c.Cut

		before := f.Earned
		f.Earned = max(f.Earned+Gain(c.Result, x.Result.Method, x.Downs(bout.Side(i))), 0) // RSC-5
		c.Pop = f.Earned - before

		f.Record.count(c.Result, x.Result.Method)
		f.remember(Past{
			Round: t.state.Round, Week: b.Week, Arena: b.Arena, Title: b.Title, Rival: men[1-i].ID, Opponent: men[1-i].Name,
			Result: c.Result, Method: x.Result.Method, End: x.Result.Round, Purse: c.Purse,
		})
		f.Last = Last{Week: week(t.state.Round, b.Week), Loss: c.Start - c.End}
		t.boxed[f.ID]++
		if c.Result == Won && f.Record.Won >= 2 {
			c.Gain = f.learn(t.stream("experience", b.ID))
		}
	}
}

// count enters a bout. A draw ends a row of wins, and one of defeats (RSC-17).
func (r *Record) count(result string, method bout.Method) {
	switch result {
	case Won:
		r.Wins++
		r.KOWins += flag(method == bout.KO)
		r.TKOWins += flag(method == bout.TKO)
		r.Won, r.Lost = r.Won+1, 0
		r.Best = max(r.Best, r.Won)
	case Lost:
		r.Losses++
		r.KOLosses += flag(method == bout.KO)
		r.TKOLosses += flag(method == bout.TKO)
		r.Won, r.Lost = 0, r.Lost+1
	default:
		r.Draws++
		r.Won, r.Lost = 0, 0
	}
}

// remember puts a bout before the others and forgets the oldest.
func (f *Fighter) remember(p Past) {
	past := make([]Past, 0, PastBouts)
	past = append(past, p)
	f.Past = append(past, f.Past[:min(len(f.Past), PastBouts-1)]...)
}

// Most that experience can add to a rating (RSC-16).
const (
	mostEndurance = 10
	mostAgility   = 5
	mostCounter   = 5
)

// learn raises a rating after the second win in a row and every further one; a
// throw for one that has gained all it can is lost (RSC-16).
func (f *Fighter) learn(dice *thrown) *Experience {
	e := Experience{Die: dice.Uniform(10)}
	raise := func(rating string, gained, value *int, most int) {
		if *gained < most {
			*gained++
			*value++
			e.Rating = rating
		}
	}
	switch {
	case e.Die <= 5:
		raise("endurance", &f.Gained.Endurance, &f.Endurance, mostEndurance)
	case e.Die <= 8:
		raise("agility", &f.Gained.Agility, &f.Agility, mostAgility)
	default:
		raise("counter", &f.Gained.Counter, &f.Counter, mostCounter)
	}
	return &e
}

// watch counts what a spectator sees of a bout, round by round.
func watch(log bout.Log) []Round {
	var out []Round
	var turn int
	var punch bout.Punch
	for _, e := range log {
		if e.Kind == bout.RoundBegins {
			out = append(out, Round{})
		}
		if len(out) == 0 {
			continue
		}
		r := &out[len(out)-1]
		switch e.Kind {
		case bout.TurnBegins:
			turn = int(e.N)
		case bout.Blow:
			punch = e.Punch
		case bout.Count:
			r.Falls = append(r.Falls, Fall{By: e.By, Turn: turn, Punch: punch, Count: int(e.N)})
		case bout.Pinned:
			r.Pinned[e.By]++
		case bout.Declared:
			switch e.Tactic {
			case bout.Cover:
				r.Cover[e.By]++
			case bout.Backpedal:
				r.Backpedal[e.By]++
			case bout.Clinch:
				r.Clinch[e.By]++
			case bout.Rush:
				r.Rush[e.By]++
			}
		}
	}
	return out
}
