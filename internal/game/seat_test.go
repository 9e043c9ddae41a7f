package game

import "testing"

func TestSettingsCheck(t *testing.T) {
	declared := []Setting{
		{Key: "mode", Default: "start", Values: []string{"start", "end"}},
		{Key: "league", Default: "3", Min: 1, Max: 4},
		{Key: "record", Default: "0/0/0", Parts: 3, Max: 999},
	}
	for _, c := range []struct {
		key, value string
		want       string // the error, "" for none
	}{
		{"mode", "end", ""},
		{"mode", "later", `setting mode: "later" is none of [start end]`},
		{"league", "4", ""},
		{"league", "5", `setting league: "5" is not a whole number from 1 to 4`},
		{"league", "3/4", `setting league: "3/4" is not a whole number from 1 to 4`},
		{"record", "12/5/1", ""},
		{"record", "12/5", `setting record: "12/5" is not 3 whole numbers from 0 to 999 with slashes between`},
		{"record", "12/-5/1", `setting record: "12/-5/1" is not 3 whole numbers from 0 to 999 with slashes between`},
		{"record", "", `setting record: "" is not 3 whole numbers from 0 to 999 with slashes between`},
		{"weight", "90", `unknown setting "weight"; known are [mode league record]`},
	} {
		got := ""
		if err := (Settings{c.key: c.value}).Check(declared); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s=%s: %q, want %q", c.key, c.value, got, c.want)
		}
	}
}
