package ringside

import (
	"fmt"
	"slices"
	"strings"

	"ringpost/internal/conditions"
	"ringpost/internal/rules/casetest"
)

// check compares what a case expects.
func (p *table) check() {
	a := p.Line.Args
	switch p.Line.Word {
	case "want":
		p.Compare(p.fighter(a[0]), a[1:])
	case "wantmanager":
		i := p.state.managerNamed(a[0])
		if i < 0 {
			p.Wrong("he is not in the game")
			return
		}
		p.Compare(p.state.Managers[i], a[1:])
	case "wanttitle":
		p.Compare(p.state.title(Class(a[0])), a[1:])
	case "wantstate":
		p.Compare(p.state, a)
	case "gone":
		if p.state.fighterNamed(a[0]) >= 0 || p.state.managerNamed(a[0]) >= 0 {
			p.Wrong("he is still in the game")
		}
	case "stable":
		var got []string
		for _, f := range p.state.stable(p.state.Managers[p.state.managerNamed(a[0])].Seat) {
			got = append(got, f.Name)
		}
		p.List(got, a[1:])
	case "champion":
		got := "nobody"
		if i := p.state.fighter(p.state.title(Class(a[0])).Champion); i >= 0 {
			got = p.state.Fighters[i].Name
		}
		p.List([]string{got}, a[1:])
	case "ranking":
		var got []string
		for _, f := range p.state.contenders(Class(a[0])) {
			if f.Rank != len(got)+1 {
				p.Wrong("%s has the rank %d", f.Name, f.Rank)
			}
			got = append(got, f.Name)
		}
		p.List(got, a[1:])
	case "pop":
		p.List([]string{p.state.pop(p.fighter(a[0])).String()}, a[1:])
	case "next":
		p.checkNext()
	case "cards": // the open card in its order
		var got []string
		for _, b := range p.state.Card {
			got = append(got, fmt.Sprintf("%d/%s/%s", b.Week, b.Arena, b.ID))
		}
		p.List(got, a)
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
		p.List(got, a)
	case "slip":
		p.checkSlip()
	case "noslip":
		if len(p.slips) > 0 {
			p.Wrong("there is one: %v", p.slips[0].Lines)
		}
	case "issues":
		p.Issues(p.issues)
	case "due":
		var got []string
		for _, d := range New().Due(p.state).Duties {
			got = append(got, p.state.managerName(d.Seat)+"/"+d.Slot)
		}
		p.List(got, a)
	default:
		p.Stop("unknown command")
	}
}

// next A B [PATH=VALUE ...]: this bout stands on the next cards; "next none A": A has
// none.
func (p *table) checkNext() {
	a := p.Line.Args
	var card []string
	for _, b := range p.state.Card {
		names := []string{p.state.Fighters[p.state.fighter(b.Fighters[0])].Name, p.state.Fighters[p.state.fighter(b.Fighters[1])].Name}
		card = append(card, strings.Join(names, "-"))
		if a[0] == "none" {
			if slices.Contains(names, a[1]) {
				p.Wrong("there is %s", card[len(card)-1])
			}
		} else if slices.Contains(names, a[0]) && slices.Contains(names, a[1]) {
			p.Compare(b, a[2:])
			return
		}
	}
	if a[0] != "none" {
		p.Wrong("the card is %s", strings.Join(card, "; "))
	}
}

// event CODE [NAME] PATH=VALUE…: there is such an event.
func (p *table) checkEvent(want bool) {
	a := p.Line.Args
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
		leaves := casetest.Leaves(e.Data)
		leaves["for"] = strings.Trim(fmt.Sprint(e.For), "[]")
		found = found || casetest.Match(leaves, rest)
	}
	if found != want {
		p.Wrong("found: %v", found)
	}
}

// slip [SLOT] with the normalised lines below it, in German.
func (p *table) checkSlip() {
	for _, s := range p.slips {
		if len(p.Line.Args) > 0 && s.Slot != p.Line.Args[0] {
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
		p.Text(got)
		return
	}
	p.Wrong("there is none: %v", p.slips)
}
