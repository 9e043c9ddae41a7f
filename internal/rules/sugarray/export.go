package sugarray

import (
	"strconv"

	"ringpost/internal/game"
)

// Export is a round in figures, for anyone who wants to check or count. Boxers
// are in order of entry; whoever entered or left with the round is among them.
// A missing figure means that there is none: a boxer who entered has no values
// before, one without a bout no fight.
type Export struct {
	Round  int           `json:"round"` // 0: the draw at the start
	Boxers []ExportBoxer `json:"boxers"`
	Title  ExportTitle   `json:"title"`
	Lots   []ExportLot   `json:"lots"` // every die but those of training, which stand with their boxers
	Next   []ExportBout  `json:"next"`
}

// ExportBoxer is a boxer's round.
type ExportBoxer struct {
	Seat   game.SeatID   `json:"seat"`
	Name   string        `json:"name"`
	Before *ExportValues `json:"before,omitempty"`
	After  *ExportValues `json:"after,omitempty"`
	Fight  *ExportFight  `json:"fight,omitempty"`
	// NMR is true when he had a bout and sent no orders.
	NMR bool `json:"nmr"`
	// Training is his choice (T, K or none), Die his die (1 to 5, thrown whatever
	// he chose), Trained what it gained him, Untrained why it was nothing: "nmr",
	// "none" (no training ordered) or "champion".
	Training  Training `json:"training,omitempty"`
	Die       int      `json:"die,omitempty"`
	Trained   int64    `json:"trained,omitempty"`
	Untrained string   `json:"untrained,omitempty"`
	// Left is why he left the game with this round: "wish", "gm", "nmr".
	Left string `json:"left,omitempty"`
}

// ExportValues are a boxer's league (0: champion) and values.
type ExportValues struct {
	League    int   `json:"league"`
	Technique int64 `json:"technique"`
	Condition int64 `json:"condition"`
}

// ExportFight is a fight as one boxer boxed it.
type ExportFight struct {
	League       int                `json:"league"`                  // 0: for the title
	Opponent     string             `json:"opponent"`                // "Dummy" for the imaginary one
	OpponentSeat game.SeatID        `json:"opponent_seat,omitempty"` // none for the dummy
	Orders       [BoxingRounds]Pair `json:"orders"`                  // "o/d"; of an NMR 0/0
	// OpponentOrders are the other's: the dummy stands nowhere else.
	OpponentOrders [BoxingRounds]Pair `json:"opponent_orders"`
	// Conditions are his at the end of each boxing round boxed, one to five;
	// below 1 he is knocked out. OpponentConditions are the other's.
	Conditions         []int64 `json:"conditions"`
	OpponentConditions []int64 `json:"opponent_conditions"`
	Code               string  `json:"code"`   // PS points, KO, U draw
	Result             string  `json:"result"` // "won", "lost", "drawn"
}

// ExportTitle is the championship.
type ExportTitle struct {
	Before game.SeatID `json:"champion_before,omitempty"`
	After  game.SeatID `json:"champion_after,omitempty"`
	// Challenger is who was to box the champion. For a vacant title there are
	// two contenders, the other being Contender.
	Challenger game.SeatID `json:"challenger,omitempty"`
	Contender  game.SeatID `json:"contender,omitempty"`
	// News is what became of the title: "won", "defended", "filled" (it was
	// vacant), "open" (it stays vacant), "lost" (to the dummy), "idle" (nobody to
	// box), "vacated" (the champion left); several in the order they happened.
	News []string `json:"news,omitempty"`
}

// ExportLot is a decision by dice, in the order the rules take them.
type ExportLot struct {
	// Stream is the name of the stream below the round: "draw/3", "challenger",
	// "dummy/s7".
	Stream string        `json:"stream"`
	Dice   []int         `json:"dice,omitempty"`  // as thrown; a lot among one needs none
	Order  []game.SeatID `json:"order,omitempty"` // what they decided: a league shuffled, or who was chosen
}

