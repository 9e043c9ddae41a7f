package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// Context is what is known of the bout that a plan is for.
type Context struct {
	Advanced bool   // the advanced rules are played (RS-36)
	Rounds   int    // scheduled; 0 when there is no bout yet
	Opponent string // his name; "" when there is none yet
}

// Read reads a plan from the statements of a block. Each line stands alone: one
// that is wrong is dropped and told, the others count (G-7). Issues are in the
// order of lines. Without any plan line, ok is false: nothing was ordered.
func Read(statements []game.Statement, c Context) (p Plan, issues []game.Issue, ok bool) {
	r := reader{context: c}
	for _, s := range statements {
		r.statement(s)
	}
	r.foretell()
	slices.SortStableFunc(r.issues, func(a, b game.Issue) int { return cmp.Compare(a.Line, b.Line) })
	return r.plan, r.issues, r.told || len(r.plan.Lines) > 0
}

type reader struct {
	context Context
	plan    Plan
	at      []int // the line number of each line of the plan
	seen    int   // plan lines, good or bad
	told    bool  // whether the plan stands was said
	issues  []game.Issue
}

func (r *reader) tell(line int, i game.Issue) {
	i.Line = line
	r.issues = append(r.issues, i)
}

func (r *reader) statement(s game.Statement) {
	switch s.Keyword {
	case game.KeyPunch, game.KeyExpect, game.KeyFeet, game.KeyDefend, game.KeyAttack, game.KeyBoxingRound:
		r.line(s)
	case game.KeyStanding:
		stands, issue := answer(conditions.Uncomment(s.Args))
		if issue != nil {
			r.tell(s.Line, *issue)
			return
		}
		r.plan.Once, r.told = !stands, true
	case game.KeyOpponent:
		name := game.CleanName(conditions.Uncomment(s.Args))
		if o := r.context.Opponent; o != "" && game.Fold(name) != game.Fold(o) {
			r.tell(s.Line, game.Issue{Code: OpponentOther, Args: []string{game.Clip(name, game.ClipIssue), o}})
		}
	default:
		r.tell(s.Line, game.Issue{Code: OtherLine, Args: []string{string(s.Keyword)}})
	}
}

func (r *reader) line(s game.Statement) {
	r.seen++
	if r.seen > conditions.MaxLines {
		if r.seen == conditions.MaxLines+1 {
			r.tell(s.Line, *wrong(conditions.TooMany, strconv.Itoa(conditions.MaxLines)))
		}
		return
	}
	lines, issue := whole(s)
	if issue != nil {
		r.tell(s.Line, *issue)
		return
	}
	for _, l := range lines {
		r.plan.Lines, r.at = append(r.plan.Lines, l), append(r.at, s.Line)
	}
}

// whole reads a statement with those lines below it that a mailer has wrapped off
// it: as many as give one good reading. Half a line is never taken for a whole one.
func whole(s game.Statement) ([]Line, *game.Issue) {
	text := string(s.Keyword) + " " + conditions.Uncomment(s.Args)
	tail := s.Tail
	for isWeights(text) && len(tail) > 0 && isWeights(tail[0]) {
		text += " " + conditions.Uncomment(tail[0])
		tail = tail[1:]
	}
	for n := len(tail); n > 0; n-- {
		if lines, issue := parse(text + " " + conditions.Uncomment(strings.Join(tail[:n], " "))); issue == nil {
			return lines, nil
		}
	}
	return parse(text)
}

// foretell tells of lines that can never apply, and why.
func (r *reader) foretell() {
	last := cmp.Or(r.context.Rounds, bout.MaxRounds)
	for j, l := range r.plan.Lines {
		if issue, ok := r.never(l, last); ok {
			r.tell(r.at[j], issue)
		} else if i := r.shadow(j, last); i >= 0 {
			r.tell(r.at[j], game.Issue{Code: conditions.Behind, Args: []string{strconv.Itoa(r.at[i])}})
		}
	}
}

func (r *reader) never(l Line, last int) (game.Issue, bool) {
	remark := func(code string, args ...string) (game.Issue, bool) {
		return game.Issue{Code: code, Args: args}, true
	}
	action := l.worded(conditions.English).Action
	switch {
	case l.Rounds.From > last:
		return remark(TooLate, strconv.Itoa(last))
	case vocabulary().Impossible(l.Line):
		return remark(conditions.Never)
	case l.Kind == Choose && l.Tactic.Advanced() && !r.context.Advanced:
		return remark(NoAdvanced, action)
	case l.Kind == Choose && vocabulary().Impossible(l.withLegality()):
		return remark(NeverLegal, action)
	}
	return game.Issue{}, false
}

// withLegality adds to a line's condition what its tactic needs to be legal.
func (l Line) withLegality() conditions.Line {
	out := l.Line
	out.If = slices.Clone(l.If)
	switch l.Tactic {
	case bout.Backpedal: // RS-29
		out.If = append(out.If, conditions.Term{Var: varRopes, Op: conditions.Equal})
	case bout.Rush: // RS-33
		out.If = append(out.If, conditions.Term{Var: varRopesOther, Op: conditions.Equal})
	}
	return out
}

// shadow finds the line that always applies before line j.
func (r *reader) shadow(j, last int) int {
	lines := make([]conditions.Line, len(r.plan.Lines))
	for i, l := range r.plan.Lines {
		lines[i] = l.Line
	}
	return conditions.Shadow(lines, j, last, func(i, j int) bool {
		a, b := r.plan.Lines[i], r.plan.Lines[j]
		return a.Kind == b.Kind && (a.Kind != Choose || r.legalWith(a.Tactic, b.Tactic))
	})
}

// legalWith reports whether a tactic is legal whenever another is: cover wherever
// no clinch is in force, and where one is, nothing but an open guard is.
func (r *reader) legalWith(a, b bout.Tactic) bool {
	if a.Advanced() && !r.context.Advanced {
		return false
	}
	return a == bout.Open || a == b || a == bout.Cover && b != bout.Open
}
