package sugarray

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ringpost/internal/game"
	"ringpost/internal/orders"
)

const casesDir = "../../../testdata/sugarray"

// TestCases runs the case files; testdata/sugarray/README.md says how they are
// written.
func TestCases(t *testing.T) {
	for _, file := range caseFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			cases := splitCases(t, string(text))
			for _, c := range cases {
				t.Run(c.title, c.run)
			}
		})
	}
}

// TestEveryRulingHasACase: each ruling has a case file, or a test of its name.
func TestEveryRulingHasACase(t *testing.T) {
	covered := map[string]bool{}
	for _, file := range caseFiles(t) {
		covered[strings.TrimSuffix(filepath.Base(file), ".txt")] = true
	}
	tests, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range tests {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 39; n++ {
			if strings.Contains(string(text), fmt.Sprintf("func TestSR%02d", n)) {
				covered[fmt.Sprintf("sr-%02d", n)] = true
			}
		}
	}
	for n := 1; n <= 39; n++ {
		if id := fmt.Sprintf("sr-%02d", n); !covered[id] {
			t.Errorf("ruling %s has no case", id)
		}
	}
}

func caseFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(casesDir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no case files in %s", casesDir)
	}
	return files
}

// caseLine is a command with its arguments and the indented lines below it.
type caseLine struct {
	n    int
	word string
	args []string
	text []string
}

type rulesCase struct {
	title string
	lines []caseLine
}

