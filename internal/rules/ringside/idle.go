package ringside

import (
	"cmp"
	"slices"
)

// Idle says why a fighter has no bout on the next cards, as far as it follows from
// what everybody knows and his own manager has sent.
type Idle struct {
	Why string `json:"why"`
	// Rivals have none either, and could be challenged: the nearest POP first.
	Rivals []FighterID `json:"rivals,omitempty"`
	// Turn is the first one for whose cards the matchmaker may pair him with one of
	// them again.
	Turn int `json:"turn,omitempty"`
}

// Why there is no bout.
const (
	IdleRest     = "rest"     // his manager wanted it
	IdleChampion = "champion" // he waits: his manager has not opened him
	IdleNobody   = "nobody"   // a champion without anybody to challenge him
	IdleAlone    = "alone"    // no other manager has a fighter of his class
	IdleOdd      = "odd"      // all others have a bout
	IdleLately   = "lately"   // he has met all who are free not long ago (RSC-24)
	IdleLeast    = "least"    // none who is free has the POP his manager asks for
	IdleOther    = "other"    // none who is free suited
)

// Idles lists why there is no bout, for the words.
func Idles() []string {
	return []string{IdleRest, IdleChampion, IdleNobody, IdleAlone, IdleOdd, IdleLately, IdleLeast, IdleOther}
}

// tellIdle tells every manager why fighters of his have no bout on the next cards,
// those aside who leave, or who may still be in the middle of one.
func (t *turn) tellIdle() {
	for i := range t.state.Fighters {
		f := &t.state.Fighters[i]
		if _, leaves := t.leaving[f.home()]; leaves || f.Leaving || t.booked.booked[f.ID] || t.busy(f.ID) {
			continue
		}
		idle := t.idle(f)
		t.emit(EventIdle, Event{Fighter: f.ID, Name: f.Name, Seat: f.home(), Idle: &idle}, f.home())
	}
}

func (t *turn) idle(f *Fighter) Idle {
	least, open := t.booked.open[f.ID]
	champion := t.state.champion(f)
	var strangers, free, fresh, strong int
	var idle Idle
	var rivals []*Fighter
	for i := range t.state.Fighters {
		o := &t.state.Fighters[i]
		if o.Class != f.Class || o.home() == f.home() || o.Leaving {
			continue
		}
		strangers++
		if t.booked.booked[o.ID] || t.busy(o.ID) {
			continue
		}
		rivals = append(rivals, o)
		free++
		again := t.booked.met[couple(f.ID, o.ID)] + t.state.Settings.Rematch + 1
		if idle.Turn == 0 || again < idle.Turn {
			idle.Turn = again
		}
		fresh += flag(!t.lately(f, o))
		strong += flag(t.state.pop(o) >= least)
	}
	slices.SortStableFunc(rivals, func(a, b *Fighter) int {
		return cmp.Compare(distance(t.state.pop(a), t.state.pop(f)), distance(t.state.pop(b), t.state.pop(f)))
	})
	for _, o := range rivals {
		idle.Rivals = append(idle.Rivals, o.ID)
	}
	switch {
	case t.booked.resting[f.ID]:
		idle.Why = IdleRest
	case strangers == 0:
		idle.Why = IdleAlone
	case champion && !open:
		idle.Why = IdleChampion
	case champion:
		idle.Why = IdleNobody
	case free == 0:
		idle.Why = IdleOdd
	case fresh == 0:
		idle.Why = IdleLately
	case strong == 0:
		idle.Why = IdleLeast
	default:
		idle.Why = IdleOther
	}
	if idle.Why != IdleLately {
		idle.Turn = 0
	}
	return idle
}
