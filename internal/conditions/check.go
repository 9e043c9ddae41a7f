package conditions

import "slices"

// Impossible reports whether a line's condition can never hold: its terms, or a
// term and the variable's bounds, contradict each other.
func (v Vocabulary) Impossible(l Line) bool {
	for i, t := range l.If {
		rest := l.If[i:]
		if v[t.Var].Kind == Name && namesClash(t, rest) || v[t.Var].Kind != Name && v.numbersClash(t, rest) {
			return true
		}
	}
	return false
}

// namesClash: a variable cannot be two names, nor one and not that one.
func namesClash(t Term, terms []Term) bool {
	return t.Op == Equal && slices.ContainsFunc(terms, func(o Term) bool {
		return o.sameVariable(t) && (o.Op == Equal && !o.Value.Same(t.Value) || o.Op == Differs && o.Value.Same(t.Value))
	})
}

func (t Term) sameVariable(o Term) bool { return t.Var == o.Var && t.Argument == o.Argument }

// numbersClash narrows the values that a variable can have by all terms about it.
func (v Vocabulary) numbersClash(about Term, terms []Term) bool {
	low, high := v[about.Var].bounds()
	var not []int
	for _, t := range terms {
		if !t.sameVariable(about) {
			continue
		}
		n := t.Value.Number
		switch t.Op {
		case True:
			not = append(not, 0)
		case Differs:
			not = append(not, n)
		case Less:
			high = min(high, n-1)
		case AtMost:
			high = min(high, n)
		case More:
			low = max(low, n+1)
		case AtLeast:
			low = max(low, n)
		case Equal:
			low, high = max(low, n), min(high, n)
		}
	}
	for low <= high && slices.Contains(not, low) {
		low++
	}
	return low > high
}

func (v Variable) bounds() (low, high int) {
	switch {
	case v.Kind == Flag:
		return 0, 1
	case v.Least == 0 && v.Most == 0:
		return -maxValue - 1, maxValue + 1
	}
	return v.Least, v.Most
}

// Shadow finds the line because of which line j never is the first to apply: one
// that is tried before it, for all its rounds and its role, on no more conditions.
// It gives -1 when there is none. Rounds are from 1 to last. Whether line i may be
// done whenever line j may is for the caller to say.
func Shadow(lines []Line, j, last int, whenever func(i, j int) bool) int {
	for i := range lines {
		if before(lines, i, j) && lines[i].covers(&lines[j], last) && whenever(i, j) {
			return i
		}
	}
	return -1
}

// before reports whether line i is tried before line j.
func before(lines []Line, i, j int) bool {
	a, b := lines[i].Rounds.Limited(), lines[j].Rounds.Limited()
	if a != b {
		return a
	}
	return i < j
}

func (l *Line) covers(o *Line, last int) bool {
	a, b := l.Rounds.within(last), o.Rounds.within(last)
	return l.Role == o.Role && a.From <= b.From && b.To <= a.To &&
		!slices.ContainsFunc(l.If, func(t Term) bool { return !slices.Contains(o.If, t) })
}

func (r Range) within(last int) Range {
	if !r.Limited() {
		return Range{1, last}
	}
	return Range{r.From, min(r.To, last)}
}
