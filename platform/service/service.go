// Package service runs the programs of the site: it reads the environment, opens
// what each program needs, starts and stops everything together, and offers the
// operators' subcommands.
package service

import (
	"context"
	"io/fs"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/telemetry"
	"capzone.dev/platform/token"
)

const (
	// startTimeout bounds the wait for the database at startup.
	startTimeout = 60 * time.Second
	// inboxPruneInterval is how often old ids are removed from the inbox.
	inboxPruneInterval = 10 * time.Minute
	// fileSweepInterval is how often unreferenced files are removed.
	fileSweepInterval = 10 * time.Minute
)

// Service is a Process with a database.
type Service struct {
	*Process

	Pool *postgres.Pool
}

// Open starts the process, waits for its database and applies the migrations.
// The caller calls Close.
func Open(ctx context.Context, name string, cfg Config, migrations fs.FS) (_ *Service, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	process, err := Start(ctx, name, telemetry.Internal, cfg.ProcessConfig)
	if err != nil {
		return nil, err
	}
	s := &Service{Process: process}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if s.Pool, err = postgres.Open(ctx, cfg.DatabaseURL); err != nil {
		return nil, err
	}
	if err := postgres.Migrate(ctx, cfg.DatabaseURL, migrations); err != nil {
		return nil, err
	}
	s.AddCheck("database", s.Pool.Ping)
	s.Registry.MustRegister(append(newPoolCollectors(s.Pool), tableCollector{s.Pool})...)
	return s, nil
}

// Close closes what Open opened.
func (s *Service) Close() {
	if s.Pool != nil {
		s.Pool.Close()
	}
	s.Process.Close()
}

// OpenStorage opens the service's bucket and makes it a condition of readiness.
func (s *Service) OpenStorage(ctx context.Context, cfg StorageConfig) (*objectstore.Store, error) {
	files, err := objectstore.Open(ctx, cfg.For(s.Name))
	if err != nil {
		return nil, err
	}
	s.AddCheck("storage", httpserve.StartupCheck(files.Check))
	return files, nil
}

// NewEngine returns the engine of an API that verifies auth's access tokens and
// accepts bodies of at most maxBody bytes.
func (s *Service) NewEngine(ctx context.Context, cfg KeysConfig, maxBody int64) (*gin.Engine, error) {
	verifier, err := token.NewVerifier(ctx, cfg.JWKSURLs, s.Log)
	if err != nil {
		return nil, err
	}
	return httpserve.NewEngine(httpserve.Options{
		Log: s.Log, Verifier: verifier, MaxBody: maxBody, Registerer: s.Registry,
	}), nil
}

// Run is Process.Run with the outbox relay and the removal of old inbox rows.
func (s *Service) Run(ctx context.Context, handler http.Handler, parts ...func(context.Context) error) error {
	relay := outbox.NewRelay(s.Pool, s.JetStream, s.Log)
	s.Registry.MustRegister(relay)
	pruneInbox := s.Janitor("old messages of the inbox", inboxPruneInterval, func(ctx context.Context) (int, error) {
		return eventbus.PruneInbox(ctx, s.Pool)
	})
	return s.Process.Run(ctx, handler, append(parts, relay.Run, pruneInbox)...)
}

// Janitor returns a part of Run that calls remove at once and then at each
// interval, and logs what was removed. An error is logged; the next interval tries
// again.
func (p *Process) Janitor(
	what string, interval time.Duration, remove func(context.Context) (removed int, err error),
) func(context.Context) error {
	return func(ctx context.Context) error {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			removed, err := remove(ctx)
			if err != nil && ctx.Err() == nil {
				p.Log.WarnContext(ctx, "sweeping failed", "what", what, "error", err)
			}
			if removed > 0 {
				p.Log.InfoContext(ctx, "swept", "what", what, "count", removed)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-ticker.C:
			}
		}
	}
}

// SweepFiles returns a part of Run that removes the bucket's files that no row references.
func (s *Service) SweepFiles(files *objectstore.Store, named objectstore.IsReferenced) func(context.Context) error {
	sweeper := objectstore.NewSweeper(files, s.Pool, named)
	return s.Janitor("files that no row names", fileSweepInterval, func(ctx context.Context) (int, error) {
		return sweeper.Sweep(ctx, objectstore.UploadGrace)
	})
}
