package sugarray

import "ringpost/internal/game"

// ownPart is what the round brought one seat.
func ownPart(st step, seat game.SeatID) (Own, bool) {
	before, was := st.Before.boxer(seat)
	after, is := st.After.boxer(seat)
	if !was && !is {
		return Own{}, false
	}
	o := Own{Round: st.Round, Name: before.Name, Case: "idle", Limit: st.After.Settings.NMRLimit}
	o.Before = before.values()
	if !was {
		o.Name, o.Case, o.Before = after.Name, "joined", after.values()
	}
	o.After = o.Before
	champion := st.Before.Title.Champion
	for _, e := range st.Events {
		switch d := e.Data; e.Code {
		case EventFight:
			if own, other, result, ok := d.Fight.of(seat); ok {
				o.Case = "boxed"
				o.Bout = ownBout(d.Fight, own, other, result)
				o.Bout.Stake = stake(d.Fight, seat == champion)
			}
		case EventTitle:
			o.addTitle(d.Title, seat)
		}
		if e.Data.Seat == seat {
			o.add(e)
			o.After.apply(e)
		}
	}
	return o, true
}

// add takes in an event of the seat's own.
func (o *Own) add(e event) {
	switch d := e.Data; e.Code {
	case EventTransfer:
		o.Transfer = d.Transfer
	case EventTraining:
		o.Drill = d.Drill
	case EventMissed:
		o.Missed = d.Missed.Count
	case EventRemoved:
		o.Case, o.Left = "removed", d.Leave.Reason
	case EventLeft:
		o.Left = d.Leave.Reason
	}
}

// apply changes a boxer's values by an event of his.
func (v *Values) apply(e event) {
	switch d := e.Data; e.Code {
	case EventTransfer:
		v.Technique += d.Transfer.Technique
		v.Condition += d.Transfer.Condition
	case EventTraining:
		if d.Drill.Choice == TrainTech {
			v.Technique += d.Drill.Gain
		} else {
			v.Condition += d.Drill.Gain
		}
	case EventMove:
		v.League = d.Move.To
	}
}

// stake is what a fight was about for one of its boxers.
func stake(f *Fight, champion bool) string {
	switch {
	case f.League != NoLeague:
		return ""
	case f.Vacant:
		return "vacant"
	case champion:
		return "defence"
	}
	return "challenge"
}

func ownBout(f *Fight, own, other Side, result string) *OwnBout {
	how := "points"
	if f.KO {
		how = "ko"
	}
	return &OwnBout{
		Opponent: other.Name, Dummy: other.Seat == "", League: f.League,
		Result: result + "-" + how, Round: f.koRound(), Fatigue: f.Fatigue,
		Own: OffenceSum(own.Orders), Other: OffenceSum(other.Orders),
		Lines: FightLines(*f),
	}
}

// addTitle says what the title bout, or its want, meant for the seat. That a
// champion left afterwards changes nothing about it.
func (o *Own) addTitle(n *TitleNews, seat game.SeatID) {
	switch {
	case n.Code == TitleVacated:
	case n.Champion == seat && n.Before == seat:
		o.Title, o.Defences = "kept", n.Defences
	case n.Champion == seat:
		o.Title = "won"
	case n.Before == seat:
		o.Title = "lost"
	case o.Bout != nil && o.Bout.Stake != "":
		o.Title = "missed"
	}
}
