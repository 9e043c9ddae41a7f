//go:build unix

package crash_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-message/mail"
	"github.com/emersion/go-smtp"

	"ringpost/internal/cli"
	"ringpost/internal/postoffice"
	"ringpost/internal/proof"
	"ringpost/internal/store"
)

const (
	gm       = "gm@liga.example"
	password = "secret"
	// patience bounds every wait; nothing waits that long unless it fails.
	patience = 90 * time.Second
)

// The league begins a day before its deadline, so that nobody is reminded of it.
var (
	began    = time.Date(2026, 12, 5, 12, 0, 0, 0, time.UTC)
	deadline = time.Date(2026, 12, 6, 19, 0, 0, 0, time.UTC)
	opens    = deadline.Add(-20 * time.Second) // when serve is started
)

var boxers = []string{"Ada", "Bob", "Cid", "Dot"}

func address(boxer string) string { return strings.ToLower(boxer) + "@players.example" }

// command runs a command of the program to its end.
func command(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := tryCommand(dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func tryCommand(dir string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	status := cli.Run(context.Background(), append([]string{"--data", dir}, args...), cli.System{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: os.Getenv})
	if status != 0 {
		return "", fmt.Errorf("ringpost %s: status %d\n%s%s", strings.Join(args, " "), status, &out, &errs)
	}
	return out.String(), nil
}

// scene is what is played: a ruleset with its settings, and what the players write.
// Bob thinks better of his orders, Cid's mail is delivered twice, and Dot's comes
// after the deadline (see postLate).
type scene struct {
	game []string // flags of `game new`
	ada  string
	bob  [2]string
	cid  string
	dot  string
	// crowd is how many mails of no concern come between Bob's two: with more than a
	// batch of them one batch is read while another is taken in.
	crowd int
	// others is how many leagues of Ada and Bob end with the first one: with more than
	// are closed in one transaction it takes several.
	others int
	// second: Bob thinks better of his orders only when the fault has struck.
	second bool
	// pushed: mails come by LMTP, and the game master closes the round by hand.
	pushed bool
}

// games are the scene's leagues, the first being the one that mails are written for.
func (s scene) games() []string {
	out := []string{"liga"}
	for i := range s.others {
		out = append(out, fmt.Sprintf("liga%d", i+1))
	}
	return out
}

// seats are who plays in a game.
func seats(game string) []string {
	if game == "liga" {
		return boxers
	}
	return boxers[:2]
}

func sugarray() scene {
	return scene{
		game: []string{"--ruleset", "sugarray"},
		ada:  "MOVE 2/3 3/0 2/2 0/5 3/1\nTRAINING S\n",
		bob:  [2]string{"MOVE 3/0 3/0 3/0 3/0 3/0\nTRAINING S\n", "MOVE 0/5 0/5 0/5 0/5 0/5\nTRAINING T\n"},
		cid:  "MOVE 1/3 1/3 1/3 1/3 1/3\nTRAINING S\n",
		dot:  "MOVE 2/2 2/2 2/2 2/2 2/2\nTRAINING T\n",
	}
}

// ringside is managers of one fighter each, so that their names stand for his.
func ringside(t *testing.T) scene {
	t.Helper()
	roster := filepath.Join(t.TempDir(), "roster.csv")
	write(t, roster, "Able,50,2,2,2,2,2,2,20,10\nBrick,52,3,1,2,2,1,2,15,12\nClay,48,2,1,3,2,1,1,25,8\nDunn,55,1,1,2,3,1,2,18,15\n")
	return scene{
		game: []string{"--ruleset", "ringside", "--set", "stable=1", "--set", "classes=heavy", "--set", "bets=on", "--set", "roster=" + roster},
		ada:  "PUNCH UC3 RH2\nD IF ROPES : CLINCH\nEND\nMANAGER Ada\nBET Able 10\nBET Brick 20\nBET Clay 30\nBET Dunn 40\nEND\nSPARRING Ada\n",
		bob:  [2]string{"PUNCH UC9\n", "EXPECT UC9\nSTANDING NO\nEND\nMANAGER Bob\nBET Able 500\nBET Dunn 500\nEND\n"},
		cid:  "PUNCH LJ4 LH1\nEND\nSPARRING\nSPARRING\n",
		dot:  "PUNCH RJ1\n",
	}
}

// league makes a data folder whose league has just begun; the mails that say so
// are still to be sent.
func league(t *testing.T, s scene) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	at := "--now=" + began.Format(time.RFC3339)
	seed := filepath.Join(t.TempDir(), "seed")
	write(t, seed, strings.Repeat("5a", 32))
	command(t, dir, at, "init", "--address", gm, "--gm", "boss@liga.example", "--lang", "en")
	sameKey(t, dir)
	for _, g := range s.games() {
		args := []string{at, "game", "new", g, "--trust", "address", "--seed-file", seed}
		if !s.pushed {
			args = append(args, "--deadline", "0 20 * * SUN")
		}
		command(t, dir, append(args, s.game...)...)
		for _, b := range seats(g) {
			command(t, dir, at, "seat", "add", g, b, "--player", address(b))
		}
		command(t, dir, at, "game", "start", g)
	}
	return dir
}

// sameKey gives the folder the key that every run has, so that its mails are the
// same in each.
func sameKey(t *testing.T, dir string) {
	t.Helper()
	key := strings.Repeat("k", 32)
	write(t, filepath.Join(dir, "ringpost.key"), key)
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SetMeta("key", proof.Sum([]byte("ringpost key "+key)))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// world is one run: a data folder, a post office that outlives the program, the
// proxies between them, and the program.
type world struct {
	*testing.T
	scene
	dir              string
	post             *postoffice.Office
	imap, smtp, lmtp *proxy
	sent             *book
	clock            timelapse
	gmBox            *imapclient.Client
	orders           []order
	late             bool // the late order has been posted
	closed           bool // the round, by hand
	wiped            bool // the mailbox was emptied by somebody else while the program was dead
	pushing          sync.WaitGroup
	underway         atomic.Int32 // mails that are pushed and not taken yet

	mu      sync.Mutex
	arrival time.Time // of the next mail at the post office
	server  *server
	faults  []fault        // still to come
	spring  bool           // the one under way has struck, and the program lives again
	landed  map[string]int // by Message-ID: how often a mail was on its way when its connection ended
}

// order is a mail with orders.
type order struct {
	boxer, id, text string
	covered         bool   // the receipt of the boxer's next may stand for it, and names
	arrived         string // its time of arrival
}

func newWorld(t *testing.T, s scene, template string) *world {
	w := &world{T: t, scene: s, dir: filepath.Join(t.TempDir(), "data"), arrival: began.Add(time.Hour), sent: &book{news: make(chan struct{}, 1)}, landed: map[string]int{}}
	if err := os.CopyFS(w.dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	var err error
	w.post, err = postoffice.Start(postoffice.Options{Own: gm, Password: password, Now: w.now, UIDValidity: 7, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.post.Close() })
	w.imap = newProxy(t, w.post.IMAPAddr(), newIMAPTalk)
	w.smtp = newProxy(t, w.post.SMTPAddr(), func() talk { return &smtpTalk{book: w.sent} })
	config, err := os.OpenFile(filepath.Join(w.dir, "ringpost.toml"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if s.pushed {
		socket := filepath.Join(shortDir(t), "lmtp")
		w.lmtp = newProxy(t, socket, func() talk { return &smtpTalk{book: &book{}} })
		fmt.Fprintf(config, "[lmtp]\nlisten = %q\n", socket)
	} else {
		fmt.Fprintf(config, "[imap]\nhost = \"127.0.0.1\"\nport = %d\nuser = %q\ntls = \"plain\"\npassword_file = \"password\"\n", w.imap.port(), gm)
	}
	fmt.Fprintf(config, "[smtp]\nhost = \"127.0.0.1\"\nport = %d\ntls = \"plain\"\n", w.smtp.port())
	if err := config.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(w.dir, "password"), password)
	if w.gmBox, err = imapclient.DialInsecure(w.post.IMAPAddr(), nil); err == nil {
		err = w.gmBox.Login(gm, password).Wait()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.gmBox.Close() })
	w.clock = timelapse{Began: time.Now(), Shows: opens}
	w.play()
	if w.clock.Began = time.Now(); s.second {
		// Until the deadline the first receipt must be on its way, the fault strike, and
		// the second orders arrive, however busy the machine is.
		left := 8 * time.Second
		if slow {
			left = 30 * time.Second
		}
		w.clock.Shows = deadline.Add(-left * haste)
	}
	return w
}

// shortDir makes a folder in which a socket's path is not too long.
func shortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "crash")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// now is the post office's clock: each mail's arrival is the test's to say.
func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.arrival
}

func (w *world) arrive(at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.arrival = at
}

var tag = regexp.MustCompile(`\[liga \d+ [a-z0-9]{6}\]`)

const bobsSecond = "<bob.2@players.example>"

// play posts the round's orders.
func (w *world) play() {
	s := w.scene
	var start []struct{ To, Subject string }
	if err := json.Unmarshal([]byte(command(w, w.dir, "outbox", "list", "--json")), &start); err != nil {
		w.Fatal(err)
	}
	for _, o := range []order{
		{"Ada", "<ada.1@players.example>", s.ada, false, ""},
		{"Bob", "<bob.1@players.example>", s.bob[0], true, "16:00"},
		{"Bob", bobsSecond, s.bob[1], false, ""},
		{"Cid", "<cid.1@players.example>", s.cid, false, ""},
		{"Cid", "<cid.1@players.example>", s.cid, false, ""},
		{"Dot", "<dot.1@players.example>", s.dot, false, ""},
	} {
		if s.pushed && o.covered {
			continue // when it arrives is not the test's to say
		}
		o.text = "Re: " + tag.FindString(start[slices.Index(boxers, o.boxer)].Subject) + "\r\nMessage-ID: " + o.id +
			"\r\n\r\nNAME " + o.boxer + "\n" + o.text
		w.orders = append(w.orders, o)
		w.arrive(began.Add(time.Duration(len(w.orders)+1) * time.Hour))
		if o.boxer == "Dot" || s.second && o.id == bobsSecond {
			continue
		}
		w.write(o)
		if o.covered {
			for i := range s.crowd {
				w.post1("stranger@elsewhere.example", fmt.Sprintf("away\r\nAuto-Submitted: auto-replied\r\nMessage-ID: <%d@elsewhere.example>\r\n\r\nBack soon.\r\n", i))
			}
		}
	}
	if s.pushed {
		w.push(w.orders[:len(w.orders)-1]...)
	}
}

// write sends orders as a player does.
func (w *world) write(o order) {
	w.Helper()
	if !w.pushed {
		w.post1(address(o.boxer), o.text)
	}
}

// post1 posts a mail; the text begins with its subject.
func (w *world) post1(from, text string) {
	w.Helper()
	c, err := smtp.Dial(w.post.SMTPAddr())
	if err != nil {
		w.Fatal(err)
	}
	defer c.Close()
	if err := c.SendMail(from, []string{gm}, mailText(from, text)); err != nil {
		w.Fatal(err)
	}
}

func mailText(from, text string) io.Reader {
	return strings.NewReader("From: <" + from + ">\r\nTo: <" + gm + ">\r\nSubject: " + text)
}

// push hands mails over as a mail server does: each until it is taken, however often
// that breaks, and none before the one in front of it.
func (w *world) push(orders ...order) {
	w.underway.Add(int32(len(orders)))
	w.pushing.Go(func() {
		for _, o := range orders {
			for w.pushOne(o) != nil {
				select {
				case <-w.Context().Done():
					return
				case <-time.After(20 * time.Millisecond): // as a mail server does, which waits longer
				}
			}
			w.underway.Add(-1)
		}
	})
}

func (w *world) pushOne(o order) error {
	c, err := net.Dial("tcp", w.lmtp.listener.Addr().String())
	if err != nil {
		return err
	}
	mta := smtp.NewClientLMTP(c)
	defer mta.Close()
	return mta.SendMail(address(o.boxer), []string{gm}, mailText(address(o.boxer), o.text))
}

// closeByHand closes the round when all orders have been pushed.
func (w *world) closeByHand() {
	if w.pushed && !w.closed && w.underway.Load() == 0 {
		_, err := tryCommand(w.dir, "--now="+deadline.Format(time.RFC3339), "round", "close", "liga")
		w.closed = err == nil // it may be locked
	}
}

// server is the program under test.
type server struct {
	command *exec.Cmd
	stdin   io.Closer
	log     *logbook
	exited  chan struct{} // closed when it has ended and command.ProcessState is set
}

// logbook collects a server's log; watch, if set, gets each piece.
type logbook struct {
	mu    sync.Mutex
	text  bytes.Buffer
	watch func(piece string)
}

func (l *logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watch != nil {
		l.watch(string(b))
	}
	return l.text.Write(b)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start starts the program, and the next fault with it.
func (w *world) start() {
	w.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	job := task{Dir: w.dir, Clock: w.clock}
	s := &server{log: &logbook{}, exited: make(chan struct{})}
	w.spring = len(w.faults) == 0
	if len(w.faults) > 0 {
		w.faults[0].arm(w, &job, s)
		w.faults = w.faults[1:]
	}
	text, err := json.Marshal(job)
	if err != nil {
		w.Fatal(err)
	}
	s.command = exec.Command(os.Args[0])
	s.command.Env = append(os.Environ(), variable+"="+string(text))
	s.command.Stderr = s.log
	if s.stdin, err = s.command.StdinPipe(); err != nil {
		w.Fatal(err)
	}
	if err := s.command.Start(); err != nil {
		w.Fatal(err)
	}
	go func() {
		s.command.Wait() // how it ended is in ProcessState
		close(s.exited)
	}()
	w.server = s
	w.Cleanup(func() {
		s.stdin.Close()
		<-s.exited
		if w.Failed() {
			w.Logf("log:\n%s", s.log)
		}
	})
}

// struck notes that the fault under way has come.
func (w *world) struck() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spring = true
}

func (w *world) hasStruck() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.spring
}

