package rules_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ringpost/internal/game"
	"ringpost/internal/rules"
)

var update = flag.Bool("update", false, "write the frozen states that are missing")

// frozen is the sample state of a schema. It is written once and never again:
// games of that schema lie in people's data folders.
func frozen(ruleset string, schema int) string {
	return filepath.Join("..", "..", "testdata", "states", fmt.Sprintf("%s-%d.json", ruleset, schema))
}

func TestFrozenStates(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		a := r.About()
		for schema := 1; schema <= a.Schema; schema++ {
			path := frozen(a.Name, schema)
			text, err := os.ReadFile(path)
			if errors.Is(err, os.ErrNotExist) && *update && schema == a.Schema {
				text = fullest(t, r, s)
				err = os.WriteFile(path, text, 0o644)
			}
			if err != nil {
				t.Errorf("schema %d has no frozen state (go test -update writes the newest): %v", schema, err)
				continue
			}
			table, err := r.Open(text)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			again := state(t, table)
			if schema == a.Schema && !bytes.Equal(again, bytes.TrimSpace(text)) {
				t.Errorf("%s is written as\n%s", path, again)
			}
			// An old game goes on.
			due := table.Due()
			if len(due.Seats) == 0 || len(due.Duties) == 0 || due.Round < 2 {
				t.Errorf("%s is hardly a game: %+v", path, due)
			}
			m := moment{rules: r, after: table, names: map[game.SeatID]string{}}
			m.close(t, rules.Inputs{})
		}
	})
}

// fullest is the state with most fields in it that some games end in.
func fullest(t *testing.T, r rules.Ruleset, s sample) (text []byte) {
	t.Helper()
	field, most := regexp.MustCompile(`"\w+":`), 0
	for seed := range byte(40) {
		g := play(t, r, s, s.games[0], seed)
		last := g[len(g)-1].after
		fields := map[string]bool{}
		for _, f := range field.FindAllString(string(state(t, last)), -1) {
			fields[f] = true
		}
		if len(fields) > most && len(last.Due().Duties) > 0 {
			text, most = append(state(t, last), '\n'), len(fields)
		}
	}
	return text
}

// No frozen state lies about that no ruleset knows.
func TestEveryFrozenStateIsKnown(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "states", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no frozen states: %v", err)
	}
	known := map[string]bool{}
	for _, r := range rules.All() {
		for schema := 1; schema <= r.About().Schema; schema++ {
			known[frozen(r.About().Name, schema)] = true
		}
	}
	for _, f := range files {
		if !known[f] {
			t.Errorf("%s belongs to no ruleset", f)
		}
	}
}

// What a newer program wrote, or another game, is refused and not half
// understood.
func TestStatesAreReadStrictly(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		g := play(t, r, s, s.games[0], 2)
		good := state(t, g[len(g)-1].after)
		if _, err := r.Open(good); err != nil {
			t.Fatal(err)
		}
		a := r.About()
		replace := func(old, new string) json.RawMessage {
			text := strings.Replace(string(good), old, new, 1)
			if text == string(good) {
				t.Fatalf("there is no %s in %s", old, good)
			}
			return json.RawMessage(text)
		}
		schema := fmt.Sprintf(`"schema":%d`, a.Schema)
		for name, bad := range map[string]json.RawMessage{
			"newer schema":   replace(schema, fmt.Sprintf(`"schema":%d`, a.Schema+1)),
			"no schema":      replace(schema, `"schema":0`),
			"other ruleset":  replace(`"ruleset":"`+a.Name+`"`, `"ruleset":"chess"`),
			"empty":          {},
			"no object":      json.RawMessage(`null`),
			"cut off":        good[:len(good)-1],
			"something else": append(append(json.RawMessage{}, good...), "{}"...),
		} {
			if _, err := r.Open(bad); err == nil {
				t.Errorf("%s: it was read", name)
			}
		}
		// An unknown field in any object of it.
		n := 0
		for at := range good {
			if good[at] != '{' {
				continue
			}
			n++
			field := `"from the future":1,`
			if good[at+1] == '}' {
				field = strings.TrimSuffix(field, ",")
			}
			bad := string(good[:at+1]) + field + string(good[at+1:])
			if !json.Valid([]byte(bad)) {
				continue // the brace stood in a name
			}
			if _, err := r.Open(json.RawMessage(bad)); err == nil {
				t.Errorf("an unknown field was read at …%s", bad[at:min(len(bad), at+60)])
			}
		}
		if n < 5 {
			t.Errorf("tried %d objects only", n)
		}
	})
}

