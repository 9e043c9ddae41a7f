package casetest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringpost/internal/game"
)

// Script is dice whose throws a case sets; all others show 1. The names of its
// streams are those of the rules behind the ruleset and the round: "training/s1".
type Script struct {
	prefix string
	throws map[string][]int
	free   Free
}

// Free gives a stream that is none of the script's; nil for one that is.
type Free func(name, purpose, subject string) game.Stream

// NewScript has no throws set.
func NewScript() *Script { return &Script{throws: map[string][]int{}} }

// Set adds throws to a stream's.
func (s *Script) Set(name string, throws []string) {
	for _, t := range throws {
		n, err := strconv.Atoi(t)
		if err != nil {
			panic(err)
		}
		s.throws[name] = append(s.throws[name], n)
	}
}

// Round gives the dice of a round: a copy, so that the same throws can be tried again.
// free may be nil.
func (s *Script) Round(ruleset string, n int, free Free) *Script {
	out := &Script{prefix: fmt.Sprintf("%s/%d/", ruleset, n), throws: map[string][]int{}, free: free}
	for name, throws := range s.throws {
		out.throws[name] = slices.Clone(throws)
	}
	return out
}

// Unused names the streams whose throws were not all thrown.
func (s *Script) Unused() string {
	var left []string
	for _, name := range slices.Sorted(maps.Keys(s.throws)) {
		if len(s.throws[name]) > 0 {
			left = append(left, name)
		}
	}
	return strings.Join(left, ", ")
}

// Sealed are the same dice: their names tell sealed streams from open ones.
func (s *Script) Sealed() game.Dice { return s }

// Stream opens a stream; one that is not of the round is a fault of the rules.
func (s *Script) Stream(purpose, subject string) game.Stream {
	name := strings.TrimPrefix(purpose, s.prefix)
	if name == purpose {
		panic("stream " + purpose + " is not of this round")
	}
	if subject != "" {
		name += "/" + subject
	}
	if s.free != nil {
		if stream := s.free(name, purpose, subject); stream != nil {
			return stream
		}
	}
	return &scripted{s, name, len(s.throws[name]) > 0}
}

type scripted struct {
	*Script
	name string
	set  bool
}

// Uniform gives the next throw that is set.
func (s *scripted) Uniform(n int) int {
	if !s.set {
		return 1
	}
	left := s.throws[s.name]
	if len(left) == 0 || left[0] < 1 || left[0] > n {
		panic(fmt.Sprintf("stream %s: the case sets %v for a die of %d", s.name, left, n))
	}
	s.throws[s.name] = left[1:]
	return left[0]
}
