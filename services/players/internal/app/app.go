// Package app wires the players service and runs it.
package app

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/service"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/players/internal/files"
	"capzone.dev/services/players/internal/httpapi"
	"capzone.dev/services/players/internal/natsapi"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/postgres"
	"capzone.dev/services/players/migrations"
)

// Name is the service's name in logs, in NATS and of its bucket.
const Name = "players"

// Config is the service's environment.
type Config struct {
	service.Config
	service.KeysConfig
	service.StorageConfig
}

// Serve runs the service with the configuration of the environment.
func Serve(ctx context.Context) error {
	service.LimitMemory(service.PictureMemory)
	return service.FromEnv(ctx, Run)
}

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
	avatars := files.New(bucket, base.Pool)
	httpapi.Register(engine, &httpapi.Server{
		Directory: &player.Directory{Searcher: store},
		Profiles:  store,
		Updater:   &player.Updater{Profiles: store, Avatars: avatars},
		Avatars:   avatars,
		IDs:       store,
		Previews:  sharecard.NewRenderer(cfg.PublicURL.Host, bucket),
	})
	server := natsapi.Server{Players: store, Registrar: &player.Registrar{Players: store}}
	consumers := natsapi.Consumers{Copies: store}

	return base.Run(ctx, engine,
		func(ctx context.Context) error { return server.Run(ctx, base.NATS, base.Log) },
		base.Consume(event.PlayersCopies, consumers.Handler()),
		base.SweepFiles(bucket, store.IsReferenced),
	)
}
