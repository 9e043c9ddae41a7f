// Package proof is the chain of a game's closed steps, in the form in which
// anyone can recompute it: the document that `ringpost export` prints, how a
// step is made and hashed, and how a document is verified.
//
// It is pure: it knows rulesets and dice, no store and no clock.
//
// # The document
//
// An export is one JSON object. Its "game" says how the game was set up; "steps"
// has the setup (round 0) and each closed round in order. All hex is lower case.
//
//   - sealed is the SHA-256 of the game's secret; secret is the secret itself,
//     once the game has ended.
//   - A step's seed is HMAC-SHA256(secret, "game/branch/round"); the step before
//     printed its SHA-256 as next (G-2).
//   - inputs are the orders that counted, in the order of entry, who joined, who
//     left. A seat with no orders missed its move (NMR).
//   - events are all that happened, every die and lot among them.
//   - state_sha256 is the SHA-256 of the state the step led to; state is that
//     state, in the game master's own export only.
//   - hash is the SHA-256 of the JSON array [hash of the step before, game,
//     branch, round, step, seed, next, settings, inputs, events, state_sha256],
//     settings being those of the setup and null in other steps.
//   - summary repeats the round as figures for people and spreadsheets; what is in
//     it is the ruleset's to say (for Sugar-Ray see its type Export).
package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/rules"
)

// Format is the number of the document's layout.
const Format = 1

// Document is a game's export.
type Document struct {
	Format int    `json:"format"`
	Game   Game   `json:"game"`
	Steps  []Step `json:"steps"`
	// Persons is in the game master's own export only.
	Persons []Person `json:"persons,omitempty"`
	// Pending are the orders on file for rounds still open, in the game master's
	// own export only.
	Pending []Pending `json:"pending,omitempty"`
}

// Game is how the game was set up.
type Game struct {
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	Ruleset  string        `json:"ruleset"`
	Settings game.Settings `json:"settings"`
	State    string        `json:"state"`
	Sealed   string        `json:"sealed"`
	Secret   string        `json:"secret,omitempty"`
}

// Person is a seat's player.
type Person struct {
	Seat      game.SeatID `json:"seat"`
	Name      string      `json:"name"`
	State     string      `json:"state"`
	Addresses []string    `json:"addresses"`
	Lang      string      `json:"lang"`
	TimeZone  string      `json:"timezone"`
}

// Pending are orders for an open round.
type Pending struct {
	Round       int             `json:"round"`
	Seat        game.SeatID     `json:"seat"`
	Slot        string          `json:"slot"`
	Orders      json.RawMessage `json:"orders"`
	Provisional bool            `json:"provisional"`
}

// Step is a closed step.
type Step struct {
	Branch   int             `json:"branch"`
	Round    int             `json:"round"`
	Step     int             `json:"step"`
	Deadline string          `json:"deadline,omitempty"` // RFC 3339, UTC
	Closed   string          `json:"closed"`
	Seed     string          `json:"seed"`
	Next     string          `json:"next"`
	Inputs   rules.Inputs    `json:"inputs"`
	Events   []rules.Event   `json:"events"`
	StateSum string          `json:"state_sha256"`
	State    json.RawMessage `json:"state,omitempty"`
	Hash     string          `json:"hash"`
	Summary  any             `json:"summary,omitempty"`
}

// Made is what a step comes to.
type Made struct {
	Table  rules.Table
	Inputs json.RawMessage
	Events json.RawMessage
	Typed  []rules.Event
	State  json.RawMessage
	Hash   string
}

// Chain names the place of a step.
type Chain struct {
	Previous string // hash of the step before, "" for the setup
	Game     string
	Branch   int
	Round    int
	Step     int
	Seed     dice.Seed
	Next     string // commitment to the next round's seed
}

