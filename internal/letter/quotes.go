package letter

import (
	"regexp"
	"strings"
)

// splitQuotes parts the rows of a mail into what the sender wrote and what he
// quotes; each row that is not blank is in exactly one of the two, under its number
// in the whole.
//
// Marked lines (">", or a quote in HTML) are quoted, one by one: what stands between
// them is the sender's answer. Where programs announce a quote without marking its
// lines, by an attribution, a separator or a header block, all below is quoted.
func splitQuotes(rows []row) (own, quoted []Line) {
	inQuote := make([]bool, len(rows))
	for i := 0; i < len(rows); i++ {
		if rows[i].depth > 0 {
			inQuote[i] = true
			continue
		}
		next := announcement(rows, i)
		if next == i {
			continue
		}
		end := next
		if next < len(rows) && rows[next].depth == 0 {
			end = len(rows) // nothing marks the quote, so nothing marks its end
		}
		for j := i; j < end; j++ {
			inQuote[j] = true
		}
		i = end - 1
	}
	for i, r := range rows {
		line := Line{N: i + 1, Text: r.text, Note: r.note}
		if inQuote[i] {
			quoted = append(quoted, line)
		} else {
			own = append(own, line)
		}
	}
	return trimBlank(own), trimBlank(quoted)
}

func trimBlank(lines []Line) []Line {
	for len(lines) > 0 && strings.TrimSpace(lines[0].Text) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1].Text) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// announcement is the first row with text behind the lines at i that announce a
// quote, or i if there are none. Programs combine them: a separator, then a header
// block or an attribution.
func announcement(rows []row, i int) int {
	at := i
	for {
		next := at
		if next < len(rows) && rows[next].depth == 0 {
			switch {
			case isSeparator(rows[next].text):
				next++
			default:
				next += max(attribution(rows[next:]), headerBlock(rows[next:]))
			}
		}
		if next == at {
			return at
		}
		for next < len(rows) && rows[next].blank() && rows[next].depth == 0 {
			next++
		}
		at = next
	}
}

// separator is a line such as -----Original Message-----, in the languages of the
// games and their neighbours, as Outlook, Thunderbird, Gmail, Notes, GMX and phones
// write it. "n.{1,2}ngliche" also finds what a lost charset makes of the umlaut.
var separator = regexp.MustCompile(`(?i)^[-_*=]{2,} ?(?:` +
	`urspr.{1,2}ngliche (?:nachricht|mitteilung|mail|e-mail)|original-? ?nachricht|original-? ?mail|weitergeleitete? (?:nachricht|mail|e-mail)|weitergeleitet von|` +
	`original message|original email|forwarded (?:message|mail|by)|reply message|` +
	`mensaje (?:original|reenviado)|correo original|reenviado por|` +
	`message (?:d'origine|original|transf.{1,2}r.{1,2})|` +
	`messaggio (?:originale|inoltrato)|oorspronkelijk bericht|doorgestuurd bericht|mensagem (?:original|encaminhada)|originalmeddelande|oprindelig meddelelse` +
	`)\b.{0,120}$|^(?:` +
	`anfang der weitergeleiteten (?:nachricht|e-mail)|begin forwarded message|inici[oa] del mensaje reenviado|d.{1,2}but du message (?:transf.{1,2}r.{1,2}|r.{1,2}exp.{1,2}di.{1,2})|inizio messaggio inoltrato` +
	`) ?:$`)

func isSeparator(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < 12 || len(text) > 200 {
		return false
	}
	return separator.MatchString(text)
}

const (
	maxAttribution = 4   // lines an attribution is wrapped over
	maxJoined      = 400 // bytes of it
)

var (
	// "Am So., 3. Mai 2026 um 10:00 Uhr schrieb ...:", "On 3 May 2026, at 10:00, ... wrote:"
	dated = regexp.MustCompile(`(?i)^(?:am|on|at|el|le|il|op|em|den|dnia|w dniu|zitat von|quoting|citando a|citando) .*` + verb + `.*:$|` +
		`^(?:zitat von|quoting|citando a|citando) .+:$`)
	// "Hans Müller <hans@example.org> schrieb am 3. Mai 2026:", "Hans <...> wrote:"
	named = regexp.MustCompile(`(?i)^.*(?:@|[0-9]:[0-9][0-9]).*` + verb + `(?: .*)?:$|^.+` + verb + ` .*(?:[0-9]{4}|[0-9]:[0-9][0-9]).*:$`)
	// Gmail of old: "2026-05-03 10:00 GMT+02:00 Hans Müller <hans@example.org>:", and
	// in languages without a line above, one word behind the address
	bare = regexp.MustCompile(`^[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}.? .*<[^<>]+@[^<>]+>(?: \pL{1,20})?:$`)
	// What an attribution tells besides the name: an address, a date or a time.
	when = regexp.MustCompile(`@|[0-9]{4}|[0-9][:.h][0-9]{2}|[0-9]{1,2}[./-] ?[0-9]{1,2}`)
	// The beginning of an attribution that goes on in the next line.
	opener = regexp.MustCompile(`(?i)^(?:am|on|at|el|le|il|op|em|den|dnia|w dniu) .*(?:[0-9]{4}|[0-9]:[0-9][0-9]|[0-9]{1,2}[./-][0-9]{1,2}[./-])`)
)

