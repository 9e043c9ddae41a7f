package referee_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/letter"
	"ringpost/internal/referee"
)

// envelope is a way to pretend to be Müller: header lines, and what comes with them.
type envelope struct {
	name    string
	headers []string
	subject string
}

// payloads are what a forger would have done in Müller's name.
func payloads(code string) map[string]string {
	return map[string]string{
		"orders":   "NAME Müller\n" + goodZug,
		"no name":  "SPIEL liga\nZUG 9/9 9/9 9/9 9/9 9/9\n",
		"leaving":  "AUSSTIEG\n",
		"press":    "PRESSE AN ALLE\nIch gebe auf.\nENDE\nPRESSE\nIch gebe auf.\nENDE\n",
		"address":  "ADRESSE mallory@evil.example\n",
		"settings": "SPRACHE en\nZEITZONE Asia/Tokyo\nERINNERUNG AUS\nBERICHTE AUS\n",
		"ignoring": "IGNORIERE Maier\n",
		"sign-up":  "ANMELDUNG Zweiter\n",
		"quoted":   "Gilt!\n\n> NAME Müller\n> ZUG 9/9 9/9 9/9 9/9 9/9\n",
		"a quote":  "> JA " + code + "\n",
		"all at once": "SPIEL liga\nNAME Müller\n" + goodZug + "ENDE\nAUSSTIEG\nADRESSE mallory@evil.example\nIGNORIERE Maier\n" +
			"PRESSE\nIch gebe auf.\nENDE\nBERICHTE AUS\n",
	}
}

// strangersEnvelopes do not even claim Müller's address, whatever else they claim:
// not the code that waits for him, nor his token, does anything for them.
func strangersEnvelopes(victim, tag, plus, code string) []envelope {
	from := func(name, value string, more ...string) envelope {
		return envelope{name, append([]string{"From: " + value}, more...), "Re: " + tag}
	}
	trusted := "Authentication-Results: mx.liga.example; dkim=pass header.d=evil.example; dmarc=pass header.from=evil.example"
	return []envelope{
		from("a stolen token", "mallory@evil.example"),
		from("a stolen token, vouched for", "mallory@evil.example", trusted),
		from("a stolen plus-address", "mallory@evil.example", "To: "+plus, "Delivered-To: "+plus, trusted),
		from("Reply-To", "mallory@evil.example", "Reply-To: "+victim),
		from("Sender and Return-Path", "mallory@evil.example", "Sender: "+victim, "Return-Path: <"+victim+">", "X-Sender: "+victim, "Resent-From: "+victim, "Apparently-From: "+victim),
		from("the name", `"`+victim+`" <mallory@evil.example>`),
		from("the name with brackets", `"<`+victim+`>" <mallory@evil.example>`),
		from("an escaped name", `"a\" <`+victim+`>" <mallory@evil.example>`),
		from("the name without quotes", victim+" <mallory@evil.example>"),
		from("a comment", "mallory@evil.example ("+victim+")"),
		from("a nested comment", "(<"+victim+">("+victim+"))mallory@evil.example"),
		from("an encoded name", "=?utf-8?b?PG11ZWxsZXJAcGxheWVycy5leGFtcGxlPg==?= <mallory@evil.example>"),
		from("an encoded address beside it", "=?utf-8?q?mueller=40players=2Eexample?= <mallory@evil.example>", trusted),
		from("a group", victim+": mallory@evil.example;"),
		from("his address second", "mallory@evil.example, "+victim, trusted),
		from("his address in a second From", "mallory@evil.example", "From: "+victim, trusted),
		from("a longer domain", victim+".evil.example"),
		from("a percent", "mueller%players.example@evil.example"),
		from("a bang", "players.example!mueller@evil.example"),
		from("a quoted local part", `"`+victim+`"@evil.example`),
		from("a Cyrillic letter", "muеller@players.example"),
		from("a plus-part", "mueller+mallory@players.example", pass),
		from("a NUL", victim+"\x00@evil.example"),
		from("a header of its own", "mallory@evil.example\rFrom: "+victim),
		{"a code in the subject", []string{"From: mallory@evil.example", trusted}, "JA " + code},
	}
}

