package app

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"

	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	maps "capzone.dev/services/maps/internal/postgres"
)

// bus is the database together with NATS, for a command that needs both.
type bus struct {
	pool  *pgxpool.Pool
	store *maps.Store
	nats  *nats.Conn
}

func openBus(ctx context.Context) (*bus, error) {
	var cfg busConfig
	if err := service.ReadEnv(&cfg); err != nil {
		return nil, err
	}
	pool, err := postgres.Open(ctx, cfg.DatabaseURL)
	if err != nil {
		return nil, err
	}
	nc, err := eventbus.Connect(cfg.NATSURL, Name+"-command", cfg.Logger(Name))
	if err != nil {
		pool.Close()
		return nil, err
	}
	return &bus{pool: pool, store: maps.New(pool), nats: nc}, nil
}

func (b *bus) close() {
	b.nats.Close()
	b.pool.Close()
}
