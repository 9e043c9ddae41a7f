// Package conditions is the one small language in which players say when a line
// of their plans applies (G-12, rulings 7):
//
//	ROUND 9-12 D IF END<=10 AND LEAD>=2 : BACKPEDAL
//	D ELSE : OPEN
//
// It reads a line in German, English and Spanish words, finds the first line that
// applies, tells which lines never can, and writes lines in one normal form. What
// the variables and actions of a game mean is the ruleset's to say: it brings the
// variables' words as a Vocabulary, their values as Vars, and reads the actions
// itself.
//
// It is pure and imports nothing of the project but game.
package conditions
