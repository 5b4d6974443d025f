package app

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/internal/rpc"
	"capzone.dev/services/maps/internal/subscriber"
)

// Commands are the operators' subcommands. What they do is told on out.
func Commands(out io.Writer) []service.Command {
	return []service.Command{
		{
			Name: "remove", Args: "ID REASON", Summary: "take a map down for good",
			Run: func(ctx context.Context, args []string) error {
				if len(args) < 2 {
					return service.ErrUsage
				}
				return remove(ctx, out, args[0], strings.Join(args[1:], " "))
			},
		},
		{
			Name: "reassign", Args: "ID NAME [REASON]", Summary: "correct the author of a map",
			Run: func(ctx context.Context, args []string) error {
				if len(args) < 2 {
					return service.ErrUsage
				}
				return reassign(ctx, out, args[0], args[1], strings.Join(args[2:], " "))
			},
		},
		service.Rebuild(out, Name, "make the copies of neighbours' data and the search index again", rebuilding),
		service.Republish(out, "maps", "publish the state of every map again", republish),
		service.Sweep(out, Name, sweeping),
	}
}

func remove(ctx context.Context, out io.Writer, id, reason string) error {
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		operator := parkourmap.Operator{Account: service.Operator(), Maps: maps.New(pool)}
		if err := operator.Remove(ctx, id, reason); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "Map %s is taken down.\n", id)
		return err
	})
}

func reassign(ctx context.Context, out io.Writer, id, name, reason string) error {
	return service.WithNATS(ctx, Name, func(pool *postgres.Pool, nc *nats.Conn) error {
		store := maps.New(pool)
		operator := parkourmap.Operator{
			Account: service.Operator(), Maps: store,
			Players: &parkourmap.Players{Copies: store, Owner: &rpc.Players{NATS: nc}},
		}
		author, err := operator.Reassign(ctx, id, name, reason)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "Map %s is by %s now.\n", id, author.Name)
		return err
	})
}

// rebuilding makes everything again that is made of something else: the copies
// from the streams, and the search index from the names.
func rebuilding(pool *postgres.Pool) service.RebuildSpec {
	store := maps.New(pool)
	handler := subscriber.Subscriber{Players: store, Records: store}
	return service.RebuildSpec{
		Subjects: event.MapsCopies.Subjects,
		Handle:   handler.Handle,
		Then:     []func(context.Context) error{store.Reindex},
	}
}

// republish leaves the state of every map in the outbox.
func republish(ctx context.Context, pool *postgres.Pool) (int, error) {
	return maps.New(pool).Republish(ctx)
}

// sweeping tells which files are named.
func sweeping(pool *postgres.Pool) objectstore.Named { return maps.New(pool).Named }
