package report

import (
	"strings"

	"github.com/rivo/uniseg"

	"ringpost/internal/orders"
)

// Columns is the widest a line of prose may be in a mail.
const Columns = 76

// Join puts the sections of a mail below one another, two empty lines between
// them. Empty ones are left out.
func Join(sections ...string) string {
	var b strings.Builder
	for _, s := range sections {
		if s = strings.Trim(s, "\n"); s == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(s)
		b.WriteByte('\n')
	}
	return b.String()
}

// layout wraps prose at Columns, drops trailing blanks and folds runs of empty
// lines into one.
func layout(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 1)
	empty := 1 // begin as after an empty line: none leads
	for line := range strings.SplitSeq(text, "\n") {
		kept := strings.Contains(line, keepMark)
		line = strings.TrimRight(strings.ReplaceAll(line, keepMark, ""), " \t\r")
		if line == "" {
			if empty++; empty == 1 {
				b.WriteByte('\n')
			}
			continue
		}
		empty = 0
		if !kept {
			line = wrap(line)
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// wrap breaks a line at blanks where it is wider than Columns; what follows
// hangs below its first word. A word wider than the page stays whole.
func wrap(line string) string {
	if len(line) <= Columns || width(line) <= Columns { // no character has more columns than bytes
		return line
	}
	lead, hang := hanging(line)
	parts := split(line[len(lead):])
	var b strings.Builder
	for from := 0; from < len(parts); {
		if from > 0 {
			b.WriteByte('\n')
			lead = hang
		}
		to := breakAfter(parts, from, Columns-width(lead))
		b.WriteString(lead)
		for i, p := range parts[from:to] {
			if i > 0 {
				b.WriteString(p.gap)
			}
			b.WriteString(p.word)
		}
		from = to
	}
	return b.String()
}

// part is a word and the blanks before it.
type part struct{ gap, word string }

func split(text string) []part {
	parts := make([]part, 0, strings.Count(text, " ")+1)
	for text != "" {
		word := strings.TrimLeft(text, " ")
		gap := text[:len(text)-len(word)]
		end := strings.IndexByte(word, ' ')
		if end < 0 {
			end = len(word)
		}
		parts = append(parts, part{gap, word[:end]})
		text = word[end:]
	}
	return parts
}

// breakAfter finds how many parts have room on a line, at least one. The next
// line does not begin with an order keyword if it can be helped: quoted by a
// careless program, it could be read as an order.
func breakAfter(parts []part, from, room int) int {
	to := from + 1
	for room -= width(parts[from].word); to < len(parts); to++ {
		if room -= len(parts[to].gap) + width(parts[to].word); room < 0 {
			break
		}
	}
	if to == len(parts) {
		return to
	}
	for safe := to; safe > from; safe-- {
		if !orders.Reserved(opening(parts[safe:])) {
			return safe
		}
	}
	return to
}

// opening is how a line of these parts begins: as many words as marks of lists
// could stand before a keyword, and it.
func opening(parts []part) string {
	var b strings.Builder
	for _, p := range parts[:min(len(parts), 6)] {
		b.WriteString(p.word + " ")
	}
	return b.String()
}

// hanging parts off what a line begins with (blanks, the mark of a quote, that
// of a list, or the number of one that is set in) and says what stands there in the
// lines that follow.
func hanging(line string) (lead, hang string) {
	rest := strings.TrimLeft(line, " ")
	hang = line[:len(line)-len(rest)]
	if after, ok := strings.CutPrefix(rest, quoteMark); ok {
		rest = strings.TrimLeft(after, " ")
		hang = line[:len(line)-len(rest)]
	}
	if after, ok := strings.CutPrefix(rest, "- "); ok {
		rest = after
		hang += "  "
	} else if after, ok := cutNumber(rest); ok && hang != "" {
		hang += strings.Repeat(" ", len(rest)-len(after))
		rest = after
	}
	return line[:len(line)-len(rest)], hang
}

// cutNumber takes the number of a numbered list off a line: "12. ".
func cutNumber(line string) (after string, ok bool) {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if digits == 0 {
		return line, false
	}
	return strings.CutPrefix(line[digits:], ". ")
}

// width counts the columns of a text as a terminal shows it: marks stand on the
// character before them, East Asian characters take two.
func width(s string) int {
	n := 0
	for _, r := range s {
		if !plain(r) {
			return uniseg.StringWidth(s)
		}
		n++
	}
	return n
}

// plain reports whether a character is one of those that take a column each, as
// nearly all do here: Latin letters, dashes and quotes. The first that may stand on
// another is U+0300.
func plain(r rune) bool {
	switch {
	case r < 0x300:
		return r >= ' ' && r < 0x7f || r > 0xa0 && r != 0xad
	default:
		return r >= 0x2010 && r <= 0x2027
	}
}
