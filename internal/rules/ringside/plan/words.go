package plan

import (
	"ringpost/internal/conditions"
	"ringpost/internal/rules/ringside/bout"
)

func words(de, en, es string, more ...string) conditions.Words {
	return conditions.Words{De: []string{de}, En: append([]string{en}, more...), Es: []string{es}}
}

// The words of lines; package orders knows those that a line may begin with.
func weightWords(k Kind) conditions.Words {
	if k == Punch {
		return words("SCHLAG", "PUNCH", "GOLPE")
	}
	return words("ERWARTE", "EXPECT", "ESPERA")
}

func feetWords() conditions.Words    { return words("BEINE", "FEET", "PIES") }
func counterWords() conditions.Words { return words("KONTER", "COUNTER", "CONTRA") }

// retreats are the words of bout.DefenceFeet, by value.
func retreats() []conditions.Words {
	return []conditions.Words{
		bout.MiddleFeet:   words("MITTE", "CENTRE", "CENTRO", "CENTER"),
		bout.CircleFeet:   words("KREIS", "CIRCLE", "CIRCULO"),
		bout.StraightFeet: words("GERADE", "STRAIGHT", "RECTO"),
	}
}

// follows are the words of bout.AttackFeet, by value.
func follows() []conditions.Words {
	return []conditions.Words{
		bout.RopesFeet:  words("SEIL", "ROPES", "CUERDAS"),
		bout.CentreFeet: words("MITTE", "CENTRE", "CENTRO", "CENTER"),
		bout.StayFeet:   words("BLEIBEN", "STAY", "QUIETO"),
	}
}

// tactics are the words of bout.Tactic, by value.
func tactics() []conditions.Words {
	return []conditions.Words{
		bout.Open:      words("OFFEN", "OPEN", "ABIERTO"),
		bout.Cover:     words("DECKEN", "COVER", "CUBRIR"),
		bout.Backpedal: words("ZURUECK", "BACKPEDAL", "ATRAS"),
		bout.Clinch:    words("KLAMMERN", "CLINCH", "AGARRAR"),
		bout.Rush:      words("STURM", "RUSH", "CARGAR"),
	}
}

// find gives the place of the thing that a word stands for.
func find(all []conditions.Words, word string) (int, bool) {
	for i, w := range all {
		if w.Has(word) {
			return i, true
		}
	}
	return 0, false
}
