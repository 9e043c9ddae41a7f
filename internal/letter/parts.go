package letter

import (
	"bytes"
	"mime"
	"strings"
)

// entity is a node of the MIME tree. Forwarded mails (message/*) are leaves: what
// stands in them is never read.
type entity struct {
	head     header
	kind     string            // media type in lower case, "text/plain" if none is given
	params   map[string]string // of Content-Type, names in lower case
	body     []byte            // of a leaf, still in its transfer encoding
	children []entity
}

// parseEntity reads the MIME tree of a mail, or reports the limit it exceeds. Each
// level looks for its own boundary lines only, so that an unclosed part inside
// ends where the part around it does, and the time taken is size times depth.
func parseEntity(head header, body []byte) (entity, string) {
	p := treeParser{}
	root := p.parse(head, body, 0)
	return root, p.problem
}

type treeParser struct {
	parts   int
	problem string
}

func (p *treeParser) parse(head header, body []byte, depth int) entity {
	e := entity{head: head, body: body}
	e.kind, e.params = mediaType(head.get("content-type"))
	if p.parts++; p.parts > MaxParts {
		p.problem = ProblemTooMany
	}
	if depth > MaxDepth {
		p.problem = ProblemTooDeep
	}
	if p.problem != "" || !strings.HasPrefix(e.kind, "multipart/") {
		return e
	}
	pieces := cutParts(body, e.params["boundary"])
	if pieces == nil { // encoded as a whole, against RFC 2045 section 6.4
		body = decodeTransfer(body, head.get("content-transfer-encoding"))
		pieces = cutParts(body, e.params["boundary"])
	}
	if pieces == nil {
		pieces = cutParts(body, seenBoundary(body))
	}
	if pieces == nil { // no multipart after all
		e.kind, e.params = "text/plain", map[string]string{}
		return e
	}
	for _, piece := range pieces {
		h, b := splitPart(piece)
		if e.kind == "multipart/digest" && !h.has("content-type") { // RFC 2046 section 5.1.5
			h = append(h, field{"content-type", "message/rfc822"})
		}
		e.children = append(e.children, p.parse(h, b, depth+1))
		if p.problem != "" {
			break
		}
	}
	return e
}

// cutParts cuts a multipart's body at its boundary lines; nil if there are none.
// What stands before the first and behind the closing line is no part.
func cutParts(body []byte, boundary string) [][]byte {
	if boundary == "" {
		return nil
	}
	delimiter := []byte("--" + boundary)
	var pieces [][]byte
	start := -1 // of the part being read
	for at := 0; at < len(body); {
		i := bytes.Index(body[at:], delimiter)
		if i < 0 {
			break
		}
		i += at
		at = i + len(delimiter)
		if i > 0 && body[i-1] != '\n' {
			continue
		}
		line, _, _ := bytes.Cut(body[at:], []byte("\n"))
		if tail := bytes.TrimRight(line, " \t"); len(tail) > 0 && string(tail) != "--" {
			continue // another boundary that begins alike
		}
		if start >= 0 {
			pieces = append(pieces, body[start:max(i-1, start)])
		}
		if bytes.HasPrefix(line, []byte("--")) {
			return nonNil(pieces)
		}
		if len(pieces) > MaxParts {
			return pieces
		}
		start = min(at+len(line)+1, len(body))
		at = max(start-1, at) // the next delimiter may follow at once
	}
	if start >= 0 { // never closed: cut off on its way, or by a careless program
		pieces = append(pieces, body[start:])
	}
	return pieces
}

func nonNil(pieces [][]byte) [][]byte {
	if pieces == nil {
		return [][]byte{}
	}
	return pieces
}

// seenBoundary guesses the boundary of a multipart that does not name it: a line
// that begins with two hyphens, with a Content- field below it.
func seenBoundary(body []byte) string {
	for rest := body[:min(len(body), 64<<10)]; len(rest) > 0; {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		if bytes.HasPrefix(line, []byte("--")) && len(after) >= 8 && bytes.EqualFold(after[:8], []byte("content-")) {
			return string(bytes.TrimRight(line[2:], " \t"))
		}
		rest = after
	}
	return ""
}

// mediaType reads a Content-Type or Content-Disposition value. The standard
// library refuses a value for one odd parameter; then each is read for itself.
func mediaType(value string) (string, map[string]string) {
	if len(value) > 8000 {
		value = value[:8000]
	}
	kind, params, err := mime.ParseMediaType(value)
	if err != nil || kind == "" {
		kind, params = looseMediaType(value)
	}
	switch kind {
	case "", "text":
		kind = "text/plain"
	case "html":
		kind = "text/html"
	}
	return kind, params
}

func looseMediaType(value string) (string, map[string]string) {
	params := map[string]string{}
	kind, rest := cutParam(value)
	kind, _, _ = strings.Cut(kind, "(")
	if before, after, ok := strings.Cut(strings.TrimSpace(kind), " "); ok { // a forgotten semicolon
		kind, rest = before, after+";"+rest
	}
	for rest != "" {
		var param string
		param, rest = cutParam(rest)
		name, val, _ := strings.Cut(param, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		name, _, _ = strings.Cut(name, "*") // RFC 2231: that a file has a name is all we ask
		val = strings.TrimSpace(val)
		if strings.HasPrefix(val, `"`) {
			if end := closing(val, '"', '"'); end > 0 {
				val = val[:end+1]
			}
			val = unescape(strings.Trim(val, `"`))
		} else if before, _, found := strings.Cut(val, " ("); found {
			val = before
		}
		if _, twice := params[name]; name != "" && !twice {
			params[name] = val
		}
	}
	return strings.ToLower(strings.TrimSpace(kind)), params
}

// cutParam cuts at the first semicolon outside quotes.
func cutParam(s string) (param, rest string) {
	inQuote := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			inQuote = !inQuote
		case s[i] == ';' && !inQuote:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
