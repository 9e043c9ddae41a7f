package plan

import (
	"fmt"
	"strings"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// Plan is a fighter's plan; the zero value is the default one.
type Plan struct {
	Lines []Line `json:"lines,omitempty"`
	// Once: for one bout only, then the default plan is back (G-11).
	Once bool `json:"once,omitempty"`
}

// Kind says what a line decides.
type Kind uint8

// The kinds.
const (
	Punch   Kind = iota // what is thrown: Weights
	Expect              // what is anticipated: Weights
	Retreat             // where to go after a miss: Retreat
	Follow              // from where to face the defender: Follow
	Choose              // the tactic of the line's role: Tactic
	Counter             // whether to try a counterpunch: Try
)

// Line is one line of a plan. Which of its fields count says its kind; a role and
// a condition have only lines that choose. Its action, as text, follows from them.
type Line struct {
	conditions.Line
	Kind    Kind
	Weights bout.Weights
	Retreat bout.DefenceFeet
	Follow  bout.AttackFeet
	Tactic  bout.Tactic
	Try     bool
}

// Text writes the line in its normal form.
func (l Line) Text(lang conditions.Language) string {
	return vocabulary().Text(l.worded(lang), lang)
}

func (l Line) worded(lang conditions.Language) conditions.Line {
	out := l.Line
	switch l.Kind {
	case Punch, Expect:
		out.Action = weightWords(l.Kind).In(lang) + " " + l.Weights.String()
	case Retreat:
		out.Action = feetWords().In(lang) + " " + conditions.Defence.Words().In(lang) + " " + retreats()[l.Retreat].In(lang)
	case Follow:
		out.Action = feetWords().In(lang) + " " + conditions.Attack.Words().In(lang) + " " + follows()[l.Follow].In(lang)
	case Choose:
		out.Action = tactics()[l.Tactic].In(lang)
	case Counter:
		answer := conditions.No()
		if l.Try {
			answer = conditions.Yes()
		}
		out.Action = counterWords().In(lang) + " " + answer.In(lang)
	}
	return out
}

// MarshalText is the line in English.
func (l Line) MarshalText() ([]byte, error) { return []byte(l.Text(conditions.English)), nil }

// UnmarshalText reads what MarshalText writes.
func (l *Line) UnmarshalText(text []byte) error {
	lines, issue := parse(string(text))
	if issue != nil {
		return fmt.Errorf("reading the line of a plan %q: %s %q", text, issue.Code, issue.Args)
	}
	if len(lines) != 1 {
		return fmt.Errorf("reading the line of a plan %q: these are %d lines", text, len(lines))
	}
	*l = lines[0]
	return nil
}

// Normal gives the lines of a plan as order lines in a language, for receipts. The
// arguments are in it, too.
func (p Plan) Normal(lang conditions.Language) []game.Line {
	var out []game.Line
	for _, l := range p.Lines {
		_, args, _ := strings.Cut(l.Text(lang), " ")
		out = append(out, game.Line{Keyword: l.keyword(), Args: args})
	}
	if p.Once {
		out = append(out, game.Line{Keyword: game.KeyStanding, Args: conditions.No().In(lang)})
	}
	return out
}

// keyword is what the line's first word means.
func (l Line) keyword() game.Keyword {
	switch {
	case l.Rounds.Limited():
		return game.KeyBoxingRound
	case l.Role == conditions.Attack:
		return game.KeyAttack
	case l.Role == conditions.Defence:
		return game.KeyDefend
	}
	switch l.Kind {
	case Punch:
		return game.KeyPunch
	case Expect:
		return game.KeyExpect
	}
	return game.KeyFeet
}
