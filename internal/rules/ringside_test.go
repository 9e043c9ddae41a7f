package rules_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside"
)

// ringsideSample plays campaigns of every kind. In each, some managers bring about
// what chance alone rarely does.
func ringsideSample() sample {
	return sample{
		games: []board{
			{game.Settings{"stable": "3", "sales": "on", "bets": "on", "rent": "10", "money": "500", "nmr_limit": "2", "fight_mode": "rounds:6"}, seats(6, nil)},
			{game.Settings{"stable": "1", "classes": "light", "advanced": "off", "scoring": "10", "defence": "2", "nmr_limit": "0"}, seats(5, nil)},
			{game.Settings{"roster": ringsideRoster, "classes": "heavy,middle", "ring": "6", "scoring": "5", "sales": "on", "bets": "on"}, seats(3, nil)},
		},
		rounds:  14,
		silence: 7,
		orders:  func(m moment, seat game.SeatID, s game.Stream) string { return ringsideMail(campaignOf(m), seat, s) },
		untold:  map[string]string{"booked": "the card of the state itself shows the bouts"},
		planted: func(m moment, seat game.SeatID) (string, []string) {
			for _, f := range campaignOf(m).Fighters {
				if f.Manager == seat {
					return "NAME " + f.Name + "\nSCHLAG UC7 RJ0 RH8 CO9 LJ0 LH6\nERWARTE UC9 RJ9 RH8 CO0 LJ7 LH9\nV WENN KOND<=17 UND ZUG>=13 : DECKEN\nENDE\n" +
							"MANAGER " + m.names[seat] + "\nFREI " + f.Name + " AB 171,5\n",
						[]string{"171½", `"least":343`, "UC7 RJ0 RH8 CO9 LJ0 LH6", "UC9 RJ9 RH8 CO0 LJ7 LH9", "END<=17", "KOND<=17"}
				}
			}
			return "", nil
		},
	}
}

const ringsideRoster = "name,agility,UC,RJ,RH,Co,LJ,LH,counterpunch,endurance\nMuhammad Ali,68,4,3,4,3,5,4,34,23\nDuane Bobick,46,2,2,3,3,3,3,20,8\n"

// campaignOf is the state of a campaign.
func campaignOf(m moment) ringside.State {
	raw, err := m.after.State()
	var stored struct{ State ringside.State }
	if err == nil {
		err = json.Unmarshal(raw, &stored)
	}
	if err != nil {
		panic(err)
	}
	return stored.State
}

// ringsideMail is what a manager writes for a turn.
func ringsideMail(c ringside.State, seat game.SeatID, s game.Stream) string {
	var own, others []ringside.Fighter
	for _, f := range c.Fighters {
		if f.Manager == seat {
			own = append(own, f)
		} else {
			others = append(others, f)
		}
	}
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	text := ""
	for _, f := range own {
		text += fmt.Sprintf("NAME %s\nSCHLAG UC%d RJ1 CO%d\nV WENN KOND<=%d : DECKEN\nA WENN GKOND<=0 : STURM\nENDE\n", f.Name, s.Uniform(9), s.Uniform(9), s.Uniform(9))
		rivals := slices.DeleteFunc(slices.Clone(others), func(o ringside.Fighter) bool { return o.Class != f.Class })
		if len(rivals) == 0 {
			continue
		}
		// Whoever is asked first of his class meets everybody, twice in one turn.
		first := rivals[0]
		add("KAMPF %s GEGEN %s WOCHE %d", f.Name, first.Name, 1+f.Record.Bouts()%2)
		if f.Record.Lost >= 3 || f.Record.Bouts() > 11 {
			add("RÜCKTRITT %s", f.Name)
		}
		switch s.Uniform(9) {
		case 1:
			add("RUHE %s", f.Name)
		case 2:
			add("FREI %s AB %d", f.Name, s.Uniform(6))
		case 3:
			add("FREI %s", f.Name)
		case 4:
			add("MIETE %s WOCHE %d", f.Name, s.Uniform(4))
		case 5:
			add("WETTE %s %d", first.Name, s.Uniform(9))
		case 6:
			add("WETTE %s %d", f.Name, s.Uniform(9))
		}
		if c.Round%3 == 1 {
			add("ANGEBOT %s %d", f.Name, s.Uniform(50))
		} else if len(c.Offers) > 0 {
			for _, o := range others {
				if o.ID == c.Offers[0].Fighter {
					add("KAUF %s %d", o.Name, c.Offers[0].Price/100+1)
				}
			}
		}
	}
	if len(own) > 0 && len(others) > 0 && c.Round == 4 { // the first two managers trade
		if a, b := c.Fighters[0], others[0]; a.Manager == seat {
			add("TAUSCH %s GEGEN %s", a.Name, b.Name)
		} else if len(c.Managers) > 0 && b.ID == a.ID {
			add("TAUSCH %s GEGEN %s", own[0].Name, a.Name)
		}
	}
	for _, m := range c.Managers {
		if m.Seat == seat && len(lines) > 0 {
			text += "MANAGER " + m.Name + "\n" + strings.Join(lines, "\n") + "\nENDE\n"
		}
	}
	return text
}
