package ringside

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/plan"
)

// maxWishes bounds a manager's block.
const maxWishes = 80

// Read turns a fighter's block into his plan, a manager's into his lines. Nothing
// in either is needed (G-7): a line that is wrong is dropped and told.
func (Rules) Read(s State, seat game.SeatID, block game.Block) ([]game.Slip[Orders], []game.Issue) {
	if len(block.Statements) == 0 && len(block.Issues) == 0 {
		return nil, nil
	}
	r := reader{state: &s, seat: seat, now: block.Round == 0 || block.Round == s.Round, cash: s.cash(seat)}
	var slips []game.Slip[Orders]
	if block.Manager {
		slips = r.manager(block)
	} else {
		slips = r.fighter(block)
	}
	slices.SortStableFunc(r.issues, func(a, b game.Issue) int { return cmp.Compare(a.Line, b.Line) })
	return slips, r.issues
}

// Slots is the manager's, or that of the fighter whose plan a block holds.
func (Rules) Slots(s State, seat game.SeatID, block game.Block) []string {
	if block.Manager {
		return []string{ManagerSlot}
	}
	if f := s.planned(seat, block.Name); f != nil && f.Manager == seat {
		return []string{planSlot(f.ID)}
	}
	return nil
}

// planned is the fighter whose plan a block of this name holds. Where it names his
// manager or nobody, he must be the only one; nil when that does not tell.
func (s *State) planned(seat game.SeatID, name string) *Fighter {
	if i := s.fighterNamed(name); i >= 0 {
		return &s.Fighters[i]
	}
	if own := s.stable(seat); len(own) == 1 {
		return &own[0]
	}
	return nil
}

func (s *State) cash(seat game.SeatID) Money {
	if i := s.manager(seat); i >= 0 {
		return s.Managers[i].Cash
	}
	return 0
}

type reader struct {
	state  *State
	seat   game.SeatID
	now    bool  // the orders are for the open turn, whose card is known
	cash   Money // what bets have left of it
	wishes []asked
	issues []game.Issue
}

// asked is a manager's line that reads well, and where it stands.
type asked struct {
	Wish
	line int
}

func (r *reader) tell(line int, code string, args ...string) {
	r.issues = append(r.issues, game.Issue{Line: line, Code: code, Args: clipped(args)})
}

func (r *reader) fail(line int, code string, args ...string) {
	r.issues = append(r.issues, game.Issue{Line: line, Code: code, Args: clipped(args), Error: true})
}

func clipped(args []string) []string {
	for i := range args {
		args[i] = game.Clip(args[i], game.ClipIssue)
	}
	return args
}

// isPlan reports whether a keyword belongs to plans.
func isPlan(key game.Keyword) bool {
	switch key {
	case game.KeyPunch, game.KeyExpect, game.KeyFeet, game.KeyDefend, game.KeyAttack, game.KeyBoxingRound, game.KeyStanding, game.KeyOpponent:
		return true
	}
	return false
}

// fighter reads the plan of the fighter whom the block names.
func (r *reader) fighter(block game.Block) []game.Slip[Orders] {
	var statements []game.Statement
	for _, st := range block.Statements {
		if _, ok := verbOf(st.Keyword); ok {
			r.fail(st.Line, issueManagerLine, string(st.Keyword))
			continue
		}
		statements = append(statements, st)
	}
	f := r.state.planned(r.seat, block.Name)
	switch {
	case f == nil && len(statements) > 0:
		r.fail(block.Line, issueWhichFighter, namesOf(r.state.stable(r.seat)))
		return nil
	case f == nil:
		return nil
	case f.Manager != r.seat:
		r.fail(block.Line, issueFighterForeign, f.Name)
		return nil
	}
	c, booked := r.context(f)
	p, issues, ok := plan.Read(statements, c)
	if !ok && len(statements) > 0 && len(issues) > 0 && !slices.ContainsFunc(issues, func(i game.Issue) bool { return i.Code != plan.NotFilledIn }) {
		r.tell(block.Line, issueNotFilledIn)
		return nil
	}
	r.issues = append(r.issues, issues...)
	if !ok {
		return nil
	}
	if r.now && !booked {
		r.tell(block.Line, issuePlanIdle, f.Name)
	}
	return []game.Slip[Orders]{planSlip(f, p)}
}

