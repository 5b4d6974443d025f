package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"capzone.dev/platform/audit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/service"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/internal/rpc"
	"capzone.dev/services/maps/internal/subscriber"
)

// databaseConfig is what the commands need that only change the database. The
// running service publishes what they leave in its outbox.
type databaseConfig struct {
	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
}

// busConfig is the environment of the commands that also ask neighbours or read streams.
type busConfig struct {
	service.LogConfig
	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
	NATSURL     string `env:"NATS_URL,required,notEmpty"`
}

// Commands are the operators' subcommands. What they do is told on out.
func Commands(out io.Writer) []service.Command {
	return []service.Command{
		{
			Name: "remove", Args: "ID REASON", Summary: "take a map down for good",
			Run: func(ctx context.Context, args []string) error {
				if len(args) < 2 {
					return service.ErrUsage
				}
				return inWords(remove(ctx, out, args[0], strings.Join(args[1:], " ")))
			},
		},
		{
			Name: "reassign", Args: "ID NAME [REASON]", Summary: "correct the author of a map",
			Run: func(ctx context.Context, args []string) error {
				if len(args) < 2 {
					return service.ErrUsage
				}
				return inWords(reassign(ctx, out, args[0], args[1], strings.Join(args[2:], " ")))
			},
		},
		{
			Name: "rebuild", Summary: "make the copies of neighbours' data and the search index again",
			Run: withoutArguments(out, rebuild),
		},
		{
			Name: "republish", Summary: "publish the state of every map again",
			Run: withoutArguments(out, republish),
		},
	}
}

func withoutArguments(out io.Writer, run func(context.Context, io.Writer) error) func(context.Context, []string) error {
	return func(ctx context.Context, args []string) error {
		if len(args) > 0 {
			return service.ErrUsage
		}
		return run(ctx, out)
	}
}

// inWords makes a problem's sentence of it, for the operator.
func inWords(err error) error {
	var p *problem.Problem
	if errors.As(err, &p) {
		return errors.New(p.Message)
	}
	return err
}

func remove(ctx context.Context, out io.Writer, id, reason string) error {
	var cfg databaseConfig
	if err := service.ReadEnv(&cfg); err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, cfg.DatabaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	operator := parkourmap.Operator{Account: audit.Operator(), Maps: maps.New(pool)}
	if err := operator.Remove(ctx, id, reason); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Map %s is taken down.\n", id)
	return err
}

func reassign(ctx context.Context, out io.Writer, id, name, reason string) error {
	bus, err := openBus(ctx)
	if err != nil {
		return err
	}
	defer bus.close()
	operator := parkourmap.Operator{
		Account: audit.Operator(), Maps: bus.store,
		Players: &parkourmap.Players{Copies: bus.store, Owner: &rpc.Players{NATS: bus.nats}},
	}
	author, err := operator.Reassign(ctx, id, name, reason)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Map %s is by %s now.\n", id, author.Name)
	return err
}

// rebuild makes everything again that is made of something else: the copies from
// the streams, and the search index from the names. The service may go on meanwhile.
func rebuild(ctx context.Context, out io.Writer) error {
	bus, err := openBus(ctx)
	if err != nil {
		return err
	}
	defer bus.close()
	js, err := eventbus.JetStream(bus.nats)
	if err != nil {
		return err
	}
	return bus.store.Exclusively(ctx, func(ctx context.Context) error {
		handler := subscriber.Subscriber{Copies: bus.store}
		count, err := eventbus.Replay(ctx, js, event.MapsCopies.Subjects, handler.Handle)
		if err != nil {
			return err
		}
		if err := bus.store.Reindex(ctx); err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "Rebuilt from %d states.\n", count)
		return err
	})
}

// republish tells the state of every map again.
func republish(ctx context.Context, out io.Writer) error {
	var cfg databaseConfig
	if err := service.ReadEnv(&cfg); err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, cfg.DatabaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	count, err := maps.New(pool).Republish(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d maps wait in the outbox for the running service to publish them.\n", count)
	return err
}
