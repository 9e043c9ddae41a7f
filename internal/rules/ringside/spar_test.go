package ringside

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ringpost/internal/dice"
	"ringpost/internal/game"
	"ringpost/internal/orders"
	"ringpost/internal/rules/ringside/bout"
)

func blocksOf(text string) []game.Block { return orders.Parse(orders.Lines(text)).Blocks }

// sparOf fights a test fight and wants no error.
func sparOf(t *testing.T, settings game.Settings, text string) (Spar, []game.Issue) {
	t.Helper()
	if err := settings.Check(New().About().Spar); err != nil {
		t.Fatal(err)
	}
	v, issues := New().Spar(settings, blocksOf(text), dice.Seed{7})
	if v.Data == nil {
		t.Fatalf("no test fight: %v", issues)
	}
	return v.Data().(Spar), issues
}

// TestSparRatings: who fights, and with what.
func TestSparRatings(t *testing.T) {
	const joe = "Joe Strong,55,3,2,4,3,2,4,20,18\n"
	for _, tt := range []struct {
		name, text, roster string
		want               bout.Fighter
		remarks            []string
	}{
		{"a historical fighter", "NAME muhammad ali\n", "", bout.Historical()[0].Fighter, nil},
		{"one of the roster", "NAME Joe Strong\n", joe, bout.Fighter{Agility: 55, Punches: [bout.Punches]int{3, 2, 4, 3, 2, 4}, Counter: 20, Endurance: 18}, nil},
		{"ratings of his own", "NAME Joe Strong\nRATINGS 41 1 1 1 1 1 2 11 1\n", joe, bout.Fighter{Agility: 41, Punches: [bout.Punches]int{1, 1, 1, 1, 1, 2}, Counter: 11, Endurance: 1}, nil},
		{"nobody in particular", "NAME Muhamad Ali\n", "", average(), []string{issueSparAverage}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, issues := sparOf(t, game.Settings{keyRoster: tt.roster}, tt.text+"\nNAME Duane Bobick\n")
			if got := s.Bout.Corners[0].Ratings; got != tt.want {
				t.Errorf("he has %+v, want %+v", got, tt.want)
			}
			var codes []string
			for _, i := range issues {
				codes = append(codes, i.Code)
			}
			if !slices.Equal(codes, tt.remarks) {
				t.Errorf("told %v, want %v", codes, tt.remarks)
			}
		})
	}
}

