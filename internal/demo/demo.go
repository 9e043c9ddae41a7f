// Package demo plays the players of `ringpost demo`: bots that read their
// reports and answer them as people do, in German, English and Spanish, in
// plain text and HTML, above and below what they quote. It makes mails and
// nothing else; sending and fetching them is the caller's.
package demo

import (
	"fmt"
	"strings"
	"time"

	"ringpost/internal/game"
)

// Season is what the demo of a ruleset plays.
type Season struct {
	Ruleset  string
	What     string // it is: "a season of Sugar-Ray"
	Title    string // of its game
	Settings game.Settings
	Seats    string // what its players are: "boxers"
	// Players and Rounds are how many of both where nothing else is asked for.
	Players, Rounds int
	// Cast makes n players, each with a way of writing of his own.
	Cast func(n int) []*Player
}

// MaxPlayers is the largest cast.
const MaxPlayers = 200

// Seasons lists the demos there are.
func Seasons() []Season {
	return []Season{
		{Ruleset: "sugarray", What: "a season of Sugar-Ray", Title: "The Demo League", Seats: "boxers", Players: 12, Rounds: 20, Cast: Boxers},
		{Ruleset: "ringside", What: "a campaign of Ringside", Title: "The Demo Circuit", Seats: "managers", Players: 8, Rounds: 12, Cast: Managers,
			Settings: game.Settings{"stable": "3", "classes": "heavy,middle,light", "bets": "on"}},
	}
}

// Find gives the demo of a ruleset; the error lists those there are.
func Find(ruleset string) (Season, error) {
	var names []string
	for _, s := range Seasons() {
		if s.Ruleset == ruleset {
			return s, nil
		}
		names = append(names, s.Ruleset)
	}
	return Season{}, fmt.Errorf("there is no demo of a ruleset %q; there are those of %s", ruleset, strings.Join(names, ", "))
}

// Player is a bot.
type Player struct {
	Name    string
	Address string
	Lang    string // of the mails he gets
	style   style
	mind    mind
}

// mind decides on orders, which can then be written in any tongue. With a slip one
// line has a typing error of the kind people make.
type mind interface {
	decide(p *Player, in Received, gameID string, s game.Stream, slip bool) func(tongue) string
}

// cast makes n players with these names, over and over, and with minds made anew.
func cast(n int, names []string, think func(i int) mind) []*Player {
	out := make([]*Player, n)
	for i := range out {
		p := &Player{Name: names[i%len(names)], style: styles[i%len(styles)], mind: think(i)}
		if i >= len(names) {
			p.Name += " " + roman(i/len(names)+1)
		}
		p.Lang = p.style.lang
		p.Address = fmt.Sprintf("player%02d@players.example", i+1)
		out[i] = p
	}
	return out
}

func roman(n int) string {
	var b strings.Builder
	for _, r := range []struct {
		n int
		s string
	}{{10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= r.n; n -= r.n {
			b.WriteString(r.s)
		}
	}
	return b.String()
}

// Received is a mail a player got: a report or a receipt.
type Received struct {
	From      string
	Subject   string
	MessageID string
	ReplyTo   string
	Text      string
	Date      time.Time
}

// Answer replies to a received mail with orders: the whole mail, as it goes to SMTP.
// What he orders hangs on what he has read so far and on the dice.
func (p *Player) Answer(to string, in Received, gameID string, s game.Stream, slip bool, now time.Time) []byte {
	id := fmt.Sprintf("%d.%s", now.UnixNano(), strings.Replace(p.Address, "@", ".", 1))
	return p.style.mail(reply{Player: p, to: to, in: in, block: p.mind.decide(p, in, gameID, s, slip), now: now, id: id})
}

// tongue is a language as somebody writes its keywords.
type tongue struct {
	lang  int // 0 English, 1 German, 2 Spanish
	colon bool
}

var (
	english = tongue{lang: 0}
	german  = tongue{lang: 1}
	spanish = tongue{lang: 2}
	colons  = tongue{lang: 1, colon: true}
)

// word writes an English keyword in the tongue.
func (t tongue) word(english string) string {
	if w, ok := keywords[english]; ok && t.lang > 0 {
		return w[t.lang-1]
	}
	return english
}

// line writes a keyword and what follows it, as it is.
func (t tongue) line(keyword, args string) string {
	keyword = t.word(keyword)
	if t.colon {
		keyword += ":"
	}
	return keyword + " " + args + "\n"
}

// keywords are those of English in German and Spanish.
var keywords = map[string][2]string{
	"GAME": {"SPIEL", "JUEGO"}, "NAME": {"NAME", "NOMBRE"}, "END": {"ENDE", "FIN"},
	"MOVE": {"ZUG", "JUGADA"}, "TRAINING": {"TRAINING", "ENTRENAMIENTO"},
	"PUNCH": {"SCHLAG", "GOLPE"}, "EXPECT": {"ERWARTE", "ESPERA"}, "FEET": {"BEINE", "PIES"}, "ROUND": {"RUNDE", "ASALTO"}, "D": {"V", "D"},
	"BOUT": {"KAMPF", "COMBATE"}, "OPEN": {"FREI", "LIBRE"}, "REST": {"RUHE", "DESCANSO"}, "BET": {"WETTE", "APUESTA"},
	"VS": {"GEGEN", "CONTRA"}, "MIN": {"AB", "DESDE"}, "ROUNDS": {"RUNDEN", "ASALTOS"}, "WEEK": {"WOCHE", "SEMANA"},
}

// pick draws one of some.
func pick[T any](s game.Stream, of []T) T { return of[s.Uniform(len(of))-1] }

// doubled is a text in which a finger stayed on a key too long: the first place that
// has one of these letters.
func doubled(text, letters string) string {
	i := strings.IndexAny(text, letters)
	if i < 0 {
		return text
	}
	return text[:i+1] + text[i:]
}
