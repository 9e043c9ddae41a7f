package report

import (
	"fmt"
	"strings"
	"text/template"

	"ringpost/internal/game"
	"ringpost/internal/orders"
)

// words are text that templates made: they may hold several lines.
type words string

const (
	// keepMark stands in lines that must not be wrapped: the rulebook's columns.
	// No value can hold it.
	keepMark = "\x00"
	// noBreak is a blank at which no line is broken; in a mail it is one like others.
	noBreak = "\u00a0"
	// quoteMark stands before orders that are shown, so that no program that
	// quotes or forwards a mail of ours can make orders of them; package orders
	// never reads such a line.
	quoteMark = "| "
)

// functions are what templates may call beside the built-in ones. Those that give
// words are listed by wordy too.
func functions(lang string, set *template.Template) template.FuncMap {
	word := func(key any) string {
		return orders.Word(orders.Language(lang), game.Keyword(fmt.Sprint(key)))
	}
	quote := func(line any) words {
		return quoteMark + words(oneLine(fmt.Sprint(line)))
	}
	return template.FuncMap{
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
		// bound is a text that is not broken into two lines.
		"bound": func(text string) string { return strings.ReplaceAll(oneLine(text), " ", noBreak) },
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
