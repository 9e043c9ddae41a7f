//go:build !race

package referee_test

const raceFactor = 1