// kill ends the program as a power cut would.
func (w *world) kill() {
	w.mu.Lock()
	s := w.server
	w.mu.Unlock()
	s.command.Process.Kill()
	<-s.exited
}

// air notes which mail was under way when a connection ended.
func (w *world) air() {
	if id := w.sent.landed(); id != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.landed[id]++
	}
}

// finish keeps the program going, starting it again when it was killed, until the
// round is over and all its mails are out; then it stops it.
func (w *world) finish() {
	w.Helper()
	w.start()
	limit := time.After(patience)
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for !w.over() {
		select {
		case <-w.server.exited:
			w.revive()
		case <-w.sent.news:
		case <-again.C:
		case <-limit:
			w.Fatalf("the round is not over; struck: %v, mailbox empty: %v, sent: %+v", w.hasStruck(), w.emptied(), w.sent.taken)
		}
		w.postSecond()
		w.closeByHand()
		w.postLate()
	}
	w.pushing.Wait()
	w.server.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-w.server.exited:
	case <-limit:
		w.Fatal("serve does not stop")
	}
	if code := w.server.command.ProcessState.ExitCode(); code != 0 {
		w.Fatalf("serve ends with status %d", code)
	}
}

// revive starts a program that was killed.
func (w *world) revive() {
	w.Helper()
	state := w.server.command.ProcessState
	if status, ok := state.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != syscall.SIGKILL {
		w.Fatalf("serve ends by itself: %v", state)
	}
	w.struck()
	w.imap.drain()
	w.smtp.drain()
	w.air()
	if w.wiped {
		w.wipe()
	}
	w.start()
}

