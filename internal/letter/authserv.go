package letter

import "strings"

// AuthservID is the name with which a server signed an Authentication-Results
// field (RFC 8601 section 2.5), in lower case; "" when the field has none.
func AuthservID(field string) string {
	r, ok := parseAuthResults(field)
	if !ok || strings.Contains(r.server, "=") { // some write their results and no name
		return ""
	}
	return r.server
}
