package orders

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"ringpost/internal/game"
)

// lexicon is the table by word and by key.
type lexicon struct {
	byWord  map[string]entry // by folded word
	byKey   map[game.Keyword]entry
	lines   []spelling // the words that a block is made of
	longest int        // bytes of the longest word that can be one of ours
}

type spelling struct {
	word  string // folded
	entry entry
}

// allWords is the lexicon: made once, never changed.
var allWords = sync.OnceValue(newLexicon)

func newLexicon() *lexicon {
	l := &lexicon{byWord: map[string]entry{}, byKey: map[game.Keyword]entry{}}
	for _, e := range table() {
		l.byKey[e.key] = e
		for _, w := range slices.Concat(e.de, e.en, e.es) {
			w = game.Fold(w)
			if _, twice := l.byWord[w]; !twice && (e.class == line || e.class == opener || e.class == shaped || e.class == managed) {
				l.lines = append(l.lines, spelling{w, e})
			}
			l.byWord[w] = e
			l.longest = max(l.longest, 3*len(w)) // a letter and its accent
		}
	}
	return l
}

func (l *lexicon) find(word string) (entry, bool) {
	if word == "" || len(word) > l.longest {
		return entry{}, false
	}
	e, ok := l.byWord[game.Fold(word)]
	return e, ok
}

// read parts a line into its keyword and what follows it; ok is false when it
// begins with none, or with one that cannot be meant.
func (l *lexicon) read(text string) (e entry, args string, ok bool) {
	word, args := splitKeyword(text)
	if e, ok = l.find(word); ok {
		args, ok = e.read(args)
	}
	return e, args, ok
}

// nearest finds the keyword of a block that a line's first word was meant to
// be: one letter wrong, missing or too many, or two exchanged. What follows must
// fit it; the words of managers' blocks are known in these alone.
func (l *lexicon) nearest(text string, manager bool) (game.Keyword, bool) {
	word, args := splitKeyword(text)
	if _, is := l.find(word); is || len(word) < 3 || len(word) > l.longest {
		return "", false // a keyword itself is no other one mistyped: "round 3"
	}
	word = game.Fold(word)
	for _, s := range l.lines {
		if (s.entry.class != managed || manager) && oneOff(word, s.word) {
			if _, ok := s.entry.read(args); ok {
				return s.entry.key, true
			}
		}
	}
	return "", false
}

// oneOff reports whether a becomes b by one slip of the fingers. A first letter
// that is merely another does not count: too many words differ by it.
func oneOff(a, b string) bool {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	x, y := a[i:], b[i:]
	switch len(x) - len(y) {
	case 1:
		return x[1:] == y && i > 0
	case -1:
		return x == y[1:]
	case 0:
		if len(x) > 1 && x[0] == y[1] && x[1] == y[0] && x[2:] == y[2:] {
			return true
		}
		return len(x) > 0 && x[1:] == y[1:] && i > 0
	}
	return false
}

// splitKeyword parts a line after its first word. A colon, an equals sign or a
// dash may stand between, and nothing need when figures follow.
func splitKeyword(text string) (word, args string) {
	i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	if i < 0 {
		return text, ""
	}
	word, args = text[:i], text[i:]
	if c := args[0]; c != ' ' && c != ':' && c != '=' && (c < '0' || c > '9') {
		return "", ""
	}
	args = strings.TrimLeft(args, " :=")
	for _, dash := range []string{"- ", "– ", "— "} {
		args = strings.TrimPrefix(args, dash)
	}
	return word, args
}

// singleBlanks makes every run of blanks one and drops those at the ends.
func singleBlanks(text string) string {
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ' && (i == 0 || text[i-1] == ' ' || i == len(text)-1), c < ' ',
			c == 0xc2, 0xe1 <= c && c <= 0xe3: // with these begin the blanks beyond ASCII
			return strings.Join(strings.Fields(text), " ")
		}
	}
	return text
}

// undecorate takes away what lists and emphasis put around a line.
func undecorate(text string) string {
	bare := strings.TrimLeft(text, "-–—•·* ")
	if strings.HasPrefix(text, "*") {
		bare = singleBlanks(strings.ReplaceAll(bare, "*", " "))
	}
	return bare
}
