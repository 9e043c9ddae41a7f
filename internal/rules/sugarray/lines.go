package sugarray

import (
	"fmt"
	"strings"
	"unicode"
)

// nameWidth is the width of the name column; a name is cut to leave one blank.
const nameWidth = 14

// FightLines prints a fight as the rulebook does, winner first: two lines in
// the same columns (SR-37). They may be wider than a mail's 76 columns.
func FightLines(f Fight) [2]string {
	var lines [2]strings.Builder
	sides := [2]Side{f.First, f.Second}

	t, k := 2, 2
	for _, s := range sides {
		t, k = max(t, digits(s.Technique)), max(k, digits(s.Condition))
	}
	for i, s := range sides {
		fmt.Fprintf(&lines[i], "%s(%*d,%*d)", column(s.Name), t, s.Technique, k, s.Condition)
	}

	gap := "    "
	for r := range BoxingRounds {
		o, d, c := 1, 1, 2
		for _, s := range sides {
			if r >= f.Rounds {
				break
			}
			o, d = max(o, digits(s.Orders[r].Offence)), max(d, digits(s.Orders[r].Defence))
			c = max(c, len(condition(s.Conditions[r])))
		}
		for i, s := range sides {
			lines[i].WriteString(gap)
			if r >= f.Rounds { // boxed no more: blank
				lines[i].WriteString(strings.Repeat(" ", len("0/0 (10)")))
				continue
			}
			p := s.Orders[r]
			fmt.Fprintf(&lines[i], "%*d/%-*d (%*s)", o, p.Offence, d, p.Defence, c, condition(s.Conditions[r]))
		}
		gap = "   "
	}
	lines[0].WriteString(" " + f.Code)
	return [2]string{lines[0].String(), strings.TrimRight(lines[1].String(), " ")}
}

// condition at the end of a boxing round, as printed.
func condition(k int64) string {
	if k < 1 {
		return "KO"
	}
	return fmt.Sprint(k)
}

func digits(n int64) int { return len(fmt.Sprint(n)) }

// column brings a name to the width of its column; a long one is cut.
func column(name string) string {
	name = shorten(name, nameWidth-1)
	return name + strings.Repeat(" ", nameWidth-width(name))
}

// shorten cuts a name that is wider than most, with a dot.
func shorten(name string, most int) string {
	if width(name) <= most {
		return name
	}
	var b strings.Builder
	n := 0
	for _, r := range name {
		if !unicode.IsMark(r) {
			n++
		}
		if n >= most {
			break
		}
		b.WriteRune(r)
	}
	return b.String() + "."
}

// width counts characters; a mark stands on the one before it.
func width(s string) int {
	n := 0
	for _, r := range s {
		if !unicode.IsMark(r) {
			n++
		}
	}
	return n
}
