package mailtest

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"embed"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"text/template"
	"time"
)

//go:embed dovecot.conf main.cf master.cf
var templates embed.FS

// Domain is where the mailboxes are: gm@, players@ and those that Box hands out, each with plus-addresses.
// Any other address of it is answered with 550.
const Domain = "pbem.test"

// PlayerDomain is the players' domain: whatever is sent to it lands in the mailbox players@ of Domain.
const PlayerDomain = "players.test"

// Password opens every mailbox. A user's name is his address or its local part.
const Password = "correct-horse"

// startLimit is how long both servers may take to come up; they need one to three seconds.
const startLimit = 60 * time.Second

// Options changes what the servers offer. The zero value offers all they have.
type Options struct {
	IMAPCapability string // if set, all that IMAP announces, such as "IMAP4rev1 SASL-IR LITERAL+" for neither MOVE nor UIDPLUS nor IDLE
	Prefix         string // if set, the prefix of every folder but INBOX, such as "INBOX."
	Fsync          bool   // Dovecot writes through to the disk as it does by default; without, tests are faster
}

// Servers is a running Dovecot and Postfix. Addresses are host:port on 127.0.0.1.
type Servers struct {
	IMAP       string         // plain, with STARTTLS
	IMAPS      string         // TLS from the first byte
	SMTP       string         // takes mail for the domains as a mail exchanger does on port 25; STARTTLS is offered
	Submission string         // takes mail for the domains after STARTTLS and AUTH
	CA         *x509.CertPool // trusts the servers' certificate, which is for localhost and 127.0.0.1
	CAFile     string         // the same as a PEM file

	dir   string
	boxes atomic.Int32
}

// Start runs the servers until the test ends. It skips or fails the test when they cannot be run here.
func Start(t testing.TB, options Options) *Servers {
	t.Helper()
	require(t)
	dir := makeDir(t)
	cert, err := makeCertificate(dir)
	if err != nil {
		t.Fatalf("mailtest: make certificate: %v", err)
	}
	ports := freePorts(t, 6)
	writeConfigs(t, config{Options: options, Dir: dir, Domain: Domain, PlayerDomain: PlayerDomain, Password: Password,
		CertFile: cert.certFile, KeyFile: cert.keyFile, ports: ports})
	t.Cleanup(func() { showLogs(t, dir) })
	run(t, dir)
	addr := func(i int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(ports[i])) }
	return &Servers{
		IMAP: addr(0), IMAPS: addr(1), SMTP: addr(4), Submission: addr(5),
		CA: cert.pool, CAFile: cert.certFile, dir: dir,
	}
}

// Box hands out the name of an empty mailbox nobody else was given; its address is name@Domain.
func (s *Servers) Box() string {
	return fmt.Sprintf("box%d", s.boxes.Add(1))
}

// Fill puts mails into an empty box, faster than any server delivers them.
func (s *Servers) Fill(t testing.TB, box string, mails [][]byte) {
	t.Helper()
	owner, err := user.Lookup("mail")
	if err != nil {
		t.Fatalf("mailtest: %v", err)
	}
	uid, _ := strconv.Atoi(owner.Uid) // always a number on Linux
	gid, _ := strconv.Atoi(owner.Gid)
	give := func(path string) {
		if err := os.Chown(path, uid, gid); err != nil {
			t.Fatalf("mailtest: %v", err)
		}
	}
	dir := filepath.Join(s.dir, "boxes", box)
	for _, sub := range []string{"", "Maildir", "Maildir/cur", "Maildir/new", "Maildir/tmp"} {
		path := filepath.Join(dir, sub)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatalf("mailtest: %v", err)
		}
		give(path)
	}
	for i, mail := range mails {
		path := filepath.Join(dir, "Maildir/cur", fmt.Sprintf("%d.M%06dP1.mailtest:2,", 1e9+i, i))
		if err := os.WriteFile(path, mail, 0o600); err != nil {
			t.Fatalf("mailtest: %v", err)
		}
		give(path)
	}
}

// TLS is a client's configuration that trusts the servers.
func (s *Servers) TLS() *tls.Config {
	return &tls.Config{RootCAs: s.CA, ServerName: "localhost", MinVersion: tls.VersionTLS12}
}

