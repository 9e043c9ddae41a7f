package proof

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/rules"
)

// Difference is where a document departs from what its rules and seeds give.
type Difference struct {
	Round int    `json:"round"`
	Step  int    `json:"step"`
	In    string `json:"in"`   // "seed", "commitment", "order" (of the steps), "input" (of a step decided again), "seal", "events", "state", "hash" or "summary"
	What  string `json:"what"` // more closely, in English
}

// String says it in a line.
func (d Difference) String() string {
	return fmt.Sprintf("round %d: the %s differs: %s", d.Round, d.In, d.What)
}

// Verdict is what a document was found to be.
type Verdict struct {
	Rounds int // whose chain was checked, the setup not counted
	// Sealed counts the rounds of them that could not be resolved again, because
	// orders or dice in them or before them are still sealed.
	Sealed int
	// Void counts the closed steps that were left when their round was reopened; they
	// are checked as the others are.
	Void       int
	Difference *Difference // the first one, nil when there is none
}

// Verify recomputes a document step by step. An error means that it could not be
// recomputed at all.
func Verify(d Document, find func(string) (rules.Ruleset, error)) (Verdict, error) {
	if d.Format != Format {
		return Verdict{}, fmt.Errorf("the export has format %d, this program knows %d", d.Format, Format)
	}
	r, err := find(d.Game.Ruleset)
	if err != nil {
		return Verdict{}, err
	}
	if len(d.Steps) == 0 && d.Game.State != "new" {
		return Verdict{}, fmt.Errorf("the export of %s holds no rounds", d.Game.ID)
	}
	v := verifier{doc: d, rules: r, open: r.About().Open || d.Game.Secret != "", seeds: []int{0}}
	lines, diff := d.lines()
	if diff != nil {
		v.out.Difference = diff
		return v.out, nil
	}
	for branch, line := range lines {
		if branch > 0 {
			if v.out.Difference = v.reopen(&d.Reopened[branch-1]); v.out.Difference != nil {
				return v.out, nil
			}
			v.out.Void += len(v.line) - v.first
		}
		v.line = line
		for i := v.first; i < len(line); i++ {
			diff, err := v.step(i)
			v.out.Rounds, v.out.Sealed = v.line[i].Round, v.waiting()
			if diff != nil || err != nil {
				v.out.Difference = diff
				return v.out, err
			}
		}
	}
	if len(v.line) > 0 {
		v.out.Rounds, v.out.Sealed = v.line[len(v.line)-1].Round, v.waiting()
	}
	return v.out, nil
}

type verifier struct {
	doc   Document
	rules rules.Ruleset
	open  bool // nothing of it may be sealed any more

	line    []Step // that counts between two reopenings
	first   int    // its first step since the last of them
	since   *Reopening
	tip     string    // the newest hash so far
	seeds   []int     // by branch: whose number stands in its seeds' names
	told    []string  // the seeds of void steps: nobody may order against them
	checked []outcome // of the line's steps

	table  rules.Table // after the step before, nil when that is sealed
	sealed bool        // orders or dice so far are not all open
	out    Verdict
}

// outcome is what a step that holds led to.
type outcome struct {
	table   rules.Table // nil when it could not be resolved
	sealed  bool
	waiting bool // a round that could not
}

// waiting counts the rounds of the line that wait for what is sealed.
func (v *verifier) waiting() (n int) {
	for _, c := range v.checked {
		if c.waiting {
			n++
		}
	}
	return n
}

// found is a difference in one part of a step.
func found(in, format string, args ...any) *Difference {
	return &Difference{In: in, What: fmt.Sprintf(format, args...)}
}

func (v *verifier) step(i int) (*Difference, error) {
	s := v.line[i]
	v.table, v.sealed = nil, false
	if i > 0 {
		v.table, v.sealed = v.checked[i-1].table, v.checked[i-1].sealed
	}
	at, diff := v.place(i)
	if diff == nil {
		diff = checkSeals(s, v.open)
	}
	var err error
	if diff == nil {
		diff, err = v.checkHash(i, at)
	}
	if diff == nil && i == v.first && v.since != nil && v.since.Kept {
		diff = checkFrozen(v.since, s)
	}
	var waiting bool
	if diff == nil && err == nil {
		waiting, diff, err = v.resolve(i, at)
	}
	v.tip, v.checked = s.Hash, append(v.checked, outcome{v.table, v.sealed, waiting})
	if diff != nil {
		diff.Round, diff.Step = s.Round, s.Step
	}
	return diff, err
}