// ExportBout is a bout of the next round; league 0 is for the title, no B means
// the dummy.
type ExportBout struct {
	League int         `json:"league"`
	A      game.SeatID `json:"a"`
	B      game.SeatID `json:"b,omitempty"`
}

// NewExport puts a step into figures.
func NewExport(st game.Step[State, Event]) Export {
	x := Export{
		Round:  st.Round,
		Boxers: []ExportBoxer{}, Lots: []ExportLot{}, Next: []ExportBout{},
		Title: ExportTitle{
			Before: st.Before.Title.Champion, After: st.After.Title.Champion,
			Challenger: st.Before.Card.title().B,
		},
	}
	if x.Title.Before == "" {
		x.Title.Contender = st.Before.Card.title().A
	}
	index := map[game.SeatID]int{}
	for _, b := range st.Before.Boxers {
		index[b.Seat] = len(x.Boxers)
		v := ExportValues(b.values())
		after := v
		x.Boxers = append(x.Boxers, ExportBoxer{Seat: b.Seat, Name: b.Name, Before: &v, After: &after})
	}
	for _, e := range st.Events {
		if e.Code == EventJoined {
			index[e.Data.Seat] = len(x.Boxers)
			v := ExportValues(*e.Data.Entry)
			x.Boxers = append(x.Boxers, ExportBoxer{Seat: e.Data.Seat, Name: e.Data.Name, After: &v})
		}
	}
	for _, e := range st.Events {
		x.add(e)
		if i, ok := index[e.Data.Seat]; ok {
			x.Boxers[i].add(e)
		}
		if f := e.Data.Fight; f != nil {
			for _, seat := range []game.SeatID{f.First.Seat, f.Second.Seat} {
				if i, ok := index[seat]; ok {
					x.Boxers[i].addFight(f)
				}
			}
		}
	}
	for _, p := range st.After.Card.Bouts {
		x.Next = append(x.Next, ExportBout(p))
	}
	return x
}

// add takes in what is no boxer's own.
func (x *Export) add(e event) {
	switch d := e.Data; e.Code {
	case EventFight:
		for _, sides := range [][2]Side{{d.Fight.First, d.Fight.Second}, {d.Fight.Second, d.Fight.First}} {
			if dummy, boxer := sides[0], sides[1]; dummy.Seat == "" {
				x.Lots = append(x.Lots, ExportLot{Stream: "dummy/" + string(boxer.Seat), Dice: dummy.Dice})
			}
		}
	case EventTitle:
		x.Title.News = append(x.Title.News, d.Title.Code)
	case EventChallenger:
		x.Lots = append(x.Lots, ExportLot{Stream: "challenger", Dice: d.Lot.Dice, Order: d.Lot.Order})
	case EventDraw:
		x.Lots = append(x.Lots, ExportLot{Stream: "draw/" + strconv.Itoa(d.Lot.League), Dice: d.Lot.Dice, Order: d.Lot.Order})
	}
}

// add takes in an event of the boxer's own.
func (b *ExportBoxer) add(e event) {
	(*Values)(b.After).apply(e)
	switch d := e.Data; e.Code {
	case EventTraining:
		b.Training, b.Die, b.Trained, b.Untrained = d.Drill.Choice, d.Drill.Die, d.Drill.Gain, d.Drill.Why
	case EventRemoved, EventLeft:
		b.Left = d.Leave.Reason
	}
}

func (b *ExportBoxer) addFight(f *Fight) {
	own, other, result, _ := f.of(b.Seat)
	b.NMR = own.NMR
	b.Fight = &ExportFight{
		League: f.League, Opponent: other.Name, OpponentSeat: other.Seat,
		Orders: own.Orders, OpponentOrders: other.Orders,
		Conditions: own.Conditions, OpponentConditions: other.Conditions,
		Code: f.Code, Result: result,
	}
}
