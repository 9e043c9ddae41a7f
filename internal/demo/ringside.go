package demo

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ringpost/internal/game"
)

// Managers makes n players of Ringside.
func Managers(n int) []*Player {
	return cast(n, []string{"Ma Baxter", "Don Corrado", "Käthe Kröger", "Old Sully", "Señora Paz", "Fritz Wuchtig",
		"Doc Halloran", "Tante Erna", "Big Lou Marsh", "Rosa Linde"}, func(i int) mind { return &manager{temper: i} })
}

// manager plays Ringside. He knows of the campaign what he has read: which boxers are
// his, whom they meet, who boxes in their classes, who challenges them.
type manager struct {
	temper     int
	own        []string            // his boxers
	boxing     []string            // those of them with a bout
	others     map[string][]string // of the class of each
	challenges [][2]string         // one of his own, and whom he is to meet
	planned    []string            // those who have had a plan from him
	orders     [][]sentence        // his last ones, a block each
}

func (m *manager) decide(p *Player, in Received, gameID string, s game.Stream, slip bool) func(tongue) string {
	sparring := "" // who tries his plan out
	if m.read(p.Name, in.Text) {
		m.orders = m.order(p.Name, s)
		if len(m.boxing) > 0 && s.Uniform(8) == 1 {
			sparring = pick(s, m.boxing)
		}
	}
	blocks := m.orders // of a receipt: what he meant the first time
	if slip && len(blocks) > 0 {
		i := s.Uniform(len(blocks)) - 1
		l := blocks[i][1]
		l.args = doubled(l.args, "aeiou123456789") // in a name, or a weight
		blocks = slices.Clone(blocks)
		blocks[i] = append([]sentence{blocks[i][0], l}, blocks[i][2:]...)
	}
	return func(t tongue) string {
		text := t.line("GAME", gameID)
		for _, b := range blocks {
			for _, l := range b {
				text += l.in(t)
			}
			text += t.word("END") + "\n"
		}
		if sparring != "" {
			text += t.line("SPARRING", sparring)
		}
		return text
	}
}

// order thinks of blocks: the plans of those who box, and lines of his own.
func (m *manager) order(name string, s game.Stream) [][]sentence {
	var blocks [][]sentence
	for _, f := range m.boxing {
		if slices.Contains(m.planned, f) && s.Uniform(2) == 1 {
			continue // the plan he has stands
		}
		m.planned = append(m.planned, f)
		blocks = append(blocks, append([]sentence{{"NAME", f}}, m.plan(s)...))
	}
	if wishes := m.wishes(s, len(blocks) == 0); len(wishes) > 0 {
		blocks = append(blocks, append([]sentence{{"MANAGER", name}}, wishes...))
	}
	return blocks
}

// Where a report says what. A row of a ranking has a place, or the champion's letter, a
// name of so many columns, and the manager's name, which may be cut.
var (
	readyBlock = regexp.MustCompile(`(?m)^NAME (.+)$`)
	rankingRow = regexp.MustCompile(`^ *(?:\d+|\pL)\. (.{24}) (\S+(?: \S+)*?) {2}`)
)

// read takes in a report. Other mails have no rankings, though they may have ready
// blocks; of these he learns nothing.
func (m *manager) read(name, text string) bool {
	own, others := stable(name, text)
	if len(own) == 0 {
		return false
	}
	m.own, m.others, m.boxing, m.challenges = own, others, nil, nil
	for _, found := range readyBlock.FindAllStringSubmatch(text, -1) {
		m.boxing = append(m.boxing, found[1])
	}
	flat := strings.Join(strings.Fields(text), " ")
	for _, f := range own {
		for _, line := range []string{"BOUT " + f + " VS ", "KAMPF " + f + " GEGEN "} {
			_, other, _ := strings.Cut(flat, line)
			i := slices.IndexFunc(others[f], func(o string) bool { return strings.HasPrefix(other, o) })
			if i >= 0 {
				m.challenges = append(m.challenges, [2]string{f, others[f][i]})
			}
		}
	}
	return true
}

// stable finds a manager's boxers in the rankings, and who else is in their classes.
// What parts two classes is a line that is no row.
func stable(manager, text string) (own []string, others map[string][]string) {
	others = map[string][]string{}
	var class, mine []string
	for line := range strings.Lines(text + "\n") {
		if row := rankingRow.FindStringSubmatch(line); row != nil {
			fighter := strings.TrimSpace(row[1])
			if class = append(class, fighter); strings.HasPrefix(manager, strings.TrimRight(row[2], ".")) {
				mine = append(mine, fighter)
			}
			continue
		}
		for _, f := range mine {
			own = append(own, f)
			others[f] = slices.DeleteFunc(slices.Clone(class), func(o string) bool { return slices.Contains(mine, o) })
		}
		class, mine = nil, nil
	}
	return own, others
}

