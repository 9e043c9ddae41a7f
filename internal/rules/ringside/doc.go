// Package ringside holds the campaign of Ringside: managers and their stables,
// rankings and titles by weight class, four weekly cards a turn in five arenas, and
// the money of them all. A bout itself is fought by package bout, by the plans of
// package plan.
//
// It is pure: state, orders and dice in, state and events out. It may import
// package game, conditions and its own packages below, and nothing that knows time,
// files, a network or random numbers of its own.
//
// The ids in comments (RSC-22, G-7) are those of the rulings on the rulebook.
//
// # A turn
//
// A turn is a month of four weekly cards (RSC-2). What managers order at a deadline
// concerns two cards: the plans and bets the one that the last report published,
// which is fought now, and everything else the one that this report will publish.
//
// # Streams
//
// The streams of a turn (G-1) are named after the turn that is being closed; the
// setup belongs to turn 0.
//
//	ringside/<turn>/fighter/<fighter>   his ratings (bout.Roll), then d20 for the cut, d10000 for his lot
//	ringside/<turn>/name/<fighter>      a name where nobody gave one: first, last, again while it is taken
//	ringside/0/roster                   the shuffle of the roster before it is dealt, if the game has one
//	ringside/<turn>/lots/<class>        the shuffle of a class, in order of creation before it: the matchmaker's lots (RSC-24)
//	ringside/<turn>/sale/<fighter>      one die where several bid the same
//	ringside/<turn>/bout/<bout>         a bout, all of it (package bout); sealed
//	ringside/<turn>/words/<bout>        d1000000000, by which its telling chooses among the ways to say a thing
//	ringside/<turn>/experience/<bout>   the winner's d10 where he gains any (RSC-16)
//	ringside/<turn>/cut/<fighter>       d20 for the new cut (RSC-15)
//
// A bout's id is its fighters' ("f3-f7"), so that no booking moves another bout's
// dice. Every die thrown stands in the events.
//
// Bouts are fought by sealed dice (G-2), since plans stand. Whoever knows the dice
// by which a plan chose a punch, and the punch, finds its weights after a few
// rounds: a die of as many sides as they add up to shows which of them it fell on.
// And whoever knows all the other dice, too, can follow a bout of others blow by
// blow, which only its two managers may. So the seed that a report reveals throws
// no die that is not told to everybody.
//
// # Telling
//
// A bout is told twice: blow by blow to its managers (Course, made of its log), and a
// paragraph a round to everybody (Tale, made of its public event alone). What may be
// said of a round, and when, stands in the stock; the sentences themselves are
// templates, and say no more than the stock has found to hold.
package ringside
