package app

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/services/players/internal/natsapi"
	"capzone.dev/services/players/internal/player"
	players "capzone.dev/services/players/internal/postgres"
)

// Commands returns the operators' subcommands, which write their results to out.
func Commands(out io.Writer) []service.Command {
	return []service.Command{
		{
			Name: "grant", Args: "NAME ROLE", Summary: "give a player a role (admin, moderator, validator, or a badge)",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Grant(ctx, args[0], text(args[1:]))
				if err != nil {
					return err
				}
				return c.printRoles(p)
			}),
		},
		{
			Name: "revoke", Args: "NAME ROLE", Summary: "take a role from a player",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Revoke(ctx, args[0], text(args[1:]))
				if err != nil {
					return err
				}
				if err := c.printRoles(p); err != nil {
					return err
				}
				return c.warnOfNoAdmin(ctx)
			}),
		},
		{
			Name: "show", Args: "NAME", Summary: "show everything about a player",
			Run: onConsole(out, 1, 1, func(ctx context.Context, c *console, args []string) error {
				return c.show(ctx, args[0])
			}),
		},
		{
			Name: "ban", Args: "NAME REASON", Summary: "ban a player: no login, no submission, sessions end",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Ban(ctx, args[0], text(args[1:]))
				if err != nil {
					return err
				}
				return c.print("%s is banned: %s\n", p.Name, p.BanReason)
			}),
		},
		{
			Name: "unban", Args: "NAME REASON", Summary: "lift a ban",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Unban(ctx, args[0], text(args[1:]))
				if err != nil {
					return err
				}
				return c.print("%s is no longer banned.\n", p.Name)
			}),
		},
		{
			Name: "merge", Args: "FROM INTO [REASON]",
			Summary: "merge a player into another, for a person who has another name in the game now",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Merge(ctx, args[0], args[1], text(args[2:]))
				if err != nil {
					return err
				}
				return c.print("%s is %s now. Records and maps follow in a moment.\n", args[0], p.Name)
			}),
		},
		{
			Name: "release", Args: "NAME REASON",
			Summary: "take a former name from a player, for a person who has it in the game now",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Release(ctx, args[0], text(args[1:]))
				if err != nil {
					return err
				}
				return c.print("%s is no longer a name of %s.\n", args[0], p.Name)
			}),
		},
		service.Rebuild(out, Name, "fill the copies again", rebuilding),
		service.Republish(out, "players", "publish the state of every player again",
			func(ctx context.Context, pool *postgres.Pool) (int, error) {
				return players.NewStore(pool).Republish(ctx)
			}),
		service.Sweep(out, Name,
			func(pool *postgres.Pool) objectstore.IsReferenced { return players.NewStore(pool).IsReferenced }),
	}
}

// console is what the commands need.
type console struct {
	store    *players.Store
	operator *player.Operator
	out      io.Writer
}

// words is the limit of arguments where the last may be several words.
const words = math.MaxInt

func text(args []string) string { return strings.Join(args, " ") }

// onConsole returns a command that takes least to most arguments.
func onConsole(
	out io.Writer, least, most int, run func(ctx context.Context, c *console, args []string) error,
) func(context.Context, []string) error {
	return func(ctx context.Context, args []string) error {
		if len(args) < least || len(args) > most {
			return service.ErrUsage
		}
		return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
			store := players.NewStore(pool)
			operator := &player.Operator{Account: service.Operator().ID, Players: store}
			return run(ctx, &console{store, operator, out}, args)
		})
	}
}

func (c *console) print(format string, args ...any) error {
	_, err := fmt.Fprintf(c.out, format, args...)
	return err
}

func (c *console) printRoles(p player.Player) error {
	roles := strings.Join(p.Roles, ", ")
	if roles == "" {
		roles = "none"
	}
	return c.print("Roles of %s: %s. A logged-in player's token follows within 15 minutes.\n", p.Name, roles)
}

func (c *console) warnOfNoAdmin(ctx context.Context) error {
	has, err := c.store.HasAdmin(ctx)
	if err != nil || has {
		return err
	}
	return c.print("There is no admin now. Make one with: players grant NAME admin\n")
}

func (c *console) show(ctx context.Context, name string) error {
	p, err := c.operator.Find(ctx, name)
	if err != nil {
		return err
	}
	profile, err := c.store.GetProfile(ctx, p.ID)
	if err != nil {
		return err
	}
	banned := "no"
	if p.Banned {
		banned = "yes: " + p.BanReason
	}
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, line := range []struct {
		label string
		value any
	}{
		{"Name", p.Name},
		{"Formerly", strings.Join(p.FormerNames, ", ")},
		{"Id", p.ID},
		{"Registered", p.Registered},
		{"Level", p.Level},
		{"Roles", strings.Join(p.Roles, ", ")},
		{"Banned", banned},
		{"Maps", profile.Maps},
		{"Records", profile.Records},
		{"Skin colour", p.SkinColor},
		{"Avatar", p.AvatarURL()},
		{"Created", p.CreatedAt.Format(time.RFC3339)},
		{"Updated", p.UpdatedAt.Format(time.RFC3339)},
		{"Version", p.Version},
	} {
		if _, err := fmt.Fprintf(table, "%s\t%v\n", line.label, line.value); err != nil {
			return err
		}
	}
	return table.Flush()
}

// rebuilding fills the copies from the streams again, and the totals from the copies.
func rebuilding(pool *postgres.Pool) service.RebuildSpec {
	store := players.NewStore(pool)
	consumers := natsapi.Consumers{Copies: store}
	return service.RebuildSpec{
		Subjects: event.PlayersCopies.Subjects,
		Handle:   consumers.Handler(),
		Then:     []func(context.Context) error{store.Recount},
	}
}
