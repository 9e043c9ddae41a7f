package referee_test

import (
	"testing"

	"ringpost/internal/referee"
)

// TestKnownSenders: for whose mails the junk folder is looked through.
func TestKnownSenders(t *testing.T) {
	b := newBench(t)
	b.league("liga", "address", "Rocky", "Apollo")
	b.want(b.receive(b.letter("new@elsewhere.example", "hello", "JOIN Newcomer\n")), referee.Held)
	for header, want := range map[string]bool{
		"From: rocky@players.example\r\n\r\n":                                  true,
		"From: =?utf-8?q?R=C3=B6cky?= <ROCKY@players.example>\r\n\r\n":         true,
		"From: \"Rocky (the real one)\" <rocky@players.example> (hello)\r\n":   true,
		"From: R\xf6cky <rocky@players.example>\r\n\r\n":                       true,
		"From:\r\n Rocky\r\n <rocky@players.example>\r\n\r\n":                  true,
		"From: new@elsewhere.example\r\n\r\n":                                  true, // his confirmation may land there
		"From: \"rocky@players.example\" <win@elsewhere.example>\r\n\r\n":      false,
		"From: somebody@elsewhere.example\r\n\r\n":                             false,
		"From: " + gm + "\r\n\r\n":                                             false,
		"From: \r\n\r\n":                                                       false,
		"Reply-To: rocky@players.example\r\nFrom: x@elsewhere.example\r\n\r\n": false,
		"\r\n":                       false,
		"":                           false,
		"From rocky@players.example": false,
	} {
		got, err := b.Known(t.Context(), []byte(header))
		b.must(err)
		if got != want {
			t.Errorf("%q: known is %v", header, got)
		}
	}
}

// TestStored: what the ledger holds of a mailbox.
func TestStored(t *testing.T) {
	b := newBench(t)
	in := b.storedOnly(b.letter("x@elsewhere.example", "x", "x"))
	got, err := b.Stored(t.Context(), in.Place.Mailbox, in.Place.UIDValidity, []uint32{in.Place.UID, in.Place.UID + 1})
	b.must(err)
	if len(got) != 1 || got[0] != in.Place.UID {
		t.Errorf("known are %v", got)
	}
}
