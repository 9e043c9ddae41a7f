package report

import "ringpost/internal/game"

// The data of the common templates. Each type names the template it fills; a
// mail is a row of such sections. Strings that are already words (dates in the
// reader's zone, bodies rendered by a ruleset's templates) say so.

// Receipt answers one order block (template "receipt").
type Receipt struct {
	Game, Title string // id and title of the game
	Seat        string
	Round       int
	Lines       []string // the orders as read, normalised, in the reader's words
	// Outcome says what became of them: "taken", "unchanged" (the same as on
	// file), "provisional" (counts until better comes), "kept" (has an error, the
	// good orders on file stay), "early" (kept for a later round), "late" (missed
	// its deadline), "unfilled" (the ready block, not filled in).
	Outcome  string
	OnFile   []string // the orders that count when Outcome is "kept" or "late"
	Changes  []Change // against the orders that these replace
	Issues   []game.Issue
	Missed   string // when Outcome is "late": the deadline it missed, in words
	Preview  string // what is already certain, worded by the ruleset; may be empty
	Briefing string // opponent and ready block, worded by the ruleset; may be empty
	Deadline string // in the player's zone, in words; "" when no round is open
}

// Change is a line that differs from the orders it replaces; Old or New is ""
// for a line that came or went.
type Change struct{ Old, New string }

// Head opens an answer (template "head").
type Head struct {
	Player string // his name as he writes it, "" when unknown
	// Foremost is what the reader must know before anything else: "", or the
	// worst Outcome of the receipts that follow ("provisional", "kept", "late").
	Foremost string
}

// Foot closes every mail (template "foot").
type Foot struct {
	Address string // where orders go
	Token   bool   // the subject carries the reader's token
}

// Held asks for a confirmation (template "held").
type Held struct {
	// Reason: "sender" (the mail could not be shown to come from the player),
	// "join" (somebody wants to sign this address up), "quoted" (order lines
	// stood only inside a quote).
	Reason   string
	Game     string
	Seat     string // for "join": the name wanted
	Lines    []string
	Code     string
	Until    string // in words
	Deadline string // in words, "" when there is none
}

// Refusal says why nothing was done (template "refusal"); the words are the
// template "refusal.<Code>", the codes: "no-orders", "subject-only",
// "unknown-game", "unknown-seat", "not-yours", "which-game", "which-seat",
// "not-running", "over", "paused", "encrypted", "tnef", "too-large", "stranger",
// "wrong-code", "code-expired", "name-taken", "name-bad", "already-in",
// "no-report", "no-record", "too-early", "not-open".
type Refusal struct {
	Line  int
	Code  string
	Game  string
	Name  string
	Names []string // what would be right: games or seats
	Round int
}

// Notice tells what was done apart from orders (template "notice"): the words
// are "notice.<Code>": "joined" (takes part from the next round), "leaving"
// (after this round), "confirmed", "removed-nmr", "removed-gm", "ended",
// "paused", "resumed".
type Notice struct {
	Code     string
	Game     string
	Title    string
	Seat     string
	Round    int
	Count    int    // NMRs in a row, for "removed-nmr"
	Deadline string // in words
}

// Games lists a player's games (template "games").
type Games struct{ Rows []GameRow }

// GameRow is a game as its player sees it.
type GameRow struct {
	Game, Title, Ruleset string
	Seats                []string
	Round                int
	State                string // "new", "running", "paused", "ended"
	Deadline             string // in words
	Ordered              bool   // all that is due from him is on file
}

// OnFile shows the orders that count (template "onfile").
type OnFile struct {
	Game, Seat  string
	Round       int
	Lines       []string // empty: none yet
	Provisional bool
	Received    string // in words
	Deadline    string // in words
}

// Help explains the orders and commands (template "help"); the game's own part
// is the ruleset's template "rules".
type Help struct {
	Address string
	Rows    []GameRow
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
	Branch int
	Round  int    // the round whose seed is revealed; 0 for the draw at the start
	Seed   string // hex
	Next   string // commitment of the next round's seed, "" after the last round
	Secret string // hex, when the game has ended: revealed
	Sealed string // SHA-256 of the secret, while it is kept
}

// Title heads a report (template "title").
type Title struct {
	Game, Title string
	Round       int
	Ended       bool
	Branch      int // above 0: the game was reopened so many times
}

// Elsewhere tells the reader of a short report where the rest is (template
// "elsewhere").
type Elsewhere struct {
	Boxers int
	Round  int
}

// Alert is for the game master (template "alert"); the words are
// "alert.<Code>": "refused" (a mail could not be delivered), "quarantined",
// "postponed" (the mailbox could not be read at the deadline), "cap" (a limit on
// answers was reached), "outage", "late-arrival" (it had arrived in time and was
// seen after the close), "stuck" (closing a round failed).
type Alert struct {
	Code   string
	Game   string
	Round  int
	Mail   string // id of the mail or outbox entry, for the command to use
	To     string
	Detail string // a server's or the program's own words, one line
	When   string // in words
}

// Subject is the data of the subject templates "subject.<kind>": "answer",
// "report", "start", "held", "notice", "alert".
type Subject struct {
	Game, Title string
	Seat        string
	Round       int
	Outcome     string // for "answer": as in Head.Foremost
	// Code is an alert's or a notice's.
	Code string
}
