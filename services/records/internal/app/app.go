// Package app connects the parts of the records service and runs it.
package app

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/replica"
	"capzone.dev/platform/service"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/records/internal/files"
	"capzone.dev/services/records/internal/httpapi"
	"capzone.dev/services/records/internal/natsapi"
	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// Name is the service's name in logs, in NATS and of its bucket.
const Name = "records"

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
	replays := files.New(bucket, base.Pool)
	maps := record.NewMaps(store, &natsapi.Maps{NATS: base.NATS})
	players := replica.NewPlayers(store, replica.AskPlayers(base.NATS))
	reader := &record.Reader{Queries: store, Maps: maps, Players: players}
	submitter := &record.Submitter{
		Maps: maps, Players: players, Records: store, Replays: replays,
		Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}

	httpapi.Register(engine, &httpapi.Server{
		Reader: reader, Submitter: submitter, Stats: store, Metrics: httpapi.NewMetrics(base.Registry),
		Downloader: &record.Downloader{Reader: reader, Files: replays},
		Previews:   sharecard.NewRenderer(cfg.PublicURL.Host, bucket),
	})
	consumers := natsapi.Consumers{
		Copies: store, Importer: &record.Importer{Submitter: submitter, Archive: replays}, Log: base.Log,
	}

	server := natsapi.Server{Finder: store}

	return base.Run(ctx, engine,
		func(ctx context.Context) error { return server.Run(ctx, base.NATS, base.Log) },
		base.Consume(event.RecordsCopies, consumers.Handler()),
		base.Consume(event.RecordsMaps, consumers.ImportRecord),
		base.SweepFiles(bucket, isFileUsed(store)),
		base.Janitor("replays of removed records", purgeEvery, purgeReplays(store)),
	)
}

const (
	// appealPeriod is how long the replay of a removed record is kept.
	appealPeriod = 365 * 24 * time.Hour
	purgeEvery   = time.Hour
	purgeBatch   = 100
)

// purgeReplays deletes the replays of records that were removed before the appeal period, and
// returns how many.
func purgeReplays(store *postgres.Store) func(context.Context) (int, error) {
	return func(ctx context.Context) (purged int, err error) {
		for n := purgeBatch; n == purgeBatch; purged += n {
			if n, err = store.PurgeReplays(ctx, time.Now().Add(-appealPeriod), purgeBatch, files.Key); err != nil {
				return purged, err
			}
		}
		return purged, nil
	}
}

// isFileUsed reports whether a record needs the file under a key.
func isFileUsed(store *postgres.Store) objectstore.IsReferenced {
	return func(ctx context.Context, tx pgx.Tx, key string) (bool, error) {
		hash, ok := files.Hash(key)
		if !ok {
			return false, nil
		}
		return store.UsesReplay(ctx, tx, hash)
	}
}
