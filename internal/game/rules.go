package game

import "fmt"

// Rules is one game: pure functions of state S, orders O and dice that give
// states and events E. Package rules folds it to stored JSON, so an
// implementation never meets bytes.
//
// No method changes its arguments. Nothing a player can write makes a method
// panic or return an error: an error from Setup or Advance is a bug or a broken
// file, what players do wrong is an Issue or an Event.
type Rules[S, O, E any] interface {
	// About describes the game; it is the same at every call.
	About() About

	// Setup makes the state in which round 1 is open. Settings and traits have
	// been checked against About.
	Setup(Settings, []Seat, RoundDice) (S, []Event[E], error)

	// Owner finds the seat that a block of this name orders for.
	Owner(S, string) (SeatID, bool)

	// Slots are those that a block of a seat is meant for (G-3), whether or not
	// anything in it can be read; none where that cannot be told.
	Slots(S, SeatID, Block) []string

	// Read turns a block of a seat into slips and issues. It tells what it did
	// not understand from what it understood and does not allow.
	Read(S, SeatID, Block) ([]Slip[O], []Issue)

	// Explain foretells, for the receipt, what of these slips is certain: what
	// they cost, what can never apply. It throws no dice and shows the seat
	// nothing that is hidden from it.
	Explain(S, SeatID, []Slip[O]) View

	// Due says what the state waits for.
	Due(S) Due

	// Advance goes on to the next duty that is not met, or to the round's end.
	// Seats without orders are dealt with as the rules say (NMR).
	Advance(S, Inputs[O], RoundDice) (S, []Event[E], error)

	// Answer shows what an audience asks for and may see.
	Answer(S, Query[S, E], Audience) ([]View, []Issue)

	// Spar fights a bout between blocks that stand in no game. Settings have been
	// checked against About and CheckSettings.
	Spar(Settings, []Block, Dice) (View, []Issue)
}

// What a ruleset may have beside Rules.
type (
	// SettingsChecker looks deeper into the settings of a game or a test fight than
	// About can say: into files above all. They have been checked against About. The
	// error names the setting and what to do.
	SettingsChecker interface {
		CheckSettings(Settings) error
	}

	// FileTeller says in a few English words, for the game master, what the file of a
	// setting holds; no text means no file. It has been checked.
	FileTeller interface {
		TellFile(key, text string) string
	}

	// RulesTeller puts a game's settings into the words of its rules; its view has
	// the template "rules".
	RulesTeller interface {
		RulesView(Settings) View
	}

	// Sparrer lets a seat try an order out between rounds, by dice that are no
	// round's: subject is what it names, slips are its orders on file.
	Sparrer[S, O any] interface {
		Sparring(s S, seat SeatID, subject string, slips []Slip[O], dice Dice) (View, []Issue)
	}

	// Stander is a game in which orders stand until they are replaced (G-11): what
	// counts for a seat without being sent again, slip by slip.
	Stander[S, O any] interface {
		Standing(S, SeatID) []Slip[O]
	}

	// Namer is a game in which not only seats have names (G-13).
	Namer[S any] interface {
		// Names are the others that belong to a seat; of "" those of all.
		Names(S, SeatID) []string
		// NamesBefore are those that settings bring into a game when it starts.
		NamesBefore(Settings) []string
	}

	// Prober readies the test fight of Spar to be fought many times.
	Prober interface {
		Probe(Settings, []Block) (Probe, []Issue)
	}
)

// Probe is a test fight that can be fought again and again, by several hands at
// once.
type Probe interface {
	// Fight fights it and gives the number of its outcome, from 0.
	Fight(Dice) int
	// Tally shows how often each outcome came.
	Tally(counts []int) View
}

// About is what there is to know of a ruleset before a game begins.
type About struct {
	Name string // of the ruleset: "sugarray"
	// Version is the newest version of the rules; Setup writes it into the
	// state, and a state is always advanced by the version it holds.
	Version int
	// Schema numbers the layout of the state's JSON, from 1.
	Schema int
	Game   []Setting // what `game new --set` takes
	Seat   []Setting // what a seat's traits may be
	Spar   []Setting // what `spar --set` takes
	// Open: what was ordered is everybody's once its round is closed. Otherwise it
	// is kept sealed until the game ends.
	Open bool
	// MinSeats is the least number of seats a game can start with.
	MinSeats int
}

