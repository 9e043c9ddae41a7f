//go:build unix

package crash_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFaults makes one run a fault, or a pair of them.
func TestFaults(t *testing.T) {
	each := 1
	if testing.Short() || slow {
		each = 10
	}
	strikeAll(t, sugarray(), each)
}

// TestFaultsOfACampaign makes some of these runs with several slots, a bet and
// sparrings in the mails: what handles them is the same.
func TestFaultsOfACampaign(t *testing.T) {
	each := 9
	if testing.Short() || slow {
		each = 45
	}
	strikeAll(t, ringside(t), each)
}

// strikeAll makes one run in so many.
func strikeAll(t *testing.T, s scene, each int) {
	template := league(t, s)
	want := undisturbed(t, s, template)
	runs := faults()
	for i, run := range runs {
		if i%each > 0 {
			continue
		}
		name := run[0].name
		for _, f := range run[1:] {
			name += ", then " + f.name
		}
		t.Run(unspaced.Replace(name), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, s, template)
			w.faults = run
			w.finish()
			w.checkMails()
			if diff := cmp.Diff(want, w.outcome()); diff != "" {
				t.Errorf("not as without faults:\n%s", diff)
			}
		})
	}
	t.Logf("%d runs", len(runs))
}

var unspaced = strings.NewReplacer(" ", "-", `"`, "")

// undisturbed is the outcome of a run without faults.
func undisturbed(t *testing.T, s scene, template string) outcome {
	t.Helper()
	w := newWorld(t, s, template)
	w.finish()
	w.checkMails()
	return w.outcome()
}

// outcome is what must be the same however a run went.
type outcome struct {
	Rounds []struct {
		Round int
		Hash  string
	}
	Mails []struct {
		ID                             int
		Received, From, Result, Reason string
	}
	Sparrings []struct {
		Seat, Subject string
		N, Mail       int
	}
}

func (w *world) outcome() (o outcome) {
	w.Helper()
	for args, into := range map[string]any{"round list liga": &o.Rounds, "mail list": &o.Mails, "sparring list liga": &o.Sparrings} {
		if err := json.Unmarshal([]byte(command(w, w.dir, append(strings.Fields(args), "--json")...)), into); err != nil {
			w.Fatal(err)
		}
	}
	if said := command(w, w.dir, "verify"); !strings.Contains(said, "1 round recomputed") {
		w.Errorf("verify: %s", said)
	}
	return o
}

// checkMails checks what has arrived at the players.
func (w *world) checkMails() {
	w.Helper()
	for _, boxer := range boxers {
		copies := map[string]int{}
		var distinct []letter
		for _, l := range w.mailbox(boxer) {
			if copies[l.id]++; copies[l.id] == 1 {
				distinct = append(distinct, l)
			}
		}
		for id, n := range copies {
			if n > 1+w.landed[id] {
				w.Errorf("%s: mail %s came %d times; on their way when their connection ended were %v", boxer, id, n, w.landed)
			}
		}
		once := func(what string, like func(letter) bool) {
			n := 0
			for _, l := range distinct {
				if like(l) {
					n++
				}
			}
			if n != 1 {
				w.Errorf("%s got %s %d times, in %s", boxer, what, n, fmt.Sprint(distinct))
			}
		}
		once("the start", func(l letter) bool { return opening(boxer)(l.as(boxer)) })
		once("the report", func(l letter) bool { return report(boxer)(l.as(boxer)) })
		for _, o := range w.orders {
			if o.boxer == boxer {
				once("a receipt for "+o.id, func(l letter) bool { return l.inReplyTo == o.id || o.covered && strings.Contains(l.text, o.arrived) })
			}
		}
	}
}

func (l letter) as(boxer string) sent { return sent{address(boxer), l.id, l.inReplyTo, l.subject} }
