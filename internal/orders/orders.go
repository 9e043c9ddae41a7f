package orders

import (
	"slices"
	"strconv"
	"strings"

	"ringpost/internal/game"
)

// Line is one line of a letter's clean text.
type Line struct {
	N    int // counted from 1 in the letter as its writer sees it
	Text string
}

// Lines numbers the lines of a text from 1.
func Lines(text string) []Line {
	var lines []Line
	for t := range strings.Lines(text) {
		lines = append(lines, Line{len(lines) + 1, strings.TrimRight(t, "\r\n")})
	}
	return lines
}

// Command is a line that asks for something by itself.
type Command struct {
	Line    int
	Keyword game.Keyword
	Args    string
	Game    string // from the GAME line in force, "" when there was none
	Name    string // of the block it stands in, "" outside
	// Lang is the language of the word it was written with, "" when several have it.
	Lang Language
}

// Text is what a letter orders.
type Text struct {
	// Blocks are in the letter's order. One may hold a name and nothing more:
	// when no seat is called so, it was a line of prose.
	Blocks   []game.Block
	Commands []Command
	Press    []Press
	Issues   []game.Issue // of no block
}

// Bounds on what one letter may order. What is beyond is an issue, not an order.
const (
	MaxBlocks   = 50
	MaxCommands = 20
	MaxLines    = 200 // statements and issues of a block
	MaxTail     = 10  // lines that a statement may go on for
)

// The codes of issues. All but line-unknown are errors.
const (
	// LineUnknown: a line of a block that was passed over; its keyword seems
	// mistyped. Args: the line, the keyword that was probably meant.
	LineUnknown = "line-unknown"
	// LineMisread: a line of a block that was passed over, because no number stands
	// behind its keyword. Args: the line, its keyword.
	LineMisread = "line-misread"
	// LineOutside: figures that stand in no block, below one that has ended.
	// Args: the figures.
	LineOutside = "line-outside"
	// TooManyLines, TooManyBlocks, TooManyCommands: the rest was passed over.
	TooManyLines    = "too-many-lines"
	TooManyBlocks   = "too-many-blocks"
	TooManyCommands = "too-many-commands"
)

// IssueCodes lists the codes of this package's issues.
func IssueCodes() []string {
	return []string{LineUnknown, LineMisread, LineOutside, TooManyLines, TooManyBlocks, TooManyCommands, PressOpen}
}

// Parse finds blocks and commands (G-4, G-5). Everything else is prose and
// ignored.
func Parse(lines []Line) Text {
	p := parser{words: allWords()}
	for len(lines) > 0 {
		n := p.press(lines)
		if n == 0 {
			p.line(lines[0], lines[1:])
			n = 1
		}
		lines = lines[n:]
	}
	p.close()
	return p.out
}

// parser holds the block being read and what carries over between blocks.
type parser struct {
	words *lexicon
	out   Text

	game  string // from the last GAME line, for the blocks that follow (G-5)
	fresh bool   // no block has begun since that line
	named bool   // a NAME line has been seen since then: figures alone open no block
	// late is a GAME line in a block that had none of its own. It is the block's
	// unless a NAME follows directly: then it opens that one.
	late string

	open    bool
	block   game.Block
	own     bool // the block has a GAME line of its own
	figures bool // the block has a line that is unmistakably one of orders
	plan    bool // the block has a line of a plan
	asked   bool // the block has a command
	doubt   bool // a mistyped NAME may have ended the block
	tail    bool // the line above was a statement or the rest of one
}

