//go:build unix

package crash_test

import (
	"bufio"
	"bytes"
	"maps"
	"net"
	"net/mail"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// proxy stands between the program and one of the post office's doors. It reads
// along, line by line, and names what passes: "> MAIL" a command, "< MAIL" its
// answer, "~ From: …" a line of what is carried.
type proxy struct {
	target   string
	listener net.Listener
	talk     func() talk
	edit     func(line string) string // of the server's lines; nil for none

	mu   sync.Mutex
	trap trap
	seen map[string]bool // what has passed
	idle *sync.Cond
	open int // connections
}

// trap is where a fault strikes: the nth time that something passes whose name
// begins like this. spring says whether it is let pass all the same.
type trap struct {
	point  string
	nth    int
	spring func() bool
}

// talk understands one connection.
type talk interface {
	client(line string) (point string)
	server(line string) (point string)
}

func newProxy(t *testing.T, target string, talk func() talk) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{target: target, listener: l, talk: talk, seen: map[string]bool{}}
	p.idle = sync.NewCond(&p.mu)
	go p.accept()
	t.Cleanup(func() { l.Close() })
	return p
}

func (p *proxy) port() int { return p.listener.Addr().(*net.TCPAddr).Port }

func (p *proxy) set(t trap) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trap = t
}

// passes names a point and reports whether what passes there may go on.
func (p *proxy) passes(point string) bool {
	p.mu.Lock()
	p.seen[point] = true
	if p.trap.point == "" || !strings.HasPrefix(point, p.trap.point) {
		p.mu.Unlock()
		return true
	}
	if p.trap.nth--; p.trap.nth > 0 {
		p.mu.Unlock()
		return true
	}
	spring := p.trap.spring
	p.trap = trap{}
	p.mu.Unlock()
	return spring()
}

// passed is what has passed so far.
func (p *proxy) passed() map[string]bool {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.seen)
}

// drain waits until all connections have ended.
func (p *proxy) drain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.open > 0 {
		p.idle.Wait()
	}
}

func (p *proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		p.open++
		p.mu.Unlock()
		go p.carry(c)
	}
}

// carry passes lines both ways until either end closes.
func (p *proxy) carry(client net.Conn) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.open--
		p.idle.Broadcast()
	}()
	defer client.Close()
	network := "tcp"
	if filepath.IsAbs(p.target) {
		network = "unix"
	}
	server, err := net.Dial(network, p.target)
	if err != nil {
		return
	}
	defer server.Close()
	var turn sync.Mutex // talk hears one end at a time
	t := p.talk()
	var both sync.WaitGroup
	pump := func(from, to net.Conn, name func(string) string, edit func(string) string) {
		defer client.Close()
		defer server.Close()
		r := bufio.NewReader(from)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			turn.Lock()
			point := name(strings.TrimRight(line, "\r\n"))
			turn.Unlock()
			if !p.passes(point) {
				return
			}
			if edit != nil {
				line = edit(line)
			}
			if _, err := to.Write([]byte(line)); err != nil {
				return
			}
		}
	}
	both.Go(func() { pump(client, server, t.client, nil) })
	both.Go(func() { pump(server, client, t.server, p.edit) })
	both.Wait()
}

// imapTalk names IMAP's commands by their words: "> UID MOVE".
type imapTalk struct {
	greeted bool
	tags    map[string]string
	last    string
	literal int // bytes of a mail that the program has announced
}

func newIMAPTalk() talk { return &imapTalk{tags: map[string]string{}} }

func (t *imapTalk) client(line string) string {
	if t.literal > 0 {
		t.literal -= len(line) + len("\r\n")
		return "~ " + line
	}
	if _, size, ok := strings.Cut(line, "{"); ok {
		if n, err := strconv.Atoi(strings.TrimRight(size, "+}")); err == nil {
			t.literal = n
		}
	}
	words := strings.Fields(strings.ToUpper(line))
	switch {
	case len(words) == 1 && words[0] == "DONE":
		for tag, command := range t.tags {
			if command == "IDLE" {
				t.tags[tag] = "DONE" // its answer is IDLE's end
			}
		}
		return "> DONE"
	case len(words) < 2: // the rest of a login
		return ""
	}
	t.last = words[1]
	if t.last == "UID" {
		t.last += " " + words[2]
	}
	t.tags[words[0]] = t.last
	return "> " + t.last
}

func (t *imapTalk) server(line string) string {
	if !t.greeted {
		t.greeted = true
		return "< greeting"
	}
	tag, _, _ := strings.Cut(line, " ")
	if tag == "+" {
		return "< " + t.last
	}
	if command, ok := t.tags[tag]; ok {
		delete(t.tags, tag)
		return "< " + command
	}
	return "~ " + line
}

// sent is a mail that went through to the server.
type sent struct{ to, id, inReplyTo, subject string }

// smtpTalk names SMTP's commands by their verbs and the final dot "." with what the
// mail answers, and keeps the book of what is sent.
type smtpTalk struct {
	*book
	greeted  bool
	carrying bool
	command  string
	header   bytes.Buffer
	body     bool
	mail     sent
}

// book is what the program has sent over all its connections.
type book struct {
	mu     sync.Mutex
	taken  []sent // and the server has taken over
	flying string // the Message-ID of the mail whose final dot has been passed on, until the program speaks again
	news   chan struct{}
}

func (t *smtpTalk) client(line string) string {
	if t.carrying {
		return t.content(line)
	}
	t.command, _, _ = strings.Cut(strings.ToUpper(line), " ")
	t.mu.Lock()
	t.flying = ""
	t.mu.Unlock()
	switch t.command {
	case "MAIL":
		t.header.Reset()
		t.body, t.mail = false, sent{}
	case "RCPT":
		_, rest, _ := strings.Cut(line, "<")
		t.mail.to, _, _ = strings.Cut(rest, ">")
	}
	return "> " + t.command
}

func (t *smtpTalk) content(line string) string {
	if line == "." {
		t.carrying, t.command = false, "."
		t.mu.Lock()
		t.flying = t.mail.id
		t.mu.Unlock()
		return "> . " + t.mail.inReplyTo
	}
	if !t.body {
		t.header.WriteString(line + "\r\n")
		if t.body = line == ""; t.body {
			if m, err := mail.ReadMessage(&t.header); err == nil {
				t.mail.id, t.mail.inReplyTo, t.mail.subject = m.Header.Get("Message-Id"), m.Header.Get("In-Reply-To"), m.Header.Get("Subject")
			}
		}
	}
	return "~ " + line
}

func (t *smtpTalk) server(line string) string {
	if len(line) < 4 || line[3] == '-' {
		return ""
	}
	if !t.greeted {
		t.greeted = true
		return "< greeting"
	}
	switch {
	case t.command == "DATA" && strings.HasPrefix(line, "354"):
		t.carrying = true
	case t.command == "." && strings.HasPrefix(line, "250"):
		t.take(t.mail)
	}
	if t.command == "." {
		return "< . " + t.mail.inReplyTo
	}
	return "< " + t.command
}

func (b *book) take(m sent) {
	b.mu.Lock()
	b.taken = append(b.taken, m)
	b.mu.Unlock()
	select {
	case b.news <- struct{}{}:
	default:
	}
}

// landed is the mail that was in the air when a connection ended, "" for none.
func (b *book) landed() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := b.flying
	b.flying = ""
	return id
}

// any reports whether a mail like this was taken over.
func (b *book) any(like func(sent) bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.taken {
		if like(m) {
			return true
		}
	}
	return false
}
