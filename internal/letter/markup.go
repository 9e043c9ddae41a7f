package letter

import (
	"strings"

	"golang.org/x/net/html"
)

// maxOpen bounds the open elements that are kept track of; long threads nest some
// hundred. Those beyond are counted only.
const maxOpen = 512

// htmlRows renders HTML as rows, up to limit bytes of text; size is what it took
// (more than limit if it was cut off). Words stay whole across inline elements,
// lines break where block elements and <br> do, and what a mail program marks as a
// quote has a depth.
func htmlRows(source string, limit int) (rows []row, size int) {
	r := renderer{limit: limit, skipping: true}
	r.run(source)
	if r.skip.name != "" { // never closed: better too much text than too little
		r = renderer{limit: limit}
		r.run(source)
	}
	return r.rows(), r.size
}

// renderer turns a stream of tags into lines. It keeps track of the few elements
// that matter here and lets all others be, so that no markup is too deep or too
// broken for it.
type renderer struct {
	page     lines
	out      *lines    // where text goes: the page or the table cell being read
	open     []element // quotes, divs, tables and cells
	beyond   int       // open elements beyond maxOpen
	missing  kinds     // of which none can be closed, as open stands
	depth    int       // how many of them are quotes
	pre      nest      // an element whose line ends count
	skip     nest      // an element whose text does not belong to the letter
	skipping bool
	limit    int
	size     int
}

// element is an open block that may be a quote, or a table or cell.
type element struct {
	kind  kind
	quote bool
	table *table
}

type kind byte

const (
	aDiv kind = iota + 1
	aBlockquote
	aTable
	aRow // never open for itself: the table knows its cells
	aCell
)

// kinds is a set of kinds.
type kinds byte

// kindOf knows the elements that are kept track of.
var kindOf = map[string]kind{"div": aDiv, "blockquote": aBlockquote, "table": aTable, "tr": aRow, "td": aCell, "th": aCell}

// nest is an element of any name, with those of the same name inside it.
type nest struct {
	name  string
	depth int
}

func (n *nest) start(name string, begins bool) {
	switch {
	case n.name == "" && begins:
		n.name, n.depth = name, 1
	case n.name == name:
		n.depth++
	}
}

func (n *nest) end(name string) {
	if n.name == name {
		if n.depth--; n.depth == 0 {
			n.name = ""
		}
	}
}

func (r *renderer) run(source string) {
	r.out = &r.page
	tokens := html.NewTokenizer(strings.NewReader(source))
	for r.size <= r.limit {
		switch tokens.Next() {
		case html.ErrorToken:
			r.closeAll()
			return
		case html.TextToken:
			if r.skip.name == "" {
				r.text(string(tokens.Text()))
			}
		case html.StartTagToken:
			name, attrs := readTag(tokens)
			r.start(name, attrs)
		case html.SelfClosingTagToken:
			if name, attrs := readTag(tokens); voidElements[name] {
				r.start(name, attrs)
			}
		case html.EndTagToken:
			name, _ := tokens.TagName()
			r.end(string(name))
		}
	}
	r.closeAll()
}

// attributes are those of a tag that say something about quoting and line ends.
type attributes struct{ class, id, name, style, kind, cite string }

func readTag(tokens *html.Tokenizer) (name string, a attributes) {
	raw, more := tokens.TagName()
	name = string(raw)
	for more {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		switch string(key) {
		case "class":
			a.class = strings.ToLower(string(value))
		case "id":
			a.id = strings.ToLower(string(value))
		case "name":
			a.name = strings.ToLower(string(value))
		case "style":
			a.style = strings.ToLower(strings.Join(strings.Fields(string(value)), ""))
		case "type":
			a.kind = strings.ToLower(string(value))
		case "cite":
			a.cite = string(value)
		}
	}
	return name, a
}

