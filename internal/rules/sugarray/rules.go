package sugarray

import (
	"ringpost/internal/game"
)

// Rules is Sugar-Ray as package game wants a ruleset. It holds nothing.
type Rules struct{}

// New returns the rules.
func New() Rules { return Rules{} }

var _ game.Rules[State, Orders, Event] = Rules{}

// The keys of settings and traits.
const (
	keyChampionTraining = "champion_training"
	keySeason           = "season"
	keyNMRLimit         = "nmr_limit"

	keyLeague    = "league"
	keyTechnique = "technique"
	keyCondition = "condition"
	keyRecord    = "record"
	keySince     = "since"
)

// MaxValue bounds the technique and condition a boxer may be set up with.
const MaxValue = 9999

// About describes Sugar-Ray.
func (Rules) About() game.About {
	return game.About{
		Name:     "sugarray",
		Version:  Version,
		Schema:   Schema,
		MinSeats: 2,
		Open:     true,
		Game: []game.Setting{
			{Key: keyChampionTraining, Default: "start", Values: []string{"start", "end"},
				Doc: "Who may not train: the champion of the round's start, or that of its end (SR-17)."},
			{Key: keySeason, Default: "20", Min: 1, Max: 1000,
				Doc: "Rounds a season, for the movement shown in the tables (SR-38)."},
			{Key: keyNMRLimit, Default: "3", Min: 0, Max: 1000,
				Doc: "Missed moves in a row that cost the place; 0 means never (G-10)."},
		},
		Seat: []game.Setting{
			{Key: keyLeague, Default: "3", Min: NoLeague, Max: BottomLeague,
				Doc: "League 1 to 4; 0 for the reigning champion (SR-39). Late entrants start in league 4."},
			{Key: keyTechnique, Default: "10", Min: 0, Max: MaxValue,
				Doc: "Technique. Late entrants get league 4's mean (SR-32)."},
			{Key: keyCondition, Default: "20", Min: 1, Max: MaxValue,
				Doc: "Condition. Late entrants get league 4's mean (SR-32)."},
			{Key: keyRecord, Default: "0/0/0", Parts: 3, Max: 99999,
				Doc: "Fights won, lost and drawn so far: 12/5/1."},
			{Key: keySince, Default: "0", Min: -99999, Max: 0,
				Doc: "The round of entry into his league, for an imported boxer; may be negative (SR-23)."},
		},
	}
}

// Owner finds the boxer of this name. Case, umlauts and blanks do not matter,
// but nothing vaguer counts: nobody plays for somebody else.
func (Rules) Owner(s State, name string) (game.SeatID, bool) {
	want := game.Fold(game.CleanName(name))
	for _, b := range s.Boxers {
		if game.Fold(b.Name) == want {
			return b.Seat, true
		}
	}
	return "", false
}

// Due asks every boxer with a bout for his moves. A champion without one owes
// nothing and so misses nothing (G-14).
func (Rules) Due(s State) game.Due {
	due := game.Due{Round: s.Round}
	boxing := s.Card.seats()
	for _, b := range s.Boxers {
		due.Seats = append(due.Seats, b.Seat)
		if boxing[b.Seat] {
			due.Duties = append(due.Duties, game.Duty{Seat: b.Seat, Kind: "moves", Slot: Slot, Silence: "nmr"})
		}
	}
	return due
}
