package orders

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ringpost/internal/game"
)

func parse(text string) Text { return Parse(Lines(text)) }

// read is a text's blocks, commands and issues in a form that is easy to compare:
// a line each, statements indented.
func read(t Text) string {
	var b strings.Builder
	for _, k := range t.Blocks {
		if k.Manager {
			b.WriteString("manager")
		} else {
			b.WriteString("block")
		}
		if k.Game != "" {
			b.WriteString(" game=" + k.Game)
		}
		if k.Name != "" {
			b.WriteString(" name=" + k.Name)
		}
		if k.Round != 0 {
			b.WriteString(" round=" + strings.Repeat("I", k.Round))
		}
		b.WriteString("\n")
		for _, s := range k.Statements {
			b.WriteString("  " + strings.TrimSpace(string(s.Keyword)+" "+s.Args))
			for _, t := range s.Tail {
				b.WriteString(" + " + t)
			}
			b.WriteString("\n")
		}
		for _, i := range k.Issues {
			b.WriteString("  ! " + i.Code + " " + strings.Join(i.Args, " -> ") + "\n")
		}
	}
	for _, c := range t.Commands {
		b.WriteString(strings.TrimSpace("command " + string(c.Keyword) + " " + c.Args))
		if c.Game != "" {
			b.WriteString(" game=" + c.Game)
		}
		if c.Name != "" {
			b.WriteString(" name=" + c.Name)
		}
		b.WriteString("\n")
	}
	for _, i := range t.Issues {
		b.WriteString(strings.TrimSpace("! "+i.Code+" "+strings.Join(i.Args, " -> ")) + "\n")
	}
	return b.String()
}

type example struct{ name, text, want string }

func try(t *testing.T, examples []example) {
	t.Helper()
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.TrimLeft(e.want, "\n"), read(parse(e.text))); diff != "" {
				t.Errorf("%s\nis misread (-want +got):\n%s", e.text, diff)
			}
		})
	}
}

const goodBlock = "NAME Müller\nLIGA 3\nZUG 2/3 3/0 2/2 0/5 3/1\nTRAINING T\n"

const readBlock = `
block name=Müller
  LEAGUE 3
  MOVE 2/3 3/0 2/2 0/5 3/1
  TRAINING T
`