func splitCases(t *testing.T, text string) []rulesCase {
	t.Helper()
	var cases []rulesCase
	for n, raw := range strings.Split(text, "\n") {
		line := strings.TrimRight(raw, " ")
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == ' ' {
			if len(cases) == 0 || len(cases[len(cases)-1].lines) == 0 {
				t.Fatalf("line %d: indented text below no command", n+1)
			}
			lines := cases[len(cases)-1].lines
			last := &lines[len(lines)-1]
			last.text = append(last.text, strings.TrimPrefix(line, "    "))
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if word == "case" {
			cases = append(cases, rulesCase{title: rest})
			continue
		}
		if len(cases) == 0 {
			t.Fatalf("line %d: %q stands in no case", n+1, line)
		}
		c := &cases[len(cases)-1]
		c.lines = append(c.lines, caseLine{n: n + 1, word: word, args: strings.Fields(rest)})
	}
	if len(cases) == 0 {
		t.Fatal("the file holds no case")
	}
	return cases
}

// table is one case being played.
type table struct {
	*testing.T
	line     caseLine
	settings game.Settings
	seats    []game.Seat
	started  bool
	state    State
	events   []game.Event[Event]
	step     step
	in       game.Inputs[Orders]
	dice     *script
	slips    map[game.SeatID][]game.Slip[Orders]
	issues   map[game.SeatID][]game.Issue
	checks   int
}

func (c rulesCase) run(t *testing.T) {
	p := &table{
		T: t, settings: game.Settings{}, dice: newScript(),
		slips: map[game.SeatID][]game.Slip[Orders]{}, issues: map[game.SeatID][]game.Issue{},
	}
	for _, l := range c.lines {
		p.line = l
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

func (p *table) fatal(format string, args ...any) {
	p.Helper()
	p.Fatalf("line %d, %s: %s", p.line.n, p.line.word, fmt.Sprintf(format, args...))
}

func (p *table) fail(format string, args ...any) {
	p.Helper()
	p.Errorf("line %d, %s %s: %s", p.line.n, p.line.word, strings.Join(p.line.args, " "), fmt.Sprintf(format, args...))
}

// play carries out one line.
func (p *table) play() {
	switch p.line.word {
	case "set":
		for k, v := range keyValues(p, p.line.args) {
			p.settings[k] = v
		}
		if err := p.settings.Check(New().About().Game); err != nil {
			p.fatal("%v", err)
		}
	case "boxer", "join":
		s := game.Seat{ID: game.SeatID(fmt.Sprintf("s%d", len(p.seats)+1)), Name: p.line.args[0]}
		if len(p.line.args) > 1 {
			s.Traits = keyValues(p, p.line.args[1:])
		}
		if err := s.Traits.Check(New().About().Seat); err != nil {
			p.fatal("%v", err)
		}
		p.seats = append(p.seats, s)
		if p.line.word == "join" {
			p.start()
			p.in.Joins = append(p.in.Joins, s)
		}
	case "dice":
		p.dice.set(p.streamName(p.line.args[0]), p.line.args[1:])
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
	if p.line.word == "join" {
		seats = seats[:len(seats)-1]
	}
	state, events, err := New().Setup(p.settings, seats, p.dice.round(0))
	if err != nil {
		p.fatal("%v", err)
	}
	p.state, p.events = state, events
	p.step = step{Round: 0, After: state, Events: events}
}

func (p *table) act() {
	a := p.line.args
	switch p.line.word {
	case "start": // the case wants no more than the setup
	case "card":
		p.card()
	case "round":
		p.state.Round = p.num(a[0])
	case "orders":
		p.order()
	case "leave", "remove":
		p.in.Leaves = append(p.in.Leaves, game.Leave{Seat: p.seat(a[0]), Now: p.line.word == "remove"})
	case "close":
		p.close()
	default:
		p.checks++
		p.check()
	}
}

func (p *table) close() {
	before := p.state
	state, events, err := New().Advance(p.state, p.in, p.dice.round(p.state.Round))
	if err != nil {
		p.fatal("%v", err)
	}
	if left := p.dice.unused(); left != "" {
		p.fatal("dice set and not thrown: %s", left)
	}
	p.state, p.events = state, events
	p.step = step{Round: before.Round, Before: before, After: state, Events: events}
	p.in = game.Inputs[Orders]{}
	p.dice = newScript()
}

// card adds to the bouts of the open round; the first such line after a close
// (or the setup) replaces what was drawn.
func (p *table) card() {
	a := p.line.args
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
	lines := []orders.Line{{N: 1, Text: "NAME " + p.line.args[0]}}
	for i, text := range p.line.text {
		lines = append(lines, orders.Line{N: i + 2, Text: text})
	}
	text := orders.Parse(lines)
	if len(text.Blocks) != 1 {
		p.fatal("the lines hold %d blocks", len(text.Blocks))
	}
	seat, ok := New().Owner(p.state, text.Blocks[0].Name)
	if !ok {
		p.fatal("nobody is called %q", text.Blocks[0].Name)
	}
	slips, issues := New().Read(p.state, seat, text.Blocks[0])
	p.slips[seat], p.issues[seat] = slips, issues
	for _, s := range slips {
		p.in.Orders = append(p.in.Orders, game.Order[Orders]{Seat: seat, Slot: s.Slot, Orders: s.Orders})
	}
}

// Reading of arguments.

func (p *table) num(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		p.fatal("%v", err)
	}
	return n
}

func (p *table) league(s string) int {
	if s == "title" {
		return NoLeague
	}
	return p.num(s)
}

func (p *table) seat(name string) game.SeatID {
	for _, s := range p.seats {
		if s.Name == name {
			return s.ID
		}
	}
	p.fatal("no boxer %q", name)
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

func keyValues(p *table, args []string) game.Settings {
	out := game.Settings{}
	for _, a := range args {
		k, v, ok := strings.Cut(a, "=")
		if !ok {
			p.fatal("%q is no key=value", a)
		}
		out[k] = v
	}
	return out
}

// script is dice whose throws a case sets; all others show 1.
type script struct {
	n      int
	throws map[string][]int
}

func newScript() *script { return &script{throws: map[string][]int{}} }

func (s *script) set(name string, throws []string) {
	for _, t := range throws {
		n, err := strconv.Atoi(t)
		if err != nil {
			panic(err)
		}
		s.throws[name] = append(s.throws[name], n)
	}
}

func (s *script) round(n int) *script {
	s.n = n
	return s
}

func (s *script) unused() string {
	var left []string
	for name, throws := range s.throws {
		if len(throws) > 0 {
			left = append(left, name)
		}
	}
	slices.Sort(left)
	return strings.Join(left, ", ")
}

// Sealed are sealed dice: the names of streams tell them from open ones.
func (s *script) Sealed() game.Dice { return s }

func (s *script) Stream(purpose, subject string) game.Stream {
	short := strings.TrimPrefix(purpose, fmt.Sprintf("sugarray/%d/", s.n))
	if short == purpose {
		panic("stream " + purpose + " is not of this round")
	}
	if subject != "" {
		short += "/" + subject
	}
	return &scripted{s, short, len(s.throws[short]) > 0}
}

type scripted struct {
	*script
	name string
	set  bool
}

func (s *scripted) Uniform(n int) int {
	if !s.set {
		return 1
	}
	left := s.throws[s.name]
	if len(left) == 0 || left[0] < 1 || left[0] > n {
		panic(fmt.Sprintf("stream %s: the case sets %v for a die of %d", s.name, left, n))
	}
	s.throws[s.name] = left[1:]
	return left[0]
}