func (p *parser) line(l Line, below []Line) {
	if strings.HasPrefix(l.Text, "-- ") && strings.TrimSpace(l.Text) == "--" {
		p.close() // a signature costs nothing but the block above it (G-4)
		return
	}
	text, bare := uncover(l)
	if bare == "" {
		p.tail = false
		return
	}
	e, args, known := p.words.read(bare)
	if known && e.class == command && strings.HasSuffix(bare, ":") {
		known = false // "Orders:" is a heading
	}
	if e.class == besideLine && !p.plan || e.class == besideOpener {
		known = known && p.planBelow(below)
	}
	known = known || e.class == shaped && p.meant(l.N, e.key, args, below)
	switch {
	case p.open && p.block.Manager && e.class != managerOpener:
		e, args, known = p.inManagers(bare, e, args, known)
	case e.class == managed:
		known = false
	}
	if e.class == managerOpener {
		known = known && p.managedBelow(below)
	}
	if !known {
		if !p.misread(l.N, bare) {
			p.prose(l.N, text, bare)
		}
		return
	}
	p.tail = false
	switch e.class {
	case header:
		p.header(args)
	case opener, besideOpener:
		p.name(l.N, args)
	case closer:
		p.close()
	case command:
		p.command(l.N, e.key, args, e.language(bare))
	case managerOpener:
		p.manager(l.N, args)
	case line, shaped, besideLine, managed:
		p.statement(l.N, e, args)
	}
}

// uncover takes comment and blanks off a line, then marks of lists and emphasis.
// Of a quote, our own or a mailer's, nothing remains.
func uncover(l Line) (text, bare string) {
	text, _, _ = strings.Cut(l.Text, "#")
	text = singleBlanks(text)
	if bare = undecorate(text); bare != "" && (text[0] == '>' || text[0] == '|') {
		bare = ""
	}
	return text, bare
}

func (p *parser) header(id string) {
	if p.open && !p.own && p.late == "" {
		p.late = id
		return
	}
	p.close()
	p.game, p.fresh, p.named = id, true, false
}

// settle gives a GAME line inside a block to the block.
func (p *parser) settle() {
	if p.late != "" {
		p.block.Game, p.game, p.own, p.late = p.late, p.late, true, ""
	}
}

func (p *parser) name(n int, name string) {
	if p.open && p.block.Name == "" { // figures first, the name below them
		p.named = true
		p.settle()
		p.block.Name = name
		return
	}
	p.opened(n, name)
}

// opened begins a block of this name; the one above ends.
func (p *parser) opened(n int, name string) {
	p.named = true
	if p.late != "" { // it stood above this NAME, not below the last one
		p.game, p.fresh, p.late = p.late, true, ""
	}
	p.close()
	p.begin(n)
	p.block.Name = name
}

func (p *parser) begin(n int) {
	p.open, p.block = true, game.Block{Line: n, Game: p.game}
	p.own, p.fresh = p.fresh, false
	p.figures, p.plan, p.asked, p.doubt = false, false, false, false
}

func (p *parser) command(n int, key game.Keyword, args string, lang Language) {
	if len(p.out.Commands) == MaxCommands {
		p.once(game.Issue{Line: n, Code: TooManyCommands, Error: true})
		return
	}
	c := Command{Line: n, Keyword: key, Args: args, Game: p.gameInForce(), Lang: lang}
	if p.open {
		c.Name = p.block.Name
		p.asked = true
	}
	p.out.Commands = append(p.out.Commands, c)
}

func (p *parser) statement(n int, e entry, args string) {
	if !p.open {
		if strings.Contains(args, " ") && !isFigures(e.key) {
			return // above a name only the plainest lines count
		}
		p.begin(n)
	}
	p.settle()
	switch {
	case e.key == game.KeyRound:
		if p.block.Round, _ = strconv.Atoi(args); p.block.Round == 0 {
			p.block.Round = game.RoundUnread
		}
		return
	case (isFigures(e.key) || e.class == shaped) && p.figures && p.doubt:
		p.outside(n, args) // perhaps another's, under a NAME that was mistyped
		return
	case p.full(n):
		return
	case e.key == game.KeyNew && Reserved(args): // a fighter's name, too, stands in tables (G-13)
		p.block.Issues = append(p.block.Issues, game.Issue{Line: n, Code: "name-reserved", Args: []string{game.Clip(args, game.ClipIssue)}, Error: true})
		p.tail = false
		return
	}
	p.figures = p.figures || isFigures(e.key)
	p.plan = p.plan || e.class == shaped
	p.block.Statements = append(p.block.Statements, game.Statement{Line: n, Keyword: e.key, Args: args})
	p.tail = true
}

// isFigures tells the lines that are orders wherever they stand.
func isFigures(key game.Keyword) bool {
	return key == game.KeyMove || key == game.KeyPunch || key == game.KeyExpect
}

