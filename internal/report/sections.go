package report

import (
	"slices"
	"strings"

	"ringpost/internal/game"
)

// The data of the common templates. Each type names the template it fills; a
// mail is a row of such sections. Strings that are already words (dates in the
// reader's zone, bodies rendered by a ruleset's templates) say so.

// Receipt answers a mail's order blocks for one seat and round (template "receipt").
type Receipt struct {
	Game, Title string // id and title of the game
	Seat        string
	Round       int
	Blocks      []ReceiptBlock // in the order of the mail
	// Also is what is on file for the round beside the blocks, Standing what counts
	// from before where nothing is: of each slot its first line.
	Also, Standing []string
	InTime         bool   // when it is late: it had arrived in time and was seen after the close
	Missed         string // when it is late: the deadline it missed, in words
	ByHand         bool   // then: it was no deadline, the game master closed the round
	Unconfirmed    bool   // when it is late: it had waited for a confirmation, which came after that
	Open           int    // when it is late: the round that orders can still reach; 0 the one after Round
	Briefing       string // opponent and ready block, worded by the ruleset; may be empty
	Deadline       string // in the player's zone, in words; "" when no round is open
}

// ReceiptBlock is what became of an order block.
type ReceiptBlock struct {
	Slots   []string // that it is for; none where that cannot be told
	Lines   []string // the orders as read, normalised, in the reader's words
	Outcome string   // one of Outcomes
	OnFile  []string // the orders that count when Outcome is "kept", "late" or "unfilled"
	Changes []Change // against the orders that these replace
	Issues  []Told
	Preview string // what is already certain, worded by the ruleset; may be empty
	// Explained is what the ruleset said of the orders, to be worded as Preview once
	// the mail is read; without Data it said nothing.
	Explained game.View
}

// Told is an issue with what its line says, since in a mail with a long quote
// nobody counts lines.
type Told struct {
	game.Issue
	Said string // shortened; "" when the issue quotes it itself or is of no line
}

// Wrong reports whether a line of the block did not count.
func (b ReceiptBlock) Wrong() bool {
	return slices.ContainsFunc(b.Issues, func(i Told) bool { return i.Error })
}

// ReceiptPart is what became of all blocks that had the same outcome.
type ReceiptPart struct {
	Receipt
	ReceiptBlock
}

// Parts are the blocks by what is told of them, in the order of Outcomes.
func (r Receipt) Parts() []ReceiptPart {
	var parts []ReceiptPart
	for _, outcome := range Outcomes() {
		if !r.tells(outcome) {
			continue
		}
		p := ReceiptPart{Receipt: r}
		for _, b := range r.Blocks {
			if r.outcome(b) == outcome {
				b.Outcome = outcome
				p.join(b)
			}
		}
		parts = append(parts, p)
	}
	return parts
}

// join adds a block below those that are there.
func (p *ReceiptPart) join(b ReceiptBlock) {
	below := func(above, lines []string) []string {
		if len(above) > 0 && len(lines) > 0 {
			above = append(above, "")
		}
		return append(above, lines...)
	}
	p.Outcome = b.Outcome
	p.Slots = append(p.Slots, b.Slots...)
	p.Lines, p.OnFile = below(p.Lines, b.Lines), below(p.OnFile, b.OnFile)
	p.Changes = append(p.Changes, b.Changes...)
	p.Issues = append(p.Issues, b.Issues...)
	if p.Preview != "" && b.Preview != "" {
		p.Preview = strings.TrimRight(p.Preview, "\n") + "\n\n"
	}
	p.Preview += b.Preview
}

// Foremost is the outcome of its blocks that the reader must know of first, ""
// without any.
func (r Receipt) Foremost() string {
	for _, outcome := range Outcomes() {
		if r.tells(outcome) {
			return outcome
		}
	}
	return ""
}

// tells reports whether there is a part of an outcome.
func (r Receipt) tells(outcome string) bool {
	return slices.ContainsFunc(r.Blocks, func(b ReceiptBlock) bool { return r.outcome(b) == outcome })
}