// place checks that a step continues the one before it, and its seed.
func (v *verifier) place(i int) (Chain, *Difference) {
	s := v.line[i]
	at := Chain{Game: v.doc.Game.ID, Sealed: v.doc.Game.Sealed, Branch: s.Branch, Round: s.Round, Step: s.Step, Next: s.Next}
	var err error
	if at.Seed, err = dice.ParseSeed(s.Seed); err != nil {
		return at, found("seed", "%v", err)
	}
	if want := len(v.seeds) - 1; s.Branch != want {
		return at, found("order", "it is of branch %d, not %d", s.Branch, want)
	}
	at.Seeds = v.seeds[s.Branch]
	if i == 0 && (s.Round != 0 || s.Step != 0) {
		return at, found("order", "the chain does not begin with the setup")
	}
	if i > 0 {
		before := v.line[i-1]
		if (s.Round != before.Round+1 || s.Step != 0) && (s.Round != before.Round || s.Step != before.Step+1) {
			return at, found("order", "it follows round %d", before.Round)
		}
		announced, by := before.Next, "the round before"
		at.Previous = before.Hash
		if r := v.since; r != nil && i == v.first {
			if s.Round != r.Round || s.Step != r.Step {
				return at, found("order", "round %d was reopened, not it", r.Round)
			}
			at.Previous, announced, by = r.Hash, r.Next, "its reopening"
		} else if s.Round == before.Round {
			announced = at.Seed.Commitment()
		}
		again := v.since != nil && i == v.first && v.since.Kept
		if !again && slices.Contains(v.told, s.Seed) {
			return at, found("commitment", "orders were taken against dice that a void round had told")
		}
		if at.Seed.Commitment() != announced {
			return at, found("commitment", "the seed's SHA-256 is %s, %s had announced %s", at.Seed.Commitment(), by, announced)
		}
	}
	var diff *Difference
	at.Dice, diff = v.diceOf(s, at)
	return at, diff
}

// diceOf are the dice of a step, as far as the document shows them.
func (v *verifier) diceOf(s Step, at Chain) (game.RoundDice, *Difference) {
	if v.doc.Game.Secret != "" {
		return v.revealed(s, at)
	}
	if v.doc.Game.State == "ended" {
		return nil, found("seed", "the game has ended and its secret is not there")
	}
	if s.SealedSeed == "" {
		return unopened{at.Seed, &v.sealed}, nil
	}
	hidden, err := dice.ParseSeed(s.SealedSeed)
	if err != nil {
		return nil, found("seed", "the sealed one: %v", err)
	}
	return dice.Round{Open: at.Seed, Hidden: hidden}, nil
}

// unopened are a round's dice while its sealed seed is not there.
type unopened struct {
	dice.Seed
	asked *bool // whether the rules have wanted sealed dice
}

// Sealed notes that the round cannot be resolved; what it gives does not matter.
func (u unopened) Sealed() game.Dice {
	*u.asked = true
	return u.Seed
}

// revealed checks a step's seeds against the game's secret.
func (v *verifier) revealed(s Step, at Chain) (game.RoundDice, *Difference) {
	secret, err := dice.ParseSecret(v.doc.Game.Secret)
	if err != nil {
		return nil, found("seed", "the game's secret: %v", err)
	}
	if secret.Commitment() != v.doc.Game.Sealed {
		return nil, found("commitment", "the secret's SHA-256 is %s, announced was %s", secret.Commitment(), v.doc.Game.Sealed)
	}
	want := secret.Round(at.Game, at.Seeds, at.Round)
	if want.Open != at.Seed {
		return nil, found("seed", "the secret gives %s, not %s", want.Open, at.Seed)
	}
	if s.SealedSeed != "" && s.SealedSeed != want.Hidden.String() {
		return nil, found("seed", "the secret gives %s as the sealed one, not %s", want.Hidden, s.SealedSeed)
	}
	return want, nil
}

// checkSeals checks that what is open is what was sealed, and that nothing is
// sealed that should be open.
func checkSeals(s Step, open bool) *Difference {
	for _, o := range s.Orders {
		raw, err := json.Marshal(rules.Order{Seat: o.Seat, Slot: o.Slot, Orders: o.Orders})
		if why := o.check(o.Orders != nil, open, raw, err); why != "" {
			return found("seal", "%s's orders (%s) %s", o.Seat, o.Slot, why)
		}
	}
	for i, e := range s.Events {
		raw, err := json.Marshal(rules.Event{Code: e.Code, For: e.For, Data: e.Data})
		if why := e.check(e.Code != "" || e.For != nil || e.Data != nil, open, raw, err); why != "" {
			return found("seal", "event %d (%s) %s: %s", i+1, e.Code, why, compact(e.Data))
		}
	}
	// A state may be left out where it can be recomputed; its salt then waits for that.
	shown := s.State.Value != nil
	if shown || open && s.State.Salt == "" {
		if why := s.State.check(shown, open, compact(s.State.Value), nil); why != "" {
			return found("state", "it %s", why)
		}
	}
	return nil
}

