package sugarray

// The codes of issues; each has its words in templates/<language>/sugarray.
// Args are given in order. Those of ZUG are errors, the others warnings.
const (
	issueNotFilledIn  = "not-filled-in" // the ready block came back blank: no error, no orders
	issueMoveMissing  = "move-missing"  // no ZUG line
	issueMoveTwice    = "move-twice"    // two that differ: the first, the last
	issuePairInvalid  = "pair-invalid"  // the pair as written, its number
	issuePairDash     = "pair-dash"     // the pair, its number, how it should be written
	issuePairLarge    = "pair-large"    // the pair, its number
	issuePairsMissing = "pairs-missing" // how many there are
	issuePairsMany    = "pairs-many"    // how many there are
	issueIdle         = "idle"          // the champion has no bout

	issueTrainingMissing  = "training-missing"
	issueTrainingUnknown  = "training-unknown"  // the text
	issueTrainingTwice    = "training-twice"    // T and K: the one before, the one that counts
	issueTrainingChampion = "training-champion" // has no effect (SR-17)
	issueTrainingTitle    = "training-title"    // counts unless he holds the title afterwards (SR-17)

	issueLeague    = "league-differs"    // as written, as it is; "0" is the champion
	issueTechnique = "technique-differs" // as written, as it is
	issueCondition = "condition-differs" // as written, as it is
	issueLineOther = "line-other"        // a keyword of some other game

	issueNoRecord = "no-record" // the name
	issueNoReport = "no-report"

	issueSparTwo       = "spar-two"       // how many blocks there are
	issueSparName      = "spar-name"      // a block without NAME
	issueSparTechnique = "spar-technique" // the text
	issueSparCondition = "spar-condition" // the text
)
