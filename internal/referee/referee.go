// Package referee is the game master's desk: it takes letters in, answers them,
// closes rounds at their deadlines and lets everything be checked afterwards. It
// knows the store, the rulesets, letters and words, but no mail server: mails
// come to it as bytes and leave it through the queue.
package referee

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// Desk is the game master's desk.
type Desk struct {
	store *store.Store
	words *report.Words
	find  func(ruleset string) (rules.Ruleset, error)
	set   Settings
	log   *slog.Logger
	now   func() time.Time

	zones memo[string, *time.Location]
	feet  memo[footKey, string]
}

// Settings are what the operator decided and the referee needs.
type Settings struct {
	Address       string // where orders go
	Name          string // shown beside it
	Lang          string // of strangers, and of games and players that say nothing else
	TimeZone      string
	GM            string // where alerts go
	PlusAddresses bool   // Address takes plus-addresses
	AuthservIDs   []string
	// Signers gives the domains whose signatures of a mail hold, for mailboxes
	// whose server says nothing of senders; nil where it does.
	Signers func(ctx context.Context, raw []byte) []string
	// Key is the data folder's own: tokens, codes and Message-IDs are made with
	// it, so that they repeat and cannot be guessed.
	Key [32]byte
}

// New makes a desk. now is the one clock.
func New(s *store.Store, words *report.Words, find func(string) (rules.Ruleset, error), set Settings, log *slog.Logger, now func() time.Time) *Desk {
	return &Desk{store: s, words: words, find: find, set: set, log: log, now: now}
}

// MaxAhead is how many rounds ahead orders may be sent (G-9).
const MaxAhead = 3

// TokenAge is how long a token proves its holder's identity.
const TokenAge = 30 * 24 * time.Hour

// mac derives 32 bytes from the folder's key and a purpose.
func (d *Desk) mac(purpose string) [32]byte {
	m := hmac.New(sha256.New, d.set.Key[:])
	m.Write([]byte(purpose))
	return [32]byte(m.Sum(nil))
}

// letters of tokens and codes: none that is taken for another.
var readable = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// token is a seat's reply token for a round: six characters, new each round. It
// is derived, not stored: the database alone gives nobody's token away.
func (d *Desk) token(g store.Game, seat game.SeatID, round int) string {
	return d.tokenOf(g.ID, g.Branch, seat, round)
}

func (d *Desk) tokenOf(gameID string, branch int, seat game.SeatID, round int) string {
	m := d.mac("token/" + gameID + "/" + strconv.Itoa(branch) + "/" + string(seat) + "/" + strconv.Itoa(round))
	return readable.EncodeToString(m[:])[:6]
}

// messageID is the Message-ID of the mail with a cause: always the same.
func (d *Desk) messageID(cause string) string {
	m := d.mac("message/" + cause)
	_, domain, _ := strings.Cut(d.set.Address, "@")
	return hex.EncodeToString(m[:12]) + "@" + domain
}

// sitting is a game as it stands during one transaction.
type sitting struct {
	store.Game
	rules rules.Ruleset
	table rules.Table  // nil before the start
	step  store.Step   // the last one
	on    store.Branch // where its branch began; the zero value on the first
	seats []store.Seat
}

// sit opens a game.
func (d *Desk) sit(tx *store.Tx, id string) (*sitting, error) {
	g, err := tx.Game(id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("%w; `ringpost game list` shows those there are", err)
	}
	if err != nil {
		return nil, err
	}
	s := &sitting{Game: g}
	if s.rules, err = d.find(g.Ruleset); err != nil {
		return nil, fmt.Errorf("game %s: %w", id, err)
	}
	if s.seats, err = tx.Seats(id); err != nil {
		return nil, err
	}
	if g.State == store.GameNew {
		return s, nil
	}
	if s.step, err = tx.LastStep(id, g.Branch); err != nil {
		return nil, err
	}
	if s.table, err = s.rules.Open(s.step.State); err != nil {
		return nil, fmt.Errorf("game %s: %w", id, err)
	}
	if g.Branch > 0 {
		s.on, err = tx.Branch(id, g.Branch)
	}
	return s, err
}

// seat finds a seat by id.
func (s *sitting) seat(id game.SeatID) (store.Seat, bool) {
	for _, x := range s.seats {
		if x.ID == id {
			return x, true
		}
	}
	return store.Seat{}, false
}

// inPlay reports whether a seat takes part in the open round.
func inPlay(s store.Seat) bool {
	return s.State == store.SeatPlaying || s.State == store.SeatLeaving
}

// closedFor is the moment from which mails for the open round come too late:
// its deadline, or never.
func (s *sitting) closedFor(at time.Time) bool { return !s.Due.IsZero() && !at.Before(s.Due) }
