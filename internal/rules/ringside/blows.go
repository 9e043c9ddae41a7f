package ringside

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ringpost/internal/rules/ringside/bout"
)

// Course is a bout blow by blow (template "course"), for those who may know it: the
// managers of the bout, and whoever set a test fight up.
type Course struct {
	Width  int // of the names in it
	Rounds []CourseRound
}

// CourseRound is a boxing round blow by blow. Pairs are in the bout's order.
type CourseRound struct {
	Round   int
	Names   [2]string // as its lines call the two
	Begin   [2]int    // endurance at the first bell
	Moments []Moment
	Full    bool   // it was not cut short
	Score   [2]int // damage as it is scored (RS-38)
	Doubled bool   // knockdowns stand twice in it
	Points  [2]int
	Winner  string // of the round; "" where nobody won it
}

// Moment is a line of it.
type Moment struct {
	// Kind: "first" (who attacks first: By, Dice), "blow" (By landed), "miss" (several
	// that did not land, in Misses), "down" (To goes down and rises), "out" (he does
	// not), "stopped" (To cannot go on: Left).
	Kind   string
	Turn   string // "7", or "3-6"; "" for what follows in the same turn
	By, To string
	Dice   string // of the first attack, or of the count
	Blow   *Blow
	Misses []Miss
	Notes  []Note // of a blow
	Count  int    // of a knockdown
	Extra  bool   // it took a turn more (RS-14)
	Left   int    // endurance
}

// Blow is a punch that landed.
type Blow struct {
	// Hit is the throw, and what it had to exceed ("75/52"); Punches are the one thrown
	// and the one expected ("RH-CO"); Left is the endurance of who was struck.
	Hit, Punches string
	Damage, Left int
	// Down and Counter are the throws for a knockdown and to counter, and up to what
	// they are good ("51/4", with "!" behind those that are); "" where none was thrown,
	// "-" where the plan declined to counter.
	Down, Counter string
	// Columns are turn, name and figures in columns, the same in all languages.
	Columns string
	Alone   *Note // the note, if it is the only one
}

// Miss is a punch that did not land, or several in a row: "37/68", "37 4 52/68".
type Miss struct {
	By, Dice string
	Notes    []Note
}

// Note is what else is to be said of a punch.
type Note struct {
	// Code: "cover", "backpedal", "clinch", "rush" (By does so), "returned" (By's
	// counterpunch missed: Dice), "tired" (By's hits cost him strength: Left), "ropes",
	// "pinned", "freed" (By), "apart" (the clinch is over).
	Code string
	By   string
	Dice string
	Left int
}

// missesColumn is about how wide a run of misses grows before it goes on in another
// line.
const missesColumn = 62

// wide is about how many columns a miss takes, in the language that needs most.
func (m Miss) wide() int {
	n := utf8.RuneCountInString(m.By + " 37/68, ")
	for _, note := range m.Notes {
		n += max(utf8.RuneCountInString(note.By+" (sitzt fest)"), len(" (Clinch vorbei)"))
	}
	return n
}

// nameColumn is how wide names in the lines may be.
const nameColumn = 10

// course follows a log. Start is the endurance at its first bell, ring the length of
// the ring's sides, cards those of the rounds.
func course(log bout.Log, names [2]string, start [2]int, ring int, cards []bout.Card) Course {
	c := chronicle{left: start, edge: int8(ring) - 1, names: called(names[0], names[1])}
	for i := range c.names {
		c.names[i] = short(c.names[i], nameColumn)
		c.width = max(c.width, utf8.RuneCountInString(c.names[i]))
	}
	if c.names[0] == c.names[1] {
		c.names = [2]string{"1: " + short(names[0], nameColumn-3), "2: " + short(names[1], nameColumn-3)}
		c.width = nameColumn
	}
	for i := range log {
		c.take(&log[i])
	}
	c.flush()
	for i := range c.rounds {
		c.columns(&c.rounds[i])
		if r := &c.rounds[i]; r.Round <= len(cards) {
			r.Points = cards[r.Round-1].Points
			if side := ahead(r.Points); side != bout.Neither && r.Full {
				r.Winner = c.names[side]
			}
		}
	}
	return Course{Width: c.width, Rounds: c.rounds}
}