// outcome is what is told of a block, "" when nothing is: beside others, a block
// that was not filled in is no news, nor that one is the same as before.
func (r Receipt) outcome(b ReceiptBlock) string {
	has := func(test func(string) bool) bool {
		return slices.ContainsFunc(r.Blocks, func(o ReceiptBlock) bool { return test(o.Outcome) })
	}
	switch {
	case b.Outcome == "unfilled" && has(func(o string) bool { return o != "unfilled" }):
		return ""
	case b.Outcome == "unchanged" && has(func(o string) bool { return o == "taken" }):
		return "taken"
	}
	return b.Outcome
}

// Alone reports whether the receipt is of one block, and nothing else is on file.
func (r Receipt) Alone() bool { return len(r.Blocks) == 1 && len(r.Also)+len(r.Standing) == 0 }

// Outcomes lists what can become of an order block; what its writer must know before
// anything else comes first.
func Outcomes() []string {
	return []string{
		"nothing",     // could not be read, and nothing is on file
		"late",        // missed their deadline
		"kept",        // have an error: the good orders on file stay
		"provisional", // have an error and count until better come
		"unfilled",    // the ready block, not filled in
		"taken",       // they count
		"unchanged",   // they count, and are the same as on file
		"early",       // kept for a later round
	}
}

// Change is a line that differs from the orders it replaces; Old or New is ""
// for a line that came or went.
type Change struct{ Old, New string }

// Head opens an answer (template "head").
type Head struct {
	Player string // his name as he writes it, "" when unknown
	// Foremost is what the reader must know before anything else: the worst
	// Outcome of the receipts that follow, "" when there are none.
	Foremost string
}

// Foot closes every mail (template "foot").
type Foot struct {
	Address string // where orders go
	Token   bool   // the subject carries the reader's token
	GM      bool   // it is for the game master, who has commands of his own
}

// Held asks for a confirmation (template "held").
type Held struct {
	Reason   string // one of HeldReasons
	Game     string
	Seat     string // for "join": the name wanted
	Lines    []string
	Code     string
	Until    string // in words
	Deadline string // in words, "" when there is none
}

// HeldReasons lists why a mail can wait.
func HeldReasons() []string {
	return []string{
		"sender",  // it could not be shown to come from the player
		"join",    // somebody wants to sign this address up
		"quoted",  // order lines stood only inside a quote
		"address", // the player wants his mails at another address, Seat
	}
}

// Sparred says how many bouts a seat may still try out in a round (template
// "sparred").
type Sparred struct{ Round, Of, Left int }

// Loose tells of lines that look like orders and stand in no block (template
// "loose"); the issues are of package orders.
type Loose struct{ Issues []Told }

// Refusal says why nothing was done (template "refusal"); the words are
// "refusal.<Code>", one of RefusalCodes.
type Refusal struct {
	Line  int
	Said  string // by that line, shortened; "" when it is not known
	Code  string
	Game  string
	Name  string
	Names []string // what would be right: games, or names
	// Keyword stands before each of Names: NAME, MANAGER.
	Keyword game.Keyword
	Round   int
	InTime  bool // for "left" and "over": it had arrived in time for Round and was seen after the close
}

// RefusalCodes lists why nothing was done.
func RefusalCodes() []string {
	return slices.Concat([]string{
		"no-orders",                                                    // neither orders nor commands were found
		"subject-only",                                                 // they stand in the subject
		"unknown-game",                                                 // the player has no seat in the game Name; Names are his
		"no-game",                                                      // the player has no seat in any game
		"which-game",                                                   // there are several: Names
		"unknown-seat",                                                 // the player has no seat called Name; Names are his
		"which-seat",                                                   // there are several: Names
		"not-yours",                                                    // the seat is somebody else's; Names are his
		"which-round",                                                  // the line that names it could not be read; Round is the open one
		"left",                                                         // the seat Name is no longer in the game
		"not-yet",                                                      // the seat Name enters with Round
		"not-running",                                                  // the game has not begun
		"paused",                                                       // the game rests
		"over",                                                         // the game has ended
		"too-early",                                                    // for a Round too far ahead
		"encrypted", "tnef", "too-large", "too-many-parts", "too-deep", // the mail cannot be read
		"stranger",                                              // nobody known, who wants nothing that is known
		"not-open",                                              // no game takes players
		"already-in",                                            // the player has a seat in the game
		"name-taken",                                            // or one that looks like it
		"name-fighter",                                          // the same, by somebody who has no seat
		"wrong-code",                                            // nothing waits for it
		"code-expired",                                          // what waited for it has been dropped
		"no-report",                                             // of Round
		"no-record",                                             // of Name
		"no-sparring",                                           // in this game
		"sparred-out",                                           // all Round of the open round are fought
		"no-language",                                           // there are Names
		"no-timezone", "no-reminder", "no-switch", "no-address", // Name is none
		"press-off", "press-signed", "press-empty", // the game takes none, none without a name; there is none
		"press-long", "press-often", // more than Round characters, or pieces a round
	}, game.NameCodes())
}

