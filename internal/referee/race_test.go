//go:build race

package referee_test

// raceFactor is how much less the longest tests do under the race detector, which
// slows the store down that much. What it looks for shows in any part of them.
const raceFactor = 10
