package game

import (
	"strings"
	"testing"
)

func TestSettingsCheck(t *testing.T) {
	declared := []Setting{
		{Key: "season", Default: "20", Min: 1, Max: 999},
		{Key: "record", Default: "0/0/0", Min: 0, Max: 99, Parts: 3},
		{Key: "champion_training", Default: "start", Values: []string{"start", "end"}},
		{Key: "classes", Default: "heavy", Values: []string{"heavy", "middle", "light"}, Many: true},
		{Key: "chart", File: true},
	}
	tests := []struct {
		name     string
		settings Settings
		want     []string // what the error says; none: no error
	}{
		{"nothing", nil, nil},
		{"all", Settings{"season": "30", "champion_training": "end"}, nil},
		{"bounds", Settings{"season": "1"}, nil},
		{"below", Settings{"season": "0"}, []string{"season", `"0"`, "1 to 999"}},
		{"above", Settings{"season": "1000"}, []string{"season", "1 to 999"}},
		{"far above", Settings{"season": "99999999999999999999"}, []string{"season", "1 to 999"}},
		{"no number", Settings{"season": "many"}, []string{`"many"`, "whole number"}},
		{"fraction", Settings{"season": "1.5"}, []string{"whole number"}},
		{"empty", Settings{"season": ""}, []string{"whole number"}},
		{"parts", Settings{"record": "12/5/0"}, nil},
		{"a part too few", Settings{"record": "12/5"}, []string{"record", "3 whole numbers from 0 to 99"}},
		{"a part too many", Settings{"record": "1/2/3/4"}, []string{"3 whole numbers"}},
		{"an empty part", Settings{"record": "1//3"}, []string{"3 whole numbers"}},
		{"a part above", Settings{"record": "1/2/100"}, []string{"0 to 99"}},
		{"parts where one number is wanted", Settings{"season": "1/2"}, []string{"a whole number"}},
		{"no such value", Settings{"champion_training": "middle"}, []string{"champion_training", "start, end"}},
		{"no such key", Settings{"saison": "20"}, []string{`"saison"`, "season, record, champion_training, classes, chart"}},
		{"one of many", Settings{"classes": "middle"}, nil},
		{"several of many", Settings{"classes": "light,heavy"}, nil},
		{"none of many", Settings{"classes": ""}, []string{"classes", `""`, "heavy, middle, light"}},
		{"not of many", Settings{"classes": "light,fly"}, []string{`"fly"`}},
		{"twice of many", Settings{"classes": "light,heavy,light"}, []string{`"light"`, "twice"}},
		{"a file", Settings{"chart": "UC -1\n"}, nil},
		{"no file", Settings{"chart": ""}, nil},
		{"a long file", Settings{"chart": strings.Repeat("x", MaxFile+1)}, []string{"chart", "65537 bytes", "65536"}},
		{"a picture", Settings{"chart": "\xff\xd8\xff"}, []string{"chart", "UTF-8"}},
		{"the first in order", Settings{"b": "1", "a": "1"}, []string{`"a"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.settings.Check(declared)
			if (err != nil) != (len(tt.want) > 0) {
				t.Fatalf("Check = %v", err)
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
		})
	}
	if err := (Settings{"x": "1"}).Check(nil); err == nil || !strings.Contains(err.Error(), "nothing can be set") {
		t.Errorf("a ruleset without settings says %v", err)
	}
}

func TestSettingsGet(t *testing.T) {
	declared := []Setting{{Key: "season", Default: "20", Min: 1, Max: 999}, {Key: "map", Default: "a", Values: []string{"a", "b"}}}
	s := Settings{"season": "30"}
	if got := s.Int(declared, "season"); got != 30 {
		t.Errorf("season = %d", got)
	}
	if got := Settings(nil).Int(declared, "season"); got != 20 {
		t.Errorf("the default of season = %d", got)
	}
	if got := s.Get(declared, "map"); got != "a" {
		t.Errorf("the default of map = %q", got)
	}
	if got := s.Int(declared, "map"); got != 0 {
		t.Errorf("a map's number = %d", got)
	}
	if got := s.Get(declared, "none"); got != "" {
		t.Errorf("an unknown key = %q", got)
	}
}
