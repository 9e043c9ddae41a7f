package claim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ringpost/internal/mailbox"
)

// server is a process at a shared mailbox whose every step waits for its turn.
type server struct {
	*box
	asks chan none // it wants to go on
	turn chan none
	ends chan error
}

type none = struct{}

func (s *server) step() { s.asks <- none{}; <-s.turn }

func (s *server) Marks(ctx context.Context) ([]mailbox.Mark, error) {
	s.step()
	return s.box.Marks(ctx)
}

func (s *server) LeaveMark(ctx context.Context, text, subject, body string) error {
	s.step()
	return s.box.LeaveMark(ctx, text, subject, body)
}

func (s *server) RemoveMarks(ctx context.Context, ids []uint32) error {
	s.step()
	return s.box.RemoveMarks(ctx, ids)
}

// run lets all servers poll, one step of one of them at a time, in an order that is drawn.
func run(rt *rapid.T, servers []*server, poll func(i int) error) []error {
	results := make([]error, len(servers))
	var running []int
	waits := func(i int) bool {
		select {
		case <-servers[i].asks:
			return true
		case results[i] = <-servers[i].ends:
			return false
		}
	}
	for i, s := range servers {
		go func() { s.ends <- poll(i) }()
		if waits(i) {
			running = append(running, i)
		}
	}
	for len(running) > 0 {
		k := rapid.IntRange(0, len(running)-1).Draw(rt, "turn")
		i := running[k]
		servers[i].turn <- none{}
		if !waits(i) {
			running = slices.Delete(running, k, k+1)
		}
	}
	return results
}

// TestOneServerGoesOn starts several servers at once, some with copies of one data folder: in the end exactly one
// reads the mailbox.
func TestOneServerGoesOn(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		shared, w := &box{}, newWall()
		folders := rapid.SliceOfN(rapid.SampledFrom([]string{"A", "B", "C"}), 2, 4).Draw(rt, "folders")
		var servers []*server
		var guards []*Guard
		for i, folder := range folders {
			s := &server{box: shared, asks: make(chan none), turn: make(chan none), ends: make(chan error)}
			servers = append(servers, s)
			guards = append(guards, start(s, &book{folder: folder}, fmt.Sprint("s", i), w))
		}
		for range 2 { // whoever lost without noticing does so at its next look
			alive, left := servers[:0:0], guards[:0:0]
			for i, err := range run(rt, servers, func(i int) error {
				_, err := guards[i].Poll(context.Background(), nil)
				return err
			}) {
				switch {
				case err == nil:
					alive, left = append(alive, servers[i]), append(left, guards[i])
				case !errors.Is(err, mailbox.ErrStop):
					rt.Fatalf("server %d: %v", i, err)
				}
			}
			servers, guards = alive, left
			w.later()
		}
		if len(guards) != 1 {
			rt.Fatalf("%d servers of %v go on; marks %v", len(guards), folders, texts(shared))
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		Mark{"a2b3", "c4d5", 17, `games:/var/lib/ringpost "1" ü`}.String(), `owner a b 1 ""`, `owner a b -1 ""`, "owner a b 1 x", "owner a b", "owner   1 \"\"", "",
		`owner a b 18446744073709551616 ""`, "owner a b 1 'x'",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, ok := Parse(s)
		if !ok {
			return
		}
		if again, ok := Parse(m.String()); !ok || again != m {
			t.Errorf("%q is read as %+v, and that as %+v, %v", s, m, again, ok)
		}
	})
}

func TestMarkIsOneLine(t *testing.T) {
	m := Mark{Folder: "a2b3", Session: "c4d5", Progress: 17, Where: "games:/srv/räume\r\nBcc: x"}
	s := m.String()
	for _, r := range s {
		if r < ' ' || r > '~' {
			t.Fatalf("%q cannot stand in a header", s)
		}
	}
	if got, ok := Parse(s); !ok || got != m {
		t.Errorf("%q is read as %+v", s, got)
	}
}
