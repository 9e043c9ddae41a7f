package referee_test

import (
	"maps"

	"ringpost/internal/game"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// roster are the fighters of the campaigns below. By their secret Don Corrado gets
// Jim Light and Rocky Stone, Miller Kid Thunder and Iron Mike, Zoë Old Bill and Joe
// Dark.
const roster = `name,agility,UC,RJ,RH,Co,LJ,LH,counterpunch,endurance
Kid Thunder,50,3,1,2,3,1,2,20,12
Iron Mike,52,2,2,4,3,2,2,18,14
Old Bill,45,2,1,2,2,1,3,25,8
Joe Dark,48,1,2,3,2,2,1,15,10
Jim Light,55,2,2,2,2,2,2,20,9
Rocky Stone,47,3,3,1,1,2,2,12,17
`

// campaign makes and starts a Ringside game of three managers; Miller reads English.
func (b *bench) campaign(id, trust string, more game.Settings) {
	b.Helper()
	settings := game.Settings{"roster": roster, "stable": "2", "classes": "heavy,middle"}
	maps.Copy(settings, more)
	b.must(b.NewGame(b.Context(), store.Game{ID: id, Ruleset: "ringside", Title: "Ring frei", Lang: "de", Deadline: "0 20 * * SUN",
		TZ: "Europe/Berlin", Trust: trust, Secret: [32]byte{9}, Settings: settings}))
	for _, m := range []struct{ name, lang string }{{"Don Corrado", "de"}, {"Miller", "en"}, {"Zoë", "de"}} {
		_, err := b.AddSeat(b.Context(), referee.Seating{Game: id, Name: m.name, Addresses: []string{address(m.name)}, Lang: m.lang})
		b.must(err)
	}
	_, err := b.Start(b.Context(), id)
	b.must(err)
}
