package outbox

import (
	"net"
	"sync"
	"time"
)

// blockConn gives every write a deadline of its own, for go-smtp sets none
// inside DATA and a server that stops reading would block us for ever. A
// deadline that was set is left alone: go-smtp sets one around each command
// and the wait for each answer, and TLS a short one around its farewell.
type blockConn struct {
	net.Conn
	limit time.Duration

	mu  sync.Mutex
	set bool // a write deadline is set
}

func (c *blockConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	set := c.set
	c.mu.Unlock()
	if !set {
		if err := c.Conn.SetWriteDeadline(time.Now().Add(c.limit)); err != nil {
			return 0, err
		}
	}
	return c.Conn.Write(b)
}

func (c *blockConn) SetDeadline(t time.Time) error {
	c.note(t)
	return c.Conn.SetDeadline(t)
}

func (c *blockConn) SetWriteDeadline(t time.Time) error {
	c.note(t)
	return c.Conn.SetWriteDeadline(t)
}

func (c *blockConn) note(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set = !t.IsZero()
}
