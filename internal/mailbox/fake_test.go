package mailbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/google/go-cmp/cmp"
)

// fake is a server with faults. The zero value is a plain IMAP4rev1 server that remembers no keywords.
type fake struct {
	validity  uint32      // its INBOX's
	permanent []imap.Flag // flags that can be kept
	caps      []imap.Cap
	refuse    []uint32 // UIDs of which it gives no content, but an answer
	breaks    []uint32 // UIDs at whose content it breaks down
	full      bool     // no room in any other folder
	lies      bool     // it says to have copied mails that nobody named
	cut       bool     // the line is lost when mails are to be removed
	flags     []uint32 // UIDs of which the flags change whenever they are read with others
	silent    []uint32 // UIDs of which it says nothing, though they are there
	throttled bool     // it answers nothing about mails for now
	noIdle    bool     // it refuses IDLE, though it announces it
	hangsUp   string   // if set, its last word when it is asked about mails
	bin       string   // the folder that it says is for deleted mails
	asked     chan int // if set, gets how many mails' content is asked for
}

type fakeServer struct {
	addr string
	user *imapmemserver.User

	mu    sync.Mutex
	fake  fake
	conns []net.Conn
}

func startFake(t *testing.T, f fake) *fakeServer {
	t.Helper()
	s := &fakeServer{fake: f, user: imapmemserver.NewUser("gm", "secret")}
	if err := s.user.Create("INBOX", nil); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = listener.Addr().String()
	caps := imap.CapSet{imap.CapIMAP4rev1: {}}
	for _, c := range f.caps {
		caps[c] = struct{}{}
	}
	server := imapserver.New(&imapserver.Options{
		NewSession: func(c *imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			s.mu.Lock()
			s.conns = append(s.conns, c.NetConn())
			s.mu.Unlock()
			return &fakeSession{server: s, conn: c}, nil, nil
		},
		Caps: caps, InsecureAuth: true, Logger: log.New(io.Discard, "", 0),
	})
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return s
}

func (s *fakeServer) config() IMAPConfig {
	return IMAPConfig{Addr: s.addr, Security: Plain, User: "gm", Password: "secret"}
}

func (s *fakeServer) put(t *testing.T, mails ...string) {
	t.Helper()
	s.putIn(t, "INBOX", mails...)
}

func (s *fakeServer) putIn(t *testing.T, folder string, mails ...string) {
	t.Helper()
	for _, mail := range mails {
		if _, err := s.user.Append(folder, bytes.NewReader([]byte(mail)), &imap.AppendOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *fakeServer) count(t *testing.T, folder string) int {
	t.Helper()
	data, err := s.user.Status(folder, &imap.StatusOptions{NumMessages: true})
	if err != nil {
		t.Fatal(err)
	}
	return int(*data.NumMessages)
}

func (s *fakeServer) set(change func(*fake)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.fake)
}

func (s *fakeServer) get() fake {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fake
}

// hangUp cuts all connections.
func (s *fakeServer) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.Close()
	}
	s.conns = nil
}

type fakeSession struct {
	*imapmemserver.UserSession
	server *fakeServer
	conn   *imapserver.Conn
}

func (s *fakeSession) Login(name, password string) error {
	if err := s.server.user.Login(name, password); err != nil {
		return err
	}
	s.UserSession = imapmemserver.NewUserSession(s.server.user)
	return nil
}

func (s *fakeSession) Select(folder string, options *imap.SelectOptions) (*imap.SelectData, error) {
	data, err := s.UserSession.Select(folder, options)
	if err == nil {
		f := s.server.get()
		data.UIDValidity, data.PermanentFlags = f.validity, f.permanent
	}
	return data, err
}

