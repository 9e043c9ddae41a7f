package ringside

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/rules/casetest"
	"ringpost/internal/rules/ringside/bout"
)

const caseFiles = "../../../testdata/ringside/*-[0-9][0-9].txt"

// TestCases runs the case files; testdata/ringside/README.md says how they are
// written.
func TestCases(t *testing.T) { casetest.Run(t, caseFiles, play) }

func TestEveryRulingHasACase(t *testing.T) { casetest.EveryRuling(t, caseFiles, "rsc", 25) }

// table is one case being played.
type table struct {
	casetest.Player
	settings game.Settings
	seats    []game.Seat
	started  bool
	state    State
	events   []event
	in       game.Inputs[Orders]
	dice     *casetest.Script
	slips    []game.Slip[Orders]
	issues   []game.Issue
	checks   int
}

func play(t *testing.T, c casetest.Case) {
	p := &table{Player: casetest.Player{T: t}, settings: game.Settings{}, dice: casetest.NewScript()}
	for _, l := range c.Lines {
		p.Line = l
		p.play()
	}
	if p.checks == 0 {
		t.Error("the case checks nothing")
	}
	if t.Failed() {
		for _, e := range p.events {
			if e.Code != EventLog {
				text, _ := json.Marshal(e)
				t.Logf("%.400s", text)
			}
		}
	}
}

// play carries out one line.
func (p *table) play() {
	a := p.Line.Args
	switch p.Line.Word {
	case "set":
		maps.Copy(p.settings, p.KeyValues(a))
		if len(p.Line.Text) > 0 { // a file's text
			p.settings[strings.TrimSuffix(a[0], "=")] = strings.Join(p.Line.Text, "\n") + "\n"
		}
		if err := p.settings.Check(New().About().Game); err != nil {
			p.Stop("%v", err)
		}
	case "manager", "join":
		s := game.Seat{ID: game.SeatID(fmt.Sprintf("s%d", len(p.seats)+1)), Name: a[0]}
		p.seats = append(p.seats, s)
		if p.Line.Word == "join" {
			p.start()
			p.in.Joins = append(p.in.Joins, s)
		}
	case "dice":
		p.dice.Set(a[0], a[1:])
	case "setup": // by the rules, with rolled fighters
		state, events, err := New().Setup(p.settings, p.seats, p.dice.Round("ringside", 0, freely(dice.Seed{})))
		if err != nil {
			p.Stop("%v", err)
		}
		p.started, p.state, p.events = true, state, events
	default:
		p.start()
		p.act()
	}
}

// start makes a state without fighters before the first line that needs it.
func (p *table) start() {
	if p.started {
		return
	}
	p.started = true
	terms, err := termsOf(p.settings)
	if err != nil {
		p.Stop("%v", err)
	}
	p.state = State{Version: Version, Settings: terms, Round: 1, Houses: make([]Money, len(Arenas())), Card: []Booking{}}
	for _, c := range terms.Classes {
		p.state.Titles = append(p.state.Titles, Title{Class: c})
	}
	for _, s := range p.seats {
		p.state.Managers = append(p.state.Managers, Manager{Seat: s.ID, Name: s.Name, Cash: terms.Money})
		p.state.Bank -= terms.Money
	}
}

func (p *table) act() {
	a := p.Line.Args
	switch p.Line.Word {
	case "start":
	case "fighter":
		p.addFighter()
	case "champion!":
		p.state.title(Class(a[0])).Champion = p.fighter(a[1]).ID
		p.change(p.state.title(Class(a[0])), a[2:])
		p.state.rank()
	case "change":
		p.change(p.fighter(a[0]), a[1:])
		p.state.rank()
	case "cash":
		m := &p.state.Managers[p.state.managerNamed(a[0])]
		p.state.Bank += m.Cash
		m.Cash = Dollars(p.Num(a[1]))
		p.state.Bank -= m.Cash
	case "round":
		p.state.Round = p.Num(a[0])
	case "card":
		p.card()
	case "orders":
		p.order()
	case "leave", "remove":
		i := slices.IndexFunc(p.seats, func(s game.Seat) bool { return s.Name == a[0] })
		p.in.Leaves = append(p.in.Leaves, game.Leave{Seat: p.seats[i].ID, Now: p.Line.Word == "remove"})
	case "close":
		p.close()
	default:
		p.checks++
		p.check()
	}
}

// addFighter gives a manager a fighter: middling, unless the line says otherwise.
func (p *table) addFighter() {
	a := p.Line.Args
	p.state.Created++
	i := p.state.managerNamed(a[1])
	if i < 0 {
		p.Stop("there is no manager %s", a[1])
	}
	f := Fighter{ID: fighterID(p.state.Created), Name: a[0], Manager: p.state.Managers[i].Seat, Class: p.state.Settings.Classes[0],
		Fighter: average(), Cut: 20, Lot: lots - p.state.Created}
	p.state.Fighters = append(p.state.Fighters, f)
	p.change(&p.state.Fighters[len(p.state.Fighters)-1], a[2:])
	p.state.rank()
}

