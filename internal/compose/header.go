package compose

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxLine = 76 // octets in a line, CRLF not counted (RFC 2045, 6.7; RFC 2047, 2)
	maxWord = 75 // octets in an encoded word (RFC 2047, 2)

	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	// atext are the characters an atom is made of (RFC 5322, 3.2.3).
	atext = alphanumeric + "!#$%&'*+-/=?^_`{|}~"

	wordOpen, wordClose = "=?utf-8?q?", "?="
)

// field writes one header field. The tokens are parted by a blank, or by a
// fold where the line would grow beyond maxLine; a token is never broken.
func field(out *bytes.Buffer, name string, tokens ...string) {
	out.WriteString(name)
	out.WriteByte(':')
	column := len(name) + 1
	for i, token := range tokens {
		// The first token stays beside the name: a line of white space alone
		// is obsolete syntax (RFC 5322, 4.2).
		if i > 0 && column+1+len(token) > maxLine {
			out.WriteString("\r\n")
			column = 0
		}
		out.WriteByte(' ')
		out.WriteString(token)
		column += 1 + len(token)
	}
	out.WriteString("\r\n")
}

// unstructured returns the tokens of a field of free text.
func unstructured(name, text string) []string {
	text = clean(text, "")
	if text == "" {
		return nil
	}
	room := maxLine - len(name) - len(": ")
	if words := strings.Split(text, " "); plain(text) && longest(words) <= room {
		return words
	}
	return encode(text, room)
}

// phrase returns the tokens of a display name: atoms, a quoted string or
// encoded words (RFC 5322, 3.2.5).
func phrase(name, text string) []string {
	text = clean(text, "")
	if text == "" {
		return nil
	}
	room := maxLine - len(name) - len(": ")
	words := strings.Split(text, " ")
	if plain(text) && longest(words) <= room && made(text, 1, len(text), atext+" ") {
		return words
	}
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	if plain(text) && len(quoted) <= room {
		return []string{quoted}
	}
	return encode(text, room)
}

// mailbox returns the tokens of an address with its name.
func mailbox(name string, a Address) ([]string, error) {
	addr, err := Mailbox(a.Addr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	tokens := phrase(name, a.Name)
	if len(tokens) == 0 {
		return []string{addr}, nil
	}
	return append(tokens, "<"+addr+">"), nil
}

// references returns the tokens of a References field: the first identifier,
// which names the thread, and the last ones, however many there were.
func references(ids []string) []string {
	const most = 20
	var tokens []string
	for _, id := range ids {
		if validID(id) {
			tokens = append(tokens, "<"+id+">")
		}
	}
	if len(tokens) > most {
		tokens = append(tokens[:1], tokens[len(tokens)-most+1:]...)
	}
	return tokens
}

// plain tells whether a reader gets text back unchanged when it is written as
// it is. It does not when a fold would swallow a blank, or when part of it
// looks like an encoded word.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return !strings.Contains(text, "=?") && !strings.Contains(text, "  ") && strings.TrimSpace(text) == text
}

// encode writes text as encoded words of the Q encoding, the first of them at
// most room octets long. Only letters and digits stay as they are, so that
// the words are right in a phrase as well (RFC 2047, 5, rule 3). No character
// is split between two words.
func encode(text string, room int) []string {
	const hexDigits = "0123456789ABCDEF"
	var words []string
	limit := min(room, maxWord) - len(wordOpen) - len(wordClose)
	var word, char strings.Builder
	for _, r := range text {
		char.Reset()
		for _, b := range utf8.AppendRune(nil, r) {
			switch {
			case strings.IndexByte(alphanumeric, b) >= 0:
				char.WriteByte(b)
			case b == ' ':
				char.WriteByte('_')
			default:
				char.WriteByte('=')
				char.WriteByte(hexDigits[b>>4])
				char.WriteByte(hexDigits[b&15])
			}
		}
		if word.Len()+char.Len() > limit {
			words = append(words, wordOpen+word.String()+wordClose)
			word.Reset()
			limit = maxWord - len(wordOpen) - len(wordClose)
		}
		word.WriteString(char.String())
	}
	return append(words, wordOpen+word.String()+wordClose)
}

// clean makes text safe to show: valid UTF-8, and a blank for every control
// character and line separator that is not in keep.
func clean(text, keep string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(keep, r):
			return r
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
}

// made tells whether s has between least and most octets, all of them in set.
func made(s string, least, most int, set string) bool {
	return len(s) >= least && len(s) <= most && strings.Trim(s, set) == ""
}

func longest(words []string) int {
	n := 0
	for _, w := range words {
		n = max(n, len(w))
	}
	return n
}
