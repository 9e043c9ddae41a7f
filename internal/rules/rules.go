// Package rules is the list of rulesets, and the adapter that folds each typed
// one to the JSON that is stored. It is pure: it imports the rulesets and
// package game, nothing else of the project.
package rules

import (
	"encoding/json"
	"fmt"
	"slices"

	"ringpost/internal/game"
)

// Ruleset is a game in the form in which the referee handles every game alike.
type Ruleset interface {
	About() game.About
	// Check says what is wrong with a game's settings, nil if nothing is; CheckSpar
	// does so with those of a test fight.
	Check(game.Settings) error
	CheckSpar(game.Settings) error
	// Shown is the value of a game's setting as a game master reads it: of a file no
	// more than what it is.
	Shown(settings game.Settings, key string) string
	// Rules shows the rules as a game with these settings plays them.
	Rules(game.Settings) game.View
	// Names are those that settings bring into a game when it starts (G-13).
	Names(game.Settings) []string
	// Spars reports whether players can try orders out between rounds.
	Spars() bool
	// Setup makes the first step; its table has round 1 open.
	Setup(game.Settings, []game.Seat, game.RoundDice) (Table, []Event, error)
	// Open reads a stored state. States of older layouts are brought up to date;
	// one newer than the program, or with unknown fields, is an error.
	Open(state json.RawMessage) (Table, error)
	// Spar fights a bout between blocks that stand in no game.
	Spar(game.Settings, []game.Block, game.Dice) (game.View, []game.Issue)
	// Probe readies such a bout to be fought many times; nil, without issues,
	// where chance has no part in it.
	Probe(game.Settings, []game.Block) (game.Probe, []game.Issue)
}

// Table is a game at one state: a table with the pieces as they stand. It never
// changes; Advance gives the next one.
type Table interface {
	// State is the state as stored: the same state gives the same bytes.
	State() (json.RawMessage, error)
	Due() game.Due
	Owner(name string) (game.SeatID, bool)
	// Names are those that belong to a seat beside its own, of "" those of all (G-13).
	Names(game.SeatID) []string
	Slots(game.SeatID, game.Block) []string
	Read(game.SeatID, game.Block) ([]Slip, []game.Issue, error)
	// Standing is what counts for a seat without being sent again (G-11).
	Standing(game.SeatID) ([]Slip, error)
	Explain(game.SeatID, []Slip) (game.View, error)
	Advance(Inputs, game.RoundDice) (Table, []Event, error)
	// Ask reads a question once; the answer may then be had for any audience.
	Ask(Query) (Answers, error)
	// Sparring tries out what the subject's slips order, by dice that are no
	// round's. A game that knows no sparring gives neither view nor issues.
	Sparring(seat game.SeatID, subject string, slips []Slip, dice game.Dice) (game.View, []game.Issue, error)
}

// Answers gives what an audience may see of the answer to one question.
type Answers func(game.Audience) ([]game.View, []game.Issue)

// The stored forms of what rulesets type.
type (
	// Slip is a slot's orders.
	Slip = game.Slip[json.RawMessage]
	// Inputs are what a step depends on besides state and dice.
	Inputs = game.Inputs[json.RawMessage]
	// Order is one slot of one seat.
	Order = game.Order[json.RawMessage]
	// Event is something that happened.
	Event = game.Event[json.RawMessage]
)

// Query is a question; Before and Events describe the step whose outcome is the
// table asked, for reports and exports.
type Query struct {
	Kind    game.QueryKind
	Subject string
	Round   int             // the step's round
	Before  json.RawMessage // nil for the setup
	Events  []Event         // nil when the question is of no step
	Sent    []string        // of a briefing: the slots with orders on file
	Gone    []game.SeatID   // of a briefing: whom the game master took out of the open round
}

// Upgrade turns the state's JSON of one schema into that of the next.
type Upgrade func(json.RawMessage) (json.RawMessage, error)

// Adapt folds typed rules to stored JSON. upgrades[i] leads from schema i+1 to
// i+2; there must be one less than About().Schema.
func Adapt[S, O, E any](r game.Rules[S, O, E], upgrades ...Upgrade) Ruleset {
	if got, want := len(upgrades), r.About().Schema-1; got != want {
		panic(fmt.Sprintf("rules: %s has schema %d and %d upgrades", r.About().Name, want+1, got))
	}
	return adapter[S, O, E]{r, upgrades}
}

type adapter[S, O, E any] struct {
	rules    game.Rules[S, O, E]
	upgrades []Upgrade
}

// envelope is a state as stored.
type envelope struct {
	Ruleset string          `json:"ruleset"`
	Schema  int             `json:"schema"`
	State   json.RawMessage `json:"state"`
}

func (a adapter[S, O, E]) About() game.About { return a.rules.About() }

