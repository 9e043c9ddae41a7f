package ringside

import (
	"slices"
	"strconv"
	"strings"

	"ringpost/internal/conditions"
	"ringpost/internal/game"
)

// lineReader reads the arguments of one manager's line; the first thing that is
// wrong with them stays.
type lineReader struct {
	*reader
	text string
	code string
	args []string
}

func (l *lineReader) wrong(code string, args ...string) {
	if l.code == "" {
		l.code, l.args = code, args
	}
}

func (l *lineReader) read(do Verb) Wish {
	w := Wish{Do: do}
	rest := strings.Fields(l.text)
	for i := range rest { // "Kid VS Joe, WEEK 2"
		rest[i] = strings.TrimRight(rest[i], ",")
	}
	switch do {
	case WantBout:
		rest = l.proposal(rest, l.couple, &w.Proposal)
		l.bout(rest, &w)
	case WantOpen:
		l.open(rest, &w)
	case WantRest:
		w.Own = l.own(rest)
	case WantRetire:
		w.Own = l.retire(rest)
	case WantNew:
		l.newcomer(rest, &w)
	case WantOffer:
		rest, w.Money = l.amount(rest)
		w.Own = l.own(rest)
	case WantBuy:
		l.buy(rest, &w)
	case WantTrade:
		own, other := l.versus(rest)
		w.Own, w.Other = l.own(own), l.other(other)
	case WantBet:
		l.bet(rest, &w)
	case WantReserve:
		rest = l.proposal(rest, l.known, &w.Proposal)
		w.Own = l.own(rest)
		if w.Week == 0 {
			l.wrong(issueWeek, l.text)
		}
	}
	switch do {
	case WantBout, WantRetire, WantOffer, WantBuy, WantTrade:
		for _, id := range []FighterID{w.Own, w.Other} {
			if l.now && l.state.goesOn(id, l.state.Card) {
				l.wrong(issueFighterBusy, l.state.Fighters[l.state.fighter(id)].Name)
			}
		}
	}
	return w
}

// find finds a fighter by the words of his name.
func (l *lineReader) find(name []string) (Fighter, bool) {
	text := strings.Join(name, " ")
	if i := l.state.fighterNamed(text); i >= 0 && text != "" {
		return l.state.Fighters[i], true
	}
	l.wrong(issueFighterUnknown, text)
	return Fighter{}, false
}

// own is a fighter of the writer's stable.
func (l *lineReader) own(name []string) FighterID {
	f, ok := l.find(name)
	if ok && f.Manager != l.seat {
		l.wrong(issueFighterForeign, f.Name)
	}
	return f.ID
}

// other is a fighter of somebody else's.
func (l *lineReader) other(name []string) FighterID {
	f, ok := l.find(name)
	if ok && f.Manager == l.seat {
		l.wrong(issueFighterOwn, f.Name)
	}
	return f.ID
}

// known reports whether words are the name of a fighter. A name may hold any word,
// of those inside lines, too: what is a name as it stands is read no further.
func (l *lineReader) known(words []string) bool {
	return len(words) > 0 && l.state.fighterNamed(strings.Join(words, " ")) >= 0
}

// couple reports whether words are two fighters with VS between.
func (l *lineReader) couple(words []string) bool {
	_, _, ok := l.parted(words)
	return ok
}

// proposal takes the terms off the end of a line, in whatever order they stand, down
// to the fighters whom whole knows.
func (l *lineReader) proposal(rest []string, whole func([]string) bool, p *Proposal) []string {
	for len(rest) > 0 && !whole(rest) {
		last := rest[len(rest)-1]
		var before string
		if len(rest) > 1 {
			before = rest[len(rest)-2]
		}
		switch {
		case plainWords().Has(last):
			p.Plain = true
			rest = rest[:len(rest)-1]
			continue
		case arenaWords().Has(before):
			var ok bool
			if p.Arena, ok = findArena(last); !ok {
				l.wrong(issueArena, last)
			}
		case lengthWords().Has(before):
			n, err := strconv.Atoi(last)
			if err != nil || n < 1 || n > 99 {
				l.wrong(issueRounds, last)
			}
			p.Rounds = n
		case weekWords().Has(before):
			n, err := strconv.Atoi(last)
			if err != nil || n < 1 || n > 4 {
				l.wrong(issueWeek, last)
			}
			p.Week = n
		default:
			return rest
		}
		rest = rest[:len(rest)-2]
	}
	return rest
}

