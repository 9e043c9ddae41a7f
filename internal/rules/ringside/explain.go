package ringside

import (
	"slices"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/plan"
)

// Explain foretells what is certain of a seat's orders: whom the plan is for and
// with how much endurance he starts, what the default plan fills in, and what bets
// take of the money.
func (Rules) Explain(s State, seat game.SeatID, slips []game.Slip[Orders]) game.View {
	p := Preview{Cash: s.cash(seat)}
	for _, slip := range slips {
		if id, ok := planOf(slip.Slot); ok && slip.Orders.Plan != nil {
			if i := s.fighter(id); i >= 0 {
				p.Plan = s.previewPlan(&s.Fighters[i], *slip.Orders.Plan)
			}
			continue
		}
		p.Lines += len(slip.Orders.Lines)
		for _, w := range slip.Orders.Lines {
			switch w.Do {
			case WantBet:
				p.Stakes += w.Money
			case WantBout:
				p.Bouts = append(p.Bouts, s.previewBout(w))
			}
		}
	}
	return game.View{Template: "preview", Data: func() any { return p }}
}

func (s *State) previewBout(w Wish) BoutPreview {
	var v BoutPreview
	if i, j := s.fighter(w.Own), s.fighter(w.Other); i >= 0 && j >= 0 {
		v.Own, v.Other, v.Manager = s.Fighters[i].Name, s.Fighters[j].Name, s.managerName(s.Fighters[j].Manager)
	}
	v.Answers = slices.ContainsFunc(s.Challenges, func(c Challenge) bool { return c.Own == w.Other && c.Other == w.Own })
	return v
}

func (s *State) previewPlan(f *Fighter, p plan.Plan) *PlanPreview {
	v := &PlanPreview{Name: f.Name, Once: p.Once, Lines: len(p.Lines)}
	if all := s.matches(f); len(all) > 0 {
		v.Match, v.Matches = &all[0], len(all)
	}
	always := func(kinds ...plan.Kind) bool {
		return slices.ContainsFunc(p.Lines, func(l plan.Line) bool {
			return slices.Contains(kinds, l.Kind) && l.Rounds == conditions.Range{}
		})
	}
	v.Punch, v.Expect, v.Feet = !always(plan.Punch), !always(plan.Expect), !always(plan.Retreat, plan.Follow)
	return v
}
