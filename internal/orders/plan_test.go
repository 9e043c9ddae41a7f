package orders

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ringpost/internal/game"
)

const germanPlan = `SPIEL ringside-1
NAME Kid Thunder                 ; BOXER/FIGHTER
GEGNER Iron Mike                 ; nur zur Kontrolle
SCHLAG  UC3 RJ1 RH2 CO3 LJ1 LH2  ; was ich schlage
ERWARTE UC2 RJ1 RH2 CO2 LJ1 LH2
BEINE V MITTE A SEIL
V WENN AMSEIL : KLAMMERN
V WENN KOND<=10 UND VORN>=2 : ZURÜCK
V SONST : OFFEN
V KONTER NEIN
A WENN GKOND<=0 : STURM
RUNDE 9-12 SCHLAG UC4 RJ0 RH4 CO4 LJ0 LH4
RUNDE 9 V DECKEN
DAUER NEIN
ENDE
`

const readPlan = `
block game=ringside-1 name=Kid Thunder
  OPPONENT Iron Mike
  PUNCH UC3 RJ1 RH2 CO3 LJ1 LH2
  EXPECT UC2 RJ1 RH2 CO2 LJ1 LH2
  FEET V MITTE A SEIL
  D WENN AMSEIL : KLAMMERN
  D WENN KOND<=10 UND VORN>=2 : ZURÜCK
  D SONST : OFFEN
  D KONTER NEIN
  A WENN GKOND<=0 : STURM
  ROUND 9-12 SCHLAG UC4 RJ0 RH4 CO4 LJ0 LH4
  ROUND 9 V DECKEN
  STANDING NEIN
`