func (s *fakeSession) Fetch(w *imapserver.FetchWriter, mails imap.NumSet, options *imap.FetchOptions) error {
	uids, _ := mails.(imap.UIDSet)
	f := s.server.get()
	if f.throttled {
		return &imap.Error{Type: imap.StatusResponseTypeBad, Text: "Request is throttled. Suggested Backoff Time: 60000 milliseconds"}
	}
	if f.hangsUp != "" {
		if _, err := io.WriteString(s.conn.NetConn(), "* BYE "+f.hangsUp+"\r\n"); err != nil {
			return err
		}
		s.conn.NetConn().Close()
		return net.ErrClosed
	}
	contains := func(bad []uint32) bool {
		return slices.ContainsFunc(bad, func(uid uint32) bool { return uids.Contains(imap.UID(uid)) })
	}
	content := len(options.BodySection) > 0 && options.BodySection[0].Specifier == imap.PartSpecifierNone
	if content && f.asked != nil {
		f.asked <- len(s.uids(uids))
	}
	if content && contains(f.refuse) {
		return &imap.Error{Type: imap.StatusResponseTypeNo, Text: "This mail is broken"}
	}
	if content && contains(f.breaks) {
		// The mails before it are still given.
		var before imap.UIDSet
		for _, uid := range s.uids(uids) {
			if slices.Contains(f.breaks, uid) {
				break
			}
			before.AddNum(imap.UID(uid))
		}
		if len(before) > 0 {
			if err := s.UserSession.Fetch(w, before, options); err != nil {
				return err
			}
		}
		s.conn.NetConn().Close()
		return net.ErrClosed
	}
	if several := len(s.uids(uids)) > 1; several && contains(f.flags) {
		for _, uid := range f.flags {
			m := w.CreateMessage(uid) // no mail was ever removed: UID and number are the same
			m.WriteUID(imap.UID(uid))
			m.WriteFlags([]imap.Flag{imap.FlagFlagged})
			if err := m.Close(); err != nil {
				return err
			}
		}
	}
	if contains(f.silent) {
		var others imap.UIDSet
		for _, uid := range s.uids(uids) {
			if !slices.Contains(f.silent, uid) {
				others.AddNum(imap.UID(uid))
			}
		}
		if len(others) == 0 {
			return nil
		}
		mails = others
	}
	return s.UserSession.Fetch(w, mails, options)
}

func (s *fakeSession) uids(set imap.UIDSet) []uint32 {
	found, err := s.Search(imapserver.NumKindUID, &imap.SearchCriteria{UID: []imap.UIDSet{set}}, &imap.SearchOptions{})
	if err != nil {
		panic(err)
	}
	var uids []uint32
	for _, uid := range found.AllUIDs() {
		uids = append(uids, uint32(uid))
	}
	return uids
}

func (s *fakeSession) Append(folder string, r imap.LiteralReader, options *imap.AppendOptions) (*imap.AppendData, error) {
	if s.server.get().full {
		io.Copy(io.Discard, r)
		return nil, errNoRoom
	}
	return s.UserSession.Append(folder, r, options)
}

func (s *fakeSession) List(w *imapserver.ListWriter, ref string, patterns []string, options *imap.ListOptions) error {
	if bin := s.server.get().bin; bin != "" && options.ReturnSpecialUse {
		return w.WriteList(&imap.ListData{Mailbox: bin, Delim: '/', Attrs: []imap.MailboxAttr{imap.MailboxAttrTrash}})
	}
	return s.UserSession.List(w, ref, patterns, options)
}

func (s *fakeSession) Idle(w *imapserver.UpdateWriter, stop <-chan struct{}) error {
	if s.server.get().noIdle {
		return &imap.Error{Type: imap.StatusResponseTypeNo, Text: "Not now"}
	}
	return s.UserSession.Idle(w, stop)
}

var errNoRoom = &imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeOverQuota, Text: "No room"}

func (s *fakeSession) Copy(mails imap.NumSet, folder string) (*imap.CopyData, error) {
	if s.server.get().full {
		return nil, errNoRoom
	}
	data, err := s.UserSession.Copy(mails, folder)
	if err == nil && s.server.get().lies {
		data.SourceUIDs = imap.UIDSet{{Start: 1, Stop: 1000}}
		data.DestUIDs = data.SourceUIDs
	}
	return data, err
}

func (s *fakeSession) Move(w *imapserver.MoveWriter, mails imap.NumSet, folder string) error {
	if s.server.get().full {
		return errNoRoom
	}
	return s.UserSession.Move(w, mails, folder)
}

func (s *fakeSession) Expunge(w *imapserver.ExpungeWriter, uids *imap.UIDSet) error {
	if s.server.get().cut {
		s.conn.NetConn().Close()
		return net.ErrClosed
	}
	return s.UserSession.Expunge(w, uids)
}

