package rules_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/templates"
)

// What every ruleset promises. A new one needs a sample (sample_test.go) and a
// frozen state in testdata/states, and passes.

func everyRuleset(t *testing.T, f func(*testing.T, rules.Ruleset, sample)) {
	t.Helper()
	t.Parallel()
	if len(rules.All()) == 0 {
		t.Fatal("there is no ruleset")
	}
	for _, r := range rules.All() {
		name := r.About().Name
		s, ok := samples()[name]
		if !ok {
			t.Errorf("%s: no sample to play with", name)
			continue
		}
		t.Run(name, func(t *testing.T) { f(t, r, s) })
	}
}

func TestAboutIsSound(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		a := r.About()
		if a.Name == "" || a.Version < 1 || a.Schema < 1 || a.MinSeats < 1 {
			t.Errorf("about: %+v", a)
		}
		for _, declared := range [][]game.Setting{a.Game, a.Seat} {
			for _, d := range declared {
				if err := (game.Settings{d.Key: d.Default}).Check(declared); err != nil {
					t.Errorf("the default of %s: %v", d.Key, err)
				}
				if d.Doc == "" {
					t.Errorf("%s is not explained", d.Key)
				}
			}
		}
		for _, g := range s.games {
			if err := g.settings.Check(a.Game); err != nil {
				t.Error(err)
			}
			for _, seat := range g.seats {
				if err := seat.Traits.Check(a.Seat); err != nil {
					t.Error(err)
				}
			}
		}
		if found, err := rules.Find(a.Name); err != nil || found.About().Name != a.Name {
			t.Errorf("it is not found by its name: %v", err)
		}
	})
}

// The same input gives the same bytes: states, events, answers.
func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		for i, b := range s.games {
			one, two := played(t, r, s, i), play(t, r, s, b, byte(i))
			if len(one) < 10 {
				t.Fatalf("a game of %d steps", len(one))
			}
			for j := range one {
				if diff := cmp.Diff(one[j].bytes(t), two[j].bytes(t)); diff != "" {
					t.Fatalf("step %d differs:\n%s", j, diff)
				}
			}
		}
	})
}

// What goes into a call comes out unchanged, and so does the table it was asked
// of: old rounds are shown and resolved again long after.
func TestInputsAreNotChanged(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		for i, b := range s.games {
			g := play(t, r, s, b, byte(i))
			before := make([]string, len(g))
			for j, st := range g {
				before[j] = string(st.bytes(t))
			}
			for j, st := range g[1:] {
				table := g[j].after
				inputs := encode(t, st.in)
				one, events, err := table.Advance(st.in, st.dice)
				if err != nil {
					t.Fatal(err)
				}
				first := string(state(t, one)) + encode(t, events)
				// Another way to go on from the same table leaves the first alone.
				if _, _, err := table.Advance(rules.Inputs{Joins: st.in.Joins, Leaves: st.in.Leaves}, st.dice); err != nil {
					t.Fatal(err)
				}
				for _, seat := range table.Due().Seats {
					for _, block := range parse(t, s.orders(g[j], seat, st.dice.Stream("test/"+string(seat), ""))) {
						written := encode(t, block)
						slips, issues, err := table.Read(seat, block)
						if err != nil {
							t.Fatal(err)
						}
						read := encode(t, slips) + encode(t, issues)
						if _, err := table.Explain(seat, slips); err != nil {
							t.Fatal(err)
						}
						if encode(t, block) != written || encode(t, slips)+encode(t, issues) != read {
							t.Errorf("step %d: reading %s's block changed it", j+1, seat)
						}
					}
				}
				if got := string(state(t, one)) + encode(t, events); got != first {
					t.Errorf("step %d: what Advance gave changed afterwards", j+1)
				}
				if encode(t, st.in) != inputs {
					t.Errorf("step %d: Advance changed its inputs", j+1)
				}
			}
			for j, st := range g {
				if string(st.bytes(t)) != before[j] {
					t.Errorf("step %d is another than it was", j)
				}
			}
		}
	})
}

// A stored table is as good as the one that was stored.
func TestAStoredTableGoesOnTheSame(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		g := play(t, r, s, s.games[0], 3)
		for j, st := range g[1:] {
			table, err := r.Open(state(t, g[j].after))
			if err != nil {
				t.Fatal(err)
			}
			next, events, err := table.Advance(st.in, st.dice)
			if err != nil {
				t.Fatal(err)
			}
			if string(state(t, next)) != string(state(t, st.after)) || encode(t, events) != encode(t, st.events) {
				t.Fatalf("step %d differs after storing", j+1)
			}
		}
	})
}

