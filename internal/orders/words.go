package orders

import (
	"slices"
	"strings"

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
	press                // PRESS: what follows is no order, up to END

	// Common words, which prose may begin with as well:
	shaped       // a line of a plan, if it has the shape of one
	besideLine   // a line of a block, if it stands beside a line of a plan
	besideOpener // an opener, if it stands so

	managerOpener // MANAGER: begins a manager's block, if lines of one follow
	managed       // a line of a manager's block, and nowhere else
)

// common reports whether a word of the class is an order only in its place.
func (c class) common() bool { return c >= shaped && c <= besideOpener }

// entry is one keyword: its words, the first of each language being the one we
// write ourselves, and what may follow it.
type entry struct {
	key        game.Keyword
	class      class
	de, en, es []string
	read       reader
}

func words(w ...string) []string { return w }

// table is the one place that knows order words. Their order means nothing.
func table() []entry {
	return slices.Concat(planLines(), managerLines(), []entry{
		{game.KeyGame, header, words("SPIEL"), words("GAME"), words("JUEGO"), gameID},
		{game.KeyName, opener, words("NAME"), words("NAME"), words("NOMBRE"), name},
		{game.KeyRound, line, words("SPIELRUNDE"), words("GAMETURN"), words("TURNO"), number},
		{game.KeyLeague, line, words("LIGA"), words("LEAGUE"), words("LIGA"), number},
		{game.KeyTechnique, line, words("TECHNIK"), words("TECHNIQUE", "SKILL"), words("TECNICA"), number},
		{game.KeyCondition, line, words("KONDITION"), words("CONDITION", "ENDURANCE"), words("CONDICION", "RESISTENCIA"), number},
		{game.KeyMove, line, words("ZUG", "ZÜGE"), words("MOVE", "MOVES", "ROUNDS"), words("JUGADA", "JUGADAS", "MOVIMIENTO", "MOVIMIENTOS"), figures},
		{game.KeyTraining, line, words("TRAINING"), words("TRAINING"), words("ENTRENAMIENTO"), fewWords},
		{game.KeyEnd, closer, words("ENDE"), words("END"), words("FIN"), nothing},

		{game.KeyJoin, command, words("ANMELDUNG"), words("JOIN"), words("INSCRIPCION"), applicant},
		{game.KeyLeave, command, words("AUSSTIEG"), words("LEAVE"), words("ABANDONO"), nothing},
		{game.KeyHelp, command, words("HILFE"), words("HELP"), words("AYUDA"), nothing},
		{game.KeyRules, command, words("REGELN"), words("RULES"), words("REGLAS"), nothing},
		{game.KeyTable, command, words("STAND"), words("TABLE"), words("TABLA"), nothing},
		{game.KeyOrders, command, words("ZUGSTAND"), words("ORDERS"), words("ORDENES"), nothing},
		{game.KeySpar, command, words("SPARRING"), words("SPARRING"), words("SPARRING"), partner},
		{game.KeyRecord, command, words("AKTE"), words("RECORD"), words("FICHA"), optional(whom)},
		{game.KeyReport, command, words("ARCHIV"), words("REPORT"), words("INFORME"), optional(number)},
		{game.KeyGames, command, words("SPIELE"), words("GAMES"), words("JUEGOS"), nothing},
		{game.KeyYes, command, words("JA"), words("YES"), words("SI"), code},

		{game.KeyPress, press, words("PRESSE"), words("PRESS"), words("PRENSA"), anything},
		{game.KeyIgnore, command, words("IGNORIERE"), words("IGNORE"), words("IGNORAR"), whom},
		{game.KeyHeed, command, words("BEACHTE"), words("HEED"), words("ATENDER"), whom},
		{game.KeyLanguage, command, words("SPRACHE"), words("LANGUAGE"), words("IDIOMA"), oneWord},
		{game.KeyTimezone, command, words("ZEITZONE"), words("TIMEZONE"), words("ZONA"), oneWord},
		{game.KeyAddress, command, words("ADRESSE"), words("ADDRESS"), words("DIRECCION"), address},
		{game.KeyReminders, command, words("ERINNERUNG", "ERINNERUNGEN"), words("REMINDERS", "REMINDER"), words("RECORDATORIO"), oneWord},
		{game.KeyReports, command, words("BERICHTE"), words("REPORTS"), words("INFORMES"), oneWord},
	})
}

// language is that of the word which a line of this keyword begins with, "" when
// several have it.
func (e entry) language(text string) Language {
	word, _ := splitKeyword(text)
	word = game.Fold(word)
	has := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return game.Fold(w) == word })
	}
	switch de, en, es := has(e.de), has(e.en), has(e.es); {
	case de && !en && !es:
		return German
	case en && !de && !es:
		return English
	case es && !de && !en:
		return Spanish
	}
	return ""
}

// number reports whether a number must follow the keyword.
func (e entry) number() bool {
	switch e.key {
	case game.KeyRound, game.KeyLeague, game.KeyTechnique, game.KeyCondition:
		return true
	}
	return false
}

// Word is how a keyword is written in a language; English where the language
// has no words of its own.
func Word(lang Language, key game.Keyword) string {
	e, ok := allWords().byKey[key]
	if !ok {
		return string(key)
	}
	switch lang {
	case German:
		return e.de[0]
	case Spanish:
		return e.es[0]
	}
	return e.en[0]
}

// Reserved reports whether a name begins with a keyword of some language and so
// cannot be a seat's (G-13): a line of a table that begins with it could be read
// as an order by whoever gets it quoted. A common word is so only by itself.
func Reserved(name string) bool {
	name, _, _ = strings.Cut(name, "#") // a comment, in a line that would be read
	word, rest := splitKeyword(undecorate(singleBlanks(name)))
	e, ok := allWords().find(word)
	return ok && (rest == "" || !e.class.common())
}
