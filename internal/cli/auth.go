package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"ringpost/internal/config"
	"ringpost/internal/oauth"
)

// consentTime is how long the operator may take in his browser.
const consentTime = 10 * time.Minute

func (a *app) authCommand() *cobra.Command {
	var device bool
	cmd := &cobra.Command{Use: "auth imap|smtp", Short: "Get the token for a mail account that takes no password", Args: cobra.ExactArgs(1),
		Long: `Asks the provider of [oauth] for a token with which the mailbox (imap) or the way
out (smtp) is logged in to, keeps it in the data folder and tries it. You give
your consent in a browser, or, with --device, by entering a code on any machine,
where the provider allows that. One consent serves both if they have one user.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			service := args[0]
			if service != "imap" && service != "smtp" {
				return usage(cmd, "%q is neither imap nor smtp", service)
			}
			conf, err := config.Load(a.dir, a.Getenv)
			if err != nil {
				return err
			}
			user, byToken := tokenUsers(conf)[service]
			if !byToken {
				return fmt.Errorf("[%s] in ringpost.toml is no login by token: it needs a user, no password, and [oauth] filled in", service)
			}
			log := a.logger(slog.LevelWarn)
			account := tokenAccount(a.dir, conf, service, user, log)
			if device {
				err = a.askDevice(cmd.Context(), account)
			} else {
				err = a.askBrowser(cmd.Context(), account)
			}
			if err != nil {
				return err
			}
			said, err := a.tryLogin(cmd.Context(), conf, service, log)
			if err != nil {
				return fmt.Errorf("the token is kept, but the login fails: %w", err)
			}
			a.printf("The token is kept. %s.\n", said)
			return nil
		}}
	cmd.Flags().BoolVar(&device, "device", false, "consent by a code that you enter on any machine")
	return cmd
}

// askBrowser gets the consent in a browser. What is typed meanwhile is the
// address that a browser on another machine ended at.
func (a *app) askBrowser(ctx context.Context, account *oauth.Account) error {
	ctx, cancel := context.WithTimeout(ctx, consentTime)
	defer cancel()
	return account.AskBrowser(ctx, func(address string) {
		a.printf(`Open this address in a browser and give your consent there:

%s

A browser on another machine cannot come back: when it says that it does not
reach %s, copy the address from its address line and enter it here.
`, address, account.RedirectHost)
	}, typed(ctx, a.In))
}

// typed gives what is entered, line by line.
func typed(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func (a *app) askDevice(ctx context.Context, account *oauth.Account) error {
	return account.AskDevice(ctx, func(address, code string) {
		a.printf("Open %s on any machine, enter the code\n\n  %s\n\nand give your consent.\n", address, code)
	})
}

// tryLogin logs in as the server does and says what it found.
func (a *app) tryLogin(ctx context.Context, conf config.Config, service string, log *slog.Logger) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if service == "imap" {
		box, err := imapOf(a.dir, conf, nil, log)
		if err != nil {
			return "", err
		}
		r, err := box.Probe(ctx)
		if err = errors.Join(err, box.Close()); err != nil {
			return "", err
		}
		return fmt.Sprintf("The mailbox can be read, it holds %d mails in %s", r.Mails, conf.IMAP.Folder), nil
	}
	transport, err := transportOf(a.dir, conf, log)
	if err != nil {
		return "", err
	}
	session, err := transport.Open(ctx)
	if err != nil {
		return "", err
	}
	return transport.Name() + " takes mails", session.Close()
}

// tokenUsers are the users of the services that log in by token.
func tokenUsers(c config.Config) map[string]string {
	users := map[string]string{}
	if c.OAuth == nil {
		return users
	}
	if c.IMAP != nil && c.IMAP.Password == "" {
		users["imap"] = c.IMAP.User
	}
	if c.SMTP != nil && c.SMTP.User != "" && c.SMTP.Password == "" {
		users["smtp"] = c.SMTP.User
	}
	return users
}

// tokenAccount is a service's account. It goes by the real time whatever --now
// says: the provider does.
func tokenAccount(dir string, c config.Config, service, user string, log *slog.Logger) *oauth.Account {
	return &oauth.Account{
		Client: oauth.Client{
			ID: c.OAuth.ClientID, Secret: c.OAuth.ClientSecret, Scopes: c.OAuth.Scopes,
			AuthURL: c.OAuth.AuthURL, AuthParams: c.OAuth.AuthParams, TokenURL: c.OAuth.TokenURL, DeviceURL: c.OAuth.DeviceURL,
			RedirectHost: c.OAuth.RedirectHost,
		},
		User: user, Dir: dir, Renew: "ringpost auth " + service, Now: time.Now, Log: log,
	}
}

// checkTokens looks at the tokens of all accounts that log in by one. A token
// that is due is refreshed, so it is known to work.
func (a *app) checkTokens(ctx context.Context, conf config.Config) []finding {
	var found []finding
	users := tokenUsers(conf)
	for _, service := range []string{"imap", "smtp"} {
		user, byToken := users[service]
		if !byToken || service == "smtp" && user == users["imap"] {
			continue
		}
		f := finding{"token", true, "the token of " + user + " is there and good"}
		if _, err := tokenAccount(a.dir, conf, service, user, a.logger(slog.LevelError)).Token(ctx); err != nil {
			f.OK, f.Said = false, err.Error()
		}
		found = append(found, f)
	}
	return found
}
