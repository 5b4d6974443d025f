package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"github.com/go-redis/redis_rate/v10"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"capzone.dev/gateway/internal/apidoc"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/proxy"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/gateway/internal/webapp"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
)

// Run serves until ctx ends, then finishes what is in flight.
func Run(ctx context.Context, cfg Config) error {
	log := cfg.Logger("gateway")
	options, err := redis.ParseURL(cfg.RedisURL)
	if err != nil {
		return fmt.Errorf("REDIS_URL: %w", err)
	}
	options.MaxRetries = 1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = redisPatience, redisPatience, redisPatience
	rdb := redis.NewClient(options)
	defer rdb.Close()

	verifier, err := token.NewVerifier(ctx, cfg.JWKSURL, log)
	if err != nil {
		return err
	}
	pools := newPools(ctx, cfg, log)
	registry := prometheus.NewRegistry()
	handler := newHandler(cfg, pools, limit.New(cfg.Numbers, redis_rate.NewLimiter(rdb), log), verifier, registry, log)

	checks := map[string]func(context.Context) error{
		// Without Redis the site can still be read: it is no condition.
	}
	g, ctx := errgroup.WithContext(ctx)
	for name, pool := range pools {
		checks[string(name)] = pool.Check
		g.Go(func() error { return pool.Watch(ctx) })
	}
	site, err := net.Listen("tcp", cfg.HTTPAddr)
	if err != nil {
		return fmt.Errorf("HTTP_ADDR: %w", err)
	}
	ops, err := net.Listen("tcp", cfg.OpsAddr)
	if err != nil {
		_ = site.Close()
		return fmt.Errorf("OPS_ADDR: %w", err)
	}
	if cfg.OnListen != nil {
		cfg.OnListen(site.Addr(), ops.Addr())
	}
	g.Go(func() error { return httpserve.Serve(ctx, site, handler, log) })
	g.Go(func() error {
		return httpserve.Serve(ctx, ops, httpserve.Ops(checks, service.Gatherer(registry)), log)
	})
	return g.Wait()
}

// newPools returns the upstreams with their replicas looked up and asked once,
// so that the first request finds them.
func newPools(ctx context.Context, cfg Config, log *slog.Logger) map[route.Service]*upstream.Pool {
	transport := upstream.NewTransport()
	pools := map[route.Service]*upstream.Pool{}
	for name, addresses := range cfg.upstreams() {
		pool := upstream.New(string(name), addresses, net.DefaultResolver, transport, log)
		pool.Resolve(ctx)
		pool.CheckReplicas(ctx)
		pools[name] = pool
	}
	return pools
}

// newHandler returns all that the gateway answers.
func newHandler(cfg Config, pools map[route.Service]*upstream.Pool, limits *limit.Limits, verifier token.Verifier, registry prometheus.Registerer, log *slog.Logger) http.Handler {
	engine := httpserve.NewEngine(httpserve.Options{Log: log, MaxBody: maxBody(), Registerer: registry})
	engine.Use(proxy.SecurityHeaders(cfg.PublicURL.Secure()))
	proxy.New(pools, limits, verifier, cfg.PublicURL.Origin(), log).Register(engine, route.Table)
	apidoc.Register(engine.Group(route.Base))
	engine.NoRoute(webapp.New(cfg.WebDir).Serve)
	return proxy.JudgeAddress(cfg.TrustedProxies, engine)
}

// maxBody is the largest body that any route takes.
func maxBody() (most int64) {
	for _, r := range route.Table {
		most = max(most, r.MaxBody)
	}
	return most
}
