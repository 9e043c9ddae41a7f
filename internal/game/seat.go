package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SeatID names a player's place in a game for good: "s1", "s2", … in the order
// of entry. Dice and hashes hang on it, never on the name (G-1).
type SeatID string

// Seat is a player's place in a game: a boxer, a manager, a leader.
type Seat struct {
	ID   SeatID `json:"id"`
	Name string `json:"name"` // G-13
	// Traits are the seat's starting values where they differ from the rules'
	// (an imported boxer's league, say), by the keys the ruleset declares.
	Traits Settings `json:"traits,omitempty"`
}

// Settings are a game's or a seat's choices as text, by key. Only keys that the
// ruleset declares occur.
type Settings map[string]string

// Setting declares one key of Settings.
type Setting struct {
	Key     string
	Default string
	// Values lists what is allowed; when it is empty the value is a whole
	// number from Min to Max, or Parts of them joined by slashes ("12/5/1").
	Values   []string
	Min, Max int
	Parts    int // 0 is the same as 1
	// Many: the value is one or more of Values with commas between.
	Many bool
	// File: the value is the text of a file, or "" for none; what it must hold
	// the ruleset says (SettingsChecker).
	File bool
	Doc  string // one English sentence for the game master
}

// MaxFile is the longest text that a setting may hold, in bytes.
const MaxFile = 64 << 10

// Check says what is wrong with s as a choice among the declared settings; nil
// when nothing is. The error names the key and what would be right.
func (s Settings) Check(declared []Setting) error {
	for _, key := range s.keys() {
		i := slices.IndexFunc(declared, func(d Setting) bool { return d.Key == key })
		if i < 0 {
			if len(declared) == 0 {
				return fmt.Errorf("unknown setting %q: nothing can be set here", key)
			}
			return fmt.Errorf("unknown setting %q: choose among %s", key, keysOf(declared))
		}
		if err := declared[i].check(s[key]); err != nil {
			return err
		}
	}
	return nil
}

// Get returns the value of a declared key, or its default.
func (s Settings) Get(declared []Setting, key string) string {
	if v, ok := s[key]; ok {
		return v
	}
	for _, d := range declared {
		if d.Key == key {
			return d.Default
		}
	}
	return ""
}

// Int is Get for a number; 0 where neither a value nor a default is one.
func (s Settings) Int(declared []Setting, key string) int {
	n, err := strconv.Atoi(s.Get(declared, key))
	if err != nil {
		return 0
	}
	return n
}

func (s Settings) keys() []string {
	keys := make([]string, 0, len(s))
	for k := range s {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (d Setting) check(value string) error {
	if d.File {
		return d.checkFile(value)
	}
	if d.Many {
		return d.checkMany(value)
	}
	if len(d.Values) > 0 {
		if !slices.Contains(d.Values, value) {
			return fmt.Errorf("setting %s: %q is none of %s", d.Key, value, strings.Join(d.Values, ", "))
		}
		return nil
	}
	parts := strings.Split(value, "/")
	good := len(parts) == max(d.Parts, 1)
	for _, p := range parts {
		n, err := strconv.Atoi(p)
		good = good && err == nil && n >= d.Min && n <= d.Max
	}
	switch {
	case good:
		return nil
	case d.Parts > 1:
		return fmt.Errorf("setting %s: %q is not %d whole numbers from %d to %d with slashes between", d.Key, value, d.Parts, d.Min, d.Max)
	}
	return fmt.Errorf("setting %s: %q is not a whole number from %d to %d", d.Key, value, d.Min, d.Max)
}

func (d Setting) checkFile(text string) error {
	switch {
	case len(text) > MaxFile:
		return fmt.Errorf("setting %s: a file of %d bytes, at most %d can be taken", d.Key, len(text), MaxFile)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return fmt.Errorf("setting %s: the file is no text in UTF-8", d.Key)
	}
	return nil
}

func (d Setting) checkMany(value string) error {
	items := strings.Split(value, ",")
	for i, item := range items {
		switch {
		case !slices.Contains(d.Values, item):
			return fmt.Errorf("setting %s: %q is none of %s", d.Key, item, strings.Join(d.Values, ", "))
		case slices.Contains(items[:i], item):
			return fmt.Errorf("setting %s: %q stands there twice", d.Key, item)
		}
	}
	return nil
}

func keysOf(declared []Setting) string {
	keys := make([]string, len(declared))
	for i, d := range declared {
		keys[i] = d.Key
	}
	return strings.Join(keys, ", ")
}
