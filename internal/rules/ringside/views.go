package ringside

import (
	"ringpost/internal/game"
	"ringpost/internal/rules/ringside/bout"
)

// The views: what the templates of Ringside put into words. Numbers, names and
// codes, never sentences. Each type names its template.

// Profile is a fighter as everybody knows him.
type Profile struct {
	Name     string
	Manager  string // his name
	Class    Class
	Champion bool
	Rank     int // among the contenders; 0 the champion, or not ranked yet
	Pop      Pop // effective
	Earned   Pop // of it, without the rank's bonus
	Ratings  bout.Fighter
	Gained   Gains
	Record   Record
	Cut      int // his manager's, in percent
	Purses   Money
	Past     []Past // newest first, at most PastBouts
	Retires  bool   // he may retire now (RSC-19)
	Since    int    // the turn at whose close he came
}

// Last are the newest bouts of a profile.
func (p Profile) Last(n int) []Past { return p.Past[:min(n, len(p.Past))] }

// Own is a seat's part of the report (template "own").
type Own struct {
	Round int
	Name  string
	// Case: "played", "joined" (entered with this report), "left" (Left says why).
	Case  string
	Left  string
	Count int // NMRs in a row that cost the place
	// Missed counts NMRs in a row, 0 when he wrote or owed nothing; Limit of them
	// cost the place, 0 never.
	Missed, Limit int
	Bouts         []OwnBout
	Bets          []Bet
	Idle          []IdleView
	Refused       []RefusalView
	Challenges    []ChallengeView
	Ledger        []LedgerLine // of the manager, in the order they were booked
	Before, After Money        // cash
}

// OwnBout is a bout of one of a seat's fighters, blow by blow. Where both are his,
// it comes twice.
type OwnBout struct {
	Booking    Booking
	Own, Other Corner
	Side       bout.Side // of Own in cards and log
	Outcome    string    // "won-ko", "lost-decision", "drawn", "open" while it goes on
	Result     bout.Result
	Points     [2]int // totals of the scorecards, Own's first
	From       int    // rounds that were fought in earlier turns
	Cards      []bout.Card
	Rounds     []Round
	// Log is the whole bout, or the part of this turn. The dice by which the plans chose their punches are left
	// out: they would tell the opponent's weights.
	Log    bout.Log
	Course Course // the same, to read
	// Plan are the lines of Own's plan; none when he fought by the default one.
	Plan     []PlanLine
	Standing bool // the plan stood from before
}

// Scored reports whether a round, from 0, has points: one that was cut short has none.
func (o OwnBout) Scored(i int) bool { return scored(o.Result, i) }

func scored(r bout.Result, i int) bool { return !early(r.Method) || i+1 < r.Round }

// Swings counts the punches that a side has tried, from the log: those of Step I and
// counterpunches that were thrown.
func (o OwnBout) Swings(side bout.Side) int {
	n := 0
	for _, e := range o.Log {
		n += flag(e.By == side && (e.Kind == bout.Attack || e.Kind == bout.Counterpunch))
	}
	return n
}

// Hits are the punches that a side has landed of them.
func (o OwnBout) Hits(side bout.Side) int {
	n := 0
	for _, c := range o.Cards[o.From:] {
		n += c.Hits[side]
	}
	return n
}

// PlanLine is a line of one's own plan, in every language, and how often it decided
// in the bout.
type PlanLine struct {
	De, En string
	Fired  int
}

// IdleView is a fighter of the reader's without a bout on the next cards.
type IdleView struct {
	Name   string
	Why    string // of Idle
	Rivals []Rival
	Turn   int // for whose cards he may be matched again
}

// Rival is a fighter who could be challenged.
type Rival struct {
	Name    string
	Manager string
}

// mostRivals is how many are named.
const mostRivals = 3

// RefusalView is a manager's line that came to nothing.
type RefusalView struct {
	De, En string // the line without its keyword
	Key    game.Keyword
	Refusal
}

// ChallengeView is a challenge without an answer.
type ChallengeView struct {
	Mine    bool   // sent by the reader
	Manager string // the other manager
	Own     string // the reader's fighter
	Other   string
	Proposal
}

// LedgerLine is an entry as its manager sees it.
type LedgerLine struct {
	Amount Money  // below 0 when he paid
	Why    string // of Entry
	With   string // the name of the fighter or manager on the other side; "" for others
}

