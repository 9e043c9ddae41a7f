package orders

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ringpost/internal/game"
)

// meant reports whether a line that begins like one of a plan, and has not the shape
// of its kind, can hardly be anything else where it stands. Then the ruleset says
// what is wrong with it (G-7); "Feet hurt today" stays prose.
func (p *parser) meant(n int, key game.Keyword, args string, below []Line) bool {
	args = uncommented(args)
	switch {
	case !p.open || p.block.Manager:
		return false
	case p.plan || n-p.block.Line < near && p.planNear(below):
		return p.words.meant(key, args)
	}
	return p.block.Name != "" && isFigures(key) && onlyPunches(args)
}

// near is how far lines of a plan are looked for, and how far below the block's
// beginning, so that a megabyte of one word does not take hours.
const near = 12

// planNear reports whether a line of a plan follows in the same block.
func (p *parser) planNear(below []Line) bool {
	for _, l := range below[:min(len(below), near)] {
		_, bare := uncover(l)
		e, _, ok := p.words.read(bare)
		switch {
		case ok && e.class == shaped:
			return true
		case ok && (e.class == opener || e.class == managerOpener || e.class == closer):
			return false
		}
	}
	return false
}

// meant is that of a parser, for a line beside others of a plan.
func (l *lexicon) meant(key game.Keyword, args string) bool {
	words := strings.FieldsFunc(args, func(r rune) bool { return r == ' ' || r == ',' })
	switch key {
	case game.KeyPunch, game.KeyExpect: // an empty line may go on below
		return len(words) == 0 || onlyPunches(args) || slices.ContainsFunc(words, beginsWithPunch)
	case game.KeyFeet:
		return len(words) <= 4 && slices.ContainsFunc(words, isPlace)
	case game.KeyDefend, game.KeyAttack:
		return len(words) == 1 && (key == game.KeyDefend || nearlyTactic(words[0])) || len(words) == 2 && isTactic(words[0]) ||
			len(words) > 0 && isCondition(words[0]) && strings.ContainsAny(args, signs)
	case game.KeyStanding:
		return len(words) == 1
	case game.KeyBoxingRound:
		return l.meantForRounds(args)
	}
	return false
}

// meantForRounds is meant for a line that rounds limit. Its inner keyword may be
// mistyped, too.
func (l *lexicon) meantForRounds(args string) bool {
	inner, ok := behindRounds(args)
	if !ok || inner == "" { // "Round 3" is a heading; behind "Round 9-12" a line is missing
		return ok && strings.ContainsAny(args, "-–—")
	}
	word, rest := splitKeyword(inner)
	if e, known := fightLine(word); known {
		return l.meant(e.key, rest)
	}
	key, slip := l.nearest(inner, false)
	return slip && slices.ContainsFunc(fightLines(), func(e entry) bool { return e.key == key })
}

// nearlyTactic reports whether a word is a tactic, or one with a slip of the fingers.
// "A" is a word: "A bout" stays prose.
func nearlyTactic(word string) bool {
	word = game.Fold(strings.Trim(word, marks))
	return slices.ContainsFunc(tacticWords(), func(t string) bool { return word == t || oneOff(word, t) })
}

// onlyPunches reports whether there is nothing but what looks like punches with
// their figures: "XY3 RJ1".
func onlyPunches(args string) bool {
	words := strings.Fields(args)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		code := strings.TrimRight(strings.TrimRight(w, digits+"_,"), ":=")
		return code == w || len(code) != 2 || !only(code, "")
	})
}

// beginsWithPunch finds "UC", "UC-3", "UC3.5".
func beginsWithPunch(word string) bool {
	code := word[:min(2, len(word))]
	next, _ := utf8.DecodeRuneInString(word[len(code):])
	return isPunch(code) && !unicode.IsLetter(next)
}
