// Package app wires the moderation service and runs it.
package app

import (
	"context"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/service"
	"capzone.dev/services/moderation/internal/httpapi"
	"capzone.dev/services/moderation/internal/moderation"
	"capzone.dev/services/moderation/internal/natsapi"
	"capzone.dev/services/moderation/internal/postgres"
	"capzone.dev/services/moderation/migrations"
)

// Name is the service's name in logs and in NATS.
const Name = moderation.Service

// purgeEvery is how often old cases and flags are deleted.
const purgeEvery = time.Hour

// decisionWaits are the pauses after which a request looks whether its decision is carried out: two seconds in all.
var decisionWaits = []time.Duration{
	50 * time.Millisecond, 150 * time.Millisecond, 300 * time.Millisecond, 600 * time.Millisecond, 900 * time.Millisecond,
}

// Config is the service's environment.
type Config = service.APIOnlyConfig

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	svc, err := service.OpenAPIOnly(ctx, Name, cfg, migrations.FS, httpapi.MaxBody)
	if err != nil {
		return err
	}
	defer svc.Close()

	store := postgres.NewStore(svc.Pool)
	records := &natsapi.Records{NATS: svc.NATS}
	players := lookup.NewPlayers(store, eventbus.AskPlayers(svc.NATS))
	things := &moderation.Things{
		Players: players, Maps: lookup.NewMaps(store, eventbus.AskMaps(svc.NATS)), Copies: store, Records: records,
	}
	desk := &moderation.Desk{
		Cases: store, Decisions: store, Things: things, Now: time.Now, NewID: event.NewID, Waits: decisionWaits,
	}
	httpapi.Register(svc.Engine, &httpapi.Server{
		Reports:    &moderation.Reports{Store: store, Things: things, Now: time.Now, NewID: event.NewID},
		Desk:       desk,
		Appeals:    &moderation.Appeals{Store: store, Desk: desk},
		AuditLog:   &moderation.AuditLog{Store: store, Players: players},
		Statistics: &moderation.Statistics{Store: store, Players: players, Now: time.Now},
		Things:     things,
	})
	svc.ServeExport(svc.Engine, postgres.Exports, lookup.CurrentID(players))
	flagger := &moderation.Flagger{Records: records, NewID: event.NewID}
	return svc.Run(ctx, svc.Engine,
		svc.Consume(event.ModerationCopies, eventbus.ApplyCopies(store)),
		svc.Consume(event.ModerationFacts, natsapi.ApplyFacts(svc.Pool, flagger, store)),
		svc.Consume(event.ModerationAudit, natsapi.ApplyAudit(svc.Pool, store)),
		svc.Purge("old cases and appeals", purgeEvery, time.Now, store.PurgeCases),
		svc.Purge("old silent flags", purgeEvery, time.Now, store.PurgeFlags),
	)
}
