package lmtp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"ringpost/internal/lmtp"
	"ringpost/internal/mailbox"
)

const own = "gm@liga.example"

// noon is when all mails of the tests arrive.
var noon = time.Date(2026, 12, 6, 12, 0, 0, 0, time.UTC)

// free is any port of this machine that is free.
const free = "127.0.0.1:0"

// rig is a source with a store behind it.
type rig struct {
	*lmtp.Source
	place string
	timer chan time.Time // ends every wait for a mail to be stored
	armed chan struct{}  // such a wait begins

	mu    sync.Mutex
	mails []mailbox.Mail
	fail  error
}

// place finds a place that is free; another program may take it meanwhile, which fails the test.
func place(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", free)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func start(t *testing.T, at string, maxSize int64) *rig {
	t.Helper()
	r := &rig{place: at, timer: make(chan time.Time, 10), armed: make(chan struct{}, 100)}
	source, err := lmtp.Listen(lmtp.Config{Listen: at, Own: own, MaxSize: maxSize, Logger: slog.New(slog.DiscardHandler),
		Clock: mailbox.Clock{Now: func() time.Time { return noon }, After: func(time.Duration) <-chan time.Time {
			r.armed <- struct{}{}
			return r.timer
		}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close() })
	r.Source = source
	return r
}

// run polls whenever a mail waits, until the test ends.
func (r *rig) run(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for r.Wait(ctx) == nil {
			if _, err := r.Poll(ctx, r.deliver); err != nil && !errors.Is(err, errDisk) {
				t.Errorf("poll: %v", err)
			}
		}
	}()
	t.Cleanup(func() { stop(); <-done })
}

var errDisk = errors.New("the disk is full")

func (r *rig) deliver(_ context.Context, batch []mailbox.Mail) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail != nil {
		return r.fail
	}
	r.mails = append(r.mails, batch...)
	return nil
}

func (r *rig) set(fail error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail = fail
}

func (r *rig) stored() []mailbox.Mail {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.mails)
}

// mta is a mail server's connection.
func (r *rig) mta(t *testing.T) *smtp.Client {
	t.Helper()
	kind := "tcp"
	if filepath.IsAbs(r.place) {
		kind = "unix"
	}
	c, err := net.Dial(kind, r.place)
	if err != nil {
		t.Fatal(err)
	}
	client := smtp.NewClientLMTP(c)
	t.Cleanup(func() { client.Close() })
	return client
}

// push sends a mail and gives the answers, one a recipient.
func push(c *smtp.Client, from, mail string, to ...string) (good []string, err error) {
	if err := c.Mail(from, nil); err != nil {
		return nil, err
	}
	for _, a := range to {
		if err := c.Rcpt(a, nil); err != nil {
			return nil, err
		}
	}
	w, err := c.Data()
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(w, mail); err != nil {
		return nil, err
	}
	answers, err := w.CloseWithLMTPResponse()
	for a := range answers {
		good = append(good, a)
	}
	slices.Sort(good)
	return good, err
}

// refused wants one SMTP status in an error, or one a recipient.
func refused(t *testing.T, err error, status int) {
	t.Helper()
	var each lmtpErrors
	var answer *smtp.SMTPError
	switch {
	case errors.As(err, &each):
		for to, e := range each {
			if e.Code != status {
				t.Errorf("%s is answered %d %s, want %d", to, e.Code, e.Message, status)
			}
		}
	case errors.As(err, &answer):
		if answer.Code != status {
			t.Errorf("answered %d %s, want %d", answer.Code, answer.Message, status)
		}
	default:
		t.Errorf("answered %v, want %d", err, status)
	}
}

type lmtpErrors = smtp.LMTPDataError

const mail = "From: anna@players.example\r\nSubject: orders\r\n\r\nNAME Anna\r\n.\r\n"

