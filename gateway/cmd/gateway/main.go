// Command gateway is the site's one door: it routes to the services, balances,
// limits, documents the API and serves the web application.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"capzone.dev/gateway/internal/app"
	"capzone.dev/platform/service"
)

// rareGC trades some megabytes for a tenth more requests: what a gateway
// allocates lives for one request, so there is little to keep. GOGC in the
// environment wins.
const rareGC = 400

// besideTheCache is what the gateway needs besides its pages, in bytes. Their
// sum bounds the memory, since rare collections would let it become several
// times what is kept. GOMEMLIMIT in the environment wins.
const besideTheCache = 36 << 20

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(rareGC)
	}
	service.Main("gateway", func(ctx context.Context) error {
		cfg, err := app.ReadConfig()
		if err != nil {
			return err
		}
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(cfg.PageCacheMB<<20 + besideTheCache)
		}
		app.LogRedis(cfg.Logger("gateway"))
		return app.Run(ctx, cfg)
	}, service.CheckEnv[app.Config](os.Stdout))
}
