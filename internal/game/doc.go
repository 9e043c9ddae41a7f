// Package game is the shared vocabulary of Ringpost: seats, orders as players
// write them, issues, events, dice, and the interface every ruleset implements.
//
// It is pure: no clock, no files, no network, no database, no generator of its
// own, and it imports no other package of the project.
package game
