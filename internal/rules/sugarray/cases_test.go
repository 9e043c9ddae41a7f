package sugarray

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/rules/casetest"
)

const caseFiles = "../../../testdata/sugarray/*.txt"

// TestCases runs the case files; testdata/sugarray/README.md says how they are
// written.
func TestCases(t *testing.T) { casetest.Run(t, caseFiles, play) }

func TestEveryRulingHasACase(t *testing.T) { casetest.EveryRuling(t, caseFiles, "sr", 39) }

// table is one case being played.
type table struct {
	casetest.Player
	settings game.Settings
	seats    []game.Seat
	started  bool
	state    State
	events   []game.Event[Event]
	step     step
	in       game.Inputs[Orders]
	dice     *casetest.Script
	slips    map[game.SeatID][]game.Slip[Orders]
	issues   map[game.SeatID][]game.Issue
	checks   int
}

func play(t *testing.T, c casetest.Case) {
	p := &table{
		Player: casetest.Player{T: t}, settings: game.Settings{}, dice: casetest.NewScript(),
		slips: map[game.SeatID][]game.Slip[Orders]{}, issues: map[game.SeatID][]game.Issue{},
	}
	for _, l := range c.Lines {
		p.Line = l
		p.play()
	}
	if p.checks == 0 {
		t.Error("the case checks nothing")
	}
	if t.Failed() {
		for _, e := range p.events {
			text, _ := json.Marshal(e)
			t.Logf("%s", text)
		}
	}
}

// play carries out one line.
func (p *table) play() {
	switch p.Line.Word {
	case "set":
		maps.Copy(p.settings, p.KeyValues(p.Line.Args))
		if err := p.settings.Check(New().About().Game); err != nil {
			p.Stop("%v", err)
		}
	case "boxer", "join":
		s := game.Seat{ID: game.SeatID(fmt.Sprintf("s%d", len(p.seats)+1)), Name: p.Line.Args[0]}
		if len(p.Line.Args) > 1 {
			s.Traits = p.KeyValues(p.Line.Args[1:])
		}
		if err := s.Traits.Check(New().About().Seat); err != nil {
			p.Stop("%v", err)
		}
		p.seats = append(p.seats, s)
		if p.Line.Word == "join" {
			p.start()
			p.in.Joins = append(p.in.Joins, s)
		}
	case "dice":
		p.dice.Set(p.streamName(p.Line.Args[0]), p.Line.Args[1:])
	default:
		p.start()
		p.act()
	}
}

// start sets the league up before the first line that needs it.
func (p *table) start() {
	if p.started {
		return
	}
	p.started = true
	seats := p.seats
	if p.Line.Word == "join" {
		seats = seats[:len(seats)-1]
	}
	state, events, err := New().Setup(p.settings, seats, p.dice.Round("sugarray", 0, nil))
	if err != nil {
		p.Stop("%v", err)
	}
	p.state, p.events = state, events
	p.step = step{Round: 0, After: state, Events: events}
}

func (p *table) act() {
	a := p.Line.Args
	switch p.Line.Word {
	case "start": // the case wants no more than the setup
	case "card":
		p.card()
	case "round":
		p.state.Round = p.Num(a[0])
	case "orders":
		p.order()
	case "leave", "remove":
		p.in.Leaves = append(p.in.Leaves, game.Leave{Seat: p.seat(a[0]), Now: p.Line.Word == "remove"})
	case "close":
		p.close()
	default:
		p.checks++
		p.check()
	}
}

func (p *table) close() {
	before := p.state
	dice := p.dice.Round("sugarray", p.state.Round, nil)
	state, events, err := New().Advance(p.state, p.in, dice)
	if err != nil {
		p.Stop("%v", err)
	}
	if left := dice.Unused(); left != "" {
		p.Stop("dice set and not thrown: %s", left)
	}
	p.state, p.events = state, events
	p.step = step{Round: before.Round, Before: before, After: state, Events: events}
	p.in = game.Inputs[Orders]{}
	p.dice = casetest.NewScript()
}

// card adds to the bouts of the open round; the first such line after a close
// (or the setup) replaces what was drawn.
func (p *table) card() {
	a := p.Line.Args
	if a[0] == "new" {
		p.state.Card = Card{}
		return
	}
	b := Pairing{League: p.league(a[0]), A: p.seat(a[1])}
	if a[2] != "dummy" {
		b.B = p.seat(a[2])
	}
	p.state.Card.Bouts = append(p.state.Card.Bouts, b)
}

func (p *table) order() {
	lines := []orders.Line{{N: 1, Text: "NAME " + p.Line.Args[0]}}
	for i, text := range p.Line.Text {
		lines = append(lines, orders.Line{N: i + 2, Text: text})
	}
	text := orders.Parse(lines)
	if len(text.Blocks) != 1 {
		p.Stop("the lines hold %d blocks", len(text.Blocks))
	}
	seat, ok := New().Owner(p.state, text.Blocks[0].Name)
	if !ok {
		p.Stop("nobody is called %q", text.Blocks[0].Name)
	}
	slips, issues := New().Read(p.state, seat, text.Blocks[0])
	p.slips[seat], p.issues[seat] = slips, issues
	for _, s := range slips {
		p.in.Orders = append(p.in.Orders, game.Order[Orders]{Seat: seat, Slot: s.Slot, Orders: s.Orders})
	}
}

func (p *table) league(s string) int {
	if s == "title" {
		return NoLeague
	}
	return p.Num(s)
}

func (p *table) seat(name string) game.SeatID {
	for _, s := range p.seats {
		if s.Name == name {
			return s.ID
		}
	}
	p.Stop("no boxer %q", name)
	return ""
}

func (p *table) name(seat game.SeatID) string {
	for _, s := range p.seats {
		if s.ID == seat {
			return s.Name
		}
	}
	return "dummy"
}

// streamName is "training/Maier" with the seat in the name's place.
func (p *table) streamName(s string) string {
	purpose, subject, _ := strings.Cut(s, "/")
	if purpose == "training" || purpose == "dummy" {
		return purpose + "/" + string(p.seat(subject))
	}
	return s
}

// ones are those of a round, all ones.
func ones(round int) game.RoundDice { return casetest.NewScript().Round("sugarray", round, nil) }