func planSlip(f *Fighter, p plan.Plan) game.Slip[Orders] {
	return game.Slip[Orders]{Slot: planSlot(f.ID), Orders: Orders{Plan: &p}, Lines: planLines(f.Name, p)}
}

func namesOf(fighters []Fighter) string {
	var names []string
	for _, f := range fighters {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// context is what is known of the bout that a fighter's plan is for.
func (r *reader) context(f *Fighter) (c plan.Context, booked bool) {
	c.Advanced = r.state.Settings.Advanced
	if !r.now {
		return c, false
	}
	for _, b := range r.state.bookings(f.ID) {
		if booked = true; b.Rounds > c.Rounds { // of several the longest: no line is called useless that is not
			other := r.state.fighter(b.Fighters[1-b.side(f.ID)])
			c = plan.Context{Advanced: b.Advanced, Rounds: b.Rounds, Opponent: r.state.Fighters[other].Name}
		}
	}
	return c, booked
}

// planLines are a plan as it was understood, in every language.
func planLines(name string, p plan.Plan) []game.Line {
	out := []game.Line{{Keyword: game.KeyFighter, Args: name}}
	de, es := p.Normal(conditions.German), p.Normal(conditions.Spanish)
	for i, l := range p.Normal(conditions.English) {
		out = append(out, worded(l.Keyword, l.Args, de[i].Args, es[i].Args))
	}
	return out
}

// worded is a line whose arguments have words of a language.
func worded(key game.Keyword, en, de, es string) game.Line {
	l := game.Line{Keyword: key, Args: en}
	if de != en || es != en {
		l.In = map[string]string{"de": de, "es": es}
	}
	return l
}

// manager reads a manager's lines.
func (r *reader) manager(block game.Block) []game.Slip[Orders] {
	blank, filled := 0, 0
	for _, st := range block.Statements {
		do, ok := verbOf(st.Keyword)
		switch {
		case !ok && isPlan(st.Keyword):
			r.fail(st.Line, issuePlanLine, string(st.Keyword))
		case !ok:
			r.tell(st.Line, issueLineOther, string(st.Keyword))
		case isBlank(st.Args):
			blank++
			continue
		case filled == maxWishes:
			r.fail(st.Line, issueManyLines, strconv.Itoa(maxWishes))
			filled++
			continue
		case filled < maxWishes:
			r.wish(do, st)
		}
		filled++
	}
	r.successors()
	switch {
	case blank > 0 && filled == 0:
		r.tell(block.Line, issueNotFilledIn)
		return nil
	case len(r.wishes) == 0:
		return nil
	}
	var orders Orders
	lines := []game.Line{{Keyword: game.KeyManager, Args: r.state.managerName(r.seat)}}
	for _, a := range r.wishes {
		w := a.Wish
		orders.Lines = append(orders.Lines, w)
		lines = append(lines, worded(w.Do.keyword(), r.state.text(w, conditions.English), r.state.text(w, conditions.German), r.state.text(w, conditions.Spanish)))
	}
	return []game.Slip[Orders]{{Slot: ManagerSlot, Orders: orders, Lines: lines}}
}

// isBlank reports whether a line of the ready block was not filled in.
func isBlank(args string) bool {
	gaps := 0
	for _, word := range strings.Fields(conditions.Uncomment(args)) {
		switch {
		case strings.Trim(word, "_") == "":
			gaps++
		case !slices.ContainsFunc(inner(), func(w conditions.Words) bool { return w.Has(word) }):
			return false
		}
	}
	return gaps > 0
}

// wish reads a line with what a mailer may have wrapped off it: as much as gives a
// good reading.
func (r *reader) wish(do Verb, st game.Statement) {
	if !r.played(do) {
		r.fail(st.Line, issueModuleOff, string(st.Keyword))
		return
	}
	for n := len(st.Tail); n >= 0; n-- {
		text := conditions.Uncomment(strings.Join(append([]string{st.Args}, st.Tail[:n]...), " "))
		l := lineReader{reader: r, text: text}
		w := l.read(do)
		if l.code != "" && n > 0 {
			continue // what follows is no part of it, or all of it is wrong
		}
		if l.code != "" {
			r.fail(st.Line, l.code, l.args...)
			return
		}
		r.take(st, w)
		return
	}
}

// played reports whether the game has a line's module (RSC-20).
func (r *reader) played(do Verb) bool {
	switch do {
	case WantOffer, WantBuy, WantTrade:
		return r.state.Settings.Sales
	case WantBet:
		return r.state.Settings.Bets
	case WantReserve:
		return r.state.Settings.Rent > 0
	}
	return true
}

// take enters a line that reads well; of two about the same the lower one counts.
func (r *reader) take(st game.Statement, w Wish) {
	if w.Do == WantBout && w.Rounds > 0 {
		w.Rounds = r.length(st.Line, w)
	}
	if w.Do == WantBet {
		r.cash -= w.Money
	}
	if i := slices.IndexFunc(r.wishes, func(a asked) bool { return w.repeats(a.Wish) }); i >= 0 {
		if r.wishes[i].Wish != w {
			r.tell(st.Line, issueTwice, string(st.Keyword))
		}
		r.wishes = slices.Delete(r.wishes, i, i+1)
	}
	r.wishes = append(r.wishes, asked{w, st.Line})
}

// length is the number of rounds proposed, 0 when no arena has it (RSC-11). One that
// the arena proposed has not may count in another, if it comes to that.
func (r *reader) length(line int, w Wish) int {
	class := r.state.Fighters[r.state.fighter(w.Own)].Class
	least, _, _ := Lengths(Pits, false, class)
	_, most, _ := Lengths(TheBest, true, class)
	if w.Rounds < least || w.Rounds > most {
		r.tell(line, issueRoundsRange, strconv.Itoa(w.Rounds), strconv.Itoa(least), strconv.Itoa(most))
		return 0
	}
	if w.Arena == "" {
		return w.Rounds
	}
	if least, _, _ = Lengths(w.Arena, false, class); w.Arena != TheBest {
		_, most, _ = Lengths(w.Arena, false, class)
	}
	if w.Rounds < least || w.Rounds > most {
		r.tell(line, issueRoundsArena, strconv.Itoa(w.Rounds), string(w.Arena), fmt.Sprintf("%d-%d", least, most))
	}
	return w.Rounds
}

// repeats reports whether two lines cannot both be meant.
func (w Wish) repeats(o Wish) bool {
	choice := func(v Verb) bool { return v == WantRest || v == WantOpen }
	switch {
	case choice(w.Do) && choice(o.Do):
		return w.Own == o.Own
	case w.Do != o.Do:
		return false
	case w.Do == WantBet:
		return w == o
	case w.Do == WantNew:
		return game.SameName(w.Name, o.Name)
	case w.Do == WantBuy:
		return w.Other == o.Other
	case w.Do == WantBout, w.Do == WantTrade:
		return w.Own == o.Own && w.Other == o.Other
	}
	return w.Own == o.Own
}

// successors drops new fighters for whom nobody retires.
func (r *reader) successors() {
	retiring := 0
	for _, a := range r.wishes {
		retiring += flag(a.Do == WantRetire)
	}
	r.wishes = slices.DeleteFunc(r.wishes, func(a asked) bool {
		if a.Do != WantNew {
			return false
		}
		retiring--
		if retiring < 0 {
			r.fail(a.line, issueNewAlone, a.Name)
		}
		return retiring < 0
	})
}
