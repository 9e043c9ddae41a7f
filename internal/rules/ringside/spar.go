package ringside

import (
	"fmt"
	"strconv"
	"strings"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
	"ringpost/internal/rules/ringside/plan"
)

// sparRounds is the length of a test fight.
const sparRounds = 10

// partner is one of the two of a test fight.
type partner struct {
	name string
	bout.Fighter
	plan plan.Plan
}

// average is who has no ratings of his own.
func average() bout.Fighter {
	return bout.Fighter{Agility: 50, Punches: [bout.Punches]int{2, 2, 2, 2, 2, 2}, Counter: 20, Endurance: 10}
}

// Spar fights a bout of ten rounds between the plans of two blocks, each of a
// historical fighter, or of one with the line WERTE, or of an average man.
func (Rules) Spar(blocks []game.Block, dice game.Dice) (game.View, []game.Issue) {
	men, issues, ok := partners(blocks)
	if !ok {
		return game.View{}, issues
	}
	s := spar(men, bout.StandardTerms(sparRounds), dice.Stream("ringside/spar", ""))
	return view("spar", "", func() any { return s }), issues
}

// partners reads the two blocks of a test fight.
func partners(blocks []game.Block) (men [2]partner, issues []game.Issue, ok bool) {
	if len(blocks) != 2 {
		return men, []game.Issue{{Code: issueSparTwo, Args: []string{strconv.Itoa(len(blocks))}, Error: true}}, false
	}
	ok = true
	for i, b := range blocks {
		p, told := readPartner(b)
		men[i] = p
		issues = append(issues, told...)
	}
	for _, i := range issues {
		ok = ok && !i.Error
	}
	return men, issues, ok
}

func readPartner(b game.Block) (partner, []game.Issue) {
	p := partner{name: b.Name, Fighter: average()}
	var issues []game.Issue
	if b.Name == "" {
		issues = append(issues, game.Issue{Line: b.Line, Code: issueSparName, Error: true})
	}
	for _, h := range bout.Historical() {
		if folded(h.Name) == folded(b.Name) {
			p.name, p.Fighter = h.Name, h.Fighter
		}
	}
	var statements []game.Statement
	for _, st := range b.Statements {
		if st.Keyword != game.KeyRatings {
			statements = append(statements, st)
			continue
		}
		var err error
		if p.Fighter, err = readRatings(st.Args); err != nil {
			issues = append(issues, game.Issue{Line: st.Line, Code: issueSparRatings, Args: clipped([]string{err.Error()}), Error: true})
		}
	}
	plan, told, _ := plan.Read(statements, plan.Context{Advanced: true, Rounds: sparRounds})
	p.plan = plan
	return p, append(issues, told...)
}

// readRatings reads a line in the order of the rulebook's table: agility, the six
// punches, counterpunch, endurance.
func readRatings(text string) (bout.Fighter, error) {
	var f bout.Fighter
	into := []*int{&f.Agility}
	for i := range f.Punches {
		into = append(into, &f.Punches[i])
	}
	into = append(into, &f.Counter, &f.Endurance)
	fields := strings.Fields(text)
	if len(fields) != len(into) {
		return f, fmt.Errorf("%d numbers: want %d", len(fields), len(into))
	}
	for i, field := range fields {
		n, err := strconv.Atoi(field)
		if err != nil {
			return f, fmt.Errorf("%s: want a whole number", field)
		}
		*into[i] = n
	}
	return f, f.Check()
}

// fight fights a test bout; log may be nil.
func fight(men [2]partner, terms bout.Terms, dice game.Stream, log *bout.Log) (*bout.Bout, [2]*plan.Runner) {
	b, err := bout.Begin(terms, [2]bout.Corner{{Fighter: men[0].Fighter}, {Fighter: men[1].Fighter}})
	if err != nil {
		panic("ringside: a test fight that was checked: " + err.Error())
	}
	runners := [2]*plan.Runner{men[0].plan.Against(men[0].Fighter, men[1].Fighter), men[1].plan.Against(men[1].Fighter, men[0].Fighter)}
	b.Box(terms.Rounds, [2]bout.Plan{runners[0], runners[1]}, dice, log)
	return b, runners
}

func spar(men [2]partner, terms bout.Terms, dice game.Stream) Spar {
	var log bout.Log
	b, runners := fight(men, terms, dice, &log)
	told := Bout{Booking: Booking{Rounds: terms.Rounds, Advanced: terms.Advanced}, Result: b.Result, Cards: b.Cards, Rounds: watch(log)}
	s := Spar{Rounds: terms.Rounds, Log: log}
	for i, m := range men {
		s.Names[i] = m.name
		s.Plans[i] = linesOf(m.plan, runners[i].Fired())
		told.Corners[i] = Corner{Name: m.name, Ratings: m.Fighter, Start: bout.Corner{Fighter: m.Fighter}.Start(terms.Rounds),
			End: b.Endurance[i], Result: resultOf(b.Result, bout.Side(i))}
	}
	s.Bout = boutView(told)
	return s
}

