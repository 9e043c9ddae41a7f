// Package config reads ringpost.toml and the environment into one checked
// struct. It imports nothing of the project but schedule.
package config

import (
	_ "embed"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/BurntSushi/toml"

	"ringpost/internal/schedule"
)

// FileName is the configuration's name in the data folder.
const FileName = "ringpost.toml"

// Config is what the operator decides.
type Config struct {
	Address  string `toml:"address"`  // players write to it, mails come from it
	Name     string `toml:"name"`     // shown beside it
	Lang     string `toml:"lang"`     // of games and players unless they say otherwise: "de" or "en"
	TimeZone string `toml:"timezone"` // the same
	GM       string `toml:"gm"`       // where alerts go; Address when empty
	// PlusAddresses: the mailbox takes gm+anything@… too, so replies carry their
	// token in the address.
	PlusAddresses bool     `toml:"plus_addresses"`
	AuthservIDs   []string `toml:"authserv_ids"` // whose Authentication-Results are believed
	VerifyDKIM    bool     `toml:"verify_dkim"`  // check signatures here, for mailboxes whose server says nothing

	IMAP     *IMAP     `toml:"imap"`
	Maildir  *Maildir  `toml:"maildir"`
	LMTP     *LMTP     `toml:"lmtp"`
	SMTP     *SMTP     `toml:"smtp"`
	OAuth    *OAuth    `toml:"oauth"` // for IMAP and SMTP where they have no password
	Sendmail *Sendmail `toml:"sendmail"`
	Outgoing *Maildir  `toml:"outgoing_maildir"`

	PostOffice PostOffice `toml:"postoffice"`
}

// IMAP is a mailbox on a server.
type IMAP struct {
	Host         string `toml:"host"`
	Port         int    `toml:"port"`
	User         string `toml:"user"`
	TLS          string `toml:"tls"` // "tls", "starttls" or, on loopback, "plain"
	Folder       string `toml:"folder"`
	Processed    string `toml:"processed"`
	Junk         string `toml:"junk"`    // "": the one that the server says is for junk
	CAFile       string `toml:"ca_file"` // certificates to trust beside the system's, PEM
	PasswordFile string `toml:"password_file"`
	Password     string `toml:"-"` // from RINGPOST_IMAP_PASSWORD or the file; "": login by token
}

// SMTP is a server that takes mails to send.
type SMTP struct {
	Host         string `toml:"host"`
	Port         int    `toml:"port"`
	User         string `toml:"user"` // "": without login
	TLS          string `toml:"tls"`
	CAFile       string `toml:"ca_file"`
	PasswordFile string `toml:"password_file"`
	Password     string `toml:"-"` // from RINGPOST_SMTP_PASSWORD or the file; "": login by token
}

// Maildir is a folder of mails.
type Maildir struct {
	Path string `toml:"path"`
}

// LMTP is a door for the mails of a mail server on this machine.
type LMTP struct {
	Listen string `toml:"listen"` // host:port on loopback, or the absolute path of a socket
}

// Sendmail is a command that takes one mail on its standard input.
type Sendmail struct {
	Command string `toml:"command"`
}

// PostOffice is the built-in mail server, used when no account is set.
type PostOffice struct {
	IMAP     string `toml:"imap"` // listening addresses, loopback only
	SMTP     string `toml:"smtp"`
	Password string `toml:"password"` // for all its mailboxes; made at random when empty
}

// ErrMissing is wrapped when the folder has no configuration.
var ErrMissing = errors.New("no ringpost.toml")

//go:embed ringpost.toml.tmpl
var sample string

// Sample is a commented ringpost.toml to begin with.
func Sample(address, gm, lang, zone string) (string, error) {
	t, err := template.New("").Parse(sample)
	if err != nil {
		return "", fmt.Errorf("making the configuration: %w", err)
	}
	var b strings.Builder
	err = t.Execute(&b, map[string]string{
		"Address": quote(address), "GM": quote(gm), "Lang": quote(lang), "Zone": quote(zone)})
	if err != nil {
		return "", fmt.Errorf("making the configuration: %w", err)
	}
	return b.String(), nil
}

