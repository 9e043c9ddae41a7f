package letter

import (
	"fmt"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Verdict is what the receiving server says of a mail's From address.
type Verdict string

const (
	Pass Verdict = "pass" // the From domain vouches for the mail
	None Verdict = "none" // nobody says anything, or nothing that counts
	Fail Verdict = "fail" // the From domain disowns the mail
)

// judge reads the topmost Authentication-Results of a trusted server. Those below
// it may have come with the mail, and so may any that names no server.
func judge(head header, from string, trusted []string) (verdict Verdict, why string) {
	if from == "" {
		return None, "no From address"
	}
	if len(trusted) == 0 {
		return None, "no server is trusted"
	}
	for _, value := range head.all("authentication-results") {
		server := strings.ToLower((&authScanner{rest: value}).value())
		if !trusts(trusted, server) {
			continue
		}
		results, ok := parseAuthResults(value)
		if !ok {
			return None, server + ": not understood"
		}
		verdict, why = results.judge(asciiDomain(domainOf(from)))
		return verdict, server + ": " + why
	}
	return None, "no trusted Authentication-Results"
}

func trusts(trusted []string, server string) bool {
	for _, id := range trusted {
		if server != "" && strings.EqualFold(strings.TrimSpace(id), server) {
			return true
		}
	}
	return false
}

// judge weighs the results for a From domain. A failed DMARC outweighs all, even a
// pass beside it: a server says both only when somebody tricked it.
func (r authResults) judge(domain string) (Verdict, string) {
	var pass, fail string
	for _, m := range r.methods {
		switch m.name {
		case "dmarc":
			of := asciiDomain(m.prop("header.from"))
			switch {
			case m.result == "fail":
				return Fail, "dmarc=fail"
			case m.result == "pass" && of == domain && pass == "":
				pass = "dmarc=pass header.from=" + of
			}
		case "dkim":
			of := m.prop("header.d")
			if of == "" {
				of = m.prop("header.i")
			}
			of = asciiDomain(domainOf(of))
			switch {
			case !aligned(of, domain):
			case m.result == "pass" && pass == "":
				pass = "dkim=pass header.d=" + of
			case m.result == "fail":
				fail = "dkim=fail header.d=" + of
			}
		case "spf":
			of := m.prop("smtp.mailfrom")
			if of == "" {
				of = m.prop("smtp.mail") // Yandex
			}
			of = asciiDomain(domainOf(of))
			if m.result == "pass" && aligned(of, domain) && pass == "" {
				pass = "spf=pass smtp.mailfrom=" + of
			}
		}
	}
	switch {
	case pass != "":
		return Pass, pass
	case fail != "":
		return Fail, fail
	}
	return None, fmt.Sprintf("nothing aligned with %s", domain)
}

// aligned is DMARC's relaxed alignment (RFC 7489 section 3.1.1): both domains
// belong to one organisation. Both are in A-labels.
func aligned(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if a == b {
		return true
	}
	orgA, errA := publicsuffix.EffectiveTLDPlusOne(a)
	orgB, errB := publicsuffix.EffectiveTLDPlusOne(b)
	return errA == nil && errB == nil && orgA == orgB
}
