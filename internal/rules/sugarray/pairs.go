package sugarray

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"ringpost/internal/game"
)

// figures is a ZUG line as far as it could be read.
type figures struct {
	line   int
	text   string // as written
	pairs  [BoxingRounds]Pair
	read   int          // how many of them could be read; the others are 0/0 (SR-3)
	meant  int          // how many of the others were pairs but for their slash
	blank  bool         // the ready block's line, not filled in
	issues []game.Issue // errors, all of them
}

// bad reports whether the line is in error, so that it cannot replace good
// orders (G-7).
func (f figures) bad() bool { return len(f.issues) > 0 }

// same reports whether two lines say the same.
func (f figures) same(g figures) bool {
	return f.pairs == g.pairs && f.read == g.read && len(f.issues) == len(g.issues)
}

// readFigures reads a ZUG line: five pairs, parted by blanks, commas or
// semicolons (G-4).
func readFigures(s game.Statement) figures {
	f := figures{line: s.Line, text: rejoin(s)}
	tokens := tokenize(f.text)
	f.blank = true
	for _, t := range tokens {
		f.blank = f.blank && strings.Trim(t, "_/") == ""
	}
	if f.blank {
		return f
	}
	for i, t := range tokens {
		if i == BoxingRounds {
			break
		}
		pair, issue := readPair(t, i+1)
		if issue != nil {
			issue.Line = s.Line
			f.issues = append(f.issues, *issue)
			if issue.Code == issuePairDash {
				f.meant++
			}
			continue
		}
		f.pairs[i] = pair
		f.read++
	}
	if n := len(tokens); n != BoxingRounds {
		code := issuePairsMissing
		if n > BoxingRounds {
			code = issuePairsMany
		}
		f.issues = append(f.issues, game.Issue{Line: s.Line, Code: code, Args: []string{strconv.Itoa(n)}, Error: true})
	}
	return f
}

// rejoin puts back together what the sender's mailer wrapped: lines of nothing
// but figures belong to the line above, anything else ends it. They are never
// left out, so that half an order is not taken for a whole one, and never
// joined inside a number.
func rejoin(s game.Statement) string {
	text := s.Args
	for _, t := range s.Tail {
		if !continues(t) {
			break
		}
		text += " " + t
	}
	return strings.TrimSpace(text)
}

// continues tells figures, or the ready block's blanks, from a signature's rows
// of underscores and from words.
func continues(tail string) bool {
	return strings.Trim(tail, "0123456789/_,; ") == "" &&
		(strings.ContainsAny(tail, "0123456789") || strings.Contains(tail, "_/_"))
}

// tokenize parts the pairs of a line and closes blanks around a slash where the
// pair has one reading only: "2 / 3" is 2/3, but in "2/ 3 /1" the 3 could belong
// to either.
func tokenize(text string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' }) {
		words := strings.Fields(part)
		open := false // the word before waits for a number
		for len(words) > 0 {
			n := 1
			switch {
			case open:
			case len(words) >= 3 && number(words[0]) && words[1] == "/" && number(words[2]):
				n = 3
			case len(words) >= 2 && openEnded(words[0]) && number(words[1]),
				len(words) >= 2 && number(words[0]) && openFronted(words[1]):
				n = 2
			}
			if n > 1 && len(words) > n && words[n][0] == '/' {
				n = 1
			}
			pair := strings.Join(words[:n], "")
			open = strings.HasSuffix(pair, "/")
			out, words = append(out, pair), words[n:]
		}
	}
	return out
}

// openEnded is "2/", openFronted is "/3".
func openEnded(s string) bool {
	s, ok := strings.CutSuffix(s, "/")
	return ok && number(s)
}

func openFronted(s string) bool {
	s, ok := strings.CutPrefix(s, "/")
	return ok && number(s)
}

// number reports whether s is digits and nothing else.
func number(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// readPair reads the n-th pair of a line.
func readPair(text string, n int) (Pair, *game.Issue) {
	issue := func(code string, more ...string) *game.Issue {
		return &game.Issue{Code: code, Args: append([]string{quote(text), strconv.Itoa(n)}, more...), Error: true}
	}
	o, d, ok := strings.Cut(text, "/")
	o, d = strings.Trim(o, "_"), strings.Trim(d, "_") // written beside the ready block's blanks
	if !ok || !number(o) || !number(d) {
		if i := strings.IndexAny(text, `-–—:|\`); i > 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			if o, d := text[:i], text[i+size:]; number(o) && number(d) {
				return Pair{}, issue(issuePairDash, quote(o+"/"+d))
			}
		}
		return Pair{}, issue(issuePairInvalid)
	}
	var p Pair
	if err := p.UnmarshalText([]byte(o + "/" + d)); err != nil {
		if errors.Is(err, errLarge) || errors.Is(err, strconv.ErrRange) {
			return Pair{}, issue(issuePairLarge)
		}
		return Pair{}, issue(issuePairInvalid)
	}
	return p, nil
}

// quote bounds what is quoted back.
func quote(s string) string {
	const most = 24
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