func TestG4_Keywords(t *testing.T) {
	try(t, []example{
		{"as in the rulebook", goodBlock, readBlock},
		{"small letters", strings.ToLower(goodBlock), strings.NewReplacer("Müller", "müller", "TRAINING T", "TRAINING t").Replace(readBlock)},
		{"colons", "NAME: Müller\nLiga: 3\nZug : 2/3 3/0 2/2 0/5 3/1\nTraining:T\n", readBlock},
		{"equals signs", "Name=Müller\nLiga = 3\nZug = 2/3 3/0 2/2 0/5 3/1\nTraining = T\n", readBlock},
		{"dashes", "Name - Müller\nLiga – 3\nZug — 2/3 3/0 2/2 0/5 3/1\nTraining - T\n", readBlock},
		{"no blank before figures", "NAME Müller\nLIGA3\nZUG2/3 3/0 2/2 0/5 3/1\nTRAINING T\n", readBlock},
		{"tabs and no-break blanks", "\tNAME\u00a0Müller\nLIGA\t3\n ZUG \u00a0 2/3\t3/0 2/2  0/5 3/1 \nTRAINING\u202fT\r\n", readBlock},
		{"an NFD umlaut", strings.ReplaceAll(goodBlock, "ü", "u\u0308"), readBlock},
		{"English", "NAME Müller\nLEAGUE 3\nMOVE 2/3 3/0 2/2 0/5 3/1\nTRAINING T\n", readBlock},
		{"English, other words", "name Müller\nleague 3\nrounds 2/3 3/0 2/2 0/5 3/1\ntraining T\n", readBlock},
		{"Spanish, in other words", "NOMBRE Müller\nLIGA 3\nMovimientos: 2/3 3/0 2/2 0/5 3/1\nENTRENAMIENTO T\n", readBlock},
		{"Spanish", "NOMBRE Müller\nLIGA 3\nJUGADA 2/3 3/0 2/2 0/5 3/1\nENTRENAMIENTO T\n", readBlock},
		{"plural", "NAME Müller\nLIGA 3\nZüge: 2/3 3/0 2/2 0/5 3/1\nTRAINING T\n", readBlock},
		{"ü as ue", "NAME Müller\nLIGA 3\nZuege 2/3 3/0 2/2 0/5 3/1\nTRAINING T\n", readBlock},
		{"accents", "NOMBRE Ana\nTÉCNICA 10\nCONDICIÓN 20\n", "block name=Ana\n  TECHNIQUE 10\n  CONDITION 20\n"},
		{"accents left out", "NOMBRE Ana\nTecnica 10\nCondicion 20\n", "block name=Ana\n  TECHNIQUE 10\n  CONDITION 20\n"},
		{"all figures of the rulebook", "NAME Maier\nTECHNIK 12\nKONDITION 21\nZUG 6/0\n", "block name=Maier\n  TECHNIQUE 12\n  CONDITION 21\n  MOVE 6/0\n"},
		{"other English figures", "NAME Maier\nSKILL 12\nENDURANCE 21\n", "block name=Maier\n  TECHNIQUE 12\n  CONDITION 21\n"},
		{"list marks", "- NAME Müller\n- LIGA 3\n• ZUG 2/3 3/0 2/2 0/5 3/1\n* TRAINING T\n", readBlock},
		{"bold", "*NAME* Müller\n*LIGA:* 3\n*ZUG 2/3 3/0 2/2 0/5 3/1*\n**TRAINING** T\n", readBlock},
		{"quotation marks", "NAME \"Müller\"\nLIGA 3.\nZUG 2/3 3/0 2/2 0/5 3/1\nTRAINING T\n", readBlock},
		{"more behind the name", "NAME Müller (Liga 3)\nLIGA 3\nZUG 2/3 3/0 2/2 0/5 3/1\nTRAINING T\n", readBlock},
		{"a comma behind the name", "NAME Müller,\nLIGA 3,\nZUG 2/3 3/0 2/2 0/5 3/1\nTRAINING T\n", readBlock},
		{"lines in any order", "ZUG 2/3 3/0 2/2 0/5 3/1\nTRAINING T\nNAME Müller\n", "block name=Müller\n  MOVE 2/3 3/0 2/2 0/5 3/1\n  TRAINING T\n"},
		{"training above the name", "TRAINING T\n\nNAME Müller\n\nZUG 2/3\n", "block name=Müller\n  TRAINING T\n  MOVE 2/3\n"},
		{"the round above the name", "SPIELRUNDE 3\n\nHier der Zug:\n\nNAME Müller\nZUG 2/3\n", "block name=Müller round=III\n  MOVE 2/3\n"},
		{"the round inside", "NAME Müller\nSpielrunde: 2.\nZUG 2/3\n", "block name=Müller round=II\n  MOVE 2/3\n"},
		{"the round in English", "NAME Smith\nGAMETURN 2\nMOVE 2/3\n", "block name=Smith round=II\n  MOVE 2/3\n"},
		{"figures alone", "ZUG 2/3 3/0 2/2 0/5 3/1\n", "block\n  MOVE 2/3 3/0 2/2 0/5 3/1\n"},
		{"not filled in", "NAME Müller\nZUG _/_ _/_ _/_ _/_ _/_\nTRAINING _\n", "block name=Müller\n  MOVE _/_ _/_ _/_ _/_ _/_\n  TRAINING _\n"},
		{"letters for figures", "NAME Müller\nZUG O/5 x/0\n", "block name=Müller\n  MOVE O/5 x/0\n"},
		{"names with a blank, dots and apostrophes", "NAME Fast Eddie O’Neill Jr.\nZUG 2/3\n", "block name=Fast Eddie O'Neill Jr.\n  MOVE 2/3\n"},
	})
}