// plan is a plan after the manager's own heart.
func (m *manager) plan(s game.Stream) []sentence {
	switch m.temper % 4 {
	case 0: // wants the knock-out
		return []sentence{{"PUNCH", weights(s, "UC RH CO")}, {"FEET", "A ROPES"}, {"D", "IF END<=0 : COVER"}, {"A", "IF OEND<=10 : RUSH"}}
	case 1: // boxes for the points
		return []sentence{{"PUNCH", weights(s, "RJ LJ CO")}, {"EXPECT", weights(s, "UC RH LH")}, {"FEET", "D CIRCLE A CENTRE"},
			{"D", "IF ROPES : CLINCH"}, {"D", "IF LEAD>=2 AND END<=20 : BACKPEDAL"}}
	case 2: // lets the other come
		return []sentence{{"EXPECT", weights(s, "RJ RH LJ")}, {"D", "IF DAMAGE<=-20 : COVER"}, {"D", "COUNTER YES"}, {"D", "IF DOWN>=1 : CLINCH"}}
	}
	return []sentence{{"PUNCH", weights(s, "RJ LJ")}, {"ROUND", "4-15 PUNCH " + weights(s, "UC CO LH")}, // keeps it for later
		{"D", "IF TURN>=15 AND DAMAGE>=1 : COVER"}, {"A", "IF OEND<=0 : RUSH"}}
}

// weights gives weight to some of the punches.
func weights(s game.Stream, to string) string {
	var out []string
	for _, p := range []string{"UC", "RJ", "RH", "CO", "LJ", "LH"} {
		n := s.Uniform(3) - 1
		if strings.Contains(to, p) {
			n += 4
		}
		out = append(out, fmt.Sprintf("%s%d", p, n))
	}
	return strings.Join(out, " ")
}

// wishes are a manager's lines for the next cards; if he must, there is one at least.
func (m *manager) wishes(s game.Stream, must bool) []sentence {
	var out []sentence
	for _, f := range m.own {
		i := slices.IndexFunc(m.challenges, func(c [2]string) bool { return c[0] == f })
		switch n := s.Uniform(8); {
		case i >= 0 && n <= 6:
			out = append(out, sentence{"BOUT", f + " VS " + m.challenges[i][1]})
		case n <= 3 && len(m.others[f]) > 0:
			out = append(out, sentence{"BOUT", fmt.Sprintf("%s VS %s ROUNDS %d WEEK %d", f, pick(s, m.others[f]), 4+s.Uniform(4), s.Uniform(4))})
		case n == 4:
			out = append(out, sentence{"OPEN", f})
		case n == 5:
			out = append(out, sentence{"OPEN", f + " MIN 3"})
		case n == 6:
			out = append(out, sentence{"REST", f})
		}
	}
	if len(m.boxing) > 0 && s.Uniform(4) == 1 {
		out = append(out, sentence{"BET", pick(s, m.boxing) + " 100"})
	}
	if len(out) == 0 && must && len(m.own) > 0 {
		out = append(out, sentence{"OPEN", pick(s, m.own)})
	}
	return out
}

// sentence is an order line in English.
type sentence struct{ keyword, args string }

// feet are the words of a line FEET; some mean something else in other lines.
var feet = map[string][2]string{"CENTRE": {"MITTE", "CENTRO"}, "CIRCLE": {"KREIS", "CIRCULO"}, "ROPES": {"SEIL", "CUERDAS"}, "D": {"V", "D"}}

// tactics are the words of conditions and what follows them.
var tactics = map[string][2]string{
	"IF": {"WENN", "SI"}, "AND": {"UND", "Y"}, "YES": {"JA", "SI"}, "END": {"KOND", "RESIST"}, "OEND": {"GKOND", "RRESIST"}, "ROPES": {"AMSEIL", "CUERDAS"},
	"LEAD": {"VORN", "VENTAJA"}, "DAMAGE": {"SCHADEN", "DANO"}, "DOWN": {"NIEDER", "CAIDAS"}, "TURN": {"ZUG", "TURNO"},
	"COVER": {"DECKEN", "CUBRIR"}, "BACKPEDAL": {"ZURUECK", "ATRAS"}, "CLINCH": {"KLAMMERN", "AGARRAR"}, "RUSH": {"STURM", "CARGAR"}, "COUNTER": {"KONTER", "CONTRA"},
}

// capitals are what can be a keyword: names of boxers are not written so.
var capitals = regexp.MustCompile(`[A-Z]{2,}|\b[A-Z]\b`)

// in writes the line in a tongue.
func (l sentence) in(t tongue) string {
	if t.lang == 0 {
		return t.line(l.keyword, l.args)
	}
	words := keywords
	switch l.keyword {
	case "FEET":
		words = feet
	case "D", "A":
		words = tactics
		t.colon = false
	}
	return t.line(l.keyword, capitals.ReplaceAllStringFunc(l.args, func(w string) string {
		if other, ok := words[w]; ok {
			return other[t.lang-1]
		}
		return w
	}))
}
