package letter

import (
	"bytes"
	"strings"
)

// maxHeader bounds a header block in bytes; no mail program writes a tenth of it.
const maxHeader = 1 << 20

// field is one header field: its name in lower case, its value unfolded but
// otherwise as sent (it may hold raw 8-bit text of any charset).
type field struct{ name, value string }

// header is a block of fields in their order in the mail.
type header []field

// get is the value of the first field of that (lower-case) name, "" if none.
func (h header) get(name string) string {
	for _, f := range h {
		if f.name == name {
			return f.value
		}
	}
	return ""
}

func (h header) has(name string) bool {
	for _, f := range h {
		if f.name == name {
			return true
		}
	}
	return false
}

func (h header) all(name string) []string {
	var values []string
	for _, f := range h {
		if f.name == name {
			values = append(values, f.value)
		}
	}
	return values
}

// foldLineEnds gives every line the end LF: \r\n, \r\r\n (what a text-mode copy
// makes of it) and a bare \r all count as one line end.
func foldLineEnds(raw []byte) []byte {
	if bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '\r')
		if i < 0 {
			return append(out, raw...)
		}
		out, raw = append(out, raw[:i]...), raw[i:]
		after := bytes.TrimLeft(raw, "\r")
		if rest, ok := bytes.CutPrefix(after, []byte("\n")); ok {
			out, raw = append(out, '\n'), rest
			continue
		}
		for range len(raw) - len(after) {
			out = append(out, '\n')
		}
		raw = after
	}
	return out
}

// splitMail parts a mail with LF line ends into header and body, past blank lines
// and an mbox "From " line at its top.
func splitMail(raw []byte) (header, []byte) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	for len(raw) > 0 && (raw[0] == '\n' || raw[0] == ' ' || raw[0] == '\t') {
		raw = raw[1:]
	}
	if line, rest, _ := bytes.Cut(raw, []byte("\n")); !knownField(line) &&
		(bytes.HasPrefix(line, []byte("From ")) || bytes.HasPrefix(line, []byte(">From "))) {
		raw = rest
	}
	return splitHeader(raw)
}

// splitPart is splitMail for a MIME part, whose header may be empty (RFC 2046
// section 5.1): text that does not begin like a header has none.
func splitPart(raw []byte) (header, []byte) {
	line, _, _ := bytes.Cut(raw, []byte("\n"))
	if len(bytes.TrimSpace(line)) > 0 && !knownField(line) {
		return nil, raw
	}
	return splitHeader(raw)
}

// splitHeader finds the end of the header. Bad lines between fields are left out.
// Lines after the last field that is surely one belong to the body: they are what
// a missing blank line leaves there, and a block such as "NAME: Müller" looks
// like a header field to anyone but us.
func splitHeader(raw []byte) (header, []byte) {
	var lines [][]byte
	rest, last := raw, -1 // rest: after the lines; last: index of the last sure field
	restOfLast := raw     // what follows that field
	folding := false      // the line before belongs to a sure field
	for len(rest) > 0 && len(raw)-len(rest) < maxHeader {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		if len(line) == 0 || blank(line) && !nextIsField(after) {
			if last == len(lines)-1 {
				restOfLast = after
			}
			break
		}
		lines, rest = append(lines, line), after
		switch {
		case knownField(line):
			folding = true
		case line[0] != ' ' && line[0] != '\t':
			folding = false
		}
		if folding {
			last, restOfLast = len(lines)-1, after
		}
	}
	return fields(lines[:last+1]), restOfLast
}

func blank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// nextIsField reports whether the next line that is not folded is a field: then a
// line of blanks is folding too, and not the end of the header.
func nextIsField(rest []byte) bool {
	const farthest = 10
	for range farthest {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		if len(line) == 0 || line[0] != ' ' && line[0] != '\t' {
			return knownField(line)
		}
		rest = after
	}
	return false
}

// fields unfolds header lines and leaves out what is not a field.
func fields(lines [][]byte) header {
	var head header
	for i := 0; i < len(lines); {
		first := i
		for i++; i < len(lines) && (lines[i][0] == ' ' || lines[i][0] == '\t'); i++ {
		}
		name, value, ok := fieldName(lines[first])
		if !ok {
			continue
		}
		folded := []string{strings.TrimSpace(string(value))}
		for _, line := range lines[first+1 : i] {
			folded = append(folded, strings.TrimSpace(string(line)))
		}
		head = append(head, field{name, strings.TrimSpace(strings.Join(folded, " "))})
	}
	return head
}

// fieldName parts a line into a lower-case field name and the value; RFC 5322
// section 2.2 wants printable ASCII before the colon, and old mail a blank there.
func fieldName(line []byte) (name string, value []byte, ok bool) {
	before, value, found := bytes.Cut(line, []byte(":"))
	before = bytes.TrimRight(before, " \t")
	if !found || len(before) == 0 || len(before) > 100 {
		return "", nil, false
	}
	for _, c := range before {
		if c <= ' ' || c >= 0x7f {
			return "", nil, false
		}
	}
	return strings.ToLower(string(before)), value, true
}

// knownField reports whether a line is surely a header field: of a name in use,
// or of two words with a hyphen.
func knownField(line []byte) bool {
	name, _, ok := fieldName(line)
	return ok && (strings.Contains(name[1:], "-") && name[0] != '-' && name[0] != '>' || knownNames[name])
}

var knownNames = map[string]bool{
	"from": true, "to": true, "cc": true, "bcc": true, "sender": true, "subject": true,
	"date": true, "received": true, "references": true, "comments": true, "keywords": true,
	"precedence": true, "priority": true, "importance": true, "sensitivity": true,
	"organization": true, "organisation": true, "autocrypt": true, "face": true,
	"status": true, "lines": true, "bytes": true, "xref": true, "path": true,
	"newsgroups": true, "distribution": true, "approved": true, "expires": true,
	"supersedes": true, "control": true, "summary": true, "encoding": true,
	"encrypted": true, "require": true, "mailer": true, "envelope": true,
}

// messageIDs are the ids of a Message-ID, In-Reply-To or References value,
// without their brackets.
func messageIDs(value string) []string {
	const most = 100
	var ids []string
	value = strings.ToValidUTF8(value, "?")
	for len(ids) < most {
		_, after, ok := strings.Cut(value, "<")
		if !ok {
			break
		}
		id, rest, ok := strings.Cut(after, ">")
		if !ok {
			break
		}
		value = rest
		if id = strings.Join(strings.Fields(id), ""); id != "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 { // some programs leave the brackets out
		for _, word := range strings.Fields(value) {
			if id := strings.Trim(word, "<>"); id != "" && len(ids) < most && strings.Contains(id, "@") {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func firstID(value string) string {
	if ids := messageIDs(value); len(ids) > 0 {
		return ids[0]
	}
	return ""
}
