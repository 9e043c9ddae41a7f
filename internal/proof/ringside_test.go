package proof

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/rules"
)

// campaign plays a campaign of three managers, each with three fighters, whose mails
// are full of secrets.
func campaign(t testing.TB, rounds int) *match {
	t.Helper()
	m := begin(t, "ringside", "ring-1", game.Settings{"stable": "3", "classes": "heavy,light", "bets": "on", "sales": "on", "rent": "10", "money": "900"},
		game.Seat{ID: "s1", Name: "Ada"}, game.Seat{ID: "s2", Name: "Ben"}, game.Seat{ID: "s3", Name: "Cy"})
	for range rounds {
		m.close(m.letters())
	}
	return m
}

// standing is what of a campaign's state its managers need to write.
type standing struct {
	State struct {
		Round    int `json:"round"`
		Managers []struct {
			Seat game.SeatID `json:"seat"`
			Name string      `json:"name"`
		} `json:"managers"`
		Fighters []struct {
			ID      string      `json:"id"`
			Name    string      `json:"name"`
			Manager game.SeatID `json:"manager"`
			Class   string      `json:"class"`
		} `json:"fighters"`
		Card []struct {
			Fighters [2]string `json:"fighters"`
		} `json:"card"`
	} `json:"state"`
}

// letters are the orders of a turn: a plan a fighter, and lines that nobody else may
// see: who is free, who rests, challenges, bets.
func (m *match) letters() rules.Inputs {
	m.Helper()
	raw, err := m.table.State()
	if err != nil {
		m.Fatal(err)
	}
	var now standing
	if err := json.Unmarshal(raw, &now); err != nil {
		m.Fatal(err)
	}
	s := now.State
	var in rules.Inputs
	for _, manager := range s.Managers {
		var text, lines string
		for i, f := range s.Fighters {
			if f.Manager != manager.Seat {
				continue
			}
			text += fmt.Sprintf("NAME %s\nSCHLAG UC7 RJ0 RH8 CO9 LJ%d LH6\nV WENN KOND<=17 UND TREFFER>=3 : DECKEN\nENDE\n", f.Name, (i+s.Round)%10)
			switch i % 3 {
			case 0:
				lines += "FREI " + f.Name + " AB 3,5\n"
			case 1:
				for _, o := range s.Fighters {
					if o.Manager != f.Manager && o.Class == f.Class {
						lines += "KAMPF " + f.Name + " GEGEN " + o.Name + " RUNDEN 7\n"
						break
					}
				}
			}
		}
		for _, b := range s.Card {
			for _, f := range s.Fighters {
				if f.ID == b.Fighters[0] && f.Manager == manager.Seat {
					lines += "WETTE " + f.Name + " 17\nWETTE " + f.Name + " 18 GEGEN " + s.Managers[(slices.Index(s.Managers, manager)+1)%len(s.Managers)].Name + "\n"
				}
			}
		}
		read := orders.Parse(orders.Lines(text + "MANAGER " + manager.Name + "\n" + lines + "ENDE\n"))
		for _, b := range read.Blocks {
			slips, issues, err := m.table.Read(manager.Seat, b)
			if err != nil || len(slips) != 1 {
				m.Fatalf("%d slips, %v, %v", len(slips), issues, err)
			}
			in.Orders = append(in.Orders, rules.Order{Seat: manager.Seat, Slot: slips[0].Slot, Orders: slips[0].Orders})
		}
	}
	slices.SortStableFunc(in.Orders, func(a, b rules.Order) int { return strings.Compare(string(a.Seat)+a.Slot, string(b.Seat)+b.Slot) })
	return in
}

// ringsideSecrets are pieces of orders and of events that are not everybody's.
var ringsideSecrets = []string{"UC7 RJ0", "HITS", `"least"`, `"do"`, `"lines"`, `"fired"`, `"log"`, `"refusal"`, `"challenge"`, `"sealed_seed"`}

