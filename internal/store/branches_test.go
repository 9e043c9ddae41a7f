package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func (b *box) gameWithSteps(rounds ...int) {
	b.Helper()
	b.write(func(tx *Tx) error {
		if err := tx.AddGame(Game{ID: "liga", Ruleset: "sugarray", Title: "Liga", Lang: "de", TZ: "UTC", Trust: "token", Press: "signed", State: GameRunning, Created: time.UnixMilli(1)}); err != nil {
			return err
		}
		for _, r := range rounds {
			if err := tx.AddStep(stepOn(0, r)); err != nil {
				return err
			}
		}
		return nil
	})
}

func stepOn(branch, round int) Step {
	empty := json.RawMessage(`{}`)
	return Step{Game: "liga", Branch: branch, Round: round, Seed: "s", Next: "n", Inputs: empty, Events: empty, State: empty, Hash: fmt.Sprintf("%d/%d", branch, round), Closed: time.UnixMilli(5)}
}

func branchOn(branch, parent, round int) Branch {
	return Branch{Game: "liga", Branch: branch, Parent: parent, Round: round, Seeds: branch, Next: "n", Added: json.RawMessage("[]"), Reason: "why",
		Hash: "h", Frozen: time.UnixMilli(6).UTC(), Opened: time.UnixMilli(7).UTC()}
}

// A branch's line is its own steps behind those of its parents that came before it.
func TestLinesOfBranches(t *testing.T) {
	b := newBox(t)
	b.gameWithSteps(0, 1, 2, 3)
	b.write(func(tx *Tx) error {
		for _, err := range []error{
			tx.AddBranch(branchOn(1, 0, 3)), tx.AddStep(stepOn(1, 3)), tx.AddStep(stepOn(1, 4)),
			tx.AddBranch(branchOn(2, 1, 3)), // of the same round, and nothing is closed on it
			tx.AddBranch(branchOn(3, 0, 2)), tx.AddStep(stepOn(3, 2)),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	})
	for _, tt := range []struct {
		branch, round int
		before, of    string
	}{
		{0, 0, "", "0/0"}, {0, 3, "0/2", "0/3"}, {0, 4, "0/3", ""},
		{1, 1, "0/0", "0/1"}, {1, 3, "0/2", "1/3"}, {1, 5, "1/4", ""},
		{2, 2, "0/1", "0/2"}, {2, 3, "0/2", ""}, {2, 4, "0/2", ""},
		{3, 2, "0/1", "3/2"}, {3, 3, "3/2", ""},
	} {
		b.read(func(tx *Tx) error {
			before, err := tx.StepBefore("liga", tt.branch, tt.round, 0)
			if tt.before == "" && !errors.Is(err, ErrNotFound) || tt.before != "" && err != nil || before.Hash != tt.before {
				t.Errorf("branch %d, before round %d: %q (%v), want %q", tt.branch, tt.round, before.Hash, err, tt.before)
			}
			of, err := tx.StepOf("liga", tt.branch, tt.round)
			if tt.of == "" && !errors.Is(err, ErrNotFound) || tt.of != "" && (err != nil || of.Hash != tt.of) {
				t.Errorf("branch %d, round %d: %q (%v), want %q", tt.branch, tt.round, of.Hash, err, tt.of)
			}
			return nil
		})
	}
	for branch, want := range []string{"0/3", "1/4", "0/2", "3/2"} {
		b.read(func(tx *Tx) error {
			last, err := tx.LastStep("liga", branch)
			if last.Hash != want {
				t.Errorf("branch %d ends with %s, want %s", branch, last.Hash, want)
			}
			return err
		})
	}
	b.read(func(tx *Tx) error {
		all, err := tx.Branches("liga")
		if diff := cmp.Diff([]Branch{branchOn(1, 0, 3), branchOn(2, 1, 3), branchOn(3, 0, 2)}, all); diff != "" {
			t.Error(diff)
		}
		_, none := tx.Branch("liga", 4)
		if !errors.Is(none, ErrNotFound) {
			t.Errorf("branch 4: %v", none)
		}
		return err
	})
}

func TestBranchesAreKept(t *testing.T) {
	b := newBox(t)
	b.gameWithSteps(0, 1)
	b.write(func(tx *Tx) error { return tx.AddBranch(branchOn(1, 0, 1)) })
	for query, want := range map[string]string{
		`UPDATE branch SET reason = 'x'`: "branches are never changed",
		`DELETE FROM branch`:             "branches are never deleted",
	} {
		if err := b.raw(query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", query, err)
		}
	}
	if err := b.Write(t.Context(), func(tx *Tx) error { return tx.AddBranch(branchOn(1, 0, 1)) }); err == nil {
		t.Error("a second branch of the number is entered")
	}
}

// Press of former databases, of which it is not on record which report told it, goes by
// the round in whose course it was sent.
func TestPressIsToldAgainFromARoundOn(t *testing.T) {
	dir := older(t, 4, `INSERT INTO game (id, ruleset, title, lang, deadline, tz, trust, press, moderated, settings, secret, state, created)
			VALUES ('liga', 'sugarray', 'Liga', 'de', '', 'UTC', 'token', 'signed', 0, '{}', zeroblob(32), 'running', 0)`,
		`INSERT INTO letter (id, received, source, size, content, raw, stored) VALUES (1, 0, 'x', 1, 'x', x'', 0)`,
		`INSERT INTO press (id, game, round, seat, recipient, anonymous, text, letter, state, created) VALUES
			(1, 'liga', 1, 's1', '', 0, 'a', 1, 'told', 0), (2, 'liga', 2, 's1', '', 0, 'b', 1, 'told', 0),
			(3, 'liga', 2, 's1', '*', 0, 'c', 1, 'told', 0), (4, 'liga', 1, 's1', '', 0, 'd', 1, 'released', 0)`)
	b := &box{TB: t, dir: dir}
	var err error
	if b.Store, err = Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	defer b.Store.Close()
	b.write(func(tx *Tx) error { return tx.TellPress(4, 2) }) // sent in round 1, told in the report on round 2
	b.write(func(tx *Tx) error { return tx.UntellPress("liga", 2) })
	var told, released []string
	b.read(func(tx *Tx) error {
		all, err := tx.PressIn("liga", "")
		for _, p := range all {
			if p.State == PressTold {
				told = append(told, p.Text)
			} else {
				released = append(released, p.Text)
			}
		}
		return err
	})
	if diff := cmp.Diff([][]string{{"a", "c"}, {"b", "d"}}, [][]string{told, released}); diff != "" {
		t.Error(diff)
	}
}
