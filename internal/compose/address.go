package compose

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Mailbox returns addr as it stands in headers and envelopes: the local part
// unchanged, the domain in lower-case ASCII (xn-- labels, RFC 5891). It fails
// unless addr is one local@domain whose local part is a dot-atom (RFC 5322,
// 3.4.1), possibly outside ASCII (RFC 6531, 3.3), of at most 64 octets, and at
// most 254 octets in all (RFC 5321, 4.5.3.1). Quoted local parts and domain
// literals are refused: nobody plays from one, and they are what injections
// are built of.
func Mailbox(addr string) (string, error) {
	at := strings.LastIndexByte(addr, '@')
	if at < 0 {
		return "", fmt.Errorf("address %q is not local@domain", addr)
	}
	local, domain := addr[:at], addr[at+1:]
	if !dotAtom(local) || len(local) > 64 {
		return "", fmt.Errorf("address %q: the part before the @ must be 1 to 64 letters, digits or signs such as . + - _", addr)
	}
	domain, err := idna.Lookup.ToASCII(domain)
	if err != nil || domain == "" || !dotAtom(domain) {
		return "", fmt.Errorf("address %q: the part after the @ is not a domain name", addr)
	}
	if len(local)+1+len(domain) > 254 {
		return "", fmt.Errorf("address %q is longer than 254 octets", addr)
	}
	return local + "@" + domain, nil
}

// dotAtom tells whether s is a dot-atom, counting every graphic character
// outside ASCII as a letter (RFC 6532, 3.2).
func dotAtom(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for atom := range strings.SplitSeq(s, ".") {
		if atom == "" {
			return false
		}
		for _, r := range atom {
			if r < utf8.RuneSelf && strings.IndexByte(atext, byte(r)) < 0 {
				return false
			}
			if r >= utf8.RuneSelf && (!unicode.IsGraphic(r) || unicode.IsSpace(r)) {
				return false
			}
		}
	}
	return true
}

// validID tells whether id can stand between angle brackets as one unbroken
// token. It asks no more than that, because mailers invent identifiers that
// RFC 5322 does not know, and only the same octets thread with them.
func validID(id string) bool {
	return len(id) <= 250 && unbroken(id)
}

// validMailto tells whether s can be the one URL of a List-Unsubscribe field.
func validMailto(s string) bool {
	rest, found := strings.CutPrefix(s, "mailto:")
	return found && len(rest) <= 900 && unbroken(rest)
}

// unbroken tells whether s is printable ASCII without blanks and angle
// brackets, and not empty.
func unbroken(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] > '~' || s[i] == '<' || s[i] == '>' {
			return false
		}
	}
	return s != ""
}
