package sugarray

import (
	"cmp"
	"slices"

	"ringpost/internal/game"
)

// standings gives all boxers in the order of the tables: the champion, then
// league by league (SR-38).
func (s *State) standings() []Boxer {
	type ranked struct {
		Boxer
		key string // the name, folded once
	}
	list := make([]ranked, len(s.Boxers))
	for i, b := range s.Boxers {
		list[i] = ranked{b, game.Fold(b.Name)}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		return cmp.Or(
			cmp.Compare(a.League, b.League),
			cmp.Compare(b.Record.Wins, a.Record.Wins),
			cmp.Compare(a.Record.Losses, b.Record.Losses),
			cmp.Compare(b.Record.KOWins, a.Record.KOWins),
			cmp.Compare(b.Technique+b.Condition, a.Technique+a.Condition),
			cmp.Compare(a.LeagueSince, b.LeagueSince),
			cmp.Compare(a.key, b.key),
			cmp.Compare(a.Name, b.Name),
		)
	})
	out := make([]Boxer, len(list))
	for i, r := range list {
		out[i] = r.Boxer
	}
	return out
}

// places numbers the boxers in the order of the tables, from 1.
func (s *State) places() map[game.SeatID]int {
	out := make(map[game.SeatID]int, len(s.Boxers))
	for i, b := range s.standings() {
		out[b.Seat] = i + 1
	}
	return out
}
