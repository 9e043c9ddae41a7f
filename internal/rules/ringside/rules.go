package ringside

import (
	"fmt"
	"strconv"
	"strings"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// Rules is Ringside as package game wants a ruleset. It holds nothing.
type Rules struct{}

// New returns the rules.
func New() Rules { return Rules{} }

var (
	_ game.Rules[State, Orders, Event] = Rules{}
	_ game.SettingsChecker             = Rules{}
	_ game.RulesTeller                 = Rules{}
	_ game.Sparrer[State, Orders]      = Rules{}
	_ game.Stander[State, Orders]      = Rules{}
	_ game.Namer[State]                = Rules{}
	_ game.Prober                      = Rules{}
	_ game.FileTeller                  = Rules{}
)

// The keys of settings.
const (
	keyRing     = "ring"
	keyAdvanced = "advanced"
	keyScoring  = "scoring"
	keyChart    = "chart"
	keyRoster   = "roster"
	keyStable   = "stable"
	keyClasses  = "classes"
	keyDefence  = "defence"
	keyNMRLimit = "nmr_limit"
	keyMoney    = "money"
	keySales    = "sales"
	keyBets     = "bets"
	keyRent     = "rent"
	keyFight    = "fight_mode"
	keyRematch  = "rematch"
	keyRounds   = "rounds" // of a test fight
)

// MaxStable is the most fighters a manager can have (RSC-23).
const MaxStable = 8

// MaxMoney is the most a manager may start with, in dollars (RSC-20).
const MaxMoney = 10000

// About describes Ringside.
func (Rules) About() game.About {
	return game.About{
		Name:     "ringside",
		Version:  Version,
		Schema:   Schema,
		MinSeats: 2,
		Game: append(termSettings(), []game.Setting{
			{Key: keyRoster, File: true,
				Doc: "A CSV file of fighters to deal to the stables: name, agility, UC, RJ, RH, Co, LJ, LH, counterpunch, endurance. They box in the first class."},
			{Key: keyStable, Default: "2", Min: 1, Max: MaxStable,
				Doc: "Fighters a manager starts with, in a class each as far as they go (RSC-23)."},
			{Key: keyClasses, Default: "heavy,light-heavy,middle,welter,light", Values: classNames(), Many: true,
				Doc: "The weight classes that are fought in (RSC-12)."},
			{Key: keyDefence, Default: "6", Min: 2, Max: 60, // a title won is at stake two turns later at the soonest
				Doc: "Turns within which a champion must defend his title (RSC-9)."},
			{Key: keyFight, Default: wholeBouts, Values: fightModes(),
				Doc: "How title bouts are fought: whole at one deadline, or rounds:k, k boxing rounds a turn with new plans between (RSC-9)."},
			{Key: keyRematch, Default: "3", Min: 0, Max: 60,
				Doc: "Turns for which the matchmaker keeps two fighters apart who have met (RSC-24); 0 suits games of two or three managers."},
			{Key: keyNMRLimit, Default: "3", Min: 0, Max: 1000,
				Doc: "Turns in a row without a word that cost the place, standing plans being words; 0 means never (G-10)."},
			{Key: keyMoney, Default: "10000", Min: 0, Max: MaxMoney,
				Doc: "Dollars a manager starts with (RSC-20)."},
			{Key: keySales, Default: "off", Values: onOff(),
				Doc: "Fighters may be sold and traded (RSC-20)."},
			{Key: keyBets, Default: "off", Values: onOff(),
				Doc: "Bets on bouts at even money, against the bank or a manager who takes them (RSC-20, RSC-25)."},
			{Key: keyRent, Default: "0", Min: 0, Max: MaxMoney,
				Doc: "Dollars for a reserved place on a week's card; 0: there are none (RSC-20)."},
		}...),
		Spar: append(termSettings(), []game.Setting{
			{Key: keyRounds, Default: "10", Min: 1, Max: bout.MaxRounds,
				Doc: "Rounds that are booked."},
			{Key: keyRoster, File: true,
				Doc: "A CSV file of fighters whom the blocks may name: name, agility, UC, RJ, RH, Co, LJ, LH, counterpunch, endurance."},
		}...),
	}
}

// termSettings are what every bout of a game has in common.
func termSettings() []game.Setting {
	return []game.Setting{
		{Key: keyRing, Default: "8", Values: []string{"6", "8", "10"},
			Doc: "Squares along a side of the ring (RS-1)."},
		{Key: keyAdvanced, Default: "on", Values: onOff(),
			Doc: "Backpedalling, clinching and rushing (RS-36)."},
		{Key: keyScoring, Default: "rounds", Values: []string{"rounds", "10", "5"},
			Doc: "Decisions by rounds won, by the 10-point or the 5-point must (RS-38, RS-39)."},
		{Key: keyChart, File: true,
			Doc: "A file with another punching chart, in the form of the one that comes with the program."},
	}
}

func onOff() []string { return []string{"on", "off"} }

func classNames() []string {
	var out []string
	for _, c := range Classes() {
		out = append(out, string(c))
	}
	return out
}

// wholeBouts is the fight mode in which every bout is fought at one deadline.
const wholeBouts = "whole"

const partsPrefix = "rounds:"

func fightModes() []string {
	out := []string{wholeBouts}
	for n := 1; n < bout.MaxRounds; n++ {
		out = append(out, partsPrefix+strconv.Itoa(n))
	}
	return out
}

// CheckSettings reads the files among the settings.
func (r Rules) CheckSettings(settings game.Settings) error {
	if _, err := termsOf(settings); err != nil {
		return err
	}
	_, err := rosterOf(settings)
	return err
}

// TellFile says what the files of a game's settings hold.
func (r Rules) TellFile(key, text string) string {
	switch key {
	case keyChart:
		c, err := termsOf(game.Settings{key: text})
		switch n := c.Chart.Differences(bout.StandardChart()); {
		case err != nil:
			return "a file that cannot be read"
		case text == "":
			return "the program's own"
		case n == 0:
			return "a file with the program's own"
		default:
			return fmt.Sprintf("a chart of its own, %d of %d cells differ", n, bout.Punches*bout.Punches)
		}
	case keyRoster:
		roster, err := rosterOf(game.Settings{key: text})
		switch {
		case err != nil:
			return "a file that cannot be read"
		case text == "":
			return "none"
		default:
			return fmt.Sprintf("%d fighters", len(roster))
		}
	}
	return ""
}

// termsOf reads a game's settings.
func termsOf(settings game.Settings) (Terms, error) {
	declared := New().About().Game
	get := func(key string) string { return settings.Get(declared, key) }
	number := func(key string) int { return settings.Int(declared, key) }
	t := Terms{
		Ring: number(keyRing), Advanced: get(keyAdvanced) == "on", Scoring: bout.Scoring(get(keyScoring)), Chart: bout.StandardChart(),
		Stable: number(keyStable), Defence: number(keyDefence), NMRLimit: number(keyNMRLimit), Money: Dollars(number(keyMoney)),
		Rematch: number(keyRematch), Sales: get(keySales) == "on", Bets: get(keyBets) == "on", Rent: Dollars(number(keyRent)),
	}
	if k, ok := strings.CutPrefix(get(keyFight), partsPrefix); ok {
		n, err := strconv.Atoi(k)
		if err != nil {
			return t, fmt.Errorf("setting %s: %w", keyFight, err)
		}
		t.Parts = n
	}
	for _, c := range Classes() { // in their order, however they were listed
		for name := range strings.SplitSeq(get(keyClasses), ",") {
			if Class(name) == c {
				t.Classes = append(t.Classes, c)
			}
		}
	}
	if text := get(keyChart); text != "" {
		var err error
		if t.Chart, err = bout.ParseChart(text); err != nil {
			return t, fmt.Errorf("setting %s: %w", keyChart, err)
		}
	}
	return t, nil
}

// rosterOf reads the fighters that are dealt to the stables.
func rosterOf(settings game.Settings) ([]bout.Named, error) {
	text := settings.Get(New().About().Game, keyRoster)
	if text == "" {
		return nil, nil
	}
	roster, err := bout.ParseFighters(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("setting %s: %w", keyRoster, err)
	case len(roster) == 0:
		return nil, fmt.Errorf("setting %s: there is no fighter in the file", keyRoster)
	}
	return roster, nil
}

// Owner finds the manager of this name, or of the fighter of this name. Case,
// umlauts and blanks do not matter, but nothing vaguer counts.
func (Rules) Owner(s State, name string) (game.SeatID, bool) {
	if i := s.managerNamed(name); i >= 0 {
		return s.Managers[i].Seat, true
	}
	if i := s.fighterNamed(name); i >= 0 {
		return s.Fighters[i].Manager, true
	}
	return "", false
}

// Names are those of a manager's fighters, or of all.
func (Rules) Names(s State, seat game.SeatID) []string {
	var names []string
	for _, f := range s.Fighters {
		if seat == "" || f.Manager == seat {
			names = append(names, f.Name)
		}
	}
	return names
}

// NamesBefore are those of the roster.
func (Rules) NamesBefore(settings game.Settings) []string {
	roster, err := rosterOf(settings)
	if err != nil {
		return nil // settings are checked when a game is entered
	}
	var names []string
	for _, f := range roster {
		names = append(names, f.Name)
	}
	return names
}

// Standing are the plans of a manager's fighters that were sent for earlier turns
// (G-11).
func (Rules) Standing(s State, seat game.SeatID) []game.Slip[Orders] {
	var slips []game.Slip[Orders]
	for _, f := range s.stable(seat) {
		if f.Plan != nil {
			slips = append(slips, planSlip(&f, *f.Plan))
		}
	}
	return slips
}

func folded(name string) string { return game.Fold(game.CleanName(name)) }

func (s *State) managerNamed(name string) int {
	want := folded(name)
	for i, m := range s.Managers {
		if game.Fold(m.Name) == want {
			return i
		}
	}
	return -1
}

func (s *State) fighterNamed(name string) int {
	want := folded(name)
	for i, f := range s.Fighters {
		if game.Fold(f.Name) == want {
			return i
		}
	}
	return -1
}

// Due asks for the plan of every fighter with a bout who has none that stands. Who
// has one owes nothing (G-11, G-14).
func (Rules) Due(s State) game.Due {
	due := game.Due{Round: s.Round}
	boxing := map[FighterID]bool{}
	for _, b := range s.Card {
		boxing[b.Fighters[0]], boxing[b.Fighters[1]] = true, true
	}
	owed := map[game.SeatID][]game.Duty{}
	for _, f := range s.Fighters {
		if boxing[f.ID] && f.Plan == nil {
			owed[f.Manager] = append(owed[f.Manager], game.Duty{Seat: f.Manager, Kind: "plan", Slot: planSlot(f.ID), About: f.Name, Silence: "default"})
		}
	}
	for _, m := range s.Managers {
		due.Seats = append(due.Seats, m.Seat)
		due.Duties = append(due.Duties, owed[m.Seat]...)
	}
	return due
}
