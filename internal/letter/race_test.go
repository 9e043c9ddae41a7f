//go:build race

package letter

// raceFactor is how much slower the race detector may make a test.
const raceFactor = 10
