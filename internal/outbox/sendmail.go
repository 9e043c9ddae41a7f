package outbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Sendmail sends through the machine's own mail system, by a command that
// takes the options of sendmail.
type Sendmail struct {
	Command string        // path or name; "" means sendmail
	Timeout time.Duration // for one mail; 0 means 5 minutes
}

// Name implements Transport.
func (s *Sendmail) Name() string { return "sendmail " + s.command() }

func (s *Sendmail) command() string { return cmp.Or(s.Command, "sendmail") }

// Open finds the command.
func (s *Sendmail) Open(context.Context) (Session, error) {
	path, err := exec.LookPath(s.command())
	if err != nil && !strings.Contains(s.command(), "/") {
		// Where the Linux Standard Base puts it, outside most users' PATH.
		path, err = exec.LookPath("/usr/sbin/" + s.command())
	}
	if err != nil {
		return nil, fmt.Errorf("find the sendmail command, install a mail system or set another transport: %w", err)
	}
	return &sendmailSession{path: path, timeout: cmp.Or(s.Timeout, 5*time.Minute)}, nil
}

type sendmailSession struct {
	path    string
	timeout time.Duration
}

// Send implements Session.
func (s *sendmailSession) Send(ctx context.Context, item Item) error {
	from, to, err := envelope(item)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	// -i: a line of a single dot is text. --: no address is an option.
	cmd := exec.CommandContext(ctx, s.path, "-i", "-f", cmp.Or(from, "<>"), "--", to)
	cmd.Env = environment()
	// Programs of this machine end their lines as it does, and some of them
	// would pass CR CR LF on.
	cmd.Stdin = bytes.NewReader(bytes.ReplaceAll(item.Raw, []byte("\r\n"), []byte("\n")))
	said := &head{limit: 4096}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.WaitDelay = 5 * time.Second // for children that keep our pipes open

	err = cmd.Run()
	if err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return nil // it ended well; only some child of it lives on
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w (%s: %w)", ErrAmbiguous, s.path, ctx.Err())
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return fmt.Errorf("run %s: %w", s.path, err)
	}
	answer := strings.TrimSpace(fmt.Sprintf("%s: %s", exit, said.text.String()))
	return &Refusal{Permanent: permanent(exit.ExitCode()), Answer: oneLine(answer)}
}

// Close implements Session; each mail was a command of its own.
func (s *sendmailSession) Close() error { return nil }

// permanent tells whether an exit status is about the mail and final. EX_TEMPFAIL
// is not, and neither are those of sysexits.h and the shell that speak of the
// machine and its setup, or a death by signal (-1): they would fail every mail
// alike.
func permanent(status int) bool {
	switch status {
	case -1,
		70,       // EX_SOFTWARE
		71,       // EX_OSERR
		72,       // EX_OSFILE
		73,       // EX_CANTCREAT
		74,       // EX_IOERR
		75,       // EX_TEMPFAIL
		77,       // EX_NOPERM
		78,       // EX_CONFIG
		126, 127: // a script's command cannot be run, or is not there
		return false
	}
	return true
}

// environment is all that the command gets of ours: enough to find its
// helpers and its user's settings, and no secret.
func environment() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "USER", "LOGNAME", "TZ"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// head keeps the first limit bytes written to it and takes the rest for nothing.
type head struct {
	text  bytes.Buffer
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	h.text.Write(p[:min(len(p), h.limit-h.text.Len())])
	return len(p), nil
}
