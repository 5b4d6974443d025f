package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/service"
	"capzone.dev/services/players/internal/natsapi"
	"capzone.dev/services/players/internal/player"
	players "capzone.dev/services/players/internal/postgres"
)

// Commands returns the operators' subcommands, which write their results to out.
func Commands(out io.Writer) []service.Command {
	c := commands{out}
	return []service.Command{
		{
			Name: "grant", Args: "NAME ROLE", Summary: "give a player a role (admin, moderator, validator, or a badge)",
			Run: c.grant,
		},
		{Name: "revoke", Args: "NAME ROLE", Summary: "take a role from a player", Run: c.revoke},
		{Name: "show", Args: "NAME", Summary: "show everything about a player", Run: c.show},
		{
			Name: "ban", Args: "NAME [until=TIME] REASON",
			Summary: "ban a player, who can log in and read but do nothing else; without a time the ban has no end",
			Run:     c.ban,
		},
		{Name: "unban", Args: "NAME REASON", Summary: "lift a ban", Run: c.unban},
		{
			Name: "merge", Args: "FROM INTO [REASON]",
			Summary: "merge a player into another, for a person who has another name in the game now; it cannot be undone",
			Run:     c.merge,
		},
		{
			Name: "delete", Args: "ID REASON",
			Summary: "delete the account of a player at once: records and maps stay, without the name; it cannot be undone",
			Run:     c.delete,
		},
		{
			Name: "release", Args: "NAME REASON",
			Summary: "take a former name from a player, for a person who has it in the game now",
			Run:     c.release,
		},
		service.Rebuild(out, Name, "fill the copies again", rebuild),
		service.Republish(out, "players", "publish the state of every player again",
			func(ctx context.Context, pool *postgres.Pool) (int, error) {
				return players.NewStore(pool).Republish(ctx)
			}),
		service.Sweep(out, Name,
			func(pool *postgres.Pool) objectstore.IsReferenced { return players.NewStore(pool).IsReferenced }),
	}
}

// commands are the operators' commands.
type commands struct{ out io.Writer }

func (c commands) print(format string, args ...any) error {
	_, err := fmt.Fprintf(c.out, format, args...)
	return err
}

// useCases are what the commands call, in the service's database.
type useCases struct {
	store     *players.Store
	reader    *player.Reader
	moderator *player.Moderator
	deleter   *player.Deleter
}

// withDatabase calls run with the use cases.
func withDatabase(ctx context.Context, run func(u useCases) error) error {
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		store := players.NewStore(pool)
		return run(useCases{
			store, &player.Reader{Players: store}, newModerator(store), newDeleter(store, slog.New(slog.DiscardHandler)),
		})
	})
}

// withPlayer calls run with the use cases and the player whom the first argument names.
func withPlayer(ctx context.Context, args []string, run func(u useCases, p player.Player) error) error {
	return withDatabase(ctx, func(u useCases) error {
		p, err := u.reader.Find(ctx, args[0])
		if err != nil {
			return err
		}
		return run(u, p)
	})
}

func (c commands) grant(ctx context.Context, args []string) error {
	return withPlayer(ctx, args, func(u useCases, p player.Player) error {
		p, err := u.moderator.Grant(ctx, p.ID, strings.Join(args[1:], " "), service.ByOperator())
		if err != nil {
			return err
		}
		return c.printRoles(p)
	})
}

func (c commands) revoke(ctx context.Context, args []string) error {
	return withPlayer(ctx, args, func(u useCases, p player.Player) error {
		p, err := u.moderator.Revoke(ctx, p.ID, strings.Join(args[1:], " "), service.ByOperator())
		if err != nil {
			return err
		}
		if err := c.printRoles(p); err != nil {
			return err
		}
		return c.warnWithoutAdmin(ctx, u)
	})
}

// warnWithoutAdmin prints a warning when there is no admin, or all are banned.
func (c commands) warnWithoutAdmin(ctx context.Context, u useCases) error {
	has, err := u.store.HasAdmin(ctx)
	if err != nil || has {
		return err
	}
	return c.print("There is no admin now. Make one with: players grant NAME admin\n")
}

