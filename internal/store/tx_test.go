package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// count adds one to the bucket "x" and gives the new count, without a clock.
func count(tx *Tx) (int, error) { return tx.Count("x", noon, time.Hour) }

var errTest = errors.New("a test's error")

func (b *box) counted() int {
	b.Helper()
	return b.number(`SELECT coalesce(sum(n), 0) FROM cap WHERE bucket = 'x'`)
}

// fail has a statement fail: there is no such letter.
func fail(tx *Tx) { tx.AddHeld(Held{Letter: 99, Purpose: "sender"}) }

// A transaction is whole or not at all, also when whoever ran it missed an error.
func TestWriteCommitsAllOrNothing(t *testing.T) {
	add := func(tx *Tx) error { _, err := count(tx); return err }
	for _, c := range []struct {
		name string
		f    func(*Tx) error
		want int
	}{
		{"good", add, 1},
		{"an error at the end", func(tx *Tx) error { return errors.Join(add(tx), errTest) }, 0},
		{"a panic", func(tx *Tx) error {
			if err := add(tx); err != nil {
				return err
			}
			panic("a test's panic")
		}, 0},
		{"an error passed over", func(tx *Tx) error {
			fail(tx)
			return add(tx)
		}, 0},
		{"an error passed over in a savepoint", func(tx *Tx) error {
			if err := add(tx); err != nil {
				return err
			}
			if err := tx.Savepoint(func() error { fail(tx); return add(tx) }); err == nil {
				t.Error("the savepoint holds")
			}
			return nil
		}, 1},
		{"an error passed over before a savepoint", func(tx *Tx) error {
			fail(tx)
			return tx.Savepoint(func() error { return add(tx) })
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			func() {
				defer func() { recover() }()
				if err := b.Write(t.Context(), c.f); (err == nil) != (c.want == 1) {
					t.Errorf("Write: %v", err)
				}
			}()
			if got := b.counted(); got != c.want {
				t.Errorf("%d entries, want %d", got, c.want)
			}
			b.write(add) // the connection is free and clean again
			if got := b.counted(); got != c.want+1 {
				t.Errorf("%d entries after one more, want %d", got, c.want+1)
			}
		})
	}
}

func TestReadRefusesEntries(t *testing.T) {
	b := newBox(t)
	if err := b.Read(t.Context(), func(tx *Tx) error { _, err := count(tx); return err }); err == nil {
		t.Error("something was entered while reading")
	}
}

// A reader sees one picture, whatever is written meanwhile.
func TestReadSeesOnePicture(t *testing.T) {
	b := newBox(t)
	b.read(func(tx *Tx) error {
		before, err := tx.Games()
		if err != nil {
			return err
		}
		b.seated("liga", 1)
		after, err := tx.Games()
		if len(before) != 0 || len(after) != 0 {
			t.Errorf("%d games, then %d", len(before), len(after))
		}
		return err
	})
}

// A savepoint undoes its own part and nothing else, however it ends.
func TestSavepointUndoesOnlyItsPart(t *testing.T) {
	fail := func(tx *Tx) func() error {
		return func() error { _, err := count(tx); return errors.Join(err, errTest) }
	}
	for _, c := range []struct {
		name string
		part func(*Tx) error // counts at most once
		want int             // the whole: one before and one after it
		err  string
	}{
		{"good", func(tx *Tx) error { return tx.Savepoint(func() error { _, err := count(tx); return err }) }, 3, "<nil>"},
		{"an error", func(tx *Tx) error { return tx.Savepoint(fail(tx)) }, 2, errTest.Error()},
		{"a panic", func(tx *Tx) error {
			return tx.Savepoint(func() error {
				if _, err := count(tx); err != nil {
					return err
				}
				panic("of a test")
			})
		}, 2, "panic: of a test"},
		{"a mistake in the database", func(tx *Tx) error {
			return tx.Savepoint(func() error {
				if _, err := count(tx); err != nil {
					return err
				}
				return tx.AddHeld(Held{Letter: 99}) // no such letter
			})
		}, 2, "holding mail 99"},
		{"one inside another", func(tx *Tx) error {
			return tx.Savepoint(func() error {
				if err := tx.Savepoint(fail(tx)); err == nil {
					return errors.New("the inner one is fine")
				}
				_, err := count(tx)
				return err
			})
		}, 3, "<nil>"},
		{"one inside another that fails", func(tx *Tx) error {
			return tx.Savepoint(func() error {
				return errors.Join(tx.Savepoint(func() error { _, err := count(tx); return err }), errTest)
			})
		}, 2, errTest.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			b.write(func(tx *Tx) error {
				if _, err := count(tx); err != nil {
					return err
				}
				if err := c.part(tx); !strings.Contains(fmt.Sprint(err), c.err) {
					t.Errorf("the part: %v, want %q", err, c.err)
				}
				_, err := count(tx)
				return err
			})
			if got := b.counted(); got != c.want {
				t.Errorf("%d entries, want %d", got, c.want)
			}
		})
	}
}

