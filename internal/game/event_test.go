package game

import (
	"encoding/json"
	"testing"
)

// Whom an event may be shown to comes back from storage as it was: an event for
// nobody must not become everybody's.
func TestEventsKeepWhoMaySeeThem(t *testing.T) {
	for _, tt := range []struct {
		name, stored string
		of           []SeatID
	}{
		{"everybody", `{"code":"x","data":1}`, nil},
		{"nobody", `{"code":"x","for":[],"data":1}`, []SeatID{}},
		{"two", `{"code":"x","for":["s1","s2"],"data":1}`, []SeatID{"s1", "s2"}},
	} {
		text, err := json.Marshal(Event[int]{Code: "x", For: tt.of, Data: 1})
		if err != nil || string(text) != tt.stored {
			t.Errorf("%s: stored as %s (%v), want %s", tt.name, text, err, tt.stored)
		}
		var back Event[int]
		if err := json.Unmarshal([]byte(tt.stored), &back); err != nil {
			t.Fatal(err)
		}
		if (back.For == nil) != (tt.of == nil) || len(back.For) != len(tt.of) {
			t.Errorf("%s: read as %#v, want %#v", tt.name, back.For, tt.of)
		}
	}
}