// TestSparSettings: each of them tells in the bout.
func TestSparSettings(t *testing.T) {
	const text = "NAME Muhammad Ali\nD : CLINCH\nNAME Muhammad Ali\nA IF ROUND>=12 : RUSH\n"
	never := func(issues []game.Issue, code string) bool {
		return slices.ContainsFunc(issues, func(i game.Issue) bool { return i.Code == code })
	}
	standard, issues := sparOf(t, nil, text)
	if standard.Rounds != 10 || standard.Bout.Corners[0].Start != 23+7*10 || never(issues, "plan-advanced") {
		t.Errorf("%d rounds, beginning with %d; %v", standard.Rounds, standard.Bout.Corners[0].Start, issues)
	}
	long, issues := sparOf(t, game.Settings{keyRounds: "15", keyAdvanced: "off"}, text)
	if long.Rounds != 15 || long.Bout.Corners[0].Start != 23+7*15 || !never(issues, "plan-advanced") {
		t.Errorf("%d rounds, beginning with %d; %v", long.Rounds, long.Bout.Corners[0].Start, issues)
	}
	ten, _ := sparOf(t, game.Settings{keyScoring: "10"}, text)
	if p := ten.Bout.Cards[0].Points; max(p[0], p[1]) != 10 {
		t.Errorf("the first round is scored %v", p)
	}
	// A chart by which every blow fells.
	hard := strings.NewReplacer("-1", "9", "1", "9", "2", "9", "3", "9", "4", "9").Replace(bout.StandardChart().String())
	soft, _ := sparOf(t, game.Settings{keyChart: hard}, text)
	for _, e := range soft.Log {
		if e.Kind == bout.Blow && e.N < 12 {
			t.Errorf("a blow of %d by a chart of nines", e.N)
		}
	}
	if standard.Log[0] != soft.Log[0] || slices.Equal(standard.Log, soft.Log) {
		t.Error("the chart tells in nothing, or in the dice")
	}
	small, _ := sparOf(t, game.Settings{keyRing: "6"}, text)
	if slices.Equal(standard.Log, small.Log) {
		t.Error("the ring's size tells in nothing")
	}
	for _, bad := range []game.Settings{{keyRounds: "16"}, {keyRounds: "0"}, {keyStable: "2"}, {keyRing: "7"}} {
		if err := bad.Check(New().About().Spar); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

// TestSparWrong: what is wrong with a file is told, and nothing is fought.
func TestSparWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      issueSparTwo,
		"NAME Muhammad Ali\n":                   issueSparTwo,
		"NAME A\nNAME B\nNAME C\n":              issueSparTwo,
		"SCHLAG UC3\nENDE\nNAME Muhammad Ali\n": issueSparName,
		"NAME Muhammad Ali\nNAME Joe\nRATINGS 255 3 2 4 3 2 4 20 18\n": issueSparRatings,
		"NAME Muhammad Ali\nNAME Joe\nRATINGS 55 3 2 4\n":              issueSparRatings,
		"NAME Muhammad Ali\nNAME Joe\nRATINGS -5 3 2 4 3 2 4 20 18\n":  issueSparRatings,
		"NAME Muhammad Ali\nNAME Duane Bobick\nPUNCH UC12 RJ1\n":       "plan-weight",
	} {
		v, issues := New().Spar(nil, blocksOf(text), dice.Seed{7})
		probe, told := New().Probe(nil, blocksOf(text))
		if v.Data != nil || probe != nil {
			t.Errorf("%q is fought", text)
		}
		for _, all := range [][]game.Issue{issues, told} {
			if !slices.ContainsFunc(all, func(i game.Issue) bool { return i.Code == want && i.Error }) {
				t.Errorf("%q: told %v, want %s", text, all, want)
			}
		}
	}
}

// TestTally: a probe counts what its single bouts are, and the shares fit together.
func TestTally(t *testing.T) {
	const runs = 400
	blocks := blocksOf("NAME Joe\nRATINGS 50 2 2 2 2 2 2 20 10\nNAME Max\nRATINGS 52 2 2 2 2 2 2 20 12\n")
	probe, issues := New().Probe(game.Settings{keyRounds: "3"}, blocks)
	if probe == nil || len(issues) > 0 {
		t.Fatal(issues)
	}
	counts := make([]int, len(outcomes()))
	want := map[string]int{}
	for run := range runs {
		seed := dice.Secret{9}.Seed("spar", 0, run)
		counts[probe.Fight(seed)]++
		v, _ := New().Spar(game.Settings{keyRounds: "3"}, blocks, seed)
		b := v.Data().(Spar).Bout
		winner := ""
		if b.Result.Winner != bout.Neither {
			winner = b.Corners[b.Result.Winner].Name
			want[winner+" win"]++
		}
		want[winner+" "+string(b.Result.Method)]++
	}
	r := probe.Tally(counts).Data().(Rates)
	if r.Runs != runs || r.Rounds != 3 || len(r.Rows) != 9 {
		t.Errorf("%+v", r)
	}
	all := 0
	for _, row := range r.Rows {
		if got := row.Winner + " " + row.Outcome; row.Count != want[got] {
			t.Errorf("%s came %d times, want %d", got, row.Count, want[got])
		}
		if row.Share != Percent(row.Count*10000/runs) || row.Error != samplingError(row.Count, runs) {
			t.Errorf("%d of %d are %s ± %s", row.Count, runs, row.Share.En(), row.Error.En())
		}
		if row.Outcome == "win" || row.Outcome == "draw" {
			all += row.Count
		}
	}
	if all != runs || want["Joe decision"] == 0 || want["Joe ko"] == 0 || want["Max win"] == 0 {
		t.Errorf("%d outcomes of %d runs; %v", all, runs, want)
	}
	if none := probe.Tally(nil).Data().(Rates); none.Runs != 0 || none.Rows[0].Share != 0 {
		t.Errorf("of no runs it shows %+v", none)
	}
}

