//go:build unix

package crash_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	_ "modernc.org/sqlite" // locks the program's database

	"ringpost/internal/store"
)

// fault is something that goes wrong once.
type fault struct {
	name        string
	wire, point string // where on a wire; "" inside the program
	arm         func(*world, *task, *server)
}

// killedAt ends the program at the nth line of its log that holds this.
func killedAt(line string, nth int) fault {
	return fault{fmt.Sprintf("killed at log %q %d", line, nth), "", "", func(_ *world, t *task, _ *server) { t.Fatal, t.Nth = line, nth }}
}

// killedAndWiped is killedAt, and before the program lives again somebody has emptied
// its mailbox: what was stored must do.
func killedAndWiped(line string, nth int) fault {
	f := killedAt(line, nth)
	return fault{f.name + ", mailbox wiped", "", "", func(w *world, t *task, s *server) { w.wiped = true; f.arm(w, t, s) }}
}

// killedAtCommit ends the program as it begins its nth commit.
func killedAtCommit(nth int) fault {
	return fault{fmt.Sprintf("killed at commit %d", nth), "", "", func(_ *world, t *task, _ *server) { t.Last = nth }}
}

// killed ends the program at a point on the wire.
func killed(wire, point string, nth int) fault {
	return onWire("killed at", wire, point, nth, func(w *world) bool { w.kill(); return false })
}

// cut ends the connection there, on both sides.
func cut(wire, point string, nth int) fault {
	return onWire("cut at", wire, point, nth, func(w *world) bool {
		if wire == smtpWire {
			w.air()
		}
		w.struck()
		return false
	})
}

// locked locks the database there, as another process that writes does.
func locked(wire, point string, nth int, length time.Duration) fault {
	return onWire(fmt.Sprintf("database locked for %v at", length), wire, point, nth, func(w *world) bool {
		w.lock(length)
		w.struck()
		return true
	})
}

const (
	imapWire    = "imap"
	copyWire    = "imap without MOVE"
	keywordWire = "imap without MOVE and UIDPLUS"
	smtpWire    = "smtp"
	lmtpWire    = "lmtp" // to the program
)

func onWire(what, wire, point string, nth int, spring func(*world) bool) fault {
	return fault{fmt.Sprintf("%s %s %s %d", what, wire, point, nth), wire, point, func(w *world, _ *task, _ *server) {
		p := w.imap
		switch wire {
		case smtpWire:
			p = w.smtp
		case lmtpWire:
			p = w.lmtp
		case copyWire:
			p.edit = func(line string) string { return strings.Replace(line, " MOVE", "", 1) }
		case keywordWire:
			p.edit = strings.NewReplacer(" MOVE", "", " UIDPLUS", "").Replace
		}
		p.set(trap{point, nth, func() bool {
			if wire == smtpWire && strings.HasPrefix(point, "> .") {
				w.sent.landed() // it is not passed on
			}
			return spring(w)
		}})
	}}
}

// lock holds the database's write lock for a while.
func (w *world) lock(length time.Duration) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.dir, store.FileName)+"?_txlock=immediate&_pragma=busy_timeout(5000)")
	if err != nil {
		w.Error(err)
		return
	}
	tx, err := db.Begin()
	if err != nil {
		w.Error(err)
		return
	}
	time.AfterFunc(length, func() {
		tx.Rollback()
		db.Close()
	})
}

// full lets no file grow beyond some bytes until the program has complained some
// times.
func full(bytes uint64, complaints int) fault {
	return fault{fmt.Sprintf("disk full at %d bytes for %d complaints", bytes, complaints), "", "", func(w *world, t *task, s *server) {
		t.Disk = bytes
		left := complaints
		s.log.watch = func(text string) {
			for line := range strings.Lines(text) {
				if strings.Contains(line, "level=ERROR") || strings.Contains(line, "level=WARN") {
					left--
				}
			}
			if left <= 0 {
				s.log.watch = nil
				w.struck()
				s.command.Process.Signal(syscall.SIGUSR1)
			}
		}
	}}
}

// commits is how many commits a run has at least.
const commits = 48

