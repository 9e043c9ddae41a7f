package referee

import (
	"sync"
	"time"

	"ringpost/internal/report"
)

// memo keeps what costs something to make and stays the same while the program
// runs.
type memo[K comparable, V any] struct{ kept sync.Map }

func (m *memo[K, V]) get(k K, make func() (V, error)) (V, error) {
	if v, ok := m.kept.Load(k); ok {
		return v.(V), nil
	}
	v, err := make()
	if err == nil {
		m.kept.Store(k, v)
	}
	return v, err
}

// zone finds a time zone by its name.
func (d *Desk) zone(name string) *time.Location {
	loc, err := d.zones.get(name, func() (*time.Location, error) { return time.LoadLocation(name) })
	if err != nil { // names are checked when they are entered
		return time.UTC
	}
	return loc
}

// footKey is all that a mail's foot depends on.
type footKey struct {
	lang  string
	token bool
	gm    bool
}

// foot words the end of a mail.
func (d *Desk) foot(m mail) (string, error) {
	k := footKey{lang: m.lang, token: m.token != "", gm: m.kind == "alert" || m.kind == "digest"}
	return d.feet.get(k, func() (string, error) {
		return d.words.Render(k.lang, report.Common, "foot", report.Foot{Address: d.set.Address, Token: k.token, GM: k.gm})
	})
}