// FilledIn reports whether a block orders something: one of its lines is more than a
// remark, and holds more than the blanks of a ready block.
func FilledIn(b game.Block) bool {
	return slices.ContainsFunc(b.Statements, func(st game.Statement) bool {
		switch e := allWords().byKey[st.Keyword]; {
		case isFigures(st.Keyword):
			return strings.ContainsAny(st.Args, digits)
		case e.class == managed:
			return !slices.ContainsFunc(strings.Fields(st.Args), func(w string) bool { return strings.Trim(w, "_") == "" })
		default:
			return e.class == shaped
		}
	})
}

// misread notes a line of a block whose keyword wants a number and has something
// else that looks like one: a round that is not understood must not be guessed.
func (p *parser) misread(n int, bare string) bool {
	word, args := splitKeyword(bare)
	e, ok := p.words.find(word)
	if !ok || !p.open || e.class != line || !e.number() || args == "" {
		return false
	}
	if _, fits := e.read(args); fits {
		return false // it is no line of this kind of block
	}
	if strings.Contains(args, " ") && (e.key != game.KeyRound || !strings.ContainsAny(args, digits)) {
		return false // words about a league, not a line of the block
	}
	p.settle()
	if e.key == game.KeyRound {
		p.block.Round = game.RoundUnread
	}
	if !p.full(n) {
		p.block.Issues = append(p.block.Issues, game.Issue{Line: n, Code: LineMisread, Args: []string{game.Clip(bare, game.ClipIssue), string(e.key)}})
	}
	p.tail = false
	return true
}

// prose is a line without keyword: the rest of the line above, a slip of the
// fingers, or words that concern nobody but their writer.
func (p *parser) prose(n int, text, bare string) {
	if !p.open {
		return
	}
	if p.block.Name == "" && p.block.Round == 0 && !p.figures {
		p.close() // "Training was hard." is no line above a NAME
		return
	}
	if key, ok := p.words.nearest(bare, p.block.Manager); ok {
		p.tail = false
		p.doubt = p.doubt || key == game.KeyName
		if !p.full(n) {
			p.block.Issues = append(p.block.Issues, game.Issue{Line: n, Code: LineUnknown, Args: []string{game.Clip(text, game.ClipIssue), string(key)}})
		}
		return
	}
	if last := len(p.block.Statements) - 1; p.tail && last >= 0 {
		if s := &p.block.Statements[last]; len(s.Tail) < MaxTail {
			s.Tail = append(s.Tail, text)
		}
	}
}

// full reports whether the block holds as much as it may, and says so once.
func (p *parser) full(n int) bool {
	lines := len(p.block.Statements) + len(p.block.Issues)
	if lines == MaxLines {
		p.block.Issues = append(p.block.Issues, game.Issue{Line: n, Code: TooManyLines, Error: true})
	}
	return lines >= MaxLines
}

func (p *parser) close() {
	p.settle()
	if !p.open {
		return
	}
	b := p.block
	p.open, p.tail = false, false
	switch {
	case b.Name == "" && !p.figures: // nothing that need be meant as orders
		p.fresh = p.own
	case b.Name == "" && p.named:
		for _, s := range b.Statements {
			if isFigures(s.Keyword) {
				p.outside(s.Line, s.Args)
			}
		}
	case p.asked && len(b.Statements) == 0 && len(b.Issues) == 0: // the commands hold its name
	case len(p.out.Blocks) == MaxBlocks:
		p.once(game.Issue{Line: b.Line, Code: TooManyBlocks, Error: true})
	default:
		p.out.Blocks = append(p.out.Blocks, b)
	}
}

func (p *parser) outside(n int, args string) {
	if len(p.out.Issues) < MaxLines {
		p.out.Issues = append(p.out.Issues, game.Issue{Line: n, Code: LineOutside, Args: []string{game.Clip(args, game.ClipIssue)}, Error: true})
	}
}

// once adds an issue unless one of its code is there.
func (p *parser) once(i game.Issue) {
	if !slices.ContainsFunc(p.out.Issues, func(o game.Issue) bool { return o.Code == i.Code }) {
		p.out.Issues = append(p.out.Issues, i)
	}
}