// Doveadm runs Dovecot's administration command, such as "mailbox", "update", "-u", box, "--uid-validity", "7", "INBOX".
func (s *Servers) Doveadm(t testing.TB, args ...string) {
	t.Helper()
	out, err := exec.Command("doveadm", append([]string{"-c", filepath.Join(s.dir, "dovecot.conf")}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("mailtest: doveadm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// require says why the servers cannot run here, if so.
func require(t testing.TB) {
	t.Helper()
	if reason := missing(); reason != "" {
		if os.Getenv("CI") == "true" {
			t.Fatalf("mailtest: %s", reason)
		}
		t.Skipf("mailtest: %s", reason)
	}
}

func missing() string {
	if os.Geteuid() != 0 {
		return "Dovecot and Postfix are started as root only"
	}
	for _, program := range []string{"dovecot", "doveadm", "postfix"} {
		if _, err := exec.LookPath(program); err != nil {
			return program + " is not installed"
		}
	}
	for _, name := range []string{"mail", "dovecot", "postfix"} {
		if _, err := user.Lookup(name); err != nil {
			return "there is no system user " + name
		}
	}
	out, err := exec.Command("dovecot", "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "2.3.") {
		return fmt.Sprintf("Dovecot 2.3 is needed, not %q", bytes.TrimSpace(out))
	}
	return ""
}

// config is what the templates are filled with.
type config struct {
	Options
	Dir, Domain, PlayerDomain, Password, CertFile, KeyFile string
	ports                                                  []int
}

// Port is the i-th port: 0 IMAP, 1 IMAPS, 2 LMTP, 3 Dovecot's SASL, 4 SMTP, 5 submission.
func (c config) Port(i int) int { return c.ports[i] }

// makeDir makes the servers' folder. It is not t.TempDir: the servers' users must be able to enter it, and
// paths of Unix sockets are limited to about a hundred bytes.
func makeDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ringpost-mail-")
	if err != nil {
		t.Fatalf("mailtest: %v", err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("mailtest: remove the servers' folder: %v", err)
		}
	})
	for _, sub := range []string{"", "dovecot", "postfix", "postfix/etc", "postfix/queue", "postfix/data", "boxes"} {
		path := filepath.Join(dir, sub)
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatalf("mailtest: %v", err)
		}
		if err := os.Chmod(path, 0o755); err != nil { // whatever the umask and MkdirTemp say
			t.Fatalf("mailtest: %v", err)
		}
	}
	for sub, owner := range map[string]string{"boxes": "mail", "postfix/data": "postfix"} {
		u, err := user.Lookup(owner)
		if err != nil {
			t.Fatalf("mailtest: %v", err)
		}
		uid, _ := strconv.Atoi(u.Uid) // always a number on Linux
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(filepath.Join(dir, sub), uid, gid); err != nil {
			t.Fatalf("mailtest: %v", err)
		}
	}
	return dir
}

func writeConfigs(t testing.TB, c config) {
	t.Helper()
	all := template.Must(template.ParseFS(templates, "*"))
	for name, path := range map[string]string{
		"dovecot.conf": "dovecot.conf", "main.cf": "postfix/etc/main.cf", "master.cf": "postfix/etc/master.cf",
	} {
		var text bytes.Buffer
		if err := all.ExecuteTemplate(&text, name, c); err != nil {
			t.Fatalf("mailtest: fill in %s: %v", name, err)
		}
		write(t, filepath.Join(c.Dir, path), text.String())
	}
	quoted := func(domain string) string { return strings.ReplaceAll(domain, ".", `\.`) }
	// Postfix asks a regexp table for the whole address only, so the extension stands in the pattern.
	write(t, filepath.Join(c.Dir, "postfix/etc/boxes"), fmt.Sprintf("/^(gm|players|box[0-9]+)(\\+.*)?@%s$/ 1\n", quoted(c.Domain)))
	write(t, filepath.Join(c.Dir, "postfix/etc/aliases"), fmt.Sprintf("/^.*@%s$/ players@%s\n", quoted(c.PlayerDomain), c.Domain))
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatalf("mailtest: %v", err)
	}
}

// script starts both servers, says so, and stops them when its input ends. That happens even when the test's
// process is killed, so no server outlives its test.
const script = `trap : HUP INT PIPE TERM
dovecot -c "$1/dovecot.conf" && postfix -c "$1/postfix/etc" start && echo up && read -r _
postfix -c "$1/postfix/etc" stop
dovecot -c "$1/dovecot.conf" stop`

// run starts the servers and stops them at the test's end. Both take connections before their starter returns.
func run(t testing.TB, dir string) {
	t.Helper()
	keeper := exec.Command("sh", "-c", script, "sh", dir)
	keeperLog, err := os.Create(filepath.Join(dir, "start.log"))
	if err != nil {
		t.Fatalf("mailtest: %v", err)
	}
	defer keeperLog.Close()
	keeper.Stderr = keeperLog
	stdin, err := keeper.StdinPipe()
	if err != nil {
		t.Fatalf("mailtest: %v", err)
	}
	stdout, err := keeper.StdoutPipe()
	if err != nil {
		t.Fatalf("mailtest: %v", err)
	}
	if err := keeper.Start(); err != nil {
		t.Fatalf("mailtest: start the servers: %v", err)
	}
	t.Cleanup(func() {
		stdin.Close()
		keeper.Wait() // what it could not stop is in start.log; the test's result stands
	})
	up := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(stdout).ReadString('\n')
		up <- line
	}()
	select {
	case line := <-up:
		if line != "up\n" {
			t.Fatalf("mailtest: the servers did not start")
		}
	case <-time.After(startLimit):
		t.Fatalf("mailtest: the servers did not start in %v", startLimit)
	}
}

// freePorts finds ports nobody listens on just now.
func freePorts(t testing.TB, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatalf("mailtest: find a free port: %v", err)
		}
		defer l.Close() // all stay open until the last is found, so that each is another
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// showLogs helps to find out why a test failed.
func showLogs(t testing.TB, dir string) {
	if !t.Failed() {
		return
	}
	for _, name := range []string{"start.log", "dovecot.log", "postfix.log"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		defer f.Close()
		if text, err := io.ReadAll(f); err == nil {
			t.Logf("%s:\n%s", name, tail(text, 2000))
		}
	}
}

func tail(text []byte, n int) []byte {
	return text[max(0, len(text)-n):]
}
