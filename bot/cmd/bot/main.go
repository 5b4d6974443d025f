// Command bot opens verification rooms and says codes in them. See docs/bot.md.
package main

import (
	"context"
	"os"

	"capzone.dev/bot/internal/app"
	"capzone.dev/platform/service"
)

func main() {
	service.Main("bot", func(ctx context.Context) error { return service.FromEnv(ctx, app.Run) },
		app.Try(os.Stdout), service.CheckEnv[app.Config](os.Stdout))
}
