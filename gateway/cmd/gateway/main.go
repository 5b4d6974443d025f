// Command gateway is the site's one door: it routes to the services, balances,
// limits, documents the API and serves the web application.
package main

import (
	"context"
	"os"

	"capzone.dev/gateway/internal/app"
	"capzone.dev/platform/service"
)

// besideTheCache is what the gateway needs besides its pages, in bytes: more than
// half of it for the limits of 100,000 addresses, which it never has on a usual
// day. Their sum bounds the memory.
const besideTheCache = 48 << 20

func main() {
	service.Main("gateway", func(ctx context.Context) error {
		cfg, err := app.ReadConfig()
		if err != nil {
			return err
		}
		service.LimitMemory(cfg.PageCacheMB<<20 + besideTheCache)
		app.LogRedis(cfg.Logger("gateway"))
		return app.Run(ctx, cfg)
	}, service.CheckEnv[app.Config](os.Stdout))
}