func (a adapter[S, O, E]) Check(settings game.Settings) error {
	return a.check(settings, a.About().Game)
}

func (a adapter[S, O, E]) CheckSpar(settings game.Settings) error {
	return a.check(settings, a.About().Spar)
}

func (a adapter[S, O, E]) check(settings game.Settings, declared []game.Setting) error {
	if err := settings.Check(declared); err != nil {
		return err
	}
	if c, ok := a.rules.(game.SettingsChecker); ok {
		return c.CheckSettings(settings)
	}
	return nil
}

func (a adapter[S, O, E]) Shown(settings game.Settings, key string) string {
	declared := a.About().Game
	value := settings.Get(declared, key)
	if !slices.ContainsFunc(declared, func(d game.Setting) bool { return d.Key == key && d.File }) {
		return value
	}
	if t, ok := a.rules.(game.FileTeller); ok {
		return t.TellFile(key, value)
	}
	return fmt.Sprintf("a file of %d bytes", len(value))
}

func (a adapter[S, O, E]) Rules(settings game.Settings) game.View {
	if t, ok := a.rules.(game.RulesTeller); ok {
		return t.RulesView(settings)
	}
	return game.View{Template: "rules", Data: func() any { return nil }}
}

func (a adapter[S, O, E]) Names(settings game.Settings) []string {
	if n, ok := a.rules.(game.Namer[S]); ok {
		return n.NamesBefore(settings)
	}
	return nil
}

func (a adapter[S, O, E]) Spars() bool {
	_, ok := a.rules.(game.Sparrer[S, O])
	return ok
}

func (a adapter[S, O, E]) Setup(settings game.Settings, seats []game.Seat, dice game.RoundDice) (Table, []Event, error) {
	s, events, err := a.rules.Setup(settings, seats, dice)
	if err != nil {
		return nil, nil, fmt.Errorf("setting up %s: %w", a.About().Name, err)
	}
	stored, err := encodeEvents(events)
	if err != nil {
		return nil, nil, err
	}
	return table[S, O, E]{a, s}, stored, nil
}

func (a adapter[S, O, E]) Open(state json.RawMessage) (Table, error) {
	s, err := a.open(state)
	if err != nil {
		return nil, err
	}
	return table[S, O, E]{a, s}, nil
}

func (a adapter[S, O, E]) open(state json.RawMessage) (s S, err error) {
	var env envelope
	if err := decode(state, &env); err != nil {
		return s, fmt.Errorf("reading a stored state: %w", err)
	}
	about := a.About()
	if env.Ruleset != about.Name {
		return s, fmt.Errorf("reading a stored state: it is of %q, not of %s", env.Ruleset, about.Name)
	}
	if env.Schema < 1 || env.Schema > about.Schema {
		return s, fmt.Errorf("reading a stored state of %s: schema %d is not known; this program knows up to %d, use a newer one", about.Name, env.Schema, about.Schema)
	}
	for i := env.Schema; i < about.Schema; i++ {
		if env.State, err = a.upgrades[i-1](env.State); err != nil {
			return s, fmt.Errorf("upgrading a state of %s from schema %d: %w", about.Name, i, err)
		}
	}
	if err := decode(env.State, &s); err != nil {
		return s, fmt.Errorf("reading a stored state of %s: %w", about.Name, err)
	}
	return s, nil
}

func (a adapter[S, O, E]) Spar(settings game.Settings, blocks []game.Block, dice game.Dice) (game.View, []game.Issue) {
	return a.rules.Spar(settings, blocks, dice)
}

func (a adapter[S, O, E]) Probe(settings game.Settings, blocks []game.Block) (game.Probe, []game.Issue) {
	if p, ok := a.rules.(game.Prober); ok {
		return p.Probe(settings, blocks)
	}
	return nil, nil
}

type table[S, O, E any] struct {
	adapter[S, O, E]
	state S
}

func (t table[S, O, E]) State() (json.RawMessage, error) {
	inner, err := json.Marshal(t.state)
	if err != nil {
		return nil, fmt.Errorf("storing a state of %s: %w", t.About().Name, err)
	}
	about := t.About()
	out, err := json.Marshal(envelope{about.Name, about.Schema, inner})
	if err != nil {
		return nil, fmt.Errorf("storing a state of %s: %w", about.Name, err)
	}
	return out, nil
}

func (t table[S, O, E]) Due() game.Due { return t.rules.Due(t.state) }

func (t table[S, O, E]) Owner(name string) (game.SeatID, bool) { return t.rules.Owner(t.state, name) }

func (t table[S, O, E]) Read(seat game.SeatID, b game.Block) ([]Slip, []game.Issue, error) {
	typed, issues := t.rules.Read(t.state, seat, b)
	slips, err := encodeSlips(seat, typed)
	return slips, issues, err
}

