package referee

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/store"
)

// EnterOrders takes blocks that reached the game master by other ways, all of them
// or none. He may do so until the round is closed; the player gets the receipt.
func (d *Desk) EnterOrders(ctx context.Context, id, name, text string) (all []BlockResult, err error) {
	err = d.change(ctx, id, "orders enter", func(tx *store.Tx, s *sitting, now time.Time) error {
		x, err := s.named(name)
		if err != nil {
			return err
		}
		if !s.open() || !inPlay(x) {
			return fmt.Errorf("game %s is %s and %s's seat %s: no orders are due from it", id, s.State, x.Name, x.State)
		}
		p, err := tx.Player(x.Player)
		if err != nil {
			return err
		}
		blocks, err := enteredBlocks(s, x, text)
		if err != nil {
			return err
		}
		received := now
		if s.closedFor(now) { // late for mail, not for the game master
			received = s.until(s.Round)
		}
		h := d.newHandling(tx, now)
		h.sittings[id] = s
		c := &correspondence{handling: h, player: p, lang: p.Lang, zone: d.zone(p.TZ), seats: []store.Seat{x}}
		c.read.From = p.Addresses[0]
		for _, b := range blocks {
			r, err := c.take(s, x, b, received, 0)
			if err != nil {
				return err
			}
			if r.Result != Taken {
				return fmt.Errorf("nothing was entered: %w", &Rejected{r})
			}
		}
		if err := c.finishReceipts(); err != nil {
			return err
		}
		all = c.blocks
		return c.sendAs(fmt.Sprintf("entered/%s/%d/%s/%d", id, all[0].Round, x.ID, now.UnixMilli()))
	})
	return all, err
}

// Rejected is the error of orders that could not be entered.
type Rejected struct{ Block BlockResult }

// Error names the lines and what is wrong with them.
func (r *Rejected) Error() string {
	if len(r.Block.Issues) == 0 {
		return "there are no orders for that round to take (" + r.Block.Outcome + ")"
	}
	var lines []string
	for _, i := range r.Block.Issues {
		lines = append(lines, i.String())
	}
	return strings.Join(lines, "; ")
}

// enteredBlocks finds the blocks of a text the game master wrote.
func enteredBlocks(s *sitting, x store.Seat, text string) ([]game.Block, error) {
	blocks := orders.Parse(orders.Lines(text)).Blocks
	if len(blocks) == 0 {
		return nil, errors.New("there is no order block: want lines such as those in the player's last report")
	}
	for _, b := range blocks {
		if b.Name != "" && !s.means(x, b.Name) {
			return nil, fmt.Errorf("the block is %s's, not %s's", b.Name, x.Name)
		}
		if b.Game != "" && !strings.EqualFold(b.Game, s.ID) {
			return nil, fmt.Errorf("the block is for game %s, not %s", b.Game, s.ID)
		}
	}
	return blocks, nil
}
