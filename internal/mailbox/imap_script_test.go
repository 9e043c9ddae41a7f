package mailbox

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// scripted is an IMAP server that says what it is told to.
type scripted struct {
	addr string

	mu    sync.Mutex
	heard []string // commands, without their tags
	// answer gives the lines that follow a command on a connection, of which "TAG" becomes the tag, and whether it
	// has any of its own; "HANG UP" ends the connection.
	answer func(connection int, command string) ([]string, bool)
}

func startScripted(t *testing.T, answer func(connection int, command string) ([]string, bool)) *scripted {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	s := &scripted{addr: listener.Addr().String(), answer: answer}
	go func() {
		for n := 1; ; n++ {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(c, n)
		}
	}()
	return s
}

func (s *scripted) config() IMAPConfig {
	return IMAPConfig{Addr: s.addr, Security: Plain, User: "gm", Password: "secret"}
}

func (s *scripted) serve(c net.Conn, n int) {
	defer c.Close()
	fmt.Fprint(c, "* OK ready\r\n")
	for lines := bufio.NewScanner(c); lines.Scan(); {
		tag, command, _ := strings.Cut(lines.Text(), " ")
		s.mu.Lock()
		s.heard = append(s.heard, command)
		s.mu.Unlock()
		said, own := s.answer(n, command)
		if !own {
			said = ordinary(command)
		}
		for _, line := range said {
			if line == "HANG UP" {
				return
			}
			if _, err := fmt.Fprint(c, strings.Replace(line, "TAG", tag, 1)+"\r\n"); err != nil {
				return
			}
		}
	}
}

// ordinary is what a server with an empty INBOX says.
func ordinary(command string) []string {
	name, _, _ := strings.Cut(command, " ")
	switch name {
	case "CAPABILITY":
		return []string{"* CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS", "TAG OK"}
	case "SELECT":
		return []string{"* 0 EXISTS", "* OK [UIDVALIDITY 7]", "TAG OK"}
	case "UID":
		return []string{"* SEARCH", "TAG OK"}
	case "IDLE":
		return []string{"+ idling"}
	}
	return []string{"TAG OK"}
}

// said counts the commands that begin so.
func (s *scripted) said(command string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.heard {
		if strings.HasPrefix(h, command) {
			n++
		}
	}
	return n
}

// Microsoft 365 keeps connections over which it then refuses everything. Another one works.
func TestConnectionThatRefusesEverything(t *testing.T) {
	for _, refused := range []string{"NOOP", "UID SEARCH", "SELECT"} {
		s := startScripted(t, func(connection int, command string) ([]string, bool) {
			return []string{"TAG BAD User is authenticated but not connected."}, connection == 1 && strings.HasPrefix(command, refused)
		})
		source, k := open(t, s.config()), &taker{}
		if _, err := source.Poll(t.Context(), k.deliver); err == nil || !strings.Contains(err.Error(), "not connected") {
			t.Fatalf("%s: %v", refused, err)
		}
		poll(t, source, k, 0)
	}
}

// A server that hangs up at any command, with a word or without, is tried again and named.
func TestServerThatHangsUpAtEachCommand(t *testing.T) {
	for _, at := range []string{"CAPABILITY", "LOGIN", "SELECT", "NOOP", "UID"} {
		for _, last := range []string{"* BYE [UNAVAILABLE] Shutting down for a moment", ""} {
			s := startScripted(t, func(connection int, command string) ([]string, bool) {
				if connection > 1 || !strings.HasPrefix(command, at) {
					return nil, false
				}
				if last == "" {
					return []string{"HANG UP"}, true
				}
				return []string{last, "HANG UP"}, true
			})
			source, k := open(t, s.config()), &taker{}
			_, err := source.Poll(t.Context(), k.deliver)
			if err == nil || last != "" && !strings.Contains(err.Error(), "Shutting down") {
				t.Errorf("%s, %q: %v", at, last, err)
			}
			poll(t, source, k, 0)
		}
	}
}

// Servers that say now and then that they are there, and never what they were asked for, are given up.
func TestServerThatOnlySaysStillHere(t *testing.T) {
	clock := newClock()
	near, far := net.Pipe()
	defer far.Close()
	l := &line{Conn: near}
	read := make(chan none)
	done := make(chan error, 1)
	go func() {
		_, err := await(t.Context(), l, clock.clock(), time.Minute, func() (none, error) {
			for {
				if _, err := l.Read(make([]byte, 100)); err != nil {
					return none{}, err
				}
				read <- none{}
			}
		})
		done <- err
	}()
	for range mostTrickles {
		clock.wait(t, time.Minute)
		if _, err := far.Write([]byte("* OK Still here\r\n")); err != nil {
			t.Fatal(err)
		}
		within(t, "the line", read)
		clock.ring(time.Minute)
	}
	if err := within(t, "the end", done); err == nil || !strings.Contains(err.Error(), "next to nothing for 10m") {
		t.Error(err)
	}
}

