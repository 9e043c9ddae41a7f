package ringside

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Pop is popularity in half points (RSC-3).
type Pop int

// String gives it in points: "12½".
func (p Pop) String() string {
	switch {
	case p == 1:
		return "½"
	case p == -1:
		return "-½"
	case p%2 != 0:
		return strconv.Itoa(int(p)/2) + "½"
	}
	return strconv.Itoa(int(p) / 2)
}

// Signed is String with a sign before it: "+1½".
func (p Pop) Signed() string {
	if p > 0 {
		return "+" + p.String()
	}
	return p.String()
}

// Money is an amount in cents (RSC-13, G-8).
type Money int64

// Dollars are whole ones.
func Dollars(n int) Money { return Money(n) * 100 }

// En writes the amount as in English: "$1,234.50", whole dollars without cents.
func (m Money) En() string {
	sign, text := m.written(",", ".")
	return sign + "$" + text
}

// De writes the amount as in German: "1.234,50 $".
func (m Money) De() string {
	sign, text := m.written(".", ",")
	return sign + text + "\u00a0$" // never parted at a line's end
}

// EnWhole is En without cents, which are cut off: for columns.
func (m Money) EnWhole() string { return (m / 100 * 100).En() }

// DeWhole is De without cents.
func (m Money) DeWhole() string { return (m / 100 * 100).De() }

// plain is the amount without anything of a language: "1234", "1234.50".
func (m Money) plain() string {
	sign, text := m.written("", ".")
	return sign + text
}

func (m Money) written(thousands, point string) (sign, text string) {
	n := int64(m)
	if n < 0 {
		sign, n = "-", -n
	}
	digits := strconv.FormatInt(n/100, 10)
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	text = strings.Join(append([]string{digits}, groups...), thousands)
	if cents := n % 100; cents != 0 {
		text += point + strconv.FormatInt(100+cents, 10)[1:]
	}
	return sign, text
}

// Percent is a share in hundredths of a percent.
type Percent int

// En writes it as in English, without the sign: "57.50".
func (p Percent) En() string { return fmt.Sprintf("%d.%02d", p/100, p%100) }

// De writes it as in German: "57,50".
func (p Percent) De() string { return fmt.Sprintf("%d,%02d", p/100, p%100) }

// MarshalJSON writes it as a number of percent.
func (p Percent) MarshalJSON() ([]byte, error) { return []byte(p.En()), nil }

// shareOf is a part of a whole, rounded.
func shareOf(count, of int) Percent {
	if of == 0 {
		return 0
	}
	return Percent((2*100*100*count + of) / (2 * of))
}

// samplingError is how far from the truth a share of so many runs may be, in 95
// cases of 100, rounded up: 1.96 standard errors. Two runs of either kind are added,
// so that of what never came in a few runs nobody learns that it cannot come (Agresti
// and Coull, The American Statistician 52, 1998).
func samplingError(count, runs int) Percent {
	number := func(n int) *big.Int { return big.NewInt(int64(n)) }
	n := number(runs + 4)
	square := number(19600 * 19600)
	square.Mul(square, number(count+2)).Mul(square, number(runs-count+2))
	square.Div(square, n.Exp(n, number(3), nil))
	return Percent(square.Sqrt(square).Int64()) + 1
}

// short cuts a name to so many characters, with a dot where something is missing.
func short(name string, most int) string {
	runes := []rune(name)
	if len(runes) <= most {
		return name
	}
	return strings.TrimRight(string(runes[:most-1]), " ") + "."
}