// Enough tells somebody who is no player that he has had his last answer of the
// day (template "enough").
type Enough struct{ Limit int }

// Notice tells what was done apart from orders (template "notice"): the words
// are "notice.<Code>", one of NoticeCodes.
type Notice struct {
	Code     string
	Game     string
	Title    string
	Seat     string
	Round    int
	Count    int      // NMRs in a row, for "removed-nmr"
	Deadline string   // in words
	Other    string   // who was taken out of the game, for "changed"
	Reason   string   // of HeldReasons, for "expired"
	Arrived  string   // when the mail came in which that stood, in words
	Words    string   // the game master's own, for "reopened"
	Next     string   // commitment to the round's seed, for "reopened"
	Lines    []string // the game master's own, for "word"
	Waits    bool     // for "reopened": the seat enters only when Round is closed
	Shown    bool     // for "reopened": the void report told everybody what the seat has on file
}

// NoticeCodes lists what can have been done.
func NoticeCodes() []string {
	return []string{
		"joined",      // takes part from Round on
		"leaving",     // takes part until Round is closed
		"confirmed",   // a code was right
		"removed-nmr", // after Count NMRs
		"removed-gm",  // by the game master
		"changed",     // what Seat's round brings, since the game master took out Other
		"ended", "paused", "resumed",
		"word",                    // Lines of the game master's to all
		"moved",                   // the deadline; none: the game master closes by hand
		"reopened",                // Round, for new orders: Words
		"kept",                    // what became of orders when Round was decided again: Words
		"expired",                 // what waited for a code, for Reason
		"address", "address-half", // mails go to Seat from now on; the other code is awaited
		"press-report", "press-sent", "press-waiting", // what became of press
		"ignored", "heeded", // Seat's press
	}
}

// OwnSettings are what a player decides about himself (template "settings").
type OwnSettings struct {
	Lang, TZ  string
	Now       string // the present time in his zone, in words
	Remind    int    // hours before a deadline, 0 never
	Reports   bool   // by mail
	Addresses []string
}

// Press is players' words to each other (template "press").
type Press struct {
	Items  []PressItem
	Direct bool // a mail of its own, not part of a report
}

// PressItem is one piece of press; From is "" when it is not signed.
type PressItem struct {
	From  string
	Lines []string
}

// Covers names the earlier mails that a receipt stands for too (template
// "covers"): their receipts had not been sent yet.
type Covers struct {
	Count int
	Mails []string // their arrivals, in words; of very many the first and the last
}

// Reminder tells a player that his orders are missing (template "reminder").
type Reminder struct {
	Game, Title string
	Seat        string
	Round       int
	Deadline    string // in words
	Provisional bool   // there are some, with an error in them
	Unsent      []int  // rounds whose reminders could not be sent and are replaced by this one
	Partly      bool   // others of the seat's are on file
	Briefing    string // worded by the ruleset
}

// Digest is what the game master reads once a day (template "digest").
type Digest struct {
	Rows    []DigestRow
	Bounced []string // addresses that refuse our mails
}

// DigestRow counts mails of one result and reason.
type DigestRow struct {
	Result, Reason string
	N              int
	Mail           int64 // the newest of them
}

// Games lists a player's games (template "games").
type Games struct{ Rows []GameRow }

// GameRow is a game as its player sees it.
type GameRow struct {
	Game, Title, Ruleset string
	Seats                []string
	Round                int
	State                string // "new", "running", "paused", "ended"; "waiting" and "left" where the player has no part in the round
	Deadline             string // in words
	Ordered              bool   // all that is due from him is on file
}

// OnFile shows the orders that count for a seat and round (template "onfile").
type OnFile struct {
	Game, Title string
	Seat        string
	Round       int
	Slots       []OnFileSlot // of each slot one; empty: none yet
	Deadline    string       // in words
}

