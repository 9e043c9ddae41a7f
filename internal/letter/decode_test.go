package letter

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTransferRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "raw")
		if got := decodeTransfer([]byte(encode("base64", raw)), "BASE64 "); string(got) != string(raw) {
			t.Fatalf("base64: %q", got)
		}
		// Line ends are no part of what quoted-printable keeps.
		text := strings.NewReplacer("\r", "", "\n", "").Replace(string(raw))
		if got := decodeTransfer([]byte(encode("quoted-printable", []byte(text))), "quoted-printable"); string(got) != text {
			t.Fatalf("quoted-printable: %q, want %q", got, text)
		}
	})
}

func TestDamagedTransfer(t *testing.T) {
	for _, test := range []struct{ encoding, body, want string }{
		{"quoted-printable", "a=3D=\nb=", "a=b"},
		{"quoted-printable", "a =\t \nb", "a b"},
		{"quoted-printable", "50 =% =G1 =4", "50 =% =G1 =4"},
		{"quoted-printable", "-- \nHans", "-- \nHans"},
		{"base64", "TkFNRSBB\n", "NAME A"},
		{"base64", "  TkFN\n\tRSBB", "NAME A"},
		{"base64", "TkFNRSBBCg==\nWlVHIDEvMQ==", "NAME A\nZUG 1/1"},
		{"base64", "TkFNRSBBCg", "NAME A\n"},
		{"base64", strings.Repeat("QUFB", 12) + "!\n", strings.Repeat("AAA", 12)},
		{"base64", "TkFNRSBB\n-- \nein Fuß\n", "NAME A\n-- \nein Fuß\n"},
		{"base64", "NAME A\nZUG 1/1\n", "NAME A\nZUG 1/1\n"},
		{"base64", "AUSSTIEG\n", "\x01D\x92L\x81\x06"}, // nothing tells it from base64
		{"x-mystery", "a=3D", "a=3D"},
		{"", "a", "a"},
	} {
		if got := decodeTransfer([]byte(test.body), test.encoding); string(got) != test.want {
			t.Errorf("%s %q = %q, want %q", test.encoding, test.body, got, test.want)
		}
	}
}

func TestDecodeText(t *testing.T) {
	for _, test := range []struct{ charset, raw, want string }{
		{"", "Müller", "Müller"},
		{"", "M\xfcller", "Müller"},
		{"utf-8", "M\xfcller\nMüller\n", "Müller\nMüller\n"},
		{"us-ascii", "Müller", "Müller"},
		{"iso-8859-1", "Müller", "Müller"},
		{"iso-8859-1", "\x80 M\xfcller", "€ Müller"},
		{"iso-8859-15", "\xa4", "€"},
		{"ISO-8859-2", "\xb1", "ą"},
		{"windows-1251", "\xcc\xfe\xeb\xeb\xe5\xf0", "Мюллер"},
		{"koi8-r", "\xed\xc0\xcc\xcc\xc5\xd2", "Мюллер"},
		{"shift_jis", "\x83\x7e", "ミ"},
		{"gb2312", "\xb2\xe2", "测"},
		{"iso-2022-jp", "\x1b$B$9\x1b(B", "す"},
		{"big5", "\xa4\xa4", "中"},
		{"utf-7", "M+APw-ller 1+-1", "Müller 1+1"},
		{"utf-7", "+AP", ""},
		{"utf-16le", "M\x00\xfc\x00", "Mü"},
		{"utf-16", "\xfe\xff\x00M\x00\xfc", "Mü"},
		{`"UTF8"`, "\xef\xbb\xbfMü", "Mü"},
		{"x-nobody-knows", "M\xfcller", "Müller"},
	} {
		if got := decodeText([]byte(test.raw), test.charset); got != test.want {
			t.Errorf("%s %q = %q, want %q", test.charset, test.raw, got, test.want)
		}
	}
}

func TestHeaderText(t *testing.T) {
	for value, want := range map[string]string{
		"=?utf-8?Q?Z=C3=BCge?= =?iso-8859-1?Q?_f=FCr_7?=": "Züge für 7",
		"=?x-nobody?Q?Z=FCge?=":                           "Züge",
		"Z\xfcge\x00  f\xfcr":                             "Züge für",
		"Züge \u200b\u00a0 f\u00adür\x07":                 "Züge für",
		"[liga-nord 7 k3f9q2]":                            "[liga-nord 7 k3f9q2]",
		"=?utf-8?Q?broken":                                "=?utf-8?Q?broken",
	} {
		if got := headerText(value); got != want {
			t.Errorf("headerText(%q) = %q, want %q", value, got, want)
		}
	}
}

func TestFractions(t *testing.T) {
	for _, test := range []struct{ line, want, note string }{
		{"½", "1/2", NoteFraction},
		{"ZUG ½ ⅔,¾;⅛", "ZUG 1/2 2/3,3/4;1/8", NoteFraction},
		{"ZUG:½|⅓", "ZUG:1/2|1/3", NoteFraction},
		{"1½", "1½", ""},
		{"½1", "½1", ""},
		{"2/½", "2/½", ""},
		{"½/2", "½/2", ""},
		{"½⅓", "½⅓", ""},
		{"-½", "-½", ""},
		{"x½", "x½", ""},
		{"1½ ½", "1½ 1/2", NoteFraction},
		{"²½", "²½", ""},
		{"2\u20443", "2/3", ""},
		{"\u1fefa\u1ffd", "'a'", ""}, // NFC knows them as ` and ´
	} {
		if got, note := cleanLine(test.line); got != test.want || note != test.note {
			t.Errorf("cleanLine(%q) = %q, %q, want %q, %q", test.line, got, note, test.want, test.note)
		}
	}
}

// TestCleanTwice: what is clean stays as it is.
func TestCleanTwice(t *testing.T) {
	special := []rune("½⅔ 12/.-\t\u00a0\u200b\u00ad\u0308uüÜ\uff11\uff0f\u2044\u2019\u201e\u2013\u3000\ufeff>•'`\"a ")
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.OneOf(rapid.StringOf(rapid.SampledFrom(special)), rapid.String()).Draw(t, "line")
		once, _ := cleanLine(line)
		if twice, _ := cleanLine(once); twice != once {
			t.Fatalf("%q, then %q", once, twice)
		}
	})
}
