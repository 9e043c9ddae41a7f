package letter

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestDump(t *testing.T) {
	root := os.Getenv("DUMP")
	if root == "" {
		t.Skip()
	}
	filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if d.IsDir() {
			return nil
		}
		raw, _ := os.ReadFile(p)
		if os.Getenv("WRAP") != "" {
			ct := "text/plain"
			if filepath.Ext(p) == ".html" {
				ct = "text/html"
			}
			raw = append([]byte("From: a@b.de\nContent-Type: "+ct+"\n\n"), raw...)
		}
		start := time.Now()
		l := Read(raw, Options{})
		el := time.Since(start)
		fmt.Printf("=== %s (%v)\nfrom=%q name=%q subj=%q rcpt=%q id=%q auto=%q list=%v verdict=%s problem=%q\n", p, el, l.From, l.FromName, l.Subject, l.Recipients, l.MessageID, l.Automatic, l.List, l.Verdict, l.Problem)
		for _, x := range l.Lines {
			fmt.Printf("  %3d %.150q %s\n", x.N, x.Text, x.Note)
		}
		for _, x := range l.Quoted {
			fmt.Printf("  %3d >> %.100q %s\n", x.N, x.Text, x.Note)
		}
		return nil
	})
}