func TestTakesMails(t *testing.T) {
	r := start(t, place(t), 0)
	r.run(t)
	c := r.mta(t)
	good, err := push(c, "anna@players.example", mail, own, "GM+k3f9q2@Liga.Example")
	if err != nil || len(good) != 2 {
		t.Fatalf("answers %v, %v", good, err)
	}
	got := r.stored()
	want := []mailbox.Mail{{Mailbox: "lmtp", Name: got[0].Name, Received: noon, Size: int64(len("Return-Path: <anna@players.example>\r\n" + mail)),
		Raw: []byte("Return-Path: <anna@players.example>\r\n" + mail)}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}

	// A bounce is known by its empty sender. The same mail handed over again has the same name.
	for range 2 {
		if _, err := push(c, "", mail, own); err != nil {
			t.Fatal(err)
		}
	}
	got = r.stored()
	if len(got) != 3 || !strings.HasPrefix(string(got[1].Raw), "Return-Path: <>\r\n") || got[1].Name != got[2].Name || got[0].Name == got[1].Name {
		t.Errorf("stored %v", got)
	}
	if err := c.Quit(); err != nil {
		t.Error(err)
	}
}

func TestRecipients(t *testing.T) {
	r := start(t, place(t), 0)
	r.run(t)
	for to, ours := range map[string]bool{
		own: true, "gm+@liga.example": true, "Gm@LIGA.example": true, "gm+a+b@liga.example": true,
		"postmaster@liga.example": false, "gm2@liga.example": false, "g@liga.example": false, "gm@other.example": false,
		"gm@liga.example.evil.example": false, "gm-k3@liga.example": false,
	} {
		_, err := push(r.mta(t), "anna@players.example", mail, to)
		if ours && err != nil {
			t.Errorf("%s: %v", to, err)
		}
		if !ours {
			refused(t, err, 550)
		}
	}
	if got := len(r.stored()); got != 4 {
		t.Errorf("%d mails stored, want 4", got)
	}
}

func TestNotStored(t *testing.T) {
	r := start(t, place(t), 0)
	r.run(t)
	c := r.mta(t)
	r.set(errDisk)
	_, err := push(c, "anna@players.example", mail, own, "gm+x@liga.example")
	refused(t, err, 451)
	if err == nil || strings.Contains(err.Error(), "disk") {
		t.Errorf("answered %v", err)
	}
	r.set(nil)
	if _, err := push(c, "anna@players.example", mail, own); err != nil || len(r.stored()) != 1 {
		t.Errorf("then: %v, %d stored", err, len(r.stored()))
	}
}

// TestNobodyPolls: a mail that no poll takes in time goes back, and is not stored later.
func TestNobodyPolls(t *testing.T) {
	r := start(t, place(t), 0)
	answered := make(chan error, 1)
	go func() {
		_, err := push(r.mta(t), "anna@players.example", mail, own)
		answered <- err
	}()
	<-r.armed
	r.timer <- noon
	refused(t, <-answered, 451)
	if n, err := r.Poll(t.Context(), r.deliver); n != 0 || err != nil {
		t.Errorf("poll: %d, %v", n, err)
	}
}

// TestSlowStore: a mail that is being stored when its time is over gets the true answer.
func TestSlowStore(t *testing.T) {
	r := start(t, place(t), 0)
	answered := make(chan error, 1)
	go func() {
		_, err := push(r.mta(t), "anna@players.example", mail, own)
		answered <- err
	}()
	<-r.armed
	n, err := r.Poll(t.Context(), func(ctx context.Context, batch []mailbox.Mail) error {
		r.timer <- noon
		return r.deliver(ctx, batch)
	})
	if n != 1 || err != nil {
		t.Errorf("poll: %d, %v", n, err)
	}
	if err := <-answered; err != nil || len(r.stored()) != 1 {
		t.Errorf("answered %v, %d stored", err, len(r.stored()))
	}
}

