package orders

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ringpost/internal/game"
)

// Language is one that players' words come in: "de", "en", "es".
type Language string

// The languages of order words. Words are read in any of them, whatever the
// player's own.
const (
	German  Language = "de"
	English Language = "en"
	Spanish Language = "es"
)

// class says where a keyword may stand.
type class int

const (
	opener  class = iota // NAME: begins a block
	header               // GAME: holds for the blocks that follow
	line                 // a line of a block
	command              // stands for itself, in a block or outside
	closer               // END: ends the block
)

// entry is one keyword: its words, the first of each language being the one we
// write ourselves, and what may follow it. Text that does not fit is prose: a
// player may begin a sentence with any word.
type entry struct {
	key        game.Keyword
	class      class
	de, en, es []string
	fits       func(args string) bool
}

func words(w ...string) []string { return w }

// table is the one place that knows order words. Order matters for nothing but
// reading.
func table() []entry {
	return []entry{
		{game.KeyGame, header, words("SPIEL"), words("GAME"), words("JUEGO"), oneWord},
		{game.KeyName, opener, words("NAME", "BOXER"), words("NAME", "FIGHTER"), words("NOMBRE"), short},
		{game.KeyRound, line, words("SPIELRUNDE"), words("GAMETURN"), words("TURNO"), number},
		{game.KeyLeague, line, words("LIGA"), words("LEAGUE"), words("LIGA"), number},
		{game.KeyTechnique, line, words("TECHNIK"), words("TECHNIQUE", "SKILL"), words("TECNICA"), number},
		{game.KeyCondition, line, words("KONDITION"), words("CONDITION", "ENDURANCE"), words("CONDICION", "RESISTENCIA"), number},
		{game.KeyMove, line, words("ZUG"), words("MOVE", "ROUNDS"), words("JUGADA"), figures},
		{game.KeyTraining, line, words("TRAINING"), words("TRAINING"), words("ENTRENAMIENTO"), fewWords},
		{game.KeyEnd, closer, words("ENDE"), words("END"), words("FIN"), nothing},

		{game.KeyJoin, command, words("ANMELDUNG"), words("JOIN"), words("INSCRIPCION"), short},
		{game.KeyLeave, command, words("AUSSTIEG"), words("LEAVE"), words("ABANDONO"), nothing},
		{game.KeyHelp, command, words("HILFE"), words("HELP"), words("AYUDA"), nothing},
		{game.KeyRules, command, words("REGELN"), words("RULES"), words("REGLAS"), nothing},
		{game.KeyTable, command, words("STAND"), words("TABLE"), words("TABLA"), nothing},
		{game.KeyOrders, command, words("ZUGSTAND"), words("ORDERS"), words("ORDENES"), nothing},
		{game.KeyRecord, command, words("AKTE"), words("RECORD"), words("FICHA"), short},
		{game.KeyReport, command, words("ARCHIV"), words("REPORT"), words("INFORME"), number},
		{game.KeyGames, command, words("SPIELE"), words("GAMES"), words("JUEGOS"), nothing},
		{game.KeyYes, command, words("JA"), words("YES"), words("SI"), code},
	}
}

// Word is how a keyword is written in a language; English where the language
// has no word of its own.
func Word(lang Language, key game.Keyword) string {
	for _, e := range table() {
		if e.key != key {
			continue
		}
		switch lang {
		case German:
			return e.de[0]
		case Spanish:
			return e.es[0]
		}
		return e.en[0]
	}
	return string(key)
}

// Reserved reports whether a name is a keyword in some language and so cannot
// be a seat's (G-13).
func Reserved(name string) bool {
	_, ok := newLexicon().byWord[game.Fold(name)]
	return ok
}

// lexicon is the table by folded word.
type lexicon struct{ byWord map[string]entry }

func newLexicon() lexicon {
	l := lexicon{byWord: map[string]entry{}}
	for _, e := range table() {
		for _, w := range slices.Concat(e.de, e.en, e.es) {
			l.byWord[game.Fold(w)] = e
		}
	}
	return l
}

// nearest finds the line keyword that a mistyped word was meant to be: one
// letter wrong, missing, too many, or two exchanged.
func (l lexicon) nearest(word string) (game.Keyword, bool) {
	if utf8.RuneCountInString(word) < 3 {
		return "", false
	}
	for _, e := range table() {
		if e.class != line && e.class != opener {
			continue
		}
		for _, w := range slices.Concat(e.de, e.en, e.es) {
			if oneOff(word, game.Fold(w)) {
				return e.key, true
			}
		}
	}
	return "", false
}

// oneOff reports whether a becomes b by one slip of the fingers.
func oneOff(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	x, y = x[i:], y[i:]
	switch {
	case len(y) == 0:
		return false // the same word
	case len(x) < len(y):
		return string(x) == string(y[1:])
	case string(x[1:]) == string(y[1:]):
		return true
	}
	return len(x) > 1 && x[0] == y[1] && x[1] == y[0] && string(x[2:]) == string(y[2:])
}

// What may follow a keyword.

func nothing(args string) bool { return args == "" }

func oneWord(args string) bool { return args != "" && !strings.Contains(args, " ") }

func short(args string) bool {
	return args != "" && utf8.RuneCountInString(args) <= 2*game.MaxName && strings.Count(args, " ") < 5
}

func number(args string) bool { return args != "" && args[0] >= '0' && args[0] <= '9' && oneWord(args) }

// figures takes an empty rest too: the mailer may have wrapped all of it.
func figures(args string) bool {
	return args == "" || strings.ContainsAny(args, "0123456789/")
}

func fewWords(args string) bool { return strings.Count(args, " ") < 3 }

func code(args string) bool {
	if len(args) < 6 || len(args) > 16 {
		return false
	}
	return strings.IndexFunc(args, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
}