// A line lost between copying and removing leaves nothing behind for good.
// While a batch is taken in, the next one is read; it is delivered only afterwards,
// and not at all when the first was refused.
func TestReadsAheadOfADelivery(t *testing.T) {
	asked := make(chan int, 9)
	f := startFake(t, fake{validity: 1, permanent: []imap.Flag{imap.FlagWildcard}, asked: asked})
	source := open(t, f.config())
	f.put(t, mails(batchMails+2)...)
	refuse := errors.New("disk full")
	deliver := func(k *taker) Deliver {
		return func(ctx context.Context, batch []Mail) error {
			if len(k.batches) == 0 {
				for _, want := range []int{batchMails, 2} {
					if got := within(t, "the next batch", asked); got != want {
						t.Errorf("asked for %d mails, want %d", got, want)
					}
				}
			}
			err := k.deliver(ctx, batch)
			k.batches = append(k.batches, 0)
			return err
		}
	}
	k := &taker{refuse: refuse}
	if n, err := source.Poll(t.Context(), deliver(k)); n != 0 || !errors.Is(err, refuse) {
		t.Errorf("poll delivered %d mails, %v", n, err)
	}
	if len(k.batches) != 1 {
		t.Errorf("%d deliveries after a refusal", len(k.batches))
	}
	k = &taker{}
	if n, err := source.Poll(t.Context(), deliver(k)); n != batchMails+2 || err != nil {
		t.Errorf("poll delivered %d mails, %v", n, err)
	}
	if diff := cmp.Diff([]int{batchMails, 0, 2, 0}, k.batches); diff != "" {
		t.Errorf("batches (-want +got):\n%s", diff)
	}
}

func TestCutBeforeRemoving(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapUIDPlus}, cut: true})
	source, k := open(t, f.config()), &taker{}
	f.put(t, mails(3)...)
	if _, err := source.Poll(t.Context(), k.deliver); err == nil {
		t.Fatal("the connection was not lost")
	}
	f.set(func(f *fake) { f.cut = false })
	poll(t, source, k, 0)
	if in, done := f.count(t, "INBOX"), f.count(t, "Processed"); len(k.mails) != 3 || in != 0 || done != 3 {
		t.Errorf("%d mails delivered, %d in INBOX, %d put away; want 3, 0 and 3", len(k.mails), in, done)
	}
}

// What a server says to have copied is no reason to remove a mail that is not taken in yet.
func TestOnlyWhatWasDeliveredIsRemoved(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapUIDPlus}, lies: true, refuse: []uint32{2}})
	source, k := open(t, f.config()), &taker{}
	f.put(t, mails(3)...)
	if n, err := source.Poll(t.Context(), k.deliver); n != 2 || err == nil {
		t.Fatalf("poll delivered %d mails, %v", n, err)
	}
	if n := f.count(t, "INBOX"); n != 1 {
		t.Fatalf("INBOX holds %d mails, want the one that could not be read", n)
	}
	f.set(func(f *fake) { f.refuse = nil })
	poll(t, source, k, 1)
	if got := string(k.mails[2].Raw); got != mails(3)[1] {
		t.Errorf("got %q", got)
	}
}

