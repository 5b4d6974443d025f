// Package app puts the maps service together and runs it.
package app

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/maps/internal/httpapi"
	"capzone.dev/services/maps/internal/images"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/internal/rpc"
	"capzone.dev/services/maps/internal/subscriber"
	"capzone.dev/services/maps/migrations"
)

// Name is the service's name in logs, in NATS and of its bucket.
const Name = "maps"

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
	verifier, err := token.NewVerifier(ctx, cfg.JWKSURL, base.Log)
	if err != nil {
		return err
	}
	files, err := objectstore.Open(ctx, cfg.For(Name))
	if err != nil {
		return err
	}
	base.AddCheck("storage", files.Check)

	store := postgres.New(base.Pool)
	pictures := images.New(files, base.Pool)
	players := &parkourmap.Players{Copies: store, Owner: &rpc.Players{NATS: base.NATS}}
	sweeper := objectstore.NewSweeper(files, base.Pool, store.Named, base.Log)

	engine := httpserve.NewEngine(httpserve.Options{
		Log: base.Log, Verifier: verifier, MaxBody: httpapi.MaxBody, Registerer: base.Registry,
	})
	httpapi.Register(engine, httpapi.UseCases{
		Reader: &parkourmap.Reader{Catalogue: store, Players: players},
		Submitter: &parkourmap.Submitter{
			Maps: store, Players: players, Pictures: pictures, Files: pictures, Now: time.Now, NewID: newID,
		},
		Pictures: pictures,
	})
	neighbours := rpc.Server{Finder: store}
	copies := subscriber.Subscriber{Copies: store}

	return base.Run(ctx, engine,
		func(ctx context.Context) error { return neighbours.Run(ctx, base.NATS, base.Log) },
		func(ctx context.Context) error {
			return eventbus.Consume(ctx, base.JetStream, event.MapsCopies, copies.Handle, base.Log)
		},
		sweeper.Run,
	)
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// Serve runs the service with the configuration of the environment.
func Serve(ctx context.Context) error {
	var cfg Config
	if err := service.ReadEnv(&cfg); err != nil {
		return err
	}
	if err := Run(ctx, cfg); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
