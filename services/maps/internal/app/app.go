// Package app wires the maps service and runs it.
package app

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/replica"
	"capzone.dev/platform/service"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/maps/internal/files"
	"capzone.dev/services/maps/internal/httpapi"
	"capzone.dev/services/maps/internal/natsapi"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/postgres"
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
	storage := files.New(bucket, base.Pool)
	players := newPlayers(store, base.NATS)

	images := files.NewImages()
	drawer := &parkourmap.Drawer{Maps: store, Painter: images, Files: storage}

	httpapi.Register(engine, &httpapi.Server{
		Reader: &parkourmap.Reader{Maps: store, Players: players},
		Submitter: &parkourmap.Submitter{
			Maps: store, Players: players,
			Images: images, Files: storage, Now: time.Now,
			NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
		},
		Images:      storage,
		Submissions: httpapi.NewSubmissions(base.Registry),
		Previews:    sharecard.NewRenderer(cfg.PublicURL.Host, bucket),
	})
	server := natsapi.Server{Finder: store}
	consumers := natsapi.Consumers{Copies: store}

	return base.Run(ctx, engine,
		func(ctx context.Context) error { return server.Run(ctx, base.NATS, base.Log) },
		base.Consume(event.MapsCopies, consumers.Handler()),
		drawDue(drawer, base.Log),
		base.SweepFiles(bucket, store.IsReferenced),
	)
}

func newPlayers(store *postgres.Store, nc *nats.Conn) *parkourmap.Players {
	return parkourmap.NewPlayers(store, parkourmap.PlayerOwner{
		Player: replica.AskPlayers(nc), Ensure: natsapi.EnsurePlayer(nc),
	})
}