func (r *renderer) start(name string, a attributes) {
	if voidElements[name] {
		if r.skip.name != "" {
			return
		}
		switch name {
		case "br":
			r.size++
			r.out.end(r.depth)
		case "hr":
			r.out.flush(r.depth)
		}
		return
	}
	r.skip.start(name, r.skipping && (skippedElements[name] || strings.Contains(a.style, "mso-list:ignore")))
	if r.skip.name != "" {
		return
	}
	r.pre.start(name, name == "pre" || name == "textarea" || strings.Contains(a.style, "white-space:pre") || strings.Contains(a.style, "white-space:break-spaces"))
	if blockElements[name] {
		r.out.flush(r.depth)
	}
	if name == "sup" { // the reading of 2<sup>1</sup>/<sub>2</sub> is not 21/2
		r.out.apart()
	}
	switch k := kindOf[name]; k {
	case aTable:
		r.push(element{kind: k, table: &table{around: r.out}})
	case aRow:
		r.closeTo(k)
	case aCell:
		r.size++
		r.startCell()
	case aDiv, aBlockquote:
		r.push(element{kind: k, quote: isQuote(k, a)})
	}
}

func (r *renderer) end(name string) {
	if r.skip.name != "" {
		r.skip.end(name)
		return
	}
	r.pre.end(name)
	if name == "br" { // a browser takes </br> for <br>
		r.out.end(r.depth)
		return
	}
	if blockElements[name] {
		r.out.flush(r.depth)
	}
	if k := kindOf[name]; k != 0 {
		r.closeTo(k)
	}
}

// push opens an element and reports whether it is kept track of.
func (r *renderer) push(e element) bool {
	if len(r.open) >= maxOpen {
		r.beyond++
		return false
	}
	if e.quote {
		r.depth++
	}
	r.missing = 0
	r.open = append(r.open, e)
	return true
}

// closeTo closes the innermost element of that kind and what is open inside it. A
// cell holds in what begins in it: </div> there closes no div around the table.
func (r *renderer) closeTo(k kind) {
	if r.beyond > 0 && k != aRow {
		r.beyond--
		return
	}
	if r.missing&(1<<k) != 0 {
		return
	}
	for i := len(r.open) - 1; i >= 0; i-- {
		switch open := r.open[i].kind; {
		case k == aRow && open == aTable:
			t := r.open[i].table
			r.closeFrom(i + 1)
			t.endRow()
			return
		case open == k:
			r.closeFrom(i)
			return
		case open == aTable, open == aCell && (k == aDiv || k == aBlockquote):
			r.missing |= 1 << k
			return
		}
	}
	r.missing |= 1 << k
}

func (r *renderer) closeAll() { r.closeFrom(0) }

// closeFrom closes all elements from the i-th on, the innermost first.
func (r *renderer) closeFrom(i int) {
	r.missing = 0
	for len(r.open) > i {
		r.out.flush(r.depth)
		e := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		switch {
		case e.quote:
			r.depth--
		case e.kind == aCell:
			e.table.cells = append(e.table.cells, r.out)
			r.out = e.table.around
		case e.kind == aTable:
			e.table.endRow()
		}
	}
	r.out.flush(r.depth)
}

// startCell begins a cell of the innermost table; outside any table a cell is a
// piece of text apart.
func (r *renderer) startCell() {
	for i := len(r.open) - 1; i >= 0 && r.beyond == 0; i-- {
		switch e := r.open[i]; e.kind {
		case aCell:
			r.closeFrom(i)
		case aTable:
			r.closeFrom(i + 1)
			if r.push(element{kind: aCell, table: e.table}) {
				r.out = &lines{}
			}
			return
		}
	}
	r.out.apart()
}

func (r *renderer) text(s string) {
	r.size += len(s)
	pre := r.pre.name != ""
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n' && pre:
			r.out.end(r.depth)
		case (c == ' ' || c == '\t') && pre:
			r.out.current = append(r.out.current, ' ')
		case c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r':
			r.out.apart()
		default:
			r.out.add(c)
		}
	}
}

func (r *renderer) rows() []row {
	rows := make([]row, 0, len(r.page.done))
	for _, l := range r.page.done {
		for _, text := range strings.Split(lineEnds.Replace(l.text), "\n") {
			rows = append(rows, makeRow(l.depth, text))
		}
	}
	return rows
}

// lines collects text line by line.
type lines struct {
	done    []rendered
	current []byte
	space   bool // a blank is due before the next word
}