// columns sets the blows of a round in columns, once all that followed is known.
func (c *chronicle) columns(r *CourseRound) {
	for i := range r.Moments {
		m := &r.Moments[i]
		b := m.Blow
		if b == nil {
			continue
		}
		b.Columns = fmt.Sprintf("%5s  %-*s %6s  %s %3d %4d %6s %7s", m.Turn, c.width, m.By, b.Hit, b.Punches, b.Damage, b.Left, b.Down, b.Counter)
		if len(m.Notes) == 1 {
			b.Alone = &m.Notes[0]
		}
	}
}

// ahead is who has more points.
func ahead(points [2]int) bout.Side {
	switch {
	case points[0] > points[1]:
		return bout.First
	case points[1] > points[0]:
		return bout.Second
	}
	return bout.Neither
}

// chronicle turns a log into lines.
type chronicle struct {
	names  [2]string
	width  int
	edge   int8
	left   [2]int
	rounds []CourseRound

	turn     int
	attacker bout.Side // of the turn, then who hit last in it
	shown    bool      // the turn has its number on a line
	declared []Note    // for the turn's first line
	attack   bout.Event
	misses   []missed // a run of turns in which nothing landed
	missed   bool     // in this turn
}

func (c *chronicle) round() *CourseRound { return &c.rounds[len(c.rounds)-1] }

func (c *chronicle) add(m Moment) {
	if !c.shown {
		m.Turn, c.shown = strconv.Itoa(c.turn), true
	}
	r := c.round()
	r.Moments = append(r.Moments, m)
}

// note adds to the last line.
func (c *chronicle) note(n Note) {
	if c.missed {
		m := &c.misses[len(c.misses)-1]
		m.notes = append(m.notes, n)
		return
	}
	if all := c.round().Moments; len(all) > 0 {
		m := &all[len(all)-1]
		m.Notes = append(m.Notes, n)
	}
}

// missed is a punch that did not land, in a turn in which none did.
type missed struct {
	bout.Event
	turn  int
	notes []Note
}

// flush writes a run of misses down, in as many lines as it takes. What one does
// again in the same way stands only once, with all its throws.
func (c *chronicle) flush() {
	var first, wide int
	for i, x := range c.misses {
		r, m := c.round(), Miss{By: c.names[x.By], Dice: throw(&x.Event), Notes: x.notes}
		more, again := m.wide(), false
		if i > 0 {
			before := c.misses[i-1]
			if again = before.By == x.By && before.Need == x.Need && slices.Equal(before.notes, x.notes); again {
				more = len(" 37")
			}
		}
		if i == 0 || c.misses[i-1].turn != x.turn-1 || wide+more > missesColumn {
			first, wide = x.turn, m.wide()
			r.Moments = append(r.Moments, Moment{Kind: "miss", Turn: strconv.Itoa(x.turn), Misses: []Miss{m}})
			continue
		}
		run := &r.Moments[len(r.Moments)-1]
		if again {
			last := &run.Misses[len(run.Misses)-1]
			figures, _, _ := strings.Cut(last.Dice, "/")
			last.Dice = figures + " " + m.Dice
		} else {
			run.Misses = append(run.Misses, m)
		}
		run.Turn = fmt.Sprintf("%d-%d", first, x.turn)
		wide += more
	}
	c.misses = nil
}

// lastBlow is the line of the last punch that landed: what it may lead to is thrown
// at once.
func (c *chronicle) lastBlow() *Moment {
	all := c.round().Moments
	return &all[len(all)-1]
}

func throw(e *bout.Event) string { return fmt.Sprintf("%d/%d", e.Die, e.Need) }

// limited is a throw that is good up to a limit.
func limited(e *bout.Event) string {
	if e.Die <= e.Need {
		return throw(e) + "!"
	}
	return throw(e)
}

