package mailbox

import (
	"bytes"
	"testing"
)

// BenchmarkFarewell is what hearing along costs a large mail.
func BenchmarkFarewell(b *testing.B) {
	mail := bytes.Repeat([]byte("a line of an ordinary mail, neither short nor long, as most of them are\r\n"), 1000)
	f := new(farewell)
	b.SetBytes(int64(len(mail)))
	for b.Loop() {
		f.Write(mail)
	}
}
