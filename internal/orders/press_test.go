package orders

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/game"
)

func TestPress(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []Press
		blocks     int
		issues     int
	}{
		{"for the report", "PRESSE\nIch komme!\n\n# kein Kommentar; wirklich\nENDE\n",
			[]Press{{Line: 1, Text: []string{"Ich komme!", "", "# kein Kommentar; wirklich"}}}, 0, 0},
		{"to somebody", "press: to Kid Thunder\nSee you.\nEnd\n", []Press{{Line: 1, To: "Kid Thunder", Text: []string{"See you."}}}, 0, 0},
		{"to all, unsigned", "PRENSA ANONIMO A TODOS\nhola\nFIN\n", []Press{{Line: 1, Anonymous: true, All: true, Text: []string{"hola"}}}, 0, 0},
		{"inside a block, which goes on below", "SPIEL liga\nNAME Joe\nPRESSE\nZUG 9/9 9/9 9/9 9/9 9/9\nENDE\nZUG 1/1 1/1 1/1 1/1 1/1\n",
			[]Press{{Line: 3, Game: "liga", Name: "Joe", Text: []string{"ZUG 9/9 9/9 9/9 9/9 9/9"}}}, 1, 0},
		{"no end: the orders below are not lost", "PRESSE\nIch komme!\nNAME Joe\nZUG 1/1 1/1 1/1 1/1 1/1\n", nil, 1, 1},
		{"a signature is no end", "PRESSE\nIch komme!\n-- \nENDE\n", nil, 0, 1},
		{"prose", "Presse ich zu viel?\nENDE\n", nil, 0, 0},
		{"commands in it are none", "PRESSE\nHILFE\nAUSSTIEG\nENDE\n", []Press{{Line: 1, Text: []string{"HILFE", "AUSSTIEG"}}}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Parse(Lines(c.text))
			if diff := cmp.Diff(c.want, got.Press); diff != "" {
				t.Errorf("press (-want +got)\n%s", diff)
			}
			if len(got.Blocks) != c.blocks || len(got.Issues) != c.issues || len(got.Commands) != 0 {
				t.Errorf("blocks %+v, issues %+v, commands %+v", got.Blocks, got.Issues, got.Commands)
			}
			for _, b := range got.Blocks {
				for _, s := range b.Statements {
					if s.Keyword == game.KeyMove && s.Args != "1/1 1/1 1/1 1/1 1/1" {
						t.Errorf("the press was read as orders: %+v", s)
					}
				}
			}
		})
	}
}
