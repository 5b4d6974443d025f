// Package app wires the notifications service and runs it.
package app

import (
	"context"
	"errors"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/service"
	"capzone.dev/services/notifications/internal/httpapi"
	"capzone.dev/services/notifications/internal/natsapi"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/postgres"
	"capzone.dev/services/notifications/internal/receivers"
	"capzone.dev/services/notifications/internal/webhook"
	"capzone.dev/services/notifications/migrations"
)

// Name is the service's name in logs and in NATS.
const Name = "notifications"

const (
	// purgeEvery is how often old notifications are deleted.
	purgeEvery = time.Hour
	// purgeDeliveriesEvery is how often the lists of deliveries are cut.
	purgeDeliveriesEvery = 5 * time.Minute
)

// Config is the service's environment.
type Config struct {
	service.APIOnlyConfig
	Webhooks receivers.Config
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	if cfg.Webhooks.TestCA != "" && cfg.PublicURL.Secure() {
		return errors.New("WEBHOOK_TEST_CA is for tests and development, not beside a PUBLIC_URL with https")
	}
	svc, err := service.OpenAPIOnly(ctx, Name, cfg.APIOnlyConfig, migrations.FS, httpapi.MaxBody)
	if err != nil {
		return err
	}
	defer svc.Close()

	store := postgres.NewStore(svc.Pool)
	players := lookup.NewPlayers(store, eventbus.AskPlayers(svc.NATS))
	maps := lookup.NewMaps(store, eventbus.AskMaps(svc.NATS))
	follows := &notification.Follows{Store: store, Players: players, Maps: maps, Now: time.Now}
	httpapi.Register(svc.Engine, &httpapi.Server{
		Inbox:   &notification.Inbox{Store: store, Players: players, Now: time.Now},
		Follows: follows,
		Webhooks: &webhook.Webhooks{
			Store: store, Players: players, Maps: maps, Addresses: cfg.Webhooks.Addresses(), NewID: event.NewID,
			Now: time.Now,
		},
	})
	svc.ServeExport(svc.Engine, postgres.Exports, lookup.CurrentID(players))
	records := &natsapi.Records{NATS: svc.NATS}
	notifier := &notification.Notifier{Followers: store, Maps: maps, Records: records, Now: time.Now}
	publisher := &webhook.Publisher{Store: store, NewID: event.NewID, Now: time.Now}
	site := cfg.PublicURL.Origin()
	client, err := receivers.NewClient(cfg.Webhooks, site, nil)
	if err != nil {
		return err
	}
	sender := &webhook.Sender{
		Store: store, Receivers: client, Discord: &webhook.Embeds{Names: store, Site: site}, NewID: event.NewID,
		Now: time.Now, Log: svc.Log, Metrics: receivers.NewMetrics(svc.Registry),
	}
	svc.Registry.MustRegister(store)
	return svc.Run(ctx, svc.Engine,
		service.Answer(svc.Process, event.ListFollowedSubject, follows.ListFollowed),
		svc.Consume(event.NotificationsCopies, eventbus.ApplyCopies(store)),
		svc.Consume(event.NotificationsFacts, natsapi.Notify(svc.Pool, notifier, store)),
		svc.Consume(event.NotificationsWebhooks, natsapi.Publish(svc.Pool, publisher, store)),
		sender.Run,
		svc.Purge("old notifications", purgeEvery, time.Now, store.PurgeNotifications),
		svc.Purge("old removals", purgeEvery, time.Now, store.PurgeRemovals),
		svc.Purge("old deliveries of webhooks", purgeDeliveriesEvery, time.Now, store.PurgeDeliveries),
	)
}
