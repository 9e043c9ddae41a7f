package oauth

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode"
)

// FuzzDoor: nothing opens the door but the right state, once, and no page or error shows what was sent.
func FuzzDoor(f *testing.F) {
	const state = "K5CFHFT6YZHTWZPQH2ZX7AAAAA"
	for _, seed := range []string{"/?code=abc&state=" + state, "/?error=access_denied&state=" + state, "/?code=abc&state=", "/?state=" + state,
		"/?code=abc&state=x&state=" + state, "/%zz", "/?%zz", "//x?code=a&state=" + state, "http://127.0.0.1:1/?code=a&state=" + state + "#x", "?code=;&state=" + state} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		d := &door{state: state, answers: make(chan url.Values, 1)}
		answer, err := d.read(address)
		if err == nil && (answer.Get("state") != state || answer.Get("code") == "" && answer.Get("error") == "") {
			t.Errorf("%q is taken as %v", address, answer)
		}
		if err != nil && len(address) > 20 && strings.Contains(err.Error(), address) {
			t.Errorf("the error quotes the address: %v", err)
		}
		u, err := url.Parse(address)
		if err != nil {
			return
		}
		first, second := httptest.NewRecorder(), httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/", nil)
		r.URL = u
		d.ServeHTTP(first, r)
		d.ServeHTTP(second, r)
		if taken := len(d.answers) == 1; taken != (first.Code == 200) || taken && second.Code != 409 || !taken && second.Code != first.Code {
			t.Errorf("%q: taken %t, status %d and then %d", address, taken, first.Code, second.Code)
		}
	})
}

func TestWordsOfOthers(t *testing.T) {
	got := oneLine("bad\r\n token\x1b[2J x\u0085y\xff")
	if want := "bad token [2J x y?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if strings.ContainsFunc(oneLine("\u009b31m\x07x"), unicode.IsControl) {
		t.Error("a control character is left")
	}
}
