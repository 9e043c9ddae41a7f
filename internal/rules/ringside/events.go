package ringside

import (
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
	"ringpost/internal/rules/ringside/plan"
)

// The codes of events, in the order in which a turn brings them.
const (
	EventMissed    = "missed"    // Missed: an NMR was counted
	EventRetired   = "retired"   // Fighter: he goes once the cards are fought
	EventFighter   = "fighter"   // Newcomer
	EventSold      = "sold"      // Sale
	EventTraded    = "traded"    // Sale: Fighter for Other
	EventOffered   = "offered"   // Sale: for sale until the next turn is closed
	EventJoined    = "joined"    // Seat
	EventBooked    = "booked"    // Booking: a bout of the next cards
	EventIdle      = "idle"      // Idle, for the manager of the fighter: he has no bout on the next cards
	EventChallenge = "challenge" // Challenge, for its two managers
	EventLots      = "lots"      // Lots
	EventBout      = "bout"      // Bout
	EventLog       = "log"       // Log, for the managers of the bout
	EventPlan      = "plan"      // Used, for the manager of the fighter
	EventCancelled = "cancelled" // Booking: a bout that was not fought
	EventBet       = "bet"       // Bet
	EventTitle     = "title"     // TitleNews
	EventLeft      = "left"      // Leave
	EventCut       = "cut"       // NewCut
	EventRefused   = "refused"   // Refusal, for whose line it was
	EventMoney     = "money"     // Entries: all of the turn (RSC-25)
)

// Event is what happened; which part is set is said by the event's code. Fighter
// and Name tell to whom, Seat his manager, where it happened to one fighter; Seat
// and Name where it happened to a manager.
type Event struct {
	Fighter FighterID   `json:"fighter,omitempty"`
	Seat    game.SeatID `json:"seat,omitempty"`
	Name    string      `json:"name,omitempty"`

	Missed    *Missed    `json:"missed,omitempty"`
	Newcomer  *Newcomer  `json:"newcomer,omitempty"`
	Sale      *Sale      `json:"sale,omitempty"`
	Booking   *Booking   `json:"booking,omitempty"`
	Idle      *Idle      `json:"idle,omitempty"`
	Challenge *Challenge `json:"challenge,omitempty"`
	Lots      *Lots      `json:"lots,omitempty"`
	Bout      *Bout      `json:"bout,omitempty"`
	Log       *BoutLog   `json:"log,omitempty"`
	Used      *Used      `json:"used,omitempty"`
	Bet       *Bet       `json:"bet,omitempty"`
	Title     *TitleNews `json:"title,omitempty"`
	Leave     *Leave     `json:"leave,omitempty"`
	Cut       *NewCut    `json:"cut,omitempty"`
	Refusal   *Refusal   `json:"refusal,omitempty"`
	Entries   []Entry    `json:"entries,omitempty"`
}

// Missed counts NMRs in a row, this one included.
type Missed struct {
	Count int `json:"count"`
	Limit int `json:"limit"` // 0: never costs the place
}

// Newcomer is a fighter who came.
type Newcomer struct {
	Class      Class        `json:"class"`
	Ratings    bout.Fighter `json:"ratings"`
	Historical bool         `json:"historical,omitempty"` // his ratings were not rolled
	Cut        int          `json:"cut"`
	Lot        int          `json:"lot"`
	Dice       []int        `json:"dice"`
	NameDice   []int        `json:"name_dice,omitempty"`
}

// Sale is a fighter who changes stables, or may.
type Sale struct {
	From  game.SeatID `json:"from"`
	To    game.SeatID `json:"to,omitempty"`
	Price Money       `json:"price,omitempty"`
	// Other is whom he was traded for.
	Other     FighterID `json:"other,omitempty"`
	OtherName string    `json:"other_name,omitempty"`
	Dice      []int     `json:"dice,omitempty"` // between equal bids
}

// Lots are the matchmaker's for a class, or those by which the roster was dealt.
type Lots struct {
	Class Class       `json:"class,omitempty"`
	Order []FighterID `json:"order,omitempty"`
	Dice  []int       `json:"dice,omitempty"`
}

// Bout is a bout that was fought, or the part of one, in figures that every spectator sees. Pairs are
// in the order of the booking's fighters.
type Bout struct {
	Booking Booking     `json:"booking"`
	Corners [2]Corner   `json:"corners"`
	Result  bout.Result `json:"result"`
	// Cards and Rounds are all of the bout so far, From how many of them are those of
	// earlier turns.
	Cards  []bout.Card `json:"cards"`
	Rounds []Round     `json:"rounds"`
	From   int         `json:"from,omitempty"`
	// Words is the die by which the telling of the bout chooses its words.
	Words int `json:"words,omitempty"`
}

// Corner is one of the two of a bout, before it and after.
type Corner struct {
	Fighter FighterID    `json:"fighter"`
	Name    string       `json:"name"`
	Seat    game.SeatID  `json:"seat"`
	Manager string       `json:"manager"`
	Ratings bout.Fighter `json:"ratings"`
	Start   int          `json:"start"`             // endurance at the first bell
	Carried int          `json:"carried,omitempty"` // missing in it from his last bout (RSC-18)
	End     int          `json:"end"`               // endurance at the last
	Result  string       `json:"result"`            // Won, Lost, Tied
	Purse   Money        `json:"purse"`
	Cut     Money        `json:"cut"` // of the purse, his manager's
	Pop     Pop          `json:"pop"` // gained or lost
	Gain    *Experience  `json:"gain,omitempty"`
}

