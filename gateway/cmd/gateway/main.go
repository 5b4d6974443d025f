// Command gateway is the site's entrance: it routes and balances requests over the services, limits and caches them,
// documents the API and serves the web application.
package main

import (
	"context"

	"capzone.dev/gateway/internal/app"
	"capzone.dev/platform/service"
)

// baseMemory is what the gateway needs besides its cache, in bytes. More than half of it is for the limits of 100,000
// addresses. The sum of both is the memory limit.
const baseMemory = 48 << 20

func main() {
	service.Main("gateway", func(ctx context.Context) error {
		cfg, err := app.ReadConfig()
		if err != nil {
			return err
		}
		service.LimitMemory(cfg.PageCacheMB<<20 + baseMemory)
		app.LogRedis(cfg.Logger("gateway"))
		return app.Run(ctx, cfg)
	}, service.CheckEnv[app.Config]())
}