// Nobody sends anything, for long.
func TestSeatsWithoutOrdersAreFine(t *testing.T) {
	words := loadWords(t)
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		for i, b := range s.games {
			silent := s
			silent.silence = 1
			for _, st := range play(t, r, silent, b, byte(i)) {
				for _, lang := range languages(t) {
					st.show(t, words, lang, st.queries(), game.Audience{})
				}
			}
		}
	})
}

// Duties are owed by who takes part, and rounds go on one by one.
func TestDueIsConsistent(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		for i := range s.games {
			last := game.Due{Round: 1}
			for j, st := range played(t, r, s, i) {
				due := st.after.Due()
				switch {
				case j == 0 && due.Round != 1:
					t.Errorf("the game opens with round %d", due.Round)
				case due.Round != last.Round && due.Round != last.Round+1:
					t.Errorf("round %d follows %d", due.Round, last.Round)
				case last.Over:
					t.Errorf("round %d after the end", due.Round)
				case due.Over && len(due.Duties) > 0:
					t.Errorf("duties after the end: %v", due.Duties)
				}
				seen := map[game.SeatID]bool{}
				for _, seat := range due.Seats {
					if seen[seat] {
						t.Errorf("step %d: %s takes part twice", j, seat)
					}
					seen[seat] = true
					if owner, ok := st.after.Owner(st.names[seat]); !ok || owner != seat {
						t.Errorf("step %d: %s, called %q, is taken for %s", j, seat, st.names[seat], owner)
					}
				}
				place := -1
				slots := map[string]bool{}
				for _, d := range due.Duties {
					at := slices.Index(due.Seats, d.Seat)
					if at < 0 {
						t.Errorf("step %d: %s owes %s and takes no part", j, d.Seat, d.Kind)
					}
					if at < place {
						t.Errorf("step %d: the duties are not in the order of seats", j)
					}
					place = at
					key := string(d.Seat) + "/" + d.Slot
					if slots[key] || d.Kind == "" || d.Slot == "" || d.Silence == "" || d.Hours < 0 {
						t.Errorf("step %d: the duty %+v", j, d)
					}
					slots[key] = true
				}
				last = due
			}
		}
	})
}

// A block is meant for the slots that its slips are of (G-3), and what stands from
// before is owed no more and goes on counting (G-11).
func TestSlotsAreTold(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		read, stood := 0, 0
		for i := range s.games {
			for j, st := range played(t, r, s, i) {
				due := st.after.Due()
				for _, seat := range due.Seats {
					standing, err := st.after.Standing(seat)
					if err != nil {
						t.Fatal(err)
					}
					for _, slip := range standing {
						if stood++; len(slip.Lines) == 0 || slip.Provisional {
							t.Errorf("step %d: of %s stands %+v", j, seat, slip)
						}
						if slices.ContainsFunc(due.Duties, func(d game.Duty) bool { return d.Seat == seat && d.Slot == slip.Slot }) {
							t.Errorf("step %d: %s owes %s, which stands", j, seat, slip.Slot)
						}
					}
					for _, name := range st.after.Names(seat) {
						if owner, ok := st.after.Owner(name); !ok || owner != seat || !slices.Contains(st.after.Names(""), name) {
							t.Errorf("step %d: %q belongs to %s and is taken for %s", j, name, seat, owner)
						}
					}
					for _, block := range parse(t, s.orders(st, seat, st.dice.Stream("test/"+string(seat), ""))) {
						slots := st.after.Slots(seat, block)
						slips, _, err := st.after.Read(seat, block)
						if err != nil {
							t.Fatal(err)
						}
						for _, slip := range slips {
							if read++; !slices.Contains(slots, slip.Slot) || len(slip.Lines) == 0 {
								t.Errorf("step %d: a block of %s is for %v and gives %+v", j, seat, slots, slip)
							}
						}
					}
				}
			}
		}
		if read == 0 || r.About().Name == "ringside" && stood == 0 {
			t.Errorf("%d slips were read and %d stood", read, stood)
		}
	})
}

