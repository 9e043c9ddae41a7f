package ringside

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
)

// campaign plays turns by real dice and from mails; its managers' choices come from
// a stream of their own.
type campaign struct {
	state   State
	secret  dice.Secret
	players game.Stream
	steps   []step
	seats   int
	named   int
}

func newCampaign(tb testing.TB, managers int, seed byte, settings game.Settings) *campaign {
	tb.Helper()
	c := &campaign{secret: dice.Secret{seed}, players: dice.Seed{seed, 1}.Stream("players", "")}
	var seats []game.Seat
	for range managers {
		seats = append(seats, c.newSeat())
	}
	if err := settings.Check(New().About().Game); err != nil {
		tb.Fatal(err)
	}
	state, events, err := New().Setup(settings, seats, c.dice(0))
	if err != nil {
		tb.Fatal(err)
	}
	c.state = state
	c.steps = append(c.steps, step{After: state, Events: events})
	return c
}

func (c *campaign) newSeat() game.Seat {
	c.seats++
	names := []string{"Müller", "Don Corrado", "Ma Baxter", "Zoë", "O'Hara", "Jean-Luc", "Łukasz", "Der Alte"}
	name := names[(c.seats-1)%len(names)]
	if c.seats > len(names) {
		name = fmt.Sprintf("%.17s %d", name, (c.seats-1)/len(names)+1)
	}
	return game.Seat{ID: game.SeatID(fmt.Sprintf("s%d", c.seats)), Name: name}
}

func (c *campaign) dice(round int) game.RoundDice { return c.secret.Round("ringside-1", 0, round) }

// mail is what a manager writes: plans for those who box, and his own lines.
func (c *campaign) mail(m Manager) string {
	s := c.players
	var b strings.Builder
	for _, f := range c.state.stable(m.Seat) {
		if len(c.state.bookings(f.ID)) > 0 && s.Uniform(3) > 1 {
			b.WriteString(randomPlan(f.Name, s))
		}
	}
	var lines []string
	for _, f := range c.state.stable(m.Seat) {
		lines = append(lines, c.wishes(f)...)
	}
	if len(lines) > 0 {
		b.WriteString("MANAGER " + m.Name + "\n" + strings.Join(lines, "\n") + "\nENDE\n")
	}
	return b.String()
}

// randomPlan is a plan as people write them.
func randomPlan(name string, s game.Stream) string {
	d := func(n int) int { return s.Uniform(n) - 1 }
	text := "NAME " + name + "\n"
	text += fmt.Sprintf("SCHLAG UC%d RJ%d RH%d CO%d LJ%d LH%d\n", 1+d(9), d(10), d(10), d(10), d(10), d(10))
	if d(2) == 1 {
		text += fmt.Sprintf("ERWARTE UC%d RJ%d RH%d CO%d LJ%d LH%d\n", 1+d(9), d(10), d(10), d(10), d(10), d(10))
	}
	for _, line := range []string{
		"BEINE V KREIS A MITTE", "V WENN AMSEIL : KLAMMERN", "V WENN KOND<=10 UND VORN>=2 : ZURÜCK", "V WENN KOND<=0 : DECKEN",
		"A WENN GKOND<=0 : STURM", "RUNDE 4-9 SCHLAG UC4 RH4 CO4 LH4", "V WENN TREFFER>=5 : KONTER NEIN", "DAUER NEIN",
	} {
		if d(4) == 1 {
			text += line + "\n"
		}
	}
	return text + "ENDE\n"
}

// rivals are other managers' fighters of a class.
func (c *campaign) rivals(f Fighter) []Fighter {
	var out []Fighter
	for _, o := range c.state.Fighters {
		if o.Class == f.Class && o.Manager != f.Manager {
			out = append(out, o)
		}
	}
	return out
}

