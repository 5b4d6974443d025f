// Package app wires the maps service and runs it.
package app

import (
	"context"
	"time"

	"github.com/google/uuid"

	"capzone.dev/platform/event"
	"capzone.dev/platform/service"
	"capzone.dev/services/maps/internal/files"
	"capzone.dev/services/maps/internal/httpapi"
	"capzone.dev/services/maps/internal/natsapi"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/migrations"
)

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	base, err := service.Open(ctx, Name, cfg.Config, migrations.FS)
	if err != nil {
		return err
	}
	defer base.Close()
	engine, err := base.NewEngine(ctx, cfg.KeysConfig, httpapi.MaxBody)
	if err != nil {
		return err
	}
	bucket, err := base.OpenStorage(ctx, cfg.StorageConfig)
	if err != nil {
		return err
	}

	store := postgres.NewStore(base.Pool)
	storage := files.New(bucket, base.Pool)
	players := &parkourmap.Players{Copies: store, Owner: &natsapi.Players{NATS: base.NATS}}

	httpapi.Register(engine, &httpapi.Server{
		Reader: &parkourmap.Reader{Maps: store, Players: players},
		Submitter: &parkourmap.Submitter{
			Maps: store, Players: players,
			Images: files.NewImages(), Files: storage, Now: time.Now, NewID: newID,
		},
		Images:   storage,
		Outcomes: httpapi.NewOutcomes(base.Registry),
	})
	neighbours := natsapi.Server{Finder: store}
	consumers := natsapi.Consumers{Copies: store}

	return base.Run(ctx, engine,
		func(ctx context.Context) error { return neighbours.Run(ctx, base.NATS, base.Log) },
		base.Consume(event.MapsCopies, consumers.Handle),
		base.SweepFiles(bucket, store.IsReferenced),
	)
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// Serve runs the service with the configuration of the environment.
func Serve(ctx context.Context) error {
	service.LimitMemory(service.PictureMemory)
	return service.FromEnv(ctx, Run)
}