// forgedEnvelopes claim Müller's address, and have no more than that: his token is
// another's, made up or too old, and nobody who is trusted vouches for them.
func forgedEnvelopes(victim, tag, otherTag, otherPlus string) []envelope {
	from := func(name, subject string, more ...string) envelope {
		return envelope{name, append([]string{"From: " + victim}, more...), subject}
	}
	results := func(s string) string { return "Authentication-Results: " + s }
	return []envelope{
		from("nothing else", "Zug"),
		from("another's token", "Re: "+otherTag),
		from("another's plus-address", "Zug", "To: "+otherPlus),
		from("both, his token made up", "Re: [liga 1 aaaaaa]", "To: "+otherPlus),
		from("a token for another game", strings.Replace("Re: "+tag, "[liga ", "[streng ", 1)),
		from("a token for another round", strings.Replace("Re: "+tag, " 1 ", " 0 ", 1)),
		from("a token with a letter more", strings.Replace("Re: "+tag, "]", "a]", 1)),
		from("two tokens", "Re: "+tag+" "+otherTag),
		from("a server nobody trusts", "Zug", results("mx.evil.example; dmarc=pass header.from=players.example")),
		from("a server's name, longer", "Zug", results("mx.liga.example.evil.example; dmarc=pass header.from=players.example")),
		from("a server's name in a comment", "Zug", results("(mx.liga.example;) mx.evil.example; dmarc=pass header.from=players.example")),
		from("a server's name quoted", "Zug", results(`"mx.liga.example\"" ; dmarc=pass header.from=players.example`)),
		from("no server's name", "Zug", results("; dmarc=pass header.from=players.example")),
		from("a result below the real one", "Re: "+tag, fail, results("mx.liga.example; dmarc=pass header.from=players.example")),
		from("a real one that names another domain", "Zug", results("mx.liga.example; dmarc=pass header.from=evil.example; dkim=pass header.d=evil.example")),
		from("a pass inside a comment", "Zug", results("mx.liga.example; dmarc=none (dmarc=pass header.from=players.example) header.from=players.example")),
		from("a pass inside a quoted string", "Zug", results(`mx.liga.example; spf=none smtp.mailfrom="x; dmarc=pass header.from=players.example"`)),
		from("a pass inside an open comment", "Zug", results("mx.liga.example; spf=none (x; dmarc=pass header.from=players.example")),
		from("a domain that ends like his", "Zug", results("mx.liga.example; dkim=pass header.d=evilplayers.example")),
		from("a token, and known as forged", "Re: "+tag, fail),
		from("a second From", "Zug", "From: mallory@evil.example", results("mx.liga.example; dmarc=pass header.from=players.example")),
		from("two senders", "Zug", "X: y", pass+"\r\nFrom: mallory@evil.example"),
		from("another address before his", "Zug", "From: mallory@evil.example\r\n <"+victim+"\r\n >, x"),
		from("a source route", "Zug", "Sender: <@evil.example:mallory@evil.example>"),
		from("a list", "Zug", "List-Id: <x.evil.example>", "Precedence: list"),
		from("the hint not to answer", "Zug", "X-Auto-Response-Suppress: All"),
	}
}

