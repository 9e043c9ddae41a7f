package demo

import (
	"fmt"
	"strings"

	"ringpost/internal/game"
)

// Boxers makes n players of Sugar-Ray.
func Boxers(n int) []*Player {
	return cast(n, []string{"Müller", "Kid Thunder", "El Toro", "Hein Ankerhand", "Sugar Shane", "Bär Benno",
		"Iron Annie", "Potro Ruiz", "Der Doktor", "Smokin' Sue", "Fäuste-Fritz", "Lightning Lou"}, func(int) mind { return &boxer{} })
}

// boxer plays Sugar-Ray: he spends his technique and at most a little of his
// condition, now more on one side, now on the other.
type boxer struct {
	trained int // how often he trained his technique
}

func (b *boxer) decide(p *Player, _ Received, gameID string, s game.Stream, slip bool) func(tongue) string {
	technique := 10 + b.trained
	pairs := make([]string, 5)
	for i := range pairs {
		tired := s.Uniform(5) - 1
		offence := s.Uniform((technique+tired)/3+1) - 1
		pairs[i] = fmt.Sprintf("%d/%d", offence, (technique+tired-3*offence)/2)
	}
	training := "K"
	if s.Uniform(2) == 1 {
		training = "T"
		b.trained++
	}
	if slip { // a pair is forgotten
		pairs = pairs[:4]
	}
	return func(t tongue) string {
		return t.line("GAME", gameID) + t.line("NAME", p.Name) + t.line("MOVE", strings.Join(pairs, " ")) + t.line("TRAINING", training) + t.word("END") + "\n"
	}
}