// TestBatches: mails that wait are stored together; after a failure all go back.
func TestBatches(t *testing.T) {
	const waiting = 12
	for _, fail := range []error{nil, errDisk} {
		r := start(t, place(t), 0)
		r.set(fail)
		var wg sync.WaitGroup
		for i := range waiting {
			wg.Go(func() {
				_, err := push(r.mta(t), "anna@players.example", fmt.Sprintf("Subject: %d\r\n\r\n", i), own)
				if fail == nil && err != nil {
					t.Errorf("mail %d: %v", i, err)
				}
				if fail != nil {
					refused(t, err, 451)
				}
			})
		}
		for range waiting {
			<-r.armed
		}
		n, err := r.Poll(t.Context(), r.deliver)
		if fail == nil && (n != waiting || err != nil) || fail != nil && (n != 0 || !errors.Is(err, fail)) {
			t.Errorf("poll: %d, %v", n, err)
		}
		wg.Wait()
	}
}

// TestTooLarge: the mail server is not told to send large mails back. Their beginning is handed over, so that who
// wrote them is answered, and the connection goes on.
func TestTooLarge(t *testing.T) {
	r := start(t, place(t), 100_000)
	r.run(t)
	c := r.mta(t)
	large := "Subject: x\r\n\r\n" + strings.Repeat("NAME Anna\r\n", 10_000)
	long := "Subject: x\r\n\r\n" + strings.Repeat("NAME Anna ", 9_000) + "\r\n" // in one line
	for _, m := range []string{large, long, mail} {
		if good, err := push(c, "anna@players.example", m, own, "gm+x@liga.example"); err != nil || len(good) != 2 {
			t.Errorf("a mail of %d bytes: %v, %v", len(m), good, err)
		}
	}
	got := r.stored()
	if len(got) != 3 {
		t.Fatalf("%d mails stored", len(got))
	}
	head := "Return-Path: <anna@players.example>\r\n"
	for i, m := range []string{large, long, mail} {
		want := head + m
		if size := int64(len(want)); got[i].Size != size {
			t.Errorf("mail %d has size %d, want %d", i, got[i].Size, size)
		}
		if i == 0 {
			want = want[:mailbox.HeadSize]
		}
		if string(got[i].Raw) != want {
			t.Errorf("of mail %d are stored %d bytes, want %d", i, len(got[i].Raw), len(want))
		}
	}
}

// TestHalfMails: a connection lost within a mail leaves no half of it, whichever command the mail came by.
func TestHalfMails(t *testing.T) {
	head := "LHLO mx\r\nMAIL FROM:<anna@players.example>\r\nRCPT TO:<" + own + ">\r\n"
	for name, half := range map[string]string{
		"DATA":        head + "DATA\r\nSubject: x\r\n\r\nNAME Anna\r\n",
		"a chunk":     head + "BDAT 1000\r\nSubject: x\r\n\r\nNAME Anna\r\n",
		"last chunk":  head + "BDAT 1000 LAST\r\nSubject: x\r\n\r\nNAME Anna\r\n",
		"chunks left": head + "BDAT 12\r\nSubject: x\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, place(t), 0)
			r.run(t)
			c, err := net.Dial("tcp", r.place)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := io.WriteString(c, half); err != nil {
				t.Fatal(err)
			}
			if err := c.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, c); err != nil { // until the server has given up
				t.Fatal(err)
			}
			if _, err := push(r.mta(t), "", mail, own); err != nil { // whatever came before it is stored by now
				t.Fatal(err)
			}
			if got := r.stored(); len(got) != 1 {
				t.Errorf("stored %q", got[0].Raw)
			}
		})
	}
}

func TestChunks(t *testing.T) {
	r := start(t, place(t), 0)
	r.run(t)
	c, err := net.Dial("tcp", r.place)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body := "Subject: x\r\n\r\nNAME Anna\r\n"
	fmt.Fprintf(c, "LHLO mx\r\nMAIL FROM:<>\r\nRCPT TO:<%s>\r\nBDAT 10\r\n%sBDAT %d LAST\r\n%sQUIT\r\n", own, body[:10], len(body)-10, body[10:])
	var last string
	for lines := bufio.NewScanner(c); lines.Scan(); {
		if last = lines.Text(); strings.HasPrefix(last, "5") || strings.HasPrefix(last, "4") {
			t.Errorf("answered %s", last)
		}
	}
	if got := r.stored(); len(got) != 1 || string(got[0].Raw) != "Return-Path: <>\r\n"+body {
		t.Errorf("stored %v", got)
	}
}

