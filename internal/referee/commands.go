package referee

import (
	"slices"
	"strings"

	"ringpost/internal/game"
	"ringpost/internal/letter"
	"ringpost/internal/orders"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// commands carries out what the letter asks for beside orders.
func (c *correspondence) commands() error {
	for _, cmd := range c.text.Commands {
		if c.opt.confirmed && !changes(cmd.Keyword) {
			continue // it was answered when the letter came
		}
		var err error
		switch cmd.Keyword {
		case game.KeyYes: // see confirmations
		case game.KeyHelp:
			err = c.help()
		case game.KeyGames:
			err = c.games()
		case game.KeyJoin:
			err = c.join(cmd)
		case game.KeyLanguage, game.KeyTimezone, game.KeyReminders, game.KeyReports, game.KeyAddress:
			err = c.ownSetting(cmd)
		default:
			err = c.inGame(cmd)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// changes reports whether a command does more than ask, and so wants a proof of its
// sender.
func changes(key game.Keyword) bool {
	switch key {
	case game.KeyJoin, game.KeyLeave, game.KeyIgnore, game.KeyHeed, game.KeySpar, // of which there are few
		game.KeyLanguage, game.KeyTimezone, game.KeyReminders, game.KeyReports, game.KeyAddress:
		return true
	}
	return false
}

// inGame carries out a command that concerns one game.
func (c *correspondence) inGame(cmd orders.Command) error {
	where := game.Block{Game: cmd.Game, Name: cmd.Name}
	if cmd.Keyword == game.KeySpar {
		where.Name = or(cmd.Args, cmd.Name)
	}
	s, no, err := c.gameOf(where)
	if err != nil {
		return err
	}
	if no != nil {
		no.Line = cmd.Line
		c.refuse(*no)
		return nil
	}
	if s.table == nil && cmd.Keyword != game.KeyRules && cmd.Keyword != game.KeyLeave {
		c.refuse(refusal{Line: cmd.Line, Code: "not-running", Game: s.ID})
		return nil
	}
	if changes(cmd.Keyword) && c.doneBefore(s.Trust) {
		return nil
	}
	switch cmd.Keyword {
	case game.KeyRules:
		return c.rulesOf(s)
	case game.KeyTable:
		return c.ask(s, rules.Query{Kind: game.QueryTable}, cmd, "table")
	case game.KeyRecord:
		if own := c.ownSeats(s); cmd.Args == "" && len(own) > 0 {
			cmd.Args = own[0].Name
		}
		if cmd.Args == "" {
			c.refuse(c.noSeat(s))
			return nil
		}
		return c.ask(s, rules.Query{Kind: game.QueryRecord, Subject: game.CleanName(cmd.Args)}, cmd, "record")
	case game.KeyOrders:
		return c.onFile(s)
	case game.KeyReport:
		return c.archived(s, cmd)
	case game.KeySpar:
		return c.sparring(s, cmd)
	case game.KeyLeave:
		return c.leave(s, cmd)
	case game.KeyIgnore, game.KeyHeed:
		return c.ignore(s, cmd)
	}
	return nil
}

func (c *correspondence) help() error {
	rows, err := c.gameRows()
	if err != nil {
		return err
	}
	mine, err := c.ownGames()
	if err != nil {
		return err
	}
	spars := slices.ContainsFunc(mine, func(s *sitting) bool { return s.rules.Spars() })
	c.answer.add("help", report.Help{Address: c.set.Address, Rows: rows, Spars: spars})
	c.note(Taken, "help")
	return nil
}

func (c *correspondence) games() error {
	rows, err := c.gameRows()
	if err != nil {
		return err
	}
	c.answer.add("games", report.Games{Rows: rows})
	c.note(Taken, "games")
	return nil
}

func (c *correspondence) gameRows() ([]report.GameRow, error) {
	mine, err := c.ownGames()
	if err != nil {
		return nil, err
	}
	var rows []report.GameRow
	for _, s := range mine {
		own := c.ownSeats(s)
		row := report.GameRow{Game: s.ID, Title: s.Title, Ruleset: s.Ruleset, Seats: names(own),
			Round: s.Round, State: s.State, Deadline: c.deadline(s), Ordered: true}
		if waiting := c.seatsIn(s, store.SeatWaiting); len(own) == 0 && len(waiting) > 0 {
			row.Seats, row.State = names(waiting), "waiting"
		} else if len(own) == 0 {
			row.Seats, row.State = names(c.seatsIn(s, store.SeatLeft, store.SeatRemoved)), "left"
		}
		if s.open() {
			missing, err := c.missing(s)
			if err != nil {
				return nil, err
			}
			for _, duty := range missing {
				row.Ordered = row.Ordered && !slices.ContainsFunc(own, func(x store.Seat) bool { return x.ID == duty.Seat })
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// missing are the duties of the open round that no good orders meet yet.
func (h *handling) missing(s *sitting) ([]game.Duty, error) {
	all, err := h.tx.Counting(s.ID, s.Branch, s.Round, s.until(s.Round))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(s.table.Due().Duties, func(d game.Duty) bool {
		return slices.ContainsFunc(all, func(o store.Orders) bool {
			return o.Seat == d.Seat && o.Slot == d.Slot && !o.Provisional
		})
	}), nil
}

func (c *correspondence) rulesOf(s *sitting) error {
	c.answer.view(s.Ruleset, s.rules.Rules(s.Settings))
	c.note(Taken, "rules")
	return nil
}

// ask puts a question to the ruleset and its views into the answer.
func (c *correspondence) ask(s *sitting, q rules.Query, cmd orders.Command, reason string) error {
	answers, err := s.table.Ask(q)
	if err != nil {
		return err
	}
	var who game.Audience
	if own := c.ownSeats(s); len(own) == 1 {
		who.Seat = own[0].ID
	}
	views, issues := answers(who)
	if len(issues) > 0 {
		c.refuse(refusal{Line: cmd.Line, Code: issues[0].Code, Game: s.ID, Name: cmd.Args, Names: names(active(s.seats))})
		return nil
	}
	for _, v := range views {
		c.answer.view(s.Ruleset, v)
	}
	c.note(Taken, reason)
	return nil
}

// noSeat says why a player has no seat in the open round.
func (c *correspondence) noSeat(s *sitting) refusal {
	if x, waits := c.waitingSeat(s, ""); waits {
		return refusal{Code: "not-yet", Game: s.ID, Name: x.Name, Round: s.Round + 1}
	}
	return refusal{Code: "which-seat", Game: s.ID}
}

func active(seats []store.Seat) []store.Seat {
	return slices.DeleteFunc(slices.Clone(seats), func(s store.Seat) bool { return !inPlay(s) })
}

func (c *correspondence) onFile(s *sitting) error {
	own := c.ownSeats(s)
	if len(own) == 0 {
		c.refuse(c.noSeat(s))
		return nil
	}
	for _, seat := range own {
		for round := s.Round; round <= s.Round+MaxAhead; round++ {
			f, err := c.file(s, seat.ID, round)
			if err != nil {
				return err
			}
			if round > s.Round && len(f.sent) == 0 {
				continue
			}
			on := report.OnFile{Game: s.ID, Title: s.Title, Seat: seat.Name, Round: round}
			if round == s.Round {
				on.Deadline = c.deadline(s)
			}
			for _, o := range f.sent {
				on.Slots = append(on.Slots, report.OnFileSlot{Lines: c.worded(o.Lines), Provisional: o.Provisional, Received: report.When(c.lang, c.zone, o.Received)})
			}
			for _, slip := range f.standing() {
				on.Slots = append(on.Slots, report.OnFileSlot{Lines: c.worded(slip.Lines), Standing: true})
			}
			c.answer.add("onfile", on)
		}
	}
	c.note(Taken, "orders-on-file")
	return nil
}

// archived sends a past report again, as its reader saw it.
func (c *correspondence) archived(s *sitting, cmd orders.Command) error {
	round := s.step.Round
	if cmd.Args != "" {
		round, _ = atoi(cmd.Args)
	}
	step, err := c.tx.StepOf(s.ID, s.Branch, round)
	ok, err := found(err)
	if err != nil {
		return err
	}
	if !ok {
		c.refuse(refusal{Line: cmd.Line, Code: "no-report", Game: s.ID, Round: round})
		return nil
	}
	seats := slices.Concat(c.ownSeats(s), c.seatsIn(s, store.SeatLeft, store.SeatRemoved)) // who has left may read what he was part of
	var seat game.SeatID
	if len(seats) > 0 {
		seat = seats[0].ID
	}
	text, err := c.reportText(c.tx, s, step, seat, c.lang)
	if err != nil {
		return err
	}
	c.answer.text(text)
	c.note(Taken, "report")
	return nil
}

// leave takes a seat out after the open round (G-10).
func (c *correspondence) leave(s *sitting, cmd orders.Command) error {
	own := slices.DeleteFunc(slices.Clone(s.seats), func(x store.Seat) bool {
		return x.Player != c.player.ID || !inPlay(x) && x.State != store.SeatWaiting ||
			cmd.Name != "" && !s.means(x, cmd.Name)
	})
	if len(own) != 1 {
		c.refuse(refusal{Line: cmd.Line, Code: "which-seat", Game: s.ID, Names: names(c.ownSeats(s))})
		return nil
	}
	if !c.trusted(s.Trust) {
		return c.holdLetter("sender", s, own[0].Name, []string{orders.Word(orders.Language(c.lang), game.KeyLeave)})
	}
	state := store.SeatLeaving
	if own[0].State == store.SeatWaiting || s.State == store.GameNew {
		state = store.SeatLeft
	}
	if err := c.tx.SetSeatState(s.ID, own[0].ID, state); err != nil {
		return err
	}
	c.forget(s.ID)
	c.answer.add("notice", report.Notice{Code: "leaving", Game: s.ID, Title: s.Title, Seat: own[0].Name, Round: s.Round, Deadline: c.deadline(s)})
	c.note(Taken, "leaving")
	return nil
}

// forget makes the next look at a game read it anew.
func (h *handling) forget(gameID string) { delete(h.sittings, gameID) }

// join signs a player up (G-10: he enters after the open round).
func (c *correspondence) join(cmd orders.Command) error {
	s, no, err := c.joinable(cmd)
	if err != nil {
		return err
	}
	name := game.CleanName(cmd.Args)
	if no == nil {
		no = c.nameRefused(s, name)
	}
	if no == nil && slices.ContainsFunc(s.seats, func(x store.Seat) bool {
		return c.player.ID != 0 && x.Player == c.player.ID && (inPlay(x) || x.State == store.SeatWaiting)
	}) {
		no = &refusal{Code: "already-in", Game: s.ID}
	}
	if no != nil {
		no.Line = cmd.Line
		c.refuse(*no)
		return nil
	}
	if c.player.ID == 0 && !c.opt.confirmed || c.player.ID != 0 && !c.trusted(s.Trust) {
		return c.holdLetter("join", s, name, nil)
	}
	if c.player.ID == 0 {
		p := store.Player{Lang: or(c.spoken(), s.Lang), TZ: s.TZ, Remind: RemindHours, Addresses: []string{c.read.From}}
		if c.player, err = c.tx.AddPlayer(p, []string{letter.Normalize(c.read.From)}, c.at); err != nil {
			return err
		}
		c.lang, c.zone = c.player.Lang, c.Desk.zone(c.player.TZ)
	}
	seat := store.Seat{Game: s.ID, Player: c.player.ID, State: store.SeatWaiting}
	if s.State == store.GameNew {
		seat.State = store.SeatPlaying
	}
	seat.Name = name
	if _, err := c.tx.AddSeat(seat); err != nil {
		return err
	}
	if s.State == store.GamePaused && len(active(s.seats)) == 0 {
		if err := c.alert("waiting", s.ID, s.Round, "", "", ""); err != nil {
			return err
		}
	}
	c.forget(s.ID)
	c.answer.add("notice", report.Notice{Code: "joined", Game: s.ID, Title: s.Title, Seat: name, Round: s.Round + 1, Deadline: c.deadline(s)})
	c.note(Taken, "joined")
	return nil
}

// joinable finds the game somebody wants to join: the one he names, else the
// only one that takes players.
func (c *correspondence) joinable(cmd orders.Command) (*sitting, *refusal, error) {
	all, err := c.tx.Games()
	if err != nil {
		return nil, nil, err
	}
	all = slices.DeleteFunc(all, func(g store.Game) bool {
		return g.State == store.GameEnded || cmd.Game != "" && !strings.EqualFold(g.ID, cmd.Game)
	})
	switch {
	case len(all) == 1:
		s, err := c.sitting(all[0].ID)
		return s, nil, err
	case len(all) == 0 && cmd.Game != "":
		return nil, &refusal{Code: "unknown-game", Name: cmd.Game}, nil
	case len(all) == 0:
		return nil, &refusal{Code: "not-open"}, nil
	}
	no := &refusal{Code: "which-game"}
	for _, g := range all {
		no.Names = append(no.Names, g.ID)
	}
	return nil, no, nil
}

// nameRefused says what is wrong with a name for a new seat (G-13), nil if
// nothing is.
func (c *correspondence) nameRefused(s *sitting, name string) *refusal {
	if code := s.nameProblem(name); code != "" {
		return &refusal{Code: code, Game: s.ID, Name: name}
	}
	return nil
}

// nameProblem is the code of what is wrong with a name for a new seat (G-13).
// Names of those who left stay theirs: old reports name them.
func (s *sitting) nameProblem(name string) string {
	if code := game.CheckName(name); code != "" {
		return code
	}
	if orders.Reserved(name) {
		return "name-reserved"
	}
	if slices.ContainsFunc(s.seats, func(x store.Seat) bool { return game.SameName(x.Name, name) }) {
		return "name-taken"
	}
	if slices.ContainsFunc(s.otherNames(), func(n string) bool { return game.SameName(n, name) }) {
		return "name-fighter"
	}
	return ""
}

// otherNames are those in a game beside its seats'.
func (s *sitting) otherNames() []string {
	if s.table == nil {
		return s.rules.Names(s.Settings)
	}
	return s.table.Names("")
}

// nothingFound answers a player's letter that held neither orders nor commands.
func (c *correspondence) nothingFound() error {
	if quoted := c.quotedBlocks(); len(quoted) > 0 {
		return c.holdQuoted(quoted)
	}
	if c.read.List {
		c.note(Dropped, "list")
		return nil
	}
	subject := orders.Parse([]orders.Line{{N: 1, Text: report.WithoutTag(c.read.Subject)}})
	for _, cmd := range subject.Commands { // a mail program's button to unsubscribe
		if cmd.Keyword == game.KeyReports {
			cmd.Line = 0
			return c.ownSetting(cmd)
		}
	}
	n, err := c.tx.Count("no-orders/"+itoa64(c.player.ID), c.at, day)
	if err != nil {
		return err
	}
	if n > 3 { // some unknown kind of responder may answer every answer of ours
		c.note(Dropped, "no-orders")
		return nil
	}
	// A command there is meant as one when nothing else is said: "Orders" heads many
	// a chat.
	if len(subject.Commands) > 0 && c.read.Problem == letter.ProblemEmpty || ordersIn(report.WithoutTag(c.read.Subject)) {
		c.refuse(refusal{Code: "subject-only"})
		return nil
	}
	c.refuse(refusal{Code: "no-orders"})
	return nil
}

// ordersIn reports whether a line such as "NAME Ali ZUG 1/1 …" holds orders,
// wherever in it they begin; what stands before them may be their head.
func ordersIn(line string) bool {
	words := strings.Fields(line)
	for i := range words[:min(len(words), 50)] {
		found := orders.Parse([]orders.Line{{N: 1, Text: strings.Join(words[:i], " ")}, {N: 2, Text: strings.Join(words[i:], " ")}})
		if slices.ContainsFunc(found.Blocks, orders.FilledIn) {
			return true
		}
	}
	return false
}