func TestG4_WrappedLines(t *testing.T) {
	try(t, []example{
		{"in the middle", "NAME Müller\nZUG 2/3 3/0 2/2\n0/5 3/1\nTRAINING T\n", "block name=Müller\n  MOVE 2/3 3/0 2/2 + 0/5 3/1\n  TRAINING T\n"},
		{"behind the keyword", "NAME Müller\nZUG\n2/3 3/0 2/2 0/5 3/1\n", "block name=Müller\n  MOVE + 2/3 3/0 2/2 0/5 3/1\n"},
		{"twice", "NAME Müller\nZUG 2/3 3/0\n2/2\n0/5 3/1\n", "block name=Müller\n  MOVE 2/3 3/0 + 2/2 + 0/5 3/1\n"},
		{"not over an empty line", "NAME Müller\nZUG 2/3 3/0\n\n0/5 3/1\n", "block name=Müller\n  MOVE 2/3 3/0\n"},
		{"not over a comment", "NAME Müller\nZUG 2/3 3/0\n# so far\n0/5 3/1\n", "block name=Müller\n  MOVE 2/3 3/0\n"},
		{"not from a quote", "NAME Müller\nZUG 2/3 3/0\n> 0/5 3/1\n2/2\n", "block name=Müller\n  MOVE 2/3 3/0\n"},
		{"prose below is for the ruleset to judge", "NAME Müller\nZUG 2/3\nViele Grüße\n", "block name=Müller\n  MOVE 2/3 + Viele Grüße\n"},
		{"at most so many", "NAME Müller\nZUG\n" + strings.Repeat("1/1\n", MaxTail+5), "block name=Müller\n  MOVE" + strings.Repeat(" + 1/1", MaxTail) + "\n"},
	})
}

func TestG4_CommentsAndEnds(t *testing.T) {
	try(t, []example{
		{"comments", "# mein Zug\nNAME Müller # der Große\nZUG 2/3 # vorsichtig\n#TRAINING K\n", "block name=Müller\n  MOVE 2/3\n"},
		{"a comment above the name", "TRAINING T\n# und nun\nNAME Müller\nZUG 2/3\n", "block name=Müller\n  TRAINING T\n  MOVE 2/3\n"},
		{"semicolons are the ruleset's", "NAME Müller\nZUG 2/3;3/0; 2/2\n", "block name=Müller\n  MOVE 2/3;3/0; 2/2\n"},
		{"ENDE", "NAME A\nZUG 1/1\nENDE\nTRAINING T\n", "block name=A\n  MOVE 1/1\n"},
		{"END", "NAME A\nZUG 1/1\nend\nTRAINING T\n", "block name=A\n  MOVE 1/1\n"},
		{"FIN", "NAME A\nZUG 1/1\nFin:\nTRAINING T\n", "block name=A\n  MOVE 1/1\n"},
		{"ENDE not alone", "NAME A\nZUG 1/1\n\nEnde gut, alles gut\nTRAINING T\n", "block name=A\n  MOVE 1/1\n  TRAINING T\n"},
		{"ENDE with nothing open", "ENDE\nNAME A\nZUG 1/1\n", "block name=A\n  MOVE 1/1\n"},
		{"a signature below", "NAME A\nZUG 1/1\n-- \nTRAINING T\n", "block name=A\n  MOVE 1/1\n"},
		{"a signature above", "-- \nHans Muster\nNAME A\nZUG 1/1\n", "block name=A\n  MOVE 1/1\n"},
		{"two dashes are a row", "NAME A\n--\nZUG 1/1\n", "block name=A\n  MOVE 1/1\n"},
		{"rows", "_______\nNAME A\n-------\nZUG 1/1\n*******\nTRAINING T\n=====\n", "block name=A\n  MOVE 1/1\n  TRAINING T + =====\n"},
	})
}

func TestG4_FiguresOutsideABlockAreReported(t *testing.T) {
	try(t, []example{
		{"below the end", "NAME A\nENDE\nZUG 1/1 2/2\nTRAINING T\n", "block name=A\n! line-outside 1/1 2/2\n"},
		{"below a signature", "NAME A\nZUG 1/1\n-- \nZUG 2/2\n", "block name=A\n  MOVE 1/1\n! line-outside 2/2\n"},
		{"but not with a name below", "NAME A\nZUG 1/1\nENDE\nZUG 2/2\nNAME B\n", "block name=A\n  MOVE 1/1\nblock name=B\n  MOVE 2/2\n"},
		{"nor with a game above", "SPIEL a\nNAME A\nZUG 1/1\nSPIEL b\nZUG 2/2\n", "block game=a name=A\n  MOVE 1/1\nblock game=b\n  MOVE 2/2\n"},
		{"nor above all names", "ZUG 2/2\nENDE\nNAME A\nZUG 1/1\n", "block\n  MOVE 2/2\nblock name=A\n  MOVE 1/1\n"},
	})
}

