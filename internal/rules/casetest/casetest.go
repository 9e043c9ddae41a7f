// Package casetest plays the case files of rulesets: texts named after rulings, in
// which each case sets a game up, closes rounds and checks what came of it.
// The README beside a ruleset's files says which commands it knows.
//
// A case begins with "case TITLE". A line is a command and its arguments; lines set
// in by four blanks below it are its text; "#" begins a comment. It is for tests
// alone.
package casetest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ringpost/internal/game"
)

// Line is a command with its arguments and the indented lines below it.
type Line struct {
	N    int
	Word string
	Args []string
	Text []string
}

// Case is a titled list of commands.
type Case struct {
	Title string
	Lines []Line
}

// Run plays all cases of the files that a pattern names, each as a test of its own.
func Run(t *testing.T, pattern string, play func(*testing.T, Case)) {
	for _, file := range files(t, pattern) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(ruling(file), func(t *testing.T) {
			for _, c := range split(t, string(text)) {
				t.Run(c.Title, func(t *testing.T) { play(t, c) })
			}
		})
	}
}

// EveryRuling holds that each of the rulings prefix-01 to prefix-n has a file, or a
// test that is named after it ("TestSR07…") in the directory of the running test.
func EveryRuling(t *testing.T, pattern, prefix string, n int) {
	t.Helper()
	covered := map[string]bool{}
	for _, file := range files(t, pattern) {
		covered[ruling(file)] = true
	}
	tests, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, file := range tests {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(text)
	}
	for i := 1; i <= n; i++ {
		id := fmt.Sprintf("%s-%02d", prefix, i)
		if !covered[id] && !strings.Contains(source.String(), fmt.Sprintf("func Test%s%02d", strings.ToUpper(prefix), i)) {
			t.Errorf("ruling %s has no case", id)
		}
	}
}

// files are never none: a pattern that finds nothing proves nothing.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("no case files: %s", pattern)
	}
	return found
}

func ruling(file string) string { return strings.TrimSuffix(filepath.Base(file), ".txt") }

func split(t *testing.T, text string) []Case {
	t.Helper()
	var cases []Case
	for n, raw := range strings.Split(text, "\n") {
		line := strings.TrimRight(raw, " ")
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == ' ' {
			if len(cases) == 0 || len(cases[len(cases)-1].Lines) == 0 {
				t.Fatalf("line %d: indented text below no command", n+1)
			}
			lines := cases[len(cases)-1].Lines
			last := &lines[len(lines)-1]
			last.Text = append(last.Text, strings.TrimPrefix(line, "    "))
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if word == "case" {
			cases = append(cases, Case{Title: rest})
			continue
		}
		if len(cases) == 0 {
			t.Fatalf("line %d: %q stands in no case", n+1, line)
		}
		c := &cases[len(cases)-1]
		c.Lines = append(c.Lines, Line{N: n + 1, Word: word, Args: strings.Fields(rest)})
	}
	if len(cases) == 0 {
		t.Fatal("the file holds no case")
	}
	return cases
}

// Player is a case being played; a ruleset's own is built on it.
type Player struct {
	*testing.T
	Line Line // the one that is carried out
}

// Stop ends the case at a line that cannot be carried out.
func (p *Player) Stop(format string, args ...any) {
	p.Helper()
	p.Fatalf("line %d, %s: %s", p.Line.N, p.Line.Word, fmt.Sprintf(format, args...))
}

// Wrong tells that a line expects something else.
func (p *Player) Wrong(format string, args ...any) {
	p.Helper()
	p.Errorf("line %d, %s %s: %s", p.Line.N, p.Line.Word, strings.Join(p.Line.Args, " "), fmt.Sprintf(format, args...))
}

// Num reads a number.
func (p *Player) Num(s string) int {
	p.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		p.Stop("%v", err)
	}
	return n
}

// KeyValues reads KEY=VALUE arguments.
func (p *Player) KeyValues(args []string) game.Settings {
	p.Helper()
	out := game.Settings{}
	for _, a := range args {
		k, v, ok := strings.Cut(a, "=")
		if !ok {
			p.Stop("%q is no key=value", a)
		}
		out[k] = v
	}
	return out
}

// List compares words.
func (p *Player) List(got, want []string) {
	p.Helper()
	if !slices.Equal(got, want) {
		p.Wrong("it is %s", strings.Join(got, " "))
	}
}

// Text compares the lines below the command.
func (p *Player) Text(got []string) {
	p.Helper()
	if !slices.Equal(got, p.Line.Text) {
		p.Wrong("it is\n%s", strings.Join(got, "\n"))
	}
}

// Compare checks PATH=VALUE arguments against the JSON leaves of a value; a leaf
// that is missing is the zero value.
func (p *Player) Compare(v any, want []string) {
	p.Helper()
	leaves := Leaves(v)
	for path, value := range p.KeyValues(want) {
		got, there := leaves[path]
		switch {
		case there && got != value:
			p.Wrong("%s is %s", path, got)
		case !there && !zero(value):
			p.Wrong("%s is not there", path)
		}
	}
}

// Issues compares the issues below the command, each "line code args", errors
// marked with "!" before the code.
func (p *Player) Issues(got []game.Issue) {
	p.Helper()
	var lines []string
	for _, i := range got {
		mark := ""
		if i.Error {
			mark = "!"
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%d %s%s %s", i.Line, mark, i.Code, strings.Join(i.Args, " | "))))
	}
	p.Text(lines)
}
