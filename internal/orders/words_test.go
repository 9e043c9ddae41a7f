package orders

import (
	"slices"
	"strings"
	"testing"

	"ringpost/internal/game"
)

// examples hold what may follow each keyword; nothing may follow those not in it.
func examples() map[game.Keyword]string {
	return map[game.Keyword]string{
		game.KeyGame: "liga-nord", game.KeyName: "Joe", game.KeyMove: "1/1", game.KeyTraining: "T",
		game.KeyJoin: "Joe", game.KeyRecord: "Joe", game.KeyYes: "k3f9q2",
		game.KeyRound: "7", game.KeyLeague: "3", game.KeyTechnique: "10", game.KeyCondition: "20", game.KeyReport: "7",
		game.KeyIgnore: "Joe", game.KeyHeed: "Joe", game.KeyLanguage: "en", game.KeyTimezone: "Europe/Berlin",
		game.KeyRatings: "68 4 3 4 3 5 4 34 23", game.KeyManager: "Joe", game.KeyBout: "Kid GEGEN Mike", game.KeyOpen: "Kid AB 12", game.KeyRest: "Kid",
		game.KeyRetire: "Kid", game.KeyNew: "Bob KLASSE leicht", game.KeyOffer: "Kid 1500", game.KeyBuy: "Kid 1500", game.KeyTrade: "Kid GEGEN Mike",
		game.KeyBet: "Kid 100", game.KeyReserve: "Kid WOCHE 3", game.KeySpar: "Kid",
		game.KeyAddress: "joe@players.example", game.KeyReminders: "24", game.KeyReports: "off",
		game.KeyFighter: "Joe", game.KeyOpponent: "Joe", game.KeyPunch: "UC3 RJ1", game.KeyExpect: "UC3 RJ1", game.KeyFeet: "A ROPES",
		game.KeyDefend: "IF ROPES : CLINCH", game.KeyAttack: "IF OEND<5 : RUSH", game.KeyBoxingRound: "9-12 PUNCH UC3", game.KeyStanding: "NO",
	}
}

func TestEveryWordIsReadAsItsKeyword(t *testing.T) {
	args := examples()
	for _, e := range table() {
		for _, w := range slices.Concat(e.de, e.en, e.es) {
			got, ok := allWords().find(w)
			if !ok || got.key != e.key {
				t.Errorf("%s is read as %q, want %s", w, got.key, e.key)
			}
			if _, fits := e.read(args[e.key]); !fits {
				t.Errorf("%s %s is not read", w, args[e.key])
			}
			if !Reserved(w) || !Reserved(strings.ToLower(w)) {
				t.Errorf("%s may be a name", w)
			}
		}
		for _, lang := range []Language{German, English, Spanish} {
			if got, _ := allWords().find(Word(lang, e.key)); got.key != e.key {
				t.Errorf("we write %s for %s in %s, which is read as %q", Word(lang, e.key), e.key, lang, got.key)
			}
		}
	}
}

// TestNoWordIsAnothersNeighbour: a slip of the fingers makes no word of another,
// unless what follows tells one of them from the other.
func TestNoWordIsAnothersNeighbour(t *testing.T) {
	args := examples()
	told := func(a, b entry) bool {
		_, one := a.read(args[b.key])
		_, two := b.read(args[a.key])
		return !one || !two
	}
	for _, e := range table() {
		for _, w := range slices.Concat(e.de, e.en, e.es) {
			for _, s := range allWords().lines {
				if s.entry.key != e.key && oneOff(game.Fold(w), s.word) && !told(e, s.entry) {
					t.Errorf("%s is one slip of the fingers from %s", w, s.word)
				}
			}
		}
	}
}

func TestWord(t *testing.T) {
	tests := []struct {
		lang Language
		key  game.Keyword
		want string
	}{
		{German, game.KeyMove, "ZUG"},
		{English, game.KeyMove, "MOVE"},
		{Spanish, game.KeyMove, "JUGADA"},
		{"fr", game.KeyMove, "MOVE"},
		{German, "NOWORD", "NOWORD"},
	}
	for _, tt := range tests {
		if got := Word(tt.lang, tt.key); got != tt.want {
			t.Errorf("Word(%s, %s) = %s, want %s", tt.lang, tt.key, got, tt.want)
		}
	}
}

func TestG13_KeywordsAreReserved(t *testing.T) {
	for name, want := range map[string]bool{
		"Zug": true, "ende": true, "ZÜGE": true, "Zuege": true, "Sí": true, "Stand": true,
		"Zug 5": true, "Zug5": true, "Liga Meister": true, "Ja Rule": true, "Ende: aus": true, "Hilfe# .": true, "Hilfe#": true, "#Hilfe": false,
		"Zugspitze": false, "Boxer Joe": false, "Joe Zug": false, "Endegut": false, "Jan": false,
		"End-of-Days Ed": false, "O'Ja": false, "": false, "Müller": false,
	} {
		if Reserved(name) != want {
			t.Errorf("Reserved(%q) = %v", name, !want)
		}
	}
}

func TestOneOff(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"zug", "zug", false},
		{"zgu", "zug", true}, {"uzg", "zug", true},
		{"zuug", "zug", true}, {"zug", "zuug", true}, {"ug", "zug", true},
		{"zux", "zug", true}, {"zxg", "zug", true},
		{"xug", "zug", false},  // a word of its own as often as not
		{"xzug", "zug", false}, // a mark of quoting
		{"zxy", "zug", false}, {"gzu", "zug", false}, {"zugxx", "zug", false}, {"", "zug", false}, {"", "", false},
	}
	for _, tt := range tests {
		if got := oneOff(tt.a, tt.b); got != tt.want {
			t.Errorf("oneOff(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}
