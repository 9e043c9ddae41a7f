package game

// Dice opens the named streams of one round (G-1). The same name gives the same
// draws from the beginning, so a stream is opened once and kept.
type Dice interface {
	// Stream opens the stream `purpose/subject`, or `purpose` for no subject.
	// Subjects are seat and bout ids, never names.
	Stream(purpose, subject string) Stream
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
