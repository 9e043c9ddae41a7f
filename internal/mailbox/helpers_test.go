package mailbox

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"ringpost/internal/postoffice"
)

// patience is how long an event may take before a test gives up.
const patience = 30 * time.Second

// within waits for an event.
func within[T any](t *testing.T, what string, events <-chan T) T {
	t.Helper()
	select {
	case v := <-events:
		return v
	case <-time.After(patience):
		t.Fatalf("%s did not come", what)
		panic("unreachable")
	}
}

// clock is a clock whose timers go off when the test says so.
type clock struct {
	armed chan time.Duration // each pause that begins

	mu     sync.Mutex
	now    time.Time
	timers []timer
}

type timer struct {
	pause time.Duration
	rings chan time.Time
}

func newClock() *clock {
	return &clock{now: arrival(0), armed: make(chan time.Duration, 10000)}
}

func (c *clock) clock() Clock { return Clock{Now: c.time, After: c.after} }

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

func (c *clock) after(pause time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	rings := make(chan time.Time, 1)
	c.timers = append(c.timers, timer{pause, rings})
	c.armed <- pause
	return rings
}

// wait returns when a pause of that length has begun since the last wait.
func (c *clock) wait(t *testing.T, pause time.Duration) {
	t.Helper()
	for within(t, fmt.Sprintf("a pause of %v", pause), c.armed) != pause {
	}
}

// ring ends all pauses of that length, those of commands long answered among them.
func (c *clock) ring(pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var rest []timer
	for _, tm := range c.timers {
		if tm.pause == pause {
			tm.rings <- c.now
		} else {
			rest = append(rest, tm)
		}
	}
	c.timers = rest
}

// desk is another client at the same mailbox, as a person with a mail reader is.
type desk struct {
	client *imapclient.Client
}

// sitDown opens a mailbox of which the configuration is for a source.
func sitDown(t *testing.T, config IMAPConfig) *desk {
	t.Helper()
	tlsConfig := config.TLS
	if tlsConfig == nil {
		tlsConfig = &tls.Config{}
	}
	options := &imapclient.Options{TLSConfig: tlsConfig}
	dial := map[Security]func(string, *imapclient.Options) (*imapclient.Client, error){
		TLS: imapclient.DialTLS, StartTLS: imapclient.DialStartTLS, Plain: imapclient.DialInsecure,
	}[config.Security]
	client, err := dial(config.Addr, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	if err := client.Login(config.User, config.Password).Wait(); err != nil {
		t.Fatal(err)
	}
	return &desk{client}
}

// put appends mails.
func (d *desk) put(t *testing.T, folder string, mails ...string) {
	t.Helper()
	for i, mail := range mails {
		command := d.client.Append(folder, int64(len(mail)), &imap.AppendOptions{Time: arrival(i)})
		if _, err := io.WriteString(command, mail); err != nil {
			t.Fatal(err)
		}
		if err := command.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := command.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

// arrival is when the i-th mail of a put arrived. Whole seconds are all that IMAP knows, and Dovecot believes
// nothing of the future.
func arrival(i int) time.Time {
	return time.Date(2024, 5, 4, 12, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Second)
}

// count is the number of mails in a folder, 0 when there is none.
func (d *desk) count(t *testing.T, folder string) int {
	t.Helper()
	data, err := d.client.Status(folder, &imap.StatusOptions{NumMessages: true}).Wait()
	var refused *imap.Error
	if errors.As(err, &refused) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	return int(*data.NumMessages)
}

// remove marks the i-th mail of INBOX as deleted.
func (d *desk) remove(t *testing.T, i uint32) {
	t.Helper()
	if _, err := d.client.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	deleted := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}
	if err := d.client.Store(imap.SeqSetNum(i), deleted, nil).Close(); err != nil {
		t.Fatal(err)
	}
	// Of the folder selected STATUS need not tell the newest.
	if err := d.client.Unselect().Wait(); err != nil {
		t.Fatal(err)
	}
}

// mails makes n mails that differ.
func mails(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("From: anna@players.test\r\nSubject: %d\r\n\r\nNAME Anna\r\nZUG %d\r\n", i, i))
	}
	return all
}

// taker is whom mail is delivered to.
type taker struct {
	batches []int
	mails   []Mail
	refuse  error // if set, nothing is taken
}

func (k *taker) deliver(_ context.Context, batch []Mail) error {
	if k.refuse != nil {
		return k.refuse
	}
	k.batches = append(k.batches, len(batch))
	k.mails = append(k.mails, batch...)
	return nil
}

func (k *taker) raws() []string {
	var all []string
	for _, m := range k.mails {
		all = append(all, string(m.Raw))
	}
	return all
}

func open(t *testing.T, config IMAPConfig) *IMAP {
	t.Helper()
	config.Logger = slog.New(slog.DiscardHandler)
	s, err := NewIMAP(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// poll polls and wants n mails to be delivered.
func poll(t *testing.T, s Source, k *taker, n int) {
	t.Helper()
	got, err := s.Poll(t.Context(), k.deliver)
	if err != nil {
		t.Fatalf("poll: %v", err)
	}
	if got != n {
		t.Fatalf("poll delivered %d mails, want %d", got, n)
	}
}

// office is a mailbox in a post office.
func office(t *testing.T) IMAPConfig {
	t.Helper()
	o, err := postoffice.Start(postoffice.Options{Own: "gm@pbem.test", Password: "secret", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return IMAPConfig{Addr: o.IMAPAddr(), Security: Plain, User: "gm", Password: "secret"}
}

// network dials for a source, and can be told to fail it.
type network struct {
	dials atomic.Int32
	bytes atomic.Int64 // still to come from the server before the trouble begins; negative: never
	mute  atomic.Bool  // the trouble: true, the server falls silent; false, the connection is cut
	muted chan none    // it has begun
}

func newNetwork() *network {
	n := &network{muted: make(chan none, 100)}
	n.bytes.Store(-1)
	return n
}

func (n *network) dial(ctx context.Context, kind, addr string) (net.Conn, error) {
	n.dials.Add(1)
	c, err := new(net.Dialer).DialContext(ctx, kind, addr)
	if err != nil {
		return nil, err
	}
	return &wire{Conn: c, network: n, closed: make(chan struct{})}, nil
}

// wire is a connection through the network.
type wire struct {
	net.Conn
	network *network
	once    sync.Once
	closed  chan struct{}
}

func (w *wire) Read(p []byte) (int, error) {
	left := w.network.bytes.Load()
	switch {
	case left < 0:
	case left > 0:
		p = p[:min(int64(len(p)), left)]
	case w.network.mute.Load():
		w.network.muted <- none{}
		<-w.closed
		return 0, net.ErrClosed
	default:
		w.network.bytes.Store(-1) // the next connection is good
		w.Close()
		return 0, io.EOF
	}
	n, err := w.Conn.Read(p)
	if left > 0 {
		w.network.bytes.Add(int64(-n))
	}
	return n, err
}

func (w *wire) Close() error {
	w.once.Do(func() { close(w.closed) })
	return w.Conn.Close()
}
