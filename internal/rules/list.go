package rules

import (
	"fmt"
	"strings"

	"ringpost/internal/rules/ringside"
	"ringpost/internal/rules/sugarray"
)

// All lists the rulesets; a new game is one more line.
func All() []Ruleset {
	return []Ruleset{
		Adapt(sugarray.New()),
		Adapt(ringside.New(), ringside.FromSchema1),
	}
}

// Find gives the ruleset of a name; the error lists the names there are.
func Find(name string) (Ruleset, error) {
	var names []string
	for _, r := range All() {
		if r.About().Name == name {
			return r, nil
		}
		names = append(names, r.About().Name)
	}
	return nil, fmt.Errorf("there is no ruleset %q; there are %s", name, strings.Join(names, ", "))
}
