package mailbox

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ringpost/internal/mailtest"
)

// server is one kind of server: every test of a source runs against all of them.
type server struct {
	name   string
	config func() IMAPConfig // of an empty mailbox
	filing filing
	done   string // the full name of the folder for handled mails, "" if they are not moved
	idle   bool
	prefix string // of every folder but INBOX
	silent bool   // it does not say which folder is for junk
}

func TestPostOffice(t *testing.T) {
	testServer(t, server{
		name: "post office", config: func() IMAPConfig { return office(t) },
		filing: byMove, done: "Processed", idle: true, silent: true,
	})
}

func TestDovecot(t *testing.T) {
	full := mailtest.Start(t, mailtest.Options{})
	bare := mailtest.Start(t, mailtest.Options{IMAPCapability: "IMAP4rev1 SASL-IR LITERAL+"})
	copies := mailtest.Start(t, mailtest.Options{IMAPCapability: "IMAP4rev1 SASL-IR LITERAL+ UIDPLUS IDLE NAMESPACE", Prefix: "INBOX."})
	on := func(s *mailtest.Servers, security Security) func() IMAPConfig {
		return func() IMAPConfig {
			addr := s.IMAP
			if security == TLS {
				addr = s.IMAPS
			}
			return IMAPConfig{Addr: addr, Security: security, TLS: s.TLS(), User: s.Box(), Password: mailtest.Password}
		}
	}
	for _, s := range []server{
		{name: "TLS", config: on(full, TLS), filing: byMove, done: "Processed", idle: true},
		{name: "STARTTLS", config: on(full, StartTLS), filing: byMove, done: "Processed", idle: true},
		{name: "plain", config: on(full, Plain), filing: byMove, done: "Processed", idle: true},
		{name: "without MOVE, with a prefix", config: on(copies, TLS), filing: byCopy, done: "INBOX.Processed", idle: true, prefix: "INBOX."},
		{name: "without MOVE, UIDPLUS and IDLE", config: on(bare, StartTLS), filing: byKeyword},
	} {
		t.Run(s.name, func(t *testing.T) { testServer(t, s) })
	}
	t.Run("UIDVALIDITY changes", func(t *testing.T) { testUIDValidity(t, full, on(full, TLS)()) })
}

func testServer(t *testing.T, s server) {
	for name, test := range map[string]func(*testing.T, server){
		"takes mails in order":       testOrder,
		"refused delivery":           testRefusedDelivery,
		"large mails":                testLargeMails,
		"idle":                       testIdle,
		"cancelled wait":             testCancelledWait,
		"close":                      testClose,
		"cut connections":            testCuts,
		"silent server":              testSilence,
		"wrong password":             testWrongPassword,
		"deleted mails are left out": testDeleted,
		"probe":                      testProbe,
		"junk":                       testJunk,
		"junk for handled mails":     testJunkForHandled,
		"marks":                      testMarks,
		"mails put away again":       testRescan,
	} {
		t.Run(name, func(t *testing.T) { test(t, s) })
	}
}

// filed checks where the mails are after a poll.
func filed(t *testing.T, s server, d *desk, n int) {
	t.Helper()
	if s.done == "" {
		if got := d.count(t, "INBOX"); got != n {
			t.Errorf("INBOX holds %d mails, want all %d to be left there", got, n)
		}
		return
	}
	if in, done := d.count(t, "INBOX"), d.count(t, s.done); in != 0 || done != n {
		t.Errorf("%d mails in INBOX and %d in %s, want 0 and %d", in, done, s.done, n)
	}
}

func testOrder(t *testing.T, s server) {
	config := s.config()
	source, d, k := open(t, config), sitDown(t, config), &taker{}
	poll(t, source, k, 0)
	want := mails(2*batchMails + 1)
	d.put(t, "INBOX", want...)

	poll(t, source, k, len(want))
	if diff := cmp.Diff(want, k.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{batchMails, batchMails, 1}, k.batches); diff != "" {
		t.Errorf("batches (-want +got):\n%s", diff)
	}
	for i, m := range k.mails {
		want := Mail{Mailbox: source.Name(), UIDValidity: k.mails[0].UIDValidity, UID: k.mails[0].UID + uint32(i),
			Received: arrival(i), Size: int64(len(want[i])), Raw: []byte(want[i])}
		if diff := cmp.Diff(want, m, cmpopts.EquateApproxTime(0)); diff != "" {
			t.Fatalf("mail %d (-want +got):\n%s", i, diff)
		}
	}
	if k.mails[0].UIDValidity == 0 {
		t.Error("no UIDVALIDITY")
	}
	filed(t, s, d, len(want))
	poll(t, source, k, 0)

	// Another process finds the same.
	poll(t, open(t, config), k, 0)
	d.put(t, "INBOX", "Subject: one more\r\n\r\n")
	poll(t, source, k, 1)
	filed(t, s, d, len(want)+1)
}

