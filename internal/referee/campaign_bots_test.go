package referee_test

import (
	"fmt"
	"strings"

	"ringpost/internal/game"
	"ringpost/internal/rules/ringside"
)

// manager is a player of a campaign whose mails come from a stream of his own. He
// knows what everybody may know of the campaign, and what is his.
type manager struct {
	seat    game.SeatID
	name    string
	address string
	lang    string
	quiet   bool // gets no reports by mail
}

// campaignWords are the words of bots' mails in German, for those in capitals.
var campaignWords = map[string]string{
	"NAME": "NAME", "OPPONENT": "GEGNER", "PUNCH": "SCHLAG", "EXPECT": "ERWARTE", "FEET": "BEINE", "END": "ENDE", "ROUND": "RUNDE", "STANDING": "DAUER", "NO": "NEIN",
	"D": "V", "A": "A", "CENTRE": "MITTE", "CIRCLE": "KREIS", "STAY": "BLEIBEN", "ROPES": "AMSEIL", "IF": "WENN", "AND": "UND", "ELSE": "SONST", "STAMINA": "KOND", "OSTAMINA": "GKOND",
	"LEAD": "VORN", "HITS": "TREFFER", "DOWN": "NIEDER", "TURN": "ZUG", "DAMAGE": "SCHADEN", "COVER": "DECKEN", "CLINCH": "KLAMMERN", "BACKPEDAL": "ZURÜCK",
	"RUSH": "STURM", "OPEN": "OFFEN", "COUNTER": "KONTER",
	"MANAGER": "MANAGER", "BOUT": "KAMPF", "VS": "GEGEN", "ARENA": "ARENA", "ROUNDS": "RUNDEN", "WEEK": "WOCHE", "PLAIN": "EINFACH", "FREE": "FREI", "MIN": "AB",
	"REST": "RUHE", "RETIRE": "RÜCKTRITT", "NEW": "NEU", "CLASS": "KLASSE", "OFFER": "ANGEBOT", "BUY": "KAUF", "TRADE": "TAUSCH", "BET": "WETTE", "RESERVE": "MIETE",
	"GAMETURN": "SPIELRUNDE", "GAME": "SPIEL", "LEAVE": "AUSSTIEG", "JOIN": "ANMELDUNG", "REPORTS": "BERICHTE", "HIGH": "HOCH", "PITS": "GRUBE", "BEST": "BEST",
	"HEAVY": "SCHWER", "MIDDLE": "MITTEL", "UC": "UC",
}

// say words a line in the manager's language: words in capitals are translated, the
// arguments are not.
func (m *manager) say(line string, args ...any) string {
	words := strings.Fields(line)
	for i, w := range words {
		core := strings.TrimRight(w, "<>=0123456789%d")
		switch de, ok := campaignWords[core]; {
		case m.lang == "de" && ok:
			words[i] = de + w[len(core):]
		case core == "STAMINA" || core == "OSTAMINA" || core == "FREE":
			words[i] = map[string]string{"STAMINA": "END", "OSTAMINA": "OEND", "FREE": "OPEN"}[core] + w[len(core):]
		}
	}
	return fmt.Sprintf(strings.Join(words, " "), args...) + "\n"
}

// pick chooses one of some.
func pick[T any](s game.Stream, of []T) T { return of[s.Uniform(len(of))-1] }

// one is true once in n times.
func one(s game.Stream, n int) bool { return s.Uniform(n) == 1 }

// planOf is a fighter's plan: weights at random, and some of the lines there can be.
func (m *manager) planOf(f ringside.Fighter, s game.Stream) string {
	weights := func() string {
		d := func() int { return s.Uniform(10) - 1 }
		return fmt.Sprintf("UC%d RJ%d RH%d CO%d LJ%d LH%d", 1+s.Uniform(8), d(), d(), d(), d(), d())
	}
	text := m.say("NAME %s", f.Name)
	if !one(s, 5) {
		text += m.say("PUNCH %s", weights())
	}
	for _, line := range []string{
		"EXPECT UC2 RJ1 RH2 CO3 LJ1 LH2", "FEET D CIRCLE A CENTRE", "FEET A STAY", "D IF ROPES : CLINCH", "D IF STAMINA<=10 AND LEAD>=2 : BACKPEDAL", "D IF STAMINA<=0 : COVER",
		"D IF HITS>=5 : COUNTER NO", "D ELSE : OPEN", "A IF OSTAMINA<=0 : RUSH", "A IF DOWN>=1 : OPEN", "ROUND 4-9 PUNCH UC4 RH4 CO4 LH4", "STANDING NO",
	} {
		if one(s, 5) {
			text += m.say(line)
		}
	}
	return text + m.say("END")
}

