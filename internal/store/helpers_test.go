package store

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"ringpost/internal/game"
)

// box is a store in a folder of its own.
type box struct {
	testing.TB
	*Store
	dir string
}

func newBox(t testing.TB) *box {
	t.Helper()
	b := &box{TB: t, dir: t.TempDir()}
	var err error
	if b.Store, err = Create(t.Context(), b.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Store.Close() })
	return b
}

func (b *box) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// write and read run f in a transaction that must succeed.
func (b *box) write(f func(*Tx) error) {
	b.Helper()
	b.must(b.Write(context.Background(), f))
}

func (b *box) read(f func(*Tx) error) {
	b.Helper()
	b.must(b.Read(context.Background(), f))
}

// raw runs SQL that no method of Tx has.
func (b *box) raw(query string, args ...any) error {
	b.Helper()
	_, err := b.marker.ExecContext(context.Background(), query, args...)
	return err
}

// number is the one figure that a query gives.
func (b *box) number(query string, args ...any) (n int) {
	b.Helper()
	b.must(b.marker.QueryRowContext(context.Background(), query, args...).Scan(&n))
	return n
}

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// seated makes a game of some seats and gives their ids.
func (b *box) seated(id string, seats int) []game.SeatID {
	b.Helper()
	var ids []game.SeatID
	b.write(func(tx *Tx) error {
		if err := tx.AddGame(Game{ID: id, Ruleset: "sugarray", Title: "Liga", Lang: "de", TZ: "Europe/Berlin", Trust: "token", Press: "signed",
			State: GameRunning, Round: 1, Created: noon, Settings: game.Settings{}}); err != nil {
			return err
		}
		p, err := tx.AddPlayer(Player{Lang: "de", TZ: "Europe/Berlin", Addresses: []string{id + "@players.example"}}, []string{id + "@players.example"}, noon)
		if err != nil {
			return err
		}
		for n := range seats {
			s := Seat{Game: id, Player: p.ID, State: SeatPlaying}
			s.Name = fmt.Sprint("Boxer ", n)
			s, err = tx.AddSeat(s)
			if err != nil {
				return err
			}
			ids = append(ids, s.ID)
		}
		return nil
	})
	return ids
}

// revision is a set of orders in a table test.
type revision struct {
	seat, slot  string
	minute      int // of arrival, after noon
	provisional bool
	text        string
	round       int // 0 is 1
	branch      int
}

func (b *box) enter(id string, all ...revision) {
	b.Helper()
	b.write(func(tx *Tx) error {
		for _, r := range all {
			text, err := json.Marshal(r.text)
			if err != nil {
				return err
			}
			o := Orders{Game: id, Branch: r.branch, Round: max(r.round, 1), Seat: game.SeatID(r.seat), Slot: r.slot, Received: noon.Add(time.Duration(r.minute) * time.Minute),
				Orders: text, Lines: []game.Line{{Keyword: game.KeyMove, Args: r.text}}, Provisional: r.provisional}
			if _, err := tx.AddOrders(o); err != nil {
				return err
			}
		}
		return nil
	})
}
