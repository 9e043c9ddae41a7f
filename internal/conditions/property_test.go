package conditions

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// terms draws a comparison of any kind.
func terms() *rapid.Generator[Term] {
	return rapid.Custom(func(t *rapid.T) Term {
		v := vocabulary()
		out := Term{Var: Var(rapid.IntRange(0, len(v)-1).Draw(t, "variable"))}
		variable := v[out.Var]
		name := rapid.SampledFrom([]string{Me, "Frog", "Fast Eddie", "Müller", "S", "Tom y Jerry", "O'Neill"})
		if variable.Argument {
			out.Argument = name.Draw(t, "argument")
		}
		out.Op = rapid.SampledFrom([]Op{True, Less, AtMost, More, AtLeast, Equal, Differs}).Draw(t, "operator")
		named := variable.Kind == Name && (out.Op == Equal || out.Op == Differs) && rapid.Bool().Draw(t, "named")
		switch {
		case out.Op == True:
		case named:
			out.Value.Name = name.Filter(func(s string) bool { return !strings.Contains(s, " y ") }).Draw(t, "name")
		default:
			out.Value.Number = rapid.IntRange(-maxValue, maxValue).Draw(t, "number")
		}
		return out
	})
}

func anyLine(t *rapid.T) Line {
	l := Line{
		Role:   rapid.SampledFrom([]Role{NoRole, Attack, Defence}).Draw(t, "role"),
		Action: rapid.SampledFrom([]string{"COVER", "ZUG 1 ANGRIFF Core?", "UC3 RJ1", "CLINCH : now"}).Draw(t, "action"),
	}
	if rapid.Bool().Draw(t, "limited") {
		l.Rounds.From = rapid.IntRange(1, lastRound).Draw(t, "from")
		l.Rounds.To = rapid.IntRange(l.Rounds.From, lastRound).Draw(t, "to")
	}
	l.If = rapid.SliceOfN(terms(), 0, 4).Draw(t, "terms")
	if len(l.If) == 0 {
		l.If, l.Else = nil, rapid.Bool().Draw(t, "else")
	}
	return l
}

// TestNormalTextReadsAsTheSameLine: in every language, and whatever its case.
func TestNormalTextReadsAsTheSameLine(t *testing.T) {
	v := vocabulary()
	rapid.Check(t, func(t *rapid.T) {
		l := anyLine(t)
		for _, lang := range []Language{German, English, Spanish} {
			text := v.Text(l, lang)
			got, issue := v.Parse(text)
			if issue != nil {
				t.Fatalf("%s: %+v", text, issue)
			}
			if diff := cmp.Diff(l, got); diff != "" {
				t.Fatalf("%s is misread (-want +got):\n%s", text, diff)
			}
		}
	})
}

// TestImpossibleConditionsNeverHold, whatever the values; a shadowed line is never
// the first.
func TestWhatCannotApplyNeverDoes(t *testing.T) {
	v := vocabulary()
	small := func(t *rapid.T) Line {
		l := Line{Action: "X"}
		if rapid.Bool().Draw(t, "limited") {
			l.Rounds.From = rapid.IntRange(1, 5).Draw(t, "from")
			l.Rounds.To = rapid.IntRange(l.Rounds.From, 5).Draw(t, "to")
		}
		for range rapid.IntRange(0, 3).Draw(t, "terms") {
			op := rapid.SampledFrom([]Op{True, Less, AtMost, More, AtLeast, Equal, Differs}).Draw(t, "operator")
			term := num(rapid.SampledFrom([]Var{turn, ropes}).Draw(t, "variable"), op, 0)
			if op != True {
				term.Value.Number = rapid.IntRange(0, 19).Draw(t, "number")
			}
			l.If = append(l.If, term)
		}
		return l
	}
	rapid.Check(t, func(t *rapid.T) {
		all := make([]Line, rapid.IntRange(1, 5).Draw(t, "lines"))
		for i := range all {
			all[i] = small(t)
		}
		always := func(i, j int) bool { return true }
		for round := 1; round <= 5; round++ {
			for n := range 2 * 18 {
				now := table{turn: {Number: n/2 + 1}, ropes: {Number: n % 2}}
				i := First(all, round, now, func(int) bool { return true })
				if i < 0 {
					continue
				}
				if v.Impossible(all[i]) || Shadow(all, i, 5, always) >= 0 {
					t.Fatalf("%+v applies in round %d with %v", all[i], round, now)
				}
			}
		}
	})
}

func FuzzConditions(f *testing.F) {
	for _, s := range []string{
		"ROUND 9-12 D IF END<=10 AND LEAD>=2 : BACKPEDAL", "V SONST : OFFEN ; comment", "WENN SCHLUESSEL=ICH : ZUG 1 ANGRIFF Core?",
		"SI RESIST < 5 Y TURNO > 3 : AGUANTAR", "IF ZONE (Tom y Jerry) = 4 : X", "RUNDE 3-3 - : , x", "V :: x", "IF KEY= =x : y",
		"IF END≤−3:X", "RUNDE 3–", "A A IF", "if\xff", "IF ZONE(\x00)=1:x", "SONST WENN END<5 : x",
	} {
		f.Add(s)
	}
	v := vocabulary()
	f.Fuzz(func(t *testing.T, s string) {
		l, issue := v.Parse(s)
		if issue != nil {
			for _, a := range issue.Args {
				if utf8.RuneCountInString(a) > 61 || strings.ContainsAny(a, "\r\n") {
					t.Errorf("%s quotes %q", issue.Code, a)
				}
			}
			return
		}
		v.Impossible(l)
		l.Applies(1, table{})
		for _, lang := range []Language{German, English, Spanish} {
			text := v.Text(l, lang)
			again, issue := v.Parse(text)
			if issue != nil {
				t.Fatalf("%q is written as %q: %+v", s, text, issue)
			}
			if diff := cmp.Diff(l, again); diff != "" {
				t.Fatalf("%q is written as %q, which is another line:\n%s", s, text, diff)
			}
		}
	})
}