func TestG5_Blocks(t *testing.T) {
	try(t, []example{
		{"two", "NAME A\nZUG 1/1\nNAME B\nZUG 2/2\n", "block name=A\n  MOVE 1/1\nblock name=B\n  MOVE 2/2\n"},
		{"with empty lines and ends", "NAME A\n\nZUG 1/1\nENDE\n\n\nNAME B\n\nZUG 2/2\nENDE\n", "block name=A\n  MOVE 1/1\nblock name=B\n  MOVE 2/2\n"},
		{"the same twice", "NAME A\nZUG 1/1\nNAME A\nZUG 2/2\n", "block name=A\n  MOVE 1/1\nblock name=A\n  MOVE 2/2\n"},
		{"a name alone", "NAME A\nNAME B\nZUG 2/2\n", "block name=A\nblock name=B\n  MOVE 2/2\n"},
		{"SPIEL carries over", "SPIEL liga-nord\nNAME A\nZUG 1/1\nNAME B\nZUG 2/2\n", "block game=liga-nord name=A\n  MOVE 1/1\nblock game=liga-nord name=B\n  MOVE 2/2\n"},
		{"SPIEL carries over an end", "SPIEL x\nNAME A\nZUG 1/1\nENDE\nNAME B\nZUG 2/2\n", "block game=x name=A\n  MOVE 1/1\nblock game=x name=B\n  MOVE 2/2\n"},
		{"SPIEL for each", "SPIEL x\nNAME A\nZUG 1/1\nSPIEL y\nNAME B\nZUG 2/2\n", "block game=x name=A\n  MOVE 1/1\nblock game=y name=B\n  MOVE 2/2\n"},
		{"SPIEL inside", "NAME A\nSPIEL x\nZUG 1/1\n", "block game=x name=A\n  MOVE 1/1\n"},
		{"SPIEL inside each", "NAME A\nSPIEL x\nZUG 1/1\nNAME B\nSPIEL y\nZUG 2/2\n", "block game=x name=A\n  MOVE 1/1\nblock game=y name=B\n  MOVE 2/2\n"},
		{"SPIEL above the first, inside the second", "SPIEL x\nNAME A\nZUG 1/1\nNAME B\nSPIEL y\nZUG 2/2\n", "block game=x name=A\n  MOVE 1/1\nblock game=y name=B\n  MOVE 2/2\n"},
		{"SPIEL inside the first, carried over", "NAME A\nSPIEL x\nZUG 1/1\nNAME B\nZUG 2/2\n", "block game=x name=A\n  MOVE 1/1\nblock game=x name=B\n  MOVE 2/2\n"},
		{"SPIEL above the second only", "NAME A\nZUG 1/1\nSPIEL y\nNAME B\nZUG 2/2\n", "block name=A\n  MOVE 1/1\nblock game=y name=B\n  MOVE 2/2\n"},
		{"SPIEL at the end", "NAME A\nZUG 1/1\nSPIEL x\n", "block game=x name=A\n  MOVE 1/1\n"},
		{"SPIEL below the figures, the name below both", "ZUG 1/1\nSPIEL x\nNAME A\nNAME B\nSPIEL y\nZUG 2/2\n", "block game=x name=A\n  MOVE 1/1\nblock game=y name=B\n  MOVE 2/2\n"},
		{"SPIEL and figures alone", "SPIEL x\nZUG 1/1\nSPIEL y\nZUG 2/2\n", "block game=x\n  MOVE 1/1\nblock game=y\n  MOVE 2/2\n"},
		{"prose between SPIEL and NAME", "SPIEL x\nLIGA 3\nHallo!\nNAME A\nZUG 1/1\nSPIEL y\nNAME B\nZUG 2/2\n", "block game=x name=A\n  MOVE 1/1\nblock game=y name=B\n  MOVE 2/2\n"},
		{"a round is each block's own", "NAME A\nSPIELRUNDE 3\nZUG 1/1\nNAME B\nZUG 2/2\n", "block name=A round=III\n  MOVE 1/1\nblock name=B\n  MOVE 2/2\n"},
		{"in other languages", "GAME x\nNAME A\nMOVE 1/1\nJUEGO y\nNOMBRE B\nJUGADA 2/2\n", "block game=x name=A\n  MOVE 1/1\nblock game=y name=B\n  MOVE 2/2\n"},
	})
}

