package orders

import (
	"slices"
	"strings"

	"ringpost/internal/game"
)

// planLines are the keywords of plans for a fight. They are common words, or
// single letters, so a line counts only when it has the shape of its kind.
func planLines() []entry {
	return append(fightLines(),
		entry{game.KeyBoxingRound, shaped, words("RUNDE"), words("ROUND"), words("ASALTO"), limited},
		entry{game.KeyStanding, shaped, words("DAUER"), words("STANDING"), words("FIJO"), yesOrNo},
		entry{game.KeyOpponent, besideLine, words("GEGNER"), words("OPPONENT"), words("RIVAL"), remark},
		entry{game.KeyRatings, shaped, words("WERTE"), words("RATINGS"), words("VALORES"), numbers},
		entry{game.KeyFighter, besideOpener, words("BOXER"), words("FIGHTER"), words("BOXEADOR"), name},
	)
}

// fightLines are those that a range of rounds may limit.
func fightLines() []entry {
	return []entry{
		{game.KeyPunch, shaped, words("SCHLAG"), words("PUNCH"), words("GOLPE"), weights},
		{game.KeyExpect, shaped, words("ERWARTE"), words("EXPECT"), words("ESPERA"), weights},
		{game.KeyFeet, shaped, words("BEINE"), words("FEET"), words("PIES"), feet},
		{game.KeyDefend, shaped, words("V"), words("D"), words("D"), defence},
		{game.KeyAttack, shaped, words("A"), words("A"), words("A"), attack},
	}
}

// planBelow reports whether a line of a plan follows, with nothing between but
// what may stand at the head of a block.
func (p *parser) planBelow(below []Line) bool {
	const most = 12
	for _, l := range below[:min(len(below), most)] {
		_, bare := uncover(l)
		if bare == "" {
			continue
		}
		e, _, ok := p.words.read(bare)
		switch {
		case !ok:
			return false
		case e.class == shaped:
			return true
		case e.class != header && e.key != game.KeyRound && e.class != besideLine:
			return false
		}
	}
	return false
}

// uncommented takes off what a semicolon begins in a plan (G-4).
func uncommented(args string) string {
	args, _, _ = strings.Cut(args, ";")
	return strings.TrimRight(args, " ")
}

func remark(args string) (string, bool) { return whom(uncommented(args)) }

// weights wants a punch with its figure.
func weights(args string) (string, bool) {
	args = uncommented(args)
	words := strings.FieldsFunc(args, func(r rune) bool { return r == ' ' || r == ',' || r == ':' || r == '=' })
	for i, w := range words {
		figure := strings.TrimLeft(w[min(2, len(w)):], ":=")
		if figure == "" && i+1 < len(words) {
			figure = words[i+1]
		}
		if isPunch(w[:min(2, len(w))]) && figure != "" && strings.Trim(figure, digits+"_") == "" {
			return args, true
		}
	}
	return args, false
}

func isPunch(word string) bool { return isOne(word, "uc", "rj", "rh", "co", "lj", "lh") }

// feet wants where to go in one role or in both.
func feet(args string) (string, bool) {
	args = uncommented(args)
	words := strings.Fields(args)
	if len(words) != 2 && len(words) != 4 {
		return args, false
	}
	for i := 0; i < len(words); i += 2 {
		if !isOne(words[i], "a", "v", "d") {
			return args, false
		}
	}
	return args, isPlace(words[1]) || len(words) == 4 || isOne(words[0], "v", "d")
}

// isPlace knows where feet can go.
func isPlace(word string) bool {
	return isOne(word, "mitte", "centre", "center", "centro", "kreis", "circle", "circulo", "gerade", "straight", "recto",
		"seil", "ropes", "cuerdas", "bleiben", "stay", "quieto")
}

// defence wants a condition, the word that stands for none, or a tactic alone.
func defence(args string) (string, bool) {
	args = uncommented(args)
	first, rest, _ := strings.Cut(args, " ")
	switch {
	case isCondition(first):
		return args, rest != ""
	case isOne(first, "konter", "counter", "contra"):
		return args, !strings.Contains(rest, " ")
	}
	return args, isTactic(args)
}

// isCondition knows what a condition, or the word for none, begins with.
func isCondition(word string) bool {
	return isOne(strings.TrimRight(word, ":"), "wenn", "if", "si", "sonst", "else", "sino")
}

func isTactic(text string) bool { return isOne(text, tacticWords()...) }

func tacticWords() []string {
	return words("offen", "open", "abierto", "decken", "cover", "cubrir", "zurueck", "backpedal", "atras",
		"klammern", "clinch", "agarrar", "sturm", "rush", "cargar")
}

// signs are those of comparisons, and what stands behind a condition.
const signs = ":<>=≤≥≠"

// attack is defence, but "A" is a word too: a condition must show by its signs.
func attack(args string) (string, bool) {
	args, ok := defence(args)
	return args, ok && (!strings.Contains(args, " ") || strings.ContainsAny(args, signs))
}

// limited wants rounds, and a line that has the shape of its kind.
func limited(args string) (string, bool) {
	args = uncommented(args)
	inner, ok := behindRounds(args)
	word, rest := splitKeyword(inner)
	e, known := fightLine(word)
	if ok = ok && known; ok {
		_, ok = e.read(rest)
	}
	return args, ok
}

// behindRounds is what follows the rounds that a line is limited to; ok is false
// when it begins with none.
func behindRounds(args string) (inner string, ok bool) {
	rest := strings.TrimLeft(args, digits)
	return strings.TrimLeft(rest, digits+" -–—,:"), rest != args
}

// fightLine finds the kind of line that a word begins.
func fightLine(word string) (entry, bool) {
	all := fightLines()
	i := slices.IndexFunc(all, func(e entry) bool { return isOne(word, slices.Concat(e.de, e.en, e.es)...) })
	if i < 0 {
		return entry{}, false
	}
	return all[i], true
}

func yesOrNo(args string) (string, bool) {
	args = uncommented(args)
	return args, isOne(args, "ja", "nein", "yes", "no", "si")
}

// isOne reports whether a text is one of some words, by folding (G-4).
func isOne(text string, of ...string) bool {
	text = game.Fold(text)
	return slices.ContainsFunc(of, func(w string) bool { return game.Fold(w) == text })
}
