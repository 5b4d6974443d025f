package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/service"
	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/subscriber"
)

// Commands are the operators' subcommands. What they do is told on out. What
// they leave in the outbox is published by the running service.
func Commands(out io.Writer) []service.Command {
	return []service.Command{
		{
			Name: "remove", Args: "ID REASON", Summary: "take a run off the boards: the player's next-best takes its place, the replay stays",
			Run: func(ctx context.Context, args []string) error {
				if len(args) < 2 {
					return service.ErrUsage
				}
				return onDatabase(ctx, func(pool *pgxpool.Pool) error {
					return remove(ctx, out, pool, args[0], strings.Join(args[1:], " "))
				})
			},
		},
		{
			Name: "rebuild", Summary: "make the copies of maps and players again from the streams",
			Run: func(ctx context.Context, args []string) error {
				if len(args) > 0 {
					return service.ErrUsage
				}
				return onDatabase(ctx, func(pool *pgxpool.Pool) error { return rebuild(ctx, out, pool) })
			},
		},
		{
			Name: "republish", Summary: "publish the totals of every map and player again",
			Run: func(ctx context.Context, args []string) error {
				if len(args) > 0 {
					return service.ErrUsage
				}
				return onDatabase(ctx, func(pool *pgxpool.Pool) error { return republish(ctx, out, pool) })
			},
		},
	}
}

// onDatabase runs a command that needs the database.
func onDatabase(ctx context.Context, run func(*pgxpool.Pool) error) error {
	var cfg struct {
		DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
	}
	if err := service.ReadEnv(&cfg); err != nil {
		return err
	}
	pool, err := platform.Open(ctx, cfg.DatabaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	err = run(pool)
	if p := (*problem.Problem)(nil); errors.As(err, &p) {
		return errors.New(p.Message)
	}
	return err
}

func remove(ctx context.Context, out io.Writer, pool *pgxpool.Pool, id, reason string) error {
	run, err := record.Remove(ctx, postgres.NewRecords(pool), id, record.Act{Operator: audit.Operator(), Reason: reason})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Removed the run of %s on map %s by player %s.\n", racetime.Format(run.FinishTime), run.MapID, run.PlayerID)
	return err
}

// rebuild makes the copies again from the streams, and counts them. The service
// may go on meanwhile.
func rebuild(ctx context.Context, out io.Writer, pool *pgxpool.Pool) error {
	var cfg struct {
		service.LogConfig

		NATSURL string `env:"NATS_URL,required,notEmpty"`
	}
	if err := service.ReadEnv(&cfg); err != nil {
		return err
	}
	nc, err := eventbus.Connect(cfg.NATSURL, Name+"-rebuild", cfg.Logger(Name))
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := eventbus.JetStream(nc)
	if err != nil {
		return err
	}
	copies := postgres.NewCopies(pool)
	return copies.Exclusively(ctx, func(ctx context.Context) error {
		states := subscriber.States{Copies: copies}
		count, err := eventbus.Replay(ctx, js, event.RecordsCopies.Subjects, states.Handle)
		if err != nil {
			return err
		}
		if err := copies.Recount(ctx); err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "Rebuilt from %d states.\n", count)
		return err
	})
}

func republish(ctx context.Context, out io.Writer, pool *pgxpool.Pool) error {
	count, err := postgres.NewRecords(pool).Republish(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d totals wait in the outbox for the running service to publish them.\n", count)
	return err
}
