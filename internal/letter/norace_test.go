//go:build !race

package letter

const raceFactor = 1