// TestForgedMailChangesNothing tries every payload in every envelope and compares all
// that is known of games and players.
func TestForgedMailChangesNothing(t *testing.T) {
	for _, trust := range []string{"token", "verified"} {
		t.Run(trust, func(t *testing.T) {
			b := newBench(t)
			b.set.PlusAddresses = true
			b.open(b.rulesets())
			b.league("liga", trust, "Müller", "Maier")
			b.league("streng", "verified", "Müller", "Huber")
			victim := address("Müller")
			subject := b.posted(victim)[0].Subject
			tag := subject[strings.LastIndexByte(subject, '['):]
			other := b.posted(address("Maier"))[0]
			otherTag := other.Subject[strings.LastIndexByte(other.Subject, '['):]
			plus := func(p *post) string {
				from, to := strings.IndexByte(p.header.Get("Reply-To"), '<'), strings.IndexByte(p.header.Get("Reply-To"), '>')
				return p.header.Get("Reply-To")[from+1 : to]
			}
			// Something of his waits for a code.
			b.want(b.receive(b.letter(victim, "Zug", "SPIEL streng\nNAME Müller\n"+goodZug)), referee.Held)
			code := b.codeFor(victim)
			envelopes := append(strangersEnvelopes(victim, tag, plus(b.posted(victim)[0]), code), forgedEnvelopes(victim, tag, otherTag, plus(other))...)
			before := b.dump()
			tried, told := 0, []string{victim, address("Maier"), address("Huber"), "boss@liga.example"}
			for _, e := range envelopes[:len(envelopes)/raceFactor] {
				for what, body := range payloads(code) {
					tried++
					raw := strings.Join(append(e.headers, "Subject: "+e.subject, fmt.Sprintf("Message-ID: <forged%d@evil.example>", tried),
						"Content-Type: text/plain; charset=utf-8"), "\r\n") + "\r\n\r\n" + strings.ReplaceAll(body, "\n", "\r\n")
					r := b.receive([]byte(raw))
					told = append(told, letter.Read([]byte(raw), letter.Options{}).From)
					if r.Result == referee.Taken {
						t.Errorf("%s by %s: taken (%s)", what, e.name, r.Reason)
					}
					if diff := cmp.Diff(before, b.dump()); diff != "" {
						t.Fatalf("%s by %s changes:\n%s", what, e.name, diff)
					}
				}
				b.now = b.now.Add(time.Minute)
			}
			if tried < 500/raceFactor {
				t.Errorf("only %d forgeries tried", tried)
			}
			b.onlyTold(told) // those who wrote, whoever they are
			if got := b.onFile("liga", "Müller"); got != "missing: " {
				t.Errorf("on file: %s", got)
			}
			// The owner is still master of his own: the code that waited is his.
			b.want(b.receive(b.letter(victim, "AW", "JA "+code+"\n")), referee.Taken)
			if got := b.onFile("streng", "Müller"); !strings.HasPrefix(got, "good") {
				t.Errorf("on file: %s", got)
			}
		})
	}
}

// onlyTold holds that mails went to these addresses only, and no press to anybody.
func (b *bench) onlyTold(addresses []string) {
	b.Helper()
	known := map[string]bool{}
	for _, a := range addresses {
		known[letter.Normalize(a)] = true
	}
	for _, p := range b.outgoing() {
		if !known[letter.Normalize(p.To)] {
			b.Errorf("a mail of kind %s goes to %s", p.Kind, p.To)
		}
		if p.Kind == "press" {
			b.Errorf("press goes to %s", p.To)
		}
	}
}

// TestGuessingCodes: whoever guesses has five tries at what waits, from whatever
// address, and none of them does anything.
func TestGuessingCodes(t *testing.T) {
	b := newBench(t)
	b.league("liga", "token", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Held)
	code := b.codeFor(address("Müller"))
	before := b.dump()
	for i := range 300 {
		for _, from := range []string{"mallory@evil.example", address("Maier")} { // these guess in vain, however often
			b.receive(b.letter(from, "AW", fmt.Sprintf("JA %010d\n", i), pass))
		}
	}
	for i := range 4 {
		b.want(b.receive(b.letter(address("Müller"), "AW", fmt.Sprintf("JA %010d\n", i))), referee.Refused)
	}
	if diff := cmp.Diff(before, b.dump()); diff != "" {
		t.Errorf("guessing changes:\n%s", diff)
	}
	b.want(b.write("Müller", "JA "+code+"\n"), referee.Taken)

	b.want(b.write("Maier", "NAME Maier\n"+goodZug), referee.Held)
	code = b.codeFor(address("Maier"))
	before = b.dump()
	var guesses strings.Builder
	for i := range 20 { // as many as one letter may hold
		fmt.Fprintf(&guesses, "JA %010d\n", i)
	}
	b.want(b.write("Maier", guesses.String()), referee.Refused)
	b.want(b.write("Maier", "JA "+code+"\n"), referee.Refused)
	if diff := cmp.Diff(before, b.dump()); diff != "" {
		t.Errorf("guessing changes:\n%s", diff)
	}
}

