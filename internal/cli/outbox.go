package cli

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"ringpost/internal/config"
	"ringpost/internal/outbox"
	"ringpost/internal/referee"
	"ringpost/internal/store"
)

func (a *app) outboxCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "outbox", Short: "Look at the mails to send, and send them"}
	cmd.AddCommand(a.outboxList(), a.outboxShow(), a.outboxSend(), a.outboxRetry(), a.outboxDrop())
	return cmd
}

func (a *app) outboxList() *cobra.Command {
	var state string
	var limit int
	cmd := &cobra.Command{Use: "list", Short: "List the mails to send and those sent, the newest last", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return usage(cmd, "--limit: want at least 1, or 0 for all")
			}
			switch state {
			case "", store.MailQueued, store.MailSent, store.MailFailed, store.MailDropped:
			default:
				return usage(cmd, "--state: %q is none of queued, sent, failed, dropped", state)
			}
			return a.with(cmd, func(o *office) error {
				rows, err := o.desk.Outbox(cmd.Context(), state)
				if err != nil {
					return err
				}
				if limit > 0 && len(rows) > limit {
					a.tellOlder(len(rows) - limit)
					rows = rows[len(rows)-limit:]
				}
				if a.json {
					return a.printJSON(rows)
				}
				for _, r := range rows {
					a.printf("%5d  %-7s %-8s %-30s %s %s\n", r.ID, r.State, r.Kind, r.To, r.Subject, r.Answer)
				}
				return nil
			})
		}}
	cmd.Flags().StringVar(&state, "state", "", "only those queued, sent, failed or dropped")
	cmd.Flags().IntVar(&limit, "limit", 0, "only the newest so many (default: all)")
	return cmd
}

func (a *app) outboxShow() *cobra.Command {
	var text bool
	cmd := &cobra.Command{Use: "show ID", Short: "Print a mail as it goes out", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withID(cmd, args[0], func(o *office, id int64) error {
				if text {
					said, err := o.desk.OutgoingText(cmd.Context(), id)
					if err == nil {
						a.printf("%s", said)
					}
					return err
				}
				raw, err := o.desk.OutgoingBytes(cmd.Context(), id)
				if err != nil {
					return err
				}
				_, err = a.Out.Write(raw)
				return err
			})
		}}
	cmd.Flags().BoolVar(&text, "text", false, "as its reader sees it")
	return cmd
}

func (a *app) outboxSend() *cobra.Command {
	return &cobra.Command{Use: "send", Short: "Send all that is due now", Args: cobra.NoArgs,
		Long: `Sends all that is due now, where no server runs: that does it by itself.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd, func(o *office) error {
				transport, err := transportOf(a.dir, o.config, o.log)
				if err != nil {
					return err
				}
				if transport == nil {
					return errors.New("there is no way out: set [smtp], [sendmail] or [outgoing_maildir] in ringpost.toml")
				}
				keeper, err := a.keepAndLook(cmd.Context(), o)
				if err != nil {
					return err
				}
				if _, why, err := keeper.leave(cmd.Context()); err != nil || why != "" {
					return errors.Join(err, fmt.Errorf("nothing is sent: %s", why))
				}
				unlock, err := a.lock() // two at once would each send every mail
				if err != nil {
					return fmt.Errorf("a server sends by itself what is due: %w", err)
				}
				defer unlock()
				sender := outbox.New(queue{o, keeper}, transport, clock{a.clock, a.After}, o.log)
				sent, retried, failed, err := sender.Flush(cmd.Context())
				if a.json {
					err = errors.Join(err, a.printJSON(map[string]int{"sent": sent, "put_off": retried, "failed": failed}))
				} else {
					a.printf("%d sent, %d put off, %d refused for good.\n", sent, retried, failed)
				}
				return err
			})
		}}
}

func (a *app) outboxRetry() *cobra.Command {
	var since time.Duration
	cmd := &cobra.Command{Use: "retry [ID]", Short: "Send a mail that was given up or dropped once more", Args: cobra.MaximumNArgs(1),
		Long: `Queues a mail again that was given up or dropped. With --since all that were given
up lately are queued again, as when the way out has refused every mail.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case (len(args) == 1) == (since != 0):
				return usage(cmd, "either a mail's ID or --since")
			case since < 0:
				return usage(cmd, "--since: %v has not been yet", since)
			case len(args) == 1:
				return a.setOutgoing(cmd, args[0], store.MailQueued)
			}
			return a.with(cmd, func(o *office) error {
				n, err := o.desk.QueueFailed(cmd.Context(), a.clock().Add(-since))
				if err == nil {
					a.printf("%s queued again.\n", count(int(n), "mail"))
				}
				return err
			})
		}}
	cmd.Flags().DurationVar(&since, "since", 0, "all that were given up within this time, such as 48h")
	return cmd
}

