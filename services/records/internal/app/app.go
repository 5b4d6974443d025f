// Package app puts the records service together and runs it.
package app

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/service"
	"capzone.dev/services/records/internal/httpapi"
	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/replays"
	"capzone.dev/services/records/internal/rpc"
	"capzone.dev/services/records/internal/subscriber"
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

	runs := postgres.NewRecords(base.Pool)
	copies := postgres.NewCopies(base.Pool)
	replayFiles := replays.New(files, base.Pool)
	maps := &record.Maps{Copies: copies, Owner: &rpc.Maps{NATS: base.NATS}}
	players := &record.Players{Copies: copies, Owner: &rpc.Players{NATS: base.NATS}}
	reader := &record.Reader{Catalogue: runs, Maps: maps, Players: players}
	submitter := &record.Submitter{
		Maps: maps, Players: players, Runs: runs, Replays: replayFiles,
		Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
		Steps: newSteps(base.Registry),
	}

	httpapi.Register(engine, httpapi.UseCases{
		Reader: reader, Submitter: submitter, Totals: runs, Outcomes: httpapi.NewOutcomes(base.Registry),
		Downloader: &record.Downloader{Reader: reader, Files: replayFiles},
	})
	states := subscriber.States{Maps: copies, Players: copies}
	firstRuns := subscriber.Maps{Intake: &record.Intake{Submitter: submitter, Archive: replayFiles}, Log: base.Log}

	return base.Run(ctx, engine,
		base.Consume(event.RecordsCopies, states.Handle),
		base.Consume(event.RecordsMaps, firstRuns.Handle),
		base.SweepFiles(files, named(runs)),
		base.Janitor("replays of removed runs", forgetEvery, forgetReplays(runs)),
	)
}

// named tells the sweeper whether any run has the replay under a key.
func named(runs *postgres.Records) objectstore.Named {
	return func(ctx context.Context, tx pgx.Tx, key string) (bool, error) {
		hash, ok := replays.HashOf(key)
		if !ok {
			return false, nil
		}
		return runs.NamesReplay(ctx, tx, hash)
	}
}

// Serve runs the service with the configuration of the environment.
func Serve(ctx context.Context) error { return service.FromEnv(ctx, Run) }