// Setup makes a game's first step. The seats stand in the inputs as joins.
func Setup(r rules.Ruleset, settings game.Settings, seats []game.Seat, at Chain) (Made, error) {
	if settings == nil {
		settings = game.Settings{}
	}
	table, events, err := r.Setup(settings, seats, at.Seed)
	if err != nil {
		return Made{}, err
	}
	return finish(at, settings, table, rules.Inputs{Joins: seats}, events)
}

// Advance makes the next step of a table.
func Advance(table rules.Table, in rules.Inputs, at Chain) (Made, error) {
	next, events, err := table.Advance(in, at.Seed)
	if err != nil {
		return Made{}, err
	}
	return finish(at, nil, next, in, events)
}

func finish(at Chain, settings game.Settings, table rules.Table, in rules.Inputs, events []rules.Event) (m Made, err error) {
	if in.Orders == nil {
		in.Orders = []rules.Order{}
	}
	if events == nil {
		events = []rules.Event{}
	}
	m.Table, m.Typed = table, events
	if m.State, err = table.State(); err != nil {
		return m, err
	}
	if m.Inputs, err = json.Marshal(in); err != nil {
		return m, fmt.Errorf("storing inputs: %w", err)
	}
	if m.Events, err = json.Marshal(events); err != nil {
		return m, fmt.Errorf("storing events: %w", err)
	}
	m.Hash, err = hash(at, settings, m.Inputs, m.Events, Sum(m.State))
	return m, err
}

func hash(at Chain, settings game.Settings, inputs, events json.RawMessage, stateSum string) (string, error) {
	b, err := json.Marshal([]any{at.Previous, at.Game, at.Branch, at.Round, at.Step, at.Seed.String(), at.Next,
		settings, inputs, events, stateSum})
	if err != nil {
		return "", fmt.Errorf("hashing round %d: %w", at.Round, err)
	}
	return Sum(b), nil
}

// Sum is the SHA-256 in hex.
func Sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// Difference is where a document departs from what its rules and seeds give.
type Difference struct {
	Round int
	Step  int
	In    string // what differs: "seed", "commitment", "inputs", "events", "state", "hash", "summary"
	What  string // more closely, in English
}

// String says it in a line.
func (d Difference) String() string {
	return fmt.Sprintf("round %d: the %s differs: %s", d.Round, d.In, d.What)
}

// Verify recomputes a document step by step and gives the first difference, nil
// when there is none. An error means that the document could not be recomputed
// at all.
func Verify(d Document, find func(string) (rules.Ruleset, error)) (*Difference, error) {
	if d.Format != Format {
		return nil, fmt.Errorf("the export has format %d, this program knows %d", d.Format, Format)
	}
	r, err := find(d.Game.Ruleset)
	if err != nil {
		return nil, err
	}
	if len(d.Steps) == 0 {
		return nil, nil
	}
	v := verifier{doc: d, rules: r}
	for i := range d.Steps {
		diff, err := v.step(i)
		if diff != nil || err != nil {
			return diff, err
		}
	}
	return nil, nil
}

type verifier struct {
	doc   Document
	rules rules.Ruleset
	table rules.Table
}

