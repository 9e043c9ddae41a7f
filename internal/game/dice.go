package game

// Dice opens the named streams of one seed (G-1). The same name gives the same
// draws from the beginning, so a stream is opened once and kept.
type Dice interface {
	// Stream opens the stream `purpose/subject`, or `purpose` for no subject.
	// Subjects are seat and bout ids, never names.
	Stream(purpose, subject string) Stream
}

// RoundDice are the dice of a round. Their streams follow from the round's own seed,
// which its report reveals: what is thrown with them is everybody's.
type RoundDice interface {
	Dice
	// Sealed are dice of a second seed, which stays secret until the game ends (G-2).
	// By these a ruleset throws what is to be seen in hidden events only, or would
	// tell, to whoever knows the throws, what somebody keeps to himself.
	Sealed() Dice
}

// Stream is a sequence of draws.
type Stream interface {
	// Uniform draws a number from 1 to n; n must be at least 1.
	Uniform(n int) int
}

// Shuffle puts items in a random order, Fisher-Yates from the end (G-1).
func Shuffle[T any](s Stream, items []T) {
	for i := len(items) - 1; i > 0; i-- {
		j := s.Uniform(i+1) - 1
		items[i], items[j] = items[j], items[i]
	}
}
