package orders

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ringpost/internal/cputime"
	"ringpost/internal/game"
)

// spelled draws a way to write a keyword: any language, any case, a colon or not.
func spelled(t *rapid.T, key game.Keyword) string {
	w := Word(rapid.SampledFrom([]Language{German, English, Spanish}).Draw(t, "language"), key)
	switch rapid.IntRange(0, 2).Draw(t, "case") {
	case 0:
		w = strings.ToLower(w)
	case 1:
		w = w[:1] + strings.ToLower(w[1:])
	}
	return w + rapid.SampledFrom([]string{" ", ": ", ":", " : ", "\t", "\u00a0", " = "}).Draw(t, "between")
}

// chatter draws what players write between their lines.
func chatter(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{
		"", "", "", "", "Zug um Zug voran.", "Viele Grüße, Hans", "-----", "Training macht den Meister.",
		"Name und Anschrift bleiben gleich, wie immer hier bei uns.", "> ZUG 9/9 9/9 9/9 9/9 9/9", "| NAME Dieb",
		"# ZUG 8/8", "Moving on.", "Game over, Joe.", "Ende gut.", "Liga 3 ist schwer.", "On with it, 3 rounds to go",
	}), 0, 2).Draw(t, "prose")
}

// However the lines of blocks are spelled, ordered and strewn with prose, the
// same blocks are read.
func TestBlocksAreReadThroughAllSpellings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text []string
		var want []game.Block
		for range rapid.IntRange(1, 4).Draw(t, "blocks") {
			b := game.Block{
				Name:  rapid.SampledFrom([]string{"Müller", "Fast Eddie", "O'Neill", "Joe 2"}).Draw(t, "name"),
				Game:  rapid.SampledFrom([]string{"liga-nord", "x", "ring-1"}).Draw(t, "game"),
				Round: rapid.IntRange(0, 9).Draw(t, "round"),
			}
			statements := []game.Statement{
				{Keyword: game.KeyMove, Args: "2/3 3/0 2/2 0/5 3/1"},
				{Keyword: game.KeyTraining, Args: "T"},
				{Keyword: game.KeyLeague, Args: "3"},
			}
			lines := []string{spelled(t, game.KeyName) + b.Name, spelled(t, game.KeyGame) + b.Game}
			if b.Round > 0 {
				lines = append(lines, spelled(t, game.KeyRound)+string(rune('0'+b.Round)))
			}
			from := len(lines)
			for _, s := range statements {
				lines = append(lines, spelled(t, s.Keyword)+s.Args)
			}
			order := make([]int, len(lines))
			for i := range order {
				order[i] = i
			}
			for _, i := range rapid.Permutation(order).Draw(t, "order") {
				text = append(append(text, gap(t)...), lines[i])
				if i >= from {
					b.Statements = append(b.Statements, statements[i-from])
				}
			}
			text = append(text, spelled(t, game.KeyEnd))
			text = append(text, chatter(t)...)
			want = append(want, b)
		}
		got := parse(strings.Join(text, "\n"))
		ignore := []cmp.Option{cmpopts.IgnoreFields(game.Block{}, "Line"), cmpopts.IgnoreFields(game.Statement{}, "Line")}
		if diff := cmp.Diff(Text{Blocks: want}, got, ignore...); diff != "" {
			t.Fatalf("%s\nis misread (-want +got):\n%s", strings.Join(text, "\n"), diff)
		}
	})
}

// gap draws what may stand inside a block without ending what is above its name:
// empty lines, quotes and comments.
func gap(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"", "", "# ZUG 8/8", "> ZUG 9/9", "-----"}), 0, 2).Draw(t, "gap")
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		goodBlock, "SPIEL x\n" + goodBlock + goodBlock, "ZUG 1/1\nSPIEL x\nNAME A\n-- \nZUG 2/2\n",
		"NAME A\nNMAE B\nZUG 1/1\nZUG 2/2\nENDE", "HILFE\nJA k3f9q2\nANMELDUNG Joe\n", "TRAINING T\nLIGA 3\nHallo\nNAME A",
		"SPIELRUNDE 99999999999\nZUG \xff/\x00", "*NAME* A\n* ZUG 1/1*\n#\n", "\u2028NAME\u00a0ü\u0308", "> NAME A\n|ZUG 1/1",
		germanPlan, "BOXER A\nGEGNER B\nRUNDE 3 V DECKEN\nSCHLAG UC3",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines := Lines(s)
		var got Text
		soon(t, func() { got = Parse(lines) })
		checkText(t, got, len(lines))

		var quoted []Line
		for _, l := range lines {
			quoted = append(quoted, Line{l.N, "| " + l.Text})
		}
		if diff := cmp.Diff(Text{}, Parse(quoted)); diff != "" {
			t.Errorf("behind our prefix was read:\n%s", diff)
		}
	})
}

