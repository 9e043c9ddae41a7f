package ringside

import (
	"encoding/json"
	"fmt"
	"slices"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// Title bouts can be fought in parts, some boxing rounds a turn (rulings 3.5: fight
// mode). Between two of them managers may send new plans; purses, POP, bets, the
// title and all the rest wait for the end. Until then the two box nobody else, and
// stay where they are.

// Unfinished is a bout that goes on.
type Unfinished struct {
	ID     string    `json:"id"` // of its booking
	Bout   bout.Bout `json:"bout"`
	Rounds []Round   `json:"rounds"` // as they were to watch
}

// Stake is a bet on a bout that goes on; it lies with the bank.
type Stake struct {
	Seat  game.SeatID `json:"seat"`
	Bout  string      `json:"bout"`
	On    FighterID   `json:"on"`
	Money Money       `json:"money"`
	With  game.SeatID `json:"with,omitempty"` // "" the bank
}

// part is how many rounds of a bout are fought at a deadline, and whether it may go
// on after them.
func (s *State) part(b Booking) (rounds int, goesOn bool) {
	left := b.Rounds - b.Fought
	if k := s.Settings.Parts; b.Title && k > 0 && k < left {
		return k, true
	}
	return left, false
}

// goesOn reports whether a fighter is in a bout of a card that may go on after it.
func (s *State) goesOn(id FighterID, card []Booking) bool {
	return slices.ContainsFunc(card, func(b Booking) bool {
		_, goesOn := s.part(b)
		return goesOn && b.side(id) >= 0
	})
}

// busy is goesOn for the open card, where a bout does not go on if one of the two
// managers is about to leave: what is published is then fought to its end.
func (t *turn) busy(id FighterID) bool {
	return t.state.Settings.Parts > 0 && slices.ContainsFunc(t.state.Card, func(b Booking) bool {
		if b.side(id) < 0 {
			return false
		}
		_, goesOn := t.part(b)
		return goesOn
	})
}

func (t *turn) part(b Booking) (rounds int, goesOn bool) {
	for _, id := range b.Fighters {
		if _, leaves := t.leaving[t.fighter(id).Manager]; leaves {
			return b.Rounds - b.Fought, false
		}
	}
	return t.state.part(b)
}

// unfinished finds a bout that goes on.
func (s *State) unfinished(id string) (Unfinished, bool) {
	i := slices.IndexFunc(s.Unfinished, func(u Unfinished) bool { return u.ID == id })
	if i < 0 {
		return Unfinished{}, false
	}
	return s.Unfinished[i], true
}

// goOn puts a bout that is not over on the next cards.
func (t *turn) goOn(b Booking, x *bout.Bout, rounds []Round) {
	b.Fought = len(x.Cards)
	t.state.Unfinished = append(t.state.Unfinished, Unfinished{ID: b.ID, Bout: *x, Rounds: rounds})
	t.next = append(t.next, b)
	t.emit(EventBooked, Event{Booking: &b})
}

// FromSchema1 brings a state of schema 1 up to date: two fighters were kept apart for
// three turns then.
func FromSchema1(raw json.RawMessage) (json.RawMessage, error) {
	var state, settings map[string]json.RawMessage
	if err := json.Unmarshal(raw, &state); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(state["settings"], &settings); err != nil {
		return nil, fmt.Errorf("its settings: %w", err)
	}
	settings["rematch"], settings["parts"] = json.RawMessage("3"), json.RawMessage("0")
	var err error
	if state["settings"], err = json.Marshal(settings); err != nil {
		return nil, err
	}
	return json.Marshal(state)
}