// check says what is wrong with a seal, "" when nothing is: shown is whether its
// value is there, raw is what was sealed, open whether it must be there.
func (s Seal) check(shown, open bool, raw []byte, err error) string {
	switch {
	case !shown && s.Salt == "" && !open:
		return ""
	case s.Salt == "":
		return "cannot be compared with the seal: the salt is missing"
	case err != nil || sealOf(s.Salt, raw) != s:
		return "is not what was sealed"
	}
	return ""
}

func (v *verifier) checkHash(i int, at Chain) (*Difference, error) {
	s := v.line[i]
	var begun setup
	if i == 0 {
		begun = setupOf(v.rules, at, v.doc.Game.Settings)
	}
	got, err := hash(at, begun, s)
	if err != nil {
		return nil, err
	}
	if got != s.Hash {
		return found("hash", "recomputed %s, stored %s", got, s.Hash), nil
	}
	return nil, nil
}

// resolve makes the step again and compares, if nothing it needs is sealed; a round
// for which something is has to wait.
func (v *verifier) resolve(i int, at Chain) (waits bool, diff *Difference, err error) {
	s := v.line[i]
	in := rules.Inputs{Joins: s.Joins, Leaves: s.Leaves, Orders: make([]rules.Order, len(s.Orders))}
	for j, o := range s.Orders {
		in.Orders[j] = rules.Order{Seat: o.Seat, Slot: o.Slot, Orders: o.Orders}
		v.sealed = v.sealed || o.Salt == ""
	}
	if v.sealed {
		return s.Round > 0, nil, nil
	}
	if err := v.checkChoices(s); err != nil {
		return false, nil, err
	}
	at.Salter = saltsOf(s)
	var before json.RawMessage
	var made Made
	if i == 0 {
		made, err = Setup(v.rules, v.doc.Game.Settings, s.Joins, at)
	} else {
		if before, err = v.table.State(); err != nil {
			return false, nil, err
		}
		made, err = Advance(v.table, in, at)
	}
	if v.sealed { // its dice are, or it would have ended above
		return s.Round > 0, nil, nil
	}
	if err != nil {
		return false, nil, fmt.Errorf("recomputing round %d: %w", s.Round, err)
	}
	v.table = made.Table
	if what := compareEvents(s, made.Events); what != "" {
		return false, found("events", "%s", what), nil
	}
	if s.State.Salt != "" && sealOf(s.State.Salt, compact(made.State)) != s.State.Seal {
		return false, found("state", "the recomputed one is not the one that was sealed"), nil
	}
	want, err := Summary(made.Table, s.Round, before, made.Events)
	if err != nil {
		return false, nil, err
	}
	if !sameJSON(s.Summary, want) {
		return false, found("summary", "its figures are not those of the events"), nil
	}
	return false, nil, nil
}

// checkChoices keeps from the ruleset what it has never been asked to bear:
// settings and traits that no game master could have entered.
func (v *verifier) checkChoices(s Step) error {
	about := v.rules.About()
	if err := v.doc.Game.Settings.Check(about.Game); err != nil {
		return fmt.Errorf("recomputing round %d: %w", s.Round, err)
	}
	for _, seat := range s.Joins {
		if err := seat.Traits.Check(about.Seat); err != nil {
			return fmt.Errorf("recomputing round %d: %s: %w", s.Round, seat.ID, err)
		}
	}
	return nil
}

// saltsOf gives the salts a step shows.
func saltsOf(s Step) Salter {
	known := map[string]string{"state": s.State.Salt}
	for _, o := range s.Orders {
		known["order/"+string(o.Seat)+"/"+o.Slot] = o.Salt
	}
	for i, e := range s.Events {
		known[fmt.Sprint("event/", i)] = e.Salt
	}
	return func(_ Chain, name string) string { return known[name] }
}

// compareEvents names the first event that differs, "" when none does. Events
// that are sealed are passed over.
func compareEvents(s Step, made []rules.Event) string {
	for i := range max(len(s.Events), len(made)) {
		switch {
		case i >= len(s.Events):
			return fmt.Sprintf("event %d (%s) is missing", i+1, made[i].Code)
		case i >= len(made):
			return fmt.Sprintf("event %d (%s) did not happen", i+1, s.Events[i].Code)
		case s.Events[i].Salt == "":
			continue
		}
		a, b := s.Events[i], made[i]
		if a.Code != b.Code || !reflect.DeepEqual(a.For, b.For) || !bytes.Equal(compact(a.Data), compact(b.Data)) {
			return fmt.Sprintf("event %d (%s) is %s, recomputed %s (%s)", i+1, a.Code, compact(a.Data), compact(b.Data), b.Code)
		}
	}
	return ""
}
