package plan

import (
	"slices"

	"ringpost/internal/conditions"
	"ringpost/internal/rules/ringside/bout"
)

// Runner carries out a plan; it is a bout.Plan. It counts how often each line
// decided. It may be used for several bouts, one after the other.
type Runner struct {
	punch, expect, retreat, follow, attack, defend, counter group

	own, other bout.Weights // where no line decides
	fired      []int
	vars       vars
	begins     bout.Situation // of a round: nothing but its number
}

// group holds the lines that decide one thing, in the plan's order.
type group struct {
	lines []conditions.Line
	of    []Line
	index []int // of the plan's lines
}

func newGroup(p Plan, belongs func(Line) bool) group {
	var g group
	for i, l := range p.Lines {
		if belongs(l) {
			g.lines, g.of, g.index = append(g.lines, l.Line), append(g.of, l), append(g.index, i)
		}
	}
	return g
}

// Against makes a plan ready for a bout of a fighter against an opponent.
func (p Plan) Against(own, opponent bout.Fighter) *Runner {
	kind := func(k Kind) group { return newGroup(p, func(l Line) bool { return l.Kind == k }) }
	tactics := func(r conditions.Role) group {
		return newGroup(p, func(l Line) bool { return l.Kind == Choose && l.Role == r })
	}
	return &Runner{
		punch: kind(Punch), expect: kind(Expect), retreat: kind(Retreat), follow: kind(Follow),
		attack: tactics(conditions.Attack), defend: tactics(conditions.Defence), counter: kind(Counter),
		own: own.Ratings(), other: opponent.Ratings(),
		fired: make([]int, len(p.Lines)),
	}
}

// Fired tells for each line of the plan how often it decided: a tactic or a
// counterpunch, or, for weights and feet, a boxing round.
func (r *Runner) Fired() []int { return slices.Clone(r.fired) }

// pick finds the line of a group that decides, and counts it.
func (r *Runner) pick(g *group, s *bout.Situation, legal bout.Tactics) *Line {
	if len(g.lines) == 0 {
		return nil
	}
	r.vars.now = s
	i := conditions.First(g.lines, s.Round, &r.vars, func(i int) bool {
		return g.of[i].Kind != Choose || legal.Has(g.of[i].Tactic)
	})
	if i < 0 {
		return nil
	}
	r.fired[g.index[i]]++
	return &g.of[i]
}

// Mix is what the plan says for a boxing round.
func (r *Runner) Mix(round int) bout.Mix {
	m := bout.Mix{Punch: r.own, Expect: r.other}
	s := &r.begins
	s.Round = round
	if l := r.pick(&r.punch, s, 0); l != nil {
		m.Punch = l.Weights
	}
	if l := r.pick(&r.expect, s, 0); l != nil {
		m.Expect = l.Weights
	}
	if l := r.pick(&r.retreat, s, 0); l != nil {
		m.Defence = l.Retreat
	}
	if l := r.pick(&r.follow, s, 0); l != nil {
		m.Attack = l.Follow
	}
	return m
}

// Tactic is the first matching line's that is legal (rulings 3.5).
func (r *Runner) Tactic(role bout.Role, s *bout.Situation, legal bout.Tactics) bout.Tactic {
	g := &r.defend
	if role == bout.Attacker {
		g = &r.attack
	}
	if l := r.pick(g, s, legal); l != nil {
		return l.Tactic
	}
	return bout.Open
}

// Counter tries, unless a line declines (RS-26).
func (r *Runner) Counter(s *bout.Situation) bool {
	l := r.pick(&r.counter, s, 0)
	return l == nil || l.Try
}
