package plan

import (
	"slices"
	"strings"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// The codes of issues; those of package conditions come beside them. A line that
// has one of the first group is dropped, which is an error.
const (
	UnknownAction = "plan-action"      // no action of this role: the text
	ActionRole    = "plan-role"        // an action of the other role: the text
	RoleHere      = "plan-limits"      // weights and feet know rounds only: the text
	UnknownPunch  = "plan-punch"       // the word
	PunchTwice    = "plan-punch-twice" // the punch
	BadWeight     = "plan-weight"      // not from 0 to 9: the word
	NoWeights     = "plan-weights"     // none above 0: the text
	UnknownFeet   = "plan-feet"        // the text
	BadAnswer     = "plan-answer"      // neither yes nor no: the text
	NotFilledIn   = "plan-blank"       // a line of the ready block, a remark
	OtherLine     = "line-other"       // a keyword of some other game, a remark
	OpponentOther = "plan-opponent"    // as written, as it is; a remark
	TooLate       = "plan-rounds"      // limited to rounds beyond the last, a remark: how many there are
	NoAdvanced    = "plan-advanced"    // a tactic that the game plays without, a remark: the text
	NeverLegal    = "plan-illegal"     // a tactic that its own condition forbids, a remark: the text
)

// IssueCodes lists the codes that reading a plan can give.
func IssueCodes() []string {
	return append(conditions.IssueCodes(),
		UnknownAction, ActionRole, RoleHere, UnknownPunch, PunchTwice, BadWeight, NoWeights, UnknownFeet, BadAnswer,
		NotFilledIn, OtherLine, OpponentOther, TooLate, NoAdvanced, NeverLegal)
}

func wrong(code string, args ...string) *game.Issue {
	for i := range args {
		args[i] = game.Clip(args[i], game.ClipIssue)
	}
	return &game.Issue{Code: code, Args: args, Error: true}
}

// parse reads a line with its keyword; feet for both roles are two lines.
func parse(text string) ([]Line, *game.Issue) {
	head, issue := vocabulary().Parse(text)
	if issue != nil {
		return nil, issue
	}
	action := head.Action
	head.Action = ""
	word, rest := action, ""
	if i := strings.IndexAny(action, " :="); i >= 0 {
		word, rest = action[:i], strings.TrimLeft(action[i:], " :=")
	}
	l := Line{Line: head}
	switch {
	case weightWords(Punch).Has(word), weightWords(Expect).Has(word):
		if weightWords(Expect).Has(word) {
			l.Kind = Expect
		}
		l.Weights, issue = weights(rest)
	case feetWords().Has(word):
		return feet(l, rest)
	case counterWords().Has(word) && head.Role != conditions.NoRole:
		l.Kind = Counter
		l.Try, issue = answer(rest)
		if head.Role == conditions.Attack {
			issue = wrong(ActionRole, action)
		}
		return []Line{l}, issue
	default:
		l.Kind = Choose
		l.Tactic, issue = tactic(action, head.Role)
		return []Line{l}, issue
	}
	if issue == nil && limits(head) {
		issue = wrong(RoleHere, text)
	}
	return []Line{l}, issue
}

// limits reports whether a line has more before its action than rounds.
func limits(l conditions.Line) bool { return l.Role != conditions.NoRole || l.Else || len(l.If) > 0 }

func tactic(text string, role conditions.Role) (bout.Tactic, *game.Issue) {
	i, ok := find(tactics(), strings.TrimRight(text, " .!"))
	t := bout.Tactic(i)
	switch {
	case !ok || role == conditions.NoRole:
		return t, wrong(UnknownAction, text)
	case t != bout.Open && (t == bout.Rush) != (role == conditions.Attack):
		return t, wrong(ActionRole, text)
	}
	return t, nil
}

func answer(text string) (bool, *game.Issue) {
	text = strings.TrimRight(text, " .!")
	switch {
	case conditions.Yes().Has(text):
		return true, nil
	case conditions.No().Has(text):
		return false, nil
	}
	return false, wrong(BadAnswer, text)
}

// weights reads "UC3 RJ1 RH2", with or without blanks before the figures. Punches
// that are left out weigh nothing.
func weights(text string) (bout.Weights, *game.Issue) {
	var w bout.Weights
	var seen [bout.Punches]bool
	blanks := 0
	for _, word := range weightFields(text) {
		code := strings.TrimRight(word, "0123456789_")
		figure := word[len(code):]
		p, ok := bout.FindPunch(strings.TrimRight(code, ":=-"))
		switch {
		case !ok:
			return w, wrong(UnknownPunch, word)
		case seen[p]:
			return w, wrong(PunchTwice, p.Code())
		case strings.Trim(figure, "_") == "" && figure != "":
			blanks++
		case len(figure) != 1 || strings.HasSuffix(code, "-"):
			return w, wrong(BadWeight, word)
		default:
			w[p] = figure[0] - '0'
		}
		seen[p] = true
	}
	switch {
	case blanks > 0 && w == bout.Weights{}:
		return w, &game.Issue{Code: NotFilledIn}
	case w == bout.Weights{}:
		return w, wrong(NoWeights, text)
	}
	return w, nil
}

// weightFields parts a line into punches with their figures.
func weightFields(text string) []string {
	var out []string
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,/", r) }) {
		n := len(out)
		if n > 0 && strings.Trim(f, "0123456789_:=") == "" && strings.TrimRight(out[n-1], "0123456789_") == out[n-1] {
			out[n-1] += f // "UC 3"
			continue
		}
		out = append(out, f)
	}
	return out
}

// isWeights reports whether a line can be the rest of weights that a mailer wrapped.
func isWeights(text string) bool {
	return slices.ContainsFunc(weightFields(text), func(f string) bool {
		code := strings.TrimRight(f, "0123456789_")
		_, ok := bout.FindPunch(strings.TrimRight(code, ":=-"))
		return ok && code != f
	})
}

// feet reads "D CENTRE A ROPES", or one of the two.
func feet(l Line, text string) ([]Line, *game.Issue) {
	if limits(l.Line) {
		return nil, wrong(RoleHere, text)
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,:=", r) })
	var out []Line
	var seen [2]bool
	for pair := range slices.Chunk(words, 2) {
		attack := conditions.Attack.Words().Has(pair[0])
		if !attack && !conditions.Defence.Words().Has(pair[0]) || len(pair) < 2 || seen[flagged(attack)] {
			return nil, wrong(UnknownFeet, text)
		}
		seen[flagged(attack)] = true
		one := l
		ok := false
		i := 0
		if attack {
			i, ok = find(follows(), pair[1])
			one.Kind, one.Follow = Follow, bout.AttackFeet(i)
		} else {
			i, ok = find(retreats(), pair[1])
			one.Kind, one.Retreat = Retreat, bout.DefenceFeet(i)
		}
		if !ok {
			return nil, wrong(UnknownFeet, pair[0]+" "+pair[1])
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		return nil, wrong(UnknownFeet, text)
	}
	return out, nil
}
