package ringside

import (
	"slices"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// ownPart is what the turn brought one seat.
func ownPart(st step, seat game.SeatID) (Own, bool) {
	before, after := st.Before.manager(seat), st.After.manager(seat)
	if before < 0 && after < 0 {
		return Own{}, false
	}
	o := Own{Round: st.Round, Case: "played", Limit: st.After.Settings.NMRLimit}
	o.Before, o.After = st.Before.cash(seat), st.After.cash(seat)
	switch {
	case before < 0:
		o.Name, o.Case = st.After.Managers[after].Name, "joined"
	default:
		o.Name = st.Before.Managers[before].Name
	}
	g := gathering{own: &o, seat: seat, who: whois{&st.Before, &st.After}}
	for _, e := range st.Events {
		if e.For == nil || slices.Contains(e.For, seat) {
			g.add(e)
		}
	}
	g.bouts()
	return o, true
}

// gathering puts a seat's own part together from the events it may see.
type gathering struct {
	own    *Own
	seat   game.SeatID
	who    whois
	fought []Bout
	logs   map[string]bout.Log
	used   map[string]Used // by bout and fighter
}

func (g *gathering) add(e event) {
	switch d := e.Data; e.Code {
	case EventMissed:
		if d.Seat == g.seat {
			g.own.Missed = d.Missed.Count
		}
	case EventLeft:
		if d.Seat == g.seat {
			g.own.Case, g.own.Left, g.own.Count = "left", d.Leave.Reason, d.Leave.Count
		}
	case EventBout:
		if d.Bout.Corners[0].Seat == g.seat || d.Bout.Corners[1].Seat == g.seat {
			g.fought = append(g.fought, *d.Bout)
		}
	case EventLog:
		if g.logs == nil {
			g.logs = map[string]bout.Log{}
		}
		g.logs[d.Log.Bout] = d.Log.Log
	case EventPlan:
		if g.used == nil {
			g.used = map[string]Used{}
		}
		g.used[d.Used.Bout+"/"+string(d.Fighter)] = *d.Used
	case EventBet:
		if d.Seat == g.seat {
			g.own.Bets = append(g.own.Bets, *d.Bet)
		}
	case EventIdle:
		v := IdleView{Name: d.Name, Why: d.Idle.Why, Turn: d.Idle.Turn}
		for _, id := range d.Idle.Rivals[:min(len(d.Idle.Rivals), mostRivals)] {
			v.Rivals = append(v.Rivals, g.who.rival(id))
		}
		g.own.Idle = append(g.own.Idle, v)
	case EventChallenge:
		if v, ok := g.who.after.challengeView(*d.Challenge, g.seat); ok {
			g.own.Challenges = append(g.own.Challenges, v)
		}
	case EventRefused:
		s := g.who.before
		if s.Version == 0 {
			s = g.who.after
		}
		g.own.Refused = append(g.own.Refused, RefusalView{De: s.text(d.Refusal.Wish, conditions.German), En: s.text(d.Refusal.Wish, conditions.English),
			Key: d.Refusal.Wish.Do.keyword(), Refusal: *d.Refusal})
	case EventMoney:
		for _, x := range d.Entries {
			g.ledger(x)
		}
	}
}

// ledger enters what moved on the seat's own ledger.
func (g *gathering) ledger(x Entry) {
	mine := Account(g.seat)
	l := LedgerLine{Amount: x.Amount, Why: x.Why}
	other := x.From
	switch {
	case x.From == mine:
		l.Amount, other = -x.Amount, x.To
	case x.To != mine:
		return
	}
	if l.With = g.who.fighter(FighterID(other)); l.With == "" {
		l.With = g.who.manager(game.SeatID(other))
	}
	g.own.Ledger = append(g.own.Ledger, l)
}

// bouts tells each bout of the seat's fighters, from the side of each of them.
func (g *gathering) bouts() {
	for _, b := range g.fought {
		for i, c := range b.Corners {
			if c.Seat == g.seat {
				g.own.Bouts = append(g.own.Bouts, g.bout(b, i))
			}
		}
	}
}

func (g *gathering) bout(b Bout, side int) OwnBout {
	o := OwnBout{Booking: b.Booking, Own: b.Corners[side], Other: b.Corners[1-side], Side: bout.Side(side),
		Result: b.Result, From: b.From, Cards: b.Cards, Rounds: b.Rounds, Log: withoutChoices(g.logs[b.Booking.ID])}
	o.Course = course(o.Log, [2]string{b.Corners[0].Name, b.Corners[1].Name}, scenes(&b)[b.From].came, g.who.after.Settings.Ring, b.Cards)
	o.Outcome = o.Own.Result
	switch {
	case b.Result.Method == bout.Undecided:
		o.Outcome = "open"
	case o.Outcome != Tied:
		o.Outcome += "-" + string(b.Result.Method)
	}
	points := total(b.Cards)
	o.Points = [2]int{points[side], points[1-side]}
	if u, ok := g.used[b.Booking.ID+"/"+string(o.Own.Fighter)]; ok {
		o.Plan, o.Standing = linesOf(u.Plan, u.Fired), u.Standing
	}
	return o
}

// withoutChoices is a log without the dice by which punches and guards were chosen.
func withoutChoices(log bout.Log) bout.Log {
	out := slices.Clone(log)
	for i := range out {
		if out[i].Kind == bout.Blow {
			out[i].Both = [2]int16{}
		}
	}
	return out
}
