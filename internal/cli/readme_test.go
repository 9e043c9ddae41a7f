package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ringpost/internal/rules/ringside"
	"ringpost/internal/rules/ringside/bout"
)

// TestReadme: what it says of Ringside's settings, chart and fighters is what the
// program does.
func TestReadme(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	_, campaign, found := strings.Cut(text, "\n## A campaign of Ringside\n")
	if !found {
		t.Fatal("there is no part on a campaign of Ringside")
	}
	for _, s := range ringside.New().About().Game {
		row := regexp.MustCompile("(?m)^\\|[^|]*`" + s.Key + "`[^|]*\\|([^|]*)\\|").FindStringSubmatch(campaign)
		if row == nil || strings.Trim(row[1], " `") != s.Default {
			t.Errorf("setting %s, by default %q, stands there as %q", s.Key, s.Default, row)
		}
	}
	for _, s := range ringside.New().About().Spar {
		if !strings.Contains(campaign, "`"+s.Key+"`") {
			t.Errorf("spar's setting %s is not named", s.Key)
		}
	}
	chart, fighters := "", ""
	for i, block := range strings.Split(campaign, "```\n") {
		switch {
		case i%2 == 1 && strings.HasPrefix(block, "thrown"):
			chart = block
		case i%2 == 1 && strings.HasPrefix(block, "name,"):
			fighters = block
		}
	}
	if c, err := bout.ParseChart(chart); err != nil || c != bout.StandardChart() {
		t.Errorf("the chart is another one: %v", err)
	}
	if all, err := bout.ParseFighters(fighters); err != nil || len(all) != 2 || all[0] != bout.Historical()[0] || all[1] != bout.Historical()[1] {
		t.Errorf("the fighters are %v: %v", all, err)
	}
}

// TestReadmesCommands: what it tells operators to type is there, with the flags it names.
func TestReadmesCommands(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile("[` \n]ringpost ([a-z][^`\n|>#]*)").FindAllStringSubmatch(string(raw), -1)
	if len(commands) < 40 {
		t.Fatalf("only %d commands were found", len(commands))
	}
	dir := t.TempDir()
	for _, m := range commands {
		words := strings.Fields(m[1])
		command := words[:1]
		help := ringpost(t, dir, words[0], "--help")
		if len(words) > 1 && regexp.MustCompile(`(?m)^  `+regexp.QuoteMeta(words[1])+` `).MatchString(help) {
			command = words[:2]
			help = ringpost(t, dir, words[0], words[1], "--help")
		}
		if !strings.Contains(help, "\n  ringpost "+strings.Join(command, " ")+" ") {
			t.Errorf("there is no `ringpost %s`", m[1])
		}
		for _, w := range words {
			flag := regexp.MustCompile(`^--[a-z-]+`).FindString(w)
			if flag != "" && !regexp.MustCompile(flag+`\b`).MatchString(help) {
				t.Errorf("`ringpost %s`: there is no flag %s", m[1], w)
			}
		}
	}
}
