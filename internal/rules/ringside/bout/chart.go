package bout

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed chart.txt
var chartFile string

// Bounds on a chart's cells. With ratings from 1 no blow heals (RS-19).
const (
	MinCell = -1
	MaxCell = 9
)

// Chart is the punching chart: Cells[thrown][anticipated] is the damage before
// the rating of the punch thrown is added.
type Chart struct {
	Cells [Punches][Punches]int8
	// Reconstructed marks the cells that the rulebook has lost.
	Reconstructed [Punches][Punches]bool
}

var standardChart = sync.OnceValues(func() (Chart, error) { return ParseChart(chartFile) })

// StandardChart is the chart that comes with the program: 20 cells of the
// rulebook, 16 reconstructed ones.
func StandardChart() Chart {
	c, err := standardChart()
	if err != nil {
		panic("bout: the embedded chart: " + err.Error())
	}
	return c
}

// ParseChart reads a chart in the form of the embedded one: a head line with the
// punches anticipated, then a line a punch thrown; a star marks a reconstructed
// cell, # begins a comment. Punches may stand in any order. Errors name the line.
func ParseChart(text string) (Chart, error) {
	var c Chart
	var columns, rows []Punch
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		var err error
		if columns == nil {
			columns, err = chartHead(fields)
		} else {
			rows, err = c.row(fields, columns, rows)
		}
		if err != nil {
			return Chart{}, fmt.Errorf("reading the punching chart, line %d: %w", n, err)
		}
	}
	if len(rows) < Punches {
		return Chart{}, fmt.Errorf("reading the punching chart: %d rows, but there are %d punches: add the missing ones", len(rows), Punches)
	}
	return c, nil
}

func chartHead(fields []string) ([]Punch, error) {
	if len(fields) != Punches+1 {
		return nil, fmt.Errorf("want a word and the %d punches anticipated, as in \"thrown UC RJ RH CO LJ LH\"", Punches)
	}
	var columns []Punch
	for _, f := range fields[1:] {
		p, ok := FindPunch(f)
		if !ok || slices.Contains(columns, p) {
			return nil, fmt.Errorf("%.40q is no punch, or stands there twice", f)
		}
		columns = append(columns, p)
	}
	return columns, nil
}

func (c *Chart) row(fields []string, columns, rows []Punch) ([]Punch, error) {
	thrown, ok := FindPunch(fields[0])
	switch {
	case !ok || slices.Contains(rows, thrown):
		return nil, fmt.Errorf("%.40q is no punch, or has a row already", fields[0])
	case len(fields) != Punches+1:
		return nil, fmt.Errorf("%d cells, want %d", len(fields)-1, Punches)
	}
	for i, f := range fields[1:] {
		digits, reconstructed := strings.CutSuffix(f, "*")
		n, err := strconv.Atoi(digits)
		if err != nil || n < MinCell || n > MaxCell {
			return nil, fmt.Errorf("%.40q is not a whole number from %d to %d, with a star or without", f, MinCell, MaxCell)
		}
		c.Cells[thrown][columns[i]] = int8(n)
		c.Reconstructed[thrown][columns[i]] = reconstructed
	}
	return append(rows, thrown), nil
}

// Differences counts the cells in which two charts are not the same.
func (c Chart) Differences(o Chart) int {
	n := 0
	for thrown := range c.Cells {
		for guard, cell := range c.Cells[thrown] {
			if cell != o.Cells[thrown][guard] {
				n++
			}
		}
	}
	return n
}

// String gives the chart in the form that ParseChart reads.
func (c Chart) String() string {
	var b strings.Builder
	b.WriteString("thrown")
	for _, p := range AllPunches() {
		b.WriteString("  " + p.Code())
	}
	for _, thrown := range AllPunches() {
		b.WriteString("\n" + thrown.Code() + "    ")
		for _, guard := range AllPunches() {
			mark := ' '
			if c.Reconstructed[thrown][guard] {
				mark = '*'
			}
			fmt.Fprintf(&b, "%3d%c", c.Cells[thrown][guard], mark)
		}
	}
	return b.String() + "\n"
}

// MarshalText is String, for JSON.
func (c Chart) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText is ParseChart, for JSON.
func (c *Chart) UnmarshalText(text []byte) error {
	var err error
	*c, err = ParseChart(string(text))
	return err
}
