package letter

import "strings"

// Limits of what is parsed. A mail beyond one of them is a Letter with its
// headers and a Problem, but without text.
const (
	MaxSize  = 10 << 20 // bytes of the raw mail
	MaxParts = 200      // MIME parts, multiparts included
	MaxDepth = 20       // multiparts inside one another
	MaxText  = 1 << 20  // bytes of decoded text; a letter with orders has a few thousand
)

// Problems: why a Letter has no trustworthy text.
const (
	ProblemTooLarge  = "too-large"
	ProblemTooMany   = "too-many-parts"
	ProblemTooDeep   = "too-deep"
	ProblemEncrypted = "encrypted"
	ProblemTNEF      = "tnef"
	ProblemUnread    = "unreadable"
	ProblemEmpty     = "empty"
)

// NoteFraction marks a line in which a fraction glyph standing alone was read as
// a pair of numbers.
const NoteFraction = "fraction"

// Options is what the reader must know of the game master's own mailbox.
type Options struct {
	Own         []string // our own addresses, compared case-insensitively and without their plus-part
	AuthservIDs []string // the trusted authserv-ids of RFC 8601; none means every verdict is None
	Signers     []string // domains whose signature of this mail was verified here (DKIM); heard when no server says anything
	Mark        string   // the value of our own X-Ringpost header; "" takes any X-Ringpost header as ours
}

// Letter is one incoming mail, read.
type Letter struct {
	MessageID  string   // without angle brackets, "" if none
	InReplyTo  string   // without angle brackets
	References []string // without angle brackets, oldest first
	From       string   // the bare address, lower case; "" when none could be read
	FromName   string   // the display name, decoded; for people only, never for identity
	Recipients []string // every address the mail was sent or delivered to, lower case, each once
	Subject    string   // decoded, one line
	Date       string   // the raw header, for the game master's eyes only
	Verdict    Verdict  // what the receiving server says of the From address
	VerdictWhy string   // the server, method and property that decided
	Automatic  string   // "" or the reason no answer may go out
	Status     string   // of an automatic mail: the delivery status it reports (RFC 3463), "" if none
	List       bool     // came through a mailing list or in bulk
	Lines      []Line   // what the sender wrote himself, in order
	Quoted     []Line   // what stood inside quotes, the quote prefix removed
	Problem    string   // "" or why there is no trustworthy text
}

// Line is one line of a mail's clean text.
type Line struct {
	N    int    `json:"n"`              // its number in the clean text of the whole mail, from 1
	Text string `json:"text"`           // without trailing blanks, but for the signature delimiter "-- "
	Note string `json:"note,omitempty"` // "" or NoteFraction
}

// Read reads a mail. It never fails and never panics: a mail that cannot be read
// is a Letter that says so in Problem.
func Read(raw []byte, opt Options) (l Letter) {
	defer func() {
		// One mail must not stop the game for all; the fuzz tests go past this.
		if recover() != nil {
			l = Letter{Verdict: None, Problem: ProblemUnread}
		}
	}()
	return read(raw, opt)
}

func read(raw []byte, opt Options) Letter {
	tooLarge := len(raw) > MaxSize
	if tooLarge {
		raw = raw[:maxHeader] // enough to answer a known player
	}
	head, body := splitMail(foldLineEnds(raw))

	var l Letter
	l.readHead(head, opt)
	switch {
	case tooLarge:
		l.Problem = ProblemTooLarge
	case len(head) == 0:
		l.Problem = ProblemUnread
	default:
		l.readBody(head, body)
	}
	if l.Automatic != "" {
		l.Status = deliveryStatus(body)
	}
	return l
}

func (l *Letter) readHead(head header, opt Options) {
	l.MessageID = firstID(head.get("message-id"))
	l.InReplyTo = firstID(head.get("in-reply-to"))
	l.References = messageIDs(head.get("references"))
	l.Subject = headerText(head.get("subject"))
	l.Date = strings.ToValidUTF8(head.get("date"), "?")
	l.List = fromList(head)

	var from []mailbox
	for _, value := range head.all("from") {
		from = append(from, scanMailboxes(value)...)
	}
	if len(from) > 0 {
		l.From, l.FromName = from[0].addr, from[0].name
	}
	l.Recipients = recipients(head)
	l.Automatic = automatic(head, l.From, l.Subject, opt)

	l.Verdict, l.VerdictWhy = judge(head, l.From, opt.AuthservIDs)
	for _, d := range opt.Signers {
		if l.Verdict == None && aligned(asciiDomain(strings.ToLower(d)), asciiDomain(domainOf(l.From))) {
			l.Verdict, l.VerdictWhy = Pass, "own check: dkim=pass header.d="+d
		}
	}
	if l.Verdict == Pass && (len(from) > 1 || len(head.all("from")) > 1) {
		// The server vouched for one of several senders, and nobody knows which.
		l.Verdict, l.VerdictWhy = None, "more than one From address"
	}
}

func (l *Letter) readBody(head header, body []byte) {
	root, problem := parseEntity(head, body)
	if problem != "" {
		l.Problem = problem
		return
	}
	found := inlineText(root)
	if found.report && l.Automatic == "" {
		l.Automatic = AutoReport
	}
	if found.problem != "" {
		l.Problem = found.problem
		return
	}
	l.Lines, l.Quoted = splitQuotes(found.rows)
	if len(l.Lines) == 0 && len(l.Quoted) == 0 {
		l.Problem = found.whyEmpty()
	}
}

// recipients are all addresses the mail names as its goal: a reply token may
// stand in the plus-part of any of them.
func recipients(head header) []string {
	var all []string
	seen := map[string]bool{}
	for _, f := range head {
		switch f.name {
		case "to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to":
			for _, m := range scanMailboxes(f.value) {
				if !seen[m.addr] {
					seen[m.addr] = true
					all = append(all, m.addr)
				}
			}
		}
	}
	return all
}
