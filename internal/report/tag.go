package report

import (
	"strconv"
	"strings"
)

// Tag is the mark in our subjects that a reply brings back: [liga-nord 7 k3f9q2].
func Tag(game string, round int, token string) string {
	return "[" + game + " " + strconv.Itoa(round) + " " + token + "]"
}

// ParseTag finds our mark in the subject of a reply, whatever stands around it.
// ok is false when there is none, and when there are two that differ: then it is
// not for us to choose.
func ParseTag(subject string) (game string, round int, token string, ok bool) {
	eachTag(subject, func(_, _ int, g string, r int, t string) {
		switch {
		case game == "":
			game, round, token, ok = g, r, t, true
		case !strings.EqualFold(g, game) || r != round || t != token:
			ok = false
		}
	})
	if !ok {
		return "", 0, "", false
	}
	return game, round, token, true
}

// WithoutTag is what its writer put into a subject: our marks and the prefixes of
// replies and forwards are left out.
func WithoutTag(subject string) string {
	var b strings.Builder
	from := 0
	eachTag(subject, func(start, end int, _ string, _ int, _ string) {
		b.WriteString(subject[from:start] + " ")
		from = end
	})
	b.WriteString(subject[from:])
	rest := strings.Join(strings.Fields(b.String()), " ")
	for {
		prefix, after, ok := strings.Cut(rest, ":")
		if !ok || !isPrefix(prefix) {
			return rest
		}
		rest = strings.TrimLeft(after, " ")
	}
}

// isPrefix knows what mail programs put before the subject of a reply or forward:
// Re, AW, WG, RV and the like, some counted ("Re[2]").
func isPrefix(s string) bool {
	s, _, _ = strings.Cut(strings.ToLower(s), "[")
	switch strings.TrimSpace(s) {
	case "re", "aw", "antw", "antwort", "wg", "fw", "fwd", "rv", "sv", "tr", "enc", "res", "rif", "r", "i":
		return true
	}
	return false
}

// eachTag calls found for every mark in a subject. Blanks in it may be of any kind
// and number, as folding leaves them.
func eachTag(subject string, found func(start, end int, game string, round int, token string)) {
	for at := 0; ; {
		open := strings.IndexByte(subject[at:], '[')
		if open < 0 {
			return
		}
		open += at
		at = open + 1
		size := strings.IndexAny(subject[at:], "[]")
		if size < 0 {
			return
		}
		if subject[at+size] == '[' {
			continue
		}
		if f := strings.Fields(subject[at : at+size]); len(f) == 3 {
			round, isRound := roundNumber(f[1])
			token := strings.ToLower(f[2])
			if isRound && isID(f[0]) && len(token) >= 4 && len(token) <= 16 && isAlnum(token) {
				found(open, at+size+1, f[0], round, token)
			}
		}
		at += size + 1
	}
}

// roundNumber reads one to six digits.
func roundNumber(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 32)
	return int(n), err == nil && len(s) <= 6
}

// isID knows what may be a game's id.
func isID(s string) bool {
	named := strings.TrimFunc(s, isJoint) != ""
	return named && len(s) <= 64 && strings.IndexFunc(s, func(r rune) bool { return !isJoint(r) && !alnum(r) }) < 0
}

func isJoint(r rune) bool { return r == '-' || r == '_' || r == '.' }

func isAlnum(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !alnum(r) }) < 0
}

func alnum(r rune) bool { return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
