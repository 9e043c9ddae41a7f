package proof

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringpost/internal/dice"
	"ringpost/internal/rules"
)

// unbound are the fields of which the package comment says that the chain does
// not bind them.
var unbound = regexp.MustCompile(`^(game\.(title|state)|(reopened\[\d+\]\.void|steps)\[\d+\]\.(closed|deadline)|persons.*|pending.*)$`)

// want says where a change must be found: the parts that may be named, and the
// round; round -1 is any. free is for what may go unnoticed.
func want(d Document, e edit) (parts []string, round int, free bool) {
	last := len(d.Steps) - 1
	switch {
	case unbound.MatchString(e.path), e == edit{"drop", fmt.Sprintf("steps[%d]", last)},
		e.how == "drop" && strings.HasSuffix(e.path, ".state.value"): // it can be recomputed
		return nil, 0, true
	case e.path == "game.secret":
		return []string{"seed", "commitment"}, 0, d.Game.State != "ended"
	case strings.HasPrefix(e.path, "game"):
		return []string{"hash", "seed", "commitment"}, 0, false
	}
	var i int
	if strings.HasPrefix(e.path, "reopened") { // in which round it shows depends
		free := strings.HasSuffix(e.path, ".sealed_seed") || strings.Contains(e.path, ".summary") && d.Game.Secret == "" && d.Game.Ruleset == "auction"
		return []string{"order", "hash", "seed", "commitment", "input", "seal", "state", "events", "summary"}, -1, free
	}
	if _, err := fmt.Sscanf(e.path, "steps[%d]", &i); err != nil {
		panic(e)
	}
	_, field, _ := strings.Cut(e.path, "].")
	field, rest, _ := strings.Cut(field, ".")
	field, _, element := strings.Cut(field, "[")
	element = element && rest == ""
	switch field {
	case "": // a whole step
		return []string{"order", "commitment", "hash", "seed"}, -1, false
	case "round", "step":
		return []string{"order", "hash", "seed"}, -1, false
	case "branch":
		return []string{"order"}, i, false
	case "seed":
		return []string{"commitment", "seed", "hash"}, i, false
	case "sealed_seed": // where it is not there, the step waits for it; a campaign's setup throws nothing by it
		return []string{"seed", "events"}, -1, e.how == "drop" || d.Game.Ruleset == "ringside" && i == 0 && d.Game.Secret == ""
	case "next", "joins", "leaves", "hash":
		return []string{"hash"}, i, false
	case "orders", "events":
		if element || rest == "" {
			return []string{"hash"}, i, false
		}
		// What is sealed has nothing but the hash to hold it.
		return []string{"seal", "hash"}, i, false
	case "state":
		return []string{"state", "hash"}, i, false
	case "summary":
		return []string{"summary"}, i, waits(d, i)
	}
	panic(e)
}

// waits reports whether a step cannot be resolved before the game ends.
func waits(d Document, i int) bool {
	secrets := d.Game.Ruleset == "auction" || d.Game.Ruleset == "ringside" && i > 0
	return secrets && d.Game.Secret == "" && d.Steps[i].SealedSeed == ""
}

// judge verifies a changed document and says what is wrong with the verdict, ""
// when nothing is.
func judge(d Document, e edit, now []byte) string {
	changed, err := Parse(now)
	if err != nil {
		return fmt.Sprintf("%s: %v", e, err) // every change keeps the types
	}
	v, err := Verify(changed, find)
	switch e.path {
	case "format", "game.ruleset", "game":
		if err == nil {
			return fmt.Sprintf("%s: not found", e)
		}
		return ""
	case "steps": // what has no rounds proves nothing
		if err == nil && v != (Verdict{}) {
			return fmt.Sprintf("%s: verified as %+v", e, v)
		}
		return ""
	}
	parts, round, free := want(d, e)
	switch diff := v.Difference; {
	case err != nil:
		return fmt.Sprintf("%s: %v", e, err)
	case diff == nil:
		if !free && !sameJSON(changed, d) {
			return fmt.Sprintf("%s: not found", e)
		}
	case free && len(parts) == 0:
		return fmt.Sprintf("%s: is free, but %s", e, diff)
	case !slices.Contains(parts, diff.In), round >= 0 && round != diff.Round:
		return fmt.Sprintf("%s: found as %q, want %v in round %d", e, diff, parts, round)
	}
	return ""
}

// Every single change to a document is found, and named with its round and part.
func TestEverySingleChangeIsFound(t *testing.T) {
	running, ended := small(t), small(t)
	ended.end()
	closed := sale(t, 2)
	opened := sale(t, 2)
	opened.end()
	again, auction := reopened(t), reopenedSale(t)
	settled := reopenedSale(t)
	settled.end()
	for name, d := range map[string]Document{
		"running": running.public(), "ended": ended.public(), "own": running.own(),
		"sealed": closed.public(), "opened": opened.public(), "sealed, own": closed.own(),
		"reopened": again.public(), "reopened, sealed": auction.public(), "reopened, opened": settled.public(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if v := check(t, d); v.Difference != nil || v.Rounds != len(d.Steps)-1 {
				t.Fatalf("untouched: %+v, %s", v, v.Difference)
			}
			d := throughJSON(t, d)
			root, n := tree(t, d), 0
			edits("", root, func(v any) { root = v }, func(e edit) {
				n++
				if name == "reopened" && n%23 > 0 { // there are thousands
					return
				}
				if wrong := judge(d, e, text(root)); wrong != "" {
					t.Error(wrong)
				}
			})
			if n < 100 {
				t.Errorf("tried %d changes only", n)
			}
		})
	}
}

