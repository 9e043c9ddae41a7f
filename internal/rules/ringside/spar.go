package ringside

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
	"ringpost/internal/rules/ringside/plan"
)

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

// Spar fights a bout between the plans of two blocks, each of a fighter of the roster,
// or of a historical one, or of one with the line WERTE, or of an average man.
func (Rules) Spar(settings game.Settings, blocks []game.Block, dice game.Dice) (game.View, []game.Issue) {
	terms, roster := sparTerms(settings)
	men, issues, ok := partners(blocks, terms, roster)
	if !ok {
		return game.View{}, issues
	}
	s := spar(men, terms, dice.Stream("ringside/spar", ""))
	return view("spar", "", func() any { return s }), issues
}

// sparTerms reads the settings of a test fight, and whom its blocks may name.
func sparTerms(settings game.Settings) (bout.Terms, []bout.Named) {
	t, err := termsOf(settings)
	if err != nil {
		panic("ringside: settings that were checked: " + err.Error())
	}
	roster, err := rosterOf(settings)
	if err != nil {
		panic("ringside: settings that were checked: " + err.Error())
	}
	rounds := settings.Int(New().About().Spar, keyRounds)
	return bout.Terms{Ring: t.Ring, Rounds: rounds, Scoring: t.Scoring, Advanced: t.Advanced, Chart: t.Chart}, append(roster, bout.Historical()...)
}

// partners reads the two blocks of a test fight.
func partners(blocks []game.Block, terms bout.Terms, roster []bout.Named) (men [2]partner, issues []game.Issue, ok bool) {
	if len(blocks) != 2 {
		return men, []game.Issue{{Code: issueSparTwo, Args: []string{strconv.Itoa(len(blocks))}, Error: true}}, false
	}
	ok = true
	for i, b := range blocks {
		p, told := readPartner(b, plan.Context{Advanced: terms.Advanced, Rounds: terms.Rounds, Opponent: blocks[1-i].Name}, roster)
		men[i] = p
		issues = append(issues, told...)
	}
	for _, i := range issues {
		ok = ok && !i.Error
	}
	return men, issues, ok
}

func readPartner(b game.Block, c plan.Context, roster []bout.Named) (partner, []game.Issue) {
	p := partner{name: b.Name, Fighter: average()}
	var issues []game.Issue
	if b.Name == "" {
		issues = append(issues, game.Issue{Line: b.Line, Code: issueSparName, Error: true})
	}
	known := slices.IndexFunc(roster, func(n bout.Named) bool { return folded(n.Name) == folded(b.Name) })
	if known >= 0 {
		p.name, p.Fighter = roster[known].Name, roster[known].Fighter
	}
	var statements []game.Statement
	rated := known >= 0 || b.Name == ""
	for _, st := range b.Statements {
		if st.Keyword != game.KeyRatings {
			statements = append(statements, st)
			continue
		}
		rated = true
		var err error
		if p.Fighter, err = readRatings(st.Args); err != nil {
			issues = append(issues, game.Issue{Line: st.Line, Code: issueSparRatings, Args: clipped([]string{err.Error()}), Error: true})
		}
	}
	if !rated {
		issues = append(issues, game.Issue{Line: b.Line, Code: issueSparAverage, Args: clipped([]string{b.Name})})
	}
	plan, told, _ := plan.Read(statements, c)
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

// MarshalJSON writes a test fight in figures.
func (s Spar) MarshalJSON() ([]byte, error) {
	type line struct {
		Line  string `json:"line"`
		Fired int    `json:"fired"` // how often it decided
	}
	type fighter struct {
		Name    string       `json:"name"`
		Ratings bout.Fighter `json:"ratings"`
		Start   int          `json:"start"` // endurance
		End     int          `json:"end"`
		Result  string       `json:"result"`
		Plan    []line       `json:"plan"`
	}
	out := struct {
		Rounds   int         `json:"rounds"` // scheduled
		Fighters [2]fighter  `json:"fighters"`
		Result   bout.Result `json:"result"`
		Cards    []bout.Card `json:"cards"`
		Watched  []Round     `json:"watched"` // a round each
		Log      bout.Log    `json:"log"`
	}{Rounds: s.Rounds, Result: s.Bout.Result, Cards: s.Bout.Cards, Watched: s.Bout.Rounds, Log: s.Log}
	for i, c := range s.Bout.Corners {
		f := fighter{Name: c.Name, Ratings: c.Ratings, Start: c.Start, End: c.End, Result: c.Result, Plan: []line{}}
		for _, l := range s.Plans[i] {
			f.Plan = append(f.Plan, line{l.En, l.Fired})
		}
		out.Fighters[i] = f
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // lines of plans have signs of comparison
	err := e.Encode(out)
	return b.Bytes(), err
}

func spar(men [2]partner, terms bout.Terms, dice game.Stream) Spar {
	var log bout.Log
	b, runners := fight(men, terms, dice, &log)
	told := Bout{Booking: Booking{Rounds: terms.Rounds, Advanced: terms.Advanced}, Result: b.Result, Cards: b.Cards, Rounds: watch(log), Words: dice.Uniform(wordsDie)}
	s := Spar{Rounds: terms.Rounds, Log: log}
	for i, m := range men {
		s.Names[i] = m.name
		s.Plans[i] = linesOf(m.plan, runners[i].Fired())
		told.Corners[i] = Corner{Name: m.name, Ratings: m.Fighter, Start: bout.Corner{Fighter: m.Fighter}.Start(terms.Rounds),
			End: b.Endurance[i], Result: resultOf(b.Result, bout.Side(i))}
	}
	s.Bout = boutView(told)
	s.Bout.Tale = newTeller().tell(&told)
	s.Course = course(log, s.Names, [2]int{told.Corners[0].Start, told.Corners[1].Start}, terms.Ring, b.Cards)
	return s
}

// Probe readies the same bout to be fought many times.
func (Rules) Probe(settings game.Settings, blocks []game.Block) (game.Probe, []game.Issue) {
	terms, roster := sparTerms(settings)
	men, issues, ok := partners(blocks, terms, roster)
	if !ok {
		return nil, issues
	}
	return probe{men, terms}, issues
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

// Tally shows how often each outcome came, and how often each of the two won.
func (p probe) Tally(counts []int) game.View {
	r := Rates{Names: [2]string{p.men[0].name, p.men[1].name}, Rounds: p.terms.Rounds}
	var wins [2]int
	for i, n := range counts {
		r.Runs += n
		if w := outcomes()[i].Winner; w != bout.Neither {
			wins[w] += n
		}
	}
	add := func(winner, outcome string, n int) {
		r.Rows = append(r.Rows, Rate{Winner: winner, Outcome: outcome, Count: n, Share: shareOf(n, r.Runs), Error: samplingError(n, r.Runs)})
	}
	for i, o := range outcomes() {
		winner, n := "", 0
		if o.Winner != bout.Neither {
			winner = r.Names[o.Winner]
		}
		if i < len(counts) {
			n = counts[i]
		}
		if o.Method == bout.KO {
			add(winner, "win", wins[o.Winner])
		}
		add(winner, string(o.Method), n)
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
		return game.View{}, []game.Issue{{Code: issueSparNobody, Args: []string{game.Clip(subject, game.ClipIssue), namesOf(s.stable(seat))}, Error: true}}
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
