package sugarray

import (
	"fmt"
	"slices"

	"ringpost/internal/game"
)

// removals takes out whom the game master removed before the fights (SR-34).
func (t *turn) removals() {
	for _, l := range t.in.Leaves {
		if l.Now {
			t.leave(l.Seat, EventRemoved, Leave{Reason: LeftGM})
		}
	}
}

// misses counts NMRs in a row for those who had a bout: who owes nothing misses
// nothing (G-14).
func (t *turn) misses() {
	boxing := t.state.Card.seats()
	for i := range t.state.Boxers {
		b := &t.state.Boxers[i]
		if !boxing[b.Seat] {
			continue
		}
		if _, ok := t.orders[b.Seat]; ok {
			b.Missed = 0
			continue
		}
		b.Missed++
		t.emitOf(b, EventMissed, Event{Missed: &Missed{Count: b.Missed, Limit: t.state.Settings.NMRLimit}})
	}
}

// exits lets go who wished to leave, and who missed too many moves (G-10).
func (t *turn) exits() {
	for _, l := range t.in.Leaves {
		if !l.Now {
			t.leave(l.Seat, EventLeft, Leave{Reason: LeftWish})
		}
	}
	limit := t.state.Settings.NMRLimit
	if limit == 0 {
		return
	}
	for _, b := range slices.Clone(t.state.Boxers) {
		if b.Missed >= limit {
			t.leave(b.Seat, EventLeft, Leave{Reason: LeftNMR, Count: b.Missed})
		}
	}
}

// leave takes a boxer out; one who is gone already is not missed.
func (t *turn) leave(seat game.SeatID, code string, l Leave) {
	i := t.find(seat)
	if i < 0 {
		return
	}
	b := t.state.Boxers[i]
	l.League = b.League
	t.state.Boxers = slices.Delete(t.state.Boxers, i, i+1)
	t.reindex()
	t.emitOf(&b, code, Event{Leave: &l})
	if t.state.Title.Champion == seat {
		t.state.Title = Title{} // SR-27
		t.news(TitleNews{Code: TitleVacated, Before: seat})
	}
}

// entries lets in who joined: league 4, at the mean of that league as it stands
// before any of them (SR-32), or as their traits say.
func (t *turn) entries() error {
	v := t.entryValues()
	for _, seat := range t.in.Joins {
		if slices.ContainsFunc(t.in.Leaves, func(l game.Leave) bool { return l.Seat == seat.ID }) {
			continue // thought better of it before the first bell
		}
		if t.state.at(seat.ID) >= 0 {
			return fmt.Errorf("seat %s joins and is there already", seat.ID)
		}
		b := newBoxer(seat, v, t.state.Round)
		if b.League == NoLeague && t.state.Title.Champion != "" {
			b.League = TopLeague // there is one champion only
		}
		if b.League == NoLeague {
			t.state.Title = Title{Champion: b.Seat}
		}
		t.enter(b)
	}
	return nil
}

func (t *turn) enter(b Boxer) {
	t.state.Boxers = append(t.state.Boxers, b)
	t.emitOf(&b, EventJoined, Event{Entry: &Entry{League: b.League, Technique: b.Technique, Condition: b.Condition}})
}

// entryValues are the arithmetic means of the lowest league that has boxers,
// rounded half up; (10,20) when there are none (SR-32).
func (t *turn) entryValues() Values {
	v := Values{League: BottomLeague, Technique: 10, Condition: 20}
	for league := BottomLeague; league >= TopLeague; league-- {
		var n, technique, condition int64
		for _, b := range t.state.Boxers {
			if b.League == league {
				n, technique, condition = n+1, technique+b.Technique, condition+b.Condition
			}
		}
		if n > 0 {
			v.Technique, v.Condition = (2*technique+n)/(2*n), (2*condition+n)/(2*n)
			break
		}
	}
	return v
}
