package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ringpost/internal/config"
	"ringpost/internal/game"
	"ringpost/internal/referee"
	"ringpost/internal/rules"
)

func (a *app) seatCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "seat", Short: "Seat players in games"}
	cmd.AddCommand(a.seatAdd(), a.seatAddress(), a.seatList(), a.seatRemove())
	return cmd
}

func (a *app) seatAdd() *cobra.Command {
	var in referee.Seating
	var players string
	// Each trait is a flag of its own; which there are is the rulesets' to say.
	traits := map[string]*string{}
	cmd := &cobra.Command{Use: "add GAME NAME --player ADDR[,ADDR]", Short: "Give a player a seat", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Game, in.Name = args[0], args[1]
			var err error
			if in.Addresses, err = playersAddresses(cmd, players); err != nil {
				return err
			}
			for key, value := range traits {
				if cmd.Flags().Changed(key) {
					if in.Traits == nil {
						in.Traits = game.Settings{}
					}
					in.Traits[key] = *value
				}
			}
			return a.with(cmd, func(o *office) error {
				seat, err := o.desk.AddSeat(cmd.Context(), in)
				if err != nil {
					return err
				}
				when := "takes part"
				if seat.State == "waiting" {
					when = "enters when the open round closes"
				}
				a.printf("%s %s in %s as %s.\n", seat.Name, when, in.Game, seat.ID)
				return nil
			})
		}}
	f := cmd.Flags()
	f.StringVar(&players, "player", "", "the player's address; mails go to the first of several")
	f.StringVar(&in.Lang, "lang", "", "the player's language (default: the game's)")
	f.StringVar(&in.TZ, "tz", "", "the player's time zone (default: the game's)")
	for _, t := range traitFlags() {
		traits[t.Key] = f.String(t.Key, "", t.Doc)
	}
	return cmd
}

// playersAddresses reads the flag --player.
func playersAddresses(cmd *cobra.Command, players string) (addresses []string, err error) {
	if players == "" {
		return nil, usage(cmd, "--player is missing: the player's address, or several with commas between")
	}
	for _, p := range strings.Split(players, ",") {
		p = strings.TrimSpace(p)
		if err := config.CheckAddress(p); err != nil {
			return nil, usage(cmd, "--player: %v", err)
		}
		addresses = append(addresses, p)
	}
	return addresses, nil
}

func (a *app) seatAddress() *cobra.Command {
	var players string
	cmd := &cobra.Command{Use: "address GAME NAME --player ADDR[,ADDR]", Short: "Give a seat's player another address instead of the one he has", Args: cobra.ExactArgs(2),
		Long: `Gives the player of a seat other addresses instead of those he has, in all his games,
as when one was mistyped or is dead. Mails that did not get out to the old one go to
the first of the new ones: those that wait by themselves, those that were given up by
ringpost outbox retry. Who can still write from his old address may do it himself,
by the line ADDRESS in a mail.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			addresses, err := playersAddresses(cmd, players)
			if err != nil {
				return err
			}
			return a.with(cmd, func(o *office) error {
				if err := o.desk.SetAddresses(cmd.Context(), args[0], args[1], addresses); err != nil {
					return err
				}
				a.printf("Mails to %s go to %s now.\n", args[1], addresses[0])
				return nil
			})
		}}
	cmd.Flags().StringVar(&players, "player", "", "his addresses from now on; mails go to the first of several")
	return cmd
}

func (a *app) seatList() *cobra.Command {
	return &cobra.Command{Use: "list GAME", Short: "List a game's seats", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error {
				rows, err := o.desk.Seats(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(rows)
				}
				for _, r := range rows {
					a.printf("%-5s %-24s %-8s %-2s %-20s %s\n", r.Seat, r.Name, r.State, r.Lang, r.TimeZone, strings.Join(r.Addresses, ", "))
				}
				return nil
			})
		}}
}

func (a *app) seatRemove() *cobra.Command {
	return &cobra.Command{Use: "remove GAME NAME", Short: "Take a seat out of a game at once", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd, func(o *office) error {
				if err := o.desk.RemoveSeat(cmd.Context(), args[0], args[1]); err != nil {
					return err
				}
				a.printf("%s is out of %s.\n", args[1], args[0])
				return nil
			})
		}}
}

// traitFlags are the traits of all rulesets, each key once.
func traitFlags() []game.Setting {
	var out []game.Setting
	for _, r := range rules.All() {
		for _, t := range r.About().Seat {
			if !slices.ContainsFunc(out, func(o game.Setting) bool { return o.Key == t.Key }) {
				out = append(out, t)
			}
		}
	}
	return out
}
