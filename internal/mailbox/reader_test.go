package mailbox

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	now := arrival(0)
	read := func(mail string) Mail {
		t.Helper()
		m, err := Read(strings.NewReader(mail), now, 20)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := read("Subject: x\r\n\r\nNAME A")
	want := Mail{
		// printf 'Subject: x\r\n\r\nNAME A' | sha256sum
		Mailbox: Stdin, Name: "sha256:f76d45a4e91f1be5ebd69632f97a46072756e90afc05b04e378eb485fc5431ff", Received: now, Size: 20, Raw: []byte("Subject: x\r\n\r\nNAME A"),
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("mail of the greatest size (-want +got):\n%s", diff)
	}
	if again := read("Subject: x\r\n\r\nNAME A"); again.Name != m.Name {
		t.Errorf("the same mail is named %s and %s", m.Name, again.Name)
	}
	if other := read("Subject: x\r\n\r\nNAME B"); other.Name == m.Name {
		t.Errorf("another mail is named %s too", m.Name)
	}
	large := read(strings.Repeat("x", 21) + "y")
	if string(large.Raw) != strings.Repeat("x", 20) || large.Size != 22 {
		t.Errorf("a mail too large came as %+v", large)
	}
	if other := read(strings.Repeat("x", 21) + "z"); other.Name == large.Name {
		t.Error("mails too large that differ at their end have one name")
	}
}

func TestReadSizes(t *testing.T) {
	for size, want := range map[int]int{0: 0, 1: 1, HeadSize: HeadSize, 100_000: 100_000, 100_001: HeadSize, 1_000_000: HeadSize} {
		m, err := Read(strings.NewReader(strings.Repeat("x", size)), arrival(0), 100_000)
		if err != nil || m.Size != int64(size) || m.Raw == nil || len(m.Raw) != want {
			t.Errorf("of %d bytes there are %d, size %d, %v; want %d", size, len(m.Raw), m.Size, err, want)
		}
	}
}

func TestReadFails(t *testing.T) {
	broken := errors.New("broken pipe")
	for _, before := range []string{"", "Subject: x", strings.Repeat("x", 30)} {
		r := io.MultiReader(strings.NewReader(before), iotest.ErrReader(broken))
		if _, err := Read(r, arrival(0), 20); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", len(before), err)
		}
	}
}
