package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/sweep"
	"capzone.dev/platform/token"
	"capzone.dev/platform/tracing"
)

const (
	// startTimeout is how long a service waits for its database at the start.
	startTimeout = 60 * time.Second
	// pruneEvery is how often messages are looked for that the inbox need not remember.
	pruneEvery = 10 * time.Minute
)

// Base is what every service stands on.
type Base struct {
	Name      string
	Log       *slog.Logger
	Pool      *postgres.Pool
	NATS      *nats.Conn
	JetStream jetstream.JetStream
	Registry  *prometheus.Registry

	cfg         Config
	stopTracing func()
	checks      map[string]func(context.Context) error
}

// Open brings the database up to date and connects to it and to NATS. NATS may
// be away, the database may be late.
func Open(ctx context.Context, name string, cfg Config, migrations fs.FS) (_ *Base, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	b := &Base{Name: name, Log: cfg.Logger(name), Registry: prometheus.NewRegistry(), cfg: cfg}
	defer func() {
		if err != nil {
			b.Close()
		}
	}()
	if b.stopTracing, err = tracing.Start(ctx, name, tracing.Internal, cfg.Tracing, b.Log); err != nil {
		return nil, err
	}
	if b.Pool, err = postgres.Open(ctx, cfg.DatabaseURL); err != nil {
		return nil, err
	}
	if err := postgres.Migrate(ctx, cfg.DatabaseURL, migrations); err != nil {
		return nil, err
	}
	if b.NATS, err = eventbus.Connect(cfg.NATSURL, name, b.Log); err != nil {
		return nil, err
	}
	if b.JetStream, err = eventbus.JetStream(b.NATS); err != nil {
		return nil, err
	}
	b.checks = map[string]func(context.Context) error{
		"database": b.Pool.Ping,
		"nats":     httpserve.StartupCheck(b.natsAnswers),
	}
	registerMetrics(b.Registry, b.Pool, b.NATS)
	return b, nil
}

// Close lets go of what Open opened.
func (b *Base) Close() {
	if b.NATS != nil {
		b.NATS.Close()
	}
	if b.Pool != nil {
		b.Pool.Close()
	}
	if b.stopTracing != nil {
		b.stopTracing()
	}
}

func (b *Base) natsAnswers(ctx context.Context) error {
	if !b.NATS.IsConnected() {
		return errors.New("not connected")
	}
	return b.NATS.FlushWithContext(ctx)
}

// AddCheck adds a condition of readiness. Called before Run.
func (b *Base) AddCheck(name string, check func(context.Context) error) { b.checks[name] = check }

// OpenStorage opens the service's bucket, without which it is not ready.
func (b *Base) OpenStorage(ctx context.Context, cfg StorageConfig) (*objectstore.Store, error) {
	files, err := objectstore.Open(ctx, cfg.For(b.Name))
	if err != nil {
		return nil, err
	}
	b.AddCheck("storage", httpserve.StartupCheck(files.Check))
	return files, nil
}

// NewEngine returns the engine of an API that knows its callers by auth's
// tokens and takes bodies of at most maxBody bytes.
func (b *Base) NewEngine(ctx context.Context, cfg KeysConfig, maxBody int64) (*gin.Engine, error) {
	verifier, err := token.NewVerifier(ctx, cfg.JWKSURLs, b.Log)
	if err != nil {
		return nil, err
	}
	return httpserve.NewEngine(httpserve.Options{
		Log: b.Log, Verifier: verifier, MaxBody: maxBody, Registerer: b.Registry,
	}), nil
}

// Consume returns the part of Run that hands a consumer's messages to h.
func (b *Base) Consume(c event.Consumer, h eventbus.Handler) func(context.Context) error {
	return func(ctx context.Context) error {
		b.Registry.MustRegister(eventbus.NewLagCollector(b.JetStream, c))
		return eventbus.Consume(ctx, b.JetStream, c, h, b.Log)
	}
}

// ConsumeRaw is Consume for streams whose messages have no envelope.
func (b *Base) ConsumeRaw(c event.Consumer, h func(context.Context, jetstream.Msg) error) func(context.Context) error {
	return func(ctx context.Context) error {
		b.Registry.MustRegister(eventbus.NewLagCollector(b.JetStream, c))
		return eventbus.ConsumeRaw(ctx, b.JetStream, c, h, b.Log)
	}
}

// Sweep returns the part that does a round every so often. What says in the
// log what is swept away.
func (b *Base) Sweep(what string, every time.Duration, round sweep.Round) func(context.Context) error {
	return func(ctx context.Context) error { return sweep.Run(ctx, b.Log, what, every, round) }
}

// Run serves handler, the operations endpoints, the outbox relay and parts
// until ctx ends or one of them fails, and then stops them all. Requests in
// flight are finished.
func (b *Base) Run(ctx context.Context, handler http.Handler, parts ...func(context.Context) error) error {
	api, ops, err := Listen(ctx, b.cfg.HTTPAddr, b.cfg.OpsAddr)
	if err != nil {
		return err
	}
	if b.cfg.OnListen != nil {
		b.cfg.OnListen(api.Addr(), ops.Addr())
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return httpserve.Serve(ctx, api, handler, b.cfg.APIDrain(), b.Log) })
	g.Go(func() error {
		return httpserve.Serve(ctx, ops, httpserve.Ops(b.checks, Gatherer(b.Registry)), b.cfg.OpsDrain(), b.Log)
	})
	relay := outbox.NewRelay(b.Pool, b.JetStream, b.Log)
	b.Registry.MustRegister(relay)
	g.Go(func() error { return relay.Run(ctx) })
	g.Go(func() error {
		return b.Sweep("old messages of the inbox", pruneEvery, eventbus.PruneInbox(b.Pool))(ctx)
	})
	for _, part := range parts {
		g.Go(func() error { return part(ctx) })
	}
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s: %w", b.Name, err)
	}
	return nil
}
