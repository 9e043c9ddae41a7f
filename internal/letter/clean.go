package letter

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fractions are the glyphs that keyboards and word processors make of a pair of
// numbers. They are mapped here and not by NFKC, which would turn "1½" into "11/2".
var fractions = map[rune]string{
	'¼': "1/4", '½': "1/2", '¾': "3/4", '⅐': "1/7", '⅑': "1/9", '⅒': "1/10",
	'⅓': "1/3", '⅔': "2/3", '⅕': "1/5", '⅖': "2/5", '⅗': "3/5", '⅘': "4/5",
	'⅙': "1/6", '⅚': "5/6", '⅛': "1/8", '⅜': "3/8", '⅝': "5/8", '⅞': "7/8", '↉': "0/3",
}

// lineEnds are characters that end a line besides LF.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n",
	"\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// cleanLine normalises one line: see cleanRunes; then fraction glyphs, then
// trailing blanks go, except those of the signature delimiter "-- ", by which a
// reader of orders knows it from a row of dashes.
func cleanLine(s string) (text, note string) {
	text = cleanRunes(s)
	text, note = readFractions(text)
	trimmed := strings.TrimRight(text, " ")
	if trimmed == "--" && text != trimmed {
		return "-- ", note
	}
	return trimmed, note
}

// cleanRunes gives every character the plain form orders are written in: blanks of
// any kind are a blank, invisible characters vanish, full-width forms, slashes,
// quotes and hyphens become ASCII, and the rest is in NFC.
func cleanRunes(s string) string {
	if isPlain(s) {
		return s
	}
	// Before, since NFC makes a back quote or an acute accent of some Greek marks;
	// after, since a letter and its accent may have had an invisible between them.
	return norm.NFC.String(strings.Map(cleanRune, norm.NFC.String(s)))
}

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f || s[i] == '`' {
			return false
		}
	}
	return true
}

func cleanRune(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || unicode.Is(unicode.Z, r):
		return ' '
	case '\uFF01' <= r && r <= '\uFF5E': // full-width forms of ASCII
		return cleanRune(r - 0xFEE0)
	case r == '\u034F' || r == '\u20E3': // grapheme joiner, keycap
		return -1
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector):
		return -1
	}
	switch r {
	case '\u2044', '\u2215', '\u29F8':
		return '/'
	case '‘', '’', '‚', '‛', '′', '‹', '›', '`', '´', '\u02BC':
		return '\''
	case '“', '”', '„', '‟', '″', '«', '»':
		return '"'
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2212', '\uFE63':
		return '-'
	}
	return r
}

// readFractions spells out fraction glyphs that stand alone. One that touches a
// number, a word or another glyph is left: "1½" and "2/½" are no pair, and the
// player must see his own characters quoted back.
func readFractions(s string) (text, note string) {
	if strings.IndexFunc(s, isFraction) < 0 {
		return s, ""
	}
	var out strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		alone := (i == 0 || !touches(runes[i-1])) && (i+1 == len(runes) || !touches(runes[i+1]))
		if pair, ok := fractions[r]; ok && alone {
			out.WriteString(pair)
			note = NoteFraction
			continue
		}
		out.WriteRune(r)
	}
	return out.String(), note
}

func isFraction(r rune) bool {
	if r < '¼' { // the first of them
		return false
	}
	_, ok := fractions[r]
	return ok
}

func touches(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || strings.ContainsRune("/.+-%", r)
}
