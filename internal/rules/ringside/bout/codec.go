package bout

import (
	"fmt"
	"strconv"
	"strings"
)

// layout is how an event of a kind is written: a letter, then these fields.
func (k Kind) layout() (letter byte, fields string) {
	l := [kinds]string{
		RoundBegins: "R n", Initiative: "I b2", TurnBegins: "T bn", Declared: "D bt",
		Attack: "A bde", Blow: "B bpg2nl", Tired: "F bnl", KnockdownRoll: "K bde", Count: "C bdn",
		CounterRoll: "S bde", CounterDeclined: "N b", Counterpunch: "P bde",
		ClinchEnds: "E b", Moved: "M bfod", Pinned: "X b", Freed: "Y b",
		Bell: "L n2", Rested: "Z 2", Ended: "W bn",
	}[k]
	return l[0], l[2:]
}

// MarshalText writes a log in little space, an event a word: a letter for its
// kind, then its fields with dots between, in the order in which Kind lists them.
// Sides are 1, 2 and 0; squares two digits.
func (l Log) MarshalText() ([]byte, error) {
	out := make([]byte, 0, 12*len(l))
	for i := range l {
		if i > 0 {
			out = append(out, ' ')
		}
		letter, fields := l[i].Kind.layout()
		out = append(out, letter)
		for j := range len(fields) {
			if j > 0 {
				out = append(out, '.')
			}
			out = l[i].write(out, fields[j])
		}
	}
	return out, nil
}

func (e *Event) write(out []byte, field byte) []byte {
	number := func(n int16) []byte { return strconv.AppendInt(out, int64(n), 10) }
	square := func(s Square) []byte { return append(out, '0'+byte(s.X), '0'+byte(s.Y)) }
	switch field {
	case 'b':
		return number((int16(e.By) + 1) % 3)
	case 't':
		return number(int16(e.Tactic))
	case 'p':
		return append(out, e.Punch.Code()...)
	case 'g':
		return append(out, e.Guard.Code()...)
	case 'f':
		return square(e.From)
	case 'o':
		return square(e.To)
	case 'n':
		return number(e.N)
	case 'd':
		return number(e.Die)
	case 'e':
		return number(e.Need)
	case '2':
		out = append(number(e.Both[First]), '.')
		return number(e.Both[Second])
	}
	return number(e.Left)
}

// UnmarshalText reads what MarshalText writes.
func (l *Log) UnmarshalText(text []byte) error {
	*l = nil
	for word := range strings.FieldsSeq(string(text)) {
		e, err := readEvent(word)
		if err != nil {
			return fmt.Errorf("reading a bout's log: event %d, %q: %w", len(*l)+1, word, err)
		}
		*l = append(*l, e)
	}
	return nil
}

func readEvent(word string) (Event, error) {
	for k := range Kind(kinds) {
		letter, fields := k.layout()
		if word[0] != letter {
			continue
		}
		e := Event{Kind: k}
		r := fieldReader{rest: word[1:]}
		for i := range len(fields) {
			r.read(&e, fields[i])
		}
		if r.err == nil && r.rest != "" {
			r.err = fmt.Errorf("%q is too much", r.rest)
		}
		return e, r.err
	}
	return Event{}, fmt.Errorf("no kind has the letter %c", word[0])
}

// fieldReader takes fields off an event's word; the first error stays.
type fieldReader struct {
	rest string
	err  error
}

func (r *fieldReader) read(e *Event, field byte) {
	switch field {
	case 'b':
		e.By = Side((r.number(0, 2) + 2) % 3)
	case 't':
		e.Tactic = Tactic(r.number(int16(Cover), int16(Rush)))
	case 'p':
		e.Punch = r.punch()
	case 'g':
		e.Guard = r.punch()
	case 'f':
		e.From = r.square()
	case 'o':
		e.To = r.square()
	case 'n':
		e.N = r.number(-1000, 1000)
	case 'd':
		e.Die = r.number(0, 1000)
	case 'e':
		e.Need = r.number(-1000, 1000)
	case '2':
		e.Both = [2]int16{r.number(-1000, 1000), r.number(-1000, 1000)}
	case 'l':
		e.Left = r.number(-1000, 1000)
	}
}

func (r *fieldReader) next() string {
	var field string
	field, r.rest, _ = strings.Cut(r.rest, ".")
	return field
}

func (r *fieldReader) number(least, most int16) int16 {
	field := r.next()
	n, err := strconv.ParseInt(field, 10, 16)
	if r.err == nil && (err != nil || int16(n) < least || int16(n) > most) {
		r.err = fmt.Errorf("%q is not a number from %d to %d", field, least, most)
	}
	return int16(n)
}

func (r *fieldReader) punch() Punch {
	field := r.next()
	p, ok := FindPunch(field)
	if r.err == nil && !ok {
		r.err = fmt.Errorf("%q is no punch", field)
	}
	return p
}

func (r *fieldReader) square() Square {
	field := r.next()
	if len(field) != 2 || field[0] < '0' || field[0] > '9' || field[1] < '0' || field[1] > '9' {
		if r.err == nil {
			r.err = fmt.Errorf("%q is no square", field)
		}
		return Square{}
	}
	return Square{int8(field[0] - '0'), int8(field[1] - '0')}
}
