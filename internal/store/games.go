package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ringpost/internal/game"
)

// Game is a league, campaign, ring or bout.
type Game struct {
	ID       string
	Ruleset  string
	Title    string
	Lang     string
	Deadline string // cron expression; "": closed by hand only
	TZ       string // IANA name
	Trust    string // "token", "address" or "verified"
	Press    string // "signed", "anonymous" (allowed, that is) or "off"
	// Moderated: press waits until the game master releases it.
	Moderated bool
	Settings  game.Settings
	Secret    [32]byte
	Branch    int
	State     string    // "new", "running", "paused" or "ended"
	Round     int       // the open round, 0 before the start
	Due       time.Time // the open round's deadline, zero when it has none
	Opened    time.Time // when the open round was opened
	Created   time.Time
}

// The states of a game.
const (
	GameNew     = "new"
	GameRunning = "running"
	GamePaused  = "paused"
	GameEnded   = "ended"
)

// Seat is a seat with its player.
type Seat struct {
	Game string
	game.Seat
	Player int64
	State  string
}

// The states of a seat: Waiting enters when the open round closes, Leaving goes
// then by its own wish, Removed by the game master's.
const (
	SeatWaiting = "waiting"
	SeatPlaying = "playing"
	SeatLeaving = "leaving"
	SeatRemoved = "removed"
	SeatLeft    = "left"
)

// Player is a person.
type Player struct {
	ID        int64
	Lang      string
	TZ        string
	Remind    int       // hours before a deadline at which he is reminded, 0 never
	Quiet     bool      // he wants no reports by mail
	Bounced   time.Time // since when mails to him are refused, zero when they are not
	Addresses []string  // as he writes them; mails go to the first
}

const gameColumns = `id, ruleset, title, lang, deadline, tz, trust, press, moderated, settings, secret, branch, state, round, due, opened, created`

func scanGame(r scanner) (g Game, err error) {
	var settings string
	var secret []byte
	var due, opened sql.NullInt64
	var created int64
	if err := r.Scan(&g.ID, &g.Ruleset, &g.Title, &g.Lang, &g.Deadline, &g.TZ, &g.Trust, &g.Press, &g.Moderated, &settings, &secret,
		&g.Branch, &g.State, &g.Round, &due, &opened, &created); err != nil {
		return g, err
	}
	copy(g.Secret[:], secret)
	g.Due, g.Opened, g.Created = optionalMoment(due), optionalMoment(opened), moment(created)
	return g, json.Unmarshal([]byte(settings), &g.Settings)
}

