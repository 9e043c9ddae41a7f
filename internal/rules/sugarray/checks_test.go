package sugarray

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ringpost/internal/game"
)

// check compares what a case expects.
func (p *table) check() {
	a := p.line.args
	switch p.line.word {
	case "want":
		b, ok := p.state.boxer(p.seat(a[0]))
		if !ok {
			p.fail("he is not in the game")
			return
		}
		p.compare(flat(b), a[1:])
	case "gone":
		if _, ok := p.state.boxer(p.seat(a[0])); ok {
			p.fail("he is still in the game")
		}
	case "champion":
		want := game.SeatID("")
		if a[0] != "nobody" {
			want = p.seat(a[0])
		}
		if got := p.state.Title.Champion; got != want {
			p.fail("it is %s", p.name(got))
		}
	case "next":
		p.checkNext()
	case "event":
		p.checkEvent(true)
	case "noevent":
		p.checkEvent(false)
	case "lines":
		p.checkLines()
	case "slip":
		p.checkSlip()
	case "noslip":
		if got := p.slips[p.seat(a[0])]; len(got) > 0 {
			p.fail("there is one: %v", got[0].Lines)
		}
	case "issues":
		p.checkIssues()
	case "table":
		p.checkTable()
	case "due":
		var got []string
		for _, d := range New().Due(p.state).Duties {
			got = append(got, p.name(d.Seat))
		}
		if strings.Join(got, " ") != strings.Join(a, " ") {
			p.fail("due from %v", got)
		}
	default:
		p.fatal("unknown command")
	}
}

// flat turns a value into its JSON leaves by dotted path.
func flat(v any) map[string]string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var tree any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		panic(err)
	}
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(strings.TrimPrefix(path+"."+k, "."), x)
			}
		case []any:
			var items []string
			for i, x := range v {
				items = append(items, fmt.Sprint(x))
				walk(fmt.Sprintf("%s.%d", path, i), x)
			}
			out[path] = strings.Join(items, ",")
		default:
			out[path] = fmt.Sprint(v)
		}
	}
	walk("", tree)
	return out
}

// compare checks key=value against leaves; a missing leaf is the zero value.
func (p *table) compare(leaves map[string]string, want []string) {
	for _, kv := range want {
		k, v, ok := strings.Cut(kv, "=")
		if !ok {
			p.fatal("%q is no key=value", kv)
		}
		got, there := leaves[k]
		if !there && v != "0" && v != "" {
			p.fail("%s is not there", k)
		} else if there && got != v {
			p.fail("%s is %s", k, got)
		}
	}
}

// next LEAGUE A B: this pairing stands on the next card; "next idle" that the
// champion has none.
func (p *table) checkNext() {
	a := p.line.args
	if a[0] == "idle" {
		if !p.state.Card.Idle || p.state.Card.title().A != "" {
			p.fail("the champion boxes: %+v", p.state.Card)
		}
		return
	}
	var card []string
	for _, b := range p.state.Card.Bouts {
		card = append(card, fmt.Sprintf("%d %s %s", b.League, p.name(b.A), p.name(b.B)))
	}
	if a[0] == "none" { // next none LEAGUE
		for _, c := range card {
			if strings.HasPrefix(c, fmt.Sprint(p.league(a[1]))+" ") {
				p.fail("there is %s", c)
			}
		}
		return
	}
	want := fmt.Sprintf("%d %s %s", p.league(a[0]), a[1], a[2])
	if !slices.Contains(card, want) {
		p.fail("the card is %s", strings.Join(card, "; "))
	}
}

// event CODE [NAME] key=value…: there is such an event.
func (p *table) checkEvent(want bool) {
	a := p.line.args
	var seat game.SeatID
	rest := a[1:]
	if len(rest) > 0 && !strings.Contains(rest[0], "=") {
		seat, rest = p.seat(rest[0]), rest[1:]
	}
	found := false
	for _, e := range p.events {
		if e.Code != a[0] || seat != "" && e.Data.Seat != seat {
			continue
		}
		leaves, hit := flat(e.Data), true
		for _, kv := range rest {
			k, v, _ := strings.Cut(kv, "=")
			got, there := leaves[k]
			hit = hit && (got == v || !there && v == "0")
		}
		found = found || hit
	}
	if found != want {
		p.fail("found: %v", found)
	}
}

// lines: the two fight lines below it stand in the round's fights.
func (p *table) checkLines() {
	if len(p.line.text) != 2 {
		p.fatal("a fight has two lines")
	}
	var all []string
	for _, e := range p.events {
		if e.Code == EventFight {
			got := FightLines(*e.Data.Fight)
			if got[0] == p.line.text[0] && got[1] == p.line.text[1] {
				return
			}
			all = append(all, got[0], got[1])
		}
	}
	p.fail("the fights are\n%s", strings.Join(all, "\n"))
}

// slip NAME [provisional] with the normalised lines below it.
func (p *table) checkSlip() {
	a := p.line.args
	slips := p.slips[p.seat(a[0])]
	if len(slips) != 1 {
		p.fail("there are %d slips", len(slips))
		return
	}
	var got []string
	for _, l := range slips[0].Lines {
		got = append(got, orderWord(l.Keyword)+" "+l.Args)
	}
	if strings.Join(got, "\n") != strings.Join(p.line.text, "\n") {
		p.fail("the slip says %q", got)
	}
	if provisional := len(a) > 1 && a[1] == "provisional"; slips[0].Provisional != provisional {
		p.fail("provisional is %v", slips[0].Provisional)
	}
}

// issues NAME with the issues below it, each "line code args", errors marked
// with "!" before the code.
func (p *table) checkIssues() {
	var got []string
	for _, i := range p.issues[p.seat(p.line.args[0])] {
		mark := ""
		if i.Error {
			mark = "!"
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%d %s%s %s", i.Line, mark, i.Code, strings.Join(i.Args, " | "))))
	}
	if strings.Join(got, "\n") != strings.Join(p.line.text, "\n") {
		p.fail("they are\n%s", strings.Join(got, "\n"))
	}
}

// table LEAGUE NAME(last,season)…: the league's table in its order.
func (p *table) checkTable() {
	a := p.line.args
	var got []string
	for _, l := range p.state.table(NoLeague).Leagues {
		if l.League == p.league(a[0]) {
			for _, r := range l.Rows {
				got = append(got, fmt.Sprintf("%s(%s,%s)", r.Name, r.Last, r.Season))
			}
		}
	}
	want := a[1:]
	for i, w := range want {
		if i < len(got) && !strings.Contains(w, "(") {
			got[i], _, _ = strings.Cut(got[i], "(")
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		p.fail("it is %s", strings.Join(got, " "))
	}
}

func orderWord(k game.Keyword) string {
	return map[game.Keyword]string{game.KeyMove: "ZUG", game.KeyTraining: "TRAINING"}[k]
}
