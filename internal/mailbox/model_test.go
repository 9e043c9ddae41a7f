package mailbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestNothingIsLost has mail arrive while deliveries fail and lines are cut: every mail is delivered once, and in
// the order of arrival, unless the line was lost twice over one.
func TestNothingIsLost(t *testing.T) {
	config := office(t)
	d := sitDown(t, config)
	var box int
	rapid.Check(t, func(rt *rapid.T) {
		box++
		config, network := config, newNetwork()
		config.User, config.Dial = fmt.Sprintf("box%d@pbem.test", box), network.dial
		d = sitDown(t, config)
		source := open(t, config)
		defer source.Close()
		defer d.client.Close()

		var want, got []string
		var refuse error
		cuts := 0
		delivered := func() []string {
			if cuts < 2 {
				return got
			}
			return slices.Sorted(slices.Values(got))
		}
		deliver := func(_ context.Context, batch []Mail) error {
			if refuse != nil {
				return refuse
			}
			for _, m := range batch {
				got = append(got, string(m.Raw))
			}
			return nil
		}
		rt.Repeat(map[string]func(*rapid.T){
			"mail arrives": func(rt *rapid.T) {
				for range rapid.IntRange(1, 5).Draw(rt, "mails") {
					mail := fmt.Sprintf("Subject: %06d\r\n\r\n", len(want))
					d.put(t, "INBOX", mail)
					want = append(want, mail)
				}
			},
			"a poll": func(*rapid.T) {
				if _, err := source.Poll(t.Context(), deliver); err == nil {
					if diff := cmp.Diff(want, delivered()); diff != "" {
						rt.Fatalf("after a complete poll (-want +got):\n%s", diff)
					}
				}
			},
			"a delivery fails": func(rt *rapid.T) {
				before := len(got)
				refuse = errors.New("disk full")
				n, err := source.Poll(t.Context(), deliver)
				if refuse = nil; n != 0 || len(got) != before || err == nil && before != len(want) {
					rt.Fatalf("poll: %d mails, %v", n, err)
				}
			},
			"the line will be cut": func(rt *rapid.T) {
				cuts++
				network.bytes.Store(int64(rapid.IntRange(0, 3000).Draw(rt, "bytes")))
			},
		})
		network.bytes.Store(-1)
		if _, err := source.Poll(t.Context(), deliver); err != nil { // the line may have been cut before
			if _, err = source.Poll(t.Context(), deliver); err != nil {
				rt.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, delivered()); diff != "" {
			rt.Fatalf("in the end (-want +got):\n%s", diff)
		}
		if n := d.count(t, "INBOX"); n != 0 {
			rt.Errorf("%d mails are left in INBOX", n)
		}
	})
}

func TestFirstBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Int64Range(0, 2*batchBytes), 1, 20).Draw(t, "sizes")
		n := firstBytes(sizes, func(size int64) int64 { return size })
		var sum int64
		for _, size := range sizes[:n] {
			sum += size
		}
		if n < 1 || n > 1 && sum > batchBytes || n < len(sizes) && sum+sizes[n] <= batchBytes {
			t.Errorf("%d mails of %d bytes make a batch", n, sum)
		}
	})
}