// Report is the shared body of a report (template "report"), or in a game of many
// what concerns everybody (template "news") and all of one class (template "division").
type Report struct {
	Round     int   // 0: the start
	Class     Class // "" where it is not of one class
	Weeks     []WeekView
	Titles    []TitleNews
	Missed    []string
	Joined    []string
	Left      []LeftView
	Retired   []string
	Newcomers []NewcomerView
	Moves     []MoveView // sold and traded
	Offers    []MoveView
	Bets      []BetView
	Cuts      []CutView
	Table     Table
	Free      []FreeView
	Next      NextCards
}

// WeekView are the cards of a week.
type WeekView struct {
	Week  int
	Cards []CardView
}

// CardView is an arena's card.
type CardView struct {
	Arena Arena
	Bouts []BoutView
}

// BoutView is a bout in figures for everybody; one that was not fought has
// Cancelled set and no more than the booking.
type BoutView struct {
	Bout
	Cancelled     bool
	First, Second string // names
	Winner, Loser string // of a draw the first and the second
	Outcome       string // "ko", "tko", "decision", "draw", "" while it goes on
	Points        [2]int // totals of the scorecards, the winner's first
	Purse         [2]Money
	Change        [2]Pop // of POP
	Tale          Tale
}

// Elsewhere tells the reader of a short report where the rest is (template
// "rest").
type Elsewhere struct {
	Fighters int
	Round    int
}

// Scored reports whether a round, from 0, has points: one that was cut short has none.
func (v BoutView) Scored(i int) bool { return scored(v.Result, i) }

// Hits are the punches that landed, the winner's first.
func (v BoutView) Hits() [2]int {
	return v.sum(func(c bout.Card) [2]int { return c.Hits })
}

// Downs are the knockdowns, those that the winner scored first, without one that was
// counted out.
func (v BoutView) Downs() [2]int {
	return v.sum(func(c bout.Card) [2]int { return c.Downs })
}

func (v BoutView) sum(of func(bout.Card) [2]int) [2]int {
	var sum [2]int
	for _, c := range v.Cards {
		n := of(c)
		sum[0] += n[0]
		sum[1] += n[1]
	}
	if v.Result.Winner == bout.Second {
		sum[0], sum[1] = sum[1], sum[0]
	}
	return sum
}

// LeftView is a manager who left.
type LeftView struct {
	Name   string
	Reason string
	Count  int
}

// NewcomerView is a fighter who came.
type NewcomerView struct {
	Name    string
	Manager string
	Class   Class
	Ratings bout.Fighter
	Cut     int
}

// MoveView is a fighter sold, traded or for sale.
type MoveView struct {
	Name, From, To string
	Other          string // for whom he was traded
	Price          Money
}

// BetView is a bet that was settled.
type BetView struct {
	Manager string
	Bet
}

// CutView is a new cut.
type CutView struct {
	Name, Manager string
	Before, After int
}

// FreeView are the fighters of a class without a bout on the next cards.
type FreeView struct {
	Class Class
	Names []string
}

// Table holds the rankings and the managers (template "table").
type Table struct {
	Round    int // the last turn closed
	Classes  []Ranking
	Managers []ManagerRow
	More     int // managers who are not in it
}

// Ranking is the ranking of a class (RSC-8).
type Ranking struct {
	Class    Class
	Champion *Row // nil while the title is vacant
	Since    int  // the turn in which he won it
	Defences int
	By       int // the turn in which he must defend it at the latest
	Rows     []Row
	More     int // fighters who are not in it
}

// Row is a fighter in a ranking.
type Row struct {
	Rank    int
	Name    string
	Manager string // cut to the column
	Pop     Pop
	Earned  Pop
	Record  Record
	Purses  Money
	Cut     int
	Move    string // since a turn ago: "+3", "-1", "=", "*" for who was not in it
}

// ManagerRow is a manager in the table, the richest first.
type ManagerRow struct {
	Name     string
	Cash     Money
	Cuts     Money // of it from purses
	Fighters int
	Titles   int
}

// NextCards are the bouts of the open turn.
type NextCards struct {
	Round int
	Weeks []NextWeek
	Part  bool // of one class
	Brief bool // there are many: without all that is known of the two
}

