package sugarray

import (
	"strings"
	"testing"

	"ringpost/internal/game"
	"ringpost/internal/rules/casetest"
)

// TestTitleNewsInWords: what became of the title stands in one place and says what
// was so before, also when its holder is gone (SR-21, SR-25 to SR-27, SR-34).
func TestTitleNewsInWords(t *testing.T) {
	const still, jab = "0/0 0/0 0/0 0/0 0/0", "1/0 0/0 0/0 0/0 0/0"
	champ, a, b := game.SeatID("s1"), game.SeatID("s2"), game.SeatID("s3")
	wish := func(seats ...game.SeatID) (out []game.Leave) {
		for _, s := range seats {
			out = append(out, game.Leave{Seat: s})
		}
		return out
	}
	removed := func(s game.SeatID, more ...game.Leave) []game.Leave {
		return append([]game.Leave{{Seat: s, Now: true}}, more...)
	}
	for _, c := range []struct {
		name    string
		vacant  bool // s1 is in league 1 like the others, nobody champion
		card    Card
		jabs    game.SeatID // who wins on points; "" nobody
		dummy   bool        // the dummy does
		leaves  []game.Leave
		de, en  string // the words on the title
		own     game.SeatID
		ownDE   string // among his own words
		ownEN   string
		without string // is not said there in English
	}{
		{name: "kept", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, jabs: champ,
			de: "Champ bleibt Meister aller Klassen (1 Verteidigung). Ali muss in Liga 2.",
			en: "Champ stays champion of all classes (1 defence). Ali has to go to league 2."},
		{name: "kept, and its holder leaves", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, jabs: champ, leaves: wish(champ),
			de:  "Champ behält den Gürtel (1 Verteidigung) und verlässt das Spiel als Meister aller Klassen: Der Titel ist vakant. Ali muss in Liga 2.",
			en:  "Champ keeps the belt (1 defence) and leaves the game as champion of all classes: the title is vacant. Ali has to go to league 2.",
			own: champ, ownDE: "Du gehst als Meister aller Klassen (1 Verteidigung).", ownEN: "you leave as champion of all classes (1 defence).", without: "belt stays"},
		{name: "kept, and the challenger leaves", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, jabs: champ, leaves: wish(a),
			de:  "Champ bleibt Meister aller Klassen (1 Verteidigung).",
			en:  "Champ stays champion of all classes (1 defence).",
			own: a, ownDE: "bekommen hast du ihn nicht", ownEN: "you did not get it", without: "league 2"},
		{name: "lost, and the old champion leaves", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, jabs: a, leaves: wish(champ),
			de:  "Ali nimmt Champ den Gürtel ab und ist neuer Meister aller Klassen!",
			en:  "Ali takes the belt from Champ and is the new champion of all classes!",
			own: champ, ownDE: "Der Gürtel ist weg.", ownEN: "The belt is gone.", without: "league 1 again"},
		{name: "won, and the new champion leaves", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, jabs: a, leaves: wish(a),
			de:  "Ali nimmt Champ den Gürtel ab und verlässt das Spiel als Meister aller Klassen: Der Titel ist vakant. Champ boxt wieder in Liga 1.",
			en:  "Ali takes the belt from Champ and leaves the game as champion of all classes: the title is vacant. Champ boxes in league 1 again.",
			own: a, ownDE: "Du gehst als Meister aller Klassen!", ownEN: "you leave as champion of all classes!", without: "new champion"},
		{name: "taken out, the challenger wins", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, jabs: a, leaves: removed(champ),
			de:  "Champ ist nicht mehr im Spiel, der Titel war also vakant. Ali gewinnt ihn und ist neuer Meister aller Klassen!",
			en:  "Champ is no longer in the game, so the title was vacant. Ali wins it and is the new champion of all classes!",
			own: a, ownDE: "Du bist der neue Meister aller Klassen!", ownEN: "You are the new champion of all classes!"},
		{name: "taken out, the challenger draws", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, leaves: removed(champ),
			de: "Champ ist nicht mehr im Spiel, und niemand hat den Gürtel gewonnen: Der Titel ist vakant.",
			en: "Champ is no longer in the game, and nobody has won the belt: the title is vacant."},
		{name: "taken out, the challenger loses", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, dummy: true, leaves: removed(champ),
			de: "Champ ist nicht mehr im Spiel, und niemand hat den Gürtel gewonnen: Der Titel ist vakant. Ali muss in Liga 2.",
			en: "Champ is no longer in the game, and nobody has won the belt: the title is vacant. Ali has to go to league 2."},
		{name: "taken out, the challenger wins and leaves", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, jabs: a, leaves: removed(champ, wish(a)...),
			de: "Champ ist nicht mehr im Spiel, der Titel war also vakant. Ali gewinnt ihn und verlässt das Spiel als Meister aller Klassen: Jetzt hält ihn niemand.",
			en: "Champ is no longer in the game, so the title was vacant. Ali wins it and leaves the game as champion of all classes: nobody holds it now."},
		{name: "both taken out", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, leaves: removed(champ, removed(a)...),
			de: "Champ ist nicht mehr im Spiel. Der Titel ist vakant.",
			en: "Champ is no longer in the game. The title is vacant."},
		{name: "the challenger taken out, the dummy wins", card: Card{Bouts: []Pairing{{A: champ, B: a}}}, dummy: true, leaves: removed(a),
			de: "Champ verliert den Gürtel an niemanden: Der Dummy war besser. Der Titel ist vakant. Champ boxt wieder in Liga 1.",
			en: "Champ loses the belt to nobody: the dummy was the better man. The title is vacant. Champ boxes in league 1 again."},
		{name: "nobody to box", card: Card{Idle: true},
			de: "Liga 1 ist leer, niemand fordert Champ. Der Meister hat frei.",
			en: "League 1 is empty and nobody challenges Champ. The champion has the day off."},
		{name: "nobody to box, and the champion leaves", card: Card{Idle: true}, leaves: wish(champ),
			de:  "Liga 1 war leer, und niemand hat Champ gefordert. Champ verlässt das Spiel als Meister aller Klassen: Der Titel ist vakant.",
			en:  "League 1 was empty, and nobody challenged Champ. Champ leaves the game as champion of all classes: the title is vacant.",
			own: champ, ownDE: "Du gehst als Meister aller Klassen", ownEN: "You leave as champion of all classes", without: "You stay champion"},
		{name: "filled", vacant: true, card: Card{Bouts: []Pairing{{A: a, B: b}}}, jabs: b,
			de: "Der Titel hat wieder einen Träger: Ben ist Meister aller Klassen! Ali muss in Liga 2.",
			en: "The title has a holder again: Ben is champion of all classes! Ali has to go to league 2."},
		{name: "filled, and the champion leaves", vacant: true, card: Card{Bouts: []Pairing{{A: a, B: b}}}, jabs: b, leaves: wish(b),
			de: "Ben gewinnt den vakanten Titel und verlässt das Spiel als Meister aller Klassen: Jetzt hält ihn niemand. Ali muss in Liga 2.",
			en: "Ben wins the vacant title and leaves the game as champion of all classes: nobody holds it now. Ali has to go to league 2."},
		{name: "a draw for the vacant title", vacant: true, card: Card{Bouts: []Pairing{{A: a, B: b}}},
			de: "Kein Sieger, kein Meister: Der Titel bleibt vakant.",
			en: "No winner, no champion: the title stays vacant."},
		{name: "the dummy wins the bout for the vacant title", vacant: true, card: Card{Bouts: []Pairing{{A: a, B: b}}}, dummy: true, leaves: removed(a),
			de: "Der Dummy siegt, und Meister kann er nicht werden: Der Titel bleibt vakant. Ben muss in Liga 2.",
			en: "The dummy wins, and he cannot be champion: the title stays vacant. Ben has to go to league 2."},
	} {
		t.Run(c.name, func(t *testing.T) {
			seats := []game.Seat{{ID: champ, Name: "Champ", Traits: game.Settings{"league": "0"}},
				{ID: a, Name: "Ali", Traits: game.Settings{"league": "1"}}, {ID: b, Name: "Ben", Traits: game.Settings{"league": "1"}}}
			if c.vacant {
				seats[0].Traits["league"] = "4"
			}
			before, _, err := New().Setup(nil, seats, ones(0))
			if err != nil {
				t.Fatal(err)
			}
			before.Card = c.card
			in := game.Inputs[Orders]{Leaves: c.leaves}
			for _, s := range seats {
				o := game.Order[Orders]{Seat: s.ID, Slot: Slot, Orders: Orders{Pairs: pairs(t, still)}}
				if s.ID == c.jabs {
					o.Orders.Pairs = pairs(t, jab)
				}
				in.Orders = append(in.Orders, o)
			}
			dice := casetest.NewScript() // the dummy's throws: 1 makes no figures
			if c.dummy {
				for _, s := range seats {
					dice.Set("dummy/"+string(s.ID), strings.Fields("1 2 1 1 1 1 1 1 1 1"))
				}
			}
			after, events, err := New().Advance(before, in, dice.Round("sugarray", 1, nil))
			if err != nil {
				t.Fatal(err)
			}
			st := step{Round: 1, Before: before, After: after, Events: events}
			w := loadWords(t)
			for lang, want := range map[string]string{"de": c.de, "en": c.en} {
				report := render(t, w, lang, reportViews(st, game.Audience{})[0])
				first, _, _ := strings.Cut(report, "\n\n")
				heading, words, _ := strings.Cut(first, "\n----------\n")
				if got := strings.Join(strings.Fields(words), " "); got != want {
					t.Errorf("%s: %s\n%s\nwant\n%s", lang, heading, got, want)
				}
				if c.own == "" {
					continue
				}
				own := strings.Join(strings.Fields(render(t, w, lang, reportViews(st, game.Audience{Seat: c.own})[0])), " ")
				if want := map[string]string{"de": c.ownDE, "en": c.ownEN}[lang]; !strings.Contains(own, want) {
					t.Errorf("%s: want\n%s\nin\n%s", lang, want, own)
				}
				if c.without != "" && strings.Contains(own, c.without) {
					t.Errorf("%s: %q is said in\n%s", lang, c.without, own)
				}
			}
		})
	}
}