func testRefusedDelivery(t *testing.T, s server) {
	config := s.config()
	source, d, k := open(t, config), sitDown(t, config), &taker{}
	want := mails(3)
	d.put(t, "INBOX", want...)

	k.refuse = errors.New("disk full")
	n, err := source.Poll(t.Context(), k.deliver)
	if n != 0 || !errors.Is(err, k.refuse) {
		t.Errorf("poll delivered %d mails, %v", n, err)
	}
	if n := d.count(t, "INBOX"); n != 3 {
		t.Errorf("INBOX holds %d mails, want all 3", n)
	}
	k.refuse = nil
	poll(t, source, k, 3)
	if diff := cmp.Diff(want, k.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
	filed(t, s, d, 3)
}

func testLargeMails(t *testing.T, s server) {
	config := s.config()
	config.MaxSize = 100_000
	source, d, k := open(t, config), sitDown(t, config), &taker{}
	exact := "Subject: exact\r\n\r\n" + strings.Repeat("x", 100_000-20) + "\r\n"
	large := "Subject: large\r\n\r\n" + strings.Repeat("y", 200_000) + "\r\n"
	d.put(t, "INBOX", exact, large, "Subject: small\r\n\r\n")
	poll(t, source, k, 3)
	if diff := cmp.Diff([]string{exact, large[:HeadSize], "Subject: small\r\n\r\n"}, k.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
	if m := k.mails[1]; m.Size != int64(len(large)) || m.Fault != "" || !m.Received.Equal(arrival(1)) {
		t.Errorf("the large mail came with size %d, fault %q, received %v", m.Size, m.Fault, m.Received)
	}
	filed(t, s, d, 3)
}

// waiting runs Wait; the channel tells its result.
func waiting(ctx context.Context, s Source) <-chan error {
	done := make(chan error, 1)
	go func() { done <- s.Wait(ctx) }()
	return done
}

func testIdle(t *testing.T, s server) {
	config := s.config()
	clock := newClock()
	config.Clock = clock.clock()
	source, d, k := open(t, config), sitDown(t, config), &taker{}
	poll(t, source, k, 0)

	done := waiting(t.Context(), source)
	clock.wait(t, defaultInterval)
	if s.idle {
		// IDLE is renewed, and new mail ends the wait.
		for range 2 {
			clock.wait(t, idleRenewal)
			clock.ring(idleRenewal)
		}
		clock.wait(t, idleRenewal)
		d.put(t, "INBOX", mails(1)...)
	} else {
		d.put(t, "INBOX", mails(1)...)
		clock.ring(defaultInterval)
	}
	if err := within(t, "the end of waiting", done); err != nil {
		t.Fatal(err)
	}
	poll(t, source, k, 1)

	// The interval ends it as well.
	done = waiting(t.Context(), source)
	clock.wait(t, defaultInterval)
	select {
	case err := <-done:
		t.Fatalf("waiting ended for no reason: %v", err)
	default:
	}
	clock.ring(defaultInterval)
	if err := within(t, "the end of waiting", done); err != nil {
		t.Fatal(err)
	}
	poll(t, source, k, 0)
}

func testCancelledWait(t *testing.T, s server) {
	config, clock, network := s.config(), newClock(), newNetwork()
	config.Clock, config.Dial = clock.clock(), network.dial
	source, d, k := open(t, config), sitDown(t, config), &taker{}
	poll(t, source, k, 0)
	ctx, cancel := context.WithCancel(t.Context())
	done := waiting(ctx, source)
	clock.wait(t, defaultInterval)
	cancel()
	if err := within(t, "the end of waiting", done); !errors.Is(err, context.Canceled) {
		t.Errorf("wait: %v", err)
	}
	d.put(t, "INBOX", mails(1)...)
	poll(t, source, k, 1)
	if n := network.dials.Load(); n != 1 {
		t.Errorf("%d connections were made, want 1", n)
	}
}

func testClose(t *testing.T, s server) {
	config, clock := s.config(), newClock()
	config.Clock = clock.clock()
	source := open(t, config)
	poll(t, source, &taker{}, 0)
	done := waiting(t.Context(), source)
	clock.wait(t, defaultInterval)
	if err := source.Close(); err != nil {
		t.Fatal(err)
	}
	if err := within(t, "the end of waiting", done); !errors.Is(err, ErrClosed) {
		t.Errorf("wait: %v", err)
	}
	if _, err := source.Poll(t.Context(), (&taker{}).deliver); !errors.Is(err, ErrClosed) {
		t.Errorf("poll: %v", err)
	}
	if err := source.Wait(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("wait again: %v", err)
	}
}

// testCuts cuts the connection after any number of bytes: the mails are delivered all the same, in order and,
// as long as the process lives, once.
func testCuts(t *testing.T, s server) {
	for cut := int64(0); cut < 6000; cut += 611 {
		config, network := s.config(), newNetwork()
		config.Dial = network.dial
		source, d, k := open(t, config), sitDown(t, config), &taker{}
		want := mails(12)
		d.put(t, "INBOX", want...)
		network.bytes.Store(cut)
		var failures int
		for {
			_, err := source.Poll(t.Context(), k.deliver)
			if err == nil {
				break
			}
			if failures++; failures > 1 {
				t.Fatalf("cut after %d bytes: still failing: %v", cut, err)
			}
		}
		if diff := cmp.Diff(want, k.raws()); diff != "" {
			t.Errorf("cut after %d bytes: mails (-want +got):\n%s", cut, diff)
		}
		network.bytes.Store(-1)
		poll(t, source, k, 0)
		if s.done != "" && d.count(t, "INBOX") != 0 {
			t.Errorf("cut after %d bytes: mails are left in INBOX", cut)
		}
	}
}

// testSilence lets the server fall silent after any number of bytes: the watchdog ends the poll.
func testSilence(t *testing.T, s server) {
	for quiet := int64(0); quiet < 4000; quiet += 1001 {
		config, clock, network := s.config(), newClock(), newNetwork()
		config.Clock, config.Dial = clock.clock(), network.dial
		source, d, k := open(t, config), sitDown(t, config), &taker{}
		want := mails(12)
		d.put(t, "INBOX", want...)
		network.mute.Store(true)
		network.bytes.Store(quiet)
		done := make(chan error, 1)
		go func() {
			_, err := source.Poll(t.Context(), k.deliver)
			done <- err
		}()
		var err error
		select {
		case err = <-done:
			t.Fatalf("the poll was over before %d bytes: %v", quiet, err)
		case <-network.muted:
		case <-time.After(patience):
			t.Fatalf("the server did not fall silent after %d bytes", quiet)
		}
		// What the server said before it fell silent buys it one more look.
	watching:
		for {
			select {
			case err = <-done:
				break watching
			case <-clock.armed:
				clock.ring(defaultSilence)
			case <-time.After(patience):
				t.Fatalf("silent after %d bytes: the watchdog sleeps", quiet)
			}
		}
		if err == nil || !strings.Contains(err.Error(), "silent") {
			t.Fatalf("silent after %d bytes: %v", quiet, err)
		}
		network.bytes.Store(-1)
		poll(t, source, k, 12-len(k.mails))
		if diff := cmp.Diff(want, k.raws()); diff != "" {
			t.Errorf("silent after %d bytes: mails (-want +got):\n%s", quiet, diff)
		}
	}
}

func testWrongPassword(t *testing.T, s server) {
	config := s.config()
	config.Password = "wrong-and-secret"
	_, err := open(t, config).Poll(t.Context(), (&taker{}).deliver)
	if err == nil || strings.Contains(err.Error(), config.Password) || !strings.Contains(err.Error(), "log in as "+config.User) {
		t.Errorf("poll: %v", err)
	}
	if pause := pauseAfter(err, 1000); pause != lastLogin {
		t.Errorf("a password refused again and again is tried every %v", pause)
	}
}

func testDeleted(t *testing.T, s server) {
	config := s.config()
	source, d, k := open(t, config), sitDown(t, config), &taker{}
	d.put(t, "INBOX", mails(3)...)
	d.remove(t, 2)
	poll(t, source, k, 2)
	if diff := cmp.Diff([]string{mails(3)[0], mails(3)[2]}, k.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
	// Somebody else's deleted mail is not ours to remove.
	if n := d.count(t, "INBOX"); s.done != "" && n != 1 {
		t.Errorf("INBOX holds %d mails, want the deleted one", n)
	}
}

func testProbe(t *testing.T, s server) {
	config := s.config()
	source, d, k := open(t, config), sitDown(t, config), &taker{}
	d.put(t, "INBOX",
		"Authentication-Results: mx.example; spf=pass\r\nSubject: old\r\n\r\n",
		"Subject: none\r\n\r\n")
	before, err := source.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	poll(t, source, k, 2)
	d.put(t, "INBOX", "Authentication-Results: mx.example;\r\n dkim=pass\r\nAuthentication-Results: inner.example; none\r\n\r\n")
	after, err := source.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := Report{Idle: s.idle, Filing: string(s.filing), Done: s.done, Mails: 2, UIDValidity: k.mails[0].UIDValidity,
		AuthResults: []string{"mx.example; spf=pass"}}
	if s.done == "" {
		want.Done = "Processed"
	}
	ignore := cmpopts.IgnoreFields(Report{}, "Capabilities")
	if diff := cmp.Diff(want, before, ignore); diff != "" {
		t.Errorf("before (-want +got):\n%s", diff)
	}
	want.AuthResults = []string{"mx.example; dkim=pass", "inner.example; none", "mx.example; spf=pass"}
	want.Mails = 1
	if want.DoneExists = s.done != ""; !want.DoneExists {
		want.Mails = 3
		want.AuthResults = []string{"mx.example; spf=pass", "mx.example; dkim=pass", "inner.example; none"}
	}
	if diff := cmp.Diff(want, after, ignore); diff != "" {
		t.Errorf("after (-want +got):\n%s", diff)
	}
	if !slices.Contains(after.Capabilities, "IMAP4rev1") || !slices.IsSorted(after.Capabilities) {
		t.Errorf("capabilities %v", after.Capabilities)
	}
	poll(t, source, k, 1) // probing took nothing away

	if err := d.client.Create(s.prefix+"Junk", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	junk, err := source.Probe(t.Context())
	if err != nil || junk.JunkExists == s.silent || (junk.Junk != "") == s.silent {
		t.Errorf("junk: %q, there: %v, %v", junk.Junk, junk.JunkExists, err)
	}
}

func testUIDValidity(t *testing.T, s *mailtest.Servers, config IMAPConfig) {
	source, d, k := open(t, config), sitDown(t, config), &taker{refuse: errors.New("not yet")}
	want := mails(3)
	d.put(t, "INBOX", want...)
	if _, err := source.Poll(t.Context(), k.deliver); !errors.Is(err, k.refuse) {
		t.Fatal(err)
	}
	k.refuse = nil
	s.Doveadm(t, "mailbox", "update", "-u", config.User, "--uid-validity", "777", "INBOX")
	// The server ends the session, now or with the next command.
	if _, err := source.Poll(t.Context(), k.deliver); err != nil {
		poll(t, source, k, 3)
	}
	if diff := cmp.Diff(want, k.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
	for _, m := range k.mails {
		if m.UIDValidity != 777 {
			t.Errorf("mail %d has UIDVALIDITY %d, want 777", m.UID, m.UIDValidity)
		}
	}
}

// A changed UIDVALIDITY voids all that was remembered by UID.
func TestForgetsWithUIDValidity(t *testing.T) {
	f := startFake(t, fake{validity: 7, permanent: nil})
	source, k := open(t, f.config()), &taker{}
	f.put(t, mails(2)...)
	poll(t, source, k, 2)
	poll(t, source, k, 0)
	f.set(func(f *fake) { f.validity = 8 })
	f.hangUp()
	if _, err := source.Poll(t.Context(), k.deliver); err == nil {
		t.Fatal("the connection was not lost")
	}
	poll(t, source, k, 2)
	if got := []uint32{k.mails[0].UIDValidity, k.mails[2].UIDValidity}; !slices.Equal(got, []uint32{7, 8}) {
		t.Errorf("UIDVALIDITY %v, want 7 and 8", got)
	}
}

func TestMissingFolder(t *testing.T) {
	config := office(t)
	config.Folder = "Games"
	_, err := open(t, config).Poll(t.Context(), (&taker{}).deliver)
	if err == nil || !strings.Contains(err.Error(), "open folder Games") {
		t.Errorf("poll: %v", err)
	}
}

func TestWaitNeedsAConnection(t *testing.T) {
	if err := open(t, office(t)).Wait(t.Context()); err == nil {
		t.Error("waited without a connection")
	}
}

// A mail that arrives while a poll is under way, after its search, ends the next wait at once.
func TestMailDuringPoll(t *testing.T) {
	config := office(t)
	clock := newClock()
	config.Clock = clock.clock()
	source, d := open(t, config), sitDown(t, config)
	d.put(t, "INBOX", mails(1)...)
	var late bool
	_, err := source.Poll(t.Context(), func(context.Context, []Mail) error {
		if !late {
			d.put(t, "INBOX", "Subject: late\r\n\r\n")
			late = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := within(t, "the end of waiting", waiting(t.Context(), source)); err != nil {
		t.Fatal(err)
	}
	poll(t, source, &taker{}, 1)
}

func TestSlowIsNotSilent(t *testing.T) {
	clock := newClock()
	near, far := net.Pipe()
	defer far.Close()
	l := &line{Conn: near}
	read := make(chan none)
	done := make(chan error, 1)
	go func() {
		_, err := await(t.Context(), l, clock.clock(), time.Minute, func() (none, error) {
			for range 5 {
				if _, err := l.Read(make([]byte, 1)); err != nil {
					return none{}, err
				}
				read <- none{}
			}
			return none{}, nil
		})
		done <- err
	}()
	for range 5 {
		clock.wait(t, time.Minute)
		if _, err := far.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		within(t, "the byte", read)
		clock.ring(time.Minute)
	}
	if err := within(t, "the end", done); err != nil {
		t.Error(err)
	}
}