func (t table[S, O, E]) Slots(seat game.SeatID, b game.Block) []string {
	return t.rules.Slots(t.state, seat, b)
}

func (t table[S, O, E]) Names(seat game.SeatID) []string {
	if n, ok := t.rules.(game.Namer[S]); ok {
		return n.Names(t.state, seat)
	}
	return nil
}

func (t table[S, O, E]) Standing(seat game.SeatID) ([]Slip, error) {
	if r, ok := t.rules.(game.Stander[S, O]); ok {
		return encodeSlips(seat, r.Standing(t.state, seat))
	}
	return nil, nil
}

func (t table[S, O, E]) Explain(seat game.SeatID, slips []Slip) (game.View, error) {
	typed, err := decodeSlips[O](seat, slips)
	if err != nil {
		return game.View{}, err
	}
	return t.rules.Explain(t.state, seat, typed), nil
}

func (t table[S, O, E]) Sparring(seat game.SeatID, subject string, slips []Slip, dice game.Dice) (game.View, []game.Issue, error) {
	r, ok := t.rules.(game.Sparrer[S, O])
	if !ok {
		return game.View{}, nil, nil
	}
	typed, err := decodeSlips[O](seat, slips)
	if err != nil {
		return game.View{}, nil, err
	}
	view, issues := r.Sparring(t.state, seat, subject, typed, dice)
	return view, issues, nil
}

func encodeSlips[O any](seat game.SeatID, typed []game.Slip[O]) ([]Slip, error) {
	slips := make([]Slip, len(typed))
	for i, s := range typed {
		raw, err := json.Marshal(s.Orders)
		if err != nil {
			return nil, fmt.Errorf("storing orders of %s: %w", seat, err)
		}
		slips[i] = Slip{Slot: s.Slot, Orders: raw, Lines: s.Lines, Provisional: s.Provisional}
	}
	return slips, nil
}

func decodeSlips[O any](seat game.SeatID, slips []Slip) ([]game.Slip[O], error) {
	typed := make([]game.Slip[O], len(slips))
	for i, s := range slips {
		typed[i] = game.Slip[O]{Slot: s.Slot, Lines: s.Lines, Provisional: s.Provisional}
		if err := decode(s.Orders, &typed[i].Orders); err != nil {
			return nil, fmt.Errorf("reading stored orders of %s: %w", seat, err)
		}
	}
	return typed, nil
}

func (t table[S, O, E]) Advance(in Inputs, dice game.RoundDice) (Table, []Event, error) {
	typed := game.Inputs[O]{Joins: in.Joins, Leaves: in.Leaves, Orders: make([]game.Order[O], len(in.Orders))}
	for i, o := range in.Orders {
		typed.Orders[i] = game.Order[O]{Seat: o.Seat, Slot: o.Slot}
		if err := decode(o.Orders, &typed.Orders[i].Orders); err != nil {
			return nil, nil, fmt.Errorf("reading stored orders of %s: %w", o.Seat, err)
		}
	}
	next, events, err := t.rules.Advance(t.state, typed, dice)
	if err != nil {
		return nil, nil, fmt.Errorf("advancing %s: %w", t.About().Name, err)
	}
	stored, err := encodeEvents(events)
	if err != nil {
		return nil, nil, err
	}
	return table[S, O, E]{t.adapter, next}, stored, nil
}

func (t table[S, O, E]) Ask(q Query) (Answers, error) {
	typed := game.Query[S, E]{Kind: q.Kind, Subject: q.Subject, Sent: q.Sent, Gone: q.Gone}
	if q.Kind == game.QueryReport || q.Kind == game.QueryExport {
		step := &game.Step[S, E]{Round: q.Round, After: t.state}
		if q.Before != nil {
			before, err := t.open(q.Before)
			if err != nil {
				return nil, err
			}
			step.Before = before
		}
		for _, e := range q.Events {
			event := game.Event[E]{Code: e.Code, For: e.For}
			if err := decode(e.Data, &event.Data); err != nil {
				return nil, fmt.Errorf("reading a stored event of %s: %w", t.About().Name, err)
			}
			step.Events = append(step.Events, event)
		}
		typed.Step = step
	}
	return func(who game.Audience) ([]game.View, []game.Issue) {
		return t.rules.Answer(t.state, typed, who)
	}, nil
}

func encodeEvents[E any](events []game.Event[E]) ([]Event, error) {
	out := make([]Event, len(events))
	for i, e := range events {
		raw, err := json.Marshal(e.Data)
		if err != nil {
			return nil, fmt.Errorf("storing the event %s: %w", e.Code, err)
		}
		out[i] = Event{Code: e.Code, For: e.For, Data: raw}
	}
	return out, nil
}
