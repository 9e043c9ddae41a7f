package ringside

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"ringpost/internal/game"
)

//go:embed names.txt
var namesFile string

// namePool holds what unnamed fighters are called by.
type namePool struct{ first, last []string }

// pool is read once and never changed.
var pool = sync.OnceValue(func() namePool {
	var p namePool
	for line := range strings.Lines(namesFile) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "first":
			p.first = append(p.first, words[1:]...)
		case "last":
			p.last = append(p.last, words[1:]...)
		}
	}
	return p
})

// nameBook knows the names in use, so that a new one can be told from all of them
// (G-13).
type nameBook map[string]bool

// names are those of all managers and fighters.
func (s *State) names() nameBook {
	b := nameBook{}
	for _, m := range s.Managers {
		b.add(m.Name)
	}
	for _, f := range s.Fighters {
		b.add(f.Name)
	}
	return b
}

func keys(name string) [2]string {
	k := game.NameKeys(name)
	return [2]string{"1" + k[0], "2" + k[1]}
}

func (b nameBook) add(name string) {
	for _, k := range keys(name) {
		b[k] = true
	}
}

func (b nameBook) has(name string) bool {
	k := keys(name)
	return b[k[0]] || b[k[1]]
}

// draw finds a name that nobody has. Should dice alone not find one, a number
// behind it will.
func (b nameBook) draw(dice game.Stream) string {
	const tries = 20
	p := pool()
	var name string
	for range tries {
		name = p.first[dice.Uniform(len(p.first))-1] + " " + p.last[dice.Uniform(len(p.last))-1]
		if !b.has(name) {
			return name
		}
	}
	for n := 2; ; n++ {
		if numbered := name + " " + strconv.Itoa(n); !b.has(numbered) {
			return numbered
		}
	}
}
