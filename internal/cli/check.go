package cli

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/spf13/cobra"

	"ringpost/internal/config"
	"ringpost/internal/letter"
	"ringpost/internal/lmtp"
	"ringpost/internal/mailbox"
	"ringpost/internal/oauth"
	"ringpost/internal/store"
)

// finding is a line of `ringpost check`.
type finding struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Said string `json:"said"` // what was found, or what to do
}

// checkTime bounds the look at mail servers.
const checkTime = time.Minute

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{Use: "check", Short: "Tell what works and what to do: configuration, permissions, mail accounts", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), checkTime)
			defer cancel()
			found := a.check(ctx)
			bad := 0
			for _, f := range found {
				if !f.OK {
					bad++
				}
				if !a.json {
					a.printf("%-5s %-14s %s\n", map[bool]string{true: "ok", false: "TO DO"}[f.OK], f.What, f.Said)
				}
			}
			if a.json {
				if err := a.printJSON(found); err != nil {
					return err
				}
			}
			if bad > 0 {
				return fmt.Errorf("%d of %d points want attention", bad, len(found))
			}
			return nil
		}}
}

func (a *app) check(ctx context.Context) []finding {
	var out []finding
	add := func(what string, err error, good string) bool {
		if err != nil {
			out = append(out, finding{what, false, advised(err)})
			return false
		}
		out = append(out, finding{what, true, good})
		return true
	}
	conf, err := config.Load(a.dir, a.Getenv)
	if !add("configuration", err, "orders go to "+conf.Address) {
		return out
	}
	add("permissions", a.checkPermissions(), "nobody else can read the data folder")
	add("writing", a.checkWriting(), "the data folder can be written to")
	_, err = readKey(a.dir)
	add("key", err, "it is there")
	add("database", a.checkStore(ctx), "it opens, all tables are up to date")

	out = append(out, a.checkTokens(ctx, conf)...)
	taken := conf.IMAP != nil || conf.Maildir != nil || conf.LMTP != nil
	if !taken {
		add("mail in", nil, "no mailbox is set: `ringpost serve` opens a post office of its own, or takes mails by `ringpost mail in`")
	} else {
		out = append(out, a.checkIn(ctx, conf)...)
	}
	out = append(out, a.checkOwner(ctx)...)
	transport, err := transportOf(a.dir, conf, a.logger(slog.LevelError))
	switch {
	case err != nil:
		add("mail out", err, "")
	case transport == nil && taken:
		add("mail out", errors.New("no way out is set: fill in [smtp], [sendmail] or [outgoing_maildir]"), "")
	case transport == nil:
		add("mail out", nil, "no way out is set")
	default:
		session, err := transport.Open(ctx)
		if err == nil {
			err = session.Close()
		}
		add("mail out", err, transport.Name()+" takes mails")
	}
	if taken || transport != nil {
		out = append(out, checkNews(conf))
	}
	return out
}

// advised is what went wrong, and what to do where the error does not say it.
func advised(err error) string {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var otherName x509.HostnameError
	var noTLS tls.RecordHeaderError
	var lookUp *net.DNSError
	var farewell *imap.Error
	var advice string
	switch {
	case errors.As(err, &unknown):
		advice = "; if the server's certificate is of its own making, name it with ca_file"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		advice = "; whoever runs the server must renew it, unless it is the clock of this machine that is wrong"
	case errors.As(err, &otherName):
		advice = "; set host to a name that the certificate is for"
	case errors.As(err, &noTLS):
		advice = "; at this port TLS does not begin at once: set tls to \"starttls\", or another port"
	case errors.As(err, &lookUp) && lookUp.IsNotFound:
		advice = "; is host spelt as the provider names it?"
	case errors.Is(err, syscall.ECONNREFUSED):
		advice = "; nobody listens there: check host and port"
	case errors.As(err, &farewell): // it says why it hung up
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		advice = "; check host, port and tls (\"tls\" at ports 993 and 465, else \"starttls\")"
	}
	return store.Advised(err).Error() + advice
}

func (a *app) checkStore(ctx context.Context) error {
	s, err := store.Open(ctx, a.dir)
	if err != nil {
		return err
	}
	return s.Close()
}

