package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ringpost/internal/config"
	"ringpost/internal/schedule"
	"ringpost/internal/store"
)

func (a *app) initCommand() *cobra.Command {
	var address, gm, lang, zone string
	cmd := &cobra.Command{
		Use:   "init --address gm@liga.example",
		Short: "Make a data folder with configuration and database",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if address == "" {
				return usage(cmd, "--address is missing: the address players will write to")
			}
			if err := config.CheckAddress(address); err != nil {
				return usage(cmd, "--address: %v", err)
			}
			if gm == "" {
				gm = address
			}
			if err := config.CheckAddress(gm); err != nil {
				return usage(cmd, "--gm: %v", err)
			}
			if !slices.Contains(config.Languages(), lang) {
				return usage(cmd, "--lang: %q is none of %s", lang, strings.Join(config.Languages(), ", "))
			}
			if _, err := schedule.Zone(zone); err != nil {
				return usage(cmd, "--tz: %v", err)
			}
			return a.makeFolder(cmd, address, gm, lang, zone)
		},
	}
	cmd.Flags().StringVar(&address, "address", "", "the address players write to")
	cmd.Flags().StringVar(&gm, "gm", "", "where news for the game master goes (default: the same address, whose mails are read by Ringpost and put away)")
	cmd.Flags().StringVar(&lang, "lang", "de", "language of games and players that say nothing else")
	cmd.Flags().StringVar(&zone, "tz", "Europe/Berlin", "time zone of games and players that say nothing else")
	return cmd
}

// makeFolder fills a new data folder. The configuration comes last: a folder
// without it is not ready.
func (a *app) makeFolder(cmd *cobra.Command, address, gm, lang, zone string) error {
	for _, name := range []string{config.FileName, store.FileName, keyName} {
		_, err := os.Stat(filepath.Join(a.dir, name))
		if err == nil {
			return fmt.Errorf("%s is there already: nothing was changed", filepath.Join(a.dir, name))
		}
		if !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("looking into the data folder: %w", err)
		}
	}
	text, err := config.Sample(address, gm, lang, zone)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return fmt.Errorf("making the data folder: %w", err)
	}
	var key [32]byte
	rand.Read(key[:])
	if err := os.WriteFile(filepath.Join(a.dir, keyName), key[:], 0o600); err != nil {
		return fmt.Errorf("writing the folder's key: %w", err)
	}
	s, err := store.Create(cmd.Context(), a.dir)
	if err != nil {
		return err
	}
	if err := errors.Join(noteKey(cmd.Context(), s, key), a.newKeeper(&office{store: s}).file(cmd.Context()), s.Close()); err != nil {
		return fmt.Errorf("filling the database: %w", err)
	}
	path := filepath.Join(a.dir, config.FileName)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("writing the configuration: %w", err)
	}
	a.printf("Made %s.\nNext: enter your mail account in %s and run `ringpost check`,\nor try it out first with `ringpost serve`, which needs no account.\n", a.dir, path)
	return nil
}
