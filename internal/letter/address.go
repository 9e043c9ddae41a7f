package letter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// mailbox is one sender or recipient: the bare address in lower case, and the
// decoded display name.
type mailbox struct{ addr, name string }

// Normalize is the form in which addresses are compared: lower case, the domain
// as DNS spells it, and one form for each Gmail box (gmail.com and googlemail.com
// are one, dots and plus-parts do not count there). Elsewhere the plus-part stays.
func Normalize(address string) string {
	address = strings.ToLower(strings.TrimSpace(address))
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address
	}
	local, domain := address[:at], asciiDomain(address[at+1:])
	if domain == "googlemail.com" || domain == "gmail.com" {
		local, _, _ = strings.Cut(local, "+")
		local, domain = strings.ReplaceAll(local, ".", ""), "gmail.com"
	}
	return local + "@" + domain
}

// withoutPlus drops the plus-part, in which our own addresses carry reply tokens.
func withoutPlus(address string) string {
	at := strings.LastIndexByte(address, '@')
	if plus := strings.IndexByte(address, '+'); plus > 0 && plus < at {
		return address[:plus] + address[at:]
	}
	return address
}

// domainOf is the part behind the last @, or the whole of a bare domain.
func domainOf(address string) string {
	return address[strings.LastIndexByte(address, '@')+1:]
}

// asciiDomain is a domain in lower case and A-labels, without a final dot.
func asciiDomain(domain string) string {
	domain = strings.TrimSuffix(strings.ToLower(domain), ".")
	if ascii, err := idna.Lookup.ToASCII(domain); err == nil {
		return ascii
	}
	return domain
}

// scanMailboxes reads an address list (RFC 5322 section 3.4) as leniently as mail
// programs write it: display names may be raw 8-bit, unquoted, with commas,
// comments or an @. Only what stands in angle brackets counts, or without any the
// one bare address; an address inside a display name never does, and where two
// bare ones stand beside each other neither does.
func scanMailboxes(value string) []mailbox {
	s := mailboxScanner{rest: value[:min(len(value), 100_000)]}
	for s.rest != "" {
		s.step()
	}
	s.finish()
	return s.found
}

type mailboxScanner struct {
	rest    string
	found   []mailbox
	phrase  []string // the display name's words so far
	word    []byte   // the word being read
	angles  []string // what stood in angle brackets
	bare    []string // words with an @ outside quotes
	noQuote bool     // no closing quote is left: a quote is a character as any other
	noParen bool     // likewise for comments
	noAngle bool     // likewise for angle brackets: what follows one ends at a blank
}

func (s *mailboxScanner) step() {
	c := s.rest[0]
	switch {
	case c == '"' && !s.noQuote:
		s.quoted()
	case c == '(' && !s.noParen:
		s.comment()
	case c == '<':
		s.endWord()
		s.angle()
	case c == ',' || c == ';':
		s.finish()
		s.rest = s.rest[1:]
	case c == ':' && len(s.angles) == 0 && len(s.bare) == 0 && !strings.Contains(string(s.word), "@") && !strings.HasPrefix(string(s.word), "=?"):
		// The name of a group: its members follow.
		s.phrase, s.word, s.rest = nil, nil, s.rest[1:]
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		s.endWord()
		s.rest = s.rest[1:]
	default:
		s.word, s.rest = append(s.word, c), s.rest[1:]
	}
}

// quoted takes a quoted string: part of a name, or a local part when an @ follows.
func (s *mailboxScanner) quoted() {
	end := closing(s.rest, '"', '"')
	if end < 0 {
		s.noQuote = true
		return
	}
	inside, after := s.rest[1:end], s.rest[end+1:]
	if strings.HasPrefix(after, "@") {
		s.word = append(s.word, s.rest[:end+1]...)
	} else {
		s.endWord()
		s.phrase = append(s.phrase, unescape(inside))
	}
	s.rest = after
}

func (s *mailboxScanner) comment() {
	end := closing(s.rest, '(', ')')
	if end < 0 {
		s.noParen = true
		return
	}
	s.endWord()
	s.rest = s.rest[end+1:]
}

func (s *mailboxScanner) angle() {
	s.rest = strings.TrimLeft(s.rest, "<")
	end, inQuote := -1, false
	for i := 0; i < len(s.rest) && end < 0 && !s.noAngle; i++ {
		switch s.rest[i] {
		case '"':
			inQuote = !inQuote
		case '>':
			if !inQuote {
				end = i
			}
		}
	}
	if end < 0 {
		s.noAngle = true
		end = strings.IndexAny(s.rest, ">,; \t")
	}
	if end < 0 {
		s.angles, s.rest = append(s.angles, s.rest), ""
		return
	}
	s.angles = append(s.angles, s.rest[:end])
	s.rest = strings.TrimLeft(s.rest[end:], ">")
}

func (s *mailboxScanner) endWord() {
	if len(s.word) == 0 {
		return
	}
	word := string(s.word)
	s.word = s.word[:0]
	if strings.Contains(word, "@") {
		s.bare = append(s.bare, word)
	}
	s.phrase = append(s.phrase, word)
}

// finish ends a mailbox at a comma or the end of the list.
func (s *mailboxScanner) finish() {
	s.endWord()
	addrs, name := s.angles, strings.Join(s.phrase, " ")
	if len(addrs) == 0 && len(s.bare) == 1 {
		addrs, name = s.bare, ""
	}
	for _, raw := range addrs {
		if addr, ok := cleanAddress(raw); ok {
			s.found = append(s.found, mailbox{addr, headerText(name)})
		}
	}
	s.phrase, s.angles, s.bare = nil, nil, nil
}

// cleanAddress checks what stood in angle brackets and gives it in lower case.
func cleanAddress(raw string) (string, bool) {
	raw = strings.TrimSpace(raw)
	if len(raw) >= 7 && strings.EqualFold(raw[:7], "mailto:") {
		raw = raw[7:]
	}
	if strings.HasPrefix(raw, "@") { // a source route, RFC 5322 section 4.4
		raw = raw[strings.LastIndexByte(raw, ':')+1:]
	}
	at := strings.LastIndexByte(raw, '@')
	if at <= 0 || len(raw) > 320 || !utf8.ValidString(raw) {
		return "", false
	}
	local, domain := strings.TrimSpace(raw[:at]), strings.TrimSuffix(strings.TrimSpace(raw[at+1:]), ".")
	if len(local) >= 2 && local[0] == '"' && local[len(local)-1] == '"' {
		inside := unescape(local[1 : len(local)-1])
		switch {
		case strings.ContainsAny(inside, "<>"): // nobody's, and it could be taken for two
			return "", false
		case !strings.ContainsAny(inside, " \t\"\\@,;:()[]") && inside != "":
			local = inside // the quotes said nothing
		}
	} else if strings.ContainsAny(local, " \t\"\\@,;:<>()[]") {
		return "", false
	}
	if local == "" || domain == "" || strings.IndexFunc(domain, notDomain) >= 0 || strings.IndexFunc(local, unicode.IsControl) >= 0 {
		return "", false
	}
	return strings.ToLower(local + "@" + domain), true
}

func notDomain(r rune) bool {
	return r != '.' && r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
}

// closing is the index of the character that ends the quoted string or (nested)
// comment at the start of s, -1 if it stays open.
func closing(s string, begin, end byte) int {
	depth := 1
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == end:
			if depth--; depth == 0 {
				return i
			}
		case s[i] == begin:
			depth++
		}
	}
	return -1
}

// unescape drops the backslashes of a quoted string's quoted pairs.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out = append(out, s[i])
	}
	return string(out)
}
