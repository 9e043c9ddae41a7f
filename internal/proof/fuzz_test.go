package proof

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"ringpost/internal/dice"
)

// FuzzParse: no document makes the reader or the verifier panic, not even one
// whose seals and hashes were made to fit; and what is read writes as it was read.
func FuzzParse(f *testing.F) {
	// Short ones: the engine takes its time to shorten what it keeps.
	ended := sale(f, 0)
	ended.end()
	f.Add(encode(f, ended.public()))
	f.Add([]byte(`{"format":1,"game":{"ruleset":"sugarray"},"steps":[{"seed":"00"}]}`))
	f.Add([]byte(`{"format":1,"game":{"ruleset":"auction","settings":{}},"steps":[{"orders":[{"seat":"s1"}],"events":[{"for":[]}],"state":{}}]}`))
	f.Add([]byte(`{} {}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		if !sameJSON(throughJSON(t, d), d) {
			t.Error("written and read again it differs")
		}
		Verify(d, find) // any verdict will do
		reforge(&d)
		Verify(d, find)
	})
}

// The same with documents that are odd in a few places and right everywhere
// else, seals and hashes included: so they come as far as the rules.
func TestOddDocumentsCannotHarm(t *testing.T) {
	numbers := []any{json.Number("-1"), json.Number("0"), json.Number("1"), json.Number("7"), json.Number("4611686018427387904")}
	strings := []any{"", "s1", "s2", "s99", "moves", "T", "1/1", "999999999/999999999", "x"}
	base := league(t, "liga", 3, 2, dice.Seed{8}.Stream("orders", "")).own()
	verdicts := map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		root := tree(t, base)
		for range rapid.IntRange(1, 4).Draw(r, "edits") {
			all := leaves(root, func(v any) { root = v })
			leaf := rapid.SampledFrom(all).Draw(r, "leaf")
			switch leaf.value.(type) {
			case json.Number:
				leaf.set(rapid.SampledFrom(numbers).Draw(r, "number"))
			case string:
				leaf.set(rapid.SampledFrom(strings).Draw(r, "string"))
			case []any: // an empty list, or a full one to be given an element twice
				leaf.set(append(leaf.value.([]any), leaf.value.([]any)...))
			}
		}
		d, err := Parse(text(root))
		if err != nil {
			verdicts["unreadable"]++
			return
		}
		reforge(&d)
		switch v, err := Verify(d, find); {
		case err != nil:
			verdicts["error"]++
		case v.Difference != nil:
			verdicts[v.Difference.In]++
		default:
			verdicts["right"]++
		}
	})
	if verdicts["events"] == 0 || verdicts["error"] == 0 {
		t.Errorf("hardly any document came to the rules: %v", verdicts)
	}
}

// leaf is a scalar or a list of a tree, and how to put another in its place.
type leaf struct {
	value any
	set   func(any)
}

func leaves(v any, set func(any)) (out []leaf) {
	switch v := v.(type) {
	case object:
		for i, m := range v {
			out = append(out, leaves(m.value, func(n any) { v[i].value = n })...)
		}
		return out
	case []any:
		for i, x := range v {
			out = append(out, leaves(x, func(n any) { v[i] = n })...)
		}
	}
	return append(out, leaf{v, set})
}
