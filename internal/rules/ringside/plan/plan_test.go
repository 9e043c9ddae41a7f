package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ringpost/internal/conditions"
	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/rules/ringside/bout"
)

// statements finds the lines of a block, whose name stands in line 0.
func statements(t testing.TB, text string) []game.Statement {
	t.Helper()
	found := orders.Parse(append([]orders.Line{{N: 0, Text: "NAME Kid Thunder"}}, orders.Lines(text)...))
	if len(found.Blocks) != 1 {
		t.Fatalf("%s\nholds %d blocks", text, len(found.Blocks))
	}
	return found.Blocks[0].Statements
}

func standard() Context { return Context{Advanced: true, Rounds: 12, Opponent: "Iron Mike"} }

// read reads a plan and tells its lines and issues, a line each.
func read(t testing.TB, c Context, text string) (Plan, string) {
	t.Helper()
	p, issues, _ := Read(statements(t, text), c)
	var b strings.Builder
	for _, l := range p.Normal(conditions.English) {
		fmt.Fprintf(&b, "%s\n", strings.TrimSpace(string(l.Keyword)+" "+l.Args))
	}
	for _, i := range issues {
		mark := ""
		if i.Error {
			mark = "!"
		}
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintf("%d %s%s %s", i.Line, mark, i.Code, strings.Join(i.Args, " | "))))
	}
	return p, b.String()
}

const example = `GEGNER Iron Mike                 ; check only
SCHLAG  UC3 RJ1 RH2 CO3 LJ1 LH2  ; PUNCH   - what I throw
ERWARTE UC2 RJ1 RH2 CO2 LJ1 LH2  ; EXPECT  - what I anticipate
BEINE V MITTE A SEIL             ; FEET D CENTRE A ROPES
V WENN AMSEIL : KLAMMERN         ; D IF ROPES : CLINCH
V WENN KOND<=10 UND VORN>=2 : ZURUECK   ; D IF END<=10 AND LEAD>=2 : BACKPEDAL
V WENN KOND<=0 : DECKEN          ; D IF END<=0 : COVER
V SONST : OFFEN                  ; D ELSE : OPEN
A WENN GKOND<=0 : STURM          ; A IF OEND<=0 : RUSH
RUNDE 9-12 SCHLAG UC4 RJ0 RH4 CO4 LJ0 LH4
ENDE
`

const exampleRead = `PUNCH UC3 RJ1 RH2 CO3 LJ1 LH2
EXPECT UC2 RJ1 RH2 CO2 LJ1 LH2
FEET D CENTRE
FEET A ROPES
D IF ROPES : CLINCH
D IF END<=10 AND LEAD>=2 : BACKPEDAL
D IF END<=0 : COVER
D ELSE : OPEN
A IF OEND<=0 : RUSH
ROUND 9-12 PUNCH UC4 RJ0 RH4 CO4 LJ0 LH4
`

func TestReadTheRulingsExample(t *testing.T) {
	p, got := read(t, standard(), example)
	if diff := cmp.Diff(exampleRead, got); diff != "" {
		t.Errorf("read otherwise (-want +got):\n%s", diff)
	}
	var german strings.Builder
	for _, l := range p.Normal(conditions.German) {
		german.WriteString(orders.Word(orders.German, l.Keyword) + " " + l.Args + "\n")
	}
	want := `SCHLAG UC3 RJ1 RH2 CO3 LJ1 LH2
ERWARTE UC2 RJ1 RH2 CO2 LJ1 LH2
BEINE V MITTE
BEINE A SEIL
V WENN AMSEIL : KLAMMERN
V WENN KOND<=10 UND VORN>=2 : ZURUECK
V WENN KOND<=0 : DECKEN
V SONST : OFFEN
A WENN GKOND<=0 : STURM
RUNDE 9-12 SCHLAG UC4 RJ0 RH4 CO4 LJ0 LH4
`
	if diff := cmp.Diff(want, german.String()); diff != "" {
		t.Errorf("in German (-want +got):\n%s", diff)
	}
}

func TestRead(t *testing.T) {
	basic := standard()
	basic.Advanced = false
	nobody := Context{Advanced: true}
	tests := []struct {
		name    string
		context Context
		text    string
		want    string
	}{
		{"Spanish", standard(), "GOLPE UC3\nESPERA CO2\nPIES D CIRCULO A QUIETO\nASALTO 2 D SI RESIST<5 Y RCUERDAS : CUBRIR\nD CONTRA NO\nFIJO NO\n",
			"PUNCH UC3 RJ0 RH0 CO0 LJ0 LH0\nEXPECT UC0 RJ0 RH0 CO2 LJ0 LH0\nFEET D CIRCLE\nFEET A STAY\nROUND 2 D IF END<5 AND OROPES : COVER\nD COUNTER NO\nSTANDING NO\n"},
		{"ways to write weights", standard(), "SCHLAG uc3, rj:1, RH=2 Co 3 LJ = 1/LH2\n", "PUNCH UC3 RJ1 RH2 CO3 LJ1 LH2\n"},
		{"an unknown punch", standard(), "SCHLAG UC3 XX1\nERWARTE UC1\n", "EXPECT UC1 RJ0 RH0 CO0 LJ0 LH0\n1 !plan-punch XX1\n"},
		{"weight 10", standard(), "SCHLAG UC10 RJ1\n", "1 !plan-weight UC10\n"},
		{"a weight below 0", standard(), "SCHLAG UC-1 RJ1\n", "1 !plan-weight UC-1\n"},
		{"a punch without weight", standard(), "SCHLAG UC RJ1\n", "1 !plan-weight UC\n"},
		{"figures alone", standard(), "SCHLAG UC3 4\n", "1 !plan-punch 4\n"},
		{"a punch twice", standard(), "SCHLAG UC3 RJ1 UC4\n", "1 !plan-punch-twice UC\n"},
		{"no weights", standard(), "SCHLAG UC0 RJ0\n", "1 !plan-weights UC0 RJ0\n"},
		{"not filled in", standard(), "SCHLAG UC_ RJ_ RH_ CO_ LJ_ LH_\n", "1 plan-blank\n"},
		{"half filled in", standard(), "SCHLAG UC3 RJ_ RH_ CO_ LJ_ LH_\n", "PUNCH UC3 RJ0 RH0 CO0 LJ0 LH0\n"},
		{"wrapped weights", standard(), "SCHLAG UC3 RJ1 RH2\nCO3 LJ1 LH2\n", "PUNCH UC3 RJ1 RH2 CO3 LJ1 LH2\n"},
		{"half a line is never taken for a whole one", standard(), "SCHLAG UC3 RJ1 RH2\nCO13 LJ1 LH2\n", "1 !plan-weight CO13\n"},
		{"a wrapped condition", standard(), "V WENN KOND<=10 UND\nVORN>=2 : KONTER\nNEIN\nViele Gruesse\n", "D IF END<=10 AND LEAD>=2 : COUNTER NO\n"},
		{"prose below", standard(), "V WENN KOND<=10 : DECKEN ; sicher ist sicher\nViele Gruesse\n", "D IF END<=10 : COVER\n"},
		{"feet", standard(), "BEINE V KREIS\nBEINE A BLEIBEN\n", "FEET D CIRCLE\nFEET A STAY\n"},
		{"wrong feet", standard(), "BEINE V SEIL\nBEINE V KREIS V MITTE\nBEINE A MITTE V\n", "1 !plan-feet V SEIL\n2 !plan-feet V KREIS V MITTE\n3 !plan-feet A MITTE V\n"},
		{"feet limited to rounds", standard(), "RUNDE 3-4 BEINE V GERADE A MITTE\n", "ROUND 3-4 FEET D STRAIGHT\nROUND 3-4 FEET A CENTRE\n"},
		{"weights and feet know no conditions", standard(), "RUNDE 3 SCHLAG UC3\nV WENN KOND<5 : SCHLAG UC3\nV SONST : BEINE V MITTE\n",
			"ROUND 3 PUNCH UC3 RJ0 RH0 CO0 LJ0 LH0\n2 !plan-limits D WENN KOND<5 : SCHLAG UC3\n3 !plan-limits V MITTE\n"},
		{"an unknown variable is a remark", standard(), "V WENN MUT>5 : DECKEN\n", "1 condition-variable MUT\n"},
		{"an unknown action", standard(), "V WENN KOND<5 : TANZEN\nV WENN KOND<5 : DECKEN UND STURM\n", "1 !plan-action TANZEN\n2 !plan-action DECKEN UND STURM\n"},
		{"the other role's action", standard(), "V WENN KOND<5 : STURM\nA WENN KOND<5 : DECKEN\nA WENN KOND<5 : KONTER NEIN\n", "1 !plan-role STURM\n2 !plan-role DECKEN\n3 !plan-role KONTER NEIN\n"},
		{"no colon", standard(), "V WENN KOND<5 DECKEN\n", "1 !condition-colon KOND<5 DECKEN\n"},
		{"counterpunches", standard(), "V KONTER NEIN\n", "D COUNTER NO\n"},
		{"counterpunches on a condition", standard(), "V WENN KOND<5 : KONTER NEIN.\nV SONST : KONTER JA\n", "D IF END<5 : COUNTER NO\nD ELSE : COUNTER YES\n"},
		{"no punch at all", standard(), "SCHLAG XY3\nERWARTE UC\nV DEKCEN\nV DECKEN.\nRUNDE 9-12 SCHALG UC4\nDAUER NIEN\n",
			"D COVER\n1 !plan-punch XY3\n2 !plan-weight UC\n3 !plan-action DEKCEN\n5 !plan-action SCHALG UC4\n6 !plan-answer NIEN\n"},
		{"neither yes nor no", standard(), "V KONTER\nV WENN KOND<5 : KONTER OFT\n", "1 !plan-answer\n2 !plan-answer OFT\n"},
		{"standing", standard(), "V DECKEN\nDAUER JA\n", "D COVER\n"},
		{"for once", standard(), "V DECKEN\nDAUER NEIN ; nur heute\n", "D COVER\nSTANDING NO\n"},
		{"another opponent", standard(), "GEGNER Joe\nV DECKEN\n", "D COVER\n1 plan-opponent Joe | Iron Mike\n"},
		{"the opponent, however written", standard(), "GEGNER iron  MIKE ; he\nV DECKEN\n", "D COVER\n"},
		{"no opponent yet", nobody, "GEGNER Joe\nV DECKEN\n", "D COVER\n"},
		{"a line of another game", standard(), "V DECKEN\nTRAINING T\n", "D COVER\n2 line-other TRAINING\n"},

		{"behind an unconditional line", standard(), "V OFFEN\nV WENN KOND<5 : DECKEN\n", "D OPEN\nD IF END<5 : COVER\n2 condition-behind 1\n"},
		{"behind cover, which is legal wherever a tactic is", standard(), "V DECKEN\nV WENN KOND<5 : ZURUECK\nV SONST : OFFEN\n", "D COVER\nD IF END<5 : BACKPEDAL\nD ELSE : OPEN\n2 condition-behind 1\n"},
		{"not behind what may be illegal", standard(), "V KLAMMERN\nV ZURUECK\nV DECKEN\n", "D CLINCH\nD BACKPEDAL\nD COVER\n"},
		{"not behind what is never legal", basic, "V KLAMMERN\nV KLAMMERN\n", "D CLINCH\nD CLINCH\n1 plan-advanced CLINCH\n2 plan-advanced CLINCH\n"},
		{"not behind another role", standard(), "V OFFEN\nA WENN GKOND<5 : STURM\nV WENN KOND<5 : KONTER NEIN\n", "D OPEN\nA IF OEND<5 : RUSH\nD IF END<5 : COUNTER NO\n"},
		{"weights twice", standard(), "SCHLAG UC3\nSCHLAG RJ3\nRUNDE 2 SCHLAG LJ1\n", "PUNCH UC3 RJ0 RH0 CO0 LJ0 LH0\nPUNCH UC0 RJ3 RH0 CO0 LJ0 LH0\nROUND 2 PUNCH UC0 RJ0 RH0 CO0 LJ1 LH0\n2 condition-behind 1\n"},
		{"all rounds are limited", standard(), "RUNDE 1-12 SCHLAG LJ1\nSCHLAG UC3\n", "ROUND 1-12 PUNCH UC0 RJ0 RH0 CO0 LJ1 LH0\nPUNCH UC3 RJ0 RH0 CO0 LJ0 LH0\n2 condition-behind 1\n"},
		{"feet twice", standard(), "BEINE V KREIS\nBEINE V MITTE A SEIL\n", "FEET D CIRCLE\nFEET D CENTRE\nFEET A ROPES\n2 condition-behind 1\n"},
		{"beyond the last round", standard(), "RUNDE 13-15 SCHLAG UC3\nRUNDE 12-15 V DECKEN\n", "ROUND 13-15 PUNCH UC3 RJ0 RH0 CO0 LJ0 LH0\nROUND 12-15 D COVER\n1 plan-rounds 12\n"},
		{"beyond any last round", nobody, "RUNDE 15 V DECKEN\nRUNDE 16 V DECKEN\n", "ROUND 15 D COVER\nROUND 16 D COVER\n2 plan-rounds 15\n"},
		{"what cannot be", standard(), "V WENN KOND<5 UND KOND>6 : DECKEN\nV WENN ZUG>18 : DECKEN\nV WENN KOND<=-25 : DECKEN\n",
			"D IF END<5 AND END>6 : COVER\nD IF TURN>18 : COVER\nD IF END<=-25 : COVER\n1 condition-never\n2 condition-never\n3 condition-never\n"},
		{"advanced tactics in a game without", basic, "V WENN KOND<5 : KLAMMERN\nV WENN KOND<5 : DECKEN\nA STURM\n", "D IF END<5 : CLINCH\nD IF END<5 : COVER\nA RUSH\n1 plan-advanced CLINCH\n3 plan-advanced RUSH\n"},
		{"tactics that their condition forbids", standard(), "V WENN AMSEIL : ZURUECK\nA WENN GAMSEIL=JA : STURM\nV WENN AMSEIL=0 : ZURUECK\n",
			"D IF ROPES : BACKPEDAL\nA IF OROPES=1 : RUSH\nD IF ROPES=0 : BACKPEDAL\n1 plan-illegal BACKPEDAL\n2 plan-illegal RUSH\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, got := read(t, tt.context, tt.text); got != tt.want {
				t.Errorf("read as (-want +got):\n%s", cmp.Diff(tt.want, got))
			}
		})
	}
}

func TestG12_AtMostFortyLines(t *testing.T) {
	text := strings.Repeat("V WENN KOND<5 : DECKEN\n", conditions.MaxLines+3)
	p, issues, _ := Read(statements(t, text), standard())
	if len(p.Lines) != conditions.MaxLines {
		t.Errorf("%d lines are kept", len(p.Lines))
	}
	var many []game.Issue
	for _, i := range issues {
		if i.Code == conditions.TooMany {
			many = append(many, i)
		}
	}
	want := []game.Issue{{Line: conditions.MaxLines + 1, Code: conditions.TooMany, Args: []string{"40"}, Error: true}}
	if diff := cmp.Diff(want, many); diff != "" {
		t.Error(diff)
	}
}

func TestNothingOrdered(t *testing.T) {
	tests := map[string]bool{
		"GEGNER Joe\nV TANZEN : X\n": false, "SCHLAG UC12\n": false, "SCHLAG UC_\n": false,
		"SCHLAG UC1\n": true, "DAUER NEIN\n": true, "SCHLAG UC12\nV DECKEN\n": true,
	}
	for text, want := range tests {
		if _, _, ok := Read(statements(t, "ZUG 1/1\n"+text), standard()); ok != want {
			t.Errorf("%q orders something: %v", text, ok)
		}
	}
}

// TestEveryIssueCodeOccurs: each is told by some plan.
func TestEveryIssueCodeOccurs(t *testing.T) {
	basic := Context{Rounds: 5, Opponent: "Joe"}
	told := map[string]bool{}
	for _, text := range []string{
		"V TANZEN\nV WENN KOND<5 : TANZEN\nV WENN KOND<5 : STURM\nV SONST : SCHLAG UC1\nSCHLAG XX1 UC1\nSCHLAG UC1 UC1\nSCHLAG UC10\nSCHLAG UC0\nBEINE V SEIL\nV KONTER OFT\nSCHLAG UC_\nTRAINING T\n",
		"GEGNER Mike\nRUNDE 9 SCHLAG UC1\nV WENN KOND<5 : KLAMMERN\nV WENN KOND<5 UND KOND>5 : DECKEN\nSCHLAG UC1\nSCHLAG UC2\n",
		"A WENN GAMSEIL : STURM\nRUNDE 9-8 SCHLAG UC1\nV WENN : DECKEN\nV WENN KOND<5 DECKEN\nV SONST :\nV WENN MUT : DECKEN\nV WENN KOND(Joe)<5 : DECKEN\nV WENN KOND 5 : DECKEN\nV WENN KOND<x : DECKEN\nV WENN KOND<1 ODER AMSEIL : DECKEN\n",
		strings.Repeat("V DECKEN\n", 41),
		"V WENN KOND<9" + strings.Repeat(" UND KOND<9", 20) + " : DECKEN\n",
	} {
		c := basic
		c.Advanced = strings.HasPrefix(text, "A")
		_, issues, _ := Read(statements(t, text), c)
		for _, i := range issues {
			told[i.Code] = true
		}
	}
	// What cannot come through the orders' own reading.
	for _, text := range []string{"D", "D IF ROPES :"} {
		if _, issue := parse(text); issue != nil {
			told[issue.Code] = true
		}
	}
	for _, code := range IssueCodes() {
		if !told[code] {
			t.Errorf("no plan tells %s", code)
		}
		delete(told, code)
	}
	if len(told) > 0 {
		t.Errorf("not listed: %v", told)
	}
}

// TestWordsAreThoseOfOrders: what a line may begin with is known in two places.
func TestWordsAreThoseOfOrders(t *testing.T) {
	for key, words := range map[game.Keyword]conditions.Words{
		game.KeyPunch: weightWords(Punch), game.KeyExpect: weightWords(Expect), game.KeyFeet: feetWords(),
		game.KeyDefend: conditions.Defence.Words(), game.KeyAttack: conditions.Attack.Words(),
	} {
		for _, lang := range []conditions.Language{conditions.German, conditions.English, conditions.Spanish} {
			if got, want := words.In(lang), orders.Word(orders.Language(lang), key); got != want {
				t.Errorf("%s in %s is %s, orders say %s", key, lang, got, want)
			}
		}
	}
	// Every action alone, and every way of the feet, is read as a line.
	for _, all := range [][]conditions.Words{tactics(), {counterWords()}} {
		for _, w := range all {
			for _, word := range slices.Concat(w.De, w.En, w.Es) {
				if n := len(statements(t, "V "+word+"\n")); n != 1 {
					t.Errorf("V %s is read as %d lines", word, n)
				}
			}
		}
	}
	for _, all := range [][]conditions.Words{retreats(), follows()} {
		for _, w := range all {
			for _, word := range slices.Concat(w.De, w.En, w.Es) {
				if n := len(statements(t, "BEINE a "+word+"\n")); n != 1 {
					t.Errorf("BEINE a %s is read as %d lines", word, n)
				}
			}
		}
	}
}

func TestNoVariableHasAnothersWord(t *testing.T) {
	seen := map[string]int{}
	for i, v := range vocabulary() {
		for _, w := range slices.Concat(v.De, v.En, v.Es) {
			if j, twice := seen[w]; twice && j != i {
				t.Errorf("%s means two variables", w)
			}
			seen[w] = i
		}
	}
}

// plans draws a plan of any lines there can be.
func plans() *rapid.Generator[Plan] {
	return rapid.Custom(func(t *rapid.T) Plan {
		p := Plan{Once: rapid.Bool().Draw(t, "once")}
		for range rapid.IntRange(0, 8).Draw(t, "lines") {
			p.Lines = append(p.Lines, anyLine(t))
		}
		return p
	})
}

func anyLine(t *rapid.T) Line {
	var l Line
	if rapid.Bool().Draw(t, "limited") {
		l.Rounds.From = rapid.IntRange(1, 15).Draw(t, "from")
		l.Rounds.To = rapid.IntRange(l.Rounds.From, 15).Draw(t, "to")
	}
	l.Kind = rapid.SampledFrom([]Kind{Punch, Expect, Retreat, Follow, Choose, Choose, Choose, Counter}).Draw(t, "kind")
	switch l.Kind {
	case Punch, Expect:
		for i := range l.Weights {
			l.Weights[i] = uint8(rapid.IntRange(0, 9).Draw(t, "weight"))
		}
		if l.Weights == (bout.Weights{}) {
			l.Weights[0] = 1
		}
		return l
	case Retreat:
		l.Retreat = bout.DefenceFeet(rapid.IntRange(0, 2).Draw(t, "feet"))
		return l
	case Follow:
		l.Follow = bout.AttackFeet(rapid.IntRange(0, 2).Draw(t, "feet"))
		return l
	}
	l.Role = conditions.Defence
	if l.Kind == Counter {
		l.Try = rapid.Bool().Draw(t, "try")
	} else if l.Tactic = bout.Tactic(rapid.IntRange(0, 4).Draw(t, "tactic")); l.Tactic == bout.Rush || l.Tactic == bout.Open && rapid.Bool().Draw(t, "attacks") {
		l.Role = conditions.Attack
	}
	for range rapid.IntRange(0, 3).Draw(t, "terms") {
		term := conditions.Term{
			Var: conditions.Var(rapid.IntRange(0, len(vocabulary())-1).Draw(t, "variable")),
			Op:  rapid.SampledFrom([]conditions.Op{conditions.True, conditions.Less, conditions.AtMost, conditions.More, conditions.AtLeast, conditions.Equal, conditions.Differs}).Draw(t, "operator"),
		}
		if term.Op != conditions.True {
			term.Value.Number = rapid.IntRange(-30, 60).Draw(t, "number")
		}
		l.If = append(l.If, term)
	}
	l.Else = len(l.If) == 0 && rapid.Bool().Draw(t, "else")
	return l
}

// TestNormalLinesReadAsTheSamePlan: through the reading of mails, in every language.
func TestNormalLinesReadAsTheSamePlan(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := plans().Draw(r, "plan")
		for _, lang := range []conditions.Language{conditions.German, conditions.English, conditions.Spanish} {
			text := "TRAINING T\n"
			for _, l := range p.Normal(lang) {
				text += orders.Word(orders.Language(lang), l.Keyword) + " " + l.Args + "\n"
			}
			got, issues, _ := Read(statements(t, text), Context{Advanced: true})
			for _, i := range issues {
				if i.Error {
					r.Fatalf("%s\ngives %+v", text, i)
				}
			}
			if diff := cmp.Diff(p, got); diff != "" {
				r.Fatalf("%s\nis another plan (-want +got):\n%s", text, diff)
			}
		}
		stored, err := json.Marshal(p)
		if err != nil {
			r.Fatal(err)
		}
		var back Plan
		if err := json.Unmarshal(stored, &back); err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(p, back); diff != "" {
			r.Fatalf("stored and read again:\n%s", diff)
		}
	})
}

func TestStoredPlans(t *testing.T) {
	p, _ := read(t, standard(), "SCHLAG UC3\nV WENN AMSEIL : KLAMMERN\nDAUER NEIN\n")
	got, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	// States in old games hold this form for good.
	if want := `{"lines":["PUNCH UC3 RJ0 RH0 CO0 LJ0 LH0","D IF ROPES : CLINCH"],"once":true}`; string(got) != want {
		t.Errorf("stored as %s, want %s", got, want)
	}
	for _, bad := range []string{`{"lines":["D IF NONE : COVER"]}`, `{"lines":["DANCE"]}`, `{"lines":[""]}`, `{"lines":["FEET D CENTRE A ROPES"]}`} {
		if err := json.Unmarshal([]byte(bad), new(Plan)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// roll makes two fighters.
func roll(n int) (a, b bout.Fighter) {
	s := dice.Seed{7}.Stream("fighters", fmt.Sprint(n))
	return bout.Roll(s), bout.Roll(s)
}

// fight fights a bout between two plans.
func fight(t testing.TB, n int, terms bout.Terms, a, b Plan, log *bout.Log) (*bout.Bout, [2]*Runner) {
	t.Helper()
	one, two := roll(n)
	f, err := bout.Begin(terms, [2]bout.Corner{{Fighter: one}, {Fighter: two}})
	if err != nil {
		t.Fatal(err)
	}
	runners := [2]*Runner{a.Against(one, two), b.Against(two, one)}
	f.Box(terms.Rounds, [2]bout.Plan{runners[0], runners[1]}, dice.Seed{8}.Stream("bout", fmt.Sprint(n)), log)
	return f, runners
}

func TestFired(t *testing.T) {
	p, _ := read(t, standard(), "SCHLAG UC3\nRUNDE 2-3 SCHLAG RJ3\nRUNDE 2 BEINE V KREIS\nV WENN ZUG<=2 : DECKEN\nV KONTER NEIN\nA WENN RUNDE=1 : STURM\n")
	var log bout.Log
	f, runners := fight(t, 3, bout.StandardTerms(4), p, Plan{}, &log)
	if len(f.Cards) != 4 {
		t.Fatalf("the bout ended in round %d: take another", len(f.Cards))
	}
	counted := map[bout.Tactic]int{}
	declined := 0
	for _, e := range log {
		switch {
		case e.By != bout.First:
		case e.Kind == bout.Declared:
			counted[e.Tactic]++
		case e.Kind == bout.CounterDeclined:
			declined++
		}
	}
	want := []int{2, 2, 1, counted[bout.Cover], declined, counted[bout.Rush]}
	if diff := cmp.Diff(want, runners[0].Fired()); diff != "" || counted[bout.Cover] == 0 || declined == 0 || counted[bout.Rush] == 0 {
		t.Errorf("fired (-want +got):\n%s", diff)
	}
	if got := runners[1].Fired(); len(got) != 0 {
		t.Errorf("the default plan has lines that fired: %v", got)
	}
}

// TestNamesChangeNothing: whoever the fighters and their opponents are called.
func TestNamesChangeNothing(t *testing.T) {
	var told [2]bout.Log
	for i, name := range []string{"Iron Mike", "Zorro"} {
		found := orders.Parse(orders.Lines("NAME " + name + " Jr.\nGEGNER " + name + "\n" + example))
		p, _, _ := Read(found.Blocks[0].Statements, Context{Advanced: true, Rounds: 10, Opponent: name})
		fight(t, 5, bout.StandardTerms(10), p, p, &told[i])
	}
	if len(told[0]) == 0 || !slices.Equal(told[0], told[1]) {
		t.Error("other names give another bout")
	}
}

// TestVariables shows a situation to every variable.
func TestVariables(t *testing.T) {
	now := &bout.Situation{
		Round: 3, Turn: 7, Lead: 2, Damage: -5,
		Own:   bout.Standing{Endurance: 11, Hits: 4, Downs: 1, Ropes: true},
		Other: bout.Standing{Endurance: -6, Hits: 8, Downs: 2},
	}
	for name, want := range map[string]int{
		"END": 11, "OEND": -6, "ROUND": 3, "TURN": 7, "ROPES": 1, "OROPES": 0, "LEAD": 2, "OLEAD": -2,
		"DAMAGE": -5, "ODAMAGE": 5, "HITS": 4, "OHITS": 8, "DOWN": 1, "ODOWN": 2,
	} {
		v, ok := vocabulary().Find(name)
		if !ok {
			t.Errorf("there is no variable %s", name)
			continue
		}
		if got := (&vars{now}).Value(v, "").Number; got != want {
			t.Errorf("%s = %d, want %d", name, got, want)
		}
	}
	if n := len(vocabulary()); n != 14 {
		t.Errorf("%d variables, tried are 14", n)
	}
}

// TestDefaultPlan: own ratings, the opponent's, to the middle, to the ropes.
func TestRSC21_DefaultPlan(t *testing.T) {
	own := bout.Fighter{Punches: [6]int{1, 2, 3, 4, 5, 6}}
	other := bout.Fighter{Punches: [6]int{6, 5, 4, 3, 2, 1}}
	r := Plan{}.Against(own, other)
	want := bout.Mix{Punch: bout.Weights{1, 2, 3, 4, 5, 6}, Expect: bout.Weights{6, 5, 4, 3, 2, 1}, Defence: bout.MiddleFeet, Attack: bout.RopesFeet}
	if got := r.Mix(1); got != want {
		t.Errorf("it fights with %+v", got)
	}
	s := &bout.Situation{Round: 1, Turn: 1, Own: bout.Standing{Endurance: -20, Ropes: true}}
	if r.Tactic(bout.Defender, s, 0xff) != bout.Open || r.Tactic(bout.Attacker, s, 0xff) != bout.Open || !r.Counter(s) {
		t.Error("it has a tactic")
	}
}

func TestAnIllegalChoiceIsPassedOver(t *testing.T) {
	p, _ := read(t, standard(), "V WENN AMSEIL : ZURUECK\nV WENN AMSEIL : KLAMMERN\nV SONST : DECKEN\n")
	r := p.Against(roll(1))
	s := &bout.Situation{Round: 1, Turn: 1, Own: bout.Standing{Ropes: true}}
	legal := func(all ...bout.Tactic) (s bout.Tactics) {
		for _, t := range all {
			s |= 1 << t
		}
		return s
	}
	for _, tt := range []struct {
		legal bout.Tactics
		want  bout.Tactic
	}{
		{legal(bout.Open, bout.Cover, bout.Clinch), bout.Clinch},
		{legal(bout.Open, bout.Cover), bout.Cover},
		{legal(bout.Open), bout.Open},
	} {
		if got := r.Tactic(bout.Defender, s, tt.legal); got != tt.want {
			t.Errorf("of %b it chooses %d, want %d", tt.legal, got, tt.want)
		}
	}
}

func FuzzPlan(f *testing.F) {
	for _, s := range []string{
		example, "SCHLAG UC10 XX3\n", "V WENN MUT : DECKEN\n", strings.Repeat("V DECKEN\n", 41), "RUNDE 9-8 SCHLAG UC1\n",
		"SCHLAG UC3 RJ1\nCO13\n", "V KONTER\nNEIN\n", "BEINE V MITTE\nA SEIL\n", "D IF END≤−3 : COVER\nDAUER NEIN\n", "GEGNER x\nSCHLAG UC 3 RJ = 2\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, b := range orders.Parse(orders.Lines("NAME Kid\n" + s)).Blocks {
			p, issues, _ := Read(b.Statements, standard())
			if len(p.Lines) > 2*conditions.MaxLines {
				t.Errorf("%d lines", len(p.Lines))
			}
			for i, issue := range issues {
				if issue.Line < 1 || i > 0 && issue.Line < issues[i-1].Line || !slices.Contains(IssueCodes(), issue.Code) {
					t.Errorf("issue %d: %+v", i, issue)
				}
			}
			stored, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			var back Plan
			if err := json.Unmarshal(stored, &back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(p, back); diff != "" {
				t.Errorf("stored and read again:\n%s", diff)
			}
			fight(t, 1, bout.StandardTerms(1), p, Plan{}, nil)
		}
	})
}

// BenchmarkPlan fights ten rounds with the rulings' example against the default.
func BenchmarkPlan(b *testing.B) {
	p, _ := read(b, standard(), example)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		fight(b, n, bout.StandardTerms(10), p, Plan{}, nil)
	}
}
