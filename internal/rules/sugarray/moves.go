package sugarray

import "ringpost/internal/game"

// titleBout is the round's title bout, nil without one.
func (t *turn) titleBout() *bout {
	if len(t.bouts) > 0 && t.bouts[0].League == NoLeague {
		return &t.bouts[0]
	}
	return nil
}

// nextChampion is who holds the title after the fights: only the winner of a
// title bout can take it, and the dummy never does.
func (t *turn) nextChampion() game.SeatID {
	f := t.titleBout()
	if f == nil || f.Code == CodeDraw {
		return t.state.Title.Champion
	}
	return f.First.Seat
}

// moves promotes winners and relegates losers, all by the old tables (SR-19),
// and passes on the title.
func (t *turn) moves() {
	t.title()
	for _, f := range t.bouts {
		if f.League == NoLeague || f.Code == CodeDraw { // SR-20
			continue
		}
		t.move(f.first, max(f.League-1, TopLeague))
		t.move(f.second, min(f.League+1, BottomLeague))
	}
}

// move puts a boxer into a league; staying is no news and no new service.
func (t *turn) move(i, league int) {
	if i < 0 || t.state.Boxers[i].League == league {
		return
	}
	b := &t.state.Boxers[i]
	m := Move{From: b.League, To: league}
	b.League, b.LeagueSince = league, t.state.Round
	t.emitOf(b, EventMove, Event{Move: &m})
}

// title settles the title bout. A challenger or contender who loses goes to
// league 2, a champion who loses to league 1 (SR-21, SR-22, SR-26).
func (t *turn) title() {
	f := t.titleBout()
	if f == nil {
		if t.state.Card.Idle && t.state.Title.Champion != "" {
			t.news(TitleNews{Code: TitleIdle, Before: t.state.Title.Champion})
		}
		return
	}
	before := t.state.Title.Champion
	news := TitleNews{Before: before, Rival: f.Second.Seat}
	switch {
	case f.Code == CodeDraw && before == "":
		news.Code = TitleOpen
	case f.Code == CodeDraw || f.First.Seat == before && before != "":
		news.Code = TitleDefended
		if news.Rival == before {
			news.Rival = f.First.Seat // a draw is printed in alphabetical order
		}
		t.move(t.find(news.Rival), TopLeague+1)
		t.holder().Record.Defences++
		t.state.Title.Defences++
	case before == "" && f.First.Seat == "":
		news.Code = TitleOpen
		t.move(f.second, TopLeague+1)
	case before == "":
		news.Code = TitleFilled
		t.crown(f.first)
		t.move(f.second, TopLeague+1)
	case f.First.Seat == "":
		news.Code, news.Rival = TitleLost, ""
		t.state.Title = Title{}
		t.move(f.second, TopLeague)
	default:
		news.Code = TitleWon
		t.crown(f.first)
		t.move(f.second, TopLeague)
	}
	t.news(news)
}

// holder is the champion.
func (t *turn) holder() *Boxer { return &t.state.Boxers[t.find(t.state.Title.Champion)] }

func (t *turn) crown(i int) {
	t.state.Title = Title{Champion: t.state.Boxers[i].Seat}
	t.state.Boxers[i].Record.Titles++
	t.move(i, NoLeague)
}

// news tells of the title as it stands now.
func (t *turn) news(n TitleNews) {
	n.Champion, n.Defences = t.state.Title.Champion, t.state.Title.Defences
	t.emit(EventTitle, Event{Title: &n})
}
