package report

import (
	"errors"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
	"unicode"
	"unicode/utf8"
)

// page is what templates write on. What stands between two marks is a value and
// is brought to one line as it comes; what templates say themselves stands as it
// is.
type page struct {
	text  strings.Builder
	value bool
}

// mark is known by its place in memory, so that no value can be one.
var mark = []byte("mark")

// Write implements io.Writer; a template writes each value and each text of its
// own at once.
func (p *page) Write(b []byte) (int, error) {
	switch {
	case len(b) > 0 && &b[0] == &mark[0]:
		p.value = !p.value
	case p.value:
		p.text.WriteString(oneLine(string(b)))
	default:
		p.text.Write(b)
	}
	return len(b), nil
}

// inner is what a template of the set says within another.
func inner(set *template.Template, name string, data any) (words, error) {
	var p page
	if err := set.ExecuteTemplate(&p, name, data); err != nil {
		return "", err
	}
	return words(strings.TrimSpace(p.text.String())), nil
}

// wordy are the functions that give words; what others give is a value.
var wordy = map[string]bool{"keep": true, "text": true, "quote": true, "order": true, "issue": true, "phrase": true}

// markValues puts marks around every value that a template of the set prints, as
// html/template does with its escapers: so no template can forget it. Those of the
// shared set have them already.
func markValues(set, shared *template.Template, functions template.FuncMap) error {
	m := marker{constants: template.New("constant").Funcs(functions)}
	for _, t := range set.Templates() {
		if other := shared.Lookup(t.Name()); other != nil && other.Tree == t.Tree {
			continue
		}
		if t.Tree != nil {
			m.list(t.Root)
		}
	}
	return m.err
}

// marker goes through templates. What says the same each time is said once and
// for all: most of what a receipt costs is its wording.
type marker struct {
	constants *template.Template // with all functions
	err       error
}

func (m *marker) list(list *parse.ListNode) {
	if list == nil {
		return
	}
	var nodes []parse.Node
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			if len(n.Pipe.Decl) > 0 {
				break
			}
			marked := []parse.Node{n}
			if !saysWords(n.Pipe) {
				text := &parse.TextNode{NodeType: parse.NodeText, Pos: n.Pos, Text: mark}
				marked = []parse.Node{text, n, text}
			}
			if constant(n.Pipe) {
				marked = m.said(n, marked)
			}
			nodes = append(nodes, marked...)
			continue
		case *parse.IfNode:
			m.branch(n.BranchNode)
		case *parse.RangeNode:
			m.branch(n.BranchNode)
		case *parse.WithNode:
			m.branch(n.BranchNode)
		}
		nodes = append(nodes, n)
	}
	list.Nodes = nodes
}

func (m *marker) branch(b parse.BranchNode) {
	m.list(b.List)
	m.list(b.ElseList)
}

// said is the text that constant nodes say, as a node.
func (m *marker) said(at *parse.ActionNode, nodes []parse.Node) []parse.Node {
	var p page
	t, err := m.constants.AddParseTree("said", &parse.Tree{Root: &parse.ListNode{NodeType: parse.NodeList, Nodes: nodes}})
	if err == nil {
		err = t.Execute(&p, nil)
	}
	if err != nil {
		m.err = errors.Join(m.err, err)
	}
	return []parse.Node{&parse.TextNode{NodeType: parse.NodeText, Pos: at.Pos, Text: []byte(p.text.String())}}
}

// constant reports whether a pipeline calls one of the functions that always say
// the same of the same, with nothing but constants.
func constant(p *parse.PipeNode) bool {
	if len(p.Cmds) != 1 || p.IsAssign {
		return false
	}
	args := p.Cmds[0].Args
	function, ok := args[0].(*parse.IdentifierNode)
	if !ok || !slices.Contains([]string{"keep", "word", "order", "quote"}, function.Ident) {
		return false
	}
	return !slices.ContainsFunc(args[1:], func(n parse.Node) bool {
		return n.Type() != parse.NodeString && n.Type() != parse.NodeNumber
	})
}

// saysWords reports whether the last command of a pipeline gives words.
func saysWords(p *parse.PipeNode) bool {
	function, ok := p.Cmds[len(p.Cmds)-1].Args[0].(*parse.IdentifierNode)
	return ok && wordy[function.Ident]
}

// oneLine makes a blank of every character that could end a line, move the
// cursor or turn the reading direction.
func oneLine(s string) string {
	if !strings.ContainsFunc(s, unruly) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r != utf8.RuneError && unruly(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// unruly tells what may not stand in a line, bytes that are no characters among it.
func unruly(r rune) bool {
	if r < 0x0600 { // before the first of the bidirectional controls
		return unicode.IsControl(r)
	}
	return r == utf8.RuneError || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}
