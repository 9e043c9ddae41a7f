package conditions

import (
	"slices"

	"ringpost/internal/game"
)

// MaxLines is how many lines a block may hold.
const MaxLines = 40

// MaxTerms is how many comparisons a line may have: plans are kept for as long as the
// game, and nobody needs more.
const MaxTerms = 20

// Kind is what a variable's values are.
type Kind uint8

// The kinds.
const (
	Number Kind = iota
	Flag        // 0 or 1
	Name        // a player, a place; a place may have a number for a name
)

// Var is a variable: its place in the vocabulary.
type Var int

// Variable is what there is to know of a variable.
type Variable struct {
	Words
	Kind Kind
	// Least and Most bound a number; both 0 means that nothing does.
	Least, Most int
	Argument    bool // it is about somebody: POWER(Frog)
}

// Vocabulary holds the variables of a game.
type Vocabulary []Variable

// Find finds a variable by one of its words.
func (v Vocabulary) Find(word string) (Var, bool) {
	i := slices.IndexFunc(v, func(x Variable) bool { return x.Has(word) })
	return Var(i), i >= 0
}

// Op is how a term compares.
type Op uint8

// The comparisons.
const (
	True Op = iota // none: the variable alone, which is neither 0 nor nobody
	Less
	AtMost
	More
	AtLeast
	Equal
	Differs
)

// Me is the name of whoever wrote the line, in values and arguments.
const Me = "ME"

// Value is a number, or a name where Name is not empty.
type Value struct {
	Number int
	Name   string
}

// Same reports whether two values are equal; names are by folding (G-13).
func (v Value) Same(o Value) bool {
	if v.Name == "" || o.Name == "" {
		return v == o
	}
	return v.Name == o.Name || game.Fold(v.Name) == game.Fold(o.Name)
}

// Term is one comparison.
type Term struct {
	Var      Var
	Argument string // "" where the variable takes none
	Op       Op
	Value    Value // of no meaning with True
}

// Vars tells how things stand.
type Vars interface {
	// Value is a variable's value; the argument is "" where it takes none.
	Value(v Var, argument string) Value
}

func (t Term) holds(vars Vars) bool {
	got := vars.Value(t.Var, t.Argument)
	switch t.Op {
	case True:
		return got != Value{}
	case Equal:
		return got.Same(t.Value)
	case Differs:
		return !got.Same(t.Value)
	}
	if got.Name != "" || t.Value.Name != "" {
		return false // names have no order
	}
	switch t.Op {
	case Less:
		return got.Number < t.Value.Number
	case AtMost:
		return got.Number <= t.Value.Number
	case More:
		return got.Number > t.Value.Number
	}
	return got.Number >= t.Value.Number
}

// Range limits a line to rounds; the zero value is all of them.
type Range struct{ From, To int }

// Limited reports whether there is a limit.
func (r Range) Limited() bool { return r != Range{} }

// Has reports whether a round is in the range.
func (r Range) Has(round int) bool {
	return !r.Limited() || r.From <= round && round <= r.To
}

// Line is a line of a plan.
type Line struct {
	Rounds Range
	Role   Role
	Else   bool   // written with ELSE, which is to say without a condition
	If     []Term // all of them must hold
	Action string // as written; what it means is the ruleset's
}

// Applies reports whether a line is for a round and its condition holds.
func (l *Line) Applies(round int, vars Vars) bool {
	if !l.Rounds.Has(round) {
		return false
	}
	for i := range l.If {
		if !l.If[i].holds(vars) {
			return false
		}
	}
	return true
}

// First finds the line to go by: the first that applies and is legal. Lines that
// are limited to rounds are tried before the others, each group from the top. It
// gives the line's index, -1 when there is none.
func First(lines []Line, round int, vars Vars, legal func(i int) bool) int {
	for _, limited := range [2]bool{true, false} {
		for i := range lines {
			l := &lines[i]
			if l.Rounds.Limited() == limited && l.Applies(round, vars) && legal(i) {
				return i
			}
		}
	}
	return -1
}
