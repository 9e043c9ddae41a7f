package cli_test

import (
	"regexp"
	"strings"
	"testing"
)

var (
	subcommand = regexp.MustCompile(`(?m)^  ([a-z]+) {2,}`)
	flagLine   = regexp.MustCompile(`(?m)^ +(?:-., )?--([a-z-]+)`)
	secretName = regexp.MustCompile(`password|secret|token|seed|key|code`)
)

// TestNoSecretsAsArguments: every user of the machine can read a process's arguments,
// so no command takes a secret as one.
func TestNoSecretsAsArguments(t *testing.T) {
	dir, commands := t.TempDir(), 0
	var look func(command ...string)
	look = func(command ...string) {
		commands++
		help := ringpost(t, dir, append(command, "--help")...)
		_, flags, _ := strings.Cut(help, "\nFlags:")
		for _, m := range flagLine.FindAllStringSubmatch(flags, -1) {
			if secretName.MatchString(m[1]) && !strings.HasSuffix(m[1], "-file") {
				t.Errorf("%v takes --%s", command, m[1])
			}
		}
		_, list, _ := strings.Cut(help, "Available Commands:")
		list, _, _ = strings.Cut(list, "\nFlags:")
		for _, m := range subcommand.FindAllStringSubmatch(list, -1) {
			if m[1] != "help" && m[1] != "completion" {
				look(append(command[:len(command):len(command)], m[1])...)
			}
		}
	}
	look()
	if commands < 30 {
		t.Errorf("only %d commands were found", commands)
	}
}
