package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/config"
	"ringpost/internal/report"
	"ringpost/templates"
)

// TestLanguages: what can be set is what there are words in.
func TestLanguages(t *testing.T) {
	words, err := report.Load(templates.Files)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(words.Languages(), config.Languages()); diff != "" {
		t.Errorf("languages (-words +settings):\n%s", diff)
	}
}
