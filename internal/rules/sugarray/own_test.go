package sugarray

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ringpost/internal/game"
)

// TestOwnPart: what a round meant for one boxer.
func TestOwnPart(t *testing.T) {
	const still, jab, storm = "0/0 0/0 0/0 0/0 0/0", "1/0 0/0 0/0 0/0 0/0", "5/0 5/0 5/0 5/0 5/0"
	champion := fixed(t) // Müller is champion, Maier his challenger, Ali meets the dummy
	for _, c := range []struct {
		name   string
		orders map[game.SeatID]Orders
		leaves []game.Leave
		seat   game.SeatID
		want   Own
	}{
		{"the title kept",
			map[game.SeatID]Orders{"s1": {Pairs: pairs(t, jab), Training: TrainTech}, "s2": {Pairs: pairs(t, still)}}, nil, "s1",
			Own{Name: "Müller", Case: "boxed", Title: "kept", Defences: 1,
				Bout:   &OwnBout{Opponent: "Maier", Stake: "defence", Result: "won-points", Own: 1},
				Before: Values{0, 10, 20}, After: Values{0, 10, 21},
				Transfer: &Transfer{Condition: 1}, Drill: &Drill{Choice: TrainTech, Die: 1, Why: WhyChampion}}},
		{"the title missed",
			map[game.SeatID]Orders{"s1": {Pairs: pairs(t, jab)}, "s2": {Pairs: pairs(t, still), Training: TrainCond}}, nil, "s2",
			Own{Name: "Maier", Case: "boxed", Title: "missed",
				Bout:   &OwnBout{Opponent: "Müller", Stake: "challenge", Result: "lost-points", Other: 1},
				Before: Values{1, 10, 20}, After: Values{2, 10, 20},
				Transfer: &Transfer{Condition: -1}, Drill: &Drill{Choice: TrainCond, Die: 1, Gain: 1}}},
		{"the title won",
			map[game.SeatID]Orders{"s1": {Pairs: pairs(t, still)}, "s2": {Pairs: pairs(t, storm), Training: TrainTech}}, nil, "s2",
			Own{Name: "Maier", Case: "boxed", Title: "won",
				Bout:   &OwnBout{Opponent: "Müller", Stake: "challenge", Result: "won-ko", Round: 2, Own: 25},
				Before: Values{1, 10, 20}, After: Values{0, 12, 20},
				Transfer: &Transfer{Technique: 1}, Drill: &Drill{Choice: TrainTech, Die: 1, Gain: 1}}},
		{"the title lost, for want of orders",
			map[game.SeatID]Orders{"s2": {Pairs: pairs(t, storm)}}, nil, "s1",
			Own{Name: "Müller", Case: "boxed", Title: "lost", Missed: 1,
				Bout:   &OwnBout{Opponent: "Maier", Stake: "defence", Result: "lost-ko", Round: 2, Other: 25},
				Before: Values{0, 10, 20}, After: Values{1, 9, 20},
				Transfer: &Transfer{Technique: -1}, Drill: &Drill{Die: 1, Why: WhyChampion}}},
		{"knocked out by his own zeal, and leaving",
			map[game.SeatID]Orders{"s4": {Pairs: pairs(t, "9/9 0/0 0/0 0/0 0/0")}}, []game.Leave{{Seat: "s4"}}, "s4",
			Own{Name: "Zoë", Case: "boxed", Left: LeftWish,
				Bout:   &OwnBout{Opponent: "O'Hara", League: 3, Result: "lost-ko", Round: 1, Fatigue: true, Own: 9},
				Before: Values{3, 10, 20}, After: Values{4, 9, 20},
				Transfer: &Transfer{Technique: -1}, Drill: &Drill{Die: 1, Why: WhyNone}}},
		{"a draw with the dummy",
			map[game.SeatID]Orders{"s3": {Pairs: pairs(t, still)}}, nil, "s3",
			Own{Name: "Ali", Case: "boxed",
				Bout:   &OwnBout{Opponent: DummyName, Dummy: true, League: 3, Result: "drawn-points"},
				Before: Values{3, 10, 20}, After: Values{3, 10, 20},
				Drill: &Drill{Die: 1, Why: WhyNone}}},
		{"taken out before the bell", nil, []game.Leave{{Seat: "s3", Now: true}}, "s3",
			Own{Name: "Ali", Case: "removed", Left: LeftGM, Before: Values{3, 10, 20}, After: Values{3, 10, 20}}},
	} {
		in := game.Inputs[Orders]{Leaves: c.leaves}
		for _, b := range champion.Boxers {
			if o, ok := c.orders[b.Seat]; ok {
				in.Orders = append(in.Orders, game.Order[Orders]{Seat: b.Seat, Slot: Slot, Orders: o})
			}
		}
		after, events, err := New().Advance(champion, in, ones(1))
		if err != nil {
			t.Fatal(err)
		}
		c.want.Round, c.want.Limit = 1, 3
		got, ok := ownPart(step{Round: 1, Before: champion, After: after, Events: events}, c.seat)
		if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(OwnBout{}, "Lines")); diff != "" || !ok {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// TestOwnPartOfANewcomer and of a champion without a bout.
func TestOwnPartWithoutABout(t *testing.T) {
	l := newLeague(t, 2, 1, nil)
	st := l.close(t, game.Inputs[Orders]{Joins: []game.Seat{{ID: "s9", Name: "Neu"}}})
	own, _ := ownPart(st, "s9")
	if own.Case != "joined" || own.Name != "Neu" || own.After != (Values{4, 10, 20}) || own.Bout != nil {
		t.Errorf("a newcomer: %+v", own)
	}
	s, _, err := New().Setup(nil, []game.Seat{{ID: "s1", Name: "A", Traits: game.Settings{"league": "0"}}, {ID: "s2", Name: "B"}}, ones(0))
	if err != nil {
		t.Fatal(err)
	}
	after, events, err := New().Advance(s, game.Inputs[Orders]{}, ones(1))
	if err != nil {
		t.Fatal(err)
	}
	own, _ = ownPart(step{Round: 1, Before: s, After: after, Events: events}, "s1")
	if own.Case != "idle" || own.Bout != nil || own.Missed != 0 || own.Moved() != "" {
		t.Errorf("a champion without a bout: %+v", own)
	}
}
