// Package app wires the maps service and runs it.
package app

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
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
func Serve(ctx context.Context) error { return service.FromEnv(ctx, Run) }

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	service.LimitMemory(service.PictureMemory)
	svc, err := service.Open(ctx, Name, cfg.Config, migrations.FS)
	if err != nil {
		return err
	}
	defer svc.Close()
	engine, err := svc.NewEngine(ctx, cfg.KeysConfig, httpapi.MaxBody)
	if err != nil {
		return err
	}
	bucket, err := svc.OpenStorage(ctx, cfg.StorageConfig)
	if err != nil {
		return err
	}

	store := postgres.NewStore(svc.Pool)
	storage := files.New(bucket, svc.Pool)
	players := newPlayers(store, svc.NATS)

	fingerprinter := parkourmap.Fingerprinter{Maps: store}
	if err := fingerprinter.ComputeDue(ctx); err != nil {
		return err
	}
	images := files.NewImages()
	drawer := &parkourmap.Drawer{Maps: store, Painter: images, Files: storage}

	httpapi.Register(engine, &httpapi.Server{
		Reader: &parkourmap.Reader{Maps: store, Players: players},
		Submitter: &parkourmap.Submitter{
			Maps: store, Players: players, Records: &natsapi.Records{NATS: svc.NATS},
			Images: images, Files: storage, Now: time.Now,
			NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
		},
		Images:   &parkourmap.Pictures{Maps: store, Files: storage},
		Metrics:  httpapi.NewMetrics(svc.Registry),
		Previews: sharecard.NewRenderer(cfg.PublicURL.Host, bucket),
	})
	server := natsapi.Server{Finder: store}
	moderatorIn := func(tx pgx.Tx) *parkourmap.Moderator { return newModerator(store.In(tx), players) }

	return svc.Run(ctx, engine,
		func(ctx context.Context) error { return server.Run(ctx, svc.NATS, svc.Log) },
		svc.Consume(event.MapsCopies, natsapi.ApplyCopies(store)),
		svc.Consume(event.MapsCommands, natsapi.CarryOut(svc.Pool, moderatorIn)),
		drawDue(drawer, svc.Log),
		svc.SweepFiles(bucket, store.IsReferenced),
	)
}

func newPlayers(store *postgres.Store, nc *nats.Conn) *parkourmap.Players {
	return parkourmap.NewPlayers(store, &natsapi.Players{NATS: nc})
}
