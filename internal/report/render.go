// Package report puts views into words: a template a language, a game and a
// report, filled with numbers, names and codes. It knows no rules and no store.
//
// What players wrote is data: no text of theirs ever becomes part of a template,
// no value can begin a line of its own, and quoted orders stand behind a mark
// that keeps them from being read as orders again.
package report

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"text/template"

	"ringpost/internal/game"
)

// Common is the folder of the words that all games share.
const Common = "common"

// Words holds the templates of all languages and games. Each language's set for a
// game is parsed when it is first needed: most runs of the program need one or two.
type Words struct {
	sets map[setKey]func() (*template.Template, error)
}

type setKey struct{ lang, folder string }

// Load finds <language>/<game>/<report>.txt below files. Each game's set holds
// the common templates of its language too, so that it may use them.
func Load(files fs.FS) (*Words, error) {
	w := &Words{sets: map[setKey]func() (*template.Template, error){}}
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
			k := setKey{lang.Name(), f.Name()}
			w.sets[k] = sync.OnceValues(func() (*template.Template, error) { return w.parse(files, k) })
		}
	}
	if len(w.sets) == 0 {
		return nil, fmt.Errorf("reading the templates: none found")
	}
	return w, nil
}

// parse makes a language's set for a game, on top of what all its games share.
func (w *Words) parse(files fs.FS, k setKey) (*template.Template, error) {
	set, shared := template.New("").Option("missingkey=error"), template.New("")
	if k.folder != Common && w.Has(k.lang) {
		var err error
		if shared, err = w.set(k.lang, Common); err != nil {
			return nil, err
		}
		if set, err = shared.Clone(); err != nil {
			return nil, fmt.Errorf("reading the templates: %w", err)
		}
	}
	funcs := functions(k.lang, set)
	set.Funcs(funcs)
	names, err := fs.Glob(files, path.Join(k.lang, k.folder, "*.txt"))
	if err != nil {
		return nil, fmt.Errorf("reading the templates: %w", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("reading the templates: %w", err)
		}
		if _, err := set.New(strings.TrimSuffix(path.Base(name), ".txt")).Parse(string(text)); err != nil {
			return nil, fmt.Errorf("reading the template %s: %w", name, err)
		}
	}
	if err := markValues(set, shared, funcs); err != nil {
		return nil, fmt.Errorf("reading the templates of %s: %w", k.folder, err)
	}
	return set, nil
}

// Has reports whether there are words in a language.
func (w *Words) Has(lang string) bool {
	_, ok := w.sets[setKey{lang, Common}]
	return ok
}

// Languages lists the languages there are words in, sorted.
func (w *Words) Languages() []string {
	var langs []string
	for k := range w.sets {
		if k.folder == Common {
			langs = append(langs, k.lang)
		}
	}
	slices.Sort(langs)
	return langs
}

// Render fills the template of a game's report. A template or a field that is
// missing is an error; tests render everything there is.
func (w *Words) Render(lang, folder, name string, data any) (string, error) {
	text, err := w.execute(lang, folder, name, data)
	if err != nil {
		return "", err
	}
	return strings.ReplaceAll(layout(text), noBreak, " "), nil
}

// View renders what a ruleset answered.
func (w *Words) View(lang, ruleset string, v game.View) (string, error) {
	return w.Render(lang, ruleset, v.Template, v.Data())
}

// Subject is the subject of a mail: the words of "subject.<kind>" on one line and
// the tag behind them, so that they come first where room is short. tag is of
// Tag, or "" for a mail that needs none.
func (w *Words) Subject(lang, kind string, s Subject, tag string) (string, error) {
	text, err := w.execute(lang, Common, "subject."+kind, s)
	if err != nil {
		return "", err
	}
	return strings.Join(strings.Fields(text+" "+tag), " "), nil
}

// pageSize is as long as most sections are, in bytes.
const pageSize = 1 << 10

func (w *Words) execute(lang, folder, name string, data any) (string, error) {
	set, err := w.set(lang, folder)
	if err != nil {
		return "", err
	}
	var p page
	p.text.Grow(pageSize)
	if err := set.ExecuteTemplate(&p, name, data); err != nil {
		return "", fmt.Errorf("wording %s/%s/%s: %w", lang, folder, name, err)
	}
	return p.text.String(), nil
}

func (w *Words) set(lang, folder string) (*template.Template, error) {
	get, ok := w.sets[setKey{lang, folder}]
	if !ok {
		return nil, fmt.Errorf("no words for %s in language %q", folder, lang)
	}
	return get()
}

// Defines reports whether the template exists, for tests of completeness.
func (w *Words) Defines(lang, folder, name string) bool {
	set, err := w.set(lang, folder)
	return err == nil && set.Lookup(name) != nil
}