func (a *app) outboxDrop() *cobra.Command {
	return &cobra.Command{Use: "drop ID", Short: "Do not send a mail", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.setOutgoing(cmd, args[0], store.MailDropped) }}
}

func (a *app) setOutgoing(cmd *cobra.Command, id, state string) error {
	return a.withID(cmd, id, func(o *office, id int64) error {
		if err := o.desk.SetOutgoing(cmd.Context(), id, state); err != nil {
			return err
		}
		a.printf("mail %d is %s.\n", id, state)
		return nil
	})
}

// transportOf is the configured way out, nil when there is none. Paths are
// relative to the data folder.
func transportOf(dir string, c config.Config, log *slog.Logger) (outbox.Transport, error) {
	switch {
	case c.SMTP != nil:
		trust, err := trusted(dir, c.SMTP.CAFile)
		if err != nil {
			return nil, fmt.Errorf("smtp: %w", err)
		}
		s := &outbox.SMTP{Host: c.SMTP.Host, Port: c.SMTP.Port, Security: outbox.Security(c.SMTP.TLS), TLS: trust}
		switch {
		case c.SMTP.User == "": // it takes mails of this machine without a login
		case c.SMTP.Password != "":
			s.Auth = outbox.Password(c.SMTP.User, c.SMTP.Password)
		default:
			s.Auth = tokenAccount(dir, c, "smtp", c.SMTP.User, log).Authenticate
		}
		return s, nil
	case c.Sendmail != nil:
		return &outbox.Sendmail{Command: c.Sendmail.Command}, nil
	case c.Outgoing != nil:
		return &outbox.Maildir{Root: inFolder(dir, c.Outgoing.Path)}, nil
	}
	return nil, nil
}

// trusted is the TLS configuration that trusts the system's certificates and
// those of the file; nil, the default one, for no file.
func trusted(dir, file string) (*tls.Config, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(inFolder(dir, file))
	if err != nil {
		return nil, fmt.Errorf("reading ca_file: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("ca_file %s holds no certificate in PEM form", file)
	}
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, nil
}

func inFolder(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// queue is the store's outbox as the sender sees it: what its keeper lets go.
type queue struct {
	*office
	keeper *keeper
}

// Due implements outbox.Queue. A mail that cannot be composed is no reason to
// hold up the others: it is given up, and the game master told.
func (q queue) Due(ctx context.Context, now time.Time, limit int) ([]outbox.Item, error) {
	rows, err := q.due(ctx, now, limit)
	if err != nil {
		return nil, err
	}
	var items []outbox.Item
	for _, o := range rows {
		raw, err := q.desk.Compose(o)
		if err != nil {
			if err := q.desk.Sent(ctx, o.ID, referee.Delivery{State: store.MailFailed, Answer: err.Error(), At: now}); err != nil {
				return nil, err
			}
			continue
		}
		items = append(items, outbox.Item{ID: o.ID, From: q.desk.ReturnPath(o.ID), To: o.To, Raw: raw, Attempts: o.Attempts, Doubtful: o.Doubtful,
			MessageID: o.MessageID, Game: o.Game, Kind: o.Kind, Persistent: o.Kind == "alert"})
	}
	return items, nil
}

// due lists the mails that are due and may go.
func (q queue) due(ctx context.Context, now time.Time, limit int) (rows []store.Outgoing, err error) {
	leave, _, err := q.keeper.leave(ctx)
	switch {
	case err != nil || leave == toNobody:
		return nil, err
	case leave == toGM:
		err = q.store.Read(ctx, func(tx *store.Tx) error {
			rows, err = tx.AlertsDue(now, limit)
			return err
		})
	default:
		rows, err = q.desk.OutboxDue(ctx, now, limit)
	}
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows, q.keeper.advance(ctx)
}

// Attempt implements outbox.Queue.
func (q queue) Attempt(ctx context.Context, id int64, now time.Time) error {
	err := q.store.MarkAttempt(ctx, id, now)
	if errors.Is(err, store.ErrNotFound) {
		return outbox.ErrWithdrawn
	}
	return err
}

// Settle implements outbox.Queue.
func (q queue) Settle(ctx context.Context, id int64, r outbox.Result) error {
	d := referee.Delivery{Answer: r.Answer, At: r.At, Next: r.Next, Ambiguous: r.Ambiguous}
	switch r.State {
	case outbox.Sent:
		d.State = store.MailSent
	case outbox.Failed:
		d.State = store.MailFailed
	case outbox.Retry:
		d.State = store.MailQueued
	default:
		return fmt.Errorf("mail %d: unknown state %q", id, r.State)
	}
	return q.desk.Sent(ctx, id, d)
}

// clock is the program's, as the parts that wait need it.
type clock struct {
	now   func() time.Time
	after func(time.Duration) <-chan time.Time
}

// Now implements outbox.Clock.
func (c clock) Now() time.Time { return c.now() }

// After implements outbox.Clock.
func (c clock) After(d time.Duration) <-chan time.Time { return c.after(d) }
