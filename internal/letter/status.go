package letter

import "regexp"

// Where delivery reports say how it went: the field of RFC 3464 section 2.3.4,
// else an enhanced status code (RFC 3463) or a bare reply code in their prose.
var (
	statusField = regexp.MustCompile(`(?im)^status:\s*([245]\.\d{1,3}\.\d{1,3})\b`)
	statusProse = regexp.MustCompile(`\b(5\.\d{1,3}\.\d{1,3})\b`)
	replyProse  = regexp.MustCompile(`\b(?:550|551|553|554)[ -]`)
)

// deliveryStatus is the worst status a delivery report names, "" if none; a bare
// reply code of refusal counts as 5.0.0.
func deliveryStatus(body []byte) string {
	worst := ""
	for _, m := range statusField.FindAllSubmatch(body, 20) {
		if s := string(m[1]); worst == "" || s[0] > worst[0] {
			worst = s
		}
	}
	switch {
	case worst != "":
		return worst
	case statusProse.Match(body):
		return string(statusProse.FindSubmatch(body)[1])
	case replyProse.Match(body):
		return "5.0.0"
	}
	return ""
}
