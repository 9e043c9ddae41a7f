package ringside

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/rules/ringside/bout"
)

const casesDir = "../../../testdata/ringside"

// TestCases runs the case files; testdata/ringside/README.md says how they are
// written.
func TestCases(t *testing.T) {
	for _, file := range caseFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			for _, c := range splitCases(t, string(text)) {
				t.Run(c.title, c.run)
			}
		})
	}
}

// TestEveryRulingHasACase: each ruling of the campaign has a case file, or a test of
// its name.
func TestEveryRulingHasACase(t *testing.T) {
	covered := map[string]bool{}
	for _, file := range caseFiles(t) {
		covered[strings.TrimSuffix(filepath.Base(file), ".txt")] = true
	}
	tests, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 25; n++ {
		id, found := fmt.Sprintf("rsc-%02d", n), false
		for _, file := range tests {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(text), fmt.Sprintf("func TestRSC%02d", n))
		}
		if !covered[id] && !found {
			t.Errorf("ruling %s has no case", id)
		}
	}
}

func caseFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(casesDir, "*-[0-9][0-9].txt"))
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
	events   []event
	in       game.Inputs[Orders]
	dice     *script
	slips    []game.Slip[Orders]
	issues   []game.Issue
	checks   int
}

func (c rulesCase) run(t *testing.T) {
	p := &table{T: t, settings: game.Settings{}, dice: newScript()}
	for _, l := range c.lines {
		p.line = l
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
	a := p.line.args
	switch p.line.word {
	case "set":
		for _, kv := range a {
			k, v, _ := strings.Cut(kv, "=")
			p.settings[k] = v
		}
		if len(p.line.text) > 0 { // a file's text
			p.settings[strings.TrimSuffix(a[0], "=")] = strings.Join(p.line.text, "\n") + "\n"
		}
		if err := p.settings.Check(New().About().Game); err != nil {
			p.fatal("%v", err)
		}
	case "manager", "join":
		s := game.Seat{ID: game.SeatID(fmt.Sprintf("s%d", len(p.seats)+1)), Name: a[0]}
		p.seats = append(p.seats, s)
		if p.line.word == "join" {
			p.start()
			p.in.Joins = append(p.in.Joins, s)
		}
	case "dice":
		p.dice.set(a[0], a[1:])
	case "setup": // by the rules, with rolled fighters
		state, events, err := New().Setup(p.settings, p.seats, p.dice.round(0))
		if err != nil {
			p.fatal("%v", err)
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
		p.fatal("%v", err)
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
	a := p.line.args
	switch p.line.word {
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
		m.Cash = Dollars(p.num(a[1]))
		p.state.Bank -= m.Cash
	case "round":
		p.state.Round = p.num(a[0])
	case "card":
		p.card()
	case "orders":
		p.order()
	case "leave", "remove":
		i := slices.IndexFunc(p.seats, func(s game.Seat) bool { return s.Name == a[0] })
		p.in.Leaves = append(p.in.Leaves, game.Leave{Seat: p.seats[i].ID, Now: p.line.word == "remove"})
	case "close":
		p.close()
	default:
		p.checks++
		p.check()
	}
}

// addFighter gives a manager a fighter: middling, unless the line says otherwise.
func (p *table) addFighter() {
	a := p.line.args
	p.state.Created++
	i := p.state.managerNamed(a[1])
	if i < 0 {
		p.fatal("there is no manager %s", a[1])
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
			p.fatal("%q is no path=value", kv)
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
			p.fatal("%s: %v", kv, err)
		}
	}
}

// card books a bout for the open turn: card A B [PATH=VALUE ...].
func (p *table) card() {
	a := p.line.args
	f, o := p.fighter(a[0]), p.fighter(a[1])
	b := Booking{ID: boutID(f.ID, o.ID), Class: f.Class, Week: 1, Arena: Pits, Rounds: 5, Advanced: true, Why: WhyMatched,
		Fighters: [2]FighterID{f.ID, o.ID}, Pop: [2]Pop{p.state.pop(f), p.state.pop(o)}}
	p.change(&b, a[2:])
	p.state.Card = append(p.state.Card, b)
}

// order reads a block as the game master would.
func (p *table) order() {
	var lines []orders.Line
	for i, text := range p.line.text {
		lines = append(lines, orders.Line{N: i + 1, Text: text})
	}
	text := orders.Parse(lines)
	if len(text.Blocks) == 0 {
		p.fatal("the lines hold no block")
	}
	p.slips, p.issues = nil, nil
	for _, b := range text.Blocks {
		seat := p.state.Managers[p.state.managerNamed(p.line.args[0])].Seat
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
	a := p.line.args
	before := p.state
	for seed := range byte(250) {
		dice := p.dice.copied(before.Round, seed)
		state, events, err := New().Advance(before, p.in, dice)
		if err != nil {
			p.fatal("%v", err)
		}
		if len(a) > 1 && !p.ended(events, a[1:]) {
			continue
		}
		if left := dice.unused(); left != "" {
			p.fatal("dice set and not thrown: %s", left)
		}
		if state.Sum() != 0 {
			p.fail("the ledgers sum to %d", state.Sum())
		}
		p.state, p.events = state, events
		p.in, p.dice = game.Inputs[Orders]{}, newScript()
		return
	}
	p.fatal("no seed ends the bout so")
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
		return string(b.Result.Method) == how[0] && (len(how) < 2 || how[1] == winner)
	}
	return false
}

func (p *table) num(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		p.fatal("%v", err)
	}
	return n
}

func (p *table) fighter(name string) *Fighter {
	i := p.state.fighterNamed(name)
	if i < 0 {
		p.fatal("no fighter %q", name)
	}
	return &p.state.Fighters[i]
}

// script is dice whose throws a case sets; all others show 1, those of bouts aside,
// which are real.
type script struct {
	n      int
	seed   dice.Seed
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

// copied is the script for one try.
func (s *script) copied(round int, seed byte) *script {
	out := &script{n: round, seed: dice.Seed{seed}, throws: map[string][]int{}}
	for name, throws := range s.throws {
		out.throws[name] = slices.Clone(throws)
	}
	return out
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
	short := strings.TrimPrefix(purpose, fmt.Sprintf("ringside/%d/", s.n))
	if short == purpose {
		panic("stream " + purpose + " is not of this turn")
	}
	if short == "bout" || short == "name" {
		return s.seed.Stream(purpose, subject)
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
