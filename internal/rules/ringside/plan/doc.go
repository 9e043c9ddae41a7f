// Package plan holds a fighter's plan in Ringside (rulings 3.5): what he throws and
// expects, how he moves, which tactics he declares when. It reads plans from order
// lines, writes them in one normal form, and carries them out in a bout.
//
// A plan is a list of lines of several kinds; of each kind the first line that
// applies decides, those limited to rounds before the others (G-12). Where none
// does, the default plan decides: own ratings for weights of what is thrown, the
// opponent's for what is expected, to the middle in defence, to the ropes in
// attack, no tactic, every counterpunch tried (RSC-21).
//
// It is pure and imports package game, conditions and bout.
package plan