func TestNumbers(t *testing.T) {
	for name, test := range map[string]struct {
		found imap.NumSet
		want  []uint32
		fails bool
	}{
		"nothing":      {nil, nil, false},
		"numbers":      {imap.SeqSet{{Start: 1, Stop: 2}}, nil, false},
		"out of order": {imap.UIDSet{{Start: 7, Stop: 8}, {Start: 2, Stop: 3}, {Start: 3, Stop: 3}}, []uint32{2, 3, 7, 8}, false},
		"the last":     {imap.UIDSet{{Start: 1<<32 - 1, Stop: 1<<32 - 1}}, []uint32{1<<32 - 1}, false},
		"to the end":   {imap.UIDSet{{Start: 1, Stop: 0}}, nil, true},
		"from the end": {imap.UIDSet{{Start: 0, Stop: 0}}, nil, true},
		"too many":     {imap.UIDSet{{Start: 1, Stop: 1<<32 - 1}}, nil, true},
		"many at last": {imap.UIDSet{{Start: 1, Stop: 9}, {Start: 1, Stop: mostFound}}, nil, true},
	} {
		got, err := numbers(test.found)
		if diff := cmp.Diff(test.want, got); diff != "" || (err != nil) != test.fails {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

// garbled is a line on which bytes get lost or become others.
type garbled struct {
	net.Conn
	chance *rand.Rand
	often  float64
}

func (g garbled) Read(b []byte) (int, error) {
	n, err := g.Conn.Read(b)
	for i := range n {
		if g.chance.Float64() < g.often {
			b[i] = []byte("0123456789(){}<>*+ \r\n\"\x00\xff")[g.chance.IntN(24)]
		}
	}
	return n, err
}

// TestGarbledLine: whatever a server says, it neither ends the program nor holds it up.
func TestGarbledLine(t *testing.T) {
	sound := office(t)
	d := sitDown(t, sound)
	for seed := range uint64(24) {
		config := sound
		config.Silence, config.Logger = time.Second/4, slog.New(slog.DiscardHandler)
		config.Known = func(context.Context, []byte) (bool, error) { return true, nil }
		config.Stored = func(_ context.Context, _ string, _ uint32, uids []uint32) ([]uint32, error) { return uids, nil }
		config.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
			return garbled{c, rand.New(rand.NewPCG(seed, 1)), []float64{0.001, 0.005, 0.02}[seed%3]}, err
		}
		d.put(t, "INBOX", mails(3)...)
		source := open(t, config)
		done := make(chan error, 1)
		go func() {
			ctx, stop := context.WithTimeout(t.Context(), patience)
			defer stop()
			_, err := source.PollAll(ctx, (&taker{}).deliver)
			if err == nil {
				_, err = source.Marks(ctx)
			}
			if err == nil {
				_, err = source.Rescan(ctx, time.Time{}, (&taker{}).deliver)
			}
			done <- err
		}()
		within(t, "the end", done)
	}
}

// Where no keyword is kept, the process remembers what it delivered, over reconnects too.
func TestRemembersWithoutKeywords(t *testing.T) {
	f := startFake(t, fake{validity: 7, permanent: []imap.Flag{imap.FlagSeen}})
	source, k := open(t, f.config()), &taker{}
	f.put(t, mails(3)...)
	poll(t, source, k, 3)
	poll(t, source, k, 0)
	f.hangUp()
	if _, err := source.Poll(t.Context(), k.deliver); err == nil {
		t.Fatal("the connection was not lost")
	}
	f.put(t, "Subject: new\r\n\r\n")
	poll(t, source, k, 1)
	if n := f.count(t, "INBOX"); n != 4 {
		t.Errorf("INBOX holds %d mails, want all 4", n)
	}
}

// A server that cannot put mails away just now does not make a poll fail, nor a mail come twice.
func TestFilingIsTriedAgain(t *testing.T) {
	for _, capability := range []imap.Cap{imap.CapMove, imap.CapUIDPlus} {
		t.Run(string(capability), func(t *testing.T) {
			f := startFake(t, fake{validity: 7, caps: []imap.Cap{capability}, full: true})
			source, k := open(t, f.config()), &taker{}
			f.put(t, mails(3)...)
			poll(t, source, k, 3)
			if n := f.count(t, "INBOX"); n != 3 {
				t.Errorf("INBOX holds %d mails: a refused copy must leave all 3", n)
			}
			poll(t, source, k, 0)
			f.set(func(f *fake) { f.full = false })
			poll(t, source, k, 0)
			if in, done := f.count(t, "INBOX"), f.count(t, "Processed"); in != 0 || done != 3 {
				t.Errorf("%d mails in INBOX and %d put away, want 0 and 3", in, done)
			}
		})
	}
}

// A mail the server does not give holds up no other, and is not forgotten.
func TestUnreadableMail(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapMove}, refuse: []uint32{2}})
	config, clock := f.config(), newClock()
	config.Clock = clock.clock()
	source, k := open(t, config), &taker{}
	want := mails(4)
	f.put(t, want...)
	n, err := source.Poll(t.Context(), k.deliver)
	if n != 3 || err == nil || !strings.Contains(err.Error(), "This mail is broken") {
		t.Fatalf("poll delivered %d mails, %v; want 3 and an error", n, err)
	}
	if diff := cmp.Diff([]string{want[0], want[2], want[3]}, k.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}

	t.Run("read at last", func(t *testing.T) {
		f.set(func(f *fake) { f.refuse = nil })
		poll(t, source, k, 1)
		if got := string(k.mails[3].Raw); got != want[1] {
			t.Errorf("got %q", got)
		}
	})
	t.Run("given up", func(t *testing.T) {
		f.set(func(f *fake) { f.refuse = []uint32{5} })
		f.put(t, "Subject: broken\r\n\r\n")
		for range 2 * maxStrikes { // a server that gives nothing for a minute
			if n, err := source.Poll(t.Context(), k.deliver); n != 0 || err == nil {
				t.Fatalf("poll delivered %d mails, %v; want an error", n, err)
			}
		}
		clock.set(clock.time().Add(strikeTime))
		poll(t, source, k, 1)
		m := k.mails[4]
		if m.UID != 5 || m.Raw != nil || !strings.Contains(m.Fault, "This mail is broken") || m.Received.IsZero() {
			t.Errorf("the mail came as %+v", m)
		}
		if n := f.count(t, "Processed"); n != 5 {
			t.Errorf("%d mails put away, want 5", n)
		}
	})
}

