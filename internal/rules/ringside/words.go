package ringside

import (
	"strings"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
)

func words(de, en, es string, more ...string) conditions.Words {
	return conditions.Words{De: []string{de}, En: append([]string{en}, more...), Es: []string{es}}
}

// The words inside managers' lines; package orders knows those that they begin
// with.
func againstWords() conditions.Words { return words("GEGEN", "VS", "CONTRA", "VS.", "AGAINST") }
func arenaWords() conditions.Words   { return words("ARENA", "ARENA", "ARENA") }
func lengthWords() conditions.Words  { return words("RUNDEN", "ROUNDS", "ASALTOS") }
func weekWords() conditions.Words    { return words("WOCHE", "WEEK", "SEMANA") }
func plainWords() conditions.Words   { return words("EINFACH", "PLAIN", "SIMPLE") }
func leastWords() conditions.Words   { return words("AB", "MIN", "DESDE") }
func classWords() conditions.Words   { return words("KLASSE", "CLASS", "CLASE") }

// inner lists the words that stand in the ready block beside its blanks.
func inner() []conditions.Words {
	return []conditions.Words{againstWords(), arenaWords(), lengthWords(), weekWords(), leastWords(), classWords()}
}

func arenaNames(a Arena) conditions.Words {
	switch a {
	case TheBest:
		return words("BEST", "BEST", "MEJOR", "BESTE", "THEBEST")
	case HighClass:
		return words("HOCH", "HIGH", "ALTA", "HOHE")
	case MiddleClass:
		return words("MITTEL", "MIDDLE", "MEDIA", "MITTLERE")
	case LowClass:
		return words("TIEF", "LOW", "BAJA", "UNTERE")
	}
	return words("GRUBE", "PITS", "FOSO", "PIT")
}

func findArena(word string) (Arena, bool) {
	for _, a := range Arenas() {
		if arenaNames(a).Has(word) {
			return a, true
		}
	}
	return "", false
}

func className(c Class) conditions.Words {
	switch c {
	case Heavy:
		return words("SCHWER", "HEAVY", "PESADO")
	case LightHeavy:
		return words("HALBSCHWER", "LIGHT-HEAVY", "SEMIPESADO", "LIGHTHEAVY", "LIGHT HEAVY", "CRUISER")
	case Middle:
		return words("MITTEL", "MIDDLE", "MEDIO")
	case Welter:
		return words("WELTER", "WELTER", "WELTER")
	}
	return words("LEICHT", "LIGHT", "LIGERO")
}

// findClass reads "Mittel", "middleweight" and their like.
func findClass(text string) (Class, bool) {
	text = game.Fold(text)
	for _, end := range []string{"gewicht", "weight"} {
		text = strings.TrimRight(strings.TrimSuffix(text, end), " -")
	}
	for _, c := range Classes() {
		if className(c).Has(text) {
			return c, true
		}
	}
	return "", false
}

// verbs are the keywords of managers' lines.
func verbs() []struct {
	key game.Keyword
	do  Verb
} {
	return []struct {
		key game.Keyword
		do  Verb
	}{
		{game.KeyBout, WantBout}, {game.KeyOpen, WantOpen}, {game.KeyRest, WantRest}, {game.KeyRetire, WantRetire}, {game.KeyNew, WantNew},
		{game.KeyOffer, WantOffer}, {game.KeyBuy, WantBuy}, {game.KeyTrade, WantTrade}, {game.KeyBet, WantBet}, {game.KeyReserve, WantReserve},
	}
}

func verbOf(key game.Keyword) (Verb, bool) {
	for _, v := range verbs() {
		if v.key == key {
			return v.do, true
		}
	}
	return "", false
}

func (v Verb) keyword() game.Keyword {
	for _, x := range verbs() {
		if x.do == v {
			return x.key
		}
	}
	return ""
}