// AddGame enters a new game.
func (t *Tx) AddGame(g Game) error {
	err := t.exec(`INSERT INTO game (`+gameColumns+`) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		g.ID, g.Ruleset, g.Title, g.Lang, g.Deadline, g.TZ, g.Trust, g.Press, g.Moderated, text(g.Settings), g.Secret[:],
		g.Branch, g.State, g.Round, optional(g.Due), optional(g.Opened), millis(g.Created))
	if err != nil {
		return fmt.Errorf("entering game %s: %w", g.ID, err)
	}
	return nil
}

// Game finds a game.
func (t *Tx) Game(id string) (Game, error) {
	g, err := one(t, scanGame, `SELECT `+gameColumns+` FROM game WHERE id = ?`, id)
	if err != nil {
		return g, fmt.Errorf("game %q: %w", id, err)
	}
	return g, nil
}

// Games lists all games by id.
func (t *Tx) Games() ([]Game, error) {
	return list(t, scanGame, `SELECT `+gameColumns+` FROM game ORDER BY id`)
}

// GamesDue lists the running games whose deadline is not after now, earliest first.
func (t *Tx) GamesDue(now time.Time) ([]Game, error) {
	return list(t, scanGame, `SELECT `+gameColumns+` FROM game WHERE state = 'running' AND due <= ? ORDER BY due, id`, millis(now))
}

// NextDue is the earliest deadline of a running game, zero when there is none.
func (t *Tx) NextDue() (time.Time, error) {
	var due sql.NullInt64
	err := t.row(`SELECT min(due) FROM game WHERE state = 'running'`, nil, &due)
	return optionalMoment(due), err
}

// MoveGame writes what changes in a game's course: state, branch, round, due, opened,
// and its calendar.
func (t *Tx) MoveGame(g Game) error {
	ok, err := t.changed(`UPDATE game SET state = ?, branch = ?, round = ?, due = ?, opened = ?, deadline = ?, tz = ? WHERE id = ?`,
		g.State, g.Branch, g.Round, optional(g.Due), optional(g.Opened), g.Deadline, g.TZ, g.ID)
	if err == nil && !ok {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("moving game %s on: %w", g.ID, err)
	}
	return nil
}

func scanSeat(r scanner) (s Seat, err error) {
	var traits string
	if err := r.Scan(&s.Game, &s.ID, &s.Name, &s.Player, &traits, &s.State); err != nil {
		return s, err
	}
	return s, json.Unmarshal([]byte(traits), &s.Traits)
}

// AddSeat enters a seat at the end of the order of entry and gives it its id.
func (t *Tx) AddSeat(s Seat) (Seat, error) {
	var n int
	if err := t.row(`SELECT count(*) FROM seat WHERE game = ?`, []any{s.Game}, &n); err != nil {
		return s, fmt.Errorf("entering seat %s: %w", s.Name, err)
	}
	s.ID = game.SeatID(fmt.Sprintf("s%d", n+1))
	err := t.exec(`INSERT INTO seat (game, id, ord, name, player, traits, state) VALUES (?,?,?,?,?,?,?)`,
		s.Game, s.ID, n+1, s.Name, s.Player, text(s.Traits), s.State)
	if err != nil {
		return s, fmt.Errorf("entering seat %s: %w", s.Name, err)
	}
	return s, nil
}

// Seats lists a game's seats in the order of entry, those that left included.
func (t *Tx) Seats(gameID string) ([]Seat, error) {
	return list(t, scanSeat, `SELECT game, id, name, player, traits, state FROM seat WHERE game = ? ORDER BY ord`, gameID)
}

// SeatsOf lists a player's seats, by game and order of entry.
func (t *Tx) SeatsOf(player int64) ([]Seat, error) {
	return list(t, scanSeat, `SELECT game, id, name, player, traits, state FROM seat WHERE player = ? ORDER BY game, ord`, player)
}

// SetSeatState moves a seat on.
func (t *Tx) SetSeatState(gameID string, id game.SeatID, state string) error {
	if err := t.exec(`UPDATE seat SET state = ? WHERE game = ? AND id = ?`, state, gameID, id); err != nil {
		return fmt.Errorf("seat %s of %s: %w", id, gameID, err)
	}
	return nil
}

// AddPlayer enters a person; norms are the addresses in the form they are
// compared in, in the order of addresses.
func (t *Tx) AddPlayer(p Player, norms []string, now time.Time) (Player, error) {
	id, err := t.insert(`INSERT INTO player (lang, tz, remind, created) VALUES (?,?,?,?)`, p.Lang, p.TZ, p.Remind, millis(now))
	if err != nil {
		return p, fmt.Errorf("entering a player: %w", err)
	}
	p.ID = id
	for i, a := range p.Addresses {
		if err := t.exec(`INSERT INTO address (norm, player, address, rank) VALUES (?,?,?,?)`, norms[i], id, a, i); err != nil {
			return p, fmt.Errorf("entering the address %s: %w", a, err)
		}
	}
	return p, nil
}

// SetPlayer writes a player's own settings and whether his mails bounce.
func (t *Tx) SetPlayer(p Player) error {
	err := t.exec(`UPDATE player SET lang = ?, tz = ?, remind = ?, quiet = ?, bounced = ? WHERE id = ?`,
		p.Lang, p.TZ, p.Remind, p.Quiet, optional(p.Bounced), p.ID)
	if err != nil {
		return fmt.Errorf("player %d: %w", p.ID, err)
	}
	return nil
}

// AddAddress gives a player one more address, behind those he has.
func (t *Tx) AddAddress(player int64, address, norm string) error {
	err := t.exec(`INSERT INTO address (norm, player, address, rank)
		SELECT ?, ?, ?, count(*) FROM address WHERE player = ?`, norm, player, address, player)
	if err != nil {
		return fmt.Errorf("entering the address %s: %w", address, err)
	}
	return nil
}

// FirstAddress makes an address that a player has the one mails go to.
func (t *Tx) FirstAddress(player int64, norm string) error {
	err := t.exec(`UPDATE address SET rank = CASE WHEN norm = ? THEN 0 ELSE rank + 1 END WHERE player = ?`, norm, player)
	if err != nil {
		return fmt.Errorf("player %d: %w", player, err)
	}
	return nil
}

// RemoveAddress takes an address from its player.
func (t *Tx) RemoveAddress(norm string) error {
	if err := t.exec(`DELETE FROM address WHERE norm = ?`, norm); err != nil {
		return fmt.Errorf("removing the address %s: %w", norm, err)
	}
	return nil
}

// playerSelect gives the addresses a line each: none holds a line break.
const playerSelect = `SELECT p.id, p.lang, p.tz, p.remind, p.quiet, p.bounced,
	(SELECT group_concat(address, char(10) ORDER BY rank) FROM address WHERE player = p.id) FROM player p `

func scanPlayer(r scanner) (p Player, err error) {
	var bounced sql.NullInt64
	var addresses sql.NullString
	err = r.Scan(&p.ID, &p.Lang, &p.TZ, &p.Remind, &p.Quiet, &bounced, &addresses)
	p.Bounced = optionalMoment(bounced)
	if addresses.Valid {
		p.Addresses = strings.Split(addresses.String, "\n")
	}
	return p, err
}

// Player finds a person by id.
func (t *Tx) Player(id int64) (Player, error) {
	p, err := one(t, scanPlayer, playerSelect+`WHERE p.id = ?`, id)
	if err != nil {
		return p, fmt.Errorf("player %d: %w", id, err)
	}
	return p, nil
}

// PlayerAt finds the person to whom an address, in its compared form, belongs.
func (t *Tx) PlayerAt(norm string) (Player, error) {
	p, err := one(t, scanPlayer, playerSelect+`WHERE p.id = (SELECT player FROM address WHERE norm = ?)`, norm)
	if err != nil {
		return p, fmt.Errorf("address %s: %w", norm, err)
	}
	return p, nil
}

// PlayersOf lists the persons who have or had a seat in a game.
func (t *Tx) PlayersOf(gameID string) ([]Player, error) {
	return list(t, scanPlayer, playerSelect+`WHERE p.id IN (SELECT player FROM seat WHERE game = ?) ORDER BY p.id`, gameID)
}

func scanText(r scanner) (s string, err error) { return s, r.Scan(&s) }
