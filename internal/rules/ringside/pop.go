package ringside

import (
	"cmp"
	"slices"

	"ringpost/internal/rules/ringside/bout"
)

// ChampionBonus is the POP of a champion's rank.
const ChampionBonus Pop = 20

// Bonus is the POP of a contender's rank: a tenth of what is left from 51, to the
// nearest half (RSC-6). It counts while he has the rank (RSC-7).
func Bonus(rank int) Pop {
	if rank < 1 {
		return 0
	}
	return Pop(max(2*(51-rank)+5, 0) / 10)
}

// pop is a fighter's effective POP (RSC-7).
func (s *State) pop(f *Fighter) Pop {
	if s.champion(f) {
		return f.Earned + ChampionBonus
	}
	return f.Earned + Bonus(f.Rank)
}

// Gain is what a bout brings in POP: for the result, and half a point for each
// knockdown scored (RSC-4).
func Gain(result string, method bout.Method, downs int) Pop {
	var p Pop
	switch method {
	case bout.KO:
		p = 3
	case bout.TKO:
		p = 2
	case bout.Decision:
		p = 1
	}
	if result == Won {
		p++
	} else {
		p = -p
	}
	if result == Tied {
		p = 0
	}
	return p + Pop(downs)
}

// rank numbers the contenders of every class: by earned POP, then wins, fewer
// losses, wins by knock-out, lot; who has not boxed yet comes last. The champion
// stands outside (RSC-8).
func (s *State) rank() {
	for i := range s.Fighters {
		f := &s.Fighters[i]
		f.LastRank, f.Rank = f.Rank, 0
	}
	for _, c := range s.Settings.Classes {
		for n, f := range s.contenders(c) {
			f.Rank = n + 1
		}
	}
}

// contenders are the fighters of a class in the order of their ranking.
func (s *State) contenders(c Class) []*Fighter {
	var all []*Fighter
	for i := range s.Fighters {
		if f := &s.Fighters[i]; f.Class == c && !s.champion(f) {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b *Fighter) int {
		return cmp.Or(
			cmp.Compare(flag(a.Record.Bouts() == 0), flag(b.Record.Bouts() == 0)),
			cmp.Compare(b.Earned, a.Earned),
			cmp.Compare(b.Record.Wins, a.Record.Wins),
			cmp.Compare(a.Record.Losses, b.Record.Losses),
			cmp.Compare(b.Record.KOWins, a.Record.KOWins),
			cmp.Compare(b.Lot, a.Lot),
			cmp.Compare(a.ID.number(), b.ID.number()),
		)
	})
	return all
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