// A server that ends IDLE by itself is polled at the usual pace.
func TestIdleThatEndsByItself(t *testing.T) {
	s := startScripted(t, func(_ int, command string) ([]string, bool) {
		switch command {
		case "IDLE":
			return []string{"+ idling", "TAG OK done"}, true
		case "": // DONE, which has no tag
			return []string{"* BAD What?"}, true
		}
		return nil, false
	})
	config, clock := s.config(), newClock()
	config.Clock = clock.clock()
	source, k := open(t, config), &taker{}
	for range 2 {
		poll(t, source, k, 0)
		done := waiting(t.Context(), source)
		clock.wait(t, idleRenewal)
		clock.ring(defaultInterval)
		if err := within(t, "the end of waiting", done); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.said("LOGIN"); n != 1 {
		t.Errorf("logged in %d times, want once", n)
	}
}

// A connection that breaks at each IDLE is not made anew every few seconds: after three there is no IDLE for an hour.
func TestIdleThatBreaksTheConnection(t *testing.T) {
	for name, said := range map[string][]string{
		"while idling": {"+ idling", "HANG UP"},
		"instead":      {"HANG UP"},
		"never idles":  {"TAG OK done"},
	} {
		t.Run(name, func(t *testing.T) {
			s := startScripted(t, func(_ int, command string) ([]string, bool) { return said, command == "IDLE" })
			config, clock := s.config(), newClock()
			config.Clock = clock.clock()
			source, k := open(t, config), &taker{}
			for range mostCutShort {
				poll(t, source, k, 0)
				if err := within(t, "the end of waiting", waiting(t.Context(), source)); err == nil {
					t.Fatal("the connection was not lost")
				}
				clock.wait(t, defaultInterval)
			}
			poll(t, source, k, 0)
			done := waiting(t.Context(), source)
			clock.wait(t, defaultInterval)
			clock.ring(defaultInterval)
			if err := within(t, "the end of waiting", done); err != nil {
				t.Fatal(err)
			}
			if n := s.said("IDLE"); n != mostCutShort {
				t.Errorf("%d times IDLE, want %d", n, mostCutShort)
			}
			clock.set(clock.time().Add(idleRest))
			if err := within(t, "the end of waiting", waiting(t.Context(), source)); err == nil {
				t.Error("IDLE was not tried again")
			}
		})
	}
}

// MOVE that is refused though it is offered: the mails are copied and removed instead.
func TestMoveRefused(t *testing.T) {
	for _, no := range []string{"TAG NO [CANNOT] Not here", "TAG BAD Unknown command"} {
		var mu sync.Mutex
		here := true
		s := startScripted(t, func(_ int, command string) ([]string, bool) {
			mu.Lock()
			defer mu.Unlock()
			verb := command
			if i := strings.Index(command, "\""); i > 0 {
				verb = command[:i]
			}
			switch {
			case strings.HasPrefix(verb, "UID SEARCH") && here:
				return []string{"* SEARCH 4", "TAG OK"}, true
			case strings.HasPrefix(verb, "UID FETCH") && strings.Contains(command, "BODY"):
				return []string{"* 1 FETCH (UID 4 BODY[] {15}\r\nSubject: x\r\n\r\ny)", "TAG OK"}, true
			case strings.HasPrefix(verb, "UID FETCH"):
				return []string{"* 1 FETCH (UID 4 RFC822.SIZE 15)", "TAG OK"}, true
			case strings.HasPrefix(verb, "UID MOVE"):
				return []string{no}, true
			case strings.HasPrefix(verb, "UID COPY"):
				return []string{"TAG OK [COPYUID 8 4 1]"}, true
			case strings.HasPrefix(verb, "UID EXPUNGE"):
				here = false
				return []string{"* 1 EXPUNGE", "TAG OK"}, true
			}
			return nil, false
		})
		source, k := open(t, s.config()), &taker{}
		poll(t, source, k, 1)
		poll(t, source, k, 0)
		poll(t, source, k, 0)
		if moved, copied, removed := s.said("UID MOVE"), s.said("UID COPY"), s.said("UID EXPUNGE"); moved != 1 || copied != 1 || removed != 1 {
			t.Errorf("%s: moved %d times, copied %d, removed %d; want 1 each", no, moved, copied, removed)
		}
	}
}

// Where mails can be copied but not removed, they are copied once, and not at each poll.
func TestCopiedOnce(t *testing.T) {
	s := startScripted(t, func(_ int, command string) ([]string, bool) {
		switch {
		case command == "CAPABILITY":
			return []string{"* CAPABILITY IMAP4rev1 UIDPLUS", "TAG OK"}, true
		case strings.HasPrefix(command, "UID SEARCH"):
			return []string{"* SEARCH 4", "TAG OK"}, true
		case strings.HasPrefix(command, "UID FETCH") && strings.Contains(command, "BODY"):
			return []string{"* 1 FETCH (UID 4 BODY[] {15}\r\nSubject: x\r\n\r\ny)", "TAG OK"}, true
		case strings.HasPrefix(command, "UID FETCH"):
			return []string{"* 1 FETCH (UID 4 RFC822.SIZE 15)", "TAG OK"}, true
		case strings.HasPrefix(command, "UID STORE"):
			return []string{"TAG NO [NOPERM] You may not"}, true
		}
		return nil, false
	})
	source, k := open(t, s.config()), &taker{}
	poll(t, source, k, 1)
	for range 3 {
		poll(t, source, k, 0)
	}
	if copied, stored := s.said("UID COPY"), s.said("UID STORE"); copied != 1 || stored != 4 {
		t.Errorf("copied %d times and marked %d, want 1 and 4", copied, stored)
	}
}
