package rules_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/templates"
)

// sample is how a ruleset is tried: games that together bring all that can
// happen, and orders as players write them.
type sample struct {
	games  []board
	rounds int
	late   game.Settings // traits of some who join later
	// silence: one seat in so many sends nothing.
	silence int
	// orders are a seat's mail for the open round, of one block or several.
	orders func(m moment, seat game.SeatID, s game.Stream) string
	// planted are orders with figures that stand nowhere else.
	planted func(m moment, seat game.SeatID) (text string, needles []string)
	// untold are events that change no answer, and why that is right.
	untold map[string]string
}

// board is a game to begin.
type board struct {
	settings game.Settings
	seats    []game.Seat
}

func samples() map[string]sample {
	return map[string]sample{"sugarray": sugarray(), "ringside": ringsideSample()}
}

func sugarray() sample {
	return sample{
		games: []board{
			{game.Settings{"season": "5"}, seats(9, nil)},
			{game.Settings{"champion_training": "end", "nmr_limit": "1"}, seats(3, map[int]game.Settings{
				1: {"league": "0", "technique": "15", "condition": "40", "record": "30/2/1", "since": "-7"}})},
			{game.Settings{"nmr_limit": "0"}, seats(6, map[int]game.Settings{
				1: {"league": "0"}, 2: {"league": "1", "since": "-3"}, 3: {"league": "1", "since": "-3"}, 4: {"league": "2", "technique": "0", "condition": "1"}})},
		},
		rounds:  14,
		late:    game.Settings{"league": "1", "technique": "12"},
		silence: 7,
		orders: func(m moment, seat game.SeatID, s game.Stream) string {
			var pairs []string
			bold := s.Uniform(4) // one in four is, and may fall by it
			for range 5 {
				o := s.Uniform(5) - 1
				if bold == 1 {
					o += 4
				}
				pairs = append(pairs, fmt.Sprintf("%d/%d", o, max(0, 12-3*o+s.Uniform(4))/2))
			}
			return "NAME " + m.names[seat] + "\nZUG " + strings.Join(pairs, " ") + "\nTRAINING " + []string{"T", "K", "_"}[s.Uniform(3)-1] + "\n"
		},
		planted: func(m moment, seat game.SeatID) (string, []string) {
			return "NAME " + m.names[seat] + "\nZUG 7770123/6660321 0/7770124 1/1 1/1 1/1\nTRAINING T\n", []string{"7770123", "6660321", "7770124"}
		},
		untold: map[string]string{"idle": "the card of the state itself says who has no bout"},
	}
}

// seats are n seats; traits are by number, from 1.
func seats(n int, traits map[int]game.Settings) []game.Seat {
	var out []game.Seat
	for i := range n {
		out = append(out, game.Seat{ID: seatID(i + 1), Name: seatName(i + 1), Traits: traits[i+1]})
	}
	return out
}

func seatID(n int) game.SeatID { return game.SeatID(fmt.Sprint("s", n)) }

func seatName(n int) string {
	shapes := []string{"Müller", "Kid Thunder", "O'Hara", "Łukasz", "Jean-Luc", "Bär Benno der Gewaltige"}
	return fmt.Sprintf("%.20s %d", shapes[n%len(shapes)], n)
}

// moment is a step of a game, and what came of it.
type moment struct {
	rules  rules.Ruleset
	round  int
	before json.RawMessage // nil for the setup
	in     rules.Inputs
	dice   dice.Round
	events []rules.Event
	after  rules.Table
	names  map[game.SeatID]string // of all seats there have been
}