// parted parts two fighters' names at one of the words between them.
func (l *lineReader) parted(words []string) (a, b []string, ok bool) {
	for i := 1; i < len(words)-1; i++ {
		if a, b = words[:i], words[i+1:]; againstWords().Has(words[i]) && l.known(a) && l.known(b) {
			return a, b, true
		}
	}
	return nil, nil, false
}

// versus parts two names at the word between them. A name may hold that word, too:
// then the fighters there are decide.
func (l *lineReader) versus(rest []string) (a, b []string) {
	if a, b, ok := l.parted(rest); ok {
		return a, b
	}
	for i := 1; i < len(rest)-1; i++ {
		if againstWords().Has(rest[i]) {
			return rest[:i], rest[i+1:]
		}
	}
	l.wrong(issueBoutGrammar, l.text)
	return nil, nil
}

// bout reads a challenge; one's own fighter may stand on either side.
func (l *lineReader) bout(rest []string, w *Wish) {
	one, two := l.versus(rest)
	if l.code != "" {
		return
	}
	a, oka := l.find(one)
	b, okb := l.find(two)
	if !oka || !okb {
		return
	}
	if a.Manager != l.seat {
		a, b = b, a
	}
	switch {
	case a.ID == b.ID:
		l.wrong(issueBoutSelf, a.Name)
	case a.Manager != l.seat:
		l.wrong(issueBoutForeign, a.Name, b.Name)
	case b.Manager == l.seat: // RSC-23
		l.wrong(issueBoutStable, a.Name, b.Name)
	case a.Class != b.Class: // RSC-12
		l.wrong(issueBoutClass, a.Name, b.Name)
	}
	w.Own, w.Other = a.ID, b.ID
}

func (l *lineReader) open(rest []string, w *Wish) {
	if n := len(rest); n > 2 && leastWords().Has(rest[n-2]) && !l.known(rest) {
		var ok bool
		if w.Least, ok = readPop(rest[n-1]); !ok {
			l.wrong(issueLeast, rest[n-1])
		}
		rest = rest[:n-2]
	}
	w.Own = l.own(rest)
}

// readPop reads "12", "12.5", "12,5", "12½".
func readPop(text string) (Pop, bool) {
	half := Pop(0)
	for _, end := range []string{"½", ".5", ",5"} {
		if t, ok := strings.CutSuffix(text, end); ok {
			text, half = t, 1
			break
		}
	}
	if text == "" && half == 1 {
		return half, true
	}
	n, err := strconv.Atoi(text)
	return Pop(2*n) + half, err == nil && n >= 0 && n <= 999 && text[0] != '+' && text[0] != '-'
}

func (l *lineReader) retire(rest []string) FighterID {
	id := l.own(rest)
	if i := l.state.fighter(id); l.code == "" && l.now && i >= 0 {
		if f := &l.state.Fighters[i]; !f.mayRetire() {
			l.wrong(issueRetireEarly, f.Name, strconv.Itoa(f.Record.Bouts()))
		}
	}
	return id
}

func (l *lineReader) newcomer(rest []string, w *Wish) {
	i := len(rest) - 1
	for i > 0 && !classWords().Has(rest[i]) {
		i--
	}
	if i < 1 || i == len(rest)-1 {
		l.wrong(issueNewGrammar, l.text)
		return
	}
	w.Name = game.CleanName(strings.Join(rest[:i], " "))
	if code := game.CheckName(w.Name); code != "" {
		l.wrong(code, w.Name)
	} else if l.state.names().has(w.Name) {
		l.wrong(issueNewTaken, w.Name)
	}
	class := strings.Join(rest[i+1:], " ")
	c, ok := findClass(class)
	if !ok || !slices.Contains(l.state.Settings.Classes, c) {
		args := []string{class}
		for _, c := range l.state.Settings.Classes {
			args = append(args, string(c))
		}
		l.wrong(issueClass, args...)
	}
	w.Class = c
}

// mostDollars bounds an amount.
const mostDollars = 1_000_000