// quote writes a TOML basic string; a control character is left out, so no
// value can leave its line.
func quote(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// Load reads and checks the configuration in dir. getenv is os.Getenv but in
// tests.
func Load(dir string, getenv func(string) string) (Config, error) {
	path := filepath.Join(dir, FileName)
	var c Config
	meta, err := toml.DecodeFile(path, &c)
	if errors.Is(err, os.ErrNotExist) {
		return c, fmt.Errorf("%w in %s: make the data folder with `ringpost init`, or name it with --data", ErrMissing, dir)
	}
	if err != nil {
		return c, fmt.Errorf("reading %s: %w", path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return c, fmt.Errorf("reading %s: %s is no setting; see the comments of a fresh one made by `ringpost init`", path, unknown[0])
	}
	c.defaults()
	if err := c.check(); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if err := c.secrets(dir, getenv); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func (c *Config) defaults() {
	orString(&c.Name, "Ringpost")
	orString(&c.Lang, "de")
	orString(&c.TimeZone, "Europe/Berlin")
	orString(&c.GM, c.Address)
	if c.IMAP != nil {
		orString(&c.IMAP.TLS, "tls")
		orString(&c.IMAP.Folder, "INBOX")
		orString(&c.IMAP.Processed, "Processed")
		orPort(&c.IMAP.Port, c.IMAP.TLS, 993, 143)
	}
	if c.SMTP != nil {
		orString(&c.SMTP.TLS, "starttls")
		orPort(&c.SMTP.Port, c.SMTP.TLS, 465, 587)
	}
	orString(&c.PostOffice.IMAP, "127.0.0.1:1143")
	orString(&c.PostOffice.SMTP, "127.0.0.1:1025")
}

func orString(s *string, otherwise string) {
	if *s == "" {
		*s = otherwise
	}
}

func orPort(p *int, mode string, tls, plain int) {
	switch {
	case *p != 0:
	case mode == "tls":
		*p = tls
	default:
		*p = plain
	}
}

func (c *Config) check() error {
	if err := CheckAddress(c.Address); err != nil {
		return fmt.Errorf("address: %w", err)
	}
	if err := CheckAddress(c.GM); err != nil {
		return fmt.Errorf("gm: %w", err)
	}
	if !slices.Contains(Languages(), c.Lang) {
		return fmt.Errorf("lang: %q is none of %v", c.Lang, Languages())
	}
	if _, err := schedule.Zone(c.TimeZone); err != nil {
		return fmt.Errorf("timezone: %w", err)
	}
	if several(c.IMAP != nil, c.Maildir != nil, c.LMTP != nil) {
		return errors.New("more than one of [imap], [maildir] and [lmtp] is set: mail comes in by one of them")
	}
	if several(c.SMTP != nil, c.Sendmail != nil, c.Outgoing != nil) {
		return errors.New("more than one of [smtp], [sendmail] and [outgoing_maildir] is set: mail goes out by one of them")
	}
	if c.IMAP != nil {
		if err := checkServer("imap", c.IMAP.Host, c.IMAP.Port, c.IMAP.TLS); err != nil {
			return err
		}
		if c.IMAP.User == "" {
			return errors.New("imap.user is not set")
		}
	}
	if c.SMTP != nil {
		if err := checkServer("smtp", c.SMTP.Host, c.SMTP.Port, c.SMTP.TLS); err != nil {
			return err
		}
	}
	for name, m := range map[string]*Maildir{"maildir": c.Maildir, "outgoing_maildir": c.Outgoing} {
		if m != nil && m.Path == "" {
			return fmt.Errorf("%s.path is not set", name)
		}
	}
	if c.LMTP != nil && c.LMTP.Listen == "" {
		return errors.New("lmtp.listen is not set")
	}
	if c.Sendmail != nil && c.Sendmail.Command == "" {
		return errors.New("sendmail.command is not set")
	}
	if c.OAuth != nil {
		if err := c.OAuth.complete(); err != nil {
			return fmt.Errorf("oauth: %w", err)
		}
	}
	return nil
}

// several tells whether more than one is true.
func several(set ...bool) bool {
	first := slices.Index(set, true)
	return first >= 0 && slices.Contains(set[first+1:], true)
}

func checkServer(name, host string, port int, tls string) error {
	if host == "" {
		return fmt.Errorf("%s.host is not set", name)
	}
	if port < 1 || port > 65535 {
		return fmt.Errorf("%s.port: %d is no port", name, port)
	}
	if !slices.Contains([]string{"tls", "starttls", "plain"}, tls) {
		return fmt.Errorf("%s.tls: %q is none of tls, starttls, plain", name, tls)
	}
	return nil
}

// Languages lists the languages of mails.
func Languages() []string { return []string{"de", "en"} }

// CheckAddress says what is wrong with a bare mail address, nil if nothing is.
func CheckAddress(a string) error {
	parsed, err := mail.ParseAddress(a)
	if err != nil || parsed.Address != a || strings.ContainsAny(a, " \"<>,;") {
		return fmt.Errorf("%q is no mail address such as gm@liga.example", a)
	}
	return nil
}

func (c *Config) secrets(dir string, getenv func(string) string) (err error) {
	tokens := false // somebody has no password
	if c.IMAP != nil {
		if c.IMAP.Password, err = secret(dir, getenv, "RINGPOST_IMAP_PASSWORD", c.IMAP.PasswordFile); err != nil {
			return fmt.Errorf("imap: reading the password: %w", err)
		}
		if tokens = c.IMAP.Password == ""; tokens && c.OAuth == nil {
			return errors.New("imap: no password: set RINGPOST_IMAP_PASSWORD or imap.password_file, or fill in [oauth]")
		}
	}
	if c.SMTP != nil && c.SMTP.User != "" {
		if c.SMTP.Password, err = secret(dir, getenv, "RINGPOST_SMTP_PASSWORD", c.SMTP.PasswordFile); err != nil {
			return fmt.Errorf("smtp: reading the password: %w", err)
		}
		if tokens = tokens || c.SMTP.Password == ""; c.SMTP.Password == "" && c.OAuth == nil {
			return errors.New("smtp: no password: set RINGPOST_SMTP_PASSWORD or smtp.password_file, or fill in [oauth]")
		}
	}
	if c.OAuth == nil {
		return nil
	}
	if !tokens {
		return errors.New("[oauth] is set, but no account logs in by it: [imap] and [smtp] are not there, have passwords, or need no login")
	}
	if c.OAuth.ClientSecret, err = secret(dir, getenv, "RINGPOST_OAUTH_CLIENT_SECRET", c.OAuth.ClientSecretFile); err != nil {
		return fmt.Errorf("oauth: reading the client's secret: %w", err)
	}
	return nil
}

// secret takes the variable first, then the first line of the file.
func secret(dir string, getenv func(string) string, variable, file string) (string, error) {
	if v := getenv(variable); v != "" {
		return v, nil
	}
	if file == "" {
		return "", nil
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimRight(line, "\r"), nil
}