// An event says whom it may be shown to: seats of the game, nil for everybody, an
// empty list for nobody; and that is stored.
func TestEventsSayWhoMaySeeThem(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		for i := range s.games {
			for j, st := range played(t, r, s, i) {
				for _, e := range st.events {
					var back rules.Event
					if err := json.Unmarshal([]byte(encode(t, e)), &back); err != nil {
						t.Fatal(err)
					}
					if e.Code == "" || !reflect.DeepEqual(back.For, e.For) {
						t.Errorf("step %d: the event %+v, stored and read again it is for %#v", j, e, back.For)
					}
					for _, seat := range e.For {
						if _, ok := st.names[seat]; !ok {
							t.Errorf("step %d: %s is for %s, whom nobody knows", j, e.Code, seat)
						}
					}
				}
			}
		}
	})
}

// Every code of the source has words in every language, and what a game of all
// that can happen shows to whomever can be worded.
func TestEverythingHasWords(t *testing.T) {
	words := loadWords(t)
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		name := r.About().Name
		issues, events := codes(t, name)
		if len(issues) == 0 || len(events) == 0 {
			t.Fatalf("found %d codes of issues and %d of events in the source", len(issues), len(events))
		}
		for _, lang := range languages(t) {
			for _, code := range issues {
				text, err := words.Render(lang, name, "issue."+code, game.Issue{Line: 1, Code: code, Args: []string{"1", "2", "3"}})
				if err != nil || len(strings.TrimSpace(text)) < 10 {
					t.Errorf("%s: the issue %s has no words: %q %v", lang, code, text, err)
				}
			}
			if text, err := words.Render(lang, name, "rules", nil); err != nil || len(text) < 200 {
				t.Errorf("%s: the rules: %v", lang, err)
			}
		}
		happened := map[string]bool{}
		for i := range s.games {
			for _, st := range played(t, r, s, i) {
				for _, e := range st.events {
					happened[e.Code] = true
				}
				for _, d := range st.after.Due().Duties {
					for _, lang := range languages(t) {
						for _, code := range []string{"duty." + d.Kind, "silence." + d.Silence} {
							if !words.Defines(lang, name, code) {
								t.Errorf("%s: no words for %s", lang, code)
							}
						}
					}
				}
				for _, lang := range languages(t) {
					st.show(t, words, lang, st.queries(), st.audiences()...)
				}
			}
		}
		for _, code := range events {
			if !happened[code] {
				t.Errorf("%s: the event %s never happened in the sample games", name, code)
			}
		}
	})
}

// What happened is told: without the events of a code, some answer about the
// step would be another.
func TestEveryEventIsTold(t *testing.T) {
	words := loadWords(t)
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		told := map[string]bool{}
		for i := range s.games {
			for _, st := range played(t, r, s, i) {
				for _, code := range st.codes() {
					if !told[code] {
						told[code] = st.told(t, words) != st.without(code).told(t, words)
					}
				}
			}
		}
		for code, ok := range told {
			if _, untold := s.untold[code]; ok == untold {
				t.Errorf("the event %s: told is %v, expected %v (%s)", code, ok, !untold, s.untold[code])
			}
		}
	})
}

// Nothing of an order is to be seen before its round is closed, by anybody but
// the seat that gave it; of a game that is not open, nothing before its end.
func TestOrdersAreSeenByNobodyElse(t *testing.T) {
	words := loadWords(t)
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		g := play(t, r, s, s.games[0], 9)
		shown := 0
		for j := range g[:len(g)-1] {
			st := g[j]
			due := st.after.Due()
			if len(due.Duties) == 0 {
				continue
			}
			planter := due.Duties[j%len(due.Duties)].Seat
			text, needles := s.planted(st, planter)
			slips, issues := st.read(t, planter, text)
			if len(slips) == 0 || slips[0].Provisional {
				t.Fatalf("the planted orders do not count: %v", issues)
			}
			view, err := st.after.Explain(planter, slips)
			if err != nil {
				t.Fatal(err)
			}
			for _, lang := range languages(t) {
				if text, err := words.View(lang, r.About().Name, view); err != nil || text == "" {
					t.Errorf("%s: the preview: %q %v", lang, text, err)
				}
			}
			// The open round.
			if found := search(st.all(t, words)+string(state(t, st.after)), needles); found != "" {
				t.Fatalf("step %d shows %s", j, found)
			}
			// Closed with them.
			in := rules.Inputs{}
			for _, slip := range slips {
				in.Orders = append(in.Orders, rules.Order{Seat: planter, Slot: slip.Slot, Orders: slip.Orders})
			}
			closed := st.close(t, in)
			if closed.after.Due().Over {
				continue
			}
			if r.About().Open {
				if search(closed.all(t, words), needles) != "" {
					shown++
				}
				continue
			}
			for _, who := range closed.audiences() {
				if who.Seat == planter || who.GM {
					continue
				}
				for _, lang := range languages(t) {
					if found := search(closed.show(t, words, lang, closed.queries(), who), needles); found != "" {
						t.Fatalf("step %d shows %s to %+v", j, found, who)
					}
				}
			}
		}
		if r.About().Open && shown == 0 {
			t.Error("open orders are never shown: the search finds nothing")
		}
	})
}

