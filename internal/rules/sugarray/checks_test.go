package sugarray

import (
	"fmt"
	"slices"
	"strings"

	"ringpost/internal/game"
	"ringpost/internal/rules/casetest"
)

// check compares what a case expects.
func (p *table) check() {
	a := p.Line.Args
	switch p.Line.Word {
	case "want":
		b, ok := p.state.boxer(p.seat(a[0]))
		if !ok {
			p.Wrong("he is not in the game")
			return
		}
		p.Compare(b, a[1:])
	case "gone":
		if _, ok := p.state.boxer(p.seat(a[0])); ok {
			p.Wrong("he is still in the game")
		}
	case "champion":
		want := game.SeatID("")
		if a[0] != "nobody" {
			want = p.seat(a[0])
		}
		if got := p.state.Title.Champion; got != want {
			p.Wrong("it is %s", p.name(got))
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
			p.Wrong("there is one: %v", got[0].Lines)
		}
	case "issues": // of a boxer's orders
		p.Issues(p.issues[p.seat(a[0])])
	case "table":
		p.checkTable()
	case "due":
		var got []string
		for _, d := range New().Due(p.state).Duties {
			got = append(got, p.name(d.Seat))
		}
		p.List(got, a)
	default:
		p.Stop("unknown command")
	}
}

// next LEAGUE A B: this pairing stands on the next card; "next idle" that the
// champion has none.
func (p *table) checkNext() {
	a := p.Line.Args
	if a[0] == "idle" {
		if !p.state.Card.Idle || p.state.Card.title().A != "" {
			p.Wrong("the champion boxes: %+v", p.state.Card)
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
				p.Wrong("there is %s", c)
			}
		}
		return
	}
	want := fmt.Sprintf("%d %s %s", p.league(a[0]), a[1], a[2])
	if !slices.Contains(card, want) {
		p.Wrong("the card is %s", strings.Join(card, "; "))
	}
}

// event CODE [NAME] key=value…: there is such an event.
func (p *table) checkEvent(want bool) {
	a := p.Line.Args
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
		found = found || casetest.Match(casetest.Leaves(e.Data), rest)
	}
	if found != want {
		p.Wrong("found: %v", found)
	}
}

// lines: the two fight lines below it stand in the round's fights.
func (p *table) checkLines() {
	if len(p.Line.Text) != 2 {
		p.Stop("a fight has two lines")
	}
	var all []string
	for _, e := range p.events {
		if e.Code == EventFight {
			got := FightLines(*e.Data.Fight)
			if got[0] == p.Line.Text[0] && got[1] == p.Line.Text[1] {
				return
			}
			all = append(all, got[0], got[1])
		}
	}
	p.Wrong("the fights are\n%s", strings.Join(all, "\n"))
}

// slip NAME [provisional] with the normalised lines below it.
func (p *table) checkSlip() {
	a := p.Line.Args
	slips := p.slips[p.seat(a[0])]
	if len(slips) != 1 {
		p.Wrong("there are %d slips", len(slips))
		return
	}
	var got []string
	for _, l := range slips[0].Lines {
		got = append(got, orderWord(l.Keyword)+" "+l.Args)
	}
	p.Text(got)
	if provisional := len(a) > 1 && a[1] == "provisional"; slips[0].Provisional != provisional {
		p.Wrong("provisional is %v", slips[0].Provisional)
	}
}

// table LEAGUE NAME(last,season)…: the league's table in its order.
func (p *table) checkTable() {
	a := p.Line.Args
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
	p.List(got, want)
}

func orderWord(k game.Keyword) string {
	return map[game.Keyword]string{game.KeyMove: "ZUG", game.KeyTraining: "TRAINING"}[k]
}
