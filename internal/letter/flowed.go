package letter

import "strings"

// row is a line of clean text with the depth of the quote it stands in.
type row struct {
	depth int
	text  string
	note  string
}

func (r row) blank() bool { return strings.TrimSpace(r.text) == "" }

// makeRow cleans a line and takes its quote prefix off, which adds to the depth.
func makeRow(depth int, line string) row {
	text, note := cleanLine(line)
	prefix, text := cutQuotePrefix(text)
	if prefix == 0 {
		text = cutBullet(text)
	}
	return row{depth + prefix, text, note}
}

// cutQuotePrefix counts and removes the ">" at the beginning of a line, which may
// stand up to three blanks in, with single blanks between them.
func cutQuotePrefix(line string) (depth int, text string) {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 || !strings.HasPrefix(trimmed, ">") {
		return 0, line
	}
	for strings.HasPrefix(trimmed, ">") || depth > 0 && strings.HasPrefix(trimmed, " >") {
		trimmed = strings.TrimPrefix(trimmed, " ")[1:]
		depth++
	}
	return depth, strings.TrimPrefix(trimmed, " ")
}

// cutBullet removes the bullet that word processors put before a line.
func cutBullet(line string) string {
	trimmed := strings.TrimLeft(line, " ")
	for _, bullet := range []string{"•", "·", "▪", "◦", "‣", "●"} {
		if after, ok := strings.CutPrefix(trimmed, bullet); ok && strings.HasPrefix(after, " ") {
			return strings.TrimLeft(after, " ")
		}
	}
	return line
}

// plainRows parts plain text into rows, joining the lines of format=flowed.
func plainRows(text string, flowed, delSp bool) []row {
	lines := strings.Split(strings.TrimSuffix(lineEnds.Replace(text), "\n"), "\n")
	if flowed {
		return flowedRows(lines, delSp)
	}
	rows := make([]row, 0, len(lines))
	for _, line := range lines {
		rows = append(rows, makeRow(0, line))
	}
	return rows
}

// shortestWrap is the width below which no mail program wraps: RFC 3676 section
// 4.2 asks for 66 columns and more.
const shortestWrap = 50

// flowedRows joins flowed lines (RFC 3676 section 4). A blank at the end of a line
// after which the next word would have had room for long is no soft line break but
// one the player typed, and joining there would glue two orders together.
func flowedRows(lines []string, delSp bool) []row {
	var rows []row
	var paragraph strings.Builder
	open, depth := false, 0 // of the paragraph being joined
	flush := func() {
		if open {
			rows = append(rows, makeRow(depth, paragraph.String()))
			paragraph.Reset()
			open = false
		}
	}
	for i, line := range lines {
		d, text := unstuff(line)
		if open && d != depth { // section 4.5: the paragraph was ended improperly
			flush()
		}
		signature := text == "-- "
		if signature {
			flush()
		}
		depth = d
		soft := strings.HasSuffix(text, " ") && !signature && i+1 < len(lines)
		if soft && d == 0 && typedBreak(text, lines[i+1]) {
			soft = false
		}
		if soft && delSp {
			text = text[:len(text)-1]
		}
		paragraph.WriteString(text)
		open = true
		if !soft {
			flush()
		}
	}
	flush()
	return rows
}

// unstuff takes quote marks and one stuffed blank off a flowed line.
func unstuff(line string) (depth int, text string) {
	text = strings.TrimLeft(line, ">")
	return len(line) - len(text), strings.TrimPrefix(text, " ")
}

func typedBreak(line, next string) bool {
	_, next = unstuff(next)
	word, _, _ := strings.Cut(next, " ")
	return len([]rune(line))+len([]rune(word)) < shortestWrap
}
