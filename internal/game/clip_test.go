package game

import (
	"strings"
	"testing"
)

func TestClip(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"ÄÖÜäö", "ÄÖÜäö"},
		{"ÄÖÜäöü", "ÄÖÜäö…"},
		{"eins zwei", "eins …"},
		{strings.Repeat("\xff", 6), strings.Repeat("\xff", 5) + "…"},
	} {
		if got := Clip(tt.text, 5); got != tt.want {
			t.Errorf("Clip(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
