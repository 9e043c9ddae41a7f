// Package orders finds order blocks and commands in the clean text of a letter
// and splits them into statements. It knows the words players use and where
// lines may stand, nothing of any game's rules. It is pure and imports nothing
// of the project but game.
package orders

import (
	"strings"

	"ringpost/internal/game"
)

// Line is one line of a letter's clean text.
type Line struct {
	N    int // counted from 1 in the letter as its writer sees it
	Text string
}

// Command is a line that asks for something by itself.
type Command struct {
	Line    int
	Keyword game.Keyword
	Args    string
	Game    string // from the GAME line in force, "" when there was none
	Name    string // of the block it stands in, "" outside
}

// Text is what a letter orders.
type Text struct {
	Blocks   []game.Block
	Commands []Command
	Issues   []game.Issue // of no block
}

// MaxBlocks bounds what one letter may order; more is an issue, not an order.
const MaxBlocks = 50

// Parse finds blocks and commands (G-4, G-5). Everything else is prose and
// ignored.
func Parse(lines []Line) Text {
	p := parser{words: newLexicon()}
	for _, l := range lines {
		p.line(l)
	}
	p.close()
	return p.out
}

type parser struct {
	words lexicon
	out   Text

	game string // from the last GAME line
	// late is a GAME line that came inside a block which had none yet. It is
	// the block's own unless a new NAME follows directly: then it opens that one.
	late  string
	open  bool
	block game.Block
	tail  bool // the line above was a statement or the rest of one
	named bool // a NAME line has been seen: figures alone open no block any more
}

func (p *parser) line(l Line) {
	if t := strings.TrimRight(l.Text, " \t\u00a0"); t == "--" {
		p.close() // a signature costs nothing but the block above it (G-4)
		return
	}
	text, _, _ := strings.Cut(l.Text, "#")
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		p.tail = false
		return
	}
	word, args := splitKeyword(text)
	e, ok := p.words.byWord[game.Fold(word)]
	if !ok || !e.fits(args) {
		p.prose(l.N, text, word, args)
		return
	}
	p.tail = false
	switch e.class {
	case header:
		p.header(args)
	case opener:
		p.name(l.N, args)
	case closer:
		p.close()
	case command:
		name := ""
		if p.open {
			name = p.block.Name
		}
		p.out.Commands = append(p.out.Commands, Command{l.N, e.key, args, p.gameInForce(), name})
	case line:
		p.statement(l.N, e.key, args)
	}
}

// splitKeyword parts a line at the first blank or colon.
func splitKeyword(text string) (word, args string) {
	i := strings.IndexAny(text, " :")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimLeft(text[i:], ": ")
}

func (p *parser) gameInForce() string {
	if p.open && p.block.Game != "" {
		return p.block.Game
	}
	if p.late != "" {
		return p.late
	}
	return p.game
}

func (p *parser) header(id string) {
	if p.open && p.block.Game == "" && p.late == "" {
		p.late = id
		return
	}
	p.close()
	p.game = id
}

func (p *parser) name(n int, name string) {
	p.named = true
	if p.open && p.block.Name == "" { // figures first, the name below them
		p.block.Name = name
		return
	}
	if p.late != "" && p.open {
		p.game, p.late = p.late, "" // it stood above this NAME, not below the last one
	}
	p.close()
	p.begin(n)
	p.block.Name = name
}

func (p *parser) begin(n int) {
	p.open, p.block = true, game.Block{Line: n, Game: p.game}
}

func (p *parser) statement(n int, key game.Keyword, args string) {
	if !p.open {
		if p.named || key != game.KeyMove && key != game.KeyRound {
			return // outside a block only figures can be meant as orders
		}
		p.begin(n)
	}
	if p.late != "" {
		p.block.Game, p.late = p.late, ""
		p.game = p.block.Game
	}
	if key == game.KeyRound {
		p.block.Round = leadingNumber(args)
		return
	}
	p.block.Statements = append(p.block.Statements, game.Statement{Line: n, Keyword: key, Args: args})
	p.tail = true
}

// prose is a line without keyword: the rest of the line above, a slip of the
// fingers, or words that concern nobody but their writer.
func (p *parser) prose(n int, text, word, args string) {
	if !p.open {
		return
	}
	if key, ok := p.words.nearest(game.Fold(word)); ok && p.fits(key, args) {
		p.block.Issues = append(p.block.Issues, game.Issue{Line: n, Code: "line-unknown", Args: []string{text, string(key)}})
		p.tail = false
		return
	}
	if last := len(p.block.Statements) - 1; p.tail && last >= 0 {
		s := &p.block.Statements[last]
		s.Tail = append(s.Tail, text)
	}
}

func (p *parser) fits(key game.Keyword, args string) bool {
	for _, e := range table() {
		if e.key == key {
			return e.fits(args)
		}
	}
	return false
}

func (p *parser) close() {
	if p.late != "" {
		p.game = p.late
		if p.open {
			p.block.Game = p.late
		}
		p.late = ""
	}
	if !p.open {
		return
	}
	p.open, p.tail = false, false
	if len(p.out.Blocks) == MaxBlocks {
		p.out.Issues = append(p.out.Issues, game.Issue{Line: p.block.Line, Code: "too-many-blocks", Error: true})
		return
	}
	p.out.Blocks = append(p.out.Blocks, p.block)
}

// leadingNumber reads the digits at the start of s; what is too large to be a
// round is 1,000,000 and so names none.
func leadingNumber(s string) int {
	n := 0
	for _, r := range s {
		if r < '0' || r > '9' {
			break
		}
		if n = n*10 + int(r-'0'); n > 1_000_000 {
			return 1_000_000
		}
	}
	return n
}