type rendered struct {
	depth int
	text  string
}

func (l *lines) add(c byte) {
	if l.space {
		l.current, l.space = append(l.current, ' '), false
	}
	l.current = append(l.current, c)
}

// apart puts a blank before the next word, unless it begins the line.
func (l *lines) apart() { l.space = len(l.current) > 0 }

// end ends the line, blank or not.
func (l *lines) end(depth int) {
	text := string(l.current)
	if text == "--" && l.space {
		text = "-- " // the signature delimiter keeps its blank
	}
	l.done = append(l.done, rendered{depth, text})
	l.current, l.space = l.current[:0], false
}

// flush ends the line if there is anything in it.
func (l *lines) flush(depth int) {
	if len(l.current) > 0 {
		l.end(depth)
	}
	l.space = false
}

// table joins the cells of a row.
type table struct {
	around *lines
	cells  []*lines
}

// endRow writes a row out. Orders typed into a table are read across: a cell with a
// label and others with its values, or a column of labels and one of values. Any
// other row lays out a page, and its cells follow one another.
func (t *table) endRow() {
	var cells [][]rendered
	for _, cell := range t.cells {
		if done := trimLines(cell.done); len(done) > 0 {
			cells = append(cells, done)
		}
	}
	t.cells = nil
	if !readAcross(cells) {
		for _, cell := range cells {
			t.around.done = append(t.around.done, cell...)
		}
		return
	}
	for i := range cells[0] {
		var words []string
		deepest := 0
		for _, cell := range cells {
			words = append(words, cell[i].text)
			deepest = max(deepest, cell[i].depth)
		}
		t.around.done = append(t.around.done, rendered{deepest, strings.Join(words, " ")})
	}
}

// readAcross reports whether the first cell labels the others, line by line; or, in
// a row of one line, whether the others hold but a word each.
func readAcross(cells [][]rendered) bool {
	if len(cells) < 2 {
		return false
	}
	words, wordy := true, false
	for _, cell := range cells[1:] {
		if len(cell) != len(cells[0]) {
			return false
		}
		wordy = wordy || !isWord(cell[0].text)
	}
	for _, line := range cells[0] {
		words = words && (isWord(line.text) || strings.HasSuffix(line.text, ":"))
	}
	return words || len(cells[0]) == 1 && !wordy
}

func isWord(s string) bool { return len(strings.Fields(s)) <= 1 }

func trimLines(done []rendered) []rendered {
	blank := func(l rendered) bool { return strings.Trim(l.text, " \u00a0") == "" }
	for len(done) > 0 && blank(done[0]) {
		done = done[1:]
	}
	for len(done) > 0 && blank(done[len(done)-1]) {
		done = done[:len(done)-1]
	}
	return done
}

// isQuote reports whether a mail program marks this block as what somebody else
// wrote.
func isQuote(k kind, a attributes) bool {
	bar := strings.Contains(a.style, "border-left:") &&
		!strings.Contains(a.style, "border-left:none") && !strings.Contains(a.style, "border-left:0") &&
		!strings.Contains(a.style, "border-left:medium")
	if k == aDiv {
		// GMX and web.de name the block, Yahoo classes it, Outlook draws a bar.
		return bar || a.name == "quote" || strings.Contains(a.class, "yahoo_quoted") || strings.Contains(a.id, "yahoo_quoted")
	}
	// A blockquote without a border that nobody calls a citation is how Gmail and
	// Apple Mail indent the sender's own text.
	indented := strings.Contains(a.style, "border:none") || strings.Contains(a.style, "border:0") || strings.Contains(a.style, "border:medium")
	cited := a.kind == "cite" || a.cite != "" || strings.Contains(a.class, "quote") || strings.Contains(a.class, "cite")
	return bar || cited || !indented
}

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(names) {
		m[name] = true
	}
	return m
}

var (
	voidElements    = set("area base br col embed hr img input link meta param source track wbr")
	skippedElements = set("title style script xml iframe noembed noframes")
	blockElements   = set(`address article aside blockquote body caption center dd details dialog div dl dt
		fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header html legend li main nav ol p pre
		section summary table tbody tfoot thead tr ul`)
)
