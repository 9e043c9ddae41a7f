package cli

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"ringpost/internal/claim"
	"ringpost/internal/config"
	"ringpost/internal/lmtp"
	"ringpost/internal/mailbox"
	"ringpost/internal/owner"
	"ringpost/internal/postoffice"
	"ringpost/internal/referee"
)

func (a *app) serveCommand() *cobra.Command {
	var mute bool
	cmd := &cobra.Command{Use: "serve", Short: "Run the games: read mails, close rounds, send mails", Args: cobra.NoArgs,
		Long: `Reads the mailbox, answers, closes rounds at their deadlines and sends what is
queued, until it is stopped. Without a mail account in ringpost.toml it opens a
post office of its own on this machine, for trying things out with a mail
program.

With --mute it takes mails in and closes rounds, but sends nothing: what it would
have sent waits in the queue, for you to look at.

Only one server reads a mailbox: one with another data folder, or with a copy of
this one, stops and says so, with status 78: starting it again would not help.
After a backup has been restored nothing is sent until you confirm it: see
ringpost restored.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.fixed != "" {
				return usage(cmd, "--now: a server's time must go on")
			}
			err := a.serve(cmd.Context(), mute)
			if cmd.Context().Err() != nil && errors.Is(err, context.Canceled) {
				return nil // it was stopped while it began
			}
			return err
		}}
	cmd.Flags().BoolVar(&mute, "mute", false, "send nothing")
	return cmd
}

// lockName is the file that only one server holds.
const lockName = "serve.lock"

// tryLock takes a folder's lock if it is free.
func tryLock(dir string) (lock *flock.Flock, held bool, err error) {
	lock = flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o600))
	if held, err = lock.TryLock(); err == nil {
		err = owner.Entrust(lock.Path(), dir)
	}
	return lock, held, err
}

// lock makes this the only server of the data folder.
func (a *app) lock() (unlock func() error, err error) {
	lock, held, err := tryLock(a.dir)
	if err != nil {
		return nil, fmt.Errorf("locking the data folder: %w", err)
	}
	if !held {
		return nil, fmt.Errorf("another ringpost serves %s already: stop it first", a.dir)
	}
	return lock.Unlock, nil
}

func (a *app) serve(ctx context.Context, mute bool) (err error) {
	o, err := a.open(ctx, slog.LevelInfo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.store.Close()) }()
	unlock, err := a.lock()
	if err != nil {
		return err
	}
	defer unlock()
	keeper, err := a.keep(ctx, o)
	if err != nil {
		return err
	}
	keeper.muted = mute
	switch where, err := keeper.superseded(ctx); {
	case err != nil:
		return err
	case where != "":
		return &statusError{statusElsewhere, supersededError(where)}
	}

	conf := o.config
	if conf.IMAP == nil && conf.Maildir == nil && conf.LMTP == nil && conf.SMTP == nil && conf.Sendmail == nil && conf.Outgoing == nil {
		post, err := a.openPostOffice(&conf, o.log)
		if err != nil {
			return err
		}
		defer post.Close()
	}
	source, err := sourceOf(a.dir, conf, o.desk, o.log)
	if err != nil {
		return err
	}
	if box, ok := source.(claim.Box); ok {
		source = keeper.watch(box)
	}
	transport, err := transportOf(a.dir, conf, o.log)
	if err != nil {
		return err
	}
	if transport == nil {
		return errors.New("mail comes in, but there is no way out: set [smtp], [sendmail] or [outgoing_maildir] in ringpost.toml")
	}
	d := newDaemon(o, keeper, source, transport, clock{a.clock, a.After})
	if source == nil {
		o.log.Info("no mailbox is set: mails come by `ringpost mail in` only")
	}
	o.log.Info("serving", "data", a.dir, "out", transport.Name())
	err = d.run(ctx, d.beatTo(a.dir))
	var copied *claim.CopyError
	if errors.As(err, &copied) {
		err = errors.Join(err, keeper.setSuperseded(ctx, copied.Newer.Where))
	}
	if source != nil {
		err = errors.Join(err, source.Close())
	}
	o.log.Info("stopped")
	if errors.Is(err, mailbox.ErrStop) {
		return &statusError{statusElsewhere, err}
	}
	return err
}

// openPostOffice starts the built-in mail server and points the configuration at
// it: from here on everything is as with a real account.
func (a *app) openPostOffice(conf *config.Config, log *slog.Logger) (*postoffice.Office, error) {
	password := conf.PostOffice.Password
	if password == "" {
		b := make([]byte, 10)
		rand.Read(b)
		password = strings.ToLower(base32.StdEncoding.EncodeToString(b))
	}
	post, err := postoffice.Start(postoffice.Options{IMAPAddr: conf.PostOffice.IMAP, SMTPAddr: conf.PostOffice.SMTP,
		Own: conf.Address, Password: password, Now: a.clock, Logger: log})
	if err != nil {
		return nil, err
	}
	usePostOffice(conf, post, password)
	a.printf(`There is no mail account in ringpost.toml, so a post office for trying things
out is open on this machine. Its mails are gone when it stops.
  IMAP %s   SMTP %s   no encryption
  any address is a mailbox; login: the address, password: %s
Orders go to %s.
`, post.IMAPAddr(), post.SMTPAddr(), password, conf.Address)
	return post, nil
}

// usePostOffice sets the accounts that the post office has.
func usePostOffice(conf *config.Config, post *postoffice.Office, password string) {
	imapHost, imapPort := hostPort(post.IMAPAddr())
	smtpHost, smtpPort := hostPort(post.SMTPAddr())
	conf.IMAP = &config.IMAP{Host: imapHost, Port: imapPort, User: conf.Address, Password: password, TLS: "plain", Folder: "INBOX", Processed: "Processed"}
	conf.SMTP = &config.SMTP{Host: smtpHost, Port: smtpPort, TLS: "plain"}
}

func hostPort(addr string) (string, int) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr, 0
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return host, 0
	}
	return host, n
}

// sourceOf is where mails come from, nil for nowhere. The desk knows the senders
// whose mails are wanted from the junk folder, and what was taken in before; without
// it nobody is asked.
func sourceOf(dir string, c config.Config, desk *referee.Desk, log *slog.Logger) (mailbox.Source, error) {
	switch {
	case c.IMAP != nil:
		return imapOf(dir, c, desk, log)
	case c.Maildir != nil:
		return mailbox.NewMaildir(mailbox.MaildirConfig{Dir: inFolder(dir, c.Maildir.Path), Logger: log})
	case c.LMTP != nil:
		return lmtp.Listen(lmtp.Config{Listen: c.LMTP.Listen, Own: c.Address, Logger: log})
	}
	return nil, nil
}

func imapOf(dir string, c config.Config, desk *referee.Desk, log *slog.Logger) (*mailbox.IMAP, error) {
	trust, err := trusted(dir, c.IMAP.CAFile)
	if err != nil {
		return nil, fmt.Errorf("imap: %w", err)
	}
	var auth mailbox.Authenticator
	if c.IMAP.Password == "" {
		auth = tokenAccount(dir, c, "imap", c.IMAP.User, log).Authenticate
	}
	conf := mailbox.IMAPConfig{
		Addr: net.JoinHostPort(c.IMAP.Host, strconv.Itoa(c.IMAP.Port)), Security: mailbox.Security(c.IMAP.TLS), TLS: trust,
		User: c.IMAP.User, Password: c.IMAP.Password, Auth: auth, Folder: c.IMAP.Folder, Done: c.IMAP.Processed, Junk: c.IMAP.Junk, Logger: log,
	}
	if desk != nil {
		conf.Known, conf.Stored = desk.Known, desk.Stored
	}
	return mailbox.NewIMAP(conf)
}

// unlocked reports whether no server holds the data folder.
func unlocked(dir string) (bool, error) {
	lock, free, err := tryLock(dir)
	if err != nil {
		return false, fmt.Errorf("looking for the server: %w", err)
	}
	if free {
		return true, lock.Unlock()
	}
	return false, nil
}

// healthAge is how old a heartbeat may be.
const healthAge = 2 * time.Minute

func (a *app) healthCommand() *cobra.Command {
	return &cobra.Command{Use: "health", Short: "Tell whether `ringpost serve` works: status 0 if it does", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := os.ReadFile(filepath.Join(a.dir, heartbeatName))
			if errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("no ringpost serves %s", a.dir)
			}
			if err != nil {
				return fmt.Errorf("reading the heartbeat: %w", err)
			}
			var h heartbeat
			if err := json.Unmarshal(b, &h); err != nil {
				return fmt.Errorf("reading the heartbeat: %w", err)
			}
			switch idle, err := unlocked(a.dir); {
			case err != nil:
				return err
			case idle && h.Mailbox != "":
				return fmt.Errorf("no ringpost serves %s; the last one said before it stopped: %s", a.dir, h.Mailbox)
			case idle:
				return fmt.Errorf("no ringpost serves %s; the last one was alive until it stopped", a.dir)
			}
			if a.json {
				if err := a.printJSON(h); err != nil {
					return err
				}
			}
			switch age := a.clock().Sub(h.At); {
			case age > healthAge:
				return fmt.Errorf("the server was last alive at %s: it hangs, or its disk is full", h.At.Format(time.RFC3339))
			case h.Mailbox != "":
				return fmt.Errorf("the mailbox cannot be read: %s", h.Mailbox)
			case h.Outbox != "":
				return fmt.Errorf("no mail can be sent: %s", h.Outbox)
			case h.Silent != "" && !h.Muted:
				return fmt.Errorf("nothing is sent: %s", h.Silent)
			}
			switch {
			case a.json:
			case h.Muted:
				a.printf("alive, mails go in; nothing is sent: %s\n", h.Silent)
			default:
				a.printf("alive, mails go in and out\n")
			}
			return nil
		}}
}
