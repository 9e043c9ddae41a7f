package sugarray

import (
	"testing"
	"unicode/utf8"
)

func fightOf(first, second Side) Fight {
	return newFight(Box(first.corner(), second.corner()), first, second)
}

func TestFightLines(t *testing.T) {
	const none = "0/0 0/0 0/0 0/0 0/0"
	for _, c := range []struct {
		name          string
		first, second Side
		want          [2]string
	}{
		{"SR-37: the rulebook's example, to the character",
			Side{Name: "Müller", Technique: 10, Condition: 26, Orders: pairs(t, "2/3 3/0 2/2 0/5 3/1")},
			Side{Name: "Maier", Technique: 12, Condition: 21, Orders: pairs(t, "6/0 3/3 3/4 4/2 3/3")},
			[2]string{
				"Maier         (12,21)    6/0 (15)   3/3 (14)   3/4 (12)   4/2 (11)   3/3 (10) PS",
				"Müller        (10,26)    2/3 (19)   3/0 (13)   2/2 (11)   0/5 (11)   3/1 ( 6)",
			}},
		{"a knock-out: KO as condition, then blanks, the code in its column",
			Side{Name: "Ali", Technique: 10, Condition: 20, Orders: pairs(t, "5/0 5/0 5/0 5/0 5/0")},
			Side{Name: "Bobick", Technique: 10, Condition: 20, Orders: pairs(t, none)},
			[2]string{
				"Ali           (10,20)    5/0 (18)   5/0 (16)                                  KO",
				"Bobick        (10,20)    0/0 (10)   0/0 (KO)",
			}},
		{"SR-36: a draw, alphabetically whatever the corner",
			Side{Name: "Özil", Technique: 10, Condition: 20, Orders: pairs(t, none)},
			Side{Name: "Obermann", Technique: 10, Condition: 20, Orders: pairs(t, none)},
			[2]string{
				"Obermann      (10,20)    0/0 (20)   0/0 (20)   0/0 (20)   0/0 (20)   0/0 (20) U",
				"Özil          (10,20)    0/0 (20)   0/0 (20)   0/0 (20)   0/0 (20)   0/0 (20)",
			}},
		{"columns grow together, one by one; a long name is cut",
			Side{Name: "Maximilian Schmeling", Technique: 100, Condition: 120, Orders: pairs(t, "10/0 1/12 1/1 1/1 1/1")},
			Side{Name: "Dreizehn Name", Technique: 9, Condition: 7, Orders: pairs(t, "0/9 1/1 1/1 1/1 1/1")},
			[2]string{
				"Maximilian S. (100,120)    10/0 (120)   1/12 (120)   1/1 (120)   1/1 (120)   1/1 (120) PS",
				"Dreizehn Name (  9,  7)     0/9 (  2)   1/1  (  2)   1/1 (  2)   1/1 (  2)   1/1 (  2)",
			}},
		{"both down",
			Side{Name: "B", Technique: 0, Condition: 120, Orders: pairs(t, "0/0 100/0 0/0 0/0 0/0")},
			Side{Name: "A", Technique: 0, Condition: 5, Orders: pairs(t, "0/0 100/0 0/0 0/0 0/0")},
			[2]string{
				"A             ( 0,  5)    0/0 (  5)   100/0 (KO)                                  U",
				"B             ( 0,120)    0/0 (120)   100/0 (KO)",
			}},
	} {
		got := FightLines(fightOf(c.first, c.second))
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s:\n got %q\nwant %q", c.name, got[i], c.want[i])
			}
		}
	}
}

// TestNameColumn: marks that no composed letter holds take no width.
func TestNameColumn(t *testing.T) {
	for _, name := range []string{"", "A", "Dreizehn Name", "Vierzehn Namen", "Ṡ̈ugar Ray Leonard", "João"} {
		if got := column(name); width(got) != nameWidth || got[len(got)-1] != ' ' || !utf8.ValidString(got) {
			t.Errorf("column(%q) = %q, %d wide", name, got, width(got))
		}
	}
}