// play plays a game through mails and dice that a seed gives.
func play(t *testing.T, r rules.Ruleset, s sample, b board, seed byte) []moment {
	t.Helper()
	secret, players := dice.Secret{seed}, dice.Seed{seed, 1}.Stream("players", "")
	m := moment{rules: r, dice: secret.Round("game", 0, 0), names: map[game.SeatID]string{}}
	for _, seat := range b.seats {
		m.names[seat.ID] = seat.Name
	}
	settings, before := encode(t, b.settings), encode(t, b.seats)
	var err error
	if m.after, m.events, err = r.Setup(b.settings, b.seats, m.dice); err != nil {
		t.Fatal(err)
	}
	if encode(t, b.settings) != settings || encode(t, b.seats) != before {
		t.Fatal("Setup changed its arguments")
	}
	out := []moment{m}
	for range s.rounds {
		due := m.after.Due()
		if due.Over {
			break
		}
		var in rules.Inputs
		for _, seat := range due.Seats {
			owes := slices.ContainsFunc(due.Duties, func(d game.Duty) bool { return d.Seat == seat })
			if players.Uniform(s.silence) == 1 {
				continue
			}
			slips, issues := m.read(t, seat, s.orders(m, seat, players))
			if len(slips) == 0 && owes {
				t.Fatalf("the orders of %s are not understood: %v", seat, issues)
			}
			for _, slip := range slips {
				in.Orders = append(in.Orders, rules.Order{Seat: seat, Slot: slip.Slot, Orders: slip.Orders})
			}
		}
		if players.Uniform(3) == 1 {
			seat := game.Seat{ID: seatID(len(m.names) + 1), Name: seatName(len(m.names) + 1)}
			if players.Uniform(2) == 1 {
				seat.Traits = s.late
			}
			in.Joins = append(in.Joins, seat)
		}
		if len(due.Seats) > 2 && players.Uniform(3) == 1 {
			in.Leaves = append(in.Leaves, game.Leave{Seat: due.Seats[players.Uniform(len(due.Seats))-1], Now: players.Uniform(2) == 1})
		}
		m = m.close(t, in)
		out = append(out, m)
	}
	return out
}

// played is a game of a sample's, played once for all tests: none of them changes it.
func played(t *testing.T, r rules.Ruleset, s sample, n int) []moment {
	t.Helper()
	key := fmt.Sprint(r.About().Name, n)
	plays.Lock()
	defer plays.Unlock()
	if plays.of[key] == nil {
		plays.of[key] = play(t, r, s, s.games[n], byte(n))
	}
	return plays.of[key]
}

var plays = struct {
	sync.Mutex
	of map[string][]moment
}{of: map[string][]moment{}}

// close makes the next step.
func (m moment) close(t *testing.T, in rules.Inputs) moment {
	t.Helper()
	next := moment{rules: m.rules, round: m.after.Due().Round, before: state(t, m.after), in: in, names: maps.Clone(m.names)}
	next.dice = dice.Secret{9}.Round("game", 0, next.round)
	for _, seat := range in.Joins {
		next.names[seat.ID] = seat.Name
	}
	var err error
	if next.after, next.events, err = m.after.Advance(in, next.dice); err != nil {
		t.Fatal(err)
	}
	return next
}

// audiences are everybody who may ask: all seats, those that left too, the game
// master and the public.
func (m moment) audiences() []game.Audience {
	out := []game.Audience{{}, {GM: true}}
	for n := range len(m.names) {
		out = append(out, game.Audience{Seat: seatID(n + 1)})
	}
	return out
}

// queries are all questions there are.
func (m moment) queries() []rules.Query {
	out := append(m.ofStep(), rules.Query{Kind: game.QueryTable}, rules.Query{Kind: game.QueryBriefing, Subject: "liga-nord"})
	for _, seat := range m.after.Due().Seats {
		out = append(out, rules.Query{Kind: game.QueryRecord, Subject: m.names[seat]})
	}
	return out
}

// ofStep are the questions about the step itself.
func (m moment) ofStep() []rules.Query {
	return []rules.Query{
		{Kind: game.QueryReport, Round: m.round, Before: m.before, Events: m.events},
		{Kind: game.QueryExport, Round: m.round, Before: m.before, Events: m.events},
	}
}

// show words all that some audiences may see. What several of them share is
// worded once, as in reports.
func (m moment) show(t *testing.T, w *report.Words, lang string, queries []rules.Query, to ...game.Audience) string {
	t.Helper()
	var b strings.Builder
	for _, q := range queries {
		answers, err := m.after.Ask(q)
		if err != nil {
			t.Fatal(err)
		}
		shared := map[string]bool{}
		for _, who := range to {
			views, issues := answers(who)
			if len(issues) > 0 {
				t.Fatalf("%s for %+v: %v", q.Kind, who, issues)
			}
			for _, v := range views {
				if key := v.Template + "/" + v.Key; v.Key == "" || !shared[key] {
					shared[key] = true
					b.WriteString(m.word(t, w, lang, v))
				}
			}
		}
	}
	return b.String()
}

