//go:build unix

package speed_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkClose closes a thousand leagues of twelve at one deadline, orders on
// file and all reports queued. Goals: 0.5 ms a boxer; ten times a hundred leagues
// in eleven times the time; less than 300 MB.
func BenchmarkClose(b *testing.B) {
	few, fewCPU, _ := closing(b, 100)
	many, manyCPU, rss := closing(b, 1000)
	perBoxer := func(d time.Duration) float64 { return d.Seconds() * 1000 / (1000 * boxers) }
	b.ReportMetric(perBoxer(many), "ms/boxer")
	b.ReportMetric(perBoxer(manyCPU), "cpu-ms/boxer")
	b.ReportMetric(many.Seconds()/few.Seconds(), "times-a-tenth")
	b.ReportMetric(manyCPU.Seconds()/fewCPU.Seconds(), "times-a-tenth-cpu")
	b.ReportMetric(rss, "MB")
	b.ReportMetric(0, "ns/op")
}

func closing(b *testing.B, n int) (wall, cpu time.Duration, rss float64) {
	b.Helper()
	dir, mails := leagues(b, n)
	o := open(b, dir)
	o.take(b, mails)
	o.now = deadline.Add(time.Second)
	peakAgain(b)
	watch := startWatch()
	closed, err := o.CloseDue(b.Context())
	wall, cpu = watch.stop()
	if err != nil {
		b.Fatal(err)
	}
	if len(closed) != n || closed[0].Mails != boxers || closed[0].NMR != 0 {
		b.Fatalf("closed %d leagues: %+v", len(closed), closed[0])
	}
	return wall, cpu, peak(b)
}

// peakAgain lets the peak of the memory in use begin anew.
func peakAgain(b *testing.B) {
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Logf("the peak of the memory is that of the whole run: %v", err)
	}
}

// peak is the most memory that was in use, in MB; 0 where nobody tells.
func peak(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err != nil {
				b.Fatal(err)
			}
			return kb / 1024
		}
	}
	return 0
}

// BenchmarkReceive takes the mails of a hundred leagues in.
func BenchmarkReceive(b *testing.B) {
	dir, mails := leagues(b, 100)
	o := open(b, dir)
	watch := startWatch()
	o.take(b, mails)
	wall, cpu := watch.stop()
	b.ReportMetric(wall.Seconds()*1000/float64(len(mails)), "ms/mail")
	b.ReportMetric(cpu.Seconds()*1000/float64(len(mails)), "cpu-ms/mail")
	b.ReportMetric(0, "ns/op")
}
