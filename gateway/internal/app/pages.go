package app

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/gateway/internal/freshness"
	"capzone.dev/gateway/internal/pagecache"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/upstream"
	"capzone.dev/platform/eventbus"
)

// pageCache are the pages of the services whose answers are kept, and what hears
// of their changes.
type pageCache struct {
	cache    *pagecache.Cache
	spaces   map[route.Service]*pagecache.Space
	nc       *nats.Conn
	listener *freshness.Listener
}

const mib = 1 << 20

// openPageCache makes the cache. Where nothing is to be kept, or nothing could be
// heard of changes, its pages are never fresh.
func openPageCache(cfg Config, pools map[route.Service]*upstream.Pool, metrics prometheus.Registerer, log *slog.Logger) (*pageCache, error) {
	cache, err := pagecache.New(max(cfg.PageCacheMB, 1)*mib, cfg.PageCacheMaxAge)
	if err != nil {
		return nil, err
	}
	p := &pageCache{cache: cache, spaces: map[route.Service]*pagecache.Space{}}
	metrics.MustRegister(cache)
	for _, r := range route.Table {
		if r.Cached && p.spaces[r.Service] == nil {
			p.spaces[r.Service] = cache.Space(string(r.Service))
		}
	}
	switch {
	case cfg.PageCacheMB == 0:
		return p, nil
	case cfg.NATSURL == "":
		log.Warn("no page is kept: NATS_URL is not set")
		return p, nil
	}
	if p.nc, err = eventbus.Connect(cfg.NATSURL, "gateway", log); err != nil {
		cache.Close()
		return nil, err
	}
	p.listener = freshness.NewListener(p.nc, log)
	metrics.MustRegister(p.listener)
	for name, space := range p.spaces {
		p.listener.Add(string(name), space, pools[name])
	}
	return p, nil
}

// run listens for changes until ctx ends.
func (p *pageCache) run(ctx context.Context) error {
	if p.listener == nil {
		return nil
	}
	return p.listener.Run(ctx)
}

func (p *pageCache) close() {
	if p.nc != nil {
		p.nc.Close()
	}
	p.cache.Close()
}