// Due is what a state waits for.
type Due struct {
	Round int  // the round now open, from 1
	Over  bool // the game is decided; nothing is due any more
	// Seats lists who takes part, in the order of entry; a seat that is no
	// longer in it has left.
	Seats  []SeatID
	Duties []Duty // in the order of seats
}

// Duty is something a seat owes (G-14).
type Duty struct {
	Seat SeatID
	Kind string // "moves", "plan", "action", "retreat", …
	Slot string // the slip that meets it
	// About is whom or what it is about where a seat can owe several of a kind: the
	// name of a fighter.
	About string
	// Hours is the time the seat has from the moment the duty arises; 0 means
	// until the game's deadline.
	Hours int
	// Silence is the code of the words that say what happens without orders.
	Silence string
}

// Inputs are all that a step of a game depends on besides state and dice. Its
// order is canonical: by entry for seats, then by slot.
type Inputs[O any] struct {
	Orders []Order[O] `json:"orders"`
	Joins  []Seat     `json:"joins,omitempty"`
	Leaves []Leave    `json:"leaves,omitempty"`
}

// Order is one slot of one seat.
type Order[O any] struct {
	Seat   SeatID `json:"seat"`
	Slot   string `json:"slot"`
	Orders O      `json:"orders"`
}

// Leave takes a seat out of the game (G-10).
type Leave struct {
	Seat SeatID `json:"seat"`
	// Now: before this step, by the game master (SR-34); otherwise after it.
	Now bool `json:"now,omitempty"`
}

// Event is something that happened, in the order it happened. Every die thrown
// stands in the events.
type Event[E any] struct {
	Code string `json:"code"`
	// For lists the seats that may see it; nil means everybody may, an empty list
	// nobody. So it is stored: only nil is left out.
	For  []SeatID `json:"for,omitzero"`
	Data E        `json:"data"`
}

// Step is one stored step of a game.
type Step[S, E any] struct {
	Round  int
	Before S // the zero value for the setup
	After  S
	Events []Event[E]
}

// QueryKind is a kind of question to a ruleset.
type QueryKind string

// The questions.
const (
	// QueryReport: the report on Step, the audience's own part first.
	QueryReport QueryKind = "report"
	// QueryBriefing: what a seat needs for its next orders (opponent, ready block).
	QueryBriefing QueryKind = "briefing"
	// QueryTable: the standings.
	QueryTable QueryKind = "table"
	// QueryRecord: the career of the seat named Subject.
	QueryRecord QueryKind = "record"
	// QueryExport: Step as figures, for exports; Data is JSON-encodable.
	QueryExport QueryKind = "export"
)

// Query is a question to a ruleset.
type Query[S, E any] struct {
	Kind    QueryKind
	Subject string
	Step    *Step[S, E] // for reports and exports
	// Sent are, for a briefing, the slots for which its seat has orders on file that
	// the state does not know yet.
	Sent []string
	// Gone are, for a briefing, those whom the game master took out of the open
	// round, which the state does not know yet either.
	Gone []SeatID
}

// Audience is who asks: a seat, the game master, or (zero value) the public.
type Audience struct {
	Seat SeatID
	GM   bool
}

// View is what a template needs to put something into words: numbers, names and
// codes, never sentences.
type View struct {
	Template string // the file below templates/<language>/<ruleset>/, without .txt
	// Key is equal for views with equal Data in one answer to whomever, so that
	// a body is rendered once for all who get it; "" means it is one seat's own.
	Key string
	// Data makes the template's data. It is called later, and beside other things, so
	// it only reads.
	Data func() any
}

// Movement words a change of place in a table without any language: "+2" for two
// places better, "=" for the same, "*" where there was none before (0).
func Movement(from, to int) string {
	switch {
	case from == 0:
		return "*"
	case from == to:
		return "="
	}
	return fmt.Sprintf("%+d", from-to)
}
