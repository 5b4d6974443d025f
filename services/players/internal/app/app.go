// Package app puts the players service together and runs it.
package app

import (
	"context"

	"capzone.dev/platform/event"
	"capzone.dev/platform/service"
	"capzone.dev/services/players/internal/avatars"
	"capzone.dev/services/players/internal/httpapi"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/postgres"
	"capzone.dev/services/players/internal/rpc"
	"capzone.dev/services/players/internal/subscriber"
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
	files, err := base.OpenStorage(ctx, cfg.StorageConfig)
	if err != nil {
		return err
	}

	players := postgres.NewPlayers(base.Pool)
	images := avatars.New(files, base.Pool)

	httpapi.Register(engine, httpapi.UseCases{
		Directory: &player.Directory{Searcher: players},
		Profiles:  players,
		Updater:   &player.Updater{Finder: players, Editor: players, Avatars: images},
		Avatars:   images,
	})
	neighbours := rpc.Server{
		Finder:    players,
		Ensurer:   &player.Ensurer{Finder: players, Editor: players},
		Registrar: &player.Registrar{Finder: players, Editor: players},
	}
	copies := subscriber.Subscriber{Copies: postgres.NewCopies(base.Pool)}

	return base.Run(ctx, engine,
		func(ctx context.Context) error { return neighbours.Run(ctx, base.NATS, base.Log) },
		base.Consume(event.PlayersCopies, copies.Handle),
		base.SweepFiles(files, players.NamesAvatar),
	)
}

// Serve runs the service with the configuration of the environment.
func Serve(ctx context.Context) error { return service.FromEnv(ctx, Run) }
