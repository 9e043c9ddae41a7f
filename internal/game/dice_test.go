package game

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// script throws what it is told to.
type script struct {
	sides  []int
	throws []int
}

func (s *script) Uniform(n int) int {
	s.sides = append(s.sides, n)
	got := s.throws[0]
	s.throws = s.throws[1:]
	return got
}

func TestG1_ShuffleIsFisherYatesFromTheEnd(t *testing.T) {
	s := &script{throws: []int{1, 4, 2, 1}}
	items := []string{"a", "b", "c", "d", "e"}
	Shuffle(s, items)
	// 5:1 swaps e and a, 4:4 leaves d, 3:2 swaps c and b, 2:1 swaps c and e.
	if want := []string{"c", "e", "b", "d", "a"}; !slices.Equal(items, want) {
		t.Errorf("shuffled to %v, want %v", items, want)
	}
	if want := []int{5, 4, 3, 2}; !slices.Equal(s.sides, want) {
		t.Errorf("threw dice of %v sides, want %v", s.sides, want)
	}
}

func TestShuffleOfFewThrowsNothing(t *testing.T) {
	s := &script{}
	Shuffle(s, []int{})
	Shuffle(s, []int{1})
	if len(s.sides) > 0 {
		t.Errorf("threw %v", s.sides)
	}
}

// drawn takes its throws from the property test.
type drawn struct{ t *rapid.T }

func (d drawn) Uniform(n int) int { return rapid.IntRange(1, n).Draw(d.t, "throw") }

func TestShuffleKeepsEveryItem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOf(rapid.Int()).Draw(t, "items")
		want := slices.Sorted(slices.Values(items))
		Shuffle(drawn{t}, items)
		if got := slices.Sorted(slices.Values(items)); !slices.Equal(got, want) {
			t.Fatalf("shuffled to %v", items)
		}
	})
}
