package sugarray

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// printed is the rulebook's table of losses, as it stands there.
const printed = `
 1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
 1  1  1  1  2  2  2  3  3  4  5  6  7  8 10
16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
12 14 16 18 20 22 24 26 28 30 32 34 36 38 40
31 32 33 34 35 36 37 38 39 40 41 42 43 44 45
42 44 46 48 50 52 54 56 58 60 62 64 66 68 70`

func TestLossIsTheRulebooksTable(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(printed), "\n")
	n := 0
	for i := 0; i < len(rows); i += 2 {
		losses := strings.Fields(rows[i+1])
		for j, f := range strings.Fields(rows[i]) {
			fatigue, _ := figure(f)
			want, _ := figure(losses[j])
			if got := Loss(fatigue); got != want {
				t.Errorf("Loss(%d) = %d, want %d", fatigue, got, want)
			}
			n++
		}
	}
	if n != 45 {
		t.Errorf("%d columns compared, want 45", n)
	}
}

// TestSR01BeyondTheTable: the line goes on, and nothing below 1 costs anything.
func TestSR01BeyondTheTable(t *testing.T) {
	for fatigue, want := range map[int64]int64{
		-1 << 40: 0, -1: 0, 0: 0, 46: 72, 100: 180, 1000: 1980,
		5 * MaxFigure: 10*MaxFigure - 20,
	} {
		if got := Loss(fatigue); got != want {
			t.Errorf("Loss(%d) = %d, want %d", fatigue, got, want)
		}
	}
}

func pairs(t testing.TB, s string) (out [BoxingRounds]Pair) {
	t.Helper()
	fields := strings.Fields(s)
	if len(fields) != BoxingRounds {
		t.Fatalf("%q holds no five pairs", s)
	}
	for i, f := range fields {
		if err := out[i].UnmarshalText([]byte(f)); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestBox(t *testing.T) {
	const none = "0/0 0/0 0/0 0/0 0/0"
	for _, c := range []struct {
		name          string
		first, second Corner
		want          Bout
	}{
		{"the rulebook's example",
			Corner{10, 26, pairs(t, "2/3 3/0 2/2 0/5 3/1")},
			Corner{12, 21, pairs(t, "6/0 3/3 3/4 4/2 3/3")},
			Bout{Rounds: 5, Conditions: [2][5]int64{{19, 13, 11, 11, 6}, {15, 14, 12, 11, 10}}, Outcome: SecondWins}},
		{"knocked out by fatigue before any blow",
			Corner{10, 20, pairs(t, "10/0 0/0 0/0 0/0 0/0")},
			Corner{10, 20, pairs(t, none)},
			Bout{Rounds: 1, Conditions: [2][5]int64{{0}, {20}}, Outcome: SecondWins, KO: true, Fatigue: true}},
		{"an NMR against 5/0",
			Corner{10, 20, pairs(t, "5/0 5/0 5/0 5/0 5/0")},
			Corner{10, 20, pairs(t, none)},
			Bout{Rounds: 2, Conditions: [2][5]int64{{18, 16}, {10, 0}}, Outcome: FirstWins, KO: true}},
		{"both down by blows at once is a draw",
			Corner{10, 2, pairs(t, "3/0 0/0 0/0 0/0 0/0")},
			Corner{10, 2, pairs(t, "3/0 0/0 0/0 0/0 0/0")},
			Bout{Rounds: 1, Conditions: [2][5]int64{{-4}, {-4}}, Outcome: Drawn, KO: true}},
		{"both down by fatigue at once, however far, is a draw",
			Corner{10, 1, pairs(t, "9/0 0/0 0/0 0/0 0/0")},
			Corner{10, 1, pairs(t, "4/0 0/0 0/0 0/0 0/0")},
			Bout{Rounds: 1, Conditions: [2][5]int64{{-13}, {0}}, Outcome: Drawn, KO: true, Fatigue: true}},
		{"two who stand still",
			Corner{10, 20, pairs(t, none)}, Corner{10, 20, pairs(t, none)},
			Bout{Rounds: 5, Conditions: [2][5]int64{{20, 20, 20, 20, 20}, {20, 20, 20, 20, 20}}, Outcome: Drawn}},
		{"the largest numbers do not overflow",
			Corner{0, 9_000_000_000_000, pairs(t, "999999999/999999999 0/0 0/0 0/0 0/0")},
			Corner{0, 9_000_000_000_000, pairs(t, "999999999/0 0/0 0/0 0/0 0/0")},
			Bout{Rounds: 5, Outcome: Drawn, Conditions: [2][5]int64{
				// 2*(5*999999999)-20 lost, no blow; 2*(3*999999999)-20 lost, no blow
				{8990000000030, 8990000000030, 8990000000030, 8990000000030, 8990000000030},
				{8992000000028, 8992000000028, 8992000000028, 8992000000028, 8992000000028}}}},
	} {
		if got := Box(c.first, c.second); got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

func corners() *rapid.Generator[Corner] {
	return rapid.Custom(func(t *rapid.T) Corner {
		c := Corner{
			Technique: rapid.Int64Range(0, 40).Draw(t, "technique"),
			Condition: rapid.Int64Range(1, 80).Draw(t, "condition"),
		}
		for i := range c.Orders {
			c.Orders[i] = Pair{
				Offence: rapid.Int64Range(0, 9).Draw(t, "offence"),
				Defence: rapid.Int64Range(0, 9).Draw(t, "defence"),
			}
		}
		return c
	})
}

// TestBoxIsSymmetric: neither corner has an advantage, whatever happens.
func TestBoxIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, z := corners().Draw(t, "first"), corners().Draw(t, "second")
		one, two := Box(a, z), Box(z, a)
		two.Conditions[0], two.Conditions[1] = two.Conditions[1], two.Conditions[0]
		two.Outcome = map[Outcome]Outcome{Drawn: Drawn, FirstWins: SecondWins, SecondWins: FirstWins}[two.Outcome]
		if one != two {
			t.Fatalf("%+v\n%+v", one, two)
		}
		// Condition is never regained, and a bout ends early only by knock-out.
		for side := range one.Conditions {
			last := [2]Corner{a, z}[side].Condition
			for r := range one.Rounds {
				now := one.Conditions[side][r]
				if now > last {
					t.Fatalf("condition rose from %d to %d", last, now)
				}
				last = now
			}
		}
		if one.Rounds < BoxingRounds && !one.KO {
			t.Fatalf("ended in round %d with nobody down: %+v", one.Rounds, one)
		}
	})
}

func TestBoxAllocatesNothing(t *testing.T) {
	a := Corner{10, 26, pairs(t, "2/3 3/0 2/2 0/5 3/1")}
	z := Corner{12, 21, pairs(t, "6/0 3/3 3/4 4/2 3/3")}
	if n := testing.AllocsPerRun(100, func() { Box(a, z) }); n != 0 {
		t.Errorf("a bout allocates %v times", n)
	}
}

func BenchmarkBox(b *testing.B) {
	a := Corner{10, 26, pairs(b, "2/3 3/0 2/2 0/5 3/1")}
	z := Corner{12, 21, pairs(b, "6/0 3/3 3/4 4/2 3/3")}
	b.ReportAllocs()
	for b.Loop() {
		Box(a, z)
	}
}
