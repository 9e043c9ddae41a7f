package store

import (
	"encoding/json"
	"fmt"
	"time"

	"ringpost/internal/game"
)

// Sparring is a bout that a player tried out between rounds, with all that is needed
// to fight it again.
type Sparring struct {
	ID      int64
	Game    string
	Branch  int
	Round   int // the open one
	Seat    game.SeatID
	N       int    // counts the seat's of the round, from 1
	Letter  int64  // that asked for it,
	Line    int    // and where
	Subject string // who spars, as the letter names him
	Slips   json.RawMessage
	Fought  time.Time
}

const sparringColumns = `id, game, branch, round, seat, n, letter, line, subject, slips, fought`

func scanSparring(r scanner) (s Sparring, err error) {
	var fought int64
	var slips string
	err = r.Scan(&s.ID, &s.Game, &s.Branch, &s.Round, &s.Seat, &s.N, &s.Letter, &s.Line, &s.Subject, &slips, &fought)
	s.Slips, s.Fought = json.RawMessage(slips), moment(fought)
	return s, err
}

// AddSparring enters one; a second of the same number, or of the same line of a
// letter, is an error.
func (t *Tx) AddSparring(s Sparring) error {
	err := t.exec(`INSERT INTO sparring (game, branch, round, seat, n, letter, line, subject, slips, fought) VALUES (?,?,?,?,?,?,?,?,?,?)`,
		s.Game, s.Branch, s.Round, s.Seat, s.N, s.Letter, s.Line, s.Subject, string(s.Slips), millis(s.Fought))
	if err != nil {
		return fmt.Errorf("entering a sparring of %s in %s: %w", s.Seat, s.Game, err)
	}
	return nil
}

// Sparring finds one by its number in the store.
func (t *Tx) Sparring(id int64) (Sparring, error) {
	s, err := one(t, scanSparring, `SELECT `+sparringColumns+` FROM sparring WHERE id = ?`, id)
	if err != nil {
		return s, fmt.Errorf("sparring %d: %w", id, err)
	}
	return s, nil
}

// SparringFor finds the one that a line of a letter asked for.
func (t *Tx) SparringFor(letter int64, line int) (Sparring, error) {
	return one(t, scanSparring, `SELECT `+sparringColumns+` FROM sparring WHERE letter = ? AND line = ?`, letter, line)
}

// Sparrings counts a seat's of a round.
func (t *Tx) Sparrings(gameID string, branch, round int, seat game.SeatID) (n int, err error) {
	err = t.row(`SELECT count(*) FROM sparring WHERE game = ? AND branch = ? AND round = ? AND seat = ?`, []any{gameID, branch, round, seat}, &n)
	return n, err
}

// SparringsIn lists a game's, oldest first.
func (t *Tx) SparringsIn(gameID string) ([]Sparring, error) {
	return list(t, scanSparring, `SELECT `+sparringColumns+` FROM sparring WHERE game = ? ORDER BY id`, gameID)
}
