package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func load(t *testing.T, toml string, env map[string]string) (Config, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{FileName: toml, "pw": "from file\r\nsecond line\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Load(dir, func(k string) string { return env[k] })
}

func TestSampleLoads(t *testing.T) {
	s, err := Sample("gm@liga.example", "boss@liga.example", "en", "UTC")
	if err != nil {
		t.Fatal(err)
	}
	c, err := load(t, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Address != "gm@liga.example" || c.GM != "boss@liga.example" || c.Lang != "en" || c.TimeZone != "UTC" || c.IMAP != nil || c.SMTP != nil {
		t.Errorf("got %+v", c)
	}
	if _, err := load(t, uncomment(s), map[string]string{"RINGPOST_IMAP_PASSWORD": "x", "RINGPOST_SMTP_PASSWORD": "y"}); err == nil ||
		!strings.Contains(err.Error(), "more than one of [imap], [maildir] and [lmtp]") {
		t.Errorf("all settings at once: %v", err) // every commented setting is a real one
	}
}

// uncomment takes the # from every line that holds a setting or a section.
func uncomment(s string) string {
	var out []string
	for l := range strings.Lines(s) {
		rest := strings.TrimPrefix(l, "# ")
		if rest != l && (strings.HasPrefix(rest, "[") || strings.Contains(strings.SplitN(rest, "#", 2)[0], " = ")) {
			l = rest
		}
		out = append(out, l)
	}
	return strings.Join(out, "")
}

func TestPasswords(t *testing.T) {
	const imap = "address='a@b.example'\n[imap]\nhost='h'\nuser='u'\npassword_file='pw'\n"
	c, err := load(t, imap, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.IMAP.Password != "from file" || c.IMAP.Port != 993 || c.IMAP.Folder != "INBOX" {
		t.Errorf("got %+v", *c.IMAP)
	}
	c, err = load(t, imap, map[string]string{"RINGPOST_IMAP_PASSWORD": "from variable"})
	if err != nil || c.IMAP.Password != "from variable" {
		t.Errorf("variable: %v %v", c.IMAP, err)
	}
}

func TestRefuses(t *testing.T) {
	for toml, want := range map[string]string{
		"":                                     "address",
		"address='x'":                          "no mail address",
		"address='x@y.example>, <z@y.example'": "no mail address",
		"address='a@b.example'\nadress='x'":    "adress is no setting",
		"address='a@b.example'\nlang='fr'":     "none of [de en]",
		"address='a@b.example'\ntimezone='X'":  "time zone",
		"address='a@b.example'\n[imap]\nhost='h'\nuser='u'":                     "no password",
		"address='a@b.example'\n[imap]\nuser='u'":                               "imap.host",
		"address='a@b.example'\n[imap]\nhost='h'\nuser='u'\ntls='ssl'":          "none of tls",
		"address='a@b.example'\n[imap]\nhost='h'\nuser='u'\nport=70000":         "no port",
		"address='a@b.example'\n[smtp]\nhost='h'\n[sendmail]\ncommand='x'":      "more than one",
		"address='a@b.example'\n[smtp]\nhost='h'\nuser='u'\npassword_file='no'": "reading the password",
		"address='a@b.example'\n[maildir]":                                      "maildir.path",
		"address='a@b.example'\nx":                                              "reading",
	} {
		if _, err := load(t, toml, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", toml, err, want)
		}
	}
	if _, err := Load(t.TempDir(), os.Getenv); !errors.Is(err, ErrMissing) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestSampleCannotBeBrokenOut(t *testing.T) {
	s, err := Sample("a@b.example\"\nlang=\"xx", "a@b.example", "de", "UTC")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := load(t, s, nil); err == nil || !strings.Contains(err.Error(), "no mail address") {
		t.Errorf("got %v", err)
	}
}
