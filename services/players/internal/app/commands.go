package app

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/services/players/internal/player"
	players "capzone.dev/services/players/internal/postgres"
)

// Commands are the operators' subcommands. What they find and do is told on out.
func Commands(out io.Writer) []service.Command {
	return []service.Command{
		{
			Name: "grant", Args: "NAME ROLE", Summary: "give a player a role (admin, moderator, validator, or a badge)",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Grant(ctx, args[0], text(args[1:]))
				return c.tellRoles(p, err)
			}),
		},
		{
			Name: "revoke", Args: "NAME ROLE", Summary: "take a role from a player",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Revoke(ctx, args[0], text(args[1:]))
				if err := c.tellRoles(p, err); err != nil {
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
			Name: "ban", Args: "NAME REASON", Summary: "shut a player out: no login, no submission, sessions end",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Ban(ctx, args[0], text(args[1:]))
				return c.tell(err, "%s is banned: %s\n", p.Name, p.BanReason)
			}),
		},
		{
			Name: "unban", Args: "NAME REASON", Summary: "let a banned player in again",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Unban(ctx, args[0], text(args[1:]))
				return c.tell(err, "%s is no longer banned.\n", p.Name)
			}),
		},
		{
			Name: "merge", Args: "FROM INTO [REASON]", Summary: "make one player of two, for somebody who has another name in the game now",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Merge(ctx, args[0], args[1], text(args[2:]))
				return c.tell(err, "%s is %s now. Runs and maps follow in a moment.\n", args[0], p.Name)
			}),
		},
		{
			Name: "release", Args: "NAME REASON", Summary: "let a former name go, for somebody else who has it in the game now",
			Run: onConsole(out, 2, words, func(ctx context.Context, c *console, args []string) error {
				p, err := c.operator.Release(ctx, args[0], text(args[1:]))
				return c.tell(err, "%s is no longer a name of %s.\n", args[0], p.Name)
			}),
		},
		service.Rebuild(out, Name, "make the copies of neighbours' data and the search index again", rebuilding),
		service.Republish(out, "players", "publish the state of every player again", republish),
		service.Sweep(out, Name, sweeping),
	}
}

// console is what an operator's command works with.
type console struct {
	players  *players.Players
	operator *player.Operator
	out      io.Writer
}

// words is for a command whose last argument may be several words.
const words = math.MaxInt

func text(args []string) string { return strings.Join(args, " ") }

// onConsole makes a command with so many arguments.
func onConsole(out io.Writer, least, most int, run func(ctx context.Context, c *console, args []string) error) func(context.Context, []string) error {
	return func(ctx context.Context, args []string) error {
		if len(args) < least || len(args) > most {
			return service.ErrUsage
		}
		return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
			all := players.NewPlayers(pool)
			return run(ctx, &console{all, &player.Operator{Account: service.Operator(), Finder: all, Editor: all, Pairs: all}, out}, args)
		})
	}
}

func (c *console) tell(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, format, args...)
	return err
}

func (c *console) tellRoles(p player.Player, err error) error {
	roles := strings.Join(p.Roles, ", ")
	if roles == "" {
		roles = "none"
	}
	return c.tell(err, "Roles of %s: %s. A logged-in player's token follows within 15 minutes.\n", p.Name, roles)
}

func (c *console) warnOfNoAdmin(ctx context.Context) error {
	has, err := c.players.HasAdmin(ctx)
	if err != nil || has {
		return err
	}
	return c.tell(nil, "There is no admin now. Make one with: players grant NAME admin\n")
}

func (c *console) show(ctx context.Context, name string) error {
	p, err := c.operator.Find(ctx, name)
	if err != nil {
		return err
	}
	profile, err := c.players.ProfileByID(ctx, p.ID)
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

// sweeping tells which files are named.
func sweeping(pool *postgres.Pool) objectstore.Named { return players.NewPlayers(pool).NamesAvatar }