// A running campaign: the public document holds no plan, no line of a manager and no
// blow, yet its chain is checked, and what is open in it.
func TestARunningCampaignIsSealed(t *testing.T) {
	m := campaign(t, 3)
	d := m.public()
	text := string(encode(t, d))
	for _, secret := range ringsideSecrets {
		if strings.Contains(text, secret) {
			t.Errorf("the public document holds %s", secret)
		}
		if !strings.Contains(string(encode(t, m.own())), secret) {
			t.Errorf("there is no %s to be hidden", secret)
		}
	}
	for _, s := range d.Steps[1:] {
		if len(s.Orders) < 10 || !slices.ContainsFunc(s.Events, func(e SealedEvent) bool { return e.Code == "bout" }) {
			t.Fatalf("round %d: %d orders, no bout", s.Round, len(s.Orders))
		}
	}
	if v := check(t, d); v.Difference != nil || v.Rounds != 3 || v.Sealed != 3 {
		t.Errorf("running: %+v %s", v, v.Difference)
	}
	if v := check(t, m.own()); v.Difference != nil || v.Rounds != 3 || v.Sealed != 0 {
		t.Errorf("the game master's own: %+v %s", v, v.Difference)
	}
}

// What is open of a running campaign is held by its seals, and the setup, which has
// no secrets, by the rules: whoever hashes anew what he changed there is found.
func TestTheSetupOfARunningCampaignIsResolved(t *testing.T) {
	d := throughJSON(t, campaign(t, 2).public())
	changed := false
	for i, e := range d.Steps[0].Events {
		if e.Code == "fighter" && !changed {
			d.Steps[0].Events[i].Data = json.RawMessage(strings.Replace(string(e.Data), `"agility":`, `"agility":1`, 1))
			changed = true
		}
	}
	reforge(&d)
	v := check(t, d)
	if v.Difference == nil || v.Difference.Round != 0 || v.Difference.In != "events" {
		t.Errorf("found %v", v.Difference)
	}
}

// Ended, the same document opens by the same seals, and all of it resolves.
func TestACampaignOpensAtItsEnd(t *testing.T) {
	m := campaign(t, 3)
	before := m.public()
	m.end()
	after := m.public()
	if v := check(t, after); v.Difference != nil || v.Rounds != 3 || v.Sealed != 0 {
		t.Errorf("opened: %+v %s", v, v.Difference)
	}
	text := string(encode(t, after))
	for _, secret := range ringsideSecrets {
		if !strings.Contains(text, secret) {
			t.Errorf("the opened document does not hold %s", secret)
		}
	}
	for i, s := range before.Steps {
		if s.Hash != after.Steps[i].Hash || s.State.Seal.Seal != after.Steps[i].State.Seal.Seal {
			t.Errorf("round %d: opening changed it", i)
		}
	}
}

