package proof

import (
	"encoding/json"
	"strings"
	"testing"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/rules"
)

// hidden are what nobody but its seat may know before the end: bids, dealt
// cards.
var hidden = []string{`"bid"`, "70001", "70003", "70101", "70102", "70103", `"dealt"`, `"figure":1`}

// A game with secrets: the public document holds none of them, and its chain can
// be checked all the same.
func TestASealedGameHidesAndHolds(t *testing.T) {
	m := sale(t, 2)
	text := string(encode(t, m.public()))
	for _, secret := range hidden {
		// The slot's name tells nothing: who has a duty is no secret.
		if strings.Contains(strings.ReplaceAll(text, `"slot":"bid"`, ""), secret) {
			t.Errorf("the public document holds %s:\n%s", secret, text)
		}
	}
	for _, open := range []string{`"sold"`, `"seat":"s3","slot":"bid","seal"`} {
		if !strings.Contains(text, open) {
			t.Errorf("the public document does not hold %s:\n%s", open, text)
		}
	}
	if v := check(t, m.public()); v.Difference != nil || v.Rounds != 2 || v.Sealed != 2 {
		t.Errorf("sealed: %+v", v)
	}
	if v := check(t, m.own()); v.Difference != nil || v.Rounds != 2 || v.Sealed != 0 {
		t.Errorf("the game master's own: %+v", v)
	}
}

// An event that nobody may see yet, like the order of a deck, is hidden as one that
// some may see.
func TestAnEventForNobodyIsHidden(t *testing.T) {
	m := sale(t, 0)
	at := m.at(1)
	s, err := Open(at, rules.Inputs{}, []rules.Event{{Code: "shuffled", For: []game.SeatID{}, Data: json.RawMessage(`[3,1,2]`)}}, json.RawMessage(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	var back Step
	if err := json.Unmarshal(encode(t, s), &back); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Step{s, back} {
		if e := s.Public(false).Events[0]; e.Code != "" || e.Data != nil || e.Salt != "" || e.Seal.Seal == "" {
			t.Errorf("the public sees %+v", e)
		}
		if why := checkSeals(s.Public(false), false); why != nil {
			t.Error(why)
		}
		if why := checkSeals(back, true); why != nil {
			t.Error(why)
		}
	}
}

// What nobody may know yet cannot be worked out from what the public document shows,
// seeds included: the rounds wait for the second seed even where nothing was ordered.
func TestPublicSeedsDealNoCards(t *testing.T) {
	m := sale(t, 0)
	m.close(rules.Inputs{})
	m.close(rules.Inputs{})
	d := m.public()
	if v := check(t, d); v.Difference != nil || v.Rounds != 2 || v.Sealed != 2 {
		t.Errorf("sealed: %+v", v)
	}
	for i, s := range m.doc.Steps {
		seed, err := dice.ParseSeed(d.Steps[i].Seed)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(encode(t, d)); strings.Contains(text, m.secret.Sealed("sale", 0, i).String()) {
			t.Errorf("the public document shows the second seed of round %d", i)
		}
		right := 0
		for _, e := range s.Events {
			var dealt auctionEvent
			if err := json.Unmarshal(e.Data, &dealt); err != nil {
				t.Fatal(err)
			}
			if dealt.Figure == 100+seed.Stream("deal", string(dealt.Seat)).Uniform(100) {
				right++
			}
		}
		if len(s.Events) != 3 || right == 3 {
			t.Errorf("round %d: %d of %d cards follow from the public seed", i, right, len(s.Events))
		}
	}
	if v := check(t, m.own()); v.Difference != nil || v.Sealed != 0 {
		t.Errorf("the game master's own: %+v", v)
	}
	m.end()
	if v := check(t, m.public()); v.Difference != nil || v.Sealed != 0 {
		t.Errorf("ended: %+v", v)
	}
}

// After the end everything is opened by the same seals, and resolves.
func TestASealedGameOpensAtItsEnd(t *testing.T) {
	m := sale(t, 3)
	before := m.public()
	m.end()
	after := m.public()
	if v := check(t, after); v.Difference != nil || v.Rounds != 3 || v.Sealed != 0 {
		t.Errorf("opened: %+v", v)
	}
	for i := range before.Steps {
		a, b := before.Steps[i], after.Steps[i]
		if a.Hash != b.Hash {
			t.Errorf("round %d: opening changed the hash", i)
		}
		for j := range a.Orders {
			if a.Orders[j].Seal.Seal != b.Orders[j].Seal.Seal || b.Orders[j].Orders == nil {
				t.Errorf("round %d: order %d was not opened by its seal", i, j)
			}
		}
		for j := range a.Events {
			if a.Events[j].Seal.Seal != b.Events[j].Seal.Seal || b.Events[j].Code == "" {
				t.Errorf("round %d: event %d was not opened by its seal", i, j)
			}
		}
	}
	for _, secret := range hidden {
		if !strings.Contains(string(encode(t, after)), secret) {
			t.Errorf("the opened document does not hold %s", secret)
		}
	}
}

// Public takes away from its copy only.
func TestPublicLeavesTheStepAsItIs(t *testing.T) {
	m := sale(t, 1)
	before := string(encode(t, m.own()))
	m.public()
	if string(encode(t, m.own())) != before {
		t.Error("the step has changed")
	}
}

// The same values have other seals in each place, so that nobody can compare
// them or guess a small number.
func TestSealsDoNotRepeat(t *testing.T) {
	seen := map[string]bool{}
	m := sale(t, 3)
	for _, id := range []string{"sale", "salon"} {
		m.doc.Game.ID = id
		for round := range 3 {
			for _, name := range []string{"state", "event/0", "event/1", "order/s1/bid"} {
				at := m.at(round)
				salt := at.Salter(at, name)
				if len(salt) != 64 || seen[salt] {
					t.Errorf("%s/%d/%s has the salt %s", id, round, name, salt)
				}
				seen[salt] = true
			}
		}
	}
}

// Settings and traits that could not have been entered are refused before the
// ruleset sees them, however well they are hashed.
func TestImpossibleChoicesAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*Document){
		"a season of none":  func(d *Document) { d.Game.Settings["season"] = "0" },
		"an unknown choice": func(d *Document) { d.Game.Settings["sesaon"] = "3" },
		"a giant":           func(d *Document) { d.Steps[0].Joins[0].Traits = game.Settings{"technique": "99999999"} },
		"a late giant": func(d *Document) {
			d.Steps[1].Joins = append(d.Steps[1].Joins, game.Seat{ID: "s77", Name: "Giant", Traits: game.Settings{"league": "7"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := throughJSON(t, small(t).public())
			spoil(&d)
			reforge(&d)
			if v, err := Verify(d, find); err == nil {
				t.Errorf("verified as %+v", v)
			}
		})
	}
}
