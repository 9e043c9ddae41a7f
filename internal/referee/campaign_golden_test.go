package referee_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/proof"
	"ringpost/internal/referee"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/rules/ringside"
	"ringpost/internal/rules/ringside/audit"
	"ringpost/internal/store"
)

// campaignDir holds what five years of a campaign came to; its README says what.
const campaignDir = "../../testdata/campaign"

const (
	campaignTurns    = 60
	campaignManagers = 30
	campaignID       = "ring-1"
)

// campaign is a campaign of Ringside that bots play by mail.
type campaign struct {
	*bench
	state   ringside.State // as it stands
	players []*manager
	joined  int
	counts  map[string]int // what became of blocks, and what their issues were
	turns   bytes.Buffer
	reports map[string]string // those that stand whole among the goldens, by file
	secrets map[string][]string
}

// keptWhole tells the turns whose reports to the first two managers, one German and
// one English, are goldens.
func keptWhole(turn int) bool { return turn == 1 || turn == campaignTurns/2 || turn == campaignTurns }

// TestCampaign plays five years of thirty managers with four fighters each, from
// mails to reports, audits every turn by its public figures, and holds the states to
// the goldens.
func TestCampaign(t *testing.T) {
	turns := campaignTurns
	if raceFactor > 1 {
		turns /= raceFactor
		t.Logf("under the race detector the first %d turns of %d are played", turns, campaignTurns)
	}
	c := &campaign{bench: newBench(t), counts: map[string]int{}, reports: map[string]string{}, secrets: map[string][]string{}}
	c.begin()
	for range turns {
		c.turn()
	}
	c.verify(turns)
	if turns == campaignTurns {
		c.coverage()
		fmt.Fprintf(&c.turns, "\nWhat the audit saw:\n")
		for _, k := range slices.Sorted(maps.Keys(c.counts)) {
			if what, ok := strings.CutPrefix(k, "audit "); ok {
				fmt.Fprintf(&c.turns, "%6d %s\n", c.counts[k], what)
			}
		}
	}
	c.reports["turns.txt"] = c.turns.String()
	c.compare(c.reports, turns)
}

// begin makes the game and starts it.
func (c *campaign) begin() {
	c.Helper()
	c.must(c.NewGame(c.Context(), store.Game{ID: campaignID, Ruleset: "ringside", Title: "Fünf Jahre im Ring", Lang: "de", Deadline: "0 20 * * SUN", TZ: "Europe/Berlin",
		Trust: "address", Secret: [32]byte{19, 80}, Settings: game.Settings{"stable": "4", "money": "2000", "sales": "on", "bets": "on", "rent": "20", "fight_mode": "rounds:6"}}))
	for range campaignManagers {
		m := c.newManager()
		seat, err := c.AddSeat(c.Context(), referee.Seating{Game: campaignID, Name: m.name, Addresses: []string{m.address}, Lang: m.lang})
		c.must(err)
		m.seat = seat.ID
		c.players = append(c.players, m)
	}
	_, err := c.Start(c.Context(), campaignID)
	c.must(err)
	c.look(0)
}

func (c *campaign) newManager() *manager {
	names := []string{"Müller", "Don Corrado", "Ma Baxter", "Zoë", "O'Hara", "Jean-Luc", "Łukasz", "Der Alte", "Frau Groß", "Big Lou"}
	n := c.joined
	c.joined++
	m := &manager{name: names[n%len(names)], lang: []string{"de", "en"}[n%2]}
	if n >= len(names) {
		m.name = fmt.Sprintf("%s %d", m.name, n/len(names)+1)
	}
	m.address = fmt.Sprintf("m%d@players.example", n+1)
	return m
}

// look takes in the campaign as it stands after a turn.
func (c *campaign) look(round int) (step store.Step) {
	c.Helper()
	c.must(c.store.Read(c.Context(), func(tx *store.Tx) (err error) { step, err = tx.StepOf(campaignID, 0, round); return err }))
	var stored struct{ State ringside.State }
	c.must(json.Unmarshal(step.State, &stored))
	c.state = stored.State
	return step
}

