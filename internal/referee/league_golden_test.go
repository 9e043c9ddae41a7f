package referee_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ringpost/internal/proof"
	"ringpost/internal/referee"
	"ringpost/internal/report"
	"ringpost/internal/rules"
	"ringpost/internal/store"
)

// collect adds the mails that were queued since the last time to the goldens, and
// sends them off.
func (l *league) collect() {
	l.Helper()
	if !l.begun {
		return
	}
	info, err := l.GameInfo(l.Context(), l.game.ID)
	l.must(err)
	rows, err := l.Outbox(l.Context(), "")
	l.must(err)
	for _, dropped := range []bool{false, true} {
		for _, r := range rows {
			if l.seen[r.ID] || (r.State == store.MailDropped) != dropped {
				continue
			}
			l.seen[r.ID] = true
			round := info.Round
			if r.Kind == "report" || r.Kind == "start" { // with the round they tell of
				round--
			}
			name := fmt.Sprintf("%02d.mbox", max(round, 0))
			l.out[name] = append(l.out[name], l.golden(r)...)
		}
	}
	l.post()
}

// post sends what is queued.
func (l *league) post() {
	l.Helper()
	rows, err := l.Outbox(l.Context(), store.MailQueued)
	l.must(err)
	for _, r := range rows {
		l.must(l.store.MarkAttempt(l.Context(), r.ID, l.now))
		l.must(l.Sent(l.Context(), r.ID, referee.Delivery{State: store.MailSent, At: l.now}))
	}
}

// golden is a mail as it stands among the goldens: its bytes, line ends apart, or
// its SHA-256 where it is not shown.
func (l *league) golden(r store.OutgoingRow) []byte {
	l.Helper()
	var o store.Outgoing
	l.must(l.store.Read(l.Context(), func(tx *store.Tx) (err error) { o, err = tx.Outgoing(r.ID); return err }))
	raw, err := l.Compose(o)
	l.must(err)
	plain := bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	if bytes.ContainsAny(plain, "\r") || bytes.Count(plain, []byte("\n")) != bytes.Count(raw, []byte("\r\n")) {
		l.Errorf("mail %d (%s to %s) has bare line ends", r.ID, r.Kind, r.To)
	}
	l.remember(o)
	var b bytes.Buffer
	fmt.Fprintf(&b, "From %s %s %s to %s", gm, stamp(o.Created), o.Kind, o.To)
	if o.State == store.MailDropped {
		fmt.Fprintf(&b, " (%s: %s)", o.State, o.Answer)
	}
	if !l.shows(o) {
		fmt.Fprintf(&b, "\n%d bytes, SHA-256 %x\n\n", len(raw), sha256.Sum256(raw))
		return b.Bytes()
	}
	fmt.Fprintf(&b, "\n%s\n", plain)
	return b.Bytes()
}

// shows reports whether a mail is kept whole.
func (l *league) shows(o store.Outgoing) bool {
	if len(l.shown) == 0 || o.Seat == "" || !l.brief && o.Kind != "report" && o.Kind != "start" {
		return true
	}
	if _, known := l.names[string(o.Seat)]; !known {
		seats, err := l.Seats(l.Context(), l.game.ID)
		l.must(err)
		for _, s := range seats {
			l.names[s.Seat] = s.Name
		}
	}
	return slices.Contains(l.shown, l.names[string(o.Seat)])
}

// remember keeps what the player can answer to.
func (l *league) remember(o store.Outgoing) {
	got := l.got[o.To]
	if got == nil {
		got = &gotten{}
		l.got[o.To] = got
	}
	got.subject, got.id, got.text = o.Subject, o.MessageID, strings.TrimSpace(report.Join(o.Head, o.Body, o.Foot))
	if id, round, token, ok := report.ParseTag(o.Subject); ok {
		got.tag = report.Tag(id, round, token)
	}
	if m := codeLine.FindStringSubmatch(got.text); m != nil {
		got.code = m[1]
	}
}

