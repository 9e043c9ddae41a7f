package report

import (
	"errors"
	"fmt"
	"strings"
	"text/template"
	"text/template/parse"
	"unicode"

	"ringpost/internal/game"
	"ringpost/internal/orders"
)

// words are text that templates made: they may hold several lines.
type words string

const (
	// keepMark stands in lines that must not be wrapped: the rulebook's columns.
	// No value can hold it.
	keepMark = "\x00"
	// quoteMark stands before orders that are shown, so that no program that
	// quotes or forwards a mail of ours can make orders of them; package orders
	// never reads such a line.
	quoteMark = "| "
)

// functions are what templates may call beside the built-in ones.
func functions(lang string, set *template.Template) template.FuncMap {
	word := func(key any) string {
		return orders.Word(orders.Language(lang), game.Keyword(fmt.Sprint(key)))
	}
	quote := func(line any) words {
		return quoteMark + words(oneLine(fmt.Sprint(line)))
	}
	return template.FuncMap{
		// clean ends every pipeline; see cleanValues.
		"clean": clean,
		// keep marks the line it begins as a table's: it is never wrapped (SR-37).
		"keep": func() words { return keepMark },
		// text takes what has been rendered before, line by line as it is.
		"text": func(rendered string) words {
			lines := strings.Split(strings.TrimRight(rendered, "\n"), "\n")
			for i, l := range lines {
				lines[i] = keepMark + oneLine(l)
			}
			return words(strings.Join(lines, "\n"))
		},
		// word is an order keyword in the language.
		"word": word,
		// quote shows an order line.
		"quote": quote,
		// order shows the order line of a keyword: {{order "REPORT" 7}}.
		"order": func(key any, args ...any) words {
			line := word(key)
			for _, a := range args {
				line += " " + fmt.Sprint(a)
			}
			return quote(line)
		},
		// issue says what is wrong with an order line.
		"issue": func(i game.Issue) (words, error) {
			return inner(set, "issue."+i.Code, i)
		},
		// phrase words a code: {{phrase "result" .Code}} uses the template
		// "result.<code>", with a third argument as its data.
		"phrase": func(kind, code string, data ...any) (words, error) {
			if len(data) == 0 {
				return inner(set, kind+"."+code, nil)
			}
			return inner(set, kind+"."+code, data[0])
		},
		// rule underlines a heading with as many marks as it has columns.
		"rule": func(mark, text string) string {
			return strings.Repeat(mark, min(width(oneLine(text)), Columns))
		},
		// list joins names.
		"list": func(items []string) string { return strings.Join(items, ", ") },
		"inc":  func(n int) int { return n + 1 },
	}
}

func inner(set *template.Template, name string, data any) (words, error) {
	var b strings.Builder
	if err := set.ExecuteTemplate(&b, name, data); err != nil {
		return "", err
	}
	return words(strings.TrimSpace(b.String())), nil
}

// cleanValues makes every value that a template of the set prints pass through
// clean, as html/template does with its escapers: so no template can forget it.
func cleanValues(set *template.Template) {
	for _, t := range set.Templates() {
		if t.Tree != nil {
			cleanNodes(t.Root)
		}
	}
}

func cleanNodes(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			if len(n.Pipe.Decl) == 0 { // it prints
				n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{
					NodeType: parse.NodeCommand,
					Pos:      n.Pos,
					Args:     []parse.Node{parse.NewIdentifier("clean").SetPos(n.Pos)},
				})
			}
		case *parse.IfNode:
			cleanBranch(n.BranchNode)
		case *parse.RangeNode:
			cleanBranch(n.BranchNode)
		case *parse.WithNode:
			cleanBranch(n.BranchNode)
		}
	}
}

func cleanBranch(b parse.BranchNode) {
	cleanNodes(b.List)
	cleanNodes(b.ElseList)
}

// clean brings a value to text of one line; only words may be more.
func clean(v any) (words, error) {
	switch v := v.(type) {
	case nil:
		return "", errors.New("there is no value")
	case words:
		return v, nil
	}
	return words(oneLine(fmt.Sprint(v))), nil
}

// oneLine makes a blank of every character that could end a line, move the
// cursor or turn the reading direction.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
