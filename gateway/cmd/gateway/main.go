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

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(rareGC)
	}
	service.Main("gateway", func(ctx context.Context) error {
		cfg, err := app.ReadConfig()
		if err != nil {
			return err
		}
		app.LogRedis(cfg.Logger("gateway"))
		return app.Run(ctx, cfg)
	}, service.CheckEnv[app.Config](os.Stdout))
}