// Probe readies the same bout to be fought many times.
func (Rules) Probe(blocks []game.Block) (game.Probe, []game.Issue) {
	men, issues, ok := partners(blocks)
	if !ok {
		return nil, issues
	}
	return probe{men, bout.StandardTerms(sparRounds)}, issues
}

type probe struct {
	men   [2]partner
	terms bout.Terms
}

// outcomes are the ways a test fight can end, in the order of their numbers.
func outcomes() []bout.Result {
	var out []bout.Result
	for _, side := range []bout.Side{bout.First, bout.Second} {
		for _, m := range []bout.Method{bout.KO, bout.TKO, bout.Decision} {
			out = append(out, bout.Result{Method: m, Winner: side})
		}
	}
	return append(out, bout.Result{Method: bout.Draw, Winner: bout.Neither})
}

// Fight gives the number of the outcome in outcomes.
func (p probe) Fight(dice game.Dice) int {
	b, _ := fight(p.men, p.terms, dice.Stream("ringside/spar", ""), nil)
	for i, o := range outcomes() {
		if o.Method == b.Result.Method && o.Winner == b.Result.Winner {
			return i
		}
	}
	panic("ringside: a test fight ended in no known way: " + string(b.Result.Method))
}

// Tally shows how often each outcome came.
func (p probe) Tally(counts []int) game.View {
	r := Rates{Names: [2]string{p.men[0].name, p.men[1].name}}
	for _, n := range counts {
		r.Runs += n
	}
	for i, o := range outcomes() {
		rate := Rate{Outcome: string(o.Method)}
		if i < len(counts) {
			rate.Count = counts[i]
		}
		if o.Winner != bout.Neither {
			rate.Winner = r.Names[o.Winner]
		}
		if r.Runs > 0 {
			rate.Tenths = (2000*rate.Count + r.Runs) / (2 * r.Runs)
		}
		r.Rows = append(r.Rows, rate)
	}
	return view("rates", "", func() any { return r })
}

// Sparring fights a bout of a seat's fighter against a partner with the public
// ratings of his next opponent and the default plan, over the rounds that are
// booked. Nothing of it counts.
func (r Rules) Sparring(s State, seat game.SeatID, subject string, slips []game.Slip[Orders], dice game.Dice) (game.View, []game.Issue) {
	i := s.fighterNamed(subject)
	if own := s.stable(seat); i < 0 && len(own) == 1 && (subject == "" || s.managerNamed(subject) >= 0) {
		i = s.fighter(own[0].ID)
	}
	if i < 0 || s.Fighters[i].Manager != seat {
		return game.View{}, []game.Issue{{Code: issueSparNobody, Args: clipped([]string{subject}), Error: true}}
	}
	f := &s.Fighters[i]
	next := s.bookings(f.ID)
	if len(next) == 0 {
		return game.View{}, []game.Issue{{Code: issueSparNone, Args: []string{f.Name}, Error: true}}
	}
	b := next[0]
	other := &s.Fighters[s.fighter(b.Fighters[1-b.side(f.ID)])]
	v := Sparring{Name: f.Name, Opponent: other.Name, Default: f.Plan == nil}
	mine := partner{name: f.Name, Fighter: f.Fighter, plan: f.plan()}
	for _, slip := range slips {
		if slip.Slot == planSlot(f.ID) && slip.Orders.Plan != nil {
			mine.plan, v.OnFile, v.Default = *slip.Orders.Plan, true, false
		}
	}
	terms := bout.Terms{Ring: s.Settings.Ring, Rounds: b.Rounds, Scoring: s.Settings.Scoring, Advanced: b.Advanced, Chart: s.Settings.Chart}
	v.Spar = spar([2]partner{mine, {name: other.Name, Fighter: other.Fighter}}, terms, dice.Stream("ringside/sparring", string(f.ID)))
	return view("sparring", "", func() any { return v }), nil
}

// RulesView puts a game's settings into the rules.
func (Rules) RulesView(settings game.Settings) game.View {
	terms, err := termsOf(settings)
	if err != nil { // settings are checked when a game is entered
		return game.View{Template: "rules", Data: func() any { return nil }}
	}
	sheet := RulesSheet{Terms: terms, Standard: terms.Chart == bout.StandardChart()}
	if roster, err := rosterOf(settings); err == nil {
		sheet.Roster = len(roster)
	}
	for _, thrown := range bout.AllPunches() {
		row := ChartRow{Punch: thrown.Code()}
		for _, guard := range bout.AllPunches() {
			cell := strconv.Itoa(int(terms.Chart.Cells[thrown][guard]))
			if terms.Chart.Reconstructed[thrown][guard] {
				cell += "*"
				sheet.Reconstructed = true
			}
			row.Cells = append(row.Cells, cell)
		}
		sheet.Chart = append(sheet.Chart, row)
	}
	return game.View{Template: "rules", Data: func() any { return sheet }}
}