// Stored orders and events are read as strictly.
func TestOrdersAndEventsAreReadStrictly(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		g := play(t, r, s, s.games[0], 2)
		for _, st := range g[1:] {
			if len(st.in.Orders) == 0 {
				continue
			}
			table, err := r.Open(st.before)
			if err != nil {
				t.Fatal(err)
			}
			o := st.in.Orders[0]
			for _, bad := range []string{"", "null{}", "[]", string(o.Orders) + "1", `{"from the future":1,` + string(o.Orders[1:])} {
				o.Orders = json.RawMessage(bad)
				if _, _, err := table.Advance(rules.Inputs{Orders: []rules.Order{o}}, st.dice); err == nil {
					t.Errorf("orders were read from %q", bad)
				}
				if _, err := table.Explain(o.Seat, []rules.Slip{{Slot: o.Slot, Orders: o.Orders}}); err == nil {
					t.Errorf("orders were explained from %q", bad)
				}
			}
			e := st.events[0]
			e.Data = json.RawMessage(`{"from the future":1,` + string(e.Data[1:]))
			if _, err := st.after.Ask(rules.Query{Kind: game.QueryReport, Round: st.round, Before: st.before, Events: []rules.Event{e}}); err == nil {
				t.Errorf("an event was read from %s", e.Data)
			}
			return
		}
		t.Fatal("nobody gave orders")
	})
}

// Old states come up to the newest schema step by step.
func TestUpgradesLeadThroughTheSchemas(t *testing.T) {
	up := func(from, to string) rules.Upgrade {
		return func(raw json.RawMessage) (json.RawMessage, error) {
			if string(raw) != from {
				return nil, fmt.Errorf("it is %s, not %s", raw, from)
			}
			return json.RawMessage(to), nil
		}
	}
	r := rules.Adapt(counter{}, up(`{"one":1}`, `{"two":2}`), up(`{"two":2}`, `{"three":3}`))
	for _, text := range []string{
		`{"ruleset":"counter","schema":1,"state":{"one":1}}`,
		`{"ruleset":"counter","schema":2,"state":{"two":2}}`,
		`{"ruleset":"counter","schema":3,"state":{"three":3}}`,
	} {
		table, err := r.Open(json.RawMessage(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := string(state(t, table)); got != `{"ruleset":"counter","schema":3,"state":{"three":3}}` {
			t.Errorf("%s becomes %s", text, got)
		}
	}
	for _, text := range []string{
		`{"ruleset":"counter","schema":1,"state":{"two":2}}`,
		`{"ruleset":"counter","schema":4,"state":{"three":3}}`,
		`{"ruleset":"counter","schema":3,"state":{"two":2}}`,
	} {
		if _, err := r.Open(json.RawMessage(text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a schema without its upgrade was let in")
		}
	}()
	rules.Adapt(counter{}, up("", ""))
}

// counter is a game of schema 3 that never gets as far as being played.
type counter struct{}

type counterState struct {
	Three int `json:"three"`
}

func (counter) About() game.About { return game.About{Name: "counter", Version: 1, Schema: 3} }

func (counter) Setup(game.Settings, []game.Seat, game.RoundDice) (counterState, []game.Event[int], error) {
	return counterState{}, nil, errors.New("it is never set up")
}

func (counter) Owner(counterState, string) (game.SeatID, bool) { return "", false }

func (counter) Slots(counterState, game.SeatID, game.Block) []string { return nil }

func (counter) Read(counterState, game.SeatID, game.Block) ([]game.Slip[int], []game.Issue) {
	return nil, nil
}

func (counter) Explain(counterState, game.SeatID, []game.Slip[int]) game.View { return game.View{} }

func (counter) Due(counterState) game.Due { return game.Due{} }

func (counter) Advance(s counterState, _ game.Inputs[int], _ game.RoundDice) (counterState, []game.Event[int], error) {
	return s, nil, errors.New("it is never played")
}

func (counter) Answer(counterState, game.Query[counterState, int], game.Audience) ([]game.View, []game.Issue) {
	return nil, nil
}

func (counter) Spar(game.Settings, []game.Block, game.Dice) (game.View, []game.Issue) {
	return game.View{}, nil
}
