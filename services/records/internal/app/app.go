// Package app connects the parts of the records service and runs it.
package app

import (
	"cmp"
	"context"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/service"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/records/internal/files"
	"capzone.dev/services/records/internal/httpapi"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/natsapi"
	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// Name is the service's name in logs, in NATS and of its bucket.
const Name = record.Service

// Config is the service's environment.
type Config struct {
	service.APIConfig

	Points PointsConfig
	Dump   DumpConfig
}

// Check returns an error for thresholds below 1, and for what is no time of the day.
func (c Config) Check() error {
	_, _, err := c.Dump.timeOfDay()
	return cmp.Or(c.Points.Check(), err)
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	if err := cfg.Check(); err != nil {
		return err
	}
	svc, err := service.OpenAPI(ctx, Name, cfg.APIConfig, migrations.FS, httpapi.MaxBody)
	if err != nil {
		return err
	}
	defer svc.Close()

	store := postgres.NewStore(svc.Pool)
	replays := files.New(svc.Bucket, svc.Pool)
	maps := record.NewMaps(store, &natsapi.Maps{NATS: svc.NATS})
	players := lookup.NewPlayers(store, eventbus.AskPlayers(svc.NATS))
	submitter := &record.Submitter{
		Maps: maps, Players: players, Records: store, Replays: replays, Parser: record.NewParser(),
		Now: time.Now, NewID: event.NewID,
	}
	mapReplays := &record.MapReplays{Submitter: submitter, Archive: replays}
	moderator := &record.Moderator{Records: store, Players: players, Now: time.Now}
	rankings := &leaderboard.Rankings{
		Queries: store, Maps: maps, Players: players, Thresholds: cfg.Points.thresholds(), Now: time.Now,
	}
	effects := &leaderboard.Effects{Queries: store, Players: players}
	dumper := newDumper(store, replays, svc.JetStream)
	httpapi.Register(svc.Engine, &httpapi.Server{
		Reader: &leaderboard.Reader{
			Queries: store, Maps: maps, Players: players, Follows: &natsapi.Follows{NATS: svc.NATS}, Now: time.Now,
		},
		Submitter: submitter,
		Metrics:   httpapi.NewMetrics(svc.Registry),
		Goals:     &leaderboard.Goals{Store: store, Maps: maps, Players: players, Now: time.Now},
		Rankings:  rankings,
		Effects:   effects,
		Evidence:  &leaderboard.EvidenceReader{Queries: store, Players: players, Files: replays},
		Dumper:    dumper,
		Previews:  sharecard.NewRenderer(svc.Bucket),
	})
	svc.ServeExport(svc.Engine, postgres.Exports, lookup.CurrentID(players))
	worker := newPointsWorker(store, cfg.Points.thresholds(), svc.Log, svc.Registry)
	requests := &leaderboard.Answers{Queries: store, Maps: maps, Players: players}
	parts := append(janitors(svc, store),
		service.Answer(svc.Process, event.FindFinishSubject, requests.FindFinish),
		service.Answer(svc.Process, event.FindPlayedSubject, requests.FindPlayed),
		service.Answer(svc.Process, event.FindPassedSubject, requests.FindPassed),
		service.Answer(svc.Process, event.ListPlayersSubject, requests.ListPlayers),
		service.Answer(svc.Process, event.InspectRecordSubject, requests.InspectRecord),
		service.Answer(svc.Process, event.GetPointsSubject, rankings.GetPoints),
		service.Answer(svc.Process, event.CountMedalsSubject, effects.CountMedals),
		svc.Consume(event.RecordsCopies, natsapi.ApplyCopies(store)),
		svc.Consume(event.RecordsMaps, natsapi.SubmitMapReplays(svc.Pool, mapReplays.Prepare, store, svc.Log)),
		svc.Consume(event.RecordsCommands, natsapi.CarryOut(svc.Pool, moderator, store)),
		worker.run,
	)
	if timeOfDay, isOn, _ := cfg.Dump.timeOfDay(); isOn { // which Check has read
		parts = append(parts, newDumpWorker(dumper, timeOfDay, svc.Log, svc.Registry).run)
	}
	return svc.Run(ctx, svc.Engine, parts...)
}

// janitors returns the parts that remove what is not needed any more.
func janitors(svc *service.API, store *postgres.Store) []func(context.Context) error {
	return []func(context.Context) error{
		svc.SweepFiles(store.IsReferenced),
		svc.Purge("replays of removed records", purgeEvery, time.Now,
			func(ctx context.Context, now time.Time) (int, error) {
				return store.PurgeReplays(ctx, now, purgeBatch)
			}),
		svc.Purge("goals put aside", purgeEvery, time.Now, store.PurgePutAside),
	}
}

const (
	purgeEvery = time.Hour
	purgeBatch = 100
)