// turn plays the open turn: everybody's mails, the deadline, the reports.
func (c *campaign) turn() {
	c.Helper()
	s := c.state
	due, err := c.NextDeadline(c.Context())
	c.must(err)
	stream := func(purpose, subject string) game.Stream {
		return dice.Seed{19, 80, byte(s.Round)}.Stream(purpose, subject)
	}
	c.now = due.Add(-30 * time.Hour)
	c.must(c.Chores(c.Context()))
	var mails []referee.Incoming
	late := 0
	for _, m := range c.players {
		roll := stream("mail", m.address)
		text := c.write(m, &s, roll)
		if text == "" {
			continue
		}
		arrived := c.now
		if one(roll, 60) { // too late: seen only after the close
			arrived = due.Add(time.Hour)
			late++
			defer func(raw []byte) { c.hear(c.receiveAt(raw, arrived)) }(c.mail(m, text))
			continue
		}
		mails = append(mails, c.incoming(c.mail(m, text), arrived))
	}
	if one(stream("join", ""), 4) {
		m := c.newManager()
		c.want(c.receive(c.mail(m, m.say("GAME %s", campaignID)+m.say("JOIN %s", m.name))), referee.Held)
		mails = append(mails, c.incoming(c.mail(m, "JA "+c.codeFor(m.address)), c.now))
		c.players = append(c.players, m)
	}
	results, err := c.Receive(c.Context(), mails)
	c.must(err)
	for _, r := range results {
		c.hear(r)
	}
	if roll := stream("remove", ""); one(roll, 30) {
		gone := pick(roll, s.Managers)
		c.must(c.RemoveSeat(c.Context(), campaignID, gone.Name))
	}
	if s.Round == 10 { // by telephone
		f := s.Fighters[0]
		for _, m := range c.players {
			if m.seat == f.Manager {
				_, err := c.EnterOrders(c.Context(), campaignID, m.name, "NAME "+f.Name+"\nSCHLAG UC5 CO5\n")
				c.must(err)
			}
		}
	}
	c.now = due.Add(7 * time.Second)
	closed, err := c.CloseDue(c.Context())
	c.must(err)
	if len(closed) != 1 || closed[0].Round != s.Round {
		c.Fatalf("closed %+v, turn %d was open\n%s", closed, s.Round, c.log)
	}
	c.send()
	c.note(closed[0], len(mails)+late)
	c.enter()
}

// write is what a manager sends: orders as a rule, sometimes that he has had enough.
func (c *campaign) write(m *manager, s *ringside.State, roll game.Stream) string {
	if m.seat == "" || m.name == "Zoë 2" { // who never writes
		return ""
	}
	if !m.quiet && !slices.Contains(c.players[:3], m) { // he looks reports up on the web
		m.quiet = true
		return m.say("REPORTS NO") + m.letter(s, roll)
	}
	if s.Round > 5 && m != c.players[0] && m != c.players[1] && one(roll, 150) {
		return m.say("MANAGER %s", m.name) + m.say("LEAVE")
	}
	text := m.letter(s, roll)
	if m == c.players[0] && s.Round%7 == 3 { // a plan that can be recognised anywhere
		for _, f := range s.Fighters {
			if f.Manager == m.seat {
				weights := fmt.Sprintf("UC7 RJ%d RH8 CO9 LJ%d LH6", s.Round%10, s.Round/10)
				c.secrets[m.address] = append(c.secrets[m.address], weights)
				text += m.say("NAME %s", f.Name) + m.say("PUNCH %s", weights) + m.say("D IF DAMAGE>=177 : COVER") + m.say("END")
			}
		}
	}
	if one(roll, 40) && text != "" { // a turn ahead
		text = strings.Replace(text, "\n", "\n"+m.say("GAMETURN %d", s.Round+1), 1)
	}
	return text
}

func (c *campaign) mail(m *manager, text string) []byte {
	return c.letter(m.address, "Orders", text, "Authentication-Results: mx.liga.example; dkim=pass header.d=players.example; dmarc=pass header.from=players.example")
}

func (c *campaign) incoming(raw []byte, arrived time.Time) referee.Incoming {
	return referee.Incoming{Place: store.Place{Mailbox: "test", UIDValidity: 1, UID: uint32(c.mails)}, Received: arrived, Size: int64(len(raw)), Raw: raw}
}

// hear counts what became of a mail.
func (c *campaign) hear(r referee.Result) {
	c.Helper()
	if r.Result == referee.Quarantined {
		c.Fatalf("a mail could not be handled: %+v\n%s", r, c.log)
	}
	c.counts["mail "+r.Result+" "+r.Reason]++
	for _, b := range r.Blocks {
		c.counts["block "+b.Outcome]++
		for _, i := range b.Issues {
			c.counts["issue "+i.Code]++
		}
	}
	for _, i := range r.Issues {
		c.counts["issue "+i.Code]++
	}
}

// send sends off what is queued, and looks that nobody reads another's secrets.
func (c *campaign) send() {
	c.Helper()
	rows, err := c.Outbox(c.Context(), store.MailQueued)
	c.must(err)
	for _, r := range rows {
		var o store.Outgoing
		c.must(c.store.Read(c.Context(), func(tx *store.Tx) (err error) { o, err = tx.Outgoing(r.ID); return err }))
		for owner, secrets := range c.secrets {
			if found := shows(o.Head+o.Body+o.Foot, append(slices.Clone(secrets), "SCHADEN>=177", "DAMAGE>=177")); found != "" && o.To != owner {
				c.Errorf("%s to %s shows %s", o.Kind, o.To, found)
			}
		}
		if i := slices.IndexFunc(c.players[:2], func(m *manager) bool { return m.address == o.To }); i >= 0 && o.Kind == "report" && keptWhole(c.state.Round) {
			c.reports[fmt.Sprintf("turn-%02d-%s.txt", c.state.Round, o.Lang)] = report.Join(o.Head, o.Body, o.Foot)
		}
		c.counts["sent "+o.Kind]++
		c.must(c.store.MarkAttempt(c.Context(), r.ID, c.now))
		c.must(c.Sent(c.Context(), r.ID, referee.Delivery{State: store.MailSent, At: c.now}))
	}
}

