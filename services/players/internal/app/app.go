// Package app wires the players service and runs it.
package app

import (
	"context"
	"errors"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/players/internal/files"
	"capzone.dev/services/players/internal/httpapi"
	"capzone.dev/services/players/internal/natsapi"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/postgres"
	"capzone.dev/services/players/migrations"
)

// Name is the service's name in logs, in NATS and of its bucket.
const Name = player.Service

// Config is the service's environment.
type Config struct {
	service.APIConfig

	// DeletionDays is how many days a player who has asked for the deletion of the account can change their mind.
	DeletionDays int `env:"DELETION_DAYS" envDefault:"14"`
}

// Check returns an error for a negative number.
func (c Config) Check() error {
	if c.DeletionDays < 0 {
		return errors.New("DELETION_DAYS must be at least 0")
	}
	return nil
}

// deleteEvery is how often accounts are deleted whose deletion is due.
const deleteEvery = time.Minute

// endBansEvery is how often bans end whose time is over: within a minute after that time.
const endBansEvery = 20 * time.Second

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
	avatars := files.New(svc.Bucket, svc.Pool)
	reader := &player.Reader{Players: store, Points: &natsapi.Records{NATS: svc.NATS}}
	deleter := &player.Deleter{
		Players: store, Delay: time.Duration(cfg.DeletionDays) * 24 * time.Hour, Now: time.Now, Log: svc.Log,
	}
	httpapi.Register(svc.Engine, &httpapi.Server{
		Reader:   reader,
		Updater:  &player.Updater{Players: store, Avatars: avatars, Now: time.Now},
		Deleter:  deleter,
		Accounts: &player.Accounts{Players: store},
		Avatars:  httpserve.Images{Open: svc.Bucket.Open, IsPublic: store.IsPublic},
		Previews: sharecard.NewRenderer(svc.Bucket),
	})
	svc.ServeExport(svc.Engine, postgres.Exports, deleter.Resolve)
	registrar := &player.Registrar{Players: store, Now: time.Now, NewID: event.NewID}
	moderator := &player.Moderator{Players: store, Now: time.Now}

	return svc.Run(ctx, svc.Engine,
		service.Answer(svc.Process, event.GetPlayerSubject, reader.GetPlayer),
		service.Answer(svc.Process, event.EnsurePlayerSubject, registrar.EnsurePlayer),
		service.Answer(svc.Process, event.RegisterPlayerSubject, registrar.RegisterPlayer),
		svc.Consume(event.PlayersCopies, natsapi.ApplyCopies(store)),
		svc.Consume(event.PlayersCommands, natsapi.CarryOut(svc.Pool, moderator, store)),
		svc.Janitor("bans that are over", endBansEvery, moderator.EndBans),
		svc.Janitor("deleted accounts", deleteEvery, deleter.DeleteDue),
		svc.SweepFiles(store.IsReferenced),
	)
}