func (m moment) word(t *testing.T, w *report.Words, lang string, v game.View) string {
	t.Helper()
	if v.Template == "" {
		return encode(t, v.Data())
	}
	text, err := w.View(lang, m.rules.About().Name, v)
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(text) == "" || strings.Contains(text, "<no value>") || strings.Contains(text, "%!") {
		t.Fatalf("%s/%s does not fit its data:\n%s", lang, v.Template, text)
	}
	return text
}

// all is everything anybody may see, in one language: the data are the same in
// every other.
func (m moment) all(t *testing.T, w *report.Words) string {
	t.Helper()
	return m.show(t, w, languages(t)[0], m.queries(), m.audiences()...)
}

// told is what of it is about the step.
func (m moment) told(t *testing.T, w *report.Words) string {
	t.Helper()
	return m.show(t, w, languages(t)[0], m.ofStep(), m.audiences()...)
}

// bytes are the step and every view of it.
func (m moment) bytes(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(encode(t, m.in) + string(state(t, m.after)) + encode(t, m.events) + encode(t, m.after.Due()))
	b.WriteString(strings.Join(m.hold(t, m.queries(), m.audiences()...), "\n"))
	return b.String()
}

// hold gives what the answers to each audience hold, not put into words.
func (m moment) hold(t *testing.T, queries []rules.Query, to ...game.Audience) []string {
	t.Helper()
	out := make([]string, len(to))
	for _, q := range queries {
		answers, err := m.after.Ask(q)
		if err != nil {
			t.Fatal(err)
		}
		for i, who := range to {
			views, issues := answers(who)
			for _, v := range views {
				out[i] += v.Template + v.Key + encode(t, v.Data())
			}
			out[i] += encode(t, issues)
		}
	}
	return out
}

// codes are those of the step's events, each once.
func (m moment) codes() []string {
	var out []string
	for _, e := range m.events {
		if !slices.Contains(out, e.Code) {
			out = append(out, e.Code)
		}
	}
	return out
}

// without is the step as if no event of a code had been told.
func (m moment) without(code string) moment {
	m.events = slices.DeleteFunc(slices.Clone(m.events), func(e rules.Event) bool { return e.Code == code })
	return m
}

// read reads a seat's mail, block by block; of two slips of a slot the later counts.
func (m moment) read(t *testing.T, seat game.SeatID, text string) (slips []rules.Slip, issues []game.Issue) {
	t.Helper()
	for _, b := range parse(t, text) {
		more, told, err := m.after.Read(seat, b)
		if err != nil {
			t.Fatal(err)
		}
		issues = append(issues, told...)
		for _, slip := range more {
			slips = slices.DeleteFunc(slips, func(s rules.Slip) bool { return s.Slot == slip.Slot })
			slips = append(slips, slip)
		}
	}
	slices.SortFunc(slips, func(a, b rules.Slip) int { return strings.Compare(a.Slot, b.Slot) })
	return slips, issues
}

// parse reads the blocks of a mail.
func parse(t *testing.T, text string) []game.Block {
	t.Helper()
	read := orders.Parse(orders.Lines(text))
	if len(read.Blocks) == 0 {
		t.Fatalf("no block in\n%s", text)
	}
	return read.Blocks
}

// languages are those that there are templates in.
func languages(t *testing.T) []string {
	t.Helper()
	dirs, err := fs.ReadDir(templates.Files, ".")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range dirs {
		if d.IsDir() {
			out = append(out, d.Name())
		}
	}
	if len(out) < 2 {
		t.Fatalf("templates in %v", out)
	}
	return out
}

// codes finds the codes of issues and events in a ruleset's source: the constants
// named issue… and Event…, so that none can be left out here.
func codes(t *testing.T, ruleset string) (issues, events []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(ruleset, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the source of %s: %v", ruleset, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != len(spec.Names) {
				return true
			}
			for i, id := range spec.Names {
				lit, ok := spec.Values[i].(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					continue
				}
				code, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				switch lower := strings.ToLower(id.Name); {
				case strings.HasPrefix(lower, "issue"):
					issues = append(issues, code)
				case strings.HasPrefix(lower, "event"):
					events = append(events, code)
				}
			}
			return true
		})
	}
	return issues, events
}
