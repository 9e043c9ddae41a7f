package mailbox

import "testing"

func TestConfigIsChecked(t *testing.T) {
	good := IMAPConfig{Addr: "mail.example", User: "gm", Password: "x"}
	for _, test := range []struct {
		name   string
		change func(*IMAPConfig)
		addr   string // dialled, "" for an error
		ledger string
	}{
		{"TLS is the default", func(*IMAPConfig) {}, "mail.example:993", "imap://gm@mail.example/INBOX"},
		{"STARTTLS", func(c *IMAPConfig) { c.Security = StartTLS }, "mail.example:143", "imap://gm@mail.example/INBOX"},
		{"port", func(c *IMAPConfig) { c.Addr = "Mail.Example:1993" }, "Mail.Example:1993", "imap://gm@mail.example:1993/INBOX"},
		{"address as user", func(c *IMAPConfig) { c.User = "gm@pbem.test" }, "mail.example:993", "imap://gm%40pbem.test@mail.example/INBOX"},
		{"folder", func(c *IMAPConfig) { c.Folder = "Games/In" }, "mail.example:993", "imap://gm@mail.example/Games/In"},
		{"plain on loopback", func(c *IMAPConfig) { c.Addr, c.Security = "127.0.0.1", Plain }, "127.0.0.1:143", "imap://gm@127.0.0.1/INBOX"},
		{"plain on IPv6 loopback", func(c *IMAPConfig) { c.Addr, c.Security = "[::1]:1143", Plain }, "[::1]:1143", "imap://gm@[::1]:1143/INBOX"},
		{"plain elsewhere", func(c *IMAPConfig) { c.Security = Plain }, "", ""},
		{"plain to a name like loopback's", func(c *IMAPConfig) { c.Addr, c.Security = "127.0.0.1.example", Plain }, "", ""},
		{"unknown security", func(c *IMAPConfig) { c.Security = "ssl" }, "", ""},
		{"no host", func(c *IMAPConfig) { c.Addr = ":993" }, "", ""},
		{"no address", func(c *IMAPConfig) { c.Addr = "" }, "", ""},
		{"no user", func(c *IMAPConfig) { c.User = "" }, "", ""},
		{"put away where it is read", func(c *IMAPConfig) { c.Done = "Inbox" }, "", ""},
		{"put away where junk is read", func(c *IMAPConfig) { c.Junk, c.Done = "Spam", "Spam" }, "", ""},
		{"a folder in another case", func(c *IMAPConfig) { c.Folder, c.Done = "Games", "games" }, "mail.example:993", "imap://gm@mail.example/Games"},
		{"no password", func(c *IMAPConfig) { c.Password = "" }, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := good
			test.change(&config)
			s, err := NewIMAP(config)
			if test.addr == "" {
				if err == nil {
					t.Error("accepted")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if s.config.Addr != test.addr || s.Name() != test.ledger {
				t.Errorf("dials %s, named %s; want %s, %s", s.config.Addr, s.Name(), test.addr, test.ledger)
			}
		})
	}
}

func TestStartTLSIsNotOptional(t *testing.T) {
	config := office(t)
	config.Security = StartTLS
	if _, err := open(t, config).Poll(t.Context(), (&taker{}).deliver); err == nil {
		t.Error("logged in to a server without STARTTLS")
	}
}
