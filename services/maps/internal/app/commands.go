package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nats-io/nats.go"

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
	return []service.Command{
		{
			Name: "remove", Args: "ID REASON", Summary: "remove one version of a map permanently",
			Run: func(ctx context.Context, args []string) error {
				if len(args) < 2 {
					return service.ErrUsage
				}
				return remove(ctx, out, args[0], strings.Join(args[1:], " "))
			},
		},
		{
			Name: "reassign", Args: "ID NAME [REASON]", Summary: "correct the author of a map, in all its versions",
			Run: func(ctx context.Context, args []string) error {
				if len(args) < 2 {
					return service.ErrUsage
				}
				return reassign(ctx, out, args[0], args[1], strings.Join(args[2:], " "))
			},
		},
		drawCommand(out),
		service.Rebuild(out, Name, "derive the copies of neighbours' data and the lists of maps again", rebuilding),
		service.Republish(out, "maps", "publish the state of every map again",
			func(ctx context.Context, pool *postgres.Pool) (int, error) { return maps.NewStore(pool).Republish(ctx) }),
		service.Sweep(out, Name,
			func(pool *postgres.Pool) objectstore.IsReferenced { return maps.NewStore(pool).IsReferenced }),
	}
}

func remove(ctx context.Context, out io.Writer, id, reason string) error {
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		store := maps.NewStore(pool)
		operator := parkourmap.Operator{Account: service.Operator().ID, Maps: store}
		versions, err := store.Versions(ctx, id)
		if err != nil && !errors.Is(err, parkourmap.ErrMapUnknown) {
			return err
		}
		if err := operator.Remove(ctx, id, reason); err != nil {
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

func reassign(ctx context.Context, out io.Writer, id, name, reason string) error {
	return service.WithNATS(ctx, Name, func(pool *postgres.Pool, nc *nats.Conn) error {
		store := maps.NewStore(pool)
		operator := parkourmap.Operator{
			Account: service.Operator().ID, Maps: store,
			Players: newPlayers(store, nc),
		}
		author, err := operator.Reassign(ctx, id, name, reason)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "Map %s is by %s now.\n", id, author.Name)
		return err
	})
}

// rebuilding derives the copies from the streams again, and the lists of maps from the maps.
func rebuilding(pool *postgres.Pool) service.RebuildSpec {
	store := maps.NewStore(pool)
	consumers := natsapi.Consumers{Copies: store}
	return service.RebuildSpec{
		Subjects: event.MapsCopies.Subjects,
		Handle:   consumers.Handler(),
		Then:     []func(context.Context) error{store.Rebuild},
	}
}