// TestAPlayerIsMasterOfHisOwnOnly: one who is who he says he is tries to play for
// another.
func TestAPlayerIsMasterOfHisOwnOnly(t *testing.T) {
	b := newBench(t)
	b.set.PlusAddresses = true
	b.open(b.rulesets())
	b.league("liga", "token", "Müller", "Maier")
	b.want(b.write("Müller", "NAME Müller\n"+goodZug), referee.Held)
	code := b.codeFor(address("Müller"))
	victim := b.posted(address("Müller"))[0]
	own := b.posted(address("Maier"))[0]
	before := b.dump()
	for _, body := range []string{
		"NAME Müller\n" + goodZug,
		"NAME Mueller\nAUSSTIEG\n",
		"NAME MÜLLER\nPRESSE AN ALLE\nIch gebe auf.\nENDE\n",
		"JA " + code + "\n",
		"ADRESSE " + address("Müller") + "\n",
		"ADRESSE " + strings.ToUpper(address("Müller")) + "\n",
		"ADRESSE " + gm + "\n",
		"ADRESSE gm+liga.1.aaaaaa@liga.example\n",
		"ANMELDUNG Müller\n",
		"SPIEL streng\nNAME Müller\n" + goodZug,
	} {
		for _, subject := range []string{own.Subject, "Re: " + victim.Subject, victim.Subject + own.Subject} {
			b.now = b.now.Add(time.Minute)
			r := b.receive(b.letter(address("Maier"), subject, body+b.now.String(), pass))
			if r.Result == referee.Taken {
				t.Errorf("%q with %q: taken (%s)", body, subject, r.Reason)
			}
			if diff := cmp.Diff(before, b.dump()); diff != "" {
				t.Fatalf("%q with %q changes:\n%s", body, subject, diff)
			}
		}
	}
	for _, p := range b.outgoing() {
		if p.Kind == "press" {
			t.Errorf("press goes to %s", p.To)
		}
	}
}

// TestNothingIsDoneTwice: of a letter that waits in part, the code releases the rest.
func TestNothingIsDoneTwice(t *testing.T) {
	b := newBench(t)
	b.league("nord", "address", "Müller", "Maier")
	b.league("sued", "verified", "Müller", "Huber")
	b.want(b.write("Müller", "HILFE\nSPIEL nord\nNAME Müller\n"+goodZug+"ENDE\nPRESSE AN ALLE\nHallo!\nENDE\nPRESSE\nServus!\nENDE\n"+
		"SPIEL sued\nNAME Müller\n"+goodZug+"ENDE\nPRESSE\nGrüße!\nENDE\n"), referee.Taken, "taken", "held")
	code := b.codeFor(address("Müller"))
	mails := len(b.outgoing())
	r := b.write("Müller", "JA "+code+"\n")
	b.want(r, referee.Taken, "taken")
	if r.Blocks[0].Game != "sued" {
		t.Errorf("released: %+v", r.Blocks)
	}
	if got := b.outgoing()[mails:]; len(got) != 1 || strings.Contains(b.text(got[0]), "So spielst du mit") {
		t.Errorf("%d mails go out when the code comes", len(got))
	}
	for id, want := range map[string]int{"nord": 2, "sued": 1} {
		press, err := b.Press(t.Context(), id, "")
		b.must(err)
		if len(press) != want {
			t.Errorf("%s: %d pieces of press, want %d: %+v", id, len(press), want, press)
		}
	}
}
