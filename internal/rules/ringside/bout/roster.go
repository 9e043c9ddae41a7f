package bout

import (
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ringpost/internal/game"
)

//go:embed fighters.csv
var fightersFile string

// Named is a fighter with a name.
type Named struct {
	Name string
	Fighter
}

// Historical are the fighters whose figures the rulebook has.
func Historical() []Named {
	all, err := ParseFighters(fightersFile)
	if err != nil {
		panic("bout: the embedded fighters: " + err.Error())
	}
	return all
}

// columns are those of a file of fighters, in the order they have without a head
// line.
func columns() []string {
	return []string{"name", "agility", "uc", "rj", "rh", "co", "lj", "lh", "counterpunch", "endurance"}
}

// mostWrong bounds how many lines an error names.
const mostWrong = 10

// ParseFighters reads a CSV file of fighters, with commas or semicolons: name,
// agility, UC, RJ, RH, Co, LJ, LH, counterpunch, endurance. A head line may put
// the columns in another order; # begins a comment line. The error names the
// lines that are wrong, at most ten of them; what is good is returned all the same.
func ParseFighters(text string) ([]Named, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	r := csv.NewReader(strings.NewReader(text))
	r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace = '#', -1, true
	if first, _, _ := strings.Cut(text, "\n"); strings.Contains(first, ";") && !strings.Contains(first, ",") {
		r.Comma = ';'
	}
	var all []Named
	var wrong []error
	order := columns()
	for n := 0; ; n++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if n == 0 && err == nil && isHead(record) {
			if order, err = readHead(record); err != nil {
				return nil, fmt.Errorf("reading fighters: %w", err)
			}
			continue
		}
		var f Named
		if err == nil {
			f, err = readFighter(record, order, all)
			if err != nil {
				line, _ := r.FieldPos(0)
				err = fmt.Errorf("line %d: %w", line, err)
			}
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		all = append(all, f)
	}
	if more := len(wrong) - mostWrong; more > 0 {
		wrong = append(wrong[:mostWrong], fmt.Errorf("and %d more lines", more))
	}
	if len(wrong) > 0 {
		return all, fmt.Errorf("reading fighters: %w", errors.Join(wrong...))
	}
	return all, nil
}

func isHead(record []string) bool {
	return slices.ContainsFunc(record, func(s string) bool { return column(s) == "name" })
}

func column(field string) string { return game.Fold(strings.TrimSpace(field)) }

func readHead(record []string) ([]string, error) {
	var order []string
	for _, f := range record {
		order = append(order, column(f))
	}
	for _, c := range columns() {
		if n := count(order, c); n != 1 {
			return nil, fmt.Errorf("line 1: the column %q stands there %d times: want the columns %s", c, n, strings.Join(columns(), ", "))
		}
	}
	return order, nil
}

func count(all []string, one string) int {
	n := 0
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

func readFighter(record, order []string, before []Named) (Named, error) {
	var f Named
	if len(record) != len(order) {
		return f, fmt.Errorf("%d fields, want %d: %s", len(record), len(order), strings.Join(order, ", "))
	}
	for i, c := range order {
		if err := f.set(c, strings.TrimSpace(record[i])); err != nil {
			return f, err
		}
	}
	if slices.ContainsFunc(before, func(o Named) bool { return game.SameName(o.Name, f.Name) }) {
		return f, fmt.Errorf("there is a %s already, or one whose name looks the same", f.Name)
	}
	return f, f.Check()
}

// set takes one column; those that are not known are passed over.
func (f *Named) set(column, text string) error {
	if column == "name" {
		f.Name = game.CleanName(text)
		if code := game.CheckName(f.Name); code != "" {
			return fmt.Errorf("the name %.60q cannot be used (%s)", f.Name, code)
		}
		return nil
	}
	rating := f.rating(column)
	if rating == nil {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("%s: %.40q is not a whole number", column, text)
	}
	*rating = n
	return nil
}

func (f *Named) rating(column string) *int {
	switch column {
	case "agility":
		return &f.Agility
	case "counterpunch":
		return &f.Counter
	case "endurance":
		return &f.Endurance
	}
	if p, ok := FindPunch(column); ok {
		return &f.Punches[p]
	}
	return nil
}
