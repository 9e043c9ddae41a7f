package bout

import (
	"strings"
	"testing"
)

// TestTheRulebooksCells types out the 20 cells of the chart that are known.
func TestTheRulebooksCells(t *testing.T) {
	const known = `
		UC UC -1  UC RJ 2  UC RH 2  UC CO 4  UC LJ 2  UC LH 2
		RJ UC 2  RJ RJ -1  RJ RH 2  RJ CO 2  RJ LJ 1  RJ LH 4
		RH UC 3  RH RJ 1  RH RH -1  RH CO 2  RH LJ 3  RH LH 3
		CO UC 4  CO RJ 2`
	c := StandardChart()
	fields := strings.Fields(known)
	seen := 0
	for i := 0; i < len(fields); i += 3 {
		thrown, _ := FindPunch(fields[i])
		guard, _ := FindPunch(fields[i+1])
		want := int8(0)
		switch fields[i+2] {
		case "-1":
			want = -1
		default:
			want = int8(fields[i+2][0] - '0')
		}
		seen++
		if c.Cells[thrown][guard] != want || c.Reconstructed[thrown][guard] {
			t.Errorf("%s against %s: %d, reconstructed %v; the rulebook has %d", fields[i], fields[i+1],
				c.Cells[thrown][guard], c.Reconstructed[thrown][guard], want)
		}
	}
	check(t, "cells compared", seen, 20)
	reconstructed := 0
	for _, row := range c.Reconstructed {
		for _, r := range row {
			if r {
				reconstructed++
			}
		}
	}
	check(t, "reconstructed cells", reconstructed, 16)
}

// TestReconstruction holds the lost cells to the grounds they were found on.
func TestReconstruction(t *testing.T) {
	c := StandardChart().Cells
	mirror := [Punches]Punch{Uppercut: Uppercut, RightJab: LeftJab, RightHook: LeftHook, Combination: Combination, LeftJab: RightJab, LeftHook: RightHook}
	swap := [Punches]Punch{Uppercut: Combination, RightJab: RightJab, RightHook: RightHook, Combination: Uppercut, LeftJab: LeftJab, LeftHook: LeftHook}
	for guard := range Punch(Punches) {
		check(t, "LJ", c[LeftJab][guard], c[RightJab][mirror[guard]])
		check(t, "LH", c[LeftHook][guard], c[RightHook][mirror[guard]])
		check(t, "CO", c[Combination][guard], c[Uppercut][swap[guard]])
		check(t, "the diagonal", c[guard][guard], -1)
	}
	for thrown, want := range [Punches]int8{11, 10, 11, 11, 10, 11} {
		sum := int8(0)
		for _, cell := range c[thrown] {
			sum += cell
		}
		check(t, "a row's sum", sum, want)
	}
}

func TestParseChart(t *testing.T) {
	c := StandardChart()
	again, err := ParseChart(c.String())
	if err != nil || again != c {
		t.Errorf("the chart as it writes itself is read as another: %v\n%s", err, c)
	}
	// Rows and columns in another order are the same chart.
	lines := strings.Split(strings.TrimSpace(c.String()), "\n")
	shuffled := lines[0] + "\n" + lines[6] + "\n\n# a comment\n" + strings.Join(lines[1:6], " # another\n") + "\n"
	if again, err = ParseChart(strings.ToLower(shuffled)); err != nil || again != c {
		t.Errorf("in another order it is another chart: %v", err)
	}
	for _, tt := range []struct{ old, new, want string }{
		{c.String(), "", "0 rows, but there are 6 punches"},
		{lines[6], "", "5 rows, but there are 6 punches"},
		{"LJ  LH", "LJ", "line 1: want a word and the 6 punches"},
		{"LJ  LH", "LJ  XX", `line 1: "XX" is no punch`},
		{"LJ  LH", "LJ  LJ", `line 1: "LJ" is no punch, or stands there twice`},
		{"\nRJ", "\nUC", `line 3: "UC" is no punch, or has a row already`},
		{"\nRJ", "\nXX", `line 3: "XX" is no punch`},
		{"\nRJ", "\nRJ 1", "line 3: 7 cells, want 6"},
		{"  4 ", " -2 ", `line 2: "-2" is not a whole number from -1 to 9`},
		{"  4 ", " 10 ", `line 2: "10" is not a whole number`},
		{"  4 ", "  x ", `line 2: "x" is not a whole number`},
		{"  4 ", " 4**", `line 2: "4**" is not a whole number`},
		{lines[6], lines[6] + "\n" + lines[6], "line 8: \"LH\" is no punch, or has a row already"},
	} {
		_, err := ParseChart(strings.Replace(c.String(), tt.old, tt.new, 1))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("with %q for %q: %v, want %q", tt.new, tt.old, err, tt.want)
		}
	}
}

func TestChartInJSON(t *testing.T) {
	var back Chart
	text, err := StandardChart().MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	if err := back.UnmarshalText(text); err != nil || back != StandardChart() {
		t.Errorf("stored and read again it differs: %v", err)
	}
	if err := back.UnmarshalText([]byte("x")); err == nil {
		t.Error("nonsense is a chart")
	}
}

func TestWeights(t *testing.T) {
	w := Weights{3, 1, 2, 3, 0, 9}
	check(t, "as text", w.String(), "UC3 RJ1 RH2 CO3 LJ0 LH9")
	var back Weights
	if err := back.UnmarshalText([]byte(w.String())); err != nil || back != w {
		t.Errorf("read again as %v, %v", back, err)
	}
	for _, bad := range []string{"", "UC3", "UC3 RJ1 RH2 CO3 LJ0 LH10", "UC3 RJ1 RH2 CO3 LJ0 LHx", "RJ3 UC1 RH2 CO3 LJ0 LH9", "uc3 RJ1 RH2 CO3 LJ0 LH9", "UC3  RJ1 RH2 CO3 LJ0 LH9"} {
		if err := back.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func FuzzChart(f *testing.F) {
	f.Add(chartFile)
	f.Add(strings.Replace(chartFile, "thrown", "x", 1))
	f.Add("a uc rj rh co lj lh\nuc 1 1 1 1 1 1\n")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseChart(s)
		if err != nil {
			return
		}
		if again, err := ParseChart(c.String()); err != nil || again != c {
			t.Errorf("%q is written as another chart: %v", s, err)
		}
	})
}
