package plan

import (
	"sync"

	"ringpost/internal/conditions"
	"ringpost/internal/rules/ringside/bout"
)

// The variables of a plan's conditions.
const (
	varEndurance conditions.Var = iota
	varEnduranceOther
	varRound
	varTurn
	varRopes
	varRopesOther
	varLead
	varLeadOther
	varDamage
	varDamageOther
	varHits
	varHitsOther
	varDowns
	varDownsOther
)

// vocabulary is made once and never changed.
var vocabulary = sync.OnceValue(func() conditions.Vocabulary {
	number := func(least, most int, w conditions.Words) conditions.Variable {
		return conditions.Variable{Words: w, Least: least, Most: most}
	}
	flag := func(w conditions.Words) conditions.Variable {
		return conditions.Variable{Words: w, Kind: conditions.Flag}
	}
	const many = 9999
	return conditions.Vocabulary{
		varEndurance:      number(-24, many, words("KOND", "END", "RESIST")), // at -25 it is over
		varEnduranceOther: number(-24, many, words("GKOND", "OEND", "RRESIST")),
		varRound:          number(1, bout.MaxRounds, words("RUNDE", "ROUND", "ASALTO")),
		varTurn:           number(1, bout.Turns, words("ZUG", "TURN", "TURNO")),
		varRopes:          flag(words("AMSEIL", "ROPES", "CUERDAS")),
		varRopesOther:     flag(words("GAMSEIL", "OROPES", "RCUERDAS")),
		varLead:           number(-bout.MaxRounds, bout.MaxRounds, words("VORN", "LEAD", "VENTAJA")),
		varLeadOther:      number(-bout.MaxRounds, bout.MaxRounds, words("GVORN", "OLEAD", "RVENTAJA")),
		varDamage:         number(-many, many, words("SCHADEN", "DAMAGE", "DANO")),
		varDamageOther:    number(-many, many, words("GSCHADEN", "ODAMAGE", "RDANO")),
		varHits:           number(0, many, words("TREFFER", "HITS", "GOLPES")),
		varHitsOther:      number(0, many, words("GTREFFER", "OHITS", "RGOLPES")),
		varDowns:          number(0, many, words("NIEDER", "DOWN", "CAIDAS")),
		varDownsOther:     number(0, many, words("GNIEDER", "ODOWN", "RCAIDAS")),
	}
})

// vars shows a situation as the values of variables.
type vars struct{ now *bout.Situation }

// Value is a variable's value; none of them takes an argument.
func (v *vars) Value(which conditions.Var, _ string) conditions.Value {
	n := 0
	switch s := v.now; which {
	case varEndurance:
		n = s.Own.Endurance
	case varEnduranceOther:
		n = s.Other.Endurance
	case varRound:
		n = s.Round
	case varTurn:
		n = s.Turn
	case varRopes:
		n = flagged(s.Own.Ropes)
	case varRopesOther:
		n = flagged(s.Other.Ropes)
	case varLead:
		n = s.Lead
	case varLeadOther:
		n = -s.Lead
	case varDamage:
		n = s.Damage
	case varDamageOther:
		n = -s.Damage
	case varHits:
		n = s.Own.Hits
	case varHitsOther:
		n = s.Other.Hits
	case varDowns:
		n = s.Own.Downs
	case varDownsOther:
		n = s.Other.Downs
	}
	return conditions.Value{Number: n}
}

func flagged(b bool) int {
	if b {
		return 1
	}
	return 0
}
