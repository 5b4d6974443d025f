package app

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/services/players/internal/natsapi"
	"capzone.dev/services/players/internal/player"
	players "capzone.dev/services/players/internal/postgres"
)

// Commands returns the operators' subcommands.
func Commands() []service.Command {
	return []service.Command{
		{
			Name: "grant", Args: "NAME ROLE", Summary: "give a player a role (admin, moderator, validator, or a badge)",
			Run: withPlayer(operation.grant),
		},
		{Name: "revoke", Args: "NAME ROLE", Summary: "take a role from a player", Run: withPlayer(operation.revoke)},
		{Name: "show", Args: "NAME", Summary: "show everything about a player", Run: withPlayer(operation.show)},
		{
			Name: "ban", Args: "NAME [until=TIME] REASON",
			Summary: "ban a player, who can log in and read but do nothing else; without a time the ban has no end",
			Run:     withPlayer(operation.ban),
		},
		{Name: "unban", Args: "NAME REASON", Summary: "lift a ban", Run: withPlayer(operation.unban)},
		{
			Name: "merge", Args: "FROM INTO [REASON]",
			Summary: "merge a player into another, for a person who has another name in the game now; it cannot be undone",
			Run:     withDatabase(operation.merge),
		},
		{
			Name: "delete", Args: "ID REASON",
			Summary: "delete the account of a player at once: records and maps stay, without the name; it cannot be undone",
			Run:     withDatabase(operation.delete),
		},
		{
			Name: "release", Args: "NAME REASON",
			Summary: "take a former name from a player, for a person who has it in the game now",
			Run:     withPlayer(operation.release),
		},
		service.Rebuild(Name, "fill the copies again", event.PlayersCopies,
			func(pool *postgres.Pool) eventbus.Handler { return natsapi.ApplyCopies(players.NewStore(pool)) },
			func(ctx context.Context, pool *postgres.Pool) error { return players.NewStore(pool).Rebuild(ctx) }),
		service.Republish("players", "publish the state of every player again",
			func(ctx context.Context, pool *postgres.Pool) (int, error) {
				return players.NewStore(pool).Republish(ctx)
			}),
		service.Sweep(Name,
			func(pool *postgres.Pool) objectstore.IsReferenced { return players.NewStore(pool).IsReferenced }),
	}
}

// operation is what a command writes to, its arguments, and the use cases that it calls, in the service's database.
type operation struct {
	out       io.Writer
	args      []string
	reader    *player.Reader
	moderator *player.Moderator
	deleter   *player.Deleter
}

// withDatabase returns the command that calls run.
func withDatabase(run func(o operation, ctx context.Context) error) func(context.Context, io.Writer, []string) error {
	return func(ctx context.Context, out io.Writer, args []string) error {
		return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
			store := players.NewStore(pool)
			return run(operation{
				out, args, &player.Reader{Players: store}, &player.Moderator{Players: store, Now: time.Now},
				&player.Deleter{Players: store, Now: time.Now},
			}, ctx)
		})
	}
}

// withPlayer returns the command that calls run with the player whom the first argument names.
func withPlayer(
	run func(o operation, ctx context.Context, p player.Player) error,
) func(context.Context, io.Writer, []string) error {
	return withDatabase(func(o operation, ctx context.Context) error {
		p, err := o.reader.Find(ctx, o.args[0])
		if err != nil {
			return err
		}
		return run(o, ctx, p)
	})
}

func (o operation) grant(ctx context.Context, p player.Player) error {
	p, err := o.moderator.Moderate(ctx, player.Moderation{
		Action: access.GrantRole, PlayerID: p.ID, Role: strings.Join(o.args[1:], " "), By: service.ByOperator(),
	})
	if err == nil {
		o.printRoles(p)
	}
	return err
}