// wishes are a manager's lines about one of his fighters; half of the challenges
// answer one that was made.
func (c *campaign) wishes(f Fighter) (lines []string) {
	s := c.players
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, ch := range c.state.Challenges {
		if ch.Other == f.ID && s.Uniform(2) == 1 {
			add("KAMPF %s GEGEN %s", f.Name, c.state.Fighters[c.state.fighter(ch.Own)].Name)
		}
	}
	rivals := c.rivals(f)
	if len(rivals) == 0 {
		return lines
	}
	rival := rivals[s.Uniform(len(rivals))-1]
	if c.state.champion(&f) && s.Uniform(3) == 1 {
		add("FREI %s", f.Name)
	}
	switch s.Uniform(14) {
	case 1, 2:
		terms := []string{"", " ARENA GRUBE", " RUNDEN 7", " WOCHE 3", " ARENA BEST RUNDEN 12", " WOCHE 1 EINFACH", " WOCHE 2"}
		add("KAMPF %s GEGEN %s%s", f.Name, rival.Name, terms[s.Uniform(len(terms))-1])
	case 3:
		add("FREI %s AB %d,5", f.Name, s.Uniform(6))
	case 4:
		add("FREI %s", f.Name)
	case 5:
		add("RUHE %s", f.Name)
	case 6, 7:
		if f.mayRetire() {
			add("RÜCKTRITT %s", f.Name)
			if s.Uniform(2) == 1 {
				c.named++
				add("NEU Neuling %d KLASSE %s", c.named, []string{"Schwer", "Mittel", "Leicht", "Welter", "Halbschwer"}[s.Uniform(5)-1])
			}
		}
	case 8:
		add("ANGEBOT %s %d", f.Name, 100*s.Uniform(20))
	case 9:
		for _, o := range c.state.Offers[:min(5, len(c.state.Offers))] {
			if o.Seller != f.Manager {
				add("KAUF %s %d", c.state.Fighters[c.state.fighter(o.Fighter)].Name, o.Price/100+Money(s.Uniform(50)))
			}
		}
	case 10:
		add("TAUSCH %s GEGEN %s", f.Name, rival.Name)
	case 11, 12:
		if len(c.state.Card) > 0 {
			b := c.state.Card[s.Uniform(len(c.state.Card))-1]
			i := c.state.fighter(b.Fighters[s.Uniform(2)-1])
			add("WETTE %s %d", c.state.Fighters[i].Name, s.Uniform(40))
		}
	case 13:
		add("MIETE %s WOCHE %d", f.Name, s.Uniform(4))
	}
	return lines
}

// inputs are a turn's letters, read as the game master reads them.
func (c *campaign) inputs(tb testing.TB, traffic bool) game.Inputs[Orders] {
	tb.Helper()
	var in game.Inputs[Orders]
	for _, m := range c.state.Managers {
		if c.players.Uniform(9) == 1 {
			continue
		}
		in.Orders = append(in.Orders, c.read(tb, m.Seat, c.mail(m))...)
		if traffic && c.players.Uniform(90) == 1 {
			in.Leaves = append(in.Leaves, game.Leave{Seat: m.Seat, Now: c.players.Uniform(2) == 1})
		}
	}
	for traffic && c.players.Uniform(4) == 1 {
		in.Joins = append(in.Joins, c.newSeat())
	}
	return in
}

// read reads a mail's blocks; slots replace one another as on file (G-3).
func (c *campaign) read(tb testing.TB, seat game.SeatID, text string) []game.Order[Orders] {
	tb.Helper()
	var out []game.Order[Orders]
	parsed := orders.Parse(orders.Lines(text))
	if len(parsed.Issues) > 0 {
		tb.Fatalf("%v in\n%s", parsed.Issues, text)
	}
	for _, b := range parsed.Blocks {
		slips, issues := New().Read(c.state, seat, b)
		for _, i := range issues {
			if i.Error && i.Code != issueModuleOff && i.Code != issueBetOwn && i.Code != issueBetCash && i.Code != issueBuyCash && i.Code != issueClass && i.Code != issueFighterOwn && i.Code != issueFighterBusy && i.Code != issueBetBegun && i.Code != issueNewAlone {
				tb.Fatalf("%+v in\n%s", i, text)
			}
		}
		for _, slip := range slips {
			o := game.Order[Orders]{Seat: seat, Slot: slip.Slot, Orders: slip.Orders}
			kept := out[:0:0]
			for _, x := range out {
				if x.Slot != o.Slot {
					kept = append(kept, x)
				}
			}
			out = append(kept, o)
		}
	}
	return out
}

// close plays a turn.
func (c *campaign) close(tb testing.TB, in game.Inputs[Orders]) step {
	tb.Helper()
	after, events, err := New().Advance(c.state, in, c.dice(c.state.Round))
	if err != nil {
		tb.Fatal(err)
	}
	st := step{Round: c.state.Round, Before: c.state, After: after, Events: events}
	c.steps = append(c.steps, st)
	c.state = after
	return st
}

func (c *campaign) play(tb testing.TB, turns int, traffic bool) {
	tb.Helper()
	for range turns {
		c.close(tb, c.inputs(tb, traffic))
	}
}

func encode(tb testing.TB, v any) string {
	tb.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// everything is a game with all its modules.
func everything() game.Settings {
	return game.Settings{keySales: "on", keyBets: "on", keyRent: "20", keyMoney: "2000", keyStable: "4"}
}
