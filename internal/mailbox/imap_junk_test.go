package mailbox

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/google/go-cmp/cmp"
)

const (
	annas = "From: Anna <anna@players.test>\r\nSubject: orders\r\n\r\nNAME Anna\r\n"
	spams = "From: Win <win@elsewhere.test>\r\nSubject: prize\r\n\r\nanna@players.test\r\n"
)

// knower knows Anna, and counts whom it is asked about.
type knower struct{ asked int }

func (k *knower) known(_ context.Context, header []byte) (bool, error) {
	k.asked++
	return bytes.Contains(header, []byte("<anna@players.test>")), nil
}

func testJunk(t *testing.T, s server) {
	config, clock, friends := s.config(), newClock(), &knower{}
	config.Clock, config.Known = clock.clock(), friends.known
	if s.silent {
		config.Junk = "Junk"
	}
	source, d, k := open(t, config), sitDown(t, config), &taker{}
	folder := s.prefix + "Junk"
	poll(t, source, k, 0) // there is none yet
	if err := d.client.Create(folder, nil).Wait(); err != nil {
		t.Fatal(err)
	}
	d.put(t, folder, spams, annas, spams)
	d.put(t, "INBOX", mails(1)...)
	poll(t, source, k, 1)
	clock.set(arrival(0).Add(junkInterval))
	poll(t, source, k, 1)
	if friends.asked != 3 {
		t.Errorf("asked about %d mails, want 3", friends.asked)
	}
	want := Mail{Mailbox: source.newPlace(folder).name, UIDValidity: k.mails[1].UIDValidity, UID: k.mails[1].UID,
		Received: arrival(1), Size: int64(len(annas)), Raw: []byte(annas)}
	if diff := cmp.Diff(want, k.mails[1]); diff != "" {
		t.Errorf("the mail in junk (-want +got):\n%s", diff)
	}
	if s.done != "" && (d.count(t, s.done) != 2 || d.count(t, folder) != 2) {
		t.Errorf("%d mails put away, %d left in junk; want 2 and 2", d.count(t, s.done), d.count(t, folder))
	}

	// Strangers are not asked about again; what comes later is seen in its time, or when all is asked for.
	d.put(t, folder, annas+"second\r\n")
	poll(t, source, k, 0)
	if n, err := source.PollAll(t.Context(), k.deliver); n != 1 || err != nil {
		t.Errorf("delivered %d mails, %v", n, err)
	}
	if friends.asked != 4 {
		t.Errorf("asked about %d mails, want 4", friends.asked)
	}
	clock.set(arrival(0).Add(3 * junkInterval))
	poll(t, source, k, 0)

	// The wait after it is for the folder itself.
	done := waiting(t.Context(), source)
	clock.wait(t, defaultInterval)
	d.put(t, "INBOX", "Subject: new\r\n\r\n")
	if !s.idle {
		clock.ring(defaultInterval)
	}
	if err := within(t, "the end of waiting", done); err != nil {
		t.Fatal(err)
	}
	poll(t, source, k, 1)

	// A clock that is set back keeps nobody from looking.
	d.put(t, folder, annas+"third\r\n")
	clock.set(arrival(0))
	poll(t, source, k, 1)
}

// A mail that cannot be read is given up in its time, also when the clock is set back
// meanwhile: until then no round is closed.
func TestStrikesOfAClockThatIsSetBack(t *testing.T) {
	s, now := strikes[uint32]{}, arrival(0)
	for range maxStrikes {
		s.add(1, errors.New("no"), now)
	}
	for later, want := range map[time.Duration]string{strikeTime / 2: "", strikeTime: "no", -24 * time.Hour: "no"} {
		if got := s.out(1, now.Add(later)); got != want {
			t.Errorf("after %v it is given up for %q, want %q", later, got, want)
		}
	}
}

// Whoever has handled mails put away into the junk folder does not get them anew.
func testJunkForHandled(t *testing.T, s server) {
	if s.silent || s.done == "" { // it is not found, or nothing is put away
		return
	}
	config, clock := s.config(), newClock()
	config.Clock, config.Known, config.Done = clock.clock(), new(knower).known, "Junk"
	source, d, k := open(t, config), sitDown(t, config), &taker{}
	d.put(t, "INBOX", annas)
	poll(t, source, k, 1)
	if n := d.count(t, s.prefix+"Junk"); n != 1 {
		t.Fatalf("%d mails in Junk, want the one handled", n)
	}
	clock.set(arrival(0).Add(junkInterval))
	poll(t, source, k, 0)
}

