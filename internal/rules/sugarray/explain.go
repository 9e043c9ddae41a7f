package sugarray

import "ringpost/internal/game"

// Explain foretells what a seat's orders cost: fatigue and condition of each
// boxing round. The opponent's blows are not known, and not shown.
func (Rules) Explain(s State, seat game.SeatID, slips []game.Slip[Orders]) game.View {
	var p Preview
	b, ok := s.boxer(seat)
	for _, slip := range slips {
		if ok && slip.Slot == Slot {
			p = preview(b, slip.Orders)
		}
	}
	_, boxing := s.Card.bout(seat)
	p.Idle = ok && !boxing
	return game.View{Template: "preview", Data: func() any { return p }}
}

func preview(b Boxer, o Orders) Preview {
	p := Preview{Technique: b.Technique, Condition: b.Condition, Offence: OffenceSum(o.Pairs)}
	left := b.Condition
	for i, pair := range o.Pairs {
		fatigue := Fatigue(pair, b.Technique)
		left -= Loss(fatigue)
		p.Rounds = append(p.Rounds, PreviewRound{
			Round: i + 1, Pair: pair.String(), Fatigue: fatigue, Loss: Loss(fatigue), Condition: left,
		})
		if left < 1 {
			p.KO = i + 1
			break
		}
	}
	return p
}
