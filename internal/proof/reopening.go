package proof

import (
	"encoding/json"
	"fmt"
	"slices"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/rules"
)

// Reopening is where the game master opened a closed round again. The steps from that
// round on are void, and the game goes on as another branch from the step before it.
type Reopening struct {
	Branch int `json:"branch"` // counts them, from 1
	Round  int `json:"round"`  // the first void step's
	Step   int `json:"step"`
	// Kept: the step was decided again at once, by its own dice and orders and by what
	// had arrived in time beside. Otherwise the round was open for new orders.
	Kept   bool    `json:"kept"`
	Next   string  `json:"next"` // commitment to the round's seed from here on
	Added  []Added `json:"added,omitempty"`
	Reason string  `json:"reason"` // the game master's words
	At     string  `json:"at"`     // RFC 3339, UTC
	Hash   string  `json:"hash"`
	Void   []Step  `json:"void"` // in order
}

// Added is an order that came to those of a kept step, or replaced one.
type Added struct {
	Seat game.SeatID `json:"seat"`
	Slot string      `json:"slot"`
	Seal string      `json:"seal"` // as in the step
}

// Seal hashes a reopening: after is the hash of the step before it, tip the newest
// hash that there was, of a step or a reopening.
func (r Reopening) Seal(gameID, after, tip string) (string, error) {
	added := make([][3]string, len(r.Added))
	for i, a := range r.Added {
		added[i] = [...]string{string(a.Seat), a.Slot, a.Seal}
	}
	b, err := json.Marshal([]any{"reopened", after, gameID, r.Branch, r.Round, r.Step, tip, r.Kept, r.Next, added, r.Reason, r.At})
	if err != nil {
		return "", fmt.Errorf("hashing the reopening of round %d: %w", r.Round, err)
	}
	return Sum(b), nil
}

// Additions are the orders of a step decided again that the void one did not have, or
// had otherwise. An order that is missing is an error: what was frozen counts.
func Additions(at Chain, void, again []rules.Order) ([]Added, error) {
	same := func(o rules.Order) func(rules.Order) bool {
		return func(p rules.Order) bool { return o.Seat == p.Seat && o.Slot == p.Slot }
	}
	for _, o := range void {
		if !slices.ContainsFunc(again, same(o)) {
			return nil, fmt.Errorf("the orders of %s for round %d (%s) would be lost", o.Seat, at.Round, o.Slot)
		}
	}
	var out []Added
	for _, o := range again {
		sealed, err := sealOrder(at, o)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(void, same(o)); i >= 0 {
			was, err := sealOrder(at, void[i])
			if err != nil {
				return nil, err
			}
			if was.Seal == sealed.Seal {
				continue
			}
		}
		out = append(out, Added{o.Seat, o.Slot, sealed.Seal.Seal})
	}
	return out, nil
}

// lines gives the steps that counted before each reopening, and at last those that
// count now.
func (d Document) lines() ([][]Step, *Difference) {
	out := make([][]Step, len(d.Reopened)+1)
	line := d.Steps
	for k := len(d.Reopened); k > 0; k-- {
		out[k] = line
		r := d.Reopened[k-1]
		at := r.cut(line)
		var diff *Difference
		switch {
		case r.Branch != k:
			diff = found("order", "reopening %d is called branch %d", k, r.Branch)
		case at == 0:
			diff = found("order", "the setup cannot be reopened")
		case len(r.Void) == 0 || r.cut(r.Void) != 0 || r.Void[0].Round != r.Round || r.Void[0].Step != r.Step:
			diff = found("order", "what was reopened does not stand there as void")
		case r.Kept && (len(r.Void) != 1 || r.Void[0].Branch != k-1):
			diff = found("order", "only the last step can be decided again by its own dice")
		case r.Kept && at == len(line):
			diff = found("order", "it was not decided again")
		}
		if diff != nil {
			diff.Round, diff.Step = r.Round, r.Step
			return nil, diff
		}
		line = slices.Concat(line[:at], r.Void)
	}
	out[0] = line
	return out, nil
}

// cut is the place of the first step that is not before a reopening.
func (r Reopening) cut(line []Step) int {
	i := slices.IndexFunc(line, func(s Step) bool { return s.Round > r.Round || s.Round == r.Round && s.Step >= r.Step })
	if i < 0 {
		return len(line)
	}
	return i
}

// reopen checks a reopening of the steps checked so far, and lets them be left.
func (v *verifier) reopen(r *Reopening) *Difference {
	at := r.cut(v.line)
	void := v.line[at]
	diff := func() *Difference {
		want, err := r.Seal(v.doc.Game.ID, v.line[at-1].Hash, v.tip)
		if err != nil || want != r.Hash {
			return found("hash", "that of its reopening, recomputed %s, stored %s", want, r.Hash)
		}
		seeds := r.Branch
		if r.Kept {
			seeds = v.seeds[r.Branch-1]
			if seed, err := dice.ParseSeed(void.Seed); err != nil || seed.Commitment() != r.Next {
				return found("commitment", "it was to keep its dice, and %s is not the SHA-256 of their seed", r.Next)
			}
		} else if seed, err := dice.ParseSeed(void.Seed); err != nil || seed.Commitment() == r.Next {
			return found("commitment", "it was opened for new orders, and its dice were known")
		} else if len(r.Added) > 0 {
			return found("input", "orders were added, though new ones could be sent")
		}
		if secret, err := dice.ParseSecret(v.doc.Game.Secret); err == nil {
			if want := secret.Seed(v.doc.Game.ID, seeds, r.Round).Commitment(); want != r.Next {
				return found("commitment", "the secret gives a seed with the SHA-256 %s, its reopening announced %s", want, r.Next)
			}
		}
		v.seeds = append(v.seeds, seeds)
		return nil
	}()
	if diff != nil {
		diff.Round, diff.Step = r.Round, r.Step
		return diff
	}
	for _, s := range v.line[at:] {
		v.told = append(v.told, s.Seed)
	}
	v.since, v.tip, v.first, v.checked = r, r.Hash, at, v.checked[:at]
	return nil
}

// checkFrozen checks that a step decided again went by the orders of the void one and
// those added, no other and no fewer.
func checkFrozen(r *Reopening, s Step) *Difference {
	void := r.Void[0]
	if !sameJSON(list(void.Joins), list(s.Joins)) || !sameJSON(list(void.Leaves), list(s.Leaves)) {
		return found("input", "who enters and who leaves is not as it was")
	}
	is := func(seat game.SeatID, slot string) func(SealedOrder) bool {
		return func(o SealedOrder) bool { return o.Seat == seat && o.Slot == slot }
	}
	want := slices.Clone(void.Orders)
	for _, a := range r.Added {
		o := SealedOrder{Seat: a.Seat, Slot: a.Slot, Seal: Seal{Seal: a.Seal}}
		if i := slices.IndexFunc(want, is(a.Seat, a.Slot)); i >= 0 {
			want[i] = o
		} else {
			want = append(want, o)
		}
	}
	for _, o := range want {
		if i := slices.IndexFunc(s.Orders, is(o.Seat, o.Slot)); i < 0 || s.Orders[i].key() != o.key() {
			return found("input", "%s's orders (%s) are not those that were on file", o.Seat, o.Slot)
		}
	}
	if len(want) != len(s.Orders) {
		return found("input", "it goes by orders that were not on file")
	}
	return nil
}