// note writes a turn's line of the golden.
func (c *campaign) note(closed referee.Closed, mails int) {
	c.Helper()
	step := c.look(closed.Round)
	bouts := 0
	var events []rules.Event
	c.must(json.Unmarshal(step.Events, &events))
	for _, e := range events {
		if e.Code == ringside.EventBout {
			bouts++
		}
	}
	fmt.Fprintf(&c.turns, "turn %2d: %2d mails, %2d NMR, %2d bouts; %2d managers, %3d fighters; state %.32s\n",
		closed.Round, mails, closed.NMR, bouts, len(c.state.Managers), len(c.state.Fighters), proof.Sum(step.State))
}

// enter finds the seats of those who joined, and forgets who is gone.
func (c *campaign) enter() {
	c.Helper()
	var playing []*manager
	for _, m := range c.players {
		for _, x := range c.state.Managers {
			if x.Name == m.name {
				m.seat = x.Seat
				playing = append(playing, m)
			}
		}
	}
	c.players = playing
}

// verify audits the whole campaign by its public export, running and ended.
func (c *campaign) verify(turns int) {
	c.Helper()
	doc, err := c.Export(c.Context(), campaignID, true)
	c.must(err)
	text, err := json.Marshal(doc)
	c.must(err)
	running, err := proof.Parse(text)
	c.must(err)
	if v, err := proof.Verify(running, rules.Find); err != nil || v.Difference != nil || v.Rounds != turns || v.Sealed != turns {
		c.Errorf("the public export of the running game: %+v %v %v", v, v.Difference, err)
	}
	for _, secrets := range c.secrets {
		if found := shows(string(text), append(secrets, `"least"`, `"fired"`, `"refusal"`, `"log"`)); found != "" {
			c.Errorf("the public export of the running game shows %s", found)
		}
	}
	a := audit.New(audit.Terms{Defence: 6, Rematch: 3, Parts: 6, Rent: 20, Money: 2000})
	for _, s := range running.Steps {
		summary, err := json.Marshal(s.Summary)
		c.must(err)
		if err := a.Follow(summary); err != nil {
			c.Error(err)
			break
		}
	}
	for k, n := range a.Counted {
		c.counts["audit "+k] = n
	}
	c.must(c.End(c.Context(), campaignID))
	ended, err := c.Export(c.Context(), campaignID, true)
	c.must(err)
	if v, err := proof.Verify(ended, rules.Find); err != nil || v.Difference != nil || v.Rounds != turns || v.Sealed != 0 {
		c.Errorf("the public export of the ended game: %+v %v %v", v, v.Difference, err)
	}
	for i, s := range ended.Steps {
		if s.Hash != running.Steps[i].Hash {
			c.Errorf("turn %d has another hash after the end", i)
		}
	}
}

// coverage says what five years must have shown.
func (c *campaign) coverage() {
	c.Helper()
	for _, k := range []string{"audit bouts", "audit parts", "audit titles", "audit defences", "audit cuts", "audit sold", "audit retired", "audit rent",
		"audit bets won", "audit bets lost", "audit left wish", "audit left gm", "audit left nmr", "audit cancelled", "block taken", "block early", "block kept", "block not-yours", "block unknown-seat",
		"issue plan-weight", "issue condition-variable", "issue bout-self", "issue fighter-foreign", "issue fighter-unknown", "sent receipt", "sent report"} {
		if c.counts[k] == 0 {
			c.Errorf("five years without %q", k)
		}
	}
	if c.counts["audit bouts"] < 2000 {
		c.Errorf("%d bouts only", c.counts["audit bouts"])
	}
}

// compare holds what came out against the goldens; of fewer turns than all, the first
// lines.
func (c *campaign) compare(got map[string]string, turns int) {
	c.Helper()
	if *update && turns == campaignTurns {
		for name, text := range got {
			c.must(os.WriteFile(filepath.Join(campaignDir, name), []byte(text), 0o644))
		}
	}
	files, err := filepath.Glob(filepath.Join(campaignDir, "*.txt"))
	if err != nil || turns == campaignTurns && len(files) != len(got) {
		c.Fatalf("%d goldens in %s (go test ./internal/referee -run TestCampaign -update): %v", len(files), campaignDir, err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		c.must(err)
		text, ok := got[filepath.Base(file)]
		switch {
		case !ok && turns == campaignTurns:
			c.Errorf("%s is a golden of nothing", file)
		case ok && turns < campaignTurns && filepath.Base(file) == "turns.txt":
			if !strings.HasPrefix(string(want), text) {
				c.Errorf("%s does not begin with\n%s", file, text)
			}
		case ok && string(want) != text:
			c.Errorf("%s differs (-update writes it anew):\n%s", file, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")))
		}
	}
}