func TestClose(t *testing.T) {
	r := start(t, place(t), 0)
	answered := make(chan error, 1)
	go func() {
		_, err := push(r.mta(t), "anna@players.example", mail, own)
		answered <- err
	}()
	<-r.armed
	if err := r.Wait(t.Context()); err != nil { // for the mail
		t.Error(err)
	}
	waits := make(chan error, 1)
	go func() { waits <- r.Wait(context.Background()) }()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if err := <-answered; err == nil {
		t.Error("a mail that is not stored was taken")
	}
	for _, err := range []error{<-waits, second(r.Poll(t.Context(), r.deliver))} {
		if !errors.Is(err, mailbox.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	}
	if len(r.stored()) != 0 {
		t.Error("a mail was stored")
	}
}

func second(_ int, err error) error { return err }

// TestRunner: the source does what the machinery around it wants.
func TestRunner(t *testing.T) {
	r := start(t, place(t), 0)
	runner := mailbox.NewRunner(r.Source, r.deliver, mailbox.Clock{}, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- runner.Run(ctx) }()
	for range 3 {
		if _, err := push(r.mta(t), "anna@players.example", mail, own); err != nil {
			t.Fatal(err)
		}
		if err := runner.PollNow(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if h := runner.Health(); h.Err != nil || h.Complete.IsZero() {
		t.Errorf("health %+v", h)
	}
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the runner ends with %v", err)
	}
	if _, err := net.Dial("tcp", r.place); err == nil {
		t.Error("the door is still open")
	}
}

func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	busy := start(t, filepath.Join(dir, "busy.sock"), 0)
	for at, says := range map[string]string{
		"0.0.0.0:0":         "other machines",
		"[::]:2424":         "other machines",
		"192.0.2.1:2424":    "other machines",
		"mx.example:2424":   "other machines",
		":2424":             "other machines",
		"2424":              "no place",
		"lmtp.sock":         "no place",
		"127.0.0.1:":        "no place",
		file:                "is no socket",
		busy.place:          "another program",
		dir + "/no/x.sock":  "no such file",
		place(t) + "000000": "port",
	} {
		source, err := lmtp.Listen(lmtp.Config{Listen: at, Own: own})
		if err == nil {
			source.Close()
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", at, err, says)
		}
	}
	if _, err := lmtp.Listen(lmtp.Config{Listen: free, Own: "gm"}); err == nil {
		t.Error("listens for no address")
	}
}

func TestSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lmtp.sock")
	// A killed process leaves its socket behind.
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()

	r := start(t, path, 0)
	r.run(t)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o666 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	if _, err := push(r.mta(t), "anna@players.example", mail, own); err != nil || len(r.stored()) != 1 {
		t.Errorf("%v, %d stored", err, len(r.stored()))
	}
	r.Close()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left behind: %v", err)
	}
}

func TestProbe(t *testing.T) {
	r := start(t, place(t), 0)
	if answers, err := lmtp.Probe(t.Context(), r.place); !answers || err != nil {
		t.Errorf("a server: %v, %v", answers, err)
	}
	r.Close()
	for _, nobody := range []string{r.place, filepath.Join(t.TempDir(), "lmtp.sock")} {
		if answers, err := lmtp.Probe(t.Context(), nobody); answers || err != nil {
			t.Errorf("nobody: %v, %v", answers, err)
		}
	}
	other, err := net.Listen("tcp", free)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	go func() {
		if c, err := other.Accept(); err == nil {
			io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
			c.Close()
		}
	}()
	if _, err := lmtp.Probe(t.Context(), other.Addr().String()); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("another program: %v", err)
	}
	if _, err := lmtp.Probe(t.Context(), "192.0.2.1:24"); err == nil {
		t.Error("another machine was asked")
	}
}
