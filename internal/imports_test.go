package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed says which of the project's packages each package may import. The
// arrows run one way: what is not listed here is a decision, not a slip.
var allowed = map[string][]string{
	"game":                 nil,
	"dice":                 {"game"},
	"orders":               {"game"},
	"conditions":           {"game"},
	"rules":                {"game", "rules/ringside", "rules/sugarray"},
	"rules/casetest":       {"game"},
	"rules/sugarray":       {"game"},
	"rules/ringside":       {"conditions", "game", "rules/ringside/bout", "rules/ringside/plan"},
	"rules/ringside/audit": nil,
	"rules/ringside/bout":  {"game"},
	"rules/ringside/plan":  {"conditions", "game", "rules/ringside/bout"},
	"schedule":             nil,
	"letter":               nil,
	"compose":              nil,
	"proof":                {"dice", "game", "rules"},
	"report":               {"game", "orders"},
	"store":                {"game", "migrations"},
	"config":               {"schedule"},
	"secret":               nil,
	"mailbox":              {"secret"},
	"claim":                {"mailbox"},
	"outbox":               {"compose", "secret"},
	"whole":                nil,
	"postoffice":           {"whole"},
	"mailtest":             nil,
	"cputime":              nil,
	"lmtp":                 {"mailbox", "whole"},
	"oauth":                {"owner", "secret"},
	"oauthtest":            nil,
	"owner":                nil,
	"referee":              {"compose", "dice", "game", "letter", "orders", "proof", "report", "rules", "schedule", "store"},
	"demo":                 {"game"},
	"dkim":                 nil,
	"cli": {"claim", "compose", "config", "demo", "dice", "dkim", "game", "letter", "lmtp", "mailbox", "oauth", "orders", "outbox", "owner", "postoffice", "proof",
		"referee", "report", "rules", "schedule", "store", "templates"},
}

// pure packages touch neither clock, disk, network nor a generator of their own.
var pure = []string{"game", "dice", "orders", "rules", "rules/sugarray", "letter", "proof", "conditions", "rules/ringside", "rules/ringside/bout", "rules/ringside/plan"}

var impure = []string{"os", "net", "net/http", "database/sql", "math/rand", "math/rand/v2", "crypto/rand", "time"}

func TestArrowsRunOneWay(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		mine, known := allowed[pkg]
		if !known {
			t.Errorf("package %s is not listed: say what it may import", pkg)
			return nil
		}
		seen[pkg] = true
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(name, "ringpost/"); ok {
				own = strings.TrimPrefix(own, "internal/")
				if !slices.Contains(mine, own) {
					t.Errorf("%s imports %s", path, own)
				}
			}
			if slices.Contains(pure, pkg) && slices.Contains(impure, name) {
				t.Errorf("%s is pure and imports %s", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range allowed {
		if !seen[pkg] {
			t.Errorf("package %s is listed and not there", pkg)
		}
	}
}
