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
//     once state is "ended".
//   - A step's seed is HMAC-SHA256(secret, "game/branch/round"); the step before
//     printed its SHA-256 as next (G-2). All dice that everybody sees follow from it.
//   - What is hidden for longer was thrown by a second seed, sealed_seed:
//     HMAC-SHA256(secret, "sealed/game/branch/round"). It is left out until
//     everything is opened, and then follows from the secret.
//   - joins and leaves are who entered and who left; the setup has its seats as
//     joins.
//   - orders are those that counted, in the order of entry. A seat with none
//     missed its move (NMR). events are all that happened, every die and lot
//     among them. state is where the step led to; only the game master's own
//     export has it in full.
//   - Each order, each event and the state has a seal: the SHA-256 of its salt (64
//     hex digits) and its JSON without blanks, one behind the other; that of an
//     order is {"seat":…,"slot":…,"orders":…}. What is not to be known yet is there
//     as its seal alone; what is open has salt and value, so that anyone can see
//     that the seal was made of it.
//   - hash is the SHA-256 of the JSON array [hash of the step before, game,
//     branch, round, step, seed, next, setup, joins, leaves, orders, seals of the
//     events, seal of the state]. Each of the orders is [seat, slot, seal]; setup
//     is [ruleset, sealed, settings] in round 0 and null in other steps.
//   - reopened lists, oldest first, where the game master opened a round again that
//     had been closed (see type Reopening). branch counts them: a step's is how many
//     there had been when it was made, and steps has those that count now. What was
//     left stands as void in the reopening that left it, so that no step is missing.
//   - summary repeats the round as figures for people and spreadsheets; what is in
//     it is the ruleset's to say (for Sugar-Ray see its type Export).
//
// A ruleset whose orders are public once their round is closed opens all of them
// then; other games are opened when they end. Until then the rounds of such a game
// cannot be resolved by the public; their chain, their seeds and all that is open
// can be checked at once, the rest is bound by its seals.
//
// # A round that was reopened
//
// The chain then goes on from the step before that round: the reopening's hash takes
// the place of the hash of the step before, and is itself the SHA-256 of the JSON array
// ["reopened", hash of the step before, game, branch, round, step, tip, kept, next,
// added, reason, at]. tip is the newest hash of all there were, so that what was left
// stays bound; each of added is [seat, slot, seal].
//
//   - kept: the last step was decided again by the dice it had, for letters that had
//     arrived in time and were seen after the close. next is the SHA-256 of that same
//     seed, and the orders are those of the step it takes the place of but for added.
//     To show that while they are sealed, their salts are the same. Seeds go on as if
//     nothing had been: "branch" in their names stays that of the branch before.
//   - otherwise new orders could be sent. next is the SHA-256 of the seed that the
//     round gets now, with the new branch's number in its name; players were told it
//     before they could order.
//
// # What the chain does not bind
//
// The game's title and state and a step's deadline and closed are told for
// people; rounds at the end can be left out, as in an export made earlier; and
// the summary of a round is checked when the round can be resolved, not before. A
// second seed is held by the secret alone, or by what was thrown with it. That the
// orders added to a round decided again had arrived in time is the game master's word.
// Persons and pending are the game master's notes.
package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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
	// Reopened are the game's reopenings, oldest first.
	Reopened []Reopening `json:"reopened,omitempty"`
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
	Branch   int    `json:"branch"`
	Round    int    `json:"round"`
	Step     int    `json:"step"`
	Deadline string `json:"deadline,omitempty"` // RFC 3339, UTC
	Closed   string `json:"closed"`
	Seed     string `json:"seed"`
	Next     string `json:"next"`
	// SealedSeed is the second seed, where nothing is hidden any more.
	SealedSeed string        `json:"sealed_seed,omitempty"`
	Joins      []game.Seat   `json:"joins,omitempty"`
	Leaves     []game.Leave  `json:"leaves,omitempty"`
	Orders     []SealedOrder `json:"orders"`
	Events     []SealedEvent `json:"events"`
	State      SealedState   `json:"state"`
	Hash       string        `json:"hash"`
	Summary    any           `json:"summary,omitempty"`
}

