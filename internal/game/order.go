package game

// Keyword is the one English name of an order word in whatever language it was
// written; package orders holds the words.
type Keyword string

// The keywords. Which words players may write for them, and what may follow, is
// said once, in package orders.
const (
	KeyGame      Keyword = "GAME"
	KeyName      Keyword = "NAME"
	KeyRound     Keyword = "GAMETURN"
	KeyLeague    Keyword = "LEAGUE"
	KeyTechnique Keyword = "TECHNIQUE"
	KeyCondition Keyword = "CONDITION"
	KeyMove      Keyword = "MOVE"
	KeyTraining  Keyword = "TRAINING"
	KeyEnd       Keyword = "END"

	KeyFighter     Keyword = "FIGHTER" // NAME, for a fighter's plan
	KeyOpponent    Keyword = "OPPONENT"
	KeyPunch       Keyword = "PUNCH"
	KeyExpect      Keyword = "EXPECT"
	KeyFeet        Keyword = "FEET"
	KeyDefend      Keyword = "D"
	KeyAttack      Keyword = "A"
	KeyBoxingRound Keyword = "ROUND" // limits the line that follows on it
	KeyStanding    Keyword = "STANDING"
	KeyRatings     Keyword = "RATINGS" // of a fighter in a test fight

	KeyManager Keyword = "MANAGER" // NAME, for a manager's lines
	KeyBout    Keyword = "BOUT"
	KeyOpen    Keyword = "OPEN"
	KeyRest    Keyword = "REST"
	KeyRetire  Keyword = "RETIRE"
	KeyNew     Keyword = "NEW"
	KeyOffer   Keyword = "OFFER"
	KeyBuy     Keyword = "BUY"
	KeyTrade   Keyword = "TRADE"
	KeyBet     Keyword = "BET"
	KeyReserve Keyword = "RESERVE"
	KeySpar    Keyword = "SPARRING"

	KeyJoin   Keyword = "JOIN"
	KeyLeave  Keyword = "LEAVE"
	KeyHelp   Keyword = "HELP"
	KeyRules  Keyword = "RULES"
	KeyTable  Keyword = "TABLE"
	KeyOrders Keyword = "ORDERS"
	KeyRecord Keyword = "RECORD"
	KeyReport Keyword = "REPORT"
	KeyGames  Keyword = "GAMES"
	KeyYes    Keyword = "YES"

	KeyPress     Keyword = "PRESS"
	KeyIgnore    Keyword = "IGNORE"
	KeyHeed      Keyword = "HEED" // take IGNORE back
	KeyLanguage  Keyword = "LANGUAGE"
	KeyTimezone  Keyword = "TIMEZONE"
	KeyAddress   Keyword = "ADDRESS"
	KeyReminders Keyword = "REMINDERS"
	KeyReports   Keyword = "REPORTS" // by mail, or not
)

// Statement is one line of an order block, read but not yet judged.
type Statement struct {
	Line    int     // of the letter's clean text, from 1; 0 where there is none
	Keyword Keyword // what the line's first word means
	Args    string  // the rest, blanks single, comment gone
	// Tail holds the lines directly below that begin with no keyword: a mailer
	// may have wrapped the line. Only the ruleset knows whether joining them
	// gives one good reading.
	Tail []string
}

// RoundUnread is the round of a block whose GAMETURN line could not be read.
const RoundUnread = -1

// Block is what one seat, or one manager, orders in one mail.
type Block struct {
	Line       int    // where it begins
	Game       string // from the GAME line in force, "" when there was none
	Name       string // from the NAME line, "" when there was none
	Round      int    // from the GAMETURN line (G-9), 0 when there was none, RoundUnread
	Manager    bool   // MANAGER opened it: Name is a manager's, and so are the lines
	Statements []Statement
	// Issues are lines of the block that look like orders and could not be read.
	Issues []Issue
}

// Slip is the typed content of one slot (G-3): a later slip of the same seat,
// round and slot replaces an earlier one completely.
type Slip[O any] struct {
	Slot   string `json:"slot"`
	Orders O      `json:"orders"`
	// Lines are the orders as understood, normalised, for the receipt. Where a seat
	// has several slots the first says which this is.
	Lines []Line `json:"lines"`
	// Provisional orders have an error in a needed line: they never replace
	// good ones and count only when there is nothing better (G-7).
	Provisional bool `json:"provisional,omitempty"`
}

// Line is a normalised order line; its keyword is worded in the reader's
// language when it is shown.
type Line struct {
	Keyword Keyword `json:"keyword"`
	Args    string  `json:"args"`
	// In holds the arguments by language ("de") where they have words of it.
	In map[string]string `json:"in,omitempty"`
}

// Issue is something to tell a player about his orders. It is data: the words
// come from templates, in his language, by Code and Args.
type Issue struct {
	Line int      `json:"line"` // 0: about the whole block
	Code string   `json:"code"`
	Args []string `json:"args,omitempty"`
	// Error tells orders that could not be taken as meant from a warning.
	Error bool `json:"error,omitempty"`
}

// ClipIssue is how many characters of a letter an issue shows.
const ClipIssue = 60

// Clip shortens what is quoted from a letter to its first characters, at most so
// many, and a sign that there is more.
func Clip(text string, most int) string {
	n := 0
	for i := range text {
		if n++; n > most {
			return text[:i] + "…"
		}
	}
	return text
}