// TestSamplingError: figures worked out elsewhere, and what the error promises.
func TestSamplingError(t *testing.T) {
	for _, tt := range []struct {
		count, runs int
		want        Percent
	}{
		{500, 1000, 310}, {0, 1000, 28}, {1000, 1000, 28}, {960000, 1000000, 4}, {50_000_000, 100_000_000, 1},
	} {
		if got := samplingError(tt.count, tt.runs); got != tt.want {
			t.Errorf("%d of %d: ± %s, want %s", tt.count, tt.runs, got.En(), tt.want.En())
		}
	}
	// 4,000 samples of 300 with a true share of 12 percent.
	s := dice.Seed{3}.Stream("sampling", "")
	within := 0
	for range 4000 {
		n := 0
		for range 300 {
			n += flag(s.Uniform(100) <= 12)
		}
		off := shareOf(n, 300) - 1200
		within += flag(max(off, -off) <= samplingError(n, 300))
	}
	if within < 3740 || within > 3900 { // 93.5 to 97.5 percent
		t.Errorf("the true share is within the error %d times of 4000", within)
	}
}

// TestSparIsWorded: one bout and the rates of many, in every language.
func TestSparIsWorded(t *testing.T) {
	w := loadWords(t)
	blocks := blocksOf("NAME Bartholomew Longfellow\nD IF ROPES : CLINCH\nNAME Maximilian Langermann\nROUND 9-12 D : COVER\n")
	probe, _ := New().Probe(nil, blocks)
	counts := make([]int, len(outcomes()))
	for i := range counts {
		counts[i] = 10_000_000 + i
	}
	for _, lang := range languages() {
		v, _ := New().Spar(nil, blocks, dice.Seed{1})
		if text := render(t, w, lang, v); !strings.Contains(text, "Bartholomew Longfellow") {
			t.Errorf("%s: %s", lang, text)
		}
		text := render(t, w, lang, probe.Tally(counts))
		for _, want := range []string{"70000021", map[string]string{"de": "14,29 %  ± 0,01", "en": "14.29 %  ± 0.01"}[lang], map[string]string{"de": "siegt", "en": "wins"}[lang]} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", lang, want, text)
			}
		}
		render(t, w, lang, probe.Tally([]int{1}))
	}
}

// TestSparAsJSON: keys as everywhere, and no letter of a plan escaped.
func TestSparAsJSON(t *testing.T) {
	blocks := blocksOf("NAME Joe\nD IF END<=5 : COVER\nNAME Max\n")
	v, _ := New().Spar(nil, blocks, dice.Seed{1})
	probe, _ := New().Probe(nil, blocks)
	for _, data := range []any{v.Data(), probe.Tally([]int{3, 1}).Data()} {
		raw, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		if odd := regexp.MustCompile(`"[^"]*[^a-z_"][^"]*":`).FindString(string(raw)); odd != "" {
			t.Errorf("the key %s", odd)
		}
	}
	raw, _ := v.Data().(json.Marshaler).MarshalJSON()
	if !strings.Contains(string(raw), "D IF END<=5 : COVER") {
		t.Errorf("no line of the plan in %s", raw)
	}
}

// TestFilesAreTold: the game master reads what a file is, not the file.
func TestFilesAreTold(t *testing.T) {
	own := strings.Replace(bout.StandardChart().String(), "4", "5", 2)
	for _, tt := range []struct{ key, text, want string }{
		{keyChart, "", "the program's own"},
		{keyChart, bout.StandardChart().String(), "a file with the program's own"},
		{keyChart, own, "a chart of its own, 2 of 36 cells differ"},
		{keyRoster, "", "none"},
		{keyRoster, roster, "2 fighters"},
	} {
		if got := New().TellFile(tt.key, tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.key, got, tt.want)
		}
	}
}
