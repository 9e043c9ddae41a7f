// Package orders finds order blocks and commands in the clean text of a letter
// and splits them into statements. It knows the words players use and where
// lines may stand, nothing of any game's rules.
//
// Players write prose around their orders, and prose may begin with any word.
// So a line counts only when what follows its keyword could be meant as orders,
// and a line that could have been meant is reported rather than passed over.
//
// It is pure and imports nothing of the project but game.
package orders
