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

// keptPages are the pages of the services whose answers are kept, and what hears
// of their changes.
type keptPages struct {
	cache    *pagecache.Cache
	spaces   map[route.Service]*pagecache.Space
	nc       *nats.Conn
	listener *freshness.Listener
}

const mib = 1 << 20

// openPages makes the cache. Where nothing is to be kept, or nothing could be
// heard of changes, its pages are never fresh.
func openPages(cfg Config, pools map[route.Service]*upstream.Pool, metrics prometheus.Registerer, log *slog.Logger) (*keptPages, error) {
	cache, err := pagecache.New(max(cfg.PageCacheMB, 1)*mib, cfg.PageCacheMaxAge)
	if err != nil {
		return nil, err
	}
	k := &keptPages{cache: cache, spaces: map[route.Service]*pagecache.Space{}}
	metrics.MustRegister(cache)
	for _, r := range route.Table {
		if r.Kept && k.spaces[r.Service] == nil {
			k.spaces[r.Service] = cache.Space(string(r.Service))
		}
	}
	switch {
	case cfg.PageCacheMB == 0:
		return k, nil
	case cfg.NATSURL == "":
		log.Warn("no page is kept: NATS_URL is not set")
		return k, nil
	}
	if k.nc, err = eventbus.Connect(cfg.NATSURL, "gateway", log); err != nil {
		cache.Close()
		return nil, err
	}
	k.listener = freshness.NewListener(k.nc, log)
	metrics.MustRegister(k.listener)
	for name, space := range k.spaces {
		k.listener.Add(string(name), space, pools[name])
	}
	return k, nil
}

// run listens for changes until ctx ends.
func (k *keptPages) run(ctx context.Context) error {
	if k.listener == nil {
		return nil
	}
	return k.listener.Run(ctx)
}

func (k *keptPages) close() {
	if k.nc != nil {
		k.nc.Close()
	}
	k.cache.Close()
}
