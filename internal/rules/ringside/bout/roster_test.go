package bout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ali() Named {
	return Named{"Muhammad Ali", Fighter{Agility: 68, Punches: [Punches]int{4, 3, 4, 3, 5, 4}, Counter: 34, Endurance: 23}}
}

func bobick() Named {
	return Named{"Duane Bobick", Fighter{Agility: 46, Punches: [Punches]int{2, 2, 3, 3, 3, 3}, Counter: 20, Endurance: 8}}
}

func TestHistorical(t *testing.T) {
	if diff := cmp.Diff([]Named{ali(), bobick()}, Historical()); diff != "" {
		t.Error(diff)
	}
}

const head = "name,agility,UC,RJ,RH,Co,LJ,LH,counterpunch,endurance\n"

func TestParseFighters(t *testing.T) {
	const line = "Muhammad Ali,68,4,3,4,3,5,4,34,23\n"
	for _, tt := range []struct {
		name, text string
		want       []Named
		errors     []string
	}{
		{"nothing", "", nil, nil},
		{"with a head line", head + line, []Named{ali()}, nil},
		{"without", line, []Named{ali()}, nil},
		{"semicolons, a byte order mark, comments, blanks", "\ufeffName; Agility;uc;rj;rh;CO;lj;lh;Counterpunch;Endurance\r\n# the greatest\r\n Muhammad  Ali ; 68;4;3;4;3;5;4;34; 23\r\n", []Named{ali()}, nil},
		{"columns in another order, and one more", "endurance,nation,name,counterpunch,LH,LJ,CO,RH,RJ,UC,agility\n23,USA,\"Muhammad Ali\",34,4,5,3,4,3,4,68\n", []Named{ali()}, nil},
		{"a column missing", strings.Replace(head, ",LJ", "", 1) + line, nil, []string{`line 1: the column "lj" stands there 0 times`}},
		{"a column twice", strings.Replace(head, "LJ", "LH", 1) + line, nil, []string{`the column "lj" stands there 0 times`}},
		{"each line for itself", head + "Joe,x,1,1,1,1,1,1,20,5\n" + line + "Max,50,1,1,1,1,1,1\nMuhammad ALI,50,1,1,1,1,1,1,20,5\n\nEd_,50,1,1,1,1,1,1,20,5\nJim,100,1,1,1,1,1,1,20,5\nTom,50,0,1,1,1,1,1,20,5\n",
			[]Named{ali()}, []string{
				`line 2: agility: "x" is not a whole number`,
				"line 4: 8 fields, want 10",
				"line 5: there is a Muhammad ALI already",
				`line 7: the name "Ed_" cannot be used (name-character)`,
				"line 8: agility 100: want 1 to 99",
				"line 9: UC 0: want 1 to 9",
			}},
		{"a stray quotation mark", head + "Joe \"X\",50,1,1,1,1,1,1,20,5\n" + line, []Named{ali()}, []string{"line 2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseFighters(tt.text)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if (err != nil) != (len(tt.errors) > 0) {
				t.Fatalf("error %v", err)
			}
			for _, want := range tt.errors {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in the error\n%v", want, err)
				}
			}
		})
	}
}

// TestParseFightersIsBrief: a wrong file is not printed whole.
func TestParseFightersIsBrief(t *testing.T) {
	_, err := ParseFighters(strings.Repeat("Joe,"+strings.Repeat("x", 1000)+"\n", 50))
	if err == nil || strings.Count(err.Error(), "\n") != mostWrong || !strings.HasSuffix(err.Error(), "and 40 more lines") {
		t.Errorf("the error is %v", err)
	}
	for _, line := range []string{
		strings.Repeat("x", 1000) + ",50,1,1,1,1,1,1,20,5",
		"Joe," + strings.Repeat("x", 1000) + ",1,1,1,1,1,1,20,5",
	} {
		if _, err := ParseFighters(line); err == nil || len(err.Error()) > 200 {
			t.Errorf("the error is %v", err)
		}
	}
	if _, err := ParseChart("thrown UC RJ RH CO LJ LH\n" + strings.Repeat("x", 1000)); err == nil || len(err.Error()) > 200 {
		t.Errorf("the error is %v", err)
	}
}

func FuzzFighters(f *testing.F) {
	f.Add(fightersFile)
	f.Add("name;agility\n1;2\n")
	f.Add("Joe,50,1,1,1,1,1,1,20,5\n\"x\n")
	f.Fuzz(func(t *testing.T, s string) {
		all, _ := ParseFighters(s)
		for _, n := range all {
			if err := n.Check(); err != nil {
				t.Error(err)
			}
		}
	})
}
