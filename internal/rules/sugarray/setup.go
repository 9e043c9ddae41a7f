package sugarray

import (
	"fmt"
	"strconv"
	"strings"

	"ringpost/internal/game"
)

// Setup opens round 1: everyone in league 3 with (10,20) (SR-33), or as his
// traits say (SR-39).
func (r Rules) Setup(settings game.Settings, seats []game.Seat, dice game.RoundDice) (State, []game.Event[Event], error) {
	about := r.About()
	s := State{
		Version: Version,
		Settings: Terms{
			ChampionTraining: settings.Get(about.Game, keyChampionTraining),
			Season:           settings.Int(about.Game, keySeason),
			NMRLimit:         settings.Int(about.Game, keyNMRLimit),
		},
	}
	if len(seats) < about.MinSeats {
		return State{}, nil, fmt.Errorf("setting up the league: %d boxers, but it takes %d to box", len(seats), about.MinSeats)
	}
	t := turn{state: s, dice: dice}
	for _, seat := range seats {
		b := newBoxer(seat, Values{StartLeague, 10, 20}, 0)
		switch {
		case t.state.at(seat.ID) >= 0:
			return State{}, nil, fmt.Errorf("setting up the league: seat %s comes twice", seat.ID)
		case b.League == NoLeague && t.state.Title.Champion != "":
			return State{}, nil, fmt.Errorf("setting up the league: both %s and %s are set up as champion (league=0)", t.state.Title.Champion, seat.ID)
		case b.League == NoLeague:
			t.state.Title.Champion = seat.ID
		}
		t.enter(b)
	}
	t.draw()
	places := t.state.places()
	for i := range t.state.Boxers {
		b := &t.state.Boxers[i]
		b.LastPlace, b.SeasonPlace = places[b.Seat], places[b.Seat]
	}
	t.state.Round = 1
	return t.state, t.events, nil
}

// newBoxer makes the boxer of a seat; what its traits do not say is as given.
func newBoxer(seat game.Seat, v Values, round int) Boxer {
	declared := New().About().Seat
	if _, ok := seat.Traits[keyLeague]; ok {
		v.League = seat.Traits.Int(declared, keyLeague)
	}
	if _, ok := seat.Traits[keyTechnique]; ok {
		v.Technique = int64(seat.Traits.Int(declared, keyTechnique))
	}
	if _, ok := seat.Traits[keyCondition]; ok {
		v.Condition = int64(seat.Traits.Int(declared, keyCondition))
	}
	b := Boxer{
		Seat: seat.ID, Name: seat.Name,
		League: v.League, Technique: v.Technique, Condition: v.Condition,
		Record:      parseRecord(seat.Traits.Get(declared, keyRecord)),
		LeagueSince: round,
		Joined:      round,
	}
	if _, ok := seat.Traits[keySince]; ok {
		b.LeagueSince = seat.Traits.Int(declared, keySince)
	}
	return b
}

// parseRecord reads "won/lost/drawn", whose form has been checked.
func parseRecord(s string) Record {
	var n [3]int
	for i, p := range strings.SplitN(s, "/", len(n)) {
		n[i], _ = strconv.Atoi(p)
	}
	return Record{Wins: n[0], Losses: n[1], Draws: n[2]}
}