// NextWeek are the cards of a week to come.
type NextWeek struct {
	Week  int
	Cards []NextCard
}

// NextCard is an arena's card to come.
type NextCard struct {
	Arena   Arena
	Matches []Match
}

// Match is a bout to come.
type Match struct {
	Booking
	A, B  Profile
	Purse [2]Money // of the winner and the loser, if A wins
}

// Briefing is what a manager needs for his next orders (template "briefing").
type Briefing struct {
	Game       string // id
	Round      int
	Name       string
	Cash       Money
	Fighters   []OwnFighter
	Challenges []ChallengeView // to him
	Offers     []MoveView      // of others
	Sales      bool
	Bets       bool
	Rent       Money
}

// OwnFighter is a fighter of the reader's stable.
type OwnFighter struct {
	Profile
	Matches []OwnMatch
	Rivals  []Rival    // whom he could challenge, where he has no match; at most mostRivals
	Plan    []PlanLine // that stands; none: the default one
	Sent    bool       // another is on file for the open turn
}

// OwnMatch is a bout to come of one's own fighter.
type OwnMatch struct {
	Booking
	Opponent Profile
	Pop      Pop      // of the opponent, as booked
	Purse    [2]Money // if he wins, if he loses
	Start    int      // endurance at the next bell
	Carried  int      // missing in it from his last bout
	// Of a bout that goes on: the opponent's endurance, and the points so far, the own
	// ones first.
	Rival  int
	Points [2]int
}

// Preview foretells what is certain of orders (template "preview").
type Preview struct {
	Plan  *PlanPreview
	Bouts []BoutPreview
	// Lines are the manager's lines, Stakes what his bets take of Cash.
	Lines  int
	Stakes Money
	Cash   Money
}

// BoutPreview is a challenge that was sent.
type BoutPreview struct {
	Own, Other string
	Manager    string // the other's
	Answers    bool   // the other manager has challenged already
}

// PlanPreview is what is certain of a plan.
type PlanPreview struct {
	Name    string
	Once    bool
	Lines   int
	Match   *OwnMatch // the next bout, nil without one
	Matches int
	// Default tells what the default plan decides: there is no line, or none without
	// limits.
	Punch, Expect, Feet bool
}

// RecordView is a fighter's career (template "record").
type RecordView struct {
	Profile
	Defences int // as champion, in this reign
	Reign    int // champion since this turn
	Next     []OwnMatch
}

// StableView is a manager and his fighters (template "stable").
type StableView struct {
	Name     string
	Joined   int
	Cash     Money
	Cuts     Money
	Fighters []Profile
}

// Spar is a test fight (template "spar").
type Spar struct {
	Names  [2]string
	Rounds int // scheduled
	Bout   BoutView
	Log    bout.Log
	Course Course
	Plans  [2][]PlanLine
}

// Rates are the outcomes of many test fights (template "rates").
type Rates struct {
	Names  [2]string `json:"names"`
	Rounds int       `json:"rounds"` // scheduled
	Runs   int       `json:"runs"`
	Rows   []Rate    `json:"rows"`
}

// Rate is how often an outcome came.
type Rate struct {
	Winner  string `json:"winner"`  // "" for a draw
	Outcome string `json:"outcome"` // "win" of any kind, "ko", "tko", "decision", "draw"
	Count   int    `json:"count"`
	// Share is Count of all runs, rounded. In 95 cases of 100 it is no further than
	// Error from what endless runs would give.
	Share Percent `json:"share"`
	Error Percent `json:"error"`
}

// Sparring is a bout against a partner, between turns (template "sparring").
type Sparring struct {
	Name     string
	Opponent string // whose ratings the partner has
	OnFile   bool   // by the plan sent for this turn; otherwise by the standing one
	Default  bool   // by no plan at all
	Spar
}

// RulesSheet is a game's settings in the words of its rules (template "rules").
type RulesSheet struct {
	Terms
	Chart         []ChartRow
	Reconstructed bool // a cell of the chart
	Standard      bool // the chart is the one that comes with the program
	Roster        int  // fighters dealt at the start
}

// ChartRow is a row of the punching chart: a star marks reconstructed cells.
type ChartRow struct {
	Punch string
	Cells []string
}