func (v *verifier) step(i int) (*Difference, error) {
	s := v.doc.Steps[i]
	differs := func(in, format string, args ...any) (*Difference, error) {
		return &Difference{s.Round, s.Step, in, fmt.Sprintf(format, args...)}, nil
	}
	seed, err := dice.ParseSeed(s.Seed)
	if err != nil {
		return differs("seed", "%v", err)
	}
	at := Chain{Game: v.doc.Game.ID, Branch: s.Branch, Round: s.Round, Step: s.Step, Seed: seed, Next: s.Next}
	if i == 0 && (s.Round != 0 || s.Step != 0) {
		return differs("inputs", "the chain does not begin with the setup")
	}
	if i > 0 {
		before := v.doc.Steps[i-1]
		if s.Round != before.Round+1 && (s.Round != before.Round || s.Step != before.Step+1) {
			return differs("inputs", "it follows round %d", before.Round)
		}
		at.Previous = before.Hash
		if s.Round > before.Round && seed.Commitment() != before.Next {
			return differs("commitment", "the seed's SHA-256 is %s, the round before had announced %s", seed.Commitment(), before.Next)
		}
	}
	if v.doc.Game.Secret != "" {
		secret, err := dice.ParseSecret(v.doc.Game.Secret)
		if err != nil {
			return differs("seed", "the game's secret: %v", err)
		}
		if secret.Commitment() != v.doc.Game.Sealed {
			return differs("commitment", "the secret's SHA-256 is %s, announced was %s", secret.Commitment(), v.doc.Game.Sealed)
		}
		if want := secret.Seed(v.doc.Game.ID, s.Branch, s.Round); want != seed {
			return differs("seed", "the secret gives %s, not %s", want, seed)
		}
	}
	var before json.RawMessage
	var made Made
	if i == 0 {
		made, err = Setup(v.rules, v.doc.Game.Settings, s.Inputs.Joins, at)
	} else {
		if before, err = v.table.State(); err != nil {
			return nil, err
		}
		made, err = Advance(v.table, s.Inputs, at)
	}
	if err != nil {
		return nil, fmt.Errorf("recomputing round %d: %w", s.Round, err)
	}
	v.table = made.Table
	if diff := compareEvents(s, made.Typed); diff != "" {
		return differs("events", "%s", diff)
	}
	if got := Sum(made.State); got != s.StateSum {
		return differs("state", "its SHA-256 is %s, stored is %s", got, s.StateSum)
	}
	if s.State != nil && !bytes.Equal(compact(s.State), compact(made.State)) {
		return differs("state", "the stored state is not the one its SHA-256 belongs to")
	}
	if made.Hash != s.Hash {
		return differs("hash", "recomputed %s, stored %s", made.Hash, s.Hash)
	}
	if s.Summary != nil {
		want, err := Summary(made.Table, s.Round, before, made.Typed)
		if err != nil {
			return nil, err
		}
		if !sameJSON(s.Summary, want) {
			return differs("summary", "its figures are not those of the events")
		}
	}
	return nil, nil
}

// compareEvents names the first event that differs, "" when none does.
func compareEvents(s Step, made []rules.Event) string {
	for i := range max(len(s.Events), len(made)) {
		switch {
		case i >= len(s.Events):
			return fmt.Sprintf("event %d (%s) is missing", i+1, made[i].Code)
		case i >= len(made):
			return fmt.Sprintf("event %d (%s) did not happen", i+1, s.Events[i].Code)
		}
		a, b := s.Events[i], made[i]
		if a.Code != b.Code || !sameJSON(a.For, b.For) || !bytes.Equal(compact(a.Data), compact(b.Data)) {
			return fmt.Sprintf("event %d (%s) is %s, recomputed %s (%s)", i+1, a.Code, compact(a.Data), compact(b.Data), b.Code)
		}
	}
	return ""
}

func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return raw
	}
	return b.Bytes()
}

func sameJSON(a, b any) bool {
	x, errX := canonical(a)
	y, errY := canonical(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// canonical sorts the keys: a struct and what was read back as a map are alike.
func canonical(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var plain any
	if err := d.Decode(&plain); err != nil {
		return nil, err
	}
	return json.Marshal(plain)
}

// Summary asks the ruleset for a step's figures.
func Summary(after rules.Table, round int, before json.RawMessage, events []rules.Event) (any, error) {
	answers, err := after.Ask(rules.Query{Kind: game.QueryExport, Round: round, Before: before, Events: events})
	if err != nil {
		return nil, err
	}
	views, _ := answers(game.Audience{})
	if len(views) != 1 {
		return nil, fmt.Errorf("the ruleset gives %d summaries of round %d", len(views), round)
	}
	return views[0].Data(), nil
}

// Parse reads an export; unknown fields are an error.
func Parse(b []byte) (Document, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	d.UseNumber()
	var doc Document
	if err := d.Decode(&doc); err != nil {
		return doc, fmt.Errorf("reading the export: %w", err)
	}
	return doc, nil
}
