package conditions

import (
	"strconv"
	"strings"
)

// Text writes a line in its normal form, which Parse reads as the same line. The
// action is written as it is.
func (v Vocabulary) Text(l Line, lang Language) string {
	var parts []string
	if l.Rounds.Limited() {
		parts = append(parts, roundWords().In(lang), l.Rounds.String())
	}
	if l.Role != NoRole {
		parts = append(parts, l.Role.Words().In(lang))
	}
	switch {
	case len(l.If) > 0:
		parts = append(parts, ifWords().In(lang), v.condition(l.If, lang), ":")
	case l.Else:
		parts = append(parts, elseWords().In(lang), ":")
	}
	return strings.Join(append(parts, l.Action), " ")
}

// String gives a range as "9-12", or "9".
func (r Range) String() string {
	text := strconv.Itoa(r.From)
	if r.To != r.From {
		text += "-" + strconv.Itoa(r.To)
	}
	return text
}

func (v Vocabulary) condition(terms []Term, lang Language) string {
	text := make([]string, len(terms))
	for i, t := range terms {
		text[i] = v[t.Var].In(lang)
		if t.Argument != "" {
			text[i] += "(" + nameIn(t.Argument, lang) + ")"
		}
		if t.Op != True {
			text[i] += t.Op.sign() + t.Value.in(lang)
		}
	}
	return strings.Join(text, " "+andWords().In(lang)+" ")
}

func (o Op) sign() string {
	for _, c := range comparisons() {
		if c.op == o {
			return c.sign
		}
	}
	return ""
}

func (v Value) in(lang Language) string {
	if v.Name == "" {
		return strconv.Itoa(v.Number)
	}
	return nameIn(v.Name, lang)
}

func nameIn(name string, lang Language) string {
	if name == Me {
		return meWords().In(lang)
	}
	return name
}
