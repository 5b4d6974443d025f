package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/services/maps/internal/natsapi"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
)

// Commands returns the operators' subcommands.
func Commands() []service.Command {
	return []service.Command{
		{Name: "remove", Args: "ID REASON", Summary: "remove one version of a map", Run: remove},
		{
			Name: "restore", Args: "ID REASON", Summary: "restore one version of a map that was removed",
			Run: moderate(access.RestoreMap, "Map %s is restored.\n"),
		},
		{
			Name: "unrank", Args: "ID REASON", Summary: "unrank one version of a map: its records give no points",
			Run: moderate(access.UnrankMap, "Map %s is unranked.\n"),
		},
		{
			Name: "rank", Args: "ID REASON", Summary: "rank one version of a map that was unranked",
			Run: moderate(access.RankMap, "Map %s is ranked again.\n"),
		},
		{
			Name: "reassign", Args: "ID NAME [REASON]", Summary: "correct the author of a map, in all its versions",
			Run: reassign,
		},
		{Name: "draw", Args: "[ID]", Summary: "draw a map, or all maps, again", Run: draw},
		{
			Name: "import", Args: "FILE [--dry-run] [--json]",
			Summary: "list the maps of a CSV file as maps without a replay; FILE is - for the standard input",
			Run:     importMaps,
		},
		{Name: "unlist", Args: "GAME-MAP-ID REASON", Summary: "undo the import of one map", Run: unlist},
		service.Rebuild(Name, "derive copies and the lists of maps again", event.MapsCopies,
			func(pool *postgres.Pool) eventbus.Handler { return natsapi.ApplyCopies(maps.NewStore(pool)) },
			func(ctx context.Context, pool *postgres.Pool) error { return maps.NewStore(pool).Rebuild(ctx) }),
		service.Republish("maps", "publish the state of every map again",
			func(ctx context.Context, pool *postgres.Pool) (int, error) { return maps.NewStore(pool).Republish(ctx) }),
		service.Sweep(Name,
			func(pool *postgres.Pool) objectstore.IsReferenced { return maps.NewStore(pool).IsReferenced }),
	}
}

func remove(ctx context.Context, out io.Writer, args []string) error {
	id := args[0]
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		versions, err := (&parkourmap.Reader{Maps: maps.NewStore(pool)}).Versions(ctx, id)
		if err != nil && !errors.Is(err, parkourmap.ErrMapUnknown) {
			return err
		}
		change := parkourmap.Moderation{Action: access.RemoveMap, MapID: id, By: service.ByOperator(args[1:]...)}
		if err := newModerator(pool, nil).Moderate(ctx, change); err != nil {
			return err
		}
		fmt.Fprintf(out, "Map %s is removed.\n", id)
		for _, v := range versions {
			if v.ID != id {
				fmt.Fprintf(out, "Version %d stays: %s\n", v.MapVersion, v.ID)
			}
		}
		return nil
	})
}

// moderate returns the command that makes a change of the map with the id in the first argument, for the reason in the
// rest, and prints done, a format for the id.
func moderate(action access.Action, done string) func(context.Context, io.Writer, []string) error {
	return func(ctx context.Context, out io.Writer, args []string) error {
		return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
			change := parkourmap.Moderation{Action: action, MapID: args[0], By: service.ByOperator(args[1:]...)}
			err := newModerator(pool, nil).Moderate(ctx, change)
			if err == nil {
				fmt.Fprintf(out, done, args[0])
			}
			return err
		})
	}
}

func unlist(ctx context.Context, out io.Writer, args []string) error {
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		err := newImporter(pool).Unlist(ctx, service.ByOperator(args[1:]...), args[0])
		if err == nil {
			fmt.Fprintf(out, "Game map %s is not listed any more.\n", args[0])
		}
		return err
	})
}

func reassign(ctx context.Context, out io.Writer, args []string) error {
	return service.WithNATS(ctx, Name, func(pool *postgres.Pool, nc *nats.Conn) error {
		author, err := newModerator(pool, nc).Reassign(ctx, service.ByOperator(args[2:]...), args[0], args[1])
		if err == nil {
			fmt.Fprintf(out, "Map %s is by %s now.\n", args[0], author.Name)
		}
		return err
	})
}

// draw has a map, or all maps, drawn again.
func draw(ctx context.Context, out io.Writer, args []string) error {
	if len(args) > 1 {
		return service.ErrUsage
	}
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		count, err := newDrawer(pool).SetDue(ctx, service.ByOperator(), strings.Join(args, ""))
		if err == nil {
			fmt.Fprintf(out, "Maps that the running service draws again: %d.\n", count)
		}
		return err
	})
}

func newModerator(pool *postgres.Pool, nc *nats.Conn) *parkourmap.Moderator {
	store := maps.NewStore(pool)
	return &parkourmap.Moderator{Maps: store, Players: newPlayers(store, nc), Now: time.Now}
}

func newDrawer(pool *postgres.Pool) *parkourmap.Drawer {
	store := maps.NewStore(pool)
	return &parkourmap.Drawer{Maps: store, Players: newPlayers(store, nil)}
}

func newImporter(pool *postgres.Pool) *parkourmap.Importer {
	store := maps.NewStore(pool)
	return &parkourmap.Importer{Maps: store, Players: newPlayers(store, nil), Now: time.Now, NewID: event.NewID}
}
