// Package report puts views into words: a template a language, a game and a
// report, filled with numbers, names and codes. It knows no rules and no store,
// and no text of a player ever becomes part of a template.
package report

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"ringpost/internal/game"
	"ringpost/internal/orders"
)

// Common is the folder of the words that all games share.
const Common = "common"

// Columns is the widest a line of prose may be in a mail.
const Columns = 76

// Words holds the templates of all languages and games, parsed.
type Words struct {
	sets map[setKey]*template.Template
}

type setKey struct{ lang, folder string }

// Load parses <language>/<game>/<report>.txt below files. Each game's set holds
// the common templates of its language too, so that it may use them.
func Load(files fs.FS) (*Words, error) {
	w := &Words{sets: map[setKey]*template.Template{}}
	langs, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, fmt.Errorf("reading the templates: %w", err)
	}
	for _, lang := range langs {
		if !lang.IsDir() {
			continue
		}
		folders, err := fs.ReadDir(files, lang.Name())
		if err != nil {
			return nil, fmt.Errorf("reading the templates: %w", err)
		}
		for _, f := range folders {
			if err := w.parse(files, lang.Name(), f.Name()); err != nil {
				return nil, err
			}
		}
	}
	if len(w.sets) == 0 {
		return nil, fmt.Errorf("reading the templates: none found")
	}
	return w, nil
}

func (w *Words) parse(files fs.FS, lang, folder string) error {
	set := template.New("").Option("missingkey=error")
	set.Funcs(functions(lang, set))
	for _, dir := range []string{Common, folder} {
		names, err := fs.Glob(files, path.Join(lang, dir, "*.txt"))
		if err != nil {
			return fmt.Errorf("reading the templates: %w", err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return fmt.Errorf("reading the templates: %w", err)
			}
			if _, err := set.New(strings.TrimSuffix(path.Base(name), ".txt")).Parse(string(text)); err != nil {
				return fmt.Errorf("reading the template %s: %w", name, err)
			}
		}
		if dir == folder {
			break
		}
	}
	w.sets[setKey{lang, folder}] = set
	return nil
}

// Languages lists the languages there are words in.
func (w *Words) Has(lang string) bool {
	_, ok := w.sets[setKey{lang, Common}]
	return ok
}

// Render fills the template of a game's report. A template or a field that is
// missing is an error; tests render everything there is.
func (w *Words) Render(lang, folder, name string, data any) (string, error) {
	set, ok := w.sets[setKey{lang, folder}]
	if !ok {
		return "", fmt.Errorf("no words for %s in language %q", folder, lang)
	}
	var b bytes.Buffer
	if err := set.ExecuteTemplate(&b, name, data); err != nil {
		return "", fmt.Errorf("wording %s/%s/%s: %w", lang, folder, name, err)
	}
	return layout(b.String()), nil
}

// View renders what a ruleset answered.
func (w *Words) View(lang, ruleset string, v game.View) (string, error) {
	return w.Render(lang, ruleset, v.Template, v.Data())
}

// Defines reports whether the template exists, for tests of completeness.
func (w *Words) Defines(lang, folder, name string) bool {
	set, ok := w.sets[setKey{lang, folder}]
	return ok && set.Lookup(name) != nil
}

// keepMark stands before lines that must not be wrapped: the rulebook's columns.
const keepMark = "\x00"

func functions(lang string, set *template.Template) template.FuncMap {
	return template.FuncMap{
		// keep marks the line it begins as a table's: it is never wrapped (SR-37).
		"keep": func() string { return keepMark },
		// word is an order keyword in the language.
		"word": func(key game.Keyword) string { return orders.Word(orders.Language(lang), key) },
		// issue says what is wrong with an order line.
		"issue": func(i game.Issue) (string, error) {
			return inner(set, "issue."+i.Code, i)
		},
		// phrase words a code: {{phrase "result" .Code}} uses the template "result.<code>".
		"phrase": func(kind, code string) (string, error) {
			return inner(set, kind+"."+code, nil)
		},
		// rule underlines a heading with as many marks as it has characters.
		"rule": func(mark, text string) string {
			return strings.Repeat(mark, len([]rune(text)))
		},
		"inc": func(n int) int { return n + 1 },
	}
}

func inner(set *template.Template, name string, data any) (string, error) {
	var b strings.Builder
	if err := set.ExecuteTemplate(&b, name, data); err != nil {
		return "", err
	}
	return strings.TrimSpace(b.String()), nil
}

// layout wraps prose at Columns, drops trailing blanks and folds runs of empty
// lines into one.
func layout(text string) string {
	var b strings.Builder
	empty := 1 // begin as after an empty line: none leads
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", ""), "\n") {
		kept := strings.HasPrefix(line, keepMark)
		line = strings.TrimRight(strings.ReplaceAll(line, keepMark, ""), " \t")
		if line == "" {
			if empty++; empty == 1 {
				b.WriteByte('\n')
			}
			continue
		}
		empty = 0
		if kept {
			b.WriteString(line)
			b.WriteByte('\n')
			continue
		}
		wrap(&b, line)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// wrap breaks a line at blanks; what follows keeps the line's indentation.
func wrap(b *strings.Builder, line string) {
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	rest := []rune(line)
	for len(rest) > Columns {
		cut := -1
		for i := Columns; i > len(indent); i-- {
			if rest[i] == ' ' {
				cut = i
				break
			}
		}
		if cut < 0 { // one word wider than the page: better whole than broken
			break
		}
		b.WriteString(strings.TrimRight(string(rest[:cut]), " "))
		b.WriteByte('\n')
		rest = append([]rune(indent), []rune(strings.TrimLeft(string(rest[cut:]), " "))...)
	}
	b.WriteString(string(rest))
	b.WriteByte('\n')
}
