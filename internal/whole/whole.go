// Package whole tells whole mails from halves. go-smtp's server takes a connection lost within a mail's last chunk
// (BDAT LAST, RFC 3030) for the mail's end, and would have half of its orders taken.
//
// It imports none of the project's other packages.
package whole

import (
	"errors"
	"io"
	"net"
	"sync/atomic"
)

// Listener makes a listener's connections such that Reader knows when they were lost.
func Listener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

type conn struct {
	net.Conn
	lost atomic.Bool // no more can be read
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		c.lost.Store(true)
	}
	return n, err
}

// Reader reads a mail that comes over a connection of such a listener. It ends with io.EOF only where the mail does,
// and with io.ErrUnexpectedEOF where the connection was lost.
func Reader(over net.Conn, mail io.Reader) io.Reader {
	watched, ok := over.(*conn)
	if !ok {
		return failing{errors.New("the connection is not one that can be known to be lost")}
	}
	return reader{watched, mail}
}

type reader struct {
	over *conn
	mail io.Reader
}

// Read implements io.Reader.
func (r reader) Read(p []byte) (int, error) {
	n, err := r.mail.Read(p)
	if err == io.EOF && r.over.lost.Load() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
