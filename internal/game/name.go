package game

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// MaxName is the longest name of a seat, in characters (G-13).
const MaxName = 24

// CleanName brings a name to the form it is kept in: NFC, single blanks.
func CleanName(name string) string {
	return norm.NFC.String(strings.Join(strings.Fields(name), " "))
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
		case unicode.IsLetter(r):
		case i == 0:
			return "name-start"
		case unicode.IsDigit(r), strings.ContainsRune(" -'.", r):
		case unicode.IsMark(r): // what NFC could not compose is still a letter's part
		default:
			return "name-character"
		}
	}
	if slices.Contains(reservedNames(), Fold(name)) {
		return "name-reserved"
	}
	return ""
}

// reservedNames are words that conditions and targets of some game read as
// something else (G-13).
func reservedNames() []string { return []string{"s", "n", "c", "me", "ich", "yo", "dummy"} }

// Fold brings text to the form in which words and names are compared: lower
// case, ü as ue, ß as ss, accents gone (G-4).
func Fold(s string) string {
	s = cases.Fold().String(norm.NFC.String(s))
	var b strings.Builder
	for _, r := range s {
		switch r {
		case 'ä', 'æ':
			b.WriteString("ae")
		case 'ö', 'ø', 'œ':
			b.WriteString("oe")
		case 'ü':
			b.WriteString("ue")
		default:
			for _, d := range norm.NFD.String(string(r)) {
				if !unicode.IsMark(d) {
					b.WriteRune(d)
				}
			}
		}
	}
	return b.String()
}

// SameName reports whether two names cannot be told apart safely: by case, by
// umlaut, or by letters that look alike (G-13, Unicode UTS 39).
func SameName(a, b string) bool { return nameKey(a) == nameKey(b) }

func nameKey(s string) string {
	return confusable.Skeleton(Fold(strings.Join(strings.Fields(s), " ")))
}