// Seal stands for a value that may be hidden; Salt is there when it is open.
type Seal struct {
	Seal string `json:"seal"`
	Salt string `json:"salt,omitempty"`
}

// SealedOrder is one slot of one seat.
type SealedOrder struct {
	Seat   game.SeatID     `json:"seat"`
	Slot   string          `json:"slot"`
	Orders json.RawMessage `json:"orders,omitempty"`
	Seal
}

// SealedEvent is something that happened.
type SealedEvent struct {
	Code string          `json:"code,omitempty"`
	For  []game.SeatID   `json:"for,omitzero"`
	Data json.RawMessage `json:"data,omitempty"`
	Seal
}

// SealedState is a state; its salt is there when everything before it is open,
// since then it can be recomputed.
type SealedState struct {
	Value json.RawMessage `json:"value,omitempty"`
	Seal
}

// Made is what a step comes to.
type Made struct {
	Table  rules.Table
	Inputs rules.Inputs
	Events []rules.Event
	State  json.RawMessage
	Hash   string
}

// Chain names the place of a step.
type Chain struct {
	Previous string // hash of the step before, "" for the setup
	Game     string
	Sealed   string // commitment to the game's secret; the setup alone needs it
	Branch   int
	Seeds    int // the branch whose number stands in the seeds' names: that of the last one with new dice
	Round    int
	Step     int
	Seed     dice.Seed
	Next     string // commitment to the next round's seed
	Dice     game.RoundDice
	Salter   Salter
}

// At is the place of the first step of a round in a game whose secret is known, on a
// branch with new dice.
func At(secret dice.Secret, gameID string, branch, round int) Chain {
	return AtKept(secret, gameID, branch, branch, round)
}

// AtKept is At on a branch that goes on with the seeds of an earlier one.
func AtKept(secret dice.Secret, gameID string, branch, seeds, round int) Chain {
	both := secret.Round(gameID, seeds, round)
	return Chain{Game: gameID, Sealed: secret.Commitment(), Branch: branch, Seeds: seeds, Round: round, Seed: both.Open,
		Next: secret.Seed(gameID, seeds, round+1).Commitment(), Dice: both, Salter: SecretSalts(secret)}
}

// Salter gives the salt for a value of a step by its name: "state", "event/n"
// with n from 0, or "order/seat/slot".
type Salter func(at Chain, name string) string

// SecretSalts derives the salts from the game's secret. Orders that are kept when a
// round is decided again keep their seals.
func SecretSalts(secret dice.Secret) Salter {
	return func(at Chain, name string) string {
		branch := at.Branch
		if strings.HasPrefix(name, "order/") {
			branch = at.Seeds
		}
		return secret.Derive(fmt.Sprintf("salt/%s/%d/%d/%d/%s", at.Game, branch, at.Round, at.Step, name))
	}
}

// Setup makes a game's first step. The seats stand in the inputs as joins.
func Setup(r rules.Ruleset, settings game.Settings, seats []game.Seat, at Chain) (Made, error) {
	table, events, err := r.Setup(settings, seats, at.Dice)
	if err != nil {
		return Made{}, err
	}
	return finish(at, setupOf(r, at, settings), Made{Table: table, Inputs: rules.Inputs{Joins: seats}, Events: events})
}

// Advance makes the next step of a table.
func Advance(table rules.Table, in rules.Inputs, at Chain) (Made, error) {
	next, events, err := table.Advance(in, at.Dice)
	if err != nil {
		return Made{}, err
	}
	return finish(at, nil, Made{Table: next, Inputs: in, Events: events})
}

// setup is what a game was set up with, in the form in which it is hashed.
type setup []any

func setupOf(r rules.Ruleset, at Chain, settings game.Settings) setup {
	if settings == nil {
		settings = game.Settings{}
	}
	return setup{r.About().Name, at.Sealed, settings}
}