func TestPlans(t *testing.T) {
	try(t, []example{
		{"German", germanPlan, readPlan},
		{"small letters, colons, list marks",
			"name: Kid\n- schlag: uc3, rj1\n- v: wenn: kond<=10: decken\n* runde: 3, v decken\n- beine: v mitte\n",
			"block name=Kid\n  PUNCH uc3, rj1\n  D wenn: kond<=10: decken\n  ROUND 3, v decken\n  FEET v mitte\n"},
		{"English", "FIGHTER Kid\nOPPONENT Mike\nPUNCH UC3\nEXPECT UC 2 RJ 1\nFEET D CENTRE A ROPES\nD IF ROPES : CLINCH\nD ELSE : OPEN\nD COUNTER NO\nA IF OEND<=0 : RUSH\nROUND 9-12 EXPECT UC4\nSTANDING YES\n",
			"block name=Kid\n  OPPONENT Mike\n  PUNCH UC3\n  EXPECT UC 2 RJ 1\n  FEET D CENTRE A ROPES\n  D IF ROPES : CLINCH\n  D ELSE : OPEN\n  D COUNTER NO\n  A IF OEND<=0 : RUSH\n  ROUND 9-12 EXPECT UC4\n  STANDING YES\n"},
		{"Spanish", "BOXEADOR Kid\nRIVAL Mike\nGOLPE UC3\nESPERA UC2\nPIES D CENTRO A CUERDAS\nD SI CUERDAS : AGARRAR\nD SINO : ABIERTO\nA SI RRESIST<=0 : CARGAR\nASALTO 9-12 ESPERA UC4\nFIJO NO\n",
			"block name=Kid\n  OPPONENT Mike\n  PUNCH UC3\n  EXPECT UC2\n  FEET D CENTRO A CUERDAS\n  D SI CUERDAS : AGARRAR\n  D SINO : ABIERTO\n  A SI RRESIST<=0 : CARGAR\n  ROUND 9-12 ESPERA UC4\n  STANDING NO\n"},
		{"mistakes are the ruleset's", "NAME Kid\nSCHLAG UC12 XX3 RJ1\nBEINE V MITE\nV WENN FOO KLAMMERN\nA WENN FOO<3 STURM\nRUNDE 12-9 SCHLAG UC3\nV KONTER VIELLEICHT\n",
			"block name=Kid\n  PUNCH UC12 XX3 RJ1\n  FEET V MITE\n  D WENN FOO KLAMMERN\n  A WENN FOO<3 STURM\n  ROUND 12-9 SCHLAG UC3\n  D KONTER VIELLEICHT\n"},
		{"not filled in", "NAME Kid\nSCHLAG UC_ RJ_ RH_\n", "block name=Kid\n  PUNCH UC_ RJ_ RH_\n"},
		{"a wrapped line", "NAME Kid\nV WENN KOND<=10 UND VORN>=2 :\nDECKEN\n", "block name=Kid\n  D WENN KOND<=10 UND VORN>=2 : + DECKEN\n"},
		{"two fighters", "BOXER Kid\nSCHLAG UC3\nBOXER Joe\nSCHLAG RJ3\n", "block name=Kid\n  PUNCH UC3\nblock name=Joe\n  PUNCH RJ3\n"},
		{"a fighter, the game and the round", "BOXER Kid\nSPIEL ringside-1\n\n# mein Plan\nSPIELRUNDE 3\nGEGNER Joe\nSCHLAG UC3\n", "block game=ringside-1 name=Kid round=III\n  OPPONENT Joe\n  PUNCH UC3\n"},
		{"the opponent at the end", "NAME Kid\nSCHLAG UC3\nGEGNER Joe\n", "block name=Kid\n  PUNCH UC3\n  OPPONENT Joe\n"},
		{"weights alone", "SPIEL ringside-1\nSCHLAG UC3 RJ1\nV DECKEN\n", "block game=ringside-1\n  PUNCH UC3 RJ1\n  D DECKEN\n"},
		{"weights in no block", "NAME Kid\nENDE\nSCHLAG UC3\nV DECKEN\n", "block name=Kid\n! line-outside UC3\n"},
		{"below a mistyped name", "NAME Kid\nSCHLAG UC3\nNMAE Joe\nSCHLAG RJ3\nV DECKEN\n",
			"block name=Kid\n  PUNCH UC3\n  ! line-unknown NMAE Joe -> NAME\n! line-outside RJ3\n! line-outside DECKEN\n"},
		{"tactics in no block", "V WENN AMSEIL : KLAMMERN\nA WENN GKOND<5 : STURM\nRUNDE 3 V DECKEN\n", ""},
		{"a slip of the fingers", "NAME Kid\nSCHLAG UC3\nERWATRE UC3\nBIENE V MITTE\n",
			"block name=Kid\n  PUNCH UC3\n  ! line-unknown ERWATRE UC3 -> EXPECT\n  ! line-unknown BIENE V MITTE -> FEET\n"},
	})
}