// Experience is what a winner learned (RSC-16).
type Experience struct {
	Die int `json:"die"`
	// Rating that gains a point: "endurance", "agility", "counter"; "" where it has
	// gained all it can.
	Rating string `json:"rating,omitempty"`
}

// Round is what a boxing round was like to watch, by side.
type Round struct {
	Falls []Fall `json:"falls,omitempty"` // in their order, a knock-out among them
	// Pinned counts how often a fighter was caught on the ropes; the others how
	// often he covered up, backpedalled, clinched or rushed.
	Pinned    [2]int `json:"pinned"`
	Cover     [2]int `json:"cover"`
	Backpedal [2]int `json:"backpedal"`
	Clinch    [2]int `json:"clinch"`
	Rush      [2]int `json:"rush"`
}

// Fall is a knockdown.
type Fall struct {
	By    bout.Side  `json:"by"` // who struck
	Turn  int        `json:"turn"`
	Punch bout.Punch `json:"punch"`
	Count int        `json:"count"` // 10 is out
}

// BoutLog is a bout step by step, every die of it among them.
type BoutLog struct {
	Bout string   `json:"bout"`
	Log  bout.Log `json:"log"`
}

// Used is a fighter's plan in a bout, and how often each line of it decided.
type Used struct {
	Bout     string    `json:"bout"`
	Plan     plan.Plan `json:"plan"`
	Fired    []int     `json:"fired"`
	Standing bool      `json:"standing"` // it stood from before
}

// Bet is a bet that was settled.
type Bet struct {
	On     FighterID   `json:"on"`
	OnName string      `json:"on_name"`
	Stake  Money       `json:"stake"`
	With   game.SeatID `json:"with,omitempty"` // "" the bank
	Rival  string      `json:"rival,omitempty"`
	Result string      `json:"result"` // Won, Lost, Tied: the stake came back
}

// TitleNews says what became of a title.
type TitleNews struct {
	Class    Class     `json:"class"`
	Code     string    `json:"code"`
	Champion FighterID `json:"champion,omitempty"` // now
	Name     string    `json:"name,omitempty"`
	Before   FighterID `json:"before,omitempty"`
	Loser    string    `json:"loser,omitempty"` // the name of him who held it
	Rival    string    `json:"rival,omitempty"` // the name of the other in the bout
	Defences int       `json:"defences,omitempty"`
}

// What may become of a title.
const (
	TitleWon      = "won"      // the challenger took it
	TitleDefended = "defended" // a draw is enough (RSC-9)
	TitleFilled   = "filled"   // it was vacant and has a holder now
	TitleOpen     = "open"     // it was vacant and stays so: a draw
	TitleVacated  = "vacated"  // the champion retired, or his manager left
	TitleLapsed   = "lapsed"   // he did not defend it in time
)

// Leave says why a manager left, and whom he took along: all his fighters.
type Leave struct {
	Reason   string      `json:"reason"`
	Count    int         `json:"count,omitempty"` // NMRs in a row
	Fighters []FighterID `json:"fighters,omitempty"`
}

// Reasons to leave.
const (
	LeftWish = "wish"
	LeftGM   = "gm"
	LeftNMR  = "nmr"
)

// NewCut is a cut that fell due (RSC-15).
type NewCut struct {
	Die    int `json:"die"`
	Before int `json:"before"`
	After  int `json:"after"`
}

// Refusal is a manager's line that came to nothing.
type Refusal struct {
	Wish Wish   `json:"wish"`
	Why  string `json:"why"`
	// Own, Other and With are the names of those whom the line names.
	Own   string `json:"own,omitempty"`
	Other string `json:"other,omitempty"`
	With  string `json:"with,omitempty"`
}

// Why a line came to nothing.
const (
	NoFighter   = "gone"       // a fighter of it is no longer there, or no longer his
	NoRetiring  = "early"      // too few bouts to retire (RSC-19)
	NoName      = "name"       // taken by now: the fighter has another
	NoSuccessor = "successor"  // NEW without a retirement
	NoAnswer    = "unanswered" // the challenge has lapsed
	NoStranger  = "stable"     // both are of one stable (RSC-23)
	NoClass     = "class"      // they are of different classes (RSC-12)
	NoReturn    = "leaving"    // one of them is about to leave
	NoWeek      = "week"       // no week is free for both
	NoOffer     = "no-offer"   // he is not for sale
	NoPrice     = "price"      // more is asked
	NoBid       = "outbid"     // another bid more, or had the better lot
	NoCash      = "cash"       // not enough money
	NoRoom      = "full"       // the stable is full
	NoneLeft    = "last"       // the seller has no other fighter
	NoPartner   = "unmatched"  // the other manager sent no such line
	NoBout      = "no-bout"    // the fighter has no bout, or it was not fought
	NoTreason   = "own"        // a bet against one's own fighter
	NoLate      = "begun"      // a bet on a bout that has begun
	NoLeave     = "busy"       // a title bout of his goes on, or may
	NoPlace     = "place"      // the reserved place could not be used
)

// Refusals lists why lines come to nothing, for the words.
func Refusals() []string {
	return []string{NoFighter, NoRetiring, NoName, NoSuccessor, NoAnswer, NoStranger, NoClass, NoReturn, NoWeek, NoOffer, NoPrice,
		NoBid, NoCash, NoRoom, NoneLeft, NoPartner, NoBout, NoTreason, NoLate, NoLeave, NoPlace}
}