// When SQLite gives the whole transaction up (a full disk), a savepoint cannot
// save its rest: nothing that follows may be committed piece by piece.
func TestALostTransactionCommitsNothing(t *testing.T) {
	b := newBox(t)
	b.must(b.raw(`CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT raise(ROLLBACK, 'the disk is full'); END`))
	err := b.Write(t.Context(), func(tx *Tx) error {
		if _, err := count(tx); err != nil {
			return err
		}
		if err := tx.Savepoint(func() error { return tx.Audit("", "x", "", noon) }); err == nil {
			t.Error("the savepoint is fine")
		}
		if _, err := count(tx); err == nil {
			t.Error("the transaction goes on")
		}
		if _, err := tx.Games(); err == nil {
			t.Error("the transaction reads on")
		}
		return nil // as one who did not look
	})
	if err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("Write: %v", err)
	}
	if got := b.counted(); got != 0 {
		t.Errorf("%d entries were committed", got)
	}
	b.write(func(tx *Tx) error { _, err := count(tx); return err })
	if got := b.counted(); got != 1 {
		t.Errorf("%d entries by the next transaction", got)
	}
}

// A context that ends in the midst undoes the transaction, and the next one finds
// the connection clean.
func TestACancelledWriteLeavesNothing(t *testing.T) {
	b := newBox(t)
	for _, savepoint := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		err := b.Write(ctx, func(tx *Tx) error {
			part := func() error {
				if _, err := count(tx); err != nil {
					return err
				}
				cancel()
				_, err := count(tx)
				return err
			}
			if !savepoint {
				return part()
			}
			if err := tx.Savepoint(part); err == nil {
				t.Error("a cancelled savepoint is fine")
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Write: %v", err)
		}
		if err := b.Write(ctx, func(*Tx) error { t.Error("a cancelled Write began"); return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("Write after the end: %v", err)
		}
		if got := b.counted(); got != 0 {
			t.Errorf("%d entries", got)
		}
	}
	b.write(func(tx *Tx) error { _, err := count(tx); return err })
	if got := b.counted(); got != 1 {
		t.Errorf("%d entries by the next transaction", got)
	}
}

// What has happened cannot be changed or deleted, not even by hand.
func TestTriggersKeepWhatHappened(t *testing.T) {
	b := newBox(t)
	b.seated("liga", 1)
	b.enter("liga", revision{seat: "s1", slot: "m", text: "a"})
	b.write(func(tx *Tx) error {
		id, _, err := tx.StoreLetter(Letter{Received: noon, Content: "a"}, Place{UID: 1}, noon)
		if err != nil {
			return err
		}
		if err := tx.AddOutcome(Outcome{Letter: id, Result: "taken", Detail: "{}", Handled: noon}); err != nil {
			return err
		}
		if err := tx.AddSparring(Sparring{Game: "liga", Round: 1, Seat: "s1", N: 1, Letter: id, Line: 1, Slips: []byte("[]"), Fought: noon}); err != nil {
			return err
		}
		return tx.AddStep(Step{Game: "liga", Round: 1, Inputs: []byte("{}"), Events: []byte("[]"), State: []byte("{}"), Closed: noon})
	})
	for _, query := range []string{
		`UPDATE sparring SET n = 2`, `DELETE FROM sparring`,
		`UPDATE step SET state = '{"x":1}'`, `UPDATE step SET hash = hash`, `DELETE FROM step`,
		`UPDATE orders SET orders = '1'`, `UPDATE orders SET received = 0`, `DELETE FROM orders`,
		`UPDATE outcome SET result = 'dropped'`,
		`DELETE FROM letter`,
	} {
		if err := b.raw(query); err == nil || !strings.Contains(err.Error(), "never") {
			t.Errorf("%s: %v", query, err)
		}
	}
	for _, query := range []string{ // foreign keys and checks
		`DELETE FROM game`, `DELETE FROM player`, `DELETE FROM seat`,
		`UPDATE game SET state = 'sleeping'`, `UPDATE seat SET state = 'sleeping'`, `UPDATE game SET secret = x'00'`,
		`INSERT INTO orders (game, branch, round, seat, slot, received, orders, lines, provisional) VALUES ('liga', 0, 1, 's9', 'm', 0, '1', '[]', 0)`,
	} {
		if err := b.raw(query); err == nil {
			t.Errorf("%s was let in", query)
		}
	}
}

func TestOnlyAFolderWithoutDatabaseGetsOne(t *testing.T) {
	b := newBox(t)
	if _, err := Create(t.Context(), b.dir); !errors.Is(err, os.ErrExist) {
		t.Errorf("Create over a database: %v", err)
	}
	empty := t.TempDir()
	if _, err := Open(t.Context(), empty); err == nil || !strings.Contains(err.Error(), "ringpost restore") {
		t.Errorf("Open of nothing: %v", err)
	}
	if _, err := os.Stat(filepath.Join(empty, FileName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open made a file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(empty, FileName), []byte("this is no database, whatever its name may say"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), empty); err == nil {
		t.Error("a text was opened as a database")
	}
	info, err := os.Stat(filepath.Join(b.dir, FileName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the database's mode: %v %v", info.Mode(), err)
	}
}

// A database that a newer program made is refused, and left as it is.
func TestANewerDatabaseIsRefused(t *testing.T) {
	b := newBox(t)
	b.seated("liga", 1)
	b.must(b.raw(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`))
	b.must(b.Store.Close())
	_, err := Open(t.Context(), b.dir)
	if err == nil || !strings.Contains(err.Error(), "9999") || !strings.Contains(err.Error(), "newer ringpost") {
		t.Fatalf("Open: %v", err)
	}
	if b.Store, err = openUnmigrated(t, b.dir); err != nil {
		t.Fatal(err)
	}
	if n := b.number(`SELECT count(*) FROM game`); n != 1 {
		t.Errorf("%d games are left", n)
	}
}

// openUnmigrated opens no more than a connection to look with.
func openUnmigrated(t *testing.T, dir string) (*Store, error) {
	t.Helper()
	db, err := connect(filepath.Join(dir, FileName), 1)
	return &Store{marker: db}, err
}

// Everything is there again after closing and opening, in the one file: a copy of
// it is a backup.
func TestReopening(t *testing.T) {
	b := newBox(t)
	b.seated("liga", 3)
	b.read(func(tx *Tx) error { _, err := tx.Seats("liga"); return err })
	b.must(b.Store.Close())
	files, err := os.ReadDir(b.dir)
	b.must(err)
	if len(files) != 1 || files[0].Name() != FileName {
		t.Errorf("closing leaves %v", files)
	}
	b.Store, err = Open(t.Context(), b.dir)
	b.must(err)
	b.read(func(tx *Tx) error {
		seats, err := tx.Seats("liga")
		if len(seats) != 3 || seats[2].Name != "Boxer 2" {
			t.Errorf("seats: %+v", seats)
		}
		return err
	})
}

// A backup is a whole database with all that was committed, for its owner alone;
// never one that takes another's place.
func TestBackup(t *testing.T) {
	b := newBox(t)
	b.seated("liga", 3)
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	// A process that was killed while it wrote has left its half under another name.
	if err := os.WriteFile(path+".part", bytes.Repeat([]byte("half"), 1<<18), 0o600); err != nil {
		t.Fatal(err)
	}
	b.write(func(tx *Tx) error { // what is not committed is not in it
		if err := tx.SetMeta("later", "x"); err != nil {
			return err
		}
		return b.Backup(t.Context(), path)
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("beside the backup: %v, %v", left, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode: %v, %v", info, err)
	}
	if err := b.Backup(t.Context(), path); !errors.Is(err, os.ErrExist) {
		t.Errorf("over another: %v", err)
	}
	missing := filepath.Join(dir, "nowhere", "x.db")
	if err := b.Backup(t.Context(), missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("into no folder: %v", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	stopped := filepath.Join(dir, "stopped.db")
	if err := b.Backup(done, stopped); err == nil {
		t.Error("it was made after its end")
	}
	if _, err := os.Stat(stopped); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a backup is left: %v", err)
	}
	restored, err := Open(t.Context(), dir)
	b.must(err)
	defer restored.Close()
	b.must(restored.Read(t.Context(), func(tx *Tx) error {
		seats, err := tx.Seats("liga")
		if len(seats) != 3 {
			t.Errorf("seats: %+v", seats)
		}
		if later, err := tx.Meta("later"); later != "" || err != nil {
			t.Errorf("what was not committed is there: %q, %v", later, err)
		}
		return err
	}))
}

// Commands run beside the server: two processes write at once, each transaction
// by itself, and wait for one another.
func TestTwoProcessesWriteAtOnce(t *testing.T) {
	const each = 40
	if dir := os.Getenv("RINGPOST_TEST_WRITER"); dir != "" {
		s, err := Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for range each {
			if err := s.Write(t.Context(), func(tx *Tx) error {
				// Read and then write: what was read still holds.
				var before int
				if err := tx.row(`SELECT coalesce(sum(n), 0) FROM cap`, nil, &before); err != nil {
					return err
				}
				n, err := count(tx)
				if err == nil && n != before+1 {
					err = fmt.Errorf("%d follows %d", n, before)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	b := newBox(t)
	var running []*exec.Cmd
	var outputs [2]strings.Builder
	for i := range outputs {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTwoProcessesWriteAtOnce$")
		cmd.Env = append(os.Environ(), "RINGPOST_TEST_WRITER="+b.dir)
		cmd.Stdout, cmd.Stderr = &outputs[i], &outputs[i]
		b.must(cmd.Start())
		running = append(running, cmd)
	}
	for range each {
		b.write(func(tx *Tx) error { _, err := count(tx); return err })
	}
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("a writer: %v\n%s", err, outputs[i].String())
		}
	}
	if got := b.counted(); got != 3*each {
		t.Errorf("%d entries, want %d", got, 3*each)
	}
}
