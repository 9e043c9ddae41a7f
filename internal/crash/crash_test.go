//go:build unix

package crash_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oneIn is which share of the runs is made: one in so many, and fewer where each takes
// long.
func oneIn(n, short int) int {
	if testing.Short() || slow {
		return short
	}
	return n
}

// TestFaults makes one run a fault, or a pair of them.
func TestFaults(t *testing.T) {
	strikeAll(t, sugarray(), append(faults(), wipes()...), oneIn(1, 10))
}

// TestFaultsOfACampaign makes some of these runs with several slots, a bet and
// sparrings in the mails: what handles them is the same.
func TestFaultsOfACampaign(t *testing.T) {
	strikeAll(t, ringside(t), faults(), oneIn(9, 45))
}

// TestFaultsInACrowd makes some of them where a batch of mails is read while the one
// before it is taken in.
func TestFaultsInACrowd(t *testing.T) {
	s := sugarray()
	s.crowd = 230
	strikeAll(t, s, faults(), oneIn(7, 45))
}

// TestFaultsOfManyLeagues makes some of them where more rounds end at a time than are
// closed in one transaction.
func TestFaultsOfManyLeagues(t *testing.T) {
	s := sugarray()
	s.others = 17
	strikeAll(t, s, faults(), oneIn(11, 55))
}

// TestFaultsInDoubt has Bob's second orders come while nobody knows whether the receipt
// for the first has arrived: it may not be replaced.
func TestFaultsInDoubt(t *testing.T) {
	s := sugarray()
	s.second = true
	var runs [][]fault
	for _, point := range []string{"> . <bob.1", "< . <bob.1"} {
		runs = append(runs, []fault{killed(smtpWire, point, 1)}, []fault{cut(smtpWire, point, 1)})
	}
	strikeAll(t, s, runs, 1)
}

// TestFaultsByLMTP makes runs where a mail server pushes the mails.
func TestFaultsByLMTP(t *testing.T) {
	s := sugarray()
	s.pushed = true
	strikeAll(t, s, faultsByLMTP(), oneIn(2, 20))
}

// TestEveryCommandIsStruck: whatever the program or a mail server says in a run without
// faults has one.
func TestEveryCommandIsStruck(t *testing.T) {
	pushed := sugarray()
	pushed.pushed = true
	for _, test := range []struct {
		scene scene
		runs  [][]fault
	}{{sugarray(), faults()}, {pushed, append(faults(), faultsByLMTP()...)}} {
		w := newWorld(t, test.scene, league(t, test.scene))
		w.finish()
		for wire, p := range map[string]*proxy{imapWire: w.imap, smtpWire: w.smtp, lmtpWire: w.lmtp} {
			for point := range p.passed() {
				if !strings.HasPrefix(point, "> ") {
					continue
				}
				struck := func(run []fault) bool { // over whichever kind of the wire
					f := run[0]
					return strings.HasPrefix(f.name, "cut") && strings.HasPrefix(f.wire, wire) && strings.HasPrefix(point, f.point)
				}
				if !slices.ContainsFunc(test.runs, struck) {
					t.Errorf("no connection is cut at %s %s", wire, point)
				}
			}
		}
	}
}

// strikeAll makes one run in so many.
func strikeAll(t *testing.T, s scene, runs [][]fault, each int) {
	template := league(t, s)
	want := undisturbed(t, s, template)
	made := 0
	for i, run := range runs {
		if i%each > 0 {
			continue
		}
		made++
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
	t.Logf("%d of %d runs", made, len(runs))
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
	Rounds map[string][]closed // by game
	Mails  []struct {
		ID                             int
		Received, From, Result, Reason string
	}
	Sparrings []struct {
		Seat, Subject string
		N, Mail       int
	}
}

// closed is a round's entry in the chain.
type closed struct {
	Round int
	Hash  string
}

func (w *world) outcome() (o outcome) {
	w.Helper()
	o.Rounds = map[string][]closed{}
	for _, g := range w.games() {
		var rounds []closed
		if err := json.Unmarshal([]byte(command(w, w.dir, "round", "list", g, "--json")), &rounds); err != nil {
			w.Fatal(err)
		}
		o.Rounds[g] = rounds
	}
	for args, into := range map[string]any{"mail list": &o.Mails, "sparring list liga": &o.Sparrings} {
		if err := json.Unmarshal([]byte(command(w, w.dir, append(strings.Fields(args), "--json")...)), into); err != nil {
			w.Fatal(err)
		}
	}
	if w.pushed { // they arrive when they are taken
		for i := range o.Mails {
			o.Mails[i].Received = ""
		}
	}
	if said := command(w, w.dir, "verify"); strings.Count(said, "1 round recomputed") != len(w.games()) {
		w.Errorf("verify: %s", said)
	}
	return o
}

// checkMails checks what has arrived at the players, and that none of theirs is lost.
func (w *world) checkMails() {
	w.Helper()
	if !w.pushed && !w.wiped {
		kept := map[string]int{}
		for _, folder := range []string{"INBOX", "Processed"} { // where they cannot be moved, they stay
			for _, l := range w.mailbox(gm, folder) {
				kept[l.id]++
			}
		}
		for _, o := range w.orders {
			if kept[o.id]--; kept[o.id] < 0 {
				w.Errorf("mail %s is neither in the mailbox nor where handled mails go", o.id)
			}
		}
	}
	for _, boxer := range boxers {
		copies := map[string]int{}
		var distinct []letter
		for _, l := range w.mailbox(address(boxer), "INBOX") {
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
		for _, g := range w.games() {
			if slices.Contains(seats(g), boxer) {
				once("the start of "+g, func(l letter) bool { return opening(g, boxer)(l.as(boxer)) })
				once("the report of "+g, func(l letter) bool { return report(g, boxer)(l.as(boxer)) })
			}
		}
		for _, o := range w.orders {
			if o.boxer == boxer {
				once("a receipt for "+o.id, func(l letter) bool { return l.inReplyTo == o.id || o.covered && strings.Contains(l.text, o.arrived) })
			}
		}
	}
}

func (l letter) as(boxer string) sent { return sent{address(boxer), l.id, l.inReplyTo, l.subject} }

// TestNoRoomToBegin: where the disk is full before the program begins, it says so.
func TestNoRoomToBegin(t *testing.T) {
	text, err := json.Marshal(task{Dir: league(t, sugarray()), Disk: 1024})
	if err != nil {
		t.Fatal(err)
	}
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), variable+"="+string(text))
	if _, err := program.StdinPipe(); err != nil { // whose end would end it
		t.Fatal(err)
	}
	said, err := program.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "no room on the disk") {
		t.Errorf("%v: %s", err, said)
	}
}
