package conditions

import (
	"slices"

	"ringpost/internal/game"
)

// Language is one that lines are written in: "de", "en", "es". Words are read in
// any of them.
type Language string

// The languages.
const (
	German  Language = "de"
	English Language = "en"
	Spanish Language = "es"
)

// Words are the words for one thing; the first of each language is the one that
// is written. They are folded before they are compared (G-4), so one with an
// umlaut is listed once.
type Words struct{ De, En, Es []string }

// In is the word that is written in a language, the English one where that has
// none of its own.
func (w Words) In(lang Language) string {
	switch {
	case lang == German && len(w.De) > 0:
		return w.De[0]
	case lang == Spanish && len(w.Es) > 0:
		return w.Es[0]
	}
	return w.En[0]
}

// Has reports whether a text is one of the words.
func (w Words) Has(text string) bool {
	text = game.Fold(text)
	for _, all := range [3][]string{w.De, w.En, w.Es} {
		if slices.ContainsFunc(all, func(word string) bool { return game.Fold(word) == text }) {
			return true
		}
	}
	return false
}

func words(w ...string) []string { return w }

// The words of the language itself.
func roundWords() Words { return Words{words("RUNDE"), words("ROUND"), words("ASALTO")} }
func ifWords() Words    { return Words{words("WENN"), words("IF"), words("SI")} }
func elseWords() Words  { return Words{words("SONST"), words("ELSE"), words("SINO")} }
func andWords() Words   { return Words{words("UND"), words("AND"), words("Y")} }
func orWords() Words    { return Words{words("ODER"), words("OR"), words("O")} }
func meWords() Words    { return Words{words("ICH"), words("ME"), words("YO")} }

// Yes and No are read as the values 1 and 0 of a flag.
func Yes() Words { return Words{words("JA"), words("YES"), words("SI")} }

// No is the opposite of Yes.
func No() Words { return Words{words("NEIN"), words("NO"), words("NO")} }

// Role says for which side of a fight a line is.
type Role uint8

// The roles.
const (
	NoRole Role = iota
	Attack
	Defence
)

// Words are the letters of a role.
func (r Role) Words() Words {
	if r == Attack {
		return Words{words("A"), words("A"), words("A")}
	}
	return Words{words("V"), words("D"), words("D")}
}