// soon fails when f takes a second: whoever writes a mail must not be able to stop
// the game for all. A busy machine may stop any run, so the shortest of three counts.
func soon(t *testing.T, f func()) {
	t.Helper()
	for range 3 {
		begun := time.Now()
		if f(); time.Since(begun) < time.Second {
			return
		}
	}
	t.Error("it takes more than a second")
}

// checkText holds what is true of every text that was read from n lines.
func checkText(t *testing.T, got Text, n int) {
	t.Helper()
	line := func(what string, at int) {
		if at < 1 || at > n {
			t.Errorf("%s stands in line %d of %d", what, at, n)
		}
	}
	issues := func(all []game.Issue) {
		for _, i := range all {
			line(i.Code, i.Line)
			for _, a := range i.Args {
				if utf8.RuneCountInString(a) > 61 || strings.ContainsAny(a, "\r\n") {
					t.Errorf("%s quotes %q", i.Code, a)
				}
			}
		}
	}
	if len(got.Blocks) > MaxBlocks || len(got.Commands) > MaxCommands || len(got.Issues) > MaxLines+2 {
		t.Errorf("%d blocks, %d commands, %d issues", len(got.Blocks), len(got.Commands), len(got.Issues))
	}
	last := 0
	for _, b := range got.Blocks {
		line("a block", b.Line)
		if b.Line <= last {
			t.Errorf("a block of line %d comes after one of line %d", b.Line, last)
		}
		last = b.Line
		if len(b.Statements)+len(b.Issues) > MaxLines+1 {
			t.Errorf("a block of %d statements and %d issues", len(b.Statements), len(b.Issues))
		}
		if b.Round < 0 || b.Round > 9_999_999 || game.CleanName(b.Name) != b.Name {
			t.Errorf("a block of round %d, name %q", b.Round, b.Name)
		}
		at := 0
		for _, s := range b.Statements {
			line("a statement", s.Line)
			if s.Line <= at || s.Line < b.Line || s.Keyword == "" || len(s.Tail) > MaxTail || strings.TrimSpace(s.Args) != s.Args {
				t.Errorf("the block of line %d holds the statement %+v", b.Line, s)
			}
			at = s.Line
		}
		issues(b.Issues)
	}
	for _, c := range got.Commands {
		line("a command", c.Line)
	}
	issues(got.Issues)
}

// Whatever a megabyte holds, it is read in a moment.
func TestHugeTexts(t *testing.T) {
	const size = 1 << 20
	for _, s := range []string{
		"x", "ü", " ", "*", "- ", ">", "#", "\n", "x ", "1/1 ", "ZUG ",
		"NAME A\n", "SPIEL x\n", "ZUG 1/1\n", "ZGU 1/1\n", "x\n", "HILFE\n", "ENDE\nZUG 1/1\n", "TRAINING T\nx\n",
		"SCHLAG UC3\n", "BOXER A\n", "RUNDE 3 V DECKEN\n", "V WENN A<", "V x y\n", "SCHLAG x\n", "RUNDE 3 x\n", "A DECKNE\n", "MANAGER A\n", "MANAGER Bo\n", "MANAGER Bo\nx\n",
	} {
		for _, head := range []string{"", "NAME A\nZUG "} {
			text := head + strings.Repeat(s, size/len(s))
			start := cputime.Used()
			got := parse(text)
			if took := cputime.Used() - start; took > 5*time.Second {
				t.Errorf("%q and a megabyte of %q took %v", head, s, took)
			}
			checkText(t, got, strings.Count(text, "\n")+1)
		}
	}
}

// typicalMail is two kilobytes as players write.
var typicalMail = Lines("Hallo Werner,\n\ndiesmal wird alles anders. Zug um Zug geht es nach oben!\n\nSPIEL liga-nord\n" + goodBlock +
	"ENDE\n\n" + strings.Repeat("Das Training war hart, aber der Trainer ist zufrieden mit mir gewesen.\nÜber Weihnachten bin ich im Urlaub.\n\n", 15) +
	"Viele Grüße\nHans\n-- \nHans Müller\n")

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if t := Parse(typicalMail); len(t.Blocks) != 1 {
			b.Fatal(read(t))
		}
	}
}
