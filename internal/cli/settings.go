package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ringpost/internal/game"
	"ringpost/internal/rules"
)

// setFlag is the flag --set, which may be repeated.
func setFlag(cmd *cobra.Command, into *[]string) {
	cmd.Flags().StringArrayVar(into, "set", nil, "a setting of the ruleset, key=value; where it takes a file, key=FILE; may be repeated")
}

// readSettings reads what --set says among the declared settings. Where one takes a
// file its value becomes the file's text. All of them are checked, each file by itself
// first, so that an error names it.
func readSettings(cmd *cobra.Command, set []string, declared []game.Setting, check func(game.Settings) error) (game.Settings, error) {
	out := game.Settings{}
	for _, s := range set {
		key, value, ok := strings.Cut(s, "=")
		if !ok || key == "" {
			return nil, usage(cmd, "--set: %q is not key=value", s)
		}
		if _, twice := out[key]; twice {
			return nil, usage(cmd, "--set: %s is set twice", key)
		}
		if slices.ContainsFunc(declared, func(d game.Setting) bool { return d.Key == key && d.File }) {
			text, err := readSettingFile(value)
			if err != nil {
				return nil, fmt.Errorf("reading the file of --set %s: %w", key, err)
			}
			if err := check(game.Settings{key: text}); err != nil {
				return nil, fmt.Errorf("%s: %w", value, err)
			}
			value = text
		}
		out[key] = value
	}
	return out, check(out)
}

// readSettingFile reads a text that a setting can hold.
func readSettingFile(path string) (string, error) {
	if path == "" {
		return "", errors.New("it has no name: write key=FILE")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, game.MaxFile+1))
	if err == nil && len(text) == 0 {
		return "", fmt.Errorf("%s is empty", path)
	}
	if len(text) > game.MaxFile {
		return "", fmt.Errorf("%s has more than %d bytes: no setting takes so much", path, game.MaxFile)
	}
	return string(text), err
}

// settingsHelp explains the settings of all rulesets, for a command's help.
func settingsHelp(declared func(game.About) []game.Setting) string {
	var b strings.Builder
	for _, r := range rules.All() {
		about := r.About()
		for i, d := range declared(about) {
			if i == 0 {
				fmt.Fprintf(&b, "\n\nSettings of %s, with their defaults:", about.Name)
			}
			value := d.Default
			if d.File {
				value = "FILE"
			}
			fmt.Fprintf(&b, "\n  %s=%s\n      %s", d.Key, value, d.Doc)
			if len(d.Values) > 0 {
				fmt.Fprintf(&b, " One%s of %s.", map[bool]string{true: " or more"}[d.Many], strings.Join(d.Values, ", "))
			} else if !d.File {
				fmt.Fprintf(&b, " %d to %d.", d.Min, d.Max)
			}
		}
	}
	return b.String()
}