const verb = `\b(?:schrieb|geschrieben|wrote|writes|escribi(?:ó|o)|ha escrito|a écrit|a ecrit|ha scritto|schreef|escreveu|skrev|napisał(?:\(a\)|a)?)`

// attribution is how many of the rows, from the first on, are one: 0 if it is none.
// The shortest reading counts, so that a line of the sender's own just above is not
// drawn in.
func attribution(rows []row) int {
	first := strings.TrimSpace(rows[0].text)
	if len(first) < 5 {
		return 0
	}
	joined := first
	for n := 1; ; n++ {
		if strings.HasSuffix(joined, ":") {
			if isAttribution(joined) {
				return n
			}
			return 0
		}
		if n == maxAttribution || n == len(rows) || rows[n].blank() || rows[n].depth > 0 || len(joined) > maxJoined {
			return 0
		}
		if n == 1 && !opener.MatchString(first) && !strings.Contains(first, "@") {
			return 0
		}
		next := strings.TrimSpace(rows[n].text)
		if opener.MatchString(next) { // it begins here and not above
			return 0
		}
		joined += " " + next
	}
}

func isAttribution(text string) bool {
	text = strings.TrimSpace(strings.TrimSuffix(text, ":")) + ":"
	if len(text) > maxJoined {
		return false
	}
	return dated.MatchString(text) && when.MatchString(text) || named.MatchString(text) || bare.MatchString(text)
}

// headerKeys are the lines of the block that Outlook and others put above what they
// quote, by what they tell.
var headerKeys = map[string]string{
	"von": "from", "from": "from", "de": "from", "da": "from", "van": "from", "från": "from", "od": "from",
	"gesendet": "date", "gesendet am": "date", "datum": "date", "sent": "date", "date": "date", "enviado": "date",
	"enviado el": "date", "fecha": "date", "envoyé": "date", "envoyé le": "date", "data": "date", "inviato": "date",
	"verzonden": "date", "verschickt": "date", "skickat": "date",
	"an": "to", "to": "to", "para": "to", "à": "to", "a": "to", "aan": "to", "till": "to",
	"betreff": "subject", "subject": "subject", "asunto": "subject", "objet": "subject", "oggetto": "subject",
	"onderwerp": "subject", "assunto": "subject", "ämne": "subject",
	"cc": "", "kopie": "", "bcc": "", "antwort an": "", "reply-to": "", "wichtigkeit": "", "importance": "", "anlagen": "", "attachments": "",
}

// headerBlock is how many of the rows, from the first on, are a block of header
// lines: who, and two of when, to whom and what about. Their lines may be wrapped or
// have a blank one between them.
func headerBlock(rows []row) int {
	const most = 20 // lines of a block with many recipients
	if kind, ok := headerLine(rows[0].text); !ok || kind == "" || kind == "to" {
		return 0
	}
	told := map[string]bool{}
	end, apart := 0, 0 // behind the last header line; rows since it
	for i, r := range rows[:min(len(rows), most)] {
		if r.depth > 0 {
			break
		}
		if kind, ok := headerLine(r.text); ok {
			if told[kind] && kind != "" { // no block tells a thing twice
				break
			}
			told[kind] = true
			end, apart = i+1, 0
			continue
		}
		if apart++; apart > 3 || r.blank() && apart > 1 {
			break
		}
	}
	delete(told, "")
	if told["from"] && len(told) >= 3 {
		return end
	}
	return 0
}

func headerLine(text string) (kind string, ok bool) {
	key, _, found := strings.Cut(text, ":")
	if !found || len(key) > 20 {
		return "", false
	}
	kind, ok = headerKeys[strings.ToLower(strings.Trim(key, " *"))]
	return kind, ok
}
