package mailbox

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"
)

// line is a connection that knows whether its other end is still talking.
type line struct {
	net.Conn
	heard atomic.Int64 // bytes read so far
}

func (l *line) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	l.heard.Add(int64(n))
	return n, err
}

// SetReadDeadline does nothing. go-imap grants a literal five minutes whatever its size, too little for a large
// mail on a slow line; await, which counts silence, stands in for its deadlines.
func (l *line) SetReadDeadline(time.Time) error { return nil }

// A server that says "still here" now and then, but never what it was asked for, is given up as well.
const (
	trickle      = 1024 // bytes within the time of silence; any command worth waiting for brings more
	mostTrickles = 10   // times of silence in a row with less than that
)

// await runs one exchange over the line, and cuts the line when ctx ends, when nothing has been heard for the
// time of silence, or next to nothing for ten times as long. The exchange may then still be running: it must touch
// nothing but its own variables. go-imap's commands have no time-out themselves and wait for a silent server for ever.
func await[T any](ctx context.Context, l *line, clock Clock, silence time.Duration, exchange func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := exchange()
		done <- result{v, err}
	}()
	var none T
	heard := l.heard.Load()
	alarm := clock.After(silence)
	trickles := 0
	for {
		select {
		case r := <-done:
			return r.value, r.err
		case <-ctx.Done():
			l.Close()
			return none, context.Cause(ctx)
		case <-alarm:
			now := l.heard.Load()
			if now-heard >= trickle {
				trickles = 0
			} else {
				trickles++
			}
			switch {
			case now == heard:
				l.Close()
				return none, fmt.Errorf("the server has been silent for %v", silence)
			case trickles == mostTrickles:
				l.Close()
				return none, fmt.Errorf("the server has sent next to nothing for %v", mostTrickles*silence)
			}
			heard = now
			alarm = clock.After(silence)
		}
	}
}
