package letter

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the goldens of testdata/letters anew")

const lettersDir = "../../testdata/letters"

var options = Options{
	Own:         []string{"gm@ringpost.example"},
	AuthservIDs: []string{"mx.ringpost.example"},
	Mark:        "ringpost.example",
}

// blocks are the orders that the mails of testdata/letters hold, by language.
var blocks = [][]string{
	{"NAME Müller", "LIGA 3", "ZUG 2/3 3/0 2/2 0/5 3/1", "TRAINING T"},
	{"NAME Miller", "LEAGUE 3", "MOVE 2/3 3/0 2/2 0/5 3/1", "TRAINING T"},
	{"NOMBRE Muñoz", "LIGA 3", "JUGADA 2/3 3/0 2/2 0/5 3/1", "ENTRENO T"},
}

// promises are what the beginning of a mail's name says of it, apart from its
// golden: no golden written anew can hide a lost or stolen order.
var promises = map[string]func(t *testing.T, l Letter){
	"taken": func(t *testing.T, l Letter) {
		if !holdsBlock(l.Lines) {
			t.Error("the sender's orders are not among his lines")
		}
		for _, line := range l.Lines {
			if strings.Contains(line.Text, "9/9") || strings.Contains(line.Text, "Fremder") {
				t.Errorf("%q is somebody else's", line.Text)
			}
		}
		if l.Automatic != "" || l.Problem != "" {
			t.Errorf("automatic %q, problem %q", l.Automatic, l.Problem)
		}
	},
	"quoted": func(t *testing.T, l Letter) {
		if !holdsBlock(l.Quoted) {
			t.Error("the orders are not among the quoted lines")
		}
		for _, line := range l.Lines {
			if strings.Contains(line.Text, "2/3") {
				t.Errorf("%q was taken from a quote", line.Text)
			}
		}
	},
	"from": func(t *testing.T, l Letter) {
		if strings.Contains(l.From, "chef") {
			t.Errorf("%s stands in a display name", l.From)
		}
	},
	"automatic": func(t *testing.T, l Letter) {
		if l.Automatic == "" {
			t.Error("would be answered")
		}
	},
	"problem": func(t *testing.T, l Letter) {
		if l.Problem == "" || len(l.Lines) > 0 {
			t.Errorf("problem %q, %d lines", l.Problem, len(l.Lines))
		}
	},
	"verdict": func(t *testing.T, l Letter) {
		if want := strings.Split(t.Name(), "-")[1]; string(l.Verdict) != want {
			t.Errorf("verdict is %s, want %s", l.Verdict, want)
		}
	},
	"note": func(*testing.T, Letter) {},
}

func holdsBlock(lines []Line) bool {
	return slices.ContainsFunc(blocks, func(block []string) bool {
		for _, line := range lines {
			text := strings.Join(strings.Fields(strings.TrimLeft(line.Text, "* ")), " ")
			for _, keyword := range []string{"NAME", "LIGA", "ZUG", "TRAINING"} {
				text = strings.Replace(text, keyword+":", keyword, 1)
			}
			if text == block[0] {
				block = block[1:]
			}
			if len(block) == 0 {
				return true
			}
		}
		return false
	})
}

func TestLetters(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(lettersDir, "*.eml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no mails in %s: %v", lettersDir, err)
	}
	used := map[string]bool{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".eml")
		kind, _, _ := strings.Cut(name, "-")
		used[kind] = true
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			promise, ok := promises[kind]
			if !ok {
				t.Fatalf("no promise for mails named %s-", kind)
			}
			got := read(raw, options)
			promise(t, got)
			compareGolden(t, strings.TrimSuffix(file, ".eml")+".json", got)

			for _, other := range [][]byte{crlf(raw), foldLineEnds(raw)} {
				if diff := cmp.Diff(got, read(other, options)); diff != "" {
					t.Errorf("with other line ends:\n%s", diff)
				}
				if ContentKey(other) != ContentKey(raw) {
					t.Error("other line ends make it another mail")
				}
			}
		})
	}
	for kind := range promises {
		if !used[kind] {
			t.Errorf("no mail is named %s-", kind)
		}
	}
}

func crlf(raw []byte) []byte {
	return bytes.ReplaceAll(foldLineEnds(raw), []byte("\n"), []byte("\r\n"))
}

func compareGolden(t *testing.T, file string, got Letter) {
	t.Helper()
	if *update {
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(got); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want Letter
	if err := json.Unmarshal(golden, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestCorpus reads mails of other projects, none of which holds orders for a game
// here. RINGPOST_MAIL_CORPUS is the folder they lie in.
func TestCorpus(t *testing.T) {
	root := os.Getenv("RINGPOST_MAIL_CORPUS")
	if root == "" {
		t.Skip("RINGPOST_MAIL_CORPUS is not set")
	}
	mails := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		mails++
		variants := [][]byte{raw, crlf(raw)}
		for _, kind := range []string{"plain", "html"} { // some files are bodies only
			head := "From: hans@example.org\nContent-Type: text/" + kind + "\n\n"
			variants = append(variants, append([]byte(head), raw...))
		}
		for _, mail := range variants {
			start := time.Now()
			l := read(mail, options)
			if took := time.Since(start); took > 100*time.Millisecond*raceFactor {
				t.Errorf("%s took %v", path, took)
			}
			checkLetter(t, l)
			if holdsBlock(l.Lines) || holdsBlock(l.Quoted) {
				t.Errorf("%s: orders found where there are none", path)
			}
		}
		return nil
	})
	if err != nil || mails == 0 {
		t.Fatalf("%d mails read, %v", mails, err)
	}
	t.Logf("%d files read", mails)
}
