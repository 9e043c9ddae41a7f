package letter

import (
	"bytes"
	"io"
	"mime"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message/charset"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// decodeText turns text of a declared charset ("" if none was) into UTF-8. The
// bytes are believed before the declaration: what is valid UTF-8 beyond ASCII is
// UTF-8 by no accident, and what claims to be UTF-8, or claims nothing, and is
// not, is windows-1252, line by line, since footers are added in other charsets.
func decodeText(raw []byte, declared string) string {
	declared = strings.ToLower(strings.Trim(declared, " \t\"'"))
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		raw, declared = raw[3:], "utf-8"
	}
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		decoder := unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM).NewDecoder()
		if text, err := decoder.Bytes(raw); err == nil {
			return string(text)
		}
	}
	switch {
	case believeBytes(declared):
		if utf8.Valid(raw) {
			return string(raw)
		}
	case declared == "utf-7" || declared == "unicode-1-1-utf-7":
		return decodeUTF7(raw)
	}
	if reader, err := charset.Reader(declared, bytes.NewReader(raw)); err == nil && !utf8Like(declared) && !latin1(declared) {
		if text, err := io.ReadAll(reader); err == nil {
			return string(text)
		}
	}
	return guess(raw)
}

// believeBytes reports whether valid UTF-8 under this declaration is taken for
// UTF-8: under none, ASCII, UTF-8 itself, the single-byte charsets of Europe, and
// names nobody knows. Multi-byte and seven-bit charsets are left to their decoders.
func believeBytes(declared string) bool {
	if utf8Like(declared) || latin1(declared) {
		return true
	}
	for _, family := range []string{"iso-8859-", "iso8859-", "iso_8859-", "windows-125", "cp125", "cp850", "ibm850", "macintosh"} {
		if strings.HasPrefix(declared, family) {
			return true
		}
	}
	_, err := charset.Reader(declared, strings.NewReader(""))
	return err != nil && !strings.HasSuffix(declared, "utf-7")
}

func utf8Like(declared string) bool {
	switch declared {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968", "unknown-8bit", "x-unknown", "x-user-defined", "8bit", "default", "binary":
		return true
	}
	return false
}

// latin1 names what is read as its superset windows-1252, as all mail programs do.
func latin1(declared string) bool {
	switch declared {
	case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "windows-1252", "cp1252", "ansi":
		return true
	}
	return false
}

func guess(raw []byte) string {
	var out strings.Builder
	for len(raw) > 0 {
		line := raw
		if end := bytes.IndexByte(raw, '\n'); end >= 0 {
			line = raw[:end+1]
		}
		raw = raw[len(line):]
		if utf8.Valid(line) {
			out.Write(line)
			continue
		}
		text, _ := charmap.Windows1252.NewDecoder().Bytes(line)
		out.Write(text)
	}
	return out.String()
}

// decodeUTF7 decodes RFC 2152, which the charset libraries leave out.
func decodeUTF7(raw []byte) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var out strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '+' {
			out.WriteByte(raw[i])
			continue
		}
		var utf16 []byte
		var bits, value uint
		first := i + 1
		for i++; i < len(raw); i++ {
			digit := strings.IndexByte(alphabet, raw[i])
			if digit < 0 {
				break
			}
			value, bits = value<<6|uint(digit), bits+6
			if bits >= 8 {
				bits -= 8
				utf16 = append(utf16, byte(value>>bits))
			}
		}
		switch {
		case i == first: // "+-" is a plus
			out.WriteByte('+')
		default:
			text, _ := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder().Bytes(utf16[:len(utf16)&^1])
			out.Write(text)
		}
		if i < len(raw) && raw[i] != '-' {
			i-- // the character that ended the run stands for itself
		}
	}
	return strings.ToValidUTF8(out.String(), "\uFFFD")
}

var metaCharset = regexp.MustCompile(`(?i)<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)\s*=\s*["']?\s*([a-z0-9_:.-]+)`)

// declaredInHTML is the charset an HTML text names near its top.
func declaredInHTML(raw []byte) string {
	if m := metaCharset.FindSubmatch(raw[:min(len(raw), 4096)]); m != nil && !bytes.HasPrefix(bytes.ToLower(m[1]), []byte("utf-16")) {
		return string(m[1]) // UTF-16 could not have been read this far
	}
	return ""
}

// headerText decodes a header's text, raw 8-bit or in encoded words (RFC 2047),
// into one clean line.
func headerText(value string) string {
	const most = 2000 // bytes; what people read of a subject or a name
	if len(value) > 8*most {
		value = value[:8*most]
	}
	if !utf8.ValidString(value) {
		value = guess([]byte(value))
	}
	decoder := mime.WordDecoder{CharsetReader: func(name string, r io.Reader) (io.Reader, error) {
		raw, err := io.ReadAll(r)
		return strings.NewReader(decodeText(raw, name)), err
	}}
	if text, err := decoder.DecodeHeader(value); err == nil {
		value = text
	}
	value = strings.Join(strings.Fields(cleanRunes(strings.ToValidUTF8(value, "\uFFFD"))), " ")
	if len(value) > most {
		value = strings.ToValidUTF8(value[:most], "")
	}
	return value
}