// An event that is not for all reaches the answers of nobody else: they hold the
// same with and without it.
func TestHiddenEventsChangeNobodyElsesAnswers(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		for i := range s.games {
			for j, st := range played(t, r, s, i) {
				all := st.hold(t, st.ofStep(), st.audiences()...)
				for k, who := range st.audiences() {
					visible := st
					visible.events = slices.DeleteFunc(slices.Clone(st.events), func(e rules.Event) bool {
						return e.For != nil && !slices.Contains(e.For, who.Seat)
					})
					if who.GM || len(visible.events) == len(st.events) {
						continue
					}
					if diff := cmp.Diff(all[k], visible.hold(t, visible.ofStep(), who)[0]); diff != "" {
						t.Errorf("step %d: %+v sees an event that is for others only:\n%s", j, who, diff)
					}
				}
			}
		}
	})
}

// Views with equal keys hold equal data: a body is rendered once for all of them.
func TestViewsOfOneKeyAreEqual(t *testing.T) {
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		for i := range s.games {
			for j, st := range played(t, r, s, i) {
				for _, q := range st.queries() {
					answers, err := st.after.Ask(q)
					if err != nil {
						t.Fatal(err)
					}
					seen := map[string]any{}
					for _, who := range st.audiences() {
						views, _ := answers(who)
						for _, v := range views {
							if v.Key == "" {
								continue
							}
							key := v.Template + "/" + v.Key
							if first, ok := seen[key]; ok && !reflect.DeepEqual(first, v.Data()) {
								t.Errorf("step %d: %s of %s differs for %+v", j, key, q.Kind, who)
							}
							seen[key] = v.Data()
						}
					}
				}
			}
		}
	})
}

func TestBadQuestionsHaveIssues(t *testing.T) {
	words := loadWords(t)
	everyRuleset(t, func(t *testing.T, r rules.Ruleset, s sample) {
		g := play(t, r, s, s.games[0], 1)
		table := g[len(g)-1].after
		answers, err := table.Ask(rules.Query{Kind: game.QueryRecord, Subject: "Niemand, den es gibt"})
		if err != nil {
			t.Fatal(err)
		}
		views, issues := answers(game.Audience{})
		if len(views) != 0 || len(issues) != 1 {
			t.Errorf("the record of nobody: %v %v", views, issues)
		}
		for _, i := range issues {
			for _, lang := range languages(t) {
				if _, err := words.Render(lang, r.About().Name, "issue."+i.Code, i); err != nil {
					t.Error(err)
				}
			}
		}
		if _, err := table.Ask(rules.Query{Kind: game.QueryReport, Round: 1, Before: json.RawMessage(`{}`)}); err == nil {
			t.Error("a report on a step before which there was nothing readable")
		}
	})
}

// words are parsed once for all tests.
var words = sync.OnceValues(func() (*report.Words, error) { return report.Load(templates.Files) })

func loadWords(t *testing.T) *report.Words {
	t.Helper()
	w, err := words()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func search(text string, needles []string) string {
	for _, n := range needles {
		if at := strings.Index(text, n); at >= 0 {
			return fmt.Sprintf("%q: …%s…", n, text[max(0, at-80):min(len(text), at+80)])
		}
	}
	return ""
}

func encode(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func state(t testing.TB, table rules.Table) json.RawMessage {
	t.Helper()
	b, err := table.State()
	if err != nil {
		t.Fatal(err)
	}
	return b
}
