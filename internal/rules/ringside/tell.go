package ringside

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ringpost/internal/rules/ringside/bout"
)

// Tale is a bout as it is told to everybody. It is made of the bout's public event
// alone, so that no word of it hangs on what that keeps back: plans, weights,
// guards, single dice.
type Tale struct {
	Head   Sentence
	Sheet  Sheet
	Rounds []TaleRound // none where room is short
}

// Scored reports whether there is a round that was scored.
func (t Tale) Scored() bool { return t.Sheet.Rows[0].Points != "  -" }

// TaleRound is the paragraph on a boxing round.
type TaleRound struct {
	Round int
	Says  []Sentence
}

// Sentence is a sentence of the stock and what it speaks of. Which of its fields
// count says its key.
type Sentence struct {
	Key  string // "clear.4": the template "tell.clear.4"
	A, B string // whom it is about, and the other
	// Hits are the punches that A landed in the round, Taken those of B.
	Hits, Taken int
	N           int // a count, or how often, or how many
	Punch       string
	Round       int // in which the bout ended; after which it stands so
	Rounds      int // scheduled
	Class       Class
	Points      [2]int // on the scorecard, those of A first
}

// Sheet is a scorecard in columns.
type Sheet struct {
	Width  int    // of the names
	Rounds string // "  1  2  3"
	Rows   [2]SheetRow
}

// SheetRow is one fighter's row. A round that was cut short has no points.
type SheetRow struct {
	Name   string
	Points string // "  1  0  -"
	Total  int
}

// scene is a boxing round as everybody has seen it, with what had been before.
type scene struct {
	b             *Bout
	n             int // the round
	card          bout.Card
	seen          Round
	came, left    [2]int // endurance at its beginning and at its end
	before, after [2]int // points
	run, ran      [2]int // rounds won in a row, with this one and before it
	fell          [2]int // knockdowns suffered in earlier rounds
	nth           int    // which of its knockdowns is being told
}

// scenes follows a bout round by round.
func scenes(b *Bout) []scene {
	out := make([]scene, len(b.Cards))
	at := scene{b: b, left: [2]int{b.Corners[0].Start, b.Corners[1].Start}}
	for i, card := range b.Cards {
		next := scene{b: b, n: i + 1, card: card, seen: b.Rounds[i], came: at.left, before: at.after, after: at.after, ran: at.run, fell: at.fell}
		for _, f := range at.seen.Falls {
			next.fell[f.By.Other()]++
		}
		for side := range next.came {
			if i > 0 {
				next.came[side] = min(next.came[side]+10, b.Corners[side].Start) // RS-37
			}
			// What a round costs follows from its card: blows, and the own ones above
			// five (Punching Fatigue).
			next.left[side] = next.came[side] - card.Damage[1-side] - max(card.Hits[side]-5, 0)
			next.after[side] += card.Points[side]
			if next.won(bout.Side(side)) {
				next.run[side] = at.run[side] + 1
			}
		}
		if next.over() { // who is stopped by a blow gets no chance to tire (RS-20)
			next.left = [2]int{b.Corners[0].End, b.Corners[1].End}
		}
		out[i], at = next, next
	}
	return out
}

func (s *scene) won(a bout.Side) bool    { return s.card.Points[a] > s.card.Points[a.Other()] }
func (s *scene) even() bool              { return s.card.Points[0] == s.card.Points[1] }
func (s *scene) hits() int               { return s.card.Hits[0] + s.card.Hits[1] }
func (s *scene) last() bool              { return s.n == s.b.Booking.Rounds }
func (s *scene) over() bool              { return s.b.Result.Method != bout.Undecided && s.n == len(s.b.Cards) }
func (s *scene) cut() bool               { return s.over() && early(s.b.Result.Method) }
func (s *scene) quiet() bool             { return s.hits() <= 5 && len(s.seen.Falls) == 0 }
func (s *scene) ends(m bout.Method) bool { return s.over() && s.b.Result.Method == m }

// wins reports whether the bout ended in this round with this winner.
func (s *scene) wins(a bout.Side) bool { return s.over() && s.b.Result.Winner == a }

// ahead is by how much damage a side was better, knockdowns counting once.
func (s *scene) ahead(a bout.Side) int { return s.card.Damage[a] - s.card.Damage[a.Other()] }

// more is how many punches a side landed more than the other.
func (s *scene) more(a bout.Side) int { return s.card.Hits[a] - s.card.Hits[a.Other()] }

// better: the round is won by as many punches or more, and by their damage.
func (s *scene) better(a bout.Side) bool { return s.won(a) && s.ahead(a) > 0 && s.more(a) >= 0 }

// oneSided: it is won by far, with twice as many punches.
func (s *scene) oneSided(a bout.Side) bool {
	return s.better(a) && s.ahead(a) >= byFar && s.card.Hits[a] >= 2*s.card.Hits[a.Other()]
}

// down counts how often a side had been down in the bout when the round was over, a
// knock-out not among it.
func (s *scene) down(a bout.Side) int {
	n := s.fell[a]
	for _, f := range s.seen.Falls {
		n += flag(f.By != a && f.Count < 10)
	}
	return n
}

// lead is by how many points a side is ahead.
func lead(points [2]int, a bout.Side) int { return points[a] - points[a.Other()] }

func early(m bout.Method) bool { return m == bout.KO || m == bout.TKO }

// must reports whether a bout is scored by a must system (RS-39): there the loser of
// a round has points, too.
func must(cards []bout.Card) bool {
	for _, c := range cards {
		if max(c.Points[0], c.Points[1]) > 1 {
			return true
		}
	}
	return false
}

