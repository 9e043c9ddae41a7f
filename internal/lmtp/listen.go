package lmtp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/emersion/go-smtp"
	"golang.org/x/net/netutil"

	"ringpost/internal/whole"
)

// greetLimit is how long somebody at the door may take to greet.
const greetLimit = 10 * time.Second

// network tells the kind of a place to listen at. Nobody authenticates himself in LMTP, so it is never one that
// other machines can reach.
func network(place string) (kind string, err error) {
	if filepath.IsAbs(place) {
		return "unix", nil
	}
	host, port, err := net.SplitHostPort(place)
	if err != nil || port == "" {
		return "", fmt.Errorf("%q is no place to listen; write 127.0.0.1:2424 or the absolute path of a socket", place)
	}
	if ip, err := netip.ParseAddr(host); (err != nil || !ip.IsLoopback()) && !strings.EqualFold(host, "localhost") {
		return "", fmt.Errorf("other machines could reach %s and write in anybody's name; listen on 127.0.0.1 or a socket", place)
	}
	return "tcp", nil
}

// listen opens a place. A socket is open to every user of this machine, as a port is; whoever wants less puts it
// into a folder of fewer users.
func listen(place string) (net.Listener, error) {
	kind, err := network(place)
	if err != nil {
		return nil, err
	}
	if kind == "unix" {
		if err := clear(place); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen(kind, place)
	if err != nil {
		return nil, err
	}
	if kind == "unix" {
		if err := os.Chmod(place, 0o666); err != nil {
			l.Close()
			return nil, err
		}
	}
	return whole.Listener(netutil.LimitListener(l, maxConnections)), nil
}

// clear removes a socket that a killed process has left behind.
func clear(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is there already and is no socket", path)
	}
	c, err := net.DialTimeout("unix", path, greetLimit)
	if err == nil {
		c.Close()
		return fmt.Errorf("another program listens on %s", path)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return err
	}
	return os.Remove(path)
}

// Probe tells whether an LMTP server answers at a place now. Nobody there is no error.
func Probe(ctx context.Context, place string) (answers bool, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("lmtp: %w", err)
		}
	}()
	kind, err := network(place)
	if err != nil {
		return false, err
	}
	c, err := (&net.Dialer{Timeout: greetLimit}).DialContext(ctx, kind, place)
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer c.Close()
	client := smtp.NewClientLMTP(c)
	client.CommandTimeout = greetLimit
	if err := client.Hello("localhost"); err != nil {
		return false, fmt.Errorf("another program listens on %s: %w", place, err)
	}
	return true, client.Quit()
}