// TestG7_PlanLinesThatAreMeant: what stands among the lines of a plan, begins like
// one and can hardly be prose is a statement, for the ruleset to say what is wrong.
func TestG7_PlanLinesThatAreMeant(t *testing.T) {
	for line, want := range map[string]string{
		"SCHLAG XY3":               "PUNCH XY3",
		"SCHLAG XY3 RJ1":           "PUNCH XY3 RJ1",
		"PUNCH: QQ9, ZZ_":          "PUNCH QQ9, ZZ_",
		"SCHLAG":                   "PUNCH",
		"SCHLAG UC":                "PUNCH UC",
		"SCHLAG UC RJ RH":          "PUNCH UC RJ RH",
		"SCHLAG UC-3":              "PUNCH UC-3",
		"EXPECT UC3.5":             "EXPECT UC3.5",
		"BEINE MITTE":              "FEET MITTE",
		"FEET CENTRE ROPES please": "FEET CENTRE ROPES please",
		"V DEKCEN":                 "D DEKCEN",
		"A STRUM":                  "A STRUM",
		"V DECKEN.":                "D DECKEN.",
		"V DECKEN bitte":           "D DECKEN bitte",
		"A WENN GKOND<5":           "A WENN GKOND<5",
		"RUNDE 9-12":               "ROUND 9-12",
		"RUNDE 9-12 SCHLAG XY3":    "ROUND 9-12 SCHLAG XY3",
		"RUNDE 9-12 SCHALG UC4":    "ROUND 9-12 SCHALG UC4",
		"ROUND 3 D DEKCEN":         "ROUND 3 D DEKCEN",
		"DAUER NIEN":               "STANDING NIEN",
		"Feet hurt today":          "",
		"Beine wie Blei":           "",
		"Schlag auf Schlag":        "",
		"Schlag 3 kam gut":         "",
		"Erwarte S04 und H96 oben": "",
		"Expect me at 8":           "",
		"A win is a win.":          "",
		"A good 3 rounds":          "",
		"A bout":                   "",
		"FEET says where he goes after a miss (D: CENTRE,": "",
		"D day is near":             "",
		"A rush of blood":           "",
		"V":                         "",
		"Runde 8 wird besser.":      "",
		"Round 2, and I was out":    "",
		"round 3":                   "",
		"ROUND 9-12 of the match":   "",
		"Runde 3: A gewinnt sicher": "",
		"Dauer 3 Stunden":           "",
		"Punch-drunk again":         "",
	} {
		after, before := "", ""
		if want != "" {
			after, before = "block name=Kid\n  PUNCH UC3\n  "+want+"\n", "block name=Kid\n  "+want+"\n  PUNCH UC3\n"
		} else {
			after, before = "block name=Kid\n  PUNCH UC3 + "+line+"\n", "block name=Kid\n  PUNCH UC3\n"
		}
		for text, want := range map[string]string{"NAME Kid\nSCHLAG UC3\n" + line + "\n": after, "NAME Kid\n" + line + "\nSCHLAG UC3\n": before} {
			if diff := cmp.Diff(want, read(parse(text))); diff != "" {
				t.Errorf("%q (-want +got):\n%s", text, diff)
			}
		}
	}
	try(t, []example{
		{"a punch that there is not, alone", "NAME Kid\nSCHLAG XY3\n", "block name=Kid\n  PUNCH XY3\n"},
		{"nothing else counts alone", "NAME Kid\nV DEKCEN\nBEINE MITTE\nSCHLAG UC RJ\nDAUER NIEN\n", "block name=Kid\n"},
		{"nor in no block", "SCHLAG XY3\n", ""},
		{"nor behind the end of one", "NAME Kid\nV DEKCEN\nNAME Joe\nSCHLAG UC3\nENDE\nSCHLAG XY3\n", "block name=Kid\nblock name=Joe\n  PUNCH UC3\n"},
		{"nor in a manager's", "MANAGER Don\nRUHE Kid\nSCHLAG XY3\n", "manager name=Don\n  REST Kid + SCHLAG XY3\n"},
	})
}

