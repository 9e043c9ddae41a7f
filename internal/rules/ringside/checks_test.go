package ringside

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
)

// check compares what a case expects.
func (p *table) check() {
	a := p.line.args
	switch p.line.word {
	case "want":
		p.compare(flat(p.fighter(a[0])), a[1:])
	case "wantmanager":
		i := p.state.managerNamed(a[0])
		if i < 0 {
			p.fail("he is not in the game")
			return
		}
		p.compare(flat(p.state.Managers[i]), a[1:])
	case "wanttitle":
		p.compare(flat(p.state.title(Class(a[0]))), a[1:])
	case "wantstate":
		p.compare(flat(p.state), a)
	case "gone":
		if p.state.fighterNamed(a[0]) >= 0 || p.state.managerNamed(a[0]) >= 0 {
			p.fail("he is still in the game")
		}
	case "stable":
		var got []string
		for _, f := range p.state.stable(p.state.Managers[p.state.managerNamed(a[0])].Seat) {
			got = append(got, f.Name)
		}
		p.list(got, a[1:])
	case "champion":
		got := "nobody"
		if i := p.state.fighter(p.state.title(Class(a[0])).Champion); i >= 0 {
			got = p.state.Fighters[i].Name
		}
		p.list([]string{got}, a[1:])
	case "ranking":
		var got []string
		for _, f := range p.state.contenders(Class(a[0])) {
			if f.Rank != len(got)+1 {
				p.fail("%s has the rank %d", f.Name, f.Rank)
			}
			got = append(got, f.Name)
		}
		p.list(got, a[1:])
	case "pop":
		p.list([]string{p.state.pop(p.fighter(a[0])).String()}, a[1:])
	case "next":
		p.checkNext()
	case "cards": // the open card in its order
		var got []string
		for _, b := range p.state.Card {
			got = append(got, fmt.Sprintf("%d/%s/%s", b.Week, b.Arena, b.ID))
		}
		p.list(got, a)
	case "event":
		p.checkEvent(true)
	case "noevent":
		p.checkEvent(false)
	case "events": // the codes in the order in which they came, logs and plans aside
		var got []string
		for _, e := range p.events {
			if e.Code != EventLog && e.Code != EventPlan && e.Code != EventLots {
				got = append(got, e.Code)
			}
		}
		p.list(got, a)
	case "slip":
		p.checkSlip()
	case "noslip":
		if len(p.slips) > 0 {
			p.fail("there is one: %v", p.slips[0].Lines)
		}
	case "issues":
		p.checkIssues()
	case "due":
		var got []string
		for _, d := range New().Due(p.state).Duties {
			got = append(got, p.state.managerName(d.Seat)+"/"+d.Slot)
		}
		p.list(got, a)
	default:
		p.fatal("unknown command")
	}
}

func (p *table) list(got, want []string) {
	p.Helper()
	if strings.Join(got, " ") != strings.Join(want, " ") {
		p.fail("it is %s", strings.Join(got, " "))
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

// compare checks path=value against leaves; a missing leaf is the zero value.
func (p *table) compare(leaves map[string]string, want []string) {
	for _, kv := range want {
		k, v, ok := strings.Cut(kv, "=")
		if !ok {
			p.fatal("%q is no path=value", kv)
		}
		got, there := leaves[k]
		if !there && v != "0" && v != "" && v != "false" {
			p.fail("%s is not there", k)
		} else if there && got != v {
			p.fail("%s is %s", k, got)
		}
	}
}

// next A B [PATH=VALUE ...]: this bout stands on the next cards; "next none A": A has
// none.
func (p *table) checkNext() {
	a := p.line.args
	var card []string
	for _, b := range p.state.Card {
		names := []string{p.state.Fighters[p.state.fighter(b.Fighters[0])].Name, p.state.Fighters[p.state.fighter(b.Fighters[1])].Name}
		card = append(card, strings.Join(names, "-"))
		if a[0] == "none" {
			if slices.Contains(names, a[1]) {
				p.fail("there is %s", card[len(card)-1])
			}
		} else if slices.Contains(names, a[0]) && slices.Contains(names, a[1]) {
			p.compare(flat(b), a[2:])
			return
		}
	}
	if a[0] != "none" {
		p.fail("the card is %s", strings.Join(card, "; "))
	}
}

// event CODE [NAME] PATH=VALUE…: there is such an event.
func (p *table) checkEvent(want bool) {
	a := p.line.args
	rest := a[1:]
	name := ""
	if len(rest) > 0 && !strings.Contains(rest[0], "=") {
		name, rest = rest[0], rest[1:]
	}
	found := false
	for _, e := range p.events {
		if e.Code != a[0] || name != "" && e.Data.Name != name {
			continue
		}
		leaves, hit := flat(e.Data), true
		leaves["for"] = strings.Trim(fmt.Sprint(e.For), "[]")
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

// slip [SLOT] with the normalised lines below it, in German.
func (p *table) checkSlip() {
	for _, s := range p.slips {
		if len(p.line.args) > 0 && s.Slot != p.line.args[0] {
			continue
		}
		var got []string
		for _, l := range s.Lines {
			args := l.Args
			if de, ok := l.In[string(conditions.German)]; ok {
				args = de
			}
			got = append(got, string(l.Keyword)+" "+args)
		}
		if strings.Join(got, "\n") != strings.Join(p.line.text, "\n") {
			p.fail("the slip says %q", got)
		}
		return
	}
	p.fail("there is none: %v", p.slips)
}

// issues with the issues below it, each "line code args", errors marked with "!"
// before the code.
func (p *table) checkIssues() {
	var got []string
	for _, i := range p.issues {
		got = append(got, issueText(i))
	}
	if strings.Join(got, "\n") != strings.Join(p.line.text, "\n") {
		p.fail("they are\n%s", strings.Join(got, "\n"))
	}
}

func issueText(i game.Issue) string {
	mark := ""
	if i.Error {
		mark = "!"
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s%s %s", i.Line, mark, i.Code, strings.Join(i.Args, " | ")))
}
