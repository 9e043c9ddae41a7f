package game

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// MaxName is the longest name of a seat, in characters (G-13).
const MaxName = 24

// CleanName brings a name to the form it is kept in: NFC, single blanks, and
// the apostrophe and hyphen of the keyboard for those that phones put in.
func CleanName(name string) string {
	name = strings.ToValidUTF8(name, "\ufffd") // behind a broken byte nothing would be composed
	name = norm.NFC.String(strings.Join(strings.Fields(name), " "))
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u2019', '\u02bc':
			return '\''
		case '\u2010', '\u2011':
			return '-'
		}
		return r
	}, name)
}

// CheckName returns the code of what is wrong with a cleaned name (G-13):
// "name-empty", "name-long", "name-start", "name-character" or "name-reserved";
// "" when it is a good name.
func CheckName(name string) string {
	switch {
	case name == "":
		return "name-empty"
	case utf8.RuneCountInString(name) > MaxName:
		return "name-long"
	}
	for i, r := range name {
		switch {
		case blankLetter(r):
			return "name-character"
		case unicode.IsLetter(r):
		case i == 0:
			return "name-start"
		case unicode.IsDigit(r), strings.ContainsRune(" -'.", r):
		case unicode.IsMark(r): // what NFC could not compose is still a letter's part
		default:
			return "name-character"
		}
	}
	mine := NameKeys(name)
	if slices.ContainsFunc(reservedKeys(), func(r [2]string) bool { return sameKeys(mine, r) }) {
		return "name-reserved"
	}
	return ""
}

// NameCodes lists what CheckName can find wrong.
func NameCodes() []string {
	return []string{"name-empty", "name-long", "name-start", "name-character", "name-reserved"}
}

// reservedNames are words that conditions and targets of some game read as
// something else (G-13).
func reservedNames() []string { return []string{"s", "n", "c", "me", "ich", "yo", "dummy"} }

// reservedKeys are their keys, which cost too much to be made for every name.
var reservedKeys = sync.OnceValue(func() (keys [][2]string) {
	for _, r := range reservedNames() {
		keys = append(keys, NameKeys(r))
	}
	return keys
})

// blankLetter tells the letters of Unicode that show nothing: the Hangul fillers.
func blankLetter(r rune) bool {
	return r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0'
}

// Fold brings text to the form in which words and names are compared: lower
// case, ü as ue, ß as ss, accents gone (G-4).
func Fold(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	// Lower case once more: folding alone swaps the two cases of Cherokee.
	s = strings.ToLower(cases.Fold().String(norm.NFC.String(s)))
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r == 'ä':
			b.WriteString("ae")
		case r == 'ö':
			b.WriteString("oe")
		case r == 'ü':
			b.WriteString("ue")
		default:
			foldAccents(&b, r)
		}
	}
	return b.String()
}

// foldAccents writes a character without its marks, ligatures as two letters.
func foldAccents(b *strings.Builder, r rune) {
	for _, d := range norm.NFD.String(string(r)) {
		switch {
		case d == 'æ':
			b.WriteString("ae")
		case d == 'ø', d == 'œ':
			b.WriteString("oe")
		case !unicode.IsMark(d):
			b.WriteRune(d)
		}
	}
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// SameName reports whether two names cannot be told apart safely: by case, by
// umlaut, or by letters that look alike (G-13, Unicode UTS 39). It says whether
// two seats may stand in one game; whose orders a name means is asked by Fold
// alone, since "Ian" looks like both "ian" and "lan".
//
// Some letters look alike in one case only (M and the Cyrillic М, not m and м),
// so names are compared both as they are written and in lower case.
func SameName(a, b string) bool {
	return sameKeys(NameKeys(a), NameKeys(b))
}

func sameKeys(x, y [2]string) bool { return x[0] == y[0] || x[1] == y[1] }

// NameKeys are what SameName compares: two names are the same when their first
// keys are equal, or their second ones. With them a name is looked up among many.
func NameKeys(name string) [2]string {
	name = CleanName(name)
	return [2]string{lowerSkeleton(name), lowerSkeleton(confusable.Skeleton(name))}
}

func lowerSkeleton(s string) string { return confusable.Skeleton(Fold(s)) }
