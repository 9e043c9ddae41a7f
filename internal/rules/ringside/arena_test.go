package ringside

import (
	"testing"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

func TestRSC03PopComeInHalfPoints(t *testing.T) {
	for text, want := range map[string]Pop{"12": 24, "12.5": 25, "12,5": 25, "12½": 25, "½": 1, "0": 0} {
		if got, ok := readPop(text); !ok || got != want {
			t.Errorf("%s reads as %d half points, %v", text, int(got), ok)
		}
	}
	for _, text := range []string{"", "-1", "+1", "1.25", "x", "1e3", "99999"} {
		if got, ok := readPop(text); ok {
			t.Errorf("%q reads as %d half points", text, int(got))
		}
	}
	for p := range Pop(200) {
		if got, ok := readPop(p.String()); !ok || got != p {
			t.Errorf("%s reads as %d half points", p, int(got))
		}
	}
}

func TestRSC04PopOfABout(t *testing.T) {
	for _, tt := range []struct {
		result string
		method bout.Method
		downs  int
		want   Pop
	}{
		{Won, bout.KO, 0, 4}, {Won, bout.TKO, 0, 3}, {Won, bout.Decision, 0, 2},
		{Lost, bout.KO, 0, -3}, {Lost, bout.TKO, 0, -2}, {Lost, bout.Decision, 0, -1},
		{Tied, bout.Draw, 0, 0}, {Tied, bout.Draw, 3, 3}, {Won, bout.KO, 2, 6}, {Lost, bout.Decision, 2, 1},
	} {
		if got := Gain(tt.result, tt.method, tt.downs); got != tt.want {
			t.Errorf("%s by %s with %d knockdowns: %s", tt.result, tt.method, tt.downs, got)
		}
	}
}

func TestRSC06BonusOfRanks(t *testing.T) {
	want := map[int]Pop{
		1: 10, 3: 10, 4: 9, 8: 9, 9: 8, 13: 8, 14: 7, 18: 7, 19: 6, 23: 6, 24: 5, 28: 5, 29: 4, 33: 4, 34: 3, 38: 3,
		39: 2, 43: 2, 44: 1, 48: 1, 49: 0, 51: 0, 60: 0, 1000: 0, 0: 0,
	}
	for rank, bonus := range want {
		if got := Bonus(rank); got != bonus {
			t.Errorf("rank %d brings %s, want %s", rank, got, bonus)
		}
	}
	if ChampionBonus != 20 {
		t.Errorf("the champion has %s", ChampionBonus)
	}
}

func TestRSC10Arenas(t *testing.T) {
	for _, tt := range []struct {
		pop  [2]Pop
		want Arena
	}{
		{[2]Pop{35, 35}, TheBest}, {[2]Pop{35, 34}, HighClass}, {[2]Pop{40, 20}, TheBest}, {[2]Pop{20, 40}, TheBest}, {[2]Pop{40, 19}, HighClass},
		{[2]Pop{39, 20}, HighClass}, {[2]Pop{70, 0}, TheBest},
		{[2]Pop{25, 25}, HighClass}, {[2]Pop{32, 12}, HighClass}, {[2]Pop{32, 11}, MiddleClass}, {[2]Pop{31, 12}, MiddleClass},
		{[2]Pop{18, 18}, MiddleClass}, {[2]Pop{24, 6}, MiddleClass}, {[2]Pop{24, 5}, LowClass}, {[2]Pop{18, 17}, LowClass},
		{[2]Pop{10, 10}, LowClass}, {[2]Pop{16, 0}, LowClass}, {[2]Pop{15, 4}, Pits}, {[2]Pop{0, 0}, Pits},
	} {
		if got := Highest(tt.pop); got != tt.want {
			t.Errorf("%v may box at %s, want %s", tt.pop, got, tt.want)
		}
		for _, a := range Arenas() {
			if a.place() < tt.want.place() && a == Pits && !a.Open(tt.pop) {
				t.Errorf("%s is closed to %v", a, tt.pop)
			}
		}
	}
}

func TestRSC11Lengths(t *testing.T) {
	type lengths [3]int
	for _, tt := range []struct {
		arena        Arena
		title        bool
		heavy, light lengths // RSC-12
	}{
		{TheBest, true, lengths{10, 15, 12}, lengths{8, 13, 10}},
		{TheBest, false, lengths{8, 12, 10}, lengths{6, 10, 8}},
		{HighClass, false, lengths{6, 12, 9}, lengths{4, 10, 7}},
		{MiddleClass, false, lengths{6, 10, 8}, lengths{4, 8, 6}},
		{LowClass, false, lengths{5, 8, 6}, lengths{3, 6, 4}},
		{Pits, false, lengths{3, 7, 5}, lengths{3, 5, 3}},
	} {
		for class, want := range map[Class]lengths{Heavy: tt.heavy, Light: tt.light, LightHeavy: tt.light} {
			least, most, normal := Lengths(tt.arena, tt.title, class)
			if got := (lengths{least, most, normal}); got != want {
				t.Errorf("%s, title %v, %s: %v, want %v", tt.arena, tt.title, class, got, want)
			}
		}
	}
}

func TestRSC13Purses(t *testing.T) {
	pop := [2]Pop{25, 8} // 12½ and 4
	for _, tt := range []struct {
		arena        Arena
		title        bool
		class        Class
		first, other Money // in cents, if the first wins
	}{
		{TheBest, true, Heavy, 3500000 + 1250000, 1500000 + 400000},
		{TheBest, false, Heavy, 700000 + 165000, 300000 + 165000},
		{HighClass, false, Heavy, 200000 + 82500, 100000 + 82500},
		{MiddleClass, false, Heavy, 70000 + 33000, 30000 + 33000},
		{LowClass, false, Heavy, 30000 + 16500, 10000 + 16500},
		{Pits, false, Heavy, 7000 + 16500, 3000 + 16500},
		{Pits, false, Welter, (7000 + 16500) / 2, (3000 + 16500) / 2},
		{TheBest, true, Light, (3500000 + 1250000) / 2, (1500000 + 400000) / 2},
	} {
		got := Purses(tt.arena, tt.title, tt.class, pop, 0)
		if got != [2]Money{tt.first, tt.other} {
			t.Errorf("%s, title %v, %s: %v", tt.arena, tt.title, tt.class, got)
		}
		back := Purses(tt.arena, tt.title, tt.class, [2]Pop{pop[1], pop[0]}, 1)
		if back != [2]Money{tt.other, tt.first} {
			t.Errorf("%s, title %v, %s the other way round: %v", tt.arena, tt.title, tt.class, back)
		}
	}
}

func TestRSC14ADrawSharesTheBases(t *testing.T) {
	if got := Purses(TheBest, true, Heavy, [2]Pop{20, 3}, int(bout.Neither)); got != [2]Money{2500000 + 1000000, 2500000 + 150000} {
		t.Errorf("a drawn title bout pays %v", got)
	}
	if got := Purses(Pits, false, Light, [2]Pop{1, 0}, int(bout.Neither)); got != [2]Money{(5000 + 500) / 2, (5000 + 500) / 2} {
		t.Errorf("a drawn bout in the Pits pays %v", got)
	}
}

// TestSettings: what the files among them hold is checked when a game is entered.
func TestSettings(t *testing.T) {
	good := []game.Settings{nil, everything(), {keyRoster: roster}, {keyChart: bout.StandardChart().String()}, {keyClasses: "light,heavy"}}
	for _, s := range good {
		if err := New().CheckSettings(s); err != nil {
			t.Errorf("%v: %v", s, err)
		}
	}
	for _, s := range []game.Settings{{keyRoster: "name\nAli\n"}, {keyRoster: "# nobody\n"}, {keyChart: "UC 1 2 3\n"}} {
		if err := New().CheckSettings(s); err == nil {
			t.Errorf("%v is let in", s)
		}
	}
	terms, err := termsOf(game.Settings{keyClasses: "light,heavy", keyMoney: "70", keyRent: "3", keySales: "on", keyAdvanced: "off", keyScoring: "5"})
	if err != nil || len(terms.Classes) != 2 || terms.Classes[0] != Heavy || terms.Money != 7000 || terms.Rent != 300 || !terms.Sales || terms.Bets ||
		terms.Advanced || terms.Scoring != bout.FivePoint || terms.Ring != 8 || terms.Stable != 2 || terms.Defence != 6 || terms.NMRLimit != 3 {
		t.Errorf("%+v, %v", terms, err)
	}
	seats := []game.Seat{{ID: "s1", Name: "Muhammad Ali"}, {ID: "s2", Name: "Ben"}}
	if _, _, err := New().Setup(game.Settings{keyRoster: roster}, seats, ones(0)); err == nil {
		t.Error("a fighter bears the name of a manager")
	}
	if _, _, err := New().Setup(nil, seats[:1], ones(0)); err == nil {
		t.Error("one manager alone")
	}
	if _, _, err := New().Setup(nil, append(seats, seats[0]), ones(0)); err == nil {
		t.Error("a seat comes twice")
	}
	old := newCampaign(t, 2, 1, nil).state
	old.Version = Version + 1
	if _, _, err := New().Advance(old, game.Inputs[Orders]{}, ones(1)); err == nil {
		t.Error("a state of rules that are not known")
	}
}
