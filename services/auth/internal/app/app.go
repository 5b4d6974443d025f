// Package app wires the auth service and runs it.
package app

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/redisclient"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/httpapi"
	"capzone.dev/services/auth/internal/login"
	"capzone.dev/services/auth/internal/natsapi"
	"capzone.dev/services/auth/internal/personaltoken"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/internal/redis"
	"capzone.dev/services/auth/internal/session"
	"capzone.dev/services/auth/migrations"
)

// Name is the service's name in logs and in NATS.
const Name = "auth"

// purgeEvery is how often expired sessions are deleted. Only the size of the tables depends on it.
const purgeEvery = 10 * time.Minute

// Config is the service's environment.
type Config struct {
	service.Config
	service.RedisConfig
	SecretsConfig

	// RoomsPerHour is how many verification rooms of a client address may be entered or given up in an hour.
	RoomsPerHour int `env:"ROOMS_PER_HOUR" envDefault:"100"`
	// RoomsPerAddress is how many verification rooms a client address may have at once. Further logins wait.
	RoomsPerAddress int `env:"ROOMS_PER_ADDRESS" envDefault:"2"`
}

// Check returns an error for a number below 1 and for secrets that cannot be read.
func (c Config) Check() error {
	_, err := c.read()
	if c.RoomsPerHour < 1 {
		err = errors.Join(err, fmt.Errorf("ROOMS_PER_HOUR is %d and must be at least 1", c.RoomsPerHour))
	}
	if c.RoomsPerAddress < 1 {
		err = errors.Join(err, fmt.Errorf("ROOMS_PER_ADDRESS is %d and must be at least 1", c.RoomsPerAddress))
	}
	return err
}

// SecretsConfig names the files of the secrets. Containers and supervisors can give a file to one process alone.
type SecretsConfig struct {
	// TokenKeysFile has the Ed25519 keys of access tokens (`auth keygen`), one after the other: the
	// first signs, all are published.
	TokenKeysFile string `env:"TOKEN_KEYS_FILE,required,notEmpty"`
	// CodeSecretFile has 32 bytes as hexadecimal digits.
	CodeSecretFile string `env:"CODE_SECRET_FILE,required,notEmpty"`
}

type secrets struct {
	keys []token.Key
	code []byte
}

const codeSecretLength = 32

// read reads both files. Its error names everything that is wrong with them.
func (c SecretsConfig) read() (secrets, error) {
	keys, keysErr := readKeys(c.TokenKeysFile)
	code, codeErr := readCodeSecret(c.CodeSecretFile)
	return secrets{keys, code}, errors.Join(keysErr, codeErr)
}

func readKeys(path string) ([]token.Key, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("TOKEN_KEYS_FILE: %w", err)
	}
	keys, err := token.ParseKeys(text)
	if err != nil {
		return nil, fmt.Errorf("TOKEN_KEYS_FILE %s: %w (make a key with `auth keygen`)", path, err)
	}
	return keys, nil
}

func readCodeSecret(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("CODE_SECRET_FILE: %w", err)
	}
	secret, err := hex.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(secret) != codeSecretLength {
		return nil, fmt.Errorf("CODE_SECRET_FILE %s must hold %d bytes as %d hexadecimal digits",
			path, codeSecretLength, 2*codeSecretLength)
	}
	return secret, nil
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error { return run(ctx, cfg, time.Now) }

func run(ctx context.Context, cfg Config, now func() time.Time) error {
	if err := cfg.Check(); err != nil {
		return err
	}
	svc, err := service.Open(ctx, Name, cfg.Config, migrations.FS)
	if err != nil {
		return err
	}
	defer svc.Close()
	secrets, err := cfg.read()
	if err != nil {
		return err
	}
	signer, err := token.NewSigner(secrets.keys, now)
	if err != nil {
		return err
	}
	client, err := redisclient.Connect(cfg.RedisURL, redis.Timeout, svc.Registry)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	svc.AddCheck("redis", httpserve.StartupCheck(func(ctx context.Context) error { return client.Ping(ctx).Err() }))

	database := postgres.NewStore(svc.Pool)
	sessions := &session.Sessions{
		Families: database, Signer: accessTokens{signer}, NewID: event.NewID, Now: now, Log: svc.Log,
		Players: lookup.NewPlayers(database, eventbus.AskPlayers(svc.NATS)),
	}
	store := redis.NewStore(client, cfg.RoomsPerHour, now)
	logins := &login.Logins{
		Sessions: store, Active: store, Limiter: store, Bots: &natsapi.Bots{NATS: svc.NATS},
		Players: &natsapi.Players{NATS: svc.NATS}, Grants: sessions, Coder: login.Coder{Secret: secrets.code},
		RoomsPerAddress: cfg.RoomsPerAddress, NewID: event.NewID, Now: now, Log: svc.Log,
	}
	defer logins.Wait()
	tokens := &personaltoken.Tokens{
		Store: database, Players: sessions.Players, Signer: accessTokens{signer}, NewID: event.NewID, Now: now,
	}
	engine := httpserve.NewEngine(httpserve.Options{
		Log: svc.Log, Service: svc.Name, Verifier: token.NewLocalVerifier(signer), Registerer: svc.Registry,
	})
	httpapi.Register(engine, &httpapi.Server{
		Logins: logins, Sessions: sessions, Tokens: tokens, Keys: signer.JWKS(), Site: cfg.PublicURL,
		Metrics: httpapi.NewMetrics(svc.Registry),
	})
	svc.ServeExport(engine, postgres.Exports, sessions.ExportID)
	return svc.Run(ctx, engine,
		service.Answer(svc.Process, event.ExchangeTokenSubject, tokens.ExchangeToken),
		service.Answer(svc.Process, event.CheckSessionSubject, sessions.CheckSession),
		svc.Consume(event.AuthPlayers, eventbus.ApplyState(database.ApplyPlayer)),
		svc.ConsumeRaw(event.AuthRooms, natsapi.ApplyReports(logins)),
		svc.Purge("expired sessions", purgeEvery, now, database.PurgeSessions),
		svc.Purge("ended personal tokens", purgeEvery, now, database.PurgePersonalTokens),
	)
}

// accessTokens implements session.Signer and personaltoken.Signer.
type accessTokens struct{ signer *token.Signer }

func (t accessTokens) Sign(p event.PlayerState, familyID string) (string, error) {
	return t.signer.Sign(token.Claims{
		PlayerID: p.ID, Name: p.Name, Roles: p.Roles, Banned: p.Banned, SessionID: familyID,
	})
}

func (t accessTokens) SignFor(p event.PlayerState, personal personaltoken.Token, expiresAt time.Time) (string, error) {
	return t.signer.Sign(token.Claims{
		PlayerID: p.ID, Name: p.Name, PersonalID: personal.ID, Scopes: personal.Scopes, ExpiresAt: expiresAt,
	})
}