func TestFilledIn(t *testing.T) {
	for text, want := range map[string]bool{
		"NAME Kid\nSCHLAG UC_ RJ_\nERWARTE UC_\n":  false,
		"NAME Kid\nSCHLAG UC_ RJ3\n":               true,
		"NAME Kid\nV DECKEN\n":                     true,
		"NAME Kid\nSCHLAG UC_\nGEGNER Joe\n":       false,
		"NAME Kid\nSCHLAG UC_\nDAUER NEIN\n":       true,
		"MANAGER Don\nRUHE _\nKAMPF _ GEGEN _\n":   false,
		"MANAGER Don\nRUHE _\nKAMPF Kid GEGEN _\n": false,
		"MANAGER Don\nRUHE Kid\n":                  true,
		"NAME Kid\nZUG _/_ _/_\nTRAINING _\n":      false,
		"NAME Kid\nZUG 1/1\n":                      true,
		"NAME Kid\nTRAINING T\nLIGA 3\n":           false,
		"NAME Kid\n":                               false,
	} {
		if got := FilledIn(parse(text).Blocks[0]); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// planProse are lines that begin with a word of plans and are none.
func planProse() []string {
	return []string{
		"A win is a win.", "A if you please", "A rush of blood", "A else", "A good 3 rounds", "D day is near", "V wie Vendetta", "V. Müller",
		"Runde 8 wird besser.", "Runde 3: A gewinnt", "Round 2, and I was out", "Runde 3", "ROUND 9-12 of the match", "Rounds 3 and 4 went well",
		"Schlag auf Schlag", "Schlag 3 kam gut", "Schlag", "Punch drunk again", "Punch UC", "Expect me at 8", "Erwarte S04 und H96 oben",
		"Ich erwarte UC3", "Beine wie Blei", "Feet a mess", "Feet hurt", "Beine", "Dauer 3 Stunden", "Standing no chance", "Dauer: unbekannt",
		"Gegner Maier ist schwach", "Gegner: Maier", "Opponent Joe", "Boxer sind auch nur Menschen", "Boxer Maier", "BOXER: Maier", "Fighter Joe", "Rival Joe",
	}
}

// TestProseOfPlansIsProse: words of plans that stand in the letters of other games
// change nothing of how these are read, but for what follows a statement.
func TestProseOfPlansIsProse(t *testing.T) {
	for _, line := range planProse() {
		for _, text := range []string{"", "HILFE\n", "NAME Joe\n", "SPIEL x\nNAME Joe\nZUG 1/1\n\n", goodBlock + "ENDE\n"} {
			want := parse(text + "Guten Tag!\nTRAINING K\nNAME Max\nZUG 2/2\n")
			got := parse(text + line + "\nTRAINING K\nNAME Max\nZUG 2/2\n")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q is read as an order (-want +got):\n%s", line, diff)
			}
		}
	}
}

// TestSugarRaysLettersAreReadAsBefore: blocks of figures strewn with such prose.
func TestSugarRaysLettersAreReadAsBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{
			"SPIEL x", "NAME Joe", "NAME Max", "ZUG 1/1 2/2", "TRAINING K", "LIGA 3", "SPIELRUNDE 4", "ENDE", "STAND", "", "GRUSS", "ZGU 2/2",
		}), 1, 12).Draw(t, "lines")
		plain, strewn := "", ""
		for _, l := range lines {
			plain += l + "\n"
			strewn += l + "\n"
			if rapid.Bool().Draw(t, "prose") {
				plain += "Guten Tag!\n"
				strewn += rapid.SampledFrom(planProse()).Draw(t, "line") + "\n"
			}
		}
		if diff := cmp.Diff(tailless(parse(plain)), tailless(parse(strewn))); diff != "" {
			t.Fatalf("%s\nis read as\n%s", strewn, diff)
		}
	})
}

// tailless leaves out the prose that may be the rest of a line.
func tailless(t Text) Text {
	for _, b := range t.Blocks {
		for i := range b.Statements {
			b.Statements[i].Tail = nil
		}
	}
	return t
}

func TestG13_CommonWordsAreReservedByThemselves(t *testing.T) {
	for name, want := range map[string]bool{
		"A": true, "v": true, "Boxer": true, "Runde": true, "Schlag": true, "A.": false,
		"A Man": false, "Boxer Joe": false, "Fighter Mike": false, "Punch Judy": false, "D Train": false,
	} {
		if Reserved(name) != want {
			t.Errorf("Reserved(%q) = %v", name, !want)
		}
	}
}

// TestPlanBelowIsNotLookedForFar, or a megabyte of one word would take hours.
func TestPlanBelowIsNotLookedForFar(t *testing.T) {
	text := "BOXER Kid\n" + strings.Repeat("GEGNER Joe\n", 1<<16) + "SCHLAG UC3\n"
	got := parse(text)
	if len(got.Blocks) != 1 || got.Blocks[0].Name != "" || got.Blocks[0].Statements[0].Keyword != game.KeyOpponent {
		t.Errorf("read as %d blocks", len(got.Blocks))
	}
}
