//go:build unix

package speed_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ringpost/internal/demo"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

// BenchmarkRounds plays a thousand rounds of one league. Goal: the last ones cost
// at most 1.1 times what the first ones do.
func BenchmarkRounds(b *testing.B) {
	const rounds, some = 1000, 50
	dir, _ := leagues(b, 0)
	o := open(b, dir)
	const id = "liga"
	cast := demo.Boxers(boxers)
	mails := o.league(b, id)
	for i, p := range cast {
		p.Address = leagueAddress(id, i)
	}
	var first, last time.Duration
	var firstSize int64
	for round := range rounds {
		watch := startWatch()
		var in []referee.Incoming
		for i, raw := range mails {
			in = append(in, referee.Incoming{Place: store.Place{Mailbox: "speed", UIDValidity: uint32(round + 1), UID: uint32(i + 1)},
				Received: o.now.Add(time.Hour), Size: int64(len(raw)), Raw: raw})
		}
		o.receive(b.Context(), b, in)
		settle(b, o)
		due, err := o.NextDeadline(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		o.now = due.Add(time.Second)
		closed, err := o.CloseDue(b.Context())
		if err != nil || len(closed) != 1 {
			b.Fatalf("closed %v: %v", closed, err)
		}
		_, cpu := watch.stop()
		switch {
		case round < some:
			first += cpu
		case round >= rounds-some:
			last += cpu
		}
		mails = o.orders(b, id, cast)
		if round == 0 {
			firstSize = size(b, dir)
		}
	}
	b.ReportMetric(first.Seconds()*1000/some, "cpu-ms/first")
	b.ReportMetric(last.Seconds()*1000/some, "cpu-ms/last")
	b.ReportMetric(last.Seconds()/first.Seconds(), "of-first")
	b.ReportMetric(float64(size(b, dir)-firstSize)/1024/(rounds-1), "KB/round")
	b.ReportMetric(0, "ns/op")
}

// size is the database's.
func size(b *testing.B, dir string) int64 {
	b.Helper()
	forget(b, dir)
	info, err := os.Stat(filepath.Join(dir, store.FileName))
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}