// change sets fields by their JSON paths: "record.wins=3".
func (p *table) change(v any, to []string) {
	for _, kv := range to {
		path, value, ok := strings.Cut(kv, "=")
		if !ok {
			p.Stop("%q is no path=value", kv)
		}
		if _, err := strconv.Atoi(value); err != nil && !strings.HasPrefix(value, "[") && value != "true" && value != "false" {
			value = strconv.Quote(value)
		}
		parts := strings.Split(path, ".")
		for i := len(parts) - 1; i >= 0; i-- {
			value = fmt.Sprintf("{%q:%s}", parts[i], value)
		}
		d := json.NewDecoder(strings.NewReader(value))
		d.DisallowUnknownFields()
		if err := d.Decode(v); err != nil {
			p.Stop("%s: %v", kv, err)
		}
	}
}

// card books a bout for the open turn: card A B [PATH=VALUE ...].
func (p *table) card() {
	a := p.Line.Args
	f, o := p.fighter(a[0]), p.fighter(a[1])
	b := Booking{ID: boutID(f.ID, o.ID), Class: f.Class, Week: 1, Arena: Pits, Rounds: 5, Advanced: true, Why: WhyMatched,
		Fighters: [2]FighterID{f.ID, o.ID}, Pop: [2]Pop{p.state.pop(f), p.state.pop(o)}}
	p.change(&b, a[2:])
	p.state.Card = append(p.state.Card, b)
}

// order reads a block as the game master would.
func (p *table) order() {
	var lines []orders.Line
	for i, text := range p.Line.Text {
		lines = append(lines, orders.Line{N: i + 1, Text: text})
	}
	text := orders.Parse(lines)
	if len(text.Blocks) == 0 {
		p.Stop("the lines hold no block")
	}
	p.slips, p.issues = nil, nil
	for _, b := range text.Blocks {
		seat := p.state.Managers[p.state.managerNamed(p.Line.Args[0])].Seat
		slips, issues := New().Read(p.state, seat, b)
		p.slips, p.issues = append(p.slips, slips...), append(p.issues, append(b.Issues, issues...)...)
		for _, s := range slips {
			p.in.Orders = slices.DeleteFunc(p.in.Orders, func(o game.Order[Orders]) bool { return o.Seat == seat && o.Slot == s.Slot })
			p.in.Orders = append(p.in.Orders, game.Order[Orders]{Seat: seat, Slot: s.Slot, Orders: s.Orders})
		}
	}
}

// close closes the turn: with some seed, or, by "close until METHOD [WINNER]", with
// the first seed that ends the first bout so.
func (p *table) close() {
	a := p.Line.Args
	before := p.state
	for seed := range byte(250) {
		thrown := p.dice.Round("ringside", before.Round, freely(dice.Seed{seed}))
		state, events, err := New().Advance(before, p.in, thrown)
		if err != nil {
			p.Stop("%v", err)
		}
		if len(a) > 1 && !p.ended(events, a[1:]) {
			continue
		}
		if left := thrown.Unused(); left != "" {
			p.Stop("dice set and not thrown: %s", left)
		}
		if state.Sum() != 0 {
			p.Wrong("the ledgers sum to %d", state.Sum())
		}
		p.state, p.events = state, events
		p.in, p.dice = game.Inputs[Orders]{}, casetest.NewScript()
		return
	}
	p.Stop("no seed ends the bout so")
}

func (p *table) ended(events []event, how []string) bool {
	for _, e := range events {
		if e.Code != EventBout {
			continue
		}
		b := e.Data.Bout
		winner := ""
		if b.Result.Winner != bout.Neither {
			winner = b.Corners[b.Result.Winner].Name
		}
		if how[0] == "on" {
			return b.Result.Method == bout.Undecided
		}
		return string(b.Result.Method) == how[0] && (len(how) < 2 || how[1] == winner)
	}
	return false
}

func (p *table) fighter(name string) *Fighter {
	i := p.state.fighterNamed(name)
	if i < 0 {
		p.Stop("no fighter %q", name)
	}
	return &p.state.Fighters[i]
}

// freely gives bouts and names the real dice of a seed.
func freely(seed dice.Seed) casetest.Free {
	return func(name, purpose, subject string) game.Stream {
		if strings.HasPrefix(name, "bout/") || strings.HasPrefix(name, "name/") {
			return seed.Stream(purpose, subject)
		}
		return nil
	}
}

// ones are the dice of a turn, all ones but for bouts and names.
func ones(round int) game.RoundDice {
	return casetest.NewScript().Round("ringside", round, freely(dice.Seed{}))
}