func TestCommands(t *testing.T) {
	try(t, []example{
		{"German", "HILFE\nREGELN\nSTAND\nZUGSTAND\nAKTE Müller\nARCHIV 7\nSPIELE\nAUSSTIEG\nANMELDUNG Fast Eddie\nJA k3f9q2\n",
			"command HELP\ncommand RULES\ncommand TABLE\ncommand ORDERS\ncommand RECORD Müller\ncommand REPORT 7\ncommand GAMES\ncommand LEAVE\ncommand JOIN Fast Eddie\ncommand YES k3f9q2\n"},
		{"English", "help\nrules\ntable\norders\nrecord Müller\nreport 7\ngames\nleave\njoin Fast Eddie\nyes K3F9Q2\n",
			"command HELP\ncommand RULES\ncommand TABLE\ncommand ORDERS\ncommand RECORD Müller\ncommand REPORT 7\ncommand GAMES\ncommand LEAVE\ncommand JOIN Fast Eddie\ncommand YES K3F9Q2\n"},
		{"Spanish", "AYUDA\nREGLAS\nTABLA\nÓRDENES\nFICHA Müller\nINFORME 7\nJUEGOS\nABANDONO\nINSCRIPCIÓN Fast Eddie\nSÍ k3f9q2\n",
			"command HELP\ncommand RULES\ncommand TABLE\ncommand ORDERS\ncommand RECORD Müller\ncommand REPORT 7\ncommand GAMES\ncommand LEAVE\ncommand JOIN Fast Eddie\ncommand YES k3f9q2\n"},
		{"colons", "AKTE: Müller\nARCHIV: 7\nJA: k3f9q2\n", "command RECORD Müller\ncommand REPORT 7\ncommand YES k3f9q2\n"},
		{"a sentence's marks", "ARCHIV 7.\nJA \"k3f9q2\".\n", "command REPORT 7\ncommand YES k3f9q2\n"},
		{"their game", "SPIEL x\nSTAND\nSPIEL y\nARCHIV 7\n", "command TABLE game=x\ncommand REPORT 7 game=y\n"},
		{"in a block", "NAME A\nSPIEL x\nZUG 1/1\nSTAND\n", "block game=x name=A\n  MOVE 1/1\ncommand TABLE game=x name=A\n"},
		{"below a block's GAME", "NAME A\nZUG 1/1\nSPIEL x\nSTAND\n", "block game=x name=A\n  MOVE 1/1\ncommand TABLE game=x name=A\n"},
		{"a name for a command only", "NAME A\nAUSSTIEG\nNAME B\nZUG 2/2\n", "block name=B\n  MOVE 2/2\ncommand LEAVE name=A\n"},
		{"a heading is none", "Orders:\nNAME A\nMOVE 1/1\n\nHilfe:\n", "block name=A\n  MOVE 1/1\n"},
		{"a code is letters and digits", "Ja, gerne\nJa klar\nyes I will\nJA 12\nJA abc-def\n", ""},
		{"prose", "Stand der Dinge\nHilfe, ich verliere\nSpiele ich heute?\nReport follows\nTable 3\nJoin\nLeave me alone\nJoin with Google Meet\nJoin us!\nAnmeldung bis Freitag\nRecord of the day\n", ""},
		{"an odd name is better refused than passed over", "JOIN 3 Musketeers, please!\n", "command JOIN 3 Musketeers, please!\n"},
	})
}

// TestCommandsKnowTheirLanguage: whoever is not known yet is answered in it.
func TestCommandsKnowTheirLanguage(t *testing.T) {
	for text, want := range map[string]Language{
		"ANMELDUNG Rocky": German, "Anmeldung: Rocky": German, "JOIN Rocky": English, "* join Rocky": English,
		"INSCRIPCION Rocky": Spanish, "Inscripción Rocky": Spanish, "REGELN": German, "rules": English, "SÍ k3f9q2": Spanish,
		"SPARRING Joe": "", // the same word in all
	} {
		got := parse(text + "\n").Commands
		if len(got) != 1 || got[0].Lang != want {
			t.Errorf("%q: %+v, want language %q", text, got, want)
		}
	}
}