func (c *chronicle) take(e *bout.Event) {
	switch e.Kind {
	case bout.RoundBegins:
		c.flush()
		c.rounds = append(c.rounds, CourseRound{Round: int(e.N), Names: c.names, Begin: c.left})
		c.missed = false
	case bout.Initiative:
		c.initiative(e)
	case bout.TurnBegins:
		c.turn, c.attacker, c.shown, c.missed = int(e.N), e.By, false, false
		c.declared = nil
	case bout.Declared:
		c.declared = append(c.declared, Note{Code: tacticCode(e.Tactic), By: c.names[e.By]})
	case bout.Attack:
		c.attack = *e
		if e.Die <= e.Need {
			c.miss(e)
		}
	case bout.Blow:
		c.blow(e)
	case bout.Tired:
		c.left[e.By] = int(e.Left)
		c.note(Note{Code: "tired", By: c.names[e.By], Left: int(e.Left)})
	case bout.KnockdownRoll:
		c.lastBlow().Blow.Down = limited(e)
	case bout.Count:
		c.count(e)
	case bout.CounterDeclined:
		c.lastBlow().Blow.Counter = "-"
	case bout.CounterRoll:
		c.lastBlow().Blow.Counter = limited(e)
	case bout.Counterpunch:
		if c.attack = *e; e.Die <= e.Need {
			c.note(Note{Code: "returned", By: c.names[e.By], Dice: throw(e)})
		}
	default:
		c.rest(e)
	}
}

// rest takes what is neither throw nor blow.
func (c *chronicle) rest(e *bout.Event) {
	switch e.Kind {
	case bout.ClinchEnds:
		c.note(Note{Code: "apart"})
	case bout.Moved:
		if e.By != c.attacker && c.ropes(e.To) && !c.ropes(e.From) {
			c.note(Note{Code: "ropes", By: c.names[e.By]})
		}
	case bout.Pinned:
		c.note(Note{Code: "pinned", By: c.names[e.By]})
	case bout.Freed:
		c.note(Note{Code: "freed", By: c.names[e.By]})
	case bout.Bell:
		c.flush()
		r := c.round()
		r.Full, r.Score = true, [2]int{int(e.Both[0]), int(e.Both[1])}
	case bout.Rested:
		c.left = [2]int{int(e.Both[0]), int(e.Both[1])}
	case bout.Ended:
		c.flush()
		if bout.Methods()[e.N] == bout.TKO {
			loser := e.By.Other()
			c.shown = true
			c.add(Moment{Kind: "stopped", To: c.names[loser], Left: c.left[loser]})
		}
	}
}

func (c *chronicle) ropes(s bout.Square) bool {
	return s.X == 0 || s.Y == 0 || s.X == c.edge || s.Y == c.edge
}

func tacticCode(t bout.Tactic) string {
	switch t {
	case bout.Cover:
		return "cover"
	case bout.Backpedal:
		return "backpedal"
	case bout.Clinch:
		return "clinch"
	}
	return "rush"
}

// initiative tells all throws for it in one line.
func (c *chronicle) initiative(e *bout.Event) {
	r := c.round()
	dice := fmt.Sprintf("%d:%d", e.Both[0], e.Both[1])
	if n := len(r.Moments); n > 0 { // after a tie
		m := &r.Moments[n-1]
		m.Dice += ", " + dice
	} else {
		r.Moments = append(r.Moments, Moment{Kind: "first", Dice: dice})
	}
	if e.By != bout.Neither {
		r.Moments[0].By = c.names[e.By]
	}
}

// miss puts the turn into the run of those in which nothing landed.
func (c *chronicle) miss(e *bout.Event) {
	c.misses = append(c.misses, missed{Event: *e, turn: c.turn, notes: c.declared})
	c.missed, c.shown = true, true
}

func (c *chronicle) blow(e *bout.Event) {
	c.flush()
	to := e.By.Other()
	c.left[to], c.attacker, c.missed = int(e.Left), e.By, false
	c.add(Moment{Kind: "blow", By: c.names[e.By], To: c.names[to], Notes: c.declared,
		Blow: &Blow{Hit: throw(&c.attack), Punches: e.Punch.Code() + "-" + e.Guard.Code(), Damage: int(e.N), Left: int(e.Left)}})
	c.declared = nil
}

func (c *chronicle) count(e *bout.Event) {
	to := e.By.Other()
	m := Moment{Kind: "down", To: c.names[to], Count: int(e.N), Dice: strconv.Itoa(int(e.Die))}
	if c.left[to] <= 0 {
		m.Dice += "+4" // RS-24
	}
	if e.N >= 10 {
		m.Kind = "out"
	} else {
		c.round().Doubled = true
		m.Extra = e.N >= 4 && c.turn < bout.Turns // RS-14
	}
	c.add(m)
}
