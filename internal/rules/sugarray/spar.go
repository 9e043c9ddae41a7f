package sugarray

import (
	"strconv"

	"ringpost/internal/game"
)

// Spar fights a bout between two blocks with NAME, TECHNIK, KONDITION and ZUG;
// without values a boxer is a beginner's (10,20). It throws no dice.
func (Rules) Spar(_ game.Settings, blocks []game.Block, _ game.Dice) (game.View, []game.Issue) {
	if len(blocks) != 2 {
		return game.View{}, []game.Issue{{Code: issueSparTwo, Args: []string{strconv.Itoa(len(blocks))}, Error: true}}
	}
	var corners [2]Corner
	var issues []game.Issue
	bad := false
	for i, b := range blocks {
		var told []game.Issue
		corners[i], told = sparring(b)
		issues = append(issues, told...)
	}
	for _, i := range issues {
		bad = bad || i.Error
	}
	if bad {
		return game.View{}, issues
	}
	s := sparView(blocks, corners)
	return view("spar", "", func() any { return s }), issues
}

// sparring reads one block of a test fight.
func sparring(b game.Block) (Corner, []game.Issue) {
	c := Corner{Technique: 10, Condition: 20}
	var issues []game.Issue
	tell := func(line int, code string, args ...string) {
		issues = append(issues, game.Issue{Line: line, Code: code, Args: args, Error: true})
	}
	if b.Name == "" {
		tell(b.Line, issueSparName)
	}
	var r reader
	for _, st := range b.Statements {
		n, err := strconv.ParseInt(st.Args, 10, 64)
		switch st.Keyword {
		case game.KeyMove:
			r.moves = append(r.moves, readFigures(st))
		case game.KeyTechnique:
			if err != nil || n < 0 || n > MaxValue {
				tell(st.Line, issueSparTechnique, quote(st.Args))
			}
			c.Technique = n
		case game.KeyCondition:
			if err != nil || n < 1 || n > MaxValue {
				tell(st.Line, issueSparCondition, quote(st.Args))
			}
			c.Condition = n
		}
	}
	move, ok := r.move()
	if !ok {
		tell(b.Line, issueMoveMissing)
	}
	c.Orders = move.pairs
	return c, append(issues, move.issues...)
}

func sparView(blocks []game.Block, corners [2]Corner) Spar {
	box := Box(corners[0], corners[1])
	var sides [2]Side
	for i, c := range corners {
		sides[i] = Side{
			Name: blocks[i].Name, Technique: c.Technique, Condition: c.Condition,
			Orders: c.Orders,
		}
	}
	f := newFight(box, sides[0], sides[1])
	s := Spar{
		Lines: FightLines(f), Result: "points",
		Winner: f.First.Name, Loser: f.Second.Name,
		Round: f.koRound(), Fatigue: f.Fatigue,
		First: OffenceSum(f.First.Orders), Second: OffenceSum(f.Second.Orders),
	}
	if f.KO {
		s.Result = "ko"
	}
	if f.Code == CodeDraw {
		s.Result = "drawn-" + s.Result
	}
	return s
}
