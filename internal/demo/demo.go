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

// Player is a bot.
type Player struct {
	Name    string
	Address string
	Lang    string // of the mails he gets
	style   style
	trained int // how often he trained his technique
}

// Cast makes n players, each with a way of writing of his own.
func Cast(n int) []*Player {
	out := make([]*Player, n)
	for i := range out {
		p := &Player{Name: ringNames[i%len(ringNames)], style: styles[i%len(styles)]}
		if i >= len(ringNames) {
			p.Name += " " + roman(i/len(ringNames)+1)
		}
		p.Lang = p.style.lang
		p.Address = fmt.Sprintf("player%02d@players.example", i+1)
		out[i] = p
	}
	return out
}

// MaxPlayers is the largest cast.
const MaxPlayers = 200

var ringNames = [...]string{"Müller", "Kid Thunder", "El Toro", "Hein Ankerhand", "Sugar Shane", "Bär Benno",
	"Iron Annie", "Potro Ruiz", "Der Doktor", "Smokin' Sue", "Fäuste-Fritz", "Lightning Lou"}

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

// Orders are a boxer's moves in words.
type Orders struct {
	Pairs    [5]string
	Training string // "T" or "K"
}

// Decide thinks of orders: he spends his technique and at most a little of his
// condition, now more on one side, now on the other.
func (p *Player) Decide(s game.Stream) Orders {
	technique := 10 + p.trained
	var o Orders
	for i := range o.Pairs {
		tired := s.Uniform(5) - 1
		offence := s.Uniform((technique+tired)/3+1) - 1
		o.Pairs[i] = fmt.Sprintf("%d/%d", offence, (technique+tired-3*offence)/2)
	}
	if o.Training = "K"; s.Uniform(2) == 1 {
		o.Training = "T"
		p.trained++
	}
	return o
}

// Write answers a received mail with orders: the whole mail, as it goes to SMTP.
func (p *Player) Write(to string, in Received, gameID string, o Orders, now time.Time) []byte {
	id := fmt.Sprintf("%d.%s", now.UnixNano(), strings.Replace(p.Address, "@", ".", 1))
	return p.style.mail(letter{Player: p, to: to, in: in, gameID: gameID, orders: o, now: now, id: id})
}

// Slip makes a typing error of the kind people make: one pair is lost.
func (o Orders) Slip() Orders {
	o.Pairs[4] = ""
	return o
}
