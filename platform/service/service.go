// Package service runs the programs of the site: it reads the environment, opens what each program needs,
// starts and stops everything together, and offers the operators' subcommands.
package service

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/export"
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
	// purgeInterval is how often the ids of old processed messages are deleted.
	purgeInterval = 10 * time.Minute
	// fileSweepInterval is how often unreferenced files are removed.
	fileSweepInterval = 10 * time.Minute
)

// Service is a Process with a database.
type Service struct {
	*Process

	Pool *postgres.Pool
}

// Open starts the process, waits for its database and applies the migrations. The caller calls Close.
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
	if err := checkPool(name, int(s.Pool.Config().MaxConns)); err != nil {
		return nil, err
	}
	if err := postgres.Migrate(ctx, cmp.Or(cfg.MigrationDatabaseURL, cfg.DatabaseURL), migrations); err != nil {
		return nil, err
	}
	if cfg.MigrationDatabaseURL != "" {
		if err := postgres.Grant(ctx, cfg.MigrationDatabaseURL, cfg.DatabaseURL); err != nil {
			return nil, err
		}
	}
	s.AddCheck("database", s.Pool.Ping)
	s.Registry.MustRegister(append(newPoolCollectors(s.Pool), tableCollector{s.Pool})...)
	return s, nil
}

// checkPool returns an error for a pool of which the workers of the service's consumers may hold all connections.
func checkPool(name string, connections int) error {
	workers := 0
	for _, c := range event.Consumers() {
		if program, _, _ := strings.Cut(c.Name, "-"); program == name {
			workers += eventbus.Workers
		}
	}
	if connections <= workers {
		return fmt.Errorf("DATABASE_URL: pool_max_conns is %d, but %s needs at least %d: "+
			"one connection for each of %d workers of consumers, and one for requests",
			connections, name, workers+1, workers)
	}
	return nil
}

// Close closes what Open opened.
func (s *Service) Close() {
	if s.Pool != nil {
		s.Pool.Close()
	}
	s.Process.Close()
}

// API is a service with the engine of an API.
type API struct {
	*Service

	Engine *gin.Engine
	// Bucket is nil in a service that stores no files.
	Bucket *objectstore.Store
}

// OpenAPIOnly is Open for a service with an API, which verifies auth's access tokens and accepts bodies of at most
// maxBody bytes. It stores no files.
func OpenAPIOnly(
	ctx context.Context, name string, cfg APIOnlyConfig, migrations fs.FS, maxBody int64,
) (*API, error) {
	s, err := Open(ctx, name, cfg.Config, migrations)
	if err != nil {
		return nil, err
	}
	verifier, err := token.NewVerifier(ctx, cfg.JWKSURLs, s.Log)
	if err != nil {
		s.Close()
		return nil, err
	}
	engine := httpserve.NewEngine(httpserve.Options{
		Log: s.Log, Service: name, Verifier: verifier, MaxBody: maxBody, Registerer: s.Registry,
	})
	return &API{Service: s, Engine: engine}, nil
}

// OpenAPI is OpenAPIOnly for a service with a bucket, which becomes a condition of readiness.
func OpenAPI(ctx context.Context, name string, cfg APIConfig, migrations fs.FS, maxBody int64) (*API, error) {
	api, err := OpenAPIOnly(ctx, name, APIOnlyConfig{cfg.Config, cfg.KeysConfig}, migrations, maxBody)
	if err != nil {
		return nil, err
	}
	storage := cfg.For(name)
	storage.Registerer = api.Registry
	if api.Bucket, err = objectstore.Open(ctx, storage); err != nil {
		api.Close()
		return nil, err
	}
	api.AddCheck("storage", httpserve.StartupCheck(api.Bucket.Check))
	return api, nil
}

// Run is Process.Run with the outbox relay and the removal of old processed messages. The engine answers HEAD as GET.
func (s *Service) Run(ctx context.Context, engine *gin.Engine, parts ...func(context.Context) error) error {
	httpserve.AnswerHEAD(engine)
	relay := outbox.NewRelay(s.Pool, s.JetStream, s.Log)
	s.Registry.MustRegister(relay)
	purge := s.Purge("old processed messages", purgeInterval, time.Now,
		func(ctx context.Context, now time.Time) (int, error) {
			return eventbus.PurgeProcessed(ctx, s.Pool, now)
		})
	return s.Process.Run(ctx, engine, append(parts, relay.Run, purge)...)
}