// wishes are the manager's lines about one of his fighters.
func (m *manager) wishes(c *ringside.State, f ringside.Fighter, s game.Stream) (lines []string) {
	add := func(line string, args ...any) { lines = append(lines, m.say(line, args...)) }
	name := func(id ringside.FighterID) string {
		for _, o := range c.Fighters {
			if o.ID == id {
				return o.Name
			}
		}
		return "?"
	}
	for _, ch := range c.Challenges {
		if ch.Other == f.ID && one(s, 2) {
			add("BOUT %s VS %s", f.Name, name(ch.Own))
		}
	}
	var rivals []ringside.Fighter
	for _, o := range c.Fighters {
		if o.Class == f.Class && o.Manager != f.Manager {
			rivals = append(rivals, o)
		}
	}
	if len(rivals) == 0 {
		return lines
	}
	rival := pick(s, rivals)
	switch s.Uniform(18) {
	case 1, 2:
		add("BOUT %s VS %s"+pick(s, []string{"", " ARENA PITS", " ROUNDS 7", " WEEK 3", " ARENA BEST ROUNDS 12", " WEEK 1 PLAIN", " WEEK 2"}), f.Name, rival.Name)
	case 3:
		add("FREE %s MIN %d", f.Name, s.Uniform(6))
	case 4, 5:
		add("FREE %s", f.Name)
	case 6:
		add("REST %s", f.Name)
	case 7, 8:
		if f.Historical || f.Record.Bouts() >= 10 || f.Record.Lost >= 3 {
			add("RETIRE %s", f.Name)
			if one(s, 2) {
				add("NEW %s CLASS "+pick(s, []string{"HEAVY", "MIDDLE"}), fmt.Sprintf("Neuling %s %d", strings.TrimPrefix(string(m.seat), "s"), c.Round))
			}
		}
	case 9:
		add("OFFER %s %d", f.Name, 100*s.Uniform(20))
	case 10:
		for _, o := range c.Offers[:min(4, len(c.Offers))] {
			if o.Seller != f.Manager {
				add("BUY %s %d", name(o.Fighter), int(o.Price/100)+s.Uniform(50))
			}
		}
	case 11:
		add("TRADE %s VS %s", f.Name, rival.Name)
	case 12, 13, 14:
		if len(c.Card) > 0 {
			add("BET %s %d", name(pick(s, c.Card).Fighters[s.Uniform(2)-1]), s.Uniform(40))
		}
	case 15:
		add("RESERVE %s WEEK %d", f.Name, s.Uniform(4))
	}
	return lines
}

// mistake is a block with something wrong in it.
func (m *manager) mistake(c *ringside.State, s game.Stream) string {
	var own, other ringside.Fighter
	for _, f := range c.Fighters {
		if f.Manager == m.seat {
			own = f
		} else {
			other = f
		}
	}
	plan := func(name string, lines ...string) string {
		return m.say("NAME %s", name) + strings.Join(lines, "") + m.say("END")
	}
	line := func(line string, args ...any) string {
		return m.say("MANAGER %s", m.name) + m.say(line, args...) + m.say("END")
	}
	return pick(s, []string{
		plan(own.Name, m.say("PUNCH UC10 CO2")),
		plan(own.Name, m.say("PUNCH XX3 UC2")),
		plan(own.Name, m.say("D IF MOON>=3 : COVER"), m.say("PUNCH UC5")),
		plan(own.Name, m.say("D ELSE : COVER"), m.say("D IF ROPES : CLINCH")),
		plan(own.Name, strings.Repeat(m.say("D IF STAMINA<=0 : COVER"), 41)),
		plan(other.Name, m.say("PUNCH UC3")),
		plan("Niemand Bekannt", m.say("PUNCH UC3")),
		line("BOUT %s VS %s", own.Name, own.Name),
		line("BOUT %s AND %s", own.Name, other.Name),
		line("REST %s", other.Name),
		line("RETIRE %s", "Niemand Bekannt"),
		line("BET %s 900000", other.Name),
		line("FREE %s WEEK 2", own.Name),
	})
}

// letter is what the manager writes for the open turn; "" when he is silent.
func (m *manager) letter(c *ringside.State, s game.Stream) (text string) {
	if one(s, 12) {
		return ""
	}
	boxing := map[ringside.FighterID]bool{}
	for _, b := range c.Card {
		boxing[b.Fighters[0]], boxing[b.Fighters[1]] = true, true
	}
	var lines []string
	for _, f := range c.Fighters {
		if f.Manager != m.seat {
			continue
		}
		if boxing[f.ID] && !one(s, 3) || one(s, 30) {
			text += m.planOf(f, s)
		}
		lines = append(lines, m.wishes(c, f, s)...)
	}
	if len(lines) > 0 {
		text += m.say("MANAGER %s", m.name) + strings.Join(lines, "") + m.say("END")
	}
	if one(s, 9) {
		text = m.mistake(c, s) + text
	}
	return text
}
