package sugarray

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ringpost/internal/game"
)

// Slots is the one there is.
func (Rules) Slots(State, game.SeatID, game.Block) []string { return []string{Slot} }

// Read turns a boxer's block into his moves. ZUG is the one line the game needs
// (G-7): with an error in it the slip is provisional, and with no pair read
// there is none, whatever else was written (SR-15).
func (Rules) Read(s State, seat game.SeatID, block game.Block) ([]game.Slip[Orders], []game.Issue) {
	if len(block.Statements) == 0 && len(block.Issues) == 0 {
		return nil, nil
	}
	r := reader{state: s, now: block.Round == 0 || block.Round == s.Round}
	r.boxer, r.known = s.boxer(seat)
	for _, st := range block.Statements {
		switch st.Keyword {
		case game.KeyMove:
			r.moves = append(r.moves, readFigures(st))
		case game.KeyTraining:
			r.trainings = append(r.trainings, readTraining(st))
		case game.KeyLeague:
			r.compare(st, issueLeague, int64(r.boxer.League))
		case game.KeyTechnique:
			r.compare(st, issueTechnique, r.boxer.Technique)
		case game.KeyCondition:
			r.compare(st, issueCondition, r.boxer.Condition)
		default:
			r.tell(game.Issue{Line: st.Line, Code: issueLineOther, Args: []string{string(st.Keyword)}})
		}
	}
	slips, issues := r.finish(block)
	slices.SortStableFunc(issues, func(a, b game.Issue) int { return cmp.Compare(a.Line, b.Line) })
	return slips, issues
}

type reader struct {
	state     State
	boxer     Boxer
	known     bool
	now       bool // the orders are for the open round, whose values are known
	moves     []figures
	trainings []drillLine
	issues    []game.Issue
}

func (r *reader) tell(i game.Issue) { r.issues = append(r.issues, i) }

// compare checks a value the block states for information: the league's own
// counts (SR-35).
func (r *reader) compare(st game.Statement, code string, real int64) {
	if n, err := strconv.ParseInt(st.Args, 10, 64); !r.known || !r.now || err == nil && n == real {
		return
	}
	r.tell(game.Issue{Line: st.Line, Code: code, Args: []string{quote(st.Args), strconv.FormatInt(real, 10)}})
}

func (r *reader) finish(block game.Block) ([]game.Slip[Orders], []game.Issue) {
	move, ok := r.move()
	training, asked := r.training()
	switch {
	case !ok && !asked && len(r.moves)+len(r.trainings) > 0:
		r.tell(game.Issue{Line: block.Line, Code: issueNotFilledIn})
		return nil, r.issues
	case !ok:
		r.tell(game.Issue{Line: block.Line, Code: issueMoveMissing, Error: true})
		return nil, r.issues
	}
	r.issues = append(r.issues, move.issues...)
	r.adviseTraining(block, asked)
	if move.read+move.meant == 0 {
		return nil, r.issues
	}
	if _, boxing := r.state.Card.bout(r.boxer.Seat); r.known && r.now && !boxing {
		r.tell(game.Issue{Line: move.line, Code: issueIdle})
	}
	slip := game.Slip[Orders]{
		Slot:        Slot,
		Orders:      Orders{Pairs: move.pairs, Training: training},
		Lines:       []game.Line{{Keyword: game.KeyMove, Args: pairsText(move.pairs[:])}},
		Provisional: move.bad(),
	}
	if training != NoTraining {
		slip.Lines = append(slip.Lines, game.Line{Keyword: game.KeyTraining, Args: string(training)})
	}
	return []game.Slip[Orders]{slip}, r.issues
}

// move finds the one ZUG line that was filled in. Of several that differ the
// last counts, and only provisionally: which one was meant is for the player
// to say.
func (r *reader) move() (figures, bool) {
	var move figures
	found := false
	for _, m := range r.moves {
		switch {
		case m.blank:
			continue
		case found && !m.same(move):
			m.issues = append(m.issues, game.Issue{
				Line: m.line, Code: issueMoveTwice, Args: []string{quote(move.text), quote(m.text)}, Error: true,
			})
			fallthrough
		case !found:
			move, found = m, true
		}
	}
	return move, found
}

// drillLine is a TRAINING line.
type drillLine struct {
	line   int
	text   string
	choice Training
	blank  bool
}

func readTraining(st game.Statement) drillLine {
	text := st.Args
	if text == "" && len(st.Tail) > 0 && trainingWord(st.Tail[0]) != NoTraining {
		text = st.Tail[0]
	}
	return drillLine{
		line: st.Line, text: text,
		choice: trainingWord(text),
		blank:  strings.Trim(text, "_") == "",
	}
}

// trainingWord reads the words for technique and condition in any language.
func trainingWord(s string) Training {
	switch game.Fold(strings.Trim(s, "_.,;:!()\"' ")) {
	case "t", "technik", "technique", "tecnica", "s", "skill":
		return TrainTech
	case "k", "c", "kondition", "condition", "condicion", "e", "endurance", "resistencia":
		return TrainCond
	}
	return NoTraining
}

// training finds what is to be trained; an error drops the line, not the orders
// (SR-14). asked tells a line that was filled in, well or not.
func (r *reader) training() (choice Training, asked bool) {
	var last drillLine
	for _, d := range r.trainings {
		if d.blank {
			continue
		}
		switch {
		case d.choice == NoTraining:
			r.tell(game.Issue{Line: d.line, Code: issueTrainingUnknown, Args: []string{quote(d.text)}})
		case last.choice != NoTraining && last.choice != d.choice:
			r.tell(game.Issue{Line: d.line, Code: issueTrainingTwice, Args: []string{string(last.choice), string(d.choice)}})
		}
		asked = true
		if d.choice != NoTraining {
			last = d
		}
	}
	return last.choice, asked
}

// adviseTraining says when a boxer goes without training, or orders it in vain.
func (r *reader) adviseTraining(block game.Block, asked bool) {
	line := block.Line
	for _, d := range r.trainings {
		line = d.line
	}
	title := r.state.Card.title()
	champion := r.known && r.now && r.boxer.Seat == r.state.Title.Champion
	switch byStart := r.state.Settings.ChampionTraining != "end"; {
	case champion && byStart:
		if asked {
			r.tell(game.Issue{Line: line, Code: issueTrainingChampion})
		}
	case !asked:
		r.tell(game.Issue{Line: line, Code: issueTrainingMissing})
	case !byStart && r.known && r.now && (champion || r.boxer.Seat == title.A || r.boxer.Seat == title.B):
		r.tell(game.Issue{Line: line, Code: issueTrainingTitle})
	}
}

// pairsText is how orders are written: "2/3 3/0".
func pairsText(pairs []Pair) string {
	text := make([]string, len(pairs))
	for i, p := range pairs {
		text[i] = p.String()
	}
	return strings.Join(text, " ")
}
