package orders

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ringpost/internal/game"
)

// reader says whether a text can follow a keyword, and in what form it counts.
// Text that cannot makes the line prose.
type reader func(args string) (string, bool)

const digits = "0123456789"

// marks are what surrounds a word that is copied out of a sentence.
const marks = ".,;!?\"'“”„‚‘’«»‹›<>[](){}"

func nothing(args string) (string, bool) { return "", args == "" }

func anything(args string) (string, bool) { return args, true }

// oneWord is a word without a sentence's marks: "Language matters." is prose.
func oneWord(args string) (string, bool) {
	return args, args != "" && len(args) <= 64 && only(args, "/_-+")
}

// address is a bare mail address; a mailer may have set it in brackets.
func address(args string) (string, bool) {
	a := strings.Trim(args, "<>")
	local, domain, ok := strings.Cut(a, "@")
	return a, ok && local != "" && strings.Contains(domain, ".") && len(a) <= 254 && !strings.ContainsAny(domain, "@") && !strings.ContainsAny(a, " <>\"(),;:")
}

func gameID(args string) (string, bool) {
	id := strings.Trim(args, marks)
	return id, id != "" && len(id) <= 64 && only(id, "-_.")
}

// name keeps what a name can hold (G-13) and leaves out what follows it. A name
// that is too long or too odd still opens a block: it is better refused by name
// than passed over.
func name(args string) (string, bool) {
	n, _, _ := strings.Cut(args, "(")
	_, ok := short(n)
	if i := strings.IndexAny(n, ",;/|"); i >= 0 {
		n = n[:i]
	}
	n = game.CleanName(strings.Trim(n, "\"“”„«»<>[] "))
	return n, ok && strings.IndexFunc(n, unicode.IsLetter) >= 0
}

func short(args string) (string, bool) {
	return args, args != "" && len(args) <= 8*game.MaxName &&
		utf8.RuneCountInString(args) <= 2*game.MaxName && strings.Count(args, " ") < 5
}

// applicant is a name to sign up with. One that cannot be is better refused than
// passed over; "Join with Google Meet" is prose.
func applicant(args string) (string, bool) {
	_, ok := short(args)
	first, _, _ := strings.Cut(args, " ")
	return args, ok && !smallWord(first)
}

// whom is a name to ask about; "Record time, too!" is prose.
func whom(args string) (string, bool) {
	_, ok := applicant(args)
	return args, ok && !strings.ContainsAny(args, ",;!?")
}

// smallWord knows words that go on with a sentence and begin no name.
func smallWord(w string) bool {
	switch game.Fold(strings.Trim(w, marks)) {
	case "with", "by", "us", "our", "me", "my", "now", "here", "this", "in", "on", "at", "to", "from", "via", "of", "for",
		"mit", "zu", "zum", "zur", "fuer", "bei", "beim", "bis", "per", "von", "vom", "am", "im", "ist", "war", "wird", "und", "oder",
		"con", "por", "para":
		return true
	}
	return false
}

// optional takes nothing too.
func optional(read reader) reader {
	return func(args string) (string, bool) {
		if args == "" {
			return "", true
		}
		return read(args)
	}
}

// number reads up to seven digits; a sentence's mark may follow them.
func number(args string) (string, bool) {
	n := strings.Trim(args, marks)
	return n, n != "" && len(n) <= 7 && strings.TrimLeft(n, digits) == ""
}

// figures wants a pair at the beginning, or figures in every other word: "Zug
// fährt um 12:30 ab" is prose. An empty rest counts, since the mailer may have
// wrapped all of it.
func figures(args string) (string, bool) {
	n, of := 0, 0
	for word := range strings.FieldsSeq(args) {
		if of++; strings.ContainsAny(word, "/⁄∕") || strings.IndexFunc(word, unicode.IsNumber) >= 0 {
			n++
		}
		if of == 1 && strings.ContainsAny(word, "/⁄∕") {
			return args, true
		}
	}
	return args, 2*n >= of
}

func fewWords(args string) (string, bool) { return args, strings.Count(args, " ") < 3 }

// code reads a confirmation's code.
func code(args string) (string, bool) {
	c := strings.Trim(args, marks)
	return c, len(c) >= 6 && len(c) <= 16 && only(c, "")
}

// only reports whether s has nothing but ASCII letters, digits and the others.
func only(s, others string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune(others, r)
	}) < 0
}