// Janitor returns a part of Run that calls remove at once and then at each interval, and logs what was removed.
// An error is logged; the next interval tries again.
func (p *Process) Janitor(
	target string, interval time.Duration, remove func(context.Context) (removed int, err error),
) func(context.Context) error {
	return func(ctx context.Context) error {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			removed, err := remove(ctx)
			if err != nil && ctx.Err() == nil {
				p.Log.WarnContext(ctx, "cleanup failed", "target", target, "error", err)
			}
			if removed > 0 {
				p.Log.InfoContext(ctx, "cleaned up", "target", target, "count", removed)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-ticker.C:
			}
		}
	}
}

// Purge is Janitor for a function that deletes what is too old at a time.
func (p *Process) Purge(
	target string, interval time.Duration, now func() time.Time,
	purge func(ctx context.Context, now time.Time) (purged int, err error),
) func(context.Context) error {
	return p.Janitor(target, interval, func(ctx context.Context) (int, error) { return purge(ctx, now()) })
}

// SweepFiles returns a part of Run that removes the bucket's files that no row references.
func (a *API) SweepFiles(isReferenced objectstore.IsReferenced) func(context.Context) error {
	sweeper := objectstore.NewSweeper(a.Bucket, a.Pool, isReferenced)
	return a.Janitor("unreferenced files", fileSweepInterval, func(ctx context.Context) (int, error) {
		return sweeper.Sweep(ctx, objectstore.UploadGrace)
	})
}

// ServeExport adds the service's part of a player's own data to an API. resolve is Exporter.Resolve.
func (s *Service) ServeExport(
	engine *gin.Engine, parts []export.Part, resolve func(ctx context.Context, playerID string) (string, error),
) {
	exporter := export.Exporter{Service: s.Name, DB: s.Pool, Parts: parts, Resolve: resolve, Log: s.Log}
	exporter.Serve(engine)
}

// newPoolCollectors returns collectors of a pool's statistics.
func newPoolCollectors(pool *postgres.Pool) []prometheus.Collector {
	gauge := func(name, help string, value func(*pgxpool.Stat) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return value(pool.Stat()) })
	}
	counter := func(name, help string, value func(*pgxpool.Stat) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help},
			func() float64 { return value(pool.Stat()) })
	}
	return []prometheus.Collector{
		gauge("postgres_pool_connections", "Connections of the pool, in use or idle.",
			func(s *pgxpool.Stat) float64 { return float64(s.TotalConns()) }),
		gauge("postgres_pool_connections_in_use", "Connections of the pool that are in use.",
			func(s *pgxpool.Stat) float64 { return float64(s.AcquiredConns()) }),
		gauge("postgres_pool_connections_idle", "Connections of the pool that wait for use.",
			func(s *pgxpool.Stat) float64 { return float64(s.IdleConns()) }),
		gauge("postgres_pool_connections_max", "The pool's limit.",
			func(s *pgxpool.Stat) float64 { return float64(s.MaxConns()) }),
		counter("postgres_pool_acquires_total", "Connections that were taken from the pool.",
			func(s *pgxpool.Stat) float64 { return float64(s.AcquireCount()) }),
		counter("postgres_pool_waits_total", "Times that no connection was free at once.",
			func(s *pgxpool.Stat) float64 { return float64(s.EmptyAcquireCount()) }),
		counter("postgres_pool_wait_seconds_total", "Time spent on waiting for a free connection.",
			func(s *pgxpool.Stat) float64 { return s.EmptyAcquireWaitTime().Seconds() }),
		counter("postgres_pool_canceled_acquires_total", "Waits for a connection that were given up.",
			func(s *pgxpool.Stat) float64 { return float64(s.CanceledAcquireCount()) }),
	}
}

var tableRows = prometheus.NewDesc("postgres_table_rows",
	"Rows of a table that is swept, as the server estimates them.", []string{"table"}, nil)

// tableCollector reads the sizes of the tables with periodic removal. It reports none if
// the database does not answer in time.
type tableCollector struct{ pool *postgres.Pool }

func (tableCollector) Describe(descs chan<- *prometheus.Desc) { descs <- tableRows }

func (c tableCollector) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	rows, err := c.pool.Query(ctx, `
		select relname, n_live_tup from pg_stat_user_tables
		where schemaname = 'public' and relname in ('inbox', 'outbox', 'pending_uploads')`)
	if err != nil {
		return
	}
	defer rows.Close()
	for rows.Next() {
		var table string
		var count int64
		if rows.Scan(&table, &count) == nil {
			metrics <- prometheus.MustNewConstMetric(tableRows, prometheus.GaugeValue, float64(count), table)
		}
	}
}
