package orders

import (
	"slices"
	"strings"

	"ringpost/internal/game"
)

// managerLines are the keywords of managers' blocks. They are common words: a line
// counts in a block that MANAGER opened, and there whatever follows, so that none
// is passed over. Their shapes tell such a block from prose.
func managerLines() []entry {
	return []entry{
		{game.KeyManager, managerOpener, words("MANAGER"), words("MANAGER"), words("MANAGER"), managerName},
		{game.KeyBout, managed, words("KAMPF"), words("BOUT"), words("COMBATE"), against},
		{game.KeyOpen, managed, words("FREI"), words("OPEN"), words("LIBRE"), fewNames},
		{game.KeyRest, managed, words("RUHE"), words("REST"), words("DESCANSO"), fewNames},
		{game.KeyRetire, managed, words("RÜCKTRITT"), words("RETIRE"), words("RETIRO"), fewNames},
		{game.KeyNew, managed, words("NEU"), words("NEW"), words("NUEVO"), withWord("klasse", "class", "clase")},
		{game.KeyOffer, managed, words("ANGEBOT"), words("OFFER"), words("OFERTA"), sum},
		{game.KeyBuy, managed, words("KAUF"), words("BUY"), words("COMPRA"), sum},
		{game.KeyTrade, managed, words("TAUSCH"), words("TRADE"), words("CAMBIO"), against},
		{game.KeyBet, managed, words("WETTE"), words("BET"), words("APUESTA"), sum},
		{game.KeyReserve, managed, words("MIETE"), words("RESERVE"), words("RESERVA"), withWord("woche", "week", "semana")},
	}
}

// managedBelow reports whether a manager's line follows before any line of another
// kind: "Manager Joe sends his regards" opens nothing.
func (p *parser) managedBelow(below []Line) bool {
	const most = 12
	for i, l := range below[:min(len(below), most)] {
		_, bare := uncover(l)
		e, _, ok := p.words.read(bare)
		switch {
		case !ok && p.managedNearly(bare, below[i+1:]):
			return true
		case !ok:
		case e.class == managed:
			return true
		case e.class == managerOpener: // what stands below is that one's
			return false
		case e.class != header && e.key != game.KeyRound && !e.class.common():
			return false
		}
	}
	return false
}

// managedNearly reports whether a line without the shape of its kind is a manager's
// all the same: a mailer wrapped its end off, or it is written in capitals, as the
// answers show it, with something missing. Then the ruleset says what (G-7).
func (p *parser) managedNearly(bare string, below []Line) bool {
	word, _ := splitKeyword(bare)
	e, ok := p.words.find(word)
	if !ok || e.class != managed {
		return false
	}
	if word == strings.ToUpper(word) {
		return true
	}
	const wrapped = 2
	for _, l := range below[:min(len(below), wrapped)] {
		_, more := uncover(l)
		if _, _, known := p.words.read(more); more == "" || known {
			return false
		}
		bare += " " + more
		if e, _, ok := p.words.read(bare); ok && e.class == managed {
			return true
		}
	}
	return false
}

// inManagers judges a line of a manager's block. Lines of boxers have no place in
// it: what begins like one may be the rest of the line above, as in "ROUNDS 10".
func (p *parser) inManagers(bare string, e entry, args string, known bool) (entry, string, bool) {
	word, rest := splitKeyword(bare)
	if m, ok := p.words.find(word); ok && m.class == managed {
		return m, rest, true
	}
	return e, args, known && (e.class != line || e.key == game.KeyRound)
}

// manager opens a manager's block.
func (p *parser) manager(n int, name string) {
	if p.open && p.block.Name == "" && p.late == "" {
		p.close() // figures above are no manager's
	}
	p.opened(n, name)
	p.block.Manager = true
}

// managerName is a name and nothing else: a sentence may begin with the word.
func managerName(args string) (string, bool) {
	n, ok := name(uncommented(args))
	first, _, _ := strings.Cut(n, " ")
	return n, ok && !smallWord(first) && game.CheckName(n) == ""
}

// fewNames is a name, or the blank of a ready block, and a few words with it.
func fewNames(args string) (string, bool) {
	args = uncommented(args)
	first, _, _ := strings.Cut(args, " ")
	return args, args != "" && strings.Count(args, " ") < 8 && !strings.ContainsAny(args, "!?:") && !smallWord(first)
}

// against is two names with a word between.
func against(args string) (string, bool) {
	args = uncommented(args)
	all := strings.Fields(args)
	i := slices.IndexFunc(all, func(w string) bool { return isOne(w, "gegen", "vs", "vs.", "against", "contra") })
	return args, i > 0 && i < len(all)-1 && len(all) < 24
}

// sum is a name with an amount behind it.
func sum(args string) (string, bool) {
	args, ok := fewNames(args)
	return args, ok && strings.Contains(args, " ") && strings.ContainsAny(args, digits+"_")
}

// withWord is a name and what follows one of some words.
func withWord(of ...string) reader {
	return func(args string) (string, bool) {
		args, ok := fewNames(args)
		return args, ok && slices.ContainsFunc(strings.Fields(args), func(w string) bool { return isOne(w, of...) })
	}
}

// numbers wants several numbers and nothing else. How many, and how high, is the
// game's to say: a line with one too few must not pass for none.
func numbers(args string) (string, bool) {
	args = uncommented(args)
	return args, len(strings.Fields(args)) > 3 && strings.Trim(args, digits+" -.,") == ""
}

// partner is the fighter who spars, or nothing where his own block names him.
func partner(args string) (string, bool) {
	args = uncommented(args)
	if args == "" {
		return "", true
	}
	return whom(args)
}