// faults is everything that goes wrong, one or two to a run.
func faults() (out [][]fault) {
	one := func(f ...fault) {
		for _, x := range f {
			out = append(out, []fault{x})
		}
	}
	times := func(n int, f func(nth int) fault) {
		for nth := range n {
			one(f(nth + 1))
		}
	}
	// Inside the program. Handling follows storing at once, and each round's reports
	// are queued before the close is committed.
	one(killedAt("msg=serving", 1), killedAt(`msg="mailbox connected"`, 1), killedAt(`msg="round closed"`, 1))
	times(5, func(n int) fault { return killedAt("msg=mail mail=", n) })
	times(5, func(n int) fault { return killedAt(`msg="mail queued" kind=receipt`, n) })
	times(4, func(n int) fault { return killedAt(`msg="mail queued" kind=report`, n) })
	times(2, func(n int) fault { return killedAt(`msg="mail taken in"`, n) })
	times(12, func(n int) fault { return killedAt(`msg="outgoing mail"`, n) })
	// Between any two entries into the database, and so between any of them and what
	// is done outside.
	times(commits, killedAtCommit)

	for _, strike := range []func(wire, point string, nth int) fault{killed, cut} {
		for _, way := range []string{"> ", "< "} { // at the command, at its answer
			for _, command := range []string{"CAPABILITY", "AUTHENTICATE", "NAMESPACE", "LIST", "SELECT", "STATUS", "CREATE", "SUBSCRIBE", "APPEND"} {
				one(strike(imapWire, way+command, 1))
			}
			for _, command := range []string{"NOOP", "UID SEARCH", "UID MOVE", "IDLE", "DONE"} {
				times(2, func(n int) fault { return strike(imapWire, way+command, n) })
			}
			times(4, func(n int) fault { return strike(imapWire, way+"UID FETCH", n) }) // of headers and of contents in turn
			for _, command := range []string{"UID COPY", "UID STORE", "UID EXPUNGE"} {
				one(strike(copyWire, way+command, 1))
			}
			for _, command := range []string{"UID SEARCH", "UID FETCH", "UID STORE"} {
				one(strike(keywordWire, way+command, 1))
			}
			for _, command := range []string{"EHLO", "QUIT"} {
				one(strike(smtpWire, way+command, 1))
			}
			for _, command := range []string{"MAIL", "RCPT", "DATA", "."} {
				for _, n := range []int{1, 6, 12} {
					one(strike(smtpWire, way+command, n))
				}
			}
		}
		one(strike(imapWire, "< greeting", 1), strike(smtpWire, "< greeting", 1))
		for _, boxer := range boxers { // in the middle of a mail
			one(strike(imapWire, "~ From: <"+address(boxer), 1), strike(smtpWire, "~ To:", 2))
		}
	}
	// The program waits ten seconds for a lock.
	one(locked(imapWire, "< UID FETCH", 2, time.Second), locked(imapWire, "< UID FETCH", 2, 12*time.Second),
		locked(smtpWire, "> MAIL", 3, time.Second), locked(smtpWire, "> MAIL", 3, 12*time.Second),
		locked(smtpWire, "> .", 9, time.Second), locked(smtpWire, "> .", 9, 12*time.Second))
	for _, kilobytes := range []uint64{64, 96, 128, 160, 192} {
		one(full(kilobytes<<10, 3))
	}
	// Killed, and hit again on starting.
	chance := rand.New(rand.NewPCG(1, 2)) // the same in each run
	for _, again := range []fault{killedAt("msg=serving", 1), killedAt(`msg="mailbox connected"`, 1), cut(imapWire, "< greeting", 1),
		cut(imapWire, "> AUTHENTICATE", 1), killed(imapWire, "< SELECT", 1), killed(imapWire, "> NOOP", 1), killed(imapWire, "< UID SEARCH", 1)} {
		for range 3 {
			first := out[chance.IntN(len(out))][0]
			for !strings.HasPrefix(first.name, "killed") {
				first = out[chance.IntN(len(out))][0]
			}
			out = append(out, []fault{first, again})
		}
	}
	return out
}

// wipes are mailboxes emptied while the program is dead.
func wipes() [][]fault {
	return [][]fault{{killedAndWiped(`msg="mail queued" kind=receipt`, 1)}, {killedAndWiped("msg=mail mail=", 1)}}
}

// faultsByLMTP go wrong where mails are pushed.
func faultsByLMTP() (out [][]fault) {
	one := func(f fault) { out = append(out, []fault{f}) }
	for n := range 20 {
		one(killedAtCommit(n + 1))
	}
	for n := range 3 {
		one(killedAt("msg=mail mail=", n+1))
		one(killedAt(`msg="mail queued" kind=receipt`, n+1))
		for _, strike := range []func(wire, point string, nth int) fault{killed, cut} {
			for _, way := range []string{"> ", "< "} {
				for _, command := range []string{"LHLO", "MAIL", "RCPT", "DATA", "."} {
					one(strike(lmtpWire, way+command, n+1))
				}
			}
			one(strike(lmtpWire, "~ From: <", n+1))
		}
	}
	one(killedAt("msg=serving", 1))
	one(locked(lmtpWire, "> .", 2, time.Second))
	one(locked(lmtpWire, "> .", 2, 12*time.Second))
	one(full(64<<10, 3))
	return out
}
