// Command gateway is the site's one door: it routes to the services, balances,
// limits, documents the API and serves the web application.
package main

import (
	"context"

	"capzone.dev/gateway/internal/app"
	"capzone.dev/platform/service"
)

func main() {
	service.Main("gateway", func(ctx context.Context) error {
		cfg, err := app.ReadConfig()
		if err != nil {
			return err
		}
		return app.Run(ctx, cfg)
	})
}