// checkPermissions wants what holds addresses and secrets for the owner alone.
func (a *app) checkPermissions() error {
	var open []string
	names := []string{".", config.FileName, keyName, store.FileName}
	tokens, err := fs.Glob(os.DirFS(a.dir), oauth.FilePattern)
	if err != nil {
		return err
	}
	for _, name := range append(names, tokens...) {
		info, err := os.Stat(filepath.Join(a.dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			open = append(open, filepath.Join(a.dir, name))
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("others can read %s: chmod go= %s", strings.Join(open, ", "), strings.Join(open, " "))
	}
	return nil
}

// enoughRoom is how many bytes a disk that is not full has left.
const enoughRoom = 1 << 20

// checkWriting wants to make a file in the data folder and to write into the
// database, as `serve` must.
func (a *app) checkWriting() error {
	err := writable(a.dir)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("`ringpost serve` could not write there either: run it as the owner of the data folder, or give him the folder and all in it (chown -R): %w", err)
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return fmt.Errorf("there is no room: mails stay in the mailbox until there is: %w", err)
	}
	return err
}

func writable(dir string) error {
	probe, err := os.CreateTemp(dir, ".check-*")
	if err != nil {
		return err
	}
	_, err = probe.Write(make([]byte, enoughRoom))
	if err := errors.Join(err, probe.Close(), os.Remove(probe.Name())); err != nil {
		return err
	}
	db, err := os.OpenFile(filepath.Join(dir, store.FileName), os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // said with the database
	}
	if err != nil {
		return err
	}
	return db.Close()
}

func (a *app) checkIn(ctx context.Context, conf config.Config) []finding {
	if conf.Maildir != nil {
		source, err := sourceOf(a.dir, conf, nil, a.logger(slog.LevelError))
		if err != nil {
			return []finding{{"mail in", false, err.Error()}}
		}
		source.Close()
		return []finding{{"mail in", true, "the Maildir " + conf.Maildir.Path + " is there"}}
	}
	if conf.LMTP != nil {
		return []finding{checkLMTP(ctx, conf.LMTP.Listen)}
	}
	box, err := imapOf(a.dir, conf, nil, a.logger(slog.LevelError))
	if err != nil {
		return []finding{{"mail in", false, err.Error()}}
	}
	defer box.Close()
	r, err := box.Probe(ctx)
	if err != nil {
		return []finding{{"mail in", false, advised(err)}}
	}
	said := fmt.Sprintf("%d mails in %s; handled ones are put away by %s into %s", r.Mails, conf.IMAP.Folder, r.Filing, r.Done)
	if !r.Idle {
		said += "; no IDLE, so new mail is seen at the next poll only"
	}
	return []finding{{"mail in", true, said}, checkJunk(r), checkAuthserv(conf, r.AuthResults)}
}

// checkJunk says where players' mails are sought that the server took for junk.
func checkJunk(r mailbox.Report) finding {
	switch {
	case r.Junk == "":
		return finding{"junk", true, "the server names no junk folder; if there is one, name it: junk = \"...\" in [imap]"}
	case !r.JunkExists:
		return finding{"junk", false, "there is no folder " + r.Junk + ": correct junk in [imap]"}
	}
	return finding{"junk", true, "players' mails are taken from " + r.Junk + " too"}
}

// checkNews says where news for the game master goes. That of init's default is where
// Ringpost puts it away: it works, and is easily overlooked.
func checkNews(conf config.Config) finding {
	if letter.Normalize(conf.GM) == letter.Normalize(conf.Address) {
		return finding{"news", true, "news for you, such as of mails that cannot be delivered, goes to " + conf.Address +
			", whose mails Ringpost itself reads and puts away: better set gm to an address that you read"}
	}
	return finding{"news", true, "news for you goes to " + conf.GM}
}

// checkOwner says whose the mailbox is, and whether the database is the newest.
func (a *app) checkOwner(ctx context.Context) []finding {
	o, err := a.open(ctx, slog.LevelError)
	if err != nil {
		return nil // said before
	}
	defer o.store.Close()
	keeper, err := a.keepAndLook(ctx, o)
	var out []finding
	switch {
	case err != nil:
		out = append(out, finding{"owner", false, advised(err)})
	case keeper.seen:
		out = append(out, finding{"owner", true, "no other data folder owns the mailbox"})
	}
	if keeper == nil {
		return out
	}
	switch where, err := keeper.superseded(ctx); {
	case err != nil:
		out = append(out, finding{"copy", false, err.Error()})
	case where != "":
		out = append(out, finding{"copy", false, supersededError(where).Error()})
	}
	switch state, err := keeper.restored(ctx); {
	case err != nil:
		out = append(out, finding{"backup", false, err.Error()})
	case state != "":
		out = append(out, finding{"backup", false, "the database is a restored backup, so nothing is sent: see `ringpost restored`"})
	}
	return out
}

// checkLMTP leaves the door alone: a running server may be behind it.
func checkLMTP(ctx context.Context, place string) finding {
	answers, err := lmtp.Probe(ctx, place)
	switch {
	case err != nil:
		return finding{"mail in", false, err.Error()}
	case answers:
		return finding{"mail in", true, "mails are taken at " + place}
	}
	return finding{"mail in", true, "`ringpost serve` will take mails at " + place}
}

// checkAuthserv proposes whose Authentication-Results to believe.
func checkAuthserv(conf config.Config, headers []string) finding {
	var ids []string
	for _, h := range headers {
		if id := letter.AuthservID(h); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	switch {
	case len(conf.AuthservIDs) > 0:
		return finding{"authserv-ids", true, "believed: " + strings.Join(conf.AuthservIDs, ", ")}
	case len(ids) == 0:
		return finding{"authserv-ids", true, "the mailbox holds no mail with Authentication-Results yet; send one there and check again"}
	}
	return finding{"authserv-ids", false, fmt.Sprintf("mails there carry results of %s; if that is your own provider's name, set authserv_ids = [%q]",
		strings.Join(ids, ", "), ids[0])}
}