func (o operation) revoke(ctx context.Context, p player.Player) error {
	p, err := o.moderator.Moderate(ctx, player.Moderation{
		Action: access.RevokeRole, PlayerID: p.ID, Role: strings.Join(o.args[1:], " "), By: service.ByOperator(),
	})
	if err != nil {
		return err
	}
	o.printRoles(p)
	return o.warnWithoutAdmin(ctx)
}

// warnWithoutAdmin prints a warning when there is no admin, or all are banned.
func (o operation) warnWithoutAdmin(ctx context.Context) error {
	has, err := o.reader.HasAdmin(ctx)
	if err == nil && !has {
		fmt.Fprintln(o.out, "There is no admin now. Make one with: players grant NAME admin")
	}
	return err
}

func (o operation) printRoles(p player.Player) {
	fmt.Fprintf(o.out, "Roles of %s: %s. A logged-in player's token follows within 15 minutes.\n", p.Name,
		cmp.Or(strings.Join(p.Roles, ", "), "none"))
}

func (o operation) ban(ctx context.Context, p player.Player) error {
	until, reason, err := parseUntil(o.args[1:])
	if err != nil {
		return err
	}
	p, err = o.moderator.Moderate(ctx, player.Moderation{
		Action: access.BanPlayer, PlayerID: p.ID, Until: until, By: service.ByOperator(reason...),
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(o.out, "%s is %s\n", p.Name, describe(p.Ban))
	if !p.HasRole(access.Admin) {
		return nil
	}
	return o.warnWithoutAdmin(ctx)
}

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
	return time.Time{}, nil, player.ErrTimeMalformed
}

// describe says that and why a player is banned.
func describe(b player.Ban) string {
	if b.Until.IsZero() {
		return "banned: " + b.Reason
	}
	return "banned until " + b.Until.Format(time.RFC3339) + ": " + b.Reason
}

func (o operation) unban(ctx context.Context, p player.Player) error {
	p, err := o.moderator.Moderate(ctx, player.Moderation{
		Action: access.UnbanPlayer, PlayerID: p.ID, By: service.ByOperator(o.args[1:]...),
	})
	if err == nil {
		fmt.Fprintf(o.out, "%s is no longer banned.\n", p.Name)
	}
	return err
}

func (o operation) merge(ctx context.Context) error {
	from, err := o.reader.FindCurrent(ctx, o.args[0])
	if err != nil {
		return err
	}
	into, err := o.reader.FindCurrent(ctx, o.args[1])
	if err != nil {
		return err
	}
	kept, err := o.moderator.Moderate(ctx, player.Moderation{
		Action: access.MergePlayer, PlayerID: from.ID, IntoID: into.ID, By: service.ByOperator(o.args[2:]...),
	})
	if err == nil {
		fmt.Fprintf(o.out, "%s is %s now. Records and maps follow in a moment.\n", o.args[0], kept.Name)
	}
	return err
}

func (o operation) release(ctx context.Context, p player.Player) error {
	p, err := o.moderator.Moderate(ctx, player.Moderation{
		Action: access.ReleaseName, PlayerID: p.ID, Name: o.args[0], By: service.ByOperator(o.args[1:]...),
	})
	if err == nil {
		fmt.Fprintf(o.out, "%s is no longer a name of %s.\n", o.args[0], p.Name)
	}
	return err
}

func (o operation) delete(ctx context.Context) error {
	p, err := o.deleter.Delete(ctx, service.ByOperator(o.args[1:]...), o.args[0])
	if err == nil {
		fmt.Fprintf(o.out, "The player is %s now. What else there is of the account goes in a moment.\n", p.Name)
	}
	return err
}

func (o operation) show(ctx context.Context, p player.Player) error {
	if len(o.args) != 1 {
		return service.ErrUsage
	}
	profile, err := o.reader.GetProfile(ctx, p.ID)
	if err != nil {
		return err
	}
	banned := "no"
	if p.Banned {
		banned = describe(p.Ban)
	}
	table := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
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
		fmt.Fprintf(table, "%s\t%v\n", line.label, line.value)
	}
	return table.Flush()
}