// Each way to tamper with a campaign, and where it is found: in what is sealed by the
// chain, in what is open by its seal, and, where all is hashed anew, by the rules.
func TestATamperedCampaignIsFound(t *testing.T) {
	running, ended := campaign(t, 3), campaign(t, 3)
	ended.end()
	order := func(s *Step, slot string) *SealedOrder {
		i := slices.IndexFunc(s.Orders, func(o SealedOrder) bool { return strings.HasPrefix(o.Slot, slot) })
		return &s.Orders[i]
	}
	replace := func(raw json.RawMessage, old, new string) json.RawMessage {
		if !strings.Contains(string(raw), old) {
			t.Fatalf("there is no %s in %s", old, raw)
		}
		return json.RawMessage(strings.Replace(string(raw), old, new, 1))
	}
	otherPlan := func(s *Step) { o := order(s, "plan/"); o.Orders = replace(o.Orders, "RH8", "RH1") }
	otherBet := func(s *Step) { o := order(s, "manager"); o.Orders = replace(o.Orders, `"money":1700`, `"money":1800`) }
	for _, tt := range []struct {
		name  string
		of    *match
		forge func(*Step)
		anew  bool // sealed and hashed anew
		in    string
	}{
		{"a plan", ended, otherPlan, false, "seal"},
		{"a plan, hashed anew", ended, otherPlan, true, "events"},
		{"a bet", ended, otherBet, false, "seal"},
		{"a bet, hashed anew", ended, otherBet, true, "events"},
		{"salts exchanged", ended, func(s *Step) { s.Orders[0].Salt, s.Orders[1].Salt = s.Orders[1].Salt, s.Orders[0].Salt }, false, "seal"},
		{"another seed for the bouts", ended, func(s *Step) { s.SealedSeed = running.secret.Sealed("ring-1", 0, 1).String() }, true, "seed"},
		{"a plan unsealed", ended, func(s *Step) { o := order(s, "plan/"); o.Orders, o.Salt = nil, "" }, false, "seal"},
		{"a sealed plan", running, func(s *Step) { o := order(s, "plan/"); o.Seal.Seal = Sum([]byte("another")) }, false, "hash"},
		{"seals exchanged", running, func(s *Step) { s.Orders[0].Seal, s.Orders[1].Seal = s.Orders[1].Seal, s.Orders[0].Seal }, false, "hash"},
		{"a sealed plan taken out", running, func(s *Step) { s.Orders = s.Orders[1:] }, false, "hash"},
		{"a plan opened as another", running, func(s *Step) {
			o := order(s, "plan/")
			o.Orders, o.Salt = json.RawMessage(`{"plan":{}}`), running.secret.Commitment()
		}, false, "seal"},
		{"a hidden event", running, func(s *Step) {
			i := slices.IndexFunc(s.Events, func(e SealedEvent) bool { return e.Code == "" })
			s.Events[i].Seal.Seal = Sum([]byte("another"))
		}, false, "hash"},
		{"the result of a bout", running, func(s *Step) {
			i := slices.IndexFunc(s.Events, func(e SealedEvent) bool { return e.Code == "bout" })
			s.Events[i].Data = replace(s.Events[i].Data, `"winner":`, `"winner":1`)
		}, false, "seal"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := throughJSON(t, tt.of.public())
			tt.forge(&d.Steps[2])
			if tt.anew {
				reforge(&d)
			}
			if v := check(t, d); v.Difference == nil || v.Difference.Round != 2 || v.Difference.In != tt.in {
				t.Errorf("found %v", v.Difference)
			}
		})
	}
}

// A random change to a campaign of any age, running or ended, is found.
func TestAnyChangeOfACampaignIsFound(t *testing.T) {
	t.Parallel()
	m := campaign(t, 2)
	ended := campaign(t, 2)
	ended.end()
	type document struct {
		Document
		root  any
		edits []edit
	}
	var all []*document
	for _, d := range []Document{m.public(), m.own(), ended.public()} {
		x := &document{Document: throughJSON(t, d)}
		x.root = tree(t, x.Document)
		edits("", x.root, func(v any) { x.root = v }, func(e edit) { x.edits = append(x.edits, e) })
		all = append(all, x)
	}
	rapid.Check(t, func(r *rapid.T) {
		x := rapid.SampledFrom(all).Draw(r, "document")
		n := rapid.IntRange(0, len(x.edits)-1).Draw(r, "edit")
		edits("", x.root, func(v any) { x.root = v }, func(e edit) {
			if n--; n == -1 {
				if wrong := judge(x.Document, e, text(x.root)); wrong != "" {
					r.Error(wrong)
				}
			}
		})
	})
}

// The second seed of a campaign is nowhere in what the public gets, and without it
// the bouts of another seed are others.
func TestTheBoutsOfACampaignWaitForTheirSeed(t *testing.T) {
	m := campaign(t, 0)
	m.close(rules.Inputs{}) // nobody orders anything: the seed alone is missing
	if v := check(t, m.public()); v.Difference != nil || v.Rounds != 1 || v.Sealed != 1 {
		t.Errorf("running: %+v %s", v, v.Difference)
	}
	d := throughJSON(t, m.own())
	d.Steps[1].SealedSeed = dice.Seed{1}.String()
	if v := check(t, d); v.Difference == nil || v.Difference.Round != 1 || v.Difference.In != "events" {
		t.Errorf("by another seed: %v", v.Difference)
	}
}