// A mail over which the connection breaks down every time is given up as well; meanwhile it holds up no other.
func TestMailThatBreaksTheConnection(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapMove}, breaks: []uint32{3}})
	config, clock := f.config(), newClock()
	f.put(t, mails(5)...)
	began := time.Now()
	clock.set(began.Add(time.Hour))
	config.Clock = clock.clock()
	source, k := open(t, config), &taker{}
	for i := range maxStrikes {
		n, err := source.Poll(t.Context(), k.deliver)
		if err == nil {
			t.Fatal("the connection was not lost")
		}
		clock.set(clock.time().Add(strikeTime / (maxStrikes - 1)))
		// The first failure shows which mail it is, and those before it are read without it; after the second, the others are.
		if want := map[int]int{1: 2, 2: 2}[i]; n != want {
			t.Errorf("poll %d delivered %d mails, want %d", i+1, n, want)
		}
	}
	poll(t, source, k, 1)
	var uids []uint32
	for _, m := range k.mails {
		uids = append(uids, m.UID)
	}
	if diff := cmp.Diff([]uint32{1, 2, 4, 5, 3}, uids); diff != "" {
		t.Errorf("UIDs (-want +got):\n%s", diff)
	}
	if m := k.mails[4]; m.Raw != nil || m.Fault == "" || m.Size != int64(len(mails(5)[2])) || m.Received.IsZero() || m.Received.After(began) {
		t.Errorf("the mail came as %+v, want its size and arrival", m)
	}
}

// Of a mail's flags the server may speak at any time; that is not the mail.
func TestChangedFlagsAreNotTheMail(t *testing.T) {
	f := startFake(t, fake{validity: 7, flags: []uint32{2}})
	source, k := open(t, f.config()), &taker{}
	want := mails(3)
	f.put(t, want...)
	poll(t, source, k, 3)
	if diff := cmp.Diff(want, k.raws()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
}

// A mail the server says nothing of is not passed over in silence, unless it has gone.
func TestMailWithoutAnAnswer(t *testing.T) {
	f := startFake(t, fake{validity: 7, silent: []uint32{2}})
	source, k := open(t, f.config()), &taker{}
	f.put(t, mails(3)...)
	n, err := source.Poll(t.Context(), k.deliver)
	if n != 2 || err == nil || !strings.Contains(err.Error(), "mail 2") {
		t.Errorf("poll delivered %d mails, %v; want 2 and an error", n, err)
	}
	f.set(func(f *fake) { f.silent = nil })
	poll(t, source, k, 1)
}

// Being stopped is no fault of any mail.
func TestStoppingBlamesNoMail(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapMove}})
	source, k := open(t, f.config()), &taker{}
	f.put(t, mails(2)...)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := source.Poll(ctx, func(context.Context, []Mail) error { cancel(); return ctx.Err() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("poll: %v", err)
	}
	if len(source.inbox.strikes) > 0 {
		t.Errorf("strikes: %v", source.inbox.strikes)
	}
	poll(t, source, k, 2)
}
