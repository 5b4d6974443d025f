// Package app puts the auth service together and runs it.
package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/httpapi"
	"capzone.dev/services/auth/internal/login"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/internal/redis"
	"capzone.dev/services/auth/internal/rpc"
	"capzone.dev/services/auth/internal/session"
	"capzone.dev/services/auth/internal/subscriber"
	"capzone.dev/services/auth/migrations"
)

// Name is the service's name in logs and in NATS.
const Name = "auth"

// sweepEvery is how often expired sessions are forgotten. Nothing depends on it
// but the size of the tables.
const sweepEvery = 10 * time.Minute

// Config is the service's environment.
type Config struct {
	service.Config
	service.RedisConfig
	SecretsConfig

	// RoomsPerHour is how many verification rooms a client address may ask for.
	RoomsPerHour int `env:"ROOMS_PER_HOUR" envDefault:"20"`

	// Now is the clock; nil is the machine's.
	Now func() time.Time `env:"-"`
}

// Check returns an error for a number that would refuse everybody and for
// secrets that cannot be read.
func (c Config) Check() error {
	_, err := c.read()
	if c.RoomsPerHour < 1 {
		err = errors.Join(err, fmt.Errorf("ROOMS_PER_HOUR is %d and must be at least 1", c.RoomsPerHour))
	}
	return err
}

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

	store := postgres.NewStore(base.Pool)
	players := rpc.NewPlayers(base.NATS)
	sessions := &session.Service{
		Families: store, Copies: store, Owner: players, Signer: accessTokens{signer},
		NewID: newID, Now: now, Log: base.Log,
	}
	logins := &login.Service{
		Sessions: redis.NewSessions(client, now),
		Bots:     rpc.NewBots(base.NATS),
		Limiter:  redis.NewLimiter(client, cfg.RoomsPerHour),
		Players:  players,
		Grants:   sessions,
		Coder:    login.Coder{Secret: secrets.code},
		NewID:    newID, Now: now, Log: base.Log,
	}
	defer logins.Wait()
	engine := httpserve.NewEngine(httpserve.Options{Log: base.Log, Registerer: base.Registry})
	httpapi.Register(engine, httpapi.UseCases{Login: logins, Sessions: sessions, Keys: signer.JWKS(), Site: cfg.PublicURL, Outcomes: httpapi.NewOutcomes(base.Registry)})

	return base.Run(ctx, engine,
		base.Consume(event.AuthPlayers, subscriber.HandlePlayers(sessions)),
		base.ConsumeRaw(event.AuthRooms, subscriber.HandleRooms(logins)),
		base.Sweep("expired sessions", sweepEvery, sessions.Sweep),
	)
}

// Serve runs the service with the configuration of the environment.
func Serve(ctx context.Context) error { return service.FromEnv(ctx, Run) }

// accessTokens is a session.Signer.
type accessTokens struct {
	signer *token.Signer
}

func (t accessTokens) Sign(p event.PlayerState) (string, error) {
	return t.signer.Sign(token.Claims{PlayerID: p.ID, Name: p.Name, Roles: p.Roles})
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }
