package conditions

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
)

// The variables of a game that has some of every kind.
const (
	power Var = iota
	endurance
	turn
	ropes
	key
	zone
	powerOf
)

func vocabulary() Vocabulary {
	return Vocabulary{
		power:     {Words: Words{words("MACHT"), words("POWER"), words("PODER")}},
		endurance: {Words: Words{words("KOND"), words("END"), words("RESIST")}, Least: -25, Most: 200},
		turn:      {Words: Words{words("ZUG"), words("TURN"), words("TURNO")}, Least: 1, Most: 18},
		ropes:     {Words: Words{words("AMSEIL"), words("ROPES"), words("CUERDAS")}, Kind: Flag},
		key:       {Words: Words{words("SCHLÜSSEL"), words("KEY"), nil}, Kind: Name},
		zone:      {Words: Words{words("ORT"), words("ZONE"), nil}, Kind: Name, Argument: true},
		powerOf:   {Words: Words{words("MACHTVON"), words("POWEROF"), nil}, Argument: true},
	}
}

func num(v Var, op Op, n int) Term         { return Term{Var: v, Op: op, Value: Value{Number: n}} }
func named(v Var, op Op, name string) Term { return Term{Var: v, Op: op, Value: Value{Name: name}} }

func TestG12_Parse(t *testing.T) {
	tests := []struct {
		text string
		want Line
	}{
		{"COVER", Line{Action: "COVER"}},
		{"move 1 attack Core?", Line{Action: "move 1 attack Core?"}},
		{"V DECKEN", Line{Role: Defence, Action: "DECKEN"}},
		{"d: cover", Line{Role: Defence, Action: "cover"}},
		{"A RUSH", Line{Role: Attack, Action: "RUSH"}},
		{"ANGRIFF HOCH", Line{Action: "ANGRIFF HOCH"}},
		{"D ELSE : OPEN", Line{Role: Defence, Else: true, Action: "OPEN"}},
		{"V SONST OFFEN", Line{Role: Defence, Else: true, Action: "OFFEN"}},
		{"D SINO: ABIERTO", Line{Role: Defence, Else: true, Action: "ABIERTO"}},
		{"V WENN AMSEIL : KLAMMERN", Line{Role: Defence, If: []Term{{Var: ropes}}, Action: "KLAMMERN"}},
		{"V WENN: AMSEIL:KLAMMERN", Line{Role: Defence, If: []Term{{Var: ropes}}, Action: "KLAMMERN"}},
		{"d if end<=10 and turn>=2 : backpedal", Line{Role: Defence, If: []Term{num(endurance, AtMost, 10), num(turn, AtLeast, 2)}, Action: "backpedal"}},
		{"SI RESIST < 5 Y TURNO > 3 : AGUANTAR", Line{If: []Term{num(endurance, Less, 5), num(turn, More, 3)}, Action: "AGUANTAR"}},
		{"IF END = -3 : X", Line{If: []Term{num(endurance, Equal, -3)}, Action: "X"}},
		{"IF END==−3 : X", Line{If: []Term{num(endurance, Equal, -3)}, Action: "X"}},
		{"IF END!=3 AND END<>4 AND END≠5 : X", Line{If: []Term{num(endurance, Differs, 3), num(endurance, Differs, 4), num(endurance, Differs, 5)}, Action: "X"}},
		{"IF END≤3 AND TURN≥4 : X", Line{If: []Term{num(endurance, AtMost, 3), num(turn, AtLeast, 4)}, Action: "X"}},
		{"IF ROPES=NO AND ROPES=Ja : X", Line{If: []Term{num(ropes, Equal, 0), num(ropes, Equal, 1)}, Action: "X"}},
		{"WENN SCHLUESSEL=ICH : ZUG 1", Line{If: []Term{named(key, Equal, Me)}, Action: "ZUG 1"}},
		{"wenn schlüssel = me : zug 1", Line{If: []Term{named(key, Equal, Me)}, Action: "zug 1"}},
		{"IF KEY=Fast Eddie AND ZONE(Fast  Eddie)!=S : X", Line{If: []Term{named(key, Equal, "Fast Eddie"), {zone, "Fast Eddie", Differs, Value{Name: "S"}}}, Action: "X"}},
		{"IF ZONE (Tom y Jerry) = 4 : X", Line{If: []Term{{zone, "Tom y Jerry", Equal, Value{Number: 4}}}, Action: "X"}},
		{"IF POWEROF(ICH)>5 : X", Line{If: []Term{{powerOf, Me, More, Value{Number: 5}}}, Action: "X"}},
		{"RUNDE 9-12 SCHLAG UC4", Line{Rounds: Range{9, 12}, Action: "SCHLAG UC4"}},
		{"ROUND 9 : PUNCH UC4", Line{Rounds: Range{9, 9}, Action: "PUNCH UC4"}},
		{"ASALTO: 9 – 12 D SI CUERDAS : AGARRAR", Line{Rounds: Range{9, 12}, Role: Defence, If: []Term{{Var: ropes}}, Action: "AGARRAR"}},
		{"RUNDE 2, A STURM ; all or nothing", Line{Rounds: Range{2, 2}, Role: Attack, Action: "STURM"}},
		{"IF END<5 : COVER ; IF END<0 : CLINCH", Line{If: []Term{num(endurance, Less, 5)}, Action: "COVER"}},
	}
	v := vocabulary()
	for _, tt := range tests {
		got, issue := v.Parse(tt.text)
		if issue != nil {
			t.Errorf("%s: %+v", tt.text, issue)
		} else if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s is misread (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestG12_LinesThatAreDropped(t *testing.T) {
	tests := []struct {
		text string
		code string
		args []string
	}{
		{"", NoAction, nil},
		{"; a comment", NoAction, nil},
		{"D", NoAction, nil},
		{"D ELSE :", NoAction, nil},
		{"IF ROPES :", NoAction, nil},
		{"IF ROPES COVER", NoColon, []string{"ROPES COVER"}},
		{"IF : COVER", EmptyCondition, nil},
		{"IF ROPES AND : COVER", EmptyCondition, nil},
		{"IF AND ROPES : COVER", EmptyCondition, nil},
		{"IF STAMINA<5 : COVER", UnknownVariable, []string{"STAMINA"}},
		{"IF ROPES AND STAMINA<5 : COVER", UnknownVariable, []string{"STAMINA"}},
		{"IF END : COVER : OPEN", "", nil}, // what follows is the action's
		{"IF (END<5) : COVER", BadTerm, []string{"(END<5)"}},
		{"IF END 5 : COVER", BadTerm, []string{"END 5"}},
		{"IF END<9" + strings.Repeat(" AND END<9", MaxTerms) + " : COVER", TooLong, []string{"20"}},
		{"IF END=>5 : COVER", BadValue, []string{"END=>5", ">5"}},
		{"IF END< : COVER", BadValue, []string{"END<", ""}},
		{"IF END<five : COVER", BadValue, []string{"END<five", "five"}},
		{"IF END<5.5 : COVER", BadValue, []string{"END<5.5", "5.5"}},
		{"IF END<99999 : COVER", BadValue, []string{"END<99999", "99999"}},
		{"IF END<=0 OR LEAD>=2 : COVER", HasOr, []string{"END<=0 OR LEAD>=2"}},
		{"WENN AMSEIL oder KOND<3 : DECKEN", HasOr, []string{"AMSEIL oder KOND<3"}},
		{"IF ROPES=MAYBE : COVER", BadValue, []string{"ROPES=MAYBE", "MAYBE"}},
		{"IF KEY<Frog : X", BadValue, []string{"KEY<Frog", "Frog"}},
		{"IF KEY=<b> : X", BadValue, []string{"KEY=<b>", "<b>"}},
		{"IF ZONE=4 : X", BadArgument, []string{"ZONE=4"}},
		{"IF ZONE()=4 : X", BadArgument, []string{"ZONE()=4"}},
		{"IF ZONE({})=4 : X", BadArgument, []string{"ZONE({})=4"}},
		{"IF END(Frog)=4 : X", BadArgument, []string{"END(Frog)=4"}},
		{"IF ZONE(Frog=4 : X", BadTerm, []string{"ZONE(Frog=4"}},
		{"ROUND D COVER", BadRounds, []string{"D COVER"}},
		{"ROUND 0 D COVER", BadRounds, []string{"0 D COVER"}},
		{"ROUND 9-8 D COVER", BadRounds, []string{"9-8 D COVER"}},
		{"ROUND 9- D COVER", BadRounds, []string{"9- D COVER"}},
		{"ROUND 100 D COVER", BadRounds, []string{"100 D COVER"}},
		{"ROUND 99999999999999999999 D COVER", BadRounds, []string{"99999999999999999999 D COVER"}},
		{"IF " + strings.Repeat("x", 100) + " : COVER", UnknownVariable, []string{strings.Repeat("x", 60) + "…"}},
	}
	for _, tt := range tests {
		_, got := vocabulary().Parse(tt.text)
		var want *game.Issue
		if tt.code != "" {
			want = &game.Issue{Code: tt.code, Args: tt.args, Error: tt.code != UnknownVariable}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestText(t *testing.T) {
	tests := []struct{ text, de, en, es string }{
		{"round 9–12 d if end<=10 and turn>=2: BACKPEDAL",
			"RUNDE 9-12 V WENN KOND<=10 UND ZUG>=2 : BACKPEDAL",
			"ROUND 9-12 D IF END<=10 AND TURN>=2 : BACKPEDAL",
			"ASALTO 9-12 D SI RESIST<=10 Y TURNO>=2 : BACKPEDAL"},
		{"RUNDE 3-3 A SONST OPEN", "RUNDE 3 A SONST : OPEN", "ROUND 3 A ELSE : OPEN", "ASALTO 3 A SINO : OPEN"},
		{"if ropes and end<>-4 and turn≠3: X", "WENN AMSEIL UND KOND!=-4 UND ZUG!=3 : X", "IF ROPES AND END!=-4 AND TURN!=3 : X", "SI CUERDAS Y RESIST!=-4 Y TURNO!=3 : X"},
		{"IF KEY=YO AND ZONE(ICH)=S AND ZONE(Frog)=4 : X", "WENN SCHLÜSSEL=ICH UND ORT(ICH)=S UND ORT(Frog)=4 : X", "IF KEY=ME AND ZONE(ME)=S AND ZONE(Frog)=4 : X", "SI KEY=YO Y ZONE(YO)=S Y ZONE(Frog)=4 : X"},
		{"V DECKEN", "V DECKEN", "D DECKEN", "D DECKEN"},
	}
	v := vocabulary()
	for _, tt := range tests {
		l, issue := v.Parse(tt.text)
		if issue != nil {
			t.Fatalf("%s: %+v", tt.text, issue)
		}
		for lang, want := range map[Language]string{German: tt.de, English: tt.en, Spanish: tt.es, "fr": tt.en} {
			if got := v.Text(l, lang); got != want {
				t.Errorf("%s in %s: %s, want %s", tt.text, lang, got, want)
			}
		}
	}
}

// table answers with fixed values.
type table map[Var]Value

func (t table) Value(v Var, argument string) Value {
	if v == zone && argument != "Frog" {
		return Value{}
	}
	return t[v]
}

func TestApplies(t *testing.T) {
	now := table{endurance: {Number: 10}, turn: {Number: 3}, ropes: {Number: 1}, key: {Name: "Müller"}, zone: {Number: 4}}
	tests := map[string]bool{
		"COVER":                           true,
		"IF END<10 : X":                   false,
		"IF END<11 : X":                   true,
		"IF END<=9 : X":                   false,
		"IF END<=10 : X":                  true,
		"IF END>10 : X":                   false,
		"IF END>9 : X":                    true,
		"IF END>=11 : X":                  false,
		"IF END>=10 : X":                  true,
		"IF END=10 : X":                   true,
		"IF END=9 : X":                    false,
		"IF END!=10 : X":                  false,
		"IF END!=9 : X":                   true,
		"IF ROPES : X":                    true,
		"IF POWER : X":                    false,
		"IF KEY : X":                      true,
		"IF KEY=MUELLER : X":              true,
		"IF KEY=Frog : X":                 false,
		"IF KEY!=Frog : X":                true,
		"IF KEY=0 : X":                    false,
		"IF KEY<5 : X":                    false, // names have no order
		"IF KEY>=5 : X":                   false,
		"IF ZONE(Frog)=4 : X":             true,
		"IF ZONE(Frog)>3 : X":             true,
		"IF ZONE(Toad) : X":               false,
		"IF END=10 AND TURN=3 : X":        true,
		"IF END=10 AND TURN=4 : X":        false,
		"IF END=9 AND TURN=3 : X":         false,
		"ROUND 5 COVER":                   true,
		"ROUND 1-4 COVER":                 false,
		"ROUND 4-6 IF ROPES : COVER":      true,
		"ROUND 6-7 IF ROPES : COVER":      false,
		"ROUND 4-6 IF ROPES=NO : COVER":   false,
		"IF END<0 : X":                    false,
		"IF ROPES AND ROPES AND END : XY": true,
	}
	for text, want := range tests {
		l, issue := vocabulary().Parse(text)
		if issue != nil {
			t.Fatalf("%s: %+v", text, issue)
		}
		if got := l.Applies(5, now); got != want {
			t.Errorf("%s applies: %v", text, got)
		}
	}
}

func lines(t testing.TB, text ...string) []Line {
	t.Helper()
	var out []Line
	for _, s := range text {
		l, issue := vocabulary().Parse(s)
		if issue != nil {
			t.Fatalf("%s: %+v", s, issue)
		}
		out = append(out, l)
	}
	return out
}

func TestG12_TheFirstLineThatAppliesAndIsLegal(t *testing.T) {
	all := lines(t, "IF ROPES : CLINCH", "IF END<5 : COVER", "ROUND 3-4 IF END<5 : BACKPEDAL", "ROUND 4 OPEN", "OPEN")
	tests := []struct {
		name    string
		round   int
		now     table
		illegal string
		want    int
	}{
		{"from the top", 1, table{ropes: {Number: 1}, endurance: {Number: 3}}, "", 0},
		{"the next, where the first does not apply", 1, table{endurance: {Number: 3}}, "", 1},
		{"the next, where the first is not legal", 1, table{ropes: {Number: 1}, endurance: {Number: 3}}, "CLINCH", 1},
		{"limited ones before", 3, table{ropes: {Number: 1}, endurance: {Number: 3}}, "", 2},
		{"limited ones from the top, too", 4, table{endurance: {Number: 3}}, "", 2},
		{"limited ones that do not apply are passed over", 3, table{ropes: {Number: 1}, endurance: {Number: 9}}, "", 0},
		{"limited ones that are not legal are passed over", 4, table{ropes: {Number: 1}, endurance: {Number: 3}}, "BACKPEDAL", 3},
		{"the last", 1, table{endurance: {Number: 9}}, "", 4},
		{"none", 1, table{endurance: {Number: 9}}, "OPEN", -1},
	}
	for _, tt := range tests {
		if got := First(all, tt.round, tt.now, func(i int) bool { return all[i].Action != tt.illegal }); got != tt.want {
			t.Errorf("%s: line %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestImpossible(t *testing.T) {
	tests := map[string]bool{
		"IF TURN>18 : X":                         true,
		"IF TURN>=18 : X":                        false,
		"IF TURN<1 : X":                          true,
		"IF TURN=0 : X":                          true,
		"IF TURN<=0 : X":                         true,
		"IF END<5 AND END>3 : X":                 false,
		"IF END<5 AND END>4 : X":                 true,
		"IF END<5 AND TURN>4 : X":                false,
		"IF END=5 AND END!=5 : X":                true,
		"IF END!=5 AND END=5 : X":                true,
		"IF END=5 AND END=6 : X":                 true,
		"IF END>=5 AND END<=6 AND END!=5 : X":    false,
		"IF END>=5 AND END<=5 AND END!=5 : X":    true,
		"IF ROPES AND ROPES=0 : X":               true,
		"IF ROPES=1 AND ROPES!=0 : X":            false,
		"IF ROPES=2 : X":                         true,
		"IF POWER>9000 : X":                      false, // no bounds are known
		"IF KEY=Frog AND KEY=FROG : X":           false,
		"IF KEY=Frog AND KEY=Toad : X":           true,
		"IF KEY=Frog AND KEY!=Frog : X":          true,
		"IF KEY!=Frog AND KEY!=Toad : X":         false,
		"IF ZONE(A)=4 AND ZONE(B)=5 : X":         false,
		"IF ZONE(A)=4 AND ZONE(A)=5 : X":         true,
		"IF POWEROF(A)>4 AND POWEROF(B)<3 : X":   false,
		"IF POWEROF(A)>4 AND POWEROF(A)<3 : X":   true,
		"IF END>3 AND TURN>3 AND END<3 : X":      true,
		"OPEN":                                   false,
		"IF END=0 AND END : X":                   true,
		"IF TURN!=1 AND TURN<2 : X":              true,
		"IF TURN!=1 AND TURN!=2 AND TURN<=3 : X": false,
	}
	v := vocabulary()
	for text, want := range tests {
		if got := v.Impossible(lines(t, text)[0]); got != want {
			t.Errorf("%s can never hold: %v", text, got)
		}
	}
}

func TestShadow(t *testing.T) {
	tests := []struct {
		name string
		all  []string
		want []int // for each line the one that stands before it, -1: none
	}{
		{"behind an unconditional one", []string{"D COVER", "D IF ROPES : COVER", "D ELSE : COVER"}, []int{-1, 0, 0}},
		{"before it", []string{"D IF ROPES : COVER", "D ELSE : COVER"}, []int{-1, -1}},
		{"of another role", []string{"D COVER", "A COVER"}, []int{-1, -1}},
		{"limited ones come first wherever they stand", []string{"D COVER", "ROUND 3 D COVER"}, []int{-1, -1}},
		{"one limit inside another", []string{"ROUND 3-5 D COVER", "ROUND 4 D IF ROPES : COVER", "ROUND 5-6 D COVER"}, []int{-1, 0, -1}},
		{"all rounds there are", []string{"D COVER", "ROUND 1-10 D COVER"}, []int{1, -1}},
		{"not all of them", []string{"D COVER", "ROUND 1-9 D COVER"}, []int{-1, -1}},
		{"beyond the last", []string{"ROUND 9-10 D COVER", "ROUND 9-15 D COVER"}, []int{-1, 0}},
		{"on the same condition", []string{"D IF ROPES : COVER", "D IF ROPES : COVER"}, []int{-1, 0}},
		{"on a part of the condition", []string{"D IF ROPES : COVER", "D IF END<5 AND ROPES : COVER"}, []int{-1, 0}},
		{"on more than the condition", []string{"D IF END<5 AND ROPES : COVER", "D IF ROPES : COVER"}, []int{-1, -1}},
		{"one that may not be legal", []string{"D CLINCH", "D COVER", "D CLINCH"}, []int{-1, -1, 0}},
	}
	for _, tt := range tests {
		all := lines(t, tt.all...)
		whenever := func(i, j int) bool { return all[i].Action == "COVER" || all[i].Action == all[j].Action }
		for j := range all {
			if got := Shadow(all, j, 10, whenever); got != tt.want[j] {
				t.Errorf("%s: before %s stands line %d, want %d", tt.name, tt.all[j], got, tt.want[j])
			}
		}
	}
}

func TestEveryIssueCodeOccurs(t *testing.T) {
	// The last three are told by rulesets, which know their lines' numbers.
	told := map[string]bool{Never: true, Behind: true, TooMany: true}
	for _, text := range []string{"ROUND", "IF : X", "IF ROPES", "D", "IF Q : X", "IF ZONE : X", "IF END 5 : X", "IF END<x : X", "IF ROPES OR END<5 : X", "IF ROPES" + strings.Repeat(" AND ROPES", MaxTerms) + " : X"} {
		if _, issue := vocabulary().Parse(text); issue != nil {
			told[issue.Code] = true
		}
	}
	for _, code := range IssueCodes() {
		if !told[code] {
			t.Errorf("nothing tells %s", code)
		}
		delete(told, code)
	}
	if len(told) > 0 {
		t.Errorf("not listed: %v", told)
	}
}
