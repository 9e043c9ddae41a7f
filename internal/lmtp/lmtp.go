// Package lmtp takes mails that a mail server on this machine pushes (LMTP, RFC 2033): one more mailbox, for
// those who run a mail server of their own.
//
// The mail server is told that a mail is taken only when it is stored; until then it keeps the mail and tries
// again. So a crash can hand a mail over twice but never lose one; it is known again by a digest of its bytes. A
// mail's arrival is the moment it was handed over.
//
// Of the project's packages it imports mailbox, whose Source it is, and whole.
package lmtp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/emersion/go-smtp"

	"ringpost/internal/mailbox"
)

// Name is the Mailbox of all mails from here.
const Name = "lmtp"

const (
	defaultPatience = 2 * time.Minute // Postfix waits ten for the answer, others five
	batchMails      = 100
	maxConnections  = 20 // each holds one mail in memory
	maxRecipients   = 100
	readLimit       = 5 * time.Minute
	writeLimit      = time.Minute
)

// Config says where to listen and for whom. Zero fields have the defaults named.
type Config struct {
	Listen   string        // host:port on loopback, or the absolute path of a Unix socket
	Own      string        // the address whose mails are taken, with its plus-addresses
	MaxSize  int64         // bytes; of larger mails the beginning is handed over: mailbox.DefaultMaxSize
	Patience time.Duration // how long a mail may wait to be stored before the mail server is asked to come again: 2 minutes
	Clock    mailbox.Clock
	Logger   *slog.Logger // slog.Default()
}

// Source is a mailbox.Source into which a mail server pushes.
type Source struct {
	config   Config
	own      address
	listener net.Listener
	server   *smtp.Server
	ended    chan struct{} // closed with the source, or when nobody can be listened to any more
	once     sync.Once
	why      error         // of the end, once ended is closed
	news     chan struct{} // holds one when mails are waiting

	mu      sync.Mutex
	waiting []*handover
}

// handover is a mail that waits to be stored, and its mail server for the answer.
type handover struct {
	mail   mailbox.Mail
	answer chan error // has room for it
}

// Listen opens the door. Mails are answered once somebody polls.
func Listen(config Config) (*Source, error) {
	config.MaxSize = cmp.Or(config.MaxSize, mailbox.DefaultMaxSize)
	config.Patience = cmp.Or(config.Patience, defaultPatience)
	config.Logger = cmp.Or(config.Logger, slog.Default())
	if config.Clock.Now == nil {
		config.Clock.Now = time.Now
	}
	if config.Clock.After == nil {
		config.Clock.After = time.After
	}
	own, ok := parse(config.Own)
	if !ok {
		return nil, fmt.Errorf("lmtp: %q is no mail address", config.Own)
	}
	listener, err := listen(config.Listen)
	if err != nil {
		return nil, fmt.Errorf("lmtp: %w", err)
	}
	s := &Source{config: config, own: own, listener: listener, ended: make(chan struct{}), news: make(chan struct{}, 1)}
	s.server = smtp.NewServer(smtp.BackendFunc(s.session))
	s.server.LMTP = true
	s.server.Domain = own.domain
	s.server.MaxRecipients = maxRecipients
	s.server.MaxLineLength = 0     // the mail server has taken the mail, however long its lines: who wrote it is answered
	s.server.EnableSMTPUTF8 = true // bytes are kept as they are
	s.server.ReadTimeout, s.server.WriteTimeout = readLimit, writeLimit
	s.server.ErrorLog = slog.NewLogLogger(config.Logger.Handler(), slog.LevelWarn)
	go func() { s.end(s.server.Serve(listener)) }()
	return s, nil
}

// end ends everything; only the first reason counts.
func (s *Source) end(why error) {
	s.once.Do(func() {
		s.why = mailbox.ErrClosed
		if why != nil {
			s.why = fmt.Errorf("lmtp: no longer listening on %s: %w", s.config.Listen, why)
		}
		close(s.ended)
	})
}

// Close closes the door. Mails that are not stored yet are not answered; their server tries again.
func (s *Source) Close() error {
	s.end(nil)
	err := s.server.Close()
	if errors.Is(err, smtp.ErrServerClosed) {
		return nil
	}
	// The server knows its listener only once it serves.
	if twice := s.listener.Close(); err == nil && !errors.Is(twice, net.ErrClosed) {
		err = twice
	}
	if err != nil {
		return fmt.Errorf("lmtp: %w", err)
	}
	return nil
}

// Wait returns nil when a mail is waiting.
func (s *Source) Wait(ctx context.Context) error {
	select {
	case <-s.news:
		return nil
	case <-s.ended:
		return s.why
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Poll stores the mails that are waiting, in the order in which they came, and answers their servers.
func (s *Source) Poll(ctx context.Context, deliver mailbox.Deliver) (int, error) {
	select {
	case <-s.ended:
		return 0, s.why
	case <-s.news: // what it is about is taken now
	default:
	}
	s.mu.Lock()
	all := s.waiting
	s.waiting = nil
	s.mu.Unlock()

	var total int
	var failed error
	for part := range slices.Chunk(all, batchMails) {
		if failed == nil {
			batch := make([]mailbox.Mail, len(part))
			for i, h := range part {
				batch[i] = h.mail
			}
			if err := deliver(ctx, batch); err != nil {
				failed = fmt.Errorf("lmtp: deliver %d mails: %w", len(batch), err)
			} else {
				total += len(batch)
			}
		}
		for _, h := range part {
			h.answer <- failed
		}
	}
	return total, failed
}

// store has a mail stored by the next poll, and returns when it is. A mail for which an error is returned may have
// been stored all the same, or may be yet.
func (s *Source) store(m mailbox.Mail) error {
	h := &handover{mail: m, answer: make(chan error, 1)}
	s.mu.Lock()
	s.waiting = append(s.waiting, h)
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
	select {
	case err := <-h.answer:
		return err
	case <-s.ended:
		return s.why
	case <-s.config.Clock.After(s.config.Patience):
	}
	if s.withdraw(h) {
		return fmt.Errorf("not stored within %v", s.config.Patience)
	}
	select { // it is being stored at this moment
	case err := <-h.answer:
		return err
	case <-s.ended:
		return s.why
	}
}

// withdraw takes a mail back, unless a poll has taken it before.
func (s *Source) withdraw(h *handover) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, h)
	if i < 0 {
		return false
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	return true
}
