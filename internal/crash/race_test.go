//go:build unix && race

package crash_test

// slow says that every process takes ten times as long.
const slow = true
