package sugarray

// The views: what the templates of Sugar-Ray put into words. Numbers, names and
// codes, never sentences. Each type names its template.

// Values are what describes a boxer.
type Values struct {
	League    int // 1 to 4; 0 the champion
	Technique int64
	Condition int64
}

// Profile is a boxer as others know him.
type Profile struct {
	Name string
	Values
	Record Record
	Past   []PastView // newest first, at most PastFights
	// The widths of the columns that Past stands in.
	NameColumn, FiguresColumn int
}

// PastView is a fight of the past in columns.
type PastView struct {
	Past
	Name       string // the opponent's, cut where the line would be too wide
	OwnPairs   string // "6/0 3/3", as far as it was boxed
	OtherPairs string
}

// Own is a seat's part of the report (template "own").
type Own struct {
	Round int
	Name  string
	// Case: "boxed", "idle" (a champion without a bout), "joined" (entered with
	// this report), "removed" (left before the fights).
	Case string
	Bout *OwnBout // when Case is "boxed"
	// Missed counts NMRs in a row, 0 when he ordered; Limit of them cost the
	// place, 0 never.
	Missed, Limit int
	Before, After Values
	Transfer      *Transfer // nil when the fight changed nothing
	Drill         *Drill    // nil when he was not there to train
	Title         string    // his part in it: "", "won", "kept", "lost", "missed" (vacant as before)
	Defences      int
	Left          string // the reason, "" when he stays
}

// Moved says how the league changed: "up", "down", "same"; "" with the title.
func (o Own) Moved() string {
	switch {
	case o.Before.League == NoLeague || o.After.League == NoLeague:
		return ""
	case o.After.League < o.Before.League:
		return "up"
	case o.After.League > o.Before.League:
		return "down"
	}
	return "same"
}

// OwnBout is a seat's own fight.
type OwnBout struct {
	Opponent string
	Dummy    bool
	League   int
	Stake    string // "" a league fight; "defence", "challenge", "vacant" for the title
	// Result: "won-ko", "won-points", "lost-ko", "lost-points", "drawn-points",
	// "drawn-ko".
	Result     string
	Round      int   // the boxing round of the knock-out, 0 without one
	Fatigue    bool  // it came from fatigue
	Own, Other int64 // offence numbers of all five rounds
	Lines      [2]string
}

// Report is the shared body of a report (template "report").
type Report struct {
	Round   int  // 0: the start, with tables and pairings only
	Boxers  int  // in the game
	Short   bool // one league only; the rest is elsewhere
	Title   *TitleView
	Leagues []LeagueFights
	Missed  []string // names of those from whom no orders came
	Joined  []EntryView
	Left    []LeftView
	Table   Table
	Next    NextCard
}

// TitleView is the title fight and what became of the title.
type TitleView struct {
	Code     string // of TitleNews
	Champion string // after the bout, "" while it is vacant
	Before   string // the champion before, "" when there was none
	Falls    string // who goes down for it: a champion to league 1, all others to league 2; "" for the dummy and whoever is gone
	Defences int
	Fight    *FightView // nil without a bout
	// A champion who is gone (SR-27): Gone is one whom the game master took out
	// before the bout, Left is set when the one after it left then.
	Gone string
	Left bool
}

// LeagueFights are the fights of a league.
type LeagueFights struct {
	League int
	Fights []FightView
}

// FightView is a fight in the rulebook's columns.
type FightView struct {
	Lines [2]string
	Code  string
	KO    bool
	Round int // the last one boxed
}

// EntryView is a boxer who entered.
type EntryView struct {
	Name string
	Values
}

// LeftView is a boxer who left.
type LeftView struct {
	Name   string
	Reason string // LeftWish, LeftGM, LeftNMR
	Count  int    // NMRs in a row
}

// Table holds the standings (template "table").
type Table struct {
	Round    int          // the last one closed
	Season   int          // counted from 1
	Champion *ChampionRow // nil while the title is vacant
	Leagues  []LeagueTable
}

// ChampionRow is the line above the tables.
type ChampionRow struct {
	Row
	Since    int // the round in which he won the title
	Defences int // in this reign
}

// LeagueTable is the table of a league (SR-38).
type LeagueTable struct {
	League int
	Rows   []Row
}

// Row is a boxer in a table.
type Row struct {
	Place int // in his league
	Name  string
	Values
	Record Record
	// Movement in the whole table since the last round and since the season's
	// start: "+3", "-1", "=", "*" for one who was not in it.
	Last, Season string
}

// NextCard is the next round's bouts.
type NextCard struct {
	Round   int
	Title   *Match
	Vacant  bool   // nobody holds the title that is at stake
	Idle    string // the champion when he has nobody to box
	Leagues []NextLeague
}

// NextLeague is a league's next bouts.
type NextLeague struct {
	League  int
	Matches []Match
}

// Match is a bout to come.
type Match struct {
	A, B  Opponent
	Dummy bool // B is the dummy
}

// Opponent is a boxer on the next card.
type Opponent struct {
	Name string
	Values
}

// Elsewhere tells the reader of a short report where the rest is (template
// "elsewhere").
type Elsewhere struct {
	Boxers int
	Round  int
}

// Briefing is what a seat needs for its next orders (template "briefing").
type Briefing struct {
	Game  string // id
	Round int
	Own   Profile
	// Case: "league", "defence", "challenge", "vacant" (both box for it), "idle".
	Case     string
	Dummy    bool
	Opponent Profile // empty for the dummy, and when idle
	// Trains is false for the champion, whose training has no effect (SR-17).
	Trains bool
}

// Preview foretells what orders cost (template "preview").
type Preview struct {
	Technique int64
	Condition int64
	Rounds    []PreviewRound // empty when there is nothing to foretell
	Offence   int64          // the sum that decides on points
	KO        int            // the round in which fatigue alone knocks him out, 0 for none
	Idle      bool           // he has no bout
}

// PreviewRound is one boxing round, the opponent's blows left out.
type PreviewRound struct {
	Round     int
	Pair      string
	Fatigue   int64
	Loss      int64
	Condition int64 // afterwards; below 1 is a knock-out
}

// RecordView is a career (template "record").
type RecordView struct {
	Profile
	Champion bool
	Joined   int // the round at whose close he entered, 0 from the start
	Since    int // in league 1, or champion, since this round
	Defences int // as champion
}

// Spar is a test fight (template "spar").
type Spar struct {
	Lines  [2]string `json:"lines"`
	Result string    `json:"result"` // "ko", "points", "drawn-points", "drawn-ko"
	Winner string    `json:"winner"`
	Loser  string    `json:"loser"`
	Round  int       `json:"round"` // of the knock-out
	// Fatigue marks a knock-out before any blow; First and Second are the
	// offence sums in the order of the lines.
	Fatigue bool  `json:"fatigue"`
	First   int64 `json:"first"`
	Second  int64 `json:"second"`
}
