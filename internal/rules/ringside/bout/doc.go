// Package bout fights a bout of Ringside: Steps I to V on the squares of the
// ring, round by round, as the rulings RS-1 to RS-40 order them. It knows
// fighters by their ratings and decides nothing for them: what a fighter would
// choose it asks of his Plan.
//
// It is pure: terms, ratings, plans and one stream of dice in; a result,
// scorecards and a log out. It may import package game and small parts of the
// standard library, and nothing that knows time, files, a network or random
// numbers of its own.
//
// # Dice
//
// A bout, or the part of a bout that is fought at once, takes all its dice from
// one stream (G-1), in this order:
//
//	round     d100 of the first fighter, d100 of the second; both again on a tie (RS-12)
//	Step I    d100 of the attacker (RS-17)
//	Step II   one die of as many sides as the weights of the punches add up to, for
//	          the punch thrown; one for the punch anticipated (RS-18). The punches'
//	          order is the chart's. In a clinch hooks thrown weigh nothing (RS-35).
//	Step III  d100 for the knockdown if it can happen (RS-23), then d10 (RS-24)
//	Step IV   d100 of the defender if he tries a counterpunch; if it may be thrown,
//	          d100 to hit, and on from Step II (RS-26)
//	Step V    where several squares are equally good, one die of as many sides, for
//	          the defender, then for the attacker. The squares' order is by rows (Y),
//	          in a row by X (RS-11).
//
// A die that decides nothing is not thrown, weights aside.
package bout
