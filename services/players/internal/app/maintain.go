package app

import (
	"context"
	"fmt"
	"io"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	players "capzone.dev/services/players/internal/postgres"
	"capzone.dev/services/players/internal/subscriber"
)

// databaseConfig is what the commands need that only change the database. The
// running service publishes what they leave in its outbox.
type databaseConfig struct {
	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
}

// rebuildConfig is the environment of the rebuild.
type rebuildConfig struct {
	service.LogConfig

	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
	NATSURL     string `env:"NATS_URL,required,notEmpty"`
}

// rebuild makes everything again that is made of something else: the copies from
// the streams, the counts from the copies, and the search index from the names.
// The service may go on meanwhile.
func rebuild(ctx context.Context, out io.Writer) error {
	var cfg rebuildConfig
	if err := service.ReadEnv(&cfg); err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, cfg.DatabaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	nc, err := eventbus.Connect(cfg.NATSURL, Name+"-rebuild", cfg.Logger(Name))
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := eventbus.JetStream(nc)
	if err != nil {
		return err
	}

	copies := players.NewCopies(pool)
	return copies.Exclusively(ctx, func(ctx context.Context) error {
		handler := subscriber.Subscriber{Copies: copies}
		count, err := eventbus.Replay(ctx, js, event.PlayersCopies.Subjects, handler.Handle)
		if err != nil {
			return err
		}
		if err := copies.Recount(ctx); err != nil {
			return err
		}
		if err := players.NewPlayers(pool).Reindex(ctx); err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "Rebuilt from %d states.\n", count)
		return err
	})
}

// republish tells the state of every player again.
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
	count, err := players.NewPlayers(pool).Republish(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d players wait in the outbox for the running service to publish them.\n", count)
	return err
}
