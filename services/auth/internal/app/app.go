// Package app wires the auth service and runs it.
package app

import (
	"context"
	"time"

	"github.com/google/uuid"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/replica"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/httpapi"
	"capzone.dev/services/auth/internal/login"
	"capzone.dev/services/auth/internal/natsapi"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/internal/redis"
	"capzone.dev/services/auth/internal/session"
	"capzone.dev/services/auth/migrations"
)

// Name is the service's name in logs and in NATS.
const Name = "auth"

// sweepEvery is how often expired sessions are removed. Only the size of the tables depends on it.
const sweepEvery = 10 * time.Minute

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	if err := cfg.Check(); err != nil {
		return err
	}
	now := cfg.Now
	if now == nil {
		now = time.Now
	}
	secrets, err := cfg.read()
	if err != nil {
		return err
	}
	signer, err := token.NewSigner(secrets.keys, now)
	if err != nil {
		return err
	}
	client, err := redis.Connect(cfg.RedisURL)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	base, err := service.Open(ctx, Name, cfg.Config, migrations.FS)
	if err != nil {
		return err
	}
	defer base.Close()
	base.AddCheck("redis", httpserve.StartupCheck(func(ctx context.Context) error { return client.Ping(ctx).Err() }))

	database := postgres.NewStore(base.Pool)
	sessions := &session.Service{
		Families: database, Signer: accessTokens{signer},
		Players: replica.NewPlayers(database, replica.AskPlayers(base.NATS)),
		NewID:   newID, Now: now, Log: base.Log,
	}
	store := redis.NewStore(client, redis.Limits{PerHour: cfg.RoomsPerHour, AtOnce: cfg.RoomsPerAddress}, now)
	logins := &login.Service{
		Sessions: store, Addresses: store, Limiter: store,
		Bots:    &natsapi.Bots{NATS: base.NATS},
		Players: &natsapi.Players{NATS: base.NATS},
		Grants:  sessions,
		Coder:   login.Coder{Secret: secrets.code},
		NewID:   newID, Now: now, Log: base.Log,
	}
	defer logins.Wait()
	engine := httpserve.NewEngine(httpserve.Options{Log: base.Log, Service: base.Name, Registerer: base.Registry})
	httpapi.Register(engine, &httpapi.Server{
		Login: logins, Sessions: sessions, Keys: signer.JWKS(), Site: cfg.PublicURL,
		Outcomes: httpapi.NewOutcomes(base.Registry),
	})
	consumers := &natsapi.Consumers{Copies: database, Logins: logins}

	return base.Run(ctx, engine,
		base.Consume(event.AuthPlayers, consumers.Players()),
		base.ConsumeRaw(event.AuthRooms, consumers.Rooms),
		base.Janitor("expired sessions", sweepEvery, sessions.Sweep),
	)
}

// Serve runs the service with the configuration of the environment.
func Serve(ctx context.Context) error { return service.FromEnv(ctx, Run) }

// accessTokens implements session.Signer.
type accessTokens struct {
	signer *token.Signer
}

func (t accessTokens) Sign(p event.PlayerState) (string, error) {
	return t.signer.Sign(token.Claims{PlayerID: p.ID, Name: p.Name, Roles: p.Roles})
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }
