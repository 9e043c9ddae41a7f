package store

import (
	"errors"
	"fmt"
	"time"

	"ringpost/internal/game"
)

// Press is a player's words to the others.
type Press struct {
	ID        int64
	Game      string
	Round     int         // in whose course it was sent
	Seat      game.SeatID // who wrote it
	Recipient string      // a seat, PressAll, or "" for the next report
	Anonymous bool
	Text      string
	Letter    int64
	State     string
	Created   time.Time
}

// PressAll is the recipient of press that goes to all seats at once.
const PressAll = "*"

// The states of press: Waiting for the game master, Released to be told at the
// next close, Told.
const (
	PressWaiting  = "waiting"
	PressReleased = "released"
	PressTold     = "told"
	PressDropped  = "dropped"
)

const pressColumns = `id, game, round, seat, recipient, anonymous, text, letter, state, created`

func scanPress(r scanner) (p Press, err error) {
	var created int64
	err = r.Scan(&p.ID, &p.Game, &p.Round, &p.Seat, &p.Recipient, &p.Anonymous, &p.Text, &p.Letter, &p.State, &created)
	p.Created = moment(created)
	return p, err
}

// AddPress enters press and gives its id.
func (t *Tx) AddPress(p Press) (int64, error) {
	id, err := t.insert(`INSERT INTO press (game, round, seat, recipient, anonymous, text, letter, state, created) VALUES (?,?,?,?,?,?,?,?,?)`,
		p.Game, p.Round, p.Seat, p.Recipient, p.Anonymous, p.Text, p.Letter, p.State, millis(p.Created))
	if err != nil {
		return 0, fmt.Errorf("entering press for %s: %w", p.Game, err)
	}
	return id, nil
}

// Press finds press by id.
func (t *Tx) Press(id int64) (Press, error) {
	p, err := one(t, scanPress, `SELECT `+pressColumns+` FROM press WHERE id = ?`, id)
	if err != nil {
		return p, fmt.Errorf("press %d: %w", id, err)
	}
	return p, nil
}

// PressIn lists a game's press in a state, oldest first; state "" means all.
func (t *Tx) PressIn(gameID, state string) ([]Press, error) {
	return list(t, scanPress, `SELECT `+pressColumns+` FROM press WHERE game = ? AND ? IN ('', state) ORDER BY id`, gameID, state)
}

// PressCount counts a seat's press of a round.
func (t *Tx) PressCount(gameID string, round int, seat game.SeatID) (n int, err error) {
	err = t.row(`SELECT count(*) FROM press WHERE game = ? AND round = ? AND seat = ?`, []any{gameID, round, seat}, &n)
	return n, err
}

// SetPress moves press on.
func (t *Tx) SetPress(id int64, state string) error {
	if err := t.exec(`UPDATE press SET state = ? WHERE id = ?`, state, id); err != nil {
		return fmt.Errorf("press %d: %w", id, err)
	}
	return nil
}

// Ignore hides a seat's press from a player, or shows it again.
func (t *Tx) Ignore(player int64, gameID string, seat game.SeatID, hide bool) error {
	query := `DELETE FROM ignored WHERE player = ? AND game = ? AND seat = ?`
	if hide {
		query = `INSERT INTO ignored (player, game, seat) VALUES (?,?,?) ON CONFLICT DO NOTHING`
	}
	if err := t.exec(query, player, gameID, seat); err != nil {
		return fmt.Errorf("ignoring %s in %s: %w", seat, gameID, err)
	}
	return nil
}

// Ignored lists the seats whose press a player does not want.
func (t *Tx) Ignored(player int64, gameID string) ([]game.SeatID, error) {
	return list(t, func(r scanner) (s game.SeatID, err error) { return s, r.Scan(&s) },
		`SELECT seat FROM ignored WHERE player = ? AND game = ? ORDER BY seat`, player, gameID)
}

// Meta reads a note of the program's own, "" when there is none.
func (t *Tx) Meta(key string) (value string, err error) {
	err = t.row(`SELECT value FROM meta WHERE key = ?`, []any{key}, &value)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return value, err
}

// SetMeta writes a note of the program's own.
func (t *Tx) SetMeta(key, value string) error {
	return t.exec(`INSERT INTO meta (key, value) VALUES (?,?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
}

// OutcomeCount is how many letters had a result since a moment.
type OutcomeCount struct {
	Result string
	Reason string
	N      int
	Last   int64 // the newest letter of them
}

// OutcomesSince counts the results since a moment that a game master wants to know
// of: what was held, refused or set aside, and what strangers got no answer to.
func (t *Tx) OutcomesSince(since time.Time) ([]OutcomeCount, error) {
	return list(t, func(r scanner) (o OutcomeCount, err error) { return o, r.Scan(&o.Result, &o.Reason, &o.N, &o.Last) },
		`SELECT result, reason, count(*), max(letter) FROM outcome WHERE handled >= ?
		AND (result IN ('held', 'refused', 'quarantined') OR result = 'dropped' AND reason = 'stranger')
		GROUP BY result, reason ORDER BY result, reason`, millis(since))
}

// BouncedSince lists the first addresses of the players whose mails have been
// refused since a moment.
func (t *Tx) BouncedSince(since time.Time) ([]string, error) {
	return list(t, scanText, `SELECT a.address FROM player p JOIN address a ON a.player = p.id AND a.rank =
		(SELECT min(rank) FROM address WHERE player = p.id) WHERE p.bounced >= ? ORDER BY a.address`, millis(since))
}
