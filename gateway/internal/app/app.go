package app

import (
	"context"
	"log/slog"
	"net"
	"slices"
	"sync"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/apidoc"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/crossorigin"
	"capzone.dev/gateway/internal/export"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/live"
	"capzone.dev/gateway/internal/page"
	"capzone.dev/gateway/internal/personaltoken"
	"capzone.dev/gateway/internal/proxy"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/gateway/internal/webapp"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/redisclient"
	"capzone.dev/platform/service"
	"capzone.dev/platform/telemetry"
	"capzone.dev/platform/token"
)

const mib = 1 << 20

// Run serves until ctx ends, then finishes the requests in flight.
func Run(ctx context.Context, cfg Config) error {
	process, err := service.Start(ctx, "gateway", telemetry.Edge, cfg.ProcessConfig)
	if err != nil {
		return err
	}
	defer process.Close()
	rdb, err := redisclient.Connect(cfg.RedisURL, redisTimeout, process.Registry)
	if err != nil {
		return err
	}
	defer func() { _ = rdb.Close() }()
	verifier, err := token.NewVerifier(ctx, cfg.JWKSURLs, process.Log)
	if err != nil {
		return err
	}
	responses := cache.New(cfg.PageCacheMB*mib, process.NATS.IsConnected)
	process.Registry.MustRegister(responses)
	if err := cache.Subscribe(process.NATS, responses, process.Log); err != nil {
		return err
	}
	// The gateway is ready when everything behind it was up once. When one service fails later, the others still work.
	process.AddCheck("redis", httpserve.StartupCheck(func(ctx context.Context) error { return rdb.Ping(ctx).Err() }))
	pools := newPools(ctx, cfg, process.Log)
	for name, pool := range pools {
		process.Registry.MustRegister(pool)
		process.AddCheck(string(name), httpserve.StartupCheck(pool.Check))
		process.WhileServing(pool.Watch)
	}
	events := live.NewHub(process.NATS, process.JetStream, process.Log, process.Registry)
	process.WhileServing(events.Run)

	engine := httpserve.NewEngine(httpserve.Options{Log: process.Log, MaxBody: maxBody(), Registerer: process.Registry})
	limits := limit.New(cfg.Config, rdb, process.Log)
	otherOrigins, err := useForAll(engine, limits, process)
	if err != nil {
		return err
	}
	api, err := proxy.Register(engine, route.Table, proxy.Options{
		Pools: pools, Cache: responses, Limits: limits, Verifier: verifier,
		NATS: process.NATS, Site: cfg.PublicURL, Log: process.Log, Metrics: process.Registry,
	})
	if err != nil {
		return err
	}
	api.Handle(engine, route.Events, live.Handler(events, verifier))
	api.Handle(engine, route.Export, export.Handler(export.Options{
		Pools: pools, Limits: limits, Verifier: verifier, Log: process.Log,
	}))
	site := webapp.New(cfg.WebDir)
	apidoc.Register(engine, site)
	pages := page.Register(engine, page.Options{
		Origin: cfg.PublicURL.Origin(), App: site, API: api, Events: events, Cache: responses,
		Log: process.Log,
	})
	httpserve.AnswerHEAD(engine)
	otherOrigins.Register(engine)
	engine.NoRoute(site.Serve(pages.ServeNotFound))
	return process.Run(ctx, proxy.Edge(cfg.PublicURL.Secure(), cfg.TrustedProxies, engine))
}

// useForAll has every request pass the headers for pages of other origins, the limits and the exchange of personal
// tokens.
func useForAll(engine *gin.Engine, limits *limit.Limits, process *service.Process) (*crossorigin.Sharing, error) {
	tokens, err := personaltoken.NewKeeper(process.NATS, limits, process.Log)
	if err != nil {
		return nil, err
	}
	routes := append(slices.Clone(route.Table), route.Own()...)
	shared, err := proxy.SharedPaths(routes)
	if err != nil {
		return nil, err
	}
	otherOrigins := crossorigin.New(append(append(shared, page.SharedPaths()...), apidoc.Path))
	engine.Use(otherOrigins.SetHeaders, proxy.LimitRequests(limits, routes), personaltoken.Exchange(tokens))
	return otherOrigins, nil
}

// newPools returns the pools of all services after one health check, so that the first request finds their replicas.
func newPools(ctx context.Context, cfg Config, log *slog.Logger) map[route.Service]*upstream.Pool {
	transport := upstream.NewTransport()
	pools := map[route.Service]*upstream.Pool{}
	var checks sync.WaitGroup
	for name, addresses := range cfg.Services {
		pool := upstream.New(string(name), addresses, net.DefaultResolver, transport, log)
		pools[name] = pool
		checks.Go(func() {
			pool.Resolve(ctx)
			pool.CheckReplicas(ctx)
		})
	}
	checks.Wait()
	return pools
}

// maxBody returns the largest body that any route takes, in bytes.
func maxBody() (most int64) {
	for _, r := range route.Table {
		most = max(most, r.MaxBody)
	}
	return most
}
