package app

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"capzone.dev/gateway/internal/apidoc"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/connlimit"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/proxy"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/gateway/internal/webapp"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/platform/telemetry"
	"capzone.dev/platform/token"
)

const (
	mib = 1 << 20
	// maxConnections bounds the connections of all clients. Each takes about 20 KiB of memory
	// when it is idle.
	maxConnections = 8192
)

// Run serves until ctx ends, then finishes what is in flight.
func Run(ctx context.Context, cfg Config) error {
	log := cfg.Logger("gateway")
	stopTracing, err := telemetry.Start(ctx, "gateway", telemetry.Edge, cfg.Tracing, log)
	if err != nil {
		return err
	}
	defer stopTracing()
	rdb, err := openRedis(cfg.RedisURL)
	if err != nil {
		return err
	}
	defer func() { _ = rdb.Close() }()
	verifier, err := token.NewVerifier(ctx, cfg.JWKSURLs, log)
	if err != nil {
		return err
	}

	pools := newPools(ctx, cfg, log)
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewBuildInfoCollector())
	nc, err := eventbus.Connect(cfg.NATSURL, "gateway", log)
	if err != nil {
		return err
	}
	defer nc.Close()
	responses := cache.New(cfg.PageCacheMB*mib, nc.IsConnected)
	registry.MustRegister(responses, eventbus.NewConnCollector(nc))
	if err := cache.Subscribe(nc, responses, log); err != nil {
		return err
	}
	engine := httpserve.NewEngine(httpserve.Options{Log: log, MaxBody: maxBody(), Registerer: registry})
	limits := limit.New(cfg.Numbers, rdb, log)
	engine.Use(admitRequests(limits))
	err = proxy.Register(engine, route.Table, proxy.Options{
		Pools: pools, Cache: responses, Limits: limits, Verifier: verifier,
		Site: cfg.PublicURL, Log: log, Metrics: registry,
	})
	if err != nil {
		return err
	}
	apidoc.Register(engine.Group(route.Base), cfg.WebDir)
	engine.NoRoute(webapp.New(cfg.WebDir).Serve)
	handler := proxy.Edge(cfg.PublicURL.Secure(), cfg.TrustedProxies, engine)
	site, ops, err := service.Listen(ctx, cfg.HTTPAddr, cfg.OpsAddr)
	if err != nil {
		return err
	}
	limited := connlimit.NewListener(site, connlimit.Limits{
		Total: maxConnections, PerAddress: cfg.ConnectionsPerAddress, Trusted: cfg.TrustedProxies,
	}, proxy.SecurityHeaders(cfg.PublicURL.Secure()))
	// A gateway is ready when it has seen everything behind it. If one service
	// goes away later the others' pages still work.
	checks := map[string]func(context.Context) error{
		"redis": httpserve.StartupCheck(func(ctx context.Context) error { return rdb.Ping(ctx).Err() }),
	}
	// Requests go on for a while after ctx has ended, and so does what they need.
	serving, served := context.WithCancel(context.WithoutCancel(ctx))
	g, ctx := errgroup.WithContext(ctx)
	for name, pool := range pools {
		registry.MustRegister(pool)
		checks[string(name)] = httpserve.StartupCheck(pool.Check)
		g.Go(func() error { return pool.Watch(serving) })
	}
	if cfg.OnListen != nil {
		cfg.OnListen(site.Addr(), ops.Addr())
	}
	g.Go(func() error {
		defer served()
		return httpserve.Serve(ctx, limited, handler, cfg.APIDrain(), log)
	})
	g.Go(func() error {
		return httpserve.Serve(ctx, ops, httpserve.Ops(checks, service.Gatherer(registry)), cfg.OpsDrain(), log)
	})
	return g.Wait()
}

// newPools returns the upstreams with their replicas looked up and asked once,
// so that the first request finds them.
func newPools(ctx context.Context, cfg Config, log *slog.Logger) map[route.Service]*upstream.Pool {
	var resolver upstream.Resolver = net.DefaultResolver
	if cfg.Resolver != nil {
		resolver = cfg.Resolver
	}
	transport := upstream.NewTransport()
	pools := map[route.Service]*upstream.Pool{}
	var asked sync.WaitGroup
	for name, addresses := range cfg.upstreams() {
		pool := upstream.New(string(name), addresses, resolver, transport, log)
		pools[name] = pool
		asked.Go(func() {
			pool.Resolve(ctx)
			pool.CheckReplicas(ctx)
		})
	}
	asked.Wait()
	return pools
}

// admitRequests returns the middleware that limits the requests of an address, and refuses
// bodies where none is defined.
func admitRequests(limits *limit.Limits) gin.HandlerFunc {
	return func(c *gin.Context) {
		if c.FullPath() == httpserve.HealthPath {
			return
		}
		end, err := limits.Begin(client.AddressOf(c.Request.Context()))
		if err != nil {
			httpserve.DiscardBody(c)
			httpserve.Render(c, err)
			return
		}
		defer end()
		read := c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead
		if read && c.Request.ContentLength != 0 {
			httpserve.DiscardBody(c)
			httpserve.Render(c, httpserve.ErrBodyTooLarge)
			return
		}
		c.Next()
	}
}

// maxBody is the largest body that any route takes.
func maxBody() (most int64) {
	for _, r := range route.Table {
		most = max(most, r.MaxBody)
	}
	return most
}