// amount takes whole dollars off the end of a line: "1500", "$1,500", "1.500 $".
func (l *lineReader) amount(rest []string) ([]string, Money) {
	name := beforeAmount(rest)
	if len(name) == len(rest) {
		l.wrong(issuePrice, l.text)
		return nil, 0
	}
	text := rest[len(name)]
	digits := strings.Trim(text, "$")
	for _, mark := range []string{".", ","} {
		groups := strings.Split(digits, mark)
		if len(groups) > 1 && len(groups[0]) <= 3 && !slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 }) {
			digits = strings.Join(groups, "")
		}
	}
	dollars, err := strconv.Atoi(digits)
	if err != nil || dollars < 1 || dollars > mostDollars || digits[0] == '+' {
		l.wrong(issuePrice, text)
		return name, 0
	}
	return name, Dollars(dollars)
}

// beforeAmount is what stands before the amount at the end of a line, and before the
// word for dollars behind it.
func beforeAmount(rest []string) []string {
	n := len(rest)
	if n > 0 && slices.Contains([]string{"$", "dollar", "dollars", "usd"}, game.Fold(rest[n-1])) {
		n--
	}
	return rest[:max(n-1, 0)]
}

func (l *lineReader) buy(rest []string, w *Wish) {
	rest, w.Money = l.amount(rest)
	w.Other = l.other(rest)
	if cash := l.state.cash(l.seat); l.now && w.Money > cash {
		l.wrong(issueBuyCash, w.Money.plain(), cash.plain())
	}
}

// bet reads "Kid Thunder 100", with a manager behind it who is to take it.
func (l *lineReader) bet(rest []string, w *Wish) {
	for i := len(rest) - 2; i > 0; i-- {
		if !againstWords().Has(rest[i]) || l.known(beforeAmount(rest)) { // "Joe VS Jim 100"
			continue
		}
		name := strings.Join(rest[i+1:], " ")
		m := l.state.managerNamed(name)
		switch {
		case m < 0:
			l.wrong(issueManagerUnknown, name)
		case l.state.Managers[m].Seat == l.seat:
			l.wrong(issueBetSelf)
		default:
			w.With = l.state.Managers[m].Seat
		}
		rest = rest[:i]
		break
	}
	rest, w.Money = l.amount(rest)
	f, ok := l.find(rest)
	w.Other = f.ID
	if !ok || !l.now {
		return
	}
	on := l.state.bookings(f.ID)
	switch {
	case len(on) == 0:
		l.wrong(issueBetNone, f.Name)
	case on[0].Fought > 0:
		l.wrong(issueBetBegun, f.Name)
	case l.state.Fighters[l.state.fighter(on[0].Fighters[1-on[0].side(f.ID)])].Manager == l.seat:
		l.wrong(issueBetOwn, f.Name)
	case w.Money > l.cash:
		l.wrong(issueBetCash, w.Money.plain(), l.cash.plain())
	}
}

// text is a line in its normal form, which reads as the same line.
func (s *State) text(w Wish, lang conditions.Language) string {
	name := func(id FighterID) string {
		if i := s.fighter(id); i >= 0 {
			return s.Fighters[i].Name
		}
		return string(id)
	}
	var out []string
	add := func(words ...string) { out = append(out, words...) }
	switch w.Do {
	case WantNew:
		add(w.Name, classWords().In(lang), className(w.Class).In(lang))
	case WantBuy, WantBet:
		add(name(w.Other))
	case WantBout, WantTrade:
		add(name(w.Own), againstWords().In(lang), name(w.Other))
	default:
		add(name(w.Own))
	}
	if w.Least > 0 {
		add(leastWords().In(lang), w.Least.String())
	}
	if w.Money > 0 {
		add(strconv.FormatInt(int64(w.Money/100), 10))
	}
	if i := s.manager(w.With); i >= 0 && w.With != "" {
		add(againstWords().In(lang), s.Managers[i].Name)
	}
	if w.Arena != "" {
		add(arenaWords().In(lang), arenaNames(w.Arena).In(lang))
	}
	if w.Rounds > 0 {
		add(lengthWords().In(lang), strconv.Itoa(w.Rounds))
	}
	if w.Week > 0 {
		add(weekWords().In(lang), strconv.Itoa(w.Week))
	}
	if w.Plain {
		add(plainWords().In(lang))
	}
	return strings.Join(out, " ")
}