// verify recomputes the game from the database, and from its public export as
// anyone would.
func (l *league) verify() {
	l.Helper()
	v, err := l.Verify(context.Background(), l.game.ID)
	l.must(err)
	doc := l.export()
	if rounds := len(doc.Steps) - 1; v.Difference != nil || v.Rounds != rounds || v.Sealed != 0 {
		l.Errorf("verify: %+v %s", v, v.Difference)
	}
	read, err := proof.Parse(l.out["public.json"])
	l.must(err)
	w, err := proof.Verify(read, rules.Find)
	l.must(err)
	if w != v {
		l.Errorf("verify of the public export: %+v %s", w, w.Difference)
	}
}

// export makes the public export, a step a line.
func (l *league) export() proof.Document {
	l.Helper()
	doc, err := l.Export(context.Background(), l.game.ID, true)
	l.must(err)
	var b bytes.Buffer
	whole := doc
	whole.Steps = nil
	head, err := json.Marshal(whole)
	l.must(err)
	b.Write(bytes.TrimSuffix(head, []byte("null}")))
	b.WriteByte('[')
	for i, s := range doc.Steps {
		line, err := json.Marshal(s)
		l.must(err)
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	l.out["public.json"] = b.Bytes()
	return doc
}

// compare holds what came out against the goldens.
func (l *league) compare() {
	l.Helper()
	l.out["mails-in.txt"] = l.diary.Bytes()
	dir := filepath.Join(l.dir, "out")
	if *update {
		l.must(os.RemoveAll(dir))
		l.must(os.MkdirAll(dir, 0o755))
		for name, text := range l.out {
			l.must(os.WriteFile(filepath.Join(dir, name), text, 0o644))
		}
		return
	}
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.Fatal(err)
	}
	for _, f := range files {
		if _, ok := l.out[f.Name()]; !ok {
			l.Errorf("%s is a golden of nothing", filepath.Join(dir, f.Name()))
		}
	}
	for name, got := range l.out {
		want, err := os.ReadFile(filepath.Join(dir, name))
		switch {
		case err != nil:
			l.Errorf("no golden (go test ./internal/referee -run TestLeagues -update): %v", err)
		case name == "public.json" && !bytes.Equal(want, got):
			l.Errorf("%s differs from the golden", name)
		case !bytes.Equal(want, got):
			l.Errorf("%s differs from the golden (-update writes them anew):\n%s", name, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")))
		}
	}
}

// checkCoverage says what the leagues together must have shown.
func checkCoverage(t *testing.T, all []proof.Document) {
	t.Helper()
	happened := map[string]bool{}
	rounds, boxers, imports := 0, 0, 0
	for _, d := range all {
		rounds = max(rounds, len(d.Steps)-1)
		for _, s := range d.Steps {
			present := 0
			for _, seat := range s.Joins {
				if len(seat.Traits) > 0 {
					imports++
				}
			}
			for _, e := range s.Events {
				happened[e.Code] = true
				var data struct {
					Fight *struct{ Second, First struct{ Seat string } }
					Title *struct{ Code string }
					Leave *struct{ Reason string }
					Bouts []struct{ A, B string }
				}
				if err := json.Unmarshal(e.Data, &data); err != nil {
					t.Fatal(err)
				}
				if data.Title != nil {
					happened["title "+data.Title.Code] = true
				}
				if data.Leave != nil {
					happened["left "+data.Leave.Reason] = true
				}
				if f := data.Fight; f != nil && (f.First.Seat == "" || f.Second.Seat == "") {
					happened["dummy"] = true
				}
				for _, b := range data.Bouts {
					present += 2
					if b.B == "" {
						present--
					}
				}
			}
			boxers = max(boxers, present)
		}
	}
	for _, code := range []string{"removed", "fight", "transfer", "training", "missed", "move", "title", "left", "joined", "challenger", "draw",
		"title won", "title defended", "title filled", "title open", "title vacated", "left wish", "left gm", "left nmr", "dummy"} {
		if !happened[code] {
			t.Errorf("no league shows %q", code)
		}
	}
	if rounds < 12 || boxers <= 60 || imports < 10 {
		t.Errorf("%d rounds, %d boxers, %d imports", rounds, boxers, imports)
	}
}
