package letter

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// decodeTransfer undoes a content transfer encoding (RFC 2045 section 6). It is
// more patient than the standard library: a bad escape or a footer added behind
// encoded text must not cost what stands beside it. Unknown encodings are read as
// they stand.
func decodeTransfer(body []byte, encoding string) []byte {
	encoding, _, _ = strings.Cut(strings.ToLower(encoding), ";")
	encoding, _, _ = strings.Cut(encoding, "(")
	switch strings.Trim(encoding, " \t\"'") {
	case "quoted-printable":
		return decodeQuotedPrintable(body)
	case "base64":
		return decodeBase64(body)
	}
	return body
}

func decodeQuotedPrintable(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for len(body) > 0 {
		line, rest, ended := bytes.Cut(body, []byte("\n"))
		body = rest
		// Trailing blanks stay, against section 6.7 rule 3: no transport pads lines
		// today, but careless senders leave the blank of "-- " unencoded.
		trimmed := bytes.TrimRight(line, " \t")
		soft := bytes.HasSuffix(trimmed, []byte("="))
		if soft {
			line = trimmed[:len(trimmed)-1]
		}
		for i := 0; i < len(line); i++ {
			if line[i] == '=' && i+2 < len(line) {
				if hi, lo := unhex(line[i+1]), unhex(line[i+2]); hi >= 0 && lo >= 0 {
					out = append(out, byte(hi<<4|lo))
					i += 2
					continue
				}
			}
			out = append(out, line[i])
		}
		if ended && !soft {
			out = append(out, '\n')
		}
	}
	return out
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// decodeBase64 decodes up to the first line that is no base64 and keeps the rest
// as it stands: a plain footer below the encoded text. Text that is not base64 at
// all, though its header says so, is kept whole.
func decodeBase64(body []byte) []byte {
	var out, digits []byte
	for rest := body; len(rest) > 0; {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSpace(line)
		if !isBase64(line) {
			if len(digits)%4 != 0 || len(digits) == 0 && len(out) == 0 {
				return body
			}
			return append(append(appendBase64(out, digits), '\n'), rest...)
		}
		digits, rest = append(digits, line...), after
		if bytes.HasSuffix(line, []byte("=")) { // encoded pieces may follow one another
			out, digits = appendBase64(out, digits), digits[:0]
		}
	}
	return appendBase64(out, digits)
}

func appendBase64(out, digits []byte) []byte {
	good := digits[:0]
	for _, c := range digits {
		if base64Digit(c) {
			good = append(good, c)
		}
	}
	if len(good)%4 == 1 {
		good = good[:len(good)-1] // a lone digit holds no byte
	}
	out, _ = base64.RawStdEncoding.AppendDecode(out, good) // cannot fail: only digits are left
	return out
}

// isBase64 reports whether a line is base64, one damaged character in a long line
// allowed.
func isBase64(line []byte) bool {
	bad := 0
	for _, c := range bytes.TrimRight(line, "=") {
		if !base64Digit(c) {
			if bad++; bad > 1 || c == ' ' || len(line) < 40 {
				return false
			}
		}
	}
	return true
}

func base64Digit(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/'
}