// postSecond posts Bob's second orders when it is time.
func (w *world) postSecond() {
	if w.second && w.hasStruck() {
		w.second = false
		w.write(w.orders[slices.IndexFunc(w.orders, func(o order) bool { return o.id == bobsSecond })])
	}
}

// postLate posts Dot's orders once the first report has come.
func (w *world) postLate() {
	if !w.late && w.sent.any(report("liga", "Ada")) {
		w.late = true
		w.arrive(deadline.Add(10 * time.Minute))
		dot := w.orders[len(w.orders)-1]
		if w.write(dot); w.pushed {
			w.push(dot)
		}
	}
}

// wipe empties the game master's mailbox.
func (w *world) wipe() {
	w.Helper()
	if _, err := w.gmBox.Select("INBOX", nil).Wait(); err != nil {
		w.Fatal(err)
	}
	all := imap.SeqSet{{Start: 1}}
	if err := w.gmBox.Store(all, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close(); err != nil {
		w.Fatal(err)
	}
	if err := w.gmBox.Expunge().Close(); err != nil {
		w.Fatal(err)
	}
}

func opening(game, boxer string) func(sent) bool { return about(game, 1, boxer) }

func report(game, boxer string) func(sent) bool { return about(game, 2, boxer) }

func about(game string, round int, boxer string) func(sent) bool {
	return func(m sent) bool {
		return m.to == address(boxer) && m.inReplyTo == "" && strings.Contains(m.subject, fmt.Sprintf("[%s %d ", game, round))
	}
}

func receipt(o order) func(sent) bool {
	return func(m sent) bool { return m.to == address(o.boxer) && m.inReplyTo == o.id }
}

// over reports whether all is said and done.
func (w *world) over() bool {
	if !w.hasStruck() || !w.late || !strings.Contains(w.server.log.String(), "msg=serving") {
		return false
	}
	for _, g := range w.games() {
		for _, b := range seats(g) {
			if !w.sent.any(opening(g, b)) || !w.sent.any(report(g, b)) {
				return false
			}
		}
	}
	for _, o := range w.orders {
		if !o.covered && !w.sent.any(receipt(o)) {
			return false
		}
	}
	if !w.emptied() {
		return false
	}
	queued, err := tryCommand(w.dir, "outbox", "list", "--state", "queued")
	return err == nil && queued == "" // a full or busy disk may keep it from answering
}

// emptied reports whether the game master's mailbox has been read.
func (w *world) emptied() bool {
	w.Helper()
	if w.pushed {
		return w.underway.Load() == 0
	}
	data, err := w.gmBox.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait()
	if err != nil {
		w.Fatal(err)
	}
	if data.NumMessages == 0 {
		return true
	}
	found, err := w.gmBox.UIDSearch(&imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted, "$RingpostDone"}}, nil).Wait()
	if err != nil {
		w.Fatal(err)
	}
	return len(found.AllUIDs()) == 0
}