func (c commands) printRoles(p player.Player) error {
	roles := strings.Join(p.Roles, ", ")
	if roles == "" {
		roles = "none"
	}
	return c.print("Roles of %s: %s. A logged-in player's token follows within 15 minutes.\n", p.Name, roles)
}

func (c commands) ban(ctx context.Context, args []string) error {
	return withPlayer(ctx, args, func(u useCases, p player.Player) error {
		until, reason, err := parseUntil(args[1:])
		if err != nil {
			return err
		}
		p, err = u.moderator.Ban(ctx, p.ID, until, service.ByOperator(reason...))
		if err != nil {
			return err
		}
		if err := c.print("%s is %s\n", p.Name, describe(p.Ban)); err != nil || !p.HasRole(access.Admin) {
			return err
		}
		return c.warnWithoutAdmin(ctx, u)
	})
}

var errTimeMalformed = problem.InvalidArgument("time_malformed",
	"A time is written as 2027-01-31 or as 2027-01-31T18:00:00Z.")

// parseUntil returns the time of a leading argument until=TIME, zero where there is none, and the other arguments.
func parseUntil(args []string) (until time.Time, others []string, err error) {
	text, ok := strings.CutPrefix(args[0], "until=")
	if !ok {
		return time.Time{}, args, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if until, err = time.Parse(layout, text); err == nil {
			return until, args[1:], nil
		}
	}
	return time.Time{}, nil, errTimeMalformed
}

// describe says that and why a player is banned.
func describe(b player.Ban) string {
	if b.Until.IsZero() {
		return "banned: " + b.Reason
	}
	return "banned until " + b.Until.Format(time.RFC3339) + ": " + b.Reason
}

func (c commands) unban(ctx context.Context, args []string) error {
	return withPlayer(ctx, args, func(u useCases, p player.Player) error {
		p, err := u.moderator.Unban(ctx, p.ID, service.ByOperator(args[1:]...))
		if err != nil {
			return err
		}
		return c.print("%s is no longer banned.\n", p.Name)
	})
}

func (c commands) merge(ctx context.Context, args []string) error {
	return withDatabase(ctx, func(u useCases) error {
		from, err := u.reader.FindCurrent(ctx, args[0])
		if err != nil {
			return err
		}
		into, err := u.reader.FindCurrent(ctx, args[1])
		if err != nil {
			return err
		}
		kept, err := u.moderator.Merge(ctx, from.ID, into.ID, service.ByOperator(args[2:]...))
		if err != nil {
			return err
		}
		return c.print("%s is %s now. Records and maps follow in a moment.\n", args[0], kept.Name)
	})
}

func (c commands) release(ctx context.Context, args []string) error {
	return withPlayer(ctx, args, func(u useCases, _ player.Player) error {
		p, err := u.moderator.Release(ctx, args[0], service.ByOperator(args[1:]...))
		if err != nil {
			return err
		}
		return c.print("%s is no longer a name of %s.\n", args[0], p.Name)
	})
}

func (c commands) delete(ctx context.Context, args []string) error {
	return withDatabase(ctx, func(u useCases) error {
		p, err := u.deleter.Delete(ctx, args[0], service.ByOperator(args[1:]...))
		if err != nil {
			return err
		}
		return c.print("The player is %s now. What else there is of the account goes in a moment.\n", p.Name)
	})
}

func (c commands) show(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return service.ErrUsage
	}
	return withDatabase(ctx, func(u useCases) error {
		p, err := u.reader.Find(ctx, args[0])
		if err != nil {
			return err
		}
		profile, err := u.reader.Get(ctx, p.ID)
		if err != nil {
			return err
		}
		return c.printPlayer(p, profile)
	})
}

func (c commands) printPlayer(p player.Player, profile player.Profile) error {
	banned := "no"
	if p.Banned {
		banned = describe(p.Ban)
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

// rebuild fills the copies from the streams again, and the totals from the copies.
func rebuild(pool *postgres.Pool) service.RebuildSpec {
	store := players.NewStore(pool)
	return service.RebuildSpec{
		Subjects: event.PlayersCopies.Subjects,
		Handle:   natsapi.ApplyCopies(store),
		Then:     []func(context.Context) error{store.Rebuild},
	}
}
