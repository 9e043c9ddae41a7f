package orders

import (
	"strings"

	"ringpost/internal/game"
)

// Press is a player's words to the others: what stands between PRESS and END,
// letter by letter. Nothing in it is an order, a command or a comment.
type Press struct {
	Line      int
	Game      string // from the GAME line in force
	Name      string // of the block it stands in
	All       bool   // to all at once
	To        string // to this seat at once; "" and not All: the next report
	Anonymous bool
	Text      []string
}

// maxPress bounds how far below the END of press is looked for, in lines.
const maxPress = 500

// PressOpen is the code of press without its END: what follows is read as
// orders, so that none is lost, and nothing is printed. An error.
const PressOpen = "press-open"

// press reads the press that begins at the first of the lines and gives how many
// lines it takes, 0 when there is none.
func (p *parser) press(lines []Line) int {
	word, args := splitKeyword(undecorate(singleBlanks(lines[0].Text)))
	if e, ok := p.words.find(word); !ok || e.class != press {
		return 0
	}
	out := Press{Line: lines[0].N, Game: p.gameInForce()}
	if p.open {
		out.Name = p.block.Name
	}
	if !out.address(args) {
		return 0
	}
	for i, l := range lines[1:min(len(lines), maxPress)] {
		if strings.HasPrefix(l.Text, "-- ") && strings.TrimSpace(l.Text) == "--" {
			break
		}
		word, args := splitKeyword(undecorate(singleBlanks(l.Text)))
		if e, ok := p.words.find(word); ok && e.class == closer && args == "" {
			if p.out.Press = append(p.out.Press, out); len(p.out.Press) > MaxCommands {
				p.out.Press = p.out.Press[:MaxCommands]
				p.once(game.Issue{Line: out.Line, Code: TooManyCommands, Error: true})
			}
			p.tail = false
			return i + 2
		}
		out.Text = append(out.Text, l.Text)
	}
	p.out.Issues = append(p.out.Issues, game.Issue{Line: out.Line, Code: PressOpen, Error: true})
	return 1
}

// address reads what stands behind PRESS: ANONYM, AN name, AN ALLE. Anything
// else makes the line prose.
func (p *Press) address(args string) bool {
	first, rest, _ := strings.Cut(args, " ")
	if oneOf(first, "anonym", "anonymous", "anonimo") {
		p.Anonymous = true
		first, rest, _ = strings.Cut(rest, " ")
	}
	switch {
	case first == "" && rest == "":
		return true
	case !oneOf(first, "an", "to", "a") || rest == "":
		return false
	case oneOf(rest, "alle", "all", "todos"):
		p.All = true
	default:
		var ok bool
		if p.To, ok = name(rest); !ok {
			return false
		}
	}
	return true
}

func oneOf(word string, among ...string) bool {
	word = game.Fold(strings.Trim(word, ":"))
	for _, a := range among {
		if word == a {
			return true
		}
	}
	return false
}

// gameInForce is the game that a line here speaks of.
func (p *parser) gameInForce() string {
	switch {
	case p.late != "":
		return p.late
	case p.open:
		return p.block.Game
	}
	return p.game
}
