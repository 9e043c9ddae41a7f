package conditions

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ringpost/internal/game"
)

// The codes of issues. A line that has one of the first group is dropped; all but
// an unknown variable (G-12) are errors.
const (
	BadRounds       = "condition-rounds"   // ROUND without a range: the text
	EmptyCondition  = "condition-empty"    // IF with nothing behind it
	NoColon         = "condition-colon"    // no colon between condition and action: the text
	NoAction        = "condition-action"   // nothing to do
	UnknownVariable = "condition-variable" // the word
	BadArgument     = "condition-argument" // an argument too many or none where one is needed: the term
	BadTerm         = "condition-term"     // no comparison: the text
	BadValue        = "condition-value"    // a value that the variable cannot have: the term, the value
	HasOr           = "condition-or"       // OR, which there is not: the text
	TooLong         = "condition-long"     // more comparisons than a line may have: how many those are

	// Never: the condition cannot hold. Behind: a line above always applies first;
	// its number. Both are warnings.
	Never  = "condition-never"
	Behind = "condition-behind"
	// TooMany: the lines from this one on are dropped; how many there may be.
	TooMany = "condition-many"
)

// IssueCodes lists the codes of this package's issues.
func IssueCodes() []string {
	return []string{
		BadRounds, EmptyCondition, NoColon, NoAction, UnknownVariable, BadArgument, BadTerm, BadValue, HasOr, TooLong,
		Never, Behind, TooMany,
	}
}

// Bounds of what is read.
const (
	lastRound = 99
	maxValue  = 9999
)

// Uncomment takes a comment off a line of a plan (G-4).
func Uncomment(text string) string {
	text, _, _ = strings.Cut(text, ";")
	return strings.Join(strings.Fields(text), " ")
}

// Parse reads a line of a plan; what follows a semicolon is a comment. With an
// issue, which has no line number, there is nothing to go by.
func (v Vocabulary) Parse(text string) (Line, *game.Issue) {
	p := parser{vocabulary: v, rest: Uncomment(text)}
	line := p.line()
	return line, p.issue
}

// parser reads from the left; rest is what remains.
type parser struct {
	vocabulary Vocabulary
	rest       string
	issue      *game.Issue // the first that was found
}

func (p *parser) fail(code string, args ...string) {
	if p.issue == nil {
		for i := range args {
			args[i] = game.Clip(args[i], game.ClipIssue)
		}
		p.issue = &game.Issue{Code: code, Args: args, Error: code != UnknownVariable}
	}
}

func (p *parser) line() Line {
	var l Line
	if p.takes(roundWords()) {
		l.Rounds = p.rounds()
	}
	for _, r := range [2]Role{Attack, Defence} {
		if l.Role == NoRole && p.takes(r.Words()) {
			l.Role = r
		}
	}
	switch {
	case p.begins(ifWords()):
		l.If = p.condition()
	case p.takes(elseWords()):
		l.Else = true
	}
	l.Action = p.rest
	if l.Action == "" {
		p.fail(NoAction)
	}
	return l
}

// takes goes on behind a word, and behind colons that follow it, if that is how
// the rest begins.
func (p *parser) takes(w Words) bool {
	if !p.begins(w) {
		return false
	}
	p.rest = strings.TrimLeft(p.rest, " :")
	return true
}

// begins is takes but for the colons.
func (p *parser) begins(w Words) bool {
	word, rest := firstWord(p.rest)
	if !w.Has(word) || rest != "" && rest[0] != ' ' && rest[0] != ':' {
		return false
	}
	p.rest = strings.TrimLeft(rest, " ")
	return true
}

func firstWord(text string) (word, rest string) {
	i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	if i < 0 {
		return text, ""
	}
	return text[:i], text[i:]
}

// rounds reads "9", "9-12" or "9 - 12".
func (p *parser) rounds() Range {
	whole := p.rest
	from, ok := p.number()
	r := Range{from, from}
	if rest := strings.TrimLeft(p.rest, " "); ok && strings.IndexAny(rest, dashes) == 0 {
		p.rest = strings.TrimLeft(rest, dashes+" ")
		r.To, ok = p.number()
	}
	if !ok || r.From < 1 || r.To < r.From || r.To > lastRound {
		p.fail(BadRounds, whole)
		return Range{}
	}
	p.rest = strings.TrimLeft(p.rest, dashes+" :,")
	return r
}

const dashes = "-–—"