func TestProseAroundOrders(t *testing.T) {
	try(t, []example{
		{"a German letter", `Hallo Werner,

Zug fährt um 12:30 ab, daher nur kurz. Im Training war ich auch.
Spiel, Satz und Sieg! Name ist Programm, sagt der große Meister immer wieder.
Liga 3 ist hart.
Ende gut, alles gut.
Technik ist alles, Kondition auch.
Training war hart diesmal.

Hier mein Zug:

NAME Müller
LIGA 3
ZUG 2/3 3/0 2/2 0/5 3/1
TRAINING T

Zug um Zug nach oben!
Runde 8 wird besser. Training macht den Meister.
Zum nächsten Mal
Viele Grüße
Hans

-- 
Hans Müller, Zugspitzstr. 3
Zug 4/5
`, readBlock + "! line-outside 4/5\n"},
		{"an English letter", `Hi all,

move over, here I come. Rounds went well so far.
Game over for Joe.
Record time, too.

name: Müller
league: 3
move: 2/3 3/0 2/2 0/5 3/1
training: T

Same as before, more or less.
Rounds are fun. Skill matters.
Moving to a new flat, be patient.
`, readBlock},
		{"a phone's footer", goodBlock + "\nVon meinem iPhone gesendet\n", readBlock},
		{"orders without blank lines around", "Hallo\n" + goodBlock + "Gruß\nHans\n", strings.TrimSuffix(readBlock, "\n") + " + Gruß + Hans\n"},
		{"a line of prose on the figures' line", "NAME Müller\nZUG 2/3 3/0 2/2 0/5 3/1 und viele liebe Grüße aus dem schönen Berlin\n", "block name=Müller\n  MOVE 2/3 3/0 2/2 0/5 3/1 und viele liebe Grüße aus dem schönen Berlin\n"},
		{"numbered rounds", "NAME Müller\nZUG Runde 1: 2/3 Runde 2: 3/0\n", "block name=Müller\n  MOVE Runde 1: 2/3 Runde 2: 3/0\n"},
		{"a name in prose is left to those who know the seats", goodBlock + "\nName your poison!\n", readBlock + "block name=your poison!\n"},
		{"nothing", "Ich melde mich morgen.\n", ""},
	})
}

func TestMistypedKeywords(t *testing.T) {
	block := func(line, key string) string {
		return "block name=A\n  MOVE 1/1\n  ! line-unknown " + line + " -> " + key + "\n"
	}
	above := "NAME A\nZUG 1/1\n"
	try(t, []example{
		{"letters exchanged", above + "ZGU 2/3 3/0\n", block("ZGU 2/3 3/0", "MOVE")},
		{"the first two exchanged", above + "UZG 2/3\n", block("UZG 2/3", "MOVE")},
		{"a letter missing", above + "TRAINNG T\n", block("TRAINNG T", "TRAINING")},
		{"the first letter missing", above + "RAINING T\n", block("RAINING T", "TRAINING")},
		{"a letter too many", above + "TRAINIING T\n", block("TRAINIING T", "TRAINING")},
		{"a wrong letter", above + "TRAUNING: T\n", block("TRAUNING: T", "TRAINING")},
		{"in English", above + "LEAGEU 3\n", block("LEAGEU 3", "LEAGUE")},
		{"in Spanish", above + "TECNCA 3\n", block("TECNCA 3", "TECHNIQUE")},
		{"a name", above + "NMAE B\n", block("NMAE B", "NAME")},
		{"the round", above + "SPIELRUNE 7\n", block("SPIELRUNE 7", "GAMETURN")},
		{"a long line is cut", above + "ZGU " + strings.Repeat("1/1 ", 100), block("ZGU "+strings.Repeat("1/1 ", 14)+"…", "MOVE")},
		{"what follows must fit", above + "\nZum Glück\nLigen gibt es\nSpielrunden vergehen\n", "block name=A\n  MOVE 1/1\n"},
		{"other words", above + "\nSame to you\nFame 3\nZu 2/3 fertig\nXNAME B\n", "block name=A\n  MOVE 1/1\n"},
		{"not outside a block", "ZGU 2/3\nTRAINNG T\n", ""},
		{"figures below a mistyped name are nobody's", above + "NMAE B\nZUG 2/2\nTRAINING T\n",
			"block name=A\n  MOVE 1/1\n  TRAINING T\n  ! line-unknown NMAE B -> NAME\n! line-outside 2/2\n"},
	})
}

func TestQuotedLinesAreNotRead(t *testing.T) {
	for _, prefix := range []string{"> ", ">", ">> ", "| ", "|", " | ", "| > "} {
		text := "SPIEL x\n" + goodBlock + "HILFE\nANMELDUNG Joe\nJA k3f9q2\nZGU 2/3\n"
		quoted := prefix + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+prefix)
		if got := read(parse(quoted)); got != "" {
			t.Errorf("behind %q was read:\n%s", prefix, got)
		}
		if diff := cmp.Diff(parse("NAME A\nZUG 1/1\n"), parse("NAME A\n"+quoted+"\nZUG 1/1\n"), cmpopts.IgnoreFields(game.Statement{}, "Line")); diff != "" {
			t.Errorf("a quote behind %q changes the block it stands in:\n%s", prefix, diff)
		}
	}
}

