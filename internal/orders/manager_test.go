package orders

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ringpost/internal/game"
)

const germanManager = `SPIEL ringside-1
MANAGER Don Corrado
SPIELRUNDE 7
KAMPF Kid Thunder GEGEN Iron Mike ARENA HOCH RUNDEN 8 WOCHE 2   ; abgesprochen
FREI Joe AB 12,5
RUHE Old Bill
RÜCKTRITT Old Bill
NEU Young Bill KLASSE Mittel
ANGEBOT Joe 1500
KAUF Iron Mike 2000
TAUSCH Joe GEGEN Jim
WETTE Kid Thunder 100 GEGEN Müller
MIETE Kid Thunder WOCHE 3
ENDE
`

const readManager = `
manager game=ringside-1 name=Don Corrado round=IIIIIII
  BOUT Kid Thunder GEGEN Iron Mike ARENA HOCH RUNDEN 8 WOCHE 2 ; abgesprochen
  OPEN Joe AB 12,5
  REST Old Bill
  RETIRE Old Bill
  NEW Young Bill KLASSE Mittel
  OFFER Joe 1500
  BUY Iron Mike 2000
  TRADE Joe GEGEN Jim
  BET Kid Thunder 100 GEGEN Müller
  RESERVE Kid Thunder WOCHE 3
`

func TestManagers(t *testing.T) {
	try(t, []example{
		{"German", germanManager, readManager},
		{"small letters, ue for ü, list marks", "manager: Don\n- ruhe: old bill\n* ruecktritt old bill\n• Rücktritt Joe\n",
			"manager name=Don\n  REST old bill\n  RETIRE old bill\n  RETIRE Joe\n"},
		{"English", "MANAGER Don\nBOUT Kid VS Mike ARENA HIGH ROUNDS 8 WEEK 2\nOPEN Joe MIN 12\nREST Bill\nRETIRE Bill\nNEW Bob CLASS Light\nOFFER Joe 1500\nBUY Mike 2000\nTRADE Joe VS Jim\nBET Kid 100\nRESERVE Kid WEEK 3\nEND\n",
			"manager name=Don\n  BOUT Kid VS Mike ARENA HIGH ROUNDS 8 WEEK 2\n  OPEN Joe MIN 12\n  REST Bill\n  RETIRE Bill\n  NEW Bob CLASS Light\n  OFFER Joe 1500\n  BUY Mike 2000\n  TRADE Joe VS Jim\n  BET Kid 100\n  RESERVE Kid WEEK 3\n"},
		{"Spanish", "MANAGER Don\nCOMBATE Kid CONTRA Mike\nLIBRE Joe\nDESCANSO Bill\nRETIRO Bill\nNUEVO Bob CLASE Ligero\nFIN\n",
			"manager name=Don\n  BOUT Kid CONTRA Mike\n  OPEN Joe\n  REST Bill\n  RETIRE Bill\n  NEW Bob CLASE Ligero\n"},
		{"with plans beside it", "NAME Kid\nSCHLAG UC3\nMANAGER Don\nRUHE Bill\nBOXER Joe\nSCHLAG RJ3\nRUHE mich wer kann\n",
			"block name=Kid\n  PUNCH UC3\nmanager name=Don\n  REST Bill\nblock name=Joe\n  PUNCH RJ3 + RUHE mich wer kann\n"},
		{"words above the lines", "MANAGER Don\nhier meine Wünsche für nächsten Monat:\n\nRUHE Bill\n", "manager name=Don\n  REST Bill\n"},
		{"the game and the round below", "MANAGER Don\nSPIEL x\nSPIELRUNDE 2\nRUHE Bill\n", "manager game=x name=Don round=II\n  REST Bill\n"},
		{"the game above", "SPIEL x\nMANAGER Don\nRUHE Bill\nNAME Kid\nSCHLAG UC3\n", "manager game=x name=Don\n  REST Bill\nblock game=x name=Kid\n  PUNCH UC3\n"},
		{"the game between", "NAME Kid\nSCHLAG UC3\nSPIEL x\nMANAGER Don\nRUHE Bill\n", "block name=Kid\n  PUNCH UC3\nmanager game=x name=Don\n  REST Bill\n"},
		{"figures above are not his", "SCHLAG UC3\nMANAGER Don\nRUHE Bill\n", "block\n  PUNCH UC3\nmanager name=Don\n  REST Bill\n"},
		{"wrapped", "MANAGER Don\nBOUT Kid Thunder VS Iron Mike ARENA HIGH\nROUNDS 8 WEEK 2\n", "manager name=Don\n  BOUT Kid Thunder VS Iron Mike ARENA HIGH + ROUNDS 8 WEEK 2\n"},
		{"the first line wrapped in the middle", "MANAGER Don\nBOUT Kid Thunder VS\nIron Mike ARENA\nHIGH\n", "manager name=Don\n  BOUT Kid Thunder VS + Iron Mike ARENA + HIGH\n"},
		{"the first line wrapped, in small letters", "manager don\nkampf kid thunder\ngegen iron mike\nende\n", "manager name=don\n  BOUT kid thunder + gegen iron mike\n"},
		{"nothing but a mistake, in capitals", "MANAGER Don\nKAMPF Kid Mike\nENDE\n", "manager name=Don\n  BOUT Kid Mike\n"},
		{"mistakes are the ruleset's", "MANAGER Don\nRUHE Bill\nKAMPF Kid Mike\nKAUF Joe\nNEU Bob\nWETTE\n",
			"manager name=Don\n  REST Bill\n  BOUT Kid Mike\n  BUY Joe\n  NEW Bob\n  BET\n"},
		{"not filled in", "MANAGER Don\nFREI _\nRUHE _\nKAMPF _ GEGEN _\n", "manager name=Don\n  OPEN _\n  REST _\n  BOUT _ GEGEN _\n"},
		{"a slip of the fingers", "MANAGER Don\nRUHE Bill\nKMAPF Kid GEGEN Mike\nTUASCH A1 GEGEN B1\n",
			"manager name=Don\n  REST Bill\n  ! line-unknown KMAPF Kid GEGEN Mike -> BOUT\n  ! line-unknown TUASCH A1 GEGEN B1 -> TRADE\n"},
		{"lines of boxers are none of his", "MANAGER Don\nRUHE Bill\n\nTRAINING T\nZUG 1/1 2/2\nLIGA 3\n", "manager name=Don\n  REST Bill\n"},
		{"a name that could be read as an order", "MANAGER Don\nNEU Zug um Zug KLASSE Mittel\nNEU Bob KLASSE Mittel\n",
			"manager name=Don\n  NEW Bob KLASSE Mittel\n  ! name-reserved Zug um Zug KLASSE Mittel\n"},
		{"a command in it", "MANAGER Don\nRUHE Bill\nSTAND\n", "manager name=Don\n  REST Bill\ncommand TABLE name=Don\n"},
	})
}