// number takes digits off the rest.
func (p *parser) number() (int, bool) {
	end := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
	n, err := strconv.Atoi(p.rest[:end])
	p.rest = p.rest[end:]
	return n, err == nil
}

// condition reads what stands before the colon, and leaves what stands behind it.
// Another colon may follow the IF.
func (p *parser) condition() []Term {
	if strings.Count(p.rest, ":") > 1 {
		p.rest = strings.TrimLeft(strings.TrimPrefix(p.rest, ":"), " ")
	}
	condition, action, ok := strings.Cut(p.rest, ":")
	if !ok {
		p.fail(NoColon, p.rest)
	}
	p.rest = strings.TrimLeft(action, " ")
	return p.terms(condition)
}

// terms reads comparisons with AND between. A name in brackets may hold that
// word, too.
func (p *parser) terms(condition string) []Term {
	var out []Term
	term := ""
	end := func() {
		if term == "" {
			p.fail(EmptyCondition)
			return
		}
		if len(out) == MaxTerms {
			p.fail(TooLong, strconv.Itoa(MaxTerms))
			return
		}
		out = append(out, p.term(term))
		term = ""
	}
	for word := range strings.FieldsSeq(condition) {
		if andWords().Has(word) && strings.Count(term, "(") == strings.Count(term, ")") {
			end()
		} else {
			term = strings.TrimLeft(term+" "+word, " ")
		}
	}
	end()
	return out
}

// comparisons are the signs of the operators, longer ones first: the first that
// fits is meant. The first sign of each is the one written.
func comparisons() []struct {
	sign string
	op   Op
} {
	return []struct {
		sign string
		op   Op
	}{
		{"<=", AtMost}, {">=", AtLeast}, {"!=", Differs}, {"<", Less}, {">", More}, {"=", Equal},
		{"≤", AtMost}, {"≥", AtLeast}, {"≠", Differs}, {"<>", Differs}, {"==", Equal},
	}
}

func (p *parser) term(text string) Term {
	word, rest := firstWord(text)
	if word == "" {
		p.fail(BadTerm, text)
		return Term{}
	}
	v, ok := p.vocabulary.Find(word)
	if !ok {
		p.fail(UnknownVariable, word)
		return Term{}
	}
	t := Term{Var: v}
	variable := p.vocabulary[v]
	rest = strings.TrimLeft(rest, " ")
	if inside, open := strings.CutPrefix(rest, "("); open {
		var closed bool
		if t.Argument, rest, closed = strings.Cut(inside, ")"); !closed {
			p.fail(BadTerm, text)
		}
		t.Argument, ok = name(t.Argument)
		rest = strings.TrimLeft(rest, " ")
	}
	if !ok || (t.Argument != "") != variable.Argument {
		p.fail(BadArgument, text)
	}
	if rest == "" {
		return t
	}
	t.Op, rest = operator(rest)
	if t.Op == True {
		p.noTerm(text, BadTerm, text)
		return t
	}
	if t.Value, ok = variable.value(rest, t.Op); !ok {
		p.noTerm(text, BadValue, text, rest)
	}
	return t
}

// noTerm is fail for what is no comparison; with an OR in it, it is two.
func (p *parser) noTerm(text, code string, args ...string) {
	if slices.ContainsFunc(strings.Fields(text), orWords().Has) {
		code, args = HasOr, []string{text}
	}
	p.fail(code, args...)
}

func operator(text string) (Op, string) {
	best, found := "", True
	for _, c := range comparisons() {
		if len(c.sign) > len(best) && strings.HasPrefix(text, c.sign) {
			best, found = c.sign, c.op
		}
	}
	return found, strings.TrimSpace(text[len(best):])
}

// value reads what a variable is compared with.
func (v Variable) value(text string, op Op) (Value, bool) {
	text = strings.ReplaceAll(text, "−", "-")
	n, err := strconv.Atoi(text)
	switch {
	case err == nil:
		return Value{Number: n}, n >= -maxValue && n <= maxValue
	case v.Kind == Flag && Yes().Has(text):
		return Value{Number: 1}, true
	case v.Kind == Flag && No().Has(text):
		return Value{Number: 0}, true
	}
	text, good := name(text)
	return Value{Name: text}, v.Kind == Name && good && (op == Equal || op == Differs)
}

// name brings a name, or a word for oneself, to the form it is kept in. Words that
// no seat may be called by can be places.
func name(text string) (string, bool) {
	if text = game.CleanName(text); meWords().Has(text) {
		return Me, true
	}
	code := game.CheckName(text)
	return text, code == "" || code == "name-reserved"
}
