package ringside

import (
	"strings"

	"ringpost/internal/game"
)

// Account names a ledger: a seat ("s1"), a fighter ("f3"), an arena ("arena/best"),
// the bank, or what left the game.
type Account string

// The ledgers that are nobody's.
const (
	BankAccount Account = "bank"
	AwayAccount Account = "away"
)

const arenaPrefix = "arena/"

func (a Arena) account() Account { return Account(arenaPrefix + string(a)) }

// Entry is a booking: Amount goes from one ledger to another, so that all of them
// always sum to zero (RSC-25).
type Entry struct {
	From   Account `json:"from"`
	To     Account `json:"to"`
	Amount Money   `json:"amount"` // above 0
	Why    string  `json:"why"`
}

// Why money changes hands.
const (
	ForStart    = "start"    // bank to manager
	ForPurse    = "purse"    // arena to fighter
	ForCut      = "cut"      // fighter to manager
	ForSale     = "sale"     // manager to manager
	ForRent     = "rent"     // manager to arena
	ForStake    = "stake"    // manager to bank
	ForWinnings = "winnings" // bank to manager: stakes of both sides
	ForReturned = "returned" // bank to manager: a stake back
	ForFarewell = "farewell" // whoever leaves takes his ledger along
)

// ledger is the balance of an account; nil for one that is not there.
func (s *State) ledger(a Account) *Money {
	switch {
	case a == BankAccount:
		return &s.Bank
	case a == AwayAccount:
		return &s.Away
	case strings.HasPrefix(string(a), arenaPrefix):
		if i := Arena(strings.TrimPrefix(string(a), arenaPrefix)).place(); i >= 0 {
			return &s.Houses[i]
		}
	case strings.HasPrefix(string(a), "f"):
		if i := s.fighter(FighterID(a)); i >= 0 {
			return &s.Fighters[i].Share
		}
	default:
		if i := s.manager(game.SeatID(a)); i >= 0 {
			return &s.Managers[i].Cash
		}
	}
	return nil
}

// Sum adds up all ledgers: 0 unless the program is wrong (RSC-25).
func (s *State) Sum() Money {
	sum := s.Bank + s.Away
	for _, m := range s.Houses {
		sum += m
	}
	for _, m := range s.Managers {
		sum += m.Cash
	}
	for _, f := range s.Fighters {
		sum += f.Share
	}
	return sum
}

// pay books an amount and remembers the entry for the turn's event.
func (t *turn) pay(from, to Account, amount Money, why string) {
	if amount == 0 {
		return
	}
	*t.state.ledger(from) -= amount
	*t.state.ledger(to) += amount
	t.entries = append(t.entries, Entry{from, to, amount, why})
}