// letter is a mail as a player finds it.
type letter struct{ id, inReplyTo, subject, text string }

// mailbox reads all mails in a folder of somebody's, none where there is no such folder.
func (w *world) mailbox(owner, folder string) []letter {
	w.Helper()
	c, err := imapclient.DialInsecure(w.post.IMAPAddr(), nil)
	if err != nil {
		w.Fatal(err)
	}
	defer c.Close()
	if err := c.Login(owner, password).Wait(); err != nil {
		w.Fatal(err)
	}
	var missing *imap.Error
	if _, err := c.Select(folder, &imap.SelectOptions{ReadOnly: true}).Wait(); errors.As(err, &missing) && missing.Code == imap.ResponseCodeNonExistent {
		return nil
	} else if err != nil {
		w.Fatal(err)
	}
	all, err := c.Fetch(imap.SeqSet{{Start: 1}}, &imap.FetchOptions{BodySection: []*imap.FetchItemBodySection{{Peek: true}}}).Collect()
	if err != nil {
		w.Fatal(err)
	}
	var out []letter
	for _, m := range all {
		r, err := mail.CreateReader(bytes.NewReader(m.BodySection[0].Bytes))
		if err != nil {
			w.Fatal(err)
		}
		l := letter{id: r.Header.Get("Message-Id"), inReplyTo: r.Header.Get("In-Reply-To")}
		if l.subject, err = r.Header.Subject(); err != nil {
			w.Fatal(err)
		}
		part, err := r.NextPart()
		if err != nil {
			w.Fatal(err)
		}
		text, err := io.ReadAll(part.Body)
		if err != nil {
			w.Fatal(err)
		}
		l.text = string(text)
		out = append(out, l)
	}
	return out
}
