package referee_test

import (
	"fmt"
	"testing"
	"time"

	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// BenchmarkClose closes a hundred leagues of twelve, orders on file and all
// reports queued. The figure to look at is ms/boxer; the goal is below 0.5.
func BenchmarkClose(b *testing.B) {
	const leagues, boxers = 100, 12
	t := newBench(b)
	for l := range leagues {
		var names []string
		for n := range boxers {
			names = append(names, fmt.Sprintf("Boxer %s %s", letters(l), letters(n)))
		}
		t.league(fmt.Sprintf("liga-%d", l), "address", names...)
	}
	for b.Loop() {
		b.StopTimer()
		var in []referee.Incoming
		for l := range leagues {
			for n := range boxers {
				name := fmt.Sprintf("Boxer %s %s", letters(l), letters(n))
				raw := t.letter(address(name), "Zug", "NAME "+name+"\nZUG 2/3 3/0 2/2 0/5 3/1\nTRAINING K\n")
				in = append(in, referee.Incoming{Place: store.Place{Mailbox: "bench", UID: uint32(t.mails)}, Received: t.now, Size: int64(len(raw)), Raw: raw})
			}
		}
		for len(in) > 0 {
			_, err := t.Receive(b.Context(), in[:100])
			t.must(err)
			in = in[100:]
		}
		due, err := t.NextDeadline(b.Context())
		t.must(err)
		t.now = due.Add(time.Second)
		b.StartTimer()
		closed, err := t.CloseDue(b.Context())
		t.must(err)
		if len(closed) != leagues || closed[0].Mails != boxers || closed[0].NMR != 0 {
			b.Fatalf("closed %d leagues: %+v", len(closed), closed[0])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*leagues*boxers), "ms/boxer")
}

// letters writes a number as letters, since names hold no digits at their start.
func letters(n int) string { return string(rune('a'+n/26)) + string(rune('a'+n%26)) }
