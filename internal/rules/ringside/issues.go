package ringside

// The codes of issues; each has its words in templates/<language>/ringside. Args
// are given in order. Those of package plan come beside them.
const (
	issueNotFilledIn  = "not-filled-in" // the ready block came back blank: no error, no orders
	issueWhichFighter = "which-fighter" // a plan without a fighter: the names of one's own
	issueManagerLine  = "manager-line"  // a manager's line in a fighter's block: its keyword
	issuePlanLine     = "plan-line"     // a plan's line in a manager's block: its keyword
	issueLineOther    = "line-other"    // a keyword of some other game
	issuePlanIdle     = "plan-idle"     // the fighter has no bout, the plan stands for the next: his name

	issueFighterUnknown = "fighter-unknown" // the text
	issueFighterForeign = "fighter-foreign" // his name
	issueFighterBusy    = "fighter-busy"    // his name: a bout of his goes on
	issueFighterOwn     = "fighter-own"     // his name: of one's own stable where another's is meant
	issueBoutGrammar    = "bout-grammar"    // no two fighters with GEGEN between: the text
	issueBoutSelf       = "bout-self"       // his name
	issueBoutForeign    = "bout-foreign"    // both names, neither of one's own
	issueBoutStable     = "bout-stable"     // both names
	issueBoutClass      = "bout-class"      // both names
	issueArena          = "arena-unknown"   // the word
	issueRounds         = "rounds-bad"      // the text
	issueRoundsRange    = "rounds-range"    // a remark: as proposed, least and most of any arena
	issueRoundsArena    = "rounds-arena"    // a remark: as proposed, the arena proposed, its range
	issueWeek           = "week-bad"        // the text
	issueClass          = "class-unknown"   // the text, then the classes there are
	issueLeast          = "least-bad"       // POP that cannot be read: the text
	issuePrice          = "price-bad"       // an amount that cannot be read: the text
	issueRetireEarly    = "retire-early"    // his name, his bouts
	issueNewAlone       = "new-alone"       // no RETIRE for it: the name
	issueNewGrammar     = "new-grammar"     // no class: the text
	issueNewTaken       = "name-taken"      // the name
	issueModuleOff      = "module-off"      // the keyword
	issueBetCash        = "bet-cash"        // the stake, what is left
	issueBetOwn         = "bet-own"         // against one's own: his name
	issueBetNone        = "bet-none"        // the fighter has no bout: his name
	issueBetBegun       = "bet-begun"       // the bout goes on: the fighter's name
	issueBetSelf        = "bet-self"        // against oneself
	issueBuyCash        = "buy-cash"        // the price, what there is
	issueManagerUnknown = "manager-unknown" // the name
	issueTwice          = "line-twice"      // the line below counts: its keyword
	issueManyLines      = "lines-many"      // how many there may be

	issueNoRecord = "no-record" // the name
	issueNoReport = "no-report"

	issueSparTwo     = "spar-two"     // how many blocks there are
	issueSparName    = "spar-name"    // a block without a name
	issueSparAverage = "spar-average" // a remark: the name of whom nobody knows ratings
	issueSparRatings = "spar-ratings" // what is wrong with them
	issueSparNobody  = "spar-nobody"  // no fighter of one's own: the name or "", those there are
	issueSparNone    = "spar-none"    // he has no bout: his name
)
