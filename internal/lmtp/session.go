package lmtp

import (
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/emersion/go-smtp"

	"ringpost/internal/mailbox"
	"ringpost/internal/whole"
)

var (
	errUnknown = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "No such mailbox here"}
	errLater   = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "Not stored, try again later"}
)

// session is one mail after another over a connection.
type session struct {
	source *Source
	over   net.Conn
	from   string
}

func (s *Source) session(c *smtp.Conn) (smtp.Session, error) {
	return &session{source: s, over: c.Conn()}, nil
}

// Mail implements smtp.Session.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

// Rcpt takes our own address and its plus-addresses.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if a, ok := parse(to); !ok || !s.source.own.covers(a) {
		return errUnknown
	}
	return nil
}

// LMTPData takes a mail in. All its recipients are one mailbox, so there is one answer for all of them.
func (s *session) LMTPData(r io.Reader, _ smtp.StatusCollector) error {
	mail, err := s.read(r)
	if err == nil {
		err = s.source.store(mail)
	}
	if err != nil {
		s.source.config.Logger.Warn("mail not taken", "mailbox", Name, "answer", errLater.Code, "error", err)
		return errLater
	}
	return nil
}

// read reads a mail and puts before it what the server that delivers it must: the sender in the envelope
// (RFC 5321 section 4.4), by which a bounce is known. Of one that is too large its beginning is kept: who wrote it
// is told so by mail, which a refusal would leave to the mail server.
func (s *session) read(r io.Reader) (mailbox.Mail, error) {
	returnPath := fmt.Sprintf("Return-Path: <%s>\r\n", s.from)
	in := io.MultiReader(strings.NewReader(returnPath), whole.Reader(s.over, r))
	mail, err := mailbox.Read(in, s.source.config.Clock.Now(), s.source.config.MaxSize)
	mail.Mailbox = Name
	return mail, err
}

// Data implements smtp.Session; LMTPData stands in for it.
func (s *session) Data(r io.Reader) error { return s.LMTPData(r, nil) }

// Reset implements smtp.Session.
func (s *session) Reset() { s.from = "" }

// Logout implements smtp.Session.
func (s *session) Logout() error { return nil }

// address is a mail address in lower case.
type address struct{ local, domain string }

func parse(s string) (address, bool) {
	s = strings.ToLower(s)
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at == len(s)-1 {
		return address{}, false
	}
	return address{local: s[:at], domain: s[at+1:]}, true
}

// covers tells whether a is the same mailbox.
func (own address) covers(a address) bool {
	return a.domain == own.domain && (a.local == own.local || strings.HasPrefix(a.local, own.local+"+"))
}
