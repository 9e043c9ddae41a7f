package postoffice

import (
	"io"
	"log"
	"net"
	"slices"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"ringpost/internal/whole"
)

const (
	maxRecipients = 100 // RFC 5321 section 4.5.3.1.8 asks for at least as many
	// maxLine is lenient: RFC 5322 allows 998 characters, and mailers that do not care write whole pages in one.
	maxLine = 64 << 10
)

func newSMTP(o *Office, errorLog *log.Logger) *smtp.Server {
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &counter{office: o, over: c.Conn()}, nil
	}))
	server.Domain = o.post.own.domain
	server.MaxMessageBytes = o.post.limits.mail
	server.MaxRecipients = maxRecipients
	server.MaxLineLength = maxLine
	server.AllowInsecureAuth = true // loopback only
	server.ReadTimeout = 5 * time.Minute
	server.WriteTimeout = time.Minute
	server.ErrorLog = errorLog
	return server
}

// counter is one SMTP connection. Like a mail exchanger it takes mail from anyone; a client set up to log in
// may, with the right password.
type counter struct {
	office *Office
	over   net.Conn
	from   string
	to     []recipients
}

// recipients are the addresses of a mail that are one mailbox.
type recipients struct {
	account   *account
	addresses []string
}

var errNoAddress = &smtp.SMTPError{
	Code: 553, EnhancedCode: smtp.EnhancedCode{5, 1, 3}, Message: "That is no mail address",
}

var errFull = &smtp.SMTPError{
	Code: 452, EnhancedCode: smtp.EnhancedCode{4, 2, 2}, Message: "Mailbox full, try again later",
}

// AuthMechanisms lists the ways to log in.
func (c *counter) AuthMechanisms() []string { return []string{sasl.Plain} }

// Auth checks a password.
func (c *counter) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, name, password string) error {
		if c.office.login(name, password) == nil {
			return smtp.ErrAuthFailed
		}
		return nil
	}), nil
}

// Mail begins a mail; a bounce has an empty sender.
func (c *counter) Mail(from string, _ *smtp.MailOptions) error {
	if _, ok := parseAddress(from); !ok && from != "" {
		return errNoAddress
	}
	c.Reset()
	c.from = from
	return nil
}

// Rcpt adds a recipient. A full mailbox is refused here and not after the mail's last line, where one answer
// stands for all recipients.
func (c *counter) Rcpt(to string, _ *smtp.RcptOptions) error {
	a, ok := parseAddress(to)
	if !ok {
		return errNoAddress
	}
	acc := c.office.post.account(a)
	if acc == nil || acc.full(inbox) {
		return errFull
	}
	i := slices.IndexFunc(c.to, func(r recipients) bool { return r.account == acc })
	if i < 0 {
		c.to = append(c.to, recipients{account: acc})
		i = len(c.to) - 1
	}
	c.to[i].addresses = append(c.to[i].addresses, to)
	return nil
}

// Data takes the mail in and delivers it, once a mailbox.
func (c *counter) Data(r io.Reader) error {
	mail, err := io.ReadAll(whole.Reader(c.over, r)) // bounded by MaxMessageBytes
	if err != nil {
		return err
	}
	for _, rcpt := range c.to {
		if err := c.office.post.deliver(rcpt.account, c.from, rcpt.addresses, mail); err != nil {
			return err
		}
	}
	return nil
}

// Reset forgets the mail begun.
func (c *counter) Reset() { c.from, c.to = "", nil }

// Logout ends the connection.
func (c *counter) Logout() error { return nil }