func finish(at Chain, begun setup, m Made) (Made, error) {
	if m.Inputs.Orders == nil {
		m.Inputs.Orders = []rules.Order{}
	}
	if m.Events == nil {
		m.Events = []rules.Event{}
	}
	var err error
	if m.State, err = m.Table.State(); err != nil {
		return m, err
	}
	step, err := Open(at, m.Inputs, m.Events, m.State)
	if err != nil {
		return m, err
	}
	m.Hash, err = hash(at, begun, step)
	return m, err
}

// Open makes the part of a document's step that holds values, all of them open.
func Open(at Chain, in rules.Inputs, events []rules.Event, state json.RawMessage) (s Step, err error) {
	s = Step{Joins: in.Joins, Leaves: in.Leaves, Orders: make([]SealedOrder, len(in.Orders)), Events: make([]SealedEvent, len(events))}
	for i, o := range in.Orders {
		if s.Orders[i], err = sealOrder(at, o); err != nil {
			return s, err
		}
	}
	for i, e := range events {
		raw, err := json.Marshal(e)
		if err != nil {
			return s, fmt.Errorf("sealing event %d of round %d: %w", i+1, at.Round, err)
		}
		s.Events[i] = SealedEvent{Code: e.Code, For: e.For, Data: e.Data, Seal: sealOf(at.Salter(at, fmt.Sprint("event/", i)), raw)}
	}
	s.State = SealedState{Value: state, Seal: sealOf(at.Salter(at, "state"), compact(state))}
	return s, nil
}

// Public hides what is not everybody's: the state's value always; of a game that
// is not open yet all orders, what only some seats may see, the salt of the state,
// and the second seed.
func (s Step) Public(open bool) Step {
	s.State.Value = nil
	if open {
		return s
	}
	s.State.Salt, s.SealedSeed = "", ""
	s.Orders, s.Events = slices.Clone(s.Orders), slices.Clone(s.Events)
	for i := range s.Orders {
		s.Orders[i].Orders, s.Orders[i].Salt = nil, ""
	}
	for i, e := range s.Events {
		if e.For != nil {
			s.Events[i] = SealedEvent{Seal: Seal{Seal: e.Seal.Seal}}
		}
	}
	return s
}

func sealOrder(at Chain, o rules.Order) (SealedOrder, error) {
	raw, err := json.Marshal(o)
	if err != nil {
		return SealedOrder{}, fmt.Errorf("sealing the orders of %s in round %d: %w", o.Seat, at.Round, err)
	}
	return SealedOrder{Seat: o.Seat, Slot: o.Slot, Orders: o.Orders, Seal: sealOf(at.Salter(at, "order/"+string(o.Seat)+"/"+o.Slot), raw)}, nil
}

func sealOf(salt string, value []byte) Seal {
	return Seal{Seal: Sum(append([]byte(salt), value...)), Salt: salt}
}

// hash chains a step to the one before. It needs the seals only, so that it can
// be checked while values are hidden.
func hash(at Chain, begun setup, s Step) (string, error) {
	orders, events := make([][3]string, len(s.Orders)), make([]string, len(s.Events))
	for i, o := range s.Orders {
		orders[i] = o.key()
	}
	for i, e := range s.Events {
		events[i] = e.Seal.Seal
	}
	b, err := json.Marshal([]any{at.Previous, at.Game, at.Branch, at.Round, at.Step, at.Seed.String(), at.Next,
		begun, list(s.Joins), list(s.Leaves), orders, events, s.State.Seal.Seal})
	if err != nil {
		return "", fmt.Errorf("hashing round %d: %w", at.Round, err)
	}
	return Sum(b), nil
}

// key is a sealed order as it is hashed.
func (o SealedOrder) key() [3]string { return [...]string{string(o.Seat), o.Slot, o.Seal.Seal} }

// list is never null in JSON.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// Sum is the SHA-256 in hex.
func Sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
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
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return doc, errors.New("reading the export: something stands behind it")
	}
	return doc, nil
}