// A refused delivery leaves mails in the junk folder, and they are handed over again.
func TestJunkIsNotLost(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapMove}})
	config := f.config()
	config.Junk, config.Known = "Junk", (&knower{}).known
	if err := f.user.Create("Junk", nil); err != nil {
		t.Fatal(err)
	}
	source, k := open(t, config), &taker{refuse: errors.New("disk full")}
	f.putIn(t, "Junk", annas)
	if n, err := source.PollAll(t.Context(), k.deliver); n != 0 || err != nil {
		t.Fatalf("delivered %d mails, %v", n, err) // a junk folder that cannot be read does not make a poll fail
	}
	k.refuse = nil
	f.set(func(f *fake) { f.refuse = []uint32{1} })
	if n, err := source.PollAll(t.Context(), k.deliver); n != 0 || err != nil {
		t.Fatalf("delivered %d mails, %v", n, err)
	}
	f.set(func(f *fake) { f.refuse = nil })
	if n, err := source.PollAll(t.Context(), k.deliver); n != 1 || err != nil {
		t.Fatalf("delivered %d mails, %v", n, err)
	}
	if f.count(t, "Junk") != 0 || f.count(t, "Processed") != 1 {
		t.Error("the mail was not put away")
	}
}

// A mail in the junk folder that breaks the connection does not keep the folder itself from being read.
func TestJunkThatBreaksTheConnection(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapMove}, breaks: []uint32{2}})
	config, clock := f.config(), newClock()
	config.Clock, config.Junk, config.Known = clock.clock(), "Junk", (&knower{}).known
	if err := f.user.Create("Junk", nil); err != nil {
		t.Fatal(err)
	}
	source, k := open(t, config), &taker{}
	f.putIn(t, "Junk", spams, annas)
	f.put(t, mails(1)...)
	now := arrival(0)
	for i := range maxStrikes {
		if _, err := source.PollAll(t.Context(), k.deliver); err == nil {
			t.Fatal("the connection was not lost")
		}
		n, err := source.PollAll(t.Context(), k.deliver)
		if want := map[int]int{0: 1}[i]; n != want || err != nil {
			t.Fatalf("then delivered %d mails, %v; want %d", n, err, want)
		}
		now = now.Add(junkInterval)
		clock.set(now)
	}
	if n, err := source.PollAll(t.Context(), k.deliver); n != 1 || err != nil {
		t.Fatalf("delivered %d mails, %v", n, err)
	}
	if m := k.mails[1]; m.Raw != nil || m.Fault == "" {
		t.Errorf("the mail came as %+v", m)
	}
}

// Where mails are copied, a process that died between marking and removing leaves nothing behind for good; what
// others have marked is not touched.
func TestSweepsAfterRestart(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapUIDPlus}, cut: true})
	source, k := open(t, f.config()), &taker{}
	f.put(t, mails(2)...)
	if _, err := source.Poll(t.Context(), k.deliver); err == nil {
		t.Fatal("the connection was not lost")
	}
	f.set(func(f *fake) { f.cut = false })
	f.put(t, "Subject: deleted by somebody\r\n\r\n")
	config := f.config()
	sitDown(t, config).remove(t, 3)
	config.Stored = func(_ context.Context, mailbox string, validity uint32, uids []uint32) (ours []uint32, err error) {
		if mailbox != source.Name() || validity != 7 {
			t.Errorf("asked about %s, %d", mailbox, validity)
		}
		for _, uid := range uids {
			for _, m := range k.mails {
				if m.UID == uid {
					ours = append(ours, uid)
				}
			}
		}
		return ours, nil
	}
	again := open(t, config)
	poll(t, again, k, 0)
	if n := f.count(t, "INBOX"); n != 1 {
		t.Errorf("INBOX holds %d mails, want the one of somebody", n)
	}
}

// A server that refuses to idle though it said it could is polled at the usual pace, without complaint.
func TestRefusedIdle(t *testing.T) {
	f := startFake(t, fake{validity: 7, caps: []imap.Cap{imap.CapMove}, noIdle: true})
	config, clock := f.config(), newClock()
	config.Clock = clock.clock()
	source, k := open(t, config), &taker{}
	for range 2 {
		poll(t, source, k, 0)
		done := waiting(t.Context(), source)
		clock.wait(t, defaultInterval)
		select {
		case err := <-done:
			t.Fatalf("waiting ended: %v", err)
		default:
		}
		clock.ring(defaultInterval)
		if err := within(t, "the end of waiting", done); err != nil {
			t.Fatal(err)
		}
	}
}
