//go:build unix

package speed_test

import (
	"fmt"
	"testing"
	"time"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// BenchmarkCampaign closes turns of a campaign of a thousand fighters: every bout
// fought, told blow by blow to its managers, half of them German, half English, and
// all reports queued. Goal: 2 s a turn.
func BenchmarkCampaign(b *testing.B) {
	for _, stable := range []int{8, 2} {
		b.Run(fmt.Sprintf("stables of %d", stable), func(b *testing.B) { campaign(b, 1000/stable, stable) })
	}
}

func campaign(b *testing.B, managers, stable int) {
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	dir := b.TempDir()
	s, err := store.Create(b.Context(), dir)
	must(err)
	must(s.Close())
	o := open(b, dir)
	must(o.NewGame(b.Context(), store.Game{ID: "ring", Ruleset: "ringside", Lang: "de", Deadline: "0 20 * * SUN", TZ: "Europe/Berlin", Trust: "token",
		Settings: game.Settings{"stable": fmt.Sprint(stable), "nmr_limit": "0"}, Secret: dice.Secret{1: 7}}))
	for i := range managers {
		_, err := o.AddSeat(b.Context(), referee.Seating{Game: "ring", Name: fmt.Sprint("Boss ", 1000+i),
			Addresses: []string{leagueAddress("ring", i)}, Lang: []string{"de", "en"}[i%2]})
		must(err)
	}
	_, err = o.Start(b.Context(), "ring")
	must(err)
	var wall, cpu time.Duration
	turns := 0
	o.now = deadline.Add(time.Second)
	for b.Loop() {
		for range 3 {
			watch := startWatch()
			closed, err := o.CloseDue(b.Context())
			w, c := watch.stop()
			must(err)
			if len(closed) != 1 || closed[0].Mails != managers {
				b.Fatalf("closed %+v", closed)
			}
			if closed[0].Round > 1 { // nobody has boxed before
				wall, cpu, turns = wall+w, cpu+c, turns+1
			}
			o.now = o.now.AddDate(0, 0, 7)
		}
	}
	b.ReportMetric(wall.Seconds()/float64(turns), "s/turn")
	b.ReportMetric(cpu.Seconds()/float64(turns), "cpu-s/turn")
	b.ReportMetric(0, "ns/op")
}