// tell words a bout: the headline and, where it is told in full, its rounds; those of
// earlier turns have been told.
func (t *teller) tell(b *Bout) Tale {
	t.begin(b.Words)
	all := scenes(b)
	tale := Tale{Sheet: sheet(b)}
	if len(all) == 0 {
		return tale
	}
	tale.Head = t.head(&all[len(all)-1])
	called := called(b.Corners[0].Name, b.Corners[1].Name)
	for i := b.From; i < len(all); i++ {
		s := &all[i]
		tale.Rounds = append(tale.Rounds, TaleRound{Round: s.n, Says: t.round(s, called)})
	}
	return tale
}

// head is the headline, in full names.
func (t *teller) head(s *scene) Sentence {
	names := [2]string{s.b.Corners[0].Name, s.b.Corners[1].Name}
	x, a, _ := first(t.stock.heads, s)
	return t.sentence(x, s, a, names)
}

// round is a round's paragraph: what it was like, who went down, what else was to be
// seen, and how the bout stands or ended.
func (t *teller) round(s *scene, names [2]string) []Sentence {
	var says []Sentence
	say := func(x saying, a bout.Side) { says = append(says, t.sentence(x, s, a, names)) }
	if x, a, ok := first(t.stock.shapes, s); ok {
		say(x, a)
	}
	for i, f := range s.seen.Falls {
		s.nth = i
		if x, a, ok := first(t.stock.falls, s); ok {
			d := t.sentence(x, s, a, names)
			d.N, d.Punch = f.Count, f.Punch.Code()
			says = append(says, d)
		}
	}
	if x, a, ok := t.aside(s); ok && len(says) < 4 {
		say(x, a)
	}
	if x, a, ok := first(t.stock.stands, s); ok {
		say(x, a)
	}
	return says
}

// aside is the one of what else there was to see that was told longest ago.
func (t *teller) aside(s *scene) (found saying, side bout.Side, ok bool) {
	oldest := t.seq + 1
	for _, x := range t.stock.asides {
		for _, a := range sides() {
			if told := t.told[x.key]; told < oldest && x.holds(s, a) {
				found, side, ok, oldest = x, a, true, told
			}
		}
	}
	return found, side, ok
}

// first is the first of the sayings that holds, and of whom.
func first(all []saying, s *scene) (saying, bout.Side, bool) {
	for _, x := range all {
		for _, a := range sides() {
			if x.holds(s, a) {
				return x, a, true
			}
		}
	}
	return saying{}, bout.First, false
}

func sides() [2]bout.Side { return [2]bout.Side{bout.First, bout.Second} }

func (t *teller) sentence(x saying, s *scene, a bout.Side, names [2]string) Sentence {
	b := a.Other()
	d := Sentence{
		Key: t.choose(x.key, x.size), A: names[a], B: names[b], Hits: s.card.Hits[a], Taken: s.card.Hits[b],
		Round: s.n, Rounds: s.b.Booking.Rounds, Class: s.b.Booking.Class, Points: [2]int{s.after[a], s.after[b]},
	}
	if x.number != nil {
		d.N = x.number(s, a)
	}
	if n := len(s.seen.Falls); n > 0 {
		d.Punch = s.seen.Falls[n-1].Punch.Code()
	}
	return d
}

// sheetColumn is how wide the names on a scorecard may be.
const sheetColumn = 20

func sheet(b *Bout) Sheet {
	var v Sheet
	var rounds strings.Builder
	var points [2]strings.Builder
	for i, c := range b.Cards {
		right(&rounds, i+1)
		for side := range points {
			if scored(b.Result, i) {
				right(&points[side], c.Points[side])
			} else {
				points[side].WriteString("  -")
			}
			v.Rows[side].Total += c.Points[side]
		}
	}
	v.Rounds = rounds.String()
	for side := range v.Rows {
		r := &v.Rows[side]
		r.Name, r.Points = short(b.Corners[side].Name, sheetColumn), points[side].String()
		v.Width = max(v.Width, utf8.RuneCountInString(r.Name))
	}
	return v
}

// right writes a number below 100 into three columns.
func right(b *strings.Builder, n int) {
	b.WriteByte(' ')
	if n < 10 {
		b.WriteByte(' ')
	} else {
		b.WriteByte('0' + byte(n/10))
	}
	b.WriteByte('0' + byte(n%10))
}

// called is how the two are called for short: by their last names, where these tell
// them apart and are names at all.
func called(a, b string) [2]string {
	short := [2]string{lastName(a), lastName(b)}
	if strings.EqualFold(short[0], short[1]) {
		return [2]string{a, b}
	}
	return short
}

// lastName is the last word of a name: "Thunder" of Kid Thunder. Who is called The
// Rock, Joe 2 or Ray Robinson Jr. keeps the whole name.
func lastName(name string) string {
	words := strings.Fields(name)
	if len(words) < 2 {
		return name
	}
	last := words[len(words)-1]
	r, _ := utf8.DecodeRuneInString(last)
	if unicode.IsLower(r) || utf8.RuneCountInString(last) < 3 || strings.HasSuffix(last, ".") || last == "III" || strings.ContainsFunc(last, unicode.IsDigit) {
		return name
	}
	for _, w := range []string{"der", "die", "das", "the", "el", "la", "le", "il", "von", "van", "de", "di", "da", "du", "zu", "of"} {
		if strings.EqualFold(words[len(words)-2], w) {
			return name
		}
	}
	return last
}

// Both counts the punches that landed in the round.
func (d Sentence) Both() int { return d.Hits + d.Taken }
