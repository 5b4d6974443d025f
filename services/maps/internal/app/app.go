// Package app wires the maps service and runs it.
package app

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/lookup"
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
const Name = parkourmap.Service

// Config is the service's environment.
type Config = service.APIConfig

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	svc, err := service.OpenAPI(ctx, Name, cfg, migrations.FS, httpapi.MaxBody)
	if err != nil {
		return err
	}
	defer svc.Close()

	store := postgres.NewStore(svc.Pool)
	storage := files.New(svc.Bucket, svc.Pool)
	players := newPlayers(store, svc.NATS)
	records := &natsapi.Records{NATS: svc.NATS}

	images := files.NewImages()
	parser := parkourmap.NewParser()
	drawer := &parkourmap.Drawer{Maps: store, Players: players, Parser: parser, Painter: images, Files: storage}

	reader := &parkourmap.Reader{Maps: store, Records: records}
	httpapi.Register(svc.Engine, &httpapi.Server{
		Reader: reader,
		Submitter: &parkourmap.Submitter{
			Maps: store, Players: players, Records: records,
			Parser: parser, Images: images, Files: storage, Now: time.Now, NewID: event.NewID,
		},
		Editor: &parkourmap.Editor{
			Maps: store, Players: players, Medals: records, Images: images, Files: storage, Now: time.Now, NewID: event.NewID,
		},
		Images:   httpserve.Images{Open: svc.Bucket.Open, IsPublic: store.IsPublic},
		Metrics:  httpapi.NewMetrics(svc.Registry),
		Previews: sharecard.NewRenderer(svc.Bucket),
	})
	svc.ServeExport(svc.Engine, postgres.Exports, lookup.CurrentID(players.Lookup))

	return svc.Run(ctx, svc.Engine,
		service.Answer(svc.Process, event.GetMapSubject, reader.GetMap),
		svc.Consume(event.MapsCopies, natsapi.ApplyCopies(store)),
		svc.Consume(event.MapsCommands, natsapi.CarryOut(svc.Pool, newModerator(svc.Pool, svc.NATS), store)),
		svc.Janitor("drawings that are due", drawInterval, func(ctx context.Context) (int, error) {
			return drawPass(ctx, drawer, svc.Log)
		}),
		svc.SweepFiles(store.IsReferenced),
	)
}

func newPlayers(store *postgres.Store, nc *nats.Conn) *parkourmap.Players {
	return parkourmap.NewPlayers(store, &natsapi.Players{NATS: nc})
}
