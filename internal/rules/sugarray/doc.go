// Package sugarray holds the rules of Sugar-Ray: a boxing league of four
// divisions and a champion above them, one bout a boxer and round.
//
// It is pure: state, orders and dice in, state and events out. It may import
// package game and small parts of the standard library, and nothing that knows
// time, files, a network or random numbers of its own.
//
// The ids in comments (SR-4, G-7) are those of the rulings on the rulebook.
//
// # Streams
//
// The streams of a round (G-1) are named after the round that is being closed;
// the draw at the start belongs to round 0.
//
//	sugarray/<round>/training/<seat>   one die 1…5, for every boxer (SR-13)
//	sugarray/<round>/dummy/<seat>      how the dummy fights this boxer: five times f, o (SR-31)
//	sugarray/<round>/challenger        one die a lot, where several are longest serving (SR-23, SR-26)
//	sugarray/<round>/draw/<league>     the shuffle of a league, in order of entry before it (SR-28)
//
// A lot among one throws no die, and a shuffle of n throws n-1. Every die
// thrown stands in the events.
package sugarray
