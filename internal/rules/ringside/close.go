package ringside

import (
	"slices"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// titles settles the title bouts (RSC-9).
func (t *turn) titles() {
	for _, x := range t.fought {
		if x.Title {
			t.settleTitle(x)
		}
	}
}

// lapses takes titles from those who did not defend them in time (RSC-9).
func (t *turn) lapses() {
	for i := range t.state.Titles {
		title := &t.state.Titles[i]
		if title.Champion == "" || title.By > t.state.Round || t.defending(title) {
			continue
		}
		f := t.fighter(title.Champion)
		t.news(TitleNews{Class: title.Class, Code: TitleLapsed, Before: f.ID, Loser: f.Name})
		*title = Title{Class: title.Class}
	}
}

// defending reports whether a champion is in the middle of a title bout.
func (t *turn) defending(title *Title) bool {
	return slices.ContainsFunc(t.next, func(b Booking) bool { return b.Title && b.Class == title.Class && b.Fought > 0 })
}

func (t *turn) settleTitle(x fought) {
	title := t.state.title(x.Class)
	first, second := t.fighter(x.Fighters[0]), t.fighter(x.Fighters[1])
	n := TitleNews{Class: x.Class, Before: title.Champion}
	switch {
	case x.Vacant && x.result.Winner == bout.Neither:
		n.Code, n.Name, n.Rival = TitleOpen, first.Name, second.Name
	case x.Vacant:
		winner, loser := first, second
		if x.result.Winner == bout.Second {
			winner, loser = second, first
		}
		n.Code, n.Name, n.Rival = TitleFilled, winner.Name, loser.Name
		t.crown(title, winner)
	case x.result.Winner == bout.Second:
		n.Code, n.Name, n.Loser = TitleWon, second.Name, first.Name
		t.crown(title, second)
	default:
		n.Code, n.Name, n.Rival = TitleDefended, first.Name, second.Name
		title.Defences++
		title.By = t.state.Round + t.state.Settings.Defence
		first.Record.Defences++
		n.Defences = title.Defences
	}
	n.Champion = title.Champion
	t.news(n)
}

func (t *turn) crown(title *Title, f *Fighter) {
	*title = Title{Class: title.Class, Champion: f.ID, Since: t.state.Round, By: t.state.Round + t.state.Settings.Defence}
	f.Record.Titles++
}

func (t *turn) news(n TitleNews) { t.emit(EventTitle, Event{Title: &n}) }

// exits lets go who retired and who left, and hands over who was sold. What is in
// their ledgers goes with them.
func (t *turn) exits() {
	fighters := map[game.SeatID][]FighterID{}
	for i := range t.state.Fighters {
		f := &t.state.Fighters[i]
		if f.Going != "" { // his plan stays with him who made it
			f.Manager, f.Going, f.Plan = f.Going, "", nil
		}
		if _, leaves := t.leaving[f.Manager]; leaves {
			f.Leaving = true
			fighters[f.Manager] = append(fighters[f.Manager], f.ID)
		}
		if !f.Leaving {
			continue
		}
		t.pay(Account(f.ID), AwayAccount, f.Share, ForFarewell)
		if title := t.state.title(f.Class); title.Champion == f.ID {
			t.news(TitleNews{Class: f.Class, Code: TitleVacated, Before: f.ID, Loser: f.Name})
			*title = Title{Class: f.Class}
		}
	}
	for _, m := range t.state.Managers {
		if l, leaves := t.leaving[m.Seat]; leaves {
			l.Fighters = fighters[m.Seat]
			t.returnBets(m.Seat)
			t.pay(Account(m.Seat), AwayAccount, t.manager(m.Seat).Cash, ForFarewell)
			t.emit(EventLeft, Event{Seat: m.Seat, Name: m.Name, Leave: &l})
		}
	}
	t.state.Fighters = slices.DeleteFunc(t.state.Fighters, func(f Fighter) bool { return f.Leaving })
	t.state.Managers = slices.DeleteFunc(t.state.Managers, func(m Manager) bool {
		_, leaves := t.leaving[m.Seat]
		return leaves
	})
}

// newCuts renegotiates what is due after every tenth bout (RSC-15).
func (t *turn) newCuts() {
	for i := range t.state.Fighters {
		f := &t.state.Fighters[i]
		n := f.Record.Bouts()
		if n/10 == (n-t.boxed[f.ID])/10 {
			continue
		}
		s := t.stream("cut", string(f.ID))
		c := NewCut{Die: s.Uniform(20), Before: f.Cut}
		c.After = nextCut(c.Die, f.Record)
		f.Cut = c.After
		t.emitOf(f, EventCut, Event{Cut: &c})
	}
}

// tellMoney tells all entries of the turn.
func (t *turn) tellMoney() {
	if len(t.entries) > 0 {
		t.emit(EventMoney, Event{Entries: t.entries})
	}
}
