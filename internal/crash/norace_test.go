//go:build unix && !race

package crash_test

const slow = false
