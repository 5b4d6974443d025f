package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/services/maps/internal/natsapi"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
)

// Commands returns the operators' subcommands, which report on out.
func Commands(out io.Writer) []service.Command {
	c := commands{out}
	return []service.Command{
		{
			Name: "remove", Args: "ID REASON", Summary: "remove one version of a map",
			Run: c.remove,
		},
		{
			Name: "restore", Args: "ID REASON", Summary: "restore one version of a map that was removed",
			Run: c.restore,
		},
		{
			Name: "unrank", Args: "ID REASON", Summary: "unrank one version of a map: its records give no points",
			Run: c.unrank,
		},
		{
			Name: "rank", Args: "ID REASON", Summary: "rank one version of a map that was unranked",
			Run: c.rank,
		},
		{
			Name: "reassign", Args: "ID NAME [REASON]", Summary: "correct the author of a map, in all its versions",
			Run: c.reassign,
		},
		{Name: "draw", Args: "[ID]", Summary: "draw a map, or all maps, again", Run: c.draw},
		{
			Name: "import", Args: "FILE [--dry-run] [--json]",
			Summary: "list the maps of a CSV file as maps without a replay; FILE is - for the standard input",
			Run:     c.importMaps,
		},
		{
			Name: "unlist", Args: "GAME-MAP-ID REASON", Summary: "undo the import of one map",
			Run: c.unlist,
		},
		service.Rebuild(out, Name, "derive copies and the lists of maps again", rebuild),
		service.Republish(out, "maps", "publish the state of every map again",
			func(ctx context.Context, pool *postgres.Pool) (int, error) { return maps.NewStore(pool).Republish(ctx) }),
		service.Sweep(out, Name,
			func(pool *postgres.Pool) objectstore.IsReferenced { return maps.NewStore(pool).IsReferenced }),
	}
}

// commands are the operators' commands. They write to out.
type commands struct{ out io.Writer }

func (c commands) print(format string, args ...any) error {
	_, err := fmt.Fprintf(c.out, format, args...)
	return err
}

func (c commands) remove(ctx context.Context, args []string) error {
	id := args[0]
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		store := maps.NewStore(pool)
		versions, err := (&parkourmap.Reader{Maps: store}).Versions(ctx, id)
		if err != nil && !errors.Is(err, parkourmap.ErrMapUnknown) {
			return err
		}
		moderator := newModerator(store, newPlayers(store, nil))
		if err := moderator.Remove(ctx, id, service.ByOperator(args[1:]...)); err != nil {
			return err
		}
		if err := c.print("Map %s is removed.\n", id); err != nil {
			return err
		}
		for _, v := range versions {
			if v.ID == id {
				continue
			}
			if err := c.print("Version %d stays: %s\n", v.MapVersion, v.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c commands) restore(ctx context.Context, args []string) error {
	return c.moderate(ctx, args, (*parkourmap.Moderator).Restore, "Map %s is restored.\n")
}

func (c commands) unlist(ctx context.Context, args []string) error {
	return c.moderate(ctx, args, (*parkourmap.Moderator).Unlist, "Game map %s is not listed any more.\n")
}

func (c commands) unrank(ctx context.Context, args []string) error {
	return c.moderate(ctx, args, (*parkourmap.Moderator).Unrank, "Map %s is unranked.\n")
}

func (c commands) rank(ctx context.Context, args []string) error {
	return c.moderate(ctx, args, (*parkourmap.Moderator).Rank, "Map %s is ranked again.\n")
}

// moderate makes a change of the map with the id in args[0], for the reason in the rest, and prints done, a format for
// the id.
func (c commands) moderate(
	ctx context.Context, args []string,
	change func(m *parkourmap.Moderator, ctx context.Context, id string, by access.Attribution) error, done string,
) error {
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		store := maps.NewStore(pool)
		moderator := newModerator(store, newPlayers(store, nil))
		if err := change(moderator, ctx, args[0], service.ByOperator(args[1:]...)); err != nil {
			return err
		}
		return c.print(done, args[0])
	})
}

func (c commands) reassign(ctx context.Context, args []string) error {
	return service.WithNATS(ctx, Name, func(pool *postgres.Pool, nc *nats.Conn) error {
		store := maps.NewStore(pool)
		moderator := newModerator(store, newPlayers(store, nc))
		author, err := moderator.Reassign(ctx, args[0], args[1], service.ByOperator(args[2:]...))
		if err != nil {
			return err
		}
		return c.print("Map %s is by %s now.\n", args[0], author.Name)
	})
}

func newModerator(store *maps.Store, players *parkourmap.Players) *parkourmap.Moderator {
	return &parkourmap.Moderator{Maps: store, Players: players, Now: time.Now}
}

// rebuild derives the copies from the streams again, and the lists of maps from the maps.
func rebuild(pool *postgres.Pool) service.RebuildSpec {
	store := maps.NewStore(pool)
	return service.RebuildSpec{
		Subjects: event.MapsCopies.Subjects,
		Handle:   natsapi.ApplyCopies(store),
		Then:     []func(context.Context) error{store.Rebuild},
	}
}
