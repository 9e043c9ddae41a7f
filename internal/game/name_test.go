package game

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestG13_CheckName(t *testing.T) {
	tests := []struct{ name, code string }{
		{"Müller", ""},
		{"Sugar Ray", ""},
		{"O'Brien", ""},
		{"Jean-Luc", ""},
		{"Muhammad Ali Jr.", ""},
		{"Joe 2", ""},
		{"Łukasz", ""},
		{"Борис", ""},
		{"王", ""},
		{"a\u0331", ""}, // a letter that NFC cannot compose
		{strings.Repeat("ü", MaxName), ""},
		{strings.Repeat("ü", MaxName+1), "name-long"},
		{"", "name-empty"},
		{"2 Fast", "name-start"},
		{"-Joe", "name-start"},
		{" Joe", "name-start"},
		{"'t Hooft", "name-start"},
		{"\u0308a", "name-start"},
		{"Joe_2", "name-character"},
		{"Joe\nZUG 9/9", "name-character"},
		{"Joe\x00", "name-character"},
		{"Joe {{.Secret}}", "name-character"},
		{"Joe|", "name-character"},
		{"Joe*", "name-character"},
		{"<b>", "name-start"},
		{"Joe\u202e", "name-character"}, // turns the reading direction
		{"Joe\u200b", "name-character"}, // shows nothing
		{"Joe\u3164", "name-character"}, // a letter that shows nothing
		{"\u3164", "name-character"},
		{"S", "name-reserved"},
		{"n", "name-reserved"},
		{"C", "name-reserved"},
		{"С", "name-reserved"}, // Cyrillic
		{"ME", "name-reserved"},
		{"Ich", "name-reserved"},
		{"yo", "name-reserved"},
		{"Dummy", "name-reserved"},
		{"Dümmy", ""},
		{"Dummy Joe", ""},
	}
	for _, tt := range tests {
		if got := CheckName(tt.name); got != tt.code {
			t.Errorf("CheckName(%q) = %q, want %q", tt.name, got, tt.code)
		}
	}
}

func TestG13_EveryNameCodeOccurs(t *testing.T) {
	examples := map[string]string{
		"name-empty": "", "name-long": strings.Repeat("x", 25), "name-start": "1",
		"name-character": "x_", "name-reserved": "me",
	}
	for _, code := range NameCodes() {
		name, ok := examples[code]
		if !ok || CheckName(name) != code {
			t.Errorf("no example gives %s", code)
		}
	}
	if len(examples) != len(NameCodes()) {
		t.Errorf("%d codes, %d examples", len(NameCodes()), len(examples))
	}
}

func TestG13_CleanName(t *testing.T) {
	tests := []struct{ in, want string }{
		{"  Sugar \t Ray ", "Sugar Ray"},
		{"Sugar\u00a0Ray", "Sugar Ray"},
		{"Mu\u0308ller", "Müller"},
		{"O’Brien", "O'Brien"},
		{"Jean‐Luc", "Jean-Luc"},
		{"\n", ""},
	}
	for _, tt := range tests {
		if got := CleanName(tt.in); got != tt.want {
			t.Errorf("CleanName(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestG13_SameName(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"Müller", "MUELLER", true},
		{"Müller", "Mu\u0308ller", true},
		{"Weiß", "weiss", true},
		{"André", "Andre", true},
		{"Paul", "Pаul", true}, // Cyrillic а
		{"Max", "Мах", true},   // all Cyrillic
		{"max", "Мах", true},
		{"MAX", "Мах", true},
		{"Мир", "МИР", true}, // one Cyrillic word in two cases
		{"Paul", "Pau1", true},
		{"Joe", "J0e", true},
		{"Bom", "Born", true},
		{"Ian", "lan", true},
		{"O'Brien", "O’Brien", true},
		{"Sugar  Ray", "Sugar Ray", true},
		{"Müller", "Muller", false},
		{"Maier", "Meier", false},
		{"Joe", "Joel", false},
		{"Sugar Ray", "SugarRay", false},
		{"Joe 1", "Joe 2", false},
	}
	for _, tt := range tests {
		if got := SameName(tt.a, tt.b); got != tt.same {
			t.Errorf("SameName(%q, %q) = %v", tt.a, tt.b, got)
		}
		if SameName(tt.a, tt.b) != SameName(tt.b, tt.a) {
			t.Errorf("SameName(%q, %q) depends on the order", tt.a, tt.b)
		}
	}
}

func TestG4_Fold(t *testing.T) {
	tests := []struct{ in, want string }{
		{"ZUG", "zug"},
		{"Prüfung", "pruefung"},
		{"PRU\u0308FUNG", "pruefung"},
		{"Straße", "strasse"},
		{"STRAẞE", "strasse"},
		{"Ärger Öl", "aerger oel"},
		{"TÉCNICA", "tecnica"},
		{"CONDICIÓN", "condicion"},
		{"Ærø", "aeroe"},
		{"İZMİR", "izmir"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := Fold(tt.in); got != tt.want {
			t.Errorf("Fold(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestFoldTwiceIsFoldOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		if once, twice := Fold(s), Fold(Fold(s)); once != twice {
			t.Fatalf("Fold(%q) = %q, again %q", s, once, twice)
		}
	})
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"Müller", "Sugar Ray", "O’Brien", "\u3164", "a\u0308\u0308", "\xff", "\xf6\xf6\xf6\u0343", "С"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name := CleanName(s)
		if CleanName(name) != name {
			t.Errorf("cleaning %q twice gives %q", name, CleanName(name))
		}
		if !SameName(name, s) {
			t.Errorf("%q is another name than %q", name, s)
		}
		if CheckName(name) != "" {
			return
		}
		if !utf8.ValidString(name) || strings.ContainsAny(name, "\r\n\x00|*{}<>") || strings.TrimSpace(name) != name {
			t.Errorf("%q passes as a name", name)
		}
		if !SameName(name, strings.ToUpper(name)) && Fold(name) == Fold(strings.ToUpper(name)) {
			t.Errorf("%q differs from itself in capitals", name)
		}
	})
}
