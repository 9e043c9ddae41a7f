package mailtest

import (
	"net"
	"testing"
)

// Listen has a server on a free port of the loopback talk with each who comes, until
// the test ends. It hangs up when talk returns.
func Listen(t testing.TB, talk func(net.Conn)) *net.TCPAddr {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				talk(c)
			}()
		}
	}()
	return l.Addr().(*net.TCPAddr)
}