// The same for games of any size: a random change to a random game.
func TestAnyChangeOfAnyGameIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		stream := dice.Seed{byte(rapid.IntRange(0, 255).Draw(r, "seed"))}.Stream("orders", "")
		m := league(t, "liga", rapid.IntRange(2, 6).Draw(r, "boxers"), rapid.IntRange(1, 3).Draw(r, "rounds"), stream)
		if rapid.Bool().Draw(r, "ended") {
			m.end()
		}
		d := throughJSON(t, m.public())
		if v := check(t, d); v.Difference != nil {
			r.Fatalf("untouched: %s", v.Difference)
		}
		root := tree(t, d)
		var all []edit
		keep := func(v any) { root = v }
		edits("", root, keep, func(e edit) { all = append(all, e) })
		slices.SortFunc(all, func(a, b edit) int { return strings.Compare(a.String(), b.String()) })
		chosen := rapid.SampledFrom(all).Draw(r, "edit")
		edits("", root, keep, func(e edit) {
			if e == chosen {
				if wrong := judge(d, e, text(root)); wrong != "" {
					r.Fatal(wrong)
				}
			}
		})
	})
}

// Whoever knows how hashes are made can hash again what he changed. What he then
// claims to have happened is still not what the rules and the seeds give.
func TestAForgedRoundIsResolvedAgain(t *testing.T) {
	m := league(t, "liga", 6, 4, dice.Seed{5}.Stream("orders", ""))
	for name, forge := range map[string]func(*Step){
		"a die":          func(s *Step) { otherDie(s.Events) },
		"an event gone":  func(s *Step) { s.Events = s.Events[:len(s.Events)-1] },
		"an event twice": func(s *Step) { s.Events = append(s.Events, s.Events[0]) },
		"other orders": func(s *Step) {
			s.Orders[0].Orders = json.RawMessage(`{"pairs":["9/9","0/0","0/0","0/0","0/0"],"training":"K"}`)
		},
		"orders gone":   func(s *Step) { s.Orders = s.Orders[1:] },
		"another state": func(s *Step) { s.State.Value = m.doc.Steps[1].State.Value },
	} {
		t.Run(name, func(t *testing.T) {
			d := throughJSON(t, m.own())
			forge(&d.Steps[2])
			reforge(&d)
			for i := range d.Steps { // as the public gets it
				d.Steps[i].State.Value = nil
			}
			v := check(t, d)
			if v.Difference == nil || v.Difference.Round != 2 || !slices.Contains([]string{"events", "state"}, v.Difference.In) {
				t.Errorf("found %v", v.Difference)
			}
		})
	}
}

// otherDie changes the first training die that is no 1 to 1.
func otherDie(events []SealedEvent) {
	for i, e := range events {
		if e.Code == "training" && !strings.Contains(string(e.Data), `"die":1`) {
			events[i].Data = json.RawMessage(die.ReplaceAllString(string(e.Data), `"die":1`))
			return
		}
	}
	panic("nobody threw more than 1")
}

var die = regexp.MustCompile(`"die":\d`)

// reforge seals and hashes a document anew, so that only its rules can tell.
func reforge(d *Document) {
	r, err := find(d.Game.Ruleset)
	if err != nil {
		return
	}
	previous := ""
	for i := range d.Steps {
		s := &d.Steps[i]
		for j, o := range s.Orders {
			if raw, err := json.Marshal(rules.Order{Seat: o.Seat, Slot: o.Slot, Orders: o.Orders}); err == nil && o.Salt != "" {
				s.Orders[j].Seal = sealOf(o.Salt, raw)
			}
		}
		for j, e := range s.Events {
			if raw, err := json.Marshal(rules.Event{Code: e.Code, For: e.For, Data: e.Data}); err == nil && e.Salt != "" {
				s.Events[j].Seal = sealOf(e.Salt, raw)
			}
		}
		if s.State.Value != nil && s.State.Salt != "" {
			s.State.Seal = sealOf(s.State.Salt, compact(s.State.Value))
		}
		if i+1 < len(d.Steps) {
			if next, err := dice.ParseSeed(d.Steps[i+1].Seed); err == nil {
				s.Next = next.Commitment()
			}
		}
		at := Chain{Previous: previous, Game: d.Game.ID, Sealed: d.Game.Sealed, Branch: s.Branch, Round: s.Round, Step: s.Step, Next: s.Next}
		at.Seed, _ = dice.ParseSeed(s.Seed) // a bad one is found before its hash
		var begun setup
		if i == 0 {
			begun = setupOf(r, at, d.Game.Settings)
		}
		if h, err := hash(at, begun, *s); err == nil {
			s.Hash = h
		}
		previous = s.Hash
	}
}
