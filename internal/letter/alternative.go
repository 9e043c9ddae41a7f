package letter

import (
	"regexp"
	"strings"
)

// chooseAlternative decides between the plain text and the HTML of one letter. The
// plain text is taken unless it is blank, a stub, or was spoilt by the program that
// made it from the HTML the sender saw: marks put around bold words ("*NAME*
// Müller"), long lines wrapped, line ends lost.
func chooseAlternative(plain, rich []row) (rows []row, isRich bool) {
	switch {
	case allBlank(rich):
		return plain, false
	case allBlank(plain), isStub(plain):
		return rich, true
	}
	p, r := outlineOf(plain), outlineOf(rich)
	if p.letters == r.letters && p.spoilt(r) {
		return rich, true
	}
	return plain, false
}

// isStub recognises the plain text that only says to look at the HTML.
func isStub(rows []row) bool {
	lines, says := 0, false
	for _, r := range rows {
		if !r.blank() {
			lines++
			says = says || strings.Contains(strings.ToLower(r.text), "html")
		}
	}
	return says && lines <= 4
}

// outline is what the sender's own lines of two alternatives are compared by.
type outline struct {
	letters string    // the text without blanks, links and the signs that converters add
	marks   int       // how many signs were left out that converters use as marks
	ends    []lineEnd // of the lines with letters
}

type lineEnd struct {
	at    int // bytes of letters before it
	width int // runes of the line and the next word, joined by a blank
}

var (
	link  = regexp.MustCompile(`<(?:https?|mailto|tel|x-apple-data-detectors):[^<>]*>|\bhttps?://\S+|\[(?:image|cid):[^\]]*\]`)
	marks = strings.NewReplacer("*", "", "_", "", "/", "", "|", "", "-", "", " ", "")
)

func outlineOf(rows []row) outline {
	own, _ := splitQuotes(rows)
	var o outline
	var letters strings.Builder
	for _, line := range own {
		text := line.Text
		if strings.Contains(text, ":") {
			text = link.ReplaceAllString(text, "")
		}
		bare := marks.Replace(text)
		if bare == "" {
			continue
		}
		if n := len(o.ends); n > 0 {
			first, _, _ := strings.Cut(strings.TrimLeft(text, " "), " ")
			o.ends[n-1].width += 1 + len([]rune(first))
		}
		o.marks += strings.Count(text, "*") + strings.Count(text, "_") + strings.Count(text, "/")
		letters.WriteString(bare)
		o.ends = append(o.ends, lineEnd{letters.Len(), len([]rune(text))})
	}
	o.letters = letters.String()
	return o
}

// spoilt reports whether rich, of the same letters, is the better reading: it breaks
// lines wherever plain does, but for breaks that are mere wrapping, and it differs.
func (plain outline) spoilt(rich outline) bool {
	kept := 0 // of rich's line ends
	for _, end := range plain.ends {
		for kept < len(rich.ends) && rich.ends[kept].at < end.at {
			kept++
		}
		here := kept < len(rich.ends) && rich.ends[kept].at == end.at
		if !here && end.width < shortestWrap {
			return false
		}
	}
	if plain.marks > rich.marks || len(plain.ends) != len(rich.ends) {
		return true
	}
	for i := range plain.ends {
		if plain.ends[i].at != rich.ends[i].at {
			return true
		}
	}
	return false
}