func TestSparring(t *testing.T) {
	try(t, []example{
		{"by name", "SPARRING Kid Thunder\n", "command SPARRING Kid Thunder\n"},
		{"in its block", "NAME Kid\nSCHLAG UC3\nSPARRING\n", "block name=Kid\n  PUNCH UC3\ncommand SPARRING name=Kid\n"},
		{"prose", "Sparring mit Joe war gut.\nSparring: der Joe, der Bill\nSparring war heute eine harte Sache für mich\n", ""},
	})
}

// managerProse are lines that begin with a word of managers' blocks and are none.
func managerProse() []string {
	return []string{
		"Manager Joe sends his regards", "Manager des Jahres", "Manager: Joe", "MANAGER Joe", "Manager Müller, bitte melden!",
		"Kampf gegen Windmühlen", "Kampf Maier gegen Müller war toll", "KAMPF Kid GEGEN Mike", "Bout of flu vs me", "Bout",
		"Frei bis Montag", "FREI Kid", "Open to offers", "Ruhe bitte", "RUHE Kid", "Rest in peace", "Rest", "Retire him", "Rücktritt vom Rücktritt",
		"Neu ist die Klasse von Joe", "New gloves", "Angebot 1500", "Offer him 100", "Kauf 3 Brote", "Buy 2", "Tausch", "Trade you 3 for 2",
		"Wette 100 auf Joe", "Bet on it, 5", "Miete 500 die Woche", "Reserve me a seat next week", "Werte 3 4", "Ratings are up",
	}
}

// TestProseOfManagersIsProse: without a manager's block these words change nothing.
func TestProseOfManagersIsProse(t *testing.T) {
	for _, line := range managerProse() {
		for _, text := range []string{"", "HILFE\n", "NAME Joe\n", "SPIEL x\nNAME Joe\nZUG 1/1\n\n", goodBlock + "ENDE\n", "BOXER Kid\nSCHLAG UC3\n\n"} {
			want := parse(text + "Guten Tag!\nTRAINING K\nNAME Max\nZUG 2/2\n")
			got := parse(text + line + "\nTRAINING K\nNAME Max\nZUG 2/2\n")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q is read as an order (-want +got):\n%s", line, diff)
			}
		}
	}
}

// TestSugarRaysLettersAreReadAsBeforeManagers: letters of figures strewn with such
// prose, however the lines follow one another.
func TestSugarRaysLettersAreReadAsBeforeManagers(t *testing.T) {
	prose := managerProse()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{
			"SPIEL x", "NAME Joe", "NAME Max", "ZUG 1/1 2/2", "TRAINING K", "LIGA 3", "SPIELRUNDE 4", "ENDE", "STAND", "", "ZGU 2/2", "SCHLAG UC3",
		}), 1, 12).Draw(t, "lines")
		plain, strewn := "", ""
		for _, l := range lines {
			plain += l + "\n"
			strewn += l + "\n"
			if rapid.Bool().Draw(t, "prose") {
				word := rapid.SampledFrom(prose).Draw(t, "line")
				if first, _, _ := strings.Cut(word, " "); game.Fold(first) == "manager" || game.Fold(first) == "manager:" {
					continue // below it the others might follow
				}
				plain += "Guten Tag!\n"
				strewn += word + "\n"
			}
		}
		if diff := cmp.Diff(tailless(parse(plain)), tailless(parse(strewn))); diff != "" {
			t.Fatalf("%s\nis read as\n%s", strewn, diff)
		}
	})
}