func TestLineNumbers(t *testing.T) {
	got := Parse([]Line{{4, "NAME A"}, {7, "ZUG 1/1"}, {8, "TRAINNG T"}, {9, "STAND"}, {11, "ENDE"}, {12, "ZUG 2/2"}})
	want := Text{
		Blocks: []game.Block{{Line: 4, Name: "A",
			Statements: []game.Statement{{Line: 7, Keyword: game.KeyMove, Args: "1/1"}},
			Issues:     []game.Issue{{Line: 8, Code: LineUnknown, Args: []string{"TRAINNG T", "TRAINING"}}},
		}},
		Commands: []Command{{Line: 9, Keyword: game.KeyTable, Name: "A", Lang: German}},
		Issues:   []game.Issue{{Line: 12, Code: LineOutside, Args: []string{"2/2"}, Error: true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBounds(t *testing.T) {
	many := parse(strings.Repeat("NAME A\nZUG 1/1\n", MaxBlocks+3))
	if len(many.Blocks) != MaxBlocks || len(many.Issues) != 1 || many.Issues[0].Code != TooManyBlocks || many.Issues[0].Line != 2*MaxBlocks+1 {
		t.Errorf("too many blocks: %d blocks, issues %v", len(many.Blocks), many.Issues)
	}
	long := parse("NAME A\n" + strings.Repeat("ZUG 1/1\nZGU 1/1\n", MaxLines)).Blocks[0]
	if n := len(long.Statements) + len(long.Issues); n != MaxLines+1 || long.Issues[len(long.Issues)-1].Code != TooManyLines {
		t.Errorf("too many lines: %d, then %v", n, long.Issues[len(long.Issues)-1])
	}
	asked := parse(strings.Repeat("HILFE\n", MaxCommands+3))
	if len(asked.Commands) != MaxCommands || len(asked.Issues) != 1 || asked.Issues[0].Code != TooManyCommands {
		t.Errorf("too many commands: %d, issues %v", len(asked.Commands), asked.Issues)
	}
	strewn := parse("NAME A\nENDE\n" + strings.Repeat("ZUG 1/1\nENDE\n", 2*MaxLines))
	if len(strewn.Issues) != MaxLines {
		t.Errorf("too many figures outside: %d issues", len(strewn.Issues))
	}
}

func TestLines(t *testing.T) {
	want := []Line{{1, "a"}, {2, ""}, {3, "b "}, {4, "c"}}
	if diff := cmp.Diff(want, Lines("a\n\r\nb \r\nc")); diff != "" {
		t.Error(diff)
	}
	if got := Lines(""); len(got) != 0 {
		t.Errorf("no text has the lines %v", got)
	}
}

func TestAWrongRoundIsNotGuessed(t *testing.T) {
	for line, misread := range map[string]bool{
		"SPIELRUNDE Runde 2": true, "SPIELRUNDE 1a": true, "GAMETURN two": true, "LIGA x": true, "TECHNIK abc": true,
		"SPIELRUNDE 2": false, "Liga 3 ist toll": false, "Kondition ist alles": false, "Spielrunde für Spielrunde besser": false,
	} {
		got := parse("NAME Müller\n" + line + "\nZUG 2/3 3/0 2/2 0/5 3/1\n")
		if len(got.Blocks) != 1 {
			t.Fatalf("%s: %+v", line, got)
		}
		b := got.Blocks[0]
		if (len(b.Issues) == 1 && b.Issues[0].Code == LineMisread) != misread {
			t.Errorf("%s: issues %+v", line, b.Issues)
		}
		if round := strings.HasPrefix(line, "SPIELRUNDE") || strings.HasPrefix(line, "GAMETURN"); misread && round != (b.Round == game.RoundUnread) {
			t.Errorf("%s: round %d", line, b.Round)
		}
	}
	if got := parse("NAME Müller\nSPIELRUNDE 0\nZUG 1/1\n").Blocks[0].Round; got != game.RoundUnread {
		t.Errorf("round 0 is %d", got)
	}
}
