package audit

import (
	"fmt"
	"slices"
)

// The figures of a step, as far as they are looked at. They are read from the public
// summary; nothing else in it matters here.

type step struct {
	Round    int `json:"round"`
	Managers []struct {
		Seat string `json:"seat"`
		Name string `json:"name"`
		Cash int    `json:"cash"`
	} `json:"managers"`
	Fighters []struct {
		ID      string  `json:"id"`
		Name    string  `json:"name"`
		Manager string  `json:"manager"`
		Class   string  `json:"class"`
		Ratings ratings `json:"ratings"`
		Cut     int     `json:"cut"`
		Earned  int     `json:"earned"`
		Pop     int     `json:"pop"`
		Rank    int     `json:"rank"`
		Record  struct {
			Wins   int `json:"wins"`
			Losses int `json:"losses"`
			Draws  int `json:"draws"`
			KOWins int `json:"ko_wins"`
			Won    int `json:"won"`
			Lost   int `json:"lost"`
		} `json:"record"`
		Purses int `json:"purses"`
		Share  int `json:"share"`
	} `json:"fighters"`
	Titles []struct {
		Class    string `json:"class"`
		Champion string `json:"champion"`
		By       int    `json:"by"`
	} `json:"titles"`
	Bouts     []bout    `json:"bouts"`
	Cancelled []booking `json:"cancelled"`
	Next      []booking `json:"next"`
	News      []struct {
		Class string `json:"class"`
		Code  string `json:"code"`
	} `json:"news"`
	Cuts []cut `json:"cuts"`
	Came []struct {
		Fighter    string  `json:"fighter"`
		Manager    string  `json:"manager"`
		Class      string  `json:"class"`
		Ratings    ratings `json:"ratings"`
		Historical bool    `json:"historical"`
		Cut        int     `json:"cut"`
		Lot        int     `json:"lot"`
	} `json:"came"`
	Moves []struct {
		Code    string `json:"code"`
		Fighter string `json:"fighter"`
		From    string `json:"from"`
		To      string `json:"to"`
		Price   int    `json:"price"`
		Other   string `json:"other"`
	} `json:"moves"`
	Bets []struct {
		Seat   string `json:"seat"`
		Stake  int    `json:"stake"`
		Result string `json:"result"`
	} `json:"bets"`
	Left    []left  `json:"left"`
	Entries []entry `json:"entries"`
	Houses  []int   `json:"houses"`
	Bank    int     `json:"bank"`
	Away    int     `json:"away"`

	want []entry
}

type ratings struct {
	Agility   int    `json:"agility"`
	Punches   [6]int `json:"punches"`
	Counter   int    `json:"counter"`
	Endurance int    `json:"endurance"`
}

// rolled reports whether they can be those of a new fighter (RSC-1).
func (r ratings) rolled() bool {
	for _, p := range r.Punches {
		if p < 1 || p > 4 {
			return false
		}
	}
	return r.Agility > 40 && r.Agility <= 60 && r.Counter > 10 && r.Counter <= 30 && r.Endurance > 0 && r.Endurance <= 20
}

type booking struct {
	ID       string    `json:"id"`
	Class    string    `json:"class"`
	Week     int       `json:"week"`
	Arena    string    `json:"arena"`
	Rounds   int       `json:"rounds"`
	Advanced bool      `json:"advanced"`
	Fought   int       `json:"fought"`
	Title    bool      `json:"title"`
	Vacant   bool      `json:"vacant"`
	Why      string    `json:"why"`
	Fighters [2]string `json:"fighters"`
	Pop      [2]int    `json:"pop"`
}

// place is a bout's on the cards: week by week, in a week from the Pits up (RSC-22).
func (k booking) place() []int {
	return []int{k.Week, slices.Index([]string{"pits", "low", "middle", "high", "best"}, k.Arena)}
}

func pair(ids [2]string) string {
	if number(ids[1]) < number(ids[0]) {
		ids[0], ids[1] = ids[1], ids[0]
	}
	return ids[0] + "-" + ids[1]
}

type bout struct {
	Booking booking   `json:"booking"`
	Corners [2]corner `json:"corners"`
	Result  struct {
		Method string `json:"method"`
		Winner int    `json:"winner"`
	} `json:"result"`
	Cards  []card `json:"cards"`
	Rounds []struct {
		Falls []struct {
			By    int `json:"by"`
			Count int `json:"count"`
		} `json:"falls"`
	} `json:"rounds"`
	From int `json:"from"`
}

type card struct {
	Hits   [2]int `json:"hits"`
	Damage [2]int `json:"damage"`
}

type corner struct {
	Fighter string  `json:"fighter"`
	Name    string  `json:"name"`
	Seat    string  `json:"seat"`
	Ratings ratings `json:"ratings"`
	Start   int     `json:"start"`
	Carried int     `json:"carried"`
	End     int     `json:"end"`
	Result  string  `json:"result"`
	Purse   int     `json:"purse"`
	Cut     int     `json:"cut"`
	Pop     int     `json:"pop"`
	Gain    *struct {
		Die    int    `json:"die"`
		Rating string `json:"rating"`
	} `json:"gain"`
}

type cut struct {
	Fighter string `json:"fighter"`
	Die     int    `json:"die"`
	Before  int    `json:"before"`
	After   int    `json:"after"`
}

type left struct {
	Seat   string `json:"seat"`
	Reason string `json:"reason"`
}

type entry struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Amount int    `json:"amount"`
	Why    string `json:"why"`
}

// expect notes an entry that there must be; one of nothing is not made.
func (s *step) expect(from, to string, amount int, why string) {
	if amount != 0 {
		s.want = append(s.want, entry{from, to, amount, why})
	}
}

// balance is what the entries expected so far change on a ledger.
func (s *step) balance(account string) int {
	n := 0
	for _, e := range s.want {
		if e.From == account {
			n -= e.Amount
		}
		if e.To == account {
			n += e.Amount
		}
	}
	return n
}

// gone are the fighters who were there, or came, and are not any more.
func (s *step) gone(a *Audit) []string {
	here := map[string]bool{}
	for _, f := range s.Fighters {
		here[f.ID] = true
	}
	var out []string
	for id := range a.fighters {
		if !here[id] {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// sorted are entries as text, in an order of their own.
func sorted(all []entry) []string {
	var out []string
	for _, e := range all {
		out = append(out, fmt.Sprintf("%s>%s %d %s", e.From, e.To, e.Amount, e.Why))
	}
	slices.Sort(out)
	return out
}
