package letter

import "strings"

// authResults is an Authentication-Results field, read (RFC 8601 section 2.2).
type authResults struct {
	server  string // the authserv-id, lower case
	methods []authMethod
}

// authMethod is one method's result with the properties it was found for.
type authMethod struct {
	name, result string // lower case
	props        []authProp
}

// authProp is a property such as header.from; name is in lower case, the value as
// the server wrote it.
type authProp struct{ name, value string }

// prop is the value of the first property of that name, "" if there is none.
func (m authMethod) prop(name string) string {
	for _, p := range m.props {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

// parseAuthResults reads a field by its grammar. Comments and quoted strings can
// hold what a sender chose, so they never count as anything else, and a field with
// a character out of place is refused as a whole. Two liberties are taken because
// large servers need them: a value may hold any character that ends nothing, and a
// property may lack its type ("action=none").
func parseAuthResults(field string) (authResults, bool) {
	s := authScanner{rest: field}
	r := authResults{server: strings.ToLower(s.value())}
	if r.server == "" {
		return r, false
	}
	if s.peek() >= '0' && s.peek() <= '9' { // the version
		s.keyword()
	}
	for !s.bad && s.peek() != 0 {
		if !s.take(';') {
			return r, false
		}
		if s.peek() == 0 { // many servers end with a semicolon
			break
		}
		if m := s.method(); m.result != "" {
			r.methods = append(r.methods, m)
		}
	}
	return r, !s.bad
}

// AuthservID is the name with which a server signed an Authentication-Results field
// (RFC 8601 section 2.5), in lower case; "" when the field has none or cannot be read.
func AuthservID(field string) string {
	r, ok := parseAuthResults(field)
	if !ok || strings.Contains(r.server, "=") { // Microsoft writes its results and no name
		return ""
	}
	return r.server
}

type authScanner struct {
	rest string
	bad  bool
}

// method reads "dkim=pass (comment) reason="..." header.d=example.org"; "none" alone
// says that no method was tried.
func (s *authScanner) method() authMethod {
	m := authMethod{name: s.keyword()}
	if c := s.peek(); m.name == "none" && (c == 0 || c == ';') {
		return m
	}
	if s.take('/') { // the method's version
		s.keyword()
	}
	s.must('=')
	m.result = s.keyword()
	for c := s.peek(); !s.bad && c != 0 && c != ';'; c = s.peek() {
		name := s.keyword()
		for s.take('.') {
			name += "." + s.keyword()
		}
		s.must('=')
		m.props = append(m.props, authProp{name, s.value()})
	}
	return m
}

// peek is the next character after blanks and comments, 0 at the end.
func (s *authScanner) peek() byte {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t\r\n")
		if s.rest == "" {
			return 0
		}
		if s.rest[0] != '(' {
			return s.rest[0]
		}
		end := closing(s.rest, '(', ')')
		if end < 0 {
			s.fail()
			return 0
		}
		s.rest = s.rest[end+1:]
	}
}

func (s *authScanner) fail() { s.bad, s.rest = true, "" }

func (s *authScanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *authScanner) must(c byte) {
	if !s.take(c) {
		s.fail()
	}
}

// keyword reads the name of a method, result or property, in lower case.
func (s *authScanner) keyword() string {
	s.peek()
	n := 0
	for n < len(s.rest) && (isAlnum(s.rest[n]) || s.rest[n] == '-' || s.rest[n] == '_') {
		n++
	}
	if n == 0 {
		s.fail()
		return ""
	}
	word := s.rest[:n]
	s.rest = s.rest[n:]
	return strings.ToLower(word)
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// value reads a word, a quoted string, or an address whose local part is quoted.
func (s *authScanner) value() string {
	s.peek()
	var out strings.Builder
	for s.rest != "" && !strings.ContainsRune(" \t\r\n;()", rune(s.rest[0])) {
		if s.rest[0] != '"' {
			out.WriteByte(s.rest[0])
			s.rest = s.rest[1:]
			continue
		}
		end := closing(s.rest, '"', '"')
		if end < 0 {
			s.fail()
			return ""
		}
		out.WriteString(unescape(s.rest[1:end]))
		s.rest = s.rest[end+1:]
	}
	return out.String()
}