// OnFileSlot is what counts in one slot.
type OnFileSlot struct {
	Lines       []string
	Provisional bool
	Standing    bool   // it was not sent for this round, but stands from before
	Received    string // in words; "" when it stands from before
}

// Help explains the orders and commands (template "help"); the game's own part
// is the ruleset's template "rules".
type Help struct {
	Address string
	Rows    []GameRow
	Spars   bool // one of the games knows sparring
}

// Next stands below a report (template "next"): what to do until the deadline.
type Next struct {
	Game     string
	Round    int
	Deadline string // in words
	Briefing string // worded by the ruleset
}

// Dice stands at the foot of a report (template "dice").
type Dice struct {
	Game   string
	Anew   bool   // its commitment was printed when it was opened for new orders
	Round  int    // the round whose seed is revealed; 0 for the draw at the start
	Seed   string // hex
	Next   string // commitment of the next round's seed, "" after the last round
	Secret string // hex, when the game has ended: revealed
	Sealed string // SHA-256 of the secret, while it is kept
	Closed bool   // orders, and dice that would tell them, stay secret until the game ends
	Hash   string // of the step: it binds what is still secret
}

// Title heads a report (template "title").
type Title struct {
	Game, Title string
	Round       int
	Ended       bool
	Again       *Again // nil when it is the first report on the round
}

// Again heads the report on a round of which there was one before: the round, or one
// before it, was reopened.
type Again struct {
	First  bool // it is the round that was reopened, not one behind it
	Kept   bool // decided again by the same dice, for orders that were seen too late
	Anew   bool // its dice are those that the mail was bound to which opened it for new orders
	Round  int  // the one that was reopened
	Reason string
}

// Carried tells a seat's player what became of his orders when a round was reopened
// (template "carried"). It goes into the report, or stands behind the notice.
type Carried struct {
	Counted []string // when the mails arrived that count now, in words
	Rounds  []CarriedRound
}

// CarriedRound are his orders for one round.
type CarriedRound struct {
	Round int
	Open  bool     // it is the one that is open
	Kept  []string // lines that are on file
	Lost  []string // lines that are no longer
}

// Elsewhere tells the reader of a short report where the rest is (template
// "elsewhere").
type Elsewhere struct {
	Boxers int
	Round  int
}

// Alert is for the game master (template "alert"); the words are "alert.<Code>",
// one of AlertCodes.
type Alert struct {
	Code   string
	Game   string
	Round  int
	Mail   string // id of the mail or outbox entry, for the command to use
	To     string
	Detail string // a server's or the program's own words, one line
	Last   bool   // for "late-arrival": Round is the one closed last, and can be decided again
	When   string // in words
	Times  int    // of a mail to send: at which attempt; each is news again

	Arrived string // when the mail did, in words

	// Of an outage: since when, in words, and of sending what became of the mails
	// that waited.
	Since              string
	Sent, Left, Failed int
}

// AlertCodes lists what the game master is told.
func AlertCodes() []string {
	return []string{
		"refused",      // a mail could not be delivered
		"refusals",     // so many that he is no longer told of each
		"returned",     // a mail came back from a player's server, though his address may be right
		"quarantined",  // a mail could not be handled
		"unfetched",    // a mail could not be read: its mailbox did not give it
		"postponed",    // the mailbox could not be read at the deadline
		"cap",          // a limit on answers was reached
		"outage",       // the mailbox has been out of reach for an hour, or a day more
		"reading",      // and now it can be read again
		"sending",      // mails go out again, after an hour or more without
		"bounced",      // mails to a player are refused for good
		"press",        // press waits to be released
		"late-arrival", // orders had arrived in time and were seen after the close
		"stuck",        // closing a round failed
		"empty",        // after Round nobody is left in Game: it is paused
		"waiting",      // and now somebody has signed up
	}
}

// Subject is the data of the templates "subject.<kind>", one of SubjectKinds.
type Subject struct {
	Game, Title string
	Seat        string
	Round       int
	Outcome     string // of a receipt: as in Head.Foremost
	Code        string // an alert's or a notice's; of a report "again", when there was one before
}

// SubjectKinds lists the kinds of mails.
func SubjectKinds() []string {
	return []string{"receipt", "answer", "held", "report", "start", "notice", "reminder", "press", "alert", "digest"}
}
